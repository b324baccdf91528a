//! The state that unmake restores from a copy, in two words: castling rights, e.p. square, clocks and side to move.

use crate::bitboard::Bitboard;
use crate::castling::CastlingRights;
use crate::piece::Color;
use crate::square::Square;
use perft_gate_simd::{inline_all, opaque};

crate::named! {
    /// The rule by which an en-passant square counts as part of a position.
    #[perft_gate_kernel::document(Clone, Copy, PartialEq, Eq, Debug, Hash)]
    #[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(rename_all = "kebab-case"))]
    #[repr(u8)]
    pub enum EnPassantPolicy {
        /// The square counts after every double push.
        Always = "always",
        /// The square counts if an enemy pawn attacks it, pinned or not.
        Pseudo = "pseudo",
        /// The square counts if a capture is legal.
        Legal = "legal",
    }
}

/// The en-passant square under each policy, one byte per policy; 64 means none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EnPassant(u32);

#[inline_all]
impl EnPassant {
    pub const NONE: EnPassant = EnPassant(0x40_4040);

    pub fn new(squares: [Option<Square>; 3]) -> EnPassant {
        let [always, pseudo, legal] = squares.map(|square| square.map_or(64, Square::index) as u32);
        EnPassant(always | pseudo << 8 | legal << 16)
    }

    /// Uses the square of the `always` policy for every policy. Used only by planted faults.
    pub fn widen(self) -> EnPassant {
        EnPassant::new([self.get(EnPassantPolicy::Always); 3])
    }

    /// Returns the square's number, or 64 for none.
    pub fn index(self, policy: EnPassantPolicy) -> usize {
        (self.0 >> (8 * policy as u32)) as usize & 127
    }

    pub fn get(self, policy: EnPassantPolicy) -> Option<Square> {
        let index = self.index(policy);
        (index < 64).then(|| Square::new(index as u32))
    }
}

/// All state that `unmake` restores from a copy: the castling pieces, and one word with the e.p. square of each policy
/// (bits 0–23), rights (24–27), side to move (28), halfmove clock (29–43) and fullmove number (44–63).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    /// The rooks that may castle, and their kings. A move loses a right if and only if it starts or ends on one of
    /// these squares.
    pub castling_pieces: Bitboard,
    pub(super) word: u64,
}

#[inline_all]
impl State {
    const EN_PASSANT: u64 = 0xff_ffff;
    const RIGHTS: u32 = 24;
    const TURN: u32 = 28;
    const HALFMOVE: u32 = 29;
    const HALFMOVE_BITS: u64 = 0x7fff << State::HALFMOVE;
    const FULLMOVE: u32 = 44;

    pub(super) fn new(turn: Color, halfmove: u16, fullmove: u32) -> State {
        let clocks = u64::from(halfmove) << State::HALFMOVE | u64::from(fullmove) << State::FULLMOVE;
        let word = u64::from(EnPassant::NONE.0) | (turn as u64) << State::TURN | clocks;
        State { castling_pieces: Bitboard::EMPTY, word }
    }

    pub fn turn(&self) -> Color {
        if self.word >> State::TURN & 1 == 0 { Color::White } else { Color::Black }
    }

    pub fn rights(&self) -> CastlingRights {
        CastlingRights::new((self.word >> State::RIGHTS) as usize)
    }

    pub fn en_passant(&self) -> EnPassant {
        EnPassant((self.word & State::EN_PASSANT) as u32)
    }

    /// Returns the word without the clocks: castling rights, en passant and side to move. Its low three bits are zero.
    pub fn keyed(&self) -> u32 {
        (self.word as u32) << (32 - State::HALFMOVE)
    }

    /// Returns the castling rights and the side to move as one index: the four bits of the rights, plus 16 for Black.
    pub fn rights_and_turn(&self) -> usize {
        (self.word >> State::RIGHTS) as usize & 31
    }

    pub fn halfmove(&self) -> u16 {
        (self.word >> State::HALFMOVE & 0x7fff) as u16
    }

    pub(super) fn fullmove(&self) -> u32 {
        (self.word >> State::FULLMOVE) as u32
    }

    pub fn set_rights(&mut self, rights: CastlingRights) {
        self.word = self.word & !(15 << State::RIGHTS) | (rights.index() as u64) << State::RIGHTS;
    }

    pub fn set_en_passant(&mut self, square: EnPassant) {
        self.word = self.word & !State::EN_PASSANT | u64::from(square.0);
    }

    /// Returns the same state, but hides its value from the compiler (see [`opaque`]).
    pub(super) fn opaque(self) -> State {
        State { castling_pieces: Bitboard(opaque(self.castling_pieces.0)), word: opaque(self.word) }
    }

    /// Copies the clocks from another state.
    pub fn take_clocks(&mut self, other: &State) {
        let clocks = !0 << State::HALFMOVE;
        self.word = self.word & !clocks | other.word & clocks;
    }

    /// Sets the halfmove clock. Only faults planted on purpose need this.
    pub fn set_halfmove(&mut self, halfmove: u16) {
        self.word = self.word & !State::HALFMOVE_BITS | u64::from(halfmove) << State::HALFMOVE;
    }

    /// Passes the turn to the other side, updates the clocks and clears the e.p. square.
    pub fn pass(&mut self, clock: Clock) {
        let fullmoves = self.word >> State::TURN & 1;
        let word = match clock {
            Clock::Reset => self.word & !State::HALFMOVE_BITS,
            Clock::Counts => self.word + (1 << State::HALFMOVE),
        };
        let word = (word + (fullmoves << State::FULLMOVE)) ^ 1 << State::TURN;
        self.word = word & !State::EN_PASSANT | u64::from(EnPassant::NONE.0);
    }
}

/// The effect of a move on the halfmove clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Clock {
    /// A capture or a pawn move resets the clock.
    Reset,
    /// Any other move advances the clock.
    Counts,
}
