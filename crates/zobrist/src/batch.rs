//! Recomputes the keys of many positions in full, all at once, and compares them with the incremental keys.
//!
//! A batch collects boards and recomputes their keys. The buffer is larger than a batch, because the walk makes all
//! moves of a piece before it checks whether the batch is full. No function is called between these moves, so the state
//! that they share stays in registers.
//!
//! Castling, en passant and side have one key each. When a board is appended, these keys are looked up for the state
//! that `make` stored in the board, and removed from the position's key. What remains is the hash that the pieces are
//! expected to have. If a position has several keys, or a wide key with two parts, they all use the same stored boards.
//!
//! The piece hash of a board is the sum, or the xor, of one key for each of its 64 squares, chosen by the mailbox. So
//! for any board and any reference board
//!
//! > hash of a board = hash of the reference + the board's keys on the squares where the two differ
//! >                                         − the reference's keys on those squares
//!
//! A batch hashes boards this way. The reference is summed square by square. Then all 64 squares of each board are
//! compared with the reference in one step, since a mailbox is a vector. **This is a recompute from the board alone**:
//! it reads everything that `make` stored, but neither the move nor the previous key. With any reference, the result
//! equals the sum of 64 keys, bit for bit. The choice of reference affects only the time taken. Children use their
//! parent as the reference, because most moves change only two squares (castling changes four).
//!
//! Worked example: the reference is the start position, and the board is the position after e2e4. They differ on e2 and
//! e4: the reference has a pawn on e2, the board has one on e4. So two keys change the hash: the key of the pawn on e2
//! is removed and the key of the pawn on e4 is added. If `make` had forgotten to empty e2, only e4 would differ, and
//! the hash would be wrong, just as it would be if all squares were summed.

use crate::axes::Combine;
use crate::key_table::KeyTable;
use arrayvec::ArrayVec;
use perft_gate_chess::{EnPassantPolicy, State};
use perft_gate_simd::{Bytes, Quad, Token, U64s, inline_all, kernel};

/// Number of boards that makes a batch full.
pub const BATCH: usize = 64;

/// Capacity of the buffer. It holds fewer than [`BATCH`] waiting boards plus up to [`MAX_APPENDED`] new ones.
const ROOM: usize = 2 * BATCH;

/// Maximum number of boards appended between two calls of [`KeyBatch::make_room`].
pub const MAX_APPENDED: usize = ROOM - BATCH;

/// Maximum total number of parts of all keys of a position.
pub const MAX_PARTS: usize = 16;

/// The expected piece hash of each board of a batch, for one part of the key.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub struct Targets {
    pieces: [u64; ROOM],
    /// The keys of castling, en passant and side combined, for the state in `keyed`. Most siblings have the same state.
    rest: u64,
    keyed: u32,
}

impl Targets {
    /// A value that `State::keyed` never returns.
    const NO_STATE: u32 = 1;
    const NONE: Targets = Targets { pieces: [0; ROOM], rest: 0, keyed: Targets::NO_STATE };

    /// Stores the piece hash implied by the board's key as entry `at`. The piece hash is the key without the keys of
    /// castling, en passant and side, which follow from the board's state.
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

    /// Pretends that the cached `rest` belongs to this state. Only planted faults use this.
    pub fn keep_rest(&mut self, state: &State) {
        self.keyed = state.keyed();
    }
}

/// A batch of boards whose keys are waiting to be compared.
///
/// **Shape**: 128 mailboxes of 32 bytes; 128 targets for each part.
#[derive(Clone, Debug)]
pub struct KeyBatch<'w> {
    mailboxes: [Quad; ROOM],
    pub targets: [Targets; MAX_PARTS],
    /// The mailbox with which the boards are compared.
    reference: Quad,
    length: usize,
    /// Number of boards already compared and removed from the batch.
    flushed: u64,
    /// Number of boards compared for each part of the key, counted by the code that compares them.
    compared: [u64; MAX_PARTS],
    /// The key tables of the parts; `None` for a disabled part.
    tables: ArrayVec<Option<&'w KeyTable>, MAX_PARTS>,
}

/// A fault that a self-test puts into a batch.
#[derive(Clone, Copy, Debug)]
pub enum Spoilt {
    /// A wrong bit of a key.
    Key { part: usize, bit: usize },
    /// A wrong square of the board.
    Square(usize),
}

/// A wrong key in a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrongEntry {
    /// Number of boards compared before the board with the wrong key.
    pub ordinal: u64,
    /// Number of the key's part.
    pub part: usize,
    /// The contents of the board's squares, four bits per square.
    pub mailbox: [u64; 4],
    /// Piece hash from the incremental key, xored with the true piece hash; 0 if only the kernel finds the key wrong.
    pub difference: u64,
}

/// An empty batch without parts.
impl Default for KeyBatch<'_> {
    fn default() -> Self {
        KeyBatch {
            mailboxes: [Quad::ZERO; ROOM],
            targets: [Targets::NONE; MAX_PARTS],
            reference: Quad::ZERO,
            length: 0,
            flushed: 0,
            compared: [0; MAX_PARTS],
            tables: ArrayVec::new(),
        }
    }
}

#[inline_all]
impl<'w> KeyBatch<'w> {
    /// Adds a part of the key, with its key table; `None` adds a disabled part.
    pub fn add(&mut self, part: Option<&'w KeyTable>) {
        self.tables.push(part);
    }

    /// Returns the number of boards that have been compared in all enabled parts.
    pub fn compared(&self) -> u64 {
        let parts = self.tables.iter().zip(self.compared);
        parts.filter(|(table, _)| table.is_some()).map(|(_, compared)| compared).min().unwrap_or(0)
    }

    /// Returns the place at which the next board is stored.
    pub fn place(&self) -> usize {
        self.length
    }

    /// Stores the mailbox of a board.
    pub fn store<V: U64s>(&mut self, at: usize, mailbox: V) {
        mailbox.store(&mut self.mailboxes[at & (ROOM - 1)].0);
    }

    /// Adds the boards stored before `place` to the batch.
    pub fn advance(&mut self, place: usize) {
        debug_assert!(place <= ROOM, "no room was made");
        self.length = place;
    }

    /// Sets the mailbox that all boards are compared with until the next call. Any reference gives the same hashes.
    /// Boards close to the reference, such as its children, take the least time.
    pub fn set_reference<V: U64s>(&mut self, mailbox: V) {
        mailbox.store(&mut self.reference.0);
    }

    /// Compares and removes all boards if there are [`BATCH`] or more, so that [`MAX_APPENDED`] more fit. Returns the
    /// first wrong key, if any.
    pub fn make_room<L: Token>(&mut self, level: L) -> Option<WrongEntry> {
        if self.length < BATCH { None } else { self.compare(level) }
    }

    /// Compares and removes all boards. Returns the first wrong key, if any.
    pub fn compare<L: Token>(&mut self, level: L) -> Option<WrongEntry> {
        if self.length == 0 { None } else { compare_all(level, self) }
    }

    /// Returns an entry if the kernel found a wrong key (`is_right` is false), even if the board-by-board search finds
    /// none.
    fn wrong_unless(&self, is_right: bool) -> Option<WrongEntry> {
        if is_right { None } else { Some(self.find_wrong()) }
    }

    /// Searches a batch board by board for the wrong key that the kernel reported.
    ///
    /// If this search finds no wrong key, returns the first board, with difference 0. In that case, the kernel or the
    /// machine is at fault, and the repeated walk reports this.
    #[inline(never)]
    fn find_wrong(&self) -> WrongEntry {
        let entry = |at: usize, part: usize| {
            let difference = self.tables[part].map_or(0, |table| {
                (table.pieces_of(&self.mailboxes[at].0) ^ self.targets[part].pieces[at]) & table.mask
            });
            WrongEntry { ordinal: self.flushed + at as u64, part, mailbox: self.mailboxes[at].0, difference }
        };
        let entries = (0..self.length).flat_map(|at| (0..self.tables.len()).map(move |part| (at, part)));
        let mut wrong = entries.map(|(at, part)| entry(at, part)).filter(|entry| entry.difference != 0);
        wrong.next().unwrap_or_else(|| WrongEntry { difference: 0, ..entry(0, 0) })
    }

    /// Compares all keys with the kernel; returns true if all are right.
    fn all_right<L: Token>(&mut self, level: L) -> bool {
        let length = self.length.min(ROOM);
        let mut right = true;
        for ((table, targets), compared) in self.tables.iter().zip(&self.targets).zip(&mut self.compared) {
            let boards = (&self.mailboxes[..length], &targets.pieces[..length]);
            right &= table.is_none_or(|table| hashes_match(level, table, &self.reference, boards, compared));
        }
        right
    }

    /// Damages a stored board or key. Only self-tests use this.
    pub fn spoil(&mut self, at: usize, spoilt: Spoilt) {
        match spoilt {
            Spoilt::Key { part, bit } => self.targets[part].pieces[at] ^= 1 << bit,
            // An occupied square becomes empty or holds a different piece. An empty square becomes occupied.
            Spoilt::Square(square) => self.mailboxes[at].0[square / 16] ^= 1 << (4 * (square % 16)),
        }
    }
}

/// Compares all boards of a batch, empties it, and returns the first wrong key.
#[kernel]
fn compare_all<L: Token>(level: L, batch: &mut KeyBatch<'_>) -> Option<WrongEntry> {
    let is_right = batch.all_right(level);
    let wrong = batch.wrong_unless(is_right);
    batch.flushed += batch.length as u64;
    batch.length = 0;
    wrong
}

/// Returns true if the piece hash of every board equals its target. Adds up only the squares that differ from the
/// reference.
#[inline(always)]
fn hashes_match<L: Token>(
    level: L,
    table: &KeyTable,
    reference: &Quad,
    (mailboxes, targets): (&[Quad], &[u64]),
    compared: &mut u64,
) -> bool {
    // All boards combine their keys in the same way. Choosing the combination here makes it a constant inside the loop.
    match table.combine {
        Combine::Xor => hashes_match_by(level, (table, Combine::Xor), reference, (mailboxes, targets), compared),
        Combine::Add => hashes_match_by(level, (table, Combine::Add), reference, (mailboxes, targets), compared),
    }
}

#[inline(always)]
fn hashes_match_by<L: Token>(
    level: L,
    (table, combine): (&KeyTable, Combine),
    reference: &Quad,
    (mailboxes, targets): (&[Quad], &[u64]),
    compared: &mut u64,
) -> bool {
    let (hash_of_reference, before) = (table.pieces_of(&reference.0), level.load(reference));
    let mut wrong = 0;
    for (mailbox, target) in mailboxes.iter().zip(targets) {
        let mut hash = hash_of_reference;
        let mut pairs = level.load(mailbox).differing_bytes(before);
        while pairs != 0 {
            let pair = pairs.trailing_zeros() as usize & 31;
            let row = &table.pairs[pair & 31];
            hash = combine.remove(hash, row[usize::from(reference.byte(pair))]);
            hash = combine.join(hash, row[usize::from(mailbox.byte(pair))]);
            pairs &= pairs - 1;
        }
        wrong |= (hash ^ target) & table.mask;
        *compared += 1;
    }
    wrong == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scheme;
    use perft_gate_simd::Level;

    /// If only the kernel finds a wrong key, as on faulty hardware, the first board is returned, with difference 0.
    /// Otherwise, the board that has the wrong key is returned, with its difference.
    #[test]
    fn what_only_the_kernel_finds_is_a_mismatch() {
        let tables = Scheme::parse("cpw793", false).unwrap().key_tables(3).unwrap();
        let mut batch = KeyBatch::default();
        batch.add(Some(&tables.parts[0]));
        // The boards have one, two and three white pawns on the first squares.
        for (at, word) in [0x1, 0x11, 0x111].into_iter().enumerate() {
            let mailbox = Quad([word, 0, 0, 0]);
            (batch.mailboxes[at], batch.targets[0].pieces[at]) = (mailbox, tables.parts[0].pieces_of(&mailbox.0));
            batch.advance(at + 1);
        }
        assert_eq!(batch.wrong_unless(true), None);
        let of_first = WrongEntry { ordinal: 0, part: 0, mailbox: [0x1, 0, 0, 0], difference: 0 };
        assert_eq!(batch.wrong_unless(false), Some(of_first));
        batch.spoil(1, Spoilt::Key { part: 0, bit: 5 });
        let of_second = WrongEntry { ordinal: 1, part: 0, mailbox: [0x11, 0, 0, 0], difference: 1 << 5 };
        assert_eq!(batch.wrong_unless(false), Some(of_second));
        assert_eq!(compare_all(Level::detect(), &mut batch), Some(of_second));
    }
}
