//! Outcome of a row given to an engine, and the reason for a missing answer.

/// Reason for skipping a Chess960 row.
pub(super) const NO_CHESS960: &str = "a Chess960 position, and the engine has no option UCI_Chess960";
/// The same for a program without UCI.
pub(super) const NO_OPTION: &str = "a Chess960 position, which cannot be announced without UCI";

/// Result of a row.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(tag = "verdict", content = "reason", rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum RowOutcome {
    /// All comparisons are equal.
    Pass,
    /// The moves or a subtotal are wrong, or the total if nothing else is printed.
    WrongCount,
    /// The printed total is wrong, but the moves and subtotals are right.
    WrongTotal,
    /// A key is wrong.
    WrongKey,
    /// The FEN that the engine shows after moves is wrong.
    WrongFen,
    /// A count listed in the suite is wrong, and the engine's is right.
    WrongList,
    /// The engine refuses the position.
    FenRejected,
    /// No answer came in time.
    Timeout,
    /// The engine died.
    Crash,
    /// The answer is not understood.
    Unparsed,
    /// Not asked, for this reason.
    Skipped(String),
    /// Stopped before its end.
    Interrupted,
}

impl RowOutcome {
    /// Returns `pass`, `wrong-count` and so on.
    pub const fn name(&self) -> &'static str {
        match self {
            RowOutcome::Pass => "pass",
            RowOutcome::WrongCount => "wrong-count",
            RowOutcome::WrongTotal => "wrong-total",
            RowOutcome::WrongKey => "wrong-key",
            RowOutcome::WrongFen => "wrong-fen",
            RowOutcome::WrongList => "wrong-list",
            RowOutcome::FenRejected => "fen-rejected",
            RowOutcome::Timeout => "timeout",
            RowOutcome::Crash => "crash",
            RowOutcome::Unparsed => "unparsed",
            RowOutcome::Skipped(_) => "skipped",
            RowOutcome::Interrupted => "interrupted",
        }
    }

    /// Returns true if the engine's answer or the list has an error.
    pub const fn is_wrong(&self) -> bool {
        use RowOutcome::*;
        matches!(self, WrongCount | WrongTotal | WrongKey | WrongFen | WrongList | FenRejected)
    }

    /// Returns true if the row was skipped because the engine does not play Chess960.
    pub fn lacks_chess960(&self) -> bool {
        matches!(self, RowOutcome::Skipped(reason) if [NO_CHESS960, NO_OPTION].contains(&&**reason))
    }

    /// Returns true if the engine gave no answer that can be judged.
    pub const fn is_failure(&self) -> bool {
        matches!(self, RowOutcome::Timeout | RowOutcome::Crash | RowOutcome::Unparsed)
    }
}

impl From<FailureKind> for RowOutcome {
    fn from(kind: FailureKind) -> RowOutcome {
        match kind {
            FailureKind::Timeout => RowOutcome::Timeout,
            FailureKind::Crash | FailureKind::NotStarted => RowOutcome::Crash,
            FailureKind::Unparsed | FailureKind::NoPerft | FailureKind::PatternMisfit => RowOutcome::Unparsed,
            FailureKind::Interrupted => RowOutcome::Interrupted,
        }
    }
}

/// Reason why an engine gave no answer.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum FailureKind {
    /// The program does not start.
    #[default]
    NotStarted,
    /// No answer came in time.
    Timeout,
    /// The engine died.
    Crash,
    /// The answer is not understood.
    Unparsed,
    /// The engine has no perft command that works.
    NoPerft,
    /// A pattern of the user finds nothing in the engine's answers.
    PatternMisfit,
    /// The run was stopped.
    Interrupted,
}

/// A request without an answer.
#[derive(Clone, PartialEq, Eq, Default, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EngineFailure {
    /// Reason.
    pub kind: FailureKind,
    /// Request, and what happened.
    pub message: String,
    /// Last lines that the engine wrote to stderr.
    pub stderr: Vec<String>,
    /// Lines that reproduce the failure by hand: what was sent since the last position, or the command line of a
    /// program.
    #[serde(rename = "to_see")]
    pub asked: Vec<String>,
}
