//! Blocks of boards that are hashed many times, each time with a different key table.
//!
//! The kernels begin with a matrix transposition that does not depend on the keys, so a block does it once. A board
//! takes 34 bytes, of which 32 hold its squares. Keys have up to 64 bits and omit the halfmove clock. The kernels hash
//! the pieces of 32 unrelated boards. The keys of castling, en passant and side are looked up board by board.
//!
//! Every xor scheme flattens to a table with an eight-byte key for each of 64 squares × 16 codes, so each *byte* of a
//! key is the xor of 64 bytes, each looked up in a table of 16. One byte shuffle does one of these look-ups for as many
//! boards as a vector has bytes. For this, the codes must be transposed, so that a vector holds the same square of 32
//! boards. Two squares share a byte of a mailbox, so 32 boards form a matrix of 32 × 32 bytes to transpose.
//!
//! Worked example with keys of one byte: if squares 0 and 1 of three boards hold the codes (1, 4), (0, 4) and (1, 0),
//! the transposed mailbox bytes of the pair are 41, 40, 01 (hexadecimal). Their low halves 1, 0, 1 index the table of
//! square 0. Their high halves 4, 4, 0 index the table of square 1. The xor of the two shuffles is the pair's
//! contribution to the three keys.
//!
//! In a sum, carries must not be lost. So the looked-up bytes are added in 16 bits. Then the sums of each byte plane
//! (the same byte of all keys) are shifted to their place ([`sums_of`]).

use crate::axes::Combine;
use crate::key_table::{KeyTable, KeyTables};
use perft_gate_chess::{Board, EnPassantPolicy};
use perft_gate_simd::{Bytes, Level, Quad, Token, U64s, kernel};

/// A block of 32 boards, ready to be hashed.
#[derive(Clone, Debug)]
pub struct Block {
    squares: [Quad; 32],
    rights_and_turns: [u8; BLOCK],
    en_passant: [u8; BLOCK],
}

impl Block {
    /// Makes a block of at most 32 boards. The policy decides which en-passant squares count. Unused places repeat the
    /// first board, so they add no new key. **Panics** if there is no board.
    pub fn new(level: Level, boards: &[Board], policy: EnPassantPolicy) -> Block {
        let board = |at: usize| boards.get(at).unwrap_or(&boards[0]);
        let mailboxes = std::array::from_fn(|at| *board(at).mailbox());
        Block {
            squares: transpose_mailboxes(level, &mailboxes),
            rights_and_turns: std::array::from_fn(|at| board(at).state.rights_and_turn() as u8),
            en_passant: std::array::from_fn(|at| board(at).state.en_passant().index(policy) as u8),
        }
    }

    /// Returns the keys of the block's boards.
    #[inline(always)]
    pub fn keys<L: Token>(&self, level: L, tables: &KeyTables) -> [u64; BLOCK] {
        let mut keys = self.part(level, &tables.parts[0]);
        for (part, table) in tables.parts.iter().enumerate().skip(1) {
            for (key, high) in keys.iter_mut().zip(self.part(level, table)) {
                *key |= high << (32 * part);
            }
        }
        keys
    }

    #[inline(always)]
    fn part<L: Token>(&self, level: L, table: &KeyTable) -> [u64; BLOCK] {
        let mut keys = if L::FAST_VECTORS {
            pieces_of_squares(level, table, &self.squares)
        } else {
            table.pieces_of_squares(&self.squares)
        };
        let states = self.rights_and_turns.iter().zip(&self.en_passant);
        // The operation is the same for all boards. Choosing it outside the loop lets the compiler vectorise the loop.
        let mut finish = |combine: Combine| {
            for (key, (&state, &square)) in keys.iter_mut().zip(states.clone()) {
                debug_assert!(state < 32 && square <= 64);
                let rest = table.state(usize::from(state & 31), usize::from(square & 127), combine);
                *key = combine.join(*key, rest) & table.mask;
            }
        };
        match table.combine {
            Combine::Xor => finish(Combine::Xor),
            Combine::Add => finish(Combine::Add),
        }
        keys
    }
}

/// Number of boards in a block: the number of bytes in a vector.
pub const BLOCK: usize = 32;

/// Transposes 32 mailboxes into 32 rows of 32 bytes: each row holds one pair of squares of all boards.
#[kernel]
fn transpose_mailboxes<L: Token>(level: L, mailboxes: &[Quad; BLOCK]) -> [Quad; 32] {
    let mut squares = [Quad::ZERO; 32];
    for half in 0..2 {
        for (pair, codes) in squares[16 * half..].iter_mut().zip(transpose(level, mailboxes, half)) {
            codes.store(&mut pair.0);
        }
    }
    squares
}

/// Computes the piece hashes of 32 boards from their transposed squares, combined by xor or addition as the table says.
#[inline(always)]
pub(super) fn pieces_of_squares<L: Token>(level: L, table: &KeyTable, squares: &[Quad; 32]) -> [u64; BLOCK] {
    match table.combine {
        Combine::Add => sums_of(level, table, squares),
        Combine::Xor => {
            let mut keys = [0; BLOCK];
            let planes = planes_of(level, &level.look_ups(&table.bytes, squares));
            for (at, vector) in keys_of(level, planes).into_iter().enumerate() {
                let (mut four, first) = (Quad::ZERO, 2 * at);
                vector.store(&mut four.0);
                keys[first..first + 2].copy_from_slice(&four.0[..2]);
                keys[first + 16..first + 18].copy_from_slice(&four.0[2..]);
            }
            keys
        }
    }
}

/// Loads the eight byte planes of 32 keys into vectors.
#[inline(always)]
fn planes_of<L: Token>(level: L, sums: &[Quad; 8]) -> [L::U64x4; 8] {
    let mut vectors = [level.splat(0); 8];
    for (vector, sum) in vectors.iter_mut().zip(sums) {
        *vector = level.load(sum);
    }
    vectors
}

/// Returns the sums of 32 boards. Each byte plane is summed in 16 bits, which 64 squares cannot overflow. In each
/// 16-bit lane, the low byte belongs to an even board and the high byte to an odd one. `both` sums the whole lanes and
/// `odd` the odd bytes, so the even sums are `both - (odd << 8)`. The shifted sums of planes 0, 2, 4 and 6 do not
/// overlap, nor do those of the odd planes, so a board's sum is the sum of two words.
#[inline(always)]
fn sums_of<L: Token>(level: L, table: &KeyTable, squares: &[Quad; 32]) -> [u64; BLOCK] {
    let (low_nibbles, high_bytes) = (level.splat(0x0f0f_0f0f_0f0f_0f0f), level.splat(0xff00_ff00_ff00_ff00));
    // Sums of 16 bits, indexed by pair of planes, plane within the pair, and even or odd boards.
    let mut planes = [[[level.splat(0); 2]; 2]; 4];
    // Bytes above the mask are not part of a key.
    let bytes = 8 - table.mask.leading_zeros() as usize / 8;
    for (two, planes) in planes.iter_mut().enumerate().take(bytes.div_ceil(2)) {
        let mut sums = [[level.splat(0); 2]; 2];
        for (pair, codes) in squares.iter().enumerate() {
            let codes = level.load(codes);
            let nibbles = [codes & low_nibbles, codes.high_nibbles()];
            for (byte, [both, odd]) in sums.iter_mut().enumerate() {
                for (nibbles, table) in nibbles.into_iter().zip(table.bytes.pair(pair, 2 * two + byte)) {
                    let looked_up = nibbles.look_up_in(table);
                    *both = both.plus16(looked_up);
                    *odd = odd.plus16(looked_up.odd_bytes());
                }
            }
        }
        for (byte, [both, odd]) in sums.into_iter().enumerate() {
            // A 16-bit difference: a - b = !(!a + b).
            planes[byte] = [!(!both).plus16(odd.shl(8) & high_bytes), odd];
        }
    }
    let mut sums = [0; BLOCK];
    for parity in [0, 1] {
        let [a, b, c, d] = planes;
        let even = words_of::<L>([a[0][parity], b[0][parity], c[0][parity], d[0][parity]]);
        let odd = words_of::<L>([a[1][parity], b[1][parity], c[1][parity], d[1][parity]]);
        for (at, (even, odd)) in even.into_iter().zip(odd).enumerate() {
            let mut four = Quad::ZERO;
            even.plus(odd.shl(8)).store(&mut four.0);
            for (sum, lane) in four.0.into_iter().zip([2 * at, 2 * at + 1, 2 * at + 8, 2 * at + 9]) {
                sums[2 * lane + parity] = sum;
            }
        }
    }
    sums
}

/// Transposes one half of the mailboxes: vector `i` holds byte `16 * half + i` of every board, boards 0–15 in its lower
/// half and 16–31 in its upper half.
///
/// Interleaving the first half of the rows with the second, four times, transposes 16 × 16 bytes.
#[inline(always)]
fn transpose<L: Token>(level: L, mailboxes: &[Quad; BLOCK], half: usize) -> [L::U64x4; 16] {
    let mut rows = [level.splat(0); 16];
    for (i, row) in rows.iter_mut().enumerate() {
        let from = 2 * (half & 1);
        *row = L::U64x4::of_halves(level.proof(), &mailboxes[i].0[from..], &mailboxes[i + 16].0[from..]);
    }
    for _ in 0..4 {
        let mut next = rows;
        for i in 0..8 {
            next[2 * i] = rows[i].interleave_low::<1>(rows[i + 8]);
            next[2 * i + 1] = rows[i].interleave_high::<1>(rows[i + 8]);
        }
        rows = next;
    }
    rows
}

/// Turns eight byte planes into 32 keys by interleaving bytes into pairs, pairs into fours and fours into eights. The
/// lower half of vector `i` holds the keys of boards `2 i` and `2 i + 1`, the upper those of `2 i + 16` and `2 i + 17`.
#[inline(always)]
fn keys_of<L: Token>(level: L, planes: [L::U64x4; 8]) -> [L::U64x4; 8] {
    let mut keys = [level.splat(0); 8];
    for upper in [false, true] {
        // Boards 0–7 and 16–23, then 8–15 and 24–31.
        let pair = |i: usize| match upper {
            false => planes[2 * i].interleave_low::<1>(planes[2 * i + 1]),
            true => planes[2 * i].interleave_high::<1>(planes[2 * i + 1]),
        };
        let from = 4 * usize::from(upper);
        keys[from..from + 4].copy_from_slice(&words_of::<L>([pair(0), pair(1), pair(2), pair(3)]));
    }
    keys
}

/// Turns four planes of 16-bit sums into words, plane 0 lowest, by interleaving 16 bits into 32 and 32 into 64. The
/// lower half of vector `i` holds the words of lanes `2 i` and `2 i + 1`, the upper those of `2 i + 8` and `2 i + 9`.
#[inline(always)]
fn words_of<L: Token>(planes: [L::U64x4; 4]) -> [L::U64x4; 4] {
    let [a, b, c, d] = planes;
    let first = [a.interleave_low::<2>(b), a.interleave_high::<2>(b)];
    let last = [c.interleave_low::<2>(d), c.interleave_high::<2>(d)];
    [
        first[0].interleave_low::<4>(last[0]),
        first[0].interleave_high::<4>(last[0]),
        first[1].interleave_low::<4>(last[1]),
        first[1].interleave_high::<4>(last[1]),
    ]
}
