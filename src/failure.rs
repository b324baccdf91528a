//! The failure of a command.

use regex_lite::Regex;
use std::process::ExitCode;
use std::sync::LazyLock;

/// The failure of a command: one line on standard error, and an exit code.
#[derive(Debug)]
pub enum CommandFailure {
    /// Wrong usage or input.
    Usage(String),
    /// Something outside this program failed, such as a disk.
    Outside(String),
    /// The run was stopped before there was anything to report.
    Interrupted(String),
}

pub use CommandFailure::{Interrupted, Outside, Usage};

pub type Result<T, E = CommandFailure> = std::result::Result<T, E>;

impl CommandFailure {
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Usage(_) => ExitCode::from(2),
            Outside(_) => ExitCode::from(3),
            Interrupted(_) => ExitCode::from(130),
        }
    }

    /// Returns the first word of the printed line.
    pub const fn label(&self) -> &'static str {
        if matches!(self, Interrupted(_)) { "interrupted" } else { "error" }
    }
}

impl std::fmt::Display for CommandFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        /// The parts of a message that are omitted: the number of a system error and the name of a temporary file.
        static DETAILS: LazyLock<Regex> =
            LazyLock::new(|| Regex::new(r#" \(os error \d+\)| at path "[^"]*""#).expect("a pattern"));
        let (Usage(message) | Outside(message) | Interrupted(message)) = self;
        f.write_str(&DETAILS.replace_all(message, ""))
    }
}

impl<E: std::error::Error> From<E> for CommandFailure {
    fn from(error: E) -> CommandFailure {
        Usage(error.to_string())
    }
}

/// Exit code for a broken key table or scheme. It differs from the exit code of a failed `perft gate`, because here the
/// counts and the keys of positions are correct.
const BROKEN_KEYS: u8 = 4;

/// Reports the exit code for a broken key table or scheme, and returns it.
pub fn exit_broken_keys() -> ExitCode {
    say!("exit code {BROKEN_KEYS}: keys are broken (code 1 means that the count or key of a position is wrong)");
    ExitCode::from(BROKEN_KEYS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_error_reads_as_words() {
        let error = std::io::Error::from_raw_os_error(2);
        let failure = Usage(format!("--junit x/y: {error} at path \"x/.draft-1\", expected a writable file"));
        let words = error.to_string().split(" (").next().map(String::from).expect("words");
        assert_eq!(failure.to_string(), format!("--junit x/y: {words}, expected a writable file"));
    }
}
