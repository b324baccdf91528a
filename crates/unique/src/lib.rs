//! Distinct positions: how many there are at each ply, and how often each is reached.
//!
//! The frontier of ply *n* is the set of its distinct positions, each with its multiplicity: the number of move
//! sequences that lead to it. Each position is expanded once, its children inherit its multiplicity, and equal children
//! are merged into the frontier of ply *n* + 1. So the multiplicities of a frontier add up to perft(*n*) without
//! walking the tree. The sum is checked against another one, taken before the children are made, in which each position
//! adds its multiplicity times its number of legal moves.
//!
//! Positions are always merged by the complete position under an en-passant policy ([`Packed`]); a key cannot be
//! expanded. Only the last ply may be kept by key, in less than half of the memory. Diagrams are counted in a separate
//! set: a frontier merged by diagram would expand one position in place of several.
//!
//! Equal children are found in one of two ways: group by group, in small tables that stay in the cache (`groups.rs`); or in one
//! large table, in passes if it does not fit (`passes.rs`): on disk, in several processes, with diagrams, by keys that need a
//! comparison with all others, or where the memory is not enough for the first.
#![forbid(unsafe_code)]

mod brute_force;
mod error;
pub mod exchange;
mod expand;
#[cfg(feature = "export")]
pub mod export;
#[cfg(feature = "spill")]
mod forecast;
mod frontier;
mod groups;
pub mod identity;
mod passes;
pub mod published;
pub mod set;
mod sink;
#[cfg(feature = "spill")]
pub mod spill;
mod store;
mod varint;

pub use brute_force::{BruteForce, leaves};
pub use error::UniqueError;
pub use exchange::Exchange;
#[cfg(feature = "spill")]
pub use forecast::Forecast;
pub use frontier::Frontier;

use crate::set::Summary;
use passes::{Goal, Open, Step};
use perft_gate_chess::{Board, EnPassantPolicy, Packed};
use perft_gate_simd::Level;
use perft_gate_walk::Control;
use perft_gate_zobrist::Scheme;
use std::time::Duration;
use store::Store;

/// Identity of the positions of the last ply.
#[derive(Clone, Copy, Debug)]
pub enum By<'a> {
    /// The complete position: exact.
    Position,
    /// The keys of a scheme, up to 96 bits: two positions with the same key count as one.
    Key {
        /// Scheme of the keys.
        scheme: &'a Scheme,
        /// Seed of its key table.
        seed: u64,
    },
}

/// Maximum number of key bits that are kept. All of them are compared: `set/entry.rs` tests that a narrow entry and its place
/// are the whole key.
pub const KEY_BITS: u32 = 32 * frontier::NARROW_KEY as u32;

impl By<'_> {
    /// Returns the number of bits that tell positions apart, or `None` for the complete position.
    fn bits(self) -> Option<u32> {
        match self {
            By::Position => None,
            By::Key { scheme, .. } => scheme.axes.map(|axes| axes.effective_bits().min(KEY_BITS)),
        }
    }
}

/// Options of a count.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Policy that decides when an en-passant square makes a position different.
    pub policy: EnPassantPolicy,
    /// Identity of the last ply's positions.
    pub by: By<'a>,
    /// Count the diagrams too (the placement of the pieces alone).
    pub diagrams: bool,
    /// Keep the last frontier, so that it can be read.
    pub keep: bool,
    /// Maximum number of bytes of tables and frontiers together.
    pub memory: usize,
    /// SIMD level.
    pub level: Level,
    /// Count plies group by group where that is possible; otherwise in tables, which wait for memory.
    pub groups: bool,
    /// The other processes, if several count together. Diagrams are then not counted.
    pub exchange: Option<&'a dyn Exchange>,
}

/// Counts of one ply.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "spill", derive(serde::Serialize, serde::Deserialize))]
pub struct Ply {
    /// Number of the ply; the root's is 0.
    pub ply: u32,
    /// Summary of its positions. Their total is perft.
    pub positions: Summary,
    /// Summary of its diagrams, if requested.
    pub diagrams: Option<Summary>,
    /// Number of positions expected to be lost by key collisions, if the ply is kept by key.
    pub expected_lost: Option<f64>,
    /// Number of moves made: the sum of the legal moves of the ply before.
    pub made: u64,
    /// Number of passes in which its positions were counted.
    pub passes: u32,
    /// Number of passes restarted because there were more positions than expected.
    pub restarts: u32,
    /// Highest fill ratio of the tables, from 0 to 1.
    pub load: f64,
    /// Number of bytes of its tables and of the frontiers beside them.
    pub bytes: usize,
    /// Wall time.
    pub time: Duration,
}

/// Result of a count.
#[derive(Debug)]
pub struct Unique {
    /// Plies counted, from the root's on.
    pub plies: Vec<Ply>,
    /// Positions of the last ply, if they were kept.
    pub frontier: Option<Frontier>,
    /// True if the count was stopped early; the plies listed are then complete.
    pub interrupted: bool,
}

/// Counts the distinct positions up to `depth` plies from a position, on the current rayon pool. Calls `counted` with
/// each ply as soon as it is complete.
///
/// **Errors**: see [`UniqueError`]; the plies already passed to `counted` are correct.
pub fn unique(
    board: &Board,
    depth: u32,
    options: &Options<'_>,
    control: &Control,
    mut counted: impl FnMut(&Ply),
) -> Result<Unique, UniqueError> {
    // Not generic: the count is compiled here, at this crate's level of optimisation.
    in_memory(board, depth, options, control, &mut counted)
}

fn in_memory(
    board: &Board,
    depth: u32,
    options: &Options<'_>,
    control: &Control,
    counted: &mut dyn FnMut(&Ply),
) -> Result<Unique, UniqueError> {
    options.checked()?;
    let root = Frontier::of(Packed::of(board, options.policy), options)?;
    let mut count = Count::new(options, root);
    counted(&count.plies[0]);
    let mut interrupted = false;
    while !interrupted && count.plies.len() <= depth as usize {
        match count.pass(depth, options, control)? {
            Step::Stopped => interrupted = true,
            Step::Passed => {}
            Step::Complete(_) => count.plies.last().into_iter().for_each(&mut *counted),
        }
    }
    Ok(Unique { plies: count.plies, frontier: options.keep.then_some(count.kept), interrupted })
}

impl Options<'_> {
    /// Returns an error if keys do not follow the policy, or there are none.
    fn checked(&self) -> Result<(), UniqueError> {
        match self.by {
            By::Key { scheme, .. } if scheme.policy() != self.policy || scheme.axes.is_none() => {
                let (found, expected) = (scheme.policy(), self.policy);
                Err(UniqueError::Scheme { scheme: scheme.name.to_string(), found, expected })
            }
            _ => Ok(()),
        }
    }
}

/// A count, and how far it is.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "spill", derive(serde::Serialize, serde::Deserialize))]
struct Count<S> {
    /// Complete plies, from the root's on.
    plies: Vec<Ply>,
    /// Positions of the last complete one.
    kept: S,
    /// The ply that follows, if some of its passes are done.
    open: Option<Open<S>>,
}

impl<S: Store> Count<S> {
    /// Returns a count that keeps its root already.
    fn new(options: &Options<'_>, root: S) -> Count<S> {
        let one = Summary { distinct: 1, total: Some(1), once: 1, highest: 1, with_highest: 1 };
        let ply = Ply {
            ply: 0,
            positions: one,
            diagrams: options.diagrams.then_some(one),
            expected_lost: None,
            made: 0,
            passes: 1,
            restarts: 0,
            load: 1.0,
            bytes: root.memory(),
            time: Duration::ZERO,
        };
        Count { plies: vec![ply], kept: root, open: None }
    }

    /// Makes the next pass of a count up to `depth`. Returns the positions of the ply before when a ply is complete.
    fn pass(&mut self, depth: u32, options: &Options<'_>, control: &Control) -> Result<Step<S>, UniqueError> {
        let is_last = self.plies.len() == depth as usize;
        let by = if is_last { options.by } else { By::Position };
        let goal = Goal { by, keeps: !is_last || options.keep && matches!(by, By::Position) };
        let open = self.open.get_or_insert_with(|| Open::new(&self.kept, &self.plies, options));
        let before = self.plies.last().map_or(0, |ply| ply.positions.distinct);
        let by_groups = open.by_groups(&self.kept, before, goal, options, control)?;
        match by_groups.map_or_else(|| open.pass(&self.kept, goal, options, control), Ok)? {
            Step::Stopped => return Ok(Step::Stopped),
            Step::Passed => return Ok(Step::Passed),
            Step::Complete(()) => {}
        }
        let Open { mut row, next, .. } = self.open.take().expect("it is open");
        row.expected_lost = by.bits().map(|bits| expected_lost(row.positions.distinct, bits));
        self.plies.push(row);
        Ok(Step::Complete(std::mem::replace(&mut self.kept, next)))
    }
}

/// Returns the expected number of `distinct` positions that share their key with an earlier one, if keys of `bits` bits
/// are drawn at random: n - 2^b (1 - (1 - 2^-b)^n).
pub fn expected_lost(distinct: u64, bits: u32) -> f64 {
    let (n, keys) = (distinct as f64, 2_f64.powi(bits as i32));
    if n < keys * 1e-3 {
        // The closed form cancels almost completely here; use the series instead: pairs less triples, and so on.
        let pairs = n * (n - 1.0).max(0.0) / 2.0 / keys;
        let triples = pairs * (n - 2.0).max(0.0) / 3.0 / keys;
        return pairs - triples + triples * (n - 3.0).max(0.0) / 4.0 / keys;
    }
    n + keys * (n * (-1.0 / keys).ln_1p()).exp_m1()
}

#[cfg(test)]
mod tests {
    use super::*;
    use EnPassantPolicy::{Always, Legal, Pseudo};
    use perft_gate_chess::Fen;
    use perft_gate_zobrist::preset;
    use std::sync::atomic::Ordering;

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    const ENDGAME: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";

    fn options(policy: EnPassantPolicy) -> Options<'static> {
        let (by, level) = (By::Position, Level::detect());
        Options { policy, by, diagrams: false, keep: false, memory: 1 << 30, level, groups: true, exchange: None }
    }

    fn counted(fen: &str, depth: u32, options: &Options<'_>) -> Vec<Ply> {
        let board = Fen::parse(fen).unwrap();
        let unique = unique(&board, depth, options, &Control::default(), |_| {}).unwrap();
        assert!(!unique.interrupted);
        unique.plies
    }

    fn distinct(plies: &[Ply]) -> Vec<u64> {
        plies.iter().map(|ply| ply.positions.distinct).collect()
    }

    #[test]
    fn the_published_numbers_of_distinct_positions() {
        // OEIS A083276; with every double push; OEIS A057745, which differs at ply 6. Diagrams: OEIS A019319.
        let legal = [1, 20, 400, 5362, 72078, 822518, 9417681];
        let diagrams = [1, 20, 400, 5362, 71852, 815677, 9260610];
        for (policy, known) in [
            (Legal, legal),
            (Always, [1, 20, 400, 7602, 101240, 1244414, 14022418]),
            (Pseudo, [1, 20, 400, 5362, 72078, 822518, 9417683]),
        ] {
            let options = Options { diagrams: true, memory: 3 << 30, ..options(policy) };
            let plies = counted(Fen::START, 6, &options);
            assert_eq!(distinct(&plies), known, "{policy:?}");
            let found: Vec<_> = plies.iter().map(|ply| ply.diagrams.unwrap().distinct).collect();
            assert_eq!(found, diagrams, "{policy:?}");
            let perft: Vec<_> = plies.iter().map(|ply| ply.positions.total.unwrap()).collect();
            assert_eq!(perft, [1, 20, 400, 8902, 197_281, 4_865_609, 119_060_324]);
            if policy == Legal {
                let highest: Vec<_> = plies[3..].iter().map(|ply| ply.positions.highest).collect();
                assert_eq!(highest, [4, 16, 87, 479]);
            }
        }
    }

    #[test]
    fn the_leaves_of_the_tree_are_the_last_frontier() {
        let polyglot = preset("polyglot").unwrap();
        for (fen, depth) in [(Fen::START, 4), (KIWIPETE, 3), (ENDGAME, 5)] {
            let board = Fen::parse(fen).unwrap();
            for options in [
                options(Legal),
                options(Always),
                options(Pseudo),
                Options { by: By::Key { scheme: polyglot, seed: 0 }, ..options(Pseudo) },
            ] {
                let plies = counted(fen, depth, &options);
                let last = plies.last().unwrap().positions;
                let control = Control::default();
                let literal = leaves(&board, depth, last.distinct, &options, &control).unwrap();
                assert_eq!(literal, BruteForce::Counted(last), "{fen} {options:?}");
                let perft = perft_gate_count::leaves(&board, depth, options.level, &control).nodes;
                assert_eq!(last.total, Some(perft), "{fen}");
                assert_eq!(
                    leaves(&board, depth, last.distinct / 2, &options, &control).unwrap(),
                    BruteForce::MoreThanRoom
                );
            }
        }
    }

    #[test]
    fn little_memory_costs_passes_and_nothing_else() {
        for (fen, depth) in [(Fen::START, 5), (KIWIPETE, 4)] {
            let enough = Options { diagrams: true, ..options(Legal) };
            let expected = *counted(fen, depth, &enough).last().unwrap();
            assert_eq!((expected.passes, expected.restarts), (1, 0));
            let mut most = 0;
            for (share, by) in
                [(2, By::Position), (5, By::Position), (5, By::Key { scheme: preset("gf64").unwrap(), seed: 3 })]
            {
                let scarce = Options { memory: expected.bytes / share, by, ..enough };
                let found = *counted(fen, depth, &scarce).last().unwrap();
                assert_eq!((found.positions, found.diagrams), (expected.positions, expected.diagrams), "{scarce:?}");
                assert!(found.bytes <= scarce.memory, "{} of {}", found.bytes, scarce.memory);
                most = most.max(found.passes);
            }
            assert!(most > 2, "{most}");
        }
        let board = Fen::parse(Fen::START).unwrap();
        let none = Options { memory: 10_000, ..options(Legal) };
        let error = unique(&board, 5, &none, &Control::default(), |_| {}).unwrap_err();
        assert!(matches!(error, UniqueError::Memory { ply: 1..=3, found: ..=10_000, expected: 10_000.. }), "{error}");
    }

    #[test]
    fn expected_losses_are_exact() {
        assert_eq!((expected_lost(0, 64), expected_lost(1, 64), expected_lost(1, 4)), (0.0, 0.0, 0.0));
        // Two random 4-bit keys are equal with probability 1/16; for three, n - k (1 - (1 - 1/k)^n) with k = 16.
        assert!((expected_lost(2, 4) - 1.0 / 16.0).abs() < 1e-12);
        assert!((expected_lost(3, 4) - (3.0 - 16.0 * (1.0 - (15.0_f64 / 16.0).powi(3)))).abs() < 1e-12);
        assert!((expected_lost(9_417_681, 32) - 10_317.6).abs() < 0.05);
        assert!((expected_lost(9_417_681, 64) / 2.404e-6 - 1.0).abs() < 1e-3);
        assert!((expected_lost(9_417_681, 16) - (9_417_681.0 - 65_536.0)).abs() < 1e-6);
        // The series and the closed form agree where they meet.
        let around = [999_999, 1_000_001].map(|n| expected_lost(n, 30));
        assert!(around[0] < around[1] && around[1] / around[0] < 1.00001, "{around:?}");
    }

    #[test]
    fn short_keys_lose_about_as_many_as_chance_foretells() {
        let scheme = Scheme::parse("width=32", false).unwrap();
        let mut lost = Vec::new();
        for seed in 0..8 {
            let by_key = Options { by: By::Key { scheme: &scheme, seed }, ..options(Legal) };
            let last = *counted(Fen::START, 5, &by_key).last().unwrap();
            assert_eq!(last.positions.total, Some(4_865_609));
            let expected = last.expected_lost.unwrap();
            assert!((expected - 78.8).abs() < 0.1, "{expected}");
            lost.push(822_518 - last.positions.distinct);
        }
        // Spreads far more than independent keys: pieces whose keys cancel do so in every position where they stand.
        let mean = lost.iter().sum::<u64>() as f64 / lost.len() as f64;
        assert!((40.0..160.0).contains(&mean), "{lost:?}");
    }

    #[test]
    fn a_scheme_of_another_policy_is_refused() {
        let board = Fen::parse(Fen::START).unwrap();
        let by = By::Key { scheme: preset("polyglot").unwrap(), seed: 0 };
        let error = unique(&board, 1, &Options { by, ..options(Legal) }, &Control::default(), |_| {}).unwrap_err();
        assert!(error.to_string().contains("keys of polyglot count e.p. squares by the policy 'pseudo'"), "{error}");
    }

    #[test]
    fn a_stopped_count_says_so() {
        let (board, control) = (Fen::parse(Fen::START).unwrap(), Control::default());
        let stop = |ply: &Ply| control.stop.store(ply.ply == 3, Ordering::Relaxed);
        let unique = unique(&board, 5, &options(Legal), &control, stop).unwrap();
        assert!(unique.interrupted);
        assert_eq!(distinct(&unique.plies), [1, 20, 400, 5362]);
    }

    #[test]
    fn games_end() {
        // Stalemate, and mate in one move by one of two.
        assert_eq!(distinct(&counted("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 3, &options(Legal))), [1, 0, 0, 0]);
    }
}
