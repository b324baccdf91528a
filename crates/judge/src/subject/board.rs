//! Interface of a board under test: its required and optional methods.

use super::details::Details;
use perft_gate_zobrist::Key;
use std::fmt;

/// Number of plies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Depth(pub u32);

/// Function that unmakes a move.
pub type Unmake<S> = fn(&mut S, <S as Subject>::Move, <S as Subject>::Undo);

/// A board to judge. A clone must not share anything that `make` changes.
#[allow(unused_variables)]
pub trait Subject: Clone + Send + Sync {
    /// A move.
    type Move: Copy + PartialEq + fmt::Debug + Send + Sync;
    /// Data that `unmake` needs.
    type Undo;

    /// True if the board plays Chess960. If not, rows that need it are skipped, and the report counts them.
    const CHESS960: bool = true;
    /// Unmakes a move. If it is `None`, moves are made on copies, and V3 is not checked.
    const UNMAKE: Option<Unmake<Self>> = None;
    /// Unmakes a null move; see [`Subject::UNMAKE`].
    const UNMAKE_NULL: Option<fn(&mut Self, Self::Undo)> = None;

    /// If true, V8 tests all move codes at every node above the last ply, not only at a sample of them.
    const ALL_CODES: bool = false;

    /// Reads a position from FEN. In Chess960, castling rights are rook files (Shredder-FEN), as in
    /// [`Suite::chess960`](perft_gate_suite::Suite::chess960).
    ///
    /// **Errors**: says why the FEN is refused.
    fn from_fen(fen: &str) -> Result<Self, String>;
    /// Returns the legal moves.
    fn moves(&self) -> Vec<Self::Move>;
    /// Returns a move of this position in UCI notation. Castling may be e1g1 or e1h1. In Chess960 it must be king takes
    /// rook, because the king may also go to its castling square without castling.
    fn uci(&self, mv: Self::Move) -> String;
    /// Makes a legal move.
    fn make(&mut self, mv: Self::Move) -> Self::Undo;
    /// Makes a null move. Returns `None` if that is not possible, for example in check.
    fn make_null(&mut self) -> Option<Self::Undo> {
        None
    }
    /// Returns the incremental key, which each move updates.
    fn key(&self) -> Option<Key> {
        None
    }
    /// Returns the key computed from the position alone.
    fn recomputed_key(&self) -> Option<Key> {
        None
    }
    /// Returns the key after a legal move of this position, computed without making it, as engines do to prefetch a
    /// table entry. V7 compares it with [`Subject::key`] after the move, so an approximate key fails.
    fn key_after(&self, mv: Self::Move) -> Option<Key> {
        None
    }
    /// Returns the 16 bits that a transposition table stores for a legal move of this position. To explain wrong
    /// answers, V8 looks for two 6-bit squares in these bits.
    fn code(&self, mv: Self::Move) -> Option<u16> {
        None
    }
    /// Returns true if `code` is the code of a legal move of this position. V8 tries all 65,536 codes.
    fn is_legal(&self, code: u16) -> Option<bool> {
        None
    }
    /// Returns true if `code` is the code of a pseudo-legal move. This method is for boards that test a stored move in
    /// two steps. It may return either answer for a move that is illegal only because it leaves the king in check.
    fn is_pseudo_legal(&self, code: u16) -> Option<bool> {
        None
    }
    /// Returns the position as FEN, which is compared with ours field by field. A board without clocks omits the last
    /// two fields.
    fn fen(&self) -> Option<String> {
        None
    }
    /// Returns the board's details of a move of this position: whether it captures, castles, gives check, and so on.
    /// Every move must supply the same kinds of details.
    fn details(&self, mv: Self::Move) -> Details {
        Details::default()
    }
    /// Returns true if the two positions are the same in every respect. V3 notices only the differences that this
    /// method detects. If the board has an `==` over all fields, use that.
    fn same(&self, other: &Self) -> bool {
        self.key() == other.key()
            && self.recomputed_key() == other.recomputed_key()
            && self.fen() == other.fen()
            && self.moves() == other.moves()
    }
}
