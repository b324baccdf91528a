//! An engine's answer to perft, built from its lines.
//!
//! If there are several totals, the last one in the most reliable form is used. A total for another depth is ignored.
//! If any title names the requested depth, the lines below titles for other depths are ignored too. Spaces or commas in
//! a number may separate either digit groups or columns. The reader picks the interpretation in which the subtotals add
//! up to the total.

use crate::pairs::PrintedNumber;
use crate::perft_output::{Line, Patterns, TotalForm, is_move_alone, read};

/// Maximum number of lines that are kept to show the user what was not understood.
const MAX_OTHER_LINES: usize = 5;

/// Maximum number of moves kept, so that an endless list does not fill memory.
const MAX_LISTED_MOVES: usize = 10_000;

/// What an engine's perft answer contains, and thus what is compared.
#[perft_gate_chess::document(kebab, Clone, Copy, PartialEq, Eq, Default, Debug, serde::Serialize)]
pub enum Listing {
    /// Every root move with the leaves below it, and the total if there is one. A legal move that is not listed counts
    /// as missing.
    #[default]
    Moves,
    /// The total alone: no root moves are listed, or the list is not understood.
    Total,
}

/// An engine's answer to perft.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Divide {
    /// What the answer should contain.
    pub listing: Listing,
    /// Leaves by root move, in the engine's notation and order.
    pub subtotals: Vec<(String, u128)>,
    pub printed: Option<u128>,
    /// The first few lines that begin like subtotals and were not understood.
    pub unread: Vec<String>,
    /// The first few lines that were not understood, however they begin.
    pub other: Vec<String>,
}

impl Divide {
    /// Returns the number of leaves: the printed total if there is one, or else the sum of the subtotals.
    pub fn nodes(&self) -> u128 {
        self.printed.unwrap_or_else(|| self.sum())
    }

    pub fn sum(&self) -> u128 {
        // A listing may contain any number, so the sum saturates. A sum that overflows is wrong anyway.
        self.subtotals.iter().fold(0, |sum: u128, (_, nodes)| sum.saturating_add(*nodes))
    }

    /// Returns true if the supposed counts merely number the moves, so that each is one more than the previous one. The
    /// real count is then another number on the line.
    pub fn is_numbered(&self) -> bool {
        const MIN_MOVES: usize = 4;
        self.subtotals.len() >= MIN_MOVES
            && self.subtotals.windows(2).all(|two| two[0].1.checked_add(1) == Some(two[1].1))
    }

    /// Returns the first line that was not understood, preferably one that may be a move.
    pub fn not_understood(&self) -> Option<&String> {
        let has_square =
            |line: &str| line.as_bytes().windows(2).any(|two| matches!(two, [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'8']));
        self.unread.first().or_else(|| self.other.iter().find(|line| has_square(line))).or(self.other.first())
    }
}

/// An answer while it is being read.
#[derive(Default, Debug)]
pub struct Answer {
    depth: u32,
    /// Depth named by the last title, such as `perft 3`.
    heading: Option<u32>,
    /// True once a title for `depth` has been followed by a title for another depth.
    is_over: bool,
    /// The last line, if it has only a move. The leaf count of the move may be on the next line.
    move_alone: Option<String>,
    subtotals: Vec<(String, PrintedNumber)>,
    total: Option<(TotalForm, PrintedNumber)>,
    /// The first few lines that were not understood.
    pub other: Vec<String>,
    unread: Vec<String>,
    /// Number of lines that begin like subtotals and were not understood.
    number_unread: usize,
    /// Moves without counts. At depth 1, each of them has one leaf.
    bare: Vec<String>,
    /// True if the answer shows signs of a search: a score, a variation or a current move.
    pub has_thought: bool,
    /// True if the answer contains a `bestmove` line.
    pub has_moved: bool,
    /// True if the engine exited after the answer.
    pub has_exited: bool,
}

impl Answer {
    pub fn new(depth: u32) -> Answer {
        Answer { depth, ..Answer::default() }
    }

    pub fn take(&mut self, line: String, patterns: &Patterns) {
        if let Some(before) = self.move_alone.take() {
            let both = format!("{before} {line}");
            if let [pair @ Line::Subtotal(..)] = &read(&both, patterns)[..] {
                return self.add(pair.clone(), &both);
            }
        }
        self.move_alone = is_move_alone(&line).then(|| line.clone());
        for meaning in read(&line, patterns) {
            self.add(meaning, &line);
        }
    }

    /// Handles a title for a depth. If a title for the requested depth follows one for another depth, the answer starts
    /// over. If a title for another depth follows one for the requested depth, the answer ends.
    fn begin(&mut self, depth: u32) {
        match self.heading {
            Some(before) if before != self.depth && depth == self.depth => {
                let Answer { has_thought, has_moved, .. } = *self;
                *self = Answer { has_thought, has_moved, ..Answer::new(self.depth) };
            }
            Some(before) if before == self.depth && depth != self.depth => self.is_over = true,
            _ => {}
        }
        self.heading = Some(depth);
    }

    fn add(&mut self, meaning: Line, line: &str) {
        match meaning {
            Line::Heading(depth) if !self.is_over => {
                self.begin(depth);
                keep(&mut self.other, line);
            }
            Line::Subtotal(..) | Line::Total(..) | Line::Moves(_) | Line::Unread | Line::Heading(_) if self.is_over => {
            }
            Line::Subtotal(..) if self.subtotals.len() == MAX_LISTED_MOVES => {}
            Line::Subtotal(mv, nodes) => self.subtotals.push((mv, nodes)),
            Line::Total(TotalForm::OfDepth(depth), _) if depth != self.depth => {}
            Line::Total(form, nodes) if self.form() <= Some(form) => self.total = Some((form, nodes)),
            Line::Total(..) => {}
            Line::Thinking => self.has_thought = true,
            Line::BestMove => self.has_moved = true,
            Line::Moves(moves) if self.depth == 1 && self.bare.len() + moves.len() <= MAX_LISTED_MOVES => {
                self.bare.extend(moves);
            }
            Line::Unread => {
                self.number_unread += 1;
                keep(&mut self.unread, line);
                keep(&mut self.other, line);
            }
            Line::Moves(_) | Line::Other | Line::Heading(_) => keep(&mut self.other, line),
        }
    }

    pub fn form(&self) -> Option<TotalForm> {
        self.total.map(|(form, _)| form)
    }

    /// Returns the number of root moves so far, including those that were not understood.
    pub fn number_of_moves(&self) -> usize {
        self.subtotals.len().max(self.bare.len()) + self.number_unread
    }

    /// Returns true if there is neither a root move nor a total. Moves without counts may not be an answer at all, so
    /// they are ignored if there are also other lines.
    pub fn is_empty(&self) -> bool {
        let has_bare = !self.bare.is_empty() && self.other.is_empty();
        self.subtotals.is_empty() && !has_bare && self.total.is_none()
    }

    /// Returns true if this is the output of a search. Either it shows signs of a search and is not a list with one
    /// leaf per move, or it has a best move but neither a list nor a reliable total.
    pub fn is_search(&self) -> bool {
        let counted = self.form().is_some_and(|form| form > TotalForm::Running);
        let listed = !self.subtotals.is_empty();
        let ones = listed && self.subtotals.iter().all(|(_, count)| count.grouped == 1);
        (self.has_thought && !ones) || (self.has_moved && !listed && !counted)
    }

    /// Converts the answer to numbers. If no total was printed, `right_total` is used to decide what the separators in
    /// numbers mean.
    pub fn finish(mut self, listing: Listing, right_total: Option<u128>) -> Divide {
        let printed = self.total.map(|(_, count)| count.grouped);
        if self.subtotals.is_empty() && printed.is_none_or(|total| total == self.bare.len() as u128) {
            let one = PrintedNumber { grouped: 1, apart: 1 };
            self.subtotals = std::mem::take(&mut self.bare).into_iter().map(|mv| (mv, one)).collect();
        }
        type Reading = fn(&PrintedNumber) -> u128;
        let (grouped, apart): (Reading, Reading) = (|count| count.grouped, |count| count.apart);
        let sum = |reading: Reading| {
            self.subtotals.iter().fold(0, |sum: u128, (_, count)| sum.saturating_add(reading(count)))
        };
        let fits = |&(of_move, of_total): &(Reading, Reading)| {
            self.total.map(|(_, count)| of_total(&count)).or(right_total) == Some(sum(of_move))
        };
        let readings = [(grouped, grouped), (apart, apart), (grouped, apart), (apart, grouped)];
        let (of_move, of_total) = readings.into_iter().find(fits).unwrap_or((grouped, grouped));
        let listed = self.subtotals.iter().filter(|_| listing == Listing::Moves);
        Divide {
            listing,
            subtotals: listed.map(|(mv, count)| (mv.clone(), of_move(count))).collect(),
            printed: self.total.map(|(_, count)| of_total(&count)),
            unread: if listing == Listing::Moves { self.unread } else { Vec::new() },
            other: self.other,
        }
    }
}

/// Keeps a line, unless it is empty or enough lines have been kept already.
fn keep(lines: &mut Vec<String>, line: &str) {
    if !line.is_empty() && lines.len() < MAX_OTHER_LINES {
        lines.push(line.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(depth: u32, lines: &[&str]) -> Answer {
        let mut answer = Answer::new(depth);
        lines.iter().for_each(|line| answer.take((*line).into(), &Patterns::default()));
        answer
    }

    fn divide(depth: u32, lines: &[&str]) -> Divide {
        answer(depth, lines).finish(Listing::Moves, None)
    }

    #[test]
    fn the_surest_total_of_the_asked_depth_counts() {
        for (depth, lines, expected) in [
            (2, &["perft(1) = 20", "perft(2) = 400"][..], Some(400)),
            (1, &["perft(1) = 20", "perft(2) = 400"], Some(20)),
            (2, &["perft(1) = 20"], None),
            (2, &[" 1 20 0.00 2857142nps", " 2 400 0.00 2857142nps", "12"], Some(400)),
            (2, &["Nodes: 400", "12"], Some(400)),
            (2, &["info depth 2 nodes 123", "400", "info depth 2 nodes 12"], Some(400)),
            (2, &["info depth 1 nodes 20", "info depth 2 nodes 400"], Some(400)),
        ] {
            assert_eq!(divide(depth, lines).printed, expected, "{lines:?}");
        }
    }

    #[test]
    fn a_flood_of_moves_fills_no_memory() {
        assert_eq!(divide(1, &["e2e4: 1"; 2 * MAX_LISTED_MOVES]).subtotals.len(), MAX_LISTED_MOVES);
    }

    #[test]
    fn a_search_is_told_by_its_signs_unless_each_move_has_one_leaf() {
        let is_search = |lines: &[&str]| answer(1, lines).is_search();
        let thought = "info depth 1 score cp 20 nodes 20 pv e2e4";
        assert!(is_search(&[thought]) && is_search(&["bestmove e2e4"]) && is_search(&[thought, "e2e4: 20"]));
        // An engine may print search output before a perft count.
        assert!(!is_search(&[thought, "e2e4: 1", "d2d4: 1"]));
        assert!(is_search(&[thought, "e2e4: 1", "d2d4: 2"]), "not all ones");
        assert!(!is_search(&["info string pv e2e4", "e2e4: 20"]) && !is_search(&["e2e4: 20", "bestmove e2e4"]));
    }

    #[test]
    fn moves_alone_are_perft_1() {
        let list = divide(1, &["e2e4 d2d4", "Nf3,Nc3", "Nodes: 4"]);
        assert_eq!((list.subtotals.len(), list.sum(), list.printed), (4, 4, Some(4)));
        assert_eq!(divide(1, &["e2e4", "d2d4: 1"]).subtotals.len(), 1, "a list with counts is no list of moves alone");
        assert_eq!(divide(1, &["e2e4", "Nodes searched: 20"]).subtotals, [], "one move is no list of twenty");
        assert_eq!(divide(2, &["e2e4", "d2d4"]).subtotals, []);
    }

    #[test]
    fn the_total_says_what_spaces_mean() {
        let groups = divide(4, &["e2e4: 1 234", "d2d4: 20", "Nodes: 1 254"]);
        assert_eq!((groups.sum(), groups.printed), (1254, Some(1254)));
        let columns = divide(4, &["e2e4: 1 234", "d2d4: 20 100", "Nodes: 21"]);
        assert_eq!((columns.sum(), columns.printed), (21, Some(21)));
        let alone = divide(4, &["e2e4: 1 234", "d2d4: 20"]);
        assert_eq!((alone.sum(), alone.printed), (1254, None));
    }

    #[test]
    fn the_list_under_the_title_of_the_asked_depth_counts() {
        let text =
            ["> perft 1", "c2c4: 1", "total 1", "> perft 2", "c2c4: 7", "total 7", "Depth: 2", "perft 3", "c2c4: 9"];
        for (depth, lines, expected) in [
            (1, &text[..], (&[1][..], Some(1))),
            (2, &text, (&[7], Some(7))),
            // If no title names the requested depth, every line is read.
            (4, &text, (&[1, 7, 9], Some(7))),
            // A depth in a summary is not a title for the lines below it.
            (3, &["c2c4: 9", "Depth: 3", "Nodes: 9"], (&[9], Some(9))),
        ] {
            let list = divide(depth, lines);
            let counts: Vec<u128> = list.subtotals.iter().map(|(_, nodes)| *nodes).collect();
            assert_eq!((&counts[..], list.printed), expected, "{depth}: {lines:?}");
        }
    }

    #[test]
    fn a_move_and_its_leaves_may_be_on_two_lines() {
        for lines in [
            &[
                r#"  "depth": 2,"#,
                r#"  "moves": [{"#,
                r#"    "move": "c2c4","#,
                r#"    "nodes": "7""#,
                "  }],",
                r#"  "nodes": "7""#,
            ][..],
            &["- move: c2c4", "  nodes: 7", "nodes: 7"],
        ] {
            let list = divide(2, lines);
            assert_eq!((list.subtotals, list.printed), (vec![("c2c4".into(), 7)], Some(7)), "{lines:?}");
        }
    }
}
