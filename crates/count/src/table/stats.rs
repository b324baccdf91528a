//! Statistics of the table of counts, and lists of positions that are not in the table.

use super::entries::{MAX_COUNT, MAX_DEPTH, Stored, data};
use perft_gate_chess::MAX_MOVES;
use perft_gate_simd::inline_all;

/// Statistics of a table's use.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct TableStats {
    /// Number of probes.
    pub probes: u64,
    /// Number of probes that found the position.
    pub hits: u64,
    /// Number of entries whose tag or position was compared with that of a probe.
    pub comparisons: u64,
    /// Number of entries written.
    pub stores: u64,
    /// Number of entries written over another entry.
    pub evictions: u64,
    /// Number of results not stored because the count or the depth is too large.
    pub too_large: u64,
}

#[inline_all]
impl TableStats {
    /// Records a number of probes, how many entries they compared, and how many positions they found.
    pub(super) fn count_probes(&mut self, probes: usize, compared: usize, hits: usize) {
        self.probes += probes as u64;
        self.comparisons += compared as u64;
        self.hits += hits as u64;
    }

    /// Returns a depth and a count packed into a word. If they do not fit, counts the result as too large.
    pub(super) fn pack_entry(&mut self, depth: u32, count: u128) -> Option<u64> {
        let fits = depth <= MAX_DEPTH && count <= MAX_COUNT.into();
        self.too_large += u64::from(!fits);
        fits.then(|| data(depth, count as u64))
    }

    pub(super) fn count_store(&mut self, stored: Stored) {
        self.stores += u64::from(stored != Stored::Not);
        self.evictions += u64::from(stored == Stored::Evicting);
    }
}

perft_gate_chess::add_by_field!(TableStats { probes, hits, comparisons, stores, evictions, too_large });

/// Returns an upper bound on the expected number of wrong hits when `comparisons` tags are compared.
pub fn expected_wrong_hits(comparisons: u64) -> f64 {
    comparisons as f64 * (-64_f64).exp2()
}

/// Indices of the positions that are not in a table, in ascending order.
#[derive(Clone, Copy, Debug)]
pub struct Misses {
    numbers: [u16; MAX_MOVES],
    len: usize,
}

#[inline_all]
impl Misses {
    pub const NONE: Misses = Misses { numbers: [0; _], len: 0 };

    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Appends `number` if `is_miss` is true, without branching. The list must hold fewer than [`MAX_MOVES`] numbers.
    pub fn push(&mut self, number: usize, is_miss: bool) {
        self.numbers[self.len] = number as u16;
        self.len += usize::from(is_miss);
    }

    pub fn numbers(&self) -> impl ExactSizeIterator<Item = usize> {
        self.numbers[..self.len].iter().map(|&number| usize::from(number))
    }
}
