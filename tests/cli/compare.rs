//! `perft compare`, by the binary.

use crate::common::{Folder, Schema, document, perft};
use serde_json::Value;

#[test]
fn a_short_comparison_decides_nothing_and_its_file_says_what_was_measured() {
    let folder = Folder::new();
    let path = folder.file("compare.json");
    // Too short for the rounds of a verdict: the time is what tests can afford.
    let line = "compare --fen startpos --depth 3 --scheme cpw793,cpw793,pieces=gf64 --budget 500ms --json";
    let output = perft(&line.split(' ').chain([&*path]).collect::<Vec<_>>());
    let found = output.stdout;
    assert_eq!(output.code, Some(0), "{found}{}", output.stderr);
    for part in [
        "make and unmake with the key: 1 position, 9323 nodes",
        "against none: noise floor ",
        "against cpw793: ",
        "undecided",
    ] {
        assert!(found.contains(part), "{part}: {found}");
    }
    let output = perft(&["report", &path, "--csv", &folder.file("compare.csv")]);
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    assert!(folder.read("compare.csv").contains("\ncosts,against cpw793,\"cpw793,pieces=gf64\",\"more, ns\","));
    let mut document = document(path);
    let schema = Schema::of("compare");
    schema.check(&document);
    let names: Vec<&Value> = document["contenders"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["none", "cpw793", "cpw793,pieces=gf64", "cpw793, again"]);
    document["rounds"][0]["slices"][0][0][1] = 0.into();
    assert!(!schema.is_valid(&document), "a slice without time");
}
