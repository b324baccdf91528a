//! The document of `perft.engine/1`: its schema, `schema/engine-1.schema.json`, is generated from these types.
//!
//! Fields may be added, meanings do not change. Counts are decimal strings: they may need 128 bits.

use crate::formats::decimal::{Decimal, OptionalDecimal};
use crate::formats::rows::LazyRows;
use perft_gate_engine::EngineVerdict;
use serde::Serialize;

/// Name and version of the format.
pub const SCHEMA: &str = "perft.engine/1";

/// The verdict of perft on an engine.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EngineDocument<'a> {
    /// Always [`SCHEMA`].
    pub(super) schema: &'a str,
    /// Version of the program.
    pub(super) version: &'a str,
    /// `incomplete`: the run was killed after these rows.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["passed", "failed", "no-perft", "engine-failed", "interrupted", "nothing-compared", "incomplete"])))]
    pub(super) verdict: &'a str,
    /// The engine.
    pub(super) engine: EngineDetails<'a>,
    /// Name of the suite: a built-in one or a file.
    pub(super) suite: &'a str,
    /// Depth asked for.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub(super) depth: u32,
    /// Wall time of the run.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub(super) seconds: f64,
    /// Time in which an engine was waited for.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub(super) engine_seconds: f64,
    /// Time of our counter.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub(super) counting_seconds: f64,
    /// Time of the rows, over all processes, in which no engine was waited for: counting, reading, checking.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub(super) own_seconds: f64,
    /// Rows that passed in an earlier run with the same --checkpoint; they are not listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "usize", range(min = 1)))]
    pub(super) passed_before: Option<usize>,
    /// What the printed key depends on; absent if none is printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "PrintedKeys<'a>"))]
    pub(super) keys: Option<PrintedKeys<'a>>,
    /// Known faults of the run that it has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) expected_faults: Vec<&'a str>,
    /// Known faults of the run that it has no longer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) faults_gone: Vec<&'a str>,
    /// Rows of which the total alone was compared; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "TotalsOnly<'a>"))]
    pub(super) totals_only: Option<TotalsOnly<'a>>,
    /// Why there are no rows, if the engine could not be asked for any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "NoAnswer<'a>"))]
    pub(super) failure: Option<NoAnswer<'a>>,
    /// Rows, in the order of the suite.
    pub(super) rows: LazyRows<'a, EngineVerdict, EngineRow<'a>>,
}

/// An engine.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct EngineDetails<'a> {
    /// Name that it gives itself.
    pub(super) name: &'a str,
    /// The command, as it was typed.
    pub(super) command: &'a str,
    /// The perft command, or the command line of a program without UCI.
    pub(super) verb: &'a str,
    /// How the engine answers, found out before the first row; absent if it could not be asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "AnswerForm<'a>"))]
    pub(super) learned: Option<AnswerForm<'a>>,
}

/// How an engine answers.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct AnswerForm<'a> {
    /// False if it prints the total alone.
    pub(super) moves: bool,
    /// How the end of an answer is known.
    pub(super) end: &'a str,
    /// What it shows of a position; absent if it was not asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "PositionDisplay<'a>"))]
    pub(super) display: Option<PositionDisplay<'a>>,
}

/// What an engine shows of a position.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct PositionDisplay<'a> {
    /// The command that shows it.
    pub(super) command: &'a str,
    /// True if the FEN is shown.
    pub(super) fen: bool,
    /// The line of the key; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "KeyLine<'a>"))]
    pub(super) key: Option<KeyLine<'a>>,
}

/// The line of a key.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct KeyLine<'a> {
    /// Words before the key.
    pub(super) line: &'a str,
    /// Base in which it is printed.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["hexadecimal", "decimal"])))]
    pub(super) base: &'a str,
}

/// What printed keys depend on.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct PrintedKeys<'a> {
    /// Number of bits in which keys differ.
    pub(super) bits: u32,
    /// Halfmove clock from which the key depends on it; null: on none.
    pub(super) clock_from: Option<u32>,
    /// When an e.p. square of a FEN is in the key.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["legal", "pseudo", "always", "between", "none"])))]
    pub(super) policy_by_fen: &'a str,
    /// When the e.p. square of a move is in the key.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["legal", "pseudo", "always", "between", "none"])))]
    pub(super) policy_by_moves: &'a str,
    /// Faults of the run, which depend on no row.
    pub(super) findings: Vec<WrongPrintedKey<'a>>,
}

/// Rows of which the total alone was compared.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct TotalsOnly<'a> {
    /// Number of rows.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub(super) rows: usize,
    /// The first line that was not understood.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "&'a str"))]
    pub(super) not_understood: Option<&'a str>,
}

/// Why there is no answer.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct NoAnswer<'a> {
    /// What happened.
    pub(super) message: &'a str,
    /// Last lines that the engine wrote to standard error.
    pub(super) stderr: &'a [String],
    /// Lines that show it by hand.
    pub(super) to_see: &'a [String],
}

/// A wrong key.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct WrongPrintedKey<'a> {
    /// Kind of fault.
    pub(super) fault: &'a str,
    /// Its cause.
    pub(super) cause: &'a str,
    /// The position that shows it.
    pub(super) position: String,
    /// Expected value.
    pub(super) expected: &'a str,
    /// Value found.
    pub(super) found: &'a str,
    /// The position that it is compared with.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub(super) against: Option<String>,
}

/// Verdict on a row.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct EngineRow<'a> {
    /// Name of the row.
    pub(super) id: &'a str,
    /// The position.
    pub(super) fen: &'a str,
    /// Line of the suite; 0 for --fen.
    pub(super) line: usize,
    /// Result.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["pass", "wrong-count", "wrong-total", "wrong-key", "wrong-fen", "wrong-list", "fen-rejected", "timeout", "crash", "unparsed", "skipped", "interrupted"])))]
    pub(super) verdict: &'a str,
    /// Number of plies counted; the shallowest that is wrong.
    pub(super) depth: u32,
    /// Wall time.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub(super) seconds: f64,
    /// Rate of the deepest answer; absent where the time means nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64", range(min = 0)))]
    pub(super) nodes_per_second: Option<f64>,
    /// What became of a known failure; absent if the row is not listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("enum" = ["met", "passed", "missed"])))]
    pub(super) expected_failure: Option<&'a str>,
    /// Why it was skipped, or what the engine says of a position that it refuses.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub(super) reason: Option<&'a str>,
    /// Class of a position that was answered wrongly; a tolerated one may be refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("enum" = ["plausible", "legal", "tolerated"])))]
    pub(super) class: Option<&'a str>,
    /// Expected number of leaves.
    #[serde(with = "OptionalDecimal", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Decimal"))]
    pub(super) expected: Option<u128>,
    /// Number of leaves found.
    #[serde(with = "OptionalDecimal", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Decimal"))]
    pub(super) found: Option<u128>,
    /// Root moves whose leaves differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) subtotals: Vec<MoveCounts>,
    /// Counts of the list that are not ours.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) wrong_listed: Vec<ListedCount>,
    /// Sum of the root moves, if the total is another.
    #[serde(with = "OptionalDecimal", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Decimal"))]
    pub(super) sum: Option<u128>,
    /// Where the walk is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "FaultyMove<'a>"))]
    pub(super) wrong_move: Option<FaultyMove<'a>>,
    /// Comparisons of keys.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "KeyComparisons<'a>"))]
    pub(super) keys: Option<KeyComparisons<'a>>,
    /// Whether the root moves were compared, or the total alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("enum" = ["moves", "total"])))]
    pub(super) compared: Option<&'a str>,
    /// True if moves are listed without what tells them apart, and compared as sets.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) as_sets: bool,
    /// The first line that was not understood, where moves are missing or were not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub(super) not_understood: Option<&'a str>,
    /// Why there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "NoAnswer<'a>"))]
    pub(super) failure: Option<NoAnswer<'a>>,
}

/// A root move whose leaves differ.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct MoveCounts {
    /// The move in UCI notation.
    #[serde(rename = "move")]
    pub(super) mv: String,
    /// Expected number of leaves.
    #[serde(with = "Decimal")]
    pub(super) expected: u128,
    /// Number of leaves found.
    #[serde(with = "Decimal")]
    pub(super) found: u128,
}

/// A count of the list that is not ours.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct ListedCount {
    /// Number of plies.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub(super) depth: u32,
    /// Number that the list has.
    #[serde(with = "Decimal")]
    pub(super) listed: u128,
    /// Number that we count.
    #[serde(with = "Decimal")]
    pub(super) counted: u128,
}

/// Comparisons of a row's keys.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct KeyComparisons<'a> {
    /// Number of keys after moves compared with those of FENs.
    #[serde(with = "Decimal")]
    pub(super) compared: u64,
    /// Number of FENs after moves compared with the positions.
    #[serde(with = "Decimal")]
    pub(super) fens: u64,
    /// Number of different positions.
    #[serde(with = "Decimal")]
    pub(super) positions: u64,
    /// Number of transpositions.
    #[serde(with = "Decimal")]
    pub(super) transpositions: u64,
    /// Wrong keys.
    pub(super) findings: Vec<WrongPrintedKey<'a>>,
}

/// Where an engine's walk is wrong.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct FaultyMove<'a> {
    /// Kind of fault.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["moves", "made", "unmade", "number", "walk", "sum-over-plies", "end-counted", "drawn", "table-ignores-depth", "pseudo-legal", "remembers", "bulk-count"])))]
    pub(super) fault: &'a str,
    /// Moves from the row's position.
    pub(super) path: Vec<String>,
    /// The position there.
    pub(super) fen: &'a str,
    /// The same, as the engine is told of it.
    pub(super) position: String,
    /// Plies that remain there.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub(super) depth: u32,
    /// Legal moves that are missing.
    pub(super) missing: Vec<MoveAndRule<'a>>,
    /// Moves that are not legal.
    pub(super) extra: Vec<MoveAndRule<'a>>,
    /// Expected count.
    #[serde(with = "Decimal")]
    pub(super) expected: u128,
    /// Count found.
    #[serde(with = "Decimal")]
    pub(super) found: u128,
    /// Lines in the place of missing moves that were not understood.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub(super) unread: &'a [String],
    /// Why only the engine's own walk is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub(super) cause: Option<&'a str>,
    /// The move that was made wrongly.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "WronglyMade<'a>"))]
    pub(super) made: Option<WronglyMade<'a>>,
}

/// A move and the rule behind it.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct MoveAndRule<'a> {
    /// The move, as written.
    #[serde(rename = "move")]
    pub(super) mv: &'a str,
    /// The rule.
    pub(super) rule: &'a str,
}

/// A move that was made wrongly.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct WronglyMade<'a> {
    #[serde(flatten)]
    pub(super) mv: MoveAndRule<'a>,
    /// The position before it.
    pub(super) fen: &'a str,
}
