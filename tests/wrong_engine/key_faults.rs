//! Faults that affect only keys. Each is found and named by a run or by the audit of the engine's key table.

use crate::common::fens::{CORNERS, EN_PASSANT, KIWIPETE, ROOKS};
use crate::common::{Folder, Run, command, document};
use crate::faults::Dialect;
use crate::faults::Fault::{self, Bent};
use crate::trials::{AUDIT, Case, found, gate, trial};
use libtest_mimic::Trial;

/// A pawn of each side that may promote by capturing.
const PROMOTES_BY_CAPTURE: &str = "1n2k3/P7/8/8/8/8/p7/1N2K3 w - - 0 1";
/// Double pushes of both sides next to pawns that may capture.
const PUSHES: &str = "4k3/1p6/8/P7/7p/8/6P1/4K3 b - - 0 1";

/// Pawns that cannot capture en passant because of a pin along the rank or a file.
const PINS: &str = "8/8/8/8/k1p4R/5p2/3P2P1/2R1K3 w - - 0 1";

/// A double push next to a pawn that may capture.
const TAKES: &str = "4k3/8/8/8/5p2/8/4P3/4K3 w - - 0 1";

#[rustfmt::skip]
const CASES: [Case; 45] = [
    (Fault::NumberIsZero, CORNERS, 2, 1, &["two positions share a key: black queen on d8 has the number 0"]),
    (Fault::TwoNumbersEqual, CORNERS, 2, 1, &["white knight on f3 and black bishop on c6 have the same number"]),
    (Fault::EpFileIsRight, CORNERS, 2, 1, &["castling right K and e.p. square d6 have the same number"]),
    (Fault::RightIsPawn, CORNERS, 2, 1, &["white pawn on a2 and castling right Q have the same number"]),
    (Fault::EpFileModulo7, CORNERS, 2, 1, &["e.p. square a6 and e.p. square h6 have the same number"]),
    (Fault::EpByRank, AUDIT, 0, 1, &["e.p. square a6 and e.p. square b6 have the same number"]),
    (Fault::RowsOf63, CORNERS, 2, 1, &["white knight on h8 and white bishop on a1 have the same number"]),
    (Fault::BishopsAreKnights, AUDIT, 0, 1, &["black knights and black bishops have the same number on the same square (64 squares)"]),
    (Fault::ColoursMirrored, AUDIT, 0, 1, &["white knights and black knights have the same number on squares mirrored from rank 1 to rank 8 (64 squares)"]),
    (Fault::FilesMirrored, AUDIT, 0, 1, &["white queens have the same number on squares mirrored from file a to file h (32 pairs)", "the white king has 32 different numbers on 64 squares"]),
    (Fault::RanksIgnored, AUDIT, 0, 1, &["white rooks have the same number on squares 8 apart"]),
    (Fault::Rotated, AUDIT, 0, 4, &["rotations of one entry each", "it has even weight"]),
    (Fault::PieceXorSquare, CORNERS, 2, 1, &["the numbers of ", " cancel out"]),
    (Fault::GoldenRatio, AUDIT, 0, 4, &["entries are multiples of a constant"]),
    (Fault::KingNotHashed, AUDIT, 0, 1, &["the square of the white king is not in the key"]),
    (Fault::HalvesRepeated, AUDIT, 0, 4, &["keys of 64 bits are worth only 32 bits"]),
    (Fault::SignExtended, AUDIT, 0, 1, &["is set in 570 of 749 entries", "cancel out"]),
    (Fault::DoublePrecision, AUDIT, 0, 4, &["keys of 64 bits are worth only 53 bits"]),
    (Fault::LibraryRand, AUDIT, 0, 0, &["suspicious", "joined from outputs of Microsoft's rand()"]),
    (Fault::TinySeed, AUDIT, 0, 1, &["keys have too few bits: keys of 16 bits: of 1000000 positions, 7629387 pairs", "keys of 64 bits are worth only 16 bits"]),
    (Fault::BlackQueenSideNotHashed, AUDIT, 0, 1, &["right q not in the key"]),
    (Fault::RightsOfWhiteOnly, AUDIT, 0, 1, &["right k and right q not in the key"]),
    (Bent("right-kept-with-rook/q/enemy"), ROOKS, 2, 1, &["castling right q left in after d5a8 (capture by a bishop of a rook that may castle)"]),
    (Fault::RightOfOtherSideLost, CORNERS, 2, 1, &["castling rights KQ left in, castling rights kq missing after e1d1 (king move)"]),
    (Fault::EpKeptByPieces, EN_PASSANT, 2, 1, &["e.p. d6 left in after e1"]),
    (Fault::EpOfWhiteOnly, PUSHES, 2, 1, &["e.p. b6 missing after b7b5 (double push)"]),
    (Bent("captured-of-other-color/e.p."), EN_PASSANT, 2, 1, &["white pawn on d5 added, black pawn on d5 left in (another piece is removed instead of the captured one) after c5d6 (e.p. capture)"]),
    (Bent("pawn-kept-on-promotion"), PROMOTES_BY_CAPTURE, 2, 1, &["white pawn on a7 left in after a7"]),
    (Bent("update-missing/captured/promotion"), PROMOTES_BY_CAPTURE, 2, 1, &["black knight on b8 left in after a7b8"]),
    (Bent("castled-rook-off/queen-side"), CORNERS, 2, 1, &["white rook on d1 missing", "white rook on c1 added", "after e1c1"]),
    (Fault::BlackCastlesOnRankOne, KIWIPETE, 2, 1, &["black rook on h8 left in", "black rook on f8 missing", "black rook on h1 added", "black rook on f1 added", "(the rook is moved from or to another square) after e8g8"]),
    (Bent("update-missing/side/castling"), CORNERS, 2, 1, &["side to move missing after e1"]),
    (Fault::CheckHashed, AUDIT, 0, 1, &["the numbers do not give the engine's keys of", "in check"]),
    (Bent("move-number-keyed"), AUDIT, 0, 1, &["the fullmove number is in the key"]),
    (Fault::GamePlyHashed, CORNERS, 2, 1, &["rows: 1 pass;", "a position has many keys: the fullmove number is in the key"]),
    (Fault::PlyHashed, KIWIPETE, 2, 1, &["rows: 1 pass;", "a position has many keys: the number of plies since the position was given is in the key"]),
    (Fault::NarrowKeys, CORNERS, 2, 1, &["keys have too few bits: keys of 24 bits: of 1000000 positions, 29802 pairs share a key by chance", "expected   at least 30 bits: 466 pairs"]),
    (Fault::EachClockHashed, CORNERS, 2, 0, &["halfmove clock in the key: from 1, so no position can repeat"]),
    (Fault::EachClockHashed, AUDIT, 0, 0, &["from clock 1 on, a different number each halfmove, so no position can repeat"]),
    (Fault::LateClockHashed, AUDIT, 0, 0, &["a different number from clock 64 on", "verdict: sound"]),
    (Fault::EpAlwaysByMoves, PUSHES, 2, 1, &["rows: 1 pass;", "e.p. squares in the key: by FEN: legal; by moves: always; they differ, for example, where no pawn can capture"]),
    (Fault::EpWrapsByMoves, "4k3/7p/P7/8/8/7p/P7/4K3 w - - 0 1", 2, 1, &["e.p. square a3 added after a2a4 (double push)", "e.p. square h6 added after h7h5 (double push)"]),
    (Fault::EpFilePinsIgnored, PINS, 2, 0, &["e.p. policy: between legal and pseudo"]),
    (Fault::EpChecksIgnored, AUDIT, 0, 0, &["counts where a capture is legal, and in some of the positions where a pawn can take", "verdict: sound"]),
    (Fault::EpFirstCapturerOnly, AUDIT, 0, 1, &["e.p. squares in the key: the policy by FEN and by moves", "found      no known policy"]),
];

/// A fault of the FENs that the engine shows after moves, a position that reveals the fault, and the required output.
#[rustfmt::skip]
const WRONG_FENS: [(Fault, &str, &str); 6] = [
    (Fault::FenOfKings, KIWIPETE, "the engine is in another position: 32 wrong squares, missing castling rights qk after e1d1 (king move)"),
    (Fault::FenKeepsRights, CORNERS, "the engine is in another position: extra castling rights KQ after e1d1 (king move)"),
    (Fault::FenOfOtherRank, TAKES, "the FEN after moves is wrong: invalid FEN: "),
    (Fault::FenWithoutClock, CORNERS, "the FEN after moves is wrong: halfmove clock"),
    (Fault::FenOfFirstMove, CORNERS, "the FEN after moves is wrong: fullmove number"),
    (Fault::MoveIgnored, CORNERS, "castling on the king's side) is ignored"),
];

/// Returns true if a test here covers the fault.
pub fn has_case(fault: Fault) -> bool {
    let elsewhere = || fault == Fault::RowsShare || WRONG_FENS.iter().any(|case| case.0 == fault);
    CASES.iter().any(|case| case.0 == fault) || elsewhere()
}

pub fn all() -> Vec<Trial> {
    let case = |case: &'static Case| trial(format!("the key fault {}", case.0.name()), move || found(case, &[]));
    let mut trials: Vec<Trial> = CASES.iter().map(case).collect();
    trials.push(trial("a right engine's keys are audited", right_keys));
    trials.push(trial("an exported table is the engine's", exported_tables));
    trials.push(trial("the audit compares positions of two rows", positions_of_two_rows));
    trials.push(trial("FENs after moves are compared, with a key and without", fens_after_moves));
    trials.push(trial("a known fault of the run", a_known_fault_of_the_run));
    trials
}

fn right_keys() {
    let folder = Folder::new();
    let json = folder.file("keys.json");
    // The audit needs no perft command, so the engine may have none.
    let output = gate(Fault::None, Dialect::SearchesOnly, &["--audit-keys", "--json", &json]);
    let parts = [
        "64 bits, xor of one number per term",
        "736 of 768 numbers, all different; pawns on back ranks: not accepted",
        "one number per right (16 sets learned)",
        "one number per file; counts where a capture is legal",
        "one number for the side to move",
        "the numbers give the engine's keys of ",
        "verdict: sound",
    ];
    output.expect(0, &parts);
    let found = document(&json);
    assert_eq!((&found["verdict"], &found["facts"]["castling"]), (&"sound".into(), &"by-right".into()));
    let clocked = gate(Fault::ClockHashed, Dialect::Stockfish, &["--audit-keys"]);
    clocked.expect(0, &["from clock 10 on, a different number every 10 halfmoves", "verdict: sound"]);
    let pinned = gate(Fault::EpPinnedKeyed, Dialect::Stockfish, &["--audit-keys", "--json", &json]);
    pinned.expect(0, &["counts where a pawn can take (a pinned pawn counts)"]);
    assert_eq!(document(&json)["facts"]["policy"], "pseudo");
    let decimal = ["--audit-keys", "--display-cmd", "board", "--key-pattern", "hash=(-?[0-9]+)"];
    let decimal = gate(Fault::None, Dialect::DecimalKeys, &decimal);
    decimal.expect(0, &["pawns on back ranks: not asked, because the engine shows no FEN", "verdict: sound"]);
}

fn exported_tables() {
    let folder = Folder::new();
    let file = folder.file("keys.txt");
    for (fault, axes) in [(Fault::None, None), (Fault::EpPinnedKeyed, Some("# axes: policy=pseudo"))] {
        let output = gate(fault, Dialect::Stockfish, &["--audit-keys", "--export-keys", &file]);
        output.expect(0, &["781 entries in the layout cpw781"]);
        let text = folder.read("keys.txt");
        assert_eq!(text.lines().find(|line| line.starts_with("# axes:")), axes);
        assert!(text.contains("# 32 numbers of pawns on back ranks are not known"), "{text}");
        let audit = Run::finish(command().args(["keys", "audit", "--keys-from", &file]));
        audit.expect(0, &["imported-cpw781: 781 entries of 64 bits, 749 of them used in keys: sound"]);
        let own = gate(fault, Dialect::Stockfish, &["--fen", CORNERS, "--depth", "1", "--keys", &file]);
        own.expect(0, &["keys: those of imported-cpw781, all 766 numbers", "; passed"]);
    }
    // An engine whose keys differ from the file in one random number fails.
    let other = gate(Fault::NumberIsZero, Dialect::Stockfish, &["--fen", CORNERS, "--depth", "1", "--keys", &file]);
    let parts = [
        "the keys are not those expected: those of imported-cpw781, but black queen on d8: expected ",
        "found 0000000000000000",
    ];
    other.expect(1, &parts);
}

fn positions_of_two_rows() {
    let folder = Folder::new();
    let rows = "7k/8/8/8/8/8/8/K5R1 w - - 0 1 ;D1 16 ;id rook\n7k/8/8/8/8/8/8/K1B5 w - - 0 1 ;D1 10 ;id bishop\n\
                7k/8/8/8/8/8/8/K6R w - - 0 1 ;D1 1 ;id illegal\n";
    let suite = folder.write("two.epd", rows);
    let output = gate(Fault::RowsShare, Dialect::Stockfish, &["--suite", &suite, "--audit-keys"]);
    output.expect(1, &["two positions share a key: positions of two rows", "verdict: wrong"]);
}

/// Only FENs that the engine shows are compared. If the engine shows none, the run says so.
fn fens_after_moves() {
    let ask = |fault, dialect, fen| gate(fault, dialect, &["--fen", fen, "--depth", "2"]);
    for (fault, fen, part) in WRONG_FENS {
        for dialect in [Dialect::Stockfish, Dialect::FenAlone] {
            ask(fault, dialect, fen).expect(1, &["wrong-fen", part]);
        }
    }
    let parts = ["keys: not checked", "FENs: ", " after moves compared with the positions\n", "rows: 1 pass;"];
    ask(Fault::None, Dialect::FenAlone, CORNERS).expect(0, &parts);
    let silent = ["keys: not checked", "FENs after moves: not compared, because 'd' shows none that can be read"];
    ask(Fault::None, Dialect::DecimalKeys, CORNERS).expect(0, &silent);
}

fn a_known_fault_of_the_run() {
    let folder = Folder::new();
    let json = folder.file("engine.json");
    let ask = |fault, known: &str| {
        let list = folder.write("known.txt", known);
        gate(fault, Dialect::Stockfish, &["--fen", CORNERS, "--depth", "1", "--expect-fail", &list, "--json", &json])
    };
    for (fault, name) in [
        (Fault::EpAlwaysByFen, "ep-habit"),
        (Bent("move-number-keyed"), "move-number"),
        (Fault::NarrowKeys, "narrow-keys"),
        (Fault::NumberIsZero, "shared-numbers"),
    ] {
        let listed = ask(fault, &format!("# known\nrun ;{name}\n"));
        listed.expect(0, &[&format!("failed as expected: run ({name})"), "; passed"]);
        let found = document(&json);
        assert_eq!((&found["verdict"], &found["expected_faults"][0]["name"]), (&"passed".into(), &name.into()));
        let other = if name == "ep-habit" { "move-number" } else { "ep-habit" };
        let parts = [&*format!("passed unexpectedly: run ({other}): remove them"), "; failed"];
        ask(fault, &format!("run ;{other}\n")).expect(1, &parts);
    }
    // The other key checks still run.
    ask(Fault::FirstRightOnly, "run ;ep-habit\n").expect(1, &["wrong-key"]);
    ask(Fault::None, "run ;ep-habits\n")
        .expect(2, &["line 1: found 'ep-habits', expected a fault of the run: one of ep-habit,"]);
}
