//! An engine's hash keys, as it prints them for `d`.
//!
//! A key is a function of the position: the key after moves must be the key of the FEN they lead to, equal positions have
//! equal keys and different ones different keys, and counting leaves the key as it was. What is in the key beside the
//! position is found out first ([`Habits`]): some engines mix in the halfmove clock, so FENs carry true clocks and only
//! keys of equal clocks are compared; and which e.p. squares count is a choice, but it must be the same by FEN and by
//! moves. An illegal move is silently ignored by many, so the FEN that the engine prints is looked at too.

mod key_probe;
mod lines;

pub use key_probe::Habits;
pub(super) use lines::{Lines, check};

use super::Place;
use perft_gate_walk::chess::{Board, EnPassantPolicy, Fen};
use std::fmt;

/// What is wrong with a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyFault {
    /// It is not the key of the FEN that the moves lead to.
    NotOfItsFen,
    /// Two different positions have it.
    Shared,
    /// Equal positions have different ones.
    Twofold,
    /// Counting the leaves changed it.
    ChangedByPerft,
    /// The engine is in another position: a move was ignored, or made wrongly.
    OtherPosition,
    /// E.p. squares count by FEN and not by moves, or the other way round, or not at all.
    EnPassant,
}

impl KeyFault {
    /// In words.
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

/// A key that is wrong, with the shortest line that shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyFinding {
    /// What is wrong.
    pub fault: KeyFault,
    /// What explains it: the terms, or the move.
    pub cause: String,
    /// How the engine is brought to show it.
    pub place: Place,
    /// What it is compared with.
    pub other: Option<Place>,
    /// What should be.
    pub expected: String,
    /// What is.
    pub found: String,
}

/// What came of the keys of a row.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct KeyReport {
    /// KeySource after moves that were compared with keys by FEN.
    pub compared: u64,
    /// Different positions whose keys were compared with each other.
    pub positions: u64,
    /// How often a position was reached by another line.
    pub transpositions: u64,
    /// What is wrong.
    pub findings: Vec<KeyFinding>,
}

/// A key in hexadecimal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Printed(u128);

impl fmt::Display for Printed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016X}", self.0)
    }
}

/// A position by FEN, with the e.p. squares that count.
fn by_fen(board: &Board, policy: EnPassantPolicy) -> Place {
    Place::new(&Fen::write(board, policy))
}
