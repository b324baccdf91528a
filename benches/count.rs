//! The counter of leaves on the six classic positions, one thread, by turns with the feasibility study that it grew from.
//!
//!     SPIKE=path/to/spike cargo bench --bench count [-- ROUNDS]
//!
//! `bulk` makes every move but the last of a line and counts the last in bulk; `v3` and `v4` count the last two plies
//! set-wise. Every timed run checks its count. Without SPIKE there are no ratios.

mod common;

use common::{median, rounds, spike};
use perft_gate_judge::suite;
use perft_gate_simd::Level;
use perft_gate_walk::Position;
use perft_gate_walk::walk::{Control, Count, walk};
use std::time::Instant;

/// Our name, the study's name, the depth that both count.
const POSITIONS: [(&str, &str, u32); 6] = [
    ("startpos", "start", 6),
    ("kiwipete", "kiwi", 5),
    ("position 3", "endg", 7),
    ("position 4", "pos4", 6),
    ("position 5", "pos5", 5),
    ("position 6", "pos6", 5),
];

fn main() {
    let rounds = rounds(9);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let rows = suite::parse(suite::embedded("standard").expect("built in")).expect("it reads");
    let levels: Vec<Level> = Level::all().into_iter().skip(1).collect();
    let names: Vec<String> = levels.iter().map(ToString::to_string).collect();
    println!("million leaves/s, medians of {rounds} rounds; in brackets the ratio to the study in the same round");
    println!(
        "{:<12} {:>5} {:>8} {:>16} {}",
        "position",
        "depth",
        "study",
        "bulk",
        names.iter().map(|name| format!("{name:>16}")).collect::<String>()
    );
    for (id, study, depth) in POSITIONS {
        let row = rows.iter().find(|row| row.id == id).expect("a classic position");
        let expected = [row.count(depth), KNOWN.iter().find(|known| known.0 == id).map(|known| known.1)];
        let expected = expected.into_iter().flatten().next().expect("it is known");
        let mut rates = vec![Vec::new(); 2 + levels.len()];
        let mut ratios = rates.clone();
        for _ in 0..rounds {
            let spike = spike(&[study, &depth.to_string(), "3"]).unwrap_or(f64::NAN);
            let timed = |count: &(dyn Fn() -> u128 + Sync)| {
                let start = Instant::now();
                assert_eq!(pool.install(count), expected, "{id} at depth {depth}");
                expected as f64 / start.elapsed().as_secs_f64() / 1e6
            };
            let bulk = timed(&|| {
                let control = Control::default();
                let mut count = Count::<1>::new(depth, &control.stop);
                walk(Level::detect(), &mut Position::new(row.board, ()), &mut count, depth);
                count.nodes[depth as usize].into()
            });
            let sets = levels
                .iter()
                .map(|&level| timed(&|| perft_gate_count::leaves(&row.board, depth, level, &Control::default()).nodes));
            for (i, rate) in [spike, bulk].into_iter().chain(sets).enumerate() {
                rates[i].push(rate);
                ratios[i].push(rate / spike);
            }
        }
        let cells = rates
            .iter_mut()
            .zip(&mut ratios)
            .skip(1)
            .map(|(rates, ratios)| format!("{:>8.0} ({:.2})", median(rates), median(ratios)));
        let cells: String = cells.map(|cell| format!("{cell:>17}")).collect();
        println!("{id:<12} {depth:>5} {:>8.0}{cells}", median(&mut rates[0]));
    }
}

/// PerftTable deeper than the suite lists (Chess Programming Wiki, Perft Results).
const KNOWN: [(&str, u128); 2] = [("position 3", 178_633_661), ("position 4", 706_045_033)];
