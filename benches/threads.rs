//! Counting with a thread for each core, by turns with as many independent processes of one thread at once.
//!
//!     cargo bench --bench threads [-- ROUNDS]
//!
//! The tail is the time from the moment a thread finds no more work to the end of the count, as a share of it.

mod common;

use common::{median, rounds};
use perft_gate_chess::Fen;
use perft_gate_count::{Journal, TreeCounter};
use perft_gate_simd::Level;
use perft_gate_walk::Control;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Instant;

const DEPTH: u32 = 7;
const LEAVES: u128 = 3_195_901_860;

/// Time at which each thread last finished a unit.
struct Ends(Vec<Mutex<Instant>>);

impl Journal for Ends {
    fn finished_leaves(&self, _: usize) -> Option<u128> {
        None
    }
    fn record(&self, _: usize, _: u128) {
        let thread = rayon::current_thread_index().expect("a worker");
        *self.0[thread].lock().expect("no panic") = Instant::now();
    }
}

/// Leaves a second of `threads` threads, and the longest tail.
fn together(threads: usize) -> (f64, f64) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let board = Fen::parse(Fen::START).expect("a position");
    let ends = Ends((0..threads).map(|_| Mutex::new(Instant::now())).collect());
    let start = Instant::now();
    let counter = TreeCounter { journal: Some(&ends), ..TreeCounter::new(Level::detect()) };
    let leaves = pool.install(|| counter.leaves(&board, DEPTH, &Control::default())).nodes;
    let (end, seconds) = (Instant::now(), start.elapsed().as_secs_f64());
    assert_eq!(leaves, LEAVES);
    let idle = ends.0.iter().map(|last| end.duration_since(*last.lock().expect("no panic")).as_secs_f64());
    (LEAVES as f64 / seconds, idle.fold(0.0, f64::max) / seconds)
}

/// Leaves a second of as many processes at once, by the slowest's own clock.
fn apart(processes: usize) -> f64 {
    let children: Vec<_> = (0..processes)
        .map(|_| {
            Command::new(env!("CARGO_BIN_EXE_perft"))
                .args(["count", "--threads", "1", "--depth", &DEPTH.to_string()])
                .stdout(Stdio::piped())
                .spawn()
                .expect("it starts")
        })
        .collect();
    let rates = children.into_iter().map(|child| {
        let text = String::from_utf8(child.wait_with_output().expect("it ends").stdout).expect("text");
        assert!(text.starts_with(&format!("nodes {LEAVES}\n")), "{text}");
        let seconds = text.split("time ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a time");
        LEAVES as f64 / seconds.parse::<f64>().expect("seconds")
    });
    rates.sum()
}

fn main() {
    let rounds = rounds(9);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let (mut ratios, mut tails, mut rates) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds {
        let (rate, tail) = together(threads);
        ratios.push(rate / apart(threads));
        tails.push(tail);
        rates.push(rate / 1e6);
    }
    println!("startpos to depth {DEPTH}, medians of {rounds} rounds");
    println!("{threads} threads: {:.0} million leaves/s, tail {:.2} %", median(&mut rates), 100.0 * median(&mut tails));
    println!(
        "{threads} threads / {threads} processes: {:.3} ({:.3} to {:.3})",
        median(&mut ratios),
        ratios[0],
        ratios[rounds - 1]
    );
}
