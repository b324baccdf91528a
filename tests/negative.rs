//! Each check is seen to fail: a fault is planted, and the check that must catch it does.

use perft_gate::chess::Fen;
use perft_gate::cpu::Level;
use perft_gate::faults::{Fault, settings, verify_planted};
use perft_gate::keys::preset;
use perft_gate::suite;
use perft_gate::walk::Check;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn every_planted_fault_is_caught_by_its_check() {
    for level in [Level::portable(), Level::detect()] {
        // The recompute reads the mailbox, so with keys a write to the mailbox alone is caught before V0 sees it.
        for (fault, scheme, check) in [
            (Fault::EnPassantTermKept, "cpw793", Check::Keys),
            (Fault::CastlingTermKept, "cpw793", Check::Keys),
            (Fault::CapturedManKept, "cpw793", Check::Keys),
            (Fault::NullMoveKeepsEnPassant, "cpw793", Check::NullMove),
            (Fault::ClockNotRestored, "cpw793", Check::Unmake),
            (Fault::MailboxOnlyWrite, "cpw793", Check::Keys),
            (Fault::MailboxOnlyWrite, "none", Check::Boards),
            (Fault::BitboardOnlyWrite, "cpw793", Check::Boards),
        ] {
            let board = Fen::parse(KIWIPETE).unwrap();
            let report = verify_planted(fault, &board, 3, settings(preset(scheme).unwrap(), level));
            let caught = report.mismatches.first().unwrap_or_else(|| panic!("{level}: {fault:?} was not caught"));
            println!(
                "{level} {scheme} {fault:?} -> {}: expected {}, found {}",
                caught.check, caught.expected, caught.found
            );
            assert_eq!(caught.check, check, "{level} {fault:?}: {caught:?}");
            assert!(!caught.path.is_empty(), "{fault:?} needs a move");
        }
    }
}

#[test]
fn a_missing_evasion_is_a_wrong_count() {
    let rows = suite::parse(suite::EMBEDDED[0].2).unwrap();
    let row = rows.iter().find(|row| row.id == "position 3").unwrap();
    let settings = settings(preset("cpw793").unwrap(), Level::detect());
    let report = verify_planted(Fault::EvasionMissing, &row.board, 5, settings);
    let wrong = report.wrong_counts(&row.counts);
    println!("EvasionMissing -> V1 counts: {wrong:?}");
    assert!(!wrong.is_empty() && report.mismatches.is_empty());
    assert!(wrong.iter().all(|(_, expected, found)| found < expected));
}

#[test]
fn without_a_fault_nothing_is_caught() {
    let board = Fen::parse(KIWIPETE).unwrap();
    let report = verify_planted(Fault::None, &board, 3, settings(preset("cpw793").unwrap(), Level::detect()));
    assert_eq!(report.mismatches, []);
    assert_eq!(report.nodes, [1, 48, 2039, 97862]);
}
