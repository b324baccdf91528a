//! Settings for running an engine.

use crate::request::{PositionCommand, Request};
use crate::trace::Trace;
use perft_gate_chess::EnPassantPolicy;
use perft_gate_listing::Patterns;
use perft_gate_simd::Level;
use perft_gate_walk::Control;
use perft_gate_zobrist::Scheme;
use regex_lite::Regex;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What an engine is currently doing, as text that can be shown to a waiting user.
#[derive(Clone, Default, Debug)]
pub struct Activity(Arc<Mutex<String>>);

impl Activity {
    pub(crate) fn set(&self, text: impl Into<String>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = text.into();
    }

    /// Returns the current step of starting the engine or, after the start, the row that it counts.
    pub fn text(&self) -> String {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Settings for running an engine.
#[derive(Clone, Debug)]
pub struct EngineSettings {
    /// The engine's program and its arguments. Empty for a program without UCI.
    pub command: Vec<OsString>,
    /// Working directory of the engine. A relative path to the program is resolved from there.
    pub cwd: Option<PathBuf>,
    /// Record of the dialogue.
    pub trace: Option<Trace>,
    /// UCI options to set, with their values. An option of type `button` has no value.
    pub options: Vec<(String, Option<String>)>,
    /// How to request perft. If `None`, the usual commands are tried.
    pub request: Option<Request>,
    /// Patterns that the user gives for perft answers in an unusual format.
    pub patterns: Patterns,
    /// True if an engine that prints only totals is refused.
    pub require_moves: bool,
    /// Time limit for a single answer.
    pub timeout: Duration,
    /// True if the keys that the engine prints are checked.
    pub checks_keys: bool,
    /// Scheme that the keys must match, if one is expected.
    pub expected_scheme: Option<Scheme>,
    /// E.p. policy that the keys must follow, if one is required.
    pub required_policy: Option<EnPassantPolicy>,
    /// Seed of the random move sequences whose keys are checked.
    pub seed: u64,
    /// Command that makes the engine show the position and its key.
    pub display: String,
    /// Pattern that finds the key in the answer to `display`. Its first group captures the key, in hexadecimal or
    /// decimal. Pawn and material keys are ignored.
    pub key_pattern: Regex,
    /// SIMD level of our own counter.
    pub level: Level,
    /// Control that stops the run.
    pub control: Arc<Control>,
    /// Shows what the engine is doing.
    pub activity: Activity,
}

impl EngineSettings {
    /// Command that makes most engines show the position and its key.
    pub const DISPLAY: &'static str = "d";

    /// Returns the command as it was typed.
    pub fn command_line(&self) -> String {
        match &self.request {
            Some(program) if program.is_program => program.text.clone(),
            _ => self.command.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join(" "),
        }
    }

    /// Returns the name to use for an engine that does not give its own name.
    pub(crate) fn name(&self) -> String {
        match &self.request {
            Some(program) if program.is_program => program.words(&PositionCommand::new(""), 0).swap_remove(0),
            _ => self.command_line(),
        }
    }

    /// Returns true if the engine is a program without UCI, which is started anew for each request.
    pub(crate) fn is_program(&self) -> bool {
        self.request.as_ref().is_some_and(|request| request.is_program)
    }
}
