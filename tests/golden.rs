//! The classic counts, verified node by node, on every SIMD level and with every scheme. Published keys are checked
//! through the binary, from a FEN and along a path of moves.

use crate::common::{fens, key_of, perft};
use perft_gate_chess::Fen;
use perft_gate_simd::Level;
use perft_gate_suite as suite;
use perft_gate_walk::{Control, KINDS, Settings};
use perft_gate_zobrist::{PRESETS, Pieces, Scheme, preset};

#[test]
fn the_standard_suite_is_right_and_every_node_is_checked() {
    let rows = suite::parse(suite::EMBEDDED[0].2).unwrap();
    let (mut sampled, mut null_moves) = (0, 0);
    for scheme in &PRESETS {
        for level in Level::all() {
            for row in &rows {
                let context = format!("{} {level} {}", row.id, scheme.name);
                let settings = Settings { scheme, secondary: &[], seed: 0, level, sample_mask: 0xff };
                let report = perft_gate_walk::verify(row.board(), 3, settings, &Control::default());
                let listed = (0..=3).map(|depth| row.count(depth));
                let wrong: Vec<_> = listed
                    .zip(&report.nodes)
                    .filter(|(listed, found)| listed.is_some_and(|count| count != **found))
                    .collect();
                assert_eq!(wrong, [], "{context}");
                assert_eq!(report.mismatches, [], "{context}");
                let inner = report.nodes[..3].iter().sum::<u128>();
                let keys = if scheme.name == "none" { 0 } else { report.total() };
                assert_eq!(u128::from(report.checks.keys), keys, "{context}");
                assert_eq!(u128::from(report.checks.unmakes), report.total() - 1, "{context}");
                assert_eq!(u128::from(report.checks.boards), inner, "{context}");
                sampled += report.checks.round_trips;
                null_moves += report.checks.null_moves;
                assert_eq!(
                    perft_gate_count::count(row.board(), 3, level, &Control::default()).nodes,
                    report.nodes,
                    "{context}"
                );
            }
        }
    }
    assert!(sampled > 1000 && null_moves > 1000, "{sampled} and {null_moves}");
}

#[test]
fn a_split_tree_is_checked_at_every_node() {
    let rows = suite::parse(suite::EMBEDDED[0].2).unwrap();
    let settings = Settings {
        scheme: preset("cpw793").unwrap(),
        secondary: &[],
        seed: 0,
        level: Level::detect(),
        sample_mask: 0xfff,
    };
    let [whole, split] = [3, 5].map(|depth| {
        let report = perft_gate_walk::verify(rows[2].board(), depth, settings, &Control::default());
        let inner: u128 = report.nodes[..depth as usize].iter().sum();
        assert_eq!(u128::from(report.checks.keys), report.total());
        assert_eq!(u128::from(report.checks.unmakes), report.total() - 1);
        assert_eq!(u128::from(report.checks.boards), inner);
        report.checks.null_moves as f64 / inner as f64
    });
    // At every ply, most nodes allow a null move.
    assert!(whole > 0.8 && split > 0.8, "{whole} {split}");
}

#[test]
fn a_deeper_tree_is_split_and_joined_without_loss() {
    let rows = suite::parse(suite::EMBEDDED[0].2).unwrap();
    for row in &rows {
        let report = perft_gate_count::count(row.board(), 5, Level::detect(), &Control::default());
        for depth in 0..=5 {
            let found = report.nodes[depth as usize];
            assert_eq!(row.count(depth).unwrap_or(found), found, "{} at depth {depth}", row.id);
        }
    }
}

/// Published counts per kind of move (Chess Programming Wiki, "Perft Results"): nodes, captures, e.p. captures,
/// castles, promotions, checks, discovered checks, double checks and mates.
type Published = (&'static str, u32, [u64; 1 + KINDS]);

fn has_published_statistics((id, depth, expected): Published) {
    let rows = suite::parse(suite::EMBEDDED[0].2).unwrap();
    let row = rows.iter().find(|row| row.id == id).unwrap();
    let (_, found) = perft_gate_walk::statistics(row.board(), depth, Level::detect(), &Control::default());
    assert_eq!([&[found.nodes], &found.kinds()[..]].concat(), expected, "{id} at depth {depth}");
}

#[test]
fn the_statistics_are_the_published_ones() {
    [
        ("startpos", 5, [4_865_609, 82_719, 258, 0, 0, 27_351, 6, 0, 347]),
        ("kiwipete", 4, [4_085_603, 757_163, 1_929, 128_013, 15_172, 25_523, 42, 6, 43]),
        ("position 3", 6, [11_030_083, 940_350, 33_325, 0, 7_552, 452_473, 26_067, 0, 2_733]),
        ("position 4", 5, [15_833_292, 2_046_173, 6_512, 0, 329_464, 200_568, 11_621, 50, 50_562]),
        ("position 5", 4, [2_103_487, 296_153, 0, 0, 0, 158_486, 10_877, 1_770, 240]),
        ("position 6", 4, [3_894_594, 440_388, 0, 0, 0, 68_985, 62, 20, 0]),
    ]
    .into_iter()
    .for_each(has_published_statistics);
}

/// The double checks of Kiwipete at depth 5 include mates.
#[test]
#[ignore = "three hundred million nodes, one by one"]
fn the_statistics_of_deeper_trees_are_the_published_ones() {
    [
        ("startpos", 6, [119_060_324, 2_812_008, 5_248, 0, 0, 809_099, 329, 46, 10_828]),
        ("kiwipete", 5, [193_690_690, 35_043_416, 73_365, 4_993_637, 8_392, 3_309_887, 19_883, 2_645, 30_171]),
    ]
    .into_iter()
    .for_each(has_published_statistics);
}

fn key(scheme: &str, arguments: &[&str]) -> String {
    key_of(scheme, &perft(&[&["key", "--scheme", scheme], arguments].concat()))
}

/// Keys from Polyglot's specification, `book_format.html`, for positions and the moves that lead to them.
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

/// Rustic's 851 keys: the start position, Kiwipete, and 1. e4. The e.p. square always counts for the key.
#[test]
fn rustic851_gives_the_published_keys() {
    assert_eq!(key("rustic851", &[]), "2bfacd1095943841");
    assert_eq!(key("rustic851", &["--fen", "kiwipete"]), "54baa773a23829d9");
    assert_eq!(key("rustic851", &["--moves", "e2e4"]), "9130af5e06b79ec7");
}

/// Compares every preset and many combinations with keys that `ci/gate/goldens.py` computed from the definitions.
#[test]
fn every_scheme_gives_the_keys_of_the_independent_script() {
    let mut tried = Vec::new();
    for line in include_str!("../crates/zobrist/src/goldens.tsv").lines().filter(|line| !line.starts_with('#')) {
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
