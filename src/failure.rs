//! The failure of a command.

use std::process::ExitCode;

/// The failure of a command: one line on standard error, and an exit code.
#[derive(Debug)]
pub enum CommandFailure {
    /// Wrong usage or input.
    Usage(String),
    /// Something outside failed, such as a disk.
    Outside(String),
    /// The run was stopped before there was anything to report.
    Interrupted(String),
}

pub use CommandFailure::{Interrupted, Outside, Usage};

impl CommandFailure {
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Usage(_) => ExitCode::from(2),
            Outside(_) => ExitCode::from(3),
            Interrupted(_) => ExitCode::from(130),
        }
    }

    /// Returns the word that begins its line.
    pub const fn label(&self) -> &'static str {
        match self {
            Usage(_) | Outside(_) => "error",
            Interrupted(_) => "interrupted",
        }
    }
}

impl std::fmt::Display for CommandFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (Usage(message) | Outside(message) | Interrupted(message)) = self;
        f.write_str(message)
    }
}

impl<E: std::error::Error> From<E> for CommandFailure {
    fn from(error: E) -> CommandFailure {
        Usage(error.to_string())
    }
}

/// Exit code of a run that finds a key table or a scheme broken: no count and no key of a position is wrong, so it is not
/// that of a failed gate.
const BROKEN_KEYS: u8 = 4;

/// Says which exit code a broken key table or scheme has, and returns it.
pub fn exit_broken_keys() -> ExitCode {
    say!("exit code {BROKEN_KEYS}: keys are broken (1 would be a wrong count or key of a position)");
    ExitCode::from(BROKEN_KEYS)
}
