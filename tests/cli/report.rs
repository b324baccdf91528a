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
}

impl Other<'_> {
    fn record(&self) -> Value {
        let mut record = document(fixture("record.json"));
        record["machine"]["hardware"]["cpu"] = self.cpu.into();
        record["machine"]["hardware"]["threads"] = self.threads.into();
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
        Other { cpu: "Example(R) Core(TM) X-13700HK CPU @ 3.40GHz", threads: 24, time: 0.8, without: "unique" },
        Other { cpu: "Sample Thirty 7950X3D 16-Core Processor", threads: 32, time: 0.4, without: "" },
    ];
    for (number, other) in others.iter().enumerate() {
        folder.write(&format!("record-{number}.json"), other.record().to_string());
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
    for section in ["Speed", "Thread scaling", "Task latency", "Side by side", "What hashing schemes cost"]
        .iter()
        .chain(&["What a full recompute costs", "Collisions against expectation", "Distinct positions", "Method"])
    {
        assert!(page.contains(&format!("<h2>{section}</h2>")), "{section}");
        assert!(files["page.md"].contains(&format!("\n## {section}\n")), "{section}");
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
fn sections_without_data_are_left_out() {
    let folder = Folder::new();
    fs::copy(fixture("unique.json"), folder.join("unique.json")).unwrap();
    let page = render(&folder);
    assert!(page.contains("<h2>Distinct positions</h2>") && page.contains("<h2>Method</h2>"));
    assert_eq!(page.matches("<h2>").count(), 2);
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
        ("newer.json", "{\"schema\": \"perft.record/7\"}", "schema: found 'perft.record/7', expected"),
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
