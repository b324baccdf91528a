//! Comparison of a board under test with ours, move by move, to find errors that counts hide.
//!
//! Both boards make the same moves, matched by their UCI texts. If two moves had the same text, later findings could
//! name the wrong move, so texts are checked before any count. Even if the counts are right, each move list is compared
//! with ours, because an extra move and a missing one cancel out in a count.

use super::board::{Depth, Subject};
use super::codes::{self, CodeFault, Layout};
use super::descent::{Listed, WrongMove, list_moves, move_difference, readable_fen, subject_after};
use super::details::ComparedCodes;
use super::finding::{Difference, Report, SubjectCheck};
use super::written::ReachedBy;
use perft_gate_chess::{Board, EnPassantPolicy, Move, legal_moves};
use perft_gate_walk::board_after;
use rayon::prelude::*;
use std::collections::HashMap;

/// How many of the visited positions a walk checks in detail.
#[derive(Clone, Copy)]
pub(super) struct Sampling {
    /// The FEN is compared at one in `fens` positions of the last ply.
    pub(super) fens: usize,
    /// All move codes are tested at about one in `codes` positions of the ply above the last.
    pub(super) codes: usize,
}

/// In a tree of this depth (at least 1), compares the moves into the last ply, the FENs of its positions, and the move
/// codes one ply above. At depth 1 it also compares the root's FEN. The report counts the comparisons.
pub(super) fn compare<S: Subject>(
    report: &mut Report,
    subject: &S,
    board: &Board,
    depth: Depth,
    sampling: Sampling,
    layout: &Layout,
) -> (Vec<Difference>, Vec<CodeFault>) {
    let (report_so_far, code_faults, above, differences) = (report.clone(), Vec::new(), Vec::new(), Vec::new());
    let start = Beside { report: report_so_far, code_faults, sampling, layout, leaves: 0, above, differences };
    let walked = start.by_children(subject, board, depth).unwrap_or_else(|| start.in_order(subject, board, depth));
    *report = walked.report;
    (walked.differences, walked.code_faults)
}

/// A walk that makes the same moves on both boards, down to one ply.
#[derive(Clone)]
struct Beside<'a> {
    /// Report that counts the comparisons.
    report: Report,
    code_faults: Vec<CodeFault>,
    sampling: Sampling,
    layout: &'a Layout,
    /// Number of last-ply positions visited below the current child of the root.
    leaves: usize,
    /// Moves from the root, each with the position before it.
    above: Vec<(Board, Move)>,
    /// Differences found, at most one per check.
    differences: Vec<Difference>,
}

impl<'a> Beside<'a> {
    /// Walks the root's children on the current rayon pool. Returns `None` if the tree is too small, a child's tree
    /// differs, or the children's reports conflict. A sequential walk must then find the first difference.
    fn by_children<S: Subject>(&self, subject: &S, board: &Board, depth: Depth) -> Option<Beside<'a>> {
        if depth < Depth(3) {
            return None;
        }
        let walk = |Listed { mv, legal, .. }: Listed<S::Move>| {
            let legal = legal?;
            let mut part = self.clone();
            let Report { fens, details, keys_after, codes, .. } = &mut part.report;
            (fens.compared, details.moves, keys_after.moves, *codes) = (0, 0, 0, ComparedCodes::default());
            part.above.push((*board, legal));
            part.visit(&subject_after(subject, mv), &board_after(board, legal), Depth(depth.0 - 1));
            Some(part)
        };
        let parts: Vec<Beside> = list_moves(subject, board).into_par_iter().filter_map(walk).collect();
        parts.iter().try_fold(self.clone(), |mut all, part| {
            all.report = all.report.join(&part.report)?;
            codes::join(&mut all.code_faults, &part.code_faults);
            part.differences.is_empty().then_some(all)
        })
    }

    fn in_order<S: Subject>(mut self, subject: &S, board: &Board, depth: Depth) -> Beside<'a> {
        if depth == Depth(1) {
            self.compare_fen(subject, board, ReachedBy::Fen);
        }
        self.visit(subject, board, depth);
        self
    }

    fn visit<S: Subject>(&mut self, subject: &S, board: &Board, depth: Depth) {
        // If two moves have the same UCI text, later findings could name the wrong move.
        if self.has(SubjectCheck::UciTexts) {
            return;
        }
        // Restart the count at each child of the root, so that parallel and sequential walks sample the same positions.
        if self.above.len() < 2 {
            self.leaves = 0;
        }
        let moves = list_moves(subject, board);
        if depth.0 == 1 {
            self.compare_moves::<S>(&moves, board);
            self.compare_details(subject, &moves, board);
            self.compare_keys_after(subject, &moves, board);
            self.compare_codes(subject, &moves, board);
        }
        for Listed { mv, legal, .. } in moves {
            let Some(legal) = legal else { continue };
            let is_leaf = depth.0 == 1;
            self.leaves += usize::from(is_leaf);
            if is_leaf && !self.leaves.is_multiple_of(self.sampling.fens) {
                continue;
            }
            self.above.push((*board, legal));
            let (child, child_board) = (subject_after(subject, mv), board_after(board, legal));
            match is_leaf {
                true => self.compare_fen(&child, &child_board, ReachedBy::Moves),
                false => self.visit(&child, &child_board, Depth(depth.0 - 1)),
            }
            self.above.pop();
        }
    }

    fn compare_details<S: Subject>(&mut self, subject: &S, moves: &[Listed<S::Move>], board: &Board) {
        for Listed { mv, legal, .. } in moves {
            let Some(legal) = legal.filter(|_| !self.has(SubjectCheck::Details)) else { continue };
            if let Err([expected, found]) = self.report.details.compare(subject.details(*mv), board, legal) {
                let difference = Difference { expected, found, ..Difference::default() };
                self.report_after(SubjectCheck::Details, (*board, legal), difference);
            }
        }
    }

    fn compare_keys_after<S: Subject>(&mut self, subject: &S, moves: &[Listed<S::Move>], board: &Board) {
        for Listed { mv, legal, .. } in moves {
            let Some(legal) = legal.filter(|_| !self.has(SubjectCheck::KeyAfter)) else { continue };
            let found = subject.key_after(*mv);
            // Most boards do not compute the key after a move in advance. For them, the move need not be made.
            let made = found.and_then(|_| subject_after(subject, *mv).key());
            if let Err(([expected, found], keys)) = self.report.keys_after.compare(found, made) {
                let difference = Difference { expected, found, keys, ..Difference::default() };
                self.report_after(SubjectCheck::KeyAfter, (*board, legal), difference);
            }
        }
    }

    fn compare_codes<S: Subject>(&mut self, subject: &S, moves: &[Listed<S::Move>], board: &Board) {
        // A wrong list of moves would make right answers about move codes look wrong.
        if self.has(SubjectCheck::Counts) || self.has(SubjectCheck::UciTexts) {
            return;
        }
        // Select positions by their path, so that they are the same however the walk is split.
        let hash = |hash: u64, (_, mv): &(Board, Move)| (hash ^ u64::from(*mv)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let hash = self.above.iter().fold(0, hash) >> 32;
        if !(hash as usize).is_multiple_of(self.sampling.codes) {
            return;
        }
        let mut faults = codes::compare(subject, board, moves, self.layout, &mut self.report.codes);
        faults.iter_mut().for_each(|fault| fault.path = self.path());
        codes::join(&mut self.code_faults, &faults);
    }

    fn compare_fen<S: Subject>(&mut self, subject: &S, board: &Board, reached_by: ReachedBy) {
        if self.has(SubjectCheck::WrittenFen) {
            return;
        }
        if let Err([expected, found]) = self.report.fens.compare(subject.fen(), board, reached_by) {
            self.report(SubjectCheck::WrittenFen, Difference { expected, found, ..Difference::default() });
        }
    }

    fn compare_moves<S: Subject>(&mut self, moves: &[Listed<S::Move>], board: &Board) {
        if let Some((expected, found)) = same_text(moves, board) {
            self.report(SubjectCheck::UciTexts, Difference { expected, found, ..Difference::default() });
            return;
        }
        let is_right = moves.len() == legal_moves(board).len() && moves.iter().all(|listed| listed.legal.is_some());
        if !is_right && !self.has(SubjectCheck::Counts) {
            let moves = move_difference(moves, board);
            let wrong_move = WrongMove::new::<S>(self.path(), self.above.last().copied(), board, moves);
            let (expected, found) = ("the legal moves".into(), "the same number of moves, but different ones".into());
            let wrong_move = Some(wrong_move);
            self.report(SubjectCheck::Counts, Difference { expected, found, wrong_move, ..Difference::default() });
        }
    }

    fn has(&self, check: SubjectCheck) -> bool {
        self.differences.iter().any(|difference| difference.check == check)
    }

    fn path(&self) -> Vec<String> {
        self.above.iter().map(|(_, mv)| mv.uci().to_string()).collect()
    }

    /// Reports a difference at the current position, unless the same check has already reported one.
    fn report(&mut self, check: SubjectCheck, difference: Difference) {
        if !self.has(check) {
            // A `WrongMove` has its own path.
            let path = if difference.wrong_move.is_some() { Vec::new() } else { self.path() };
            self.differences.push(Difference { check, path, ..difference });
        }
    }

    /// Reports a difference with the move in `last` added to the path.
    fn report_after(&mut self, check: SubjectCheck, last: (Board, Move), difference: Difference) {
        self.above.push(last);
        self.report(check, difference);
        self.above.pop();
    }
}

/// Finds two moves with the same UCI text, or a castling move listed in both of its notations. Returns what was
/// expected and what was found, as text.
fn same_text<M: std::fmt::Debug>(moves: &[Listed<M>], board: &Board) -> Option<(String, String)> {
    let mut legal: Vec<u64> = moves.iter().filter_map(|listed| listed.legal.map(u64::from)).collect();
    legal.sort_unstable();
    if legal.len() == moves.len() && legal.is_sorted_by(|a, b| a < b) {
        return None;
    }
    let mut seen = HashMap::with_capacity(moves.len());
    for listed in moves {
        // Compare moves by the legal move that they name, because castling has two notations.
        let key = listed.legal.map(u64::from).ok_or(&listed.text);
        let Some(other): Option<&Listed<M>> = seen.insert(key, listed) else { continue };
        let fen = readable_fen(board, EnPassantPolicy::Always);
        let mut found = format!("{:?} ({}) and {:?} ({})", other.mv, other.text, listed.mv, listed.text);
        if board.is_chess960() && listed.text.starts_with(&board.king(board.turn()).to_string()) {
            found.push_str("; in Chess960 castling is written as king takes rook");
        }
        return Some((format!("one move {} in {fen}", listed.text), found));
    }
    None
}
