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
    /// The FEN that it shows after moves is none, or has another e.p. square or other clocks.
    WrongFen,
    /// E.p. squares count by FEN but not by moves, or the other way round, or follow no policy.
    EnPassant,
    /// The number of the move, or of plies since the position was given, is in the key.
    MoveNumber,
    /// Keys have so few bits that many positions share one.
    Narrow,
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
            KeyFault::WrongFen => "the FEN after moves is wrong",
            KeyFault::EnPassant => "e.p. squares in the key",
            KeyFault::MoveNumber => "a position has many keys",
            KeyFault::Narrow => "keys have too few bits",
            KeyFault::OtherScheme => "the keys are not those expected",
        }
    }

    /// Faults of a whole run, with the names by which a list of known failures has them.
    pub const OF_RUNS: [(KeyFault, &str); 5] = [
        (KeyFault::EnPassant, "ep-habit"),
        (KeyFault::MoveNumber, "move-number"),
        (KeyFault::Narrow, "narrow-keys"),
        (KeyFault::Shared, "shared-numbers"),
        (KeyFault::OtherScheme, "other-scheme"),
    ];

    /// Returns true if the FEN is wrong; the key may be right.
    pub(crate) const fn is_of_fen(self) -> bool {
        matches!(self, KeyFault::OtherPosition | KeyFault::WrongFen)
    }
}

impl std::fmt::Display for KeyFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

perft_gate_chess::serialize_as_text!(KeyFault);

/// A wrong key, with the shortest line that shows it.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KeyFinding {
    /// Kind of error.
    pub fault: KeyFault,
    /// Explanation: the terms, or the move.
    pub cause: String,
    /// UCI command that shows it.
    pub position: PositionCommand,
    /// UCI command it is compared with.
    #[serde(rename = "against", skip_serializing_if = "Option::is_none")]
    pub other: Option<PositionCommand>,
    /// Expected value.
    pub expected: String,
    /// Value found.
    pub found: String,
}

impl KeyFinding {
    /// Returns a finding that is not described yet.
    pub(crate) fn at(fault: KeyFault, position: PositionCommand) -> KeyFinding {
        let [cause, expected, found] = [const { String::new() }; 3];
        KeyFinding { fault, cause, position, other: None, expected, found }
    }
}
