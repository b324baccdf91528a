//! Runs of the binary, the system's commands, and paths of this repository.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// Exit and output of a run.
#[derive(Debug)]
pub struct Run {
    /// The exit code; none if a signal ended it.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    /// Waits for the end of a child whose output is piped.
    pub fn wait(child: Child) -> Run {
        child.wait_with_output().expect("the child ends").into()
    }

    /// Runs a command to its end. Its standard input is empty, and no standard stream is a terminal.
    pub fn of(command: &mut Command) -> Run {
        command.output().unwrap_or_else(|error| panic!("{command:?}: {error}")).into()
    }

    /// All that was printed: standard output, then standard error.
    pub fn printed(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }

    /// Checks the exit code, and that each of these texts was printed.
    #[track_caller]
    pub fn expect(&self, code: i32, parts: &[&str]) {
        let text = self.printed();
        assert_eq!(self.code, Some(code), "{text}");
        parts.iter().for_each(|part| assert!(text.contains(part), "expected '{part}' in:\n{text}"));
    }

    /// The document on standard output, which holds nothing else.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}", self.printed()))
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Run {
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

/// The binary, to be given arguments, an environment or pipes.
pub fn command() -> Command {
    Command::new(env!("CARGO_BIN_EXE_perft"))
}

/// Runs the binary with these arguments.
pub fn perft(arguments: &[&str]) -> Run {
    Run::of(command().args(arguments))
}

/// Runs the binary with the words of a line.
pub fn perft_line(line: &str) -> Run {
    Run::of(command().args(line.split(' ')))
}

/// Runs a command of the system; returns true if it succeeds.
pub fn succeeds(line: &str) -> bool {
    let mut words = line.split(' ');
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).stdin(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// A path in this repository.
pub fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}
