//! The programs of `cargo bench --bench peers`: their command lines and their output.

#[path = "../benches/common/program.rs"]
mod program;

use crate::common::fens;
use perft_gate_chess::Fen;
use program::{Program, compare};

fn named(variables: &[(&str, &str)]) -> Result<Vec<Program>, String> {
    Program::among(variables.iter().map(|(name, value)| (name.to_string(), value.to_string())))
}

fn only(template: &str) -> Result<Program, String> {
    named(&[("PERFT_PEER_IT", template)]).map(|mut programs| programs.remove(0))
}

#[test]
fn templates_become_command_lines() {
    for (template, words) in [
        ("chessbit {fen} {depth}", &["chessbit", fens::KINGS, "6"][..]),
        ("./mindchess perft {fen} {depth}", &["./mindchess", "perft", fens::KINGS, "6"]),
        ("mperft -f {fen} -d {depth} -b", &["mperft", "-f", fens::KINGS, "-d", "6", "-b"]),
        ("'my programs/it' --depth={depth} \"{fen}\"", &["my programs/it", "--depth=6", fens::KINGS]),
        ("sh -c 'echo \"$0\" | it' '{fen} {depth}'", &["sh", "-c", "echo \"$0\" | it", &format!("{} 6", fens::KINGS)]),
    ] {
        assert_eq!(only(template).expect(template).command_line(fens::KINGS, 6), words, "{template}");
    }
}

#[test]
fn variables_name_programs() {
    let programs = named(&[
        ("PERFT_PEER_MPERFT", "b {fen} {depth}"),
        ("PERFT_PEER", "another build"),
        ("PATH", "/bin"),
        ("PERFT_PEER_CHESSBIT", "a {fen} {depth}"),
    ]);
    let names: Vec<String> = programs.expect("two programs").into_iter().map(|program| program.name).collect();
    assert_eq!(names, ["chessbit", "mperft"]);
}

#[test]
fn templates_without_their_places_are_refused() {
    for template in ["", "it", "it {fen}", "it {depth}", "{fen} {depth}"] {
        let message = format!(
            "PERFT_PEER_IT: found `{template}`, expected a command such as `path/to/program {{fen}} {{depth}}`"
        );
        assert_eq!(only(template), Err(message));
    }
    assert_eq!(
        only("'it {fen} {depth}"),
        Err("PERFT_PEER_IT: a quote is not closed in `'it {fen} {depth}`".to_string())
    );
}

/// Output of programs for perft 6 of the start position: chessbit, mindchess, MPerft 2.0, Stockfish, and two with
/// grouped digits.
const PRINTED: [&str; 6] = [
    "119060324 0.025 s 4836 M/s\n",
    "perft(6): 119060324  0.096s  1239.09 MNPS\n",
    "Magic Perft (c) version 2.0 Richard Delorme - 2026
Bitboard move generation based on magic (pext) bitboards
Perft setting: no hashing; with bulk counting;
  a b c d e f g h
8 r n b q k b n r 8
7 p p p p p p p p 7
6 . . . . . . . . 6
5 . . . . . . . . 5
4 . . . . . . . . 4
3 . . . . . . . . 3
2 P P P P P P P P 2
1 R N B Q K B N R 1
  a b c d e f g h
w, KQkq
perft  6 :       119060324 leaves in      0.268 s    444645040 leaves/s
full time:      0.269 s
",
    "a2a3: 4463267\nb2b3: 5310358\n\nNodes searched: 119060324\n\n",
    "nodes: 119,060,324.\n",
    "119'060'324 leaves",
];

#[test]
fn counts_are_found_in_what_programs_print() {
    for printed in PRINTED {
        assert_eq!(compare(printed, 119_060_324), Ok(()), "{printed}");
    }
}

#[test]
fn wrong_counts_are_shown() {
    let line = "perft  6 :       119060324 leaves in      0.268 s    444645040 leaves/s";
    let message = |found| Err(format!("expected the count 119060325, found {found}"));
    assert_eq!(compare(PRINTED[0], 119_060_325), message("`119060324 0.025 s 4836 M/s`".to_string()));
    assert_eq!(compare(PRINTED[2], 119_060_325), message(format!("`{line}`")));
    assert_eq!(compare("usage: it\n\nwith a FEN\n\n", 119_060_325), message("`with a FEN`".to_string()));
    assert_eq!(compare("\n", 119_060_325), message("no output".to_string()));
    // A part of a number is not a count.
    for printed in ["20.5", "0.20", "120", "201"] {
        assert_eq!(compare(printed, 20), Err(format!("expected the count 20, found `{printed}`")));
    }
}

#[test]
fn programs_are_run_and_compared() {
    let [perft, every_path] = Program::perft("v1");
    assert_eq!([&perft.name, &every_path.name], ["perft v1", "every path v1"]);
    for program in [&perft, &every_path] {
        assert!(program.count(Fen::START, 4, 197_281).expect("a right count") > 0.0);
    }
    let error = perft.count(Fen::START, 3, 8903).expect_err("a wrong count");
    assert_eq!(error, "expected the count 8903, found `nodes 8902`");
    let error = Program::perft("v9")[0].count(Fen::START, 3, 8902).expect_err("no such level");
    assert!(error.starts_with("expected the count 8902, found `") && error.ends_with(" (exit status: 2)"), "{error}");
    let error = only("no/such/program {fen} {depth}").expect("a template").count(Fen::START, 3, 8902);
    let error = error.expect_err("no such file");
    assert!(error.starts_with("`no/such/program` does not run: ") && error.lines().count() == 1, "{error}");
}
