//! The counter of leaves on the six classic positions, or on endgames, one thread.
//!
//!     cargo bench --bench count [-- ROUNDS]
//!     cargo bench --bench count -- endgames [ROUNDS]
//!     PERFT_PEER=path/to/other/perft cargo bench --bench count
//!
//! `bulk` makes every move but the last of a line and counts the last in bulk; `v3` and `v4` count the last two plies
//! set-wise, below every path; `peer` is another build of `perft`. In brackets stands the ratio to `bulk` in the same round, in the last
//! column that of the best level to the peer. Below the table stand the ratios of the best level to all others. Every timed run
//! checks its count.
//!
//! `endgames.epd` has 57 endgames, one to five pieces other than pawns a side, kings included, sorted by how many both sides have
//! together: by this number the counter chooses between its ways. They are random placements, our own; Stockfish has the same counts.

mod common;

use common::{Peer, median, rounds};
use perft_gate_chess::Board;
use perft_gate_count::{Paths, TreeCounter};
use perft_gate_simd::Level;
use perft_gate_suite as suite;
use perft_gate_walk::Position;
use perft_gate_walk::{Control, Count, walk};
use std::time::Instant;

/// Name, depth, and the count (Chess Programming Wiki, Perft Results), which the suite does not list so deep everywhere.
const CLASSIC: [(&str, u32, u128); 6] = [
    ("startpos", 6, 119_060_324),
    ("kiwipete", 5, 193_690_690),
    ("position 3", 7, 178_633_661),
    ("position 4", 6, 706_045_033),
    ("position 5", 5, 89_941_194),
    ("position 6", 5, 164_075_551),
];
const ENDGAMES: &str = include_str!("endgames.epd");

/// A tree whose leaves are counted.
struct Tree {
    id: String,
    fen: String,
    board: Board,
    depth: u32,
    leaves: u128,
}

impl Tree {
    fn of(row: &suite::Row, depth: u32, leaves: u128) -> Tree {
        Tree { id: row.id.clone(), fen: row.fen.clone(), board: *row.board(), depth, leaves }
    }
}

fn classic() -> Vec<Tree> {
    let rows = suite::parse(suite::embedded("standard").expect("built in")).expect("it reads");
    let tree = |&(id, depth, leaves): &(&str, u32, u128)| {
        Tree::of(rows.iter().find(|row| row.id == id).expect("a classic position"), depth, leaves)
    };
    CLASSIC.iter().map(tree).collect()
}

fn endgames() -> Vec<Tree> {
    let tree = |row: &suite::Row| {
        let depth = row.deepest(u32::MAX).expect("a count");
        Tree::of(row, depth, row.count(depth).expect("a count"))
    };
    suite::parse(ENDGAMES).expect("it reads").iter().map(tree).collect()
}

/// Counts a tree once in each way, and returns the rates in million leaves a second: in bulk, on each level, by the peer.
fn round(pool: &rayon::ThreadPool, tree: &Tree, levels: &[Level], peer: Option<&Peer>) -> Vec<f64> {
    let Tree { id, fen, board, depth, leaves } = tree;
    let timed = |count: &(dyn Fn() -> u128 + Sync)| {
        let start = Instant::now();
        assert_eq!(pool.install(count), *leaves, "{id} at depth {depth}");
        *leaves as f64 / start.elapsed().as_secs_f64() / 1e6
    };
    let bulk = timed(&|| {
        let control = Control::default();
        let mut count = Count::<1>::new(*depth, &control);
        walk(Level::detect(), &mut Position::new(*board, ()), &mut count, *depth);
        count.nodes[*depth as usize].into()
    });
    let sets = levels
        .iter()
        .map(|&level| TreeCounter { paths: Paths::Every, ..TreeCounter::new(level) })
        .map(|counter| timed(&|| counter.leaves(board, *depth, &Control::default()).nodes));
    let arguments = ["--threads", "1", "--fen", fen, "--depth", &depth.to_string()];
    std::iter::once(bulk).chain(sets).chain(peer.iter().map(|peer| peer.count(&arguments, *leaves))).collect()
}

/// Returns the medians of a column of the rounds, each by a value of the whole round.
fn medians(rounds: &[Vec<f64>], value: impl Fn(&[f64]) -> f64) -> f64 {
    median(&mut rounds.iter().map(|round| value(round)).collect::<Vec<_>>())
}

fn main() {
    let (rounds, peer) = (rounds(9), Peer::named());
    let trees = if std::env::args().any(|argument| argument == "endgames") { endgames() } else { classic() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let levels: Vec<Level> = Level::all().into_iter().skip(1).collect();
    let best = levels.len();
    let mut names = vec!["bulk".to_string()];
    names.extend(levels.iter().map(ToString::to_string).chain(peer.is_some().then(|| "peer".to_string())));
    println!("million leaves/s, medians of {rounds} rounds; in brackets the ratio to bulk in the same round");
    let heads = names.iter().map(|name| format!("{name:>17}")).collect::<String>();
    let last = names.len() - 1;
    println!("{:<22} {:>5}{heads} {:>12}", "position", "depth", format!("{} / {}", names[best], names[last]));
    let mut ratios = vec![Vec::new(); names.len()];
    for tree in &trees {
        let rates: Vec<_> = (0..rounds).map(|_| round(&pool, tree, &levels, peer.as_ref())).collect();
        let cell = |at: usize| {
            format!(" {:>8.0} ({:>5.2})", medians(&rates, |rate| rate[at]), medians(&rates, |rate| rate[at] / rate[0]))
        };
        for (at, ratios) in ratios.iter_mut().enumerate() {
            ratios.push(medians(&rates, |rate| rate[best] / rate[at]));
        }
        let cells = (0..names.len()).map(cell).collect::<String>();
        println!("{:<22} {:>5}{cells} {:>12.2}", tree.id, tree.depth, ratios[last][ratios[last].len() - 1]);
    }
    for (name, ratios) in names.iter().zip(ratios).filter(|(name, _)| **name != names[best]) {
        let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
        let lowest = ratios.iter().copied().fold(f64::MAX, f64::min);
        println!("{} / {name}: lowest {lowest:.2}, geometric mean {mean:.2}", names[best]);
    }
}
