//! KeyTable that look random and are not: exhibits for the instruments, never a default.
//!
//! Each is a thing that engines really did, or that is advised. All 768 words of men; the words of rights, en passant
//! and side are sound ones.

/// Five outputs of a linear congruential generator modulo 2^15 side by side: `rand()` of some C libraries returns 15 bits,
/// and a generator with no more state than that has low bits of a short period.
pub(super) fn lcg15(seed: u64) -> Vec<u64> {
    let mut state = seed & 0x7fff;
    let mut output = || {
        state = (state * 25173 + 13849) & 0x7fff;
        state
    };
    (0..768).map(|_| (0..5).fold(0, |word, _| word << 15 | output())).collect()
}

/// The odd multiplier of Fibonacci hashing, 2^64 divided by the golden ratio, times 1, 2, 3, … from a seed on.
pub(super) fn golden_ratio(seed: u64) -> Vec<u64> {
    (1..=768).map(|number| seed.wrapping_add(number).wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect()
}

/// A xorshift generator with a state of 16 bits, four outputs a word: all words are linear in those 16 bits.
pub(super) fn tiny_seed(seed: u64) -> Vec<u64> {
    let mut state = seed as u16 | 1;
    let mut output = || {
        state ^= state << 7;
        state ^= state >> 9;
        state ^= state << 8;
        u64::from(state)
    };
    (0..768).map(|_| (0..4).fold(0, |word, _| word << 16 | output())).collect()
}

/// Each half of a word rotated by the square by itself: squares half a board apart have the same word.
pub(super) fn rotate_halves(word: u64, square: usize) -> u64 {
    let half = |half: u64| u64::from((half as u32).rotate_left(square as u32));
    half(word >> 32) << 32 | half(word & 0xffff_ffff)
}
