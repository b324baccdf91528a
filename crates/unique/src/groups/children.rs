//! The children of a position, each with its group.

use super::buckets::Buckets;
use super::rows::{KEY_ROW, ROW, bucket, group_of};
use crate::entries::{KEY, POSITION, entry_of};
use crate::set::Entry;
use perft_gate_chess::{Bitboard, Board, EnPassantPolicy, MoveList, Packed, Square};
use perft_gate_simd::{Token, inline_all};
use perft_gate_walk::{Game, KeySink, Position};
use perft_gate_zobrist::{Key, Tracker};

/// Identifies a position's children by key or by position. An entry has `N` words, and the row of a capture has `W`.
pub(super) trait ChildRule<const N: usize, const W: usize>: Copy + Sync {
    /// Like [`perft_gate_simd::Kernel::COMMON_ONLY`].
    const COMMON_ONLY: bool;
    fn add_children<L: Token>(self, level: L, board: Board, sink: &mut ChildSink<'_, N, W>);
}

/// Receiver of one position's children.
pub(super) struct ChildSink<'a, const N: usize, const W: usize> {
    /// Pieces of the side that is not to move. Their placement is the group of the position.
    pub(super) pieces: Bitboard,
    pub(super) count: u32,
    /// Children in the position's group, with their multiplicities.
    pub(super) quiet: &'a mut Vec<Entry<N>>,
    pub(super) taken: &'a mut Buckets<W>,
    /// Binary logarithm of the number of chunks.
    pub(super) chunk_bits: u32,
    pub(super) captures: u64,
}

#[inline_all]
impl<const N: usize, const W: usize> ChildSink<'_, N, W> {
    /// Adds a child that belongs to the same group as the position.
    fn quiet(&mut self, mut child: Entry<N>) {
        child[N - 1] = self.count;
        self.quiet.push(child);
    }

    fn capture(&mut self, child: Entry<N>, group: u32) {
        let mut row = [0; W];
        row[..W - 2].copy_from_slice(&child[..W - 2]);
        (row[W - 2], row[W - 1]) = (group, self.count);
        self.taken.push(bucket(0, group, self.chunk_bits), row);
        self.captures += 1;
    }
}

#[inline(always)]
pub(super) fn entry_of_row<const N: usize, const W: usize>(row: &[u32; W]) -> Entry<N> {
    let mut entry = [0; N];
    entry[..W - 2].copy_from_slice(&row[..W - 2]);
    entry[N - 1] = row[W - 1];
    entry
}

/// Identifies children by their keys.
#[derive(Clone, Copy)]
pub(super) struct ByKeys<T>(pub(super) T);

/// Passes the keys of one position's children to the sink.
struct Keyed<'s, 'a> {
    board: &'s Board,
    sink: &'s mut ChildSink<'a, KEY, KEY_ROW>,
}

#[inline_all]
impl KeySink for Keyed<'_, '_> {
    fn quiet(&mut self, Key(key): Key) {
        self.sink.quiet([key as u32, (key >> 32) as u32, (key >> 64) as u32, 0]);
    }
    fn capture(&mut self, Key(key): Key, captured: Square) {
        let group = group_of(self.board, self.sink.pieces & !Bitboard::from(captured));
        self.sink.capture([key as u32, (key >> 32) as u32, (key >> 64) as u32, 0], group);
    }
}

impl<T: Tracker> ChildRule<KEY, KEY_ROW> for ByKeys<T> {
    const COMMON_ONLY: bool = T::COMMON_ONLY;

    #[inline(always)]
    fn add_children<L: Token>(self, level: L, board: Board, sink: &mut ChildSink<'_, KEY, KEY_ROW>) {
        let position = Position::new(board, self.0);
        position.child_keys(level, &mut Keyed { board: position.board(), sink });
    }
}

/// Identifies children by their positions under an e.p. policy.
#[derive(Clone, Copy)]
pub(super) struct ByPosition(pub(super) EnPassantPolicy);

impl ChildRule<POSITION, ROW> for ByPosition {
    const COMMON_ONLY: bool = false;

    #[inline(always)]
    fn add_children<L: Token>(self, level: L, board: Board, sink: &mut ChildSink<'_, POSITION, ROW>) {
        let (mut position, mut moves) = (Position::new(board, ()), MoveList::default());
        position.moves(level, &mut moves);
        let prepared = position.prepare();
        for &mv in moves.iter() {
            // Starts from the prepared copy, so the previous move need not be unmade.
            let _ = position.make(level, &prepared, mv);
            let child = position.board();
            let (entry, pieces) = (entry_of(level, Packed::new(child, self.0)), child.color(child.turn()));
            if pieces == sink.pieces {
                sink.quiet(entry);
            } else {
                sink.capture(entry, group_of(child, pieces));
            }
        }
    }
}
