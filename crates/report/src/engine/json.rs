//! `perft.engine/1`: the machine-readable verdict on an engine, as `schema/engine-1.schema.json` defines it.
//!
//! Fields may be added, meanings do not change. Counts are decimal strings: they may need 128 bits.

use super::run::EngineRun;
use crate::formats::decimal::{Decimal, OptionalDecimal};
use crate::formats::file;
use crate::formats::rows::LazyRows;
use perft_gate_chess::EnPassantPolicy;
use perft_gate_engine::{
    CountFault, EngineFailure, EngineVerdict, ExplainedMove, KeyFinding, Learned, RowOutcome, WrongPosition,
};
use serde::Serialize;

/// Name and version of the format.
pub const SCHEMA: &str = "perft.engine/1";

/// The verdict of perft on an engine.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EngineDocument<'a> {
    /// Always [`SCHEMA`].
    schema: &'a str,
    /// Version of the program.
    version: &'a str,
    /// `incomplete`: the run was killed after these rows.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["passed", "failed", "no-perft", "engine-failed", "interrupted", "nothing-compared", "incomplete"])))]
    verdict: &'a str,
    /// The engine.
    engine: EngineDetails<'a>,
    /// Name of the suite: a built-in one or a file.
    suite: &'a str,
    /// Depth asked for.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    depth: u32,
    /// Wall time of the run.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    seconds: f64,
    /// Time in which an engine was waited for.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    engine_seconds: f64,
    /// Time of our counter.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    counting_seconds: f64,
    /// Time of the rows, over all processes, in which no engine was waited for: counting, reading, checking.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    own_seconds: f64,
    /// Rows that passed in an earlier run with the same --checkpoint; they are not listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "usize", range(min = 1)))]
    passed_before: Option<usize>,
    /// What the printed key depends on; absent if none is printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "PrintedKeys<'a>"))]
    keys: Option<PrintedKeys<'a>>,
    /// Rows of which the total alone was compared; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "TotalsOnly<'a>"))]
    totals_only: Option<TotalsOnly<'a>>,
    /// Why there are no rows, if the engine could not be asked for any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "NoAnswer<'a>"))]
    failure: Option<NoAnswer<'a>>,
    /// Rows, in the order of the suite.
    rows: LazyRows<'a, EngineVerdict, EngineRow<'a>>,
}

/// An engine.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct EngineDetails<'a> {
    /// Name that it gives itself.
    name: &'a str,
    /// The command, as it was typed.
    command: &'a str,
    /// The perft command, or the command line of a program without UCI.
    verb: &'a str,
    /// How the engine answers, found out before the first row; absent if it could not be asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "AnswerForm<'a>"))]
    learned: Option<AnswerForm<'a>>,
}

/// How an engine answers.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct AnswerForm<'a> {
    /// False if it prints the total alone.
    moves: bool,
    /// How the end of an answer is known.
    end: &'a str,
    /// What it shows of a position; absent if it was not asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "PositionDisplay<'a>"))]
    display: Option<PositionDisplay<'a>>,
}

/// What an engine shows of a position.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct PositionDisplay<'a> {
    /// The command that shows it.
    command: &'a str,
    /// True if the FEN is shown.
    fen: bool,
    /// The line of the key; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "KeyLine<'a>"))]
    key: Option<KeyLine<'a>>,
}

/// The line of a key.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct KeyLine<'a> {
    /// Words before the key.
    line: &'a str,
    /// Base in which it is printed.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["hexadecimal", "decimal"])))]
    base: &'a str,
}

/// What printed keys depend on.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct PrintedKeys<'a> {
    /// Number of bits in which keys differ.
    bits: u32,
    /// Halfmove clock from which the key depends on it; null: on none.
    clock_from: Option<u32>,
    /// When an e.p. square of a FEN is in the key.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["legal", "pseudo", "always", "none"])))]
    policy_by_fen: &'a str,
    /// When the e.p. square of a move is in the key.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["legal", "pseudo", "always", "none"])))]
    policy_by_moves: &'a str,
    /// What is wrong whatever the row.
    findings: Vec<WrongPrintedKey<'a>>,
}

/// Rows of which the total alone was compared.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct TotalsOnly<'a> {
    /// Number of rows.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    rows: usize,
    /// The first line that was not understood.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "&'a str"))]
    not_understood: Option<&'a str>,
}

/// Why there is no answer.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct NoAnswer<'a> {
    /// What happened.
    message: &'a str,
    /// Last lines that the engine wrote to standard error.
    stderr: &'a [String],
    /// Lines that show it by hand.
    to_see: &'a [String],
}

/// A wrong key.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct WrongPrintedKey<'a> {
    /// Kind of fault.
    fault: &'a str,
    /// Its cause.
    cause: &'a str,
    /// The position that shows it.
    position: String,
    /// Expected value.
    expected: &'a str,
    /// Value found.
    found: &'a str,
    /// The position that it is compared with.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    against: Option<String>,
}

/// Verdict on a row.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct EngineRow<'a> {
    /// Name of the row.
    id: &'a str,
    /// The position.
    fen: &'a str,
    /// Line of the suite; 0 for --fen.
    line: usize,
    /// Result.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["pass", "wrong-count", "wrong-total", "wrong-key", "wrong-list", "fen-rejected", "timeout", "crash", "unparsed", "skipped", "interrupted"])))]
    verdict: &'a str,
    /// Number of plies counted; the shallowest that is wrong.
    depth: u32,
    /// Wall time.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    seconds: f64,
    /// Rate of the deepest answer; absent where the time means nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64", range(min = 0)))]
    nodes_per_second: Option<f64>,
    /// What became of a known failure; absent if the row is not listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("enum" = ["met", "passed", "missed"])))]
    expected_failure: Option<&'a str>,
    /// Why it was skipped, or what the engine says of a position that it refuses.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    reason: Option<&'a str>,
    /// Class of a position that was answered wrongly; a tolerated one may be refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("enum" = ["plausible", "legal", "tolerated"])))]
    class: Option<&'a str>,
    /// Expected number of leaves.
    #[serde(with = "OptionalDecimal", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Decimal"))]
    expected: Option<u128>,
    /// Number of leaves found.
    #[serde(with = "OptionalDecimal", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Decimal"))]
    found: Option<u128>,
    /// Root moves whose leaves differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    subtotals: Vec<MoveCounts>,
    /// Counts of the list that are not ours.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    wrong_listed: Vec<ListedCount>,
    /// Sum of the root moves, if the total is another.
    #[serde(with = "OptionalDecimal", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Decimal"))]
    sum: Option<u128>,
    /// Where the walk is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "FaultyMove<'a>"))]
    wrong_move: Option<FaultyMove<'a>>,
    /// Comparisons of keys.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "KeyComparisons<'a>"))]
    keys: Option<KeyComparisons<'a>>,
    /// Whether the root moves were compared, or the total alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("enum" = ["moves", "total"])))]
    compared: Option<&'a str>,
    /// True if moves are listed without what tells them apart, and compared as sets.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    as_sets: bool,
    /// The first line that was not understood, where moves are missing or were not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    not_understood: Option<&'a str>,
    /// Why there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "NoAnswer<'a>"))]
    failure: Option<NoAnswer<'a>>,
}

/// A root move whose leaves differ.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct MoveCounts {
    /// The move in UCI notation.
    #[serde(rename = "move")]
    mv: String,
    /// Expected number of leaves.
    #[serde(with = "Decimal")]
    expected: u128,
    /// Number of leaves found.
    #[serde(with = "Decimal")]
    found: u128,
}

/// A count of the list that is not ours.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ListedCount {
    /// Number of plies.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    depth: u32,
    /// Number that the list has.
    #[serde(with = "Decimal")]
    listed: u128,
    /// Number that we count.
    #[serde(with = "Decimal")]
    counted: u128,
}

/// Comparisons of a row's keys.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct KeyComparisons<'a> {
    /// Number of keys after moves compared with those of FENs.
    #[serde(with = "Decimal")]
    compared: u64,
    /// Number of different positions.
    #[serde(with = "Decimal")]
    positions: u64,
    /// Number of transpositions.
    #[serde(with = "Decimal")]
    transpositions: u64,
    /// Wrong keys.
    findings: Vec<WrongPrintedKey<'a>>,
}

/// Where an engine's walk is wrong.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct FaultyMove<'a> {
    /// Kind of fault.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["moves", "made", "unmade", "number", "walk", "sum-over-plies", "end-counted", "drawn", "table-ignores-depth", "remembers", "bulk-count"])))]
    fault: &'a str,
    /// Moves from the row's position.
    path: Vec<String>,
    /// The position there.
    fen: &'a str,
    /// The same, as the engine is told of it.
    position: String,
    /// Plies that remain there.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    depth: u32,
    /// Legal moves that are missing.
    missing: Vec<MoveAndRule<'a>>,
    /// Moves that are not legal.
    extra: Vec<MoveAndRule<'a>>,
    /// Expected count.
    #[serde(with = "Decimal")]
    expected: u128,
    /// Count found.
    #[serde(with = "Decimal")]
    found: u128,
    /// Lines in the place of missing moves that were not understood.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    unread: &'a [String],
    /// Why only the engine's own walk is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    cause: Option<&'a str>,
    /// The move that was made wrongly.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "WronglyMade<'a>"))]
    made: Option<WronglyMade<'a>>,
}

/// A move and the rule behind it.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct MoveAndRule<'a> {
    /// The move, as written.
    #[serde(rename = "move")]
    mv: &'a str,
    /// The rule.
    rule: &'a str,
}

/// A move that was made wrongly.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct WronglyMade<'a> {
    #[serde(flatten)]
    mv: MoveAndRule<'a>,
    /// The position before it.
    fen: &'a str,
}

/// Returns the document of a run.
pub fn document(run: &EngineRun<'_>) -> String {
    let summary = run.summary;
    let policy = |policy: Option<EnPassantPolicy>| policy.map_or("none", EnPassantPolicy::name);
    let keys = summary.conventions.as_ref().map(|conventions| PrintedKeys {
        bits: conventions.bits(),
        clock_from: conventions.clock_from,
        policy_by_fen: policy(conventions.by_fen),
        policy_by_moves: policy(conventions.by_moves),
        findings: conventions.findings.iter().map(WrongPrintedKey::from).collect(),
    });
    let totals = run.totals_only().count();
    let not_understood = run.not_understood().map(String::as_str);
    file::text(&EngineDocument {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION"),
        verdict: run.verdict(),
        engine: EngineDetails {
            name: &summary.name,
            command: run.command,
            verb: run.verb,
            learned: run.learned.map(AnswerForm::from),
        },
        suite: run.suite,
        depth: run.depth,
        seconds: summary.time.as_secs_f64(),
        engine_seconds: summary.waited.as_secs_f64(),
        counting_seconds: summary.counting.as_secs_f64(),
        own_seconds: summary.own.as_secs_f64(),
        passed_before: (summary.before > 0).then_some(summary.before),
        keys,
        totals_only: (totals > 0).then_some(TotalsOnly { rows: totals, not_understood }),
        failure: summary.failure.as_ref().map(NoAnswer::from),
        rows: LazyRows(&summary.verdicts, row),
    })
}

fn row(verdict: &EngineVerdict) -> EngineRow<'_> {
    let skipped = match &verdict.outcome {
        RowOutcome::Skipped(reason) => Some(reason),
        _ => None,
    };
    let differences = verdict.differences.iter().map(|difference| MoveCounts {
        mv: difference.mv.uci().to_string(),
        expected: difference.expected,
        found: difference.found,
    });
    let listed = verdict.wrong_listed.iter();
    EngineRow {
        id: &verdict.row.id,
        fen: &verdict.row.fen,
        line: verdict.row.line,
        verdict: verdict.outcome.name(),
        depth: verdict.depth,
        seconds: verdict.time.as_secs_f64(),
        nodes_per_second: verdict.nodes_per_second().map(f64::round),
        expected_failure: verdict.expectation.name(),
        reason: verdict.refused.as_ref().or(skipped).map(String::as_str),
        class: verdict.outcome.is_wrong().then(|| verdict.row.class().0.name()),
        expected: verdict.counts.map(|[expected, _]| expected),
        found: verdict.counts.map(|[_, found]| found),
        subtotals: differences.collect(),
        wrong_listed: listed
            .map(|wrong| ListedCount { depth: wrong.depth, listed: wrong.listed, counted: wrong.counted })
            .collect(),
        sum: verdict.other_sum,
        wrong_move: verdict.wrong_position.as_deref().map(FaultyMove::from),
        keys: verdict.keys.as_ref().map(|keys| KeyComparisons {
            compared: keys.compared,
            positions: keys.positions,
            transpositions: keys.transpositions,
            findings: keys.findings.iter().map(WrongPrintedKey::from).collect(),
        }),
        compared: verdict.compared.map(|compared| compared.name()),
        as_sets: verdict.as_sets,
        not_understood: verdict.not_understood.as_deref(),
        failure: verdict.failure.as_deref().map(NoAnswer::from),
    }
}

impl<'a> From<&'a Learned> for AnswerForm<'a> {
    fn from(learned: &'a Learned) -> AnswerForm<'a> {
        let display = learned.shown.as_ref().map(|shown| PositionDisplay {
            command: &shown.command,
            fen: shown.fen,
            key: shown.key.as_ref().map(|(line, base)| KeyLine { line, base: base.name() }),
        });
        AnswerForm { moves: learned.lists_moves, end: learned.end, display }
    }
}

impl<'a> From<&'a EngineFailure> for NoAnswer<'a> {
    fn from(failure: &'a EngineFailure) -> NoAnswer<'a> {
        NoAnswer { message: &failure.message, stderr: &failure.stderr, to_see: &failure.asked }
    }
}

impl<'a> From<&'a KeyFinding> for WrongPrintedKey<'a> {
    fn from(finding: &'a KeyFinding) -> WrongPrintedKey<'a> {
        WrongPrintedKey {
            fault: finding.fault.name(),
            cause: &finding.cause,
            position: finding.position.to_string(),
            expected: &finding.expected,
            found: &finding.found,
            against: finding.other.as_ref().map(ToString::to_string),
        }
    }
}

impl<'a> From<&'a ExplainedMove> for MoveAndRule<'a> {
    fn from(mv: &'a ExplainedMove) -> MoveAndRule<'a> {
        MoveAndRule { mv: &mv.text, rule: &mv.rule }
    }
}

impl<'a> From<&'a WrongPosition> for FaultyMove<'a> {
    fn from(wrong: &'a WrongPosition) -> FaultyMove<'a> {
        FaultyMove {
            fault: wrong.fault.name(),
            path: wrong.path.iter().map(|mv| mv.uci().to_string()).collect(),
            fen: &wrong.fen,
            position: wrong.position.to_string(),
            depth: wrong.depth,
            missing: wrong.missing.iter().map(MoveAndRule::from).collect(),
            extra: wrong.extra.iter().map(MoveAndRule::from).collect(),
            expected: wrong.expected,
            found: wrong.found,
            unread: &wrong.unread,
            cause: match &wrong.fault {
                CountFault::OnlyInWalk(cause) => Some(cause.text()),
                _ => None,
            },
            made: match &wrong.fault {
                CountFault::Made { mv, before } => Some(WronglyMade { mv: mv.into(), fen: before }),
                _ => None,
            },
        }
    }
}
