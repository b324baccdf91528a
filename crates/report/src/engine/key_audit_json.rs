//! `perft.engine-keys/1`: the audit of an engine's keys, as `schema/engine-keys-1.schema.json` defines it.

use super::key_audit::{AuditedEngine, EngineKeysVerdict};
use crate::formats::file;
use crate::keys::json::KeysDocument;
use perft_gate_chess::json::Decimal;
use perft_gate_engine::{KeyFacts, KeyFinding, SchemeMatch, TableCheck};
use serde::Serialize;

/// Name and version of the format.
pub const SCHEMA: &str = "perft.engine-keys/1";

/// The audit of an engine's own key table.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EngineKeysDocument<'a> {
    /// Always [`SCHEMA`].
    schema: &'a str,
    /// Version of the program.
    version: &'a str,
    /// `wrong`: a key depends on more than the position, or is not made of the numbers; `unknown`: no table was learned.
    verdict: EngineKeysVerdict,
    /// Name that the engine gives itself.
    engine: &'a str,
    /// The command, as it was typed.
    command: &'a str,
    /// Number of positions that it was asked for.
    #[serde(with = "Decimal")]
    questions: u64,
    /// What the keys show of the scheme.
    facts: &'a KeyFacts,
    /// The known scheme that the keys are like, or are expected to be.
    scheme: Option<&'a SchemeMatch>,
    /// Keys of whole positions; null: there is no table.
    positions: Option<&'a TableCheck>,
    /// Number of keys after moves that were compared with keys by FEN.
    #[serde(with = "Decimal")]
    moves: u64,
    /// Wrong keys.
    findings: Vec<&'a KeyFinding>,
    /// The judged numbers, as `perft keys audit` writes them; null: there is no table.
    numbers: Option<KeysDocument<'a>>,
    /// Why there is no table; null: there is one.
    no_table: Option<&'a str>,
}

/// Returns the document of an audit.
pub fn document(audited: &AuditedEngine<'_>) -> String {
    let audit = audited.audit;
    file::text(&EngineKeysDocument {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION"),
        verdict: audited.verdict(),
        engine: &audit.name,
        command: audited.command,
        questions: audit.questions,
        facts: &audit.facts,
        scheme: audit.conventions.scheme.as_ref(),
        positions: audit.check.as_ref(),
        moves: audit.moves,
        findings: audit.conventions.findings.iter().chain(&audit.findings).collect(),
        numbers: audited.numbers.map(|numbers| KeysDocument::of(&audit.name, None, numbers)),
        no_table: audit.table.as_ref().err().map(String::as_str),
    })
}
