//! Key tables that look random and are not: examples that the audits must detect, never a default.
//!
//! Engines have used each of them, or somebody recommends it. They affect the 768 keys of pieces; the keys of castling,
//! en passant and side are sound.

/// Returns keys of five outputs each of a linear congruential generator modulo 2^15: `rand()` of some C libraries returns
/// 15 bits, and the low bits of a generator with no more state than that have a short period.
pub(super) fn lcg15(seed: u64) -> Vec<u64> {
    let mut state = seed & 0x7fff;
    let mut output = || {
        state = (state * 25173 + 13849) & 0x7fff;
        state
    };
    (0..768).map(|_| (0..5).fold(0, |word, _| word << 15 | output())).collect()
}

/// Returns multiples of the multiplier of Fibonacci hashing (2^64 divided by the golden ratio, odd): times the seed plus
/// 1, 2, 3, ….
pub(super) fn golden_ratio(seed: u64) -> Vec<u64> {
    (1..=768).map(|number| seed.wrapping_add(number).wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect()
}

/// Returns keys of four outputs each of a xorshift generator with a state of 16 bits: all keys are linear in those bits.
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

/// Rotates each half of a word by the square, separately: squares half a board apart get the same key.
pub(super) fn rotate_halves(word: u64, square: usize) -> u64 {
    let half = |half: u64| u64::from((half as u32).rotate_left(square as u32));
    half(word >> 32) << 32 | half(word & 0xffff_ffff)
}
