//! Published numbers and keys.

mod counts;
mod keys;
