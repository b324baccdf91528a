//! The board: bitboards, a mailbox, and the [`State`], which is restored from a copy when a move is unmade.
//!
//! One [`Delta`] per move updates bitboards and mailbox. Applied again, the delta takes the move back. Nothing enforces
//! that bitboards and mailbox agree, but check V0 tests it ([`Board::is_consistent`]).
//!
//! A delta is xored onto whole arrays, which compiles to a few vector instructions. Every store is also at least as
//! wide as the loads that follow. This matters because each board is written, then hashed and compared as a whole. A
//! load that is wider than a recent store would wait until that store has left the store buffer. The small fields share
//! one word for the same reason.

use super::attacks;
use crate::bitboard::Bitboard;
use crate::castling::CastlingRights;
use crate::delta::Delta;
use crate::differences::Differences;
use crate::piece::{Code, Color, Piece, Role};
use crate::side::{Black, Side, White};
use crate::square::Square;
use crate::state::{EnPassant, EnPassantPolicy, State};
use perft_gate_simd::{Bytes, Quad, Token, U64s, V1, inline_all};

/// The parts of a position, as a FEN lists them. [`Fen`](super::Fen) checks them, but [`Board::new`] does not.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The piece on each square, from a1 to h8.
    pub pieces: [Option<Piece>; 64],
    pub turn: Color,
    /// The rooks that still have a castling right.
    pub castling_rooks: Bitboard,
    /// The square behind a pawn that has just made a double push.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmove: u16,
    /// The fullmove number, from 1.
    pub fullmove: u32,
}

impl From<&Board> for Setup {
    fn from(board: &Board) -> Setup {
        Setup {
            pieces: std::array::from_fn(|square| board.piece_on(Square::new(square as u32))),
            turn: board.turn(),
            castling_rooks: board.castling_rooks(),
            en_passant: board.en_passant(EnPassantPolicy::Always),
            halfmove: board.halfmove(),
            fullmove: board.fullmove(),
        }
    }
}

/// A position of chess or Chess960.
#[derive(Clone, Copy, Debug)]
pub struct Board {
    /// The bitboards: pawns, knights, bishops, rooks, queens, kings, White's pieces, Black's pieces.
    pub(super) sets: [Quad; 2],
    /// Four bits per square, two ranks per word. The lowest four bits of a word hold the a-file square of its lower
    /// rank.
    pub(super) mailbox: Quad,
    pub state: State,
}

/// Returns the xor of two quads: the bits that differ, or one quad with a delta applied.
#[inline(always)]
fn differing<L: Token>(level: L, a: &Quad, b: &Quad) -> L::U64x4 {
    level.load(a) ^ level.load(b)
}

#[inline_all]
impl Board {
    /// Sets up a board. Does not check the setup. Each side must have a king.
    #[inline(never)]
    pub fn new(setup: &Setup) -> Board {
        let state = State::new(setup.turn, setup.halfmove, setup.fullmove);
        let mut board = Board { sets: [Quad::ZERO; 2], mailbox: Quad::ZERO, state };
        for square in Square::all() {
            if let Some(piece) = setup.pieces[square.index()] {
                let mut delta = Delta::NONE;
                delta.toggle(piece.into(), square);
                board.apply(V1::token(), &delta);
            }
        }
        board.set_castling_and_en_passant(setup.castling_rooks, setup.en_passant);
        board
    }

    /// Returns the board with these planes: bit *i* of a square's [`Code`] is in plane *i*. The clocks are reset.
    pub fn of_planes(planes: [u64; 4], turn: Color, castling_rooks: Bitboard, en_passant: Option<Square>) -> Board {
        let mut mailbox = Quad::ZERO;
        for (word, codes) in mailbox.0.iter_mut().enumerate() {
            for (bit, plane) in planes.iter().enumerate() {
                *codes |= spread(plane >> (16 * word) & 0xffff) << bit;
            }
        }
        let [a, b, c, black] = planes;
        let pieces = a | b | c;
        let first = Quad([a & !b & !c, !a & b & !c, a & b & !c, !a & !b & c]);
        let sets = [first, Quad([a & !b & c, !a & b & c, pieces & !black, black])];
        let mut board = Board { sets, mailbox, state: State::new(turn, 0, 1) };
        board.set_castling_and_en_passant(castling_rooks, en_passant);
        board
    }

    fn set_castling_and_en_passant(&mut self, rooks: Bitboard, en_passant: Option<Square>) {
        let kings = [self.king(Color::White), self.king(Color::Black)];
        self.state.set_rights(CastlingRights::of_rooks(rooks, kings));
        self.state.castling_pieces = rooks;
        for color in Color::ALL {
            if (rooks & self.color(color)).any() {
                self.state.castling_pieces |= kings[color.index()].into();
            }
        }
        if let Some(square) = en_passant {
            let square = self.en_passant_behind(V1::token(), square);
            self.state.set_en_passant(square);
        }
    }

    /// Returns the planes of the codes: bit *i* of a square's code is in plane *i*.
    pub fn planes(&self) -> [u64; 4] {
        let [Quad([pawns, knights, bishops, rooks]), Quad([queens, kings, _, black])] = self.sets;
        [pawns | bishops | queens, knights | bishops | kings, rooks | queens | kings, black]
    }

    /// Applies a delta, which makes a move or takes it back. The `state` field does not change.
    pub fn apply<L: Token>(&mut self, level: L, delta: &Delta) {
        differing(level, &self.sets[0], &delta.sets[0]).store(&mut self.sets[0].0);
        differing(level, &self.sets[1], &delta.sets[1]).store(&mut self.sets[1].0);
        differing(level, &self.mailbox, &delta.mailbox).store(&mut self.mailbox.0);
    }

    /// Sets the squares to those of `before` with a delta applied. The `state` field does not change.
    pub fn become_changed<L: Token>(&mut self, level: L, before: &Board, delta: &Delta) {
        differing(level, &before.sets[0], &delta.sets[0]).store(&mut self.sets[0].0);
        differing(level, &before.sets[1], &delta.sets[1]).store(&mut self.sets[1].0);
        differing(level, &before.mailbox, &delta.mailbox).store(&mut self.mailbox.0);
    }

    /// Hides the value of the board from the compiler ([`opaque`](perft_gate_simd::opaque)). The board stays where it
    /// is, in registers or in memory.
    pub fn opaque<L: Token>(&mut self, level: L) {
        let [first, second] = &mut self.sets;
        level.load(first).opaque().store(&mut first.0);
        level.load(second).opaque().store(&mut second.0);
        level.load(&self.mailbox).opaque().store(&mut self.mailbox.0);
        self.state = self.state.opaque();
    }

    /// Returns one of the eight bitboards, numbered as in `sets`.
    fn set(&self, number: usize) -> u64 {
        self.sets[number >> 2 & 1].0[number & 3]
    }

    /// Returns the mailbox: sixteen squares per word, four bits per square.
    pub fn mailbox(&self) -> &Quad {
        &self.mailbox
    }

    pub fn turn(&self) -> Color {
        self.state.turn()
    }

    /// Returns the piece on `square`.
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.code(square).piece()
    }

    /// Returns the code on `square`.
    pub fn code(&self, square: Square) -> Code {
        Code::from_bits(self.mailbox.0[square.index() >> 4].wrapping_shr(4 * square.index() as u32))
    }

    /// Returns the pieces of a colour.
    pub fn color(&self, color: Color) -> Bitboard {
        Bitboard(self.set(6 + color.index()))
    }

    /// Returns the pieces of a role, of both colours.
    pub fn role(&self, role: Role) -> Bitboard {
        Bitboard(self.set(role as usize - 1))
    }

    pub fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.color(color) & self.role(role)
    }

    /// Returns the occupied squares.
    pub fn occupied(&self) -> Bitboard {
        Bitboard(self.set(6) | self.set(7))
    }

    /// Returns the king's square.
    pub fn king(&self, color: Color) -> Square {
        self.pieces(color, Role::King).first()
    }

    /// Returns the castling rights.
    pub fn castling_rights(&self) -> CastlingRights {
        self.state.rights()
    }

    /// Returns the rooks that may still castle.
    pub fn castling_rooks(&self) -> Bitboard {
        self.state.castling_pieces & !self.role(Role::King)
    }

    /// Returns true if some castling right exists only in Chess960.
    #[inline(never)]
    pub fn is_chess960(&self) -> bool {
        let is_standard = |&rook: &Square| {
            let color = Color::ALL[rook.index() >> 5];
            self.king(color).file() == 4 && matches!(rook.file(), 0 | 7)
        };
        !self.castling_rooks().into_iter().all(|rook| is_standard(&rook))
    }

    pub fn en_passant(&self, policy: EnPassantPolicy) -> Option<Square> {
        self.state.en_passant().get(policy)
    }

    /// Returns the number of plies since the last capture or pawn move.
    pub fn halfmove(&self) -> u16 {
        self.state.halfmove()
    }

    /// Returns the fullmove number, from 1.
    pub fn fullmove(&self) -> u32 {
        self.state.fullmove()
    }

    /// Returns the pieces of colour `by` that attack `square`, given the occupied squares.
    pub fn attackers<L: Token>(&self, level: L, by: Color, square: Square, occupied: Bitboard) -> Bitboard {
        let orthogonal = self.role(Role::Rook) | self.role(Role::Queen);
        let diagonal = self.role(Role::Bishop) | self.role(Role::Queen);
        let attackers = attacks::rook(level, square, occupied) & orthogonal
            | attacks::bishop(level, square, occupied) & diagonal
            | attacks::knight(square) & self.role(Role::Knight)
            | attacks::king(square) & self.role(Role::King);
        attackers & self.color(by) | self.en_passant_capturers(by, square)
    }

    /// Returns true if the side to move is in check.
    pub fn in_check<L: Token>(&self, level: L) -> bool {
        self.checkers(level).any()
    }

    /// Returns the pieces that give check to the side to move.
    pub fn checkers<L: Token>(&self, level: L) -> Bitboard {
        let us = self.turn();
        self.attackers(level, !us, self.king(us), self.occupied())
    }

    /// Returns the en-passant square under each policy, given the square behind a double push.
    ///
    /// Legality is tested by applying the capture to the set of occupied squares and looking for attackers of the king,
    /// so pins and evasions need no special cases.
    pub fn en_passant_behind<L: Token>(&self, level: L, square: Square) -> EnPassant {
        let us = self.turn();
        let capturers = self.en_passant_capturers(us, square);
        if capturers.is_empty() {
            return EnPassant::new([Some(square), None, None]);
        }
        // This is a loop, because a closure would be compiled without the level's instructions.
        let mut legal = false;
        for from in capturers {
            legal |= self.en_passant_is_legal(level, us, from, square);
        }
        EnPassant::new([Some(square), Some(square), legal.then_some(square)])
    }

    /// Returns the pawns of `us` that attack `square`.
    pub fn en_passant_capturers(&self, us: Color, square: Square) -> Bitboard {
        // A pawn attacks `square` if an enemy pawn on `square` would attack that pawn.
        let from = match us {
            Color::White => Black::pawn_attacks(square.into()),
            Color::Black => White::pawn_attacks(square.into()),
        };
        from & self.pieces(us, Role::Pawn)
    }

    /// Returns true if the en-passant capture from `from` to `to` leaves the king safe.
    pub fn en_passant_is_legal<L: Token>(&self, level: L, us: Color, from: Square, to: Square) -> bool {
        let victim = Bitboard::from(to.en_passant_partner());
        let occupied = self.occupied() ^ Bitboard::from(from) ^ victim | to.into();
        (self.attackers(level, !us, self.king(us), occupied) & !victim).is_empty()
    }

    /// V0: returns true if the board's bitboards equal those rebuilt from the mailbox.
    ///
    /// Gathers the bits of the codes into four planes. The bitboard of each role is the bitwise AND of three planes,
    /// some of them complemented.
    pub fn is_consistent<L: Token>(&self, level: L) -> bool {
        let mut planes = [0_u64; 4];
        for (bit, plane) in planes.iter_mut().enumerate() {
            for (word, &codes) in self.mailbox.0.iter().enumerate() {
                *plane |= every_fourth_bit(level, codes >> bit) << (16 * word);
            }
        }
        let [a, b, c, black] = planes;
        let pieces = a | b | c;
        let roles = [a & !b & !c, !a & b & !c, a & b & !c, !a & !b & c, a & !b & c, !a & b & c];
        let same_roles = (0..6).all(|role| self.set(role) == roles[role]);
        let same_colors = self.set(6) == pieces & !black && self.set(7) == black;
        // Codes 7 and 15 (no role) and 8 (black, but no piece) must not occur.
        same_roles && same_colors && a & b & c == 0 && black & !pieces == 0
    }

    /// V3: returns true if every field is equal.
    pub fn same<L: Token>(&self, level: L, other: &Board) -> bool {
        let mut differences = Differences::none(level);
        self.compare_later(level, other, &mut differences);
        !differences.any()
    }

    /// V3: adds the differences in all fields to `differences`, for a later test.
    pub fn compare_later<L: Token>(&self, level: L, other: &Board, differences: &mut Differences<L>) {
        let sets = differing(level, &self.sets[0], &other.sets[0]) | differing(level, &self.sets[1], &other.sets[1]);
        let squares = sets | differing(level, &self.mailbox, &other.mailbox);
        let (a, b) = (&self.state, &other.state);
        differences.add_four(squares);
        differences.add((a.word ^ b.word) | (a.castling_pieces ^ b.castling_pieces).0);
    }
}

/// Spreads sixteen bits to positions 0, 4, 8, … 60.
fn spread(bits: u64) -> u64 {
    let bits = (bits | bits << 24) & 0x0000_00ff_0000_00ff;
    let bits = (bits | bits << 12) & 0x000f_000f_000f_000f;
    let bits = (bits | bits << 6) & 0x0303_0303_0303_0303;
    (bits | bits << 3) & 0x1111_1111_1111_1111
}

/// Gathers bits 0, 4, 8, … 60 of a word.
#[inline(always)]
fn every_fourth_bit<L: Token>(level: L, word: u64) -> u64 {
    let bits = word & 0x1111_1111_1111_1111;
    if level.fast_pext() {
        return level.pext(bits, 0x1111_1111_1111_1111);
    }
    let bits = (bits | bits >> 3) & 0x0303_0303_0303_0303;
    let bits = (bits | bits >> 6) & 0x000f_000f_000f_000f;
    let bits = (bits | bits >> 12) & 0x0000_00ff_0000_00ff;
    (bits | bits >> 24) & 0xffff
}

impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        self.same(V1::token(), other)
    }
}
