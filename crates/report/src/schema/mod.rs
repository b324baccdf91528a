//! One type for each format of a file that pages read back, for writing and for reading.

pub mod collisions;
pub mod compare;
pub mod decimal;
pub mod unique;
