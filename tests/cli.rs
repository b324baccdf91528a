//! The binary as a user meets it: output, exit codes, one-line errors.

use std::process::{Command, Output};

fn perft(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_perft")).args(arguments).output().expect("the binary runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn bad_input_is_one_line_and_exit_code_2() {
    for (arguments, part) in [
        (&["--scheme", "x"][..], "expected one of none, cpw781"),
        (&["--suite", "x"], "expected one of standard"),
        (&["--fen", "8/8"], "FEN field 'board': found 2 ranks"),
        (&["--depth", "65"], "65 is not in 0..=64"),
        (&["--threads", "0"], "0 is not in 1..=4096"),
        (&["--depth", "x"], "invalid value 'x'"),
        (&["--simd", "v9"], "expected one of auto, v1, v3"),
        (&["--scheme", "polyglot", "--seed", "1"], "published"),
        (&["divide", "--depth", "0"], "0 is not in 1..=64"),
        (&["key", "--moves", "e2e5"], "found 'e2e5', expected a legal move"),
    ] {
        let output = perft(arguments);
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{arguments:?}: {errors}");
        assert!(errors.contains(part), "{arguments:?}: {errors}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn depth_0_is_one_node() {
    let output = perft(&["--fen", "startpos", "--depth", "0"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).contains("V2 keys 1,"), "{}", text(&output.stdout));
}

#[test]
fn the_gate_passes_and_says_what_it_checked() {
    let output = perft(&["--depth", "3"]);
    let table = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{table}");
    assert_eq!(table.lines().filter(|line| line.ends_with("ok")).count(), 7, "{table}");
}

#[test]
fn divide_is_sorted_and_totals() {
    let output = perft(&["divide", "--fen", "kiwipete", "--depth", "2"]);
    let lines = text(&output.stdout);
    assert!(lines.starts_with("a1b1: 43\n") && lines.contains("e1g1: 43\n"), "{lines}");
    assert!(lines.ends_with("moves 48\ntotal 2039\n"), "{lines}");
}
