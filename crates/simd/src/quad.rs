//! Four words in memory.

/// Four words in memory, aligned for a single load.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[repr(C, align(32))]
pub struct Quad(pub [u64; 4]);

impl Quad {
    /// Four zeros.
    pub const ZERO: Quad = Quad([0; 4]);

    /// Returns the byte with this number: 0 is the lowest byte of the first word, 31 the highest byte of the last word.
    #[inline(always)]
    pub fn byte(&self, number: usize) -> u8 {
        if cfg!(target_endian = "little") {
            let bytes: &[u8; 32] = zerocopy::transmute_ref!(&self.0);
            bytes[number & 31]
        } else {
            (self.0[number >> 3 & 3] >> (8 * (number & 7))) as u8
        }
    }
}
