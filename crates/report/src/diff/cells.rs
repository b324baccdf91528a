//! What the text and the Markdown of a comparison have in common.

use crate::figures::percent;
use perft_gate_bench::diff::{Diff, PairedWork};
use perft_gate_machine::record::Work;

/// Returns what was compared.
pub fn title(diff: &Diff) -> &'static str {
    if diff.hardware.is_empty() {
        "two builds or runs on the same hardware"
    } else {
        "hardware comparison: different machines"
    }
}

/// A pair, as text.
pub struct PairCells {
    pub rounds: String,
    pub rates: [String; 2],
    pub ratio: String,
    pub adjusted: String,
    pub floor: String,
    pub visible: String,
    pub verdict: String,
}

impl PairCells {
    pub fn of(pair: &PairedWork) -> PairCells {
        let same = pair.rounds[0] == pair.rounds[1];
        PairCells {
            rounds: if same { pair.rounds[0].to_string() } else { format!("{}, {}", pair.rounds[0], pair.rounds[1]) },
            rates: pair.rates.map(|rate| format!("{:.2}", rate / 1e6)),
            ratio: percent(pair.ratio),
            adjusted: pair.adjusted.map(percent).unwrap_or_default(),
            floor: format!("{:.1} %", 100.0 * pair.floor.part()),
            visible: match (pair.smallest_visible(), pair.verdict) {
                (Some(part), _) => format!("{:.1} %", 100.0 * part),
                (None, Some(_)) => "nothing".into(),
                (None, None) => String::new(),
            },
            verdict: pair.verdict.map_or("the machine itself".into(), |verdict| verdict.to_string()),
        }
    }
}

/// Returns a sentence for each work that only one record has.
pub fn unpaired(diff: &Diff) -> Vec<String> {
    let said = diff.unpaired.iter().map(|unpaired| {
        let record = if unpaired.new { "new" } else { "old" };
        let Work { workload, threads, kind, .. } = &unpaired.work;
        let kind = kind.as_ref().map_or(String::new(), |kind| format!(", {kind}"));
        format!("{workload}{kind} on {threads} threads: in the {record} record only")
    });
    said.collect()
}
