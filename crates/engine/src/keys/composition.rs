//! How the numbers of the parts of a position make its key.

use std::fmt;

/// How the numbers of the parts of a position make its key.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum KeyComposition {
    /// Their exclusive or.
    #[default]
    Xor,
    /// Their sum modulo a power of two with this exponent.
    Sum(u32),
    /// Neither predicts the keys of whole positions.
    Other,
}

impl KeyComposition {
    /// Returns the number that makes one key of another.
    pub(super) fn difference(self, one: u128, other: u128) -> u128 {
        match self {
            KeyComposition::Sum(bits) => one.wrapping_sub(other) & mask(bits),
            KeyComposition::Xor | KeyComposition::Other => one ^ other,
        }
    }

    /// Returns a key with one more number.
    pub(super) fn join(self, key: u128, number: u128) -> u128 {
        match self {
            KeyComposition::Sum(bits) => key.wrapping_add(number) & mask(bits),
            KeyComposition::Xor | KeyComposition::Other => key ^ number,
        }
    }

    /// Returns true if keys are made of one number a part.
    pub const fn is_known(self) -> bool {
        !matches!(self, KeyComposition::Other)
    }
}

impl fmt::Display for KeyComposition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyComposition::Xor => f.write_str("xor of one number a term"),
            KeyComposition::Sum(bits) => write!(f, "sum of one number a term, modulo 2^{bits}"),
            KeyComposition::Other => f.write_str("neither the xor nor the sum of one number a term"),
        }
    }
}

/// Returns a word with so many low bits set.
pub(super) const fn mask(bits: u32) -> u128 {
    if bits == 0 { 0 } else { u128::MAX >> (128 - bits) }
}
