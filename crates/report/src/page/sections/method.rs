//! Meaning of the verdicts, and method of measurement.

use super::machines::{PageMachine, baseline, noun};
use super::standing::{Spread, Threads};
use crate::page::documents::Documents;
use crate::page::format::{number_of, with_decimals};
use crate::page::model::Section;
use perft_gate_lab::measure::{Floor, TABLE_ERROR};

pub(super) fn section(machines: &[PageMachine<'_>], documents: &Documents, spread: &Spread) -> Section {
    let mut text: Vec<String> = Vec::new();
    if !machines.is_empty() {
        text.push(
            "Speed. Workloads are interleaved on the same threads, in random order and then in reverse, so that clock \
             drift affects all alike. Each pass counts something known, and a wrong count ends the run. A rate is the \
             median over all rounds; no round is left out."
                .into(),
        );
        text.push(format!(
            "Intervals are bootstrap intervals of medians, so wide that at most {} of 1000 records has any interval that \
             misses.",
            with_decimals(1000.0 * TABLE_ERROR, 0)
        ));
    }
    if let Some(baseline) = baseline(machines) {
        text.push(format!(
            "Verdicts compare with {}, the baseline: faster or slower if the interval of the ratio, widened by at least {} %, \
             excludes 1, and undecided otherwise. {}",
            baseline.label,
            with_decimals(100.0 * Floor::MIN.0, 1),
            widening(spread)
        ));
    }
    if noun(machines) == "setups" {
        text.push("Some setups have the same processor, and may be one machine.".into());
    }
    text.extend(documents.comparisons.iter().map(|compare| {
        let floor = compare.tables.iter().map(|table| table.floor).fold(0.0, f64::max);
        format!(
            "Hashing schemes. {} interleaved rounds on one thread of {}, level {}, {}. One scheme runs twice under two names: \
             its apparent difference from itself is the noise floor, {} % here. A verdict needs an interval beyond it.",
            compare.rounds.len(),
            compare.machine.hardware.model(),
            compare.level,
            compare.started,
            with_decimals(100.0 * floor, 1)
        )
    }));
    text.push(
        "What this does not say: how fast an engine searches. There is no evaluation here, and no search.".into(),
    );
    Section { text, ..Section::new("method", "Method", "") }
}

/// Describes by how much the intervals of ratios are widened.
fn widening(spread: &Spread) -> String {
    let [one, all] = Threads::ALL.map(|threads| with_decimals(100.0 * spread.largest(None, threads), 1));
    let runs = match spread.pairs {
        0 => "not known here, because no machine has a second run".into(),
        pairs => format!(
            "up to {one} % on one thread and {all} % on all in {} here",
            number_of(pairs, "pair of runs", "pairs of runs")
        ),
    };
    format!(
        "It is widened by the largest of three: the difference between runs of one machine ({runs}), the drift of either run, \
         and the time that neighbours took."
    )
}

#[cfg(test)]
mod tests {
    use super::super::machines::of_records;
    use super::super::machines::tests::record;
    use super::*;
    use perft_gate_machine::record::Record;

    #[test]
    fn widening_claims_only_what_the_records_show() {
        let said = |records: &[Record]| widening(&Spread::new(&of_records(records, None)));
        let pair = [record("A 1", "2026-11-22T00:00:00Z", 2.0), record("B 2", "2026-11-22T00:00:00Z", 1.0)];
        assert!(said(&pair).contains("not known here"), "{}", said(&pair));
        let three = said(&[pair.as_slice(), &[record("A 1", "2020-01-01T00:00:00Z", 1.6)]].concat());
        assert!(three.contains("(up to 25.0 % on one thread and 25.0 % on all in 1 pair of runs here)"), "{three}");
    }
}
