//! Result of judging a board: a report of what was compared, or the findings.

use super::board::Depth;
use super::descent::WrongMove;
use super::details::{ComparedCodes, ComparedDetails, ComparedKeysAfter};
use super::written::WrittenFens;
use perft_gate_chess::{EnPassantPolicy, ExplainedMove, quantity};
use perft_gate_walk::{Check, Checks};
use perft_gate_zobrist::Key;
use std::fmt;

/// Check of a board.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub enum SubjectCheck {
    /// The suite has at least one row that can be walked.
    #[default]
    Suite,
    /// The row's FEN is accepted.
    Fen,
    /// Every move has a distinct UCI text.
    UciTexts,
    /// V1: node counts and move lists are right.
    Counts,
    /// The details of a move (capture, check and so on) are right.
    Details,
    /// V2, V3, V4 and V6: checks at the nodes.
    Node(Check),
    /// V6: the FEN that the board writes, compared with ours field by field.
    WrittenFen,
    /// V5: equal positions have equal keys, and different positions have different keys.
    Identity,
    /// V7: computing a move's key without making the move gives the same key as making it.
    KeyAfter,
    /// V8: the board accepts the codes of all legal moves, and no other codes.
    Codes,
    /// No method panics.
    Panic,
}

impl fmt::Display for SubjectCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SubjectCheck::Suite => f.write_str("suite"),
            SubjectCheck::Fen => f.write_str("FEN"),
            SubjectCheck::UciTexts => f.write_str("V1 UCI texts"),
            SubjectCheck::Counts => f.write_str("V1 counts"),
            SubjectCheck::Details => f.write_str("V1 details"),
            SubjectCheck::Node(check) => check.fmt(f),
            SubjectCheck::WrittenFen => f.write_str("V6 written FEN"),
            SubjectCheck::Identity => f.write_str("V5 identity"),
            SubjectCheck::KeyAfter => f.write_str("V7 key after a move"),
            SubjectCheck::Codes => f.write_str("V8 move codes"),
            SubjectCheck::Panic => f.write_str("panic"),
        }
    }
}

/// A difference between the board under test and ours.
#[derive(Clone, Default)]
pub(super) struct Difference {
    pub(super) check: SubjectCheck,
    pub(super) path: Vec<String>,
    pub(super) expected: String,
    pub(super) found: String,
    pub(super) wrong_move: Option<WrongMove>,
    /// The key that was found, and the one that was expected.
    pub(super) keys: Option<[Key; 2]>,
}

/// An error that was found.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Finding {
    /// Name of the row.
    pub row: String,
    /// Check that failed.
    pub check: SubjectCheck,
    /// Moves from the row's position.
    pub path: Vec<String>,
    /// FEN of the position before the last move of the path. For a move code, or a null move (which is not part of the
    /// path), FEN of the position at the end of the path.
    pub before: String,
    /// Explanation of the last move of the path.
    pub last: Option<ExplainedMove>,
    /// Expected value.
    pub expected: String,
    /// Value found.
    pub found: String,
    /// Terms that explain a wrong key, found by comparing the keys of FENs. For V8, how many answers are wrong.
    pub diagnosis: Option<String>,
    /// Wrong move behind a wrong count.
    pub wrong_move: Option<WrongMove>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.row, self.check)?;
        if !self.path.is_empty() {
            write!(f, "\n  path      {}", self.path.join(" "))?;
        }
        write!(f, "\n  before    {}", self.before)?;
        if let Some(last) = &self.last {
            write!(f, "\n  move      {last}")?;
        }
        write!(f, "\n  expected  {}\n  found     {}", self.expected, self.found)?;
        if let Some(terms) = &self.diagnosis {
            write!(f, "\n  diagnosis {terms}")?;
        }
        self.wrong_move.as_ref().map_or(Ok(()), |wrong| wrong.fmt(f))
    }
}

/// The findings that made a board fail. `Debug` prints the same text as `Display`, because failed tests use `Debug`.
#[derive(Clone)]
pub struct Failure {
    /// Findings. There is at most one per check and row, except that V8 has one per cause.
    pub findings: Vec<Finding>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MAX_SHOWN: usize = 5;
        for finding in self.findings.iter().take(MAX_SHOWN) {
            write!(f, "\n{finding}")?;
        }
        let more = self.findings.len().saturating_sub(MAX_SHOWN);
        if more > 0 { write!(f, "\nand {more} more") } else { Ok(()) }
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Failure {}

/// Report on a board that passes, listing the comparisons that were made.
#[derive(Clone, Default, Debug)]
#[non_exhaustive]
pub struct Report {
    /// Number of rows walked.
    pub rows: u64,
    /// Number of rows skipped because they are Chess960, which the board does not play.
    pub skipped: u64,
    /// Depth asked for.
    pub depth: Depth,
    /// Number of nodes in the walked rows. Counts were compared with ours and, if listed, with the suite's (V1).
    pub nodes: u128,
    /// Number of comparisons made by V2, V3, V4 and V6 at the nodes. It is 0 if the board does not supply what the
    /// check needs. `boards` is always 0.
    pub checks: Checks,
    /// Number of positions whose identity was checked (V5) and whose key was compared with the FEN's key (V6).
    pub identities: u64,
    /// Details of moves, each compared with ours.
    pub details: ComparedDetails,
    /// FENs that the board wrote, each compared with ours, and the e.p. policies and notations that explain them (V6).
    pub fens: WrittenFens,
    /// Keys computed before a move, each compared with the key after it (V7).
    pub keys_after: ComparedKeysAfter,
    /// Answers about move codes (V8).
    pub codes: ComparedCodes,
    /// E.p. policies of the keys, first after moves, then from FENs. Each is `None` if no known policy fits.
    pub en_passant: Option<[Option<EnPassantPolicy>; 2]>,
}

impl Report {
    /// Adds the comparisons made in another part of a walk. Returns `None` if the board behaves differently there.
    pub(super) fn join(self, other: &Report) -> Option<Report> {
        Some(Report {
            details: self.details.join(&other.details)?,
            fens: self.fens.join(&other.fens)?,
            keys_after: self.keys_after.join(&other.keys_after)?,
            codes: self.codes.join(other.codes)?,
            ..self
        })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let times = |made: u64| if made == 0 { "not supplied".into() } else { made.to_string() };
        let Checks { keys, unmakes, null_moves, round_trips, .. } = self.checks;
        write!(f, "{} to depth {}: V1 counts of {} nodes", quantity(self.rows, "row"), self.depth.0, self.nodes)?;
        write!(f, ", details {}", self.details)?;
        let list = [("V2 keys", keys), ("V3 unmakes", unmakes), ("V4 null moves", null_moves)];
        for (name, made) in list {
            write!(f, ", {name} {}", times(made))?;
        }
        write!(
            f,
            ", V5 identities {}, V6 round trips {}, FENs {}, V7 keys after moves {}, V8 move codes {}",
            times(self.identities),
            times(round_trips + self.identities),
            self.fens,
            self.keys_after,
            self.codes
        )?;
        if let Some([by_moves, by_fen]) = self.en_passant {
            let name = |policy: Option<EnPassantPolicy>| policy.map_or("no known policy", EnPassantPolicy::name);
            let [by_moves, by_fen] = [by_moves, by_fen].map(name);
            write!(f, "; e.p. in the key: {by_moves} by moves, {by_fen} by FEN")?;
        }
        match self.skipped {
            0 => Ok(()),
            skipped => write!(f, "; {} skipped: the board does not play Chess960", quantity(skipped, "row")),
        }
    }
}
