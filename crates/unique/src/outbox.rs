//! Children that a worker sends to the processes that own them, and the batches that carry them.

use crate::exchange::{BATCH, Exchange, Sent, owner_of};
use crate::set::Full;
use crate::varint;

/// Size in bytes of a batch's header, which precedes the keys and holds the number of keys.
const HEADER: usize = 4;

/// Rows that wait to be sent to one process.
struct Rows {
    /// The batch without its multiplicities: space for the number of rows, then the keys.
    keys: Vec<u8>,
    counts: Vec<u8>,
}

/// Children that one worker sends to other processes.
pub(crate) struct Outbox<'x> {
    pub(crate) link: &'x dyn Exchange,
    /// Number of this process.
    pub(crate) index: usize,
    /// Number of 32-bit words in a key.
    words: usize,
    rows: Vec<Rows>,
    pub(crate) sent: Sent,
    pub(crate) received: u64,
}

impl<'x> Outbox<'x> {
    pub(crate) fn new(link: &'x dyn Exchange, words: usize) -> Outbox<'x> {
        let rows = (0..link.processes()).map(|_| Rows { keys: vec![0; HEADER], counts: Vec::new() }).collect();
        Outbox { link, index: link.index(), words, rows, sent: Sent::default(), received: 0 }
    }

    /// Returns the process that owns the positions of a slice.
    #[inline(always)]
    pub(crate) fn owner(&self, slice: u32) -> usize {
        owner_of(slice, self.rows.len())
    }

    /// Adds a child to the batch for its owner. Returns true if that batch is now full.
    #[inline(always)]
    pub(crate) fn put<const W: usize>(&mut self, owner: usize, key: &[u32; W], count: u128) -> bool {
        let rows = &mut self.rows[owner];
        rows.keys.extend_from_slice(key.map(u32::to_le_bytes).as_flattened());
        varint::push(&mut rows.counts, count);
        rows.keys.len() + rows.counts.len() >= BATCH
    }

    /// Completes the batch for a process. Returns false if the batch is empty.
    pub(crate) fn complete(&mut self, to: usize) -> bool {
        let Rows { keys, counts } = &mut self.rows[to];
        let rows = (keys.len() - HEADER) / (4 * self.words);
        if rows == 0 {
            return false;
        }
        keys[..HEADER].copy_from_slice(&(rows as u32).to_le_bytes());
        keys.append(counts);
        self.sent = self.sent.and(Sent { children: rows as u64, bytes: keys.len() as u64 });
        true
    }

    /// Sends a complete batch and begins the next one. Returns false if there is no room for it at the moment.
    pub(crate) fn send(&mut self, to: usize) -> bool {
        let batch = &mut self.rows[to].keys;
        let is_sent = self.link.send(to, batch);
        if is_sent {
            batch.clear();
            batch.resize(HEADER, 0);
        }
        is_sent
    }
}

/// Calls `put` with each row of a batch whose keys have `W` words.
///
/// **Errors**: `put` failed. An incomplete batch is not an error here, because the sums of multiplicities reveal it.
pub(crate) fn each_row<const W: usize>(
    batch: &[u8],
    mut put: impl FnMut([u32; W], u128) -> Result<(), Full>,
) -> Result<(), Full> {
    let Some((rows, rest)) = batch.split_first_chunk::<HEADER>() else { return Ok(()) };
    let Some((keys, counts)) = rest.split_at_checked(u32::from_le_bytes(*rows) as usize * 4 * W) else { return Ok(()) };
    let mut counts = counts.iter();
    for key in keys.chunks_exact(4 * W) {
        let (words, _) = key.as_chunks::<4>();
        let Some(count) = varint::read(&mut counts) else { return Ok(()) };
        put(std::array::from_fn(|word| u32::from_le_bytes(words[word])), count)?;
    }
    Ok(())
}
