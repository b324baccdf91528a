//! The problems of a document: each kind has checks of its own.

use super::known::Known;
use super::newer::unknown_fields;
use super::problem::problem;
use super::{derived, fingerprint, rows};
use crate::page::{DocumentError, PageDocument};
use perft_gate_machine::record::Record;

/// Returns the problems of a document. **Errors**: it cannot be read at all.
pub fn problems(text: &str, known: &Known) -> Result<Vec<String>, DocumentError> {
    Ok(match PageDocument::parse(text)? {
        PageDocument::Record(record) => of_record(text, &record, known),
        PageDocument::Compare(compare) => derived::compare(&compare),
        PageDocument::Collisions(collisions) => derived::collisions(&collisions),
        PageDocument::Distinct(unique) => derived::unique(&unique),
        PageDocument::Other(schema) => vec![format!("schema: found '{schema}', expected a result for a page")],
    })
}

fn of_record(text: &str, record: &Record, known: &Known) -> Vec<String> {
    if record.is_empty() {
        return vec![Record::EMPTY.into()];
    }
    let newer = unknown_fields(text, record).into_iter();
    let newer = newer.map(|field| problem(&field, "a field that this perft does not know", "none"));
    newer.chain(fingerprint::problems(record, known)).chain(rows::problems(record)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_bench::reference;
    use serde_json::{Value, json};

    fn known() -> Known {
        let revisions = vec![format!("{}0000", reference().build.revision.expect("it is known"))];
        Known { today: "2026-11-30".into(), revisions, folder: Some(reference().machine.hardware.slug()) }
    }

    fn found(edit: impl FnOnce(&mut Value)) -> Vec<String> {
        let mut record = serde_json::to_value(reference()).expect("a record");
        edit(&mut record);
        problems(&record.to_string(), &known()).unwrap_or_else(|error| vec![error.to_string()])
    }

    #[test]
    fn a_true_record_has_no_problem() {
        assert_eq!(found(|_| {}), Vec::<String>::new());
        // Some revisions recorded the level of the program around the measured code.
        assert_eq!(found(|record| record["build"]["opt_level"] = json!("0")), Vec::<String>::new());
    }

    /// Edits of a record, each with the beginning of the one problem that it makes.
    #[test]
    fn every_edit_is_found() {
        let slices = |record: &mut Value, work: usize, edit: &dyn Fn(&mut Value)| {
            for round in record["stages"][0]["rounds"].as_array_mut().expect("rounds") {
                round["slices"][work].as_array_mut().expect("slices").iter_mut().for_each(edit);
            }
        };
        type Edit<'a> = Box<dyn Fn(&mut Value) + 'a>;
        let edits: Vec<(&str, Edit<'_>)> = vec![
            (
                "schema: found 'perft.record/9', expected 'perft.record/1': update",
                Box::new(|r| r["schema"] = json!("perft.record/9")),
            ),
            ("machine.quantum: found a field", Box::new(|r| r["machine"]["quantum"] = json!(true))),
            (
                "started: found 2031-01-01T00:00:00Z, expected",
                Box::new(|r| r["started"] = json!("2031-01-01T00:00:00Z")),
            ),
            ("started: found yesterday, expected", Box::new(|r| r["started"] = json!("yesterday"))),
            ("build.revision: found fffffffff0, expected", Box::new(|r| r["build"]["revision"] = json!("fffffffff0"))),
            ("build.revision: found none, expected", Box::new(|r| r["build"]["revision"] = Value::Null)),
            ("build.dirty: found", Box::new(|r| r["build"]["dirty"] = json!(true))),
            ("build.debug_assertions: found a build with", Box::new(|r| r["build"]["debug_assertions"] = json!(true))),
            ("settings.quick: found a quick run", Box::new(|r| r["settings"]["quick"] = json!(true))),
            (
                "settings.interrupted: found a run that was stopped",
                Box::new(|r| r["settings"]["interrupted"] = json!(true)),
            ),
            ("settings.level: found v4", Box::new(|r| r["machine"]["hardware"]["features"] = json!(["avx2", "bmi2"]))),
            (
                "machine.hardware.vendor: found AuthenticAMD",
                Box::new(|r| r["machine"]["hardware"]["cpu"] = json!("Intel Xeon 1")),
            ),
            ("machine.hardware.memory_gib: found 0", Box::new(|r| r["machine"]["hardware"]["memory_gib"] = json!(0))),
            (
                "machine.hardware.threads: found 900000",
                Box::new(|r| r["machine"]["hardware"]["threads"] = json!(900_000)),
            ),
            (
                "machine.hardware.caches[0]: found",
                Box::new(|r| r["machine"]["hardware"]["caches"][0]["kib"] = json!(9_000_000)),
            ),
            ("stages[0].works[2].nodes: found 5", Box::new(|r| r["stages"][0]["works"][2]["nodes"] = json!(5))),
            ("stages[0].works[0]: found chess", Box::new(|r| r["stages"][0]["works"][0]["workload"] = json!("chess"))),
            (
                "stages[0].works[1].threads: found 64",
                Box::new(|r| {
                    r["stages"][0]["works"][1]["threads"] = json!(64);
                    r["stages"][0]["works"][1]["nodes"] = json!(64 * 14200);
                }),
            ),
            (
                "stages[0].rounds[3].slices[4]: found",
                Box::new(|r| r["stages"][0]["rounds"][3]["slices"][4][0][0] = json!(17)),
            ),
            (
                "stages[0].rounds[9]: found the same times as rounds[8]",
                Box::new(|r| {
                    r["stages"][0]["rounds"][9] = r["stages"][0]["rounds"][8].clone();
                }),
            ),
            (
                "stages[0].works[4]: found times in whole microseconds",
                Box::new(move |r| {
                    slices(r, 4, &|slice| slice[1] = json!(slice[1].as_u64().expect("a time") / 1000 * 1000));
                }),
            ),
            (
                "stages[0].works[4]: found the same time in every",
                Box::new(move |r| slices(r, 4, &|slice| slice[1] = json!(91_234_567))),
            ),
            (
                "stages[0].works[5]: found 3.89 times",
                Box::new(move |r| {
                    slices(r, 5, &|slice| slice[1] = json!(slice[1].as_u64().expect("a time") * 2 / 5));
                }),
            ),
            (
                "stages[0].works[4]: found ",
                Box::new(move |r| {
                    slices(r, 4, &|slice| slice[1] = json!(slice[1].as_u64().expect("a time") / 100));
                }),
            ),
            ("tasks[0].longest_ns: found 7", Box::new(|r| r["tasks"][0]["longest_ns"] = json!(7))),
            ("tasks[1].nodes: found 1", Box::new(|r| r["tasks"][1]["nodes"] = json!(1))),
        ];
        for (expected, edit) in edits {
            let found = found(&edit);
            assert!(found.iter().any(|problem| problem.starts_with(expected)), "{expected}: {found:?}");
        }
    }

    #[test]
    fn a_record_lies_in_its_machines_folder() {
        let record = reference();
        let known = Known { folder: Some("mine".into()), ..known() };
        let found = problems(&record.text(), &known).expect("a record");
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("the folder: found mine, expected amd-epyc"), "{found:?}");
    }
}
