//! Each check is seen to fail: a fault is planted, the check that must catch it does, and the report names it.

use perft_gate::chess::Fen;
use perft_gate::cpu::Level;
use perft_gate::faults::{Fault, judge_planted};
use perft_gate::gate::{Mode, Options, Outcome, Settings, Verdict};
use perft_gate::keys::preset;
use perft_gate::report::text;
use perft_gate::suite::{self, Row};
use perft_gate::walk::Check;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const DOUBLE_PUSH: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
const TWO_ROOKS: &str = "1k2r2r/4p2p/8/8/8/8/4P2P/1K2R2R w Ee - 0 1";

fn options(scheme: &str, level: Level, depth: u32, sample_mask: u64) -> Options<'static> {
    let settings = Settings { scheme: preset(scheme).unwrap(), seed: 0, level, sample_mask };
    Options { depth, mode: Mode::Verify, settings, max_nodes: None }
}

fn judged(fault: Fault, scheme: &str, level: Level, fen: &str, depth: u32) -> Verdict {
    // Every node makes the round trip.
    let row = Row::unknown("planted", Fen::parse(fen).unwrap());
    judge_planted(fault, &row, options(scheme, level, depth, 0))
}

/// Fault, where it sits, scheme, position, the check that must catch it, and what the report must say.
#[rustfmt::skip]
const KEYS_AND_BOARDS: [(Fault, &str, &str, &str, Check, &str); 16] = [
    (Fault::EnPassantTermKept, "tracker", "cpw793", KIWIPETE, Check::Keys, "e.p. c6→- missing"),
    (Fault::CastlingTermKept, "tracker", "cpw793", KIWIPETE, Check::Keys, "castling KQkq→kq missing"),
    (Fault::CapturedManKept, "tracker", "cpw793", KIWIPETE, Check::Keys, "black pawn on g6 left in"),
    (Fault::NullMoveKeepsEnPassant, "tracker", "cpw793", KIWIPETE, Check::NullMove, "e.p. c6→- missing"),
    (Fault::ClockNotRestored, "board", "cpw793", KIWIPETE, Check::Unmake, "V3 unmake"),
    // The recompute reads the mailbox, so with keys a write to the mailbox alone is caught before V0 sees it.
    (Fault::MailboxOnlyWrite, "board", "cpw793", KIWIPETE, Check::Keys, "white pawn on a2 left in"),
    (Fault::MailboxOnlyWrite, "board", "none", KIWIPETE, Check::RoundTrip, "V6 round trip"),
    (Fault::BitboardOnlyWrite, "board", "cpw793", KIWIPETE, Check::RoundTrip, "V6 round trip"),
    (Fault::EnPassantAlwaysKeyed, "tracker", "cpw793", DOUBLE_PUSH, Check::Keys, "e.p. -→e3 left in"),
    (Fault::RightOfCapturedRookKept, "board", "cpw793", "r3k2r/8/8/3B4/4b3/8/8/R3K2R w KQkq - 0 1", Check::RoundTrip, "a rook of Black to castle with"),
    (Fault::PromotionHashedAsPawn, "tracker", "cpw793", "8/P1k5/K7/8/8/8/8/8 w - - 0 1", Check::Keys, "white pawn on a8 left in"),
    (Fault::EnPassantVictimKept, "tracker", "cpw793", "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", Check::Keys, "black pawn on d5 left in"),
    (Fault::SideNotFlipped, "tracker", "cpw793", KIWIPETE, Check::Keys, "side to move missing"),
    (Fault::FirstRightOnly, "tracker", "cpw781", KIWIPETE, Check::Keys, "castling"),
    (Fault::RightsShareAWord, "tracker", "cpw781", KIWIPETE, Check::Keys, "castling"),
    (Fault::SideNotFlipped, "tracker", "polyglot", KIWIPETE, Check::Keys, "side to move missing"),
];

#[test]
fn every_planted_fault_is_caught_by_its_check_and_named() {
    for level in [Level::portable(), Level::detect()] {
        for (fault, sits, scheme, fen, check, named) in KEYS_AND_BOARDS {
            let verdict = judged(fault, scheme, level, fen, 3);
            assert_eq!(verdict.outcome, Outcome::Failed, "{level} {fault:?}");
            let report = text::details(&verdict, scheme);
            let caught = verdict.findings.iter().find(|found| found.mismatch.check == check);
            let caught = caught.unwrap_or_else(|| panic!("{level} {fault:?} was not caught by {check}:\n{report}"));
            let line = text::finding(caught, scheme);
            println!("{level} {sits} {fault:?} → {}", line.lines().next().unwrap().trim());
            assert!(
                verdict.findings.iter().any(|found| text::finding(found, scheme).contains(named)),
                "{fault:?}\n{report}"
            );
            // No planted term is a riddle.
            assert!(!line.contains("no set of"), "{line}");
        }
    }
}

#[test]
fn board_faults_are_caught_by_v0_too() {
    for level in [Level::portable(), Level::detect()] {
        for fault in [Fault::MailboxOnlyWrite, Fault::BitboardOnlyWrite] {
            let row = Row::unknown("planted", Fen::parse(KIWIPETE).unwrap());
            // No node makes the round trip.
            let verdict = judge_planted(fault, &row, options("none", level, 3, u64::MAX));
            assert_eq!(verdict.findings[0].mismatch.check, Check::Boards, "{level} {fault:?}");
            println!("{level} board {fault:?} → {}", verdict.findings[0].mismatch.check);
        }
    }
}

#[test]
fn a_wrong_move_is_a_wrong_count_and_is_found() {
    let rows = suite::parse(suite::embedded("standard").unwrap()).unwrap();
    let row = rows.iter().find(|row| row.id == "position 3").unwrap();
    let verdict = judge_planted(Fault::EvasionMissing, row, options("cpw793", Level::detect(), 5, 0xfff));
    let report = text::details(&verdict, "cpw793");
    println!("generator EvasionMissing → {report}");
    assert!(verdict.findings.is_empty() && verdict.wrong_counts.iter().all(|wrong| wrong.found < wrong.expected));
    let first = verdict.first_wrong.expect("the counters differ");
    assert!(first.extra.is_empty() && first.missing.len() == 1, "{first:?}");
    assert!(report.contains("V1 counts at depth 5: expected 674624 (the suite's)") && report.contains("missing: "));

    let verdict = judged(Fault::WrongChess960Rook, "cpw793", Level::detect(), TWO_ROOKS, 3);
    let report = text::details(&verdict, "cpw793");
    println!("generator WrongChess960Rook → {report}");
    let first = verdict.first_wrong.expect("the counters differ");
    let text = |moves: &[perft_gate::chess::Move]| moves.iter().map(|mv| mv.uci().to_string()).collect::<Vec<_>>();
    assert_eq!((text(&first.missing), text(&first.extra)), (vec!["b1e1".into()], vec!["b1h1".to_string()]), "{report}");
}

#[test]
fn checks_that_were_not_made_fail_the_row() {
    let verdict = judged(Fault::BatchLost, "cpw793", Level::detect(), KIWIPETE, 3);
    let report = text::details(&verdict, "cpw793");
    println!("walk BatchLost → {report}");
    assert_eq!(verdict.outcome, Outcome::Failed);
    assert!(report.contains("V2 keys: 99950 comparisons were not made"), "{report}");
}

#[test]
fn every_fault_is_tried() {
    let tried = KEYS_AND_BOARDS.map(|(fault, ..)| fault);
    let elsewhere = [Fault::EvasionMissing, Fault::WrongChess960Rook, Fault::BatchLost];
    for fault in Fault::ALL {
        assert!(tried.contains(&fault) || elsewhere.contains(&fault), "{fault:?}");
    }
}

#[test]
fn without_a_fault_nothing_is_caught() {
    for fen in [KIWIPETE, DOUBLE_PUSH, TWO_ROOKS] {
        let verdict = judged(Fault::None, "cpw793", Level::detect(), fen, 3);
        assert_eq!(verdict.outcome, Outcome::Passed, "{}", text::details(&verdict, "cpw793"));
    }
}
