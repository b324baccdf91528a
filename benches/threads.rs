//! Each verb with a thread for each core, by turns with as many independent processes of one thread at once.
//!
//!     cargo bench --bench threads [-- ROUNDS] [VERB ...]
//!
//! Each process does all of the work. *Rates* is the work that the threads do in a second by that of all processes together; it
//! favours the processes, since the last to end has the machine to itself for a while. What is lost is told apart by processor time
//! (Linux): *idle* is the share of the threads' time in which they did nothing (tails, parts that one thread does), *dearer* how
//! much more processor time the work took than in the processes (locks, a shared table, memory), and *kept* what both leave. The
//! table of `hashed` is shared by the threads; each process has its part of that memory.

mod common;

use common::{median, rounds};
use std::process::{Command, Stdio};
use std::time::Instant;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// A verb, its arguments for `threads` threads of which `at_once` such processes run, and what it must print.
struct Verb {
    name: &'static str,
    arguments: fn(at_once: usize) -> Vec<String>,
    expected: &'static str,
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(String::from).collect()
}

const VERBS: [Verb; 4] = [
    Verb { name: "count", arguments: |_| words("count --depth 8"), expected: "nodes 84998978956\n" },
    Verb {
        name: "hashed",
        arguments: |at_once| words(&format!("count --depth 8 --hash {}M", 512 / at_once)),
        expected: "nodes 84998978956\n",
    },
    Verb {
        name: "verify",
        arguments: |_| {
            let mut arguments = words("gate --depth 5 --identity off --fen");
            arguments.push(KIWIPETE.into());
            arguments
        },
        expected: "1 of 1 rows: 1 passed, 0 failed; 197876243 nodes; passed\n",
    },
    Verb { name: "unique", arguments: |_| words("unique 6 --memory 1G"), expected: "plies 1 to 6: the same: ok\n" },
];

/// What some processes took that ran at once.
struct Taken {
    /// Runs a second, added up over the processes.
    rate: f64,
    /// Seconds until the last had ended, and of processor time.
    wall: f64,
    processor: Option<f64>,
}

/// Runs a verb in as many processes at once, each with as many threads.
fn run(verb: &Verb, processes: usize, threads: usize) -> Taken {
    let (start, before) = (Instant::now(), children_seconds());
    let children: Vec<_> = (0..processes)
        .map(|_| {
            Command::new(env!("CARGO_BIN_EXE_perft"))
                .args((verb.arguments)(processes))
                .args(["--threads", &threads.to_string()])
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .expect("it starts")
        })
        .collect();
    let waiting = children.into_iter().map(|child| {
        std::thread::spawn(move || {
            let output = child.wait_with_output().expect("it ends");
            (String::from_utf8(output.stdout).expect("text"), start.elapsed().as_secs_f64())
        })
    });
    let waiting: Vec<_> = waiting.collect();
    let ended: Vec<_> = waiting.into_iter().map(|thread| thread.join().expect("no panic")).collect();
    for (text, _) in &ended {
        assert!(text.contains(verb.expected), "{}: expected '{}' in:\n{text}", verb.name, verb.expected.trim_end());
    }
    Taken {
        rate: ended.iter().map(|(_, seconds)| 1.0 / seconds).sum(),
        wall: ended.iter().map(|(_, seconds)| *seconds).fold(0.0, f64::max),
        processor: children_seconds().zip(before).map(|(after, before)| after - before),
    }
}

/// Returns the processor time of all child processes that have ended, in seconds (Linux, proc(5): fields 16 and 17, in ticks of
/// 10 ms).
fn children_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = text.rsplit_once(") ")?.1.split(' ').collect();
    Some((fields.get(13)?.parse::<f64>().ok()? + fields.get(14)?.parse::<f64>().ok()?) / 100.0)
}

fn main() {
    let rounds = rounds(9);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let named: Vec<String> = std::env::args().collect();
    let asked = |verb: &&Verb| named.iter().any(|name| name == verb.name);
    let all = !VERBS.iter().any(|verb| asked(&verb));
    println!("{threads} threads and {threads} processes of one thread, by turns, medians of {rounds} rounds");
    let [threads_s, process_s, rates, kept] = ["threads s", "process s", "rates (range)", "kept"];
    println!("{:<8} {threads_s:>10} {process_s:>10} {rates:>24} {:>7} {:>7} {kept:>6}", "verb", "idle", "dearer");
    for verb in VERBS.iter().filter(|verb| all || asked(verb)) {
        let mut columns = [const { Vec::new() }; 6];
        for round in 0..rounds {
            let mut taken = [(1, threads), (threads, 1)];
            taken.rotate_left(round % 2);
            let mut taken = taken.map(|(processes, threads)| run(verb, processes, threads));
            taken.rotate_left(round % 2);
            let [together, apart] = taken;
            let processor = together.processor.zip(apart.processor);
            let (idle, dearer) = processor.map_or((f64::NAN, f64::NAN), |(together_s, apart_s)| {
                (1.0 - together_s / (threads as f64 * together.wall), together_s / (apart_s / threads as f64) - 1.0)
            });
            let values =
                [together.wall, apart.wall, together.rate / apart.rate, idle, dearer, (1.0 - idle) / (1.0 + dearer)];
            columns.iter_mut().zip(values).for_each(|(column, value)| column.push(value));
        }
        let [wall, apart, ratio, idle, dearer, kept] = columns.each_mut().map(|column| median(column));
        let range = format!("{ratio:.3} ({:.3} to {:.3})", columns[2][0], columns[2][rounds - 1]);
        let (idle, dearer) = (100.0 * idle, 100.0 * dearer);
        println!("{:<8} {wall:>10.2} {apart:>10.2} {range:>24} {idle:>5.1} % {dearer:>5.1} % {kept:>6.3}", verb.name);
    }
}
