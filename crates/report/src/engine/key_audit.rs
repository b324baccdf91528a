//! The audit of an engine's keys, and its verdict.

use perft_gate_engine::KeyAudit;
use perft_gate_lab::quality::{Audit, AuditVerdict};

/// The audit of an engine's keys.
#[derive(Clone, Copy, Debug)]
pub struct AuditedEngine<'a> {
    /// The command, as it was typed.
    pub command: &'a str,
    /// What was learned.
    pub audit: &'a KeyAudit,
    /// The judged numbers, if there is a table.
    pub numbers: Option<&'a Audit>,
}

/// Verdict on an engine's keys.
#[derive(serde::Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum EngineKeysVerdict {
    /// Nothing was found.
    Sound,
    /// The numbers are worse than random ones in a way that whole keys may not show.
    Suspicious,
    /// Positions of games collide more often than with random numbers.
    Broken,
    /// A key is wrong.
    Wrong,
    /// The numbers were not learned.
    Unknown,
}

impl EngineKeysVerdict {
    /// Returns `sound`, `suspicious`, `broken`, `wrong` or `unknown`.
    pub const fn name(self) -> &'static str {
        match self {
            EngineKeysVerdict::Sound => "sound",
            EngineKeysVerdict::Suspicious => "suspicious",
            EngineKeysVerdict::Broken => "broken",
            EngineKeysVerdict::Wrong => "wrong",
            EngineKeysVerdict::Unknown => "unknown",
        }
    }
}

impl AuditedEngine<'_> {
    /// Returns the verdict: a wrong key is worse than a bad number.
    pub fn verdict(&self) -> EngineKeysVerdict {
        match self.numbers.map(Audit::verdict) {
            _ if self.audit.has_wrong_keys() => EngineKeysVerdict::Wrong,
            Some(AuditVerdict::Broken) => EngineKeysVerdict::Broken,
            Some(AuditVerdict::Suspicious) => EngineKeysVerdict::Suspicious,
            Some(AuditVerdict::Sound) => EngineKeysVerdict::Sound,
            None => EngineKeysVerdict::Unknown,
        }
    }
}
