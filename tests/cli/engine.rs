//! `perft engine` on programs without UCI, and where the engine runs. Our own `perft divide` is the program.

use crate::common::{Folder, Run, command, fens};
use std::os::unix::fs::PermissionsExt;

/// Writes a script that reads `DEPTH FEN [MOVES]` and prints `MOVE COUNT` lines, an empty line and the total, as
/// perftree's adapters do; `filter` is a shell command that spoils it.
fn adapter(folder: &Folder, name: &str, filter: &str) -> String {
    let perft = env!("CARGO_BIN_EXE_perft");
    let count = format!(r#"'{perft}' divide --depth "$1" --fen "$2" ${{3:+--moves $3}}"#);
    let lines = r"sed -n 's/^\([a-h][1-8].*\): /\1 /p; s/^total /\n/p'";
    executable(folder, name, &format!("{count} | {lines} | {filter}\n"))
}

fn executable(folder: &Folder, name: &str, script: &str) -> String {
    let path = folder.write(name, format!("#!/bin/sh\n{script}"));
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&path, mode).unwrap_or_else(|error| panic!("{path}: {error}"));
    path
}

/// Judges Kiwipete through a program.
fn judge(template: &str, options: &[&str]) -> Run {
    judge_at("kiwipete", template, options)
}

fn judge_at(fen: &str, template: &str, options: &[&str]) -> Run {
    let place = ["engine", "--fen", fen, "--depth", "2", "--jobs", "1", "--exec", template];
    Run::of(command().args(place).args(options))
}

#[track_caller]
fn expect(run: &Run, code: i32, parts: &[&str]) {
    run.expect(code, parts);
}

#[test]
fn an_adapter_of_perftree_is_judged() {
    let folder = Folder::new();
    let right = adapter(&folder, "right.sh", "cat");
    let line = format!("{right} {{depth}} {{fen}} {{moves}}");
    expect(&judge(&line, &[]), 0, &["lists moves; its exit ends an answer", "2039          2039", "rows: 1 pass;"]);
    let missing = adapter(&folder, "missing.sh", "sed /^e5g6/d");
    let parts = ["wrong-count", "missing    e5g6: capture by a knight", &format!("to see it  {missing} 1 'r3k2r/")];
    expect(&judge(&format!("{missing} {{depth}} {{fen}}"), &[]), 1, &parts);
}

/// It counts in the background, is ready meanwhile, prints no total, and pauses for longer than silence that ends an
/// answer.
#[test]
fn an_engine_that_pauses_between_moves_is_waited_for() {
    let folder = Folder::new();
    let list = adapter(&folder, "list.sh", "sed '/^[0-9]*$/d'");
    let ask = |filter: &str, seconds| {
        let script = format!(
            r#"while read -r line; do case $line in
uci) echo uciok;;
isready) echo readyok;;
"position startpos") fen=startpos;;
"position fen "*) fen=${{line#position fen }};;
"go perft "*) depth=${{line#go perft }}
  {list} $depth "$fen" | {filter} | while read -r move; do [ $depth = 1 ] || sleep 0.6; echo "$move"; done & ;;
quit) exit;;
esac; done"#
        );
        let engine = executable(&folder, "engine.sh", &script);
        let place = ["engine", "--fen", "8/8/8/8/8/8/k7/2K5 w - - 0 1", "--depth", "2", "--jobs", "1", "--keys", "off"];
        Run::of(command().args(place).args(["--timeout", seconds, "--", &engine]))
    };
    expect(&ask("cat", "20"), 0, &["silence ends an answer", "rows: 1 pass;"]);
    let missing = r#"if [ "$fen" = startpos ]; then cat; else sed /^c1d1/d; fi"#;
    expect(&ask(missing, "4"), 1, &["wrong-count", "missing    c1d1: king move"]);
}

/// A position with the root moves of the start position is not one that was refused.
#[test]
fn a_wrong_subtotal_is_no_refused_position() {
    let folder = Folder::new();
    let wrong = adapter(&folder, "wrong.sh", "sed 's/^e2e4 20/e2e4 21/'");
    let later = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4 3";
    let run = judge_at(later, &format!("{wrong} {{depth}} {{fen}}"), &[]);
    expect(&run, 1, &["wrong-count", "below e2e4: expected 20, found 21"]);
}

#[test]
fn moves_are_one_argument_and_left_out_where_there_are_none() {
    let folder = Folder::new();
    let log = folder.file("log");
    // One leaf too few below a move, but only where it is not the root: the descent asks by FEN and by moves.
    let count = format!(
        r#"for word; do printf '[%s]' "$word"; done >> '{log}'; echo >> '{log}'
{} "$@" | awk -v depth="$1" 'depth >= 2 && $1 == "e5g6" {{ print $1, $2 - 1; next }} {{ print }}'"#,
        adapter(&folder, "right.sh", "cat")
    );
    let wrong = executable(&folder, "wrong.sh", &count);
    let run = judge(&format!("{wrong} {{depth}} {{fen}} {{moves}}"), &[]);
    expect(
        &run,
        1,
        &["below e5g6: expected 42, found 41", "the engine's walk does not restore the position after e5g6"],
    );
    let log = folder.read("log");
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    assert!(log.contains(&format!("[2][{fen}]\n")), "{log}");
    assert!(log.contains(&format!("[1][{fen}][e5g6]\n")), "{log}");
}

#[test]
fn no_shell_reads_the_template() {
    let folder = Folder::new();
    let touched = folder.file("touched");
    let right = adapter(&folder, "right.sh", "cat");
    // A shell would run the second command; here it is arguments that the adapter ignores.
    let line = format!("{right} {{depth}} {{fen}} '' ; touch {touched} $(touch {touched})");
    expect(&judge(&line, &[]), 0, &["rows: 1 pass;"]);
    assert!(!folder.join("touched").exists());
}

#[test]
fn a_program_that_gives_no_answer_gets_a_verdict() {
    let folder = Folder::new();
    let right = adapter(&folder, "right.sh", "cat");
    // The start position is answered, so that the run begins.
    let only_start = |script: &str| format!("case \"$2\" in rnbqkbnr*) exec {right} \"$@\";; esac\n{script}\n");
    for (script, code, parts) in [
        ("echo why >&2; exit 3", 3, &["crash", "exit status: 3", "stderr: why", "to see it  "][..]),
        ("sleep 1000", 3, &["timeout", "no answer to '"]),
        // A row without an answer shows no other answer's counts.
        (&format!("[ $1 = 1 ] && exec {right} \"$@\"; exit 3"), 3, &["    2             -             - ", "crash"]),
        ("echo hello", 3, &["unparsed", "expected leaves by root move or a total, found 'hello'"]),
        // What it leaves behind holds its output open.
        (&format!("sleep 1000 & exec {right} \"$@\""), 0, &["rows: 1 pass;"]),
        ("exec >&-; sleep 1000", 3, &["it closed its output but kept running"]),
    ] {
        let path = executable(&folder, "program.sh", &only_start(script));
        expect(&judge(&format!("{path} {{depth}} {{fen}}"), &["--timeout", "2"]), code, parts);
    }
    let line = format!("{right} {{depth}} {{fen}}");
    let parts = ["1 of 1 rows are Chess960, which a program without UCI cannot be told: choose a suite"];
    expect(&judge_at(fens::CHESS960_ROOK, &line, &[]), 2, &parts);
    let silent = executable(&folder, "silent.sh", "exit 0");
    let parts = ["expected leaves by root move or a total, found nothing"];
    expect(&judge(&format!("{silent} {{depth}} {{fen}}"), &[]), 3, &parts);
}

/// At a stalemate a list without a total is empty; nothing else is, and a total that was printed before is missed.
#[test]
fn a_list_without_a_total_is_empty_where_no_move_is_legal() {
    let folder = Folder::new();
    let list = adapter(&folder, "list.sh", "sed '/^[0-9]*$/d'");
    let stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    let empty = ["expected leaves by root move or a total, found nothing"];
    expect(&judge_at(stalemate, &format!("{list} {{depth}} {{fen}}"), &[]), 0, &["rows: 1 pass;"]);
    let only_start = format!("case \"$2\" in rnbqkbnr*) exec {list} \"$@\";; esac\n");
    let silent = executable(&folder, "silent.sh", &only_start);
    expect(&judge(&format!("{silent} {{depth}} {{fen}}"), &[]), 3, &empty);
    let wordy = executable(&folder, "wordy.sh", &format!("{only_start}echo no such position"));
    let parts = ["expected leaves by root move or a total, found 'no such position'"];
    expect(&judge_at(stalemate, &format!("{wordy} {{depth}} {{fen}}"), &[]), 3, &parts);
    let total = adapter(&folder, "total.sh", "sed '/^0$/d'");
    expect(&judge_at(stalemate, &format!("{total} {{depth}} {{fen}}"), &[]), 3, &empty);
}

/// The first question is answered with a list, the others are not.
#[test]
fn a_list_that_is_missing_later_is_no_pass_where_moves_are_required() {
    let folder = Folder::new();
    let right = adapter(&folder, "right.sh", "cat");
    let script = format!("case \"$2\" in rnbqkbnr*) exec {right} \"$@\";; esac\n{right} \"$@\" | tail -1\n");
    let line = format!("{} {{depth}} {{fen}}", executable(&folder, "once.sh", &script));
    expect(&judge(&line, &[]), 0, &["lists moves", "pass, total only", "moves: not compared in 1 of 1 rows"]);
    let parts = ["unparsed", "expected the leaves of each root move, found the total alone"];
    expect(&judge(&line, &["--require-divide"]), 3, &parts);
}

#[test]
fn a_template_that_cannot_work_is_refused() {
    for (template, message) in [
        ("./perft.sh {fen}", "--exec: found './perft.sh {fen}', expected it to contain {depth}"),
        ("./perft.sh {depth}", "expected it to contain {fen}"),
        ("./perft.sh '{depth} {fen}", "expected every quote to be closed"),
        ("", "--exec: found nothing, expected a program and its arguments"),
        ("/none/perft.sh {depth} {fen}", "expected a program to start: check its path"),
    ] {
        expect(&judge(template, &[]), 2, &[message]);
    }
    let both = judge("./perft.sh {depth} {fen}", &["--perft-cmd", "go perft"]);
    expect(&both, 2, &["cannot be used with"]);
}

#[test]
fn the_first_mistakes_are_answered_with_the_next_step() {
    let run = |arguments: &[&str]| Run::of(command().arg("engine").args(arguments));
    expect(&run(&[]), 2, &["found no engine, expected '-- COMMAND' at the end, or --exec TEMPLATE"]);
    expect(&run(&["./engine"]), 2, &["next step: perft engine -- ./engine\n"]);
    let parts = ["died at 'uci': exit status: 0, expected 'uciok'; a program without UCI is judged with --exec"];
    expect(&run(&["--", "true"]), 3, &parts);
    expect(&run(&["--timeout", "0.2", "--", "cat"]), 3, &["no answer to 'uci' within 0.2 s, expected 'uciok'"]);
}

#[test]
fn a_program_runs_in_the_folder_that_is_named() {
    let folder = Folder::new();
    adapter(&folder, "right.sh", "cat");
    let template = "./right.sh {depth} {fen}";
    expect(&judge(template, &["--cwd", folder.path().to_str().unwrap()]), 0, &["rows: 1 pass;"]);
    // The same folder from where the program was called.
    let mut command = command();
    command.current_dir(folder.path().parent().unwrap());
    let name = folder.path().file_name().unwrap().to_str().unwrap();
    command.args(["engine", "--fen", "startpos", "--depth", "1", "--exec", template, "--cwd", name]);
    expect(&Run::of(&mut command), 0, &["rows: 1 pass;"]);
    expect(&judge(template, &["--cwd", "/none"]), 2, &["--cwd /none: ", "expected a folder"]);
    let file = folder.file("right.sh");
    expect(&judge(template, &["--cwd", &file]), 2, &["is a file, expected a folder"]);
}

#[test]
fn output_may_be_utf_16_or_end_with_cr() {
    let folder = Folder::new();
    for filter in ["iconv -f utf-8 -t utf-16", "iconv -f utf-8 -t utf-16be", "sed 's/$/\\r/'"] {
        let path = adapter(&folder, "right.sh", filter);
        expect(&judge(&format!("{path} {{depth}} {{fen}}"), &[]), 0, &["lists moves", "rows: 1 pass;"]);
        let path = adapter(&folder, "missing.sh", &format!("sed /^e5g6/d | {filter}"));
        expect(&judge(&format!("{path} {{depth}} {{fen}}"), &[]), 1, &["missing    e5g6"]);
    }
}

#[test]
fn a_line_of_a_gigabyte_is_skipped() {
    let folder = Folder::new();
    let right = adapter(&folder, "right.sh", "cat");
    let script = format!("[ $1 = 1 ] || head -c 1000000000 /dev/zero | tr '\\0' x\necho; exec {right} \"$@\"\n");
    let path = executable(&folder, "long.sh", &script);
    expect(&judge(&format!("{path} {{depth}} {{fen}}"), &[]), 0, &["rows: 1 pass;"]);
}

/// A daemon leaves its group and its parent, and still it does not outlive the run.
#[cfg(target_os = "linux")]
#[test]
fn no_daemon_is_left() {
    let folder = Folder::new();
    let (right, numbers) = (adapter(&folder, "right.sh", "cat"), folder.file("numbers"));
    let script = format!("(setsid sleep 1000 >/dev/null 2>&1 & echo $! >> {numbers})\nexec {right} \"$@\"\n");
    let path = executable(&folder, "daemon.sh", &script);
    expect(&judge(&format!("{path} {{depth}} {{fen}}"), &[]), 0, &["rows: 1 pass;"]);
    let numbers = folder.read("numbers");
    assert_eq!(numbers.lines().count(), 3, "one for each question");
    for number in numbers.lines() {
        let command = std::fs::read_to_string(format!("/proc/{number}/cmdline")).unwrap_or_default();
        assert!(!command.contains("sleep"), "process {number} still runs: {command:?}");
    }
}
