//! Counts distinct positions ply by ply, each ply in one or more passes, in memory or on disk. The function [`unique`]
//! keeps the positions in memory.

use crate::error::UniqueError;
use crate::frontier::Frontier;
use crate::options::{By, Goal, UniqueOptions};
use crate::passes::{Open, Step};
use crate::ply::{Ply, expected_lost};
use crate::set::Summary;
use crate::store::Store;
use perft_gate_chess::{Board, Packed};
use perft_gate_walk::Control;

/// A count and its progress.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "spill", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct UniqueCount<S> {
    /// Complete plies, starting with the root's.
    pub(crate) plies: Vec<Ply>,
    /// Positions of the last complete ply.
    pub(crate) kept: S,
    /// The next ply, if some of its passes are done.
    pub(crate) open: Option<Open<S>>,
}

impl<S: Store> UniqueCount<S> {
    /// Returns a count whose only complete ply is the root's.
    pub(crate) fn new(options: &UniqueOptions<'_>, root: S) -> UniqueCount<S> {
        let one = Summary { distinct: 1, total: 1, once: 1, highest: 1, with_highest: 1 };
        let diagrams = options.diagrams.then_some(one);
        let ply = Ply { positions: one, diagrams, passes: 1, load: 1.0, bytes: root.memory(), ..Ply::default() };
        UniqueCount { plies: vec![ply], kept: root, open: None }
    }

    /// Runs the next pass of a count up to `depth`. Returns the previous ply's positions if the pass completes a ply.
    pub(crate) fn pass(
        &mut self,
        depth: u32,
        options: &UniqueOptions<'_>,
        control: &Control,
    ) -> Result<Step<S>, UniqueError> {
        let is_last = self.plies.len() == depth as usize;
        let by = if is_last { options.by } else { By::Position };
        let goal = Goal { by, keeps: !is_last || options.keep && matches!(by, By::Position) };
        let open = self.open.get_or_insert_with(|| Open::new(&self.kept, &self.plies, options));
        let before = self.plies.last().map_or(0, |ply| ply.positions.distinct);
        let by_groups = open.by_groups(&self.kept, before, goal, options, control)?;
        match by_groups.map_or_else(|| open.pass(&self.kept, goal, options, control), Ok)? {
            Step::Stopped => return Ok(Step::Stopped),
            Step::More => return Ok(Step::More),
            Step::Complete(()) => {}
        }
        let Open { mut row, next, .. } = self.open.take().expect("it is open");
        row.expected_lost = by.bits().map(|bits| expected_lost(row.positions.distinct, bits));
        self.plies.push(row);
        Ok(Step::Complete(std::mem::replace(&mut self.kept, next)))
    }
}

/// Result of a count.
#[derive(Debug)]
pub struct Unique {
    /// Counted plies, starting with the root's.
    pub plies: Vec<Ply>,
    /// Positions of the last ply, if they were kept.
    pub frontier: Option<Frontier>,
    /// True if the count was stopped early. Even then, `plies` holds only complete plies.
    pub interrupted: bool,
}

/// Counts the distinct positions up to `depth` plies from a position, on the current rayon pool. Calls `counted` with
/// each ply as soon as it is complete.
///
/// **Errors**: see [`UniqueError`]; the plies already passed to `counted` are correct.
pub fn unique(
    board: &Board,
    depth: u32,
    options: &UniqueOptions<'_>,
    control: &Control,
    counted: &mut dyn FnMut(&Ply),
) -> Result<Unique, UniqueError> {
    options.check()?;
    let root = Frontier::new(Packed::new(board, options.policy), options)?;
    let mut count = UniqueCount::new(options, root);
    counted(&count.plies[0]);
    let mut interrupted = false;
    while !interrupted && count.plies.len() <= depth as usize {
        match count.pass(depth, options, control)? {
            Step::Stopped => interrupted = true,
            Step::More => {}
            Step::Complete(_) => count.plies.last().into_iter().for_each(&mut *counted),
        }
    }
    Ok(Unique { plies: count.plies, frontier: options.keep.then_some(count.kept), interrupted })
}

#[cfg(test)]
mod tests {
    use perft_gate_chess::EnPassantPolicy::{self, Always, Legal, Pseudo};
    use perft_gate_chess::Fen;
    use perft_gate_simd::Level;
    use perft_gate_unique::{BruteForce, By, Ply, UniqueError, UniqueOptions, leaves, unique};
    use perft_gate_walk::Control;
    use perft_gate_zobrist::{Scheme, preset};

    const ENDGAME: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";

    fn options(policy: EnPassantPolicy) -> UniqueOptions<'static> {
        UniqueOptions::new(policy, Level::detect(), 1 << 30)
    }

    fn count_plies(fen: &str, depth: u32, options: &UniqueOptions<'_>) -> Vec<Ply> {
        let board = Fen::parse(fen).unwrap();
        let unique = unique(&board, depth, options, &Control::default(), &mut |_| {}).unwrap();
        assert!(!unique.interrupted);
        unique.plies
    }

    fn distinct(plies: &[Ply]) -> Vec<u64> {
        plies.iter().map(|ply| ply.positions.distinct).collect()
    }

    #[test]
    fn the_published_numbers_of_distinct_positions() {
        // Legal: OEIS A083276. Always: every double push leaves an e.p. square, which distinguishes positions. Pseudo:
        // OEIS A057745, which differs from Legal at ply 6. Diagrams: OEIS A019319.
        let legal = [1, 20, 400, 5362, 72078, 822518, 9417681];
        let diagrams = [1, 20, 400, 5362, 71852, 815677, 9260610];
        for (policy, known) in [
            (Legal, legal),
            (Always, [1, 20, 400, 7602, 101240, 1244414, 14022418]),
            (Pseudo, [1, 20, 400, 5362, 72078, 822518, 9417683]),
        ] {
            // The diagrams are the same under every policy.
            let with_diagrams = policy == Legal;
            let options = UniqueOptions { diagrams: with_diagrams, memory: 3 << 30, ..options(policy) };
            let plies = count_plies(Fen::START, 6, &options);
            assert_eq!(distinct(&plies), known, "{policy:?}");
            if with_diagrams {
                let found: Vec<_> = plies.iter().map(|ply| ply.diagrams.unwrap().distinct).collect();
                assert_eq!(found, diagrams);
            }
            let perft: Vec<_> = plies.iter().map(|ply| ply.positions.total).collect();
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
        for (fen, depth) in [(Fen::START, 4), (Fen::KIWIPETE, 3), (ENDGAME, 5)] {
            let board = Fen::parse(fen).unwrap();
            for options in [
                options(Legal),
                options(Always),
                options(Pseudo),
                UniqueOptions { by: By::Key { scheme: polyglot, seed: 0 }, ..options(Pseudo) },
            ] {
                let plies = count_plies(fen, depth, &options);
                let last = plies.last().unwrap().positions;
                let control = Control::default();
                let literal = leaves(&board, depth, (last.distinct, last.total), &options, &control).unwrap();
                assert_eq!(literal, BruteForce::Counted(last), "{fen} {options:?}");
                let perft = perft_gate_count::leaves(&board, depth, options.level, &control).nodes;
                assert_eq!(last.total, perft, "{fen}");
                let short = leaves(&board, depth, (last.distinct / 2, last.total), &options, &control).unwrap();
                assert_eq!(short, BruteForce::MoreThanRoom);
            }
        }
    }

    #[test]
    fn little_memory_costs_passes_and_nothing_else() {
        for (fen, depth) in [(Fen::START, 5), (Fen::KIWIPETE, 4)] {
            let enough = UniqueOptions { diagrams: true, ..options(Legal) };
            let expected = *count_plies(fen, depth, &enough).last().unwrap();
            assert_eq!((expected.passes, expected.restarts), (1, 0));
            let mut most = 0;
            for (share, by) in
                [(2, By::Position), (5, By::Position), (5, By::Key { scheme: preset("gf64").unwrap(), seed: 3 })]
            {
                let scarce = UniqueOptions { memory: expected.bytes / share, by, ..enough };
                let found = *count_plies(fen, depth, &scarce).last().unwrap();
                assert_eq!((found.positions, found.diagrams), (expected.positions, expected.diagrams), "{scarce:?}");
                assert!(found.bytes <= scarce.memory, "{} of {}", found.bytes, scarce.memory);
                most = most.max(found.passes);
            }
            assert!(most > 2, "{most}");
        }
        let board = Fen::parse(Fen::START).unwrap();
        let none = UniqueOptions { memory: 10_000, ..options(Legal) };
        let error = unique(&board, 5, &none, &Control::default(), &mut |_| {}).unwrap_err();
        assert!(matches!(error, UniqueError::Memory { ply: 1..=3, found: ..=10_000, expected: 10_000.. }), "{error}");
    }

    #[test]
    fn short_keys_lose_about_as_many_as_chance_foretells() {
        let scheme = Scheme::parse("width=32", false).unwrap();
        let mut lost = Vec::new();
        for seed in 0..8 {
            let by_key = UniqueOptions { by: By::Key { scheme: &scheme, seed }, ..options(Legal) };
            let last = *count_plies(Fen::START, 5, &by_key).last().unwrap();
            assert_eq!(last.positions.total, 4_865_609);
            let expected = last.expected_lost.unwrap();
            assert!((expected - 78.8).abs() < 0.1, "{expected}");
            lost.push(822_518 - last.positions.distinct);
        }
        // The losses vary far more than with independent keys: if the keys of some pieces cancel, they cancel in
        // every position that has these pieces.
        let mean = lost.iter().sum::<u64>() as f64 / lost.len() as f64;
        assert!((40.0..160.0).contains(&mean), "{lost:?}");
    }
}
