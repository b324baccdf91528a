//! The result of a suite row that an engine counted, and the reason if its answer is missing.

perft_gate_chess::named! {
    /// Result of a row.
    #[perft_gate_chess::document(kebab, Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
    pub enum RowOutcome {
        /// All comparisons are equal.
        Pass = "pass",
        /// The moves or a subtotal are wrong, or only a total is printed and it is wrong.
        WrongCount = "wrong-count",
        /// The printed total is wrong, but the moves and subtotals are right.
        WrongTotal = "wrong-total",
        /// A key is wrong.
        WrongKey = "wrong-key",
        /// The FEN that the engine shows after moves is wrong.
        WrongFen = "wrong-fen",
        /// A count listed in the suite is wrong, and the engine's count is right.
        WrongList = "wrong-list",
        /// The engine refuses the position.
        FenRejected = "fen-rejected",
        /// No answer came in time.
        Timeout = "timeout",
        /// The engine died.
        Crash = "crash",
        /// The answer is not understood.
        Unparsed = "unparsed",
        /// Not asked.
        Skipped = "skipped",
        /// Stopped before its end.
        Interrupted = "interrupted",
    }
}

impl RowOutcome {
    /// Returns true if the engine or a count listed in the suite is wrong.
    pub const fn is_wrong(self) -> bool {
        use RowOutcome::*;
        matches!(self, WrongCount | WrongTotal | WrongKey | WrongFen | WrongList | FenRejected)
    }

    /// Returns true if the row failed.
    pub const fn has_failed(self) -> bool {
        self.is_wrong() || self.is_failure()
    }

    /// Returns true if the engine gave no answer that can be judged.
    pub const fn is_failure(self) -> bool {
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
#[perft_gate_chess::document(kebab, Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub enum FailureKind {
    /// The program does not start.
    NotStarted,
    /// No answer came in time.
    Timeout,
    /// The engine died.
    Crash,
    /// The answer is not understood.
    Unparsed,
    /// The engine has no perft command that works.
    NoPerft,
    /// A pattern set by the user matches nothing in the engine's answers.
    PatternMisfit,
    /// The run was stopped.
    Interrupted,
}

/// A request without an answer.
#[perft_gate_chess::document(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct EngineFailure {
    /// Reason.
    pub kind: FailureKind,
    /// Request, and what happened.
    pub message: String,
    /// Last lines that the engine wrote to stderr.
    pub stderr: Vec<String>,
    /// Lines to enter to reproduce the failure by hand: those sent from the last `position` command on, or the command
    /// line of a program.
    #[serde(rename = "to_see")]
    pub asked: Vec<String>,
}

/// Result of a request to an engine.
pub(super) type Result<T, E = EngineFailure> = std::result::Result<T, E>;

impl EngineFailure {
    /// Returns a failure without stderr lines and without lines that reproduce it.
    pub(super) fn new(kind: FailureKind, message: String) -> EngineFailure {
        EngineFailure { kind, message, stderr: Vec::new(), asked: Vec::new() }
    }
}
