//! Four words in memory.

/// Four words in memory, aligned so that one load takes them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[repr(C, align(32))]
pub struct Quad(pub [u64; 4]);

impl Quad {
    /// Four zeros.
    pub const ZERO: Quad = Quad([0; 4]);

    /// Returns its bytes in the order of memory.
    #[inline(always)]
    pub fn bytes(&self) -> &[u8; 32] {
        zerocopy::transmute_ref!(&self.0)
    }
}
