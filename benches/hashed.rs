//! Counting with a table, on all cores.
//!
//!     cargo bench --bench hashed [-- ROUNDS] [SIZE_IN_MIB] [deep]
//!     PERFT_PEER=path/to/other/perft cargo bench --bench hashed
//!
//! Times are medians; `/ peer` is the rate here by that of another build of `perft` in the same round.

mod common;

use common::{Peer, median};
use perft_gate_chess::Fen;
use perft_gate_count::TreeCounter;
use perft_gate_count::table::{EntryMatch, PerftTable};
use perft_gate_simd::Level;
use perft_gate_walk::Control;
use std::time::Instant;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Name, position, depth, leaves (Chess Programming Wiki, Perft Results; OEIS A048987), only when asked for.
const TREES: [(&str, &str, u32, u128, bool); 5] = [
    ("startpos", Fen::START, 7, 3_195_901_860, false),
    ("kiwipete", KIWIPETE, 6, 8_031_647_685, false),
    ("startpos", Fen::START, 8, 84_998_978_956, false),
    ("kiwipete", KIWIPETE, 7, 374_190_009_323, true),
    ("startpos", Fen::START, 9, 2_439_530_234_167, true),
];

fn main() {
    let numbers: Vec<u64> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let (rounds, mib) = (numbers.first().map_or(9, |&rounds| rounds as usize), numbers.get(1).copied().unwrap_or(2048));
    let deep = std::env::args().any(|argument| argument == "deep");
    let (threads, peer) = (rayon::current_num_threads(), Peer::named());
    println!("{threads} threads, {mib} MiB, medians of {rounds} rounds");
    println!(
        "{:<10} {:>5} {:>9} {:>9} {:>14} {:>12} {:>7} {:>9} {:>7}",
        "position", "depth", "table s", "seconds", "M leaves/s", "probes", "known", "evictions", "/ peer"
    );
    for (name, fen, depth, leaves, _) in TREES.into_iter().filter(|tree| deep || !tree.4) {
        let board = Fen::parse(fen).expect("a position");
        let (mut making, mut counting, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        let mut tally = None;
        for _ in 0..rounds {
            let start = Instant::now();
            let table = PerftTable::new(mib << 20, EntryMatch::Tag).expect("memory");
            making.push(start.elapsed().as_secs_f64());
            let start = Instant::now();
            let counter = TreeCounter { table: Some(&table), ..TreeCounter::new(Level::detect()) };
            assert_eq!(counter.leaves(&board, depth, &Control::default()).nodes, leaves);
            let seconds = start.elapsed().as_secs_f64();
            counting.push(seconds);
            tally = Some(table.tally());
            // Its memory goes to the peer.
            drop(table);
            let arguments = ["--fen", fen, "--depth", &depth.to_string(), "--hash", &format!("{mib}M")];
            let other = peer.as_ref().map_or(f64::NAN, |peer| peer.count(&arguments, leaves));
            ratios.push(leaves as f64 / seconds / 1e6 / other);
        }
        let tally = tally.expect("a round");
        let seconds = median(&mut counting);
        println!(
            "{name:<10} {depth:>5} {:>9.2} {seconds:>9.2} {:>14.0} {:>12} {:>6.1}% {:>9} {:>7}",
            median(&mut making),
            leaves as f64 / seconds / 1e6,
            tally.probes,
            100.0 * tally.hits as f64 / tally.probes as f64,
            tally.evictions,
            if peer.is_some() { format!("{:.2}", median(&mut ratios)) } else { "-".into() }
        );
    }
}
