//! A position of the catalogue's engine: a mailbox board with make and unmake, the key, and the FEN.

use super::fault::{Fault, Site};

pub const PAWN: usize = 0;
pub const KNIGHT: usize = 1;
pub const BISHOP: usize = 2;
pub const ROOK: usize = 3;
pub const QUEEN: usize = 4;
pub const KING: usize = 5;

/// Kinds of moves, numbered as in `KIND`.
pub const QUIET: usize = 0;
pub const CAPTURE: usize = 1;
pub const DOUBLE_PUSH: usize = 2;
pub const EN_PASSANT: usize = 3;
pub const CASTLING: usize = 4;
pub const PROMOTION: usize = 5;

/// Kinds of key updates, numbered as in `UPDATE`.
const FROM: usize = 0;
const TO: usize = 1;
const CAPTURED: usize = 2;
const PROMOTED: usize = 3;
const ROOK_FROM: usize = 4;
const ROOK_TO: usize = 5;
const EP_LEFT: usize = 6;
const EP_NEW: usize = 7;
const SIDE: usize = 8;

pub const LETTERS: &[u8; 12] = b"PNBRQKpnbrqk";
/// Files on which the king and the rook land after castling, by wing.
pub const KING_TO: [usize; 2] = [6, 2];
pub const ROOK_TO_FILE: [usize; 2] = [5, 3];
/// File of the corner squares, by wing.
const CORNER: [usize; 2] = [7, 0];

/// A piece: 6 times its colour, plus its role.
pub type Piece = u8;

pub fn piece(color: usize, role: usize) -> Piece {
    (6 * color + role) as Piece
}

/// A move. A castling move goes from the king's square to the rook's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    pub from: usize,
    pub to: usize,
    pub kind: usize,
    /// Role that the pawn promotes to, or the wing on which the king castles.
    pub detail: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub board: [Option<Piece>; 64],
    pub kings: [usize; 2],
    pub side: usize,
    /// Squares of the rooks that may castle: White's king side and queen side, then Black's.
    pub rooks: [Option<usize>; 4],
    pub ep: Option<usize>,
    pub halfmove: u32,
    pub fullmove: u32,
    pub key: u64,
    /// The last move, and the role that made it.
    pub last: Option<(Move, usize)>,
}

/// The engine: a position, and the fault that it plays with.
#[derive(Clone, Copy)]
pub struct Engine {
    pub fault: Fault,
    pub position: Position,
}

impl std::ops::Deref for Engine {
    type Target = Position;

    fn deref(&self) -> &Position {
        &self.position
    }
}

impl std::ops::DerefMut for Engine {
    fn deref_mut(&mut self) -> &mut Position {
        &mut self.position
    }
}

pub fn square(file: usize, rank: usize) -> usize {
    8 * rank + file
}

impl Position {
    /// Returns the colour and the role of the piece on a square.
    pub fn piece_on(&self, on: usize) -> Option<(usize, usize)> {
        self.board[on].map(|piece| (usize::from(piece / 6), usize::from(piece % 6)))
    }

    /// Returns the square of the pawn that an e.p. capture takes.
    pub fn ep_victim(mv: Move) -> usize {
        square(mv.to % 8, mv.from / 8)
    }

    /// Returns the outermost rook of a wing on the back rank.
    fn outermost_rook(&self, color: usize, wing: usize) -> Option<usize> {
        let squares = (0..8).map(|file| square(if wing == 0 { 7 - file } else { file }, 7 * color));
        squares.take_while(|&on| on != self.kings[color]).find(|&on| self.board[on] == Some(piece(color, ROOK)))
    }
}

impl Engine {
    pub fn bent(&self, site: Site, one: usize, other: usize) -> bool {
        self.fault.is(site, one, other)
    }

    /// Reads a FEN, which must be valid.
    pub fn new(fen: &str, fault: Fault) -> Engine {
        let fields: Vec<&str> = fen.split(' ').collect();
        let mut position = Position {
            board: [None; 64],
            kings: [0; 2],
            side: usize::from(fields[1] == "b"),
            rooks: [None; 4],
            ep: None,
            halfmove: fields.get(4).and_then(|clock| clock.parse().ok()).unwrap_or(0),
            fullmove: fields.get(5).and_then(|number| number.parse().ok()).unwrap_or(1),
            key: 0,
            last: None,
        };
        for (row, text) in fields[0].split('/').enumerate() {
            let mut file = 0;
            for letter in text.bytes() {
                let Some(piece) = LETTERS.iter().position(|known| *known == letter) else {
                    file += usize::from(letter - b'0');
                    continue;
                };
                position.board[square(file, 7 - row)] = Some(piece as Piece);
                if piece % 6 == KING {
                    position.kings[piece / 6] = square(file, 7 - row);
                }
                file += 1;
            }
        }
        let mut engine = Engine { fault, position };
        for letter in fields[2].bytes().filter(|letter| *letter != b'-') {
            let color = usize::from(letter.is_ascii_lowercase());
            let named = match letter.to_ascii_lowercase() {
                b'k' => (0, None),
                b'q' => (1, None),
                letter => {
                    let rook = square(usize::from(letter - b'a'), 7 * color);
                    (usize::from(rook < engine.kings[color]), Some(rook))
                }
            };
            let outermost = engine.outermost_rook(color, named.0);
            let rook = named.1.filter(|_| !engine.bent(Site::CastleOuterRook, color, named.0)).or(outermost);
            if !engine.bent(Site::ReadsNoRight, 2 * color + named.0, 0) {
                engine.rooks[2 * color + named.0] = rook;
            }
        }
        if let [file, rank] = *fields[3].as_bytes() {
            let ep = square(usize::from(file - b'a'), usize::from(rank - b'1'));
            engine.ep = Some(ep).filter(|_| !engine.bent(Site::ReadsNoEp, usize::from(rank != b'3'), 0));
        }
        if engine.bent(Site::ReadsSideWhite, 0, 0) {
            engine.side = 0;
        }
        engine.key = engine.whole_key();
        engine
    }

    fn whole_key(&self) -> u64 {
        let pieces = (0..64).filter_map(|on| self.board[on].map(|piece| self.piece_number(piece, on)));
        let rights = (0..4).filter(|&right| self.rooks[right].is_some()).map(|right| self.right_number(right));
        let ep = match self.ep {
            Some(ep) if self.bent(Site::EpKeyedByFenAlways, 0, 0) => random(900 + ep as u64 % 8),
            _ => self.ep_number(),
        };
        let side = if self.side == 1 && !self.bent(Site::SideNotKeyed, 0, 0) { random(999) } else { 0 };
        pieces.chain(rights).fold(ep ^ side, |key, number| key ^ number)
    }

    fn piece_number(&self, piece: Piece, on: usize) -> u64 {
        let (color, role) = (usize::from(piece / 6), usize::from(piece % 6));
        if self.bent(Site::PieceNotKeyed, color, role) { 0 } else { random(64 * u64::from(piece) + on as u64) }
    }

    fn right_number(&self, right: usize) -> u64 {
        if self.bent(Site::RightNotKeyed, right, 0) { 0 } else { random(800 + right as u64) }
    }

    /// Returns the e.p. square if a pawn stands next to the pushed pawn, ready to capture it.
    pub fn open_ep(&self) -> Option<usize> {
        let ep = self.ep?;
        let (file, rank) = (ep % 8, if self.side == 0 { 4 } else { 3 });
        let is_ready = |file: usize| file < 8 && self.board[square(file, rank)] == Some(piece(self.side, PAWN));
        (is_ready(file + 1) || is_ready(file.wrapping_sub(1))).then_some(ep)
    }

    fn ep_number(&self) -> u64 {
        let file = self.open_ep().map(|ep| ep % 8).filter(|&file| !self.bent(Site::FileNotKeyed, file, 0));
        file.map_or(0, |file| random(900 + file as u64))
    }

    pub fn shown_key(&self) -> u64 {
        let number = if self.bent(Site::MoveNumberKeyed, 0, 0) { random(3000 + u64::from(self.fullmove)) } else { 0 };
        self.key ^ number
    }

    fn toggle(&mut self, update: usize, kind: usize, number: u64) {
        if !self.bent(Site::UpdateMissing, update, kind) {
            self.key ^= number;
        }
    }

    fn lift(&mut self, on: usize, update: usize, kind: usize) {
        if let Some(piece) = self.board[on].take() {
            self.toggle(update, kind, self.piece_number(piece, on));
        }
    }

    fn put(&mut self, piece: Piece, on: usize, update: usize, kind: usize) {
        self.board[on] = Some(piece);
        if usize::from(piece % 6) == KING {
            self.kings[usize::from(piece / 6)] = on;
        }
        self.toggle(update, kind, self.piece_number(piece, on));
    }

    pub fn make(&mut self, mv: Move) {
        let (us, them, kind) = (self.side, 1 - self.side, mv.kind);
        let (Some(moved), before) = (self.board[mv.from], self.rooks) else { return };
        let role = usize::from(moved % 6);
        self.toggle(EP_LEFT, kind, self.ep_number());
        let captured = if kind == CASTLING { None } else { self.capture(mv, us, role) };
        match kind {
            CASTLING => self.castle(mv, us),
            PROMOTION => self.promote(mv, us, captured.is_some()),
            _ => {
                self.lift(mv.from, FROM, kind);
                self.put(moved, mv.to, TO, kind);
            }
        }
        self.lose_rights(mv, us, role, captured);
        for (right, held) in before.iter().enumerate() {
            if held.is_some() == self.rooks[right].is_some() {
                continue;
            }
            let owner = usize::from(right / 2 != us);
            let is_rook = owner == 1 || role == ROOK;
            if !(owner == 0 && self.bent(Site::RightKeptInKey, right, kind)
                || is_rook && self.bent(Site::RightKeptWithRook, right, owner))
            {
                self.key ^= self.right_number(right);
            }
        }
        let keeps_ep = self.bent(Site::EpStale, kind, 0);
        self.ep = match kind {
            DOUBLE_PUSH if !self.bent(Site::EpNotSet, us, mv.to % 8) => Some((mv.from + mv.to) / 2),
            QUIET if role == PAWN && self.bent(Site::EpSetByPush, us, 0) => Some(mv.from),
            _ => self.ep.filter(|_| keeps_ep),
        };
        let resets = captured.is_some() || role == PAWN;
        let resets = if kind == CASTLING { self.bent(Site::ClockResetByCastling, 0, 0) } else { resets };
        self.halfmove = if resets && !self.bent(Site::ClockKeptBy, kind, 0) { 0 } else { self.halfmove + 1 };
        self.fullmove += u32::from((us == 1) != self.bent(Site::MoveNumberBy, us, 0));
        self.side = them;
        if !self.bent(Site::SideNotKeyed, 0, 0) {
            self.toggle(SIDE, kind, random(999));
        }
        self.toggle(EP_NEW, kind, self.ep_number());
        self.last = Some((mv, role));
    }

    /// Removes the captured piece. Returns the square and the piece.
    fn capture(&mut self, mv: Move, us: usize, role: usize) -> Option<(usize, Piece)> {
        let (up, kind) = (if us == 0 { 8 } else { -8 }, mv.kind);
        let taken_by_piece = self.ep == Some(mv.to) && self.bent(Site::EpByPiece, role, 0);
        let on = match kind {
            EN_PASSANT if self.bent(Site::EpVictimStays, us, 0) => return None,
            EN_PASSANT if self.bent(Site::EpVictimElsewhere, us, 0) => (mv.to as i32 + up) as usize,
            EN_PASSANT => Position::ep_victim(mv),
            QUIET if taken_by_piece => (mv.to as i32 - up) as usize,
            _ => mv.to,
        };
        let victim = self.board[on].take()?;
        let mut keyed = (victim, on);
        if self.bent(Site::CapturedOfOtherColor, kind, 0) {
            keyed.0 = (victim + 6) % 12;
        }
        if self.bent(Site::CapturedOfOtherRole, kind, 0) {
            keyed.0 = if usize::from(victim % 6) == PAWN { victim + 1 } else { victim - 1 };
        }
        if kind == EN_PASSANT && self.bent(Site::EpVictimOffTarget, 0, 0) {
            keyed.1 = mv.to;
        }
        self.toggle(CAPTURED, kind, self.piece_number(keyed.0, keyed.1));
        Some((on, victim))
    }

    fn castle(&mut self, mv: Move, us: usize) {
        let (wing, right, rank) = (mv.detail, 2 * us + mv.detail, mv.from / 8);
        let edge = |site| usize::from(self.bent(site, right, 0));
        let (king_edge, rook_edge) = (edge(Site::CastleKingLands), edge(Site::CastleRookLands));
        let king_to = if wing == 0 { KING_TO[0] + king_edge } else { KING_TO[1] - king_edge };
        let rook_to = if wing == 0 { ROOK_TO_FILE[0] - rook_edge } else { ROOK_TO_FILE[1] + rook_edge };
        let (king_to, rook_to) = (square(king_to, rank), square(rook_to, rank));
        let rook = piece(us, ROOK);
        if self.bent(Site::CastleRookStays, right, 0) {
            self.lift(mv.from, FROM, CASTLING);
            return self.put(piece(us, KING), king_to, TO, CASTLING);
        }
        self.lift(mv.to, ROOK_FROM, CASTLING);
        self.lift(mv.from, FROM, CASTLING);
        self.put(piece(us, KING), king_to, TO, CASTLING);
        self.put(rook, rook_to, ROOK_TO, CASTLING);
        if self.bent(Site::CastledRookOff, wing, 0) {
            self.key ^= self.piece_number(rook, rook_to) ^ self.piece_number(rook, rook_to - 1);
        }
        // Removes the rook, as if the king were lifted only after the rook had landed on the king's square.
        if rook_to == mv.from && self.bent(Site::CastleRookVanishes, wing, 0) {
            self.lift(rook_to, ROOK_TO, CASTLING);
        }
    }

    fn promote(&mut self, mv: Move, us: usize, captures: bool) {
        let pawn_number = self.piece_number(piece(us, PAWN), mv.from);
        self.lift(mv.from, FROM, PROMOTION);
        if self.bent(Site::PawnKeptOnPromotion, usize::from(captures), 0) {
            self.key ^= pawn_number;
        }
        let role = if self.bent(Site::PromotedMadeQueen, mv.detail, 0) { QUEEN } else { mv.detail };
        let color = if self.bent(Site::PromotionOfOtherColor, us, 0) { 1 - us } else { us };
        self.put(piece(color, role), mv.to, PROMOTED, PROMOTION);
        if let Some(keyed) = (PAWN..KING).find(|&keyed| self.bent(Site::PromotedKeyedAs, keyed, 0)) {
            self.key ^= self.piece_number(piece(us, role), mv.to) ^ self.piece_number(piece(us, keyed), mv.to);
        }
    }

    fn lose_rights(&mut self, mv: Move, us: usize, role: usize, captured: Option<(usize, Piece)>) {
        let (them, held) = (1 - us, self.rooks);
        let home = [square(4, 0), square(4, 7)];
        for (wing, file) in CORNER.into_iter().enumerate() {
            let (own, enemys) = (2 * us + wing, 2 * them + wing);
            if role == KING {
                let keeps = if mv.kind == CASTLING { Site::CastlingKeeps } else { Site::KingMoveKeeps };
                self.lose(own, !self.bent(keeps, own, 0));
                self.lose(enemys, self.bent(Site::KingMoveLosesEnemys, us, 0));
            }
            if role == ROOK {
                let keeps = self.bent(Site::RookMoveKeeps, own, 0)
                    || captured.is_some() && self.bent(Site::CapturingRookKeeps, own, 0);
                self.lose(own, held[own] == Some(mv.from) && !keeps);
                let both = held[2 * us..2 * us + 2].contains(&Some(mv.from));
                self.lose(own, both && self.bent(Site::RookMoveLosesBoth, us, 0));
                self.lose(own, mv.from % 8 == file && self.bent(Site::RookOfFileLoses, own, 0));
                self.lose(own, mv.from / 8 == 7 * us && self.bent(Site::RookOfRankLoses, us, 0));
                let corner = square(file, 7 * us);
                if mv.to == corner && self.kings[us] == home[us] && self.bent(Site::RookReturnsRight, own, 0) {
                    self.rooks[own] = Some(corner);
                }
            }
            let Some((on, _)) = captured.filter(|(_, victim)| *victim == piece(them, ROOK)) else { continue };
            let is_mover = role == ROOK && held[2 * us..2 * us + 2].contains(&Some(mv.from));
            let keeps = self.bent(Site::RookCaptureKeeps, enemys, 0)
                || self.bent(Site::CaptureByRoleKeeps, role, us)
                || is_mover && self.bent(Site::MoverElseVictim, enemys, 0);
            self.lose(enemys, held[enemys] == Some(on) && !keeps);
            let both = held[2 * them..2 * them + 2].contains(&Some(on));
            self.lose(enemys, both && self.bent(Site::RookCaptureLosesBoth, them, 0));
            self.lose(enemys, on % 8 == file && self.bent(Site::CaptureOnFileLoses, enemys, 0));
        }
    }

    fn lose(&mut self, right: usize, is_lost: bool) {
        if is_lost {
            self.rooks[right] = None;
        }
    }

    /// Takes a move back by restoring every field.
    pub fn unmake(&mut self, mv: Move, before: &Position) {
        let made = std::mem::replace(&mut self.position, *before);
        let us = self.side;
        let victim = if mv.kind == EN_PASSANT { Position::ep_victim(mv) } else { mv.to };
        if mv.kind != CASTLING && self.bent(Site::CapturedLost, mv.kind, 0) {
            self.board[victim] = None;
        }
        if self.bent(Site::EpLost, mv.kind, 0) {
            self.ep = made.ep;
        }
        for right in (0..4).filter(|&right| self.fault.is(Site::RightLost, right, 0)) {
            self.position.rooks[right] = made.rooks[right];
        }
        if self.bent(Site::KingSquareStays, us, 0) {
            self.kings[us] = made.kings[us];
        }
        let captures = usize::from(self.board[mv.to].is_some());
        if mv.kind == PROMOTION && self.bent(Site::PromotedStays, captures, 0) {
            self.board[mv.from] = Some(piece(us, mv.detail));
        }
        if mv.kind == CASTLING && self.bent(Site::RookStaysCastled, mv.detail, 0) {
            self.board[mv.to] = None;
            self.board[square(ROOK_TO_FILE[mv.detail], mv.from / 8)] = Some(piece(us, ROOK));
        }
    }

    /// Writes the FEN. Castling rights are written as `KQkq`, except that the right of an inner rook is written as the
    /// rook's file.
    pub fn fen(&self) -> String {
        let mut rights = String::new();
        for right in (0..4).filter(|&right| !self.bent(Site::WritesNoRight, right, 0)) {
            let Some(rook) = self.rooks[right] else { continue };
            let letter = match self.outermost_rook(right / 2, right % 2) == Some(rook) {
                true => [b'k', b'q'][right % 2],
                false => b'a' + (rook % 8) as u8,
            };
            rights.push(char::from(if right < 2 { letter.to_ascii_uppercase() } else { letter }));
        }
        let is_white = (self.side == 0) != self.bent(Site::WritesWrongSide, 0, 0);
        let ep = self.open_ep().filter(|_| !self.bent(Site::WritesNoEp, 1 - self.side, 0));
        let ep = ep.map_or("-".into(), square_name);
        let rights = if rights.is_empty() { "-" } else { &rights };
        let side = if is_white { "w" } else { "b" };
        format!("{} {side} {rights} {ep} {} {}", placement(&self.board), self.halfmove, self.fullmove)
    }
}

fn placement(board: &[Option<Piece>; 64]) -> String {
    let mut fen = String::new();
    for rank in (0..8).rev() {
        let mut empty = 0;
        for file in 0..8 {
            match board[square(file, rank)] {
                None => empty += 1,
                Some(piece) => {
                    fen += &if empty > 0 { empty.to_string() } else { String::new() };
                    fen.push(char::from(LETTERS[usize::from(piece)]));
                    empty = 0;
                }
            }
        }
        fen += &if empty > 0 { empty.to_string() } else { String::new() };
        fen += if rank > 0 { "/" } else { "" };
    }
    fen
}

pub fn square_name(on: usize) -> String {
    format!("{}{}", char::from(b'a' + (on % 8) as u8), on / 8 + 1)
}

/// Returns a pseudo-random number (splitmix64).
pub fn random(number: u64) -> u64 {
    let mut z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
