//! Options for engines that do not answer in the usual ways: commands, patterns, the trace.

#[cfg(unix)]
use crate::common::command;
use crate::common::fens::{CORNERS, EN_PASSANT_PINNED};
use crate::common::{Folder, Run, Schema, document};
use crate::faults::{Dialect, Fault};
use crate::trials::{KIWIPETE, START, expect, gate};
use libtest_mimic::{Failed, Trial};

/// The tests.
pub fn all() -> Vec<Trial> {
    vec![
        Trial::test("patterns read what the usual forms do not", patterns_read),
        Trial::test("a pattern that finds nothing is refused", misfits_are_refused),
        Trial::test("advice is tried before it is printed", advice_works),
        Trial::test("a command that names the FEN", commands_may_name_the_fen),
        Trial::test("decimal keys of another command", keys_may_be_decimal),
        Trial::test("an engine that exits after perft", exits_after_perft),
        #[cfg(unix)]
        Trial::test("launchers that change directory and fork", launchers),
        Trial::test("totals alone can be refused", totals_can_be_refused),
        Trial::test("the first line says what was learned", the_first_line),
        Trial::test("the trace holds the dialogue", the_trace),
        Trial::test("every failure ends with lines to paste", lines_to_paste),
    ]
}

const DIVIDE: &str = "^(?<leaves>[0-9]+) leaves after (?<move>[a-h][1-8][a-h][1-8][nbrq]?)$";
const TOTAL: &str = "^<< ([0-9]+) >>$";

/// Runs the gate on the engine whose answers only patterns read.
fn reversed(fault: Fault, fen: &str, options: &[&str]) -> Run {
    let arguments = ["--fen", fen, "--depth", "2", "--keys", "off"];
    gate(fault, Dialect::Reversed, &[&arguments, options].concat())
}

fn patterns_read() -> Result<(), Failed> {
    expect(&reversed(Fault::None, KIWIPETE, &[]), 3, &["no-perft"])?;
    let both = ["--divide-pattern", DIVIDE, "--total-pattern", TOTAL];
    expect(&reversed(Fault::None, KIWIPETE, &both), 0, &["lists moves; its total ends an answer", "1 pass"])?;
    expect(&reversed(Fault::EqualTotal, START, &both), 1, &["missing    a2a4", "illegal    a2a2"])?;
    expect(&reversed(Fault::WrongSum, START, &both), 1, &["wrong-total", "found 21"])?;
    // Groups without names stand in the order move, leaves.
    let named = gate(
        Fault::EqualTotal,
        Dialect::Riddles,
        &["--fen", START, "--depth", "1", "--keys", "off", "--divide-pattern", "^from (.*), that makes ([0-9]+)$"],
    );
    expect(&named, 2, &["--divide-pattern: '^from (.*), that makes ([0-9]+)$' matches no legal move"])
}

fn advice_works() -> Result<(), Failed> {
    for (dialect, learned) in [(Dialect::Sentence, "totals only"), (Dialect::Reversed, "lists moves")] {
        let refused = gate(Fault::None, dialect, &["--fen", START, "--depth", "1"]);
        expect(&refused, 3, &["no-perft", "which reads its perft 1, 2 and 3 of the start position"])?;
        let text = refused.printed();
        let advice = text.split("add ").nth(1).and_then(|rest| rest.split(", which reads").next()).expect("advice");
        let (option, pattern) = advice.split_once(' ').expect("an option and its value");
        let place = ["--fen", KIWIPETE, "--depth", "3", option, pattern.trim_matches('\'')];
        expect(&gate(Fault::None, dialect, &place), 0, &[learned, "97862         97862", "1 pass"])?;
    }
    // Here the pattern reads perft 1 and 2, and not 3.
    let refused = gate(Fault::TableIgnoresDepth, Dialect::Sentence, &["--fen", START, "--depth", "1"]);
    expect(&refused, 3, &["no-perft", "name the engine's perft command with --perft-cmd"])?;
    assert!(!refused.printed().contains("-pattern"), "{}", refused.printed());
    Ok(())
}

fn misfits_are_refused() -> Result<(), Failed> {
    for (option, pattern, message) in [
        (
            "--divide-pattern",
            "leaves",
            "found 'leaves', expected a group in parentheses around the move and one around the",
        ),
        ("--divide-pattern", "(leaves)", "found '(leaves)', expected a group in parentheses"),
        (
            "--divide-pattern",
            "^([0-9]+) leaves after (?<move>.*)$",
            "expected names for both groups, move and leaves, or for none",
        ),
        ("--total-pattern", "<<", "found '<<', expected a group in parentheses around the total"),
        ("--total-pattern", "(", "--total-pattern: found '(', "),
        ("--divide-pattern", "x(y)(z)", "'x(y)(z)' matches no legal move after 'go perft 1', found '"),
        ("--total-pattern", "x(y)", "--total-pattern: 'x(y)' matches no number after 'go perft 1'"),
        ("--key-pattern", "x", "--key-pattern: found 'x', expected a group in parentheses around the key"),
    ] {
        expect(&reversed(Fault::None, START, &[option, pattern]), 2, &[message])?;
    }
    // A pattern takes the place of the usual forms: they do not help one that misses the total.
    let missed = ["--fen", START, "--depth", "1", "--total-pattern", "^Sum: ([0-9]+)$"];
    expect(&gate(Fault::None, Dialect::Stockfish, &missed), 2, &["--total-pattern", "matches no number"])
}

fn commands_may_name_the_fen() -> Result<(), Failed> {
    let ask = |fault, fen, command| {
        let arguments = ["--fen", fen, "--depth", "3", "--keys", "off", "--perft-cmd", command];
        gate(fault, Dialect::NamesFen, &arguments)
    };
    let command = "perft {depth} fen {fen}";
    expect(&ask(Fault::None, KIWIPETE, command), 0, &["('perft {depth} fen {fen}')", "rows: 1 pass"])?;
    let paste = "to see it  perft 1 fen 8/8/8/K1pP3r/8/8/8/4k3 w - c6 0 1";
    expect(&ask(Fault::EpPinned, EN_PASSANT_PINNED, command), 1, &["illegal    d5c6", paste])?;
    // It cannot be asked by moves, so nothing is said about them.
    let found = ask(Fault::RightsNotRestored, KIWIPETE, command);
    expect(&found, 1, &["the engine's own walk is wrong after", "given by FEN, this position counts right"])?;
    assert!(!found.printed().contains("by moves"), "{}", found.printed());
    for (command, message) in [
        ("perft fen {fen}", "--perft-cmd: found 'perft fen {fen}', expected it to contain {depth}"),
        ("perft {depth} {moves}", "expected it to contain {fen}"),
        ("perft {n}", "found '{n}', expected one of {depth}, {fen} and {moves}"),
        ("", "--perft-cmd: found nothing, expected a perft command"),
    ] {
        expect(&ask(Fault::None, START, command), 2, &[message])?;
    }
    Ok(())
}

fn keys_may_be_decimal() -> Result<(), Failed> {
    let ask = |fault, options: &[&str]| {
        gate(fault, Dialect::DecimalKeys, &[&["--fen", CORNERS, "--depth", "1"], options].concat())
    };
    let pattern = ["--key-pattern", "^hash=(-?[0-9]+)$"];
    let options = [&pattern[..], &["--display-cmd", "board"]].concat();
    expect(&ask(Fault::None, &options), 0, &["'board' shows no Fen: and the decimal key of 'hash=", "rows: 1 pass"])?;
    let wrong = ["wrong-key", "castling right Q left in after e1", "expected   "];
    expect(&ask(Fault::FirstRightOnly, &options), 1, &wrong)?;
    expect(&ask(Fault::None, &pattern), 2, &["matches nothing that the engine prints for 'd'"])?;
    expect(&ask(Fault::None, &[]), 0, &["'d' shows no Fen: and no key", "the engine prints none for 'd'"])
}

fn exits_after_perft() -> Result<(), Failed> {
    let ask = |fault, fen| gate(fault, Dialect::Exits, &["--fen", fen, "--depth", "2"]);
    let parts = ["lists moves; its exit ends an answer; 'd' shows Fen:", "rows: 1 pass;", "keys: "];
    expect(&ask(Fault::None, KIWIPETE), 0, &parts)?;
    expect(&ask(Fault::EpPinned, EN_PASSANT_PINNED), 1, &["illegal    d5c6: e.p. capture while pinned"])?;
    expect(&ask(Fault::FirstRightOnly, CORNERS), 1, &["castling right Q left in after e1"])?;
    // A crash is no exit.
    expect(&ask(Fault::Crash, KIWIPETE), 3, &["crash", "exit status: 42", "to see it  position fen r3k2r/"])
}

/// The launcher goes away, and what it leaves behind is the engine, and a daemon.
#[cfg(unix)]
fn launchers() -> Result<(), Failed> {
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
        Run::of(command.args(["sh", "-c", &script]).arg(std::env::current_exe().expect("our own path")).arg(fault))
    };
    expect(&ask("none", KIWIPETE), 0, &["rows: 1 pass;"])?;
    expect(&ask("ep-pinned", EN_PASSANT_PINNED), 1, &["illegal    d5c6"])?;
    let numbers = folder.read("numbers");
    assert_eq!(numbers.lines().count(), 4, "{numbers}");
    for number in numbers.lines() {
        // A process that nobody reaps has no command any more.
        let command = std::fs::read_to_string(format!("/proc/{number}/cmdline")).unwrap_or_default();
        assert!(command.is_empty(), "process {number} still runs: {command:?}");
    }
    Ok(())
}

fn totals_can_be_refused() -> Result<(), Failed> {
    let ask = |dialect| gate(Fault::None, dialect, &["--fen", START, "--depth", "2", "--require-divide"]);
    expect(&ask(Dialect::Stockfish), 0, &["rows: 1 pass"])?;
    for dialect in [Dialect::TotalOnly, Dialect::Riddles] {
        let parts = [
            "no-perft: found the total 20 alone after 'go perft 1'",
            "expected the leaf counts of the start position by root move:",
        ];
        expect(&ask(dialect), 3, &parts)?;
    }
    Ok(())
}

fn the_first_line() -> Result<(), Failed> {
    let learned = |dialect, line: &str| {
        let output = gate(Fault::None, dialect, &["--fen", START, "--depth", "1"]);
        expect(&output, 0, &[])?;
        let found = output.stdout.lines().next().unwrap_or_default();
        if found.contains(line) { Ok(()) } else { Err(Failed::from(format!("expected '{line}', found '{found}'"))) }
    };
    let shown = "; 'd' shows Fen: and the hexadecimal key of 'Key: ";
    for (dialect, line) in [
        (Dialect::Stockfish, "wrong engine ('go perft'), 1 process: lists moves; its total ends an answer"),
        (Dialect::SubtotalsOnly, "lists moves; silence ends an answer"),
        (Dialect::TotalOnly, "totals only; its total ends an answer"),
        (Dialect::PerftVerb, "('perft'), 1 process"),
    ] {
        learned(dialect, line)?;
        learned(dialect, shown)?;
    }
    let folder = Folder::new();
    let json = folder.file("engine.json");
    gate(Fault::None, Dialect::Stockfish, &["--fen", START, "--depth", "1", "--json", &json]);
    let document = document(&json);
    Schema::of("engine").check(&document);
    let learned = &document["engine"]["learned"];
    assert_eq!((&learned["moves"], &learned["display"]["key"]["base"]), (&true.into(), &"hexadecimal".into()));
    Ok(())
}

fn the_trace() -> Result<(), Failed> {
    let folder = Folder::new();
    let trace = folder.file("trace");
    let output = gate(Fault::Crash, Dialect::Stockfish, &["--fen", KIWIPETE, "--depth", "1", "--trace", &trace]);
    expect(&output, 3, &["crash"])?;
    let text = folder.read("trace");
    for part in
        [" 1 $ ", " 1 > uci", " 1 < uciok", " 1 > go perft 1", " 1 < a2a3: 1", " 1 ! assertion failed: a wrong engine"]
    {
        assert!(text.contains(part), "expected '{part}' in:\n{text}");
    }
    let nowhere = folder.file("none/trace");
    let output = gate(Fault::None, Dialect::Stockfish, &["--fen", START, "--depth", "1", "--trace", &nowhere]);
    expect(&output, 2, &["error: --trace ", "expected a writable file"])?;
    if cfg!(target_os = "linux") {
        let output = gate(Fault::None, Dialect::Stockfish, &["--fen", START, "--depth", "1", "--trace", "/dev/full"]);
        expect(&output, 3, &["error: --trace /dev/full: "])?;
    }
    Ok(())
}

fn lines_to_paste() -> Result<(), Failed> {
    let position = "to see it  position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    for (fault, code) in
        [(Fault::Hang, 3), (Fault::Crash, 3), (Fault::Garbage, 3), (Fault::FenRefused, 1), (Fault::WrongSum, 1)]
    {
        let output = gate(fault, Dialect::Stockfish, &["--fen", KIWIPETE, "--depth", "1"]);
        expect(&output, code, &[position, "\n               go perft 1\n"])?;
    }
    expect(&gate(Fault::CrashAtStart, Dialect::Stockfish, &["--fen", START]), 3, &["to see it  uci"])
}
