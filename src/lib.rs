//! Perft with every Zobrist key verified: a correctness gate and a benchmark for chess move generators.
//!
//! [`gate::verify`] walks a position's tree with make and unmake and checks every node; [`gate::count`] counts it in
//! bulk. The command line is the binary `perft`.
//!
//! Somebody's board is judged in a unit test of theirs: it implements [`Subject`], here with what counts need.
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
//!         self.0.generate_moves(|of_a_man| {
//!             moves.extend(of_a_man);
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
//! # Ok::<(), perft_gate::subject::Failure>(())
//! ```
#![forbid(unsafe_code)]

pub use perft_gate_judge::subject::{self, Depth, Subject, gate};
pub use perft_gate_judge::suite::Suite;
pub use perft_gate_walk::zobrist::Key;
