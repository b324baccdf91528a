//! Checks results before they are compared: each must match its schema, and each summary must follow from its samples.
//! The problems are returned as text, one line for each.

use crate::collisions::CollisionsDocument;
use crate::compare::json::CompareDocument;
use crate::page::{DocumentError, Documents};
use crate::unique::UniqueDocument;
use perft_gate_lab::measure::{Samples, median};
use perft_gate_machine::record::Record;
use serde_json::{Map, Value};
use std::fmt::Display;

/// Returns the problems found in a document. **Errors**: the document cannot be read at all.
pub fn problems(text: &str) -> Result<Vec<String>, DocumentError> {
    let Documents { records, comparisons, collisions, distinct, others } = Documents::parse(text)?;
    let records = records.iter().flat_map(|record| of_record(text, record));
    let others = others.iter().map(|schema| problem("schema", format!("'{schema}'"), "a result for a page"));
    let lab = comparisons.iter().flat_map(of_compare).chain(collisions.iter().flat_map(of_collisions));
    Ok(records.chain(lab).chain(distinct.iter().flat_map(of_unique)).chain(others).collect())
}

fn problem(field: &str, found: impl Display, expected: impl Display) -> String {
    format!("{field}: found {found}, expected {expected}")
}

/// Largest relative difference that may be due to rounding.
const ROUNDING: f64 = 1e-6;

/// Describes how a summary value differs from the recomputed one, or returns `None` if they agree.
fn differing(field: &str, found: f64, computed: f64, from: &str) -> Option<String> {
    let is_equal = (found - computed).abs() <= ROUNDING * computed.abs().max(1e-9);
    (!is_equal).then(|| problem(field, found, format!("{computed}, {from}")))
}

fn of_record(text: &str, record: &Record) -> Vec<String> {
    let newer = unknown_fields(text, record).into_iter();
    let mut problems: Vec<String> =
        newer.map(|field| problem(&field, "a field that this perft does not know", "none")).collect();
    for (number, stage) in record.stages.iter().enumerate() {
        for (row, round) in stage.rounds.iter().enumerate() {
            for (place, (work, slices)) in stage.works.iter().zip(&round.slices).enumerate() {
                if let Some((nodes, _)) = slices.iter().find(|(nodes, _)| !nodes.is_multiple_of(work.nodes)) {
                    let field = format!("stages[{number}].rounds[{row}].slices[{place}]");
                    problems.push(problem(&field, nodes, format!("whole passes of {}", work.nodes)));
                }
            }
        }
    }
    for (number, tasks) in record.tasks.iter().enumerate() {
        let Some((last, _)) = tasks.times.last() else { continue };
        // Times are kept to two digits, except `longest_ns`, which is exact.
        if (tasks.longest_ns as f64 / *last as f64 - 1.0).abs() > 0.1 {
            let expected = format!("about {last}, the last of tasks[{number}].times");
            problems.push(problem(&format!("tasks[{number}].longest_ns"), tasks.longest_ns, expected));
        }
    }
    problems
}

/// Checks that the median times follow from the times of the rounds.
fn of_compare(document: &CompareDocument) -> Vec<String> {
    if document.rounds.is_empty() {
        return vec![problem("rounds", "none", "those that the medians come from")];
    }
    if document.rounds.iter().any(|round| round.slices.len() != document.contestants.len()) {
        return vec![problem("rounds", "a round without a slice of each", "one of each contestant")];
    }
    const FROM: &str = "the median of the rounds";
    let samples = Samples { rounds: document.rounds.clone(), interrupted: false };
    let times = document.contestants.iter().enumerate().filter_map(|(place, contestant)| {
        let field = format!("contenders[{place}].ns_per_node");
        differing(&field, contestant.ns_per_node, median(&samples.ns_per_node(place)), FROM)
    });
    let mut problems: Vec<String> = times.collect();
    for (number, table) in document.tables.iter().enumerate() {
        problems.extend(table.comparisons.iter().enumerate().filter_map(|(row, comparison)| {
            let field = format!("tables[{number}].comparisons[{row}].ratio.median");
            let computed = median(&samples.ratios(comparison.contestant, table.reference));
            differing(&field, comparison.ratio.median, computed, FROM)
        }));
    }
    problems
}

/// Checks that the mean number of lost positions follows from the number that each key table loses.
fn of_collisions(document: &CollisionsDocument) -> Vec<String> {
    let mut problems = Vec::new();
    for (number, scheme) in document.schemes.iter().enumerate() {
        for (row, window) in scheme.rows.iter().enumerate() {
            let field = |name: &str| format!("schemes[{number}].rows[{row}].{name}");
            let mean = window.lost.mean();
            let of_mean = differing(&field("mean"), window.mean, mean, "that of the key tables");
            let ratio = mean / window.expected;
            let of_ratio = window.ratio.and_then(|found| differing(&field("ratio"), found, ratio, "mean by expected"));
            problems.extend(of_mean.into_iter().chain(of_ratio));
            let mut losses = window.lost.by_table().iter().chain(window.band.by_table());
            if let Some(found) = losses.find(|lost| **lost > scheme.positions) {
                let expected = format!("at most {}, all positions", scheme.positions);
                problems.push(problem(&field("lost"), found, expected));
            }
        }
    }
    problems
}

/// Checks that the counts do not contradict each other.
fn of_unique(document: &UniqueDocument) -> Vec<String> {
    let mut problems = Vec::new();
    for (number, ply) in document.plies.iter().enumerate() {
        if ply.distinct > ply.perft || ply.distinct == 0 {
            let expected = format!("1 to {}, the leaves", ply.perft);
            problems.push(problem(&format!("plies[{number}].distinct"), ply.distinct, expected));
        }
        if ply.once > ply.distinct {
            let expected = format!("at most {}, the distinct positions", ply.distinct);
            problems.push(problem(&format!("plies[{number}].once"), ply.once, expected));
        }
    }
    problems
}

/// Fields that older versions wrote and that this version no longer reads.
const RETIRED: [&str; 4] = ["conditions.battery", "conditions.joules", "conditions.watts", "machine.hardware.kinds"];

/// Returns the paths of the fields in `text` that this version does not know. `record` was read from `text` and lacks
/// these fields. Rows (stages, tasks and so on) are long and unnamed, so they are not compared.
pub fn unknown_fields(text: &str, record: &Record) -> Vec<String> {
    let Ok(mut found) = serde_json::from_str::<Map<String, Value>>(text) else { return Vec::new() };
    for rows in ["stages", "tasks", "sustained"] {
        found.remove(rows);
    }
    let known = serde_json::to_value(record).expect("strings and numbers");
    let mut unknown = Vec::new();
    compare(&Value::Object(found), &known, "", &mut unknown);
    unknown.sort();
    unknown
}

/// Collects the fields of `found` that `known` lacks. Empty values are ignored, because they may be omitted when a
/// record is written.
fn compare(found: &Value, known: &Value, path: &str, unknown: &mut Vec<String>) {
    let (Value::Object(found), Value::Object(known)) = (found, known) else { return };
    for (name, value) in found {
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        let is_empty = value.is_null() || value.as_array().is_some_and(Vec::is_empty);
        match known.get(name) {
            Some(known) => compare(value, known, &path, unknown),
            None if is_empty || RETIRED.contains(&&*path) => {}
            None => unknown.push(path),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_bench::reference;
    use serde_json::{Value, json};

    #[test]
    fn edits_of_a_record_are_found() {
        type Edit = fn(&mut Value);
        let edits: [(&str, Edit); 6] = [
            ("schema: found 'perft.record/9', expected", |r| r["schema"] = json!("perft.record/9")),
            ("found no round", |r| r["stages"] = json!([])),
            ("machine.quantum: found a field", |r| r["machine"]["quantum"] = json!(true)),
            ("stages[0].rounds[3].slices[4]: found", |r| r["stages"][0]["rounds"][3]["slices"][4][0][0] = json!(17)),
            ("stages[0].rounds[0].slices[2]: found", |r| r["stages"][0]["works"][2]["nodes"] = json!(5_000_001)),
            ("tasks[0].longest_ns: found 7", |r| r["tasks"][0]["longest_ns"] = json!(7)),
        ];
        let found = |edit: Edit| {
            let mut record = serde_json::to_value(reference()).expect("a record");
            edit(&mut record);
            problems(&record.to_string()).unwrap_or_else(|error| vec![error.to_string()])
        };
        assert_eq!(found(|_| {}), Vec::<String>::new());
        for (expected, edit) in edits {
            let found = found(edit);
            assert!(found.iter().any(|problem| problem.starts_with(expected)), "{expected}: {found:?}");
        }
    }

    #[test]
    fn fields_of_the_future_are_named() {
        let record = reference();
        assert_eq!(unknown_fields(&record.text(), &record), Vec::<String>::new());
        let mut newer = serde_json::to_value(&record).expect("a record");
        newer["moon"] = "full".into();
        newer["machine"]["hardware"]["qubits"] = 3.into();
        newer["machine"]["system"]["nothing"] = Value::Null;
        assert_eq!(unknown_fields(&newer.to_string(), &record), ["machine.hardware.qubits", "moon"]);
    }
}
