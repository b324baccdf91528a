//! Other people's boards under the gate: what `perft engine` does over UCI, in one call of a unit test.
//!
//! A [`Subject`] is a board that can be set up, list its moves, and make them. What more it has is checked: counts (V1)
//! always, keys (V2), unmake (V3), null moves (V4), identity of positions and keys (V5), and the FEN (V6) where it
//! supplies them. [`gate()`] says what was compared and what was not supplied; nothing that was not supplied counts as
//! checked. A wrong count is followed down to the move that is wrong, by our own counter.

mod adapted;
mod descent;
mod finding;
mod identity;
mod judge;
#[cfg(test)]
mod tests;

pub use descent::WrongMove;
pub use finding::{Failure, Finding, Report, SubjectCheck};
pub use judge::gate;

use perft_gate_walk::zobrist::Key;
use std::fmt;

/// Plies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Depth(pub u32);

/// How a move is taken back.
pub type Unmake<S> = fn(&mut S, <S as Subject>::Move, <S as Subject>::Undo);

/// A board to judge. A clone of it must not share what `make` changes.
pub trait Subject: Clone + Send + Sync {
    /// A move.
    type Move: Copy + PartialEq + fmt::Debug + Send + Sync;
    /// What `unmake` needs.
    type Undo;

    /// Takes a move back. Where there is none, moves are made on copies, and V3 is not supplied.
    const UNMAKE: Option<Unmake<Self>> = None;
    /// Takes a null move back, as [`Subject::UNMAKE`].
    const UNMAKE_NULL: Option<fn(&mut Self, Self::Undo)> = None;

    /// The position of a FEN.
    ///
    /// **Errors**: in words, why it is refused.
    fn from_fen(fen: &str) -> Result<Self, String>;
    /// The legal moves.
    fn moves(&self) -> Vec<Self::Move>;
    /// A move of this position as UCI writes it; castling may be e1g1 or e1h1.
    fn uci(&self, mv: Self::Move) -> String;
    /// Makes a legal move.
    fn make(&mut self, mv: Self::Move) -> Self::Undo;
    /// Passes; nothing where that is not possible, as in check.
    fn make_null(&mut self) -> Option<Self::Undo> {
        None
    }
    /// The key as the moves made it.
    fn key(&self) -> Option<Key> {
        None
    }
    /// The key from the position alone.
    fn recomputed_key(&self) -> Option<Key> {
        None
    }
    /// The position as FEN.
    fn fen(&self) -> Option<String> {
        None
    }
    /// Is the position the same in every respect? What this does not compare, V3 does not see: where the board has a
    /// `==` of all fields, that is better.
    fn same(&self, other: &Self) -> bool {
        self.key() == other.key()
            && self.recomputed_key() == other.recomputed_key()
            && self.fen() == other.fen()
            && self.moves() == other.moves()
    }
}
