//! `perft count`: tables, checkpoints, threads and levels make no difference to a count.

use perft_gate_count::Counter;
use perft_gate_count::table::{EntryMatch, PerftTable};
use perft_gate_judge::suite;
use perft_gate_simd::Level;
use perft_gate_walk::walk::Control;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn perft(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_perft")).args(arguments).output().expect("the binary runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// One table for all rows, so small that most of it is thrown away, or roomy.
#[test]
fn a_table_changes_no_count() {
    for name in ["standard", "chess960"] {
        let rows = suite::parse(suite::embedded(name).unwrap()).unwrap();
        for level in Level::all() {
            for (identity, bytes) in [
                (EntryMatch::Tag, 1 << 10),
                (EntryMatch::Tag, 1 << 25),
                (EntryMatch::Position, 1 << 11),
                (EntryMatch::Position, 1 << 25),
            ] {
                let table = PerftTable::new(bytes, identity).unwrap();
                let counter = Counter { table: Some(&table), ..Counter::new(level) };
                for row in &rows {
                    let counts = (2..=6).rev().filter_map(|depth| Some((depth, row.count(depth)?)));
                    if let Some((depth, listed)) = counts.into_iter().find(|(_, listed)| *listed < 1_000_000) {
                        let found = counter.leaves(&row.board, depth, &Control::default()).nodes;
                        assert_eq!(found, listed, "{name}, {}, depth {depth}, {level}, {identity:?} {bytes}", row.id);
                    }
                }
                let tally = table.tally();
                assert!(tally.hits > 0 && tally.probes > tally.hits, "{name}, {identity:?}, {bytes}: {tally:?}");
                assert_eq!(tally.evictions > 1000, bytes < 1 << 20, "{name}, {identity:?}, {bytes}: {tally:?}");
            }
        }
    }
}

#[test]
fn a_divided_count_has_the_same_rows_with_a_table() {
    let rows = suite::parse(suite::embedded("standard").unwrap()).unwrap();
    let table = PerftTable::new(1 << 22, EntryMatch::Tag).unwrap();
    for row in &rows[..6] {
        for depth in 1..=5 {
            let plain = Counter::new(Level::detect());
            let [without, with] = [plain, Counter { table: Some(&table), ..plain }]
                .map(|counter| counter.divide(&row.board, depth, &Control::default()));
            assert_eq!(without, with, "{} at depth {depth}", row.id);
            assert_eq!(row.count(depth).unwrap(), with.iter().map(|(_, leaves)| leaves).sum(), "{}", row.id);
        }
    }
}

#[test]
fn what_the_table_did_is_said() {
    let output = perft(&["count", "--fen", "kiwipete", "--depth", "4", "--hash", "4M", "--threads", "1"]);
    let said = text(&output.stdout);
    assert!(output.status.success() && said.starts_with("nodes 4085603\n"), "{said}");
    assert!(said.contains("table 4.00 MiB: ") && said.contains("wrong hits expected"), "{said}");
    let output = perft(&["count", "--fen", "kiwipete", "--depth", "4", "--hash", "auto", "--exact"]);
    assert!(text(&output.stdout).ends_with("every hit compared the whole position\n"));
}

#[test]
fn a_table_or_a_checkpoint_that_will_not_do_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("count").display().to_string();
    assert!(perft(&["count", "--depth", "4", "--checkpoint", &path]).status.success());
    for (arguments, part) in [
        (&["--depth", "4", "--hash", "9000G"][..], "--hash: found 8.79 TiB, expected at most the "),
        (&["--depth", "4", "--hash", "much"], "expected auto or a size such as 512M or 4G"),
        (&["--depth", "4", "--exact"], "were not provided: --hash"),
        (
            &["--depth", "13", "--hash", "64M"],
            "wrong counts to be expected at depth 13, expected at most 1e-9: use --exact",
        ),
        (&["--depth", "5", "--checkpoint", &path], "line 1, depth: found '4', expected '5' of this count"),
        (&["--depth", "4", "--fen", "kiwipete", "--checkpoint", &path], "line 1, fen: found 'rnbqkbnr/"),
        (&["--depth", "4", "--checkpoint", "tests/main.rs"], "tests/main.rs: line 2: found "),
        (&["--depth", "4", "--checkpoint", "no/such/folder/x"], "expected a writable file"),
        (&["--depth", "4", "--checkpoint", &path, "--checkpoint-every=-1"], "--checkpoint-every: "),
    ] {
        let output = perft(&[&["count"], arguments].concat());
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{arguments:?}: {errors}");
        assert!(errors.contains(part), "{arguments:?}: {errors}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

/// How many units a checkpoint holds; it must be whole at any moment.
fn units(path: &Path) -> usize {
    let Ok(content) = std::fs::read_to_string(path) else { return 0 };
    let content: serde_json::Value = serde_json::from_str(content.lines().next().unwrap()).unwrap();
    content["units"].as_object().unwrap().len()
}

/// Killed twenty times at different moments, the count goes on and comes to the same total.
#[test]
fn a_killed_count_goes_on() {
    for hash in [&[][..], &["--hash", "16M"]] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("count");
        let name = path.display().to_string();
        let arguments = ["count", "--depth", "7", "--simd", "v1", "--checkpoint", &name, "--checkpoint-every", "0.01"];
        let arguments = [&arguments[..], hash].concat();
        let (mut before, mut grew) = (0, 0);
        for kill in 0..20_u64 {
            let mut child = Command::new(env!("CARGO_BIN_EXE_perft"))
                .args(&arguments)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            std::thread::sleep(Duration::from_millis(15 + kill * 37 % 90));
            child.kill().unwrap();
            child.wait().unwrap();
            let now = units(&path);
            assert!(now >= before, "{now} units after kill {kill}, {before} before");
            grew += usize::from(now > before);
            before = now;
        }
        assert!(grew > 3, "the count went on only {grew} times of 20");
        let output = perft(&arguments);
        assert!(text(&output.stdout).starts_with("nodes 3195901860\n"), "{}", text(&output.stdout));
        assert!(text(&output.stderr).contains(&format!("{before} units were counted before")));
        // The file holds the whole count now: nothing is counted again, whatever asks.
        let again = perft(&["divide", "--depth", "7", "--checkpoint", &name]);
        assert!(text(&again.stdout).ends_with("moves 20\ntotal 3195901860\n"));
        let again = text(&perft(&arguments[..arguments.len() - hash.len()]).stdout);
        assert_eq!(again, "nodes 3195901860\nno time: every unit was in the checkpoint\n");
    }
}

#[test]
#[cfg(unix)]
fn an_interrupted_count_says_where_it_stood() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("count");
    let child = Command::new(env!("CARGO_BIN_EXE_perft"))
        .args(["count", "--depth", "8", "--simd", "v1", "--checkpoint", &path.display().to_string()])
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(700));
    let other = perft(&["count", "--depth", "8", "--checkpoint", &path.display().to_string()]);
    let expected = "another process is using it: wait for that, or choose another file\n";
    assert!(text(&other.stderr).ends_with(expected), "{}", text(&other.stderr));
    assert_eq!((other.status.code(), other.stdout.len()), (Some(2), 0));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{errors}");
    let found = units(&path);
    assert!(found > 0 && output.stdout.is_empty());
    assert_eq!(errors, format!("interrupted: {found} units are in the checkpoint\n"));
}
