//! A pasted listing: an engine's answer to perft, compared with our counts without running the engine.

use crate::answer::{Answer, Listing};
use crate::comparison::{Comparison, SubtotalDifference};
use crate::perft_output::Patterns;
use crate::walk_cause::game_end;
use perft_gate_chess::{Board, ExplainedMove, Move, excerpt, explain_extra_moves, explain_legal_move};
use perft_gate_count::{CountHint, TreeCounter};
use perft_gate_simd::Level;
use perft_gate_walk::{Control, board_after};

/// A subtotal that differs, and the chess rule that its move depends on.
#[perft_gate_chess::document(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct WrongSubtotal {
    /// The move and its leaves.
    #[serde(flatten)]
    pub difference: SubtotalDifference,
    /// The rule.
    pub rule: String,
}

/// Comparison of a listing with our counts.
#[perft_gate_chess::document(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct PastedListing {
    /// Part of the listing that was compared.
    pub compared: Listing,
    /// Number of leaves, according to our counter.
    pub expected: u128,
    /// Number of leaves, according to the listing.
    pub found: u128,
    /// Legal moves that are missing.
    pub missing: Vec<ExplainedMove>,
    /// Moves that are not legal, or that are listed twice.
    pub extra: Vec<ExplainedMove>,
    /// Subtotals that differ.
    pub subtotals: Vec<WrongSubtotal>,
    /// Sum of the subtotals, if the printed total differs from it.
    pub other_sum: Option<u128>,
    /// First line that was not understood, preferably one that may be a move.
    pub not_understood: Option<String>,
    /// True if the list does not distinguish some moves, such as promotions without the piece. The counts of these
    /// moves were compared as sets.
    pub as_sets: bool,
    /// True if each count in the listing equals the sum of our counts over all plies up to the last.
    #[serde(rename = "sum_over_plies")]
    pub is_sum_over_plies: bool,
    /// Possible cause of the first wrong subtotal, or what the number in a wrong total actually counts.
    pub cause: Option<String>,
    /// True if nothing differs.
    #[serde(rename = "same")]
    pub is_same: bool,
}

/// Error for a text that is not a listing. It holds the first lines that were not understood, or the lines whose move
/// or count is unclear.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("found {}, expected root moves with counts, such as 'e2e4: 20' or 'Nf3: 20'",
    .0.first().map_or("nothing".into(), |line| format!("'{}'", excerpt(line, 40))))]
pub struct NoListing(pub Vec<String>);

impl PastedListing {
    /// Compares the listing in `text` with `expected`, our leaf counts for each root move of `board`. **Errors**: the
    /// text contains no listing, or the listing cannot be read.
    pub fn compare(
        text: &str,
        board: &Board,
        depth: u32,
        expected: &[(Move, u128)],
    ) -> Result<PastedListing, NoListing> {
        let (mut answer, patterns) = (Answer::new(depth), Patterns::default());
        let opens = text.trim_start().strip_prefix(['[', '{']).map(str::trim_start);
        if opens.is_some_and(|rest| rest.starts_with(['[', '{', '(', '"', '\''])) {
            // The text is JSON or a printed data structure, in which a pair may span several lines.
            answer.take(text.split_whitespace().collect::<Vec<_>>().join(" "), &patterns);
        } else {
            text.lines().for_each(|line| answer.take(line.trim_end().into(), &patterns));
        }
        if answer.is_empty() {
            return Err(NoListing(answer.other));
        }
        let mut answer = answer.finish(Listing::Moves, Some(expected.iter().map(|(_, nodes)| nodes).sum()));
        if answer.subtotals.is_empty() {
            answer.listing = Listing::Total;
        }
        let comparison = Comparison::new(board, expected, &answer);
        if !comparison.unread.is_empty() {
            return Err(NoListing(comparison.unread));
        }
        if answer.is_numbered() {
            return Err(NoListing(
                text.lines().filter(|line| line.contains(&answer.subtotals[0].0)).map(String::from).collect(),
            ));
        }
        let shallower = |depth| TreeCounter::new(Level::detect()).divide(board, depth, &Control::default());
        let plies: Vec<_> = (1..depth).map(shallower).chain([expected.to_vec()]).collect();
        let is_sum = depth > 1 && !comparison.is_right() && comparison.sum_over_plies(&plies).is_some();
        let leaves = plies.iter().map(|moves| moves.iter().map(|(_, nodes)| nodes).sum());
        let leaves: Vec<u128> = std::iter::once(1).chain(leaves).collect();
        let hint = || CountHint::find(board, &leaves, comparison.found).map(|hint| hint.to_string());
        let is_wrong_total = comparison.has_same_moves() && comparison.found != comparison.expected && !is_sum;
        let explain = |difference: &SubtotalDifference| {
            let rule = explain_legal_move(board, difference.mv).rule;
            WrongSubtotal { difference: difference.clone(), rule }
        };
        Ok(PastedListing {
            is_same: comparison.is_equal(),
            compared: comparison.listing,
            expected: comparison.expected,
            found: comparison.found,
            missing: comparison.missing.iter().map(|&mv| explain_legal_move(board, mv)).collect(),
            extra: explain_extra_moves(board, &comparison.extra),
            subtotals: comparison.subtotals.iter().map(explain).collect(),
            other_sum: comparison.other_sum,
            not_understood: answer.not_understood().cloned(),
            as_sets: comparison.as_sets,
            is_sum_over_plies: is_sum,
            cause: walk_cause(board, depth, &comparison).or_else(|| is_wrong_total.then(hint)?),
        })
    }
}

/// Returns the cause of the first wrong subtotal, if that move ends the game and the listing counts it as one leaf.
fn walk_cause(board: &Board, depth: u32, comparison: &Comparison) -> Option<String> {
    let wrong = comparison.subtotals.first().filter(|wrong| depth > 1 && (wrong.expected, wrong.found) == (0, 1))?;
    let end = game_end(&board_after(board, wrong.mv))?;
    Some(format!("{}: {}", wrong.mv.uci(), end.text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_chess::Fen;

    fn compare(fen: &str, depth: u32, text: &str) -> Result<PastedListing, NoListing> {
        let board = Fen::parse(fen).expect("a position");
        let expected = TreeCounter::new(Level::detect()).divide(&board, depth, &Control::default());
        PastedListing::compare(text, &board, depth, &expected)
    }

    #[test]
    fn a_listing_is_compared_whatever_its_form() {
        let kings = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        let right = "e1d1 5\ne1d2 5\n e1e2: 5 \r\n[e1f1] 5\ne1f2 - 5\n\ntotal 25\n";
        let same = compare(kings, 2, right).expect("a listing");
        assert!(same.is_same && same.compared == Listing::Moves, "{same:?}");
        let columns = "e1d1 5 101\ne1d2 5 102\ne1e2 5 103\ne1f1 5 104\ne1f2 5 105";
        assert!(compare(kings, 2, columns).expect("a listing").is_same, "a column of times, without a total");
        let wrong = right.replace("e1d2 5", "e1d2 6").replace("[e1f1] 5", "e1e3: 5\ne1d1: 5");
        let found = compare(kings, 2, &wrong).expect("a listing");
        let texts = |moves: &[ExplainedMove]| moves.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(texts(&found.missing), ["e1f1 (king move)"]);
        assert_eq!(texts(&found.extra), ["e1d1 (a legal move, listed twice)", "e1e3 (a king does not move like that)"]);
        let [subtotal] = &found.subtotals[..] else { panic!("{found:?}") };
        let SubtotalDifference { mv, expected, found: listed } = &subtotal.difference;
        assert_eq!((&*mv.uci().to_string(), *expected, *listed), ("e1d2", 5, 6));
        assert_eq!((found.expected, found.found, found.other_sum, found.is_same), (25, 25, Some(31), false));
    }

    #[test]
    fn algebraic_notation_is_read() {
        let kings = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        for text in ["Kd1 5\nKd2 5\nKe2 5\nKf1 5\nKf2 5", "Ke1-d1: 5\nKe1-d2: 5\nKe1-e2: 5\n♔f1 5\ne1f2 5\n"] {
            assert!(compare(kings, 2, text).expect("a listing").is_same, "{text}");
        }
        let found = compare(kings, 2, "Kd1 5\nKd2 6\nKe2 5\nKf1 5\nRa1 5").expect("a listing");
        assert_eq!((found.missing[0].text.as_str(), found.extra[0].text.as_str()), ("e1f2", "Ra1"));
        assert_eq!(found.extra[0].rule, "the side to move has no such piece");
        let depths = "d1 5\nd2 25\ne1d1 5\ne1d2 5\ne1e2 5\ne1f1 5\ne1f2 5\ntotal 25";
        assert!(compare(kings, 2, depths).expect("a listing").is_same, "a depth is no move");
    }

    #[test]
    fn promotions_without_their_pieces_are_compared_as_sets() {
        let position = "8/8/8/8/8/4k3/6p1/2K5 b - - 0 1";
        let board = Fen::parse(position).expect("a position");
        let ours = TreeCounter::new(Level::detect()).divide(&board, 2, &Control::default());
        let lines = ours.iter().rev().map(|(mv, nodes)| format!("{}: {nodes}\n", &mv.uci().to_string()[..4]));
        let text: String = lines.collect();
        let listing = |text: &str| compare(position, 2, text).expect("a listing");
        let right = listing(&text);
        assert!(right.is_same && right.as_sets, "{right:?}");
        let wrong = listing(&text.replacen("g2g1: ", "g2g1: 1", 1));
        assert_eq!((wrong.is_same, wrong.subtotals.len()), (false, 1), "{wrong:?}");
        let three = listing(&text.replacen("g2g1", "g2f1", 1));
        assert_eq!((three.missing.len(), three.extra.len()), (1, 1), "{three:?}");
        let five = listing(&format!("{text}g2g1: 1"));
        assert_eq!(five.extra[0].rule, "may be several legal moves, and is listed too often");
    }
}
