//! Sets of keys and of positions, in large tables.

mod set;
mod shard;
mod summary;

pub use set::{Set, Writer};
pub use shard::{Entry, Refused, SLICES, SetPart, slice_of};
pub use summary::Summary;
