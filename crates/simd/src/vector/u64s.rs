//! The trait of all vectors, and its subtrait for vectors split into bytes.

use super::cache_line::CacheLine;
use super::proof::Sealed;
use perft_gate_kernel::inline_all;
use std::ops::{BitAnd, BitOr, BitXor, Not};

/// A vector of [`U64s::LANES`] lanes, each a 64-bit word.
///
/// The operators compile to `vpand`, `vpor` and `vpxor`. The comment on each operation names its AVX2 instructions and,
/// after a semicolon, its AVX-512 instructions if they differ. `tests.rs` compares each operation with a plain array.
#[inline_all]
pub trait U64s:
    Sealed + Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// Number of lanes.
    const LANES: usize;
    /// Type whose values prove that the machine supports these vectors.
    type Proof: Copy;
    /// A tally of the set bits in each lane. The tally for any one byte of a lane must not exceed 255.
    type Sums: Copy;
    /// Type that holds a cache line of a hash table, in vectors that need the same proof.
    type Line: CacheLine<Proof = Self::Proof>;

    /// Returns a vector with the same word in every lane (`vpbroadcastq`).
    fn splat(proof: Self::Proof, word: u64) -> Self;
    /// Loads the first words of a slice (`vmovdqu`). **Panics** if the slice is too short.
    fn load(proof: Self::Proof, words: &[u64]) -> Self;
    /// Stores the lanes at the start of a slice (`vmovdqu`). **Panics** if the slice is too short.
    fn store(self, words: &mut [u64]);
    /// Shifts every lane left (`vpsllq`). `by` is at most 64, and shifting by 64 gives zero.
    fn shl(self, by: u32) -> Self;
    /// Shifts every lane right (`vpsrlq`). `by` is at most 64, and shifting by 64 gives zero.
    fn shr(self, by: u32) -> Self;
    /// Subtracts byte by byte: `self - other` (`vpsubb`).
    fn sub_u8(self, other: Self) -> Self;
    /// Subtracts lane by lane: `self - other` (`vpsubq`).
    fn minus(self, other: Self) -> Self;
    /// Adds lane by lane: `self + other` (`vpaddq`).
    fn plus(self, other: Self) -> Self;
    /// Multiplies the low halves of the lanes (`vpmuludq`).
    fn times(self, other: Self) -> Self;
    /// Reverses the bytes of every lane (`vpshufb`).
    fn reverse_bytes(self) -> Self;
    /// Returns all ones in the lanes that are zero, and zero in the others (`vpcmpeqq`; `vptestnmq`, `vpmovm2q`).
    fn is_zero(self) -> Self;
    /// Returns true if every lane is zero (`vptest`; `vptestmq`).
    fn is_all_zero(self) -> bool {
        self.lanes_with_bits() == 0
    }
    /// Returns a mask whose bit `i` is set if lane `i` is not zero (`vmovmskpd`; `vptestmq`).
    fn lanes_with_bits(self) -> u32;
    /// Returns an empty tally.
    fn tally(proof: Self::Proof) -> Self::Sums;
    /// Adds the number of set bits in each lane to a tally (`vpshufb`; `vpopcntq`).
    fn count(self, tally: Self::Sums) -> Self::Sums;
    /// Returns the counts of a tally, one per lane (`vpsadbw`; no instruction).
    fn lane_sums(proof: Self::Proof, tally: Self::Sums) -> Self;
    /// Returns the sum of all lanes.
    fn sum(self) -> u64;
    /// Replaces the number `n` in each lane with `1 << n` (`vpsllvq`). `n` must be below 64.
    fn bits(self, proof: Self::Proof) -> Self;
    /// Returns all ones in the first `lanes` lanes, and zero in the others.
    fn first(proof: Self::Proof, lanes: usize) -> Self {
        debug_assert!(lanes <= Self::LANES);
        Self::load(proof, &FIRST[8 - lanes.min(8)..])
    }
    /// Returns `self ^ toggles` in the lanes where `self` and `other` share a bit, and `self` in the others
    /// (`vpcmpeqq`, `vpandn`; `vptestmq`, `vpxorq` under a mask).
    fn xor_where_met(self, toggles: Self, other: Self) -> Self {
        self ^ toggles & !(self & other).is_zero()
    }
    /// Returns the first `at` lanes of this vector, then the first lanes of `next` (`vpermd`; `vpexpandq`). `at` is
    /// less than [`U64s::LANES`].
    fn concat_at(self, proof: Self::Proof, at: usize, next: Self) -> Self;
}

/// Vectors split into bytes. A row consists of 16 bytes, which are two lanes.
pub trait Bytes: U64s {
    /// Fills each half of a vector with the first words of a slice (`vinserti128`). **Panics** if a slice is too short.
    fn of_halves(proof: Self::Proof, first: &[u64], second: &[u64]) -> Self;
    /// Returns the high four bits of each byte, shifted down (`vpsrlw`, `vpand`).
    fn high_nibbles(self) -> Self;
    /// Replaces each byte, which must be below 16, with the entry of `table` at that index (`vpshufb`).
    fn look_up_in(self, table: &[u8; 16]) -> Self;
    /// Interleaves the elements in the first half of each row with those of `other` (`vpunpckl..`). An element has `N`
    /// bytes: 1, 2 or 4.
    fn interleave_low<const N: usize>(self, other: Self) -> Self;
    /// Interleaves the elements in the second half of each row with those of `other` (`vpunpckh..`).
    fn interleave_high<const N: usize>(self, other: Self) -> Self;
    /// Returns a mask with one bit per byte, set where the vectors differ (`vpcmpeqb`, `vpmovmskb`). The vectors have
    /// at most four lanes.
    fn differing_bytes(self, other: Self) -> u32;
    /// Adds the vectors as 16-bit numbers (`vpaddw`).
    fn plus16(self, other: Self) -> Self;
    /// Returns bytes 1, 3, 5, …, each widened to 16 bits (`vpsrlw`).
    fn odd_bytes(self) -> Self;
    /// Returns the same vector, but hides its value from the compiler ([`opaque`](crate::opaque()); no instruction).
    fn opaque(self) -> Self;
}

/// Eight words of ones, then eight zeros. The words from index `8 - n` on are a mask of the first `n` lanes.
static FIRST: [u64; 16] = [!0, !0, !0, !0, !0, !0, !0, !0, 0, 0, 0, 0, 0, 0, 0, 0];
