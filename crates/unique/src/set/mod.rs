//! Sets of keys and of positions, in large tables.

mod batch;
mod entry;
mod shard;
mod sharded;
mod summary;

pub use entry::{Entry, SLICES, slice_of};
pub use shard::{Refused, SetPart};
pub use sharded::{Set, Writer};
pub use summary::Summary;
