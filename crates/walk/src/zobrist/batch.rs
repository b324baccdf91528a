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
//! it, and taken out of the key, so that the rest is what the men must hash to. Several keys, and the two lanes of a wide
//! one, share the boards and their transposition.
//!
//! Two kinds of scheme go another way. A sum needs its carries: the looked-up bytes are added in 16 bits, and each byte
//! plane's sum is shifted to its place ([`sums`]). A linear scheme's word is a multiple of a power of x, so a key is the
//! sum of twelve carry-less products, multiplier × bitboard, and one reduction ([`products`]).

use super::KeyTable;
use super::axes::Combine;
use super::key_table::{Modulus, Product};
use crate::chess::Board;
use arrayvec::ArrayVec;
use perft_gate_simd::{Kernel, NibbleTables, Quad, Token};

/// Boards in a batch: as many as a vector of bytes has lanes.
pub const BATCH: usize = 32;

/// TrackedKeys of all the keys of a position.
pub const MOST_LANES: usize = 16;

/// What the men of each board of a batch must hash to, in one lane.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub struct Targets(pub [u64; BATCH]);

/// Boards whose keys are to be compared, and the keys.
///
/// **Shape**: 32 mailboxes of 32 bytes, 32 × 64 bytes of bitboards where a kernel reads them; for each lane 32 words.
#[derive(Clone, Debug)]
pub struct KeyBatch<'w> {
    mailboxes: [Quad; BATCH],
    pub targets: [Targets; MOST_LANES],
    sets: [[Quad; 2]; BATCH],
    length: usize,
    /// How many boards left the batch.
    flushed: u64,
    /// How many boards were compared, in each lane: counted by what compares them.
    compared: Compared,
    kernels: ArrayVec<LaneKernel<'w>, MOST_LANES>,
}

/// How many keys were compared, by lane.
type Compared = [u64; MOST_LANES];

/// What a proof spoils.
#[derive(Clone, Copy, Debug)]
pub enum Spoilt {
    /// A bit of a key.
    Key { lane: usize, bit: usize },
    /// A square of the board.
    Square(usize),
}

/// How a lane is recomputed.
#[derive(Clone, Copy, Debug)]
enum LaneKernel<'w> {
    /// The lane is switched off.
    Off,
    /// Bytes looked up by code and xored.
    Xor(&'w KeyTable),
    /// Bytes looked up by code and added.
    Sum(&'w KeyTable),
    /// Carry-less products of bitboards.
    Products(&'w KeyTable, &'w Product),
}

impl<'w> LaneKernel<'w> {
    fn words(self) -> Option<&'w KeyTable> {
        match self {
            LaneKernel::Off => None,
            LaneKernel::Xor(words) | LaneKernel::Sum(words) | LaneKernel::Products(words, _) => Some(words),
        }
    }
}

/// A key of a batch that is wrong, as the kernel sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrongEntry {
    /// How many keys of the walk were compared before it.
    pub ordinal: u64,
    /// Which lane.
    pub lane: usize,
    /// The board's squares, four bits each.
    pub mailbox: [u64; 4],
    /// What the men should hash to by the incremental key ^ what they do; 0 if only the kernel saw it.
    pub difference: u64,
}

impl<'w> KeyBatch<'w> {
    /// An empty batch without lanes.
    pub fn new() -> KeyBatch<'w> {
        KeyBatch {
            mailboxes: [Quad::ZERO; BATCH],
            targets: [Targets([0; BATCH]); MOST_LANES],
            sets: [[Quad::ZERO; 2]; BATCH],
            length: 0,
            flushed: 0,
            compared: [0; MOST_LANES],
            kernels: ArrayVec::new(),
        }
    }

    /// Adds a lane over these words, compared from the bitboards if that is said and possible; or one that is off.
    pub fn add(&mut self, lane: Option<(&'w KeyTable, bool)>) {
        self.kernels.push(match lane {
            None => LaneKernel::Off,
            Some((words, sets)) => match (words.combine, &words.product) {
                (Combine::Xor, Some(product)) if sets => LaneKernel::Products(words, product),
                (Combine::Xor, _) => LaneKernel::Xor(words),
                (Combine::Add, _) => LaneKernel::Sum(words),
            },
        });
    }

    /// How many boards were compared in all their lanes.
    pub fn compared(&self) -> u64 {
        let lanes = self.kernels.iter().zip(self.compared);
        lanes.filter(|(kernel, _)| kernel.words().is_some()).map(|(_, compared)| compared).min().unwrap_or(0)
    }

    /// How many boards were stored.
    #[inline(always)]
    pub fn stored(&self) -> u64 {
        self.flushed + self.length as u64
    }

    /// Stores a board; yields its number. Its targets and [`KeyBatch::advance`] follow.
    #[inline(always)]
    pub fn store<L: Token>(&mut self, level: L, board: &Board, with_sets: bool) -> usize {
        let at = self.length & (BATCH - 1);
        level.store(&mut self.mailboxes[at], level.load(board.mailbox()));
        if with_sets {
            for (to, from) in self.sets[at].iter_mut().zip(board.sets()) {
                level.store(to, level.load(from));
            }
        }
        at
    }

    /// Counts the board that was stored; when the batch is full, compares it.
    #[inline(always)]
    pub fn advance<L: Token>(&mut self, level: L, at: usize) -> Option<WrongEntry> {
        self.length = at + 1;
        if self.length < BATCH { None } else { level.call(Flush(self)) }
    }

    /// The scalar way: for the last boards of a task, for a level without lanes, and to find which of 32 is wrong.
    ///
    /// If the kernel found a wrong one that this way does not find, the first is named with no difference: a fault of the
    /// kernel or the machine, which the repeated walk then reports.
    #[inline(never)]
    fn one_by_one(&self, length: usize, kernel_says_wrong: bool, compared: &mut Compared) -> Option<WrongEntry> {
        let mut entry = |at: usize, lane: usize| {
            let difference = self.kernels[lane].words().map_or(0, |words| {
                compared[lane] += 1;
                let target = self.targets[lane].0[at];
                let by = |men: u64| (men ^ target) & words.mask;
                match (self.kernels[lane], by(words.pieces_of(&self.mailboxes[at].0))) {
                    (LaneKernel::Products(..), 0) if kernel_says_wrong => by(words.pieces_of_sets(&self.sets[at])),
                    (_, difference) => difference,
                }
            });
            WrongEntry { ordinal: self.flushed + at as u64, lane, mailbox: self.mailboxes[at].0, difference }
        };
        let mut wrong = None;
        for at in 0..length {
            for lane in 0..self.kernels.len() {
                let entry = entry(at, lane);
                if entry.difference != 0 {
                    wrong.get_or_insert(entry);
                }
            }
        }
        wrong.or_else(|| kernel_says_wrong.then(|| WrongEntry { difference: 0, ..entry(0, 0) }))
    }

    /// Compares all keys of a full batch by the kernels; returns true if all are right.
    #[inline(always)]
    fn all_right<L: Token>(&self, level: L, compared: &mut Compared) -> bool {
        let by_squares = |kernel: &LaneKernel<'_>| matches!(kernel, LaneKernel::Xor(_) | LaneKernel::Sum(_));
        let squares = self.kernels.iter().any(by_squares).then(|| squares_of(level, &self.mailboxes));
        let squares = squares.as_ref();
        let mut right = true;
        for ((kernel, targets), compared) in self.kernels.iter().zip(&self.targets).zip(compared) {
            right &= match kernel {
                LaneKernel::Off => true,
                LaneKernel::Xor(words) => {
                    squares.is_some_and(|squares| xors(level, &words.bytes, squares, targets, compared))
                }
                LaneKernel::Sum(words) => squares.is_some_and(|squares| sums(level, words, squares, targets, compared)),
                LaneKernel::Products(_, product) => products(level, product, &self.sets, targets, compared),
            };
        }
        right
    }

    /// Spoils what was stored of a board, between `make` and the kernel; only a proof wants that.
    pub fn spoil(&mut self, at: usize, spoilt: Spoilt) {
        match spoilt {
            Spoilt::Key { lane, bit } => self.targets[lane].0[at] ^= 1 << bit,
            // An occupied square is emptied or holds another man, an empty one is occupied.
            Spoilt::Square(square) => {
                self.mailboxes[at].0[square / 16] ^= 1 << (4 * (square % 16));
                let bit = 1 << square;
                let [roles, rest] = &mut self.sets[at];
                let occupied = (rest.0[2] | rest.0[3]) & bit != 0;
                rest.0[if rest.0[3] & bit != 0 { 3 } else { 2 }] ^= bit;
                roles.0[0] |= if occupied { 0 } else { bit };
            }
        }
    }

    /// Compares what is left.
    pub fn flush<L: Token>(&mut self, level: L) -> Option<WrongEntry> {
        level.call(Flush(self))
    }
}

impl Default for KeyBatch<'_> {
    fn default() -> Self {
        KeyBatch::new()
    }
}

/// Compares the entries of a batch, and empties it; yields the first that is wrong.
struct Flush<'a, 'w>(&'a mut KeyBatch<'w>);

impl Kernel for Flush<'_, '_> {
    type Output = Option<WrongEntry>;

    #[inline(always)]
    fn run<L: Token>(self, level: L) -> Option<WrongEntry> {
        let batch = self.0;
        let length = std::mem::take(&mut batch.length);
        let full = L::LANES && length == BATCH;
        let mut compared = [0; MOST_LANES];
        let wrong = if !full {
            batch.one_by_one(length, false, &mut compared)
        } else if batch.all_right(level, &mut compared) {
            None
        } else {
            // Which one it is was not asked yet; the comparisons were made.
            batch.one_by_one(length, true, &mut [0; MOST_LANES])
        };
        for (sum, compared) in batch.compared.iter_mut().zip(compared) {
            *sum += compared;
        }
        batch.flushed += length as u64;
        wrong
    }
}

/// The same pair of squares of all boards side by side: 32 pairs of 32 bytes.
#[inline(always)]
pub(super) fn squares_of<L: Token>(level: L, mailboxes: &[Quad; BATCH]) -> [Quad; 32] {
    let mut squares = [Quad::ZERO; 32];
    for half in 0..2 {
        for (pair, codes) in squares[16 * half..].iter_mut().zip(transposed(level, mailboxes, half)) {
            level.store(pair, codes);
        }
    }
    squares
}

/// What the men of 32 boards hash to, of which the squares are given, by the kernel of the words' combination.
#[inline(always)]
pub(super) fn men_of_squares<L: Token>(level: L, words: &KeyTable, squares: &[Quad; 32]) -> [u64; BATCH] {
    match words.combine {
        Combine::Add => sums_of(level, words, squares),
        Combine::Xor => {
            let mut keys = [0; BATCH];
            for (at, vector) in keys_of(level, planes_of(level, &words.bytes, squares)).into_iter().enumerate() {
                let (mut four, first) = (Quad::ZERO, 2 * at);
                level.store(&mut four, vector);
                keys[first..first + 2].copy_from_slice(&four.0[..2]);
                keys[first + 16..first + 18].copy_from_slice(&four.0[2..]);
            }
            keys
        }
    }
}

/// The bytes of 32 keys, plane by plane.
#[inline(always)]
fn planes_of<L: Token>(level: L, tables: &NibbleTables, squares: &[Quad; 32]) -> [L::Vector; 8] {
    let sums = level.look_ups(tables, squares);
    let mut vectors = [level.splat(0); 8];
    for (vector, sum) in vectors.iter_mut().zip(&sums) {
        *vector = level.load(sum);
    }
    vectors
}

/// Do the men of 32 boards hash to their targets, by xor?
#[inline(always)]
fn xors<L: Token>(
    level: L,
    tables: &NibbleTables,
    squares: &[Quad; 32],
    targets: &Targets,
    compared: &mut u64,
) -> bool {
    let keys = keys_of(level, planes_of(level, tables, squares));
    let targets = targets.0.as_chunks::<4>().0;
    let mut bits = level.splat(0);
    for (at, keys) in keys.into_iter().enumerate() {
        let targets = level.halves(&targets[at / 2], &targets[at / 2 + 4], at % 2);
        bits = level.or(bits, level.xor(keys, targets));
        *compared += 4;
    }
    level.is_zero(bits)
}

/// Do they, by sum?
#[inline(always)]
fn sums<L: Token>(level: L, words: &KeyTable, squares: &[Quad; 32], targets: &Targets, compared: &mut u64) -> bool {
    let mut wrong = 0;
    for (found, target) in sums_of(level, words, squares).into_iter().zip(targets.0) {
        wrong |= (found ^ target) & words.mask;
        *compared += 1;
    }
    wrong == 0
}

/// Sums of words: each byte plane is summed in 16 bits, which 64 squares cannot overflow, even and odd boards apart.
#[inline(always)]
fn sums_of<L: Token>(level: L, words: &KeyTable, squares: &[Quad; 32]) -> [u64; BATCH] {
    let mut sums = [0_u64; BATCH];
    for byte in 0..8 {
        let (mut even, mut odd) = (level.splat(0), level.splat(0));
        for (pair, codes) in squares.iter().enumerate() {
            let (codes, tables) = (level.load(codes), words.bytes.pair(pair, byte));
            for looked_up in [
                level.look_up(tables[0], level.low_nibbles(codes)),
                level.look_up(tables[1], level.high_nibbles(codes)),
            ] {
                even = level.add16(even, level.even_bytes(looked_up));
                odd = level.add16(odd, level.odd_bytes(looked_up));
            }
        }
        let mut planes = [Quad::ZERO; 2];
        level.store(&mut planes[0], even);
        level.store(&mut planes[1], odd);
        for (board, sum) in sums.iter_mut().enumerate() {
            let part = planes[board & 1].0[board / 8] >> (16 * (board / 2 % 4)) & 0xffff;
            *sum = sum.wrapping_add(part << (8 * byte));
        }
    }
    sums
}

/// Do they, by carry-less products of bitboards?
#[inline(always)]
fn products<L: Token>(
    level: L,
    product: &Product,
    sets: &[[Quad; 2]; BATCH],
    targets: &Targets,
    compared: &mut u64,
) -> bool {
    let [low, high] = level.products(sets, &product.multipliers);
    let sums = low.into_iter().zip(high).zip(targets.0);
    // The modulus is one for all: outside the loop, which is then one of vectors.
    let wrong = match product.modulus {
        Modulus::Cyclic => {
            sums.fold(0, |wrong, ((low, high), target)| wrong | Modulus::Cyclic.reduce([low, high]) ^ target)
        }
        Modulus::Field => {
            sums.fold(0, |wrong, ((low, high), target)| wrong | Modulus::Field.reduce([low, high]) ^ target)
        }
    };
    *compared += BATCH as u64;
    wrong == 0
}

/// Half of the mailboxes the other way round: vector `i` holds byte `16 * half + i` of every board, the boards 0–15 in its
/// lower half and 16–31 in its upper one.
///
/// U64x4 rounds of interleaving the first half of the rows with the second transpose 16 × 16 bytes.
#[inline(always)]
fn transposed<L: Token>(level: L, mailboxes: &[Quad; BATCH], half: usize) -> [L::Vector; 16] {
    let mut rows = [level.splat(0); 16];
    for (i, row) in rows.iter_mut().enumerate() {
        *row = level.halves(&mailboxes[i].0, &mailboxes[i + 16].0, half);
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

/// U64x8 vectors of key bytes become 32 keys: bytes are interleaved to pairs, pairs to fours, fours to eights. Vector `i`
/// holds the keys of boards `2 i` and `2 i + 1` in its lower half, and those of the 16th and 17th after in its upper one.
#[inline(always)]
fn keys_of<L: Token>(level: L, planes: [L::Vector; 8]) -> [L::Vector; 8] {
    let mut keys = [level.splat(0); 8];
    for upper in [false, true] {
        // Boards 0–7 and 16–23, then 8–15 and 24–31.
        let pair = |i: usize| match upper {
            false => level.interleave_low::<1>(planes[2 * i], planes[2 * i + 1]),
            true => level.interleave_high::<1>(planes[2 * i], planes[2 * i + 1]),
        };
        let pairs = [pair(0), pair(1), pair(2), pair(3)];
        let first = [level.interleave_low::<2>(pairs[0], pairs[1]), level.interleave_high::<2>(pairs[0], pairs[1])];
        let last = [level.interleave_low::<2>(pairs[2], pairs[3]), level.interleave_high::<2>(pairs[2], pairs[3])];
        for (i, (first, last)) in first.into_iter().zip(last).enumerate() {
            let at = 4 * usize::from(upper) + 2 * i;
            keys[at] = level.interleave_low::<4>(first, last);
            keys[at + 1] = level.interleave_high::<4>(first, last);
        }
    }
    keys
}
