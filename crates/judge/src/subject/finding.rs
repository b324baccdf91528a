//! What a gate of a board yields: a report of what was compared, or the findings.

use super::{Depth, WrongMove};
use crate::gate::{ExplainedMove, ep_policy_probe};
use perft_gate_walk::chess::EnPassantPolicy;
use perft_gate_walk::walk::{self, Checks};
use std::fmt;

/// What was checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SubjectCheck {
    /// That there is something to compare.
    Suite,
    /// That the row's FEN is taken.
    Fen,
    /// V1: counts.
    CountedPushes,
    /// V2, V3, V4 and V6: what is checked at the nodes.
    Node(walk::Check),
    /// V5: equal positions have equal keys, different ones different keys.
    Identity,
}

impl fmt::Display for SubjectCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SubjectCheck::Suite => f.write_str("suite"),
            SubjectCheck::Fen => f.write_str("FEN"),
            SubjectCheck::CountedPushes => f.write_str("V1 counts"),
            SubjectCheck::Node(check) => check.fmt(f),
            SubjectCheck::Identity => f.write_str("V5 identity"),
        }
    }
}

/// Something that is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The name of the row.
    pub row: String,
    /// What failed.
    pub check: SubjectCheck,
    /// The moves from the row's position.
    pub path: Vec<String>,
    /// The position before the last of them, as FEN. A null move is not among them: it is made there.
    pub before: String,
    /// That move, and what is special about it.
    pub last: Option<ExplainedMove>,
    /// What should be.
    pub expected: String,
    /// What is.
    pub found: String,
    /// Of a wrong key: the terms that explain it, found by keys of FENs.
    pub diagnosis: Option<String>,
    /// Of a wrong count: the move that is wrong.
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

/// A board that does not pass. Its `Debug` is its text, for that is what a failed test prints.
#[derive(Clone)]
pub struct Failure {
    /// At most one a check and row.
    pub findings: Vec<Finding>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 5;
        for finding in self.findings.iter().take(SHOWN) {
            write!(f, "\n{finding}")?;
        }
        let more = self.findings.len().saturating_sub(SHOWN);
        if more > 0 { write!(f, "\nand {more} more") } else { Ok(()) }
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Failure {}

/// What was compared, and found right.
#[derive(Clone, Debug)]
pub struct Report {
    /// Rows that were walked.
    pub rows: u64,
    /// The depth asked for.
    pub depth: Depth,
    /// Nodes of them, each listed depth compared with the suite and each ply with our counter (V1).
    pub nodes: u128,
    /// How often the others ran; 0 is what the board does not supply. `boards` is always 0.
    pub checks: Checks,
    /// Positions whose identity was compared (V5), and whose key was compared with that of the FEN (V6).
    pub identities: u64,
    /// Which e.p. squares count in the key by moves, and by FEN; nothing if it is none of the three.
    pub en_passant: Option<[Option<EnPassantPolicy>; 2]>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let times = |made: u64| if made == 0 { "not supplied".into() } else { made.to_string() };
        let Checks { keys, unmakes, null_moves, round_trips, .. } = self.checks;
        write!(f, "{} rows to depth {}: V1 counts of {} nodes", self.rows, self.depth.0, self.nodes)?;
        let list = [("V2 keys", keys), ("V3 unmakes", unmakes), ("V4 null moves", null_moves)];
        for (name, made) in list {
            write!(f, ", {name} {}", times(made))?;
        }
        write!(
            f,
            ", V5 identities {}, V6 round trips {}",
            times(self.identities),
            times(round_trips + self.identities)
        )?;
        match self.en_passant {
            None => Ok(()),
            Some([by_moves, by_fen]) => {
                let [by_moves, by_fen] = [by_moves, by_fen].map(ep_policy_probe::name);
                write!(f, "; e.p. in the key: {by_moves} by moves, {by_fen} by FEN")
            }
        }
    }
}
