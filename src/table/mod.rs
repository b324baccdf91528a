//! Large tables in memory: counts by position, and sets of keys.

mod counts;
mod entries;
mod memory;
mod pages;
mod set;
mod shard;
mod summary;

pub use counts::{Counts, Identity, Tally, Wanted};
pub use pages::Pages;
pub use set::{Set, Writer};
pub use shard::{Entry, Part, Refused, SLICES, slice_of};
pub use summary::Summary;
