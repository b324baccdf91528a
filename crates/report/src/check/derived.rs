//! Numbers that documents carry beside the rows they come from, computed again.

use super::problem::problem;
use crate::collisions::json::CollisionsDocument;
use crate::compare::json::CompareDocument;
use crate::unique::json::UniqueDocument;
use perft_gate_bench::samples;
use perft_gate_lab::measure::median;
use perft_gate_machine::record::Stage;

/// Relative difference that rounding explains.
const ROUNDING: f64 = 1e-6;

/// Returns true if a number is another than the one computed again.
fn differs(found: f64, computed: f64) -> bool {
    (found - computed).abs() > ROUNDING * computed.abs().max(1e-9)
}

/// Compares medians with those of the rounds.
pub fn compare(document: &CompareDocument) -> Vec<String> {
    let mut problems = Vec::new();
    if document.rounds.iter().any(|round| round.slices.len() != document.contestants.len()) {
        return vec![problem("rounds", "a round without a slice of each", "one of each contestant")];
    }
    if document.rounds.is_empty() {
        return vec![problem("rounds", "none", "those that the medians come from")];
    }
    let stage = Stage { bound: String::new(), works: Vec::new(), rounds: document.rounds.clone() };
    let samples = samples(&stage);
    for (place, contestant) in document.contestants.iter().enumerate() {
        let computed = median(&samples.ns_per_node(place));
        if differs(contestant.ns_per_node, computed) {
            let field = format!("contenders[{place}].ns_per_node");
            problems.push(problem(&field, contestant.ns_per_node, format!("{computed}, the median of the rounds")));
        }
    }
    for (number, table) in document.tables.iter().enumerate() {
        for (row, comparison) in table.comparisons.iter().enumerate() {
            let computed = median(&samples.ratios(comparison.contestant, table.reference));
            if differs(comparison.ratio.median, computed) {
                let field = format!("tables[{number}].comparisons[{row}].ratio.median");
                let expected = format!("{computed}, the median of the rounds");
                problems.push(problem(&field, comparison.ratio.median, expected));
            }
        }
    }
    problems
}

/// Compares means with those of the key tables.
pub fn collisions(document: &CollisionsDocument) -> Vec<String> {
    let mut problems = Vec::new();
    for (number, scheme) in document.schemes.iter().enumerate() {
        for (row, window) in scheme.rows.iter().enumerate() {
            let field = format!("schemes[{number}].rows[{row}]");
            let mean = window.lost.iter().map(|&lost| lost as f64).sum::<f64>() / window.lost.len().max(1) as f64;
            if let Some(found) = window.mean.filter(|found| differs(*found, mean)) {
                problems.push(problem(&format!("{field}.mean"), found, format!("{mean}, that of the key tables")));
            }
            if let Some(found) = window.ratio.filter(|found| differs(*found, mean / window.expected)) {
                let expected = format!("{}, the mean by what is expected", mean / window.expected);
                problems.push(problem(&format!("{field}.ratio"), found, expected));
            }
            if let Some(found) = window.lost.iter().chain(&window.band).find(|lost| **lost > scheme.positions) {
                problems.push(problem(
                    &format!("{field}.lost"),
                    found,
                    format!("at most {}, all positions", scheme.positions),
                ));
            }
        }
    }
    problems
}

/// Published numbers of leaves of the starting position. **Source**: OEIS A048987.
const LEAVES: [u128; 10] =
    [1, 20, 400, 8_902, 197_281, 4_865_609, 119_060_324, 3_195_901_860, 84_998_978_956, 2_439_530_234_167];
/// Published numbers of distinct positions, with e.p. squares that can be captured legally. **Source**: OEIS A083276.
const DISTINCT: [u128; 10] = [1, 20, 400, 5_362, 72_078, 822_518, 9_417_681, 96_400_068, 988_187_354, 9_183_421_888];
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq";

/// Compares counts with published ones, and with each other.
pub fn unique(document: &UniqueDocument) -> Vec<String> {
    let mut problems = Vec::new();
    let is_start = document.fen.starts_with(START);
    for (number, ply) in document.plies.iter().enumerate() {
        let mut add = |field: &str, found: u128, expected: String| {
            problems.push(problem(&format!("plies[{number}].{field}"), found, expected));
        };
        if ply.distinct > ply.perft || ply.distinct == 0 {
            add("distinct", ply.distinct, format!("1 to {}, the leaves", ply.perft));
        }
        if ply.once > ply.distinct {
            add("once", ply.once, format!("at most {}, the distinct positions", ply.distinct));
        }
        let published = |table: &[u128; 10]| table.get(ply.ply as usize).copied().filter(|_| is_start);
        if let Some(known) = published(&LEAVES).filter(|known| *known != ply.perft) {
            add("perft", ply.perft, format!("{known}, as published"));
        }
        let is_exact = document.ep_policy == "legal" && ply.expected_lost.is_none_or(|lost| lost < 1e-3);
        if let Some(known) = published(&DISTINCT).filter(|known| is_exact && *known != ply.distinct) {
            add("distinct", ply.distinct, format!("{known}, as published"));
        }
    }
    problems
}
