//! Fast implementations of the pieces axis, with which a tracker computes the keys of a moving piece.
//!
//! [`crate::generate`] has the definitions. A test plays random games to compare the fast forms with the definitions.
//! [`Code::EMPTY`] must have key 0.

use crate::axes::Pieces;
use crate::generate::{finalize, odd};
use crate::key_table::{KeyTable, reduce};
use perft_gate_chess::{Code, Square};

/// The keys of pieces on squares, in a fast form.
pub trait PieceKeys<'w>: Copy + Send + Sync {
    /// The values of the pieces axis that this form covers.
    const AXES: &'static [Pieces];

    /// Draws the random numbers that this form stores, in the order in which the axis defines them.
    fn draw(_: &mut Compact, _: impl FnMut() -> u64) {}
    /// Makes the form from the numbers in `compact`, or from `table` if the form stores no numbers.
    fn over(table: &'w KeyTable, compact: &'w Compact) -> Self;
    /// Returns the key of a piece on a square; 0 for no piece.
    fn key(self, code: Code, square: Square) -> u64;
}

/// One key per piece and square.
#[derive(Clone, Copy, Debug)]
pub struct FullTable<'w>(pub &'w [[u64; 64]; 16]);

impl<'w> PieceKeys<'w> for FullTable<'w> {
    const AXES: &'static [Pieces] = &[Pieces::Table, Pieces::Bch];

    fn over(table: &'w KeyTable, _: &'w Compact) -> Self {
        FullTable(&table.pieces)
    }
    #[inline(always)]
    fn key(self, code: Code, square: Square) -> u64 {
        self.0[code.index()][square.index()]
    }
}

/// The row of each code: 0 to 11 for a piece, 13 for an empty square.
static ROWS: [u8; 16] = [13, 0, 1, 2, 3, 4, 5, 13, 13, 6, 7, 8, 9, 10, 11, 13];

/// Keys that are overlapping runs of eight bytes. **Shape**: 775 random bytes, then zeros, including the row of the
/// empty square.
#[derive(Clone, Copy, Debug)]
pub struct OverlapBytes<'w>(pub &'w [u8; 1024 + 8]);

impl<'w> PieceKeys<'w> for OverlapBytes<'w> {
    const AXES: &'static [Pieces] = &[Pieces::OverlapBytes];

    fn draw(compact: &mut Compact, mut next: impl FnMut() -> u64) {
        for chunk in compact.bytes[..776].as_chunks_mut::<8>().0 {
            *chunk = next().to_le_bytes();
        }
        // The 776th byte is drawn but is never part of a key.
        compact.bytes[775] = 0;
    }
    fn over(_: &'w KeyTable, compact: &'w Compact) -> Self {
        OverlapBytes(&compact.bytes)
    }
    #[inline(always)]
    fn key(self, code: Code, square: Square) -> u64 {
        let at = 64 * usize::from(ROWS[code.index()] & 15) + square.index();
        let bytes = self.0[at..at + 8].try_into().expect("eight bytes");
        u64::from_le_bytes(bytes)
    }
}

/// Keys of 64 bits from a bit stream, each read from two words. **Shape**: 13 words of the stream, then zeros.
#[derive(Clone, Copy, Debug)]
pub struct OverlapBits<'w>(pub &'w [u64; 17]);

impl<'w> PieceKeys<'w> for OverlapBits<'w> {
    const AXES: &'static [Pieces] = &[Pieces::OverlapBits];

    fn draw(compact: &mut Compact, next: impl FnMut() -> u64) {
        compact.bits[..13].fill_with(next);
    }
    fn over(_: &'w KeyTable, compact: &'w Compact) -> Self {
        OverlapBits(&compact.bits)
    }
    #[inline(always)]
    fn key(self, code: Code, square: Square) -> u64 {
        let (row, shift) = (usize::from(ROWS[code.index()] & 15), square.index());
        self.0[row] >> shift | self.0[row + 1] << 1 << (63 - shift)
    }
}

/// One key per code, rotated by the square.
#[derive(Clone, Copy, Debug)]
pub struct Rotate<'w>(pub &'w [u64; 16]);

impl<'w> PieceKeys<'w> for Rotate<'w> {
    const AXES: &'static [Pieces] = &[Pieces::Rotate];

    fn draw(compact: &mut Compact, mut next: impl FnMut() -> u64) {
        Code::all().for_each(|code| compact.codes[code.index()] = odd(&mut next));
    }
    fn over(_: &'w KeyTable, compact: &'w Compact) -> Self {
        Rotate(&compact.codes)
    }
    #[inline(always)]
    fn key(self, code: Code, square: Square) -> u64 {
        self.0[code.index()].rotate_left(square.index() as u32)
    }
}

/// One key per code, multiplied by a power of x that depends on the square.
#[derive(Clone, Copy, Debug)]
pub struct Gf64<'w>(pub &'w [u64; 16]);

impl<'w> PieceKeys<'w> for Gf64<'w> {
    const AXES: &'static [Pieces] = &[Pieces::Gf64];

    fn draw(compact: &mut Compact, mut next: impl FnMut() -> u64) {
        Code::all().for_each(|code| compact.codes[code.index()] = next());
    }
    fn over(_: &'w KeyTable, compact: &'w Compact) -> Self {
        Gf64(&compact.codes)
    }
    #[inline(always)]
    fn key(self, code: Code, square: Square) -> u64 {
        let (key, shift) = (self.0[code.index()], square.index());
        reduce([key << shift, key >> 1 >> (63 - shift)])
    }
}

/// The sum of a key per code and a key per square.
#[derive(Clone, Copy, Debug)]
pub struct Composite<'w>(pub &'w [u64; 16], pub &'w [u64; 64]);

impl<'w> PieceKeys<'w> for Composite<'w> {
    const AXES: &'static [Pieces] = &[Pieces::Composite];

    fn draw(compact: &mut Compact, mut next: impl FnMut() -> u64) {
        Code::all().for_each(|code| compact.codes[code.index()] = next());
        compact.squares.fill_with(next);
    }
    fn over(_: &'w KeyTable, compact: &'w Compact) -> Self {
        Composite(&compact.codes, &compact.squares)
    }
    #[inline(always)]
    fn key(self, code: Code, square: Square) -> u64 {
        let key = self.0[code.index()].wrapping_add(self.1[square.index()]);
        if code.is_empty() { 0 } else { key }
    }
}

/// Keys that a hash finaliser computes from the number of the piece and its square.
#[derive(Clone, Copy, Debug)]
pub struct Computed(pub u64);

impl<'w> PieceKeys<'w> for Computed {
    const AXES: &'static [Pieces] = &[Pieces::Computed];

    fn draw(compact: &mut Compact, mut next: impl FnMut() -> u64) {
        compact.seed = next();
    }
    fn over(_: &'w KeyTable, compact: &'w Compact) -> Self {
        Computed(compact.seed)
    }
    #[inline(always)]
    fn key(self, code: Code, square: Square) -> u64 {
        let index = 64 * u64::from(ROWS[code.index()]) + square.index() as u64;
        let key = finalize(self.0, index);
        if code.is_empty() { 0 } else { key }
    }
}

/// The stored numbers of the compact forms. Only the form in use is filled. The struct is page-aligned, like
/// [`KeyTable`].
#[repr(align(4096))]
pub struct Compact {
    bytes: [u8; 1024 + 8],
    bits: [u64; 17],
    /// Keys by code, for `rotate`, `gf64` and `composite`.
    codes: [u64; 16],
    squares: [u64; 64],
    seed: u64,
}

impl Default for Compact {
    fn default() -> Compact {
        Compact { bytes: [0; 1032], bits: [0; 17], codes: [0; 16], squares: [0; 64], seed: 0 }
    }
}
