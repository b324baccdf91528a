//! The gate itself, `perft` without a subcommand: its documents, and how it ends. Runs that compared nothing must not
//! pass, and printed next steps must work. `tests/cmd/gate.trycmd` shows its output.

use crate::common::{Folder, Run, Schema, command, document, fens, perft_line};
#[cfg(unix)]
use crate::common::{signal, start, wait_until_it_catches_interrupts};
use regex_lite::Regex;
use serde_json::{Value, json};
use std::process::Stdio;
#[cfg(unix)]
use std::time::{Duration, Instant};

/// A number of a document; large ones are written as text.
fn number(value: &Value) -> u64 {
    value.as_u64().or_else(|| value.as_str()?.parse().ok()).unwrap_or_else(|| panic!("{value}"))
}

/// The rows of a verdict: all, passed, failed, skipped.
fn tally(verdict: &Value) -> [u64; 4] {
    let totals = &verdict["totals"];
    [&verdict["number_of_rows"], &totals["passed"], &totals["failed"], &totals["skipped"]].map(number)
}

#[test]
fn the_gate_passes_and_says_what_it_checked() {
    let output = perft_line("--depth 3 --json -");
    let (table, verdict) = (&output.stderr, output.json());
    assert_eq!(output.code, Some(0), "{table}");
    assert_eq!(table.lines().filter(|line| line.ends_with("  ok")).count(), 69, "{table}");
    let totals = &verdict["totals"];
    let found = [&verdict["verdict"], &verdict["number_of_rows"], &totals["passed"], &totals["failed"]];
    assert_eq!(found, [&json!("passed"), &json!(69), &json!(69), &json!(0)]);
    for row in verdict["rows"].as_array().unwrap() {
        let nodes: u64 = row["nodes"].as_array().unwrap().iter().map(number).sum();
        assert_eq!((&row["status"], number(&row["checks"]["keys"])), (&json!("passed"), nodes), "{row}");
    }
}

#[test]
fn rows_run_their_deepest_listed_depth_or_are_skipped() {
    let folder = Folder::new();
    let kings = fens::KINGS;
    let suite = &folder.write(
        "some.epd",
        format!("{kings};D2 25;id shallow\r\n{kings} ; D4 1000000; id deep\r\n{kings};D1 5; D3 999;id wrong\r\n"),
    );

    let output = perft_line(&format!("--suite {suite} --depth 3 --json -"));
    let (table, verdict) = (&output.stderr, output.json());
    assert_eq!(output.code, Some(1), "{table}");
    assert_eq!(tally(&verdict), [3, 1, 1, 1], "{table}");
    let [shallow, deep, wrong] = [0, 1, 2].map(|row| &verdict["rows"][row]);
    assert_eq!((&shallow["depth_requested"], &shallow["depth"]), (&json!(3), &json!(2)), "{table}");
    assert!(table.contains("depth 2, the deepest listed up to 3"), "{table}");
    assert_eq!((&deep["status"], &deep["nodes"]), (&json!("skipped"), &json!(null)), "{table}");
    assert_eq!(deep["reason"], "no count is listed up to depth 3", "{table}");
    let count = json!([{"depth": 3, "expectation": "suite", "expected": "999", "found": "170"}]);
    assert_eq!((&wrong["status"], &wrong["wrong_counts"]), (&json!("failed"), &count), "{table}");
    assert!(table.contains(&format!("perft divide --fen '{kings}' --depth 3")), "{table}");

    // A row without any count is walked and compared with the other counter.
    let unlisted = folder.write("unlisted.epd", format!("{kings};id unlisted\n{kings};D2 25;id listed\n"));
    let output = perft_line(&format!("--suite {unlisted} --depth 3 --max-nodes 10 --json -"));
    let (table, verdict) = (&output.stderr, output.json());
    assert_eq!(output.code, Some(0), "{table}");
    let row = &verdict["rows"][0];
    let found = [&row["id"], &row["depth"], &row["expected"], &row["nodes"][3], &row["expectation"], &row["status"]];
    let expected = [json!("unlisted"), json!(3), json!("170"), json!("170"), json!("cross-checked"), json!("passed")];
    assert_eq!(found, expected.each_ref(), "{table}");
    assert!(table.lines().any(|line| line.starts_with("unlisted") && line.ends_with("cross-checked")), "{table}");
    assert_eq!(tally(&verdict), [2, 1, 0, 1], "{table}");
}

#[test]
fn verdicts_are_written_whole() {
    let folder = Folder::new();
    let (json, junit) = (folder.file("v.json"), folder.file("v.xml"));
    perft_line(&format!("--suite quick --depth 2 --json {json} --junit {junit}")).expect(0, &[]);
    let verdict = document(&json);
    assert_eq!((verdict["verdict"].as_str(), verdict["totals"]["passed"].as_u64()), (Some("passed"), Some(58)));
    assert!(folder.read("v.xml").contains("tests=\"58\""));
    assert_eq!(folder.len(), 2, "temporary files are left");

    let output = perft_line("--fen kiwipete --depth 2 --json -");
    assert_eq!(output.json()["rows"][0]["expectation"], "cross-checked");
}

#[cfg(unix)]
#[test]
fn a_killed_run_leaves_a_valid_file_of_what_is_done() {
    let folder = Folder::new();
    let json = folder.join("v.json");
    let mut child = start(&format!("--depth 6 --threads 1 --json {}", json.display()));
    let wait = Instant::now();
    while !json.exists() && wait.elapsed().as_secs() < 120 {
        std::thread::sleep(Duration::from_millis(50));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let verdict = document(&json);
    assert_eq!(verdict["verdict"], "incomplete");
    assert_eq!(verdict["rows"][0]["status"], "passed");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_cleanly_with_what_is_known() {
    let folder = Folder::new();
    let json = folder.file("v.json");
    let mut child = start(&format!("--fen kiwipete --depth 8 --json {json}"));
    wait_until_it_catches_interrupts(&mut child);
    std::thread::sleep(Duration::from_millis(500));
    signal("-INT", &child);
    Run::wait(child).expect(130, &["interrupted"]);
    let verdict = document(&json);
    assert_eq!((&verdict["verdict"], &verdict["rows"][0]["status"]), (&"interrupted".into(), &"interrupted".into()));
}

#[test]
fn random_games_are_verified_and_repeatable() {
    let games = |threads: &str| {
        let games = "--playouts 300 --seed 7";
        let output = perft_line(&format!("--suite chess960 --depth 1 {games} --threads {threads} --json -"));
        output.expect(0, &["300 games of at most 200 plies, seed 7: ok"]);
        output.json()["playouts"].clone()
    };
    let report = games("1");
    let found = [&report["games"], &report["plies"], &report["seed"], &report["mismatches"], &report["missed"]];
    assert_eq!(found, [json!(300), json!(200), json!("7"), json!([]), json!([])].each_ref());
    assert_eq!(report, games("2"));
}

#[test]
fn a_time_of_nothing_has_no_rate() {
    let found = perft_line("count --depth 1").stdout;
    let time = found.strip_prefix("nodes 20\ntime ").and_then(|rest| rest.split_once(" s")).expect(&found);
    // On a busy machine even this takes some milliseconds. 0.005 may be rounded up from less, which has no rate.
    let (seconds, has_rate) = (time.0.parse::<f64>().unwrap(), time.1.contains("nodes/s"));
    assert!(if has_rate { seconds >= 0.005 } else { seconds <= 0.005 }, "{found}");
}

/// Rows are read on demand and not kept, and small ones are walked several at a time.
#[cfg(target_os = "linux")]
#[test]
fn a_long_suite_takes_no_memory_a_row_and_keeps_its_order() {
    const ROWS: usize = 50_000;
    let folder = Folder::new();
    let kings = fens::KINGS.strip_suffix('1').unwrap();
    let row = |number: usize| format!("{kings}{} ;D1 5 ;id {number}\n", number % 9999 + 1);
    let (suite, table) = (folder.write("long.epd", (0..ROWS).map(row).collect::<String>()), folder.join("table"));
    let mut child = command()
        .args(["--suite", &suite, "--depth", "1", "--mode", "count", "--threads", "2", "--rows", "all"])
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
        std::thread::sleep(Duration::from_millis(5));
    };
    let table = folder.read("table");
    assert_eq!(ended.code(), Some(0), "{}", table.lines().last().unwrap_or_default());
    assert!(table.contains("50000 of 50000 rows: 50000 passed, 0 failed;"));
    let names = table.lines().filter_map(|line| line.split_whitespace().next()?.parse::<usize>().ok());
    assert!(names.take(ROWS).eq(0..ROWS), "the rows are in another order");
    // A thousand bytes per row would be 50 MB.
    assert!((1..60_000).contains(&peak_kib), "{peak_kib} KiB");
}

#[test]
fn a_gate_over_a_list_without_counts_does_not_pass() {
    let folder = Folder::new();
    let suite = folder.write("bare.epd", format!("{}\n{};id kings\n", fens::START, fens::KINGS));
    let json = folder.file("verdict.json");
    let run = perft_line(&format!("--suite {suite} -d 2 --json {json}"));
    run.expect(2, &["no row lists a count up to depth 2", "perft suite fill"]);
    Schema::read("gate").check(&document(&json));
    assert_eq!(document(&json)["verdict"], "no-counts");
    // The advice in the message works.
    let filled = folder.file("filled.epd");
    perft_line(&format!("suite fill {suite} --depth 2 --output {filled}")).expect(0, &[]);
    perft_line(&format!("--suite {filled} -d 2")).expect(0, &["2 passed, 0 failed", "; passed"]);
}

/// The program accepts every command that a run tells its user to type next.
#[test]
fn printed_commands_work() {
    let folder = Folder::new();
    // Rows that are read leniently, each with a wrong count.
    let rows = [
        "rnbqk1nR/ppp1ppb1/6p1/3p4/8/2N5/PPPPPPP1/R1BQKBN1 b Qkq - 0 5 ;D1 1 ;id rights without a rook",
        "4k3/8/8/8/8/8/8/4K3 w KQkq e6 0 1 ;D2 1 ;id nothing to castle with",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 ;D2 1 ;id corners",
    ];
    let suite = folder.write("wrong.epd", rows.join("\n"));
    let gate = perft_line(&format!("--suite {suite} -d 2"));
    let listing = perft_line("divide --fen kiwipete 3").stdout.replacen("a1b1: ", "a1b1: 9", 1);
    let divide = perft_line(&format!("divide --fen kiwipete 3 --compare {}", folder.write("listing", listing)));
    gate.expect(1, &[]);
    divide.expect(1, &[]);
    let printed = format!("{}\n{}", gate.printed(), divide.printed());
    let pattern = Regex::new(r"perft ((?:divide|count|key|suite|keys|list) -[^\n`]*)").expect("a pattern");
    let commands: Vec<String> = pattern.captures_iter(&printed).map(|found| found[1].to_string()).collect();
    assert_eq!(commands.len(), rows.len() + 1, "{printed}");
    for line in commands {
        let run = Run::finish(command().args(shlex::split(&line).expect("words")).stdin(Stdio::null()));
        // A comparison waits for a listing, and finds none here.
        let expected = if line.ends_with("--compare -") { Some(2) } else { Some(0) };
        assert_eq!(run.code, expected, "{line}: {}", run.printed());
        assert!(!run.stderr.contains("FEN field") || run.stderr.starts_with("note: "), "{line}: {}", run.stderr);
    }
}
