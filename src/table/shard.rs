//! A shard of a set: slots in plain memory, how full they are, and the counts that they cannot hold.
//!
//! A key that finds its place taken goes to the next free slot. The place of an entry of 16 bytes is the start of a cache
//! line, so that as a rule one line is read.

use super::Pages;
use crate::cpu::prefetch;
use std::collections::HashMap;
use std::io;

/// The key, then in the last word the count.
pub type Entry<const N: usize> = [u32; N];

/// Why a key was not put in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// Its shard is full.
    Full,
    /// Its count would pass 2^128.
    TooMany,
}

/// Entries of 16 bytes in a cache line.
pub(super) const LINE: usize = 4;

/// Keys in a batch: enough for one lock to cost little, few enough for a thread's batches to stay in its cache.
pub(super) const BATCH: usize = 64;
/// How many keys ahead of the insertion the cache lines are asked for.
const AHEAD: usize = 16;
/// Slots in 1024 that may be taken: fuller, and a key's place is far from where it is looked for.
const MOST_LOAD: usize = 928;

/// How many slices there are.
pub const SLICES: u32 = 1 << 24;

/// One of [`SLICES`] parts that the keys fall into evenly.
#[inline(always)]
pub fn slice_of<const N: usize>(entry: &Entry<N>) -> u32 {
    hash(entry) as u32 & (SLICES - 1)
}

/// Places a key. Two words at a time are spread by a multiplication and folded.
#[inline(always)]
pub(super) fn hash<const N: usize>(entry: &Entry<N>) -> u64 {
    const ODD: [u64; 6] = [
        0x9e37_79b9_7f4a_7c15,
        0xd1b5_4a32_d192_ed03,
        0x8cb9_2ba7_2f3d_8dd7,
        0xda94_2042_e4dd_58b5,
        0xa076_1d64_78bd_642f,
        0xe703_7ed1_a0b4_28db,
    ];
    let fold = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        product as u64 ^ (product >> 64) as u64
    };
    let word = |at: usize| if at < N - 1 { u64::from(entry[at]) } else { 0 };
    let pair = |at: usize| word(at) | word(at + 1) << 32;
    let mut hash = fold(pair(0) ^ ODD[0], pair(2) ^ ODD[1]);
    if N > 5 {
        hash ^= fold(pair(4) ^ ODD[2], pair(6) ^ ODD[3]).rotate_left(32);
    }
    fold(hash ^ ODD[4], ODD[5])
}

/// Memory, and what is in it.
#[derive(Debug)]
pub(super) struct Shard<const N: usize> {
    slots: Pages<Entry<N>>,
    filling: Filling<N>,
}

/// How full a shard is, and what its slots cannot hold.
#[derive(Debug)]
struct Filling<const N: usize> {
    taken: usize,
    most: usize,
    /// Counts from here on are kept below; the count in the slot then is the ceiling.
    ceiling: u32,
    large: HashMap<Entry<N>, u128>,
}

impl<const N: usize> Filling<N> {
    /// Adds an entry to its slot, and clears its count.
    #[inline(always)]
    fn put(&mut self, slot: &mut Entry<N>, entry: &mut Entry<N>) -> Result<(), Refused> {
        let sum = u64::from(slot[N - 1]) + u64::from(entry[N - 1]);
        if sum >= u64::from(self.ceiling) {
            self.put_large(slot, entry, entry[N - 1].into())?;
        } else {
            if slot[N - 1] == 0 {
                self.take(slot, entry)?;
            }
            slot[N - 1] = sum as u32;
        }
        entry[N - 1] = 0;
        Ok(())
    }

    #[inline(always)]
    fn take(&mut self, slot: &mut Entry<N>, entry: &Entry<N>) -> Result<(), Refused> {
        if self.taken == self.most {
            return Err(Refused::Full);
        }
        self.taken += 1;
        *slot = *entry;
        Ok(())
    }

    /// Adds to a count that does not fit its slot, or may not.
    #[cold]
    fn put_large(&mut self, slot: &mut Entry<N>, entry: &Entry<N>, more: u128) -> Result<(), Refused> {
        let (found, mut key) = (slot[N - 1], *entry);
        key[N - 1] = 0;
        let before = if found == self.ceiling { self.large[&key] } else { found.into() };
        let Some(sum) = before.checked_add(more) else { return Err(Refused::TooMany) };
        if found == 0 {
            self.take(slot, &key)?;
        }
        slot[N - 1] = sum.min(self.ceiling.into()) as u32;
        if slot[N - 1] == self.ceiling {
            self.large.insert(key, sum);
        }
        Ok(())
    }
}

impl<const N: usize> Shard<N> {
    /// A shard of so many slots, a multiple of a line, whose counts leave the table from `ceiling` on.
    pub(super) fn new(slots: usize, ceiling: u32) -> io::Result<Shard<N>> {
        // One slot at least stays free: there every search ends.
        let most = (slots * MOST_LOAD / 1024).min(slots - 1);
        Ok(Shard { slots: Pages::zeroed(slots)?, filling: Filling { taken: 0, most, ceiling, large: HashMap::new() } })
    }

    /// Puts a batch in; the count of each key that is in is cleared.
    ///
    /// A key whose first slots are taken by others is put off until the batch is through: its next slots are in another
    /// line, which is asked for meanwhile.
    pub(super) fn insert(&mut self, bits: u32, batch: &mut [Entry<N>]) -> Result<(), Refused> {
        let Shard { slots, filling } = self;
        let slots = &mut **slots;
        let (mut places, mut put_off, mut off) = ([0; BATCH], [0; BATCH], 0);
        for (at, entry) in places.iter_mut().zip(&*batch) {
            *at = place::<N>(hash(entry), bits, slots.len());
        }
        for &at in &places[..batch.len().min(AHEAD)] {
            ask_for::<N>(slots, at);
        }
        for number in 0..batch.len() {
            if let Some(&at) = places[..batch.len()].get(number + AHEAD) {
                ask_for::<N>(slots, at);
            }
            let entry = &mut batch[number];
            match find_near(slots, places[number], entry) {
                Ok(at) => filling.put(&mut slots[at], entry)?,
                Err(next) => {
                    ask_for::<N>(slots, next);
                    places[number] = next;
                    put_off[off] = number;
                    off += 1;
                }
            }
        }
        for &number in &put_off[..off] {
            let entry = &mut batch[number];
            let at = find(slots, places[number], entry);
            filling.put(&mut slots[at], entry)?;
        }
        Ok(())
    }

    /// Puts one key in, whose count may be larger than an entry's; the entry's own count does not matter.
    pub(super) fn insert_large(&mut self, bits: u32, entry: &Entry<N>, count: u128) -> Result<(), Refused> {
        let Shard { slots, filling } = self;
        let at = find(slots, place::<N>(hash(entry), bits, slots.len()), entry);
        filling.put_large(&mut slots[at], entry, count)
    }
}

/// The shard of a key, where there are two to the power of `bits`.
#[inline(always)]
pub(super) fn shard_of<const N: usize>(entry: &Entry<N>, bits: u32) -> usize {
    ((hash(entry) >> 1) >> (63 - bits)) as usize
}

/// Where in a shard a key is looked for first: by what of the hash did not choose the shard.
#[inline(always)]
fn place<const N: usize>(hash: u64, bits: u32, slots: usize) -> usize {
    let line = if N == 4 { LINE } else { 1 };
    ((u128::from(hash << bits) * (slots / line) as u128) >> 64) as usize * line
}

/// Asks for the lines of an entry, which may lie on the border of two.
#[inline(always)]
fn ask_for<const N: usize>(slots: &[Entry<N>], at: usize) {
    let ends = if N == LINE { at..at + 1 } else { at..at + 2 };
    slots.get(ends).into_iter().flatten().for_each(prefetch);
}

/// The slot of a key, or the free one where it belongs. There always is one.
#[inline(always)]
fn find<const N: usize>(slots: &[Entry<N>], mut at: usize, entry: &Entry<N>) -> usize {
    loop {
        let slot = &slots[at];
        if slot[N - 1] == 0 || slot[..N - 1] == entry[..N - 1] {
            return at;
        }
        at = if at + 1 == slots.len() { 0 } else { at + 1 };
    }
}

/// The same among the slots that are looked at first; else the slot after them.
#[inline(always)]
fn find_near<const N: usize>(slots: &[Entry<N>], at: usize, entry: &Entry<N>) -> Result<usize, usize> {
    let near = if N == 4 { LINE } else { 1 };
    let belongs = |slot: &Entry<N>| slot[N - 1] == 0 || slot[..N - 1] == entry[..N - 1];
    match slots[at..at + near].iter().position(belongs) {
        Some(offset) => Ok(at + offset),
        None => Err(if at + near == slots.len() { 0 } else { at + near }),
    }
}

/// A shard of a set that is complete.
#[derive(Debug)]
pub struct Part<const N: usize>(pub(super) Shard<N>);

impl<const N: usize> Part<N> {
    /// How many slots it has, free or taken.
    pub fn slots(&self) -> usize {
        self.0.slots.len()
    }

    /// How many keys.
    pub fn keys(&self) -> usize {
        self.0.filling.taken
    }

    /// The keys in a range of slots, with their counts.
    pub fn entries(&self, range: std::ops::Range<usize>) -> impl Iterator<Item = (&Entry<N>, u128)> {
        self.0.slots[range].iter().filter(|entry| entry[N - 1] != 0).map(|entry| (entry, self.count(entry)))
    }

    #[inline(always)]
    fn count(&self, entry: &Entry<N>) -> u128 {
        if entry[N - 1] < self.0.filling.ceiling {
            return entry[N - 1].into();
        }
        let mut key = *entry;
        key[N - 1] = 0;
        self.0.filling.large[&key]
    }

    /// The same keys in memory of just the size that they need. They can then be read, but not looked for.
    ///
    /// **Errors**: the system has not so much memory to give.
    pub fn compacted(self) -> io::Result<Part<N>> {
        let mut slots = Pages::zeroed(self.keys())?;
        let taken = self.0.slots.iter().filter(|entry| entry[N - 1] != 0);
        slots.iter_mut().zip(taken).for_each(|(to, from)| *to = *from);
        Ok(Part(Shard { slots, ..self.0 }))
    }
}
