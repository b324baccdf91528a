//! Errors in keys.

use crate::position_command::PositionCommand;

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
    /// The keys are not those of the scheme that the user expects.
    OtherScheme,
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
            KeyFault::OtherScheme => "the keys are not those expected",
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
    pub position: PositionCommand,
    /// UCI command it is compared with.
    pub other: Option<PositionCommand>,
    /// Expected value.
    pub expected: String,
    /// Value found.
    pub found: String,
}
