//! Key numbers that give two positions the same key.
//!
//! A number that is 0, two that are equal, or four that cancel out give different positions the same key. In short
//! keys, numbers are equal or cancel out by chance, so such numbers do not count as an error.

use crate::keys::numbers::{KeyNumbers, Number, are_no_chance};
use crate::keys::parts::{is_of_two_positions, is_one_file, two_positions};
use crate::keys::piece_rows::SquareOrder;
use perft_gate_chess::{Board, Color, Piece};
use perft_gate_zobrist::Term;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

/// Numbers that give two positions the same key: one that is 0, two that are equal, or four that cancel out.
pub(super) struct Dependency {
    pub(super) cause: String,
    /// Two positions whose keys show the dependency.
    pub(super) boards: [Board; 2],
    pub(super) proof: Proof,
}

/// What the two positions of a [`Dependency`] prove.
pub(super) enum Proof {
    /// The two positions share a key.
    Positions,
    /// Each position has a term with this number. Other terms differ too, so only the numbers are equal, not the keys.
    EqualNumbers(u128),
    /// Each position has one of four terms whose numbers cancel out. No two FENs differ in exactly these four terms.
    Sum,
}

/// Returns the numbers that are meaningful on their own. Omits those of kings, which are meaningful only in pairs, and
/// those of sets of castling rights if they just combine the numbers of the single rights.
pub(super) fn own_numbers(numbers: &KeyNumbers) -> Vec<&Number> {
    let is_own = |number: &&Number| number.part.king().is_none() && !numbers.is_sum_of_rights(number);
    numbers.numbers.iter().filter(is_own).collect()
}

/// Returns the first dependency of each kind. Four numbers that cancel out count only if there is no simpler one.
pub(super) fn dependencies(numbers: &KeyNumbers) -> Vec<Dependency> {
    let mut found = Vec::new();
    if !numbers.composition.is_known() {
        return found;
    }
    let own = own_numbers(numbers);
    found.extend(own.iter().find(|number| number.value == 0).map(|zero| {
        let cause = format!("{} has the number 0", zero.part);
        Dependency { cause, boards: zero.boards, proof: Proof::Positions }
    }));
    if are_no_chance(own.len() as u64, numbers.bits) {
        let of_king = |color| numbers.numbers.iter().filter(move |number| number.part.king() == Some(color));
        let equal = find_equal(own.iter().copied().filter(|number| number.value != 0));
        // The numbers of one king can be compared only with each other.
        found.extend(equal.or_else(|| Color::ALL.into_iter().find_map(|color| find_equal(of_king(color)))));
    }
    if found.is_empty() {
        found.extend(find_four(numbers));
    }
    found
}

/// Returns two equal numbers, if any. Two e.p. squares on the same file do not count.
fn find_equal<'n>(mut numbers: impl Iterator<Item = &'n Number>) -> Option<Dependency> {
    let mut known: HashMap<u128, &Number> = HashMap::new();
    numbers.find_map(|number| {
        let other = *known.entry(number.value).or_insert(number);
        let is_one = other.part == number.part || is_one_file(other.part, number.part);
        (!is_one).then(|| {
            let is_whole = other.boards[1] == number.boards[1];
            Dependency {
                cause: format!("{} and {} have the same number", other.part, number.part),
                boards: [other.boards[0], number.boards[0]],
                proof: if is_whole { Proof::Positions } else { Proof::EqualNumbers(number.value) },
            }
        })
    })
}

/// Returns four numbers that cancel out, if any: two pairs with the same sum.
fn find_four(learned: &KeyNumbers) -> Option<Dependency> {
    let numbers = learned.different_numbers();
    if !are_no_chance((numbers.len() * numbers.len() / 2) as u64, learned.bits) {
        return None;
    }
    let sum = |[one, other]: [usize; 2]| learned.composition.join(numbers[one].value, numbers[other].value);
    let cancels = |[[l, k], [j, i]]: &[[usize; 2]; 2]| {
        let is_apart = ![l, k].into_iter().any(|other| [j, i].contains(&other));
        is_apart && sum([*l, *k]) == sum([*j, *i]) && is_of_two_positions(&[k, l, i, j].map(|at| numbers[*at].part))
    };
    let [[l, k], [j, i]] = learned.pairs().equal().into_iter().filter(cancels).min_by_key(|[_, pair]| *pair)?;
    let four = [k, l, i, j].map(|at| numbers[at]);
    let parts = four.map(|number| number.part);
    let cause = format!("the numbers of {} cancel out", parts.map(|part| part.to_string()).join(", "));
    let sum = || ([four[0].boards[0], four[1].boards[0]], Proof::Sum);
    let (boards, proof) = two_positions(&parts).map_or_else(sum, |boards| (boards, Proof::Positions));
    Some(Dependency { cause, boards, proof })
}

/// Minimum number of coincidences of one kind for which a single line describes all of them.
const MIN_TOGETHER: usize = 4;
/// Maximum number of lines that describe coincidences, excluding the line that counts the rest.
const MAX_LINES: usize = 8;

/// Relation between two squares on which pieces have the same key number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum PlaceRelation {
    /// Index of the [order](SquareOrder::ALL) of squares in which the second square takes the place of the first.
    Mirrored(usize),
    /// Index of the second square minus that of the first.
    Further(i32),
}

/// The pieces that the first and the second of two equal numbers belong to, and the relation between their squares.
type PieceRelation = (usize, usize, PlaceRelation);

/// Describes key numbers that are 0 and those that are equal, one case per line. A king's numbers are relative to each
/// other, so they are not compared with other numbers.
pub(super) fn coincidences(numbers: &KeyNumbers) -> Vec<String> {
    let own = own_numbers(numbers);
    let mut lines = describe_zeros(own.iter().filter(|number| number.value == 0).map(|number| number.part));
    if !are_no_chance(own.len() as u64, numbers.bits) {
        return lines;
    }
    lines.extend(Color::ALL.into_iter().filter_map(|color| describe_king(numbers, color)));
    let mut places: HashMap<u128, Vec<Term>> = HashMap::new();
    own.iter().filter(|number| number.value != 0).for_each(|n| places.entry(n.value).or_default().push(n.part));
    let mut relations: BTreeMap<PieceRelation, Vec<[Term; 2]>> = BTreeMap::new();
    let mut others = Vec::new();
    let mut groups: Vec<Vec<Term>> = places.into_values().filter(|parts| parts.len() > 1).collect();
    groups.sort_by_key(|parts| own.iter().position(|number| number.part == parts[0]));
    for parts in groups {
        for (at, &second) in parts.iter().enumerate().skip(1) {
            match parts[..at].iter().find_map(|&first| Some((first, relation(first, second)?))) {
                Some((first, relation)) => relations.entry(relation).or_default().push([first, second]),
                None if parts[..at].iter().any(|&first| is_one_file(first, second)) => {}
                None => others.push([parts[0], second]),
            }
        }
    }
    let mut relations: Vec<_> = relations.into_iter().collect();
    relations.sort_by_key(|(_, pairs)| std::cmp::Reverse(pairs.len()));
    for (relation, pairs) in relations {
        match pairs.len() {
            MIN_TOGETHER.. => lines.push(describe(relation, pairs.len())),
            _ => others.extend(pairs),
        }
    }
    lines.extend(others.iter().map(|[one, other]| format!("{one} and {other} have the same number")));
    let more = lines.len().saturating_sub(MAX_LINES);
    lines.truncate(MAX_LINES);
    lines.extend((more > 0).then(|| format!("and {more} more")));
    lines
}

/// Describes the king of a color if several of its squares share a number.
fn describe_king(numbers: &KeyNumbers, color: Color) -> Option<String> {
    let of_king = numbers.numbers.iter().filter(|number| number.part.king() == Some(color));
    let values: Vec<u128> = of_king.map(|number| number.value).collect();
    let different = values.iter().collect::<HashSet<_>>().len();
    let name = color.name().to_lowercase();
    match different {
        1 if values.len() > 1 => Some(format!("the square of the {name} king is not in the key")),
        some if some < values.len() => {
            Some(format!("the {name} king has {some} different numbers on {} squares", values.len()))
        }
        _ => None,
    }
}

fn relation(first: Term, second: Term) -> Option<PieceRelation> {
    let (Term::Piece(piece, square), Term::Piece(other, on)) = (first, second) else { return None };
    let further = PlaceRelation::Further(on.index() as i32 - square.index() as i32);
    let order = SquareOrder::ALL.iter().position(|order| order.place(square) == on);
    Some((piece.number(), other.number(), order.map_or(further, PlaceRelation::Mirrored)))
}

fn describe((one, other, relation): PieceRelation, number: usize) -> String {
    let piece = |number: usize| Piece::all().nth(number).expect("a piece");
    match one == other {
        true => format!("{}s have the same number on {relation} ({number} pairs)", piece(one)),
        false => format!("{}s and {}s have the same number on {relation} ({number} squares)", piece(one), piece(other)),
    }
}

impl fmt::Display for PlaceRelation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlaceRelation::Mirrored(0) => f.write_str("the same square"),
            PlaceRelation::Mirrored(1) => f.write_str("squares mirrored from rank 1 to rank 8"),
            PlaceRelation::Mirrored(2) => f.write_str("squares mirrored from file a to file h"),
            PlaceRelation::Mirrored(_) => f.write_str("squares turned around the centre"),
            PlaceRelation::Further(steps) => write!(f, "squares {} apart", steps.abs()),
        }
    }
}

/// Returns lines that list the terms with the number 0. Many squares of one piece are counted in a single line.
fn describe_zeros(parts: impl Iterator<Item = Term>) -> Vec<String> {
    let text = |part: &Term| format!("{part} has the number 0");
    let (pieces, others): (Vec<Term>, Vec<Term>) = parts.partition(|part| matches!(part, Term::Piece(..)));
    let mut texts: Vec<String> = others.iter().map(text).collect();
    for piece in Piece::all() {
        let own: Vec<&Term> = pieces.iter().filter(|part| matches!(part, Term::Piece(of, _) if *of == piece)).collect();
        match own.len() {
            MIN_TOGETHER.. => texts.push(format!("{piece}s have the number 0 on {} squares", own.len())),
            _ => texts.extend(own.into_iter().map(text)),
        }
    }
    texts
}
