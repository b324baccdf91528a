//! Our own board posing as a user's board that computes keys after moves (V7), with a planted fault. `perft selftest`
//! proves that the check of boards finds it.

use perft_gate_chess::{
    Board, CastlingRights, Code, EnPassantPolicy, Fen, Kind, Move, Piece, Square, Wing, legal_moves,
};
use perft_gate_judge::subject::{self, Depth, Failure, Report, Subject, SubjectCheck, Unmake};
use perft_gate_simd::V1;
use perft_gate_suite::Suite;
use perft_gate_walk::{Game, Position, Undo};
use perft_gate_zobrist::{Castling, Key, KeyTable, TableTracker, preset};
use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// A fault of the keys after moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyAfterFault {
    /// No fault: the control experiment.
    None,
    /// The e.p. square after a double push is missing.
    EnPassantForgotten,
    /// The previous position's e.p. square stays.
    EnPassantKept,
    /// The rook of castling stays where it was.
    CastlingRookForgotten,
    /// A promoted piece remains a pawn.
    PromotionForgotten,
    /// A captured piece stays.
    CaptureForgotten,
    /// Lost castling rights stay.
    RightsKept,
    /// The side to move does not change.
    SideForgotten,
}

/// Each fault, a position that shows it, and words in its report.
const CASES: [(KeyAfterFault, &str, &str); 8] = [
    (KeyAfterFault::None, Fen::START, ""),
    (KeyAfterFault::EnPassantForgotten, "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e.p. e3 missing"),
    (KeyAfterFault::EnPassantKept, "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", "e.p. d6 left in"),
    (KeyAfterFault::CastlingRookForgotten, "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "white rook on f1"),
    (KeyAfterFault::PromotionForgotten, "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "promotion to a"),
    (KeyAfterFault::CaptureForgotten, "4k3/8/8/3n4/4P3/8/8/4K3 w - - 0 1", "black knight on d5 left in"),
    (KeyAfterFault::RightsKept, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "castling rights"),
    (KeyAfterFault::SideForgotten, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "side"),
];

impl fmt::Display for KeyAfterFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?} (keys after moves)")
    }
}

/// The fault of the board under test. One type with a run-time fault takes an eighth of the code of one type per fault.
static PLANTED: AtomicU8 = AtomicU8::new(KeyAfterFault::None as u8);
/// Boards are judged one at a time.
static JUDGING: Mutex<()> = Mutex::new(());

fn key_table() -> &'static KeyTable {
    static TABLE: OnceLock<KeyTable> = OnceLock::new();
    let tables = || preset("cpw793").and_then(|scheme| scheme.key_tables(0)).expect("a preset with keys");
    TABLE.get_or_init(|| tables().parts.remove(0))
}

/// Our own board, with computed keys after moves.
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
    let planted = |fault: KeyAfterFault| PLANTED.load(Ordering::Relaxed) == fault as u8;
    let en_passant =
        |board: &Board| table.en_passant[board.en_passant(EnPassantPolicy::Legal).map_or(64, Square::index)];
    let entry = |piece: Option<Piece>, square: Square| {
        piece.map_or(0, |piece| table.pieces[Code::from(piece).index()][square.index()])
    };
    let castling = |rights: CastlingRights| table.castling[rights.index()];
    match mv.kind() {
        Kind::DoublePush if planted(KeyAfterFault::EnPassantForgotten) => en_passant(after) ^ table.en_passant[64],
        Kind::Castle if planted(KeyAfterFault::CastlingRookForgotten) => {
            let (_, rook_to) = Wing::of_rook(mv.from(), mv.to()).destinations(before.turn());
            let rook = before.piece_on(mv.to());
            entry(rook, mv.to()) ^ entry(rook, rook_to)
        }
        Kind::Promotion(_) if planted(KeyAfterFault::PromotionForgotten) => {
            entry(before.piece_on(mv.from()), mv.to()) ^ entry(after.piece_on(mv.to()), mv.to())
        }
        Kind::Normal if planted(KeyAfterFault::CaptureForgotten) => entry(before.piece_on(mv.to()), mv.to()),
        _ if planted(KeyAfterFault::EnPassantKept) => en_passant(before) ^ table.en_passant[64],
        _ if planted(KeyAfterFault::RightsKept) => {
            castling(before.castling_rights()) ^ castling(after.castling_rights())
        }
        _ if planted(KeyAfterFault::SideForgotten) => table.side[0] ^ table.side[1],
        _ => 0,
    }
}

fn judge(fault: KeyAfterFault, suite: Suite, depth: u32) -> Result<Report, Failure> {
    let _judging = JUDGING.lock().unwrap_or_else(PoisonError::into_inner);
    PLANTED.store(fault as u8, Ordering::Relaxed);
    subject::gate::<Foreseeing>(suite, Depth(depth))
}

/// Proves that faults in keys after moves are found, and that our keys are right at every node of two suites. Returns
/// one line per case.
///
/// **Errors**: the message names the fault that was missed.
pub fn prove() -> Vec<(KeyAfterFault, Result<String, String>)> {
    CASES.map(|(fault, fen, words)| (fault, prove_one(fault, fen, words))).into()
}

fn prove_one(fault: KeyAfterFault, fen: &str, words: &str) -> Result<String, String> {
    if fault == KeyAfterFault::None {
        return [Suite::standard(), Suite::chess960()].into_iter().try_fold(String::new(), |_, suite| {
            let report = judge(fault, suite, 2).map_err(|failure| failure.to_string())?;
            match u128::from(report.keys_after.moves + report.rows) == report.nodes {
                true => Ok(format!("V7 keys after moves {}, all right", report.keys_after)),
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
    let found = failure.findings.iter().find(|finding| finding.check == SubjectCheck::KeyAfter);
    // No FEN has a pawn on the last rank, so only the move shows a promotion.
    let line = found.map(|finding| finding.to_string().replace("\n  ", "; ")).filter(|text| text.contains(words));
    match (line, failure.findings.len()) {
        (Some(line), 1) => Ok(line),
        _ => Err(format!("expected '{words}' and nothing else, found {failure}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_after_moves_are_right_and_each_fault_in_them_is_found_and_named() {
        for (fault, result) in prove() {
            println!("{fault}: {}", result.unwrap_or_else(|error| panic!("{fault}: {error}")));
        }
    }
}
