//! Why an engine gave no answer.

/// Reason why an engine gave no answer.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[derive(Clone, PartialEq, Eq, Default, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EngineFailure {
    /// Reason.
    pub kind: FailureKind,
    /// Request, and what happened.
    pub message: String,
    /// Last lines it wrote to stderr.
    pub stderr: Vec<String>,
    /// Lines that show it by hand: what was sent since the last position, or the command line of a program.
    #[serde(rename = "to_see")]
    pub asked: Vec<String>,
}
