//! The board: bitboards and a mailbox side by side, and the state that a move cannot restore by itself.
//!
//! Both pictures of the men are kept by the same few writers (`put`, `take`, `shift`, `unshift`); that they agree is
//! checked from outside (V0), never assumed.
//!
//! Everything is written and read as whole words of one width, the mailbox included (four words, four bits a square):
//! each node writes a few squares and then compares and hashes all of them, and a load that is wider than a store before
//! it would wait until that store has left the store buffer.

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

/// The en-passant square as each policy sees it: a byte a policy, 64 for none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct EnPassant(u32);

impl EnPassant {
    pub(crate) const NONE: EnPassant = EnPassant(0x40_4040);

    fn new(squares: [Option<Square>; 3]) -> EnPassant {
        let [always, pseudo, legal] = squares.map(|square| square.map_or(64, Square::index) as u32);
        EnPassant(always | pseudo << 8 | legal << 16)
    }

    /// The square of the widest policy for all of them; only a planted fault wants that.
    pub(crate) fn widened(self) -> EnPassant {
        EnPassant::new([self.get(EnPassantPolicy::Always); 3])
    }

    /// 0..=63, or 64 for none.
    #[inline(always)]
    pub(crate) fn index(self, policy: EnPassantPolicy) -> usize {
        (self.0 >> (8 * policy as u32)) as usize & 127
    }

    #[inline(always)]
    pub(crate) fn get(self, policy: EnPassantPolicy) -> Option<Square> {
        let index = self.index(policy);
        (index < 64).then(|| Square::new(index as u32))
    }
}

/// All that `unmake` restores by copying.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State {
    /// The rooks that may castle and their kings: a move from or to one of these squares loses a right, no other does.
    pub(crate) castling_men: Bitboard,
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
    /// Two ranks a word; the low four bits are the a-file of the lower rank.
    mailbox: [u64; 4],
    pub(crate) state: State,
}

impl Board {
    /// The board of a setup that is known to be legal.
    pub fn new(setup: &Setup) -> Board {
        let mut board = Board {
            roles: [Bitboard::EMPTY; 8],
            colors: [Bitboard::EMPTY; 2],
            mailbox: [0; 4],
            state: State {
                castling_men: setup.castling_rooks,
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
        for color in Color::ALL {
            if (setup.castling_rooks & board.color(color)).any() {
                board.state.castling_men |= kings[color.index()].into();
            }
        }
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
        self.code(square).piece()
    }

    /// What stands on `square`, as a code.
    #[inline(always)]
    pub fn code(&self, square: Square) -> Code {
        Code::from_bits(self.mailbox[square.index() >> 4].wrapping_shr(4 * square.index() as u32))
    }

    /// The codes of the squares `2 * pair` and, four bits higher, `2 * pair + 1`.
    #[inline(always)]
    pub(crate) fn code_pair(&self, pair: usize) -> usize {
        (self.mailbox[pair >> 3] >> (8 * (pair & 7))) as usize & 255
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
        self.state.castling_men & !self.role(Role::King)
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
        if capturers.is_empty() {
            return EnPassant::new([Some(square), None, None]);
        }
        // A loop: a closure would be compiled without the level's instructions.
        let mut legal = false;
        for from in capturers {
            legal |= self.en_passant_is_legal(level, us, from, square);
        }
        EnPassant::new([Some(square), Some(square), legal.then_some(square)])
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
        self.toggle_mailbox(square, code.bits());
    }

    /// Takes the man off its square.
    #[inline(always)]
    pub(crate) fn take(&mut self, code: Code, square: Square) {
        self.put(code, square);
    }

    /// Flips a man's bits in the bitboards.
    #[inline(always)]
    pub(crate) fn toggle(&mut self, code: Code, squares: Bitboard) {
        self.roles[code.role_index()] ^= squares;
        self.colors[code.index() >> 3] ^= squares;
    }

    /// Flips bits of a square's code.
    #[inline(always)]
    pub(crate) fn toggle_mailbox(&mut self, square: Square, bits: u64) {
        self.mailbox[square.index() >> 4] ^= bits.wrapping_shl(4 * square.index() as u32);
    }

    /// Moves a man to a square that is empty or holds an enemy, which disappears. No branch on which.
    #[inline(always)]
    pub(crate) fn shift(&mut self, code: Code, from: Square, to: Square, captured: Code) {
        let target = Bitboard::from(to);
        self.roles[captured.role_index()] &= !target;
        self.colors[(code.index() >> 3) ^ 1] &= !target;
        self.toggle(code, target | from.into());
        self.toggle_mailbox(from, code.bits());
        self.toggle_mailbox(to, code.bits() ^ captured.bits());
    }

    /// Takes back [`Board::shift`].
    #[inline(always)]
    pub(crate) fn unshift(&mut self, code: Code, from: Square, to: Square, captured: Code) {
        let target = Bitboard::from(to);
        let back = if captured.is_empty() { Bitboard::EMPTY } else { target };
        self.toggle(code, target | from.into());
        self.roles[captured.role_index()] |= back;
        self.colors[(code.index() >> 3) ^ 1] |= back;
        self.toggle_mailbox(from, code.bits());
        self.toggle_mailbox(to, code.bits() ^ captured.bits());
    }

    /// V0: do the bitboards rebuilt from the mailbox equal the bitboards?
    ///
    /// The four bits of the codes are gathered into four planes of 64 squares. A role is a product of planes.
    #[inline(always)]
    pub(crate) fn is_consistent<L: Token>(&self, level: L) -> bool {
        let mut planes = [0_u64; 4];
        for (bit, plane) in planes.iter_mut().enumerate() {
            for (word, &codes) in self.mailbox.iter().enumerate() {
                *plane |= every_fourth_bit(level, codes >> bit) << (16 * word);
            }
        }
        let [a, b, c, black] = planes;
        let men = a | b | c;
        let roles = [0, a & !b & !c, !a & b & !c, a & b & !c, !a & !b & c, a & !b & c, !a & b & c, a & b & c];
        let same_roles = (0..7).all(|role| self.roles[role].0 == roles[role]);
        let same_colors = self.colors[0].0 == men & !black && self.colors[1].0 == black;
        // A black nothing would be in `black` and not in `men`.
        same_roles && same_colors && roles[7] == 0 && black & !men == 0
    }

    /// V3: is every field the same?
    #[inline(always)]
    pub(crate) fn same(&self, other: &Board) -> bool {
        let (a, b) = (&self.state, &other.state);
        let state = (a.castling_men ^ b.castling_men).0
            | u64::from(a.fullmove ^ b.fullmove)
            | u64::from(a.halfmove ^ b.halfmove)
            | (a.rights.index() ^ b.rights.index()) as u64
            | (a.turn as u64 ^ b.turn as u64)
            | u64::from(a.en_passant.0 ^ b.en_passant.0);
        // Word by word: see the module's head on why this must not become vector loads.
        let roles = (0..7).all(|i| self.roles[i] == other.roles[i]);
        let colors = (0..2).all(|i| self.colors[i] == other.colors[i]);
        let men = (0..4).all(|i| self.mailbox[i] == other.mailbox[i]);
        state == 0 && roles && colors && men
    }
}

/// The bits 0, 4, 8, … 60 of a word, gathered.
#[inline(always)]
fn every_fourth_bit<L: Token>(level: L, word: u64) -> u64 {
    let bits = word & 0x1111_1111_1111_1111;
    if L::FAST_PEXT {
        return level.pext(bits, 0x1111_1111_1111_1111);
    }
    let bits = (bits | bits >> 3) & 0x0303_0303_0303_0303;
    let bits = (bits | bits >> 6) & 0x000f_000f_000f_000f;
    let bits = (bits | bits >> 12) & 0x0000_00ff_0000_00ff;
    (bits | bits >> 24) & 0xffff
}

impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        self.same(other)
    }
}
