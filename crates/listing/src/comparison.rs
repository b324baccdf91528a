//! Comparison of a perft answer with our leaf counts by root move.
//!
//! A listing may omit the piece of a promotion (`g2g1` four times) or, in short notation, the origin of a move. The
//! counts of such moves cannot be matched to individual moves, so they are compared as sets.

use crate::answer::{Divide, Listing};
use crate::pairs::is_squares;
use perft_gate_chess::{Board, Move, MoveNames};
use std::collections::BTreeMap;

/// A root move whose leaf count differs from our count.
#[perft_gate_chess::document(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct SubtotalDifference {
    /// The root move.
    #[serde(rename = "move")]
    pub mv: Move,
    /// Number of leaves below it, according to our counter.
    pub expected: u128,
    /// Number of leaves below it, according to the engine.
    pub found: u128,
}

/// Differences between an engine's answer and ours. In a document, missing and extra moves are described elsewhere.
#[perft_gate_chess::document(sparse, Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Comparison {
    /// Number of leaves, according to our counter.
    pub expected: u128,
    /// Number of leaves, according to the engine.
    pub found: u128,
    /// Part of the answer that was compared.
    #[serde(rename = "compared")]
    pub listing: Listing,
    #[serde(skip)]
    pub missing: Vec<Move>,
    /// Moves that are not legal, or that are listed twice.
    #[serde(skip)]
    pub extra: Vec<String>,
    /// Lines that begin like subtotals but were not understood. Empty if no moves are missing.
    #[serde(skip)]
    pub unread: Vec<String>,
    /// Subtotals that differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub subtotals: Vec<SubtotalDifference>,
    /// Sum of the subtotals, if the printed total differs from it.
    #[serde(rename = "sum")]
    pub other_sum: Option<u128>,
    /// True if the list does not distinguish some moves, such as promotions without the piece. The counts of these
    /// moves were compared as sets.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub as_sets: bool,
}

impl Comparison {
    /// Returns true if everything that the engine printed is right.
    pub fn is_equal(&self) -> bool {
        self.is_right() && self.expected == self.found
    }

    /// Returns true if the moves and their leaf counts are right, regardless of the printed total. If no moves are
    /// listed, the total must be right.
    pub fn is_right(&self) -> bool {
        let counted = self.listing == Listing::Moves || self.expected == self.found;
        self.has_same_moves() && self.subtotals.is_empty() && counted
    }

    pub fn has_same_moves(&self) -> bool {
        self.missing.is_empty() && self.extra.is_empty()
    }

    /// Returns true if the list of moves and the leaf count of `mv` are right. If `mv` is `None` or no moves are
    /// listed, everything that the engine printed must be right.
    pub fn is_right_below(&self, mv: Option<Move>) -> bool {
        match mv {
            Some(mv) if self.listing == Listing::Moves => {
                self.has_same_moves() && self.subtotals.iter().all(|wrong| wrong.mv != mv)
            }
            _ => self.is_equal(),
        }
    }

    /// Checks whether each of the engine's counts is the sum of our counts over all plies up to the last. If so,
    /// returns what the engine counts in excess: 1 if it also counts the root, or else 0. `plies` holds our leaf counts
    /// at each ply, by root move.
    pub fn sum_over_plies(&self, plies: &[Vec<(Move, u128)>]) -> Option<u128> {
        let sum = |mv: Move| -> u128 {
            plies.iter().flatten().filter(|(other, _)| *other == mv).map(|(_, nodes)| nodes).sum()
        };
        let all: u128 = plies.iter().flatten().map(|(_, nodes)| nodes).sum();
        let last = plies.last().filter(|_| self.has_same_moves())?;
        if self.listing == Listing::Total || self.subtotals.is_empty() {
            return self.found.checked_sub(all).filter(|root| *root <= 1);
        }
        let found =
            |mv, expected| self.subtotals.iter().find(|wrong| wrong.mv == mv).map_or(expected, |wrong| wrong.found);
        last.iter().all(|&(mv, expected)| found(mv, expected) == sum(mv)).then_some(0)
    }

    /// Compares an answer with our leaf counts by root move.
    pub fn new(board: &Board, expected: &[(Move, u128)], answer: &Divide) -> Comparison {
        let names = MoveNames::new(board);
        let mut found = BTreeMap::new();
        let lists_squares = answer.subtotals.iter().any(|(text, _)| text.as_bytes().get(..4).is_some_and(is_squares));
        let (mut extra, mut of_depths) = (Vec::new(), 0_u128);
        let mut sets: BTreeMap<Vec<u64>, Vec<(&String, u128)>> = BTreeMap::new();
        for (text, nodes) in &answer.subtotals {
            match names.candidates(text)[..] {
                [mv] if !found.contains_key(&u64::from(mv)) => drop(found.insert(u64::from(mv), *nodes)),
                ref several @ [_, _, ..] => {
                    let set = several.iter().map(|&mv| u64::from(mv)).collect();
                    sets.entry(set).or_default().push((text, *nodes));
                }
                // If the other moves are written as two squares, `d1 20` is the leaf count at depth 1, not a pawn push.
                _ if text.len() == 2 && lists_squares => of_depths = of_depths.saturating_add(*nodes),
                _ => extra.push(text.clone()),
            }
        }
        let as_sets = !sets.is_empty();
        for (set, listed) in sets {
            let is_free = |mv: &Move| set.contains(&u64::from(*mv)) && !found.contains_key(&u64::from(*mv));
            let moves: Vec<_> = expected.iter().filter(|(mv, _)| is_free(mv)).copied().collect();
            let (assigned, rest) = assign(moves, listed);
            extra.extend(rest);
            found.extend(assigned.into_iter().map(|(mv, nodes)| (u64::from(mv), nodes)));
        }
        let leaves: u128 = expected.iter().map(|(_, nodes)| nodes).sum();
        // If the total is right but the list is empty, we failed to read the list.
        let is_empty = answer.subtotals.is_empty() && answer.unread.is_empty();
        let list_unread = is_empty && answer.printed == Some(leaves) && leaves > 0;
        let listing = if list_unread { Listing::Total } else { answer.listing };
        let (mut missing, mut subtotals) = (Vec::new(), Vec::new());
        for &(mv, expected) in expected.iter().filter(|_| listing == Listing::Moves) {
            match found.get(&u64::from(mv)) {
                None => missing.push(mv),
                Some(&found) if found != expected => subtotals.push(SubtotalDifference { mv, expected, found }),
                Some(_) => {}
            }
        }
        let sum = answer.sum().saturating_sub(of_depths);
        let printed = answer.printed.unwrap_or(sum);
        Comparison {
            listing,
            expected: leaves,
            found: printed,
            // If no move is missing, a line that was not understood is not a move.
            unread: if missing.is_empty() { Vec::new() } else { answer.unread.clone() },
            missing,
            extra,
            subtotals,
            other_sum: (listing == Listing::Moves && printed != sum).then_some(sum),
            as_sets,
        }
    }
}

/// Assigns each count to a move that is expected to have it. Then assigns the remaining counts to the remaining moves
/// in any way. Also returns the texts of counts for which no move is left.
fn assign(mut moves: Vec<(Move, u128)>, mut listed: Vec<(&String, u128)>) -> (Vec<(Move, u128)>, Vec<String>) {
    let mut assigned = Vec::new();
    listed.retain(|(_, nodes)| {
        let at = moves.iter().position(|(_, expected)| expected == nodes);
        assigned.extend(at.map(|at| moves.remove(at)));
        at.is_none()
    });
    assigned.extend(moves.iter().rev().zip(&listed).map(|((mv, _), (_, nodes))| (*mv, *nodes)));
    (assigned, listed.iter().skip(moves.len()).map(|(text, _)| text.to_string()).collect())
}
