//! Counts that stop at any poll: nothing incomplete is recorded, listed or stored.

use crate::table::{EntryMatch, PerftTable};
use crate::{Journal, Paths, TreeCounter};
use perft_gate_chess::{Fen, Move};
use perft_gate_simd::Level;
use perft_gate_walk::{Control, Split};
use std::collections::BTreeMap;
use std::sync::Mutex;

/// A journal that keeps all that is recorded.
#[derive(Default)]
pub(crate) struct Kept(Mutex<BTreeMap<usize, u128>>);

impl Journal for Kept {
    fn finished_leaves(&self, unit: usize) -> Option<u128> {
        self.0.lock().expect("no panic").get(&unit).copied()
    }
    fn record(&self, unit: usize, leaves: u128) {
        self.0.lock().expect("no panic").insert(unit, leaves);
    }
}

/// Split at its first ply, this tree has units of five plies: merged ones are this deep at least.
const FEN: &str = "4k3/4p3/8/8/8/8/3P4/4K3 w - - 0 1";
const DEPTH: u32 = 6;

fn control(polls: u64) -> Control {
    Control::splitting(Split::AT_ONCE).stopping_after(polls)
}

/// A way of counting: its paths, and how entries of its table are matched.
type Way = (Paths, Option<EntryMatch>);

const WAYS: [Way; 4] = [
    (Paths::Every, None),
    (Paths::Merged, None),
    (Paths::Merged, Some(EntryMatch::Tag)),
    (Paths::Merged, Some(EntryMatch::Position)),
];

/// Calls `stop` with a counter and a control that stops at each poll of a count in turn, until it returns false. Returns the
/// number of stops.
fn stop_everywhere(level: Level, (paths, identity): Way, stop: impl Fn(TreeCounter<'_>, &Control) -> bool) -> u64 {
    let is_stopped = |polls: &u64| {
        let table = identity.map(|identity| PerftTable::new(1 << 16, identity).expect("memory"));
        stop(TreeCounter { table: table.as_ref(), paths, ..TreeCounter::new(level) }, &control(*polls))
    };
    (1..).take_while(is_stopped).count() as u64
}

#[test]
fn a_count_that_is_stopped_records_no_incomplete_unit() {
    let board = Fen::parse(FEN).expect(FEN);
    for (level, way) in Level::all().into_iter().flat_map(|level| WAYS.map(|way| (level, way))) {
        let whole = Kept::default();
        let journaled = TreeCounter { journal: Some(&whole), ..TreeCounter::new(level) };
        let expected = journaled.leaves(&board, DEPTH, &control(0)).nodes;
        let stops = stop_everywhere(level, way, |counter, control| {
            let kept = Kept::default();
            let counter = TreeCounter { journal: Some(&kept), ..counter };
            let stopped = counter.leaves(&board, DEPTH, control);
            for (unit, leaves) in kept.0.lock().expect("no panic").iter() {
                assert_eq!(Some(*leaves), whole.finished_leaves(*unit), "{level}, {way:?}, {control:?}: unit {unit}");
            }
            assert!(stopped.interrupted || stopped.nodes == expected, "{level}, {way:?}, {control:?}");
            let resumed = counter.leaves(&board, DEPTH, &self::control(0));
            assert_eq!(resumed.nodes, expected, "{level}, {way:?}, {control:?}");
            stopped.interrupted
        });
        let units = whole.0.lock().expect("no panic").len() as u64;
        assert!(stops > 5 * units, "{level}, {way:?}: {stops} stops in {units} units");
        // Two polls a unit, one after each of its moves and their replies, and one at the end: no path is left out.
        let [second, third] =
            [2, 3].map(|depth| TreeCounter::new(level).leaves(&board, depth, &Control::default()).nodes);
        let every = 2 * units + (second + third) as u64 + 1;
        assert_eq!(stops == every, way.0 == Paths::Every, "{level}, {way:?}: {stops} stops, {every} by every path");
    }
}

#[test]
fn moves_that_are_listed_after_a_stop_are_complete() {
    let board = Fen::parse(FEN).expect(FEN);
    // Trees of four plies are not split: each move is counted by itself.
    for (depth, way) in [4, DEPTH].into_iter().flat_map(|depth| WAYS.map(|way| (depth, way))) {
        let whole: Vec<(Move, u128)> = TreeCounter::new(Level::detect()).divide(&board, depth, &control(0));
        for is_journaled in [false, true] {
            stop_everywhere(Level::detect(), way, |counter, control| {
                let kept = Kept::default();
                let journal = is_journaled.then_some(&kept as &dyn Journal);
                let listed = TreeCounter { journal, ..counter }.divide(&board, depth, control);
                assert!(listed.iter().all(|row| whole.contains(row)), "{way:?}, {control:?}: {listed:?} of {whole:?}");
                listed.len() < whole.len()
            });
        }
    }
}
