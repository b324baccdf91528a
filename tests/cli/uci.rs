//! `perft uci`: dialogues, and the program under its own gate.

use crate::common::{Dialogue, Run, command, fens, perft};
use perft_gate_chess::{EnPassantPolicy, Fen};
use perft_gate_zobrist::preset;
use std::io::Write;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Depth that takes much longer than any test.
const FAR: &str = "go perft 11";

fn start() -> Dialogue {
    Dialogue::start(command().args(["uci", "--threads", "2"]))
}

/// Sends a script through a pipe that ends.
fn piped(script: &[u8]) -> Run {
    let mut child = command().arg("uci").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the binary");
    child.stdin.take().expect("a pipe").write_all(script).expect("an open pipe");
    Run::wait(child)
}

/// Returns the answer to `go perft` up to the total.
#[track_caller]
fn counted(program: &mut Dialogue, lines: &str) -> Vec<String> {
    program.send(lines);
    program.until(|line| line.starts_with("Nodes searched: ") || line.starts_with("info string"))
}

/// Returns the answer to `d`: the FEN and the key.
#[track_caller]
fn shown(program: &mut Dialogue) -> [String; 2] {
    let lines = program.ask("d");
    let of = |name: &str| lines.iter().find_map(|line| line.strip_prefix(name)).expect(name).to_string();
    [of("Fen: "), of("Key: ")]
}

#[test]
fn it_introduces_itself_and_counts() {
    let mut program = start();
    program.send("uci");
    let lines = program.until(|line| line == "uciok");
    assert_eq!(lines[0], format!("id name perft {}", env!("CARGO_PKG_VERSION")));
    for option in ["Threads type spin default 2", "Hash type spin", "UCI_Chess960 type check default false"] {
        assert!(lines.iter().any(|line| line.starts_with(&format!("option name {option}"))), "{option}: {lines:?}");
    }
    // The program begins at the start position.
    let lines = counted(&mut program, "go perft 3");
    assert_eq!((lines.len(), &*lines[0], &*lines[20], &*lines[21]), (22, "a2a3: 380", "", "Nodes searched: 8902"));
    for (depth, total) in [(0, 1), (1, 48), (2, 2039), (4, 4_085_603)] {
        let lines = counted(&mut program, &format!("position fen {}\ngo perft {depth}", fens::KIWIPETE));
        assert_eq!(lines.last(), Some(&format!("Nodes searched: {total}")), "{lines:?}");
        assert_eq!(lines.iter().filter(|line| line.contains(": ")).count(), if depth == 0 { 1 } else { 49 });
    }
    let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    let lines = counted(&mut program, &format!("position fen {mated}\ngo perft 3"));
    assert_eq!(lines.last().map(String::as_str), Some("Nodes searched: 0"));
    program.send("quit");
    let (status, rest) = program.end();
    assert!(status.success() && rest.is_empty(), "{rest:?}");
}

#[test]
fn the_position_is_shown_with_its_key() {
    let mut program = start();
    let tables = preset("cpw793").and_then(|scheme| scheme.key_tables(0)).expect("a preset with a key");
    let (fen, moved) = (fens::EN_PASSANT_OPENING, "rnbqkbnr/ppp1p1pp/5P2/3p4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3");
    for (line, fen) in [
        ("position startpos".into(), fens::START),
        (format!("position fen {fen}"), fen),
        (format!("position fen {fen} moves e5f6"), moved),
        ("position startpos moves e2e4 d7d5 e4e5 f7f5 e5f6".into(), moved),
    ] {
        assert_eq!(program.ask(&line), [""; 0], "{line}");
        let key = tables.key(&Fen::parse(fen).expect("a position")).to_string();
        assert_eq!(shown(&mut program), [fen.to_string(), key], "{line}");
    }
}

#[test]
fn chess960_changes_how_castling_is_written() {
    let mut program = start();
    let castles = |lines: &[String]| {
        let of = |name: &&str| lines.iter().any(|line| line.starts_with(&format!("{name}: ")));
        ["e1g1", "e1h1", "e1c1", "e1a1"].into_iter().filter(of).collect::<Vec<_>>()
    };
    let lines = counted(&mut program, &format!("position fen {}\ngo perft 1", fens::CORNERS));
    assert_eq!(castles(&lines), ["e1g1", "e1c1"]);
    let lines = counted(&mut program, "setoption name UCI_Chess960 value true\ngo perft 1");
    assert_eq!(castles(&lines), ["e1h1", "e1a1"]);
    let board = Fen::parse(fens::CORNERS).expect("a position");
    assert_eq!(shown(&mut program)[0], Fen::write_shredder(&board, EnPassantPolicy::Legal));
}

#[test]
fn bad_input_is_one_line_and_changes_nothing() {
    let mut program = start();
    program.ask("position startpos moves e2e4");
    let before = shown(&mut program);
    for (line, expected) in [
        ("nonsense", "found 'nonsense', expected one of uci, "),
        ("setopton name Hash value 1", "did you mean 'setoption'?"),
        ("position fen 8/8 w - - 0 1", "position: FEN field 'board': found 2 ranks"),
        ("position startpos moves e2e4 e7e5 e4e5", "position: found 'e4e5', expected a legal move of '"),
        ("position startpos moves e4", "did you mean 'e2e4'?"),
        ("go perft", "go perft: found nothing, expected a number of plies"),
        ("go perft 1000", "go perft: found '1000', expected a number of plies"),
        ("setoption name Threads value 0", "setoption Threads: found '0', expected a number from 1 to 4096"),
        ("setoption name Hash value 33554432", "setoption Hash: found 32.00 TiB, expected at most the "),
        ("setoption name Hash value x", "setoption Hash: found 'x', expected a number of MiB"),
        ("position fen \u{1}\u{2}", "position: FEN field 'board': found "),
        (&"position startpos ".repeat(1 << 17), "found a line of more than 1 MiB, expected a command"),
    ] {
        let answer = program.ask(line);
        let line = &line[..line.len().min(60)];
        assert_eq!(answer.len(), 1, "{line}: {answer:?}");
        assert!(answer[0].starts_with("info string ") && answer[0].contains(expected), "{line}: {answer:?}");
        assert_eq!(shown(&mut program), before, "{line}");
    }
    // A client waits for the end of a search.
    let answer = program.ask("go movetime 100");
    assert!(answer.len() == 2 && answer[1] == "bestmove 0000", "{answer:?}");
    assert_eq!(counted(&mut program, "go perft 2").last().map(String::as_str), Some("Nodes searched: 600"));
}

#[test]
fn options_change_no_count() {
    let mut program = start();
    let plain = counted(&mut program, &format!("position fen {}\ngo perft 4", fens::KIWIPETE));
    for option in [
        "Hash value 1",
        "Threads value 1",
        "Hash value 16",
        "Exact value true",
        "Threads value 3",
        "Hash value 2",
        "Hash value 0",
        "Exact value false",
    ] {
        assert_eq!(program.ask(&format!("setoption name {option}")), [""; 0], "{option}");
        for before in ["ucinewgame", ""] {
            let lines = counted(&mut program, &format!("{before}\ngo perft 4"));
            assert_eq!(lines, plain, "{option}");
        }
    }
    program.ask("setoption name Hash value 1");
    let refused = counted(&mut program, "position startpos\ngo perft 14").pop().expect("a line");
    assert!(refused.starts_with("info string go perft: found ") && refused.ends_with("Exact to true"), "{refused}");
}

#[test]
fn a_count_is_stopped_and_the_program_goes_on() {
    let mut program = start();
    // A stop that comes at once, one after a while, and a stop of nothing.
    for pause in [0, 300] {
        program.send(FAR);
        std::thread::sleep(Duration::from_millis(pause));
        // It is ready while it counts; other commands wait.
        program.send("isready\nposition startpos moves e2e4\ngo perft 1\nstop");
        let lines = program.until(|line| line.starts_with("Nodes searched: "));
        let at = |text: &str| lines.iter().position(|line| line.starts_with(text)).expect(text);
        let stopped = at("info string stopped: ");
        assert!(at("readyok") < stopped && stopped < at("a7a5: 1"), "{lines:?}");
        assert!(lines[stopped].ends_with(" of 20 moves are complete to depth 11, no total"), "{lines:?}");
        assert_eq!(lines.iter().filter(|line| line.starts_with("Nodes searched: ")).count(), 1);
        assert_eq!(program.ask("position startpos\nstop"), [""; 0]);
    }
}

#[test]
fn a_count_ends_with_its_client() {
    let ends: [fn(&mut Dialogue); 2] = [|program| program.send("quit"), Dialogue::close];
    for end in ends {
        let mut program = start();
        program.send(FAR);
        program.ask("");
        let start = Instant::now();
        end(&mut program);
        let (status, lines) = program.end();
        assert!(status.success() && start.elapsed() < Duration::from_secs(60), "{status}, {:?}", start.elapsed());
        assert_eq!(lines, ["info string stopped: the program ends before the count does, no total"]);
    }
}

#[test]
#[cfg(unix)]
fn an_interrupted_program_says_so() {
    let mut program = start();
    program.send(FAR);
    program.ask("");
    assert!(crate::common::succeeds(&format!("kill -INT {}", program.id())));
    assert_eq!(program.end().0.code(), Some(130));
}

/// Scripts send all their lines at once, and some end with `quit`.
#[test]
fn a_script_gets_its_counts() {
    for last in ["", "quit\n", "quit"] {
        let found = piped(format!("uci\r\nposition startpos\r\ngo perft 4\nd\n{last}").as_bytes());
        assert_eq!(found.code, Some(0));
        let searched = found.stdout.find("Nodes searched: 197281\n").expect("a total");
        assert!(found.stdout[searched..].contains("Key: "), "{}", found.stdout);
    }
    assert_eq!((piped(b"").code, piped(b"").stdout), (Some(0), String::new()));
    let strange = piped(b"\xff\xfe\0\ngo perft \xff\n");
    assert_eq!((strange.code, strange.stdout.lines().count()), (Some(0), 2), "{}", strange.stdout);
}

#[test]
fn a_scheme_without_one_key_is_refused() {
    for scheme in ["none", "all"] {
        let run = perft(&["uci", "--scheme", scheme]);
        let expected = format!("error: --scheme: found '{scheme}', expected a single scheme with keys\n");
        assert_eq!((run.code, run.stderr), (Some(2), expected));
    }
}

#[test]
fn it_passes_its_own_gate() {
    let own = env!("CARGO_BIN_EXE_perft");
    for (arguments, expected) in [
        (&["--suite", "standard", "--depth", "4"][..], "rows: 69 pass; "),
        (&["--suite", "chess960", "--depth", "3", "--option", "Hash=4"], "rows: 22 pass; "),
    ] {
        let gate = [&["engine", "--require-ep", "legal", "--jobs", "2"], arguments, &["--", own, "uci"]].concat();
        let run = perft(&gate);
        assert!(run.code == Some(0) && run.stdout.contains(expected), "{}", run.printed());
        assert!(run.stdout.contains("e.p. policy: legal") && !run.stdout.contains("total only"), "{}", run.stdout);
    }
}
