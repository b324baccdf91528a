//! Determines whether positions catch a fault, and at which depth.

use crate::fault::Fault;
use crate::position::{Engine, Move};
use perft_gate_suite::Row;
use rayon::prelude::*;
use std::sync::OnceLock;

/// The correct engine's results for a position.
pub struct Reference {
    fen: String,
    /// Leaves below each root move, by depth from 1, counted on first use.
    divides: Vec<OnceLock<Vec<(Move, u64)>>>,
    /// The FEN after each root move.
    fens: Vec<String>,
}

/// How a fault becomes visible.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Catch {
    /// The smallest depth at which the leaf counts below the root moves are wrong.
    Count(u32),
    /// The counts are right, but the engine shows a wrong key or FEN after a root move or after perft 2.
    Shown,
}

impl Reference {
    /// Prepares the correct engine's results for a position, with counts up to a depth.
    pub fn new(fen: &str, depth: u32) -> Reference {
        let engine = Engine::new(fen, Fault::NONE);
        let fens = engine.moves().into_iter().map(|mv| after(engine, mv).fen()).collect();
        Reference { fen: fen.into(), divides: (0..depth).map(|_| OnceLock::new()).collect(), fens }
    }

    /// Returns a reference for each row. The reference counts to the row's deepest listed depth within `depth`. Small
    /// trees come first because the first row that catches a fault ends the search.
    pub fn of_rows(rows: &[Row], depth: u32) -> Vec<Reference> {
        let mut rows: Vec<(u128, &str, u32)> = rows
            .iter()
            .filter_map(|row| row.deepest(depth).map(|deepest| (row.count(deepest).unwrap_or(0), &*row.fen, deepest)))
            .collect();
        rows.sort_unstable();
        rows.into_iter().map(|(_, fen, depth)| Reference::new(fen, depth)).collect()
    }

    fn divide(&self, depth: u32) -> &[(Move, u64)] {
        self.divides[depth as usize - 1].get_or_init(|| Engine::new(&self.fen, Fault::NONE).divide(depth))
    }

    /// Returns true if an engine with this fault miscounts at this depth. Returns false if the depth is greater than
    /// the reference's.
    fn miscounts(&self, fault: Fault, depth: u32) -> bool {
        // The fault `TotalOff` makes the printed total wrong in every position.
        let is_counted = depth as usize <= self.divides.len();
        is_counted
            && (fault.is(crate::Site::TotalOff, 0, 0)
                || Engine::new(&self.fen, fault).divide(depth) != self.divide(depth))
    }

    /// Returns true if a key or a FEN is wrong after a root move, or if running perft 2 changes the position.
    fn shows_wrong(&self, fault: Fault) -> bool {
        let engine = Engine::new(&self.fen, fault);
        let mut counted = engine;
        counted.divide(2);
        let moves = engine.moves();
        counted.fen() != engine.fen()
            || moves.into_iter().zip(&self.fens).any(|(mv, right)| {
                let moved = after(engine, mv);
                moved.fen() != *right || moved.shown_key() != Engine::new(right, fault).shown_key()
            })
    }

    /// Returns how this position catches a fault, with counts up to `depth`.
    pub fn catches(&self, fault: Fault, depth: u32) -> Option<Catch> {
        first_catch(std::slice::from_ref(self), fault, depth)
    }
}

fn after(mut engine: Engine, mv: Move) -> Engine {
    engine.make(mv);
    engine
}

/// Returns how the positions catch a fault, at the smallest depth at which any of them does.
pub fn first_catch(positions: &[Reference], fault: Fault, depth: u32) -> Option<Catch> {
    (1..=depth)
        .find(|&depth| positions.iter().any(|position| position.miscounts(fault, depth)))
        .map(Catch::Count)
        .or_else(|| positions.iter().any(|position| position.shows_wrong(fault)).then_some(Catch::Shown))
}

/// Returns how the positions catch each fault, in the order of the catalogue.
pub fn score(positions: &[Reference], depth: u32) -> Vec<Option<Catch>> {
    Fault::all().into_par_iter().map(|(fault, _)| first_catch(positions, fault, depth)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the names of the faults that a suite misses. It omits faults of key terms, which need a running engine.
    fn missed(suite: &str, depth: u32) -> Vec<String> {
        let rows = perft_gate_suite::parse(perft_gate_suite::embedded(suite).unwrap()).unwrap();
        let positions = Reference::of_rows(&rows, depth);
        // Keys and FENs are checked first because that takes less time than counting.
        let is_caught = |fault: Fault| {
            positions.iter().any(|position| position.shows_wrong(fault))
                || first_catch(&positions, fault, depth).is_some()
        };
        let faults = Fault::all().into_par_iter().filter(|(_, row)| row.group != "key terms");
        faults.filter(|(fault, _)| !is_caught(*fault)).map(|(fault, _)| fault.to_string()).collect()
    }

    #[test]
    fn the_right_engine_counts_the_suites() {
        for (name, _, text) in perft_gate_suite::EMBEDDED {
            for row in perft_gate_suite::parse(text).unwrap() {
                let depth = row.deepest(3).unwrap();
                let found =
                    Engine::new(&row.fen, Fault::NONE).divide(depth).iter().map(|(_, nodes)| nodes).sum::<u64>();
                assert_eq!(Some(u128::from(found)), row.count(depth), "{name}: {} at depth {depth}", row.fen);
            }
        }
    }

    #[test]
    fn quick_catches_every_fault() {
        assert!(Fault::all().len() > 600);
        assert_eq!(missed("quick", 3), [""; 0]);
    }

    #[test]
    #[ignore = "a minute: the faults of the catalogue against 146 rows"]
    fn interactions_catches_every_fault() {
        assert_eq!(missed("interactions", 4), [""; 0]);
    }

    #[test]
    fn a_suite_can_miss_faults() {
        let start = Reference::new("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 2);
        let missed = score(&[start], 2).iter().filter(|catch| catch.is_none()).count();
        assert!(missed > 300, "{missed}");
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<String> = Fault::all().iter().map(|(fault, _)| fault.to_string()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Fault::all().len());
        assert!(names.iter().all(|name| Fault::named(name).is_some_and(|fault| fault.to_string() == *name)));
    }
}
