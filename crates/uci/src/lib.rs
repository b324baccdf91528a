//! Other people's engines, judged over UCI.
//!
//! A [`Session`] takes the rows of a suite to a running engine and compares the set of root moves and each subtotal with our own
//! counter; a difference is followed down to the position where the moves themselves are wrong ([`WrongMove`]). Positions
//! are given by FEN: engines silently ignore illegal `moves`. An engine may hang, die or print anything: that is a
//! verdict too, and never ours.
#![forbid(unsafe_code)]

mod answer;
mod descent;
mod display;
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
pub use run::{EngineTask, Session, Summary};

use perft_gate_simd::Level;
use perft_gate_walk::chess::EnPassantPolicy;
use perft_gate_walk::walk::Control;
use regex_lite::Regex;
use std::ffi::OsString;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Whether an engine's keys are checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeySource {
    /// They are, where the engine prints them.
    Checked,
    /// They are not.
    Off,
}

/// How to run an engine.
#[derive(Debug)]
pub struct EngineSettings {
    /// The program and its arguments.
    pub command: Vec<OsString>,
    /// UCI options to set, with their values; a button has none.
    pub options: Vec<(String, Option<String>)>,
    /// How to ask for perft; else what the engine answers to is found out.
    pub verb: Option<String>,
    /// How long a single answer may take.
    pub timeout: Duration,
    /// Whether keys are checked.
    pub keys: KeySource,
    /// The e.p. policy that the keys must follow, if it matters which.
    pub required_policy: Option<EnPassantPolicy>,
    /// Of the random lines whose keys are checked.
    pub seed: u64,
    /// Finds the key in what the engine prints for `d`: its first group, hexadecimal. A key of pawns or of the material
    /// is passed over.
    pub key_pattern: Regex,
    /// The instructions of our own counter.
    pub level: Level,
    /// Stops everything.
    pub control: Arc<Control>,
}

impl EngineSettings {
    /// What finds the key in Stockfish's and many others' `d`.
    pub const KEY_PATTERN: &'static str = r"(?i)\bkey\s*[:=]\s*(?:0x)?([0-9a-f]+)";

    /// The command as it was typed.
    pub fn command_line(&self) -> String {
        self.command.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }
}

/// Why an engine gave no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailureKind {
    /// There is no such program.
    NotStarted,
    /// None came in time.
    Timeout,
    /// It died.
    Crash,
    /// It is not understood.
    Unparsed,
    /// It does not count: no verb is answered by leaves.
    NoPerft,
    /// We were stopped.
    Interrupted,
}

/// An engine that gave no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// Why.
    pub kind: FailureKind,
    /// What was sent and what happened.
    pub message: String,
    /// The last lines it wrote to stderr.
    pub stderr: Vec<String>,
}

/// A position as an engine is told it: a FEN, and moves from there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The FEN.
    pub fen: String,
    /// Moves that the engine itself listed.
    pub moves: Vec<String>,
}

impl Place {
    /// A position by FEN alone.
    pub fn new(fen: &str) -> Place {
        Place { fen: fen.into(), moves: Vec::new() }
    }

    /// The position after one more move.
    fn then(&self, mv: &str) -> Place {
        let mut place = self.clone();
        place.moves.push(mv.into());
        place
    }
}

impl fmt::Display for Place {
    /// The UCI command.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "position fen {}", self.fen)?;
        match self.moves[..] {
            [] => Ok(()),
            ref moves => write!(f, " moves {}", moves.join(" ")),
        }
    }
}
