//! A listing that somebody pasted: an engine's answer to perft, compared with ours without the engine.

use super::Patterns;
use super::answer::{Answer, Listing};
use super::descent::{Comparison, Difference};
use super::judge::Compared;
use perft_gate_judge::gate::{ExplainedMove, extras, legal};
use perft_gate_walk::chess::{Board, Move};

/// Comparison of a listing with ours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PastedListing {
    /// Contents that were compared.
    pub compared: Compared,
    /// Number of leaves, by our counter.
    pub expected: u128,
    /// Number of leaves of the listing.
    pub found: u128,
    /// Legal moves that are missing.
    pub missing: Vec<ExplainedMove>,
    /// Moves that are not legal, or listed twice.
    pub extra: Vec<ExplainedMove>,
    /// Subtotals that differ, each with its move.
    pub subtotals: Vec<(ExplainedMove, Difference)>,
    /// Sum of the subtotals, if the printed total differs from it.
    pub other_sum: Option<u128>,
    /// First line that was not understood, preferably one that may be a move.
    pub not_understood: Option<String>,
    same: bool,
}

/// A text without a root move or a total: its first lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoListing(pub Vec<String>);

impl PastedListing {
    /// Compares a text with our leaves by root move at a position. **Errors**: there is no listing in it.
    pub fn compare(
        text: &str,
        board: &Board,
        depth: u32,
        expected: &[(Move, u128)],
    ) -> Result<PastedListing, NoListing> {
        let patterns = Patterns::default();
        let mut answer = Answer::new(depth, &patterns);
        text.lines().for_each(|line| answer.take(line.trim_end().into()));
        if answer.is_empty() {
            return Err(NoListing(answer.other().to_vec()));
        }
        let mut answer = answer.finish(Listing::Subtotals);
        if answer.subtotals.is_empty() {
            answer.listing = Listing::Total;
        }
        let comparison = Comparison::of(expected, &answer);
        let compared = if comparison.listing == Listing::Subtotals { Compared::Moves } else { Compared::Total };
        Ok(PastedListing {
            same: comparison.is_equal(),
            compared,
            expected: comparison.expected,
            found: comparison.found,
            missing: comparison.missing.iter().map(|&mv| legal(board, mv)).collect(),
            extra: extras(board, &comparison.extra),
            subtotals: comparison.subtotals.into_iter().map(|wrong| (legal(board, wrong.mv), wrong)).collect(),
            other_sum: comparison.other_sum,
            not_understood: answer.not_understood().cloned(),
        })
    }

    /// Returns true if nothing differs.
    pub fn is_same(&self) -> bool {
        self.same
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_count::Counter;
    use perft_gate_simd::Level;
    use perft_gate_walk::chess::Fen;
    use perft_gate_walk::walk::Control;

    fn compared(fen: &str, depth: u32, text: &str) -> Result<PastedListing, NoListing> {
        let board = Fen::parse(fen).expect("a position");
        let expected = Counter::new(Level::detect()).divide(&board, depth, &Control::default());
        PastedListing::compare(text, &board, depth, &expected)
    }

    #[test]
    fn a_listing_is_compared_whatever_its_form() {
        let kings = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        let right = "e1d1 5\ne1d2 5\n e1e2: 5 \r\n[e1f1] 5\ne1f2 - 5\n\ntotal 25\n";
        let same = compared(kings, 2, right).expect("a listing");
        assert!(same.is_same() && same.compared == Compared::Moves, "{same:?}");
        let wrong = right.replace("e1d2 5", "e1d2 6").replace("[e1f1] 5", "e1e3: 5\ne1d1: 5");
        let found = compared(kings, 2, &wrong).expect("a listing");
        let texts = |moves: &[ExplainedMove]| moves.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(texts(&found.missing), ["e1f1 (king move)"]);
        assert_eq!(texts(&found.extra), ["e1d1 (a legal move, listed twice)", "e1e3 (a king does not move like that)"]);
        let [(mv, subtotal)] = &found.subtotals[..] else { panic!("{found:?}") };
        assert_eq!((&*mv.text, subtotal.expected, subtotal.found), ("e1d2", 5, 6));
        assert_eq!((found.expected, found.found, found.other_sum, found.is_same()), (25, 25, Some(31), false));
    }

    #[test]
    fn a_total_alone_is_compared_and_anything_else_refused() {
        let start = compared(Fen::START, 2, "Nodes searched: 400").expect("a total");
        assert!(start.is_same() && start.compared == Compared::Total, "{start:?}");
        let wrong = compared(Fen::START, 2, "Nf3: 20\nNodes searched: 401").expect("a total");
        assert!(!wrong.is_same() && wrong.compared == Compared::Total, "{wrong:?}");
        assert_eq!(wrong.not_understood.as_deref(), Some("Nf3: 20"));
        assert_eq!(compared(Fen::START, 2, "Nf3 20\nnothing"), Err(NoListing(vec!["Nf3 20".into(), "nothing".into()])));
    }
}
