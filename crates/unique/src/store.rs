//! Where a count keeps the positions of its plies: the algorithm is the same in memory and on disk.

use crate::UniqueError;
use crate::expand::MoveSum;
use crate::frontier::POSITION;
use crate::set::{SetPart, Summary};
use perft_gate_simd::Level;
use perft_gate_walk::chess::{DENSE_WORDS, Dense};
use perft_gate_walk::walk::Control;
use std::ops::Range;

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

/// Positions with their multiplicities, in no particular order.
#[derive(Clone, Debug)]
pub(crate) enum Positions<'p> {
    /// Those in a range of slots.
    Slots(&'p SetPart<POSITION>, Range<usize>),
    /// Those of a list, and their multiplicities.
    #[cfg(feature = "spill")]
    Listed(&'p [Dense], &'p [u128]),
}

impl<'p> Positions<'p> {
    /// Returns the positions. The caller unpacks them itself: a closure here would be compiled without the level's
    /// instructions.
    #[inline(always)]
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Dense, u128)> + use<'p> {
        let (slots, listed) = match self {
            Positions::Slots(part, slots) => (Some(part.entries(slots.clone())), None),
            #[cfg(feature = "spill")]
            Positions::Listed(dense, counts) => (None, Some(dense.iter().copied().zip(counts.iter().copied()))),
        };
        #[cfg(not(feature = "spill"))]
        let listed: Option<std::iter::Empty<(Dense, u128)>> = listed;
        let dense = |(entry, count): (&[u32; POSITION], u128)| {
            let dense: &[u32; DENSE_WORDS] = entry.first_chunk().expect("an entry is longer than a position");
            (*dense, count)
        };
        slots.into_iter().flatten().map(dense).chain(listed.into_iter().flatten())
    }
}
