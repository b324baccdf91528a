//! Tests with wrong answers about move codes (V8). Each fault is a mistake that the board makes with a set of codes.

use super::{Depth, Failure, Report, Subject, SubjectCheck, gate, suite};
use perft_gate_chess::{Bitboard, Board, Color, Fen, Kind, Move, Role, Square, attacks, legal_moves};
use perft_gate_simd::V1;
use perft_gate_suite::Suite;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Fault of the board being judged, as an index into [`FAULTS`].
static PLANTED: AtomicUsize = AtomicUsize::new(usize::MAX);
/// No fault, but the bits of each move code are scrambled, so that no squares can be found in the code.
const SCRAMBLED: usize = usize::MAX - 1;
/// No fault in the answers, but a king moves to h2 instead of h1.
const WRONG_MOVE: usize = usize::MAX - 2;
/// Factor that scrambles a code, and its inverse modulo 65,536.
const SCRAMBLE: [u16; 2] = [0x6d2b, 0xe983];
/// Held while a board is judged, so that boards are judged one at a time.
static JUDGING: Mutex<()> = Mutex::new(());

/// Whether the board tests move codes in two steps. Chosen at run time, so that one type is compiled.
static IN_TWO_STEPS: AtomicBool = AtomicBool::new(false);

fn is_in_two_steps() -> bool {
    IN_TWO_STEPS.load(Ordering::Relaxed)
}

/// Our board, which tests move codes in one step or in two.
#[derive(Clone)]
struct Coded(Board);

impl Subject for Coded {
    type Move = Move;
    type Undo = ();

    fn from_fen(fen: &str) -> Result<Self, String> {
        Fen::parse(fen).map(Coded).map_err(|error| error.to_string())
    }
    fn moves(&self) -> Vec<Move> {
        let mut moves = legal_moves(&self.0).to_vec();
        if PLANTED.load(Ordering::Relaxed) == WRONG_MOVE {
            let to_h1 = moves.iter_mut().find(|mv| mv.to() == Square::new(7)).unwrap();
            *to_h1 = Move::of_kind(to_h1.from(), Square::parse("h2").unwrap(), Kind::Normal);
        }
        moves
    }
    fn uci(&self, mv: Move) -> String {
        mv.uci_chess960().to_string()
    }
    fn make(&mut self, mv: Move) {
        self.0 = perft_gate_walk::board_after(&self.0, mv);
    }
    fn code(&self, mv: Move) -> Option<u16> {
        match PLANTED.load(Ordering::Relaxed) {
            SCRAMBLED => Some(mv.code().wrapping_mul(SCRAMBLE[0])),
            planted => match FAULTS.get(planted) {
                Some((HasNoCode, _, wrong, _)) if wrong(&self.0, Code(mv.code())) => None,
                _ => Some(mv.code()),
            },
        }
    }
    fn is_legal(&self, code: u16) -> Option<bool> {
        (!is_in_two_steps()).then(|| self.answer(code, Board::is_legal))?
    }
    fn is_pseudo_legal(&self, code: u16) -> Option<bool> {
        is_in_two_steps().then(|| self.answer(code, Board::is_pseudo_legal))?
    }
}

impl Coded {
    fn answer(&self, code: u16, right: fn(&Board, Move) -> bool) -> Option<bool> {
        let planted = PLANTED.load(Ordering::Relaxed);
        let code = if planted == SCRAMBLED { code.wrapping_mul(SCRAMBLE[1]) } else { code };
        let right = Move::from_code(code).is_some_and(|mv| right(&self.0, mv));
        let Some((mistake, _, wrong, _)) = FAULTS.get(planted) else { return Some(right) };
        match mistake {
            Accepts => Some(right || wrong(&self.0, Code(code))),
            Rejects => Some(right && !wrong(&self.0, Code(code))),
            IsSilent => (!wrong(&self.0, Code(code))).then_some(right),
            HasNoCode => Some(right),
        }
    }
}

fn judge<const TWO_STEPS: bool>(fault: usize, suite: Suite, depth: u32) -> Result<Report, Failure> {
    let _judging = JUDGING.lock().unwrap_or_else(PoisonError::into_inner);
    PLANTED.store(fault, Ordering::Relaxed);
    IN_TWO_STEPS.store(TWO_STEPS, Ordering::Relaxed);
    gate::<Coded>(suite, Depth(depth))
}

/// A move code: any 16 bits.
#[derive(Clone, Copy)]
struct Code(u16);

impl Code {
    fn mv(self) -> Move {
        Move::from_code(self.0 & 0x7fff).unwrap()
    }
    fn from(self) -> Square {
        self.mv().from()
    }
    fn to(self) -> Square {
        self.mv().to()
    }
    fn is(self, kind: Kind) -> bool {
        Move::from_code(self.0).is_some_and(|mv| mv.kind() == kind)
    }
    /// Returns true if the side to move makes a normal move with a piece of this role, not onto one of its own pieces.
    fn moves(self, board: &Board, role: Role) -> bool {
        self.is(Kind::Normal)
            && board.pieces(board.turn(), role).has(self.from())
            && !board.color(board.turn()).has(self.to())
    }
    /// Returns true if a white pawn moves by `ranks` ranks and `files` files.
    fn pawn(self, board: &Board, ranks: i32, files: i32) -> bool {
        let by = |to: u32, from: u32| to as i32 - from as i32;
        board.pieces(Color::White, Role::Pawn).has(self.from())
            && by(self.to().rank(), self.from().rank()) == ranks
            && by(self.to().file(), self.from().file()) == files
    }
    /// Returns true if the indices of the two squares differ by one of the values in `by`.
    fn leaps(self, by: &[u32]) -> bool {
        by.contains(&(self.from().index().abs_diff(self.to().index()) as u32))
    }
    /// Returns true if a move between the same squares, but of kind `kind`, is legal.
    fn is_legal_as(self, board: &Board, kind: Kind) -> bool {
        board.is_legal(Move::of_kind(self.from(), self.to(), kind))
    }
    fn is_pseudo_legal(self, board: &Board) -> bool {
        Move::from_code(self.0).is_some_and(|mv| board.is_pseudo_legal(mv))
    }
    fn castles(self, king: &str, rook: &str) -> bool {
        self.is(Kind::Castle) && Some(self.from()) == Square::parse(king) && Some(self.to()) == Square::parse(rook)
    }
}

/// What the board does with the wrong codes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mistake {
    Accepts,
    Rejects,
    IsSilent,
    /// The board gives no code for a legal move.
    HasNoCode,
}
use Mistake::{Accepts, HasNoCode, IsSilent, Rejects};

impl Mistake {
    /// Returns the depth needed to show the mistake. A missing answer shows only if the board answers elsewhere.
    fn depth(self) -> u32 {
        if matches!(self, Accepts | Rejects) { 1 } else { 3 }
    }
}

fn is_king(board: &Board, code: Code) -> bool {
    board.king(board.turn()) == code.from()
}

/// A mistake, a position that shows it, a test for the wrong codes, and words that the report must contain.
type Row = (Mistake, &'static str, fn(&Board, Code) -> bool, &'static str);

const CORNERS: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
const KINGS: &str = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
const PAWNS: &str = "4k3/8/8/1pPp4/8/n3n3/P3P1P1/4K3 w - d6 0 1";
const LAST: &str = "2n1k3/1P6/8/8/8/8/8/N3K3 w - - 0 1";
const NORMAL_FLAGS: &str = "the flags those of a capture or a quiet move";

#[rustfmt::skip]
const FAULTS: [Row; 57] = [
    (Accepts, LAST, |board, code| code.0 >= 0x8000 && board.is_legal(code.mv()), "no legal move has the flags"),
    (Accepts, PAWNS, |board, code| code.is(Kind::Normal) && board.piece_on(code.from()).is_none() && attacks::knight(code.from()).has(code.to()), "which is empty"),
    (Accepts, PAWNS, |board, code| code.is(Kind::Normal) && board.pieces(Color::Black, Role::Knight).has(code.from()) && attacks::knight(code.from()).has(code.to()), "a move of the other side's knight"),
    (Accepts, "4k3/8/8/8/8/1P6/8/N3K3 w - - 0 1", |board, code| code.is(Kind::Normal) && board.pieces(Color::White, Role::Knight).has(code.from()) && board.color(Color::White).has(code.to()) && attacks::knight(code.from()).has(code.to()), "a knight takes a piece of its own side"),
    (Accepts, LAST, |board, code| code.moves(board, Role::Knight) && code.to().rank() > 3, "a knight does not move like that"),
    (Accepts, LAST, |board, code| code.moves(board, Role::Knight) && code.leaps(&[6, 10, 15, 17]), "a knight does not move like that"),
    (Accepts, "4k3/8/8/8/7K/8/8/8 w - - 0 1", |board, code| code.moves(board, Role::King) && code.leaps(&[1, 7, 9]), "a king does not move like that"),
    (Accepts, "4k3/8/8/8/3p4/8/1B6/4K3 w - - 0 1", |board, code| code.moves(board, Role::Bishop) && attacks::bishop(V1::token(), code.from(), Bitboard::EMPTY).has(code.to()), "a bishop does not move like that"),
    (Accepts, "4k3/8/8/8/1p6/8/1R6/4K3 w - - 0 1", |board, code| code.moves(board, Role::Rook) && attacks::rook(V1::token(), code.from(), Bitboard::EMPTY).has(code.to()), "a rook does not move like that"),
    (Accepts, "4k3/8/8/8/1p6/8/1Q6/4K3 w - - 0 1", |board, code| code.moves(board, Role::Queen) && attacks::rook(V1::token(), code.from(), Bitboard::EMPTY).has(code.to()), "a queen does not move like that"),
    (Accepts, "4k3/8/8/8/8/8/1Q6/4K3 w - - 0 1", |board, code| code.moves(board, Role::Queen) && attacks::knight(code.from()).has(code.to()), "a queen does not move like that"),
    (Accepts, PAWNS, |board, code| code.is(Kind::Normal) && code.pawn(board, 1, 0), "a pawn is blocked"),
    (Accepts, PAWNS, |board, code| code.is(Kind::DoublePush) && code.from().rank() == 1 && code.pawn(board, 2, 0) && board.piece_on(code.to()).is_none(), "a pawn is blocked"),
    (Accepts, "4k3/8/8/8/n7/8/P6P/4K3 w - - 0 1", |board, code| code.is(Kind::DoublePush) && code.from().rank() == 1 && code.pawn(board, 2, 0), "a pawn is blocked"),
    (Accepts, "4k3/8/8/8/8/7P/P7/4K3 w - - 0 1", |board, code| code.is(Kind::DoublePush) && code.pawn(board, 2, 0), "a pawn does not move like that"),
    (Accepts, "4k3/8/8/8/P7/8/8/4K3 w - - 0 1", |board, code| code.is(Kind::Normal) && code.pawn(board, -1, 0), "a pawn does not move like that"),
    (Accepts, "4k3/8/7n/P7/8/8/8/4K3 w - - 0 1", |board, code| code.moves(board, Role::Pawn) && code.pawn(board, 1, 7) | code.pawn(board, 0, 7) , "a pawn does not move like that"),
    (Accepts, PAWNS, |board, code| code.moves(board, Role::Pawn) && code.pawn(board, 1, 1) && code.from().rank() == 1, "e.p. capture though no pawn was just pushed past the square"),
    (Accepts, "4k3/8/8/8/8/1P6/P7/4K3 w - - 0 1", |board, code| code.is(Kind::Normal) && code.pawn(board, 1, 1) && board.color(Color::White).has(code.to()), "a pawn takes a piece of its own side"),
    (Accepts, LAST, |board, code| code.is(Kind::Normal) && code.is_legal_as(board, Kind::Promotion(Role::Queen)), NORMAL_FLAGS),
    (Accepts, PAWNS, |board, code| code.is(Kind::Promotion(Role::Queen)) && code.pawn(board, 1, 0) && code.is_legal_as(board, Kind::Normal), "a promotion before the last rank"),
    (Accepts, LAST, |board, code| code.is(Kind::Promotion(Role::Rook)) && board.pieces(Color::White, Role::Knight).has(code.from()) && code.is_legal_as(board, Kind::Normal), "a knight does not promote"),
    (Accepts, PAWNS, |board, code| code.is(Kind::EnPassant) && code.pawn(board, 1, -1) && board.piece_on(code.to()).is_none(), "e.p. capture though no pawn was just pushed past the square"),
    (Accepts, "4k3/8/8/1p6/P7/8/8/4K3 w - - 0 1", |board, code| code.is(Kind::EnPassant) && code.pawn(board, 1, 1) && code.is_legal_as(board, Kind::Normal), "these squares are those of a capture, the flags those of an e.p. capture"),
    (Accepts, LAST, |board, code| code.is(Kind::EnPassant) && board.pieces(Color::White, Role::Knight).has(code.from()) && code.is_legal_as(board, Kind::Normal), "those of a quiet move, the flags those of an e.p. capture"),
    (Accepts, PAWNS, |board, code| code.is(Kind::Normal) && code.is_legal_as(board, Kind::EnPassant), NORMAL_FLAGS),
    (Accepts, PAWNS, |board, code| code.is(Kind::Normal) && code.is_legal_as(board, Kind::DoublePush), "those of a double push, the flags those of a capture or a quiet move"),
    (Accepts, "4k3/8/8/8/8/8/P7/4K3 w - - 0 1", |board, code| code.is(Kind::DoublePush) && code.pawn(board, 1, 0), "those of a quiet move, the flags those of a double push"),
    (Accepts, "8/8/8/K1pP3r/8/8/8/4k3 w - c6 0 1", |board, code| code.is(Kind::EnPassant) && code.is_pseudo_legal(board), "e.p. capture while pinned along the rank"),
    (Accepts, "4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1", |board, code| code.is(Kind::EnPassant) && code.is_pseudo_legal(board), "e.p. capture while pinned along the file"),
    (Accepts, "6k1/8/8/3pP3/8/8/4r3/4K3 w - d6 0 1", |board, code| code.is(Kind::EnPassant) && code.is_pseudo_legal(board), "e.p. capture that does not answer the check"),
    (Accepts, "r3k2r/8/8/8/8/8/8/R3K2R w Qkq - 0 1", |_, code| code.castles("e1", "h1"), "castling on the king's side without the right"),
    (Accepts, "4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1", |_, code| code.castles("e1", "h1"), "castling on the king's side out of check"),
    (Accepts, "4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", |_, code| code.castles("e1", "a1"), "castling on the queen's side through a piece"),
    (Accepts, "4k3/8/8/8/5r2/8/8/R3K2R w KQ - 0 1", |_, code| code.castles("e1", "h1"), "castling on the king's side through f1, which is attacked"),
    (Accepts, "4k3/8/8/8/6r1/8/8/R3K2R w KQ - 0 1", |_, code| code.castles("e1", "h1"), "castling on the king's side into check"),
    (Accepts, CORNERS, |_, code| code.castles("e1", "g1"), "a second code of castling"),
    (Accepts, CORNERS, |board, code| code.is(Kind::Normal) && code.is_legal_as(board, Kind::Castle), NORMAL_FLAGS),
    (Accepts, CORNERS, |_, code| code.castles("e8", "h8"), "a move of the other side's king"),
    (Accepts, "4k3/8/8/8/8/8/3r4/6K1 w - - 0 1", |board, code| is_king(board, code) && code.is_pseudo_legal(board), "the king moves into check"),
    (Accepts, "4k3/8/8/8/8/8/8/r5K1 w - - 0 1", |board, code| is_king(board, code) && code.is_pseudo_legal(board) && code.to().file() == 7 && code.to().rank() == 0, "the king retreats along the line of the check"),
    (Accepts, "4k3/8/8/8/4r3/8/4B3/4K3 w - - 0 1", |board, code| code.moves(board, Role::Bishop) && code.is_pseudo_legal(board), "a bishop pinned along the file leaves its pin"),
    (Accepts, "4k3/8/8/8/4r3/3n4/8/3BK3 w - - 0 1", |board, code| code.moves(board, Role::Bishop) && code.is_pseudo_legal(board), "in double check only the king may move"),
    (Accepts, "4k3/8/8/8/4r3/8/8/3BK3 w - - 0 1", |board, code| code.moves(board, Role::Bishop) && code.is_pseudo_legal(board), "the check is not answered"),
    (Rejects, PAWNS, |_, code| code.is(Kind::EnPassant), "accepts code 0x2ae2 (c5d6): e.p. capture"),
    (Rejects, "4k3/8/8/8/1r6/8/8/R3K2R w KQ - 0 1", |_, code| code.castles("e1", "a1"), "castling on the queen's side"),
    (Rejects, LAST, |_, code| code.is(Kind::Promotion(Role::Knight)), "promotion to a knight"),
    (Rejects, "4k3/8/8/4r3/8/8/4R3/4K3 w - - 0 1", |board, code| code.moves(board, Role::Rook), "rook move along the file of its pin"),
    (Rejects, "4k3/8/8/8/R3r3/8/8/4K3 w - - 0 1", |board, code| code.moves(board, Role::Rook), "capture by a rook that answers a check"),
    (Rejects, "4k3/8/8/4r3/8/8/3B4/4K3 w - - 0 1", |board, code| code.moves(board, Role::Bishop), "bishop move that answers a check"),
    (Accepts, LAST, |_, code| { assert!(code.0 != 0xbeef, "no such kind"); false }, "panic: no such kind"),
    (HasNoCode, LAST, |_, code| code.is(Kind::Promotion(Role::Knight)), "expected  `code` returns a value for b7b8n"),
    (HasNoCode, KINGS, |board, _| board.halfmove() > 0, "none, though moves of earlier positions have one"),
    (IsSilent, LAST, |_, code| code.0 == 0xbeef, "` returns a value for code 0xbeef (h6d8)"),
    (IsSilent, KINGS, |board, _| board.halfmove() > 0, "` returns a value, as in earlier positions"),
    (IsSilent, KINGS, |board, _| board.halfmove() == 2 && board.king(Color::White).rank() == 1, "` returns a value, as in earlier positions"),
    (IsSilent, KINGS, |board, _| board.halfmove() == 0, "` returns none, as in earlier positions"),
];

#[test]
fn a_right_board_passes_in_one_step_and_in_two() {
    for fen in FAULTS.iter().map(|row| row.1) {
        judge::<false>(usize::MAX, suite(fen, 2), 2).unwrap();
        judge::<true>(usize::MAX, suite(fen, 2), 2).unwrap();
    }
    for suite in [Suite::standard, Suite::chess960] {
        let report = judge::<false>(usize::MAX, suite(), 2).unwrap();
        assert_eq!(report.codes.answers, report.codes.nodes << 16);
        assert!(report.codes.nodes > 6 * report.rows && report.to_string().contains(", V8 move codes "), "{report}");
        judge::<true>(usize::MAX, suite(), 2).unwrap();
    }
}

#[test]
fn codes_without_visible_squares_are_compared_as_far_as_possible() {
    let position = || suite(CORNERS, 1);
    assert_eq!(judge::<false>(SCRAMBLED, position(), 1).unwrap().codes.answers, 1 << 16);
    // Only the answers about the 26 legal moves are compared.
    assert_eq!(judge::<true>(SCRAMBLED, position(), 1).unwrap().codes.answers, 26);
}

/// Two-step tests may accept moves that leave the king in check, but no other illegal moves.
#[test]
fn pseudo_legal_codes_may_break_only_the_king_safety() {
    for (fault, (mistake, fen, _, words)) in FAULTS.into_iter().enumerate() {
        let is_safety =
            ["pinned", "answer", "only the king", "the king ", "into check"].iter().any(|part| words.contains(part));
        let judged = judge::<true>(fault, suite(fen, mistake.depth()), mistake.depth());
        assert_eq!(judged.is_ok(), is_safety && mistake == Accepts, "{words}: {judged:?}");
    }
}

#[test]
fn every_wrong_answer_is_found_and_named() {
    let unnamed = FAULTS.into_iter().enumerate().filter_map(|(fault, (mistake, fen, _, words))| {
        let depth = mistake.depth();
        let Err(Failure { findings }) = judge::<false>(fault, suite(fen, depth), depth) else {
            return Some(format!("{words}: passed"));
        };
        let named = |text: &str| text.contains(words);
        let right =
            findings.iter().all(|finding| finding.check == SubjectCheck::Codes) && named(&findings[0].to_string());
        (!right || findings.len() > 2).then(|| format!("{words}: {findings:?}"))
    });
    let unnamed: Vec<String> = unnamed.collect();
    assert!(unnamed.is_empty(), "{}", unnamed.join("\n\n"));
}

#[test]
fn a_wrong_move_is_not_a_wrong_answer() {
    let Err(Failure { findings }) = judge::<false>(WRONG_MOVE, suite("4k3/8/8/8/8/8/3r4/6K1 w - - 0 1", 1), 1) else {
        panic!("passed");
    };
    let checks: Vec<SubjectCheck> = findings.iter().map(|finding| finding.check).collect();
    assert_eq!(checks, [SubjectCheck::Counts], "{findings:?}");
}
