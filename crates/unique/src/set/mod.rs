//! Sets of keys and of positions, in large tables.

mod batch;
mod entry;
mod filling;
pub(crate) mod hash;
mod insert_error;
mod part;
mod shape;
mod shard;
mod sharded;
mod summary;
mod writer;

pub use entry::Entry;
pub use hash::{SLICES, slice_of};
pub use insert_error::InsertError;
pub use part::SetPart;
pub use sharded::Set;
pub use summary::Summary;
pub use writer::Writer;
