//! `perft report --site` and `--check`.

use super::report::{difficult, fixture, many};
use crate::common::{Folder, document, perft, root};
use serde_json::Value;
use std::fs;

#[test]
fn a_site_has_a_page_for_each_machine_and_every_link_leads_to_a_page() {
    let folder = difficult();
    let output = perft(&["report", &folder.file(""), "--site", &folder.file("site")]);
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    let site = folder.join("site");
    let machines: Vec<_> = fs::read_dir(site.join("machines")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(machines.len(), 7);
    let pages = machines.iter().cloned().chain(["index.html", "hashing.html"].map(|name| site.join(name)));
    let mut links = 0;
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        for link in text.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            if let Some(id) = link.strip_prefix('#') {
                assert!(text.contains(&format!("id=\"{id}\"")), "{}: {link}", page.display());
            } else {
                assert!(page.parent().unwrap().join(link).is_file(), "{}: {link}", page.display());
            }
            links += 1;
        }
        for outside in ["<img", "<script src", "url(", "@import", "http://", "https://", "<link"] {
            assert!(!text.contains(outside), "{}: {outside}", page.display());
        }
    }
    assert!(links > 50);
    let index = folder.read("site/index.html");
    assert!(index.contains("<h3>By processor</h3>"), "a list without scripts");
}

#[test]
fn what_is_committed_passes_its_check() {
    let output = perft(&["report", root("results").to_str().unwrap(), "--check"]);
    assert_eq!(output.code, Some(0), "{}", output.stdout);
    assert!(output.stdout.ends_with(" files checked, 0 with problems\n"));
}

/// Checks one edited result; returns the exit code and the lines about it.
fn check(name: &str, edit: impl FnOnce(&mut Value), options: &[&str]) -> (Option<i32>, Vec<String>) {
    let folder = Folder::new();
    let mut document = document(root("results").join(name));
    edit(&mut document);
    let path = folder.write("edited.json", document.to_string());
    let output = perft(&[&["report", &path, "--check"], options].concat());
    let lines = output.stdout.lines().filter(|line| line.contains("edited.json: "));
    (output.code, lines.map(String::from).collect())
}

const RECORD: &str = "amd-epyc-family-26-model-2-2-threads/2026-11-22-6768c36027.json";
const COMPARE: &str = "amd-epyc-family-25-model-17-2-threads/2026-11-22-e06eb2ad5a-compare.json";
const COLLISIONS: &str = "amd-epyc-family-26-model-2-2-threads/2026-11-22-6768c36027-collisions.json";
const UNIQUE: &str = "amd-epyc-family-26-model-2-2-threads/2026-11-22-unique.json";

#[test]
fn edited_results_are_found() {
    type Edit = fn(&mut Value);
    let edits: [(&str, Edit, &str); 7] = [
        (
            COMPARE,
            |d| d["contenders"][3]["ns_per_node"] = 5.0.into(),
            "contenders[3].ns_per_node: found 5, expected 10.",
        ),
        (
            COMPARE,
            |d| d["tables"][0]["comparisons"][1]["ratio"]["median"] = 0.9.into(),
            "tables[0].comparisons[1].ratio.median: found 0.9",
        ),
        (COLLISIONS, |d| d["schemes"][0]["rows"][3]["mean"] = 1.5.into(), "schemes[0].rows[3].mean: found 1.5"),
        (UNIQUE, |d| d["plies"][5]["distinct"] = "822519".into(), "plies[5].distinct: found 822519, expected 822518"),
        (UNIQUE, |d| d["plies"][2]["once"] = "401".into(), "plies[2].once: found 401, expected at most 400"),
        (
            RECORD,
            |d| d["stages"][0]["works"][2]["nodes"] = 1.into(),
            "stages[0].works[2].nodes: found 1, expected 16046250",
        ),
        (RECORD, |d| d["stages"] = Value::Null, "stages: invalid type"),
    ];
    for (name, edit, expected) in edits {
        let (code, lines) = check(name, edit, &[]);
        assert_eq!(code, Some(1), "{expected}: {lines:?}");
        assert!(lines.iter().any(|line| line.contains(expected)), "{expected}: {lines:?}");
    }
}

/// A count by key may lose positions, as many as it says; then it need not be the published one.
#[test]
fn a_count_that_loses_positions_is_not_held_to_the_published_one() {
    let lossy = |lost: f64| {
        let edit = move |d: &mut Value| {
            d["plies"][5]["distinct"] = "822517".into();
            d["plies"][5]["expected_lost"] = lost.into();
        };
        check(UNIQUE, edit, &[]).0
    };
    assert_eq!((lossy(1e-6), lossy(0.5)), (Some(1), Some(0)));
}

#[test]
fn a_record_comes_from_a_known_commit() {
    let folder = Folder::new();
    let whole = "6768c36027".to_string() + &"0".repeat(30);
    let revisions = folder.write("revisions", format!("{}\n{whole}\n", "1".repeat(40)));
    assert_eq!(check(RECORD, |_| {}, &["--revisions", &revisions]).0, Some(0));
    let others = folder.write("others", "1".repeat(40));
    let (code, lines) = check(RECORD, |_| {}, &["--revisions", &others]);
    assert_eq!(code, Some(1));
    assert!(lines[0].ends_with("build.revision: found 6768c36027, expected a commit of the program"), "{lines:?}");
    let empty = folder.write("empty", "");
    let output = perft(&["report", fixture("record.json").to_str().unwrap(), "--check", "--revisions", &empty]);
    assert_eq!((output.code, output.stderr.lines().count()), (Some(2), 1), "{}", output.stderr);
}

#[test]
fn twenty_records_stay_small() {
    let folder = many(20);
    let output = perft(&["report", &folder.file(""), "-o", &folder.file("page.html"), "--site", &folder.file("site")]);
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    assert!(folder.read("page.html").len() < 1_500_000);
    assert_eq!(fs::read_dir(folder.join("site/machines")).unwrap().count(), 20);
}
