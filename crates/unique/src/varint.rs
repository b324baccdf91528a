//! Encoding of multiplicities in files and messages: 7 bits per byte, lowest bits first. The top bit is set in every
//! byte except the last.

/// Maximum length of an encoded multiplicity, in bytes.
pub(crate) const MAX_BYTES: usize = 19;

pub(crate) fn push(bytes: &mut impl Extend<u8>, mut count: u128) {
    while count > 127 {
        bytes.extend([count as u8 | 128]);
        count >>= 7;
    }
    bytes.extend([count as u8]);
}

/// Reads a multiplicity. Returns `None` if the bytes end in the middle of the multiplicity, or if it is longer than
/// [`MAX_BYTES`]. An encoding that is longer than necessary is accepted, because a checksum protects the bytes.
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
