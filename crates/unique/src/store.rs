//! Where a count keeps the positions of its plies: the algorithm is the same in memory and on disk.

use crate::UniqueError;
use crate::expand::MoveSum;
use crate::frontier::POSITION;
use crate::set::{Entry, SetPart, Summary};
use perft_gate_chess::{DENSE_WORDS, Dense};
use perft_gate_simd::Level;
use perft_gate_walk::Control;
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
    pub(crate) fn iter(&self) -> Iter<'p> {
        match self {
            Positions::Slots(part, slots) => {
                Iter { part: Some(part), slots: part.slice(slots.clone()), listed: &[], counts: &[] }
            }
            #[cfg(feature = "spill")]
            Positions::Listed(listed, counts) => Iter { part: None, slots: &[], listed, counts },
        }
    }
}

/// Iterator over positions. An own one, because a chain of the standard library's two is not inlined.
pub(crate) struct Iter<'p> {
    /// The part whose slots follow, if these are slots.
    part: Option<&'p SetPart<POSITION>>,
    slots: &'p [Entry<POSITION>],
    listed: &'p [Dense],
    counts: &'p [u128],
}

impl Iterator for Iter<'_> {
    type Item = (Dense, u128);

    #[inline(always)]
    fn next(&mut self) -> Option<(Dense, u128)> {
        let Some(part) = self.part else {
            let (dense, listed) = self.listed.split_first()?;
            let (count, counts) = self.counts.split_first()?;
            (self.listed, self.counts) = (listed, counts);
            return Some((*dense, *count));
        };
        loop {
            let (entry, slots) = self.slots.split_first()?;
            self.slots = slots;
            if entry[POSITION - 1] != 0 {
                let dense: &[u32; DENSE_WORDS] = entry.first_chunk().expect("an entry is longer than a position");
                return Some((*dense, part.count(0, entry)));
            }
        }
    }
}
