//! Meaning of the verdicts, and method of measurement.

use super::machines::{PageMachine, baseline, noun};
use super::standing::{Spread, Threads};
use crate::page::documents::Documents;
use crate::page::format::{counted, fixed};
use crate::page::model::Section;
use perft_gate_lab::measure::{Confidence, Floor};

pub(super) fn section(machines: &[PageMachine<'_>], documents: &Documents, spread: &Spread) -> Section {
    let mut text: Vec<String> = Vec::new();
    if !machines.is_empty() {
        text.push(
            "Speed. Workloads are interleaved on the same threads, in random order and then in the reverse one, so that a \
             clock that drifts touches all alike. Each pass counts something known, and a wrong count ends the run. A rate \
             is the median over all rounds; no round is left out."
                .into(),
        );
        text.push(format!(
            "Intervals are bootstrap intervals of medians, so wide that at most {} of 1000 records has any interval that \
             misses.",
            fixed(1000.0 * Confidence::ERROR, 0)
        ));
    }
    if let Some(baseline) = baseline(machines) {
        text.push(format!(
            "Verdicts compare with {}, the baseline: faster or slower, if the interval of the ratio of the two, widened as \
             follows and by at least {} %, leaves out 1; otherwise the comparison is undecided. {}",
            baseline.label,
            fixed(100.0 * Floor::MIN.0, 1),
            widening(machines, spread)
        ));
    }
    if noun(machines) == "setups" {
        text.push("Some setups have the same processor, and may be one machine.".into());
    }
    text.extend(documents.comparisons.iter().map(|compare| {
        let floor = compare.tables.iter().map(|table| table.floor).fold(0.0, f64::max);
        format!(
            "Hashing schemes. {} interleaved rounds on one thread of {}, level {}, {}. One scheme runs twice under two names: \
             what it seems to differ from itself is the noise floor, {} % here, and a verdict needs an interval beyond it.",
            compare.rounds.len(),
            compare.machine.hardware.model(),
            compare.level,
            compare.started,
            fixed(100.0 * floor, 1)
        )
    }));
    text.push(
        "What this does not say: how fast an engine searches. There is no evaluation here, and no search.".into(),
    );
    Section { text, ..Section::new("method", "Method", "") }
}

/// Describes by how much the intervals of ratios are widened.
fn widening(machines: &[PageMachine<'_>], spread: &Spread) -> String {
    let lines = machines.iter().flat_map(|machine| &machine.summary.lines);
    let drift = fixed(100.0 * lines.map(|line| line.drift.0).fold(0.0, f64::max), 0);
    match spread.pairs {
        0 => format!(
            "No machine here has a second run, so what two runs of one machine differ by is not known, and each ratio is \
             widened only by what the two runs drifted from one quarter to another (at most {drift} % for a workload), or \
             by the time that neighbours took, if that is more."
        ),
        pairs => format!(
            "Runs of one machine differ by up to {} % on one thread and {} % on all ({}), so every ratio is widened by that; \
             where the runs themselves drifted more (at most {drift} % for a workload), or neighbours took more, that counts.",
            fixed(100.0 * spread.largest(None, Threads::One), 1),
            fixed(100.0 * spread.largest(None, Threads::All), 1),
            counted(pairs, "pair of runs", "pairs of runs")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::super::machines::of_records;
    use super::super::machines::tests::record;
    use super::*;
    use perft_gate_machine::record::Record;

    #[test]
    fn widening_claims_only_what_the_records_show() {
        let said = |records: &[Record]| {
            let machines = of_records(records, None);
            widening(&machines, &Spread::new(&machines))
        };
        let pair = [record("A 1", "2026-11-22T00:00:00Z", 2.0), record("B 2", "2026-11-22T00:00:00Z", 1.0)];
        assert!(said(&pair).starts_with("No machine here has a second run"), "{}", said(&pair));
        let mut again = record("A 1", "2020-01-01T00:00:00Z", 1.6);
        again.build.compiler = "rustc 9".into();
        let three = said(&[pair.as_slice(), &[again]].concat());
        assert!(
            three.starts_with("Runs of one machine differ by up to 25.0 % on one thread and 25.0 % on all"),
            "{three}"
        );
    }
}
