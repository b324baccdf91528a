//! The change that a move makes to the squares, and the half of it that all moves of a piece share.
//!
//! A delta combines rows of two kinds of tables. A table indexed by square holds the square's bits, and a table indexed
//! by piece holds the piece's code or selects its bitboards.

use crate::piece::Code;
use crate::square::Square;
use perft_gate_simd::{Quad, Token, U64s, inline_all};

/// The change that a move makes to the squares. Xoring it onto a board makes the move, and a second xor undoes it.
#[derive(Clone, Copy, Debug)]
pub struct Delta {
    pub(super) sets: [Quad; 2],
    pub(super) mailbox: Quad,
}

#[inline_all]
impl Delta {
    pub const NONE: Delta = Delta { sets: [Quad::ZERO; 2], mailbox: Quad::ZERO };

    /// Returns the delta of a move from one square to another. `captured` is the code on the target and may be empty.
    pub fn new<L: Token>(level: L, moved: Code, from: Square, to: Square, captured: Code) -> Delta {
        let (origin, target) = (&SQUARES[from.index()], &SQUARES[to.index()]);
        let (both, single) = (level.load(&origin.bit) ^ level.load(&target.bit), level.load(&target.bit));
        let (mover, victim) = (&SETS_OF_CODE[moved.index()], &SETS_OF_CODE[captured.index()]);
        let mut delta = Delta::NONE;
        for (i, sets) in delta.sets.iter_mut().enumerate() {
            let goes = level.load(&mover[i]) & both;
            let disappears = level.load(&victim[i]) & single;
            (goes ^ disappears).store(&mut sets.0);
        }
        let leaves = level.splat(EVERYWHERE[moved.index()]);
        let enters = leaves ^ level.splat(EVERYWHERE[captured.index()]);
        let leaves = level.load(&origin.nibble) & leaves;
        let enters = level.load(&target.nibble) & enters;
        (leaves ^ enters).store(&mut delta.mailbox.0);
        delta
    }

    /// Returns the delta of a move that puts a lifted piece down on `to` and captures `captured`, which may be empty.
    pub fn landing<L: Token>(level: L, lifted: &LiftedSquares, to: Square, captured: Code) -> Delta {
        let target = &SQUARES[to.index()];
        let (bit, victim) = (level.load(&target.bit), &SETS_OF_CODE[captured.index()]);
        let mut delta = Delta::NONE;
        for (i, sets) in delta.sets.iter_mut().enumerate() {
            let enters = (level.load(&lifted.mover[i]) ^ level.load(&victim[i])) & bit;
            (level.load(&lifted.leaves[i]) ^ enters).store(&mut sets.0);
        }
        let enters =
            (level.load(&lifted.codes) ^ level.splat(EVERYWHERE[captured.index()])) & level.load(&target.nibble);
        (level.load(&lifted.mailbox) ^ enters).store(&mut delta.mailbox.0);
        delta
    }

    /// Returns the delta of a move that puts a lifted piece down on an empty square.
    pub fn landing_on_empty<L: Token>(level: L, lifted: &LiftedSquares, to: Square) -> Delta {
        let target = &SQUARES[to.index()];
        let bit = level.load(&target.bit);
        let mut delta = Delta::NONE;
        for (i, sets) in delta.sets.iter_mut().enumerate() {
            let enters = level.load(&lifted.mover[i]) & bit;
            (level.load(&lifted.leaves[i]) ^ enters).store(&mut sets.0);
        }
        let enters = level.load(&lifted.codes) & level.load(&target.nibble);
        (level.load(&lifted.mailbox) ^ enters).store(&mut delta.mailbox.0);
        delta
    }

    /// Adds the appearance or the disappearance of a piece on `square`.
    pub fn toggle(&mut self, code: Code, square: Square) {
        for (sets, masks) in self.sets.iter_mut().zip(&SETS_OF_CODE[code.index()]) {
            for (set, mask) in sets.0.iter_mut().zip(masks.0) {
                *set ^= mask & 1 << square.index();
            }
        }
        for (word, nibble) in self.mailbox.0.iter_mut().zip(SQUARES[square.index()].nibble.0) {
            *word ^= nibble & EVERYWHERE[code.index()];
        }
    }

    /// Splits the delta into its mailbox part and its bitboard part. Only faults planted on purpose need this.
    pub fn split(self) -> (Delta, Delta) {
        (Delta { sets: [Quad::ZERO; 2], ..self }, Delta { mailbox: Quad::ZERO, ..self })
    }
}

/// The half of a [`Delta`] that all moves of a piece share, which removes the piece from its square.
#[derive(Clone, Copy, Debug)]
pub struct LiftedSquares {
    leaves: [Quad; 2],
    mailbox: Quad,
    /// All ones in the bitboards that hold the piece, zero in the others.
    mover: [Quad; 2],
    /// The piece's code, repeated on all squares.
    codes: Quad,
}

impl LiftedSquares {
    /// Returns a copy that vacates `other`'s square instead of its own. Used only by planted faults.
    pub fn leaving_as(self, other: &LiftedSquares) -> LiftedSquares {
        LiftedSquares { leaves: other.leaves, mailbox: other.mailbox, ..self }
    }

    /// Returns the half of a delta that removes a piece with code `moved` from `from`.
    #[inline(always)]
    pub fn new<L: Token>(level: L, moved: Code, from: Square) -> LiftedSquares {
        let (origin, mover) = (&SQUARES[from.index()], SETS_OF_CODE[moved.index()]);
        let mut lifted = LiftedSquares { leaves: [Quad::ZERO; 2], mailbox: Quad::ZERO, mover, codes: Quad::ZERO };
        let (bit, codes) = (level.load(&origin.bit), level.splat(EVERYWHERE[moved.index()]));
        for (leaves, mover) in lifted.leaves.iter_mut().zip(&mover) {
            (level.load(mover) & bit).store(&mut leaves.0);
        }
        (level.load(&origin.nibble) & codes).store(&mut lifted.mailbox.0);
        codes.store(&mut lifted.codes.0);
        lifted
    }
}

/// For each code, masks of the eight bitboards: all ones for those of its role and its colour, zero for the others.
static SETS_OF_CODE: [[Quad; 2]; 16] = {
    let mut table = [[Quad::ZERO; 2]; 16];
    let mut code = 0;
    while code < 16 {
        if matches!(code & 7, 1..=6) {
            let (role, color) = ((code & 7) - 1, 6 + (code >> 3));
            table[code][role >> 2].0[role & 3] = !0;
            table[code][color >> 2].0[color & 3] = !0;
        }
        code += 1;
    }
    table
};

/// Masks that select a square in the board's arrays.
struct SquareMasks {
    /// The square's bit, repeated for each of the four bitboards in a quad.
    bit: Quad,
    /// The square's four bits in the mailbox.
    nibble: Quad,
}

static SQUARES: [SquareMasks; 64] = {
    let mut table = [const { SquareMasks { bit: Quad::ZERO, nibble: Quad::ZERO } }; 64];
    let mut square = 0;
    while square < 64 {
        table[square].bit = Quad([1 << square; 4]);
        table[square].nibble.0[square >> 4] = 15 << (4 * (square & 15));
        square += 1;
    }
    table
};

/// Each code, repeated on all sixteen squares of a mailbox word.
static EVERYWHERE: [u64; 16] = {
    let mut table = [0; 16];
    let mut code = 0;
    while code < 16 {
        table[code] = code as u64 * 0x1111_1111_1111_1111;
        code += 1;
    }
    table
};
