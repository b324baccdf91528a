//! Check of an engine's hash keys, as it prints them for `d`.
//!
//! A key is a function of the position: the key after moves must be the key of the FEN they lead to, equal positions
//! have equal keys and different ones different keys, and counting does not change the key. Additional inputs of the
//! key are found out first ([`Habits`]): some engines mix in the halfmove clock, so FENs carry true clocks and only
//! keys of equal clocks are compared; the numbers that keys are made of ([`numbers`]); and which e.p. squares count is a choice, but it must be the same by FEN and by
//! moves. Many engines silently ignore an illegal move, so the FEN that the engine prints is checked too.

mod event;
mod key_probe;
mod lines;
mod numbers;
mod seen;

pub use key_probe::Habits;
pub(super) use lines::{Lines, check};
pub(super) use seen::Seen;

use super::{KeyBase, Place};
use event::Events;
use perft_gate_chess::{Board, EnPassantPolicy, Fen, Packed};
use std::fmt;

/// Error in a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyFault {
    /// The key after moves is not that of the FEN they lead to.
    NotOfItsFen,
    /// Two different positions share the key.
    Shared,
    /// Equal positions have different keys.
    Twofold,
    /// Counting the leaves changed the key.
    ChangedByPerft,
    /// The engine is in another position: a move was ignored, or made wrongly.
    OtherPosition,
    /// E.p. squares count by FEN but not by moves, or the other way round, or follow no policy.
    EnPassant,
}

impl KeyFault {
    /// Describes the error.
    pub const fn name(self) -> &'static str {
        match self {
            KeyFault::NotOfItsFen => "the key after moves is not that of the FEN",
            KeyFault::Shared => "two positions share a key",
            KeyFault::Twofold => "a position has two keys",
            KeyFault::ChangedByPerft => "counting changes the key",
            KeyFault::OtherPosition => "the engine is in another position",
            KeyFault::EnPassant => "e.p. squares in the key",
        }
    }
}

/// A wrong key, with the shortest line that shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyFinding {
    /// Kind of error.
    pub fault: KeyFault,
    /// Explanation: the terms, or the move.
    pub cause: String,
    /// UCI command that shows it.
    pub place: Place,
    /// UCI command it is compared with.
    pub other: Option<Place>,
    /// Expected value.
    pub expected: String,
    /// Value found.
    pub found: String,
}

/// A difference between two keys of a position, after a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Unexplained {
    difference: Printed,
    events: Events,
}

/// Report on the keys of a row.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct KeyReport {
    /// Number of keys after moves that were compared with keys by FEN.
    pub compared: u64,
    /// Number of different positions whose keys were compared with each other.
    pub positions: u64,
    /// Number of times a position was reached by another line (transpositions).
    pub transpositions: u64,
    /// Errors found.
    pub findings: Vec<KeyFinding>,
    /// The different positions with their keys; taken by the run, which compares all of its rows.
    pub(crate) seen: Vec<KeyOfPosition>,
    /// What happened in the moves whose keys were right.
    pub(crate) right: Events,
    /// Every difference that no known number explains.
    pub(crate) unexplained: Vec<Unexplained>,
}

/// A position with its key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct KeyOfPosition {
    key: Printed,
    packed: Packed,
    place: Place,
}

/// Describes the differences that no number explains, if they are all one number: a constant that is forgotten or added.
pub fn one_constant<'r>(reports: impl Iterator<Item = &'r KeyReport> + Clone) -> Option<String> {
    let unexplained = || reports.clone().flat_map(|report| &report.unexplained);
    let difference = unexplained().next()?.difference;
    let (number, is_one) =
        unexplained().fold((0, true), |(n, one), found| (n + 1, one && found.difference == difference));
    let mut right = Events::default();
    reports.clone().for_each(|report| right.add(report.right));
    let when = event::when(unexplained().map(|found| found.events), right);
    (is_one && number > 1)
        .then(|| format!("all {number} unexplained differences are one number, {difference}: one constant, {when}"))
}

/// A key, printed as the engine prints it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Printed {
    key: u128,
    base: KeyBase,
}

impl fmt::Display for Printed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.base {
            KeyBase::Hexadecimal => write!(f, "{:016X}", self.key),
            KeyBase::Decimal => write!(f, "{}", self.key),
        }
    }
}

/// Returns a position by FEN, with the e.p. square if it counts.
fn by_fen(board: &Board, policy: EnPassantPolicy) -> Place {
    Place::new(&Fen::write(board, policy))
}
