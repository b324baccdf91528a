//! Judge of other people's engines, over UCI.
//!
//! A [`Session`] gives the rows of a suite to a running engine and compares the set of root moves and each subtotal
//! with our own counter; a difference is followed down to the position where the moves themselves are wrong
//! ([`WrongMove`]). Positions are given by FEN, because engines silently ignore illegal `moves`. An engine may hang,
//! die or print anything: each of these is a verdict on the engine, and never stops our own program.
#![forbid(unsafe_code)]

mod answer;
mod comparison;
mod descent;
mod display;
mod encoding;
mod expected;
mod family;
mod group;
mod judge;
mod keys;
mod learned;
mod pasted;
mod perft_output;
mod process;
mod program;
mod request;
mod run;
mod trace;
mod trial;
mod uci;
mod walk_cause;

pub use descent::{Difference, Fault, WrongMove};
pub use display::KeyBase;
pub use encoding::decoded;
pub use expected::{Expectation, ExpectedFailures, ExpectedFailuresError};
pub use judge::{Compared, EngineVerdict, Outcome, WrongListed};
pub use keys::{Habits, KeyFault, KeyFinding, KeyReport, one_constant};
pub use learned::Learned;
pub use pasted::{NoListing, PastedListing};
pub use perft_gate_chess::ExplainedMove;
pub use request::{Request, TemplateError};
pub use run::{EngineRunOutcome, EngineTask, Session, Summary};
pub use trace::Trace;
pub use walk_cause::{DrawRule, GameEnd, WalkCause};

use perft_gate_chess::EnPassantPolicy;
use perft_gate_simd::Level;
use perft_gate_walk::Control;
use regex_lite::Regex;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
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

/// Patterns of an engine's answers to perft, where the usual forms do not fit.
#[derive(Debug, Default)]
pub struct Patterns {
    /// Finds the root moves: the groups `move` and `leaves`, or else the first and the second.
    pub divide: Option<Regex>,
    /// Finds the total: its first group.
    pub total: Option<Regex>,
}

/// Settings for running an engine.
#[derive(Debug)]
pub struct EngineSettings {
    /// The engine and its arguments; empty for a program without UCI.
    pub command: Vec<OsString>,
    /// Folder to start it in; a path to the program is meant from there.
    pub cwd: Option<PathBuf>,
    /// Record of the dialogue.
    pub trace: Option<Trace>,
    /// UCI options to set, with their values; a button has none.
    pub options: Vec<(String, Option<String>)>,
    /// Question for perft; if `None`, the usual ones are tried.
    pub request: Option<Request>,
    /// Patterns of the answers.
    pub patterns: Patterns,
    /// True if an engine that prints totals alone is refused.
    pub require_moves: bool,
    /// Time limit for a single answer.
    pub timeout: Duration,
    /// Source of the keys.
    pub keys: KeySource,
    /// E.p. policy that the keys must follow, if one is required.
    pub required_policy: Option<EnPassantPolicy>,
    /// Seed of the random lines whose keys are checked.
    pub seed: u64,
    /// Command that shows the position and its key.
    pub display: String,
    /// Pattern that finds the key in the answer to it: its first group, hexadecimal or decimal. Pawn and material keys
    /// are ignored.
    pub key_pattern: Regex,
    /// SIMD level of our own counter.
    pub level: Level,
    /// Control that stops the run.
    pub control: Arc<Control>,
}

impl EngineSettings {
    /// Command that most engines answer with the position and its key.
    pub const DISPLAY: &'static str = "d";
    /// Pattern that finds the key in the answer of Stockfish and many others to `d`.
    pub const KEY_PATTERN: &'static str = r"(?i)\bkey\s*[:=]\s*(-?(?:0x)?[0-9a-f]+)";

    /// Returns the command as it was typed.
    pub fn command_line(&self) -> String {
        match &self.request {
            Some(program @ Request::Program(_)) => program.name(),
            _ => self.command.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join(" "),
        }
    }

    /// Returns the name of an engine that has not given one.
    fn name(&self) -> String {
        match &self.request {
            Some(program @ Request::Program(_)) => program.words(&Place::new(""), 0).swap_remove(0),
            _ => self.command_line(),
        }
    }

    /// Returns true if a program without UCI is started for each question.
    fn is_program(&self) -> bool {
        matches!(self.request, Some(Request::Program(_)))
    }

    /// Returns the question that is asked, or tried first.
    fn first_request(&self) -> Request {
        self.request.clone().unwrap_or_else(|| Request::command("go perft").expect("a verb"))
    }
}

/// Reason why an engine gave no answer.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum FailureKind {
    /// There is no such program.
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
    /// A pattern of the user finds nothing in its answers.
    PatternMisfit,
    /// The run was stopped.
    Interrupted,
}

/// A request without an answer.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Failure {
    /// Reason.
    pub kind: FailureKind,
    /// Request, and what happened.
    pub message: String,
    /// Last lines it wrote to stderr.
    pub stderr: Vec<String>,
    /// Lines that show it by hand: what was sent since the last position, or the command line of a program.
    pub asked: Vec<String>,
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
