//! A position without keys, whose tree is counted.

use perft_gate_chess::{Move, MoveList};
use perft_gate_simd::Level;
use perft_gate_walk::{Control, Game, Position, RowReport, count_each, count_game, count_in_bulk};

/// A position without keys: a board, or one with a planted fault.
pub trait Keyless: Game<Move = Move, Moves = MoveList> {
    /// Counts the nodes of its tree by walking every node.
    fn count_each(self, depth: u32, level: Level, control: &Control) -> RowReport {
        count_game::<_, 0>(self, depth, level, control)
    }

    /// Counts the nodes of its tree in bulk.
    fn count_in_bulk(self, depth: u32, level: Level, control: &Control) -> RowReport {
        count_game::<_, 1>(self, depth, level, control)
    }
}

/// The walk's own counts, which are compiled already.
impl Keyless for Position<()> {
    fn count_each(self, depth: u32, level: Level, control: &Control) -> RowReport {
        count_each(self.board(), depth, level, control)
    }

    fn count_in_bulk(self, depth: u32, level: Level, control: &Control) -> RowReport {
        count_in_bulk(self.board(), depth, level, control)
    }
}
