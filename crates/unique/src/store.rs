//! Where a count keeps the positions of its plies: the algorithm is the same in memory and on disk.

use crate::entries::POSITION;
use crate::error::UniqueError;
use crate::move_sum::MoveSum;
use crate::positions::Positions;
use crate::set::{SetPart, Summary};
use perft_gate_simd::Level;
use perft_gate_walk::Control;

/// The positions of a ply with their multiplicities: written pass by pass, then read once a pass of the next ply, in pieces
/// that the workers share.
pub(crate) trait Store: Sync + Sized {
    /// True if the positions take memory from the tables.
    const IN_MEMORY: bool;
    /// What a worker needs to read pieces.
    type Buffer: Default;

    /// Returns an empty store for the next ply.
    fn empty(&self) -> Self;

    /// Adds the positions of a set, none of which is there yet; `found` sums them up. After a stop they may be incomplete.
    fn append(
        &mut self,
        parts: Vec<SetPart<POSITION>>,
        found: Summary,
        level: Level,
        control: &Control,
    ) -> Result<(), UniqueError>;

    /// Returns the number of bytes in memory.
    fn memory(&self) -> usize;

    /// Returns the legal moves of all positions.
    fn moves(&self, level: Level) -> MoveSum;

    /// Returns the number of pieces.
    fn pieces(&self) -> usize;

    /// Returns a piece.
    fn piece<'b>(&'b self, number: usize, buffer: &'b mut Self::Buffer) -> Result<Positions<'b>, UniqueError>;
}
