//! One type for each format of a file; those that pages read back serve for writing and for reading.

pub mod collisions;
pub mod compare;
pub mod count;
pub mod decimal;
pub mod diff;
pub mod divide;
mod file;
pub mod key;
pub mod unique;

pub use file::text;
