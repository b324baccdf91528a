//! What `perft uci` reacts to.

use super::input::InputLine;
use crate::cmd::session::CountSession;
use perft_gate_chess::Move;

/// An event that the program reacts to.
pub enum Event {
    Line(InputLine),
    /// The end of the input.
    End,
    /// The end of a count of so many plies, with the session that counted.
    Counted(Box<CountSession>, u32, CountResult),
    /// Ctrl-C.
    Interrupted,
}

/// Result of a count.
pub enum CountResult {
    /// Leaves by root move; after a stop, of the moves that are complete.
    Leaves(Vec<(Move, u128)>),
    /// The count was not begun, for this reason.
    Refused(String),
}
