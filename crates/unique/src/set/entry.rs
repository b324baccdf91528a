//! Entries of a set, and the place of a key: its shard, its line in the shard, and the bits of the key stored there.
//!
//! An entry is `N` words of 32 bits. An entry of four or more words is the key followed by its count. A **narrow**
//! entry has three words for a key of 96 bits *and* its count, because its line implies some bits of the key. The low
//! 64 bits of the key are mixed into `h`, reversibly if the third word is known. The top bits of `h` select the shard.
//! The other bits, shifted to the top, are multiplied by `lines`, the number of lines in a shard. The high half of the
//! product is the line. If two values of `h` lead to the same line, the low halves of their products differ by at least
//! `shards · lines`. So the last *L* bits of the low half need not be stored:
//!
//! | bits of a narrow entry | |
//! |---|---|
//! | 32 | the key's third word |
//! | 64 − *L* | the low half of the product, without its last *L* bits; 2^*L* is at most `shards · lines` |
//! | 10 | displacement: number of lines from the key's own line to the entry |
//! | *L* − 10 | count |
//!
//! So all 96 bits of a key are compared in a set of any size: no two keys have the same place and entry.

use super::hash::hash;
use perft_gate_simd::LINE_WORDS;

/// Words of a key, with or without its count; see the module.
pub type Entry<const N: usize> = [u32; N];

/// Number of words of a narrow entry.
pub(super) const NARROW: usize = 3;
/// Number of bits of a displacement. At a load of 0.9, one line in a billion is followed by 600 full lines. If a key
/// needs a larger displacement than these bits can hold, the set counts as full.
const DISPLACEMENT: u32 = 10;

/// Returns the number of entries in a line.
pub(super) const fn in_line<const N: usize>() -> usize {
    const { assert!(N == NARROW || N == 4 || N == 8, "no other entries are needed") };
    LINE_WORDS / N
}

/// Returns the index of the word whose low bits are the count.
pub(super) const fn count_word<const N: usize>() -> usize {
    if N == NARROW { 0 } else { N - 1 }
}

/// The place of a key.
pub(super) struct KeyPlace<const N: usize> {
    pub(super) shard: usize,
    /// Line of the shard where the search starts.
    pub(super) line: u32,
    /// Entry of the key in that line, with a count of zero.
    pub(super) entry: Entry<N>,
}

/// The rule that maps keys to places.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeyPlaces<const N: usize> {
    /// Binary logarithm of the number of shards.
    bits: u32,
    /// Number of shards minus one, used as a mask.
    last_shard: u64,
    /// Number of lines of a shard.
    lines: usize,
    /// Number of key bits that are implied by the shard and the line.
    implied: u32,
    /// Mask of the bits of the product's low half (see the module) that an entry stores.
    stored: u64,
}

impl<const N: usize> KeyPlaces<N> {
    /// Returns the rule for 2^`bits` shards of `lines` lines each.
    pub(super) fn new(bits: u32, lines: usize) -> KeyPlaces<N> {
        let implied = (bits + lines.ilog2()).min(32);
        assert!(N != NARROW || implied > DISPLACEMENT, "a count has a bit or more");
        KeyPlaces { bits, last_shard: (1 << bits) - 1, lines, implied, stored: !0 << implied }
    }

    /// Returns the mask of the count within its word.
    #[inline(always)]
    pub(super) fn count_mask(&self) -> u32 {
        if N == NARROW { (1 << (self.implied - DISPLACEMENT)) - 1 } else { u32::MAX }
    }

    /// Returns the place of a key. The last word of a key of four words or more is ignored.
    #[inline(always)]
    pub(super) fn place(&self, key: &Entry<N>) -> KeyPlace<N> {
        let hash = hash(key);
        let rotated = hash.rotate_left(self.bits);
        let shard = rotated & self.last_shard;
        let scaled = u128::from(rotated ^ shard) * self.lines as u128;
        let mut entry = *key;
        if N == NARROW {
            let rest = scaled as u64 & self.stored;
            (entry[0], entry[1]) = (rest as u32, (rest >> 32) as u32);
        } else {
            entry[N - 1] = 0;
        }
        KeyPlace { shard: shard as usize, line: (scaled >> 64) as u32, entry }
    }
}

/// Raises the displacement of an entry that moves on to the next line. Returns false if it is already at the maximum.
/// Only narrow entries have a displacement.
#[inline(always)]
pub(super) fn displace<const N: usize>(entry: &mut Entry<N>, count_mask: u32) -> bool {
    if N != NARROW {
        return true;
    }
    // The displacement is in the bits just above the count.
    let one = count_mask + 1;
    let most = ((1 << DISPLACEMENT) - 1) * one;
    let fits = entry[0] & most != most;
    entry[0] += if fits { one } else { 0 };
    fits
}

/// Recovers a key from its place, for tests.
#[cfg(test)]
pub(super) mod inverse {
    use super::super::hash::ODD;
    use super::*;

    /// Inverts `hash::mix`.
    fn unmix(mut mixed: u64, third: u32) -> u64 {
        for odd in [ODD[5], ODD[1]] {
            mixed ^= mixed >> 32;
            // Newton's iteration doubles the number of correct low bits, starting with three.
            let inverse =
                (0..6).fold(odd, |inverse: u64, _| inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse))));
            mixed = mixed.wrapping_mul(inverse);
        }
        mixed ^ u64::from(third).wrapping_mul(ODD[0])
    }

    /// Returns the key of an entry in a line of a shard, without its count.
    pub(in super::super) fn key_of<const N: usize>(
        places: &KeyPlaces<N>,
        shard: usize,
        line: u32,
        entry: &Entry<N>,
    ) -> Entry<N> {
        let mut key = *entry;
        if N != NARROW {
            key[N - 1] = 0;
            return key;
        }
        let displacement = (entry[0] >> places.count_mask().count_ones()) as usize % (1 << DISPLACEMENT);
        let line = (line as usize + (places.lines << DISPLACEMENT) - displacement) % places.lines;
        let rest = u128::from(entry[0]) | u128::from(entry[1]) << 32;
        let rest = rest >> places.implied << places.implied;
        // The smallest number with zero low bits whose product with `lines` is at least the stored part of the product.
        let scaled = ((line as u128) << 64 | rest).div_ceil(places.lines as u128);
        let scaled = scaled.next_multiple_of(1 << places.bits) as u64;
        let low = unmix(((shard as u128) << 64 >> places.bits) as u64 | scaled >> places.bits, entry[2]);
        (key[0], key[1]) = (low as u32, (low >> 32) as u32);
        key
    }
}

#[cfg(test)]
mod tests {
    use super::inverse::key_of;
    use super::*;
    use rand_chacha::ChaCha20Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    /// Every key can be recovered from its place, in sets of any size, so all of its 96 bits are compared.
    #[test]
    fn a_narrow_entry_and_its_line_are_the_whole_key() {
        let mut random = ChaCha20Rng::seed_from_u64(5);
        // The last pair is the shape of a set for a billion keys.
        for (bits, lines) in [(0, 4096), (0, 70_001), (3, 4_999), (4, 1 << 16), (5, (1 << 20) - 1), (4, 14_600_000)] {
            let places = KeyPlaces::<NARROW>::new(bits, lines);
            for number in 0..20_000_u32 {
                let mut key: Entry<NARROW> = std::array::from_fn(|_| random.next_u32());
                if number < 96 {
                    key = [0; NARROW];
                    key[number as usize / 32] = 1 << (number % 32);
                }
                let place = places.place(&key);
                assert!(place.shard < 1 << bits && (place.line as usize) < lines);
                assert_eq!(
                    place.entry[0] & ((1 << DISPLACEMENT << places.count_mask().count_ones()) - 1),
                    0,
                    "count and displacement"
                );
                assert_eq!(key_of(&places, place.shard, place.line, &place.entry), key, "{places:?}");
            }
        }
    }

    #[test]
    fn a_displacement_ends_before_it_touches_the_key() {
        let (mut entry, mask) = ([0xabc0_001f, 1, 2], 0xff);
        for number in 1..=1023_u32 {
            assert!(displace(&mut entry, mask));
            assert_eq!(entry, [0xabc0_001f | number << 8, 1, 2]);
        }
        assert!(!displace(&mut entry, mask));
        assert_eq!(entry, [0xabc3_ff1f, 1, 2]);
        assert!(displace(&mut [u32::MAX; 4], mask), "only a narrow entry has a displacement");
    }
}
