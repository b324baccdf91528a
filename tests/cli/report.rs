//! `perft report`: its files, its errors, and `--check`.
//!
//! The fixtures look like results but are invented. Records of further machines are computed from the fixture
//! `record.json`.

use crate::common::{Folder, perft, read_json, root};
use perft_gate_machine::record::Record;
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;

pub fn fixture(name: &str) -> PathBuf {
    root("tests/page/fixtures").join(name)
}

/// Returns the fixture's record as if from another machine. `time` scales the fixture's times.
fn other(cpu: &str, threads: usize, time: f64, label: Option<&str>) -> Value {
    let mut record: Record = serde_json::from_str(&fs::read_to_string(fixture("record.json")).unwrap()).unwrap();
    (record.machine.hardware.cpu, record.machine.hardware.threads) = (cpu.into(), threads);
    record.label = label.map(str::to_string).or(record.label);
    for stage in &mut record.stages {
        stage.works.iter_mut().filter(|work| work.threads == 2).for_each(|work| work.threads = threads);
        let slices = stage.rounds.iter_mut().flat_map(|round| &mut round.slices).flatten();
        slices.for_each(|(_, ns)| *ns = (*ns as f64 * time) as u64);
    }
    serde_json::to_value(record).unwrap()
}

/// Returns a folder with one machine's results.
pub fn single() -> Folder {
    let folder = Folder::new();
    for name in ["record.json", "compare.json"] {
        fs::copy(fixture(name), folder.join(name)).unwrap();
    }
    folder
}

/// Returns a folder of results for everything that a page can show, including long names and missing parts.
pub fn everything() -> Folder {
    let folder = single();
    let (collisions, unique) = (folder.file("collisions.json"), folder.file("unique.json"));
    perft(&["collisions", "3", "--scheme", "cpw781,rotate", "--bits", "24,32", "--json", &collisions]);
    perft(&["unique", "3", "--json", &unique]);
    let mut without_unique = other("Example(R) Core(TM) X-13700HK CPU @ 3.40GHz", 24, 0.8, None);
    for stage in without_unique["stages"].as_array_mut().unwrap() {
        for work in stage["works"].as_array_mut().unwrap().iter_mut().filter(|work| work["workload"] == "unique") {
            work["workload"] = "other".into();
        }
    }
    folder.write("record-0.json", without_unique.to_string());
    let third = other("Sample Thirty 7950X3D 16-Core Processor", 32, 0.4, None);
    folder.write("record-1.json", third.to_string());
    folder
}

/// A label of sixty characters.
pub const LONG: &str = "Sample Workstation Pro 7995WX, 96 cores, PBO off, 8 channels";

/// Returns a folder of difficult records: long labels, HTML in a label, a repeated label, earlier runs, a disturbed
/// run, and a rate over time.
pub fn difficult() -> Folder {
    let folder = everything();
    let other = |cpu, time, label| other(cpu, 8, time, Some(label));
    let mut html = other("Html 1", 0.9, "<img src=x onerror=alert(1)>&amp;\"'|`*_");
    let disturbed = "neighbours took 31 % of the time: scores are not comparable";
    html["conditions"] = json!({"seconds": 300.0, "samples": 300, "warnings": [disturbed]});
    folder.write("html.json", html.to_string());
    folder.write("same-1.json", other("Same 1", 0.7, "my machine").to_string());
    folder.write("same-2.json", other("Same 2", 1.2, "my machine").to_string());
    let mut long = other("Long 1", 0.5, LONG);
    let reading = json!({"start": 0.2, "end": 0.4, "min": 0.1, "mean": 0.31, "max": 0.5});
    long["conditions"] = json!({
        "seconds": 300.0, "samples": 300, "load": reading, "others": reading, "clock_ghz": reading,
        "warnings": ["the clock of one thread varied from 2.00 to 3.00 GHz: scores may not repeat"],
    });
    let stretch = |number: u64| json!({"at_ms": 10_000 * number, "nodes": 10_000_000 - 30_000 * number, "ns": 10_000_000_000_u64});
    long["sustained"] = json!([{
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

/// Returns a folder in which one machine is far slower than the others.
pub fn outliers() -> Folder {
    let folder = Folder::new();
    for (number, time) in [0.9, 1.0, 60.0].into_iter().enumerate() {
        let record = other(&format!("Example {} CPU", 1000 + number), 2, time, None);
        folder.write(&format!("{number}.json"), record.to_string());
    }
    folder
}

pub fn many(number: usize) -> Folder {
    let folder = Folder::new();
    for at in 0..number {
        let label =
            if at % 2 == 0 { format!("Machine {at}") } else { format!("{at}: {LONG}").chars().take(60).collect() };
        let time = 0.3 + 0.7 * ((at * 37) % number) as f64 / number as f64;
        let record = other(&format!("Example {} CPU", 1000 + at), 2 + 2 * (at % 8), time, Some(&label));
        folder.write(&format!("{at:03}.json"), record.to_string());
    }
    folder
}

pub fn render(folder: &Folder) -> String {
    perft(&["report", &folder.file(""), "-o", &folder.file("report.html")]).expect(0, &[]);
    folder.read("report.html")
}

#[test]
fn both_formats_have_what_the_documents_hold_and_the_same_each_time() {
    let folder = everything();
    let formats = || {
        let to = Folder::new();
        perft(&["report", &folder.file(""), "-o", &to.file("page.html"), "--csv", &to.file("page.csv")]).expect(0, &[]);
        [to.read("page.html"), to.read("page.csv")]
    };
    let files = formats();
    assert!(files == formats(), "other bytes for the same documents");

    let [page, csv] = &files;
    assert!(page.len() < 1_000_000 && page.starts_with("<!DOCTYPE html>"), "{}", page.len());
    for outside in ["src=", "url(", "@import", "http://", "https://", "<link"] {
        assert!(!page.contains(outside), "{outside}: a page needs nothing else");
    }
    for section in ["Side by side", "Summary", "Speed", "Thread scaling", "Task latency", "Machines", "Method"]
        .iter()
        .chain(&["What hashing schemes cost", "What a full recompute costs"])
        .chain(&["Collisions against expectation", "Distinct positions"])
    {
        assert!(page.contains(&format!("<h2>{section}</h2>")), "{section}");
    }
    // One machine did not run `unique`, and the two others did not run `other`. Each gap is shown in two pictures.
    assert_eq!(page.matches(">not measured<").count(), 2 + 2 * 2);
    // The CSV file contains the record's numbers unrounded.
    let line = "setwise, 1\",M/s,";
    let of_machine = |text: &&str| text.starts_with("rates,") && text.contains("\"Example EX 9450, 2 threads, ");
    let value = csv.lines().filter(of_machine).find_map(|text| text.split_once(line)).expect("a line").1;
    assert!((value.parse::<f64>().unwrap() - 2665.0).abs() < 5.0, "{value}");
    assert!(page.contains("Ply 3 of the starting position: 1 of 2 schemes are sound. Not sound: rotate."));
    assert!(csv.contains("distinct,\"From the starting position to ply 3, e.p. legal\",3,distinct,5362\n"), "{csv}");
    let lost = "collisions,\"Positions lost with 32 bits, ply 3 of the starting position\",\"rotate, fold\",";
    assert!(csv.contains(&format!("{lost}mean,38.1\n")) && csv.contains(&format!("{lost}verdict,broken\n")), "{csv}");
}

#[test]
fn an_outlier_does_not_squeeze_the_others() {
    let [squeezed, even] = [outliers(), everything()].map(|folder| render(&folder));
    for axis in ["score", "million leaves a second"] {
        let logarithmic = format!("{axis}, logarithmic</div>");
        assert!(squeezed.contains(&logarithmic), "{axis}");
        assert!(!even.contains(&logarithmic), "{axis}: nothing there needs it");
    }
}

#[test]
fn sections_without_data_are_left_out() {
    let everything = everything();
    for (name, headings) in [
        ("compare.json", &["What hashing schemes cost", "What a full recompute costs", "Method"][..]),
        ("unique.json", &["Distinct positions", "Method"]),
    ] {
        let folder = Folder::new();
        fs::copy(everything.join(name), folder.join(name)).unwrap();
        let page = render(&folder);
        for heading in headings {
            assert!(page.contains(&format!("<h2>{heading}</h2>")), "{heading}");
        }
        assert_eq!(page.matches("<h2>").count(), headings.len());
        assert!(page.contains(&format!("<h1>{}</h1>", headings[0])));
    }
}

#[test]
fn what_cannot_be_read_is_one_line_and_no_page() {
    let folder = Folder::new();
    let whole = fs::read_to_string(fixture("record.json")).unwrap();
    let wrong_index =
        fs::read_to_string(fixture("compare.json")).unwrap().replace("\"reference\": 2", "\"reference\": 99");
    let found = [
        ("cut.json", &whole[..whole.len() / 2], "the end of the file, expected a document of perft"),
        ("index.json", &wrong_index, "tables[1]: found contestant 99, expected one of"),
    ];
    for (name, text, expected) in found {
        let path = folder.write(name, text);
        let output = perft(&["report", &path, "-o", &folder.file("report.html")]);
        output.expect_error(2, expected);
        assert!(output.stderr.contains(name) && !folder.join("report.html").exists(), "{name}: {}", output.stderr);
    }
    let empty = Folder::new();
    empty.write("gate.json", "{\"schema\": \"perft.gate/1\"}");
    let output = perft(&["report", &empty.file(""), "--csv", "-"]);
    output.expect(2, &["gate.json: a page cannot show perft.gate/1", "nothing to show"]);
    perft(&["report", fixture("record.json").to_str().unwrap()]).expect(2, &["found no output"]);
}

#[test]
fn labels_are_text_in_both_formats() {
    let folder = difficult();
    let (page, csv) = (folder.file("page.html"), folder.file("page.csv"));
    perft(&["report", &folder.file(""), "-o", &page, "--csv", &csv]).expect(0, &[]);
    let [page, csv] = ["page.html", "page.csv"].map(|name| folder.read(name));
    assert!(!page.contains("<img") && page.contains("&lt;img src=x onerror=alert(1)&gt;"));
    assert!(!page.contains("<b>my</b>") && csv.contains("<img"));
    // Two machines share a label, and one machine has three runs.
    assert!(page.contains("my machine, Same 1, 8 threads") && page.contains("my machine, Same 2, 8 threads"));
    assert!(page.contains("latest of 3 runs") && page.contains("<h2>History</h2>"));
    assert!(csv.contains(" (disturbed)\",remark,neighbours took 31 % of the time"), "{csv}");
}

#[test]
fn title_and_baseline_are_chosen() {
    let folder = difficult();
    let page = |options: &[&str]| {
        let (from, to) = (folder.file(""), folder.file("chosen.html"));
        let output = perft(&[&["report", &from, "-o", &to], options].concat());
        (output, fs::read_to_string(&to).unwrap_or_default())
    };
    let (output, text) = page(&["--title", "Mine & yours", "--baseline", "WORKSTATION pro"]);
    output.expect(0, &[]);
    assert!(text.contains("<title>Mine &amp; yours – perft</title>"));
    for property in ["og:title", "og:description", "og:type"] {
        assert!(text.contains(&format!("<meta property=\"{property}\"")), "{property}");
    }
    assert!(text.contains(&format!("Verdicts compare with {LONG}, the baseline")));
    let (output, by_file) = page(&["--title", "Mine & yours", "--baseline", &folder.file("long.json")]);
    assert_eq!((output.code, by_file == text), (Some(0), true));
    for (name, expected) in
        [("no such", "expected a part of one of the labels"), ("my machine 3", "found 'my machine 3'")]
    {
        let (output, _) = page(&["--baseline", name]);
        output.expect_error(2, expected);
        assert!(output.stderr.contains("--baseline"), "{}", output.stderr);
    }
}

#[test]
fn a_record_from_the_future_is_said_once() {
    let folder = Folder::new();
    let mut newer = read_json(fixture("record.json"));
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
    let mut next = other("Next 1", 2, 0.1, None);
    next["workloads_version"] = 2.into();
    folder.write("b.json", next.to_string());
    let page = render(&folder);
    assert!(
        page.contains("1 record left out: recorded with another version of the workloads") && !page.contains("Next 1")
    );
}

#[test]
fn a_hundred_records_make_a_page() {
    let folder = many(100);
    let start = std::time::Instant::now();
    let page = render(&folder);
    println!("100 records: {} bytes in {:?}", page.len(), start.elapsed());
    assert!(page.contains("of 100 machines") && page.contains("Pictures show 20 of 100"));
    assert!(page.len() < 4_000_000);
}

const RECORD: &str = "amd-epyc-family-26-model-2-2-threads/2026-11-22-6768c36027.json";
const COMPARE: &str = "intel-xeon-family-6-model-207-2-threads/2026-12-01-0032776f15-compare.json";
const COLLISIONS: &str = "amd-epyc-family-26-model-2-2-threads/2026-11-22-6768c36027-collisions.json";
const UNIQUE: &str = "amd-epyc-family-26-model-2-2-threads/2026-11-22-unique.json";

#[test]
fn edited_results_are_found() {
    type Edit = fn(&mut Value);
    let edits: [(&str, Edit, &str); 6] = [
        (
            COMPARE,
            |d| d["contenders"][3]["ns_per_node"] = 5.0.into(),
            "contenders[3].ns_per_node: found 5, expected 12.",
        ),
        (
            COMPARE,
            |d| d["tables"][0]["comparisons"][1]["ratio"]["median"] = 0.9.into(),
            "tables[0].comparisons[1].ratio.median: found 0.9",
        ),
        (COLLISIONS, |d| d["schemes"][0]["rows"][3]["mean"] = 1.5.into(), "schemes[0].rows[3].mean: found 1.5"),
        (UNIQUE, |d| d["plies"][5]["distinct"] = "4865610".into(), "plies[5].distinct: found 4865610, expected 1 to"),
        (UNIQUE, |d| d["plies"][2]["once"] = "401".into(), "plies[2].once: found 401, expected at most 400"),
        (RECORD, |d| d["stages"] = Value::Null, "stages: invalid type"),
    ];
    for (name, edit, expected) in edits {
        let folder = Folder::new();
        let mut document = read_json(root("results").join(name));
        edit(&mut document);
        let path = folder.write("edited.json", document.to_string());
        let output = perft(&["report", &path, "--check"]);
        assert_eq!(output.code, Some(1), "{expected}: {}", output.stdout);
        let lines = || output.stdout.lines().filter(|line| line.contains("edited.json: "));
        assert!(lines().any(|line| line.contains(expected)), "{expected}: {}", output.stdout);
    }
}
