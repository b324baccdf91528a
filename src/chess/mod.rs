//! The rules of chess and Chess960: one board, one legality analysis, one legal generator. No keys, no vectors, no
//! I/O.

pub(crate) mod attacks;
mod bitboard;
mod board;
mod castling;
mod dense;
mod fen;
mod field;
pub(crate) mod legality;
mod men;
pub(crate) mod movegen;
mod moves;
mod packed;
mod piece;
mod side;
mod square;
mod state;

pub use bitboard::Bitboard;
pub(crate) use board::Delta;
pub use board::{Board, Setup};
pub use castling::{CastlingRights, Wing};
pub use dense::{DENSE_WORDS, Dense};
pub(crate) use fen::{BYTE_ORDER_MARK, LONGEST_FEN, excerpt, write_fen};
pub use fen::{Fen, FenError, FenField};
pub use field::Field;
pub(crate) use men::Men;
pub use movegen::{MAX_MOVES, MoveList, legal_moves};
pub use moves::{Kind, Move, Uci};
pub use packed::Packed;
pub use piece::{Code, Color, Piece, Role};
pub(crate) use side::{Black, Side, White};
pub use square::Square;
pub use state::EnPassantPolicy;
pub(crate) use state::{Clock, EnPassant, State};
