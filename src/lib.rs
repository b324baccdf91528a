//! Judge your chess board in a unit test: perft counts, details of moves, Zobrist keys, unmake, null moves and FENs.
//!
//! Implement [`Subject`] for your board and call [`gate`]. It always compares counts with those of a suite. It checks
//! details, keys, unmake, null moves and FENs if your board supplies them, and the [`Report`] lists what was checked.
//! It follows a wrong count down to the wrong move. Add `[profile.dev.package."*"] opt-level = 3` to your `Cargo.toml`:
//! our own settings do not apply to a dependency.
//!
//! ```
//! use perft_gate::{Depth, Subject, Suite};
//!
//! #[derive(Clone)]
//! struct MyBoard(cozy_chess::Board);
//!
//! impl Subject for MyBoard {
//!     type Move = cozy_chess::Move;
//!     type Undo = ();
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
//!     fn make(&mut self, mv: cozy_chess::Move) {
//!         self.0.play(mv);
//!     }
//! }
//!
//! let report = perft_gate::gate::<MyBoard>(Suite::standard(), Depth(1))?;
//! println!("{report}");
//! # Ok::<(), perft_gate::Failure>(())
//! ```
#![forbid(unsafe_code)]

#[doc(inline)]
pub use perft_gate_chess::{Board, EnPassantPolicy, ExplainedMove, Fen, FenError, FenField, Severity};
#[doc(inline)]
pub use perft_gate_judge::subject::{
    CastlingLetters, ComparedDetails, Depth, Details, Failure, Finding, Report, Subject, SubjectCheck, Supply, Unmake,
    WrittenFens, WrongMove, gate,
};
#[doc(inline)]
pub use perft_gate_suite::{Class, Row, Suite, SuiteError};
#[doc(inline)]
pub use perft_gate_walk::{Check, Checks};
#[doc(inline)]
pub use perft_gate_zobrist::Key;
