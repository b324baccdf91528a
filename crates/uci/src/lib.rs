//! Judge of other people's engines, over UCI.
//!
//! A [`Session`] gives the rows of a suite to a running engine and compares the set of root moves and each subtotal
//! with our own counter; a difference is followed down to the position where the moves themselves are wrong
//! ([`WrongMove`]). Positions are given by FEN, because engines silently ignore illegal `moves`. An engine may hang,
//! die or print anything: each of these is a verdict on the engine, and never stops our own program.
#![forbid(unsafe_code)]

mod answer;
mod descent;
mod display;
mod group;
mod judge;
mod keys;
mod perft_output;
mod process;
mod run;
mod trial;
mod uci;

pub use descent::{Difference, Fault, WrongMove};
pub use judge::{Compared, EngineVerdict, Outcome};
pub use keys::{Habits, KeyFault, KeyFinding, KeyReport};
pub use perft_gate_judge::gate::ExplainedMove;
pub use run::{EngineRunOutcome, EngineTask, Session, Summary};

use perft_gate_simd::Level;
use perft_gate_walk::chess::EnPassantPolicy;
use perft_gate_walk::walk::Control;
use regex_lite::Regex;
use std::ffi::OsString;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Source of an engine's keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeySource {
    /// Check them if the engine prints them.
    Checked,
    /// Do not check them.
    Off,
}

/// Settings for running an engine.
#[derive(Debug)]
pub struct EngineSettings {
    /// The program and its arguments.
    pub command: Vec<OsString>,
    /// UCI options to set, with their values; a button has none.
    pub options: Vec<(String, Option<String>)>,
    /// Perft command; if `None`, the usual ones are tried.
    pub verb: Option<String>,
    /// Time limit for a single answer.
    pub timeout: Duration,
    /// Source of the keys.
    pub keys: KeySource,
    /// E.p. policy that the keys must follow, if one is required.
    pub required_policy: Option<EnPassantPolicy>,
    /// Seed of the random lines whose keys are checked.
    pub seed: u64,
    /// Pattern that finds the key in the answer to `d`: its first group, hexadecimal. Pawn and material keys are
    /// ignored.
    pub key_pattern: Regex,
    /// SIMD level of our own counter.
    pub level: Level,
    /// Control that stops the run.
    pub control: Arc<Control>,
}

impl EngineSettings {
    /// Pattern that finds the key in the answer of Stockfish and many others to `d`.
    pub const KEY_PATTERN: &'static str = r"(?i)\bkey\s*[:=]\s*(?:0x)?([0-9a-f]+)";

    /// Returns the command as it was typed.
    pub fn command_line(&self) -> String {
        self.command.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }
}

/// Reason why an engine gave no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailureKind {
    /// There is no such program.
    NotStarted,
    /// No answer came in time.
    Timeout,
    /// The engine died.
    Crash,
    /// The answer is not understood.
    Unparsed,
    /// The engine has no perft command that works.
    NoPerft,
    /// The run was stopped.
    Interrupted,
}

/// A request without an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// Reason.
    pub kind: FailureKind,
    /// Request, and what happened.
    pub message: String,
    /// Last lines it wrote to stderr.
    pub stderr: Vec<String>,
}

/// A position as it is given to an engine: a FEN, and moves from there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The FEN.
    pub fen: String,
    /// Moves, as the engine itself lists them.
    pub moves: Vec<String>,
}

impl Place {
    /// Returns a position given by FEN alone.
    pub fn new(fen: &str) -> Place {
        Place { fen: fen.into(), moves: Vec::new() }
    }

    /// Returns the position after one more move.
    fn then(&self, mv: &str) -> Place {
        let mut place = self.clone();
        place.moves.push(mv.into());
        place
    }
}

impl fmt::Display for Place {
    /// Writes the UCI command.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "position fen {}", self.fen)?;
        match self.moves[..] {
            [] => Ok(()),
            ref moves => write!(f, " moves {}", moves.join(" ")),
        }
    }
}
