//! The distinct positions of a ply, with their multiplicities, in memory.

use crate::chess::Packed;
use crate::table::{Entry, Part, Set};
use rayon::prelude::*;
use std::io;
use std::ops::Range;

/// Words of a position and its count.
pub(super) const POSITION: usize = 9;
/// Words of a key and its count.
pub(super) const KEY: usize = 4;

/// Slots that a worker takes at a time.
const CHUNK: usize = 2048;

/// The entry of planes; its count is left open.
#[inline(always)]
pub(super) fn entry_of(planes: [u64; 4]) -> Entry<POSITION> {
    let mut entry = [0; POSITION];
    for (at, plane) in planes.into_iter().enumerate() {
        entry[2 * at] = plane as u32;
        entry[2 * at + 1] = (plane >> 32) as u32;
    }
    entry
}

/// The position that an entry begins with.
#[inline(always)]
pub(super) fn position_of<const N: usize>(entry: &Entry<N>) -> Packed {
    Packed::of_planes(std::array::from_fn(|at| u64::from(entry[2 * at]) | u64::from(entry[2 * at + 1]) << 32))
}

/// The distinct positions of a ply.
#[derive(Debug, Default)]
pub struct Frontier {
    parts: Vec<Part<POSITION>>,
}

impl Frontier {
    /// One position, reached once.
    pub(super) fn of(root: Packed) -> io::Result<Frontier> {
        let set = Set::new(1)?;
        let mut writer = set.writer();
        let put = writer.insert(&entry_of(root.planes()), 1).and_then(|()| writer.finish());
        put.expect("room for one");
        let mut frontier = Frontier::default();
        frontier.append(set.into_parts())?;
        Ok(frontier)
    }

    /// Adds the positions of a set, none of which may be there, in memory of just the size that they need.
    pub(super) fn append(&mut self, parts: Vec<Part<POSITION>>) -> io::Result<()> {
        // One after the other: there is never more than one part twice in memory.
        for part in parts {
            self.parts.push(part.compacted()?);
        }
        Ok(())
    }

    /// How many positions.
    pub fn positions(&self) -> u64 {
        self.parts.iter().map(|part| part.keys() as u64).sum()
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        self.parts.iter().map(|part| part.slots() * size_of::<Entry<POSITION>>()).sum()
    }

    /// The positions with their multiplicities, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (Packed, u128)> {
        let entries = self.parts.iter().flat_map(|part| part.entries(0..part.slots()));
        entries.map(|(entry, count)| (position_of(entry), count))
    }

    /// What workers share: pieces of the frontier.
    pub(super) fn chunks(&self) -> Vec<Chunk<'_>> {
        let of_part = |part| {
            let slots = Part::slots(part);
            (0..slots).step_by(CHUNK).map(move |from| Chunk { part, slots: from..slots.min(from + CHUNK) })
        };
        self.parts.iter().flat_map(of_part).collect()
    }

    /// Does `work` with every chunk and sums up what it yields.
    pub(super) fn sum<S: Send + Sync + Copy>(
        &self,
        zero: S,
        work: impl Fn(&Chunk<'_>) -> S + Sync + Send,
        add: impl Fn(S, S) -> S + Sync + Send,
    ) -> S {
        self.chunks().par_iter().map(work).reduce(|| zero, add)
    }
}

/// A piece of a frontier.
#[derive(Clone, Debug)]
pub(super) struct Chunk<'f> {
    part: &'f Part<POSITION>,
    slots: Range<usize>,
}

impl<'f> Chunk<'f> {
    /// Its positions with their multiplicities.
    #[inline(always)]
    pub(super) fn positions(&self) -> impl Iterator<Item = (Packed, u128)> + use<'f> {
        self.part.entries(self.slots.clone()).map(|(entry, count)| (position_of(entry), count))
    }
}
