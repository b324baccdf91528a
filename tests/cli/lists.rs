//! Lists of positions as people have them: forms, selections, classes, checkpoints, `perft suite`.

use crate::common::{Folder, Run, command, fens, perft};
use std::io::Write;
use std::process::Stdio;

const LIST: &str = "\
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -; D3 8902
r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R  w KQkq - bm e4; id \"kiwi; pete\"; D2 2039
k7/8/8/8/NNNNNNNN/NNNNNNNN/8/K7 w - - 0 1 ;D1 5 ;id crowd
8/8/8/8/8/8/8/8 w - - 0 1 ;D1 0 ;id nobody
4k3/8/8/8/8/8/8/4K2R w KQ - 0 1 ;id one right ;D2 66
rnbqkbnr/pppppppp/8/8/8/P7/P1PPPPPP/RNBQKBNR b KQkq - 0 1 ;id doubled ;D1 20
";

/// Runs the binary with a text on standard input.
fn with_input(arguments: &[&str], text: &str) -> Run {
    let mut child =
        command().args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    Run::wait(child)
}

#[track_caller]
fn expect(run: &Run, code: i32, parts: &[&str]) {
    run.expect(code, parts);
}

#[test]
fn a_list_is_read_from_standard_input_and_its_skipped_rows_are_named() {
    let run = with_input(&["--suite", "-", "--depth", "3", "--playouts", "3", "--plies", "5"], LIST);
    let parts = [
        "kiwi; pete ",
        "skipped: tolerated position: FEN field 'board': found 17 pieces for White, expected at most 16",
        "skipped: illegal position: FEN field 'board': found 0 kings for White, expected 1",
        "6 of 6 rows: 4 passed, 0 failed, 2 skipped;",
        "playouts: 3 games",
    ];
    expect(&run, 0, &parts);
    let run = with_input(&["count", "--suite", "-", "--depth", "3"], LIST);
    expect(&run, 0, &["nobody: skipped, illegal position", "4 of 4 rows compared, 0 wrong"]);
    let run = with_input(&["--suite", "-", "--depth", "3", "--plant", "castling-term-kept"], LIST);
    expect(&run, 1, &["V2 keys (cpw793): castling", ", 2 skipped; "]);
}

#[test]
fn rows_are_taken_by_text_number_and_class() {
    for (options, rows) in [
        (&["--filter", "kiwi"][..], "1 of 1 rows: 1 passed"),
        (&["--filter", "RNBQKBNR w"], "1 of 1 rows: 1 passed"),
        (&["--limit", "3"], "3 of 3 rows: 2 passed, 0 failed, 1 skipped"),
        (&["--only", "legal"], "3 of 3 rows: 3 passed"),
        (&["--only", "plausible"], "2 of 2 rows: 2 passed"),
        (&["--only", "plausible", "--limit", "1"], "1 of 1 rows: 1 passed"),
    ] {
        let arguments = [&["--suite", "-", "--depth", "3"], options].concat();
        expect(&with_input(&arguments, LIST), 0, &[rows]);
    }
    let nothing = with_input(&["--suite", "-", "--filter", "nothing"], LIST);
    expect(&nothing, 2, &["error: -: found no such row, expected one that --filter and --only take"]);
    expect(&perft(&["--fen", "startpos", "--limit", "3"]), 2, &["cannot be used with"]);
    let twice = format!("{LIST}rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 5 9; D3 8903\n");
    let message = "standard input: line 7, column 1: found 8903 for D3, but 8902 for the same position in line 1";
    expect(&with_input(&["--suite", "-"], &twice), 2, &[message]);
}

#[test]
fn classes_are_listed_with_their_reasons() {
    let run = with_input(&["suite", "classes", "--suite", "-"], LIST);
    let parts = [
        "crowd       tolerated: FEN field 'board': found 17 pieces",
        "one right   tolerated: FEN field 'castling': found 'Q'",
        "doubled     legal: White needs 1 pawn capture; 0 enemy pieces are missing",
        "6 positions: 2 plausible, 1 legal, 2 tolerated, 1 illegal",
    ];
    expect(&run, 0, &parts);
}

#[test]
fn counts_are_filled_in_by_two_counters() {
    let folder = Folder::new();
    let (list, out) = (folder.write("list.epd", LIST), folder.file("filled.epd"));
    let run = perft(&["suite", "fill", &list, "--depth", "2", "--out", &out]);
    expect(&run, 0, &["line 4: not counted, illegal position"]);
    let filled = folder.read("filled.epd");
    let lines: Vec<&str> = filled.lines().collect();
    assert!(lines[0].ends_with("KQkq -; D3 8902 ;D1 20 ;D2 400"), "{filled}");
    assert!(lines[1].ends_with("- bm e4; id \"kiwi; pete\"; D2 2039 ;D1 48"), "{filled}");
    assert!(lines[3].ends_with("w - - 0 1 ;D1 0 ;id nobody") && lines[5].contains(";D1 20 ;D2 "), "{filled}");
    // What was written reads back, and passes.
    expect(&perft(&["--suite", &out, "--depth", "2"]), 0, &["6 of 6 rows: 4 passed, 0 failed, 2 skipped"]);
    let json = r#"[{"id": "a;b", "fen": "K", "depth": 1, "nodes": 5}]"#.replace('K', fens::KINGS);
    let run = with_input(&["suite", "fill", "-", "--depth", "2"], &json);
    assert_eq!(run.stdout, format!("{} ;id \"a;b\" ;D1 5 ;D2 25\n", fens::KINGS), "{}", run.stderr);

    let wrong = folder.write("wrong.epd", LIST.replace("8902", "8903"));
    let never = folder.file("never.epd");
    let run = perft(&["suite", "fill", &wrong, "--depth", "3", "--out", &never]);
    expect(&run, 1, &["line 1: D3 of 'rnbq", "found 8903, expected 8902 by two counters", "no list was written"]);
    assert!(!folder.join("never.epd").exists());
}

#[test]
fn a_checkpoint_keeps_the_rows_that_passed() {
    let folder = Folder::new();
    let (list, wrong) = (folder.write("list.epd", LIST), folder.write("wrong.epd", LIST.replace("2039", "2040")));
    let file = folder.file("passed");
    let run = |list: &str, depth: &str| perft(&["--suite", list, "--depth", depth, "--checkpoint", &file]);
    expect(&run(&wrong, "3"), 1, &["6 of 6 rows: 3 passed, 1 failed, 2 skipped;"]);
    // Only the row that failed and those that were skipped are judged again.
    expect(&run(&wrong, "3"), 1, &["3 of 6 rows: 0 passed, 1 failed, 2 skipped, 3 passed in an earlier run"]);
    expect(&run(&wrong, "2"), 2, &["line 1, options: found '(3, "]);
    expect(&run(&list, "3"), 2, &["line 1, list: found '"]);
    std::fs::remove_file(&file).unwrap();
    expect(&run(&list, "3"), 0, &["6 of 6 rows: 4 passed"]);
    expect(
        &run(&list, "3"),
        0,
        &["2 of 6 rows: 0 passed, 0 failed, 2 skipped, 4 passed in an earlier run", "; passed"],
    );
}

#[test]
fn a_table_may_leave_out_what_passed() {
    let run = with_input(&["--suite", "-", "--depth", "3", "--rows", "failed"], &LIST.replace("2039", "2040"));
    expect(&run, 1, &["6 rows, those that pass are not shown", "kiwi; pete", "nobody"]);
    assert!(!run.stdout.contains("one right") && !run.stdout.contains("line 1"), "{}", run.stdout);
}

/// Our own program is the engine.
#[test]
fn an_engine_may_refuse_what_strict_programs_refuse() {
    let engine = [env!("CARGO_BIN_EXE_perft"), "uci"];
    let judge = |list: &str, options: &[&str]| {
        let arguments =
            [&["engine", "--suite", "-", "--depth", "3", "--jobs", "1"], options, &["--"], &engine].concat();
        with_input(&arguments, list)
    };
    let run = judge(LIST, &[]);
    let parts = [
        "one right",
        "fen-rejected, which it may",
        "strict programs refuse this position, others may differ: FEN field 'castling': found 'Q'",
        "skipped: illegal position",
        "rows: 3 pass, 1 fen-rejected, 2 skipped;",
    ];
    expect(&run, 0, &parts);
    // It may not refuse what is legal; a wrong count of the list is no fault of the engine, and no pass.
    let legal = LIST.replace("4k3/8/8/8/8/8/8/4K2R w KQ -", "4k3/8/8/8/8/8/8/4K2R w K -");
    expect(&judge(&legal.replace("D2 66", "D2 67"), &["--only", "legal"]), 1, &["rows: 3 pass, 1 wrong-list;"]);
    let folder = Folder::new();
    let file = folder.file("passed");
    expect(&judge(LIST, &["--checkpoint", &file]), 0, &["rows: 3 pass"]);
    let again = judge(LIST, &["--checkpoint", &file]);
    expect(
        &again,
        0,
        &["3 of 6 rows passed in an earlier run, and were not asked again", "rows: 1 fen-rejected, 2 skipped"],
    );
    expect(&judge(LIST, &["--checkpoint", &file, "--option", "Hash=1"]), 2, &["line 1, options: found"]);
}

#[test]
fn tables_and_counts_between_separators_are_judged() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let run = |text: &str| with_input(&["count", "--suite", "-", "--depth", "3"], &text.replace('@', start));
    for (right, wrong) in [
        ("@,20,400,8902\n", "@,20,400,8901\n"),
        ("kiwi;@;20;400\n", "kiwi;@;20;399\n"),
        ("@ | 20 | 400\n", "@ | 20 400 8901\n"),
        ("fen;nodes;depth\n@;400;2\n@;20;1\n", "nodes,fen,depth\n400,@,2\n8901,@,3\n"),
        (r#"{"tests":[{"FEN":"@","results":{"perft2":400}}]}"#, r#"{"tests":[{"FEN":"@","results":{"perft2":40}}]}"#),
    ] {
        expect(&run(right), 0, &["1 of 1 rows compared, 0 wrong"]);
        expect(&run(wrong), 1, &["1 of 1 rows compared, 1 wrong"]);
    }
    for (text, message) in [
        (
            "@,4,197281\n",
            "error: standard input: line 1, column 58: found '4, 197281', expected the counts from depth 1 on",
        ),
        ("fen,depth\n@,4\n", "error: standard input: line 1, column 5: taken for a header row: found column 'depth'"),
        (
            "go perft 3\n",
            "; the first row was taken for EPD, expected 'FEN ;D1 20', 'FEN,20,400', a header row such as",
        ),
    ] {
        let refused = run(text);
        expect(&refused, 2, &[message]);
        assert!(refused.stdout.is_empty() && refused.stderr.lines().count() == 1, "{}", refused.stderr);
    }
    let filled = with_input(&["suite", "fill", "-", "--depth", "2", "--out", "-"], &format!("fen,d1\n{start},20\n"));
    assert_eq!(filled.stdout, format!("{start} ;id line 2 ;D1 20 ;D2 400\n"));
}
