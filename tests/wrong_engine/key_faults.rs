//! Faults of keys alone: each is found by a run, or by the audit of the engine's key table, and named.

use crate::common::fens::{CORNERS, DOUBLE_PUSH, EN_PASSANT, KIWIPETE, ROOKS};
use crate::common::{Folder, Schema, command, document};
use crate::faults::{Dialect, Fault};
use crate::trials::{expect, gate};
use clap::ValueEnum;
use libtest_mimic::{Failed, Trial};

/// A pawn of either side that takes a piece on the last rank.
const PROMOTES_BY_CAPTURE: &str = "1n2k3/P7/8/8/8/8/p7/1N2K3 w - - 0 1";
/// Double pushes of both sides beside pawns that may take.
const PUSHES: &str = "4k3/1p6/8/P7/7p/8/6P1/4K3 b - - 0 1";

/// What finds a fault.
#[derive(Clone, Copy)]
enum FoundBy {
    /// A run over this position.
    Run(&'static str),
    /// The audit of the key table.
    Audit,
}

use FoundBy::{Audit, Run};

/// A fault, what finds it, how the command ends, and what it must say.
#[rustfmt::skip]
const CASES: [(Fault, FoundBy, i32, &[&str]); 34] = [
    (Fault::NumberIsZero, Run(CORNERS), 1, &["two positions share a key: black queen on d8 has the number 0"]),
    (Fault::TwoNumbersEqual, Run(CORNERS), 1, &["white knight on f3, and black bishop on c6, have one number"]),
    (Fault::EpFileIsRight, Run(CORNERS), 1, &["castling rights K, and e.p. square d6, have one number"]),
    (Fault::RightIsPawn, Run(CORNERS), 1, &["white pawn on a2, and castling rights Q, have one number"]),
    (Fault::EpFileModulo7, Run(CORNERS), 1, &["e.p. square a6, and e.p. square h6, have one number"]),
    (Fault::EpByRank, Audit, 1, &["e.p. square a6 and e.p. square b6 have one number"]),
    (Fault::RowsOf63, Run(CORNERS), 1, &["white knight on h8, and white bishop on a1, have one number"]),
    (Fault::BishopsAreKnights, Audit, 1, &["black knights and black bishops have one number on the same square (64 squares)"]),
    (Fault::ColoursMirrored, Audit, 1, &["white knights and black knights have one number on squares mirrored from rank 1 to rank 8 (64 squares)"]),
    (Fault::FilesMirrored, Audit, 1, &["white queens have one number on squares mirrored from file a to file h (32 pairs)", "the white king has 32 different numbers on 64 squares"]),
    (Fault::RanksIgnored, Audit, 1, &["white rooks have one number on squares 8 apart"]),
    (Fault::Rotated, Audit, 4, &["rotations of one entry each", "it has even weight"]),
    (Fault::PieceXorSquare, Run(CORNERS), 1, &["the numbers of ", " cancel out"]),
    (Fault::GoldenRatio, Audit, 4, &["entries are multiples of a constant"]),
    (Fault::KingNotHashed, Audit, 1, &["the square of the white king is not in the key"]),
    (Fault::HalvesRepeated, Audit, 4, &["keys of 64 bits are worth only 32 bits"]),
    (Fault::SignExtended, Audit, 1, &["is set in 570 of 749 entries", "cancel out"]),
    (Fault::DoublePrecision, Audit, 4, &["keys of 64 bits are worth only 53 bits"]),
    (Fault::LibraryRand, Audit, 0, &["suspicious", "glued from outputs of Microsoft's rand()"]),
    (Fault::TinySeed, Audit, 4, &["keys of 64 bits are worth only 16 bits"]),
    (Fault::BlackQueenSideNotHashed, Audit, 1, &["right q not in the key"]),
    (Fault::RightsOfWhiteOnly, Audit, 1, &["right k and right q not in the key"]),
    (Fault::CapturedRookKeepsRight, Run(ROOKS), 1, &["castling right q left in after d5a8 (capture by a bishop of a rook that may castle)"]),
    (Fault::RightOfOtherSideLost, Run(CORNERS), 1, &["castling rights KQ left in, castling rights kq missing after e1d1 (king move)"]),
    (Fault::EpKeptByPieces, Run(EN_PASSANT), 1, &["e.p. d6 left in after e1"]),
    (Fault::EpOfWhiteOnly, Run(PUSHES), 1, &["e.p. b6 missing after b7b5 (double push)"]),
    (Fault::EpTakesOwnPawn, Run(EN_PASSANT), 1, &["white pawn on d5 added, black pawn on d5 left in (the captured pawn is taken off another square) after c5d6 (e.p. capture)"]),
    (Fault::PromotedPawnLeft, Run(PROMOTES_BY_CAPTURE), 1, &["white pawn on a7 left in after a7"]),
    (Fault::PromotionKeepsCaptured, Run(PROMOTES_BY_CAPTURE), 1, &["black knight on b8 left in after a7b8"]),
    (Fault::QueenSideRookToC, Run(CORNERS), 1, &["white rook on d1 missing", "white rook on c1 added", "after e1c1"]),
    (Fault::BlackCastlesOnRankOne, Run(KIWIPETE), 1, &["black rook on h8 left in", "black rook on f8 missing", "black rook on h1 added", "black rook on f1 added", "(the rook is moved from or to another square) after e8g8"]),
    (Fault::SideKeptOnCastling, Run(CORNERS), 1, &["side to move missing after e1"]),
    (Fault::CheckHashed, Audit, 1, &["the numbers do not give the engine's keys of", "in check"]),
    (Fault::FullmoveHashed, Audit, 1, &["the number of the move is in the key"]),
];

/// Returns true if a fault is one of keys alone.
pub fn has_case(fault: Fault) -> bool {
    CASES.iter().any(|case| case.0 == fault)
}

/// The tests.
pub fn all() -> Vec<Trial> {
    let mut trials: Vec<Trial> = CASES
        .iter()
        .map(|case| {
            let name = case.0.to_possible_value().expect("a name").get_name().to_string();
            Trial::test(format!("the key fault {name}"), move || found(case))
        })
        .collect();
    trials.push(Trial::test("a right engine's keys are audited", right_keys));
    trials.push(Trial::test("an exported table is the engine's", exported_tables));
    trials.push(Trial::test("keys of a scheme are asked for", keys_of_a_scheme));
    trials.push(Trial::test("an audit that cannot be made", refused_audits));
    trials
}

fn found((fault, by, code, parts): &(Fault, FoundBy, i32, &[&str])) -> Result<(), Failed> {
    let output = match by {
        Run(fen) => gate(*fault, Dialect::Stockfish, &["--fen", fen, "--depth", "2"]),
        Audit => gate(*fault, Dialect::Stockfish, &["--audit-keys"]),
    };
    expect(&output, *code, parts)
}

fn right_keys() -> Result<(), Failed> {
    let folder = Folder::new();
    let json = folder.file("keys.json");
    // No perft is needed.
    let output = gate(Fault::None, Dialect::SearchesOnly, &["--audit-keys", "--json", &json]);
    let parts = [
        "64 bits, xor of one number a term",
        "736 of 768 numbers, each its own; pawns on back ranks: not accepted",
        "one number a right (16 sets learned)",
        "one number a file; counts where a capture is legal",
        "one number tells the sides apart",
        "the numbers give the engine's keys of ",
        "verdict: sound",
    ];
    expect(&output, 0, &parts)?;
    let found = document(&json);
    Schema::of("engine-keys").check(&found);
    assert_eq!((&found["verdict"], &found["facts"]["castling"]), (&"sound".into(), &"by-right".into()));
    let clocked = gate(Fault::ClockHashed, Dialect::Stockfish, &["--audit-keys"]);
    expect(&clocked, 0, &["from 10 on, another number every 10 halfmoves", "verdict: sound"])?;
    let pinned = gate(Fault::EpPinnedKeyed, Dialect::Stockfish, &["--audit-keys", "--json", &json]);
    expect(&pinned, 0, &["counts where a pawn can take (a pinned pawn counts)"])?;
    assert_eq!(document(&json)["facts"]["policy"], "pseudo");
    let decimal = ["--audit-keys", "--display-cmd", "board", "--key-pattern", "hash=(-?[0-9]+)"];
    let decimal = gate(Fault::None, Dialect::DecimalKeys, &decimal);
    expect(&decimal, 0, &["pawns on back ranks: not asked, because no FEN is shown", "verdict: sound"])
}

fn exported_tables() -> Result<(), Failed> {
    let folder = Folder::new();
    let file = folder.file("keys.txt");
    for (fault, axes) in [(Fault::None, None), (Fault::EpPinnedKeyed, Some("# axes: policy=pseudo"))] {
        let output = gate(fault, Dialect::Stockfish, &["--audit-keys", "--export-keys", &file]);
        expect(&output, 0, &["781 entries in the layout cpw781"])?;
        let text = std::fs::read_to_string(&file)?;
        assert_eq!(text.lines().find(|line| line.starts_with("# axes:")), axes);
        assert!(text.contains("# 32 numbers of pawns on back ranks are not known"), "{text}");
        let audit = crate::common::Run::of(command().args(["keys", "audit", "--keys-from", &file]));
        expect(&audit, 0, &["imported-cpw781: 781 entries of 64 bits, 749 of them used in keys: sound"])?;
        let own = gate(fault, Dialect::Stockfish, &["--fen", CORNERS, "--depth", "1", "--keys", &file]);
        expect(&own, 0, &["keys: those of imported-cpw781, all 766 numbers", "; passed"])?;
    }
    // One number is another.
    let other = gate(Fault::NumberIsZero, Dialect::Stockfish, &["--fen", CORNERS, "--depth", "1", "--keys", &file]);
    let parts = [
        "the keys are not those expected: those of imported-cpw781, but black queen on d8: expected ",
        "found 0000000000000000",
    ];
    expect(&other, 1, &parts)
}

fn keys_of_a_scheme() -> Result<(), Failed> {
    let ask =
        |keys: &str| gate(Fault::None, Dialect::Stockfish, &["--fen", DOUBLE_PUSH, "--depth", "1", "--keys", keys]);
    let polyglot = ask("polyglot");
    expect(
        &polyglot,
        1,
        &["the keys are not those expected: not Polyglot's: 0 of 766 numbers are equal; white pawn on a2: expected "],
    )?;
    expect(&ask("nonsense"), 2, &["error: --keys: found 'nonsense', expected one of ", "or a file with a key table"])?;
    expect(&ask("none"), 2, &["error: --keys: found 'none', expected a scheme with keys"])?;
    expect(&ask("auto"), 0, &["; passed"])
}

fn refused_audits() -> Result<(), Failed> {
    let file = Folder::new().file("keys.txt");
    let silent = gate(Fault::None, Dialect::DecimalKeys, &["--audit-keys"]);
    let parts =
        ["error: --audit-keys: 'd' shows no key, found nothing, expected 'Key: ", "--display-cmd", "--key-pattern"];
    expect(&silent, 2, &parts)?;
    let alone = gate(Fault::None, Dialect::Stockfish, &["--fen", CORNERS, "--export-keys", &file]);
    expect(&alone, 2, &["--audit-keys"])?;
    let off = gate(Fault::None, Dialect::Stockfish, &["--audit-keys", "--keys", "off"]);
    expect(&off, 2, &["error: --audit-keys: found --keys off"])?;
    expect(&gate(Fault::CrashAtStart, Dialect::Stockfish, &["--audit-keys"]), 3, &["died at"])
}
