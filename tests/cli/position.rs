//! How a position and a depth are given: quotes or not, standard input, short options.

use crate::common::{Run, command, fens, perft, perft_line};
use std::io::Write;
use std::process::Stdio;

/// Runs the binary with a text on standard input.
fn fed(line: &str, input: &[u8]) -> Run {
    let mut command = command();
    command.args(line.split(' ')).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary");
    child.stdin.take().expect("a pipe").write_all(input).expect("an open pipe");
    Run::wait(child)
}

#[track_caller]
fn counts(run: &Run, nodes: u64) {
    assert!(run.code == Some(0) && run.stdout.starts_with(&format!("nodes {nodes}\n")), "{}", run.printed());
}

#[test]
fn a_depth_needs_no_name() {
    for line in ["count 4", "count -d 4", "count -d4 -j 1", "count --depth 4", "count 4 --fen startpos -j2"] {
        counts(&perft_line(line), 197_281);
    }
    assert!(perft_line("divide 2").stdout.ends_with("moves 20\ntotal 400\n"));
    for line in ["-d 1 -j 1 --suite quick", "keys audit -j 2", "engine -d 1 -j 1 -- perft"] {
        let errors = perft_line(line).stderr;
        assert!(!errors.contains("unexpected argument"), "{errors}");
    }
    for (line, expected) in [
        ("count 4 -d 4", "cannot be used with"),
        ("divide 0", "0 is not in 1..=64"),
        ("count x", "invalid value 'x' for '[DEPTH]': expected a whole number"),
        ("count", "were not provided: --depth <DEPTH>"),
    ] {
        let run = perft_line(line);
        assert_eq!((run.code, run.stderr.lines().count()), (Some(2), 1), "{line}: {}", run.stderr);
        assert!(run.stderr.contains(expected), "{line}: {}", run.stderr);
    }
}

#[test]
fn a_fen_needs_no_quotes() {
    for fen in [fens::POSITION_3, fens::POSITION_3.strip_suffix(" 0 1").expect("clocks")] {
        for line in [format!("count --fen {fen} 3"), format!("count --fen {fen} -d 3"), format!("count 3 --fen {fen}")]
        {
            counts(&perft_line(&line), 2812);
        }
        counts(&perft(&["count", "--fen", fen, "3"]), 2812);
    }
    let run = perft_line(&format!("--fen {} -d 2 --identity off", fens::POSITION_3));
    assert!(run.code == Some(0) && run.stdout.contains("1 of 1 rows: 1 passed"), "{}", run.printed());
    let run = perft_line("key --fen 4k3/8/8/8/8/8/8/4K3 x - - 0 1");
    assert_eq!(
        (run.code, &*run.stderr),
        (Some(2), "error: FEN field 'side to move': found 'x', expected 'w' or 'b'\n")
    );
}

#[test]
fn a_fen_may_come_from_standard_input() {
    let fen = format!("\n  {}\r\nthe rest is not read\n", fens::POSITION_3);
    counts(&fed("count --fen - 3", fen.as_bytes()), 2812);
    counts(&fed("count --fen - 3", b"kiwipete"), 97_862);
    let run = fed("--fen - -d 2", fen.as_bytes());
    assert!(run.code == Some(0) && run.stdout.contains("\n8/2p5/3p4/KP5r"), "{}", run.printed());
    for (input, expected) in [
        (&b"\n"[..], "--fen -: found nothing on standard input, expected a FEN"),
        (b"8/8", "FEN field 'board': found 2 ranks"),
        (b"\xff\xfe", "--fen -: found nothing on standard input, expected a FEN"),
        (b"\xff\xfe8\0/", "--fen -: line 1: found half a character of UTF-16"),
        (b"4k3/8/8/8/8/8/8/4\xcb3 w - -\n", "FEN field 'board': found '\u{cb}' in rank 1"),
    ] {
        let run = fed("count --fen - 3", input);
        assert_eq!((run.code, run.stderr.lines().count()), (Some(2), 1), "{}", run.stderr);
        assert!(run.stderr.contains(expected), "{}", run.stderr);
    }
}
