//! The document of `perft.gate/1`: its schema, `schema/gate-1.schema.json`, is generated from these types.
//!
//! Fields may be added, meanings do not change. Counts are decimal strings: they may need 128 bits.

use crate::formats::decimal::{Decimal, DecimalList, OptionalDecimal};
use crate::formats::move_statistics::MoveStatistics;
use crate::formats::rows::LazyRows;
use perft_gate_judge::gate::RowVerdict;
use serde::Serialize;

/// Name and version of the format.
pub const SCHEMA: &str = "perft.gate/1";

/// The verdict of perft's gate.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GateDocument<'a> {
    /// Always [`SCHEMA`].
    pub(super) schema: &'a str,
    /// Version of the program.
    pub(super) version: &'a str,
    /// `incomplete`: the run was killed after these rows.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["passed", "failed", "interrupted", "nothing-compared", "no-counts", "incomplete"])))]
    pub(super) verdict: &'a str,
    /// Name of the suite: a built-in one or a file.
    pub(super) suite: &'a str,
    /// Task for the positions.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["verify", "count", "stats"])))]
    pub(super) mode: &'a str,
    /// Depth asked for.
    pub(super) depth: u32,
    /// Name of the scheme.
    pub(super) scheme: &'a str,
    /// Seed of its key tables.
    #[serde(with = "Decimal")]
    pub(super) seed: u64,
    /// SIMD level.
    pub(super) level: String,
    /// Number of worker threads.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub(super) threads: usize,
    /// Totals of all rows.
    pub(super) totals: GateTotals,
    /// Random games, if any were played.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "PlayoutsReport<'a>"))]
    pub(super) playouts: Option<PlayoutsReport<'a>>,
    /// Rows, in the order of the suite.
    pub(super) rows: LazyRows<'a, RowVerdict, GateRow<'a>>,
}

/// Totals of a run.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct GateTotals {
    /// Number of rows of the suite.
    pub(super) rows: usize,
    /// Number of rows that passed.
    pub(super) passed: usize,
    /// Number of rows that failed.
    pub(super) failed: usize,
    /// Number of rows that were skipped.
    pub(super) skipped: usize,
    /// Number of nodes that were walked.
    #[serde(with = "Decimal")]
    pub(super) nodes: u128,
    /// Sum of the rows' wall times.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub(super) seconds: f64,
    /// Rows that passed in an earlier run with the same --checkpoint; they are not listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "usize", range(min = 1)))]
    pub(super) passed_before: Option<usize>,
}

/// Verdict on the random games.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct PlayoutsReport<'a> {
    /// Number of games.
    pub(super) games: u64,
    /// Maximum length of a game.
    pub(super) plies: u32,
    /// Seed of the games.
    #[serde(with = "Decimal")]
    pub(super) seed: u64,
    /// Comparisons made, counted where they were made.
    pub(super) checks: CheckCounts,
    /// Comparisons that were due and not made.
    pub(super) missed: Vec<MissedCheck<'a>>,
    /// Failed checks.
    pub(super) mismatches: Vec<PlayoutMismatch<'a>>,
}

/// A failed check of a random game.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct PlayoutMismatch<'a> {
    #[serde(flatten)]
    pub(super) mismatch: FailedCheck<'a>,
    /// The row that the game started from.
    pub(super) row: &'a str,
}

/// Verdict on a row.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct GateRow<'a> {
    /// Name of the row.
    pub(super) id: &'a str,
    /// The position.
    pub(super) fen: &'a str,
    /// Line of the suite; 0 for --fen.
    pub(super) line: usize,
    /// Result.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["passed", "failed", "skipped", "interrupted"])))]
    pub(super) status: &'a str,
    /// Depth asked for.
    pub(super) depth_requested: u32,
    /// Why it was skipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "&'a str"))]
    pub(super) reason: Option<&'a str>,
    #[serde(flatten)]
    pub(super) walk: Option<WalkedRow<'a>>,
}

/// What a walk of a row found.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct WalkedRow<'a> {
    /// Depth walked.
    pub(super) depth: u32,
    /// Source of the expected counts.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["suite", "cross-checked"])))]
    pub(super) expectation: &'a str,
    /// Leaf nodes at the walked depth; null: not known.
    #[serde(with = "OptionalDecimal")]
    pub(super) expected: Option<u128>,
    /// Number of nodes by ply, the root first.
    #[serde(with = "DecimalList")]
    pub(super) nodes: &'a [u128],
    /// Comparisons made, counted where they were made.
    pub(super) checks: CheckCounts,
    /// Number of counts compared.
    #[serde(with = "Decimal")]
    pub(super) counts_compared: u64,
    /// Comparisons that were due and not made: each fails the row.
    pub(super) missed: Vec<MissedCheck<'a>>,
    /// Wall time.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub(super) seconds: f64,
    /// Counts that differ.
    pub(super) wrong_counts: Vec<CountMismatch<'a>>,
    /// Failed checks.
    pub(super) mismatches: Vec<FailedCheck<'a>>,
    /// V5, of each scheme.
    pub(super) identities: Vec<IdentityJson<'a>>,
    /// Schemes of which V5 could not be made: the row has failed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) identities_missed: Vec<MissedIdentity<'a>>,
    /// Where two generators part.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "WrongMoves<'a>"))]
    pub(super) first_wrong: Option<WrongMoves<'a>>,
    /// Statistics of the moves, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "MoveStatistics"))]
    pub(super) statistics: Option<MoveStatistics>,
}

/// Number of comparisons of each check.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct CheckCounts {
    /// V0, at inner nodes.
    #[serde(with = "Decimal")]
    pub(super) boards: u64,
    /// V2, at every node.
    #[serde(with = "Decimal")]
    pub(super) keys: u64,
    /// V3, after every unmake.
    #[serde(with = "Decimal")]
    pub(super) unmakes: u64,
    /// V4, after every null move that was taken back.
    #[serde(with = "Decimal")]
    pub(super) null_moves: u64,
    /// V4 of the key after every null move.
    #[serde(with = "Decimal")]
    pub(super) null_move_keys: u64,
    /// V6, at sampled nodes.
    #[serde(with = "Decimal")]
    pub(super) round_trips: u64,
}

/// A check that made more or fewer comparisons than were due.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct MissedCheck<'a> {
    /// Name of the check.
    pub(super) check: &'a str,
    /// Number of comparisons due.
    #[serde(with = "Decimal")]
    pub(super) due: u128,
    /// Number of comparisons made.
    #[serde(with = "Decimal")]
    pub(super) made: u128,
}

/// A count that differs.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct CountMismatch<'a> {
    /// Number of plies from the root.
    pub(super) depth: usize,
    /// Source of the expected count.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["suite", "cross-checked"])))]
    pub(super) expectation: &'a str,
    /// Expected count.
    #[serde(with = "Decimal")]
    pub(super) expected: u128,
    /// Count found.
    #[serde(with = "Decimal")]
    pub(super) found: u128,
}

/// A failed check.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct FailedCheck<'a> {
    /// V0, V2, V3, V4 or V6, and its name.
    pub(super) check: String,
    /// Name of the scheme.
    pub(super) scheme: &'a str,
    /// Name of the secondary key, or `position`.
    pub(super) key: &'a str,
    /// Moves from the row's position, the last one is at fault.
    #[cfg_attr(feature = "schema", schemars(inner(regex(pattern = UCI))))]
    pub(super) path: Vec<String>,
    /// Position before the last move.
    pub(super) fen_before: &'a str,
    /// Position after it.
    pub(super) fen_after: &'a str,
    /// Expected value.
    pub(super) expected: &'a str,
    /// Value found.
    pub(super) found: &'a str,
    /// Of two keys: expected xor found.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String", regex(pattern = "^[0-9a-f]{16}$")))]
    pub(super) difference: Option<String>,
    /// Terms that explain the difference of two keys.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "TermSets<'a>"))]
    pub(super) diagnosis: Option<TermSets<'a>>,
}

/// Terms that explain a wrong key.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct TermSets<'a> {
    /// Whether one set explains it, several, or none.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["terms", "ambiguous", "unexplained"])))]
    pub(super) kind: &'a str,
    /// Sets of terms, each of which explains the difference.
    pub(super) sets: Vec<Vec<String>>,
}

/// V5 of a scheme.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct IdentityJson<'a> {
    /// Name of the scheme.
    pub(super) scheme: &'a str,
    /// Ply of the positions.
    pub(super) ply: u32,
    /// Number of different positions.
    #[serde(with = "Decimal")]
    pub(super) positions: u64,
    /// Number of different keys.
    #[serde(with = "Decimal")]
    pub(super) keys: u64,
    /// Number of positions compared.
    #[serde(with = "Decimal")]
    pub(super) compared: u64,
    /// Positions that share a key by chance.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub(super) expected_lost: f64,
    /// Result.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["passed", "failed"])))]
    pub(super) status: &'a str,
    /// A position with two keys, or two positions with one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "KeyClash"))]
    pub(super) clash: Option<KeyClash>,
}

/// A position with two keys, or two positions with one.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct KeyClash {
    /// One position, or two.
    pub(super) positions: Vec<String>,
    /// Two keys, or one.
    pub(super) keys: Vec<String>,
}

/// A scheme of which V5 could not be made.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct MissedIdentity<'a> {
    /// Name of the scheme.
    pub(super) scheme: &'a str,
    /// Why it could not be made.
    pub(super) reason: &'a str,
}

/// A position whose moves are wrong.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct WrongMoves<'a> {
    /// Moves that lead to it.
    #[cfg_attr(feature = "schema", schemars(inner(regex(pattern = UCI))))]
    pub(super) path: Vec<String>,
    /// The position.
    pub(super) fen: &'a str,
    /// Legal moves that were not generated.
    #[cfg_attr(feature = "schema", schemars(inner(regex(pattern = UCI))))]
    pub(super) missing: Vec<String>,
    /// Generated moves that are not legal.
    #[cfg_attr(feature = "schema", schemars(inner(regex(pattern = UCI))))]
    pub(super) extra: &'a [String],
}

/// A move in UCI notation.
#[cfg(feature = "schema")]
pub(super) const UCI: &str = "^[a-h][1-8][a-h][1-8][nbrq]?$";
