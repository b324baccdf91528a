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

/// Reads a multiplicity; `None` if the bytes end before it does, or if it is longer than [`MAX_BYTES`]. Also
/// accepts a needlessly long form, because a checksum protects the bytes.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for count in [0, 1, 127, 128, 300, u128::from(u64::MAX), u128::MAX] {
            let mut bytes = Vec::new();
            push(&mut bytes, count);
            assert!(bytes.len() <= MAX_BYTES, "{count}");
            let mut rest = bytes.iter();
            assert_eq!((read(&mut rest), rest.len()), (Some(count), 0));
            assert_eq!(read(&mut bytes[..bytes.len() - 1].iter()), None);
        }
    }
}
