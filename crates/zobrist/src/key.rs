//! A key, and a key that is wrong.

/// A key of up to 128 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Key(pub u128);

impl From<u64> for Key {
    #[inline(always)]
    fn from(bits: u64) -> Key {
        Key(bits.into())
    }
}

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
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
