//! Counts with several processes, each of which owns a part of the positions.
//!
//! The owner of a position follows from its slice (`owner_of`), so it is the same in every pass. A process expands the
//! positions that it owns. It adds the children that it owns to its tables, and sends the others to their owners in
//! batches. Between two pieces of work, and while there is no room to send, a worker adds the batches that have
//! arrived. A pass is over when every process has sent its last batch. Then all processes agree on the sums of the
//! pass, so that all take the same next step.
//!
//! **Equal children are not merged** before they are sent. Positions are in no order, so equal children are far apart.
//! A table of 8192 children per worker, which fills the cache of a core, was tried for merging. It saved only 0.3 % of
//! the bytes at ply 6 of the start position.

use std::fmt;

/// The connections between processes that count together.
pub trait Exchange: Sync + fmt::Debug {
    /// Returns the number of this process, counted from 0.
    fn index(&self) -> usize;

    fn processes(&self) -> usize;

    /// Sends a batch to process `to`, and replaces the batch with another buffer. Returns false if there is no room at
    /// the moment.
    fn send(&self, to: usize, batch: &mut Vec<u8>) -> bool;

    /// Calls `with` on a batch that has arrived from another process. Returns false if no batch is waiting.
    fn take(&self, with: &mut dyn FnMut(&[u8])) -> bool;

    /// Waits briefly for a batch, or for room to send.
    fn wait(&self);

    /// Announces that this process will send no more batches in this pass.
    fn close_pass(&self);

    /// Returns true if no process will send more batches in this pass, and no batch is waiting.
    fn is_over(&self) -> bool;

    /// Announces to all processes that this pass will not be completed.
    fn abandon_pass(&self);

    /// Returns true if some process has abandoned this pass.
    fn is_abandoned(&self) -> bool;

    fn begin_pass(&self);

    /// Sends these words to all processes, and returns each process's words, in process order. All processes must make
    /// the same sequence of calls.
    fn agree(&self, mine: &[u128]) -> Vec<Vec<u128>>;

    /// Records the children sent in a pass.
    fn sent(&self, sent: Sent);
}

/// The children that a process has sent in a pass.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Sent {
    /// Number of children sent to the processes that own them.
    pub children: u64,
    /// Total size of the batches sent, in bytes.
    pub bytes: u64,
}

impl Sent {
    pub fn and(self, other: Sent) -> Sent {
        Sent { children: self.children + other.children, bytes: self.bytes + other.bytes }
    }
}

#[inline(always)]
pub(crate) fn owner_of(slice: u32, processes: usize) -> usize {
    // A pass covers adjacent slices, so this spreads adjacent slices over all processes.
    let spread = slice.wrapping_mul(0x9e37_79b1);
    ((u64::from(spread) * processes as u64) >> 32) as usize
}

/// A batch is sent as soon as it reaches this size in bytes.
pub(crate) const BATCH: usize = 64 << 10;

/// Returns the number of bytes to set aside for one worker's batches.
pub fn worker_memory(processes: usize) -> usize {
    3 * processes * BATCH
}
