//! Tests with a correct board, which must pass, and with faulty boards, whose faults must be caught and named.

use super::codes::king_target;
use super::{Depth, Details, Failure, Report, Subject, SubjectCheck, Unmake, gate};
use crate::gate::term_probe::board_with;
use perft_gate_chess::{Board, Color, EnPassantPolicy, Fen, Kind, Move, Piece, Role, Setup, Square, Wing, legal_moves};
use perft_gate_count::count;
use perft_gate_simd::Level;
use perft_gate_suite::Suite;
use perft_gate_walk::{Check::*, Control, Statistics, board_after, board_after_null_move};
use perft_gate_zobrist::{Key, KeyTable, preset};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

mod codes;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    None,
    Missing,               // E.p. captures are left out.
    Jumping,               // A pawn jumps over a piece.
    RightKept,             // A rook that is captured at home keeps its right.
    Refusing,              // FENs with an e.p. square are refused.
    Deaf,                  // FENs with an e.p. square are read without it.
    Stale,                 // The entry of a captured piece stays in the key.
    RightLeftIn,           // A right that is lost stays in the key.
    NoRights,              // No right is in either key.
    WrongIndex,            // A knight's entry is that of the square modulo 32, in both keys.
    NoEnPassant,           // No e.p. square is in either key.
    EnPassantNotRestored,  // `unmake` forgets the e.p. square.
    KeyNotRestored,        // `unmake` forgets the key after a capture.
    NullKeepsEnPassant,    // A null move leaves the e.p. square in the key.
    NullStays,             // A null move is not unmade.
    ClockInKey,            // The halfmove clock is in both keys.
    SameText,              // Promotions are written without their piece.
    CastlesTwice,          // A castling move is listed in both of its notations.
    LongStep,              // The king on e1 steps to d3 instead of d1.
    PawnsSquare,           // The e.p. square is written and read as the square of the pawn.
    NoClock,               // The clocks are always written as 0 and 1.
    ClocksAtTimes,         // Clocks are left out if the halfmove clock is 0.
    ClockRunsOn,           // A capture does not reset the halfmove clock.
    RightWritten,          // The right of a captured rook is written, though it is lost.
    LateClock,             // From the third move on, the halfmove clock is written one too high.
    TwoPolicies,           // White's double pushes are written under a different policy from Black's.
    NoCapture,             // An e.p. capture is not called a capture.
    DiscoveredUnseen,      // Discovered checks are not called checks.
    DetailAtTimes,         // The checkmate detail is supplied only for checks.
    KingStays,             // Castling is missing if the king stays on its square.
    KingsSquares,          // Castling is always written as the king's two squares.
    StandardOnly,          // It plays no Chess960, and says so.
    AfterWithoutEnPassant, // The key after a move forgets the e.p. square that a double push leaves.
    AfterWithEnPassant,    // The key after a move keeps the e.p. square of the position before.
    AfterWithoutRook,      // The key after castling forgets the rook.
    AfterWithPawn,         // The key after a promotion has the pawn.
    AfterWithCaptured,     // The key after a capture has the captured piece.
    AfterWithoutSide,      // The key after a move has the side that moved.
    AfterWithRights,       // The key after a capture has the rights of the captured rook.
    AfterAtTimes,          // Only captures have a key after the move.
    AfterWithoutKeys,      // Moves have keys after them, but positions have no keys.
    LaterFensDiffer,       // FENs with a move number above 1 give another key, kept after moves; no FEN is written.
    MakePanics,            // Making an e.p. capture panics.
    UnmakePanics,          // Unmaking a capture panics.
    MovesPanic,            // Listing the moves panics from the third move on.
    KeyPanics,             // The key after two quiet moves panics.
    FromFenPanics,         // Reading an e.p. square panics.
    DetailsPanic,          // The details of castling panic.
    PanicsOnce,            // Making a second quiet move panics, but only once.
}

/// Fault of the board being judged. Chosen at run time, because one type per fault would be compiled forty times.
static PLANTED: AtomicU8 = AtomicU8::new(Fault::None as u8);
/// Whether a board that panics only once has already done so.
static PANICKED: AtomicBool = AtomicBool::new(false);
/// Held while a board is judged, so that boards are judged one at a time.
static JUDGING: Mutex<()> = Mutex::new(());

/// Our board with a key, in the role of a board under test.
#[derive(Clone)]
struct Own<const CHESS960: bool> {
    board: Board,
    key: u64,
    /// Part of the key that is set when a FEN is read and that moves do not change.
    read: u64,
}

fn key_table() -> &'static KeyTable {
    static TABLE: OnceLock<KeyTable> = OnceLock::new();
    TABLE.get_or_init(|| preset("cpw793").unwrap().key_tables(0).unwrap().parts.remove(0))
}

fn en_passant(board: &Board) -> u64 {
    key_table().en_passant[board.en_passant(EnPassantPolicy::Legal).map_or(64, Square::index)]
}

fn captures(board: &Board, mv: Move) -> Option<Piece> {
    board.piece_on(mv.to()).filter(|_| mv.kind() != Kind::Castle)
}

impl<const CHESS960: bool> Own<CHESS960> {
    fn has(fault: Fault) -> bool {
        PLANTED.load(Ordering::Relaxed) == fault as u8
    }

    fn entry(piece: Piece, square: Square) -> u64 {
        let wrong = Self::has(Fault::WrongIndex) && piece.role == Role::Knight;
        let square = if wrong { square.index() % 32 } else { square.index() };
        key_table().pieces[perft_gate_chess::Code::from(piece).index()][square]
    }

    /// Returns the part that a faulty board wrongly adds to both its keys.
    fn constant(&self) -> u64 {
        self.read ^ if Self::has(Fault::ClockInKey) { u64::from(self.board.halfmove()) << 32 } else { 0 }
    }

    fn rights(board: &Board) -> u64 {
        if Self::has(Fault::NoRights) { 0 } else { key_table().castling[board.castling_rights().index()] }
    }

    fn full(board: &Board) -> u64 {
        let entries = Square::all().filter_map(|square| Some(Self::entry(board.piece_on(square)?, square)));
        entries.fold(0, |key, entry| key ^ entry)
            ^ Self::rights(board)
            ^ if Self::has(Fault::NoEnPassant) { 0 } else { en_passant(board) }
            ^ key_table().side[board.turn().index()]
    }
}

impl<const CHESS960: bool> Subject for Own<CHESS960> {
    type Move = Move;
    type Undo = (Board, u64);
    const CHESS960: bool = CHESS960;
    const UNMAKE: Option<Unmake<Self>> = Some(|own, mv, (board, key)| {
        assert!(!Self::has(Fault::UnmakePanics) || captures(&board, mv).is_none(), "nothing to put back");
        let forgets = Self::has(Fault::KeyNotRestored) && captures(&board, mv).is_some();
        own.key = if forgets { own.key } else { key };
        own.board = board;
        if Self::has(Fault::EnPassantNotRestored) {
            own.board = board_with(&board, |setup| setup.en_passant = None).unwrap();
        }
    });
    const UNMAKE_NULL: Option<fn(&mut Self, Self::Undo)> = Some(|own, (board, key)| {
        if !Self::has(Fault::NullStays) {
            (own.board, own.key) = (board, key);
        }
    });

    fn from_fen(fen: &str) -> Result<Self, String> {
        let fen = if Self::has(Fault::PawnsSquare) { on_rank(fen, "45", "36") } else { fen.into() };
        let mut board = Fen::parse(&fen).map_err(|error| error.to_string())?;
        if board.en_passant(EnPassantPolicy::Always).is_some() {
            assert!(!Self::has(Fault::FromFenPanics), "the e.p. square {fen:?}");
            if Self::has(Fault::Refusing) {
                return Err("no such square".into());
            }
            if Self::has(Fault::Deaf) {
                board = board_with(&board, |setup| setup.en_passant = None).unwrap();
            }
        }
        let read = u64::from(Self::has(Fault::LaterFensDiffer) && board.fullmove() > 1);
        Ok(Own { key: Self::full(&board), board, read })
    }
    fn moves(&self) -> Vec<Move> {
        assert!(!Self::has(Fault::MovesPanic) || self.board.fullmove() < 3, "the list is full");
        let mut moves = legal_moves(&self.board).to_vec();
        if Self::has(Fault::Missing) {
            moves.retain(|mv| mv.kind() != Kind::EnPassant);
        }
        if Self::has(Fault::KingStays) {
            moves.retain(|mv| mv.kind() != Kind::Castle || king_target(*mv) != mv.from());
        }
        let [e1, d1, d3, g1] = ["e1", "d1", "d3", "g1"].map(|square| Square::parse(square).unwrap());
        for mv in moves.iter_mut().filter(|mv| Self::has(Fault::LongStep) && (mv.from(), mv.to()) == (e1, d1)) {
            *mv = Move::new(e1, d3, Move::NORMAL);
        }
        if Self::has(Fault::CastlesTwice) && moves.iter().any(|mv| mv.kind() == Kind::Castle) {
            moves.push(Move::new(e1, g1, Move::NORMAL));
        }
        let [from, over, to] = ["a2", "a3", "a4"].map(|square| Square::parse(square).unwrap());
        let piece = |square| self.board.piece_on(square);
        let jumps =
            piece(from).is_some_and(|piece| piece.role == Role::Pawn) && piece(over).is_some() && piece(to).is_none();
        if Self::has(Fault::Jumping) && jumps && self.board.turn() == Color::White {
            moves.push(Move::new(from, to, Move::DOUBLE_PUSH));
        }
        moves
    }
    fn uci(&self, mv: Move) -> String {
        match mv.kind() {
            Kind::Promotion(_) if Self::has(Fault::SameText) => format!("{}{}", mv.from(), mv.to()),
            Kind::Castle if Self::has(Fault::KingsSquares) => format!("{}{}", mv.from(), king_target(mv)),
            _ if Self::has(Fault::CastlesTwice) => mv.uci_chess960().to_string(),
            _ => mv.uci().to_string(),
        }
    }
    fn make(&mut self, mv: Move) -> (Board, u64) {
        let is_first = || self.board.halfmove() == 1 && !PANICKED.swap(true, Ordering::Relaxed);
        assert!(!(Self::has(Fault::PanicsOnce) && is_first()), "a bit flipped");
        assert!(!Self::has(Fault::MakePanics) || mv.kind() != Kind::EnPassant, "no victim on {}", mv.to());
        let undo = (self.board, self.key);
        let (before, victim) = (self.board, captures(&self.board, mv));
        self.board = board_after(&before, mv);
        if Self::has(Fault::RightKept) && victim.is_some() && before.castling_rooks().has(mv.to()) {
            let mut kept = Setup::from(&self.board);
            kept.castling_rooks |= mv.to().into();
            self.board = Board::new(&kept);
        }
        if Self::has(Fault::ClockRunsOn) && victim.is_some() {
            self.board = board_with(&self.board, |setup| setup.halfmove = before.halfmove() + 1).unwrap();
        }
        self.key ^= Self::full(&before) ^ Self::full(&self.board);
        match victim {
            Some(victim) if Self::has(Fault::Stale) => self.key ^= Self::entry(victim, mv.to()),
            _ => {}
        }
        if Self::has(Fault::RightLeftIn) {
            self.key ^= Self::rights(&before) ^ Self::rights(&self.board);
        }
        undo
    }
    fn make_null(&mut self) -> Option<(Board, u64)> {
        let undo = (self.board, self.key);
        self.board = board_after_null_move(&self.board)?;
        self.key ^= Self::full(&undo.0) ^ Self::full(&self.board);
        if Self::has(Fault::NullKeepsEnPassant) {
            self.key ^= en_passant(&undo.0) ^ en_passant(&self.board);
        }
        Some(undo)
    }
    fn key(&self) -> Option<Key> {
        assert!(!Self::has(Fault::KeyPanics) || self.board.halfmove() != 2, "an index is too large");
        (!Self::has(Fault::AfterWithoutKeys)).then(|| (self.key ^ self.constant()).into())
    }
    fn recomputed_key(&self) -> Option<Key> {
        (!Self::has(Fault::AfterWithoutKeys)).then(|| (Self::full(&self.board) ^ self.constant()).into())
    }
    fn key_after(&self, mv: Move) -> Option<Key> {
        let is_offered = match () {
            () if Self::has(Fault::AfterAtTimes) => captures(&self.board, mv).is_some(),
            // With other faults, the key after the move may be wrong, which would be a second finding.
            () => {
                let of_keys_after = Fault::AfterWithoutEnPassant as u8..=Fault::AfterWithoutKeys as u8;
                Self::has(Fault::None) || of_keys_after.contains(&PLANTED.load(Ordering::Relaxed))
            }
        };
        if !is_offered {
            return None;
        }
        let after = board_after(&self.board, mv);
        let wrong = board_with(&after, |setup| match mv.kind() {
            Kind::DoublePush if Self::has(Fault::AfterWithoutEnPassant) => setup.en_passant = None,
            Kind::Castle if Self::has(Fault::AfterWithoutRook) => {
                let (_, rook_to) = Wing::of_rook(mv.from(), mv.to()).destinations(self.board.turn());
                setup.pieces.swap(rook_to.index(), mv.to().index());
            }
            _ if Self::has(Fault::AfterWithoutSide) => (setup.turn, setup.en_passant) = (!setup.turn, None),
            _ => {}
        });
        // No board can have a pawn on a back rank, or rights without a rook, so these faults change the key itself.
        let entry = |role| Self::entry(Piece { color: self.board.turn(), role }, mv.to());
        let mut key = Self::full(&wrong.unwrap_or(after)) ^ self.constant();
        match mv.kind() {
            Kind::Promotion(Role::Queen) if Self::has(Fault::AfterWithPawn) => {
                key ^= entry(Role::Pawn) ^ entry(Role::Queen);
            }
            _ if Self::has(Fault::AfterWithEnPassant) => key ^= en_passant(&self.board) ^ key_table().en_passant[64],
            Kind::Normal if Self::has(Fault::AfterWithCaptured) => {
                key ^= captures(&self.board, mv).map_or(0, |victim| Self::entry(victim, mv.to()));
            }
            _ if Self::has(Fault::AfterWithRights) => key ^= Self::rights(&self.board) ^ Self::rights(&after),
            _ => {}
        }
        Some(key.into())
    }
    fn details(&self, mv: Move) -> Details {
        assert!(!Self::has(Fault::DetailsPanic) || mv.kind() != Kind::Castle, "no such target");
        let of = Statistics::of_move(&self.board, mv);
        let details = Details {
            capture: Some(of.captures > 0),
            en_passant: Some(of.en_passant > 0),
            castling: Some(of.castles > 0),
            promotion: Some(of.promotions > 0),
            check: Some(of.checks > 0),
            ..Details::default()
        };
        match () {
            () if Self::has(Fault::NoCapture) && of.en_passant > 0 => Details { capture: Some(false), ..details },
            () if Self::has(Fault::DiscoveredUnseen) && of.discovered > 0 => Details { check: Some(false), ..details },
            () if Self::has(Fault::DetailAtTimes) && of.checks > 0 => {
                Details { checkmate: Some(of.mates > 0), ..details }
            }
            () => details,
        }
    }
    fn fen(&self) -> Option<String> {
        if Self::has(Fault::LaterFensDiffer) || Self::has(Fault::RightKept) {
            return None;
        }
        let fen = match self.board.turn() {
            Color::Black if Self::has(Fault::TwoPolicies) => Fen::write(&self.board, EnPassantPolicy::Always),
            _ => Fen::write(&self.board, EnPassantPolicy::Legal),
        };
        let without_clocks = || fen.split(' ').take(4).collect::<Vec<_>>().join(" ");
        Some(match () {
            () if Self::has(Fault::PawnsSquare) => on_rank(&fen, "36", "45"),
            () if Self::has(Fault::NoClock) => without_clocks() + " 0 1",
            () if Self::has(Fault::ClocksAtTimes) && self.board.halfmove() == 0 => without_clocks(),
            () if Self::has(Fault::LateClock) && self.board.fullmove() > 2 => {
                format!("{} {} {}", without_clocks(), self.board.halfmove() + 1, self.board.fullmove())
            }
            () if Self::has(Fault::RightWritten) => fen.replace(" KQk ", " KQkq "),
            () => fen,
        })
    }
}

/// Returns a FEN with its e.p. square on another rank.
fn on_rank(fen: &str, from: &str, to: &str) -> String {
    let mut fields: Vec<String> = fen.split(' ').map(String::from).collect();
    for (from, to) in from.chars().zip(to.chars()) {
        fields[3] = fields[3].replace(from, &to.to_string());
    }
    fields.join(" ")
}

/// Returns a suite of one position with its true leaf count.
fn suite(fen: &str, depth: u32) -> Suite {
    let nodes = count(&Fen::parse(fen).unwrap(), depth, Level::detect(), &Control::default()).nodes;
    Suite::parse(&format!("{fen} ;D{depth} {} ;id row", nodes[depth as usize])).unwrap()
}

/// Judges our board with a fault planted in it.
fn judge(fault: Fault, suite: Suite, depth: u32) -> Result<Report, Failure> {
    let _judging = JUDGING.lock().unwrap_or_else(PoisonError::into_inner);
    PLANTED.store(fault as u8, Ordering::Relaxed);
    match fault {
        Fault::StandardOnly => gate::<Own<false>>(suite, Depth(depth)),
        _ => gate::<Own<true>>(suite, Depth(depth)),
    }
}

const CORNERS: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
const KNIGHT: &str = "4k3/8/8/3n4/4P3/8/8/4K3 w - - 0 1";
const EN_PASSANT: &str = "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1";
const PUSH: &str = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1";

#[test]
fn a_right_board_passes() {
    let report = judge(Fault::None, Suite::standard(), 2).unwrap();
    let nodes = report.nodes as u64;
    assert_eq!((report.checks.keys, report.checks.unmakes), (nodes, nodes - report.rows));
    assert!(report.identities > 0 && report.checks.round_trips > 0 && report.checks.null_moves > 0, "{report}");
    assert_eq!(report.en_passant, Some([Some(EnPassantPolicy::Legal); 2]));
    assert!(report.fens.compared > nodes / 2, "{report}");
    let details =
        "(capture, e.p. capture, castling, promotion, check; not supplied: discovered check, double check, checkmate)";
    assert!(report.to_string().contains(&format!("details {} {details}", nodes - report.rows)), "{report}");
    assert!(report.to_string().contains(&format!(", V7 keys after moves {}", nodes - report.rows)), "{report}");
    // From depth 3 on, the root's children are compared separately and their results are joined.
    for (fen, depth) in [(CORNERS, 3), ("4k3/2p5/8/8/8/8/8/4K2R w K - 0 1", 4)] {
        let report = judge(Fault::None, suite(fen, depth), depth).unwrap();
        assert_eq!((report.keys_after.moves, report.details.moves), (report.nodes as u64 - 1, report.nodes as u64 - 1));
    }
    let habits = "(e.p. legal by moves, legal by FEN; castling as KQkq), V7 keys after moves";
    assert!(report.to_string().contains(habits), "{report}");
    for (_, fen, depth, ..) in faults() {
        judge(Fault::None, suite(fen, depth), depth).unwrap();
    }
}

/// A fault, the position and depth where it shows, the check that must fail, the moves that lead there, and texts that
/// the report must contain.
type Case = (Fault, &'static str, u32, SubjectCheck, &'static [&'static str], &'static [&'static str]);

#[rustfmt::skip]
fn faults() -> Vec<Case> {
    use SubjectCheck::{Counts, Details, Fen, Identity, KeyAfter, Node, Panic, UciTexts, WrittenFen};
    vec![
        (Fault::Missing, PUSH, 2, Counts, &[], &["missing   d4e3: e.p. capture", "path      e2e4"]),
        (Fault::Jumping, "4k3/8/8/8/8/n7/P7/4K3 w - - 0 1", 3, Counts, &[], &["illegal   a2a4: a pawn is blocked"]),
        (Fault::RightKept, "r3k2r/8/8/3B4/4b3/8/8/R3K2R w KQkq - 0 1", 3, Counts, &[], &["leaves a wrong position", "of a rook that may castle", "without the right"]),
        (Fault::SameText, "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", 1, UciTexts, &[], &["expected  one move a7a8 in 4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8:Promotion(Knight) (a7a8) and a7a8:Promotion(Bishop) (a7a8)"]),
        (Fault::SameText, "4k3/8/P7/8/8/8/8/4K3 w - - 0 1", 3, UciTexts, &["a6a7", "e8d7"], &["one move a7a8 in 8/P2k4/8/8/8/8/8/4K3 w - - 1 2"]),
        (Fault::CastlesTwice, CORNERS, 1, UciTexts, &[], &["e1h1:Castle (e1h1) and e1g1:Normal (e1g1)"]),
        (Fault::LongStep, "4k3/8/8/8/8/8/8/4K3 w - - 0 1", 1, Counts, &[], &["the same number of moves", "missing   e1d1: king move", "illegal   e1d3: a king does not move like that"]),
        (Fault::LongStep, "4k3/8/8/8/8/8/8/5K2 w - - 0 1", 3, Counts, &[], &["path      f1e1 e8d7", "missing   e1d1: king move"]),
        (Fault::PawnsSquare, EN_PASSANT, 1, WrittenFen, &[], &["expected  en passant 'd6'", "found     en passant 'd5': '4k3/8/8/2PpP3/8/8/8/4K3 w - d5 0 1'"]),
        (Fault::PawnsSquare, "4k3/4p3/8/3P4/8/8/8/4K3 w - - 0 1", 2, WrittenFen, &["e1d1", "e7e5"], &["expected  en passant 'e6'", "found     en passant 'e5': '4k3/8/8/3Pp3/8/8/8/3K4 w - e5 0 2'"]),
        (Fault::NoClock, KNIGHT, 1, WrittenFen, &["e1d1"], &["expected  halfmove clock '1' (if the board keeps no clocks, leave both fields out)", "found     halfmove clock '0'"]),
        (Fault::NoClock, "4k3/8/8/8/8/8/8/4K3 w - - 7 9", 1, WrittenFen, &[], &["halfmove clock '7'", "fullmove number '9'", "found     halfmove clock '0', fullmove number '1'"]),
        (Fault::ClocksAtTimes, "4k3/8/8/8/8/8/P7/4K3 w - - 3 9", 1, WrittenFen, &["a2a3"], &["halfmove clock a value, as in earlier positions", "found     halfmove clock absent, fullmove number absent"]),
        (Fault::ClockRunsOn, "4k3/8/8/3n4/8/4P3/8/4K3 w - - 4 9", 3, WrittenFen, &["e1d1", "d5e3"], &["capture by a knight", "expected  halfmove clock '0'\n", "found     halfmove clock '6': '4k3/8/8/8/8/4n3/8/3K4 w - - 6 10'"]),
        (Fault::LateClock, perft_gate_chess::Fen::START, 4, WrittenFen, &[], &["expected  halfmove clock '"]),
        (Fault::RightWritten, "r3k2r/8/8/3B4/4b3/8/8/R3K2R w KQkq - 0 1", 1, WrittenFen, &["d5a8"], &["of a rook that may castle", "expected  castling 'KQk' (KQkq)", "found     castling 'KQkq'"]),
        (Fault::TwoPolicies, "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1", 2, WrittenFen, &["e1d1", "e7e5"], &["expected  en passant 'e6' (always)", "found     en passant '-'"]),
        (Fault::NoCapture, EN_PASSANT, 1, Details, &["c5d6"], &["e.p. capture", "expected  capture: yes", "found     capture: no"]),
        (Fault::NoCapture, PUSH, 2, Details, &["e2e4", "d4e3"], &["before    4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "expected  capture: yes"]),
        (Fault::DiscoveredUnseen, "4k3/8/4n3/8/8/8/4N3/4RK2 b - - 0 1", 2, Details, &[], &["expected  check: yes", "found     check: no"]),
        (Fault::DetailAtTimes, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", 1, Details, &["a1a8"], &["expected  checkmate: none, as in earlier positions", "found     checkmate: no"]),
        (Fault::KingStays, "6kr/8/8/8/8/8/8/6KR w Hh - 0 1", 1, Counts, &[], &["missing   g1h1: castling on the king's side"]),
        (Fault::KingStays, "6kr/8/8/8/8/8/8/K7 w h - 0 1", 2, Counts, &[], &["path      a1b1", "missing   g8h8: castling on the king's side"]),
        (Fault::KingsSquares, "r4k1r/8/8/8/8/8/8/R4K1R w HAha - 0 1", 1, UciTexts, &[], &["one move f1g1 in r4k1r/8/8/8/8/8/8/R4K1R w HAha - 0 1", "in Chess960 castling is written as king takes rook"]),
        (Fault::Refusing, EN_PASSANT, 1, Fen, &[], &["expected  a position", "refused: no such square"]),
        (Fault::Refusing, PUSH, 1, Node(RoundTrip), &["e2e4"], &["found     refused: no such square"]),
        (Fault::Deaf, EN_PASSANT, 1, WrittenFen, &[], &["expected  en passant 'd6'", "found     en passant '-'"]),
        (Fault::Deaf, EN_PASSANT, 1, Counts, &[], &["missing   c5d6: e.p. capture", "missing   e5d6: e.p. capture"]),
        (Fault::Stale, KNIGHT, 2, Node(Keys), &["e4d5"], &["capture by a pawn", "diagnosis black knight on d5 left in"]),
        (Fault::RightLeftIn, CORNERS, 1, Node(Keys), &["e1d1"], &["diagnosis castling rights KQ left in"]),
        (Fault::NoRights, "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", 4, Identity, &[], &["a key other than that of 4k3/8/8/8/8/8/8/R3K3 w Q "]),
        (Fault::NoEnPassant, PUSH, 1, Identity, &[], &["it does not count where a capture is legal"]),
        (Fault::WrongIndex, "4k3/8/8/8/8/8/8/N3K3 w - - 0 1", 4, Identity, &[], &["a key other than that of"]),
        (Fault::EnPassantNotRestored, EN_PASSANT, 1, Node(Unmake), &[], &["d6 0 1", "- 0 1", "recomputed"]),
        (Fault::KeyNotRestored, KNIGHT, 1, Node(Unmake), &["e4d5"], &["capture by a pawn", "expected  key "]),
        (Fault::NullKeepsEnPassant, EN_PASSANT, 1, Node(NullMove), &[], &["diagnosis e.p. d6 left in"]),
        (Fault::NullStays, KNIGHT, 1, Node(NullMove), &[], &[" w - - 0 1", " b - - 1 1"]),
        (Fault::ClockInKey, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 4, Identity, &[], &["as by another path to this position"]),
        (Fault::AfterWithoutEnPassant, PUSH, 2, KeyAfter, &["e2e4"], &["move      e2e4 (double push)", "diagnosis e.p. e3 missing"]),
        (Fault::AfterWithEnPassant, EN_PASSANT, 1, KeyAfter, &[], &["diagnosis e.p. d6 left in"]),
        (Fault::AfterWithoutRook, "5k2/8/8/8/8/8/8/4K2R w K - 0 1", 1, KeyAfter, &["e1g1"], &["(castling", "diagnosis white rook on "]),
        (Fault::AfterWithPawn, "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", 2, KeyAfter, &["a7a8q"], &["(promotion"]),
        (Fault::AfterWithCaptured, KNIGHT, 1, KeyAfter, &["e4d5"], &["diagnosis black knight on d5 left in"]),
        (Fault::AfterWithoutSide, KNIGHT, 1, KeyAfter, &[], &["diagnosis side"]),
        (Fault::AfterWithRights, "r3k2r/8/8/3B4/4b3/8/8/R3K2R w KQkq - 0 1", 1, KeyAfter, &[], &["diagnosis castling rights"]),
        (Fault::AfterAtTimes, KNIGHT, 1, KeyAfter, &[], &["expected  none, as in earlier positions"]),
        (Fault::AfterWithoutKeys, "4k3/2p5/8/8/8/8/8/4K2R w K - 0 1", 2, KeyAfter, &[], &["expected  none", "found     "]),
        (Fault::MakePanics, EN_PASSANT, 2, Panic, &["c5d6"], &["move      c5d6 (e.p. capture", "expected  `make` returns", "found     panic: no victim on d6"]),
        (Fault::MakePanics, PUSH, 4, Panic, &["e2e4", "d4e3"], &["before    4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"]),
        (Fault::UnmakePanics, KNIGHT, 1, Panic, &["e4d5"], &["expected  `UNMAKE` returns", "panic: nothing to put back"]),
        (Fault::MovesPanic, "4k3/8/8/8/8/8/8/4K3 w - - 0 1", 5, Panic, &["e1d1", "e8d7", "d1c1", "d7c6"], &["before    8/3k4/8/8/8/8/8/2K5 b - - 3 2", "expected  `moves` returns", "panic: the list is full"]),
        (Fault::KeyPanics, CORNERS, 2, Panic, &["e1d1", "e8d7"], &["expected  `key` or `recomputed_key` returns", "panic: an index is too large"]),
        (Fault::FromFenPanics, EN_PASSANT, 1, Panic, &[], &["expected  `from_fen` returns", "panic: the e.p. square"]),
        (Fault::FromFenPanics, PUSH, 1, Panic, &[], &["e.p. squares in the key: panic", "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1"]),
        (Fault::DetailsPanic, "4k3/4p3/8/8/8/8/8/4K2R w K - 0 1", 3, Panic, &["e1g1"], &["expected  `details` or `key_after` returns"]),
        (Fault::PanicsOnce, "4k3/8/8/8/8/8/8/4K3 w - - 0 1", 2, Panic, &[], &["every method returns", "panic: a bit flipped (not when each is called again)"]),
        (Fault::LaterFensDiffer, KNIGHT, 2, Node(NullMove), &["e1d1"], &["the key of ", "after the moves"]),
    ]
}

#[test]
fn every_fault_is_found_and_named() {
    let unnamed: Vec<String> = faults()
        .into_iter()
        .filter_map(|(fault, fen, depth, check, path, parts)| {
            let failure = match judge(fault, suite(fen, depth), depth) {
                Ok(report) => return Some(format!("{fen} passed: {report}")),
                Err(failure) => failure,
            };
            let named = failure.findings.iter().any(|finding| {
                let text = finding.to_string();
                finding.check == check
                    && parts.iter().all(|part| text.contains(part))
                    && (path.is_empty() || finding.path == path)
            });
            (!named).then(|| format!("{fen}: expected {check} after {path:?} with {parts:?} in {failure}"))
        })
        .collect();
    assert!(unnamed.is_empty(), "{}", unnamed.join("\n\n"));
}

#[test]
fn rows_of_chess960_are_played_or_skipped_and_that_is_said() {
    let report = judge(Fault::None, Suite::chess960(), 2).unwrap();
    assert_eq!((report.rows, report.skipped), (Suite::chess960().rows.len() as u64, 0));
    let mut both = suite(CORNERS, 1);
    both.rows.extend(Suite::chess960().rows);
    let report = judge(Fault::StandardOnly, both, 1).unwrap();
    let skipped = Suite::chess960().rows.iter().filter(|row| row.board().is_chess960()).count() as u64;
    assert_eq!(report.skipped, skipped);
    assert!(
        skipped > 15
            && report.to_string().ends_with(&format!("; {skipped} rows skipped: the board does not play Chess960")),
        "{report}"
    );
    let none = judge(Fault::StandardOnly, suite("6kr/8/8/8/8/8/8/6KR w Hh - 0 1", 1), 1);
    assert!(none.unwrap_err().to_string().contains("1 row of Chess960, which the board does not play"));
}

#[test]
fn a_wrong_list_of_counts_and_an_empty_suite_fail() {
    let row = |text: &str| judge(Fault::None, Suite::parse(text).unwrap(), 1);
    let failure = row(&format!("{CORNERS} ;D1 27 ;id row")).unwrap_err();
    assert!(failure.to_string().contains("26, the same as our counter: the suite's count is wrong"), "{failure}");
    assert!(row(&format!("{CORNERS} ;D2 568 ;id row")).unwrap_err().to_string().contains("none with a count"));
    assert!(judge(Fault::None, Suite { rows: Vec::new() }, 3).is_err());
    for rows in [format!("{CORNERS} ;D1 26"), PUSH.into()] {
        let nothing = judge(Fault::None, Suite::parse(&rows).unwrap(), 0).unwrap_err();
        assert!(nothing.to_string().contains("depth 0, which compares nothing"), "{nothing}");
    }
}
