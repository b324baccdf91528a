//! `perft report --check`.

use crate::common::{Folder, document, perft, root};
use serde_json::Value;

#[test]
fn what_is_committed_passes_its_check() {
    let output = perft(&["report", root("results").to_str().unwrap(), "--check"]);
    assert_eq!(output.code, Some(0), "{}", output.stdout);
    assert!(output.stdout.ends_with(" files checked, 0 with problems\n"));
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
        (UNIQUE, |d| d["plies"][5]["distinct"] = "4865610".into(), "plies[5].distinct: found 4865610, expected 1 to"),
        (UNIQUE, |d| d["plies"][2]["once"] = "401".into(), "plies[2].once: found 401, expected at most 400"),
        (RECORD, |d| d["stages"][0]["works"][2]["nodes"] = 7.into(), "stages[0].rounds[0].slices[2]: found "),
        (RECORD, |d| d["stages"] = Value::Null, "stages: invalid type"),
    ];
    for (name, edit, expected) in edits {
        let folder = Folder::new();
        let mut document = document(root("results").join(name));
        edit(&mut document);
        let path = folder.write("edited.json", document.to_string());
        let output = perft(&["report", &path, "--check"]);
        assert_eq!(output.code, Some(1), "{expected}: {}", output.stdout);
        let lines = || output.stdout.lines().filter(|line| line.contains("edited.json: "));
        assert!(lines().any(|line| line.contains(expected)), "{expected}: {}", output.stdout);
    }
}
