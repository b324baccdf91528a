//! The full recompute of many keys at once.
//!
//! Every xor scheme flattens to a table of 64 squares × 16 codes. The key of a board is the xor of 64 of its entries, and
//! an entry is eight bytes, so each *byte* of a key is the xor of 64 bytes out of tables of 16. One byte shuffle looks up
//! such a byte for as many boards at once as a vector has bytes. The codes must then be transposed: not the squares of a
//! board side by side, but the same square of 32 boards. Two squares share a byte of a mailbox, so 32 boards are a matrix
//! of 32 × 32 bytes to transpose. A batch is two such blocks, so that a table that was loaded serves both.
//!
//! Worked example with keys of one byte: if squares 0 and 1 of three boards hold the codes (1, 4), (0, 4) and (1, 0), the
//! transposed mailbox bytes of the pair are 41, 40, 01 (hexadecimal). Their low halves 1, 0, 1 index the table of square
//! 0, their high halves 4, 4, 0 that of square 1, and the xor of the two shuffles is the contribution to the three keys.
//!
//! Castling, en passant and side are one key each. They are looked up when a board is appended, from the state that `make`
//! left in it, and taken out of the position's key; the rest is the hash that the pieces must have. Several keys, and the
//! two parts of a wide one, share the boards and their transposition.
//!
//! Two kinds of scheme are computed differently. A sum needs its carries: the looked-up bytes are added in 16 bits, and the
//! sum of each byte plane is shifted to its place ([`sums`]). In a linear scheme the key of a piece on a square is a
//! multiplier times a power of x, so the hash of all pieces is the sum of twelve carry-less products, multiplier ×
//! bitboard, and one reduction ([`products`]).

use super::KeyTable;
use super::axes::Combine;
use super::key_table::{Modulus, Product};
use crate::chess::{Board, EnPassantPolicy, State};
use arrayvec::ArrayVec;
use perft_gate_simd::{Bytes, Kernel, NibbleTables, Quad, Token, U64s};

/// Number of boards in a block: the number of bytes in a vector.
pub const BLOCK: usize = 32;

/// Number of boards in a batch: two blocks, so that a key table in a register serves both.
pub const BATCH: usize = 2 * BLOCK;

/// Greatest number of parts of all keys of a position.
pub const MOST_PARTS: usize = 16;

/// The hashes that the pieces of each board of a batch must have, in one part.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub struct Targets {
    pieces: [u64; BATCH],
    /// Castling, en passant and side combined, and the state they were looked up for: siblings mostly share them.
    rest: u64,
    keyed: u32,
}

impl Targets {
    /// No board's state has these bits.
    const NO_STATE: u32 = 1;
    const NONE: Targets = Targets { pieces: [0; BATCH], rest: 0, keyed: Targets::NO_STATE };

    /// Writes the hash that the pieces of a board must have by its key, as entry `at`. Castling, en passant and side are
    /// taken from the state of the board itself.
    #[inline(always)]
    pub(super) fn expect(
        &mut self,
        at: usize,
        (key, state): (u64, &State),
        table: &KeyTable,
        (policy, combine): (EnPassantPolicy, Combine),
    ) {
        let keyed = state.keyed();
        if keyed != self.keyed {
            std::hint::cold_path();
            self.rest = table.rest(state, policy, combine);
            self.keyed = keyed;
        }
        self.pieces[at] = combine.remove(key, self.rest);
    }

    /// Passes off the part that was looked up last as this state's; only planted faults use it.
    pub fn keep_rest(&mut self, state: &State) {
        self.keyed = state.keyed();
    }
}

/// A batch of boards whose keys are to be compared, and the keys.
///
/// **Shape**: 64 mailboxes of 32 bytes; 64 × 64 bytes of bitboards, if a kernel reads them; 64 targets for each part.
#[derive(Clone, Debug)]
pub struct KeyBatch<'w> {
    mailboxes: [Quad; BATCH],
    pub targets: [Targets; MOST_PARTS],
    sets: [[Quad; 2]; BATCH],
    /// Room for the transposed mailboxes of a full batch, by block.
    nibbles: [[Quad; 64]; 2],
    length: usize,
    /// Number of boards that have left the batch.
    flushed: u64,
    /// Number of boards compared in each part, counted by the code that compares them.
    compared: Compared,
    kernels: ArrayVec<PartKernel<'w>, MOST_PARTS>,
}

/// Number of compared keys, by part.
type Compared = [u64; MOST_PARTS];

/// A fault that a self-test puts into a batch.
#[derive(Clone, Copy, Debug)]
pub enum Spoilt {
    /// A wrong bit of a key.
    Key { part: usize, bit: usize },
    /// A wrong square of the board.
    Square(usize),
}

/// The way in which a part is recomputed.
#[derive(Clone, Copy, Debug)]
enum PartKernel<'w> {
    /// The part is switched off.
    Off,
    /// Bytes looked up by code and xored.
    Xor(&'w KeyTable),
    /// Bytes looked up by code and added.
    Sum(&'w KeyTable),
    /// Carry-less products of bitboards.
    Products(&'w KeyTable, &'w Product),
}

impl<'w> PartKernel<'w> {
    fn table(self) -> Option<&'w KeyTable> {
        match self {
            PartKernel::Off => None,
            PartKernel::Xor(table) | PartKernel::Sum(table) | PartKernel::Products(table, _) => Some(table),
        }
    }
}

/// A wrong key of a batch, as the kernel reports it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrongEntry {
    /// Number of keys of the walk that were compared before it.
    pub ordinal: u64,
    /// Number of the part of the key.
    pub part: usize,
    /// The board's squares, four bits each.
    pub mailbox: [u64; 4],
    /// Hash of the pieces by the incremental key, xored with their true hash; 0 if only the kernel finds the key wrong.
    pub difference: u64,
}

impl<'w> KeyBatch<'w> {
    /// Makes an empty batch without parts.
    pub fn new() -> KeyBatch<'w> {
        KeyBatch {
            mailboxes: [Quad::ZERO; BATCH],
            targets: [Targets::NONE; MOST_PARTS],
            sets: [[Quad::ZERO; 2]; BATCH],
            nibbles: [[Quad::ZERO; 64]; 2],
            length: 0,
            flushed: 0,
            compared: [0; MOST_PARTS],
            kernels: ArrayVec::new(),
        }
    }

    /// Adds a part over a key table, or one that is off. The flag asks for a comparison from the bitboards, if the scheme has
    /// one.
    pub fn add(&mut self, part: Option<(&'w KeyTable, bool)>) {
        self.kernels.push(match part {
            None => PartKernel::Off,
            Some((table, sets)) => match (table.combine, &table.product) {
                (Combine::Xor, Some(product)) if sets => PartKernel::Products(table, product),
                (Combine::Xor, _) => PartKernel::Xor(table),
                (Combine::Add, _) => PartKernel::Sum(table),
            },
        });
    }

    /// Returns the number of boards that were compared in all their parts.
    pub fn compared(&self) -> u64 {
        let parts = self.kernels.iter().zip(self.compared);
        parts.filter(|(kernel, _)| kernel.table().is_some()).map(|(_, compared)| compared).min().unwrap_or(0)
    }

    /// Returns the number of boards that were stored.
    #[inline(always)]
    pub fn stored(&self) -> u64 {
        self.flushed + self.length as u64
    }

    /// Stores a board and returns its place. The caller then writes its targets and calls [`KeyBatch::advance`].
    #[inline(always)]
    pub fn store<L: Token>(&mut self, level: L, board: &Board, with_sets: bool) -> usize {
        debug_assert!(self.length < BATCH);
        let at = self.length & (BATCH - 1);
        level.load(board.mailbox()).store(&mut self.mailboxes[at].0);
        if with_sets {
            for (to, from) in self.sets[at].iter_mut().zip(board.sets()) {
                level.load(from).store(&mut to.0);
            }
        }
        at
    }

    /// Counts the board that was stored last; compares the batch if it is full now.
    #[inline(always)]
    pub fn advance<L: Token>(&mut self, level: L, at: usize) -> Option<WrongEntry> {
        self.length = at + 1;
        if self.length < BATCH { None } else { level.call(Flush(self)) }
    }

    /// Compares board by board: the last boards of a task, all boards of a level without lanes, and a batch in which the
    /// kernel found a wrong key.
    ///
    /// If only the kernel finds a wrong key, the first board is returned with difference 0: a fault of the kernel or of the
    /// machine, which the repeated walk then reports.
    #[inline(never)]
    fn one_by_one(&self, length: usize, kernel_says_wrong: bool, compared: &mut Compared) -> Option<WrongEntry> {
        let mut entry = |at: usize, part: usize| {
            let difference = self.kernels[part].table().map_or(0, |table| {
                compared[part] += 1;
                let target = self.targets[part].pieces[at];
                let differing = |pieces: u64| (pieces ^ target) & table.mask;
                match (self.kernels[part], differing(table.pieces_of(&self.mailboxes[at].0))) {
                    (PartKernel::Products(..), 0) if kernel_says_wrong => {
                        differing(table.pieces_of_sets(&self.sets[at]))
                    }
                    (_, difference) => difference,
                }
            });
            WrongEntry { ordinal: self.flushed + at as u64, part, mailbox: self.mailboxes[at].0, difference }
        };
        let mut wrong = None;
        for at in 0..length {
            for part in 0..self.kernels.len() {
                let entry = entry(at, part);
                if entry.difference != 0 {
                    wrong.get_or_insert(entry);
                }
            }
        }
        wrong.or_else(|| kernel_says_wrong.then(|| WrongEntry { difference: 0, ..entry(0, 0) }))
    }

    /// Compares all keys of a full batch by the kernels; returns true if all are right.
    #[inline(always)]
    fn all_right<L: Token>(&mut self, level: L, compared: &mut Compared) -> bool {
        let any = |kind: fn(&PartKernel<'_>) -> bool| self.kernels.iter().any(kind);
        let (xored, summed) =
            (any(|kernel| matches!(kernel, PartKernel::Xor(_))), any(|kernel| matches!(kernel, PartKernel::Sum(_))));
        let mailboxes = blocks(&self.mailboxes);
        if xored {
            for (nibbles, mailboxes) in self.nibbles.iter_mut().zip(mailboxes) {
                write_nibbles(level, mailboxes, nibbles);
            }
        }
        let squares = summed.then(|| [squares_of(level, mailboxes[0]), squares_of(level, mailboxes[1])]);
        let mut right = true;
        for ((kernel, targets), compared) in self.kernels.iter().zip(&self.targets).zip(compared) {
            let targets = blocks(&targets.pieces);
            right &= match kernel {
                PartKernel::Off => true,
                PartKernel::Xor(table) => xors(level, &table.bytes, &self.nibbles, targets, compared),
                PartKernel::Sum(table) => squares.as_ref().is_some_and(|[first, second]| {
                    sums(level, table, first, targets[0], compared) & sums(level, table, second, targets[1], compared)
                }),
                PartKernel::Products(_, product) => {
                    let [first, second] = blocks(&self.sets);
                    products(level, product, first, targets[0], compared)
                        & products(level, product, second, targets[1], compared)
                }
            };
        }
        right
    }

    /// Puts a fault into a stored board, between `make` and the kernel; only self-tests use it.
    pub fn spoil(&mut self, at: usize, spoilt: Spoilt) {
        match spoilt {
            Spoilt::Key { part, bit } => self.targets[part].pieces[at] ^= 1 << bit,
            // An occupied square becomes empty or holds another piece; an empty one becomes occupied.
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

    /// Compares the boards that are left.
    pub fn flush<L: Token>(&mut self, level: L) -> Option<WrongEntry> {
        level.call(Flush(self))
    }
}

impl Default for KeyBatch<'_> {
    fn default() -> Self {
        KeyBatch::new()
    }
}

/// Compares the entries of a batch and empties it; returns the first wrong one.
struct Flush<'a, 'w>(&'a mut KeyBatch<'w>);

impl Kernel for Flush<'_, '_> {
    type Output = Option<WrongEntry>;

    #[inline(always)]
    fn run<L: Token>(self, level: L) -> Option<WrongEntry> {
        let batch = self.0;
        let length = std::mem::take(&mut batch.length);
        let full = L::FAST_VECTORS && length == BATCH;
        let mut compared = [0; MOST_PARTS];
        let wrong = if !full {
            batch.one_by_one(length, false, &mut compared)
        } else if batch.all_right(level, &mut compared) {
            None
        } else {
            // The comparisons are already counted; this only finds the wrong board.
            batch.one_by_one(length, true, &mut [0; MOST_PARTS])
        };
        for (sum, compared) in batch.compared.iter_mut().zip(compared) {
            *sum += compared;
        }
        batch.flushed += length as u64;
        wrong
    }
}

/// Returns the two blocks of a batch.
#[inline(always)]
fn blocks<T>(batch: &[T; BATCH]) -> [&[T; BLOCK]; 2] {
    let (blocks, _) = batch.as_chunks::<BLOCK>();
    [&blocks[0], &blocks[1]]
}

/// Transposes 32 mailboxes: the same square of all boards side by side, a byte each, 64 squares of 32 bytes.
#[inline(always)]
fn write_nibbles<L: Token>(level: L, mailboxes: &[Quad; BLOCK], squares: &mut [Quad; 64]) {
    for half in 0..2 {
        let pairs = squares[32 * half..].as_chunks_mut::<2>().0;
        for ([even, odd], codes) in pairs.iter_mut().zip(transposed(level, mailboxes, half)) {
            codes.low_nibbles().store(&mut even.0);
            codes.high_nibbles().store(&mut odd.0);
        }
    }
}

/// Transposes 32 mailboxes: the same pair of squares of all boards side by side, 32 pairs of 32 bytes.
#[inline(always)]
pub(super) fn squares_of<L: Token>(level: L, mailboxes: &[Quad; BLOCK]) -> [Quad; 32] {
    let mut squares = [Quad::ZERO; 32];
    for half in 0..2 {
        for (pair, codes) in squares[16 * half..].iter_mut().zip(transposed(level, mailboxes, half)) {
            codes.store(&mut pair.0);
        }
    }
    squares
}

/// Returns the hashes of the pieces of 32 boards, given as transposed squares, by the kernel of the table's combination.
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

/// Loads the bytes of 32 keys as byte planes.
#[inline(always)]
fn planes_of<L: Token>(level: L, sums: &[Quad; 8]) -> [L::U64x4; 8] {
    let mut vectors = [level.splat(0); 8];
    for (vector, sum) in vectors.iter_mut().zip(sums) {
        *vector = level.load(sum);
    }
    vectors
}

/// Returns true if the pieces of two blocks hash to their targets, by xor.
#[inline(always)]
fn xors<L: Token>(
    level: L,
    tables: &NibbleTables,
    nibbles: &[[Quad; 64]; 2],
    targets: [&[u64; BLOCK]; 2],
    compared: &mut u64,
) -> bool {
    let mut bits = level.splat(0);
    for (sums, targets) in level.look_ups_of_two(tables, nibbles).iter().zip(targets) {
        let targets = targets.as_chunks::<4>().0;
        for (at, keys) in keys_of(level, planes_of(level, sums)).into_iter().enumerate() {
            let from = 2 * (at % 2);
            let targets = L::U64x4::of_halves(level.proof(), &targets[at / 2][from..], &targets[at / 2 + 4][from..]);
            bits = bits | keys ^ targets;
            *compared += 4;
        }
    }
    bits.is_all_zero()
}

/// Returns true if the pieces of 32 boards hash to their targets, by sum.
#[inline(always)]
fn sums<L: Token>(
    level: L,
    table: &KeyTable,
    squares: &[Quad; 32],
    targets: &[u64; BLOCK],
    compared: &mut u64,
) -> bool {
    let mut wrong = 0;
    for (found, target) in sums_of(level, table, squares).into_iter().zip(targets) {
        wrong |= (found ^ target) & table.mask;
        *compared += 1;
    }
    wrong == 0
}

/// Returns the sums of 32 boards. Each byte plane is summed in 16 bits, which 64 squares cannot overflow, with even and
/// odd boards in separate vectors.
#[inline(always)]
fn sums_of<L: Token>(level: L, table: &KeyTable, squares: &[Quad; 32]) -> [u64; BLOCK] {
    let mut sums = [0_u64; BLOCK];
    for byte in 0..8 {
        let (mut even, mut odd) = (level.splat(0), level.splat(0));
        for (pair, codes) in squares.iter().enumerate() {
            let (codes, tables) = (level.load(codes), table.bytes.pair(pair, byte));
            for looked_up in [codes.low_nibbles().looked_up_in(tables[0]), codes.high_nibbles().looked_up_in(tables[1])]
            {
                even = even.plus16(looked_up.even_bytes());
                odd = odd.plus16(looked_up.odd_bytes());
            }
        }
        let mut planes = [Quad::ZERO; 2];
        even.store(&mut planes[0].0);
        odd.store(&mut planes[1].0);
        for (board, sum) in sums.iter_mut().enumerate() {
            let sixteen = planes[board & 1].0[board / 8] >> (16 * (board / 2 % 4)) & 0xffff;
            *sum = sum.wrapping_add(sixteen << (8 * byte));
        }
    }
    sums
}

/// Returns true if the pieces of 32 boards hash to their targets, by carry-less products of bitboards.
#[inline(always)]
fn products<L: Token>(
    level: L,
    product: &Product,
    sets: &[[Quad; 2]; BLOCK],
    targets: &[u64; BLOCK],
    compared: &mut u64,
) -> bool {
    let [low, high] = level.products(sets, &product.multipliers);
    let sums = low.into_iter().zip(high).zip(targets);
    // All boards have the same modulus: chosen outside the loop, it lets the compiler vectorise the loop.
    let wrong = match product.modulus {
        Modulus::Cyclic => {
            sums.fold(0, |wrong, ((low, high), target)| wrong | Modulus::Cyclic.reduce([low, high]) ^ target)
        }
        Modulus::Field => {
            sums.fold(0, |wrong, ((low, high), target)| wrong | Modulus::Field.reduce([low, high]) ^ target)
        }
    };
    *compared += BLOCK as u64;
    wrong == 0
}

/// Transposes one half of the mailboxes: vector `i` holds byte `16 * half + i` of every board, boards 0–15 in its lower
/// half and 16–31 in its upper one.
///
/// Four rounds of interleaving the first half of the rows with the second transpose 16 × 16 bytes.
#[inline(always)]
fn transposed<L: Token>(level: L, mailboxes: &[Quad; BLOCK], half: usize) -> [L::U64x4; 16] {
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

/// Turns eight byte planes into 32 keys: bytes are interleaved to pairs, pairs to fours, fours to eights. Vector `i` holds
/// the keys of boards `2 i` and `2 i + 1` in its lower half, and those of the 16th and 17th after in its upper one.
#[inline(always)]
fn keys_of<L: Token>(level: L, planes: [L::U64x4; 8]) -> [L::U64x4; 8] {
    let mut keys = [level.splat(0); 8];
    for upper in [false, true] {
        // Boards 0–7 and 16–23, then 8–15 and 24–31.
        let pair = |i: usize| match upper {
            false => planes[2 * i].interleave_low::<1>(planes[2 * i + 1]),
            true => planes[2 * i].interleave_high::<1>(planes[2 * i + 1]),
        };
        let pairs = [pair(0), pair(1), pair(2), pair(3)];
        let first = [pairs[0].interleave_low::<2>(pairs[1]), pairs[0].interleave_high::<2>(pairs[1])];
        let last = [pairs[2].interleave_low::<2>(pairs[3]), pairs[2].interleave_high::<2>(pairs[3])];
        for (i, (first, last)) in first.into_iter().zip(last).enumerate() {
            let at = 4 * usize::from(upper) + 2 * i;
            keys[at] = first.interleave_low::<4>(last);
            keys[at + 1] = first.interleave_high::<4>(last);
        }
    }
    keys
}
