//! Possible readings of unnamed numbers as depths and counts, checked against our own counts of one and two plies.

use super::row::Row;
use perft_gate_chess::{Board, legal_moves};
use perft_gate_walk::{MAX_DEPTH, board_after};
use std::cell::OnceCell;

/// Maximum number of legal moves in any position.
const MAX_LEGAL_MOVES: u128 = 218;

pub(super) const FROM_1: &str = "one count per depth, starting at depth 1";

/// A way to read numbers without names: a description, and the depth and index of each count.
type Reading = (&'static str, Vec<(u128, usize)>);

/// Our own counts of one and two plies, computed when they are needed.
pub(super) struct OwnCounts {
    board: Option<Board>,
    leaves: [OnceCell<Option<u128>>; 2],
}

impl OwnCounts {
    pub(super) fn new(row: &Row) -> OwnCounts {
        OwnCounts { board: row.position.as_ref().ok().cloned(), leaves: Default::default() }
    }

    /// Returns the reading that agrees best with our counts. The first value describes another reading that agrees
    /// equally well, if there is one.
    pub(super) fn best_reading(&self, numbers: &[Option<u128>]) -> (Option<&'static str>, Reading) {
        let from = |first: u128| (first..).zip(0..numbers.len()).collect();
        let pairs = |depth: usize, count: usize| -> Vec<(u128, usize)> {
            let pairs = (0..numbers.len() / 2).map(|pair| (numbers[2 * pair + depth], 2 * pair + count));
            pairs.filter_map(|(depth, at)| Some((depth?, at))).collect()
        };
        let mut readings: Vec<Reading> = vec![(FROM_1, from(1))];
        if numbers[0].is_none_or(|first| first <= 1) && self.leaves(1).is_some() {
            readings.push(("counts starting at depth 0", from(0)));
        }
        let both = match numbers.len() {
            2 => vec![("a depth and its count", pairs(0, 1)), ("a count and its depth", pairs(1, 0))],
            _ => vec![("depths, each before its count", pairs(0, 1))],
        };
        readings.extend(both.into_iter().filter(|(_, pairs)| self.is_plausible(pairs, numbers)));
        let score = |(_, counts): &Reading| {
            let known = counts.iter().filter_map(|&(depth, at)| Some(numbers[at]? == self.leaves(depth)?));
            known.map(|is_right| if is_right { 1 } else { -1 }).sum::<i32>()
        };
        readings.sort_by_key(|reading| -score(reading));
        let best = readings.remove(0);
        // If our counts contradict even the best reading, the counts start at depth 1 by default.
        let is_rule = best.0 == FROM_1 && score(&best) < 0;
        let other = readings.first().filter(|other| score(other) == score(&best) && other.1 != best.1 && !is_rule);
        (other.map(|other| other.0), best)
    }

    /// Returns true if each number could be the count for the depth next to it.
    fn is_plausible(&self, pairs: &[(u128, usize)], numbers: &[Option<u128>]) -> bool {
        let is_count = |&(depth, at): &(u128, usize)| match (numbers[at], self.leaves(2), depth) {
            (Some(count), Some(two), 3..) => {
                let most = (2..depth).try_fold(two, |most, _| most.checked_mul(MAX_LEGAL_MOVES));
                count > two && most.is_none_or(|most| count <= most)
            }
            (Some(count), Some(_), 0) => count == 1,
            (Some(count), Some(_), _) => self.leaves(depth) == Some(count),
            _ => false,
        };
        let is_in_order = pairs.is_sorted_by(|a, b| a.0 < b.0) && pairs.iter().all(|pair| pair.0 <= MAX_DEPTH.into());
        !pairs.is_empty() && 2 * pairs.len() == numbers.len() && is_in_order && pairs.iter().all(is_count)
    }

    /// Describes a reading other than one count per depth from depth 1 on, if the numbers allow such a reading.
    pub(super) fn other_reading(&self, numbers: &[Option<u128>]) -> Option<&'static str> {
        let (first, moves) = (numbers[0], self.leaves(1));
        let may_be_depth = first.is_some_and(|first| (1..=MAX_DEPTH.into()).contains(&first)) && first != moves;
        let is_even_sorted = numbers.len().is_multiple_of(2) && numbers.iter().step_by(2).is_sorted_by(|a, b| a < b);
        match numbers.len() {
            _ if self.board.is_none() => None,
            1 => Some("a depth, or the count of any depth").filter(|_| first != moves),
            _ if first > Some(MAX_LEGAL_MOVES) => Some("counts of greater depths"),
            2 if may_be_depth => Some("a depth and its count"),
            _ if may_be_depth && is_even_sorted => Some("depths, each before its count"),
            _ if may_be_depth && !numbers.is_sorted() => Some("a depth, its count, and numbers of another kind"),
            // The second number is too small for a count of two plies, but may be the number of captures.
            _ if first == moves && numbers[1].is_some() && numbers[1] < first && numbers[1] != self.leaves(2) => {
                Some("the count of depth 1, and numbers of another kind")
            }
            _ => None,
        }
    }

    /// Returns our own count of one or two plies.
    pub(super) fn leaves(&self, depth: u128) -> Option<u128> {
        let board = self.board.as_ref()?;
        let cell = self.leaves.get(usize::try_from(depth).ok()?.checked_sub(1)?)?;
        *cell.get_or_init(|| {
            let moves = legal_moves(board);
            let below = |mv| if depth == 1 { 1 } else { legal_moves(&board_after(board, mv)).len() as u128 };
            Some(moves.iter().map(|mv| below(*mv)).sum())
        })
    }
}
