//! Failure of a command.

use std::process::ExitCode;

/// Failure of a command: one line on standard error, and an exit code.
#[derive(Debug)]
pub enum Failure {
    /// Wrong usage or input.
    Usage(String),
    /// Something outside failed, such as a disk.
    Outside(String),
}

pub use Failure::{Outside, Usage};

impl Failure {
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Usage(_) => ExitCode::from(2),
            Outside(_) => ExitCode::from(3),
        }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (Usage(message) | Outside(message)) = self;
        f.write_str(message)
    }
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Failure {
        Usage(error.to_string())
    }
}
