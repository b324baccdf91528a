//! Other people's boards under the gate, through the library's public interface. They pass in chess and in Chess960,
//! and faults planted in one of them are found where they occur.

#[allow(dead_code)]
#[path = "../../examples/cozy_chess.rs"]
mod cozy;
#[allow(dead_code)]
#[path = "../../examples/shakmaty.rs"]
mod hashed;

use cozy::Cozy;
use cozy_chess::Move;
use hashed::Hashed;
use perft_gate::{
    CastlingLetters, Depth, Details, EnPassantPolicy, Failure, Key, Report, Subject, SubjectCheck, Suite, Supply,
    Unmake, gate,
};

/// A fault of a board, or a harmless habit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Planted {
    Nothing,
    /// Promotions lack the piece letter.
    SameText,
    /// The e.p. square is the pawn's square.
    PawnsSquare,
    /// The clocks do not advance.
    NoClock,
    /// FENs have no clocks, a harmless habit.
    WithoutClocks,
    /// Castling, written king takes rook, counts as a capture.
    CapturesOwnRook,
    /// Rights are always KQkq, whichever rook has them.
    Kqkq,
    /// The board claims not to play Chess960.
    StandardOnly,
    /// An impossible king move replaces a castling move.
    StepForCastling,
}

/// The board of `cozy-chess` with one planted fault or habit.
#[derive(Clone)]
struct Wrong<const PLANTED: u8>(Cozy);

impl<const PLANTED: u8> Wrong<PLANTED> {
    fn has(planted: Planted) -> bool {
        planted as u8 == PLANTED
    }
}

impl<const PLANTED: u8> Subject for Wrong<PLANTED> {
    type Move = Move;
    type Undo = Cozy;
    const CHESS960: bool = PLANTED != Planted::StandardOnly as u8;
    const UNMAKE: Option<Unmake<Self>> = Some(|board, _, undo| board.0 = undo);

    fn from_fen(fen: &str) -> Result<Self, String> {
        let mut fields: Vec<&str> = fen.split(' ').collect();
        if fields.len() == 4 {
            fields.extend(["0", "1"]);
        }
        Cozy::from_fen(&fields.join(" ")).map(Wrong)
    }
    fn moves(&self) -> Vec<Move> {
        let mut moves = self.0.moves();
        let castles = |mv: &Move| self.0.details(*mv).castling == Some(true);
        for mv in moves.iter_mut().filter(|mv| Self::has(Planted::StepForCastling) && castles(mv)) {
            mv.to = cozy_chess::Square::D5;
        }
        moves
    }
    fn uci(&self, mv: Move) -> String {
        let text = self.0.uci(mv);
        if Self::has(Planted::SameText) { text[..4].into() } else { text }
    }
    fn make(&mut self, mv: Move) -> Cozy {
        let before = self.0.clone();
        self.0.make(mv);
        before
    }
    fn key(&self) -> Option<Key> {
        self.0.key()
    }
    fn recomputed_key(&self) -> Option<Key> {
        self.0.recomputed_key()
    }
    fn fen(&self) -> Option<String> {
        let fen = self.0.fen()?;
        let mut fields: Vec<String> = fen.split(' ').map(String::from).collect();
        if Self::has(Planted::PawnsSquare) {
            fields[3] = fields[3].replace('3', "4").replace('6', "5");
        }
        if Self::has(Planted::NoClock) {
            fields[4..].clone_from_slice(&["0", "1"].map(String::from));
        }
        if Self::has(Planted::WithoutClocks) {
            fields.truncate(4);
        }
        if Self::has(Planted::Kqkq) {
            fields[2] = fields[2].replace(['E', 'F', 'G', 'H'], "K").replace(['e', 'f', 'g', 'h'], "k");
            fields[2] = fields[2].replace(['A', 'B', 'C', 'D'], "Q").replace(['a', 'b', 'c', 'd'], "q");
        }
        Some(fields.join(" "))
    }
    fn details(&self, mv: Move) -> Details {
        let details = self.0.details(mv);
        let capture =
            details.capture.map(|is| is || Self::has(Planted::CapturesOwnRook) && details.castling == Some(true));
        Details { capture, ..details }
    }
}

type Gate = fn(Suite, Depth) -> Result<Report, Failure>;

/// Returns the gate of the board with this fault.
fn with<const PLANTED: u8>() -> Gate {
    gate::<Wrong<PLANTED>>
}

#[test]
fn two_boards_pass_in_chess_and_in_chess960() {
    let boards: [(Gate, EnPassantPolicy, CastlingLetters); 2] = [
        (gate::<Cozy>, EnPassantPolicy::Always, CastlingLetters::RookFiles),
        (gate::<Hashed>, EnPassantPolicy::Legal, CastlingLetters::Kqkq),
    ];
    for (gate, policy, letters) in boards {
        // cozy-chess rejects halfmove clocks above 100.
        let mut quick = Suite::quick();
        quick.rows.retain(|row| row.board().halfmove() < 98);
        for (suite, rows) in [(quick, 57), (Suite::chess960(), 22)] {
            let report = gate(suite, Depth(3)).unwrap();
            println!("{report}");
            assert_eq!((report.rows, report.skipped), (rows, 0), "{report}");
            assert_eq!(u128::from(report.details.moves), report.nodes - u128::from(rows), "{report}");
            assert!(report.fens.en_passant[0].contains(&policy), "{report}");
            assert_eq!(report.fens.castling, [letters], "{report}");
            assert_eq!(report.fens.clocks, [Supply::Supplied; 2]);
            assert!(report.fens.compared > 10_000, "{report}");
        }
    }
}

/// A planted fault, the position and depth where it shows, the check that finds it, the moves there, and texts in the
/// report.
type Case = (Gate, &'static str, u32, SubjectCheck, &'static [&'static str], &'static [&'static str]);

#[rustfmt::skip]
const CASES: [Case; 10] = {
    use SubjectCheck::{Counts, Details, UciTexts, WrittenFen};
    [
        (gate::<Wrong<{ Planted::SameText as u8 }>>, "4k3/P7/8/8/8/8/8/4K3 w - - 0 1 ;D1 9", 1, UciTexts, &[], &["one move a7a8 in 4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "promotion: Some(Knight)", "promotion: Some(Bishop)"]),
        (gate::<Wrong<{ Planted::SameText as u8 }>>, "4k3/8/P7/8/8/8/8/4K3 w - - 0 1 ;D3 141", 3, UciTexts, &["a6a7", "e8d7"], &["one move a7a8"]),
        (gate::<Wrong<{ Planted::PawnsSquare as u8 }>>, "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 5 9 ;D1 9", 1, WrittenFen, &[], &["expected  en passant 'd6'", "found     en passant 'd5': '4k3/"]),
        (gate::<Wrong<{ Planted::PawnsSquare as u8 }>>, "4k3/4p3/8/8/8/8/8/4K3 w - - 0 1 ;D2 30", 2, WrittenFen, &["e1d1", "e7e5"], &["double push", "'e6' (always)"]),
        (gate::<Wrong<{ Planted::NoClock as u8 }>>, "4k3/8/8/8/8/8/8/4K3 w - - 5 9 ;D1 5", 1, WrittenFen, &[], &["halfmove clock '5' (if the board keeps no clocks, leave both fields out), fullmove number '9'", "found     halfmove clock '0', fullmove number '1'"]),
        (gate::<Wrong<{ Planted::CapturesOwnRook as u8 }>>, "r3k3/8/8/8/8/8/8/4K3 b q - 0 1 ;D1 16", 1, Details, &["e8c8"], &["expected  capture: no", "found     capture: yes"]),
        (gate::<Wrong<{ Planted::CapturesOwnRook as u8 }>>, "r3k3/8/8/8/8/8/8/4K3 w q - 0 1 ;D2 80", 2, Details, &["e1d1", "e8c8"], &["castling on the queen's side"]),
        (gate::<Wrong<{ Planted::Kqkq as u8 }>>, "1k2r2r/4p2p/8/8/8/8/4P2P/1K2R2R w Ee - 0 1 ;D1 16", 1, WrittenFen, &[], &["expected  castling 'Ee'", "found     castling 'Kk'"]),
        (gate::<Wrong<{ Planted::StepForCastling as u8 }>>, "4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15", 1, Counts, &[], &["the same number of moves", "missing   e1g1: castling on the king's side", "illegal   e1d5"]),
        (gate::<Wrong<{ Planted::StepForCastling as u8 }>>, "6kr/8/8/8/8/8/8/K7 w h - 0 1 ;D2 36", 2, Counts, &[], &["path      a1b1", "missing   g8h8: castling on the king's side"]),
    ]
};

#[test]
fn planted_faults_are_found_where_they_are() {
    let unnamed = CASES.into_iter().filter_map(|(gate, row, depth, check, path, parts)| {
        let failure = gate(Suite::parse(row).unwrap(), Depth(depth)).unwrap_err();
        let finding = &failure.findings[0];
        let text = finding.to_string();
        let is_named = finding.check == check && finding.path == path && parts.iter().all(|part| text.contains(part));
        (!is_named).then(|| format!("{row}: expected {check} after {path:?} with {parts:?} in {failure}"))
    });
    assert_eq!(unnamed.collect::<Vec<_>>().join("\n"), "");
}

#[test]
fn habits_pass_and_are_named() {
    let report = with::<{ Planted::Nothing as u8 }>()(Suite::quick(), Depth(2)).unwrap();
    assert!(report.checks.unmakes > 0, "{report}");
    let report = with::<{ Planted::WithoutClocks as u8 }>()(Suite::quick(), Depth(2)).unwrap();
    assert_eq!(report.fens.clocks, [Supply::NotSupplied; 2]);
    assert!(report.to_string().contains("halfmove clock not supplied; fullmove number not supplied"), "{report}");
    let standard = with::<{ Planted::StandardOnly as u8 }>();
    let both = Suite { rows: [Suite::quick().rows, Suite::chess960().rows].concat() };
    let report = standard(both, Depth(1)).unwrap();
    assert!(report.skipped >= 20, "{report}");
    assert!(report.to_string().contains("rows skipped: the board does not play Chess960"), "{report}");
}
