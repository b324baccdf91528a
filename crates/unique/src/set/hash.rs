//! The hash of a key, which selects the key's place in a set, its slice, and the process that owns it. Groups of
//! positions are hashed with the same factors.

pub const SLICES: u32 = 1 << 24;

/// Returns the number of a key's slice, which is less than [`SLICES`]. Keys are spread evenly over the slices.
#[inline(always)]
pub fn slice_of<const N: usize>(key: &[u32; N]) -> u32 {
    hash(key) as u32 & (SLICES - 1)
}

/// Odd factors of the hash functions. Their bits have no pattern.
pub(crate) const ODD: [u64; 8] = [
    0x9e37_79b9_7f4a_7c15,
    0xd1b5_4a32_d192_ed03,
    0x8cb9_2ba7_2f3d_8dd7,
    0xda94_2042_e4dd_58b5,
    0xa076_1d64_78bd_642f,
    0xe703_7ed1_a0b4_28db,
    0x5899_65cc_7537_4cc3,
    0x1d8e_4e27_c47d_124f,
];

/// Returns the xor of the two halves of a product.
#[inline(always)]
pub(crate) fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// Hashes a key. A key of 96 bits is hashed by [`mix`].
#[inline(always)]
pub(crate) fn hash<const N: usize>(key: &[u32; N]) -> u64 {
    if N <= 4 {
        return mix(u64::from(key[0]) | u64::from(key[1]) << 32, key[2]);
    }
    let word = |at: usize| if at < N - 1 { u64::from(key[at]) } else { 0 };
    let pair = |at: usize| word(at) | word(at + 1) << 32;
    const { assert!(N >= 3 && N <= 9, "all words have a part in the hash") };
    let hash = fold(pair(0) ^ ODD[0], pair(2) ^ ODD[1]) ^ fold(pair(4) ^ ODD[2], pair(6) ^ ODD[3]).rotate_left(32);
    fold(hash ^ ODD[4], ODD[5])
}

/// Mixes the low 64 bits of a key with its third word. The result can be reversed if the third word is known. Keys of
/// weak schemes are spread as evenly as any others, although they differ in only a few bits or words.
#[inline(always)]
fn mix(low: u64, third: u32) -> u64 {
    let mut mixed = low ^ u64::from(third).wrapping_mul(ODD[0]);
    for odd in [ODD[1], ODD[5]] {
        mixed = mixed.wrapping_mul(odd);
        mixed ^= mixed >> 32;
    }
    mixed
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::ChaCha20Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    #[test]
    fn slices_are_even_and_apart_from_the_places() {
        let (mut random, mut quarters) = (ChaCha20Rng::seed_from_u64(3), [[0_u32; 4]; 4]);
        for _ in 0..160_000 {
            let key = [random.next_u32() % 50_000, 0, 0, 0];
            quarters[(slice_of(&key) >> 22) as usize][(hash(&key) >> 62) as usize] += 1;
        }
        assert!(quarters.iter().flatten().all(|&keys| (9_500..10_500).contains(&keys)), "{quarters:?}");
    }
}
