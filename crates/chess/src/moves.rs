//! A move in 16 bits.

use crate::castling::Wing;
use crate::piece::{Color, Role};
use crate::square::Square;
use perft_gate_simd::inline_all;
use std::fmt;

/// The kind of a move. Any ordinary move, captures included, is [`Kind::Normal`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A piece moves from one square to another and captures any piece there.
    Normal,
    /// A pawn moves two squares forward.
    DoublePush,
    /// A pawn captures en passant.
    EnPassant,
    /// King and rook castle. The move is encoded as the king taking its own rook.
    Castle,
    /// A pawn reaches the last rank, captures any piece there, and promotes.
    Promotion(Role),
}

/// A move: 6 bits for the origin, 6 for the target, 4 for the kind. Castling is from the king's square to the rook's.
///
/// The default, a1 to a1, is never legal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Move(u16);

#[inline_all]
impl Move {
    pub const NORMAL: u16 = 0;
    pub const DOUBLE_PUSH: u16 = 1 << 12;
    pub const EN_PASSANT: u16 = 2 << 12;
    pub const CASTLE: u16 = 3 << 12;
    /// Promotion to a knight. Bishop, rook and queen follow, each `1 << 12` higher.
    pub const PROMOTION: u16 = 4 << 12;

    /// Creates a move; `kind` is one of the constants above.
    pub const fn new(from: Square, to: Square, kind: u16) -> Move {
        Move(kind | (to.index() as u16) << 6 | from.index() as u16)
    }

    /// Creates a move of a kind.
    pub const fn of_kind(from: Square, to: Square, kind: Kind) -> Move {
        let bits = match kind {
            Kind::Normal => Move::NORMAL,
            Kind::DoublePush => Move::DOUBLE_PUSH,
            Kind::EnPassant => Move::EN_PASSANT,
            Kind::Castle => Move::CASTLE,
            Kind::Promotion(role) => Move::PROMOTION + ((role as u16 - Role::Knight as u16) << 12),
        };
        Move::new(from, to, bits)
    }

    /// Returns the move that these 16 bits encode, or `None` if the kind is invalid.
    pub const fn from_code(code: u16) -> Option<Move> {
        if code >> 12 < 8 { Some(Move(code)) } else { None }
    }

    /// Returns the 16 bits.
    pub const fn code(self) -> u16 {
        self.0
    }

    /// Returns the origin square.
    pub const fn from(self) -> Square {
        Square::new(self.0 as u32)
    }

    /// Returns the target square, which for castling is the rook's square.
    pub const fn to(self) -> Square {
        Square::new(self.0 as u32 >> 6)
    }

    /// Returns true for a normal move or a double push: one piece moves, and only a piece on `to` can be captured.
    pub const fn is_plain(self) -> bool {
        self.0 < Move::EN_PASSANT
    }

    /// Returns true if a pawn moves two squares.
    pub const fn is_double_push(self) -> bool {
        self.0 >> 12 == Move::DOUBLE_PUSH >> 12
    }

    /// Returns the kind of the move.
    pub const fn kind(self) -> Kind {
        match self.0 >> 12 {
            0 => Kind::Normal,
            1 => Kind::DoublePush,
            2 => Kind::EnPassant,
            3 => Kind::Castle,
            4 => Kind::Promotion(Role::Knight),
            5 => Kind::Promotion(Role::Bishop),
            6 => Kind::Promotion(Role::Rook),
            _ => Kind::Promotion(Role::Queen),
        }
    }

    /// Returns the move in UCI notation.
    ///
    /// Castling is written as the king's move (`e1g1`) if king and rook are on their standard squares, otherwise as
    /// king takes rook, as in Chess960. This way, moves in standard games are written as every engine writes them, and
    /// no Chess960 mode needs to be set.
    #[inline(never)]
    pub fn uci(self) -> Uci {
        let (from, mut to) = (self.from(), self.to());
        let mut promotion = None;
        match self.kind() {
            Kind::Castle if from.file() == 4 && matches!(to.file(), 0 | 7) => {
                let color = Color::ALL[from.index() >> 5];
                to = Wing::of_rook(from, to).destinations(color).0;
            }
            Kind::Promotion(role) => promotion = Some(role),
            _ => {}
        }
        Uci { from, to, promotion }
    }

    /// Returns the move in the UCI notation of Chess960: castling is always written as king takes rook, even from the
    /// standard squares.
    #[inline(never)]
    pub fn uci_chess960(self) -> Uci {
        match self.kind() {
            Kind::Castle => Uci { from: self.from(), to: self.to(), promotion: None },
            _ => self.uci(),
        }
    }
}

impl From<Move> for u64 {
    #[inline(always)]
    fn from(mv: Move) -> u64 {
        mv.0.into()
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}:{:?}", self.from(), self.to(), self.kind())
    }
}

/// A move as UCI writes it: two squares and a promotion letter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Uci {
    pub from: Square,
    pub to: Square,
    pub promotion: Option<Role>,
}

impl Uci {
    /// Creates a move without a promotion.
    pub const fn new(from: Square, to: Square) -> Uci {
        Uci { from, to, promotion: None }
    }

    /// Parses a move. The text must contain nothing but the move.
    pub fn parse(text: &str) -> Option<Uci> {
        let (from, to) = (Square::parse(text.get(..2)?)?, Square::parse(text.get(2..4)?)?);
        let promotion = match &text[4..] {
            "" => None,
            letter => Some(Role::ALL.into_iter().find(|role| letter.chars().eq([role.letter()]))?),
        };
        Some(Uci { from, to, promotion })
    }
}

impl fmt::Display for Uci {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        self.promotion.map_or(Ok(()), |role| write!(f, "{}", role.letter()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back_and_nothing_else_does() {
        for text in ["e2e4", "a7a8q", "b7a8n"] {
            assert_eq!(Uci::parse(text).map(|uci| uci.to_string()), Some(text.into()));
        }
        for text in ["", "e2", "e2e", "e2e9", "E2E4", "a7a8Q", "a7a8x", "a7a8qq", "a7a8=q", "e2e4 ", "e2é4", "0000"] {
            assert_eq!(Uci::parse(text), None, "{text}");
        }
    }
}
