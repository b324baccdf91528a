//! Description of the measurements, with the noise floor.

use super::machine::PageMachine;
use crate::page::documents::Documents;
use crate::page::format::fixed;
use crate::page::model::Section;
use perft_gate_lab::measure::{Confidence, Floor};

pub(super) fn section(machines: &[PageMachine<'_>], documents: &Documents) -> Section {
    let mut text = Vec::new();
    let missed = fixed(1000.0 * Confidence::ERROR, 0);
    if !machines.is_empty() {
        text.push(
            "Speed. Workloads take turns on the same threads, in random order and then in the reverse one, so that a clock \
             that drifts touches all alike. Each pass counts something known, and a wrong count ends the run. A rate is the \
             median over all rounds; no round is left out."
                .into(),
        );
        text.push(format!(
            "Intervals are bootstrap intervals of medians, so wide that at most {missed} of 1000 records has any interval that \
             misses."
        ));
        let drift =
            machines.iter().flat_map(|machine| &machine.summary.lines).map(|line| line.drift.0).fold(0.0, f64::max);
        text.push(format!(
            "Noise floor. A difference between records counts only beyond what either run drifted by itself, and never below \
             {} %; the largest drift here is {} %.",
            fixed(100.0 * Floor::MIN.part(), 1),
            fixed(100.0 * drift, 1)
        ));
        for machine in machines.iter().filter(|machine| machine.record.settings.quick) {
            text.push(format!("{}: a quick run, with fewer rounds than a verdict needs.", machine.label));
        }
        for machine in machines.iter().filter(|machine| machine.record.settings.interrupted) {
            text.push(format!("{}: the run was stopped before its end.", machine.label));
        }
    }
    for compare in &documents.comparisons {
        let floor = compare.tables.iter().map(|table| table.floor).fold(0.0, f64::max);
        text.push(format!(
            "Hashing schemes. {} rounds by turns on one thread of {}, level {}, {}. One scheme runs twice under two names: what \
             it seems to differ from itself is the noise floor, {} % here, and a verdict needs an interval beyond it.",
            compare.rounds.len(),
            compare.machine.hardware.model(),
            compare.level,
            compare.started,
            fixed(100.0 * floor, 1)
        ));
    }
    if !documents.collisions.is_empty() {
        text.push(
            "Collisions. Counts of collisions spread more than a Poisson distribution, so schemes are judged by random key \
             tables on the same positions, not by a formula."
                .into(),
        );
    }
    if !documents.distinct.is_empty() {
        text.push(
            "Distinct positions. Positions are the same if the pieces, the side to move, the castling rights and the e.p. \
             square, as the policy counts it, are."
                .into(),
        );
    }
    text.push(
        "What this does not say: how fast an engine searches. There is no evaluation here, and no search.".into(),
    );
    Section { id: "method", title: "Method", text, ..Section::default() }
}
