//! `perft engine` on programs without UCI, where more than what it prints matters: `tests/cmd/engine.md` has the rest.

use crate::common::fens::KIWIPETE;
use crate::common::{BINARY, Folder, Run, perft, perft_line};
use std::os::unix::fs::PermissionsExt;

/// Writes a script that reads `DEPTH FEN [MOVES]` and prints `MOVE COUNT` lines, an empty line and the total, as
/// perftree's adapters do; `filter` is a shell command that spoils it.
fn adapter(folder: &Folder, name: &str, filter: &str) -> String {
    let count = format!(r#"'{BINARY}' divide --depth "$1" --fen "$2" ${{3:+--moves $3}}"#);
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
fn judge(template: &str) -> Run {
    perft(["engine", "--fen", "kiwipete", "--depth", "2", "--jobs", "1", "--exec", template])
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
        let position = "--fen 8/8/8/8/8/8/k7/2K5 w - - 0 1 --depth 2";
        perft_line(&format!("engine {position} --jobs 1 --keys off --timeout {seconds} -- {engine}"))
    };
    ask("cat", "20").expect(0, &["silence ends an answer", "rows: 1 pass;"]);
    let missing = r#"if [ "$fen" = startpos ]; then cat; else sed /^c1d1/d; fi"#;
    ask(missing, "4").expect(1, &["wrong-count", "missing    c1d1: king move"]);
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
    let restores = "the engine's walk does not restore the position after e5g6";
    judge(&format!("{wrong} {{depth}} {{fen}} {{moves}}")).expect(1, &["below e5g6: expected 42, found 41", restores]);
    let log = folder.read("log");
    for line in [format!("[2][{KIWIPETE}]\n"), format!("[1][{KIWIPETE}][e5g6]\n")] {
        assert!(log.contains(&line), "{log}");
    }
}

/// A daemon leaves its group and its parent, and still it does not outlive the run.
#[cfg(target_os = "linux")]
#[test]
fn no_daemon_is_left() {
    let folder = Folder::new();
    let (right, numbers) = (adapter(&folder, "right.sh", "cat"), folder.file("numbers"));
    let script = format!("(setsid sleep 1000 >/dev/null 2>&1 & echo $! >> {numbers})\nexec {right} \"$@\"\n");
    let path = executable(&folder, "daemon.sh", &script);
    judge(&format!("{path} {{depth}} {{fen}}")).expect(0, &["rows: 1 pass;"]);
    let numbers = folder.read("numbers");
    assert_eq!(numbers.lines().count(), 3, "one for each question");
    for number in numbers.lines() {
        let command = std::fs::read_to_string(format!("/proc/{number}/cmdline")).unwrap_or_default();
        assert!(!command.contains("sleep"), "process {number} still runs: {command:?}");
    }
}
