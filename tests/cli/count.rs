//! `perft count`: its counts, and that tables, checkpoints, threads and levels make no difference to them.

use crate::common::{Folder, Run, Schema, command, fens, perft};
use perft_gate_count::TreeCounter;
use perft_gate_count::table::{EntryMatch, PerftTable};
use perft_gate_simd::Level;
use perft_gate_suite as suite;
use perft_gate_walk::Control;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

#[test]
fn count_counts_positions_and_suites() {
    let output = perft(&["count", "--depth", "5"]);
    assert!(output.stdout.starts_with("nodes 4865609\ntime "), "{}", output.stdout);
    for (depth, nodes) in [("0", "nodes 1\n"), ("1", "nodes 48\n"), ("2", "nodes 2039\n"), ("3", "nodes 97862\n")] {
        for simd in ["auto", "v1", "v3"] {
            let output = perft(&["count", "--fen", "kiwipete", "--depth", depth, "--simd", simd]);
            if simd != "v3" || output.code == Some(0) {
                assert!(output.stdout.starts_with(nodes), "{simd} at {depth}: {}", output.stdout);
            }
        }
    }
    let output = perft(&["count", "--suite", "quick", "--depth", "3"]);
    let table = output.stdout;
    assert!(table.ends_with("rows compared, 0 wrong\n") && output.code == Some(0), "{table}");

    let folder = Folder::new();
    let suite = folder.write("wrong.epd", format!("{} ;D1 5 ;D2 26\n", fens::KINGS));
    let output = perft(&["count", "--suite", &suite, "--depth", "2"]);
    assert_eq!(output.code, Some(1));
    assert!(output.stdout.contains("WRONG, expected 26"), "{}", output.stdout);
}

#[test]
fn counts_are_a_document() {
    let schema = Schema::of("count");
    let run = perft(&["count", "4", "--json", "-"]);
    let document = run.json();
    schema.check(&document);
    assert!(run.stderr.starts_with("nodes 197281\n"), "{}", run.stderr);
    let row = &document["rows"][0];
    assert_eq!(
        (&document["nodes"], &row["nodes"], &row["fen"]),
        (&"197281".into(), &"197281".into(), &fens::START.into())
    );
    assert!(document["suite"].is_null() && document["table"].is_null() && row["expected"].is_null());
    assert_eq!(document["paths"], "merged");
    assert_eq!(perft(&["count", "4", "--every-path", "--json", "-"]).json()["paths"], "every");
    assert_eq!(perft(&["count", "4", "--stats", "--json", "-"]).json()["paths"], "every");

    let mut document =
        perft(&["count", "-d", "3", "--suite", "quick", "--hash", "1M", "-j", "1", "--json", "-"]).json();
    schema.check(&document);
    let rows = document["rows"].as_array().expect("rows");
    assert!(rows.len() == 58 && rows.iter().all(|row| row["expected"] == row["nodes"]), "{rows:?}");
    assert_eq!((&document["suite"], &document["threads"]), (&"quick".into(), &1.into()));
    assert!(document["paths"].is_null(), "the table's matter");
    assert!(document["table"]["probes"].as_str().is_some_and(|probes| probes != "0"), "{}", document["table"]);
    document["rows"][0]["nodes"] = 8902.into();
    assert!(!schema.is_valid(&document), "a count that is no string");
}

#[test]
fn no_table_is_a_size_of_zero() {
    let found = perft(&["count", "--depth", "3", "--hash", "0"]).stdout;
    assert!(found.starts_with("nodes 8902\n") && !found.contains("table"), "{found}");
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
                let counter = TreeCounter { table: Some(&table), ..TreeCounter::new(level) };
                for row in &rows {
                    let counts = (2..=6).rev().filter_map(|depth| Some((depth, row.count(depth)?)));
                    if let Some((depth, listed)) = counts.into_iter().find(|(_, listed)| *listed < 1_000_000) {
                        let found = counter.leaves(row.board(), depth, &Control::default()).nodes;
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
            let plain = TreeCounter::new(Level::detect());
            let [without, with] = [plain, TreeCounter { table: Some(&table), ..plain }]
                .map(|counter| counter.divide(row.board(), depth, &Control::default()));
            assert_eq!(without, with, "{} at depth {depth}", row.id);
            assert_eq!(row.count(depth).unwrap(), with.iter().map(|(_, leaves)| leaves).sum(), "{}", row.id);
        }
    }
}

#[test]
fn what_the_table_did_is_said() {
    let output = perft(&["count", "--fen", "kiwipete", "--depth", "4", "--hash", "4M", "--threads", "1"]);
    let said = output.stdout;
    assert!(output.code == Some(0) && said.starts_with("nodes 4085603\n"), "{said}");
    assert!(said.contains("table 4.00 MiB") && said.contains("wrong hits expected"), "{said}");
    let output = perft(&["count", "--fen", "kiwipete", "--depth", "4", "--hash", "auto", "--exact"]);
    assert!(output.stdout.ends_with("every hit compared the whole position\n"));
}

#[test]
fn a_table_or_a_checkpoint_that_will_not_do_is_refused() {
    let folder = Folder::new();
    let path = folder.file("count");
    assert!(perft(&["count", "--depth", "4", "--checkpoint", &path]).code == Some(0));
    for (arguments, part) in [
        (&["--depth", "4", "--hash", "9000G"][..], "--hash: found 8.79 TiB, expected at most the "),
        (&["--depth", "4", "--hash", "much"], "expected auto or a size such as 512M or 4G"),
        (&["--depth", "4", "--exact"], "were not provided: --hash"),
        (
            &["--depth", "13", "--hash", "64M"],
            "wrong counts to be expected at depth 13, expected at most 1e-9: use --exact",
        ),
        (&["--depth", "5", "--checkpoint", &path], "line 1, depth: found '4', expected '5' of this run"),
        (&["--depth", "4", "--fen", "kiwipete", "--checkpoint", &path], "line 1, fen: found 'rnbqkbnr/"),
        (&["--depth", "4", "--checkpoint", "tests/main.rs"], "tests/main.rs: line 2: found "),
        (&["--depth", "4", "--checkpoint", "no/such/folder/x"], "expected a writable file"),
        (&["--depth", "4", "--checkpoint", &path, "--checkpoint-every=-1"], "--checkpoint-every: "),
    ] {
        let output = perft(&[&["count"], arguments].concat());
        let errors = output.stderr;
        assert_eq!(output.code, Some(2), "{arguments:?}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{arguments:?}: {errors}");
        assert!(errors.contains(part), "{arguments:?}: {errors}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

/// Returns the number of units in a checkpoint, which must be whole at any moment.
fn units(path: &Path) -> usize {
    let Ok(content) = std::fs::read_to_string(path) else { return 0 };
    let content: serde_json::Value = serde_json::from_str(content.lines().next().unwrap()).unwrap();
    content["units"].as_object().unwrap().len()
}

/// Killed twenty times at different moments, the count goes on and comes to the same total.
#[test]
fn a_killed_count_goes_on() {
    for hash in [&[][..], &["--hash", "16M"]] {
        let folder = Folder::new();
        let path = folder.join("count");
        let name = folder.file("count");
        let position = ["--depth", "5", "--fen", fens::KIWIPETE];
        let pace = ["--simd", "v1", "--threads", "2", "--checkpoint", &name, "--checkpoint-every", "0.01"];
        let arguments = [&["count"], &position[..], &pace];
        let arguments = [&arguments.concat()[..], hash].concat();
        let (mut before, mut grew) = (0, 0);
        for kill in 0..20_u64 {
            let mut child = command().args(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            // Every other time at any moment, else as soon as it went on, however slow the machine is, or is done.
            let is_running = |child: &mut Child| child.try_wait().unwrap().is_none();
            while kill % 2 == 0 && units(&path) <= before && is_running(&mut child) {
                std::thread::sleep(Duration::from_millis(1));
            }
            std::thread::sleep(Duration::from_millis(kill * 37 % 20));
            child.kill().unwrap();
            child.wait().unwrap();
            let now = units(&path);
            assert!(now >= before, "{now} units after kill {kill}, {before} before");
            grew += usize::from(now > before);
            before = now;
        }
        assert!(grew > 3, "the count went on only {grew} times of 20");
        let output = perft(&arguments);
        assert!(output.stdout.starts_with("nodes 193690690\n"), "{}", output.stdout);
        assert!(output.stderr.contains(&format!("{before} units were counted before")));
        // The file holds the whole count now: nothing is counted again, whatever asks.
        let again = perft(&[&["divide"], &position[..], &["--checkpoint", &name]].concat());
        assert!(again.stdout.ends_with("moves 48\ntotal 193690690\n"));
        let again = perft(&arguments[..arguments.len() - hash.len()]).stdout;
        assert_eq!(again, "nodes 193690690\nno time: every unit was in the checkpoint\n");
    }
}

#[test]
#[cfg(unix)]
fn an_interrupted_count_says_where_it_stood() {
    let folder = Folder::new();
    let path = folder.join("count");
    let mut child = command()
        .args(["count", "--depth", "8", "--simd", "v1", "--checkpoint-every", "0.01"])
        .args(["--checkpoint", &folder.file("count")])
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    while units(&path) == 0 {
        assert!(child.try_wait().unwrap().is_none(), "it ended");
        std::thread::sleep(Duration::from_millis(5));
    }
    let other = perft(&["count", "--depth", "8", "--checkpoint", &folder.file("count")]);
    let expected = "another process is using it: wait for that, or choose another one\n";
    assert!(other.stderr.ends_with(expected), "{}", other.stderr);
    assert_eq!((other.code, other.stdout.len()), (Some(2), 0));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = Run::wait(child);
    let errors = output.stderr;
    assert_eq!(output.code, Some(130), "{errors}");
    let found = units(&path);
    assert!(found > 0 && output.stdout.is_empty());
    assert_eq!(errors, format!("interrupted: {found} units are in the checkpoint\n"));
}

/// A count touches the pages of its table and few others. Faults are counted, not timed, and a table without huge pages is allowed
/// a fault for each page.
#[test]
#[cfg(target_os = "linux")]
fn a_table_takes_no_more_memory_than_its_size() {
    const PAGE: u64 = 4 << 10;
    /// The roots of the tasks, which are three quarters of it, the stacks of threads, and what they count with.
    const BESIDE: u64 = 1_500;
    let faults = |arguments: &[&str]| -> u64 {
        // The shell finds the faults of its only child as those of its children.
        let script = r#""$0" "$@" --threads 1 >/dev/null && read -r line </proc/$$/stat && echo "$line""#;
        let run = Run::of(Command::new("sh").args(["-c", script, env!("CARGO_BIN_EXE_perft")]).args(arguments));
        run.stdout.split(' ').nth(10).and_then(|faults| faults.parse().ok()).unwrap_or_else(|| panic!("{run:?}"))
    };
    let program = faults(&["count", "2"]);
    for (arguments, mib) in [
        (&["count", "7", "--hash", "1M"][..], 1),
        (&["count", "5", "--fen", "kiwipete", "--hash", "2M", "--exact"], 2),
        (&["divide", "7", "--fen", fens::POSITION_3, "--hash", "1M"], 1),
    ] {
        let found = faults(arguments).saturating_sub(program);
        assert!(found <= (mib << 20) / PAGE + BESIDE, "{arguments:?}: {found} page faults");
    }
}

/// The table of the Chess Programming Wiki: FACTS section 2, and its smaller depths.
#[test]
fn statistics_are_those_that_are_published() {
    let deepest = |fen: &str, depth: &str| {
        let run = perft(&["count", depth, "--fen", fen, "--stats"]);
        assert_eq!((run.code, run.stdout.lines().count()), (Some(0), 1 + depth.parse::<usize>().unwrap()), "{run:?}");
        run.stdout.lines().last().unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(deepest("startpos", "5"), "5 4865609 82719 258 0 0 27351 6 0 347");
    assert_eq!(deepest("kiwipete", "4"), "4 4085603 757163 1929 128013 15172 25523 42 6 43");
    assert_eq!(deepest(fens::POSITION_5, "4"), "4 2103487 296153 0 0 0 158486 10877 1770 240");
    assert_eq!(deepest(fens::POSITION_6, "4"), "4 3894594 440388 0 0 0 68985 62 20 0");

    let schema = Schema::of("count");
    let mut document = perft(&["count", "-d", "3", "--stats", "--json", "-"]).json();
    schema.check(&document);
    let rows = document["rows"].as_array().expect("rows");
    let depths: Vec<_> = rows.iter().map(|row| row["depth"].as_u64().unwrap()).collect();
    assert_eq!(depths, [1, 2, 3]);
    let last = &rows[2]["statistics"];
    assert_eq!((&last["captures"], &last["checks"], &last["mates"]), (&"34".into(), &"12".into(), &"0".into()));
    document["rows"][2]["statistics"]["captures"] = 34.into();
    assert!(!schema.is_valid(&document), "a count that is no string");

    for other in [&["--divide"][..], &["--suite", "quick"], &["--hash", "1M"], &["--checkpoint", "x"]] {
        let run = perft(&[&["count", "3", "--stats"], other].concat());
        assert_eq!((run.code, run.stderr.lines().count()), (Some(2), 1), "{other:?}: {run:?}");
    }
}

/// A rate without its conditions compares with nothing.
#[test]
fn a_rate_says_what_it_depends_on() {
    let run = perft(&["count", "4", "--threads", "1", "--simd", "v1"]).stdout;
    assert!(run.contains(" (bulk counting, transpositions merged, 1 thread, level v1)\n"), "{run}");
    let run = perft(&["count", "5", "--threads", "1", "--every-path"]).stdout;
    assert!(
        run.starts_with("nodes 4865609\n") && run.contains(" (bulk counting of every path, 1 thread, level "),
        "{run}"
    );
    let run = perft(&["count", "4", "--threads", "2", "--hash", "4M"]).stdout;
    assert!(run.contains(" (bulk counting with a table, 2 threads, level "), "{run}");
    let table = run.lines().find(|line| line.starts_with("table 4.00 MiB")).expect("a line about the table");
    let told = Path::new("/proc/self/smaps_rollup").exists();
    assert_eq!(table.contains("huge pages: "), told, "{table}");
}
