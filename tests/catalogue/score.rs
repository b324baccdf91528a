//! Which positions catch a fault, and at which depth.

use crate::fault::Fault;
use crate::position::{Engine, Move};

/// What the right engine says of a position.
pub struct Reference {
    fen: String,
    /// Leaves below each root move, by depth from 1.
    pub divides: Vec<Vec<(Move, u64)>>,
    /// The FEN after each root move.
    fens: Vec<String>,
}

/// How a fault shows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Catch {
    /// The leaves below root moves are wrong, at this depth first.
    Count(u32),
    /// The key or the FEN after a root move is wrong.
    AfterMove,
}

impl Reference {
    /// Counts a position to a depth with the right engine.
    pub fn new(fen: &str, depth: u32) -> Reference {
        let mut engine = Engine::new(fen, Fault::NONE);
        let divides = (1..=depth).map(|depth| engine.divide(depth)).collect();
        let fens = engine.moves().into_iter().map(|mv| after(engine, mv).fen()).collect();
        Reference { fen: fen.into(), divides, fens }
    }

    /// Returns the leaves at a depth.
    pub fn total(&self, depth: u32) -> u64 {
        self.divides[depth as usize - 1].iter().map(|(_, nodes)| nodes).sum()
    }
}

fn after(mut engine: Engine, mv: Move) -> Engine {
    engine.make(mv);
    engine
}

/// Returns how a position catches a fault, counted up to `depth`.
pub fn catches(fault: Fault, position: &Reference, depth: u32) -> Option<Catch> {
    let mut engine = Engine::new(&position.fen, fault);
    let moves = engine.moves();
    let wrong_after = moves.iter().zip(&position.fens).any(|(mv, right)| {
        let moved = after(engine, *mv);
        moved.fen() != *right || moved.shown_key() != Engine::new(right, fault).shown_key()
    });
    // A total that is printed wrong is wrong everywhere.
    let count = (1..=depth).find(|&depth| {
        fault.is(crate::Site::TotalOff, 0, 0) || engine.divide(depth) != position.divides[depth as usize - 1]
    });
    count.map(Catch::Count).or(wrong_after.then_some(Catch::AfterMove))
}
