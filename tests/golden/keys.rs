//! Published keys: from a FEN and along a path of moves, by the binary.

use crate::common::{fens, perft};
use perft_gate_chess::Fen;
use perft_gate_zobrist::{PRESETS, Pieces, Scheme};

fn key(scheme: &str, arguments: &[&str]) -> String {
    let text = perft(&[&["key", "--scheme", scheme], arguments].concat()).stdout;
    let line = text.lines().find(|line| line.starts_with(scheme)).unwrap_or_else(|| panic!("no key in {text}"));
    line.split_whitespace().nth(1).expect("a key").to_string()
}

/// Polyglot's specification, `book_format.html`: a position and the moves that lead to it.
#[test]
fn polyglot_gives_the_published_keys() {
    for (fen, moves, expected) in [
        (fens::START, "", "463b96181691fc9c"),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "e2e4", "823c9b50fd114196"),
        ("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2", "e2e4 d7d5", "0756b94461c50fb0"),
        ("rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", "e2e4 d7d5 e4e5", "662fafb965db29d4"),
        (fens::EN_PASSANT_OPENING, "e2e4 d7d5 e4e5 f7f5", "22a48b5a8e47ff78"),
        ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3", "e2e4 d7d5 e4e5 f7f5 e1e2", "652a607ca3f242c1"),
        (
            "rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4",
            "e2e4 d7d5 e4e5 f7f5 e1e2 e8f7",
            "00fdd303c946bdd9",
        ),
        (
            "rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3",
            "a2a4 b7b5 h2h4 b5b4 c2c4",
            "3c8123ea7b067637",
        ),
        (
            "rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4",
            "a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3",
            "5c3f9b829b279560",
        ),
    ] {
        assert_eq!(key("polyglot", &["--fen", fen]), expected, "{fen}");
        let moves: Vec<&str> = moves.split_whitespace().collect();
        if !moves.is_empty() {
            let arguments = [&["--moves"], &moves[..]].concat();
            assert_eq!(key("polyglot", &arguments), expected, "{moves:?}");
        }
    }
}

/// Rustic's 851 keys: the start position, Kiwipete, and 1. e4, whose e.p. square always counts.
#[test]
fn rustic851_gives_the_published_keys() {
    assert_eq!(key("rustic851", &[]), "2bfacd1095943841");
    assert_eq!(key("rustic851", &["--fen", "kiwipete"]), "54baa773a23829d9");
    assert_eq!(key("rustic851", &["--moves", "e2e4"]), "9130af5e06b79ec7");
}

/// Every preset and many combinations, against keys that `ci/gate/goldens.py` computed from the definitions.
#[test]
fn every_scheme_gives_the_keys_of_the_independent_script() {
    let mut tried = Vec::new();
    for line in include_str!("../../crates/zobrist/src/goldens.tsv").lines().filter(|line| !line.starts_with('#')) {
        let [scheme, fen, expected] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let board = Fen::parse(fen).unwrap_or_else(|error| panic!("{line}: {error}"));
        let parsed = Scheme::parse(scheme, true).unwrap_or_else(|error| panic!("{line}: {error}"));
        let tables = parsed.key_tables(0).expect("a scheme with keys");
        assert_eq!(parsed.text(tables.key(&board)), expected, "{scheme} {fen}");
        tried.push(scheme);
    }
    for preset in PRESETS.iter().filter(|preset| preset.number_of_keys() > 0) {
        assert!(tried.contains(&&*preset.name), "{} has no golden", preset.name);
    }
    for pieces in Pieces::ALL {
        let text = format!("pieces={}", pieces.name());
        let is_weak = Scheme::parse(&text, false).is_err() && Scheme::parse(&text, true).is_ok();
        assert!(!is_weak || tried.contains(&&*text), "the exhibit {text} has no golden");
    }
}
