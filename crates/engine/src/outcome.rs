//! Outcome of a row that an engine was asked for.

use crate::failure::FailureKind;

/// Reason for skipping a row of Chess960.
pub(super) const NO_CHESS960: &str = "a position of Chess960, and the engine has no option UCI_Chess960";
/// The same for a program without UCI.
pub(super) const NO_OPTION: &str = "a position of Chess960, which a program without UCI cannot be told";

/// Result of a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// All comparisons are equal.
    Pass,
    /// The moves or a subtotal are wrong, or the total if nothing else is printed.
    WrongCount,
    /// The printed total is wrong, but the moves and subtotals are right.
    WrongTotal,
    /// A key is wrong.
    WrongKey,
    /// A count of the list is wrong, and the engine's is right.
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

impl Outcome {
    /// Returns `pass`, `wrong-count` and so on.
    pub const fn name(&self) -> &'static str {
        match self {
            Outcome::Pass => "pass",
            Outcome::WrongCount => "wrong-count",
            Outcome::WrongTotal => "wrong-total",
            Outcome::WrongKey => "wrong-key",
            Outcome::WrongList => "wrong-list",
            Outcome::FenRejected => "fen-rejected",
            Outcome::Timeout => "timeout",
            Outcome::Crash => "crash",
            Outcome::Unparsed => "unparsed",
            Outcome::Skipped(_) => "skipped",
            Outcome::Interrupted => "interrupted",
        }
    }

    /// Returns true if something in the engine's answer is wrong, or in the list.
    pub const fn is_wrong(&self) -> bool {
        use Outcome::*;
        matches!(self, WrongCount | WrongTotal | WrongKey | WrongList | FenRejected)
    }

    /// Returns true if the row was left out because the engine does not play Chess960.
    pub fn lacks_chess960(&self) -> bool {
        matches!(self, Outcome::Skipped(reason) if [NO_CHESS960, NO_OPTION].contains(&&**reason))
    }

    /// Returns true if the engine gave no answer that can be judged.
    pub const fn is_failure(&self) -> bool {
        matches!(self, Outcome::Timeout | Outcome::Crash | Outcome::Unparsed)
    }
}

impl From<FailureKind> for Outcome {
    fn from(kind: FailureKind) -> Outcome {
        match kind {
            FailureKind::Timeout => Outcome::Timeout,
            FailureKind::Crash | FailureKind::NotStarted => Outcome::Crash,
            FailureKind::Unparsed | FailureKind::NoPerft | FailureKind::PatternMisfit => Outcome::Unparsed,
            FailureKind::Interrupted => Outcome::Interrupted,
        }
    }
}
