//! The distinct positions of a ply, with their multiplicities, in memory.

use crate::set::{Entry, Set, SetPart};
use perft_gate_simd::{Level, Token, V1};
use perft_gate_walk::chess::{DENSE_WORDS, Packed};
use rayon::prelude::*;
use std::io;
use std::ops::Range;

/// Number of 32-bit words of an entry that holds a position and its count; with one unused word they fill half a cache
/// line.
pub(super) const POSITION: usize = 8;
/// Number of 32-bit words of an entry that holds a key and its count.
pub(super) const KEY: usize = 4;
/// Number of 32-bit words of an entry that holds a key and its count with the help of its place; see [`Set`].
pub(super) const NARROW_KEY: usize = 3;

/// Number of slots that a worker takes at a time.
const CHUNK: usize = 2048;

/// Returns the entry that begins with a position; its remaining words are zero.
#[inline(always)]
pub(super) fn entry_of<L: Token, const N: usize>(level: L, position: Packed) -> Entry<N> {
    let mut entry = [0; N];
    entry[..DENSE_WORDS].copy_from_slice(&position.dense(level));
    entry
}

/// Returns the position that an entry begins with.
#[inline(always)]
pub(super) fn position_of<L: Token, const N: usize>(level: L, entry: &Entry<N>) -> Packed {
    let (dense, _) = entry.split_first_chunk().expect("an entry is longer than a position");
    Packed::of_dense(level, *dense)
}

/// The distinct positions of a ply.
#[derive(Debug, Default)]
pub struct Frontier {
    parts: Vec<SetPart<POSITION>>,
}

impl Frontier {
    /// Returns the frontier of the root: one position, reached once.
    pub(super) fn of(root: Packed) -> io::Result<Frontier> {
        let set = Set::new(1)?;
        let mut writer = set.writer(Level::portable());
        let put = writer.insert(&entry_of(V1::token(), root), 1).and_then(|()| writer.finish());
        put.expect("room for one");
        let mut frontier = Frontier::default();
        frontier.append(set.into_parts())?;
        Ok(frontier)
    }

    /// Adds the positions of a set, none of which may be in the frontier yet, in memory of exactly the size they need.
    pub(super) fn append(&mut self, parts: Vec<SetPart<POSITION>>) -> io::Result<()> {
        // One part after the other, so that at most one part is in memory twice.
        for part in parts {
            self.parts.push(part.compacted()?);
        }
        Ok(())
    }

    /// Returns the number of positions.
    pub fn positions(&self) -> u64 {
        self.parts.iter().map(|part| part.keys() as u64).sum()
    }

    /// Returns the number of bytes in memory.
    pub fn bytes(&self) -> usize {
        self.parts.iter().map(|part| part.slots() * size_of::<Entry<POSITION>>()).sum()
    }

    /// Returns the positions with their multiplicities, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (Packed, u128)> {
        let entries = self.parts.iter().flat_map(|part| part.entries(0..part.slots()));
        entries.map(|(entry, count)| (position_of(V1::token(), entry), count))
    }

    /// Returns the pieces of the frontier that the workers share.
    pub(super) fn chunks(&self) -> Vec<Chunk<'_>> {
        let of_part = |part| {
            let slots = SetPart::slots(part);
            (0..slots).step_by(CHUNK).map(move |from| Chunk { part, slots: from..slots.min(from + CHUNK) })
        };
        self.parts.iter().flat_map(of_part).collect()
    }

    /// Applies `work` to about this many positions at a time and returns the results.
    pub fn map<T: Send>(
        &self,
        positions: usize,
        work: impl Fn(&mut dyn Iterator<Item = Packed>) -> T + Sync,
    ) -> Vec<T> {
        let of = |chunks: &[Chunk<'_>]| {
            let entries = chunks.iter().flat_map(Chunk::entries);
            work(&mut entries.map(|(entry, _)| position_of(V1::token(), entry)))
        };
        self.chunks().par_chunks(positions.div_ceil(CHUNK)).map(of).collect()
    }

    /// Applies `work` to every chunk and adds up the results.
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
    part: &'f SetPart<POSITION>,
    slots: Range<usize>,
}

impl<'f> Chunk<'f> {
    /// Returns its entries with their multiplicities. The caller applies [`position_of`] itself: a closure here would
    /// be compiled without the level's instructions.
    #[inline(always)]
    pub(super) fn entries(&self) -> impl Iterator<Item = (&'f Entry<POSITION>, u128)> + use<'f> {
        self.part.entries(self.slots.clone())
    }
}
