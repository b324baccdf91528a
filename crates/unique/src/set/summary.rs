//! Summary of the counts of a set.

/// Number of keys of a set, and how often they were added.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "spill", derive(serde::Serialize, serde::Deserialize))]
pub struct Summary {
    /// Number of different keys.
    pub distinct: u64,
    /// Sum of their counts; `None` if it reaches 2^128.
    pub total: Option<u128>,
    /// Number of keys whose count is one.
    pub once: u64,
    /// Highest count.
    pub highest: u128,
    /// Number of keys with the highest count.
    pub with_highest: u64,
}

impl Summary {
    /// Summary of an empty set.
    pub const EMPTY: Summary = Summary { distinct: 0, total: Some(0), once: 0, highest: 0, with_highest: 0 };

    /// Returns the summary of one key.
    #[inline(always)]
    pub(super) fn one(count: u128) -> Summary {
        Summary { distinct: 1, total: Some(count), once: (count == 1).into(), highest: count, with_highest: 1 }
    }

    /// Returns the summary of two sets that have no key in common.
    #[inline(always)]
    pub fn and(self, other: Summary) -> Summary {
        let with = |set: &Summary| if set.highest == self.highest.max(other.highest) { set.with_highest } else { 0 };
        Summary {
            distinct: self.distinct + other.distinct,
            total: self.total.zip(other.total).and_then(|(a, b)| a.checked_add(b)),
            once: self.once + other.once,
            highest: self.highest.max(other.highest),
            with_highest: with(&self) + with(&other),
        }
    }
}
