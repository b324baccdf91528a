//! The rules of chess and Chess960: one board, one legality analysis, one legal move generator, and the names and
//! explanations of moves. No keys, no unsafe code, no I/O.
#![forbid(unsafe_code)]

#[macro_use]
#[doc(hidden)]
pub mod serialize_as_text;
mod algebraic;
pub mod attacks;
mod bitboard;
mod board;
mod castling;
mod delta;
mod differences;
mod explain_move;
mod fen;
mod field;
mod is_legal;
#[cfg(feature = "serde")]
pub mod json;
mod legality;
#[cfg(any(test, target_arch = "aarch64"))]
mod magics;
pub mod movegen;
mod moves;
mod named;
mod packed;
mod piece;
mod side;
mod slider_lines;
mod square;
mod state;

pub use algebraic::{Algebraic, MoveNames};
pub use attacks::Lines;
pub use bitboard::Bitboard;
pub use board::{Board, Setup};
pub use castling::{CastlingRights, Wing};
pub use delta::{Delta, LiftedSquares};
pub use differences::Differences;
pub use explain_move::{ExplainedMove, explain_extra_moves, explain_legal_move};
pub use fen::{BYTE_ORDER_MARK, Fen, FenError, FenField, MAX_FEN_LENGTH, Severity, excerpt, quantity, write_fen};
pub use field::Field;
pub use legality::{Legality, SidePieces};
pub use movegen::{MAX_MOVES, MoveList, MoveSets, PawnMoves, Sink, legal_moves};
pub use moves::{Kind, Move, Uci};
pub use packed::{DENSE_WORDS, Dense, Packed};
pub use perft_gate_kernel::document;
pub use piece::{Code, Color, Piece, Role};
pub use side::{Black, Side, White};
pub use square::Square;
pub use state::{Clock, EnPassant, EnPassantPolicy, State};
