//! Compares the vectors of every level with plain arrays, and plain arrays with plain loops.

use super::*;
use crate::kernels::tests::random;
use crate::{Caller, Kernel, Level, Token, WideKernel};

/// The lanes of a vector, or other results of an operation.
type Words = Vec<u64>;

fn lanes_of<V: U64s>(vector: V) -> Words {
    let mut words = vec![0; V::LANES];
    vector.store(&mut words);
    words
}

/// Runs every operation of [`U64s`].
fn every_operation<V: U64s>(proof: V::Proof, words: &[u64; 16]) -> Vec<Words> {
    let (a, b) = (V::load(proof, words), V::load(proof, &words[8..]));
    let half_empty = a & V::load(proof, &[0, !0, 0, !0, !0, 0, 0, !0]);
    let mut results: Vec<Words> = vec![vec![V::LANES as u64]];
    let mut keep = |vector: V| results.push(lanes_of(vector));
    [a & b, a | b, a ^ b, !a, V::splat(proof, words[3])].into_iter().for_each(&mut keep);
    [0, 1, 7, 36, 63, 64].into_iter().for_each(|by| [a.shl(by), a.shr(by)].into_iter().for_each(&mut keep));
    let numbers = words.map(|word| word % 64);
    [a.sub_u8(b), a.minus(b), a.plus(b), a.times(b), a.reverse_bytes(), half_empty.is_zero()]
        .into_iter()
        .for_each(&mut keep);
    keep(V::lane_sums(proof, (a & b).count(a.count(b.count(V::tally(proof))))));
    keep(a.xor_where_met(b, V::splat(proof, 0xf0f0)));
    (0..=V::LANES).for_each(|lanes| keep(V::first(proof, lanes)));
    (0..V::LANES).for_each(|at| keep(a.concat_at(proof, at, b)));
    keep(V::load(proof, &numbers).bits(proof));
    for vector in [a, half_empty, V::splat(proof, 0), V::load(proof, &[0, 0, 0, 1, 0, 0, 0, 1])] {
        let lone = (0..V::LANES).map(|i| V::splat(proof, 1 << 40) & V::first(proof, i + 1) & !V::first(proof, i));
        for vector in lone.chain([vector]) {
            results.push(vec![vector.lanes_with_bits().into(), vector.is_all_zero().into(), vector.sum()]);
        }
    }
    results
}

/// Runs every operation of [`Bytes`].
fn every_operation_on_bytes<V: Bytes>(proof: V::Proof, words: &[u64; 16]) -> Vec<Words> {
    let (a, b) = (V::load(proof, words), V::load(proof, &words[8..]));
    let table: [u8; 16] = std::array::from_fn(|i| (words[9] >> (4 * (i & 7)) ^ words[10] >> (3 * i)) as u8);
    let results = [
        V::of_halves(proof, &words[3..], &words[9..]),
        a.high_nibbles(),
        (a.high_nibbles() ^ b.high_nibbles()).look_up_in(&table),
        a.interleave_low::<1>(b),
        a.interleave_high::<1>(b),
        a.interleave_low::<2>(b),
        a.interleave_high::<2>(b),
        a.interleave_low::<4>(b),
        a.interleave_high::<4>(b),
        a.plus16(b),
        a.odd_bytes(),
        V::splat(proof, a.differing_bytes(b).into()),
        // The vectors differ in one byte of the first lane, or in none.
        V::splat(proof, a.differing_bytes(a ^ V::first(proof, 1) & V::splat(proof, words[11] & 0xff00)).into()),
        a.opaque(),
    ];
    results.into_iter().map(lanes_of).collect()
}

/// Compares the results of a vector with those of a plain array, one operation at a time.
fn compare<V: U64s>(operations: &str, found: Vec<Words>, expected: Vec<Words>) {
    let vector = std::any::type_name::<V>();
    assert_eq!(found.len(), expected.len(), "{vector}");
    for (number, (found, expected)) in found.into_iter().zip(expected).enumerate() {
        assert_eq!(found, expected, "{vector}: result {number} of {operations}");
    }
}

/// Compares a vector with a plain array that has the same number of lanes.
fn compare_all<V: U64s>(proof: V::Proof, words: &[u64; 16]) {
    let expected = match V::LANES {
        4 => every_operation::<Portable<4>>(Plain, words),
        8 => every_operation::<Portable<8>>(Plain, words),
        2 => every_operation::<Portable<2>>(Plain, words),
        lanes => unreachable!("no vector has {lanes} lanes"),
    };
    compare::<V>("all vectors", every_operation::<V>(proof, words), expected);
}

/// Compares the vectors of a level, in a function compiled for that level.
struct OfLevel<'a>(&'a [u64; 16]);

impl Kernel for OfLevel<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Token>(self, level: L) {
        compare_all::<L::U64x4>(level.proof(), self.0);
        #[cfg(target_arch = "aarch64")]
        {
            let proof = NeonProof::new();
            compare_all::<U64x2>(proof, self.0);
            compare_all::<Paired<Paired<U64x2>>>(proof, self.0);
            let expected = every_operation_on_bytes::<Portable<2>>(Plain, self.0);
            compare::<U64x2>("bytes", every_operation_on_bytes::<U64x2>(proof, self.0), expected);
        }
        let expected = every_operation_on_bytes::<Portable<4>>(Plain, self.0);
        compare::<L::U64x4>("bytes", every_operation_on_bytes::<L::U64x4>(level.proof(), self.0), expected);
        level.call_wide(self);
    }
}

impl WideKernel for OfLevel<'_> {
    type Output = ();
    #[inline(always)]
    fn run<V: U64s>(self, proof: V::Proof) {
        compare_all::<V>(proof, self.0);
    }
}

/// Generates sixteen words at a time. Most of them have few bits set, and some are zero.
fn random_words() -> impl FnMut() -> [u64; 16] {
    let mut next = random(1);
    move || {
        let empty = next() & next() & next();
        std::array::from_fn(|i| if empty >> i & 1 == 1 { 0 } else { next() & next() })
    }
}

#[test]
fn every_vector_agrees_with_plain_arrays() {
    let mut next = random_words();
    for _ in 0..if cfg!(miri) { 2 } else { 200 } {
        let words = next();
        for level in Level::all() {
            level.call(OfLevel(&words));
        }
        // Pairs of plain arrays are compared on every machine.
        compare_all::<Paired<Portable<2>>>(Plain, &words);
        compare_all::<Paired<Portable<4>>>(Plain, &words);
        compare_all::<Paired<Paired<Portable<2>>>>(Plain, &words);
        let expected = every_operation_on_bytes::<Portable<4>>(Plain, &words);
        compare::<Paired<Portable<2>>>(
            "bytes",
            every_operation_on_bytes::<Paired<Portable<2>>>(Plain, &words),
            expected,
        );
    }
    println!("levels run: {:?}", Level::all().iter().map(ToString::to_string).collect::<Vec<_>>());
}

/// Compares operations of plain arrays with plain loops.
#[test]
fn plain_arrays_compute_what_is_said() {
    let (mut next, proof) = (random_words(), Plain);
    for _ in 0..200 {
        let words = next();
        let (a, b) = (Portable::<8>::load(proof, &words), Portable::<8>::load(proof, &words[8..]));
        let toggled = lanes_of(a.xor_where_met(b, Portable::splat(proof, 0xf0f0)));
        let (sum, naive) =
            (lanes_of(a & b ^ (a | Portable::splat(proof, 5))), |i| words[i] & words[8 + i] ^ (words[i] | 5));
        for i in 0..8 {
            let toggles = if words[i] & 0xf0f0 == 0 { 0 } else { words[8 + i] };
            assert_eq!((toggled[i], sum[i]), (words[i] ^ toggles, naive(i)), "{i}");
            for lanes in 0..=8 {
                assert_eq!(lanes_of(Portable::<8>::first(proof, lanes))[i], if i < lanes { !0 } else { 0 }, "{i}");
            }
        }
        assert_eq!(a.sum(), words[..8].iter().fold(0, |sum: u64, word| sum.wrapping_add(*word)));
        for at in 0..8 {
            let joined = lanes_of(a.concat_at(proof, at, b));
            assert!(joined.iter().eq(words[..at].iter().chain(&words[8..16 - at])), "{at}");
        }
    }
}

#[test]
fn interleaving_is_what_it_says() {
    let vector = |bytes: [u8; 32]| {
        let words = std::array::from_fn(|i| u64::from_le_bytes(std::array::from_fn(|j| bytes[8 * i + j])));
        Portable::<4>::load(Plain, &words as &[u64; 4])
    };
    let bytes = |vector| lanes_of::<Portable<4>>(vector).into_iter().flat_map(u64::to_le_bytes).collect::<Vec<u8>>();
    let a: [u8; 32] = std::array::from_fn(|i| i as u8);
    let b = a.map(|byte: u8| byte + 100);
    let low = bytes(vector(a).interleave_low::<2>(vector(b)));
    assert_eq!(low[..8], [0, 1, 100, 101, 2, 3, 102, 103]);
    assert_eq!(low[16..20], [16, 17, 116, 117]);
    let high = bytes(vector(a).interleave_high::<1>(vector(b)));
    assert_eq!(high[..6], [8, 108, 9, 109, 10, 110]);
    assert_eq!(high[16..19], [24, 124, 25]);
    let mut other = a;
    for at in [0, 9, 10, 31] {
        other[at] ^= 128 >> (at % 8);
    }
    assert_eq!(vector(a).differing_bytes(vector(other)), 1 | 1 << 9 | 1 << 10 | 1 << 31);
}
