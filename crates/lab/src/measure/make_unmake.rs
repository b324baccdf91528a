//! Measures the cost of a scheme where an engine pays it: in make and unmake, which update the key.
//!
//! A timed pass walks the trees of the classic positions, or a part of these trees with some of each position. Every
//! node is made and unmade but not checked, so timing the `none` scheme times the same walk without a key. The trees
//! are a few plies deep, so key tables that fit the caches stay there, unless a transposition table competes with them.

use super::sampler::{TimedWork, Works};
use super::transposition_table::{TablePrefetch, TableProbe, TableTally, TimedCount, TranspositionTable};
use super::work_units::{self, PART_BESIDE_TABLE, TimedTree, USUAL_PART};
use perft_gate_chess::Board;
use perft_gate_simd::Level;
use perft_gate_suite as suite;
use perft_gate_walk::{Position, walk};
use perft_gate_zobrist::{Scheme, SchemeError, SchemeVisitor, Secondary, Tracker};
use std::hint::black_box;
use std::ops::Range;

/// Code that keeps the keys up to date.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tracking {
    /// The scheme's own tracker, if it has one.
    Own,
    /// The tracker shared by all schemes, which the secondary keys need.
    DataDriven,
}

/// A scheme to compare.
#[derive(Clone, Debug)]
pub struct Contestant {
    /// Name used in tables.
    pub name: String,
    /// Scheme of the position's key.
    pub scheme: Scheme,
    /// Secondary keys kept with it.
    pub secondary: Vec<Secondary>,
    /// Tracker that keeps the keys up to date.
    pub tracking: Tracking,
    /// When to prefetch lines of the transposition table, if there is one.
    pub prefetch: TablePrefetch,
}

impl Contestant {
    /// Returns the contestant for an unmodified scheme.
    pub fn new(scheme: Scheme) -> Contestant {
        let (name, tracking, prefetch) = (scheme.name.to_string(), Tracking::Own, TablePrefetch::None);
        Contestant { name, scheme, secondary: Vec::new(), tracking, prefetch }
    }

    /// Reads a scheme as [`Scheme::parse`] does. One part of the text may also be `prefetch=…`.
    pub fn parse(text: &str, allow_weak: bool) -> Result<Contestant, SchemeError> {
        let (mut axes, mut prefetch) = (Vec::new(), None);
        for part in text.split(',') {
            match part.strip_prefix("prefetch=") {
                Some(_) if prefetch.is_some() => {
                    return Err(SchemeError::Unknown("found prefetch twice, expected it once".into()));
                }
                Some(name) => prefetch = Some(TablePrefetch::of_name(name, part)?),
                None => axes.push(part),
            }
        }
        let scheme = if axes.is_empty() { "cpw793".into() } else { axes.join(",") };
        let contestant = Contestant::new(Scheme::parse(&scheme, allow_weak)?);
        let name =
            prefetch.map_or(contestant.name.clone(), |prefetch| format!("{},prefetch={prefetch}", contestant.name));
        Ok(Contestant { name, prefetch: prefetch.unwrap_or(TablePrefetch::None), ..contestant })
    }

    /// Returns true if common schemes have dedicated code at this level, but this one uses the slower code that all
    /// schemes share. Always false at the portable level, where all schemes share that code.
    pub fn shares_code(&self, level: Level) -> bool {
        level.is_common() && self.scheme.axes.is_some() && !self.visit(level, IsOwn)
    }

    pub(super) fn visit<V: SchemeVisitor>(&self, level: Level, visitor: V) -> V::Output {
        match self.tracking {
            Tracking::Own if level.is_common() => self.scheme.visit_own(SEED, visitor),
            Tracking::Own => self.scheme.visit_dynamic(SEED, visitor),
            // The same code updates a single key too, so that one key and several keys are compared with the same code.
            Tracking::DataDriven => self.scheme.visit_several(SEED, &self.secondary, visitor),
        }
    }
}

struct IsOwn;

impl SchemeVisitor for IsOwn {
    type Output = bool;
    fn visit<T: Tracker>(self, _: T) -> bool {
        T::COMMON_ONLY
    }
}

/// Seed of the key tables. Any seed will do.
const SEED: u64 = 0;

/// Maximum number of leaves of a tree that a timed pass walks.
const MAX_TREE_LEAVES: u128 = 200_000;

/// Number of rows of the standard suite that are classic positions.
const CLASSIC: usize = 7;

/// The trees that a timed pass walks.
#[derive(Debug)]
pub struct MakeUnmake {
    pub level: Level,
    /// Transposition table that each node probes.
    pub table: Option<TranspositionTable>,
    roots: Vec<(Board, u32)>,
    size: u64,
    trees: Vec<TimedTree>,
    /// For each part of a pass, the range of its trees in `trees`.
    pub parts: Vec<Range<usize>>,
    /// Number of nodes in a pass through all parts, counted independently and without keys.
    pub nodes: u64,
}

impl MakeUnmake {
    /// Returns the walks of the classic positions, each to the deepest ply with at most 200,000 leaves.
    pub fn classic(level: Level) -> MakeUnmake {
        let rows = suite::embedded("standard").map(suite::parse).expect("it is built in").expect("it reads");
        let few = |count: &u128| *count <= MAX_TREE_LEAVES;
        let depth =
            |row: &suite::Row| (1..).take_while(|&depth| row.count(depth).as_ref().is_some_and(few)).count() as u32;
        let roots = rows[..CLASSIC].iter().map(|row| (*row.board(), depth(row))).collect();
        MakeUnmake::below(roots, level, USUAL_PART)
    }

    /// Returns the walk of one position to a depth.
    pub fn new(board: Board, depth: u32, level: Level) -> MakeUnmake {
        MakeUnmake::below(vec![(board, depth)], level, USUAL_PART)
    }

    fn below(roots: Vec<(Board, u32)>, level: Level, size: u64) -> MakeUnmake {
        let (trees, parts) = work_units::parts(&roots, level, size);
        let nodes = trees.iter().map(|tree| tree.nodes).sum();
        MakeUnmake { level, table: None, roots, size, trees, parts, nodes }
    }

    /// Returns the same walks in smaller parts. Each node that has a key probes this table.
    pub fn beside(self, table: TranspositionTable) -> MakeUnmake {
        MakeUnmake { table: Some(table), ..MakeUnmake::below(self.roots, self.level, PART_BESIDE_TABLE) }
    }

    pub fn positions(&self) -> usize {
        self.roots.len()
    }

    /// Calls `then` with one workload per contestant. Each walks all parts, and its tracker has already been set up.
    pub fn with_works<R>(&self, contestants: &[Contestant], then: impl FnOnce(&mut [TimedWork<'_>]) -> R) -> R {
        let (mut then, mut result) = (Some(then), None);
        let mut once = |works: &mut [TimedWork<'_>]| result = then.take().map(|then| then(works));
        let (path, trees, then) = (self, &self.trees, &mut once);
        VisitChain { path, lead: &[], trees, contestants, works: Vec::new(), then }.next();
        result.expect("the innermost visit ran it")
    }

    /// Like [`Self::with_works`], but for one part. As a warm-up, it first walks the end of the previous part (for the
    /// first part, of the last part).
    fn with_part(&self, part: usize, contestants: &[Contestant], then: &mut dyn FnMut(&mut [TimedWork<'_>])) {
        let Range { start, end } = self.parts[part];
        let before = if start == 0 { &self.trees } else { &self.trees[..start] };
        let (lead, trees) = (work_units::lead(before, self.size), &self.trees[start..end]);
        VisitChain { path: self, lead, trees, contestants, works: Vec::new(), then }.next();
    }
}

/// Make-and-unmake workloads of several schemes. Each round times one part, at a different place in memory.
///
/// In some processes, the placement of tables and boards in memory slows the same scheme down by up to a tenth, however
/// long the process runs. Source: Curtsinger and Berger 2013, "Stabilizer: statistically sound performance evaluation".
#[derive(Clone, Copy, Debug)]
pub struct Scattered<'a>(pub &'a MakeUnmake, pub &'a [Contestant]);

impl Works for Scattered<'_> {
    fn lend(&mut self, place: u64, round: &mut dyn FnMut(&mut [TimedWork<'_>])) {
        let Scattered(path, contestants) = self;
        let part = (place / MAX_HEAP_SHIFT / MAX_FRAMES) as usize % path.parts.len();
        run_displaced(place, &mut || path.with_part(part, contestants, round));
    }
}

/// Maximum displacement of the stack in frames of about a hundred bytes each.
const MAX_FRAMES: u64 = 512;
/// Maximum displacement of the heap in bytes.
const MAX_HEAP_SHIFT: u64 = 64 << 10;

/// Runs `then` with the stack displaced according to `place`. The heap moves too unless the allocator fills a gap.
fn run_displaced(place: u64, then: &mut dyn FnMut()) {
    let heap = vec![0_u8; (place % MAX_HEAP_SHIFT) as usize];
    black_box(&heap);
    descend(place / MAX_HEAP_SHIFT % MAX_FRAMES, then);
}

#[inline(never)]
fn descend(frames: u64, then: &mut dyn FnMut()) {
    let frame = [frames; 8];
    if frames == 0 {
        then()
    } else {
        descend(frames - 1, then)
    }
    black_box(&frame);
}

/// Chain of visits. A tracker borrows its key table, which lives in the visit that created it. So each contestant's
/// visit happens inside the visit of the previous one, and the innermost visit has all trackers.
///
/// `then` is behind a pointer, so that the walks of all schemes are compiled once for all callers.
struct VisitChain<'a, 'w> {
    path: &'w MakeUnmake,
    lead: &'a [TimedTree],
    trees: &'a [TimedTree],
    contestants: &'a [Contestant],
    works: Vec<TimedWork<'w>>,
    then: &'a mut dyn FnMut(&mut [TimedWork<'_>]),
}

impl VisitChain<'_, '_> {
    /// Not inlined, because otherwise each tracker's visit would have a copy of the code that selects a tracker.
    #[inline(never)]
    fn next(mut self) {
        match self.contestants.split_first() {
            None => (self.then)(&mut self.works),
            Some((contestant, _)) => contestant.visit(self.path.level, self),
        }
    }
}

impl SchemeVisitor for VisitChain<'_, '_> {
    type Output = ();
    fn visit<T: Tracker>(self, tracker: T) {
        let VisitChain { path, lead, trees, contestants, works, then } = self;
        let [Contestant { prefetch, .. }, rest @ ..] = contestants else { return };
        // This visit's work has a shorter lifetime than that of the enclosing visits.
        let mut works: Vec<TimedWork<'_>> = works;
        let beside = path.table.as_ref().map(|table| TableOfWork { table, prefetch: *prefetch, number: works.len() });
        works.push(timed_walks(path.level, (lead, trees), tracker, beside));
        VisitChain { path, lead, trees, contestants: rest, works, then }.next()
    }
}

/// Returns the walks of `trees` with a tracker, after a warm-up by the walks of `lead`.
fn timed_walks<'t, T: Tracker + 't>(
    level: Level,
    (lead, trees): (&[TimedTree], &[TimedTree]),
    tracker: T,
    beside: Option<TableOfWork<'t>>,
) -> TimedWork<'t> {
    let nodes = trees.iter().map(|tree| tree.nodes).sum();
    let walk_all = |trees: &[TimedTree]| {
        let root = |tree: &TimedTree| (Position::new(tree.root, tracker), tree.depth);
        let roots: Vec<_> = trees.iter().map(root).collect();
        move || match beside {
            None => count_nodes::<T, false>(level, &roots, None),
            Some(TableOfWork { table, prefetch, .. }) => {
                count_nodes::<T, true>(level, &roots, Some(table.begin(prefetch, tracker.policy())))
            }
        }
    };
    let (led, pass) = (walk_all(lead), walk_all(trees));
    let lead = move || {
        black_box(led());
    };
    let pass = move || {
        let (nodes, tally) = pass();
        if let Some(TableOfWork { table, number, .. }) = beside {
            table.end(number, &tally);
        }
        nodes
    };
    TimedWork { lead: Some(Box::new(lead)), ..TimedWork::new(nodes, pass) }
}

/// Walks the trees. Returns the number of nodes, and how they used the table.
fn count_nodes<T: Tracker, const PROBES: bool>(
    level: Level,
    roots: &[(Position<T>, u32)],
    probe: Option<TableProbe<'_>>,
) -> (u64, TableTally) {
    let mut count = TimedCount::<PROBES> { nodes: 0, probe };
    for &(mut root, depth) in roots {
        walk(level, &mut root, &mut count, depth);
    }
    (count.nodes, count.probe.map_or_else(TableTally::default, |probe| probe.tally))
}

#[derive(Clone, Copy)]
struct TableOfWork<'t> {
    table: &'t TranspositionTable,
    prefetch: TablePrefetch,
    /// Index of the workload.
    number: usize,
}

#[cfg(test)]
mod tests {
    use super::{MAX_FRAMES, MAX_HEAP_SHIFT, run_displaced, timed_walks};
    use crate::measure::work_units::TimedTree;
    use perft_gate_chess::Fen;
    use perft_gate_lab::measure::{Contestant, MakeUnmake, Scattered, Tracking, Works};
    use perft_gate_simd::Level;
    use perft_gate_zobrist::{PRESETS, Secondary, preset};
    use std::collections::HashSet;
    use std::hint::black_box;

    #[test]
    fn every_scheme_walks_the_same_nodes() {
        let path = MakeUnmake::classic(Level::detect());
        // The suite lists 528212 nodes. Twelve of these are above the roots of the timed trees.
        assert_eq!((path.positions(), path.nodes), (7, 528_212 - 12));
        let mut contestants: Vec<Contestant> = PRESETS.iter().cloned().map(Contestant::new).collect();
        let five = vec![Secondary::Pawn, Secondary::Minor, Secondary::NonPawn];
        let default = Contestant::new(preset("cpw793").unwrap().clone());
        contestants.push(Contestant { secondary: five, tracking: Tracking::DataDriven, ..default });
        let counted = path.with_works(&contestants, |works| {
            works.iter_mut().map(|work| (work.nodes, (work.pass)())).collect::<Vec<_>>()
        });
        assert_eq!(counted, vec![(path.nodes, path.nodes); contestants.len()]);
    }

    #[test]
    fn rounds_are_of_all_parts_which_are_led_in_to_and_make_a_pass() {
        let path = MakeUnmake::classic(Level::detect());
        let contestants = [Contestant::new(preset("cpw793").unwrap().clone())];
        let mut parts = HashSet::new();
        for part in 0..path.parts.len() as u64 {
            let place = part * MAX_HEAP_SHIFT * MAX_FRAMES + 7;
            Scattered(&path, &contestants).lend(place, &mut |works| {
                (works[0].lead.as_mut().expect("something leads in"))();
                assert_eq!((works[0].pass)(), works[0].nodes);
                parts.insert(works[0].nodes);
            });
        }
        assert_eq!((parts.len(), parts.iter().sum()), (path.parts.len(), path.nodes));
    }

    /// Returns the addresses of a local variable and of a block of 16 KiB on the heap.
    fn addresses(place: u64) -> [usize; 2] {
        let mut found = [0; 2];
        run_displaced(place, &mut || {
            let (local, heap) = (0_u8, vec![0_u8; 16 << 10]);
            found = [black_box(&local) as *const u8, heap.as_ptr()].map(|at| at as usize);
        });
        found
    }

    #[test]
    fn another_place_moves_the_stack_and_the_heap() {
        let places: Vec<[usize; 2]> = (0..16).map(|number| addresses(number * (MAX_HEAP_SHIFT + 3000))).collect();
        let distinct = |which: usize| places.iter().map(|place| place[which]).collect::<HashSet<_>>().len();
        // The allocator may fill gaps, but there are only a few gaps of each size.
        assert!(distinct(0) == 16 && distinct(1) > 1, "{places:x?}");
    }

    #[test]
    fn a_pass_that_counts_something_else_is_told_from_the_list() {
        let tree = |depth| TimedTree { root: Fen::parse(Fen::START).unwrap(), depth, nodes: 1 + 20 + 400 + 8902 };
        for (depth, expected) in [(3, 1 + 20 + 400 + 8902), (2, 1 + 20 + 400)] {
            let mut work = timed_walks(Level::detect(), (&[], &[tree(depth)]), (), None);
            assert_eq!((work.nodes, (work.pass)()), (1 + 20 + 400 + 8902, expected));
        }
    }
}
