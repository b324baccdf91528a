//! Planted faults: a check that cannot fail checks nothing. Each test plants a fault. The check for it must fail, and
//! the report must name the fault. `tests/cmd/gate.trycmd` shows such a failure on the command line.

use crate::common::fens;
use perft_gate_chess::Fen;
use perft_gate_judge::faults::{
    Fault, Plant, Pools, cases, judge_planted, prove_case, prove_playouts, prove_real_split, small_split_tree,
};
use perft_gate_judge::gate::{Identities, Mode, Options, Outcome, RowVerdict};
use perft_gate_report::gate::details;
use perft_gate_simd::Level;
use perft_gate_suite::{self as suite, Row};
use perft_gate_walk::{Check, Control, Position, Settings, Split, TaskPlan};
use perft_gate_zobrist::{PRESETS, Scheme, preset};

fn options(scheme: &str, level: Level, depth: u32, sample_mask: u64) -> Options<'static> {
    let settings = Settings { scheme: preset(scheme).unwrap(), secondary: &[], seed: 0, level, sample_mask };
    Options { depth, mode: Mode::Verify, settings, max_nodes: None, identities: Identities::Off }
}

fn judge(fault: Fault, row: &Row, options: Options<'_>) -> RowVerdict {
    judge_planted(Plant::everywhere(fault), row, options, &Control::default())
}

fn judged(fault: Fault, scheme: &str, level: Level, fen: &str, depth: u32) -> RowVerdict {
    // Every node makes the round trip through FEN.
    let row = Row::unknown("planted", Fen::parse(fen).unwrap());
    judge(fault, &row, options(scheme, level, depth, 0))
}

#[test]
fn every_planted_fault_is_caught_by_its_check_and_named() {
    let pools = Pools::default();
    // `perft selftest`, which CI runs too, proves the same on all SIMD levels.
    for level in [Level::portable(), Level::detect()] {
        for case in cases() {
            let line = prove_case(&case, level, &pools).unwrap_or_else(|error| panic!("{level} {case:?}\n{error}"));
            println!("{level} {} → {line}", case.plant);
            // The report must explain every wrong term that is planted.
            assert!(!line.contains("no set of"), "{line}");
        }
    }
}

#[test]
fn faults_of_random_games_are_caught() {
    let pools = Pools::default();
    Level::all().into_iter().for_each(|level| all_are_caught(level, prove_playouts(level, &pools)));
}

fn all_are_caught(level: Level, results: Vec<(Plant, Result<String, String>)>) {
    for (plant, result) in results {
        println!("{level} {plant} → {}", result.unwrap_or_else(|error| panic!("{level} {plant}: {error}")));
    }
}

#[test]
fn faults_below_the_trunk_of_a_tree_that_every_run_splits_are_caught() {
    let (row, depth) = small_split_tree();
    let root = Position::new(*row.board(), ());
    assert!(TaskPlan::new(root, depth, 0, Split::RULE).below < depth, "the tree is split");
    all_are_caught(Level::detect(), prove_real_split(&row, depth, Level::detect()));
}

#[test]
#[ignore = "two walks of two hundred million nodes, minutes"]
fn faults_below_the_trunk_of_kiwipete_are_caught() {
    let row = Row::unknown("kiwipete", Fen::parse(fens::KIWIPETE).unwrap());
    all_are_caught(Level::detect(), prove_real_split(&row, 5, Level::detect()));
}

/// If keys are sums, a wrong term may be added or subtracted, and a wide key has two 64-bit parts. Even so, the report
/// must name the wrong term for every scheme.
#[test]
fn every_scheme_names_the_term_that_is_wrong() {
    let combinations = [
        "combine=add,width=128",
        "combine=add,width=32",
        "width=128",
        "pieces=gf64,width=2x32",
        "clock=14by8,combine=add",
    ];
    let combinations = combinations.map(|text| Scheme::parse(text, false).unwrap());
    for scheme in PRESETS.iter().filter(|preset| preset.number_of_keys() > 0).chain(&combinations) {
        for level in Level::all() {
            for (fault, named) in [
                (Fault::CapturedPieceKept, " left in\n"),
                (Fault::SideNotFlipped, "side to move missing"),
                (Fault::EnPassantVictimKept, "on d5 left in"),
            ] {
                let fen = if fault == Fault::EnPassantVictimKept { fens::EN_PASSANT } else { fens::KIWIPETE };
                let mut options: Options<'_> = options("cpw793", level, 2, 0xfff);
                options.settings.scheme = scheme;
                let verdict = judge(fault, &Row::unknown("planted", Fen::parse(fen).unwrap()), options);
                let report = details(&verdict, true);
                assert!(report.contains(&format!("({}): ", scheme.name)) && report.contains(named), "{level} {report}");
            }
        }
    }
}

#[test]
fn board_faults_are_caught_by_v0_too() {
    for level in Level::all() {
        for fault in [Fault::MailboxOnlyWrite, Fault::BitboardOnlyWrite] {
            let row = Row::unknown("planted", Fen::parse(fens::KIWIPETE).unwrap());
            // No node makes the round trip through FEN.
            let verdict = judge(fault, &row, options("none", level, 3, u64::MAX));
            assert_eq!(verdict.findings[0].mismatch.check, Check::Boards, "{level} {fault:?}");
            println!("{level} board {fault:?} → {}", verdict.findings[0].mismatch.check);
        }
    }
}

#[test]
fn a_wrong_move_is_a_wrong_count_and_is_found() {
    let rows = suite::parse(suite::embedded("standard").unwrap()).unwrap();
    let row = rows.iter().find(|row| row.id == "position 3").unwrap();
    let verdict = judge(Fault::EvasionMissing, row, options("cpw793", Level::detect(), 5, 0xfff));
    let report = details(&verdict, true);
    println!("generator EvasionMissing → {report}");
    assert!(verdict.findings.is_empty() && verdict.wrong_counts.iter().all(|wrong| wrong.found < wrong.expected));
    let first = verdict.first_wrong.expect("the counters differ");
    assert!(first.difference.extra.is_empty() && first.difference.missing.len() == 1, "{first:?}");
    assert!(report.contains("V1 counts at depth 5: expected 674624 (the suite's)") && report.contains("missing: "));

    let verdict = judged(Fault::WrongChess960Rook, "cpw793", Level::detect(), fens::TWO_ROOKS, 3);
    let report = details(&verdict, true);
    println!("generator WrongChess960Rook → {report}");
    let first = verdict.first_wrong.expect("the counters differ");
    let text = |moves: &[perft_gate_chess::Move]| moves.iter().map(|mv| mv.uci().to_string()).collect::<Vec<_>>();
    assert_eq!(
        (text(&first.difference.missing), first.difference.extra),
        (vec!["b1e1".into()], vec!["b1h1".to_string()]),
        "{report}"
    );
}

/// Tests counts that are one too large and one too small, at every listed depth and in every mode.
#[test]
fn a_listed_count_that_is_off_by_one_fails_the_row() {
    for mode in [Mode::Verify, Mode::Count, Mode::Stats] {
        for (depth, off) in (1..=3).flat_map(|depth| [(depth, -1), (depth, 1)]) {
            let listed = [20_i32, 400, 8902].into_iter().zip(1..);
            let counts = listed.map(|(count, at)| format!(" ;D{at} {}", if at == depth { count + off } else { count }));
            let row = &suite::parse(&format!("{}{}", fens::START, counts.collect::<String>())).unwrap()[0];
            let options = Options { mode, ..options("cpw793", Level::detect(), 3, 0xfff) };
            let verdict = perft_gate_judge::gate::judge(row, options, &Control::default());
            let wrong: Vec<usize> = verdict.wrong_counts.iter().map(|wrong| wrong.depth).collect();
            assert_eq!((verdict.outcome, wrong), (Outcome::Failed, vec![depth as usize]), "{mode:?} {off}");
        }
    }
}

/// Only king moves are unmade wrongly. They come first below each parent, and later moves are unmade correctly.
#[test]
fn a_wrong_unmake_among_right_ones_is_found_at_its_own_move() {
    let row = Row::unknown("planted", Fen::parse(fens::KNIGHTS).unwrap());
    for level in Level::all() {
        for (from_ply, plies) in [(0, vec![1, 2]), (2, vec![2])] {
            let plant = Plant { fault: Fault::KingMoveNotRestored, from_ply };
            let verdict = judge_planted(plant, &row, options("cpw793", level, 2, 0xfff), &Control::default());
            let found: Vec<_> = verdict.findings.iter().map(|finding| &finding.mismatch).collect();
            let report = details(&verdict, true);
            assert!(found.len() == 10 && found.iter().all(|mismatch| mismatch.check == Check::Unmake), "{report}");
            let last = |path: &[perft_gate_chess::Move]| path.last().unwrap().from().to_string();
            assert!(found.iter().all(|mismatch| ["e1", "e8"].contains(&&*last(&mismatch.path))), "{report}");
            let at = |ply| found.iter().any(|mismatch| mismatch.path.len() == ply);
            assert_eq!([1, 2].into_iter().filter(|&ply| at(ply)).collect::<Vec<_>>(), plies, "{report}");
        }
    }
}

#[test]
fn without_a_fault_nothing_is_caught() {
    for fen in [fens::KIWIPETE, fens::DOUBLE_PUSH, fens::TWO_ROOKS] {
        let verdict = judged(Fault::None, "cpw793", Level::detect(), fen, 3);
        assert_eq!(verdict.outcome, Outcome::Passed, "{}", details(&verdict, true));
    }
}
