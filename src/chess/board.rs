//! The board: bitboards and a mailbox side by side, and the state that a move cannot restore by itself.
//!
//! Both pictures of the men are kept by the same few writers (`put`, `take`, `shift`, `unshift`); that they agree is
//! checked from outside (V0), never assumed.

use super::{Bitboard, Black, CastlingRights, Code, Color, Piece, Role, Side, Square, White, attacks};
use crate::cpu::Token;

/// When an en-passant square counts as part of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum EnPassantPolicy {
    /// After every double push.
    Always = 0,
    /// If an enemy pawn stands ready to capture, pinned or not.
    Pseudo = 1,
    /// If a capture is legal.
    Legal = 2,
}

impl EnPassantPolicy {
    /// From the widest to the narrowest.
    pub const ALL: [EnPassantPolicy; 3] = [EnPassantPolicy::Always, EnPassantPolicy::Pseudo, EnPassantPolicy::Legal];

    /// `always`, `pseudo`, `legal`.
    pub const fn name(self) -> &'static str {
        match self {
            EnPassantPolicy::Always => "always",
            EnPassantPolicy::Pseudo => "pseudo",
            EnPassantPolicy::Legal => "legal",
        }
    }
}

/// The en-passant square as each policy sees it, 64 for none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct EnPassant([u8; 3]);

impl EnPassant {
    pub(crate) const NONE: EnPassant = EnPassant([64; 3]);

    /// 0..=63, or 64 for none.
    #[inline(always)]
    pub(crate) fn index(self, policy: EnPassantPolicy) -> usize {
        self.0[policy as usize] as usize
    }

    #[inline(always)]
    pub(crate) fn get(self, policy: EnPassantPolicy) -> Option<Square> {
        let index = self.0[policy as usize];
        (index < 64).then(|| Square::new(index as u32))
    }
}

/// All that `unmake` restores by copying.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct State {
    pub(crate) castling_rooks: Bitboard,
    pub(crate) fullmove: u32,
    pub(crate) halfmove: u16,
    pub(crate) rights: CastlingRights,
    pub(crate) turn: Color,
    pub(crate) en_passant: EnPassant,
}

/// A position by its parts, as a FEN lists them. [`Board::new`] takes it as it is; [`Fen`](super::Fen) checks it.
#[derive(Clone, Debug)]
pub struct Setup {
    /// What stands on each square, from a1 to h8.
    pub men: [Option<Piece>; 64],
    /// Who moves.
    pub turn: Color,
    /// The rooks that may still castle.
    pub castling_rooks: Bitboard,
    /// The square behind a pawn that was just pushed two steps.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmove: u16,
    /// Number of the move, from 1.
    pub fullmove: u32,
}

/// A position of chess or Chess960.
#[derive(Clone, Copy, Debug)]
pub struct Board {
    /// By role number; slot 0 takes the writes for "nothing captured" and stays empty, slot 7 is unused.
    roles: [Bitboard; 8],
    colors: [Bitboard; 2],
    mailbox: [Code; 64],
    pub(crate) state: State,
}

impl Board {
    /// The board of a setup that is known to be legal.
    pub fn new(setup: &Setup) -> Board {
        let mut board = Board {
            roles: [Bitboard::EMPTY; 8],
            colors: [Bitboard::EMPTY; 2],
            mailbox: [Code::EMPTY; 64],
            state: State {
                castling_rooks: setup.castling_rooks,
                fullmove: setup.fullmove,
                halfmove: setup.halfmove,
                rights: CastlingRights::NONE,
                turn: setup.turn,
                en_passant: EnPassant::NONE,
            },
        };
        for square in Square::all() {
            if let Some(piece) = setup.men[square.index()] {
                board.put(piece.into(), square);
            }
        }
        let kings = [board.king(Color::White), board.king(Color::Black)];
        board.state.rights = CastlingRights::of_rooks(setup.castling_rooks, kings);
        if let Some(square) = setup.en_passant {
            board.state.en_passant = board.en_passant_behind(crate::cpu::V1::token(), square);
        }
        board
    }

    /// Who moves.
    #[inline(always)]
    pub fn turn(&self) -> Color {
        self.state.turn
    }

    /// What stands on `square`.
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.mailbox[square.index()].piece()
    }

    /// What stands on `square`, as a code.
    #[inline(always)]
    pub fn code(&self, square: Square) -> Code {
        self.mailbox[square.index()]
    }

    /// The men of a colour.
    #[inline(always)]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// The men of a role, of both colours.
    #[inline(always)]
    pub fn role(&self, role: Role) -> Bitboard {
        self.roles[role as usize & 7]
    }

    /// The men of a colour and role.
    #[inline(always)]
    pub fn men(&self, color: Color, role: Role) -> Bitboard {
        self.color(color) & self.role(role)
    }

    /// Every man.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The king's square.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        self.men(color, Role::King).first()
    }

    /// The rights still held.
    #[inline(always)]
    pub fn castling_rights(&self) -> CastlingRights {
        self.state.rights
    }

    /// The rooks that may still castle.
    #[inline(always)]
    pub fn castling_rooks(&self) -> Bitboard {
        self.state.castling_rooks
    }

    /// The en-passant square under a policy.
    #[inline(always)]
    pub fn en_passant(&self, policy: EnPassantPolicy) -> Option<Square> {
        self.state.en_passant.get(policy)
    }

    /// Plies since the last capture or pawn move.
    pub fn halfmove(&self) -> u16 {
        self.state.halfmove
    }

    /// Number of the move, from 1.
    pub fn fullmove(&self) -> u32 {
        self.state.fullmove
    }

    /// The men that attack `square`, for a given occupancy.
    #[inline(always)]
    pub(crate) fn attackers<L: Token>(&self, level: L, by: Color, square: Square, occupied: Bitboard) -> Bitboard {
        let straight = self.role(Role::Rook) | self.role(Role::Queen);
        let slanted = self.role(Role::Bishop) | self.role(Role::Queen);
        // A pawn attacks the square if a pawn of the other colour, placed there, would attack it.
        let pawns = match by {
            Color::White => Black::pawn_attacks(square.into()),
            Color::Black => White::pawn_attacks(square.into()),
        };
        let attackers = attacks::rook(level, square, occupied) & straight
            | attacks::bishop(level, square, occupied) & slanted
            | attacks::knight(square) & self.role(Role::Knight)
            | attacks::king(square) & self.role(Role::King)
            | pawns & self.role(Role::Pawn);
        attackers & self.color(by)
    }

    /// Is the side to move in check?
    #[inline(always)]
    pub(crate) fn in_check<L: Token>(&self, level: L) -> bool {
        let us = self.turn();
        self.attackers(level, !us, self.king(us), self.occupied()).any()
    }

    /// What each policy says of the square behind a double push, for the side to move.
    ///
    /// Legality is decided by making the capture on the occupancy and looking for attackers of the king: pins along
    /// rank, file and diagonal, and evasions, need no cases of their own.
    #[inline(always)]
    pub(crate) fn en_passant_behind<L: Token>(&self, level: L, square: Square) -> EnPassant {
        let us = self.turn();
        let capturers = self.en_passant_capturers(us, square);
        let raw = square.index() as u8;
        if capturers.is_empty() {
            return EnPassant([raw, 64, 64]);
        }
        let legal = capturers.into_iter().any(|from| self.en_passant_is_legal(level, us, from, square));
        EnPassant([raw, raw, if legal { raw } else { 64 }])
    }

    /// The pawns of `us` that attack the square.
    #[inline(always)]
    pub(crate) fn en_passant_capturers(&self, us: Color, square: Square) -> Bitboard {
        let from = match us {
            Color::White => Black::pawn_attacks(square.into()),
            Color::Black => White::pawn_attacks(square.into()),
        };
        from & self.men(us, Role::Pawn)
    }

    /// Would the king be safe after this capture?
    #[inline(always)]
    pub(crate) fn en_passant_is_legal<L: Token>(&self, level: L, us: Color, from: Square, to: Square) -> bool {
        let victim = Bitboard::from(to.en_passant_partner());
        let occupied = self.occupied() ^ Bitboard::from(from) ^ victim | to.into();
        (self.attackers(level, !us, self.king(us), occupied) & !victim).is_empty()
    }

    /// Puts a man on an empty square.
    #[inline(always)]
    pub(crate) fn put(&mut self, code: Code, square: Square) {
        self.toggle(code, square.into());
        self.mailbox[square.index()] = code;
    }

    /// Takes the man off its square.
    #[inline(always)]
    pub(crate) fn take(&mut self, code: Code, square: Square) {
        self.toggle(code, square.into());
        self.mailbox[square.index()] = Code::EMPTY;
    }

    #[inline(always)]
    pub(crate) fn toggle(&mut self, code: Code, squares: Bitboard) {
        self.roles[code.role_index()] ^= squares;
        self.colors[code.index() >> 3] ^= squares;
    }

    /// Moves a man to a square that is empty or holds an enemy, which disappears. No branch on which.
    #[inline(always)]
    pub(crate) fn shift(&mut self, code: Code, from: Square, to: Square, captured: Code) {
        let target = Bitboard::from(to);
        self.roles[captured.role_index()] &= !target;
        self.colors[(code.index() >> 3) ^ 1] &= !target;
        self.toggle(code, target | from.into());
        self.mailbox[from.index()] = Code::EMPTY;
        self.mailbox[to.index()] = code;
    }

    /// Takes back [`Board::shift`].
    #[inline(always)]
    pub(crate) fn unshift(&mut self, code: Code, from: Square, to: Square, captured: Code) {
        let target = Bitboard::from(to);
        let back = if captured.is_empty() { Bitboard::EMPTY } else { target };
        self.toggle(code, target | from.into());
        self.roles[captured.role_index()] |= back;
        self.colors[(code.index() >> 3) ^ 1] |= back;
        self.mailbox[from.index()] = code;
        self.mailbox[to.index()] = captured;
    }

    /// V0: do the bitboards rebuilt from the mailbox equal the bitboards?
    pub(crate) fn is_consistent(&self) -> bool {
        let mut roles = [Bitboard::EMPTY; 8];
        let mut colors = [Bitboard::EMPTY; 2];
        for square in Square::all() {
            let code = self.mailbox[square.index()];
            let bit = if code.is_empty() { Bitboard::EMPTY } else { square.into() };
            roles[code.role_index()] |= bit;
            colors[code.index() >> 3] |= bit;
        }
        (roles, colors) == (self.roles, self.colors)
    }

    /// V3: is every field the same? Folds the differences together, so that it compiles to vector code.
    #[inline(always)]
    pub(crate) fn same(&self, other: &Board) -> bool {
        let mut difference = 0;
        for i in 0..8 {
            difference |= self.roles[i].0 ^ other.roles[i].0;
        }
        for i in 0..2 {
            difference |= self.colors[i].0 ^ other.colors[i].0;
        }
        let mut men = 0;
        for i in 0..64 {
            men |= self.mailbox[i].bits() ^ other.mailbox[i].bits();
        }
        difference == 0 && men == 0 && self.state == other.state
    }
}

impl Board {
    /// A write that the bitboards do not see; only planted faults make it.
    pub(crate) fn write_mailbox_only(&mut self, square: Square, code: Code) {
        self.mailbox[square.index()] = code;
    }
}

impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        self.same(other)
    }
}
