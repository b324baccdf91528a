//! Known failures, limits on failures, and the order of depths.

use crate::common::fens::{EN_PASSANT_PINNED, POSITION_3, ROOKS};
use crate::common::{Folder, Schema, document, fens};
use crate::faults::Dialect;
use crate::faults::Fault::{self, Bent};
use crate::trials::{KIWIPETE, START, expect, gate};
use libtest_mimic::{Failed, Trial};

/// The tests.
pub fn all() -> Vec<Trial> {
    vec![
        Trial::test("known failures leave the exit code 0", known_failures),
        Trial::test("a known failure is no failure to count", failures_are_limited),
        Trial::test("a wrong move is reported at a shallow depth", shallow_depths_first),
        Trial::test("rows say nodes per second", rates),
    ]
}

/// Two rows that are wrong with `Fault::EpPinned`, and one that is right.
fn suite(folder: &Folder) -> String {
    let lines = format!(
        "{EN_PASSANT_PINNED} ;D3 537 ;id pinned\n{} ;D1 20 ;id start\n{POSITION_3} ;D4 43238 ;id third\n",
        fens::START
    );
    folder.write("three.epd", lines)
}

fn known_failures() -> Result<(), Failed> {
    let folder = Folder::new();
    let (suite, json, junit) = (suite(&folder), folder.file("engine.json"), folder.file("engine.xml"));
    let ask = |fault, known: &str| {
        let list = folder.write("known", known);
        let arguments =
            ["--suite", &suite, "--depth", "4", "--expect-fail", &list, "--json", &json, "--junit", &junit, "--github"];
        gate(fault, Dialect::Stockfish, &arguments)
    };
    let both = format!("# e.p.\npinned\n{POSITION_3} ;wrong-count\n");
    let output = ask(Fault::EpPinned, &both);
    let listed = "failed as expected: pinned (wrong-count), third (wrong-count)";
    expect(&output, 0, &["wrong-count, as expected", listed, "; passed"])?;
    assert!(!output.printed().contains("::error"), "{}", output.printed());
    let found = document(&json);
    Schema::read("engine").check(&found);
    assert_eq!((&found["verdict"], &found["rows"][0]["expected_failure"]), (&"passed".into(), &"met".into()));
    assert_eq!(found["rows"][1]["expected_failure"], serde_json::Value::Null);
    let xml = std::fs::read_to_string(&junit)?;
    assert!(xml.contains("failures=\"0\"") && xml.contains("wrong-count, as expected"), "{xml}");
    // Unlisted rows, and rows that fail in another way, still fail.
    expect(&ask(Fault::EpPinned, "pinned"), 1, &["failed as expected: pinned (wrong-count)\n", "; failed"])?;
    let other = ask(Fault::EpPinned, "pinned ;timeout\nthird");
    expect(&other, 1, &["wrong-count, another verdict was expected", "; failed"])?;
    // If every row fails as expected, nothing new is wrong, even if no row has an answer.
    let list = folder.write("known", "kiwipete ;crash");
    let arguments = ["--fen", KIWIPETE, "--depth", "1", "--expect-fail", &list];
    let crashes = gate(Fault::Crash, Dialect::Stockfish, &arguments);
    expect(&crashes, 0, &["failed as expected: ", "(crash)", "; passed"])?;
    // A correct engine passes rows that were known to fail.
    let passed = "passed unexpectedly: pinned (pass): remove them from the list";
    expect(&ask(Fault::None, "pinned"), 0, &["pass, unexpectedly", passed])?;
    assert_eq!(document(&json)["rows"][0]["expected_failure"], "passed");
    Ok(())
}

fn failures_are_limited() -> Result<(), Failed> {
    // A known failure does not count: the run continues with the next row.
    let folder = Folder::new();
    let (suite, list) = (suite(&folder), folder.write("known", "pinned"));
    let arguments = ["--suite", &suite, "--depth", "4", "--fail-fast", "--expect-fail", &list];
    let output = gate(Fault::EpPinned, Dialect::Stockfish, &arguments);
    let third = output.stdout.lines().find(|line| line.starts_with("third "));
    assert_eq!(third.and_then(|line| line.split_whitespace().nth(1)), Some("2"), "{}", output.printed());
    expect(&output, 1, &[])
}

fn shallow_depths_first() -> Result<(), Failed> {
    let output = gate(Bent("rook-capture-keeps"), Dialect::Stockfish, &["--fen", ROOKS, "--depth", "4"]);
    expect(&output, 1, &["making "])?;
    assert!(
        !output.stdout.lines().any(|line| line.contains(" 4 ") && line.contains("wrong-count")),
        "{}",
        output.stdout
    );
    Ok(())
}

fn rates() -> Result<(), Failed> {
    let folder = Folder::new();
    let json = folder.file("engine.json");
    let ask = |dialect| {
        gate(Fault::None, dialect, &["--fen", START, "--depth", "3", "--keys", "off", "--json", &json]);
        let found = document(&json);
        Schema::read("engine").check(&found);
        found["rows"][0]["nodes_per_second"].as_f64()
    };
    let rate = ask(Dialect::EachDepth).expect("a rate: it sleeps between depths");
    assert!((100.0..8902.0 / 0.03).contains(&rate), "{rate}");
    // A rate does not include silence.
    assert_eq!(ask(Dialect::SubtotalsOnly), None);
    Ok(())
}
