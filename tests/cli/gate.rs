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
        (&["--suite", "x"], "expected one of standard, quick, chess960 or a file"),
        (&["--fen", "8/8"], "FEN field 'board': found 2 ranks"),
        (&["--depth", "65"], "65 is not in 0..=64"),
        (&["--threads", "0"], "0 is not in 1..=4096"),
        (&["--depth", "x"], "invalid value 'x'"),
        (&["--simd", "v9"], "expected one of auto, v1, v3"),
        (&["--scheme", "polyglot", "--seed", "1"], "published"),
        (&["--scheme", "pieces=bch"], "does not exist: bch draws all its words from one code"),
        (
            &["--scheme", "pieces=composite,combine=add"],
            "expected a sound one or --allow-weak: composite keys are sums",
        ),
        (&["--scheme", "ep=e9"], "--scheme: found ep=e9, expected one of e8, e17, e65"),
        (&["--scheme", "polyglot,ep=e17"], "found changes to polyglot, expected none"),
        (&["--scheme", "none", "--keys", "pawn"], "--keys: found scheme 'none', expected a single one with keys"),
        (&["--keys", "king"], "invalid value 'king'"),
        (&["--keys-from", "no/such/file"], "--keys-from no/such/file: "),
        (&["divide", "--depth", "0"], "0 is not in 1..=64"),
        (&["count", "--depth", "65"], "65 is not in 0..=64"),
        (&["count", "--depth", "3", "--suite", "none"], "--suite: found 'none', expected one of"),
        (&["count", "--depth", "3", "--suite", "quick", "--divide"], "cannot be used with"),
        (&["key", "--moves", "e2e5"], "found 'e2e5', expected a legal move"),
        (&["--suite", "tests/main.rs"], "tests/main.rs: line 1, column 1: FEN field 'board'"),
        (&["--suite", "tests"], "tests: "),
        (&["--json", "no/such/folder/x.json"], "--json no/such/folder/x.json: "),
        (&["--junit", "tests"], "--junit tests: is a directory, expected a writable file"),
        (
            &["--suite", "tests/empty.epd", "--playouts", "5"],
            "tests/empty.epd: found no position, expected at least one",
        ),
        (&["divide"], "were not provided: --depth <DEPTH>"),
        (&["--max-nodes", "x"], "invalid value 'x'"),
        (&["--playouts", "1", "--plies", "0"], "0 is not in 1..=10000"),
        (&["unique"], "were not provided: --depth <DEPTH>"),
        (&["unique", "--depth", "2", "--ep", "never"], "found 'never', expected one of legal, pseudo, always"),
        (&["unique", "--depth", "2", "--memory", "lots"], "expected auto or a size such as 512M or 4G"),
        (&["unique", "--depth", "2", "--memory", "9000000G"], "expected at most the"),
        (&["unique", "--depth", "2", "--memory", "1M"], "--memory: found 1.00 MiB, expected"),
        (&["unique", "--depth", "2", "--by", "key", "--ep", "always"], "count e.p. squares by the policy 'legal'"),
        (
            &["unique", "--depth", "2", "--by", "key128", "--scheme", "polyglot"],
            "--by key128: found polyglot, expected",
        ),
        (
            &["unique", "--depth", "2", "--by", "key", "--scheme", "none"],
            "found 'none', expected a single one with keys",
        ),
        (&["unique", "--depth", "2", "--scheme", "all"], "found 'all', expected a single one with keys"),
        (
            &["unique", "--depth", "2", "--by", "key", "--export", "x"],
            "expected --by position: a key is not a position",
        ),
        (&["unique", "--depth", "2", "--export", "tests"], "--export tests: is a directory, expected a writable file"),
        (&["unique", "--verify-export", "no/such/file"], "no/such/file: "),
        (&["unique", "--verify-export", "tests/empty.epd"], "byte 0: found '# No pos', expected 'PERFTPOS'"),
        (&["engine"], "were not provided:"),
        (&["engine", "--", "no/such/engine"], "no/such/engine: No such file"),
        (&["engine", "--timeout", "0", "--", "x"], "--timeout: found 0, expected seconds above 0"),
        (
            &["engine", "--key-pattern", "Key", "--", "x"],
            "--key-pattern: found 'Key', expected a group in parentheses around the key",
        ),
        (&["engine", "--option", "=1", "--", "x"], "--option: found '=1', expected NAME=VALUE"),
        (&["engine", "--require-ep", "never", "--", "x"], "found 'never', expected one of legal, pseudo, always"),
        (&["engine", "--json", "tests", "--", "x"], "--json tests: is a directory, expected a writable file"),
        (&["compare", "--scheme", "x"], "--scheme: found 'x', expected one of none, cpw781"),
        (&["compare", "--scheme", "cpw793,ep=e9"], "--scheme: found ep=e9, expected one of e8, e17, e65"),
        (&["compare", "--scheme", "pieces=lcg15"], "expected a sound one or --allow-weak"),
        (&["compare", "--budget", "60"], "expected a time such as 90s or 2m"),
        (
            &["compare", "--scheme", "none", "--budget", "1ms"],
            "--budget: found no complete round, expected one: allow more time",
        ),
        (&["compare", "--json", "tests"], "--json tests: is a directory, expected a writable file"),
        (&["keys"], "requires a subcommand"),
        (&["keys", "audit", "--scheme", "none"], "--scheme: found 'none', expected a single scheme with keys"),
        (&["keys", "audit", "--scheme", "all"], "--scheme: found 'all', expected a single scheme with keys"),
        (
            &["keys", "audit", "--scheme", "combine=add,width=128"],
            "found sums of width=128, expected those of one lane",
        ),
        (&["keys", "audit", "--scheme", "polyglot", "--seed", "1"], "the key table of 'polyglot' is published"),
        (&["keys", "audit", "--scheme", "pieces=tiny-seed"], "expected a sound one or --allow-weak"),
        (&["keys", "make"], "were not provided: --out <FILE>"),
        (
            &["keys", "make", "--scheme", "polyglot", "--out", "x"],
            "expected one whose key table is drawn from a seed, not published",
        ),
        (&["keys", "make", "--scheme", "dual32", "--out", "x"], "found 'dual32', expected one that a layout can hold"),
        (&["keys", "make", "--independent", "9", "--out", "x"], "expected up to 8, or up to 13 with --scheme bch"),
        (&["keys", "make", "--independent", "14", "--out", "x"], "14 is not in 1..=13"),
        (&["keys", "make", "--out", "tests"], "--out tests: is a directory, expected a writable file"),
        (&["keys", "audit", "--json", "tests"], "--json tests: is a directory, expected a writable file"),
        (&["cout"], "unrecognized subcommand 'cout'; did you mean 'count'?"),
        (&["--dpth", "3"], "unexpected argument '--dpth' found; did you mean '--depth'?"),
        (&["--mode", "verfy"], "did you mean 'verify'?"),
        (&["--scheme", "cpw739"], "or axis=value,…; did you mean 'cpw793'?"),
        (&["--scheme", "castlng=c4"], "did you mean 'castling'?"),
        (&["--suite", "standrd"], "or a file; did you mean 'standard'?"),
        (&["unique", "--depth", "2", "--ep", "legl"], "did you mean 'legal'?"),
        (&["bench", "--workload", "setwis"], "did you mean 'setwise'?"),
        (&["--depth", "abc"], "invalid value 'abc' for '--depth <DEPTH>': expected a whole number"),
        (&["--max-nodes", "1e9"], "invalid value '1e9' for '--max-nodes <N>': expected a whole number"),
        (&["engine", "--timeout", "abc", "--", "x"], "'--timeout <SECONDS>': expected a number"),
        (
            &["count", "--depth", "2", "--hash", "256"],
            "256 has no unit, expected auto or a size with its unit, such as 256M",
        ),
        (&["unique", "--depth", "2", "--memory", "1000"], "1000 has no unit, expected auto or a size with its unit"),
        (
            &["collisions", "--depth", "2", "--memory", "1000"],
            "1000 has no unit, expected auto or a size with its unit",
        ),
        (&["key", "--moves", "e2e4 e7e6 e5e4"], "found 'e5e4', expected a legal move"),
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
    assert_eq!(table.lines().filter(|line| line.ends_with("  ok")).count(), 69, "{table}");
    assert!(table.contains("69 of 69 rows: 69 passed, 0 failed;"), "{table}");
}

#[test]
fn rows_run_their_deepest_listed_depth_or_are_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("some.epd");
    let kings = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    std::fs::write(
        &suite,
        format!("{kings};D2 25;id shallow\r\n{kings} ; D4 1000000; id deep\r\n{kings};D1 5; D3 999;id wrong\r\n"),
    )
    .unwrap();
    let suite = suite.to_str().unwrap();

    let output = perft(&["--suite", suite, "--depth", "3"]);
    let table = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{table}");
    assert!(table.contains("depth 2: the deepest listed one up to 3"), "{table}");
    assert!(table.contains("skipped: no count is listed up to depth 3"), "{table}");
    assert!(table.contains("V1 counts at depth 3: expected 999 (the suite's), found 170"), "{table}");
    assert!(table.contains(&format!("next step: perft divide --fen '{kings}' --depth 3")), "{table}");
    assert!(table.contains("3 of 3 rows: 1 passed, 1 failed, 1 skipped"), "{table}");

    // What has no count at all is walked, and compared with the other counter.
    let unlisted = folder.path().join("unlisted.epd");
    std::fs::write(&unlisted, format!("{kings};id unlisted\n{kings};D2 25;id listed\n")).unwrap();
    let output = perft(&["--suite", unlisted.to_str().unwrap(), "--depth", "3", "--max-nodes", "10"]);
    let table = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{table}");
    let row: Vec<&str> = table.lines().find(|line| line.starts_with("unlisted")).unwrap().split_whitespace().collect();
    assert_eq!((row[1], row[2], row[3], *row.last().unwrap()), ("3", "170", "170", "cross-checked"), "{table}");
    assert!(table.contains("2 of 2 rows: 1 passed, 0 failed, 1 skipped"), "{table}");

    let output = perft(&["--suite", suite, "--depth", "3", "--max-nodes", "10"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
    assert_eq!(
        text(&output.stderr),
        "error: nothing was compared: every row was skipped: raise --depth or --max-nodes, or take another suite\n"
    );
    assert!(text(&output.stdout).contains("skipped: 25 leaf nodes, more than 10"), "{}", text(&output.stdout));
}

#[test]
fn verdicts_are_written_whole() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (json, junit) = (file("v.json"), file("v.xml"));
    let output = perft(&["--suite", "quick", "--depth", "2", "--json", &json, "--junit", &junit]);
    assert_eq!(output.status.code(), Some(0));
    let document: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    assert_eq!((document["verdict"].as_str(), document["totals"]["passed"].as_u64()), (Some("passed"), Some(69)));
    assert!(std::fs::read_to_string(&junit).unwrap().contains("tests=\"69\""));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "temporary files are left");

    let output = perft(&["--fen", "kiwipete", "--depth", "2", "--json", "-"]);
    let document: serde_json::Value = serde_json::from_str(&text(&output.stdout)).expect("stdout is JSON alone");
    assert_eq!(document["rows"][0]["expectation"], "cross-checked");
    assert!(text(&output.stderr).contains("cross-checked"), "{}", text(&output.stderr));
}

#[cfg(unix)]
#[test]
fn a_killed_run_leaves_a_valid_file_of_what_is_done() {
    let folder = tempfile::tempdir().unwrap();
    let json = folder.path().join("v.json");
    let arguments = ["--depth", "6", "--threads", "1", "--json", json.to_str().unwrap()];
    let mut child = Command::new(env!("CARGO_BIN_EXE_perft"))
        .args(arguments)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let wait = std::time::Instant::now();
    while !json.exists() && wait.elapsed().as_secs() < 120 {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let document: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    assert_eq!(document["verdict"], "incomplete");
    assert_eq!(document["rows"][0]["status"], "passed");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_cleanly_with_what_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let json = folder.path().join("v.json");
    let child = Command::new(env!("CARGO_BIN_EXE_perft"))
        .args(["--fen", "kiwipete", "--depth", "8", "--json", json.to_str().unwrap()])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1500));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("interrupted"), "{}", text(&output.stdout));
    let document: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    assert_eq!((&document["verdict"], &document["rows"][0]["status"]), (&"interrupted".into(), &"interrupted".into()));
}

#[test]
fn random_games_are_verified_and_repeatable() {
    let games = |threads: &str| {
        let output =
            perft(&["--suite", "chess960", "--depth", "1", "--playouts", "300", "--seed", "7", "--threads", threads]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
        let table = text(&output.stdout);
        table.split("playouts:").nth(1).expect("a report").lines().take(2).collect::<Vec<_>>().join(" ")
    };
    let report = games("1");
    assert!(report.contains("300 games of at most 200 plies, seed 7: ok"), "{report}");
    assert_eq!(report, games("2"));
}

#[test]
fn github_annotations_and_summary() {
    let folder = tempfile::tempdir().unwrap();
    let (suite, summary) = (folder.path().join("wrong.epd"), folder.path().join("summary.md"));
    std::fs::write(&suite, "4k3/8/8/8/8/8/8/4K3 w - - 0 1;D2 26;id wrong\n").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_perft"))
        .args(["--github", "--suite", suite.to_str().unwrap()])
        .env("GITHUB_STEP_SUMMARY", &summary)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("\n::error title=perft wrong::"), "{}", text(&output.stdout));
    assert!(std::fs::read_to_string(&summary).unwrap().contains("| wrong | 2 | 26 | 25 | **wrong** |"));
}

#[test]
fn count_counts_positions_and_suites() {
    let output = perft(&["count", "--depth", "5"]);
    assert!(text(&output.stdout).starts_with("nodes 4865609\ntime "), "{}", text(&output.stdout));
    for (depth, nodes) in [("0", "nodes 1\n"), ("1", "nodes 48\n"), ("2", "nodes 2039\n"), ("3", "nodes 97862\n")] {
        for simd in ["auto", "v1", "v3"] {
            let output = perft(&["count", "--fen", "kiwipete", "--depth", depth, "--simd", simd]);
            if simd != "v3" || output.status.success() {
                assert!(text(&output.stdout).starts_with(nodes), "{simd} at {depth}: {}", text(&output.stdout));
            }
        }
    }
    let output = perft(&["count", "--suite", "quick", "--depth", "3"]);
    let table = text(&output.stdout);
    assert!(table.ends_with("rows compared, 0 wrong\n") && output.status.success(), "{table}");

    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("wrong.epd");
    std::fs::write(&suite, "4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5 ;D2 26\n").unwrap();
    let output = perft(&["count", "--suite", suite.to_str().unwrap(), "--depth", "2"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("WRONG, expected 26"), "{}", text(&output.stdout));
}

#[test]
fn divide_is_sorted_and_totals() {
    let output = perft(&["divide", "--fen", "kiwipete", "--depth", "2"]);
    let lines = text(&output.stdout);
    assert!(lines.starts_with("a1b1: 43\n") && lines.contains("e1g1: 43\n"), "{lines}");
    assert!(lines.ends_with("moves 48\ntotal 2039\n"), "{lines}");
    // The way of a split tree.
    let output = perft(&["count", "--fen", "kiwipete", "--depth", "5", "--divide"]);
    let lines = text(&output.stdout);
    assert!(lines.contains("e1g1: 4119629\n"), "{lines}");
    assert!(lines.ends_with("moves 48\ntotal 193690690\n"), "{lines}");
}

#[test]
fn moves_may_be_one_argument() {
    let key = |moves: &[&str]| {
        let output = perft(&[&["key", "--moves"], moves].concat());
        assert_eq!(output.status.code(), Some(0), "{moves:?}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    assert_eq!(key(&["e2e4 e7e5  g1f3"]), key(&["e2e4", "e7e5", "g1f3"]));
    assert_eq!(key(&["e2e4 e7e5", "g1f3"]), key(&["e2e4", "e7e5", "g1f3"]));
}

#[test]
fn no_table_is_a_size_of_zero() {
    let found = text(&perft(&["count", "--depth", "3", "--hash", "0"]).stdout);
    assert!(found.starts_with("nodes 8902\n") && !found.contains("table"), "{found}");
}

#[test]
fn a_time_of_nothing_has_no_rate_and_a_pipe_gets_whole_names() {
    let found = text(&perft(&["count", "--depth", "1"]).stdout);
    assert_eq!(found, "nodes 20\ntime 0.000 s\n");
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("long.epd");
    let name = "a name that is much longer than any column of a table is wide, and says it";
    std::fs::write(&suite, format!("4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5 ;id {name}\n")).unwrap();
    let table = text(&perft(&["--suite", suite.to_str().unwrap(), "--depth", "1"]).stdout);
    let row = table.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{table}"));
    assert!(row.ends_with("0.00        -  ok"), "{row}");
}

/// Rows are read as they are needed and kept by nobody, and small ones are walked several at a time.
#[cfg(target_os = "linux")]
#[test]
fn a_long_suite_takes_no_memory_a_row_and_keeps_its_order() {
    const ROWS: usize = 50_000;
    let folder = tempfile::tempdir().unwrap();
    let (suite, table) = (folder.path().join("long.epd"), folder.path().join("table"));
    let row = |number: usize| format!("4k3/8/8/8/8/8/8/4K3 w - - 0 {} ;id {number}\n", number % 9999 + 1);
    std::fs::write(&suite, (0..ROWS).map(row).collect::<String>()).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_perft"))
        .args(["--suite", suite.to_str().unwrap(), "--depth", "0", "--mode", "count", "--threads", "2"])
        .stdout(std::fs::File::create(&table).unwrap())
        .spawn()
        .unwrap();
    let (status, mut peak_kib) = (format!("/proc/{}/status", child.id()), 0);
    let ended = loop {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let peak = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = peak.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
        peak_kib = peak_kib.max(kib.unwrap_or(0));
        if let Some(ended) = child.try_wait().unwrap() {
            break ended;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    };
    let table = std::fs::read_to_string(&table).unwrap();
    assert_eq!(ended.code(), Some(0), "{}", table.lines().last().unwrap_or_default());
    assert!(table.contains("50000 of 50000 rows: 50000 passed, 0 failed;"));
    let names = table.lines().filter_map(|line| line.split_whitespace().next()?.parse::<usize>().ok());
    assert!(names.take(ROWS).eq(0..ROWS), "the rows are in another order");
    // A thousand bytes a row would be 50 MB.
    assert!((1..60_000).contains(&peak_kib), "{peak_kib} KiB");
}
