//! Whole screens, as users see them. A change of any word shows in a snapshot: read it, then accept it with
//! `SNAPSHOTS=overwrite cargo test --release --test main cli::screens`.

use crate::common::{Run, check_screen, command};

/// Runs the binary as if nothing were set, and compares all it prints.
#[track_caller]
fn screen(name: &str, code: i32, arguments: &[&str]) {
    let mut command = command();
    for (variable, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("PERFT_")) {
        command.env_remove(variable);
    }
    let run = Run::of(command.args(arguments).env_remove("COLUMNS"));
    assert_eq!(run.code, Some(code), "{}", run.printed());
    check_screen(name, &format!("perft {}", arguments.join(" ")), &run);
}

#[test]
fn help() {
    screen("help", 0, &["--help"]);
}

#[test]
fn schemes() {
    screen("schemes", 0, &["list", "schemes"]);
}

#[test]
fn suites() {
    screen("suites", 0, &["list", "suites"]);
}

#[test]
fn key_of_the_start_position() {
    screen("key", 0, &["key", "--fen", "startpos"]);
}

#[test]
fn audit_of_the_default_scheme() {
    screen("audit", 0, &["keys", "audit", "--scheme", "cpw793", "--threads", "2"]);
}
