//! `perft` without a subcommand: its result files, how it ends, its memory, and the next steps that it prints.
//! `tests/cmd/gate.trycmd` shows its output.

use crate::common::{Folder, Run, command, document, fens, perft_line};
#[cfg(unix)]
use crate::common::{signal, start, wait_until, wait_until_it_catches_interrupts};
use regex_lite::Regex;
use serde_json::json;
use std::process::Stdio;
#[cfg(unix)]
use std::time::Duration;

#[test]
fn the_gate_passes_and_says_what_it_checked() {
    let output = perft_line("--depth 3 --json -");
    let (table, verdict) = (&output.stderr, output.document());
    assert_eq!(output.code, Some(0), "{table}");
    assert_eq!(table.lines().filter(|line| line.ends_with("  ok")).count(), 69, "{table}");
    let totals = &verdict["totals"];
    let found = [&verdict["verdict"], &verdict["number_of_rows"], &totals["passed"], &totals["failed"]];
    assert_eq!(found, [&json!("passed"), &json!(69), &json!(69), &json!(0)]);
    for row in verdict["rows"].as_array().unwrap() {
        let nodes = row["nodes"].as_array().unwrap().iter().map(|nodes| nodes.as_str()?.parse::<u64>().ok());
        assert_eq!(row["status"], "passed", "{row}");
        assert_eq!(row["checks"]["keys"].as_u64(), nodes.sum(), "{row}");
    }
}

#[cfg(unix)]
#[test]
fn a_killed_run_leaves_a_valid_file_of_what_is_done() {
    let folder = Folder::new();
    let [json, junit] = ["v.json", "junit"].map(|name| folder.join(name));
    let mut child = start(&format!("--depth 6 --threads 1 --json {} --junit {}", json.display(), junit.display()));
    wait_until(&mut child, || json.exists() && junit.exists());
    child.kill().unwrap();
    child.wait().unwrap();
    let verdict = document(&json);
    assert_eq!(verdict["verdict"], "incomplete");
    assert_eq!(verdict["rows"][0]["status"], "passed");
    assert!(folder.read("junit").contains(" of 69 rows are done"), "{}", folder.read("junit"));
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
        output.document()["playouts"].clone()
    };
    let report = games("1");
    let found = [&report["games"], &report["plies"], &report["seed"], &report["mismatches"], &report["missed"]];
    assert_eq!(found, [json!(300), json!(200), json!("7"), json!([]), json!([])].each_ref());
    assert_eq!(report, games("2"));
}

/// Rows are read on demand and not kept. Several small rows are walked at a time.
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
    // A thousand bytes per row would add 50 MB.
    assert!((1..60_000).contains(&peak_kib), "{peak_kib} KiB");
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
        // A comparison reads a listing from standard input, which is empty here, so the comparison fails.
        let expected = if line.ends_with("--compare -") { Some(2) } else { Some(0) };
        assert_eq!(run.code, expected, "{line}: {}", run.printed());
        assert!(!run.stderr.contains("FEN field") || run.stderr.starts_with("note: "), "{line}: {}", run.stderr);
    }
}
