//! Cost of each scheme on Kiwipete's tree, on one core, interleaved.
//!
//!     cargo bench --bench keys [-- SCHEME ...]
//!
//! Walks go to depth 4, 4185553 nodes. `plain` generates and copy-makes without a key. `keyed` makes and unmakes with the
//! scheme's key. `verified` is the gate. `update` is the key's cost per node of the keyed walk. `kernel` is the cost per
//! board in the batch, append included. `scalar` is the portable recompute of the same 1024 boards of the third ply.
//!
//! Times and rates are normalised to a core on which the yardstick of `perft bench`, timed in the same round, makes 2.5
//! million solutions per second.

mod common;

use common::{YARDSTICK_RATE, median, yardstick};
use perft_gate_chess::{Fen, Move, MoveList};
use perft_gate_lab::measure::{Contestant, Monotonic, time_recomputes};
use perft_gate_simd::{Level, Token};
use perft_gate_walk::Position;
use perft_gate_walk::Settings;
use perft_gate_walk::{Control, Count, Game, walk};
use perft_gate_zobrist::{Key, PRESETS, Scheme, SchemeVisitor, Tracker};
use std::time::Instant;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const DEPTH: u32 = 4;
const NODES: f64 = 4_185_553.0;
const ROUNDS: usize = 9;

/// A position that is copied before each move and restored after it.
#[derive(Clone, Copy)]
struct CopyMake(Position<()>);

impl Game for CopyMake {
    type Move = Move;
    type Moves = MoveList;
    type Prepared = <Position<()> as Game>::Prepared;
    type Undo = Position<()>;

    #[inline(always)]
    fn moves<L: Token>(&self, level: L, list: &mut MoveList) {
        self.0.moves(level, list);
    }
    #[inline(always)]
    fn count_moves<L: Token>(&self, level: L) -> u64 {
        self.0.count_moves(level)
    }
    #[inline(always)]
    fn prepare(&self) -> Self::Prepared {
        self.0.prepare()
    }
    #[inline(always)]
    fn make<L: Token>(&mut self, level: L, prepared: &Self::Prepared, mv: Move) -> Position<()> {
        let before = self.0;
        let _ = self.0.make(level, prepared, mv);
        before
    }
    #[inline(always)]
    fn unmake<L: Token>(&mut self, _: L, _: Move, before: Position<()>) {
        self.0 = before;
    }
    fn make_null<L: Token>(&mut self, _: L) -> Option<Position<()>> {
        None
    }
    fn unmake_null(&mut self, before: Position<()>) {
        self.0 = before;
    }
    fn key(&self) -> Option<Key> {
        None
    }
    fn recompute(&self) -> Option<Key> {
        None
    }
    fn same<L: Token>(&self, level: L, other: &CopyMake, compared: &mut u64) -> bool {
        self.0.same(level, &other.0, compared)
    }
    fn is_consistent<L: Token>(&self, level: L, compared: &mut u64) -> bool {
        self.0.is_consistent(level, compared)
    }
    fn sample(&self) -> u64 {
        self.0.sample()
    }
    fn round_trip(&self, compared: &mut u64) -> Result<(), String> {
        self.0.round_trip(compared)
    }
    fn describe(&self) -> String {
        self.0.describe()
    }
}

/// Returns the seconds of a walk that counts every node.
fn walked<G: Game>(mut game: G) -> f64 {
    let control = Control::default();
    let mut count = Count::<0>::new(DEPTH, &control);
    let start = Instant::now();
    walk(Level::detect(), &mut game, &mut count, DEPTH);
    let seconds = start.elapsed().as_secs_f64();
    assert_eq!(count.nodes.iter().sum::<u64>() as f64, NODES);
    seconds
}

/// Times the keyed walk, in seconds.
struct Keyed;

impl SchemeVisitor for Keyed {
    type Output = f64;
    fn visit<T: Tracker>(self, tracker: T) -> f64 {
        walked(Position::new(Fen::parse(KIWIPETE).expect("a legal position"), tracker))
    }
}

/// Returns the nanoseconds per board, in the batch and one by one.
fn recomputed(scheme: &Scheme) -> [f64; 2] {
    let board = Fen::parse(KIWIPETE).expect("a legal position");
    let found = time_recomputes(&[Contestant::new(scheme.clone())], board, &[Level::detect()], &Monotonic::default());
    found[0].first().map_or([0.0; 2], |(_, found)| [found.batch_ns, found.scalar_ns])
}

fn verified(scheme: &Scheme) -> f64 {
    let board = Fen::parse(KIWIPETE).expect("a legal position");
    let settings = Settings { scheme, secondary: &[], seed: 0, level: Level::detect(), sample_mask: 0xfff };
    let start = Instant::now();
    let report = perft_gate_walk::verify(&board, DEPTH, settings, &Control::default());
    let seconds = start.elapsed().as_secs_f64();
    assert!(report.mismatches.is_empty() && report.total() as f64 == NODES);
    seconds
}

fn main() {
    // The walk uses the current rayon pool, so this one has one worker.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let chosen =
        |scheme: &&Scheme| wanted.is_empty() || scheme.name == "none" || wanted.iter().any(|name| *name == scheme.name);
    let mut schemes: Vec<Scheme> = PRESETS.iter().filter(chosen).cloned().collect();
    schemes
        .extend(wanted.iter().filter(|name| name.contains('=')).map(|text| Scheme::parse(text, true).expect("axes")));
    let root = Position::new(Fen::parse(KIWIPETE).expect("a legal position"), ());
    // By scheme and quantity, one value per round.
    let mut rows = vec![vec![Vec::new(); 6]; schemes.len()];
    let mut yardsticks = Vec::new();
    for _ in 0..ROUNDS {
        let rate = yardstick();
        yardsticks.push(rate);
        // Times are multiplied by this factor, rates divided.
        let factor = rate / YARDSTICK_RATE;
        let plain = walked(CopyMake(root));
        let mut keyless = None;
        for (scheme, row) in schemes.iter().zip(&mut rows) {
            let keyed = scheme.visit_own(0, Keyed);
            let [kernel, scalar] = recomputed(scheme);
            let keyless = *keyless.get_or_insert(keyed);
            let verified = pool.install(|| verified(scheme));
            let values = [
                keyed / plain,
                verified / keyed,
                (keyed - keyless) * 1e9 / NODES * factor,
                kernel * factor,
                scalar * factor,
                NODES / verified / 1e6 / factor,
            ];
            row.iter_mut().zip(values).for_each(|(values, value)| values.push(value));
        }
    }
    println!(
        "yardstick {:.2} M solutions/s; times and rates as on a core where it is {YARDSTICK_RATE}",
        median(&mut yardsticks)
    );
    println!("{:<40} keyed/plain verified/keyed  update ns  kernel ns  scalar ns  verified M/s", "scheme");
    for (scheme, row) in schemes.iter().zip(&mut rows) {
        let [keyed, ratio, update, kernel, scalar, rate] = [0, 1, 2, 3, 4, 5].map(|i| median(&mut row[i]));
        let name = &scheme.name;
        println!("{name:<40} {keyed:>11.3} {ratio:>14.3} {update:>10.2} {kernel:>10.2} {scalar:>10.2} {rate:>13.1}");
    }
}
