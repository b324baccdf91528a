//! Vectors of words for set-wise algorithms: boards, or directions, side by side.
//!
//! An algorithm is written once over [`Lanes`] with the operators of the language, `&`, `|`, `^`, `!`, and runs on
//! vectors of four words (AVX2), of eight (AVX-512), or of eight in two halves (`Pair`). Vectors are made only with a
//! [`Lanes::Proof`], which only detection hands out, so whoever holds one may use its instructions.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64 as arch;
use std::ops::{BitAnd, BitOr, BitXor, Not};

/// A vector of [`Lanes::N`] words.
pub trait Lanes:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// How many words.
    const N: usize;
    /// What proves that the machine has such vectors.
    type Proof: Copy;
    /// A sum of bit counts, lane by lane. A byte of a word may count up to 255.
    type Tally: Copy;

    /// The same word in every lane.
    fn splat(proof: Self::Proof, word: u64) -> Self;
    /// The first words of a slice. **Panics** if there are not enough.
    fn load(proof: Self::Proof, words: &[u64]) -> Self;
    /// Writes the words to the start of a slice. **Panics** if there is not enough room.
    fn store(self, words: &mut [u64]);
    /// Towards the high end; `by` is below 64.
    fn shl(self, by: u32) -> Self;
    /// Towards the low end; `by` is below 64.
    fn shr(self, by: u32) -> Self;
    /// Byte by byte, `self - other`.
    fn minus_bytes(self, other: Self) -> Self;
    /// Word by word, `self - other`.
    fn minus(self, other: Self) -> Self;
    /// The bytes of every word in reverse.
    fn reversed(self) -> Self;
    /// All ones where a lane is zero.
    fn is_zero(self) -> Self;
    /// The bits that are in any lane.
    fn any(self) -> u64;
    /// No bit counted.
    fn tally(proof: Self::Proof) -> Self::Tally;
    /// A tally and the bits of this vector.
    fn count(self, tally: Self::Tally) -> Self::Tally;
    /// Every count twice.
    fn twice(tally: Self::Tally) -> Self::Tally;
    /// A tally as words.
    fn settled(proof: Self::Proof, tally: Self::Tally) -> Self;
    /// Word by word, `self + other`.
    fn plus(self, other: Self) -> Self;
    /// The sum of the first `lanes` words.
    fn sum(self, proof: Self::Proof, lanes: usize) -> u64;
    /// Bit `i` is set if lane `i` is not zero.
    fn lanes_with_bits(self) -> u32;
    /// The lowest bits of a set, one a lane, at most so many, taken out of the set.
    fn take_bits(proof: Self::Proof, set: &mut u64, most: usize) -> Self;
}

/// Lanes that are filled from queues in memory.
pub trait Queue: Lanes {
    /// Writes the numbers of the bits of a set, the lowest first, to the start of 32 bytes, whose rest may change too.
    /// **Panics** if there is not enough room; more bits than 32 are dropped.
    fn put_squares(proof: Self::Proof, set: u64, squares: &mut [u8]);
    /// The bits with these numbers, each below 64, one a lane. **Panics** if there are not enough.
    fn bits(proof: Self::Proof, numbers: &[u8]) -> Self;
    /// All ones in so many lanes, the first ones.
    fn first(proof: Self::Proof, lanes: usize) -> Self;
    /// `self ^ toggles` where `self` and `other` share a bit.
    fn toggled_if_met(self, toggles: Self, other: Self) -> Self;
    /// This vector's first lanes, then the first ones of `next`. `at` is below [`Lanes::N`].
    fn followed_by(self, proof: Self::Proof, at: usize, next: Self) -> Self;
}

/// Eight lanes, one a compass direction: the squares of lane 0 slide north, then east, north-east, north-west, south,
/// west, south-west, south-east.
pub trait Rays: Lanes {
    /// The same four words for a direction and its opposite: on the file, the rank, the diagonal, the antidiagonal.
    fn axes(proof: Self::Proof, words: [u64; 4]) -> Self;
    /// Every lane some steps along its direction, 1, 2 or 4. Squares come back in elsewhere when they leave the board:
    /// mask with [`LANDING`].
    fn along(self, steps: u32) -> Self;
    /// One step back.
    fn back(self) -> Self;
    /// A knight's jump, each lane another: two north and one east, two north and one west, one north and two east, one
    /// north and two west, and the opposite ones. Mask with [`JUMP_LANDING`].
    fn jumped(self) -> Self;
    /// The jumps taken back.
    fn jumped_back(self) -> Self;
    /// Every lane joined with that of the opposite direction.
    fn or_opposite(self) -> Self;
    /// How many lanes have each bit: the lowest bit of the number first.
    fn added_up(self) -> [u64; 4];
    /// The bits that are in any lane, and those that are in two or more.
    fn any_and_twice(self) -> [u64; 2];
    /// The bits of the lanes of ranks and files, and those of the diagonals.
    fn straight_and_slanted(self) -> [u64; 2];
}

const NOT_A: u64 = !0x0101_0101_0101_0101;
const NOT_H: u64 = !0x8080_8080_8080_8080;
const NOT_1: u64 = !0xff;
const NOT_8: u64 = !(0xff << 56);

/// Where a step of each direction can end.
pub static LANDING: [u64; 8] = [NOT_1, NOT_A, NOT_A & NOT_1, NOT_H & NOT_1, NOT_8, NOT_H, NOT_H & NOT_8, NOT_A & NOT_8];

/// Where each knight's jump can end.
pub static JUMP_LANDING: [u64; 8] = {
    let (not_12, not_78) = (!0xffff, !(0xffff << 48));
    let (not_ab, not_gh) = (NOT_A & NOT_A << 1, NOT_H & NOT_H >> 1);
    [
        NOT_A & not_12,
        NOT_H & not_12,
        not_ab & NOT_1,
        not_gh & NOT_1,
        NOT_H & not_78,
        NOT_A & not_78,
        not_gh & NOT_8,
        not_ab & NOT_8,
    ]
};

/// Vectors of a level: one for children, one of eight directions.
pub trait Width: Copy + Send + Sync {
    /// Sibling positions side by side.
    type Children: Queue<Proof = Self>;
    /// Directions side by side.
    type Rays: Rays<Proof = Self>;
}

/// Eight words by plain code: what the vectors are tested against.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Words([u64; 8]);

/// Portable vectors.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

impl Width for Plain {
    type Children = Words;
    type Rays = Words;
}

macro_rules! word_operator {
    ($trait:ident $method:ident $op:tt) => {
        impl $trait for Words {
            type Output = Words;
            #[inline(always)]
            fn $method(self, other: Words) -> Words {
                Words(std::array::from_fn(|i| self.0[i] $op other.0[i]))
            }
        }
    };
}

word_operator!(BitAnd bitand &);
word_operator!(BitOr bitor |);
word_operator!(BitXor bitxor ^);

impl Not for Words {
    type Output = Words;
    #[inline(always)]
    fn not(self) -> Words {
        Words(self.0.map(|word| !word))
    }
}

impl Lanes for Words {
    const N: usize = 8;
    type Proof = Plain;
    type Tally = [u64; 8];

    fn splat(_: Plain, word: u64) -> Words {
        Words([word; 8])
    }
    fn load(_: Plain, words: &[u64]) -> Words {
        Words(std::array::from_fn(|i| words[i]))
    }
    fn store(self, words: &mut [u64]) {
        words[..8].copy_from_slice(&self.0);
    }
    fn shl(self, by: u32) -> Words {
        Words(self.0.map(|word| word << by))
    }
    fn shr(self, by: u32) -> Words {
        Words(self.0.map(|word| word >> by))
    }
    fn minus_bytes(self, other: Words) -> Words {
        let bytes = |word: u64, other: u64| {
            let (a, b) = (word.to_le_bytes(), other.to_le_bytes());
            u64::from_le_bytes(std::array::from_fn(|i| a[i].wrapping_sub(b[i])))
        };
        Words(std::array::from_fn(|i| bytes(self.0[i], other.0[i])))
    }
    fn minus(self, other: Words) -> Words {
        Words(std::array::from_fn(|i| self.0[i].wrapping_sub(other.0[i])))
    }
    fn reversed(self) -> Words {
        Words(self.0.map(u64::swap_bytes))
    }
    fn is_zero(self) -> Words {
        Words(self.0.map(|word| if word == 0 { !0 } else { 0 }))
    }
    fn any(self) -> u64 {
        self.0.into_iter().fold(0, |any, word| any | word)
    }
    fn tally(_: Plain) -> [u64; 8] {
        [0; 8]
    }
    fn count(self, tally: [u64; 8]) -> [u64; 8] {
        std::array::from_fn(|i| tally[i] + u64::from(self.0[i].count_ones()))
    }
    fn twice(tally: [u64; 8]) -> [u64; 8] {
        tally.map(|count| 2 * count)
    }
    fn settled(_: Plain, tally: [u64; 8]) -> Words {
        Words(tally)
    }
    fn plus(self, other: Words) -> Words {
        Words(std::array::from_fn(|i| self.0[i].wrapping_add(other.0[i])))
    }
    fn sum(self, _: Plain, lanes: usize) -> u64 {
        self.0[..lanes].iter().sum()
    }
    fn lanes_with_bits(self) -> u32 {
        (0..8).fold(0, |mask, i| mask | u32::from(self.0[i] != 0) << i)
    }
    fn take_bits(_: Plain, set: &mut u64, most: usize) -> Words {
        Words(std::array::from_fn(|i| {
            let bit = if i < most { *set & set.wrapping_neg() } else { 0 };
            *set ^= bit;
            bit
        }))
    }
}

impl Queue for Words {
    fn put_squares(_: Plain, set: u64, squares: &mut [u8]) {
        put_each(set, squares);
    }
    fn bits(_: Plain, numbers: &[u8]) -> Words {
        Words(std::array::from_fn(|i| 1 << (numbers[i] & 63)))
    }
    fn first(_: Plain, lanes: usize) -> Words {
        Words(std::array::from_fn(|i| if i < lanes { !0 } else { 0 }))
    }
    fn toggled_if_met(self, toggles: Words, other: Words) -> Words {
        self ^ toggles & !(self & other).is_zero()
    }
    fn followed_by(self, _: Plain, at: usize, next: Words) -> Words {
        Words(std::array::from_fn(|i| if i < at { self.0[i] } else { next.0[i - at] }))
    }
}

/// Writes the numbers of the bits of a set.
#[inline(always)]
fn put_each(mut set: u64, squares: &mut [u8]) {
    for square in &mut squares[..32] {
        if set == 0 {
            break;
        }
        *square = set.trailing_zeros() as u8;
        set &= set - 1;
    }
}

/// Some steps along the direction of a lane, as a rotation to the left.
#[inline(always)]
const fn turn(lane: usize, steps: u32) -> u32 {
    const STEPS: [i32; 8] = [8, 1, 9, 7, -8, -1, -9, -7];
    (STEPS[lane] * steps as i32).rem_euclid(64) as u32
}

/// The knight's jump of a lane, as a rotation to the left.
#[inline(always)]
const fn jump(lane: usize) -> u32 {
    const JUMPS: [i32; 8] = [17, 15, 10, 6, -17, -15, -10, -6];
    JUMPS[lane].rem_euclid(64) as u32
}

impl Rays for Words {
    fn axes(_: Plain, words: [u64; 4]) -> Words {
        Words(std::array::from_fn(|i| words[i & 3]))
    }
    fn along(self, steps: u32) -> Words {
        Words(std::array::from_fn(|i| self.0[i].rotate_left(turn(i, steps))))
    }
    fn back(self) -> Words {
        Words(std::array::from_fn(|i| self.0[i].rotate_right(turn(i, 1))))
    }
    fn jumped(self) -> Words {
        Words(std::array::from_fn(|i| self.0[i].rotate_left(jump(i))))
    }
    fn jumped_back(self) -> Words {
        Words(std::array::from_fn(|i| self.0[i].rotate_right(jump(i))))
    }
    fn or_opposite(self) -> Words {
        Words(std::array::from_fn(|i| self.0[i] | self.0[i ^ 4]))
    }
    fn added_up(self) -> [u64; 4] {
        let mut sums = [0; 4];
        for word in self.0 {
            let mut carry = word;
            for sum in &mut sums {
                (*sum, carry) = (*sum ^ carry, *sum & carry);
            }
        }
        sums
    }
    fn any_and_twice(self) -> [u64; 2] {
        self.0.into_iter().fold([0, 0], |[any, twice], word| [any | word, twice | any & word])
    }
    fn straight_and_slanted(self) -> [u64; 2] {
        let [n, e, ne, nw, s, w, sw, se] = self.0;
        [n | e | s | w, ne | nw | sw | se]
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{W256, W512};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::*;

    /// Proof of AVX2.
    #[derive(Clone, Copy, Debug)]
    pub struct W256(pub(in crate::cpu) ());

    /// Proof of AVX-512 as Ice Lake and Zen 4 have it: F, BW, DQ, VL, VBMI2, VPOPCNTDQ.
    #[derive(Clone, Copy, Debug)]
    pub struct W512(pub(in crate::cpu) ());

    /// Four words.
    #[derive(Clone, Copy, Debug)]
    pub struct Four(arch::__m256i);

    /// Eight words.
    #[derive(Clone, Copy, Debug)]
    pub struct Eight(arch::__m512i);

    /// Twice as many words, in two vectors.
    #[derive(Clone, Copy, Debug)]
    pub struct Pair<V>(V, V);

    impl Width for W256 {
        type Children = Four;
        type Rays = Pair<Four>;
    }

    impl Width for W512 {
        type Children = Eight;
        type Rays = Eight;
    }

    macro_rules! vector_operator {
        ($vector:ident $trait:ident $method:ident $intrinsic:ident) => {
            impl $trait for $vector {
                type Output = $vector;
                #[inline(always)]
                fn $method(self, other: $vector) -> $vector {
                    // SAFETY: a vector was made with the proof of its instructions.
                    $vector(unsafe { arch::$intrinsic(self.0, other.0) })
                }
            }
        };
    }

    vector_operator!(Four BitAnd bitand _mm256_and_si256);
    vector_operator!(Four BitOr bitor _mm256_or_si256);
    vector_operator!(Four BitXor bitxor _mm256_xor_si256);
    vector_operator!(Eight BitAnd bitand _mm512_and_si512);
    vector_operator!(Eight BitOr bitor _mm512_or_si512);
    vector_operator!(Eight BitXor bitxor _mm512_xor_si512);

    impl Not for Four {
        type Output = Four;
        #[inline(always)]
        fn not(self) -> Four {
            // SAFETY: the vector was made with the proof of AVX2.
            Four(unsafe { arch::_mm256_xor_si256(self.0, arch::_mm256_set1_epi64x(-1)) })
        }
    }

    impl Not for Eight {
        type Output = Eight;
        #[inline(always)]
        fn not(self) -> Eight {
            // SAFETY: the vector was made with the proof of AVX-512.
            Eight(unsafe { arch::_mm512_xor_si512(self.0, arch::_mm512_set1_epi64(-1)) })
        }
    }

    impl Lanes for Four {
        const N: usize = 4;
        type Proof = W256;
        /// Counts by byte.
        type Tally = arch::__m256i;

        #[inline(always)]
        fn splat(_: W256, word: u64) -> Four {
            // SAFETY: the proof is of AVX2.
            Four(unsafe { arch::_mm256_set1_epi64x(word as i64) })
        }
        #[inline(always)]
        fn load(_: W256, words: &[u64]) -> Four {
            // SAFETY: the slice has four words; the proof is of AVX2.
            Four(unsafe { arch::_mm256_loadu_si256(words[..4].as_ptr().cast()) })
        }
        #[inline(always)]
        fn store(self, words: &mut [u64]) {
            // SAFETY: the slice has four words; the vector was made with the proof of AVX2.
            unsafe { arch::_mm256_storeu_si256(words[..4].as_mut_ptr().cast(), self.0) }
        }
        #[inline(always)]
        fn shl(self, by: u32) -> Four {
            // SAFETY: the vector was made with the proof of AVX2.
            Four(unsafe { arch::_mm256_sll_epi64(self.0, arch::_mm_cvtsi32_si128(by as i32)) })
        }
        #[inline(always)]
        fn shr(self, by: u32) -> Four {
            // SAFETY: the vector was made with the proof of AVX2.
            Four(unsafe { arch::_mm256_srl_epi64(self.0, arch::_mm_cvtsi32_si128(by as i32)) })
        }
        #[inline(always)]
        fn minus_bytes(self, other: Four) -> Four {
            // SAFETY: the vector was made with the proof of AVX2.
            Four(unsafe { arch::_mm256_sub_epi8(self.0, other.0) })
        }
        #[inline(always)]
        fn minus(self, other: Four) -> Four {
            // SAFETY: the vector was made with the proof of AVX2.
            Four(unsafe { arch::_mm256_sub_epi64(self.0, other.0) })
        }
        #[inline(always)]
        fn reversed(self) -> Four {
            // SAFETY: the vector was made with the proof of AVX2.
            Four(unsafe {
                let order = arch::_mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
                arch::_mm256_shuffle_epi8(self.0, arch::_mm256_broadcastsi128_si256(order))
            })
        }
        #[inline(always)]
        fn is_zero(self) -> Four {
            // SAFETY: the vector was made with the proof of AVX2.
            Four(unsafe { arch::_mm256_cmpeq_epi64(self.0, arch::_mm256_setzero_si256()) })
        }
        #[inline(always)]
        fn any(self) -> u64 {
            // SAFETY: the vector was made with the proof of AVX2.
            unsafe {
                let (low, high) = (arch::_mm256_castsi256_si128(self.0), arch::_mm256_extracti128_si256::<1>(self.0));
                let both = arch::_mm_or_si128(low, high);
                (arch::_mm_cvtsi128_si64(both) | arch::_mm_extract_epi64::<1>(both)) as u64
            }
        }
        #[inline(always)]
        fn tally(_: W256) -> arch::__m256i {
            // SAFETY: the proof is of AVX2.
            unsafe { arch::_mm256_setzero_si256() }
        }
        #[inline(always)]
        fn count(self, tally: arch::__m256i) -> arch::__m256i {
            // SAFETY: the vector was made with the proof of AVX2.
            unsafe {
                let bits = arch::_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
                let (bits, low) = (arch::_mm256_broadcastsi128_si256(bits), arch::_mm256_set1_epi8(15));
                let lower = arch::_mm256_shuffle_epi8(bits, arch::_mm256_and_si256(self.0, low));
                let upper = arch::_mm256_and_si256(arch::_mm256_srli_epi16::<4>(self.0), low);
                let upper = arch::_mm256_shuffle_epi8(bits, upper);
                arch::_mm256_add_epi8(tally, arch::_mm256_add_epi8(lower, upper))
            }
        }
        #[inline(always)]
        fn twice(tally: arch::__m256i) -> arch::__m256i {
            // SAFETY: the tally was made with the proof of AVX2.
            unsafe { arch::_mm256_add_epi8(tally, tally) }
        }
        #[inline(always)]
        fn settled(_: W256, tally: arch::__m256i) -> Four {
            // SAFETY: the proof is of AVX2.
            Four(unsafe { arch::_mm256_sad_epu8(tally, arch::_mm256_setzero_si256()) })
        }
        #[inline(always)]
        fn plus(self, other: Four) -> Four {
            // SAFETY: the vector was made with the proof of AVX2.
            Four(unsafe { arch::_mm256_add_epi64(self.0, other.0) })
        }
        #[inline(always)]
        fn sum(self, proof: W256, lanes: usize) -> u64 {
            let words = self & Four::load(proof, &FIRST[8 - lanes.min(8)..]);
            // SAFETY: the proof is of AVX2.
            unsafe {
                let (low, high) = (arch::_mm256_castsi256_si128(words.0), arch::_mm256_extracti128_si256::<1>(words.0));
                let both = arch::_mm_add_epi64(low, high);
                (arch::_mm_cvtsi128_si64(both) + arch::_mm_extract_epi64::<1>(both)) as u64
            }
        }
        #[inline(always)]
        fn lanes_with_bits(self) -> u32 {
            // SAFETY: the vector was made with the proof of AVX2.
            unsafe { !arch::_mm256_movemask_pd(arch::_mm256_castsi256_pd(self.is_zero().0)) as u32 & 15 }
        }
        #[inline(always)]
        fn take_bits(_: W256, set: &mut u64, most: usize) -> Four {
            let mut bits = [0; 4];
            for (i, bit) in bits.iter_mut().enumerate() {
                *bit = if i < most { *set & set.wrapping_neg() } else { 0 };
                *set ^= *bit;
            }
            let [a, b, c, d] = bits.map(|bit| bit as i64);
            // SAFETY: the proof is of AVX2.
            Four(unsafe { arch::_mm256_setr_epi64x(a, b, c, d) })
        }
    }

    impl Queue for Four {
        #[inline(always)]
        fn put_squares(_: W256, set: u64, squares: &mut [u8]) {
            put_each(set, squares);
        }
        #[inline(always)]
        fn bits(_: W256, numbers: &[u8]) -> Four {
            let numbers = numbers[..4].try_into().map_or(0, i32::from_le_bytes);
            // SAFETY: the proof is of AVX2.
            unsafe {
                let numbers = arch::_mm256_cvtepu8_epi64(arch::_mm_cvtsi32_si128(numbers));
                Four(arch::_mm256_sllv_epi64(arch::_mm256_set1_epi64x(1), numbers))
            }
        }
        #[inline(always)]
        fn first(proof: W256, lanes: usize) -> Four {
            Four::load(proof, &FIRST[8 - lanes.min(8)..])
        }
        #[inline(always)]
        fn toggled_if_met(self, toggles: Four, other: Four) -> Four {
            let apart = (self & other).is_zero();
            // SAFETY: the vectors were made with the proof of AVX2.
            self ^ Four(unsafe { arch::_mm256_andnot_si256(apart.0, toggles.0) })
        }
        #[inline(always)]
        fn followed_by(self, proof: W256, at: usize, next: Four) -> Four {
            let kept = Four::load(proof, &FIRST[8 - at.min(8)..]);
            // Words are moved as pairs of 32 bits.
            let from = [
                [0, 1, 2, 3, 4, 5, 6, 7],
                [0, 0, 0, 1, 2, 3, 4, 5],
                [0, 0, 0, 0, 0, 1, 2, 3],
                [0, 0, 0, 0, 0, 0, 0, 1],
            ];
            let from: &[i32; 8] = &from[at & 3];
            // SAFETY: eight numbers are read from an array of eight; the proof is of AVX2.
            let moved = Four(unsafe {
                arch::_mm256_permutevar8x32_epi32(next.0, arch::_mm256_loadu_si256(from.as_ptr().cast()))
            });
            self & kept | moved & !kept
        }
    }

    /// Eight full words, then eight empty ones: a window into it is a mask of the first lanes.
    static FIRST: [u64; 16] = [!0, !0, !0, !0, !0, !0, !0, !0, 0, 0, 0, 0, 0, 0, 0, 0];

    impl Lanes for Eight {
        const N: usize = 8;
        type Proof = W512;
        type Tally = arch::__m512i;

        #[inline(always)]
        fn splat(_: W512, word: u64) -> Eight {
            // SAFETY: the proof is of AVX-512.
            Eight(unsafe { arch::_mm512_set1_epi64(word as i64) })
        }
        #[inline(always)]
        fn load(_: W512, words: &[u64]) -> Eight {
            // SAFETY: the slice has eight words; the proof is of AVX-512.
            Eight(unsafe { arch::_mm512_loadu_si512(words[..8].as_ptr().cast()) })
        }
        #[inline(always)]
        fn store(self, words: &mut [u64]) {
            // SAFETY: the slice has eight words; the vector was made with the proof of AVX-512.
            unsafe { arch::_mm512_storeu_si512(words[..8].as_mut_ptr().cast(), self.0) }
        }
        #[inline(always)]
        fn shl(self, by: u32) -> Eight {
            // SAFETY: the vector was made with the proof of AVX-512.
            Eight(unsafe { arch::_mm512_sll_epi64(self.0, arch::_mm_cvtsi32_si128(by as i32)) })
        }
        #[inline(always)]
        fn shr(self, by: u32) -> Eight {
            // SAFETY: the vector was made with the proof of AVX-512.
            Eight(unsafe { arch::_mm512_srl_epi64(self.0, arch::_mm_cvtsi32_si128(by as i32)) })
        }
        #[inline(always)]
        fn minus_bytes(self, other: Eight) -> Eight {
            // SAFETY: the vector was made with the proof of AVX-512.
            Eight(unsafe { arch::_mm512_sub_epi8(self.0, other.0) })
        }
        #[inline(always)]
        fn minus(self, other: Eight) -> Eight {
            // SAFETY: the vector was made with the proof of AVX-512.
            Eight(unsafe { arch::_mm512_sub_epi64(self.0, other.0) })
        }
        #[inline(always)]
        fn reversed(self) -> Eight {
            // SAFETY: the vector was made with the proof of AVX-512.
            Eight(unsafe {
                let order = arch::_mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
                arch::_mm512_shuffle_epi8(self.0, arch::_mm512_broadcast_i32x4(order))
            })
        }
        #[inline(always)]
        fn is_zero(self) -> Eight {
            // SAFETY: the vector was made with the proof of AVX-512.
            Eight(unsafe { arch::_mm512_movm_epi64(arch::_mm512_testn_epi64_mask(self.0, self.0)) })
        }
        #[inline(always)]
        fn any(self) -> u64 {
            // SAFETY: the vector was made with the proof of AVX-512.
            unsafe { arch::_mm512_reduce_or_epi64(self.0) as u64 }
        }
        #[inline(always)]
        fn tally(_: W512) -> arch::__m512i {
            // SAFETY: the proof is of AVX-512.
            unsafe { arch::_mm512_setzero_si512() }
        }
        #[inline(always)]
        fn count(self, tally: arch::__m512i) -> arch::__m512i {
            // SAFETY: the vector was made with the proof of AVX-512.
            unsafe { arch::_mm512_add_epi64(tally, arch::_mm512_popcnt_epi64(self.0)) }
        }
        #[inline(always)]
        fn twice(tally: arch::__m512i) -> arch::__m512i {
            // SAFETY: the tally was made with the proof of AVX-512.
            unsafe { arch::_mm512_add_epi64(tally, tally) }
        }
        #[inline(always)]
        fn settled(_: W512, tally: arch::__m512i) -> Eight {
            Eight(tally)
        }
        #[inline(always)]
        fn plus(self, other: Eight) -> Eight {
            // SAFETY: the vector was made with the proof of AVX-512.
            Eight(unsafe { arch::_mm512_add_epi64(self.0, other.0) })
        }
        #[inline(always)]
        fn sum(self, _: W512, lanes: usize) -> u64 {
            // SAFETY: the vector was made with the proof of AVX-512.
            unsafe { arch::_mm512_mask_reduce_add_epi64(((1_u32 << (lanes & 15)) - 1) as u8, self.0) as u64 }
        }
        #[inline(always)]
        fn lanes_with_bits(self) -> u32 {
            // SAFETY: the vector was made with the proof of AVX-512.
            unsafe { arch::_mm512_test_epi64_mask(self.0, self.0).into() }
        }
        #[inline(always)]
        fn take_bits(_: W512, set: &mut u64, most: usize) -> Eight {
            let taken = most.min(set.count_ones() as usize).min(8) as u32;
            // SAFETY: the proof is of AVX-512, and of BMI2 with it.
            unsafe {
                let squares = arch::_mm512_maskz_compress_epi8(*set, arch::_mm512_loadu_si512(NUMBERS.as_ptr().cast()));
                let squares = arch::_mm512_cvtepu8_epi64(arch::_mm512_castsi512_si128(squares));
                let present = ((1_u32 << taken) - 1) as u8;
                *set = arch::_pdep_u64(!0 << taken, *set);
                Eight(arch::_mm512_maskz_sllv_epi64(present, arch::_mm512_set1_epi64(1), squares))
            }
        }
    }

    impl Queue for Eight {
        #[inline(always)]
        fn put_squares(_: W512, set: u64, squares: &mut [u8]) {
            // SAFETY: the slice has 32 bytes; the proof is of AVX-512.
            unsafe {
                let all = arch::_mm512_loadu_si512(NUMBERS.as_ptr().cast());
                let numbers = arch::_mm512_castsi512_si256(arch::_mm512_maskz_compress_epi8(set, all));
                arch::_mm256_storeu_si256(squares[..32].as_mut_ptr().cast(), numbers);
            }
        }
        #[inline(always)]
        fn bits(_: W512, numbers: &[u8]) -> Eight {
            // SAFETY: the slice has eight bytes; the proof is of AVX-512.
            unsafe {
                let numbers = arch::_mm512_cvtepu8_epi64(arch::_mm_loadl_epi64(numbers[..8].as_ptr().cast()));
                Eight(arch::_mm512_sllv_epi64(arch::_mm512_set1_epi64(1), numbers))
            }
        }
        #[inline(always)]
        fn first(proof: W512, lanes: usize) -> Eight {
            Eight::load(proof, &FIRST[8 - lanes.min(8)..])
        }
        #[inline(always)]
        fn toggled_if_met(self, toggles: Eight, other: Eight) -> Eight {
            // SAFETY: the vectors were made with the proof of AVX-512.
            Eight(unsafe {
                let met = arch::_mm512_test_epi64_mask(self.0, other.0);
                arch::_mm512_mask_xor_epi64(self.0, met, self.0, toggles.0)
            })
        }
        #[inline(always)]
        fn followed_by(self, _: W512, at: usize, next: Eight) -> Eight {
            let moved = ((0xff_u32 << (at & 7)) & 0xff) as u8;
            // SAFETY: the vectors were made with the proof of AVX-512.
            Eight(unsafe { arch::_mm512_mask_expand_epi64(self.0, moved, next.0) })
        }
    }

    static NUMBERS: [u8; 64] = {
        let mut numbers = [0; 64];
        let mut i = 0;
        while i < 64 {
            numbers[i] = i as u8;
            i += 1;
        }
        numbers
    };

    impl Rays for Eight {
        #[inline(always)]
        fn axes(_: W512, words: [u64; 4]) -> Eight {
            let [file, rank, diagonal, antidiagonal] = words.map(|word| word as i64);
            // SAFETY: the proof is of AVX-512.
            Eight(unsafe { arch::_mm512_set4_epi64(antidiagonal, diagonal, rank, file) })
        }
        #[inline(always)]
        fn along(self, steps: u32) -> Eight {
            let [n, e, ne, nw, s, w, sw, se] = std::array::from_fn(|lane| i64::from(turn(lane, steps)));
            // SAFETY: the vector was made with the proof of AVX-512.
            Eight(unsafe { arch::_mm512_rolv_epi64(self.0, arch::_mm512_setr_epi64(n, e, ne, nw, s, w, sw, se)) })
        }
        #[inline(always)]
        fn back(self) -> Eight {
            let [n, e, ne, nw, s, w, sw, se] = std::array::from_fn(|lane| i64::from(turn(lane, 1)));
            // SAFETY: the vector was made with the proof of AVX-512.
            Eight(unsafe { arch::_mm512_rorv_epi64(self.0, arch::_mm512_setr_epi64(n, e, ne, nw, s, w, sw, se)) })
        }
        #[inline(always)]
        fn jumped(self) -> Eight {
            let [a, b, c, d, e, f, g, h] = std::array::from_fn(|lane| i64::from(jump(lane)));
            // SAFETY: the vector was made with the proof of AVX-512.
            Eight(unsafe { arch::_mm512_rolv_epi64(self.0, arch::_mm512_setr_epi64(a, b, c, d, e, f, g, h)) })
        }
        #[inline(always)]
        fn jumped_back(self) -> Eight {
            let [a, b, c, d, e, f, g, h] = std::array::from_fn(|lane| i64::from(jump(lane)));
            // SAFETY: the vector was made with the proof of AVX-512.
            Eight(unsafe { arch::_mm512_rorv_epi64(self.0, arch::_mm512_setr_epi64(a, b, c, d, e, f, g, h)) })
        }
        #[inline(always)]
        fn or_opposite(self) -> Eight {
            // SAFETY: the vector was made with the proof of AVX-512.
            Eight(unsafe { arch::_mm512_or_si512(self.0, arch::_mm512_shuffle_i64x2::<0b01_00_11_10>(self.0, self.0)) })
        }
        #[inline(always)]
        fn added_up(self) -> [u64; 4] {
            // SAFETY: the vector was made with the proof of AVX-512.
            unsafe { added_halves(arch::_mm512_castsi512_si256(self.0), arch::_mm512_extracti64x4_epi64::<1>(self.0)) }
        }
        #[inline(always)]
        fn any_and_twice(self) -> [u64; 2] {
            // SAFETY: the vector was made with the proof of AVX-512.
            unsafe { folded_twice(arch::_mm512_castsi512_si256(self.0), arch::_mm512_extracti64x4_epi64::<1>(self.0)) }
        }
        #[inline(always)]
        fn straight_and_slanted(self) -> [u64; 2] {
            // SAFETY: the vector was made with the proof of AVX-512.
            unsafe {
                let (a, b) = (arch::_mm512_castsi512_si256(self.0), arch::_mm512_extracti64x4_epi64::<1>(self.0));
                halves(arch::_mm256_or_si256(a, b))
            }
        }
    }

    /// The first two words joined, and the last two.
    #[inline(always)]
    unsafe fn halves(vector: arch::__m256i) -> [u64; 2] {
        // SAFETY: the caller holds a vector that was made with the proof of AVX2.
        unsafe {
            let (low, high) = (arch::_mm256_castsi256_si128(vector), arch::_mm256_extracti128_si256::<1>(vector));
            let joined = arch::_mm_or_si128(arch::_mm_unpacklo_epi64(low, high), arch::_mm_unpackhi_epi64(low, high));
            [arch::_mm_cvtsi128_si64(joined) as u64, arch::_mm_extract_epi64::<1>(joined) as u64]
        }
    }

    /// The bits of any of eight words, and those of two or more.
    #[inline(always)]
    unsafe fn folded_twice(a: arch::__m256i, b: arch::__m256i) -> [u64; 2] {
        // SAFETY: the caller holds vectors that were made with the proof of AVX2.
        unsafe {
            let (any, twice) = (arch::_mm256_or_si256(a, b), arch::_mm256_and_si256(a, b));
            let split = |v| (arch::_mm256_castsi256_si128(v), arch::_mm256_extracti128_si256::<1>(v));
            let ((a, b), (c, d)) = (split(any), split(twice));
            let any = arch::_mm_or_si128(a, b);
            let twice = arch::_mm_or_si128(arch::_mm_and_si128(a, b), arch::_mm_or_si128(c, d));
            let (first, second) = (arch::_mm_unpacklo_epi64(any, twice), arch::_mm_unpackhi_epi64(any, twice));
            let (any, both) = (arch::_mm_or_si128(first, second), arch::_mm_and_si128(first, second));
            let twice = arch::_mm_extract_epi64::<1>(any) | arch::_mm_cvtsi128_si64(both);
            [arch::_mm_cvtsi128_si64(any) as u64, twice as u64]
        }
    }

    /// How many of eight words have each bit: four numbers of one bit, two of two bits, and so on.
    #[inline(always)]
    unsafe fn added_halves(a: arch::__m256i, b: arch::__m256i) -> [u64; 4] {
        // SAFETY: the caller holds vectors that were made with the proof of AVX2.
        unsafe {
            let (ones, twos) = (arch::_mm256_xor_si256(a, b), arch::_mm256_and_si256(a, b));
            let split = |v| (arch::_mm256_castsi256_si128(v), arch::_mm256_extracti128_si256::<1>(v));
            let ((a, b), (c, d)) = (split(ones), split(twos));
            let (ones, carry) = (arch::_mm_xor_si128(a, b), arch::_mm_and_si128(a, b));
            let either = arch::_mm_xor_si128(c, d);
            let twos = arch::_mm_xor_si128(either, carry);
            let fours = arch::_mm_or_si128(arch::_mm_and_si128(c, d), arch::_mm_and_si128(either, carry));
            let words = |v| (arch::_mm_cvtsi128_si64(v) as u64, arch::_mm_extract_epi64::<1>(v) as u64);
            let ((a, b), (c, d), (e, f)) = (words(ones), words(twos), words(fours));
            let (ones, carry) = (a ^ b, a & b);
            let (twos, carry) = (c ^ d ^ carry, c & d | (c ^ d) & carry);
            let (fours, eights) = (e ^ f ^ carry, e & f | (e ^ f) & carry);
            [ones, twos, fours, eights]
        }
    }

    macro_rules! pair_operator {
        ($trait:ident $method:ident) => {
            impl<V: Lanes> $trait for Pair<V> {
                type Output = Pair<V>;
                #[inline(always)]
                fn $method(self, other: Pair<V>) -> Pair<V> {
                    Pair(self.0.$method(other.0), self.1.$method(other.1))
                }
            }
        };
    }

    pair_operator!(BitAnd bitand);
    pair_operator!(BitOr bitor);
    pair_operator!(BitXor bitxor);

    impl<V: Lanes> Not for Pair<V> {
        type Output = Pair<V>;
        #[inline(always)]
        fn not(self) -> Pair<V> {
            Pair(!self.0, !self.1)
        }
    }

    impl<V: Lanes> Lanes for Pair<V> {
        const N: usize = 2 * V::N;
        type Proof = V::Proof;
        type Tally = (V::Tally, V::Tally);

        #[inline(always)]
        fn splat(proof: V::Proof, word: u64) -> Pair<V> {
            let half = V::splat(proof, word);
            Pair(half, half)
        }
        #[inline(always)]
        fn load(proof: V::Proof, words: &[u64]) -> Pair<V> {
            Pair(V::load(proof, words), V::load(proof, &words[V::N..]))
        }
        #[inline(always)]
        fn store(self, words: &mut [u64]) {
            self.0.store(words);
            self.1.store(&mut words[V::N..]);
        }
        #[inline(always)]
        fn shl(self, by: u32) -> Pair<V> {
            Pair(self.0.shl(by), self.1.shl(by))
        }
        #[inline(always)]
        fn shr(self, by: u32) -> Pair<V> {
            Pair(self.0.shr(by), self.1.shr(by))
        }
        #[inline(always)]
        fn minus_bytes(self, other: Pair<V>) -> Pair<V> {
            Pair(self.0.minus_bytes(other.0), self.1.minus_bytes(other.1))
        }
        #[inline(always)]
        fn minus(self, other: Pair<V>) -> Pair<V> {
            Pair(self.0.minus(other.0), self.1.minus(other.1))
        }
        #[inline(always)]
        fn reversed(self) -> Pair<V> {
            Pair(self.0.reversed(), self.1.reversed())
        }
        #[inline(always)]
        fn is_zero(self) -> Pair<V> {
            Pair(self.0.is_zero(), self.1.is_zero())
        }
        #[inline(always)]
        fn any(self) -> u64 {
            (self.0 | self.1).any()
        }
        #[inline(always)]
        fn tally(proof: V::Proof) -> Self::Tally {
            (V::tally(proof), V::tally(proof))
        }
        #[inline(always)]
        fn count(self, tally: Self::Tally) -> Self::Tally {
            (self.0.count(tally.0), self.1.count(tally.1))
        }
        #[inline(always)]
        fn twice(tally: Self::Tally) -> Self::Tally {
            (V::twice(tally.0), V::twice(tally.1))
        }
        #[inline(always)]
        fn settled(proof: V::Proof, tally: Self::Tally) -> Pair<V> {
            Pair(V::settled(proof, tally.0), V::settled(proof, tally.1))
        }
        #[inline(always)]
        fn plus(self, other: Pair<V>) -> Pair<V> {
            Pair(self.0.plus(other.0), self.1.plus(other.1))
        }
        #[inline(always)]
        fn sum(self, proof: V::Proof, lanes: usize) -> u64 {
            if lanes == Self::N {
                return self.0.plus(self.1).sum(proof, V::N);
            }
            self.0.sum(proof, lanes.min(V::N)) + self.1.sum(proof, lanes.saturating_sub(V::N))
        }
        #[inline(always)]
        fn lanes_with_bits(self) -> u32 {
            self.0.lanes_with_bits() | self.1.lanes_with_bits() << V::N
        }
        #[inline(always)]
        fn take_bits(proof: V::Proof, set: &mut u64, most: usize) -> Pair<V> {
            let first = V::take_bits(proof, set, most);
            Pair(first, V::take_bits(proof, set, most.saturating_sub(V::N)))
        }
    }

    impl Pair<Four> {
        /// The first half goes towards the high end, the second towards the low one.
        #[inline(always)]
        fn shifted(self, steps: u32) -> Pair<Four> {
            let steps = i64::from(steps);
            // SAFETY: the vectors were made with the proof of AVX2.
            unsafe { self.shifted_by(arch::_mm256_setr_epi64x(8 * steps, steps, 9 * steps, 7 * steps)) }
        }

        /// A knight's jumps.
        #[inline(always)]
        fn shifted_as_knights(self) -> Pair<Four> {
            // SAFETY: the vectors were made with the proof of AVX2.
            unsafe { self.shifted_by(arch::_mm256_setr_epi64x(17, 15, 10, 6)) }
        }

        #[inline(always)]
        unsafe fn shifted_by(self, by: arch::__m256i) -> Pair<Four> {
            // SAFETY: the vectors were made with the proof of AVX2.
            unsafe { Pair(Four(arch::_mm256_sllv_epi64(self.0.0, by)), Four(arch::_mm256_srlv_epi64(self.1.0, by))) }
        }
    }

    impl Rays for Pair<Four> {
        #[inline(always)]
        fn axes(_: W256, words: [u64; 4]) -> Pair<Four> {
            let [file, rank, diagonal, antidiagonal] = words.map(|word| word as i64);
            // SAFETY: the proof is of AVX2.
            let half = Four(unsafe { arch::_mm256_setr_epi64x(file, rank, diagonal, antidiagonal) });
            Pair(half, half)
        }
        #[inline(always)]
        fn along(self, steps: u32) -> Pair<Four> {
            self.shifted(steps)
        }
        #[inline(always)]
        fn back(self) -> Pair<Four> {
            let Pair(second, first) = Pair(self.1, self.0).shifted(1);
            Pair(first, second)
        }
        #[inline(always)]
        fn jumped(self) -> Pair<Four> {
            self.shifted_as_knights()
        }
        #[inline(always)]
        fn jumped_back(self) -> Pair<Four> {
            let Pair(second, first) = Pair(self.1, self.0).shifted_as_knights();
            Pair(first, second)
        }
        #[inline(always)]
        fn or_opposite(self) -> Pair<Four> {
            let both = self.0 | self.1;
            Pair(both, both)
        }
        #[inline(always)]
        fn added_up(self) -> [u64; 4] {
            // SAFETY: the vector was made with the proof of AVX2.
            unsafe { added_halves(self.0.0, self.1.0) }
        }
        #[inline(always)]
        fn any_and_twice(self) -> [u64; 2] {
            // SAFETY: the vector was made with the proof of AVX2.
            unsafe { folded_twice(self.0.0, self.1.0) }
        }
        #[inline(always)]
        fn straight_and_slanted(self) -> [u64; 2] {
            // SAFETY: the vector was made with the proof of AVX2.
            unsafe { halves((self.0 | self.1).0) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::{Level, Token, V1, WideTask};

    /// Every operation on some words, by the vectors for children and by those for directions.
    struct Everything<'a>(&'a [u64; 16]);

    fn of_lanes<V: Lanes>(proof: V::Proof, words: &[u64; 16], out: &mut Vec<[u64; 8]>) {
        let (a, b) = (V::load(proof, words), V::load(proof, &words[8..]));
        let mut keep = |vector: V| {
            let mut words = [0; 8];
            vector.store(&mut words[..V::N]);
            out.push(words);
        };
        let half_empty = a & V::load(proof, &[0, !0, 0, !0, !0, 0, 0, !0]);
        [a & b, a | b, a ^ b, !a, V::splat(proof, words[3])].into_iter().for_each(&mut keep);
        [1, 7, 36, 63].into_iter().for_each(|by| keep(a.shl(by) ^ b.shr(by)));
        [a.minus_bytes(b), a.minus(b), a.plus(b), a.reversed(), half_empty.is_zero()].into_iter().for_each(&mut keep);
        let tally = V::twice(a.count(b.count(V::tally(proof))));
        keep(V::settled(proof, (a & b).count(tally)));
        for bits in [words[0], words[1] & words[2] & words[4], 1 << 63, 0] {
            let mut rest = bits;
            while rest != 0 {
                keep(V::take_bits(proof, &mut rest, 3));
            }
        }
        let sums = (0..=V::N).map(|lanes| a.shr(8).sum(proof, lanes));
        out.extend(sums.map(|sum| [sum; 8]));
        out.push([half_empty.any(), half_empty.lanes_with_bits().into(), 0, 0, 0, 0, 0, 0]);
    }

    fn of_rays<R: Rays>(proof: R::Proof, words: &[u64; 16], out: &mut Vec<[u64; 8]>) {
        of_lanes::<R>(proof, words, out);
        let a = R::load(proof, words);
        let landing = R::load(proof, &LANDING);
        // A square that a step cannot reach may come in from anywhere: it is masked before and after.
        let ahead = [1, 2, 4].map(|steps| (0..steps).fold(landing, |mask, _| mask.along(1) & landing) & a.along(steps));
        let back = (a & landing).back();
        let axes = R::axes(proof, [words[0], words[1], words[2], words[3]]);
        let jump_landing = R::load(proof, &JUMP_LANDING);
        let jumped = jump_landing & a.jumped();
        let jumped_back = (jump_landing & a).jumped_back();
        for vector in [ahead[0], ahead[1], ahead[2], back, jumped, jumped_back, a.or_opposite(), axes] {
            let mut words = [0; 8];
            vector.store(&mut words);
            out.push(words);
        }
        let [straight, slanted] = a.straight_and_slanted();
        let [ones, twos, fours, eights] = a.added_up();
        let [any, twice] = a.any_and_twice();
        out.push([straight, slanted, ones, twos, fours, eights, any, twice]);
    }

    /// The lanes of one vector after those of another, for every number of lanes kept.
    fn followed<V: Queue>(proof: V::Proof, words: &[u64; 16]) {
        let (a, b) = (V::load(proof, words), V::load(proof, &words[8..]));
        for at in 0..V::N {
            let mut joined = [0; 8];
            a.followed_by(proof, at, b).store(&mut joined);
            let expected = words[..at].iter().chain(&words[8..8 + V::N - at]);
            assert!(joined[..V::N].iter().eq(expected), "{at}");
        }
    }

    impl WideTask for Everything<'_> {
        type Output = (usize, Vec<[u64; 8]>, Vec<[u64; 8]>);
        #[inline(always)]
        fn run<L: Token, W: Width>(self, _: L, width: W) -> Self::Output {
            let (mut children, mut rays) = (Vec::new(), Vec::new());
            of_lanes::<W::Children>(width, self.0, &mut children);
            of_rays::<W::Rays>(width, self.0, &mut rays);
            followed::<W::Children>(width, self.0);
            (W::Children::N, children, rays)
        }
    }

    #[test]
    fn every_width_is_as_the_plain_words() {
        let mut x = 1_u64;
        let mut next = || {
            x = x.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (x ^ x >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        };
        for _ in 0..200 {
            let words = std::array::from_fn(|_| next() & next());
            let (_, children, rays) = Everything(&words).run(V1::token(), Plain);
            for level in Level::all() {
                let Some((lanes, of_children, of_rays)) = level.dispatch_wide(Everything(&words)) else { continue };
                assert_eq!(of_rays, rays, "{level}");
                if lanes == 8 {
                    assert_eq!(of_children, children, "{level}");
                } else {
                    // Half as many lanes: one after the other they see the same words, but what is summed differs.
                    let same = of_children.iter().zip(&children).take(15).filter(|(a, b)| a[..lanes] == b[..lanes]);
                    assert_eq!(same.count(), 15, "{level}");
                    let mut rest = words[0];
                    let bits = std::iter::from_fn(|| {
                        let bit = rest & rest.wrapping_neg();
                        rest ^= bit;
                        (bit != 0).then_some(bit)
                    });
                    let taken = of_children[15..].iter().flat_map(|words| &words[..lanes]).filter(|bit| **bit != 0);
                    assert!(bits.zip(taken).all(|(bit, &taken)| bit == taken), "{level}");
                    let plain: Vec<u64> =
                        (0..=lanes).map(|lanes| words[..lanes].iter().map(|word| word >> 8).sum()).collect();
                    let at = of_children.len() - lanes - 2;
                    let sums: Vec<u64> = of_children[at..at + lanes + 1].iter().map(|sum| sum[0]).collect();
                    assert_eq!(sums, plain, "{level}");
                }
            }
        }
        println!("widths run: {:?}", Level::all().iter().map(ToString::to_string).collect::<Vec<_>>());
    }
}
