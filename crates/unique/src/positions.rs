//! Positions with their multiplicities, as a worker reads them: from a set, or from a file.

use crate::entries::POSITION;
use crate::set::{Entry, SetPart};
use perft_gate_chess::{DENSE_WORDS, Dense};
use std::ops::Range;

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
