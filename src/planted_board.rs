//! Our own board posing as a user's board that computes keys after moves (V7) and tests move codes (V8), with a planted
//! fault. `perft selftest` proves that the checks of boards find it.

use perft_gate_chess::{
    Board, CastlingRights, Code, EnPassantPolicy, Fen, Kind, Move, Piece, Role, Square, Wing, legal_moves,
};
use perft_gate_judge::subject::{self, Depth, Failure, Report, Subject, SubjectCheck, Unmake};
use perft_gate_simd::V1;
use perft_gate_suite::Suite;
use perft_gate_walk::{Game, Position, Undo};
use perft_gate_zobrist::{Castling, Key, KeyTable, TableTracker, preset};
use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

/// A fault of the keys after moves, or of the tests of move codes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoardFault {
    /// No fault: the control experiment.
    None,
    /// The e.p. square after a double push is missing.
    EnPassantForgotten,
    /// The previous position's e.p. square stays.
    EnPassantKept,
    CastlingRookForgotten,
    PromotionForgotten,
    CaptureForgotten,
    RightsKept,
    SideForgotten,
    /// Codes of no kind are accepted.
    UnknownKindAccepted,
    /// Castling through an attacked square is accepted.
    AttackIgnored,
    /// Moves that leave the king in check are accepted.
    PinIgnored,
    /// En passant captures are accepted without a square.
    EnPassantUnchecked,
    KnightRejected,
}

/// Each fault, a position that shows it, and words in its report.
const CASES: [(BoardFault, &str, &str); 13] = [
    (BoardFault::None, Fen::START, ""),
    (BoardFault::EnPassantForgotten, "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e.p. e3 missing"),
    (BoardFault::EnPassantKept, "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", "e.p. d6 left in"),
    (BoardFault::CastlingRookForgotten, "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "white rook on f1"),
    (BoardFault::PromotionForgotten, "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "promotion to a"),
    (BoardFault::CaptureForgotten, "4k3/8/8/3n4/4P3/8/8/4K3 w - - 0 1", "black knight on d5 left in"),
    (BoardFault::RightsKept, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "castling rights"),
    (BoardFault::SideForgotten, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "side"),
    (BoardFault::UnknownKindAccepted, "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "no legal move has the flags"),
    (BoardFault::AttackIgnored, "4k3/8/8/8/5r2/8/8/4K2R w K - 0 1", "through f1, which is attacked"),
    (BoardFault::PinIgnored, "4k3/8/8/8/4r3/8/4B3/4K3 w - - 0 1", "a bishop pinned along the file leaves its pin"),
    (BoardFault::EnPassantUnchecked, "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "though no pawn was just pushed"),
    (BoardFault::KnightRejected, "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "promotion to a knight"),
];

impl fmt::Display for BoardFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if *self as u8 > BoardFault::SideForgotten as u8 { "move codes" } else { "keys after moves" };
        write!(f, "{self:?} ({what})")
    }
}

/// The fault of the board under test. One type with a run-time fault takes an eighth of the code of one type per fault.
static PLANTED: AtomicU8 = AtomicU8::new(BoardFault::None as u8);

fn key_table() -> &'static KeyTable {
    static TABLE: OnceLock<KeyTable> = OnceLock::new();
    let tables = || preset("cpw793").and_then(|scheme| scheme.key_tables(0)).expect("a preset with keys");
    TABLE.get_or_init(|| tables().parts.remove(0))
}

/// Our own board, with computed keys after moves and a test of move codes.
#[derive(Clone)]
struct Foreseeing(Position<TableTracker<'static>>);

impl Subject for Foreseeing {
    type Move = Move;
    type Undo = Undo<u64>;
    const UNMAKE: Option<Unmake<Self>> = Some(|own, mv, undo| own.0.unmake(V1::token(), mv, undo));

    fn from_fen(fen: &str) -> Result<Self, String> {
        let board = Fen::parse(fen).map_err(|error| error.to_string())?;
        Ok(Foreseeing(Position::new(board, TableTracker::new(key_table(), Castling::C16))))
    }
    fn moves(&self) -> Vec<Move> {
        legal_moves(&self.0.board).to_vec()
    }
    fn uci(&self, mv: Move) -> String {
        let text = if self.0.board.is_chess960() { mv.uci_chess960() } else { mv.uci() };
        text.to_string()
    }
    fn make(&mut self, mv: Move) -> Undo<u64> {
        self.0.play(V1::token(), mv)
    }
    fn key(&self) -> Option<Key> {
        self.0.key()
    }
    fn recomputed_key(&self) -> Option<Key> {
        self.0.recompute()
    }
    fn code(&self, mv: Move) -> Option<u16> {
        Some(mv.code())
    }
    fn is_legal(&self, code: u16) -> Option<bool> {
        let board = &self.0.board;
        let (mv, planted) = (Move::from_code(code), PLANTED.load(Ordering::Relaxed));
        let is_legal = mv.is_some_and(|mv| board.is_legal(mv));
        let Some(mv) = mv else { return Some(planted == BoardFault::UnknownKindAccepted as u8) };
        let pseudo_legal = || board.is_pseudo_legal(mv);
        Some(match mv.kind() {
            Kind::Castle if planted == BoardFault::AttackIgnored as u8 => {
                mv.from() == board.king(board.turn()) && board.castling_rooks().has(mv.to())
            }
            Kind::Normal if planted == BoardFault::PinIgnored as u8 => {
                pseudo_legal() && mv.from() != board.king(board.turn()) || is_legal
            }
            Kind::EnPassant if planted == BoardFault::EnPassantUnchecked as u8 => {
                board.en_passant_capturers(board.turn(), mv.to()).has(mv.from()) && board.piece_on(mv.to()).is_none()
            }
            Kind::Promotion(Role::Knight) if planted == BoardFault::KnightRejected as u8 => false,
            _ => is_legal,
        })
    }
    fn key_after(&self, mv: Move) -> Option<Key> {
        let key = Position::key_after(V1::token(), &self.0.prepare(), mv)?;
        let mut child = self.0;
        let _ = child.play(V1::token(), mv);
        Some(Key(key.0 ^ u128::from(forgotten_terms(&self.0.board, mv, &child.board))))
    }
}

/// Returns the xor of a move's terms that the planted fault gets wrong.
fn forgotten_terms(before: &Board, mv: Move, after: &Board) -> u64 {
    let table = key_table();
    let planted = |fault: BoardFault| PLANTED.load(Ordering::Relaxed) == fault as u8;
    let en_passant =
        |board: &Board| table.en_passant[board.en_passant(EnPassantPolicy::Legal).map_or(64, Square::index)];
    let entry = |piece: Option<Piece>, square: Square| {
        piece.map_or(0, |piece| table.pieces[Code::from(piece).index()][square.index()])
    };
    let castling = |rights: CastlingRights| table.castling[rights.index()];
    match mv.kind() {
        Kind::DoublePush if planted(BoardFault::EnPassantForgotten) => en_passant(after) ^ table.en_passant[64],
        Kind::Castle if planted(BoardFault::CastlingRookForgotten) => {
            let (_, rook_to) = Wing::of_rook(mv.from(), mv.to()).destinations(before.turn());
            let rook = before.piece_on(mv.to());
            entry(rook, mv.to()) ^ entry(rook, rook_to)
        }
        Kind::Promotion(_) if planted(BoardFault::PromotionForgotten) => {
            entry(before.piece_on(mv.from()), mv.to()) ^ entry(after.piece_on(mv.to()), mv.to())
        }
        Kind::Normal if planted(BoardFault::CaptureForgotten) => entry(before.piece_on(mv.to()), mv.to()),
        _ if planted(BoardFault::EnPassantKept) => en_passant(before) ^ table.en_passant[64],
        _ if planted(BoardFault::RightsKept) => castling(before.castling_rights()) ^ castling(after.castling_rights()),
        _ if planted(BoardFault::SideForgotten) => table.side[0] ^ table.side[1],
        _ => 0,
    }
}

fn judge(fault: BoardFault, suite: Suite, depth: u32) -> Result<Report, Failure> {
    PLANTED.store(fault as u8, Ordering::Relaxed);
    subject::gate::<Foreseeing>(suite, Depth(depth))
}

/// Proves that faults in keys after moves and in move codes are found, and that our keys and codes are right at every node of two suites. Returns
/// one line per case.
///
/// **Errors**: the message names the fault that was missed.
pub fn prove() -> Vec<(BoardFault, Result<String, String>)> {
    CASES.map(|(fault, fen, words)| (fault, prove_one(fault, fen, words))).into()
}

fn prove_one(fault: BoardFault, fen: &str, words: &str) -> Result<String, String> {
    if fault == BoardFault::None {
        return [Suite::standard(), Suite::chess960()].into_iter().try_fold(String::new(), |_, suite| {
            let report = judge(fault, suite, 2).map_err(|failure| failure.to_string())?;
            match u128::from(report.keys_after.moves + report.rows) == report.nodes {
                true => {
                    Ok(format!("V7 keys after moves {}, V8 move codes {}, all right", report.keys_after, report.codes))
                }
                false => Err(format!("not every move was compared: {report}")),
            }
        });
    }
    let moves = legal_moves(&Fen::parse(fen).map_err(|error| error.to_string())?).len();
    let suite = Suite::parse(&format!("{fen} ;D1 {moves} ;id row")).map_err(|error| error.to_string())?;
    let failure = match judge(fault, suite, 1) {
        Ok(report) => return Err(format!("passed: {report}")),
        Err(failure) => failure,
    };
    let checks = [SubjectCheck::KeyAfter, SubjectCheck::Codes];
    let found = failure.findings.iter().find(|finding| checks.contains(&finding.check));
    // No FEN has a pawn on the last rank, so only the move shows a promotion.
    let line = found.map(|finding| finding.to_string().replace("\n  ", "; ")).filter(|text| text.contains(words));
    match (line, failure.findings.len()) {
        (Some(line), 1) => Ok(line),
        _ => Err(format!("expected '{words}' and nothing else, found {failure}")),
    }
}
