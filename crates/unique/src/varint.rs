//! Multiplicities in files and messages: 7 bits per byte, lowest first, the top bit set in all but the last.

/// Maximum number of bytes of a multiplicity.
pub(crate) const MAX_BYTES: usize = 19;

pub(crate) fn push(bytes: &mut impl Extend<u8>, mut count: u128) {
    while count > 127 {
        bytes.extend([count as u8 | 128]);
        count >>= 7;
    }
    bytes.extend([count as u8]);
}

/// Reads a multiplicity. Returns `None` if the bytes end before it does, or if it is longer than [`MAX_BYTES`]. A
/// needlessly long form is accepted, because a checksum protects the bytes.
pub(crate) fn read(bytes: &mut std::slice::Iter<'_, u8>) -> Option<u128> {
    let mut count = 0;
    for (number, &byte) in bytes.by_ref().take(MAX_BYTES).enumerate() {
        count |= u128::from(byte & 127) << (7 * number);
        if byte < 128 {
            return Some(count);
        }
    }
    None
}
