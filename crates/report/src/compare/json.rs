//! A comparison of schemes, as `perft.compare/1`. The raw slices come first; what follows can be derived from them again, but
//! for the recompute and the counters.

use super::compared::Compared;
use perft_gate_bench::recorded_round;
#[cfg(feature = "schema")]
use perft_gate_chess::json::Decimal;
use perft_gate_lab::measure::{
    Contestant, CostComparison, Interval, Recompute, TableTally, TranspositionTable, deviation, median,
};
use perft_gate_machine::Machine;
use perft_gate_machine::record::{Build, Round, lines};
use perft_gate_simd::Level;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The name and version of the format.
pub const SCHEMA: &str = "perft.compare/1";

/// A comparison of schemes.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CompareDocument {
    /// [`SCHEMA`].
    pub schema: String,
    /// Version of the program.
    #[serde(default)]
    pub version: String,
    /// Rounds with their slices.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub rounds: Vec<Round>,
    /// True if the run was stopped.
    #[serde(default)]
    pub interrupted: bool,
    /// SIMD level.
    pub level: String,
    /// Hardware thread that the work was pinned to.
    #[serde(default)]
    pub pinned_to: Option<usize>,
    /// Nodes of a pass, in decimal digits.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Decimal"))]
    pub nodes_per_pass: String,
    /// Parts that a pass is cut into.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub parts_per_pass: usize,
    /// Size of the transposition table beside the keys, in bytes; nothing without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transposition_table_bytes: Option<u64>,
    /// Planned length of a slice in milliseconds.
    #[serde(default)]
    pub slice_ms: f64,
    /// Planned length of the run in seconds.
    #[serde(default)]
    pub budget_s: f64,
    /// Seed of the randomised slice order, in decimal digits.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Decimal"))]
    pub seed: String,
    /// The two contestants that are the same, from which the noise is known.
    #[serde(default)]
    pub twins: [usize; 2],
    /// Who took part.
    #[serde(rename = "contenders")]
    pub contestants: Vec<TimedScheme>,
    /// Tables, in order.
    pub tables: Vec<CostTable>,
    /// Time of the start.
    pub started: String,
    /// Build of the program.
    pub build: Build,
    /// Machine and system.
    pub machine: Machine,
}

/// A contestant: a scheme.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TimedScheme {
    /// Name.
    pub name: String,
    /// Axes; nothing without a key.
    #[serde(default)]
    pub axes: Option<String>,
    /// Size of its tables in bytes.
    pub table_bytes: u64,
    /// What its walks did with the transposition table; nothing without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transposition_table: Option<TranspositionTableUse>,
    /// Time of a node that is made and unmade.
    pub ns_per_node: f64,
    /// Standard deviation of that time.
    #[serde(default)]
    pub deviation_ns: f64,
    /// Events a node, by name; nothing where the machine has no counters.
    #[serde(default)]
    pub counters: Option<BTreeMap<String, f64>>,
    /// Times of the full recompute, by level.
    pub recompute: Vec<RecomputeTimes>,
}

/// What the walks of a contestant did with the transposition table.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TranspositionTableUse {
    /// When the line of a child is asked for.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["none", "after-make", "key-after", "rough-key-after"])))]
    pub prefetch: String,
    /// Nodes that probed.
    pub probes: u64,
    /// Probes that found their key.
    pub hits: u64,
    /// Hits of another position: two positions with one key.
    pub false_hits: u64,
    /// Children whose key was computed before their move was made.
    pub foreseen: u64,
    /// Those that then had another key.
    pub wrongly_foreseen: u64,
}

/// Times of a full recompute.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecomputeTimes {
    /// SIMD level.
    pub level: String,
    /// Time a board in a batch.
    pub batch_ns: f64,
    /// Time a board by the portable recompute, one by one.
    pub scalar_ns: f64,
}

/// Schemes compared with one of them.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CostTable {
    /// Property that is varied.
    pub title: String,
    /// Index of the contestant that the others are compared with.
    pub reference: usize,
    /// Ratio of the reference's twin to the reference, which shows the noise.
    #[serde(default)]
    pub noise: Option<Interval>,
    /// Noise floor that a difference must exceed, as a fraction of the time.
    pub floor: f64,
    /// Comparisons, in order.
    pub comparisons: Vec<SchemeComparison>,
}

/// A scheme compared with the reference.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SchemeComparison {
    /// Index of the contestant.
    #[serde(rename = "contender")]
    pub contestant: usize,
    /// Its time divided by the reference's.
    pub ratio: Interval,
    /// Its time less the reference's, a node.
    pub difference_ns: Interval,
    /// Verdict.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["slower", "faster", "no difference seen", "undecided"])))]
    pub verdict: String,
}

impl CompareDocument {
    /// Checks what the types do not guarantee.
    pub fn check(&self) -> Result<(), String> {
        let most = self.contestants.len();
        for (number, table) in self.tables.iter().enumerate() {
            let others = table.comparisons.iter().map(|comparison| comparison.contestant);
            if let Some(found) = others.chain([table.reference]).find(|&contestant| contestant >= most) {
                return Err(format!("tables[{number}]: found contestant {found}, expected one of {most}"));
            }
        }
        Ok(())
    }
}

/// Depth of the rounds, contestants and tables, each of which is one line.
const ROW_DEPTH: usize = 3;

/// Returns the document of a comparison.
pub fn document(compared: &Compared<'_>) -> String {
    let Compared { lineup, samples, path, plan, .. } = compared;
    let recompute = |(level, times): &(Level, Recompute)| RecomputeTimes {
        level: level.to_string(),
        batch_ns: times.batch_ns,
        scalar_ns: times.scalar_ns,
    };
    let contestant = |(work, contestant): (usize, &Contestant)| {
        let times = samples.ns_per_node(work);
        let events = compared.counters.ok().and_then(|all| all.get(work));
        TimedScheme {
            name: contestant.name.clone(),
            axes: contestant.scheme.axes.map(|axes| axes.to_string()),
            table_bytes: contestant.table_bytes() as u64,
            transposition_table: path.table().map(|table| {
                let TableTally { probes, hits, false_hits, foreseen, wrongly_foreseen } = table.tally(work);
                let prefetch = contestant.prefetch.name().into();
                TranspositionTableUse { prefetch, probes, hits, false_hits, foreseen, wrongly_foreseen }
            }),
            ns_per_node: median(&times),
            deviation_ns: deviation(&times),
            counters: events.map(|all| all.iter().map(|(event, number)| (event.name().into(), *number)).collect()),
            recompute: compared.recomputes[work].iter().map(recompute).collect(),
        }
    };
    let comparison = |comparison: &CostComparison| SchemeComparison {
        contestant: comparison.work,
        ratio: comparison.ratio,
        difference_ns: comparison.difference,
        verdict: comparison.verdict.name().into(),
    };
    let tables = lineup.tables.iter().zip(compared.judgements).map(|(table, judgement)| CostTable {
        title: table.title.clone(),
        reference: table.reference,
        noise: Some(judgement.itself),
        floor: judgement.floor.part(),
        comparisons: judgement.comparisons.iter().map(comparison).collect(),
    });
    let document = CompareDocument {
        schema: SCHEMA.into(),
        version: env!("CARGO_PKG_VERSION").into(),
        rounds: samples.rounds.iter().map(recorded_round).collect(),
        interrupted: samples.interrupted,
        level: path.level().to_string(),
        pinned_to: compared.pinned_to,
        nodes_per_pass: path.nodes.to_string(),
        parts_per_pass: path.parts(),
        transposition_table_bytes: path.table().map(TranspositionTable::bytes),
        slice_ms: plan.slice.as_secs_f64() * 1e3,
        budget_s: plan.budget.as_secs_f64(),
        seed: plan.seed.to_string(),
        twins: [lineup.twins.0, lineup.twins.1],
        contestants: lineup.contestants.iter().enumerate().map(contestant).collect(),
        tables: tables.collect(),
        started: compared.started.into(),
        build: compared.build.clone(),
        machine: compared.machine.clone(),
    };
    lines(&document, ROW_DEPTH)
}
