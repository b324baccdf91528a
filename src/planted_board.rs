//! Our own board in the role of a user's board, with a fault in the keys that it computes for moves (V7) or in its test
//! of move codes (V8). The tests of [`subject`](perft_gate_judge::subject) plant more faults of both kinds.

use perft_gate_chess::{Board, Code, EnPassantPolicy, Fen, Kind, Move, Role, Square, legal_moves};
use perft_gate_judge::subject::{Depth, Subject, SubjectCheck, gate};
use perft_gate_simd::V1;
use perft_gate_suite::Suite;
use perft_gate_walk::{Game, Position, board_after};
use perft_gate_zobrist::{Castling, Key, KeyTable, TableTracker, preset};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What is wrong with the board.
#[derive(Clone, Copy)]
enum BoardFault {
    None,
    /// The key after a move is wrong. Returns the key's error, given the move and the boards before and after it.
    Key(fn(&Board, Move, &Board) -> u64),
    /// The test of a move code is wrong. Returns the faulty answer, given the move and the right answer.
    Answer(fn(&Board, Move, bool) -> bool),
}
use BoardFault::{Answer, Key as InKey};

/// Each fault, with a position that shows it and words that the report of the fault must contain.
const CASES: [(&str, &str, &str, BoardFault); 9] = [
    ("none", Fen::START, "", BoardFault::None),
    ("V7 e.p. forgotten", "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e.p. e3 missing", InKey(ep_forgotten)),
    ("V7 captured piece kept", "4k3/8/8/3n4/4P3/8/8/4K3 w - - 0 1", "knight on d5 left in", InKey(capture_kept)),
    ("V7 rights kept", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "castling rights", InKey(rights_kept)),
    ("V7 side forgotten", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "side", InKey(side_forgotten)),
    ("V8 castling through attack", "4k3/8/8/8/5r2/8/8/4K2R w K - 0 1", "f1, which is attacked", Answer(castles)),
    ("V8 pin ignored", "4k3/8/8/8/4r3/8/4B3/4K3 w - - 0 1", "leaves its pin", Answer(ignores_pins)),
    ("V8 e.p. without a square", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "no pawn was just pushed", Answer(captures_e_p)),
    ("V8 no knight promotion", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "promotion to a knight", Answer(no_knight)),
];

fn ep_forgotten(_: &Board, mv: Move, after: &Board) -> u64 {
    let term = |square: Option<Square>| TABLE.en_passant[square.map_or(64, Square::index)];
    if mv.is_double_push() { term(after.en_passant(EnPassantPolicy::Legal)) ^ term(None) } else { 0 }
}

fn capture_kept(before: &Board, mv: Move, _: &Board) -> u64 {
    before.piece_on(mv.to()).map_or(0, |piece| TABLE.pieces[Code::from(piece).index()][mv.to().index()])
}

fn rights_kept(before: &Board, _: Move, after: &Board) -> u64 {
    TABLE.castling[before.castling_rights().index()] ^ TABLE.castling[after.castling_rights().index()]
}

fn side_forgotten(_: &Board, _: Move, _: &Board) -> u64 {
    TABLE.side[0] ^ TABLE.side[1]
}

fn castles(board: &Board, mv: Move, is_legal: bool) -> bool {
    let rooks = board.castling_rooks();
    is_legal || mv.kind() == Kind::Castle && mv.from() == board.king(board.turn()) && rooks.has(mv.to())
}

fn ignores_pins(board: &Board, mv: Move, is_legal: bool) -> bool {
    is_legal || board.is_pseudo_legal(mv) && mv.from() != board.king(board.turn())
}

fn captures_e_p(board: &Board, mv: Move, is_legal: bool) -> bool {
    let captures = || board.en_passant_capturers(board.turn(), mv.to()).has(mv.from());
    is_legal || mv.kind() == Kind::EnPassant && captures() && board.piece_on(mv.to()).is_none()
}

fn no_knight(_: &Board, mv: Move, is_legal: bool) -> bool {
    is_legal && mv.kind() != Kind::Promotion(Role::Knight)
}

/// Index in `CASES` of the fault that is planted now.
static PLANTED: AtomicUsize = AtomicUsize::new(0);

static TABLE: LazyLock<KeyTable> = LazyLock::new(|| {
    let tables = preset("cpw793").and_then(|scheme| scheme.key_tables(0));
    tables.expect("a preset with keys").parts.remove(0)
});

#[derive(Clone)]
struct PlantedBoard(Position<TableTracker<'static>>);

impl Subject for PlantedBoard {
    type Move = Move;
    type Undo = ();

    fn from_fen(fen: &str) -> Result<Self, String> {
        let board = Fen::parse(fen).map_err(|error| error.to_string())?;
        Ok(PlantedBoard(Position::new(board, TableTracker::new(&TABLE, Castling::C16))))
    }
    fn moves(&self) -> Vec<Move> {
        legal_moves(&self.0.board).to_vec()
    }
    fn uci(&self, mv: Move) -> String {
        mv.uci_chess960().to_string()
    }
    fn make(&mut self, mv: Move) {
        let _ = self.0.play(V1::token(), mv);
    }
    fn key(&self) -> Option<Key> {
        self.0.key()
    }
    fn recomputed_key(&self) -> Option<Key> {
        self.0.recompute()
    }
    fn key_after(&self, mv: Move) -> Option<Key> {
        let board = &self.0.board;
        let key = Position::key_after(V1::token(), &self.0.prepare(), mv)?;
        let InKey(wrong) = CASES[PLANTED.load(Ordering::Relaxed)].3 else { return Some(key) };
        Some(Key(key.0 ^ u128::from(wrong(board, mv, &board_after(board, mv)))))
    }
    fn code(&self, mv: Move) -> Option<u16> {
        Some(mv.code())
    }
    fn is_legal(&self, code: u16) -> Option<bool> {
        let Some(mv) = Move::from_code(code) else { return Some(false) };
        let is_legal = self.0.board.is_legal(mv);
        let Answer(wrong) = CASES[PLANTED.load(Ordering::Relaxed)].3 else { return Some(is_legal) };
        Some(wrong(&self.0.board, mv, is_legal))
    }
}

/// Plants each fault. Returns its name with the finding, or why the fault was missed. Only one call may run at a time.
pub fn prove() -> Vec<(&'static str, Result<String, String>)> {
    let prove = |(number, (name, fen, words, fault))| {
        PLANTED.store(number, Ordering::Relaxed);
        let result = match fault {
            BoardFault::None => prove_sound(),
            InKey(_) => prove_fault(fen, words, SubjectCheck::KeyAfter),
            Answer(_) => prove_fault(fen, words, SubjectCheck::Codes),
        };
        (name, result)
    };
    CASES.into_iter().enumerate().map(prove).collect()
}

fn prove_sound() -> Result<String, String> {
    let report = gate::<PlantedBoard>(Suite::chess960(), Depth(3)).map_err(|failure| failure.to_string())?;
    match u128::from(report.keys_after.moves + report.rows) == report.nodes && report.codes.nodes > 0 {
        true => Ok(format!("V7 keys after moves {}, V8 move codes {}, all right", report.keys_after, report.codes)),
        false => Err(format!("not every move was compared, or no code: {report}")),
    }
}

/// Judges the faulty board at the position `fen`. Returns the line of the finding that contains `words`.
fn prove_fault(fen: &str, words: &str, check: SubjectCheck) -> Result<String, String> {
    let moves = legal_moves(&Fen::parse(fen).map_err(|error| error.to_string())?).len();
    let suite = Suite::parse(&format!("{fen} ;D1 {moves} ;id row")).map_err(|error| error.to_string())?;
    let failure = match gate::<PlantedBoard>(suite, Depth(1)) {
        Ok(report) => return Err(format!("passed: {report}")),
        Err(failure) => failure,
    };
    let text = match &failure.findings[..] {
        [one] if one.check == check => one.to_string(),
        _ => String::new(),
    };
    let named = text.lines().find(|line| line.contains(words)).map(|line| line.trim().to_string());
    named.ok_or_else(|| format!("expected '{words}' and nothing else, found {failure}"))
}
