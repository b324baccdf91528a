//! What the counts of a set come to.

use super::SetPart;
use rayon::prelude::*;

/// How many keys a set has, and how often they were put in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Different keys.
    pub distinct: u64,
    /// The sum of their counts; nothing if it passes 2^128.
    pub total: Option<u128>,
    /// Keys whose count is one.
    pub once: u64,
    /// The highest count.
    pub highest: u128,
    /// How many keys have it.
    pub with_highest: u64,
}

impl Summary {
    /// Of nothing.
    pub const EMPTY: Summary = Summary { distinct: 0, total: Some(0), once: 0, highest: 0, with_highest: 0 };

    /// Of a set's parts.
    pub fn of<const N: usize>(parts: &[SetPart<N>]) -> Summary {
        let part = |part: &SetPart<N>| {
            part.entries(0..part.slots()).fold(Summary::EMPTY, |sum, (_, count)| sum.and(Summary::one(count)))
        };
        parts.par_iter().map(part).reduce(|| Summary::EMPTY, Summary::and)
    }

    fn one(count: u128) -> Summary {
        Summary { distinct: 1, total: Some(count), once: (count == 1).into(), highest: count, with_highest: 1 }
    }

    /// Of two sets without a common key.
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
