//! `perft compare`, by the binary.

use serde_json::Value;
use std::process::{Command, Output};

fn perft(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_perft")).args(arguments).output().expect("the binary runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_short_comparison_decides_nothing_and_its_file_says_what_was_measured() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("compare.json");
    // Too short for the rounds of a verdict: the time is what tests can afford.
    let line = "compare --fen startpos --depth 3 --scheme cpw793,cpw793,pieces=gf64 --budget 500ms --json";
    let output = perft(&line.split(' ').chain([path.to_str().unwrap()]).collect::<Vec<_>>());
    let found = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{found}{}", text(&output.stderr));
    for part in [
        "make and unmake with the key: 1 position, 9323 nodes",
        "against none: noise floor ",
        "against cpw793: ",
        "undecided",
    ] {
        assert!(found.contains(part), "{part}: {found}");
    }
    let csv = folder.path().join("compare.csv");
    let output = perft(&["report", path.to_str().unwrap(), "--csv", csv.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(
        std::fs::read_to_string(csv).unwrap().contains("\ncosts,against cpw793,\"cpw793,pieces=gf64\",\"more, ns\",")
    );
    let mut document: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let schema = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/schema/compare-1.schema.json")).unwrap();
    let schema = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
    let errors: Vec<String> = schema.iter_errors(&document).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let names: Vec<&Value> = document["contenders"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["none", "cpw793", "cpw793,pieces=gf64", "cpw793, again"]);
    document["rounds"][0]["slices"][0][0][1] = 0.into();
    assert!(!schema.is_valid(&document), "a slice without time");
}
