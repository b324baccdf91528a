//! Options of `perft engine`: commands, patterns, the trace, known failures, limits on failures. Also the order of
//! depths.

use crate::common::fens::{EN_PASSANT_PINNED, POSITION_3, ROOKS};
#[cfg(target_os = "linux")]
use crate::common::{BINARY, perft};
use crate::common::{Folder, Run, document, fens};
#[cfg(unix)]
use crate::common::{command, succeeds};
use crate::faults::Dialect;
use crate::faults::Fault::{self, Bent};
use crate::trials::{KIWIPETE, START, gate, trial};
use libtest_mimic::Trial;

pub fn all() -> Vec<Trial> {
    vec![
        trial("advice is tried before it is printed", advice_works),
        #[cfg(unix)]
        trial("launchers that change directory and fork", launchers),
        #[cfg(target_os = "linux")]
        trial("no daemon is left", no_daemon_is_left),
        trial("a document says what was learned", learned_facts),
        trial("the trace holds the dialogue", the_trace),
        trial("known failures leave the exit code 0", known_failures),
        trial("a known failure is no failure to count", failures_are_limited),
        trial("a wrong move is reported at a shallow depth", shallow_depths_first),
        trial("rows say nodes per second", rates),
    ]
}

fn advice_works() {
    for (dialect, learned) in [(Dialect::Sentence, "totals only"), (Dialect::Reversed, "lists moves")] {
        let refused = gate(Fault::None, dialect, &["--fen", START, "--depth", "1"]);
        refused.expect(3, &["no-perft", "which reads its perft 1, 2 and 3 of the start position"]);
        let text = refused.printed();
        let advice = text.split("add ").nth(1).and_then(|rest| rest.split(", which reads").next()).expect("advice");
        let (option, pattern) = advice.split_once(' ').expect("an option and its value");
        let place = ["--fen", KIWIPETE, "--depth", "3", option, pattern.trim_matches('\'')];
        gate(Fault::None, dialect, &place).expect(0, &[learned, "97862         97862", "1 pass"]);
    }
}

/// The launcher exits while two processes that it started still run: the engine and a daemon.
#[cfg(unix)]
fn launchers() {
    let folder = Folder::new();
    let numbers = folder.file("numbers");
    let daemon = if cfg!(target_os = "linux") { "setsid sleep 1000" } else { "sleep 1000" };
    let script = format!(
        r#"cd /; {daemon} >/dev/null 2>&1 & echo $! >> '{numbers}'
exec 3<&0; "$0" --as-engine "$1" stockfish <&3 & echo $! >> '{numbers}'"#
    );
    let ask = |fault, fen| {
        let mut command = command();
        command.args(["engine", "--jobs", "1", "--timeout", "5", "--fen", fen, "--depth", "2", "--"]);
        Run::finish(command.args(["sh", "-c", &script]).arg(std::env::current_exe().expect("our own path")).arg(fault))
    };
    ask("right", KIWIPETE).expect(0, &["rows: 1 pass;"]);
    ask("ep-pinned", EN_PASSANT_PINNED).expect(1, &["illegal    d5c6"]);
    none_runs(&folder.read("numbers"), 4);
}

/// Even a daemon that leaves its process group and its parent does not outlive the run.
#[cfg(target_os = "linux")]
fn no_daemon_is_left() {
    let folder = Folder::new();
    let numbers = folder.file("numbers");
    let script =
        format!("(setsid sleep 1000 >/dev/null 2>&1 & echo $! >> {numbers})\nexec {BINARY} divide $1 --fen \"$2\"\n");
    let path = folder.script("daemon.sh", &script);
    let template = format!("{path} {{depth}} {{fen}}");
    perft(&["engine", "--fen", "kiwipete", "2", "--jobs", "1", "--exec", &template]).expect(0, &["rows: 1 pass;"]);
    none_runs(&folder.read("numbers"), 3);
}

/// Checks the number of listed processes, and that all of them end. A process that was killed may take a while to end.
#[cfg(unix)]
pub(super) fn none_runs(numbers: &str, expected: usize) {
    assert_eq!(numbers.lines().count(), expected, "{numbers}");
    for number in numbers.lines() {
        // A zombie has no command line any more.
        let runs = || std::fs::read(format!("/proc/{number}/cmdline")).is_ok_and(|command| !command.is_empty());
        let started = std::time::Instant::now();
        while runs() {
            if started.elapsed().as_secs() >= 60 {
                succeeds(&format!("kill -KILL {number}"));
                panic!("process {number} outlived the run");
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    }
}

fn learned_facts() {
    let folder = Folder::new();
    let json = folder.file("engine.json");
    gate(Fault::None, Dialect::Stockfish, &["--fen", START, "--depth", "1", "--json", &json]);
    let document = document(&json);
    let learned = &document["engine"]["learned"];
    assert_eq!((&learned["moves"], &learned["display"]["key"]["base"]), (&true.into(), &"hexadecimal".into()));
}

fn the_trace() {
    let folder = Folder::new();
    let trace = folder.file("trace");
    let output = gate(Fault::Crash, Dialect::Stockfish, &["--fen", KIWIPETE, "--depth", "1", "--trace", &trace]);
    output.expect(3, &["crash"]);
    let text = folder.read("trace");
    for part in
        [" 1 $ ", " 1 > uci", " 1 < uciok", " 1 > go perft 1", " 1 < a2a3: 1", " 1 ! assertion failed: a wrong engine"]
    {
        assert!(text.contains(part), "expected '{part}' in:\n{text}");
    }
    if cfg!(target_os = "linux") {
        let output = gate(Fault::None, Dialect::Stockfish, &["--fen", START, "--depth", "1", "--trace", "/dev/full"]);
        output.expect(3, &["error: --trace /dev/full: "]);
    }
}

/// Writes a suite with two rows that are wrong with `Fault::EpPinned`, and one row that is right.
fn suite(folder: &Folder) -> String {
    let lines = format!(
        "{EN_PASSANT_PINNED} ;D3 537 ;id pinned\n{} ;D1 20 ;id start\n{POSITION_3} ;D4 43238 ;id third\n",
        fens::START
    );
    folder.write("three.epd", lines)
}

fn known_failures() {
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
    output.expect(0, &["wrong-count, as expected", listed, "; passed"]);
    assert!(!output.printed().contains("::error"), "{}", output.printed());
    let found = document(&json);
    assert_eq!((&found["verdict"], &found["rows"][0]["expected_failure"]), (&"passed".into(), &"met".into()));
    assert_eq!(found["rows"][1]["expected_failure"], serde_json::Value::Null);
    let xml = folder.read("engine.xml");
    assert!(xml.contains("failures=\"0\"") && xml.contains("wrong-count, as expected"), "{xml}");
    // Unlisted rows, and rows that fail in another way, still fail.
    ask(Fault::EpPinned, "pinned").expect(1, &["failed as expected: pinned (wrong-count)\n", "; failed"]);
    let other = ask(Fault::EpPinned, "pinned ;timeout\nthird");
    other.expect(1, &["wrong-count, another verdict was expected", "; failed"]);
    // If every row fails as expected, the run passes, even if the engine never answers.
    let list = folder.write("known", "kiwipete ;crash");
    let arguments = ["--fen", KIWIPETE, "--depth", "1", "--expect-fail", &list];
    gate(Fault::Crash, Dialect::Stockfish, &arguments).expect(0, &["failed as expected: ", "(crash)", "; passed"]);
    // A correct engine passes rows that were known to fail.
    let passed = "passed unexpectedly: pinned (pass): remove them from the list";
    ask(Fault::None, "pinned").expect(0, &["pass, unexpectedly", passed]);
    assert_eq!(document(&json)["rows"][0]["expected_failure"], "passed");
}

fn failures_are_limited() {
    // A known failure does not count: the run continues with the next row.
    let folder = Folder::new();
    let (suite, list) = (suite(&folder), folder.write("known", "pinned"));
    let arguments = ["--suite", &suite, "--depth", "4", "--fail-fast", "--expect-fail", &list];
    let output = gate(Fault::EpPinned, Dialect::Stockfish, &arguments);
    let third = output.stdout.lines().find(|line| line.starts_with("third "));
    assert_eq!(third.and_then(|line| line.split_whitespace().nth(1)), Some("2"), "{}", output.printed());
    output.expect(1, &[]);
}

fn shallow_depths_first() {
    let output = gate(Bent("rook-capture-keeps"), Dialect::Stockfish, &["--fen", ROOKS, "--depth", "4"]);
    output.expect(1, &["making "]);
    assert!(
        !output.stdout.lines().any(|line| line.contains(" 4 ") && line.contains("wrong-count")),
        "{}",
        output.stdout
    );
}

fn rates() {
    let folder = Folder::new();
    let json = folder.file("engine.json");
    let ask = |dialect| {
        gate(Fault::None, dialect, &["--fen", START, "--depth", "3", "--keys", "off", "--json", &json]);
        let found = document(&json);
        found["rows"][0]["nodes_per_second"].as_f64()
    };
    let rate = ask(Dialect::EachDepth).expect("a rate: it sleeps between depths");
    assert!((100.0..8902.0 / 0.03).contains(&rate), "{rate}");
    // If silence marks the end of an answer, there is no rate, because a rate must not include the silence.
    assert_eq!(ask(Dialect::SubtotalsOnly), None);
}
