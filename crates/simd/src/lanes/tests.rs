//! Compares the vectors of every width with plain arrays.

use super::*;
use crate::{Level, Token, V1, WideKernel};

/// Runs every operation on some words, with the vectors for children and those for directions.
struct Everything<'a>(&'a [u64; 16]);

fn run_lanes<V: Lanes>(proof: V::Proof, words: &[u64; 16], out: &mut Vec<[u64; 8]>) {
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

fn run_rays<R: Rays>(proof: R::Proof, words: &[u64; 16], out: &mut Vec<[u64; 8]>) {
    run_lanes::<R>(proof, words, out);
    let a = R::load(proof, words);
    let landing = R::load(proof, &LANDING);
    // Bits that leave the board come back in anywhere: they are masked before and after.
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
    let [orthogonal, diagonal] = a.orthogonal_and_diagonal();
    let [ones, twos, fours, eights] = a.added_up();
    let [any, twice] = a.any_and_twice();
    out.push([orthogonal, diagonal, ones, twos, fours, eights, any, twice]);
}

/// Compares the operations that fill lanes from queues in memory with plain loops.
fn filled<V: Queue>(proof: V::Proof, words: &[u64; 16]) {
    let stored = |vector: V| {
        let mut words = [0; 8];
        vector.store(&mut words[..V::N]);
        words
    };
    for set in [words[0] & words[1], words[2] & words[3] & words[4], 1 << 63 | 1, 0] {
        let mut squares = [0; 32];
        V::put_squares(proof, set, &mut squares);
        let expected = (0..64).filter(|square| set >> square & 1 == 1).take(32);
        assert!(expected.clone().eq(squares[..expected.count()].iter().copied()), "{set:x}");
        let bits = stored(V::bits(proof, &squares));
        assert!(bits[..V::N].iter().zip(squares).all(|(&bit, square)| bit == 1 << square), "{squares:?}");
    }
    let (a, b) = (V::load(proof, words), V::load(proof, &words[8..]));
    let (toggled, masked) = (stored(a.toggled_if_met(b, V::splat(proof, 0xf0f0))), stored(V::first(proof, 3)));
    for i in 0..V::N {
        let toggles = if words[i] & 0xf0f0 == 0 { 0 } else { words[8 + i] };
        assert_eq!(toggled[i], words[i] ^ toggles, "{i}");
        assert_eq!(masked[i], if i < 3 { !0 } else { 0 }, "{i}");
    }
}

/// Compares `followed_by` with plain arrays, for every number of lanes kept.
fn followed<V: Queue>(proof: V::Proof, words: &[u64; 16]) {
    let (a, b) = (V::load(proof, words), V::load(proof, &words[8..]));
    for at in 0..V::N {
        let mut joined = [0; 8];
        a.followed_by(proof, at, b).store(&mut joined);
        let expected = words[..at].iter().chain(&words[8..8 + V::N - at]);
        assert!(joined[..V::N].iter().eq(expected), "{at}");
    }
}

impl WideKernel for Everything<'_> {
    type Output = (usize, Vec<[u64; 8]>, Vec<[u64; 8]>);
    #[inline(always)]
    fn run<L: Token, W: Width>(self, _: L, width: W) -> Self::Output {
        let (mut children, mut rays) = (Vec::new(), Vec::new());
        run_lanes::<W::Children>(width, self.0, &mut children);
        run_rays::<W::Rays>(width, self.0, &mut rays);
        filled::<W::Children>(width, self.0);
        followed::<W::Children>(width, self.0);
        (W::Children::N, children, rays)
    }
}

#[test]
fn every_width_agrees_with_plain_arrays() {
    let mut x = 1_u64;
    let mut next = || {
        x = x.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (x ^ x >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    };
    for _ in 0..200 {
        let words = std::array::from_fn(|_| next() & next());
        let (_, children, rays) = Everything(&words).run(V1::token(), Plain);
        for level in Level::all() {
            let Some((lanes, found_children, found_rays)) = level.dispatch_wide(Everything(&words)) else { continue };
            assert_eq!(found_rays, rays, "{level}");
            if lanes == 8 {
                assert_eq!(found_children, children, "{level}");
            } else {
                // Half as many lanes: these results start with the same words; the sums differ and are compared below.
                let same = found_children.iter().zip(&children).take(15).filter(|(a, b)| a[..lanes] == b[..lanes]);
                assert_eq!(same.count(), 15, "{level}");
                let mut rest = words[0];
                let bits = std::iter::from_fn(|| {
                    let bit = rest & rest.wrapping_neg();
                    rest ^= bit;
                    (bit != 0).then_some(bit)
                });
                let taken = found_children[15..].iter().flat_map(|words| &words[..lanes]).filter(|bit| **bit != 0);
                assert!(bits.zip(taken).all(|(bit, &taken)| bit == taken), "{level}");
                let plain: Vec<u64> =
                    (0..=lanes).map(|lanes| words[..lanes].iter().map(|word| word >> 8).sum()).collect();
                let at = found_children.len() - lanes - 2;
                let sums: Vec<u64> = found_children[at..at + lanes + 1].iter().map(|sum| sum[0]).collect();
                assert_eq!(sums, plain, "{level}");
            }
        }
    }
    println!("widths run: {:?}", Level::all().iter().map(ToString::to_string).collect::<Vec<_>>());
}
