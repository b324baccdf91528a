//! `perft report`: its files and its errors.
//!
//! The fixtures are made up: they look like results and are none. Other machines are made from one record by arithmetic.

use crate::common::{Folder, document, perft, root};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

pub fn fixture(name: &str) -> PathBuf {
    root("tests/page/fixtures").join(name)
}

/// Another machine than the fixture's.
struct Other<'a> {
    cpu: &'a str,
    threads: u64,
    /// Its times, as parts of the fixture's.
    time: f64,
    /// A workload that it did not run.
    without: &'a str,
    label: Option<&'a str>,
}

impl Other<'_> {
    fn record(&self) -> Value {
        let mut record = document(fixture("record.json"));
        record["machine"]["hardware"]["cpu"] = self.cpu.into();
        record["machine"]["hardware"]["threads"] = self.threads.into();
        if let Some(label) = self.label {
            record["label"] = label.into();
        }
        for stage in record["stages"].as_array_mut().unwrap() {
            let works = stage["works"].as_array().unwrap();
            let kept: Vec<usize> = (0..works.len()).filter(|&work| works[work]["workload"] != self.without).collect();
            let mut kept_works: Vec<Value> = kept.iter().map(|&work| works[work].clone()).collect();
            for work in kept_works.iter_mut().filter(|work| work["threads"] == 2) {
                work["threads"] = self.threads.into();
            }
            stage["works"] = kept_works.into();
            for round in stage["rounds"].as_array_mut().unwrap() {
                let order = round["order"].as_array().unwrap().iter().map(|work| work.as_u64().unwrap() as usize);
                let order: Vec<usize> = order.filter_map(|work| kept.iter().position(|&at| at == work)).collect();
                let slices = kept.iter().map(|&work| {
                    let mut slices = round["slices"][work].clone();
                    for slice in slices.as_array_mut().unwrap() {
                        slice[1] = ((slice[1].as_f64().unwrap() * self.time) as u64).into();
                    }
                    slices
                });
                round["slices"] = slices.collect();
                round["order"] = order.into();
            }
        }
        record
    }
}

/// A folder of everything a page can show, with long names and what is missing.
pub fn everything() -> Folder {
    let folder = Folder::new();
    for name in ["record.json", "compare.json", "collisions.json", "unique.json", "kiwipete.json"] {
        fs::copy(fixture(name), folder.join(name)).unwrap();
    }
    let others = [
        Other {
            cpu: "Example(R) Core(TM) X-13700HK CPU @ 3.40GHz",
            threads: 24,
            time: 0.8,
            without: "unique",
            label: None,
        },
        Other { cpu: "Sample Thirty 7950X3D 16-Core Processor", threads: 32, time: 0.4, without: "", label: None },
    ];
    for (number, other) in others.iter().enumerate() {
        folder.write(&format!("record-{number}.json"), other.record().to_string());
    }
    folder
}

/// A label of sixty characters.
pub const LONG: &str = "Sample Workstation Pro 7995WX, 96 cores, PBO off, 8 channels";

/// A folder of records that ask much of a page: long labels, HTML in one, one label twice, earlier runs, a disturbed run,
/// and a rate over time.
pub fn difficult() -> Folder {
    let folder = everything();
    let other = |cpu, time, label| Other { cpu, threads: 8, time, without: "", label: Some(label) }.record();
    folder.write("html.json", other("Html 1", 0.9, "<img src=x onerror=alert(1)>&amp;\"'|`*_").to_string());
    folder.write("same-1.json", other("Same 1", 0.7, "my machine").to_string());
    folder.write("same-2.json", other("Same 2", 1.2, "my machine").to_string());
    let mut long = other("Long 1", 0.5, LONG);
    let reading = serde_json::json!({"start": 0.2, "end": 0.4, "min": 0.1, "mean": 0.31, "max": 0.5});
    long["conditions"] = serde_json::json!({
        "seconds": 300.0, "samples": 300, "load": reading, "others": reading, "clock_ghz": reading,
        "warnings": ["neighbours took 31 % of the time: scores are not comparable"],
    });
    let stretch = |number: u64| serde_json::json!({"at_ms": 10_000 * number, "nodes": 10_000_000 - 30_000 * number, "ns": 10_000_000_000_u64});
    long["sustained"] = serde_json::json!([{
        "workload": "setwise", "version": 1, "unit": "leaves", "threads": 8,
        "stretches": (0..60).map(stretch).collect::<Vec<_>>(),
    }]);
    (long["note"], long["placement"]) = ("Of <b>my</b> friend.".into(), "cores before their SMT siblings".into());
    folder.write("long.json", long.to_string());
    for (number, time) in [(1, 0.52), (2, 0.49)] {
        let mut earlier = other("Long 1", time, LONG);
        earlier["started"] = format!("2026-01-0{number}T00:00:00Z").into();
        folder.write(&format!("earlier-{number}.json"), earlier.to_string());
    }
    folder
}

/// A folder in which one machine is far slower than the others, and one scheme far costlier.
pub fn outliers() -> Folder {
    let folder = Folder::new();
    for (number, time) in [0.9, 1.0, 60.0].into_iter().enumerate() {
        let cpu = format!("Example {} CPU", 1000 + number);
        let other = Other { cpu: &cpu, threads: 2, time, without: "", label: None };
        folder.write(&format!("{number}.json"), other.record().to_string());
    }
    let mut compare = document(fixture("compare.json"));
    let contestants = compare["contenders"].as_array_mut().unwrap();
    let timed = contestants.iter_mut().find(|one| one["recompute"].as_array().is_some_and(|timed| !timed.is_empty()));
    for level in timed.expect("a timed one")["recompute"].as_array_mut().unwrap() {
        level["scalar_ns"] = 90_000.0.into();
    }
    folder.write("compare.json", compare.to_string());
    folder
}

/// A folder of this many machines.
pub fn many(number: usize) -> Folder {
    let folder = Folder::new();
    for at in 0..number {
        let label =
            if at % 2 == 0 { format!("Machine {at}") } else { format!("{at}: {LONG}").chars().take(60).collect() };
        let cpu = format!("Example {} CPU", 1000 + at);
        let time = 0.3 + 0.7 * ((at * 37) % number) as f64 / number as f64;
        let other = Other { cpu: &cpu, threads: 2 + 2 * (at as u64 % 8), time, without: "", label: Some(&label) };
        folder.write(&format!("{at:03}.json"), other.record().to_string());
    }
    folder
}

/// Renders a folder's page.
pub fn render(folder: &Folder) -> String {
    let output = perft(&["report", &folder.file(""), "-o", &folder.file("report.html")]);
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    folder.read("report.html")
}

#[test]
fn every_format_has_what_the_documents_hold_and_the_same_each_time() {
    let folder = everything();
    let formats = |to: &Path| -> BTreeMap<String, String> {
        let [page, markdown, csv, svg] = ["page.html", "page.md", "page.csv", "svg"].map(|name| to.join(name));
        let files = [&page, &markdown, &csv, &svg].map(|path| path.to_str().unwrap());
        let from = folder.path().to_str().unwrap();
        let output =
            perft(&["report", from, "-o", files[0], "--markdown", files[1], "--csv", files[2], "--svg", files[3]]);
        assert_eq!(output.code, Some(0), "{}", output.stderr);
        let pictures = fs::read_dir(svg).unwrap().map(|entry| entry.unwrap().path());
        let all = [page, markdown, csv].into_iter().chain(pictures);
        all.map(|path| (path.file_name().unwrap().to_str().unwrap().into(), fs::read_to_string(path).unwrap()))
            .collect()
    };
    let (one, two) = (Folder::new(), Folder::new());
    let files = formats(one.path());
    assert!(files == formats(two.path()), "other bytes for the same documents");

    let page = &files["page.html"];
    assert!(page.len() < 1_000_000 && page.starts_with("<!DOCTYPE html>"), "{}", page.len());
    for outside in ["src=", "url(", "@import", "http://", "https://", "<link"] {
        assert!(!page.contains(outside), "{outside}: a page needs nothing else");
    }
    for part in ["Hardware", "Hashing"] {
        assert!(page.contains(&format!("<h2>{part}</h2>")), "{part}");
    }
    for section in
        ["Summary", "Scores", "Speed", "Thread scaling", "Task latency", "Side by side", "What hashing schemes cost"]
            .iter()
            .chain(&["What a full recompute costs", "Collisions against expectation", "Distinct positions", "Method"])
    {
        let level = if *section == "Method" { 2 } else { 3 };
        assert!(page.contains(&format!("<h{level}>{section}</h{level}>")), "{section}");
        assert!(files["page.md"].contains(&format!("\n{} {section}\n", "#".repeat(level))), "{section}");
    }
    // The second machine ran no `unique`: said in every picture of it, and in the table behind.
    assert_eq!(files["rates-9.svg"].matches("not measured").count(), 1);
    assert!(files["page.md"].contains("| Example Core X-13700HK, 24 threads | – | – | – | – | – |"));
    // The numbers are the record's, unrounded.
    let line = "rates,\"setwise, one thread, million leaves a second\",\"Example EX 9450, 2 threads, 1\",median,";
    let value = files["page.csv"].lines().find_map(|text| text.strip_prefix(line)).expect("a line");
    assert!((value.parse::<f64>().unwrap() - 2665.0).abs() < 5.0, "{value}");
    let pictures = files.keys().filter(|name| name.ends_with(".svg")).count();
    assert_eq!(pictures, page.matches("<figure").count());
}

#[test]
fn an_outlier_does_not_squeeze_the_others() {
    let is_logarithmic = |folder: &Folder, name: &str| {
        let pictures = Folder::new();
        let output = perft(&["report", &folder.file(""), "--svg", &pictures.file("")]);
        assert_eq!(output.code, Some(0), "{}", output.stderr);
        pictures.read(name).contains(", logarithmic</text>")
    };
    for name in ["scores-1.svg", "rates-1.svg", "recompute-1.svg"] {
        assert!(is_logarithmic(&outliers(), name), "{name}");
        assert!(!is_logarithmic(&everything(), name), "{name}: nothing there needs it");
    }
}

#[test]
fn sections_without_data_are_left_out() {
    let folder = Folder::new();
    fs::copy(fixture("unique.json"), folder.join("unique.json")).unwrap();
    let page = render(&folder);
    let headings = ["<h2>Hashing</h2>", "<h3>Distinct positions</h3>", "<h2>Method</h2>"];
    assert!(headings.iter().all(|heading| page.contains(heading)));
    assert_eq!((page.matches("<h2>").count(), page.matches("<h3>").count()), (2, 1));
}

#[test]
fn what_cannot_be_read_is_one_line_and_no_page() {
    let folder = Folder::new();
    let whole = fs::read_to_string(fixture("record.json")).unwrap();
    let wrong_index =
        fs::read_to_string(fixture("compare.json")).unwrap().replace("\"reference\": 2", "\"reference\": 99");
    let found = [
        ("cut.json", &whole[..whole.len() / 2], "the end of the file, expected a document of perft"),
        ("theirs.json", "{\"schema\": \"other/1\"}", "schema: found 'other/1', expected a document of perft"),
        (
            "newer.json",
            "{\"schema\": \"perft.record/7\"}",
            "schema: found 'perft.record/7', expected 'perft.record/1': update",
        ),
        ("field.json", "{\"schema\": \"perft.unique/1\", \"plies\": [{\"ply\": -1}]}", "plies[0].ply: invalid value"),
        ("index.json", &wrong_index, "tables[1]: found contestant 99, expected one of"),
    ];
    for (name, text, expected) in found {
        let path = folder.write(name, text);
        let page = folder.join("report.html");
        let output = perft(&["report", &path, "-o", &folder.file("report.html")]);
        let error = output.stderr;
        assert_eq!((output.code, error.lines().count()), (Some(2), 1), "{name}: {error}");
        assert!(error.contains(name) && error.contains(expected), "{name}: {error}");
        assert!(!page.exists());
    }
    let empty = Folder::new();
    empty.write("gate.json", "{\"schema\": \"perft.gate/1\"}");
    let output = perft(&["report", &empty.file(""), "--csv", "-"]);
    let error = output.stderr;
    assert_eq!(output.code, Some(2), "{error}");
    assert!(
        error.contains("gate.json: a page cannot show perft.gate/1") && error.contains("nothing to show"),
        "{error}"
    );
    let output = perft(&["report", fixture("record.json").to_str().unwrap()]);
    assert!(output.stderr.contains("found no output"), "{output:?}");
}

#[test]
fn labels_are_text_in_every_format() {
    let folder = difficult();
    let files = ["page.html", "page.md", "page.csv"].map(|name| folder.file(name));
    let from = folder.file("");
    let output = perft(&["report", &from, "-o", &files[0], "--markdown", &files[1], "--csv", &files[2]]);
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    let [page, markdown, csv] = ["page.html", "page.md", "page.csv"].map(|name| folder.read(name));
    assert!(!page.contains("<img") && page.contains("&lt;img src=x onerror=alert(1)&gt;"));
    assert!(!page.contains("<b>my</b>") && !markdown.contains("<img") && csv.contains("<img"));
    // Two machines of one label, and three runs of one machine.
    assert!(page.contains("my machine, Same 1, 8 threads") && page.contains("my machine, Same 2, 8 threads"));
    assert!(page.contains("latest of 3 runs") && page.contains(">History</h3>"));
    assert!(page.contains("neighbours took 31 % of the time"), "a warning is shown");
}

#[test]
fn title_and_baseline_are_chosen() {
    let folder = difficult();
    let page = |options: &[&str]| {
        let (from, to) = (folder.file(""), folder.file("chosen.html"));
        let output = perft(&[&["report", &from, "-o", &to], options].concat());
        (output.code, output.stderr, fs::read_to_string(&to).unwrap_or_default())
    };
    let (code, error, text) = page(&["--title", "Mine & yours", "--baseline", "WORKSTATION pro"]);
    assert_eq!(code, Some(0), "{error}");
    assert!(text.contains("<title>Mine &amp; yours – perft</title>"));
    for property in ["og:title", "og:description", "og:type"] {
        assert!(text.contains(&format!("<meta property=\"{property}\"")), "{property}");
    }
    assert!(text.contains(&format!("Speed beside {LONG}")) || text.contains(&format!("beside {LONG}")));
    let (code, _, by_file) = page(&["--title", "Mine & yours", "--baseline", &folder.file("long.json")]);
    assert_eq!((code, by_file == text), (Some(0), true));
    for (name, expected) in
        [("no such", "expected a part of one of the labels"), ("my machine 3", "found 'my machine 3'")]
    {
        let (code, error, _) = page(&["--baseline", name]);
        assert_eq!((code, error.lines().count()), (Some(2), 1), "{error}");
        assert!(error.contains("--baseline") && error.contains(expected), "{error}");
    }
}

#[test]
fn a_record_from_the_future_is_said_once() {
    let folder = Folder::new();
    let mut newer = document(fixture("record.json"));
    (newer["started"], newer["weather"]) = ("2999-01-01T00:00:00Z".into(), "hot".into());
    let path = folder.write("newer.json", newer.to_string());
    let output = perft(&["report", &path, "-o", &folder.file("page.html")]);
    let notes: Vec<&str> = output.stderr.lines().filter(|line| line.contains("newer.json")).collect();
    assert_eq!((output.code, notes.len()), (Some(0), 2), "{}", output.stderr);
    assert!(notes[0].contains("found weather, written by a newer perft"), "{notes:?}");
    assert!(notes[1].contains("later than today"), "{notes:?}");
}

#[test]
fn versions_of_the_workloads_are_not_mixed() {
    let folder = Folder::new();
    fs::copy(fixture("record.json"), folder.join("a.json")).unwrap();
    let mut next = Other { cpu: "Next 1", threads: 2, time: 0.1, without: "", label: None }.record();
    next["workloads_version"] = 2.into();
    folder.write("b.json", next.to_string());
    let page = render(&folder);
    assert!(page.contains("1 record of another version of the workloads") && !page.contains("Next 1"));
}

#[test]
fn a_hundred_records_make_a_page() {
    let folder = many(100);
    let start = std::time::Instant::now();
    let page = render(&folder);
    println!("100 records: {} bytes in {:?}", page.len(), start.elapsed());
    assert!(page.contains("of 100 machines") && page.contains("Pictures show 20 of 100"));
}
