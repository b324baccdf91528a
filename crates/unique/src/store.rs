//! Storage of a count's positions behind one trait, so that the algorithm is the same in memory and on disk. A store
//! also counts the legal moves of its positions. The plain sum is the number of children to be made for the next ply.
//! The sum weighted by multiplicity is perft of that ply.

use crate::entries::{POSITION, Positions};
use crate::error::UniqueError;
use crate::set::{Shard, Summary};
use perft_gate_chess::Packed;
use perft_gate_simd::{Level, Token, kernel};
use perft_gate_walk::{Control, Game, Position};

/// The positions of a ply with their multiplicities. They are written pass by pass. Each pass of the next ply then
/// reads all positions once, in pieces that are divided among the workers.
pub(crate) trait Store: Sync + Sized {
    /// True if the positions are kept in memory, which leaves less memory for the tables.
    const IN_MEMORY: bool;
    /// The buffer into which a worker reads pieces.
    type Buffer: Default;

    /// Returns an empty store for the next ply.
    fn empty(&self) -> Self;

    /// Adds the positions of a set, none of which may be in the store yet. `found` is the summary of the set. If the
    /// run was stopped, some positions may be missing.
    fn append(
        &mut self,
        parts: Vec<Shard<POSITION>>,
        found: Summary,
        level: Level,
        control: &Control,
    ) -> Result<(), UniqueError>;

    /// Returns the number of bytes of memory that the store takes up.
    fn memory(&self) -> usize;

    /// Returns the total number of legal moves of all positions, plain and weighted by multiplicity.
    fn moves(&self, level: Level) -> MoveSum;

    fn pieces(&self) -> usize;

    /// Returns piece `number`. Reads it into `buffer` if it is not in memory.
    fn piece<'b>(&'b self, number: usize, buffer: &'b mut Self::Buffer) -> Result<Positions<'b>, UniqueError>;
}

/// Total number of legal moves of a set of positions, plain and weighted by multiplicity.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "spill", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct MoveSum {
    pub(crate) moves: u64,
    /// Number of moves weighted by multiplicity, which is perft of the next ply.
    pub(crate) weighted: u128,
}

impl MoveSum {
    pub(crate) fn and(self, other: MoveSum) -> MoveSum {
        MoveSum { moves: self.moves + other.moves, weighted: self.weighted.saturating_add(other.weighted) }
    }
}

/// Kernel that adds up the legal moves of all given positions.
#[kernel]
pub(crate) fn sum_moves<L: Token>(level: L, positions: Positions<'_>) -> MoveSum {
    let mut sum = MoveSum::default();
    for (dense, count) in positions {
        let moves = Position::new(Packed::of_dense(level, dense).board(), ()).count_moves(level);
        sum = sum.and(MoveSum { moves, weighted: count.saturating_mul(moves.into()) });
    }
    sum
}
