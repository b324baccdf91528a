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
        // Of an empty d4, which every game has.
        tables.0[27][3][0] ^= 4;
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
    targets: [Quad; BATCH / 4],
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
        Batch {
            mailboxes: [Quad::ZERO; BATCH],
            targets: [Quad::ZERO; BATCH / 4],
            length: 0,
            compared: 0,
            words,
            policy,
        }
    }

    /// Appends a board with its incremental key; when the batch is full, compares it.
    #[inline(always)]
    pub(crate) fn push<L: Token>(&mut self, level: L, board: &Board, key: Key) -> Option<WrongEntry> {
        let at = self.length & (BATCH - 1);
        level.store(&mut self.mailboxes[at], level.load(board.mailbox()));
        self.targets[at / 4].0[at % 4] = key.0 ^ self.words.rest(board, self.policy);
        self.length = at + 1;
        if self.length < BATCH { None } else { level.call(Flush(self)) }
    }

    /// The scalar way: for the last boards of a task, for a level without lanes, and to find which of 32 is wrong.
    ///
    /// If the kernel found a wrong one that this way does not find, the first is named with no difference: a fault of the
    /// kernel or the machine, which the repeated walk then reports.
    #[inline(never)]
    fn one_by_one(&self, length: usize, kernel_says_wrong: bool) -> Option<WrongEntry> {
        let entry = |i: usize| WrongEntry {
            ordinal: self.compared + i as u64,
            mailbox: self.mailboxes[i].0,
            difference: self.words.pieces_of(&self.mailboxes[i].0) ^ self.targets[i / 4].0[i % 4],
        };
        let wrong = (0..length).map(entry).find(|entry| entry.difference != 0);
        wrong.or_else(|| kernel_says_wrong.then(|| entry(0)))
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
        let full = L::LANES && length == BATCH;
        let right = full && all_right(level, &batch.words.bytes, &batch.mailboxes, &batch.targets);
        let wrong = if right { None } else { batch.one_by_one(length, full) };
        batch.compared += length as u64;
        wrong
    }
}

/// Do the men of 32 boards hash to their targets?
#[inline(always)]
fn all_right<L: Token>(level: L, tables: &ByteTables, mailboxes: &[Quad; BATCH], targets: &[Quad; 8]) -> bool {
    let mut pairs = [Quad::ZERO; 32];
    for half in 0..2 {
        for (pair, codes) in pairs[16 * half..].iter_mut().zip(transposed(level, mailboxes, half)) {
            level.store(pair, codes);
        }
    }
    let mut sums = [level.splat(0); 8];
    // Not unrolled: sixteen look-ups a round are enough, and the node function wants the instruction cache.
    for (codes, squares) in std::hint::black_box(&pairs[..]).iter().zip(tables.0.as_chunks::<2>().0) {
        let codes = level.load(codes);
        let (low, high) = (level.low_nibbles(codes), level.high_nibbles(codes));
        for (byte, sum) in sums.iter_mut().enumerate() {
            let (a, b) = (level.look_up(&squares[0][byte], low), level.look_up(&squares[1][byte], high));
            *sum = level.xor(*sum, level.xor(a, b));
        }
    }
    level.is_zero(differing(level, sums, targets))
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

/// Eight vectors of key bytes become 32 keys: bytes are interleaved to pairs, pairs to fours, fours to eights. Yields
/// the bits in which any of them differs from its target.
#[inline(always)]
fn differing<L: Token>(level: L, sums: [L::Vector; 8], targets: &[Quad; 8]) -> L::Vector {
    let mut bits = level.splat(0);
    for upper in [false, true] {
        // Boards 0–7 and 16–23, then 8–15 and 24–31.
        let pair = |i: usize| match upper {
            false => level.interleave_low::<1>(sums[2 * i], sums[2 * i + 1]),
            true => level.interleave_high::<1>(sums[2 * i], sums[2 * i + 1]),
        };
        let pairs = [pair(0), pair(1), pair(2), pair(3)];
        let first = [level.interleave_low::<2>(pairs[0], pairs[1]), level.interleave_high::<2>(pairs[0], pairs[1])];
        let last = [level.interleave_low::<2>(pairs[2], pairs[3]), level.interleave_high::<2>(pairs[2], pairs[3])];
        for (i, (first, last)) in first.into_iter().zip(last).enumerate() {
            let quad = 2 * usize::from(upper) + i;
            for half in 0..2 {
                let keys = match half {
                    0 => level.interleave_low::<4>(first, last),
                    _ => level.interleave_high::<4>(first, last),
                };
                let targets = level.halves(&targets[quad], &targets[quad + 4], half);
                bits = level.or(bits, level.xor(keys, targets));
            }
        }
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Fen, legal_moves};
    use crate::cpu::{Level, V1};
    use crate::keys::{Tracker, preset};
    use crate::position::Position;
    use crate::walk::Game;

    struct Push<'a, 'w>(&'a mut Batch<'w>, &'a [(Board, Key)]);
    impl Task for Push<'_, '_> {
        type Output = Vec<WrongEntry>;
        #[inline(always)]
        fn run<L: Token>(self, level: L) -> Vec<WrongEntry> {
            let Push(batch, boards) = self;
            let mut wrong = Vec::new();
            for (board, key) in boards {
                wrong.extend(batch.push(level, board, *key));
            }
            wrong.extend(batch.flush(level));
            wrong
        }
    }

    /// Boards of a long game, with their keys.
    fn boards(words: &Words, policy: EnPassantPolicy) -> Vec<(Board, Key)> {
        let mut position = Position::new(Fen::parse(Fen::START).unwrap(), ());
        let mut boards = Vec::new();
        for ply in 0..100_usize {
            boards.push((*position.board(), words.key(position.board(), policy)));
            let moves = legal_moves(position.board());
            let _ = position.play(V1::token(), moves[ply * 7 % moves.len()]);
        }
        boards
    }

    fn levels() -> [Level; 2] {
        println!("levels run: v1, {}", Level::detect());
        [Level::portable(), Level::detect()]
    }

    #[test]
    fn right_keys_pass_on_every_level_and_scheme() {
        for scheme in ["cpw781", "rustic851", "polyglot"] {
            let scheme = preset(scheme).unwrap();
            let words = scheme.flattened(1).unwrap();
            let boards = boards(&words, scheme.policy);
            for level in levels() {
                let mut batch = Batch::new(&words, scheme.policy);
                assert_eq!(level.dispatch(Push(&mut batch, &boards)), [], "{level} {}", scheme.name);
                assert_eq!(batch.compared, boards.len() as u64);
            }
        }
    }

    #[test]
    fn every_bit_of_every_lane_is_noticed() {
        let scheme = preset("cpw793").unwrap();
        let words = scheme.flattened(1).unwrap();
        let right = boards(&words, scheme.policy);
        for level in levels() {
            for at in 0..right.len() {
                let mut boards = right.clone();
                let bit = 1 << (at * 11 % 64);
                boards[at].1.0 ^= bit;
                let wrong = level.dispatch(Push(&mut Batch::new(&words, scheme.policy), &boards));
                let seen: Vec<_> = wrong.iter().map(|wrong| (wrong.ordinal, wrong.difference)).collect();
                assert_eq!(seen, [(at as u64, bit)], "{level}");
            }
        }
    }

    #[test]
    fn a_corrupted_board_and_a_corrupted_table_are_noticed() {
        let scheme = preset("cpw793").unwrap();
        let mut words = scheme.flattened(1).unwrap();
        let right = boards(&words, scheme.policy);
        for level in levels() {
            // Between make and the kernel: every square of a board in turn.
            for square in 0..64 {
                let mut batch = Batch::new(&words, scheme.policy);
                for (board, key) in &right[..31] {
                    assert_eq!(batch.push(V1::token(), board, *key), None);
                }
                batch.mailboxes[square % 31].0[square / 16] ^= 1 << (4 * (square % 16));
                let wrong = level.dispatch(Push(&mut batch, &right[31..32]));
                assert_eq!(wrong.first().map(|wrong| wrong.ordinal), Some(square as u64 % 31), "{level} {square}");
            }
        }
        *words.bytes = words.bytes.corrupted();
        let wrong = Level::detect().dispatch(Push(&mut Batch::new(&words, scheme.policy), &right));
        // Only the kernel reads these tables: the scalar way finds nothing, and yet it is told.
        let has_lanes = Level::detect().to_string() != "v1";
        assert_eq!(!wrong.is_empty(), has_lanes, "{wrong:?}");
        assert!(wrong.iter().all(|wrong| wrong.difference == 0));
    }

    #[test]
    fn a_tracker_offers_a_batch_of_its_words() {
        let words = preset("cpw793").unwrap().flattened(0).unwrap();
        let axes = crate::keys::Dynamic { per_right: false, policy: EnPassantPolicy::Legal };
        assert!(crate::keys::Zobrist::new(&words, axes).batch().is_some() && ().batch().is_none());
    }
}
