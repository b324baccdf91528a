//! A comparison of schemes, as `perft.compare/1`. The raw times of all slices come first. The median times and verdicts
//! follow from these, but the recompute times, the counters and the use of the transposition table cannot.

#[cfg(feature = "schema")]
use perft_gate_chess::json::Decimal;
use perft_gate_chess::json::Envelope;
use perft_gate_lab::measure::{
    Contestant, Contestants, CostComparison, CostTable, HardwareEvent, Interval, MakeUnmake, NoCounters, Recompute,
    RoundPlan, Samples, TableTally, TranspositionTable, deviation, median,
};
use perft_gate_machine::Machine;
use perft_gate_machine::record::{Build, Round, lines};
use perft_gate_simd::Level;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub const SCHEMA: &str = "perft.compare/1";

/// A comparison of schemes.
#[perft_gate_chess::document(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct CompareDocument {
    /// Rounds, each with a timed slice of every contestant.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub rounds: Vec<Round>,
    /// True if the run was stopped.
    pub interrupted: bool,
    /// SIMD level.
    pub level: String,
    /// Hardware thread that the work was pinned to.
    pub pinned_to: Option<usize>,
    /// Number of positions that are walked.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "usize"))]
    pub positions: Option<usize>,
    /// Number of nodes in a pass over all positions, in decimal digits.
    #[cfg_attr(feature = "schema", schemars(with = "Decimal"))]
    pub nodes_per_pass: String,
    /// Number of parts into which a pass is divided.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub parts_per_pass: usize,
    /// Size in bytes of the transposition table that is used with the keys. Absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transposition_table_bytes: Option<u64>,
    /// Planned length of a slice in milliseconds.
    pub slice_ms: f64,
    /// Planned length of the run in seconds.
    pub budget_s: f64,
    /// Seed of the randomised slice order, in decimal digits.
    #[cfg_attr(feature = "schema", schemars(with = "Decimal"))]
    pub seed: String,
    /// Indices of two contestants with the same scheme. The difference between their times is the noise.
    pub twins: [usize; 2],
    /// The contestants: the schemes that were timed.
    #[serde(rename = "contenders")]
    pub contestants: Vec<TimedScheme>,
    /// Reason why no hardware events were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub no_counters: Option<String>,
    /// Tables that compare the contestants' times, in order.
    pub tables: Vec<CostTable>,
    /// Time of the start.
    pub started: String,
    /// Build of the program.
    pub build: Build,
    /// Machine and system.
    pub machine: Machine,
}

/// A contestant: a scheme.
#[perft_gate_chess::document(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct TimedScheme {
    /// Name.
    pub name: String,
    /// Axes of the scheme; null for a contestant without a key.
    pub axes: Option<String>,
    /// True if the code that updates the key is the generic code for all schemes, while other contestants have faster,
    /// dedicated code.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shared_code: bool,
    /// Size of the scheme's tables in bytes.
    pub table_bytes: u64,
    /// How the scheme's walks used the transposition table. Absent if there is no table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transposition_table: Option<TranspositionTableUse>,
    /// Time per node, which includes making and unmaking the move.
    pub ns_per_node: f64,
    /// Median absolute deviation of that time.
    pub deviation_ns: f64,
    /// Number of hardware events per node, by the name of the event. Null if the machine has no counters.
    pub counters: Option<BTreeMap<String, f64>>,
    /// Times of recomputing a key from scratch, by SIMD level.
    pub recompute: Vec<RecomputeTimes>,
}

/// How the walks of a contestant used the transposition table.
#[perft_gate_chess::document(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct TranspositionTableUse {
    /// When a child's cache line is prefetched.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["none", "after-make", "key-after", "rough-key-after"])))]
    pub prefetch: String,
    /// Numbers of probes, hits and prefetches.
    #[serde(flatten)]
    pub tally: TableTally,
}

/// Times of a full recompute.
#[perft_gate_chess::document(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct RecomputeTimes {
    /// SIMD level.
    pub level: String,
    /// Time per board in a batch.
    pub batch_ns: f64,
    /// Time per board if keys are recomputed one board after another with the portable code.
    pub scalar_ns: f64,
}

/// Nesting depth of each round, contestant and table in the JSON text. Each of them takes one line.
const ROW_DEPTH: usize = 3;

impl CompareDocument {
    /// Returns the document for the rounds of a walk. Recompute times, counters and start time are not yet filled in.
    pub fn new(lineup: &Contestants, samples: &Samples, path: &MakeUnmake, plan: RoundPlan, build: Build) -> Self {
        let contestants = lineup.contestants.iter().enumerate();
        CompareDocument {
            rounds: samples.rounds.clone(),
            interrupted: samples.interrupted,
            level: path.level.to_string(),
            pinned_to: None,
            positions: Some(path.positions()),
            nodes_per_pass: path.nodes.to_string(),
            parts_per_pass: path.parts.len(),
            transposition_table_bytes: path.table.as_ref().map(TranspositionTable::bytes),
            slice_ms: plan.slice.as_secs_f64() * 1e3,
            budget_s: plan.budget.as_secs_f64(),
            seed: plan.seed.to_string(),
            twins: lineup.twins,
            contestants: contestants.map(|(work, one)| TimedScheme::new(work, one, samples, path)).collect(),
            no_counters: None,
            tables: lineup.judge(samples),
            started: String::new(),
            build,
            machine: Machine::detect(),
        }
    }

    pub fn add_recomputes(&mut self, recomputes: &[Vec<(Level, Recompute)>]) {
        for (contestant, timed) in self.contestants.iter_mut().zip(recomputes) {
            let times = timed.iter().map(|(level, times)| RecomputeTimes {
                level: level.to_string(),
                batch_ns: times.batch_ns,
                scalar_ns: times.scalar_ns,
            });
            contestant.recompute = times.collect();
        }
    }

    /// Adds each contestant's events per node, or the reason why no events were counted.
    pub fn add_counters(&mut self, counters: Result<Vec<Vec<(HardwareEvent, f64)>>, NoCounters>) {
        match counters {
            Ok(counters) => {
                for (contestant, events) in self.contestants.iter_mut().zip(counters) {
                    let named = events.into_iter().map(|(event, number)| (event.name().to_string(), number));
                    contestant.counters = Some(named.collect());
                }
            }
            Err(error) => self.no_counters = Some(error.to_string()),
        }
    }

    /// Returns the extra time per node. It is derived from the reference's time and the ratio, so it always agrees with
    /// the verdict. A difference of medians might not agree if the machine's speed changed during the run.
    pub fn extra_ns(&self, table: &CostTable, comparison: &CostComparison) -> Interval {
        let extra = |ratio: f64| self.contestants[table.reference].ns_per_node * (ratio - 1.0);
        let Interval { low, median, high } = comparison.ratio;
        Interval { low: extra(low), median: extra(median), high: extra(high) }
    }

    /// Checks the properties of a valid document that its types do not guarantee.
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

    pub fn text(&self) -> String {
        lines(&Envelope::new(SCHEMA, self), ROW_DEPTH)
    }
}

impl TimedScheme {
    fn new(work: usize, contestant: &Contestant, samples: &Samples, path: &MakeUnmake) -> TimedScheme {
        let times = samples.ns_per_node(work);
        TimedScheme {
            name: contestant.name.clone(),
            axes: contestant.scheme.axes.map(|axes| axes.to_string()),
            shared_code: contestant.shares_code(path.level),
            table_bytes: contestant.scheme.axes.map_or(0, |axes| axes.table_bytes()) as u64,
            transposition_table: path.table.as_ref().map(|table| TranspositionTableUse {
                prefetch: contestant.prefetch.name().into(),
                tally: table.tally(work),
            }),
            ns_per_node: median(&times),
            deviation_ns: deviation(&times),
            counters: None,
            recompute: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contestants_without_code_of_their_own_are_known() {
        let level = Level::detect();
        let shares = |scheme: &str| Contestant::parse(scheme, false).unwrap().shares_code(level);
        assert!(!["none", "cpw793", "polyglot", "width=128"].into_iter().any(shares));
        assert_eq!(shares("width=128,clock=20by10"), level.is_common());
    }
}
