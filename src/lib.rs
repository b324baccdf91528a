//! Judge your chess board in a unit test: perft counts, details of moves, Zobrist keys, unmake, null moves and FENs.
//!
//! Implement [`Subject`] for your board and call [`gate`]. It always compares counts with those of a suite. It checks
//! details, keys, unmake, null moves and FENs if your board supplies them, and the [`Report`] lists what was checked.
//! It follows a wrong count down to the wrong move. For fast debug tests, add `[profile.dev.package."*"] opt-level = 3`
//! to your `Cargo.toml`: this crate cannot set it for you.
//!
//! ```
//! use perft_gate::{Depth, Failure, Subject, Suite, Unmake};
//!
//! #[derive(Clone)]
//! struct MyBoard(cozy_chess::Board);
//!
//! impl Subject for MyBoard {
//!     type Move = cozy_chess::Move;
//!     type Undo = cozy_chess::Board;
//!
//!     // Without this line, moves are made on copies.
//!     const UNMAKE: Option<Unmake<MyBoard>> = Some(|board, _move, before| board.0 = before);
//!
//!     fn from_fen(fen: &str) -> Result<MyBoard, String> {
//!         fen.parse().map(MyBoard).map_err(|error: cozy_chess::FenParseError| error.to_string())
//!     }
//!     fn moves(&self) -> Vec<cozy_chess::Move> {
//!         let mut moves = Vec::new();
//!         self.0.generate_moves(|of_a_piece| {
//!             moves.extend(of_a_piece);
//!             false
//!         });
//!         moves
//!     }
//!     fn uci(&self, mv: cozy_chess::Move) -> String {
//!         mv.to_string()
//!     }
//!     fn make(&mut self, mv: cozy_chess::Move) -> cozy_chess::Board {
//!         let before = self.0.clone();
//!         self.0.play(mv);
//!         before
//!     }
//! }
//!
//! #[test]
//! fn my_board_is_right() -> Result<(), Failure> {
//!     let report = perft_gate::gate::<MyBoard>(Suite::standard(), Depth(3))?;
//!     println!("{report}");
//!     Ok(())
//! }
//! # perft_gate::gate::<MyBoard>(Suite::standard(), Depth(1))?;
//! # Ok::<(), Failure>(())
//! ```
#![forbid(unsafe_code)]
// The example shows a test for the reader's crate.
#![allow(clippy::test_attr_in_doctest)]

#[doc(inline)]
pub use perft_gate_chess::{Board, EnPassantPolicy, ExplainedMove, Fen, FenError, FenField, Severity};
#[doc(inline)]
pub use perft_gate_judge::subject::{
    CastlingLetters, ComparedCodes, ComparedDetails, Depth, Details, Failure, Finding, Report, Subject, SubjectCheck,
    Supply, Unmake, WrittenFens, WrongMove, gate,
};
#[doc(inline)]
pub use perft_gate_suite::{Class, Row, Suite, SuiteError};
#[doc(inline)]
pub use perft_gate_walk::{Check, Checks};
#[doc(inline)]
pub use perft_gate_zobrist::Key;
