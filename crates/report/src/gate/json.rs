//! `perft.gate/1`: the machine-readable verdict, as `schema/gate-1.schema.json` defines it.
//!
//! Fields may be added, meanings do not change. Counts are decimal strings: they may need 128 bits.

use crate::formats::decimal::{Decimal, DecimalList, OptionalDecimal};
use crate::formats::file;
use crate::formats::rows::LazyRows;
use perft_gate_chess::Move;
use perft_gate_judge::gate::{CheckFinding, Diagnosis, Expectation, Missed, Outcome, RowVerdict, Run, WrongTerm};
use perft_gate_unique::identity::{Clash, Identity};
use perft_gate_walk::{Checks, Statistics};
use perft_gate_zobrist::Key;
use serde::Serialize;

/// Name and version of the format.
pub const SCHEMA: &str = "perft.gate/1";

/// The verdict of perft's gate.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GateDocument<'a> {
    /// Always [`SCHEMA`].
    schema: &'a str,
    /// Version of the program.
    version: &'a str,
    /// `incomplete`: the run was killed after these rows.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["passed", "failed", "interrupted", "nothing-compared", "no-counts", "incomplete"])))]
    verdict: &'a str,
    /// Name of the suite: a built-in one or a file.
    suite: &'a str,
    /// Task for the positions.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["verify", "count", "stats"])))]
    mode: &'a str,
    /// Depth asked for.
    depth: u32,
    /// Name of the scheme.
    scheme: &'a str,
    /// Seed of its key tables.
    #[serde(with = "Decimal")]
    seed: u64,
    /// SIMD level.
    level: String,
    /// Number of worker threads.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    threads: usize,
    /// Totals of all rows.
    totals: GateTotals,
    /// Random games, if any were played.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "PlayoutsReport<'a>"))]
    playouts: Option<PlayoutsReport<'a>>,
    /// Rows, in the order of the suite.
    rows: LazyRows<'a, RowVerdict, GateRow<'a>>,
}

/// Totals of a run.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct GateTotals {
    /// Number of rows of the suite.
    rows: usize,
    /// Number of rows that passed.
    passed: usize,
    /// Number of rows that failed.
    failed: usize,
    /// Number of rows that were skipped.
    skipped: usize,
    /// Number of nodes that were walked.
    #[serde(with = "Decimal")]
    nodes: u128,
    /// Sum of the rows' wall times.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    seconds: f64,
    /// Rows that passed in an earlier run with the same --checkpoint; they are not listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "usize", range(min = 1)))]
    passed_before: Option<usize>,
}

/// Verdict on the random games.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct PlayoutsReport<'a> {
    /// Number of games.
    games: u64,
    /// Maximum length of a game.
    plies: u32,
    /// Seed of the games.
    #[serde(with = "Decimal")]
    seed: u64,
    /// Comparisons made, counted where they were made.
    checks: CheckCounts,
    /// Comparisons that were due and not made.
    missed: Vec<MissedCheck<'a>>,
    /// Failed checks.
    mismatches: Vec<PlayoutMismatch<'a>>,
}

/// A failed check of a random game.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct PlayoutMismatch<'a> {
    #[serde(flatten)]
    mismatch: FailedCheck<'a>,
    /// The row that the game started from.
    row: &'a str,
}

/// Verdict on a row.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct GateRow<'a> {
    /// Name of the row.
    id: &'a str,
    /// The position.
    fen: &'a str,
    /// Line of the suite; 0 for --fen.
    line: usize,
    /// Result.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["passed", "failed", "skipped", "interrupted"])))]
    status: &'a str,
    /// Depth asked for.
    depth_requested: u32,
    /// Why it was skipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "&'a str"))]
    reason: Option<&'a str>,
    #[serde(flatten)]
    walk: Option<WalkedRow<'a>>,
}

/// What a walk of a row found.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct WalkedRow<'a> {
    /// Depth walked.
    depth: u32,
    /// Source of the expected counts.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["suite", "cross-checked"])))]
    expectation: &'a str,
    /// Leaf nodes at the walked depth; null: not known.
    #[serde(with = "OptionalDecimal")]
    expected: Option<u128>,
    /// Number of nodes by ply, the root first.
    #[serde(with = "DecimalList")]
    nodes: &'a [u128],
    /// Comparisons made, counted where they were made.
    checks: CheckCounts,
    /// Number of counts compared.
    #[serde(with = "Decimal")]
    counts_compared: u64,
    /// Comparisons that were due and not made: each fails the row.
    missed: Vec<MissedCheck<'a>>,
    /// Wall time.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    seconds: f64,
    /// Counts that differ.
    wrong_counts: Vec<CountMismatch<'a>>,
    /// Failed checks.
    mismatches: Vec<FailedCheck<'a>>,
    /// V5, of each scheme.
    identities: Vec<IdentityJson<'a>>,
    /// Schemes of which V5 could not be made: the row has failed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    identities_missed: Vec<MissedIdentity<'a>>,
    /// Where two generators part.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "WrongMoves<'a>"))]
    first_wrong: Option<WrongMoves<'a>>,
    /// Statistics of the moves, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "MoveStatistics"))]
    statistics: Option<MoveStatistics>,
}

/// Number of comparisons of each check.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct CheckCounts {
    /// V0, at inner nodes.
    #[serde(with = "Decimal")]
    boards: u64,
    /// V2, at every node.
    #[serde(with = "Decimal")]
    keys: u64,
    /// V3, after every unmake.
    #[serde(with = "Decimal")]
    unmakes: u64,
    /// V4, after every null move that was taken back.
    #[serde(with = "Decimal")]
    null_moves: u64,
    /// V4 of the key after every null move.
    #[serde(with = "Decimal")]
    null_move_keys: u64,
    /// V6, at sampled nodes.
    #[serde(with = "Decimal")]
    round_trips: u64,
}

/// A check that made more or fewer comparisons than were due.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct MissedCheck<'a> {
    /// Name of the check.
    check: &'a str,
    /// Number of comparisons due.
    #[serde(with = "Decimal")]
    due: u128,
    /// Number of comparisons made.
    #[serde(with = "Decimal")]
    made: u128,
}

/// A count that differs.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct CountMismatch<'a> {
    /// Number of plies from the root.
    depth: usize,
    /// Source of the expected count.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["suite", "cross-checked"])))]
    expectation: &'a str,
    /// Expected count.
    #[serde(with = "Decimal")]
    expected: u128,
    /// Count found.
    #[serde(with = "Decimal")]
    found: u128,
}

/// A failed check.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct FailedCheck<'a> {
    /// V0, V2, V3, V4 or V6, and its name.
    check: String,
    /// Name of the scheme.
    scheme: &'a str,
    /// Name of the secondary key, or `position`.
    key: &'a str,
    /// Moves from the row's position, the last one is at fault.
    #[cfg_attr(feature = "schema", schemars(inner(regex(pattern = UCI))))]
    path: Vec<String>,
    /// Position before the last move.
    fen_before: &'a str,
    /// Position after it.
    fen_after: &'a str,
    /// Expected value.
    expected: &'a str,
    /// Value found.
    found: &'a str,
    /// Of two keys: expected xor found.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String", regex(pattern = "^[0-9a-f]{16}$")))]
    difference: Option<String>,
    /// Terms that explain the difference of two keys.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "TermSets<'a>"))]
    diagnosis: Option<TermSets<'a>>,
}

/// Terms that explain a wrong key.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct TermSets<'a> {
    /// Whether one set explains it, several, or none.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["terms", "ambiguous", "unexplained"])))]
    kind: &'a str,
    /// Sets of terms, each of which explains the difference.
    sets: Vec<Vec<String>>,
}

/// V5 of a scheme.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct IdentityJson<'a> {
    /// Name of the scheme.
    scheme: &'a str,
    /// Ply of the positions.
    ply: u32,
    /// Number of different positions.
    #[serde(with = "Decimal")]
    positions: u64,
    /// Number of different keys.
    #[serde(with = "Decimal")]
    keys: u64,
    /// Number of positions compared.
    #[serde(with = "Decimal")]
    compared: u64,
    /// Positions that share a key by chance.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    expected_lost: f64,
    /// Result.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["passed", "failed"])))]
    status: &'a str,
    /// A position with two keys, or two positions with one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "KeyClash"))]
    clash: Option<KeyClash>,
}

/// A position with two keys, or two positions with one.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct KeyClash {
    /// One position, or two.
    positions: Vec<String>,
    /// Two keys, or one.
    keys: Vec<String>,
}

/// A scheme of which V5 could not be made.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct MissedIdentity<'a> {
    /// Name of the scheme.
    scheme: &'a str,
    /// Why it could not be made.
    reason: &'a str,
}

/// A position whose moves are wrong.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct WrongMoves<'a> {
    /// Moves that lead to it.
    #[cfg_attr(feature = "schema", schemars(inner(regex(pattern = UCI))))]
    path: Vec<String>,
    /// The position.
    fen: &'a str,
    /// Legal moves that were not generated.
    #[cfg_attr(feature = "schema", schemars(inner(regex(pattern = UCI))))]
    missing: Vec<String>,
    /// Generated moves that are not legal.
    #[cfg_attr(feature = "schema", schemars(inner(regex(pattern = UCI))))]
    extra: &'a [String],
}

/// Statistics of the moves of the last ply.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct MoveStatistics {
    /// Captures, en passant included.
    #[serde(with = "Decimal")]
    captures: u64,
    /// En-passant captures.
    #[serde(with = "Decimal")]
    en_passant: u64,
    /// Castling moves.
    #[serde(with = "Decimal")]
    castles: u64,
    /// Promotions.
    #[serde(with = "Decimal")]
    promotions: u64,
    /// Checks of any kind, mates included.
    #[serde(with = "Decimal")]
    checks: u64,
    /// Checks by one piece that did not move.
    #[serde(with = "Decimal")]
    discovered: u64,
    /// Checks by two pieces.
    #[serde(with = "Decimal")]
    double: u64,
    /// Checkmates.
    #[serde(with = "Decimal")]
    mates: u64,
}

/// A move in UCI notation.
#[cfg(feature = "schema")]
const UCI: &str = "^[a-h][1-8][a-h][1-8][nbrq]?$";

/// Returns the document of a run.
pub fn document(run: &Run<'_>) -> String {
    let (settings, tally) = (&run.options.settings, &run.tally);
    let playouts = run.playouts.as_ref().map(|verdict| PlayoutsReport {
        games: verdict.playouts.games,
        plies: verdict.playouts.plies,
        seed: verdict.playouts.seed,
        checks: CheckCounts::from(&verdict.report.checks),
        missed: verdict.missed.iter().map(MissedCheck::from).collect(),
        mismatches: verdict
            .findings
            .iter()
            .map(|(row, finding)| PlayoutMismatch { mismatch: finding.into(), row })
            .collect(),
    });
    file::text(&GateDocument {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION"),
        verdict: run.verdict(),
        suite: &run.suite,
        mode: run.options.mode.name(),
        depth: run.options.depth,
        scheme: &settings.scheme.name,
        seed: settings.seed,
        level: settings.level.to_string(),
        threads: run.threads,
        totals: GateTotals {
            rows: run.rows,
            passed: tally.passed,
            failed: tally.failed,
            skipped: tally.skipped,
            nodes: tally.nodes,
            seconds: tally.time.as_secs_f64(),
            passed_before: (run.before > 0).then_some(run.before),
        },
        playouts,
        rows: LazyRows(&run.verdicts, row),
    })
}

fn row(verdict: &RowVerdict) -> GateRow<'_> {
    let (status, reason) = match &verdict.outcome {
        Outcome::Passed => ("passed", None),
        Outcome::Failed => ("failed", None),
        Outcome::Skipped(reason) => ("skipped", Some(&**reason)),
        Outcome::Interrupted => ("interrupted", None),
    };
    GateRow {
        id: &verdict.row.id,
        fen: &verdict.row.fen,
        line: verdict.row.line,
        status,
        depth_requested: verdict.requested,
        reason,
        walk: walk(verdict),
    }
}

fn walk(verdict: &RowVerdict) -> Option<WalkedRow<'_>> {
    let report = verdict.report.as_ref()?;
    let wrong = verdict.wrong_counts.iter().map(|wrong| CountMismatch {
        depth: wrong.depth,
        expectation: expectation(wrong.expectation),
        expected: wrong.expected,
        found: wrong.found,
    });
    let missed = verdict.identities_missed.iter().map(|(scheme, reason)| MissedIdentity { scheme, reason });
    Some(WalkedRow {
        depth: verdict.depth,
        expectation: expectation(verdict.expectation),
        expected: verdict.expected(),
        nodes: &report.nodes,
        checks: CheckCounts::from(&report.checks),
        counts_compared: verdict.counts_compared,
        missed: verdict.missed.iter().map(MissedCheck::from).collect(),
        seconds: report.time.as_secs_f64(),
        wrong_counts: wrong.collect(),
        mismatches: verdict.findings.iter().map(FailedCheck::from).collect(),
        identities: verdict.identities.iter().map(IdentityJson::from).collect(),
        identities_missed: missed.collect(),
        first_wrong: verdict.first_wrong.as_ref().map(|first| WrongMoves {
            path: uci(&first.path),
            fen: &first.fen,
            missing: uci(&first.difference.missing),
            extra: &first.difference.extra,
        }),
        statistics: verdict.statistics.as_ref().map(MoveStatistics::from),
    })
}

fn expectation(expectation: Expectation) -> &'static str {
    match expectation {
        Expectation::Suite => "suite",
        Expectation::CrossChecked => "cross-checked",
    }
}

fn uci(moves: &[Move]) -> Vec<String> {
    moves.iter().map(|mv| mv.uci().to_string()).collect()
}

impl From<&Checks> for CheckCounts {
    fn from(checks: &Checks) -> CheckCounts {
        let &Checks { boards, keys, unmakes, null_moves, null_keys, round_trips } = checks;
        CheckCounts { boards, keys, unmakes, null_moves, null_move_keys: null_keys, round_trips }
    }
}

impl From<&Statistics> for MoveStatistics {
    fn from(statistics: &Statistics) -> MoveStatistics {
        let &Statistics { captures, en_passant, castles, promotions, checks, discovered, double, mates, .. } =
            statistics;
        MoveStatistics { captures, en_passant, castles, promotions, checks, discovered, double, mates }
    }
}

impl<'a> From<&'a Missed> for MissedCheck<'a> {
    fn from(Missed { check, due, made }: &'a Missed) -> MissedCheck<'a> {
        MissedCheck { check, due: *due, made: *made }
    }
}

impl<'a> From<&'a CheckFinding> for FailedCheck<'a> {
    fn from(finding: &'a CheckFinding) -> FailedCheck<'a> {
        let mismatch = &finding.mismatch;
        FailedCheck {
            check: mismatch.check.to_string(),
            scheme: &finding.scheme,
            key: finding.which.unwrap_or("position"),
            path: uci(&mismatch.path),
            fen_before: &finding.before,
            fen_after: &mismatch.position,
            expected: &mismatch.expected,
            found: &mismatch.found,
            difference: mismatch.wrong_key.map(|wrong| Key(wrong.expected.0 ^ wrong.found.0).to_string()),
            diagnosis: finding.diagnosis.as_ref().map(TermSets::from),
        }
    }
}

impl From<&Diagnosis> for TermSets<'_> {
    fn from(diagnosis: &Diagnosis) -> Self {
        let names = |terms: &Vec<WrongTerm>| terms.iter().map(WrongTerm::to_string).collect();
        let (kind, sets) = match diagnosis {
            Diagnosis::Terms(terms) => ("terms", vec![names(terms)]),
            Diagnosis::Ambiguous(sets) => ("ambiguous", sets.iter().map(names).collect()),
            Diagnosis::Unexplained => ("unexplained", Vec::new()),
        };
        TermSets { kind, sets }
    }
}

impl<'a> From<&'a Identity> for IdentityJson<'a> {
    fn from(identity: &'a Identity) -> IdentityJson<'a> {
        let clash = identity.clash.as_ref().map(|clash| {
            let (positions, keys): (Vec<_>, Vec<_>) = match clash {
                Clash::TwoKeys(position, keys) => (vec![position], keys.iter().collect()),
                Clash::SharedKey(key, positions) => (positions.iter().collect(), vec![key]),
            };
            KeyClash {
                positions: positions.iter().map(|position| position.board().to_string()).collect(),
                keys: keys.iter().map(ToString::to_string).collect(),
            }
        });
        IdentityJson {
            scheme: &identity.scheme,
            ply: identity.ply,
            positions: identity.positions,
            keys: identity.keys,
            compared: identity.compared,
            expected_lost: identity.expected_lost,
            status: if identity.is_wrong() { "failed" } else { "passed" },
            clash,
        }
    }
}
