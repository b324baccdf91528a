//! The comparison of many keys at once with a full recompute.
//!
//! Boards are collected until there are two blocks of them; the [`kernels`](super::kernels) then compute the hashes of
//! their pieces. There is room for more: the walk makes all moves of a piece before it looks whether there are enough, so that
//! nothing is called while they are made and their common part stays in registers.
//!
//! Castling, en passant and side are one key each. They are looked up when a board is appended, from the state that `make`
//! left in it, and taken out of the position's key; the rest is the hash that the pieces must have. Several keys, and the
//! two parts of a wide one, share the boards and their transposition.

use super::axes::Combine;
use super::kernels::{BLOCK, products, squares_of, sums, write_nibbles, xors};
use super::key_table::Product;
use crate::key_table::KeyTable;
use arrayvec::ArrayVec;
use perft_gate_chess::{Board, EnPassantPolicy, State};
use perft_gate_simd::{Kernel, Quad, Token, U64s};

/// Number of boards in a batch: two blocks, so that a key table in a register serves both.
pub const BATCH: usize = 2 * BLOCK;

/// Number of boards that a batch has room for: those that are waiting, fewer than [`BATCH`], and [`MAX_APPENDED`] more.
const ROOM: usize = 2 * BATCH;

/// Greatest number of boards that may be appended before [`KeyBatch::make_room`] is called again.
pub const MAX_APPENDED: usize = ROOM - BATCH;

/// Greatest number of parts of all keys of a position.
pub const MAX_PARTS: usize = 16;

/// The hashes that the pieces of each board of a batch must have, in one part.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub struct Targets {
    pieces: [u64; ROOM],
    /// Castling, en passant and side combined, and the state they were looked up for: siblings mostly share them.
    rest: u64,
    keyed: u32,
}

impl Targets {
    /// No board's state has these bits.
    const NO_STATE: u32 = 1;
    const NONE: Targets = Targets { pieces: [0; ROOM], rest: 0, keyed: Targets::NO_STATE };

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
        self.pieces[at & (ROOM - 1)] = combine.remove(key, self.rest);
    }

    /// Passes off the part that was looked up last as this state's; only planted faults use it.
    pub fn keep_rest(&mut self, state: &State) {
        self.keyed = state.keyed();
    }
}

/// A batch of boards whose keys are to be compared, and the keys.
///
/// **Shape**: 128 mailboxes of 32 bytes; 128 × 64 bytes of bitboards, if a kernel reads them; 128 targets for each part.
#[derive(Clone, Debug)]
pub struct KeyBatch<'w> {
    mailboxes: [Quad; ROOM],
    pub targets: [Targets; MAX_PARTS],
    sets: [[Quad; 2]; ROOM],
    /// Room for the transposed mailboxes of a full batch, by block.
    nibbles: [[Quad; 64]; 2],
    length: usize,
    /// Number of boards that have left the batch.
    flushed: u64,
    /// Number of boards compared in each part, counted by the code that compares them.
    compared: ComparedKeys,
    kernels: ArrayVec<PartKernel<'w>, MAX_PARTS>,
}

/// Number of compared keys, by part.
type ComparedKeys = [u64; MAX_PARTS];

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
            mailboxes: [Quad::ZERO; ROOM],
            targets: [Targets::NONE; MAX_PARTS],
            sets: [[Quad::ZERO; 2]; ROOM],
            nibbles: [[Quad::ZERO; 64]; 2],
            length: 0,
            flushed: 0,
            compared: [0; MAX_PARTS],
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

    /// Returns the place of the next board.
    #[inline(always)]
    pub fn place(&self) -> usize {
        self.length
    }

    /// Stores the mailbox of a board.
    #[inline(always)]
    pub fn store<V: U64s>(&mut self, at: usize, mailbox: V) {
        mailbox.store(&mut self.mailboxes[at & (ROOM - 1)].0);
    }

    /// Stores the sets of a board.
    #[inline(always)]
    pub fn store_sets<L: Token>(&mut self, level: L, at: usize, board: &Board) {
        for (to, from) in self.sets[at & (ROOM - 1)].iter_mut().zip(board.sets()) {
            level.load(from).store(&mut to.0);
        }
    }

    /// Counts the boards that were stored before this place.
    #[inline(always)]
    pub fn advance(&mut self, place: usize) {
        debug_assert!(place <= ROOM, "no room was made");
        self.length = place;
    }

    /// Compares the first [`BATCH`] boards if there are so many, so that there is room for [`MAX_APPENDED`] more; returns a
    /// wrong key if it found one.
    #[inline(always)]
    pub fn make_room<L: Token>(&mut self, level: L) -> Option<WrongEntry> {
        if self.length < BATCH { None } else { level.call(Flush(self)) }
    }

    /// Moves the boards that were not compared yet to the front.
    #[inline(always)]
    fn remove_compared(&mut self) {
        let rest = BATCH..self.length.clamp(BATCH, ROOM);
        self.length = rest.len();
        self.flushed += BATCH as u64;
        move_to_front(&mut self.mailboxes, rest.clone());
        for (targets, kernel) in self.targets.iter_mut().zip(&self.kernels) {
            move_to_front(&mut targets.pieces, rest.clone());
            if let PartKernel::Products(..) = kernel {
                move_to_front(&mut self.sets, rest.clone());
            }
        }
    }

    /// Compares board by board: the last boards of a task, all boards of a level without lanes, and a batch in which the
    /// kernel found a wrong key.
    ///
    /// If only the kernel finds a wrong key, the first board is returned with difference 0: a fault of the kernel or of the
    /// machine, which the repeated walk then reports.
    #[inline(never)]
    fn one_by_one(&self, length: usize, kernel_says_wrong: bool, compared: &mut ComparedKeys) -> Option<WrongEntry> {
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
    fn all_right<L: Token>(&mut self, level: L, compared: &mut ComparedKeys) -> bool {
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
        let first = self.make_room(level);
        let (length, mut compared) = (std::mem::take(&mut self.length), [0; MAX_PARTS]);
        let wrong = self.one_by_one(length, false, &mut compared);
        self.add_compared(&compared);
        self.flushed += length as u64;
        first.or(wrong)
    }

    #[inline(always)]
    fn add_compared(&mut self, compared: &ComparedKeys) {
        for (sum, compared) in self.compared.iter_mut().zip(compared) {
            *sum += compared;
        }
    }
}

impl Default for KeyBatch<'_> {
    fn default() -> Self {
        KeyBatch::new()
    }
}

/// Moves entries to the front. Mostly they are few: a copy of fixed size needs no call.
#[inline(always)]
fn move_to_front<T: Copy>(entries: &mut [T; ROOM], from: std::ops::Range<usize>) {
    const FEW: usize = 8;
    if from.len() > FEW {
        entries.copy_within(from, 0);
    } else {
        entries.copy_within(BATCH..BATCH + FEW, 0);
    }
}

/// Compares the first [`BATCH`] entries of a batch and removes them; returns the first wrong one.
struct Flush<'a, 'w>(&'a mut KeyBatch<'w>);

impl Kernel for Flush<'_, '_> {
    type Output = Option<WrongEntry>;

    #[inline(always)]
    fn run<L: Token>(self, level: L) -> Option<WrongEntry> {
        let batch = self.0;
        let mut compared = [0; MAX_PARTS];
        let wrong = if !L::FAST_VECTORS {
            batch.one_by_one(BATCH, false, &mut compared)
        } else if batch.all_right(level, &mut compared) {
            None
        } else {
            // The comparisons are already counted; this only finds the wrong board.
            batch.one_by_one(BATCH, true, &mut [0; MAX_PARTS])
        };
        batch.add_compared(&compared);
        batch.remove_compared();
        wrong
    }
}

/// Returns the two blocks of a batch that are compared next.
#[inline(always)]
fn blocks<T>(batch: &[T; ROOM]) -> [&[T; BLOCK]; 2] {
    let (blocks, _) = batch.as_chunks::<BLOCK>();
    [&blocks[0], &blocks[1]]
}
