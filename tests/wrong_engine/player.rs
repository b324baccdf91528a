//! The catalogue's engine with a separate key computation and with faults that the catalogue lacks.

use crate::faults::Fault;
use crate::numbers::{self, SIDE, number};
use perft_gate_catalogue::position::{
    CASTLING, DOUBLE_PUSH, EN_PASSANT, KING, KNIGHT, LETTERS, Move, PAWN, PROMOTION, QUEEN, ROOK, ROOK_TO_FILE, piece,
    random, square, square_name,
};
use perft_gate_catalogue::{Engine, Fault as Bend, Site};
use std::sync::OnceLock;

/// The engine's position, the fault, and the state of the key.
#[derive(Clone)]
pub struct Player {
    pub engine: Engine,
    pub fault: Fault,
    /// The difference that wrong updates have left in the key.
    pub drift: u64,
    /// Keys of the earlier positions.
    pub history: Vec<u64>,
}

impl Player {
    pub fn new(fen: &str, fault: Fault) -> Player {
        // A process has at most one fault of the catalogue, and finding it by name takes longer than most counts.
        static BEND: OnceLock<Bend> = OnceLock::new();
        let bend = *BEND.get_or_init(|| match fault {
            Fault::Bent(name) => Bend::named(name).expect("a fault of the catalogue"),
            _ => Bend::NONE,
        });
        let mut player = Player { engine: Engine::new(fen, bend), fault, drift: 0, history: Vec::new() };
        let by_fen = match fault {
            Fault::EpAlwaysByFen => player.engine.ep,
            Fault::EpAlwaysByMoves | Fault::EpWrapsByMoves => player.legal_ep(),
            _ => player.ep(),
        };
        player.drift = player.ep_number(by_fen) ^ player.ep_number(player.ep());
        player
    }

    /// Returns the key. If the fault is from the catalogue, this is the key that the catalogue's engine shows.
    pub fn key(&self) -> u64 {
        if let Fault::Bent(_) = self.fault {
            return self.engine.shown_key();
        }
        let (engine, fault) = (&self.engine, self.fault);
        let pieces = (0..64).filter_map(|on| Some(numbers::piece(fault, engine.board[on]?, on)));
        let rights = (0..4).filter(|&right| engine.rooks[right].is_some()).map(|right| numbers::right(fault, right));
        let side = if engine.side == 1 { number(fault, SIDE) } else { 0 };
        pieces.chain(rights).fold(side ^ self.ep_number(self.ep()) ^ self.drift, |key, number| key ^ number)
    }

    pub fn pawn_key(&self) -> u64 {
        let pawns = (0..64).filter(|&on| self.engine.piece_on(on).is_some_and(|(_, role)| role == PAWN));
        pawns.fold(0, |key, on| key ^ random(900 + on as u64))
    }

    fn ep_number(&self, ep: Option<usize>) -> u64 {
        ep.map_or(0, |ep| numbers::en_passant(self.fault, ep))
    }

    /// Returns the e.p. square that the engine writes in the FEN.
    pub fn shown_ep(&self) -> Option<usize> {
        match self.fault {
            Fault::EpPinnedKeyed => self.engine.open_ep(),
            Fault::EpAlwaysByMoves => self.engine.ep,
            _ => self.legal_ep(),
        }
    }

    /// Returns the e.p. square if an e.p. capture is legal.
    fn legal_ep(&self) -> Option<usize> {
        self.engine.open_ep().filter(|_| self.engine.moves().iter().any(|mv| mv.kind == EN_PASSANT))
    }

    /// Returns the e.p. square that counts for the key.
    fn ep(&self) -> Option<usize> {
        let (engine, us) = (&self.engine, self.engine.side);
        let ep = engine.ep?;
        let pushed = if us == 0 { ep - 8 } else { ep + 8 };
        let is_pawn = |on: &usize| engine.board[*on] == Some(piece(us, PAWN));
        let mut capturers = [pushed - 1, pushed + 1].into_iter().filter(|on| on / 8 == pushed / 8 && is_pawn(on));
        match self.fault {
            Fault::EpFilePinsIgnored if capturers.any(|from| from % 8 == engine.kings[us] % 8) => engine.open_ep(),
            Fault::EpChecksIgnored if !engine.checkers().is_empty() => engine.open_ep(),
            // Checks only whether the first pawn can capture.
            Fault::EpFirstCapturerOnly => {
                let first = capturers.next()?;
                let takes = |mv: &Move| mv.kind == EN_PASSANT && mv.from == first;
                engine.ep.filter(|_| engine.moves().iter().any(takes))
            }
            // At the edge of the board, the next index is on another rank.
            Fault::EpWrapsByMoves => {
                let wraps = [pushed - 1, pushed + 1].iter().any(is_pawn);
                engine.ep.filter(|_| wraps || self.legal_ep().is_some())
            }
            _ => self.shown_ep(),
        }
    }

    /// Returns the legal moves with the fault's changes, sorted by name.
    pub fn moves(&self) -> Vec<Move> {
        let engine = &self.engine;
        let kings = engine.board.iter().flatten().filter(|&&piece| usize::from(piece) % 6 == KING).count();
        if kings < 2 {
            return Vec::new();
        }
        let role = |on: usize| engine.piece_on(on).map(|(_, role)| role);
        let in_check = !engine.checkers().is_empty();
        let is_added = |mv: &Move| match self.fault {
            Fault::EpPinned => mv.kind == EN_PASSANT,
            Fault::KingIntoCheck => role(mv.from) == Some(KING) && role(mv.to) != Some(KING),
            Fault::PinnedKnight => role(mv.from) == Some(KNIGHT) && !in_check,
            _ => false,
        };
        let mut moves = engine.moves();
        if matches!(self.fault, Fault::EpPinned | Fault::KingIntoCheck | Fault::PinnedKnight) {
            let careless = Engine { fault: Bend::everywhere(Site::KingSafetyIgnored), ..*engine }.moves();
            let added: Vec<Move> = careless.into_iter().filter(|mv| is_added(mv) && !moves.contains(mv)).collect();
            moves.extend(added);
        }
        moves.sort_by_cached_key(|mv| self.written(*mv));
        match self.fault {
            Fault::QueenOnly => moves.retain(|mv| mv.kind != PROMOTION || mv.detail == QUEEN),
            // One move replaces another, so the total stays the same.
            Fault::EqualTotal if !in_check => {
                moves.iter_mut().find(|mv| mv.kind == DOUBLE_PUSH).into_iter().for_each(|push| push.to = push.from);
            }
            Fault::ListedTwice => moves.extend(moves.iter().find(|mv| mv.kind == CASTLING).copied()),
            _ => {}
        }
        moves
    }

    /// Makes a move, including the fault's errors.
    pub fn make(&mut self, mv: Move) {
        let before = self.clone();
        self.history.push(self.key());
        self.engine.make(mv);
        if mv.kind == PROMOTION && self.fault == Fault::PromotionStaysPawn {
            self.engine.board[mv.to] = Some(piece(before.engine.side, PAWN));
        }
        self.drift ^= self.update_missed(&before, mv);
    }

    /// Returns the key bits that the fault makes wrong when the key is updated for a move.
    fn update_missed(&self, before: &Player, mv: Move) -> u64 {
        let (fault, us, held) = (self.fault, before.engine.side, &before.engine.rooks);
        let lost: Vec<usize> =
            (0..4).filter(|&right| held[right].is_some() && self.engine.rooks[right].is_none()).collect();
        let rights = |rights: &[usize]| rights.iter().fold(0, |key, &right| key ^ numbers::right(fault, right));
        let rook = |on: usize| numbers::piece(fault, piece(us, ROOK), on);
        let castles = mv.kind == CASTLING;
        let rook_to = if castles { square(ROOK_TO_FILE[mv.detail], mv.from / 8) } else { mv.to };
        match fault {
            Fault::FirstRightOnly => rights(lost.get(1..).unwrap_or_default()),
            Fault::RightOfOtherSideLost => {
                rights(&lost) ^ rights(&lost.iter().map(|right| right ^ 2).collect::<Vec<_>>())
            }
            // A table of rights by square, made for standard chess, has entries only for rooks in the corners.
            Fault::RightsOfCornersOnly
                if lost.iter().any(|&right| held[right].is_some_and(|on| (1..7).contains(&(on % 8)))) =>
            {
                rights(&lost)
            }
            Fault::EpKeptByPieces if before.engine.piece_on(mv.from).is_some_and(|(_, role)| role != PAWN) => {
                before.ep_number(before.ep())
            }
            Fault::EpOfWhiteOnly if us == 1 => self.ep_number(self.ep()),
            Fault::ConstantAfterDoublePush if mv.kind == DOUBLE_PUSH => random(5000),
            Fault::ConstantWithLastRight if !lost.is_empty() && self.engine.rooks == [None; 4] => random(5000),
            Fault::CastlingRookKeptInKey if castles => rook(mv.to) ^ rook(rook_to),
            Fault::CastlingRookFromElsewhere if castles => rook(mv.to) ^ rook(mv.to ^ 8),
            Fault::BlackCastlesOnRankOne if castles && us == 1 => {
                [mv.to, rook_to].iter().fold(0, |key, on| key ^ rook(*on) ^ rook(on % 8))
            }
            _ => 0,
        }
    }

    /// Writes a move. Castling from the e-file with a corner rook is written in standard form, and any other castling
    /// as king takes rook.
    pub fn written(&self, mv: Move) -> String {
        let is_usual = mv.from % 8 == 4 && matches!(mv.to % 8, 0 | 7);
        self.engine.written(mv, !is_usual)
    }

    /// Returns a move in algebraic notation with its square of origin. `dash` marks quiet moves, and `letters` contains
    /// the letters of the pieces.
    pub fn algebraic(&self, mv: Move, dash: &str, letters: &str) -> String {
        let role = self.engine.piece_on(mv.from).map_or(PAWN, |(_, role)| role);
        if mv.kind == CASTLING {
            return ["O-O", "O-O-O"][mv.detail].into();
        }
        let letter = letters.chars().nth(role).filter(|letter| *letter != ' ').map(String::from).unwrap_or_default();
        let is_capture = self.engine.board[mv.to].is_some() || mv.kind == EN_PASSANT;
        let sign = if is_capture { "x" } else { dash };
        let promotion =
            if mv.kind == PROMOTION { format!("={}", char::from(LETTERS[mv.detail])) } else { String::new() };
        // Without a dash, the push of a pawn is written without its origin.
        let from = if role == PAWN && sign.is_empty() { String::new() } else { square_name(mv.from) };
        format!("{letter}{from}{sign}{}{promotion}", square_name(mv.to))
    }
}
