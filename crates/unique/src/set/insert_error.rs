//! Why a key was not added.

/// Reason why a key was not added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InsertError {
    /// The shard is full.
    Full,
    /// The count would reach 2^128.
    TooMany,
}
