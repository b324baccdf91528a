//! Runs that must not pass: nothing was compared, or what was given was not understood. And what a run tells its user to do
//! next works.

use crate::common::{Folder, Run, command, fens, perft, perft_line};
use regex_lite::Regex;
use std::process::Stdio;

/// A row without a count up to depth 3, in several ways.
const WITHOUT_COUNTS: [&str; 3] = ["", "; D4 197281", "; D5 4865609; id late"];

#[test]
fn a_count_of_a_list_without_counts_compares_nothing() {
    let folder = Folder::new();
    for operations in WITHOUT_COUNTS {
        let suite = folder.write("bare.epd", format!("{}{operations}\n", fens::START));
        let run = perft(&["count", "--suite", &suite, "-d", "3"]);
        run.expect(2, &["8902", "nothing to compare", "0 of 1 rows compared, 0 wrong", "error: nothing was compared"]);
        assert!(!run.stdout.contains("ok"), "{}", run.stdout);
    }
    // Beside rows with counts it is only said.
    let suite = folder.write("both.epd", format!("{}\n{};D2 25\n", fens::START, fens::KINGS));
    perft(&["count", "--suite", &suite, "-d", "3"]).expect(0, &["nothing to compare", "1 of 2 rows compared, 0 wrong"]);
    // A position that no board holds is no comparison either.
    let suite = folder.write("none.epd", "8/8/8/8/8/8/8/8 w - - 0 1 ;D1 0\n");
    perft(&["count", "--suite", &suite, "-d", "3"]).expect(2, &["error: nothing was compared"]);
}

#[test]
fn a_gate_over_a_list_without_counts_does_not_pass() {
    let folder = Folder::new();
    let suite = folder.write("bare.epd", format!("{}\n{};id kings\n", fens::START, fens::KINGS));
    let json = folder.file("verdict.json");
    let run = perft(&["--suite", &suite, "-d", "2", "--json", &json]);
    run.expect(2, &["cross-checked", "no-counts", "no row lists a count up to depth 2", "perft suite fill"]);
    assert!(!run.stdout.ends_with("; passed\n"), "{}", run.stdout);
    let document = crate::common::document(&json);
    crate::common::Schema::of("gate").check(&document);
    assert_eq!(document["verdict"], "no-counts");
    // What it says to do helps.
    let filled = folder.file("filled.epd");
    assert_eq!(perft(&["suite", "fill", &suite, "--depth", "2", "--out", &filled]).code, Some(0));
    perft(&["--suite", &filled, "-d", "2"]).expect(0, &["2 passed, 0 failed", "; passed"]);
    // A position of the command line has no list.
    assert_eq!(perft(&["--fen", "startpos", "-d", "2"]).code, Some(0));
}

#[test]
fn a_depth_of_0_compares_nothing() {
    for line in ["--depth 0", "gate 0 --fen kiwipete", "-d 0 --suite chess960 --mode count", "count 0 --suite quick"] {
        let run = perft_line(line);
        assert_eq!(
            (run.code, run.stderr.lines().count(), &run.stdout[..]),
            (Some(2), 1, ""),
            "{line}: {}",
            run.printed()
        );
        assert!(run.stderr.starts_with("error: --depth: found 0, which compares nothing"), "{line}: {}", run.stderr);
    }
    for line in ["engine --depth 0 -- true", "divide 0 --compare -", "collisions --depth 0", "compare --depth 0"] {
        perft_line(line).expect(2, &["0 is not in "]);
    }
}

#[test]
fn counts_by_other_names_are_compared_and_what_looks_like_one_is_refused() {
    let folder = Folder::new();
    let wrong = ["perft 1 = 21", "ply 1 21", "depth 1 21", "D 1 21", "perft(1): 21", "Depth 1 = 21"];
    for operation in wrong {
        let suite = folder.write("wrong.epd", format!("{}; {operation};\n", fens::START));
        perft(&["--suite", &suite, "-d", "1"]).expect(1, &["expected 21 (the suite's), found 20", "; failed"]);
        let right = folder.write("right.epd", format!("{}; {};\n", fens::START, operation.replace("21", "20")));
        perft(&["--suite", &right, "-d", "1"]).expect(0, &["1 passed", "; passed"]);
    }
    for operation in ["nodes 1 21", "leaves = 21", "perft one 21", "moves 21", "n1 21"] {
        let suite = folder.write("other.epd", format!("{} ;D2 400\n{}; {operation};\n", fens::KINGS, fens::START));
        let run = perft(&["--suite", &suite, "-d", "1"]);
        assert_eq!((run.code, run.stderr.lines().count(), run.stdout.len()), (Some(2), 1, 0), "{}", run.printed());
        let name = operation.split(' ').next().unwrap();
        assert!(run.stderr.contains("other.epd: line 2, column ") && run.stderr.contains(name), "{}", run.stderr);
    }
}

#[test]
fn a_device_without_end_is_refused_in_one_line() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let zero = "/dev/zero";
    for arguments in [
        &["divide", "2", "--compare", zero][..],
        &["key", "--keys-from", zero],
        &["diff", zero, zero],
        &["engine", "--expect-fail", zero, "--", "true"],
        &["report", "--check", zero],
    ] {
        let run = perft(arguments);
        let lines: Vec<&str> = run.stderr.lines().collect();
        assert_eq!((run.code, lines.len()), (Some(2), 1), "{arguments:?}: {}", run.printed());
        assert!(lines[0].contains("found more than 64 MiB, expected "), "{arguments:?}: {}", run.stderr);
    }
    let mut endless = command();
    endless
        .args(["count", "1", "--fen", "-"])
        .stdin(std::fs::File::open(zero).expect("a device"))
        .stdout(Stdio::piped());
    assert_eq!(Run::of(&mut endless).code, Some(2));
}

/// Every command that a run tells its user to type next is understood.
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
    let gate = perft(&["--suite", &suite, "-d", "2"]);
    assert_eq!(gate.code, Some(1), "{}", gate.printed());
    let listing = perft(&["divide", "--fen", "kiwipete", "3"]).stdout.replacen("a1b1: ", "a1b1: 9", 1);
    let path = folder.write("listing", listing);
    let divide = perft(&["divide", "--fen", "kiwipete", "3", "--compare", &path]);
    assert_eq!(divide.code, Some(1), "{}", divide.printed());
    let printed = format!("{}\n{}", gate.printed(), divide.printed());
    let pattern = Regex::new(r"perft ((?:divide|count|key|suite|keys|list) -[^\n`]*)").expect("a pattern");
    let commands: Vec<String> = pattern.captures_iter(&printed).map(|found| found[1].to_string()).collect();
    assert_eq!(commands.len(), rows.len() + 1, "{printed}");
    for line in commands {
        let words = shlex::split(&line).expect("words");
        let mut run = command();
        run.args(&words).stdin(Stdio::null());
        let run = Run::of(&mut run);
        // A comparison waits for a listing, and finds none here.
        let expected = if line.ends_with("--compare -") { Some(2) } else { Some(0) };
        assert_eq!(run.code, expected, "{line}: {}", run.printed());
        assert!(!run.stderr.contains("FEN field") || run.stderr.starts_with("note: "), "{line}: {}", run.stderr);
    }
}

#[test]
fn a_fen_is_read_as_people_copy_it() {
    let kings = fens::KINGS;
    for text in [
        format!("position fen {kings}"),
        format!("position fen {kings} moves e1e2 e8e7"),
        format!("[FEN \"{kings}\"]"),
        format!("\"{kings}\""),
        format!("fen {kings}"),
        "position startpos moves e2e4".into(),
    ] {
        let run = perft(&["count", "1", "--fen", &text]);
        assert_eq!(run.code, Some(0), "{text}: {}", run.printed());
    }
}

#[test]
fn no_row_is_left_out_in_silence() {
    let all = perft(&["suite", "classes", "--suite", "chess960", "--all"]);
    assert_eq!(all.code, Some(0));
    let left = |only: &str| perft(&["suite", "classes", "--suite", "chess960", "--only", only]);
    let run = left("plausible");
    let number: usize =
        all.stdout.lines().filter(|line| line.contains("  legal") || line.contains("  tolerated")).count();
    let said = format!("note: --only plausible leaves out {number} rows");
    assert_eq!(run.stderr.contains(&said), number > 0, "{}\n{}", all.stdout, run.stderr);
    let bad = "r2qk2r/pppppppp/8/8/8/8/PPPPPPPP/R2KQ2R w KQkq - 0 1";
    let folder = Folder::new();
    let suite = folder.write("bad.epd", format!("{bad} ;D1 1\n{} ;D1 20\n", fens::START));
    let run = perft(&["suite", "classes", "--suite", &suite, "--only", "plausible"]);
    run.expect(0, &["note: --only plausible leaves out 1 rows", "1 positions: 1 plausible"]);
}
