//! Routes a ply's children into this process's tables, or to the process that owns them.

use crate::entries::{KEY, NARROW_KEY, POSITION, entry_of};
use crate::exchange::Sent;
use crate::options::UniqueOptions;
use crate::outbox::{Outbox, each_row};
use crate::set::{Entry, Full, Set, Shard, Summary, Writer, slice_of};
use perft_gate_chess::{DENSE_WORDS, EnPassantPolicy, Packed};
use perft_gate_simd::{Token, inline_all};
use perft_gate_walk::{Game, Position};
use perft_gate_zobrist::{Key, Tracker};
use std::ops::Range;

/// Tables to which the children of a ply are added.
#[derive(Debug, Default)]
pub(super) struct Tables {
    pub(super) positions: Option<Set<POSITION>>,
    pub(super) keys: Option<Set<KEY>>,
    pub(super) narrow_keys: Option<Set<NARROW_KEY>>,
    pub(super) diagrams: Option<Set<POSITION>>,
}

impl Tables {
    /// Returns the summary of the positions or keys, the fill ratio of their table, and any stored positions.
    pub(super) fn sum_up(self) -> (Summary, f64, Vec<Shard<POSITION>>) {
        fn of<const N: usize>(parts: &[Shard<N>]) -> (Summary, f64) {
            let slots: usize = parts.iter().map(Shard::slots).sum();
            (Summary::new(parts), parts.iter().map(Shard::keys).sum::<usize>() as f64 / slots as f64)
        }
        let positions = self.positions.map_or_else(Vec::new, Set::into_parts);
        let (found, load) = match (self.keys, self.narrow_keys) {
            (Some(keys), _) => of(&keys.into_parts()),
            (_, Some(keys)) => of(&keys.into_parts()),
            _ => of(&positions),
        };
        (found, load, positions)
    }
}

/// Receiver of positions that were reached `count` times.
pub(super) trait PutPosition {
    fn put<L: Token, T: Tracker>(&mut self, level: L, position: &Position<T>, count: u128) -> Result<(), Full>;
}

/// One worker's access to the tables, for the slices of the current pass.
pub(super) struct TableSink<'t> {
    positions: Option<Writer<'t, POSITION>>,
    keys: Option<Writer<'t, KEY>>,
    narrow_keys: Option<Writer<'t, NARROW_KEY>>,
    diagrams: Option<Writer<'t, POSITION>>,
    policy: EnPassantPolicy,
    /// Slices that are counted in this pass. Children in other slices are dropped.
    slices: Range<u32>,
    /// Children that other processes own.
    outbox: Option<Outbox<'t>>,
}

impl<'t> TableSink<'t> {
    pub(super) fn new(tables: &'t Tables, options: &UniqueOptions<'t>, slices: Range<u32>) -> TableSink<'t> {
        let level = options.level;
        let words = if tables.positions.is_some() { DENSE_WORDS } else { NARROW_KEY };
        TableSink {
            positions: tables.positions.as_ref().map(|set| set.writer(level)),
            keys: tables.keys.as_ref().map(|set| set.writer(level)),
            narrow_keys: tables.narrow_keys.as_ref().map(|set| set.writer(level)),
            diagrams: tables.diagrams.as_ref().map(|set| set.writer(level)),
            policy: options.policy,
            slices,
            outbox: options.exchange.map(|link| Outbox::new(link, words)),
        }
    }

    /// Adds the keys of positions that were each reached `count` times.
    #[inline(always)]
    pub(super) fn put_keys(&mut self, keys: &[Key], count: u128) -> Result<(), Full> {
        if self.outbox.is_some() {
            return self.share_keys(keys, count);
        }
        if let Some(writer) = &mut self.narrow_keys {
            writer.insert_all(keys.iter().map(|key| keep(*key)), &self.slices, count)?;
        }
        if let Some(writer) = &mut self.keys {
            writer.insert_all(keys.iter().map(|key| widen(keep(*key))), &self.slices, count)?;
        }
        Ok(())
    }

    /// Adds the positions and keys that are still waiting in the writers.
    pub(super) fn finish(&mut self) -> Result<(), Full> {
        self.positions.as_mut().map_or(Ok(()), Writer::finish)?;
        self.keys.as_mut().map_or(Ok(()), Writer::finish)?;
        self.narrow_keys.as_mut().map_or(Ok(()), Writer::finish)?;
        self.diagrams.as_mut().map_or(Ok(()), Writer::finish)
    }
}

/// Exchange of children with other processes.
impl TableSink<'_> {
    /// Adds a position to the table, or sends it to its owner. This function is not inlined, because only counts with
    /// several processes need it.
    #[inline(never)]
    fn share(&mut self, entry: &Entry<POSITION>, count: u128) -> Result<(), Full> {
        let dense = entry.first_chunk::<DENSE_WORDS>().expect("an entry is longer than a position");
        if self.is_own(slice_of(entry), dense, count)? { self.add_position(entry, count) } else { Ok(()) }
    }

    /// Adds keys to the table, or sends them to their owners.
    #[inline(never)]
    fn share_keys(&mut self, keys: &[Key], count: u128) -> Result<(), Full> {
        for key in keys.iter().map(|key| keep(*key)) {
            if self.is_own(slice_of(&key), &key, count)? {
                self.add_key(&key, count)?;
            }
        }
        Ok(())
    }

    /// Returns true if a child belongs to this pass and this process. Sends a child that another process owns.
    #[inline(always)]
    fn is_own<const W: usize>(&mut self, slice: u32, words: &[u32; W], count: u128) -> Result<bool, Full> {
        let Some(outbox) = self.outbox.as_mut().filter(|_| self.slices.contains(&slice)) else { return Ok(false) };
        let owner = outbox.owner(slice);
        if owner != outbox.index && outbox.put(owner, words, count) {
            self.send(owner)?;
            return Ok(false);
        }
        Ok(owner == outbox.index)
    }

    /// Adds a position that this process owns.
    #[inline(always)]
    fn add_position(&mut self, entry: &Entry<POSITION>, count: u128) -> Result<(), Full> {
        self.positions.as_mut().map_or(Ok(()), |writer| writer.insert(entry, count))
    }

    /// Adds a key that this process owns.
    #[inline(always)]
    fn add_key(&mut self, key: &Entry<NARROW_KEY>, count: u128) -> Result<(), Full> {
        if let Some(writer) = &mut self.narrow_keys {
            writer.insert(key, count)?;
        }
        self.keys.as_mut().map_or(Ok(()), |writer| writer.insert(&widen(*key), count))
    }

    /// Sends a batch. While there is no room for it, adds batches that arrive, so no two processes wait for each other.
    #[inline(never)]
    fn send(&mut self, to: usize) -> Result<(), Full> {
        if !self.outbox.as_mut().is_some_and(|outbox| outbox.complete(to)) {
            return Ok(());
        }
        while let Some(outbox) = &mut self.outbox {
            if outbox.send(to) || outbox.link.is_abandoned() {
                break;
            }
            let link = outbox.link;
            if !self.receive()? {
                link.wait();
            }
        }
        Ok(())
    }

    pub(super) fn send_all(&mut self) -> Result<(), Full> {
        let processes = self.outbox.as_ref().map_or(0, |outbox| outbox.link.processes());
        (0..processes).try_for_each(|to| self.send(to))
    }

    /// Adds a batch from another process. Returns false if no batch is waiting.
    pub(super) fn receive(&mut self) -> Result<bool, Full> {
        let Some(link) = self.outbox.as_ref().map(|outbox| outbox.link) else { return Ok(false) };
        let (mut result, mut rows, is_by_position) = (Ok(()), 0, self.positions.is_some());
        let is_any = link.take(&mut |batch| {
            result = match is_by_position {
                true => each_row(batch, |[a, b, c, d, e, f]: [u32; DENSE_WORDS], count| {
                    rows += 1;
                    self.add_position(&[a, b, c, d, e, f, 0, 0], count)
                }),
                false => each_row(batch, |key, count| {
                    rows += 1;
                    self.add_key(&key, count)
                }),
            };
        });
        if let Some(outbox) = &mut self.outbox {
            outbox.received += rows;
        }
        result.map(|()| is_any)
    }

    /// Returns the children sent, and the number of rows received.
    pub(super) fn traffic(&self) -> (Sent, u64) {
        self.outbox.as_ref().map_or_else(Default::default, |outbox| (outbox.sent, outbox.received))
    }
}

/// Returns the bits of a key that the tables keep.
#[inline(always)]
fn keep(Key(key): Key) -> Entry<NARROW_KEY> {
    [key as u32, (key >> 32) as u32, (key >> 64) as u32]
}

/// Returns the key with room for its count.
#[inline(always)]
fn widen([low, middle, high]: Entry<NARROW_KEY>) -> Entry<KEY> {
    [low, middle, high, 0]
}

#[inline_all]
impl PutPosition for TableSink<'_> {
    fn put<L: Token, T: Tracker>(&mut self, level: L, position: &Position<T>, count: u128) -> Result<(), Full> {
        let board = position.board();
        if let Some(writer) = &mut self.positions {
            let entry = entry_of(level, Packed::new(board, self.policy));
            match self.outbox {
                None => put(writer, &entry, count, &self.slices)?,
                Some(_) => self.share(&entry, count)?,
            }
        }
        if let Some(key) = position.key() {
            self.put_keys(&[key], count)?;
        }
        if let Some(writer) = &mut self.diagrams {
            put(writer, &entry_of(level, Packed::diagram_of(board)), count, &self.slices)?;
        }
        Ok(())
    }
}

#[inline(always)]
fn put<const N: usize>(
    writer: &mut Writer<'_, N>,
    entry: &Entry<N>,
    count: u128,
    slices: &Range<u32>,
) -> Result<(), Full> {
    if slices.contains(&slice_of(entry)) { writer.insert(entry, count) } else { Ok(()) }
}
