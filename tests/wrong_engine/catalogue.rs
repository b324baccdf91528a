//! The verdict of `perft engine` on each fault of the catalogue.

use crate::common::Run;
use crate::faults::{self, Dialect};
use crate::trials::{self, trial};
use libtest_mimic::Trial;
use perft_gate_catalogue::{Fault, SiteRow};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Maximum number of faults, out of a thousand, for which the verdict may name no cause.
const MAX_UNNAMED: usize = 50;

pub fn all() -> Vec<Trial> {
    vec![
        trial("one fault of each group in the catalogue is named", || {
            let mut faults = Fault::all();
            faults.dedup_by_key(|(_, row)| row.group);
            named(faults)
        }),
        trial("every fault of the catalogue is named", || named(Fault::all())).with_ignored_flag(true),
        trial("the catalogue's right engine passes", || gate(Fault::NONE).expect(0, &["rows: 58 pass; "])),
    ]
}

fn gate(fault: Fault) -> Run {
    let fault = faults::Fault::Bent(fault.to_string().leak());
    trials::gate(fault, Dialect::Stockfish, &["--suite", "quick", "--depth", "3"])
}

/// Checks that the run fails for each fault, and prints how many faults of each group the output names.
fn named(faults: Vec<(Fault, &'static SiteRow)>) {
    let runs: Vec<_> = faults.par_iter().map(|(fault, row)| (fault, row, gate(*fault))).collect();
    let mut groups = BTreeMap::<&str, (usize, usize)>::new();
    let (mut passed, mut unnamed) = (Vec::new(), Vec::new());
    for (fault, row, run) in &runs {
        let text = run.printed();
        if run.code != Some(1) {
            passed.push(format!("{fault}: exit code {:?}, expected 1", run.code));
        }
        let is_named = fault.verdicts().iter().any(|verdict| text.contains(verdict));
        let group = groups.entry(row.group).or_default();
        *group = (group.0 + 1, group.1 + usize::from(is_named));
        if !is_named {
            unnamed.push(format!("{fault}: expected one of {:?}", fault.verdicts()));
        }
    }
    for (group, (all, named)) in groups {
        println!("{group:14} {all:4} faults, {named:4} named right");
    }
    println!("{}", unnamed.join("\n"));
    let is_right = passed.is_empty() && unnamed.len() * 1000 <= MAX_UNNAMED * faults.len();
    assert!(is_right, "{}", [passed, unnamed].concat().join("\n"));
}
