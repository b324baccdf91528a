//! Formats errors as text. The gate's report consists of these texts, and the tests with planted faults search them.
//!
//! Each error is one line, with details below it on lines indented by two spaces.

use super::descent::{FirstWrong, MoveDifference};
use super::finding::{CheckFinding, Missed};
use super::playouts::{PlayoutFinding, PlayoutsVerdict};
use super::verdict::{Expectation, RowVerdict, WrongCount};
use perft_gate_chess::Move;
use perft_gate_unique::identity::{Clash, Identity};
use std::fmt::{Display, Formatter, Result};

impl Display for WrongCount {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let whose = if self.expectation == Expectation::Suite { "the suite's" } else { "the other counter's" };
        let WrongCount { depth, expected, found, .. } = self;
        writeln!(f, "V1 counts at depth {depth}: expected {expected} ({whose}), found {found}")
    }
}

impl Display for Missed {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Missed { check, due, made } = self;
        writeln!(f, "{check}: expected {due} comparisons, found {made}")
    }
}

impl Display for FirstWrong {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let MoveDifference { missing, extra } = &self.difference;
        writeln!(f, "the moves are wrong in {}", self.fen)?;
        writeln!(f, "  after {}", path(&self.path))?;
        for (what, moves) in [("missing", uci(missing)), ("not legal", extra.join(" "))] {
            if !moves.is_empty() {
                writeln!(f, "  {what}: {moves}")?;
            }
        }
        Ok(())
    }
}

impl Display for CheckFinding {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let mismatch = &self.mismatch;
        let which = self.which.map_or(String::new(), |which| format!(", {which}"));
        match &self.diagnosis {
            Some(diagnosis) => writeln!(f, "{} ({}{which}): {diagnosis}", mismatch.check, self.scheme)?,
            None => writeln!(f, "{}", mismatch.check)?,
        }
        writeln!(f, "  path      {}", path(&mismatch.path))?;
        writeln!(f, "  before    {}", self.before)?;
        writeln!(f, "  after     {}", mismatch.position)?;
        writeln!(f, "  expected  {}", mismatch.expected)?;
        writeln!(f, "  found     {}", mismatch.found)?;
        mismatch.wrong_key.map_or(Ok(()), |wrong| writeln!(f, "  xor       {wrong}"))
    }
}

/// Describes two keys of one position, or a key that two positions share. The text is empty if there is no such clash.
pub fn clash(identity: &Identity) -> String {
    let Identity { scheme, ply, positions, keys, expected_lost, .. } = identity;
    let place = format!("V5 identity ({scheme}) at ply {ply}");
    match &identity.clash {
        None => String::new(),
        Some(Clash::TwoKeys { position, keys: [one, other] }) => format!(
            "{place}: a position has two keys\n  position  {}\n  keys      {one} and {other}\n",
            position.board()
        ),
        Some(Clash::SharedKey { key, positions: [one, other] }) => format!(
            "{place}: two positions share a key\n  {} of {positions} positions share a key, {expected_lost:.1e} expected by \
             chance\n  key       {key}\n  position  {}\n  position  {}\n",
            positions - keys,
            one.board(),
            other.board()
        ),
    }
}

/// Lists every error of a row.
impl Display for RowVerdict {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        self.wrong_counts.iter().try_for_each(|wrong| wrong.fmt(f))?;
        self.missed.iter().try_for_each(|missed| missed.fmt(f))?;
        self.first_wrong.iter().try_for_each(|first| first.fmt(f))?;
        self.findings.iter().try_for_each(|finding| finding.fmt(f))?;
        self.identities.iter().try_for_each(|identity| f.write_str(&clash(identity)))
    }
}

/// Lists every error of the random games.
impl Display for PlayoutsVerdict {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        self.missed.iter().try_for_each(|missed| missed.fmt(f))?;
        self.findings.iter().try_for_each(|PlayoutFinding { row, finding }| write!(f, "from {row}\n{finding}"))
    }
}

/// Returns a path in UCI notation, or `the root` if it is empty.
pub fn path(moves: &[Move]) -> String {
    if moves.is_empty() { "the root".into() } else { uci(moves) }
}

fn uci(moves: &[Move]) -> String {
    moves.iter().map(|mv| mv.uci().to_string()).collect::<Vec<_>>().join(" ")
}
