//! The counter of leaves on the six classic positions, one thread.
//!
//!     cargo bench --bench count [-- ROUNDS]
//!     PERFT_PEER=path/to/other/perft cargo bench --bench count
//!
//! `bulk` makes every move but the last of a line and counts the last in bulk; `v3` and `v4` count the last two plies
//! set-wise; `peer` is another build of `perft`. In brackets stands the ratio to `bulk` in the same round. Every timed run
//! checks its count.

mod common;

use common::{Peer, median, rounds};
use perft_gate_simd::Level;
use perft_gate_suite as suite;
use perft_gate_walk::Position;
use perft_gate_walk::{Control, Count, walk};
use std::time::Instant;

/// Name, depth, and the count (Chess Programming Wiki, Perft Results), which the suite does not list so deep everywhere.
const POSITIONS: [(&str, u32, u128); 6] = [
    ("startpos", 6, 119_060_324),
    ("kiwipete", 5, 193_690_690),
    ("position 3", 7, 178_633_661),
    ("position 4", 6, 706_045_033),
    ("position 5", 5, 89_941_194),
    ("position 6", 5, 164_075_551),
];

fn main() {
    let (rounds, peer) = (rounds(9), Peer::named());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let rows = suite::parse(suite::embedded("standard").expect("built in")).expect("it reads");
    let levels: Vec<Level> = Level::all().into_iter().skip(1).collect();
    let names = levels.iter().map(ToString::to_string).chain(peer.is_some().then(|| "peer".to_string()));
    println!("million leaves/s, medians of {rounds} rounds; in brackets the ratio to bulk in the same round");
    println!(
        "{:<12} {:>5} {:>16}{}",
        "position",
        "depth",
        "bulk",
        names.map(|name| format!("{name:>17}")).collect::<String>()
    );
    for (id, depth, expected) in POSITIONS {
        let row = rows.iter().find(|row| row.id == id).expect("a classic position");
        let timed = |count: &(dyn Fn() -> u128 + Sync)| {
            let start = Instant::now();
            assert_eq!(pool.install(count), expected, "{id} at depth {depth}");
            expected as f64 / start.elapsed().as_secs_f64() / 1e6
        };
        let (mut rates, mut ratios) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            let bulk = timed(&|| {
                let control = Control::default();
                let mut count = Count::<1>::new(depth, &control.stop);
                walk(Level::detect(), &mut Position::new(*row.board(), ()), &mut count, depth);
                count.nodes[depth as usize].into()
            });
            let sets = levels.iter().map(|&level| {
                timed(&|| perft_gate_count::leaves(row.board(), depth, level, &Control::default()).nodes)
            });
            let arguments = ["--threads", "1", "--fen", &row.fen, "--depth", &depth.to_string()];
            let others = sets.chain(peer.iter().map(|peer| peer.count(&arguments, expected)));
            let round: Vec<f64> = std::iter::once(bulk).chain(others).collect();
            ratios.push(round.iter().map(|rate| rate / bulk).collect::<Vec<_>>());
            rates.push(round);
        }
        let column = |of: &[Vec<f64>], at: usize| median(&mut of.iter().map(|round| round[at]).collect::<Vec<_>>());
        let cell = |at| format!(" {:>8.0} ({:>5.2})", column(&rates, at), column(&ratios, at));
        println!("{id:<12} {depth:>5}{}", (0..rates[0].len()).map(cell).collect::<String>());
    }
}
