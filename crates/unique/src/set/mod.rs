//! Sets of keys and of positions, in large tables.

mod batch;
mod entry;
mod filling;
pub(crate) mod hash;
mod shape;
mod shard;
mod sharded;
mod writer;

pub use entry::Entry;
pub use filling::{Full, Summary};
pub(crate) use hash::{ODD, fold};
pub use hash::{SLICES, slice_of};
pub use shard::Shard;
pub use sharded::Set;
pub use writer::Writer;
