//! Numbers of a key that make two positions one.
//!
//! Numbers that are 0 or equal, and four that cancel out, give different positions one key. With short keys some do so by
//! chance: then they are not judged.

use crate::keys::numbers::{KeyNumbers, Number, are_no_chance};
use crate::keys::parts::{is_of_two_positions, is_one_file, two_positions};
use perft_gate_chess::{Board, Color};
use std::collections::HashMap;

/// Numbers that make two positions one.
#[derive(Clone, Debug)]
pub(crate) enum Dependency {
    /// One number is 0.
    Zero(Box<Number>),
    /// Two numbers are equal.
    Equal(Box<[Number; 2]>),
    /// Four numbers cancel out; two positions that therefore have one key, if a FEN describes them.
    Four(Box<[Number; 4]>, Option<Box<[Board; 2]>>),
}

/// Returns the numbers that change keys by themselves: no king's, which mean something only in pairs, and no set of rights
/// that is only its rights together.
pub(super) fn own_numbers(numbers: &KeyNumbers) -> Vec<&Number> {
    let is_own = |number: &&Number| {
        !Color::ALL.into_iter().any(|color| number.part.is_king(color)) && !numbers.is_sum_of_rights(number)
    };
    numbers.numbers.iter().filter(is_own).collect()
}

/// Returns the first number of each kind of dependency.
pub(super) fn dependencies(numbers: &KeyNumbers) -> Vec<Dependency> {
    let mut found = Vec::new();
    if !numbers.composition().is_known() {
        return found;
    }
    let own = own_numbers(numbers);
    found.extend(own.iter().find(|number| number.value == 0).map(|&zero| Dependency::Zero(Box::new(zero.clone()))));
    if are_no_chance(own.len() as u64, numbers.bits()) {
        let mut known: HashMap<u128, &Number> = HashMap::new();
        let equal = own.iter().filter(|number| number.value != 0).find_map(|&number| {
            let other = *known.entry(number.value).or_insert(number);
            let is_one = other.part == number.part || is_one_file(other.part, number.part);
            (!is_one).then(|| Dependency::Equal(Box::new([other.clone(), number.clone()])))
        });
        found.extend(equal.or_else(|| equal_kings(numbers)));
    }
    if found.is_empty() {
        found.extend(find_four(numbers));
    }
    found
}

/// Returns two squares on which a king has one number, if there are such: its numbers mean something among themselves.
fn equal_kings(numbers: &KeyNumbers) -> Option<Dependency> {
    Color::ALL.into_iter().find_map(|color| {
        let mut known: HashMap<u128, &Number> = HashMap::new();
        numbers.numbers.iter().filter(|number| number.part.is_king(color)).find_map(|number| {
            let other = *known.entry(number.value).or_insert(number);
            (other.part != number.part).then(|| Dependency::Equal(Box::new([other.clone(), number.clone()])))
        })
    })
}

/// Returns four numbers that cancel out, if there are such: two pairs with one sum.
fn find_four(learned: &KeyNumbers) -> Option<Dependency> {
    let numbers = learned.different_numbers();
    if !are_no_chance((numbers.len() * numbers.len() / 2) as u64, learned.bits()) {
        return None;
    }
    let sum = |[one, other]: [usize; 2]| learned.composition().join(numbers[one].value, numbers[other].value);
    let cancels = |[[l, k], [j, i]]: &[[usize; 2]; 2]| {
        let is_apart = ![l, k].into_iter().any(|other| [j, i].contains(&other));
        is_apart && sum([*l, *k]) == sum([*j, *i]) && is_of_two_positions(&[k, l, i, j].map(|at| numbers[*at].part))
    };
    let [[l, k], [j, i]] = learned.pairs().equal().filter(cancels).min_by_key(|[_, pair]| *pair)?;
    let four = [k, l, i, j].map(|at| numbers[at].clone());
    let parts = [0, 1, 2, 3].map(|at: usize| four[at].part);
    Some(Dependency::Four(Box::new(four), two_positions(&parts).map(Box::new)))
}
