//! `perft bench` and `perft diff`, run through the binary.

use crate::common::{BINARY, Folder, Run, document, is_valid, perft, perft_line, read_json, root, start};
#[cfg(unix)]
use crate::common::{signal, wait_until_it_catches_interrupts};
use perft_gate_machine::record::Record;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Briefly benchmarks a workload on one thread, with `here` as the machine's name.
fn bench(workload: &str, budget: &str, results: &str) -> Run {
    let line = format!("bench --quick --budget {budget} --threads 1 --machine here --workload {workload} --results");
    let more = [results, "--label", "Ryzen 7, PBO off", "--note", "<b>open</b> case"];
    perft(&line.split(' ').chain(more).collect::<Vec<_>>())
}

/// Returns the path of the reference record for scores. Its machine was quiet enough for verdicts of `perft diff`.
fn reference() -> String {
    root("crates/bench/src/reference.json").to_str().expect("a path in UTF-8").into()
}

fn changed(folder: &Folder, name: &str, change: impl Fn(&mut Value)) -> String {
    let mut record = document(reference());
    change(&mut record);
    folder.write(name, record.to_string())
}

/// Writes a copy of the reference record in which a workload takes `percent` % of its original time.
fn scaled(folder: &Folder, workload: &str, percent: u64) -> String {
    let mut record = perft_gate_bench::reference();
    for stage in &mut record.stages {
        for slices in stage.rounds.iter_mut().map(|round| &mut round.slices) {
            let of_workload = slices.iter_mut().zip(&stage.works).filter(|(_, work)| work.workload == workload);
            of_workload.flat_map(|(slices, _)| slices).for_each(|(_, ns)| *ns = *ns * percent / 100);
        }
    }
    folder.write("scaled.json", record.text())
}

/// The optimisation level that Cargo.toml sets for the measured crates in this test's profile, if any.
fn measured_opt_level() -> Option<&'static str> {
    let profile = Path::new(BINARY).parent()?.file_name()?;
    match profile.to_str()? {
        "release" | "checked" | "profiling" => Some("3"),
        "mutants" => Some("1"),
        _ => None,
    }
}

#[test]
fn a_run_leaves_a_record_that_the_schema_allows() {
    let folder = Folder::new();
    let output = bench("setwise", "5s", &folder.file("results"));
    output.expect(0, &["\nnote: <b>open</b> case\n", "workload", "queens", "setwise", "equal tasks", "record: "]);
    let found = output.stdout;
    assert!(found.starts_with("Ryzen 7, PBO off\n"), "{found}");
    let files: Vec<PathBuf> =
        fs::read_dir(folder.join("results/here")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    let record = document(&files[0]);
    assert!(!record["stages"][0]["rounds"].as_array().unwrap().is_empty(), "{found}");
    assert_eq!((&record["label"], &record["note"]), (&"Ryzen 7, PBO off".into(), &"<b>open</b> case".into()));
    assert_eq!(record["workloads_version"], perft_gate_bench::WORKLOADS_VERSION);
    assert!(record["placement"].is_string(), "{record:#}");
    if let Some(expected) = measured_opt_level() {
        assert_eq!(record["build"]["opt_level"], expected, "not that of the program around the measured code");
    }
    let conditions = &record["conditions"];
    assert!(conditions["samples"].as_u64() > Some(4) && conditions["seconds"].as_f64() > Some(2.0), "{conditions:#}");
    if cfg!(target_os = "linux") {
        assert!(conditions["load"]["mean"].is_number() && found.contains("load average: "), "{conditions:#}");
    }
    assert!(output.stderr.starts_with("measuring for 5s: setwise on 1 thread\n"), "{}", output.stderr);
    let next = format!("next step: perft report {} -o report.html\n", folder.file("results"));
    assert!(output.stderr.ends_with(&next), "{}", output.stderr);
}

#[test]
fn a_sustained_run_keeps_its_rate_over_time() {
    let line = "bench --quick --budget 1ms --threads 1 --workload queens,bulk --sustained 2s --results - --json";
    let folder = Folder::new();
    let json = &folder.file("bench.json");
    let output = perft_line(&format!("{line} {json}"));
    output.expect(0, &["sustained bulk on 1 thread for "]);
    let summary = document(json);
    assert!(summary["scores"][0]["score"].as_f64() > Some(0.0), "{summary:#}");
    let record = output.document();
    let sustained = &record["sustained"][0];
    assert_eq!((&sustained["workload"], &sustained["threads"]), (&"bulk".into(), &1.into()));
    let starts: Vec<u64> =
        sustained["stretches"].as_array().unwrap().iter().map(|one| one["at_ms"].as_u64().unwrap()).collect();
    assert!(starts.len() >= 2 && starts[0] == 0 && starts[1] >= 1000, "{starts:?}");
}

/// If another program keeps every processor busy, the run notices it.
#[cfg(target_os = "linux")]
#[test]
fn a_busy_machine_is_warned_of() {
    let mut neighbour = start("count --fen kiwipete --depth 9");
    let output = perft_line("bench --quick --budget 2s --threads 1 --workload queens --results -");
    neighbour.kill().unwrap();
    neighbour.wait().unwrap();
    output.expect(0, &[]);
    let record = output.document();
    let warning = record["conditions"]["warnings"][0].as_str().expect("a warning");
    assert!(warning.starts_with("neighbours took ") && warning.ends_with("scores are not comparable"), "{warning}");
    assert!(output.stderr.contains(&format!("\nwarning: {warning}\n")), "{}", output.stderr);
}

/// Reads a record with every optional field, and records that older versions of the program wrote.
#[test]
fn records_with_conditions_are_valid_and_read() {
    let folder = Folder::new();
    let readings = |min: f64, max: f64| json!({"start": min, "end": max, "min": min, "mean": min, "max": max});
    let full = |record: &mut Value| {
        record["label"] = "laptop".into();
        record["workloads_version"] = 1.into();
        record["placement"] = "pinned, cores before their SMT siblings".into();
        record["conditions"] = json!({
            "seconds": 270.5, "samples": 540, "load": readings(0.1, 2.0), "steal": readings(0.0, 0.3),
            "others": readings(0.0, 1.0), "runnable": readings(0.0, 9.0), "clock_ghz": readings(3.1, 5.2),
            "clock_all_ghz": readings(3.0, 4.8), "celsius": readings(-5.0, 95.0),
            "warnings": ["neighbours took 31 % of the time: scores are not comparable"],
        });
        record["sustained"] = json!([{
            "workload": "setwise", "version": 1, "unit": "leaves", "threads": 2,
            "stretches": [{"at_ms": 0, "nodes": 5, "ns": 7, "celsius": 40.0}, {"at_ms": 1000, "nodes": 5, "ns": 8}],
        }]);
    };
    let older = |record: &mut Value| {
        full(record);
        record["conditions"]["watts"] = readings(8.0, 65.0);
        record["conditions"]["battery"] = json!({"discharging": true, "percent": readings(60.0, 80.0)});
        record["machine"]["hardware"]["kinds"] = json!([{"name": "performance"}, {"name": "efficiency"}]);
    };
    let path = changed(&folder, "full.json", full);
    let read: Record = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(read.check(), Ok(()));
    assert_eq!(serde_json::to_value(&read).unwrap()["conditions"], document(&path)["conditions"], "nothing is lost");
    for path in [path, changed(&folder, "older.json", older)] {
        assert!(is_valid(&read_json(&path)), "{path}");
        let found = perft(&["diff", &reference(), &path]);
        found.expect(0, &[]);
        assert!(found.stdout.starts_with("two builds or runs on the same hardware\n"), "{}", found.stdout);
        perft(&["report", &path, "--check"]).expect(0, &[]);
    }
    let impossible = |record: &mut Value| record["conditions"]["steal"]["max"] = 31.into();
    let timeless = |record: &mut Value| record["sustained"][0]["stretches"][1]["ns"] = 0.into();
    type Change<'a> = &'a dyn Fn(&mut Value);
    // A record that names a kind of core must be rejected, not read as if its work ran on any core.
    let of_a_kind = |record: &mut Value| record["stages"][0]["works"][2]["kind"] = "efficiency".into();
    let wrongs: [(Change<'_>, &str); 3] = [
        (&of_a_kind, "stages[0].works[2].kind: unknown field `kind`"),
        (&impossible, "conditions.steal: found impossible readings, expected shares from 0 to 1"),
        (&timeless, "sustained[0].stretches: found a count or a time of 0, expected more"),
    ];
    for (change, expected) in wrongs {
        let path = changed(&folder, "wrong.json", |record| {
            full(record);
            change(record);
        });
        assert!(!is_valid(&read_json(&path)), "{expected}");
        perft(&["diff", &path, &path]).expect_error(2, expected);
    }
}

#[test]
fn committed_records_are_valid_and_whole() {
    let folders = fs::read_dir(root("results")).unwrap().map(|entry| entry.unwrap().path());
    let files = folders.filter(|path| path.is_dir()).flat_map(|folder| fs::read_dir(folder).unwrap());
    let paths = files.map(|entry| entry.unwrap().path());
    for path in paths.filter(|path| read_json(path)["schema"] == "perft.record/1") {
        assert!(is_valid(&read_json(&path)), "{}", path.display());
        let Record { settings, build, .. } = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        assert!(!settings.interrupted && !settings.quick, "{}", path.display());
        assert_eq!(build.dirty, Some(false), "{}: measured by a commit", path.display());
    }
    let mut wrong = document(reference());
    wrong["stages"][0]["rounds"][0]["slices"][0][0][1] = 0.into();
    assert!(!is_valid(&wrong), "a slice without time");
}

#[test]
fn slower_records_fail_where_that_is_asked() {
    let folder = Folder::new();
    let old = &*reference();
    let slower = scaled(&folder, "setwise", 150);
    perft(&["diff", old, old, "--fail-slower", "5%"]).expect(0, &[]);
    let found = perft(&["diff", old, &slower, "--fail-slower", "5%"]);
    found.expect(1, &["slower by more than 5.0 %: setwise on 1, setwise on 2"]);
    perft(&["diff", old, &slower]).expect(0, &[]);
    let document = perft(&["diff", old, &slower, "--fail-slower", "5%", "--json", "-"]).document();
    assert!(document["fail_slower"]["slower"].as_array().is_some_and(|slower| !slower.is_empty()), "{document:#}");
    let same = perft(&["diff", old, old, "--json", "-"]).document();
    assert!(same["fail_slower"].is_null() && same["pairs"][0]["ratio"]["median"] == 1.0, "{same:#}");
    let visible: Vec<bool> =
        same["pairs"].as_array().unwrap().iter().map(|pair| pair["smallest_visible"].as_f64() > Some(0.005)).collect();
    assert!(visible.contains(&true), "the smallest difference that it could measure: {same:#}");
    assert!(!is_valid(&json!({ "schema": "perft.diff/1", "pairs": [] })));
    perft(&["diff", old, &slower, "--markdown"]).expect(0, &["| setwise | 1 |", "**slower**"]);
}

#[test]
fn what_is_no_record_is_refused_in_a_line() {
    let folder = Folder::new();
    let whole = fs::read_to_string(reference()).unwrap();
    let changed = |name: &str, change: &dyn Fn(&mut Value)| changed(&folder, name, change);
    for (path, expected) in [
        (
            folder.write("cut.json", &whole[..whole.len() / 2]),
            "found the end of the file, expected a document of perft",
        ),
        (folder.write("other.json", "{\"a\": 1}"), "schema: found none, expected a document of perft"),
        (
            changed("newer.json", &|record| record["schema"] = "perft.record/2".into()),
            "schema: found 'perft.record/2', expected 'perft.record/1': update this perft to read a newer one",
        ),
        (
            changed("gate.json", &|record| record["schema"] = "perft.gate/1".into()),
            "found another result, expected a record of `perft bench`",
        ),
        (changed("odd.json", &|record| record["settings"]["level"] = 3.into()), "settings.level: invalid type"),
        (
            changed("order.json", &|record| record["stages"][0]["rounds"][1]["order"][0] = 99.into()),
            "stages[0].rounds[1].order: found [99",
        ),
        (
            changed("version.json", &|record| record["stages"][0]["works"][2]["version"] = 7.into()),
            "found version 7, expected version 1 as in the old record",
        ),
        (
            changed("set.json", &|record| record["workloads_version"] = 2.into()),
            "set of workloads: found version 2, expected version 1 as in the old record",
        ),
        ("missing.json".into(), "missing.json: "),
    ] {
        let output = perft(&["diff", &reference(), &path]);
        output.expect_error(2, expected);
        assert!(output.stderr.contains(&path), "{path}: {}", output.stderr);
    }
}

#[test]
fn a_folder_that_cannot_be_written_loses_no_record() {
    let folder = Folder::new();
    // Even root cannot create a folder where a file is.
    let file = folder.write("results", "");
    let output = bench("queens", "1ms", &file);
    output.expect(0, &["the record will be printed"]);
    let found = output.stdout;
    let record: Value = serde_json::from_str(&found[found.find('{').expect("a record")..]).expect("JSON");
    assert!(is_valid(&record), "{found}");
}

/// Starts a long run, stops it after `seconds`, and returns its output.
#[cfg(unix)]
fn stopped_after(seconds: f64, workloads: &str) -> Run {
    let folder = Folder::new();
    let line = "bench --quick --budget 300s --threads 1,2 --machine here --workload";
    let mut child = start(&format!("{line} {workloads} --results {}", folder.file("results")));
    wait_until_it_catches_interrupts(&mut child);
    std::thread::sleep(std::time::Duration::from_secs_f64(seconds));
    signal("-INT", &child);
    let output = Run::wait(child);
    output.expect(130, &[]);
    assert!(output.stderr.ends_with("stopped: no record was written\n"), "{}", output.stderr);
    assert!(!folder.join("results").exists(), "something is left under results");
    output
}

#[cfg(unix)]
#[test]
fn a_stopped_run_has_no_score_and_no_record() {
    let found = stopped_after(2.0, "queens").stdout;
    assert!(!found.contains("score on") && !found.contains("equal tasks"), "{found}");
    assert!(found.contains("queens          1") && found.contains(", stopped\n"), "{found}");
}

#[cfg(unix)]
#[test]
fn a_run_that_is_stopped_at_once_ends_at_once_and_says_nothing() {
    let start = std::time::Instant::now();
    let output = stopped_after(0.3, "queens,bulk,setwise,verify");
    assert!(output.stdout.is_empty(), "{}", output.stdout);
    assert!(start.elapsed().as_secs() < 60, "it went on");
}

#[test]
fn an_empty_record_is_refused_in_a_line() {
    let folder = Folder::new();
    let old = reference();
    let mut record = perft_gate_bench::reference();
    record.stages.iter_mut().for_each(|stage| stage.rounds.clear());
    let (empty, page) = (folder.write("empty.json", record.text()), folder.file("page.html"));
    for arguments in [
        &["diff", &empty, &empty][..],
        &["diff", &old, &empty],
        &["report", &empty, "-o", &page],
        &["report", &empty, &old, "-o", &page],
    ] {
        let output = perft(arguments);
        let expected =
            format!("error: {empty}: found no round, expected a record of a complete run of `perft bench`\n");
        assert_eq!((output.code, output.stderr), (Some(2), expected), "{arguments:?}");
        assert!(output.stdout.is_empty() && !Path::new(&page).exists());
    }
}

#[test]
fn a_baseline_is_kept_replaced_and_compared_with() {
    let folder = Folder::new();
    let results = folder.join("results");
    let line = format!(
        "bench --quick --budget 1ms --threads 1 --machine here --workload queens --results {}",
        results.display()
    );
    let run = |options: &str| perft_line(&format!("{line} {options}"));
    run("--baseline main").expect(2, &["save one with --save-baseline main"]);
    assert!(!results.exists());
    let path = results.join("here/baseline-main.json");
    run("--save-baseline main").expect(0, &[]);
    let first = document(&path);
    run("--save-baseline main --seed 7").expect(0, &[]);
    assert_eq!((&first["settings"]["seed"], &document(&path)["settings"]["seed"]), (&0.into(), &7.into()));
    let compared = "\nagainst the baseline 'main'\ntwo builds or runs on the same hardware\n";
    run("--baseline main").expect(0, &[compared, "detectable"]);
    // The folder contains the baseline and the new record.
    assert_eq!(fs::read_dir(results.join("here")).unwrap().count(), 2);
}
