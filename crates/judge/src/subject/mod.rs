//! The gate for other people's boards. It runs the checks of `perft engine` with one call from a unit test.
//!
//! A [`Subject`] is a board that can be set up, list its moves and make them. UCI texts, moves and counts (V1) are
//! always checked. The following are checked if the board supplies them: details of moves, keys (V2), unmake (V3), null
//! moves (V4), identity of positions and keys (V5), the FEN (V6: read back, and compared with ours field by field),
//! keys computed before a move (V7), and the legality of every move code (V8). [`gate()`] reports what was compared and
//! what was not supplied. A feature that is not supplied never counts as checked. A wrong count is traced to the wrong
//! move with the help of our counter. A method that panics is a finding, too.

mod adapted;
mod beside;
mod board;
mod codes;
mod descent;
mod details;
mod finding;
mod identity;
mod judge;
mod panics;
#[cfg(test)]
mod tests;
mod written;

pub use board::{Depth, Subject, Unmake};
pub use descent::WrongMove;
pub use details::{ComparedCodes, ComparedDetails, ComparedKeysAfter, Details, Supply};
pub use finding::{Failure, Finding, Report, SubjectCheck};
pub use judge::gate;
pub use written::{CastlingLetters, WrittenFens};
