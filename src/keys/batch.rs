//! The full recompute of many keys at once.
//!
//! Every scheme that xors words flattens to a table of 64 squares × 16 codes. A key is the xor of 64 of its words, and a
//! word is eight bytes, so each *byte* of a key is the xor of 64 bytes out of tables of 16: what one byte shuffle looks
//! up, for as many boards at once as a vector has bytes. The codes must then lie the other way round: not the squares of
//! a board side by side, but the same square of 32 boards. Two squares share a byte of a mailbox, so 32 boards are a
//! matrix of 32 × 32 bytes to transpose.
//!
//! Worked example with keys of one byte: if squares 0 and 1 of three boards hold the codes (1, 4), (0, 4) and (1, 0), the
//! transposed mailbox byte of the pair is 41, 40, 01 (hexadecimal); its low halves 1, 0, 1 index the table of square 0,
//! its high halves 4, 4, 0 that of square 1, and the xor of the two shuffles is the contribution to the three keys.
//!
//! Castling, en passant and side are one word each: they are looked up when a board is appended, from what `make` left in
//! it, and xored into the key that the pieces must then match.

use super::{Key, Words};
use crate::chess::{Board, EnPassantPolicy};
use crate::cpu::{Quad, Task, Token};

/// Boards in a batch: as many as a vector of bytes has lanes.
pub const BATCH: usize = 32;

/// The byte tables of a scheme. **Shape**: 64 squares × 8 bytes of the key × 16 codes, 8192 bytes.
#[derive(Clone, Debug)]
pub struct ByteTables([[[u8; 16]; 8]; 64]);

impl ByteTables {
    pub(crate) fn new(pieces: &[[u64; 64]; 16]) -> ByteTables {
        let word = |square: usize, code: usize| pieces[code][square].to_le_bytes();
        ByteTables(std::array::from_fn(|square| {
            std::array::from_fn(|byte| std::array::from_fn(|code| word(square, code)[byte]))
        }))
    }

    /// A table with one wrong entry, to see that the check notices.
    #[cfg(test)]
    fn corrupted(&self) -> ByteTables {
        let mut tables = self.clone();
        tables.0[27][3][1] ^= 4;
        tables
    }
}

/// Boards whose keys are to be compared, and the keys.
///
/// **Shape**: 32 mailboxes of 32 bytes; 32 words, each what the men of its board must hash to.
#[derive(Clone, Debug)]
#[repr(align(32))]
pub struct Batch<'w> {
    mailboxes: [Quad; BATCH],
    targets: [u64; BATCH],
    length: usize,
    /// How many keys were compared.
    pub compared: u64,
    words: &'w Words,
    policy: EnPassantPolicy,
}

/// A key of a batch that is wrong, as the kernel sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrongEntry {
    /// How many keys of the walk were compared before it.
    pub ordinal: u64,
    /// The board's squares, four bits each.
    pub mailbox: [u64; 4],
    /// Incremental key ^ recomputed key.
    pub difference: u64,
}

impl<'w> Batch<'w> {
    /// An empty batch over these words.
    pub fn new(words: &'w Words, policy: EnPassantPolicy) -> Batch<'w> {
        Batch { mailboxes: [Quad::ZERO; BATCH], targets: [0; BATCH], length: 0, compared: 0, words, policy }
    }

    /// Appends a board with its incremental key; when the batch is full, compares it.
    #[inline(always)]
    pub(crate) fn push<L: Token>(&mut self, level: L, board: &Board, key: Key) -> Option<WrongEntry> {
        let at = self.length & (BATCH - 1);
        level.store(&mut self.mailboxes[at], level.load(board.mailbox()));
        self.targets[at] = key.0 ^ self.words.rest(board, self.policy);
        self.length = at + 1;
        if self.length < BATCH { None } else { level.call(Flush(self)) }
    }

    /// Compares what is left.
    pub(crate) fn flush<L: Token>(&mut self, level: L) -> Option<WrongEntry> {
        level.call(Flush(self))
    }
}

/// Compares the entries of a batch, and empties it; yields the first that is wrong.
struct Flush<'a, 'w>(&'a mut Batch<'w>);

impl Task for Flush<'_, '_> {
    type Output = Option<WrongEntry>;

    #[inline(always)]
    fn run<L: Token>(self, level: L) -> Option<WrongEntry> {
        let batch = self.0;
        let length = std::mem::take(&mut batch.length);
        let mut wrong = None;
        if L::LANES && length == BATCH {
            let found = pieces_of_32(level, &batch.words.bytes, &batch.mailboxes);
            if found != batch.targets {
                wrong = (0..BATCH).find(|&i| found[i] != batch.targets[i]).map(|i| (i, found[i]));
            }
        } else {
            for i in 0..length {
                let found = batch.words.pieces_of(&batch.mailboxes[i].0);
                if found != batch.targets[i] && wrong.is_none() {
                    wrong = Some((i, found));
                }
            }
        }
        let wrong = wrong.map(|(i, found)| WrongEntry {
            ordinal: batch.compared + i as u64,
            mailbox: batch.mailboxes[i].0,
            difference: found ^ batch.targets[i],
        });
        batch.compared += length as u64;
        wrong
    }
}

/// What the men of 32 boards hash to.
#[inline(always)]
fn pieces_of_32<L: Token>(level: L, tables: &ByteTables, mailboxes: &[Quad; BATCH]) -> [u64; BATCH] {
    let mut sums = [level.splat(0); 8];
    for half in 0..2 {
        let pairs = transposed(level, mailboxes, half);
        for (i, &codes) in pairs.iter().enumerate() {
            let pair = 16 * half + i;
            let (low, high) = (level.low_nibbles(codes), level.high_nibbles(codes));
            for (byte, sum) in sums.iter_mut().enumerate() {
                let a = level.look_up(&tables.0[2 * pair][byte], low);
                let b = level.look_up(&tables.0[2 * pair + 1][byte], high);
                *sum = level.xor(*sum, level.xor(a, b));
            }
        }
    }
    keys(level, sums)
}

/// Half of the mailboxes the other way round: vector `i` holds byte `16 * half + i` of every board, the boards 0–15 in its
/// lower half and 16–31 in its upper one.
///
/// Four rounds of interleaving the first half of the rows with the second transpose 16 × 16 bytes.
#[inline(always)]
fn transposed<L: Token>(level: L, mailboxes: &[Quad; BATCH], half: usize) -> [L::Vector; 16] {
    let mut rows = [level.splat(0); 16];
    for (i, row) in rows.iter_mut().enumerate() {
        *row = level.halves(&mailboxes[i], &mailboxes[i + 16], half);
    }
    for _ in 0..4 {
        let mut next = rows;
        for i in 0..8 {
            next[2 * i] = level.interleave_low::<1>(rows[i], rows[i + 8]);
            next[2 * i + 1] = level.interleave_high::<1>(rows[i], rows[i + 8]);
        }
        rows = next;
    }
    rows
}

/// Eight vectors of key bytes to 32 keys: bytes are interleaved to pairs, pairs to fours, fours to eights.
#[inline(always)]
fn keys<L: Token>(level: L, sums: [L::Vector; 8]) -> [u64; BATCH] {
    let mut pairs = sums;
    for i in 0..4 {
        pairs[i] = level.interleave_low::<1>(sums[2 * i], sums[2 * i + 1]);
        pairs[i + 4] = level.interleave_high::<1>(sums[2 * i], sums[2 * i + 1]);
    }
    // Boards 0–7 and 16–23 from the first four vectors, the others from the last.
    let mut keys = [0; BATCH];
    for (i, group) in [&pairs[..4], &pairs[4..]].into_iter().enumerate() {
        let lower = [
            (level.interleave_low::<2>(group[0], group[1]), level.interleave_low::<2>(group[2], group[3])),
            (level.interleave_high::<2>(group[0], group[1]), level.interleave_high::<2>(group[2], group[3])),
        ];
        for (j, (first, last)) in lower.into_iter().enumerate() {
            let (even, odd) = (level.interleave_low::<4>(first, last), level.interleave_high::<4>(first, last));
            for (k, vector) in [even, odd].into_iter().enumerate() {
                let mut quad = Quad::ZERO;
                level.store(&mut quad, vector);
                let at = 8 * i + 4 * j + 2 * k;
                keys[at] = quad.0[0];
                keys[at + 1] = quad.0[1];
                keys[at + 16] = quad.0[2];
                keys[at + 17] = quad.0[3];
            }
        }
    }
    keys
}
