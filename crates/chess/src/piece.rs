//! Colours, roles, pieces, and the 4-bit codes of the mailbox.

use perft_gate_simd::inline_all;
use std::fmt;

crate::named! {
    /// White or Black.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
    #[repr(u8)]
    pub enum Color {
        #[default]
        White = "White",
        Black = "Black",
    }
}

impl Color {
    /// Returns 0 for White, 1 for Black.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the side's back rank, 0 or 7.
    #[inline(always)]
    pub const fn back_rank(self) -> u32 {
        7 * self as u32
    }
}

impl std::ops::Not for Color {
    type Output = Color;
    #[inline(always)]
    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

/// The type of a piece, without its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum Role {
    Pawn = 1,
    Knight = 2,
    Bishop = 3,
    Rook = 4,
    Queen = 5,
    King = 6,
}

impl Role {
    /// Every role, from pawn to king.
    pub const ALL: [Role; 6] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];

    /// Returns the FEN letter, in lower case.
    pub const fn letter(self) -> char {
        b"pnbrqk"[self as usize - 1] as char
    }

    /// Returns the name of the role, such as `pawn` or `king`.
    pub const fn name(self) -> &'static str {
        ["pawn", "knight", "bishop", "rook", "queen", "king"][self as usize - 1]
    }
}

/// A role with a colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Piece {
    pub color: Color,
    pub role: Role,
}

impl Piece {
    /// Iterates over all twelve pieces: White's from pawn to king, then Black's.
    pub fn all() -> impl Iterator<Item = Piece> {
        Color::ALL.into_iter().flat_map(|color| Role::ALL.map(|role| Piece { color, role }))
    }

    /// Returns the number of the piece: 0 (white pawn) to 5 (white king), or 6 (black pawn) to 11 (black king).
    pub const fn number(self) -> usize {
        self.color as usize * 6 + self.role as usize - 1
    }

    /// Returns the FEN letter, in upper case for White and in lower case for Black.
    pub const fn letter(self) -> char {
        match self.color {
            Color::White => self.role.letter().to_ascii_uppercase(),
            Color::Black => self.role.letter(),
        }
    }

    /// Returns the piece that a FEN letter denotes, or `None` if it denotes none.
    pub fn from_letter(letter: char) -> Option<Piece> {
        Piece::all().find(|piece| piece.letter() == letter)
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.color.name().to_lowercase(), self.role.name())
    }
}

/// The content of a square in four bits: 0 if empty, otherwise the [`Role`], plus 8 for Black.
///
/// Hot code uses this type instead of `Option<Piece>`, because an empty square is then a table row, not a branch.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
#[repr(transparent)]
pub struct Code(u8);

#[inline_all]
impl Code {
    pub const EMPTY: Code = Code(0);

    /// Iterates over the codes of the twelve pieces, White's first.
    pub fn all() -> impl Iterator<Item = Code> {
        Piece::all().map(Code::from)
    }

    pub const fn new(color: Color, role: Role) -> Code {
        Code((color as u8) << 3 | role as u8)
    }

    /// Returns the code as an index into a table of 16 rows.
    pub const fn index(self) -> usize {
        (self.0 & 15) as usize
    }

    /// Returns true if the square is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns true if the code is a piece of this role, of either colour.
    pub const fn is(self, role: Role) -> bool {
        self.0 & 7 == role as u8
    }

    /// Returns the piece, or `None` if the square is empty.
    pub fn piece(self) -> Option<Piece> {
        let role = *Role::ALL.get((self.0 & 7).checked_sub(1)? as usize)?;
        Some(Piece { color: Color::ALL[(self.0 >> 3 & 1) as usize], role })
    }

    /// Makes a code from the low four bits of a word.
    pub const fn from_bits(bits: u64) -> Code {
        Code((bits & 15) as u8)
    }
}

impl From<Piece> for Code {
    fn from(piece: Piece) -> Code {
        Code::new(piece.color, piece.role)
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.piece().map_or('.', Piece::letter))
    }
}
