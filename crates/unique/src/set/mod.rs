//! Sets of keys and of positions, in large tables.

mod shard;
mod sharded;
mod summary;

pub use shard::{Entry, Refused, SLICES, SetPart, slice_of};
pub use sharded::{Set, Writer};
pub use summary::Summary;
