//! A key, and a key that is wrong.

use std::fmt;

/// A key of up to 128 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Key(pub u128);

impl From<u64> for Key {
    #[inline(always)]
    fn from(bits: u64) -> Key {
        Key(bits.into())
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// An incremental key that differs from the board's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrongKey {
    /// Number of the wrong key's first part; the position's key begins with part 0.
    pub part: usize,
    /// The key computed from the board alone.
    pub expected: Key,
    /// The incremental key.
    pub found: Key,
}

/// Writes the xor of the two keys.
impl fmt::Display for WrongKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Key(self.expected.0 ^ self.found.0), f)
    }
}

perft_gate_chess::serialize_as_text!(Key, WrongKey);
