//! Numbers that are 0 or equal, told in as few lines as may be: a piece that has the numbers of another is one line.

use crate::keys::dependencies::own_numbers;
use crate::keys::numbers::{KeyNumbers, are_no_chance};
use crate::keys::parts::{Part, is_one_file};
use crate::keys::piece_rows::SquareOrder;
use perft_gate_chess::{Color, Piece};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

/// Minimum number of equal numbers of two pieces that are told together.
const MIN_TOGETHER: usize = 4;
/// Maximum number of lines.
const MAX_LINES: usize = 8;

/// Relation of two places with one number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum PlaceRelation {
    SameSquare,
    Mirrored(usize),
    /// The second square is so many after the first.
    Further(i32),
}

/// Two pieces, the first one's number first, and the relation of their squares.
type PieceRelation = (usize, usize, PlaceRelation);

/// Returns the zeros and the equal numbers, a line each; those of a king, which are relative, only among themselves.
pub(super) fn coincidences(numbers: &KeyNumbers) -> Vec<String> {
    let own = own_numbers(numbers);
    let zeros: Vec<Part> = own.iter().filter(|number| number.value == 0).map(|number| number.part).collect();
    let mut lines = together(zeros, "the number 0");
    if !are_no_chance(own.len() as u64, numbers.bits()) {
        return lines;
    }
    lines.extend(Color::ALL.into_iter().filter_map(|color| equal_kings(numbers, color)));
    let mut places: HashMap<u128, Vec<Part>> = HashMap::new();
    own.iter().filter(|number| number.value != 0).for_each(|n| places.entry(n.value).or_default().push(n.part));
    let mut relations: BTreeMap<PieceRelation, Vec<[Part; 2]>> = BTreeMap::new();
    let mut others = Vec::new();
    let mut groups: Vec<Vec<Part>> = places.into_values().filter(|parts| parts.len() > 1).collect();
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
    lines.extend(others.iter().map(|[one, other]| format!("{one} and {other} have one number")));
    shorten(lines)
}

/// Describes a king whose squares share numbers.
fn equal_kings(numbers: &KeyNumbers, color: Color) -> Option<String> {
    let of_king = numbers.numbers.iter().filter(|number| number.part.is_king(color));
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

/// Returns the relation of two pieces on squares.
fn relation(first: Part, second: Part) -> Option<PieceRelation> {
    let (Part::Piece(piece, square), Part::Piece(other, on)) = (first, second) else { return None };
    let mirrored = (1..4).find(|order| SquareOrder::ALL[*order].of(square) == on);
    let relation = match mirrored {
        _ if square == on => PlaceRelation::SameSquare,
        Some(order) => PlaceRelation::Mirrored(order),
        None => PlaceRelation::Further(on.index() as i32 - square.index() as i32),
    };
    Some((piece.number(), other.number(), relation))
}

fn describe((one, other, relation): PieceRelation, number: usize) -> String {
    let piece = |number: usize| Piece::all().nth(number).expect("a piece");
    match one == other {
        true => format!("{}s have one number on {relation} ({number} pairs)", piece(one)),
        false => format!("{}s and {}s have one number on {relation} ({number} squares)", piece(one), piece(other)),
    }
}

impl fmt::Display for PlaceRelation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlaceRelation::SameSquare => f.write_str("the same square"),
            PlaceRelation::Mirrored(1) => f.write_str("squares mirrored from rank 1 to rank 8"),
            PlaceRelation::Mirrored(2) => f.write_str("squares mirrored from file a to file h"),
            PlaceRelation::Mirrored(_) => f.write_str("squares turned around the centre"),
            PlaceRelation::Further(steps) => write!(f, "squares {} apart", steps.abs()),
        }
    }
}

/// Returns one line for parts that have this in common, a piece's squares together.
fn together(parts: Vec<Part>, what: &str) -> Vec<String> {
    let mut by_piece: BTreeMap<usize, Vec<Part>> = BTreeMap::new();
    let mut texts = Vec::new();
    for part in parts {
        match part {
            Part::Piece(piece, _) => by_piece.entry(piece.number()).or_default().push(part),
            part => texts.push(format!("{part} has {what}")),
        }
    }
    for (number, parts) in by_piece {
        let piece = Piece::all().nth(number).expect("a piece");
        match parts.len() {
            MIN_TOGETHER.. => texts.push(format!("{piece}s have {what} on {} squares", parts.len())),
            _ => texts.extend(parts.iter().map(|part| format!("{part} has {what}"))),
        }
    }
    texts
}

fn shorten(mut lines: Vec<String>) -> Vec<String> {
    let more = lines.len().saturating_sub(MAX_LINES);
    if more > 0 {
        lines.truncate(MAX_LINES);
        lines.push(format!("and {more} more"));
    }
    lines
}
