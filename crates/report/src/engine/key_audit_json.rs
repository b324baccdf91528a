//! `perft.engine-keys/1`: the audit of an engine's keys, as `schema/engine-keys-1.schema.json` defines it.

use super::document::WrongPrintedKey;
use super::key_audit::AuditedEngine;
use crate::formats::decimal::Decimal;
use crate::formats::file;
use crate::keys::json::KeysDocument;
use perft_gate_engine::{
    BackRankPawns, CastlingForm, EnPassantForm, KeyComposition, KeyFacts, SchemeMatch, TableCheck, TableMismatch,
};
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
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["sound", "suspicious", "broken", "wrong", "unknown"])))]
    verdict: &'a str,
    /// Name that the engine gives itself.
    engine: &'a str,
    /// The command, as it was typed.
    command: &'a str,
    /// Number of positions that it was asked for.
    #[serde(with = "Decimal")]
    questions: u64,
    /// What the keys show of the scheme.
    facts: SchemeFacts<'a>,
    /// The known scheme that the keys are like, or are expected to be.
    scheme: Option<ComparedScheme<'a>>,
    /// Keys of whole positions; null: there is no table.
    positions: Option<ComparedPositions<'a>>,
    /// Number of keys after moves that were compared with keys by FEN.
    #[serde(with = "Decimal")]
    moves: u64,
    /// Wrong keys.
    findings: Vec<WrongPrintedKey<'a>>,
    /// The judged numbers, as `perft keys audit` writes them; null: there is no table.
    numbers: Option<KeysDocument<'a>>,
    /// Why there is no table; null: there is one.
    no_table: Option<&'a str>,
}

/// What keys show of a scheme.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct SchemeFacts<'a> {
    /// Number of bits in which keys differ.
    bits: u32,
    /// How numbers make keys; `other`: neither predicts them.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["xor", "sum", "other"])))]
    combine: &'a str,
    /// Number of known numbers of pieces, of 768.
    piece_numbers: usize,
    /// Number of different ones among them, without the kings'.
    different_piece_numbers: usize,
    /// Number of pawns on back ranks whose keys the engine shows; null: it was not asked, or ended at the first.
    back_rank_pawns: Option<usize>,
    /// Numbers of castling rights; `partial`: some rights change nothing.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["by-right", "by-set", "partial", "none"])))]
    castling: &'a str,
    /// Number of sets of castling rights that were learned, none among them.
    castling_sets: usize,
    /// Numbers of e.p. squares.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["by-file", "by-square", "unknown"])))]
    en_passant: &'a str,
    /// When an e.p. square of a FEN is in the key.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["legal", "pseudo", "always", "between", "none"])))]
    policy: &'a str,
    /// True if the side to move changes the key.
    side: bool,
    /// Halfmove clocks whose key is another than that of the clock before.
    clocks: &'a [u32],
    /// True if the number of the move is in the key.
    fullmove: bool,
    /// Numbers that are 0 or equal, in words.
    shared: &'a [String],
}

/// A comparison with the keys of a scheme.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ComparedScheme<'a> {
    /// Its name.
    name: &'a str,
    /// Number of numbers that were compared.
    compared: usize,
    /// Number of them that are equal, perhaps in another order.
    equal: usize,
    /// Differences in words; empty: the keys are those of the scheme.
    differences: &'a [String],
}

/// Keys of whole positions, compared with those that the numbers give.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ComparedPositions<'a> {
    /// Number of equal keys.
    right: usize,
    /// Number of other keys.
    wrong: usize,
    /// Number of positions that the engine did not take, or of which a number is not known.
    refused: usize,
    /// The first other key.
    first: Option<UnexplainedKey<'a>>,
}

/// A key that the numbers do not give.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct UnexplainedKey<'a> {
    /// The position that shows it.
    position: String,
    /// Expected key.
    expected: &'a str,
    /// Key found.
    found: &'a str,
    /// Terms of the difference; null: not explained.
    terms: Option<&'a str>,
}

/// Returns the document of an audit.
pub fn document(audited: &AuditedEngine<'_>) -> String {
    let audit = audited.audit;
    file::text(&EngineKeysDocument {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION"),
        verdict: audited.verdict().name(),
        engine: &audit.name,
        command: audited.command,
        questions: audit.questions,
        facts: SchemeFacts::from(&audit.facts),
        scheme: audit.conventions.scheme.as_ref().map(ComparedScheme::from),
        positions: audit.check.as_ref().map(ComparedPositions::from),
        moves: audit.moves,
        findings: audit.conventions.findings.iter().chain(&audit.findings).map(WrongPrintedKey::from).collect(),
        numbers: audited.numbers.map(|numbers| KeysDocument::of(&audit.name, None, numbers)),
        no_table: audit.table.as_ref().err().map(String::as_str),
    })
}

impl<'a> From<&'a KeyFacts> for SchemeFacts<'a> {
    fn from(facts: &'a KeyFacts) -> SchemeFacts<'a> {
        SchemeFacts {
            bits: facts.bits,
            combine: match facts.composition {
                KeyComposition::Xor => "xor",
                KeyComposition::Sum(_) => "sum",
                KeyComposition::Other => "other",
            },
            piece_numbers: facts.pieces,
            different_piece_numbers: facts.different,
            back_rank_pawns: match facts.back_rank_pawns {
                BackRankPawns::Known(number) => Some(number),
                BackRankPawns::Died | BackRankPawns::NotAsked => None,
            },
            castling: match facts.castling {
                CastlingForm::ByRight => "by-right",
                CastlingForm::BySet => "by-set",
                CastlingForm::Without(_) => "partial",
                CastlingForm::None => "none",
            },
            castling_sets: facts.castling_sets,
            en_passant: match facts.en_passant {
                EnPassantForm::ByFile => "by-file",
                EnPassantForm::BySquare => "by-square",
                EnPassantForm::Unknown => "unknown",
            },
            policy: facts.habit.name(),
            side: facts.side,
            clocks: &facts.clocks,
            fullmove: facts.fullmove,
            shared: &facts.coincidences,
        }
    }
}

impl<'a> From<&'a SchemeMatch> for ComparedScheme<'a> {
    fn from(compared: &'a SchemeMatch) -> ComparedScheme<'a> {
        let SchemeMatch { name, compared, equal, differences, .. } = compared;
        ComparedScheme { name, compared: *compared, equal: *equal, differences }
    }
}

impl<'a> From<&'a TableCheck> for ComparedPositions<'a> {
    fn from(check: &'a TableCheck) -> ComparedPositions<'a> {
        let first = check.first.as_ref().map(UnexplainedKey::from);
        ComparedPositions { right: check.right, wrong: check.wrong, refused: check.refused, first }
    }
}

impl<'a> From<&'a TableMismatch> for UnexplainedKey<'a> {
    fn from(first: &'a TableMismatch) -> UnexplainedKey<'a> {
        let TableMismatch { position, expected, found, terms } = first;
        UnexplainedKey { position: position.to_string(), expected, found, terms: terms.as_deref() }
    }
}
