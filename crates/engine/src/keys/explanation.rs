//! Explanation of a difference between two keys by few of the numbers that are known.

use crate::keys::composition::{KeyComposition, mask};
use crate::keys::numbers::{CHANCE, KeyNumbers, Number};
use crate::keys::parts::Part;
use perft_gate_chess::Color;
use std::collections::HashMap;

/// Returns the fewest parts, at most three, whose numbers make a difference; of sums at most two, one of which may be
/// taken away.
pub(super) fn explain(numbers: &KeyNumbers, difference: u128) -> Option<Vec<Part>> {
    match numbers.composition() {
        _ if difference == 0 => None,
        KeyComposition::Xor => explain_xor(numbers, difference, 3),
        KeyComposition::Sum(bits) => explain_sum(numbers, difference, bits),
        KeyComposition::Other => None,
    }
}

/// Minimum number of bits of keys in which a few numbers beside those of a move are no chance.
const MIN_BITS_BESIDE: u32 = 48;

/// Returns some of the parts that a move changes, with at most two others, whose numbers xor to a difference.
pub(super) fn explain_beside(numbers: &KeyNumbers, difference: u128, changed: &[Part]) -> Option<Vec<Part>> {
    if numbers.composition() != KeyComposition::Xor || numbers.bits() < MIN_BITS_BESIDE {
        return None;
    }
    (1_usize..1 << changed.len()).find_map(|set| {
        let chosen = changed.iter().enumerate().filter(|(at, _)| set >> at & 1 != 0).map(|(_, part)| *part);
        let parts: Vec<Part> = chosen.collect();
        let rest = parts.iter().try_fold(difference, |rest, part| Some(rest ^ numbers.value(*part)?))?;
        Some([parts, explain_xor(numbers, rest, 2)?].concat())
    })
}

fn explain_sum(learned: &KeyNumbers, difference: u128, bits: u32) -> Option<Vec<Part>> {
    let numbers = learned.different_numbers();
    let signed = |number: &Number| [number.value, number.value.wrapping_neg() & mask(bits)];
    let known: HashMap<u128, Part> =
        numbers.iter().flat_map(|number| signed(number).map(|value| (value, number.part))).collect();
    let rest = |value: u128| known.get(&(difference.wrapping_sub(value) & mask(bits))).copied();
    let n = 2.0 * numbers.len() as f64;
    let is_telling = |sets: f64| sets / 2_f64.powi(bits as i32) < CHANCE;
    if let Some(part) = rest(0).filter(|_| is_telling(n)) {
        return Some(vec![part]);
    }
    let pair = |number: &&Number| {
        signed(number).into_iter().find_map(|value| {
            let other = rest(value).filter(|other| *other != number.part)?;
            let is_whole = Color::ALL.into_iter().all(|color| number.part.is_king(color) == other.is_king(color));
            is_whole.then(|| vec![number.part, other])
        })
    };
    numbers.iter().find_map(pair).filter(|_| is_telling(n * n / 2.0))
}

/// Returns the fewest parts, at most `most`, whose numbers xor to a difference.
fn explain_xor(learned: &KeyNumbers, difference: u128, most: usize) -> Option<Vec<Part>> {
    let numbers = learned.different_numbers();
    let value = |places: &[usize]| places.iter().fold(0, |sum, &at| sum ^ numbers[at].value);
    let parts = |places: &[usize]| places.iter().map(|&at| numbers[at].part).collect::<Vec<_>>();
    let is_whole = |parts: &Vec<Part>| {
        Color::ALL.into_iter().all(|color| parts.iter().filter(|part| part.is_king(color)).count() % 2 == 0)
    };
    // Sums are looked up by 64 of their bits.
    let is_it = |places: &[usize]| (value(places) == difference).then(|| parts(places)).filter(is_whole);
    // By chance, so many sets of the size fit any difference.
    let is_telling = |sets: f64| sets / 2_f64.powi(learned.bits() as i32) < CHANCE;
    let n = numbers.len() as f64;
    let sizes: [f64; 3] = [n, n * n / 2.0, n * n * n / 6.0];
    let size = |number: usize| match number {
        1 => (0..numbers.len()).find_map(|at| is_it(&[at])),
        2 => learned.pairs().with(difference).find_map(|[one, other]| is_it(&[other, one])),
        _ => (0..numbers.len()).find_map(|at| {
            let pairs = learned.pairs().with(difference ^ numbers[at].value);
            pairs.filter(|pair| pair[1] > at).find_map(|[one, other]| is_it(&[at, other, one]))
        }),
    };
    (1..=most).zip(sizes).filter(|(_, sets)| is_telling(*sets)).find_map(|(number, _)| size(number))
}
