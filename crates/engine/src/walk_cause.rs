//! Finds out why an engine counts a position correctly if that position is set up directly, but wrongly if a perft walk
//! reaches it by a move from the preceding position.
//!
//! A faulty unmake is assumed only if no other cause is found. Further questions to the engine identify these causes:
//!
//! - a position without a legal move is counted as one leaf instead of none, here and at another such position;
//! - the walk stops where the game is drawn, although perft counts all legal moves regardless of the game's result. If
//!   the draw is by the fifty-move rule, the same walk is right when its halfmove clock starts at 0. If the draw is by
//!   repetition, the same walk is right when the position is set up from its FEN, without the moves that led to it.
//!   Otherwise, a five-ply walk from a test position misses the leaves below each return to that position. If the draw
//!   is by insufficient material, a walk into a position with two bare kings is wrong only at that position;
//! - the engine counts illegal moves below the root: it also counts such moves in a position with two bare kings;
//! - its table of leaf counts ignores the depth: a new process counts right until it has been asked for another depth;
//! - it remembers something else from earlier questions: a new process counts right;
//! - it counts the moves of the last ply without making them, and counts them wrong: one ply deeper, where it makes the
//!   same moves, the walk gives the same number as the positions set up directly.

use crate::outcome::Result;
use crate::request::PositionCommand;
use crate::uci::Engine;
use perft_gate_chess::{Bitboard, Board, Color, EnPassantPolicy, Fen, Move, MoveNames, Packed, Role, legal_moves};
use perft_gate_judge::gate::term_probe::board_with;
use perft_gate_listing::{SubtotalDifference, WalkCause, game_end};
use perft_gate_walk::board_after;
use std::collections::BTreeSet;

/// Halfmove clock at which the game is drawn.
const FIFTY_MOVES: u32 = 100;
/// A position in which some moves give checkmate and none stalemate, and one in which it is the other way round.
const BEFORE_ENDS: [(WalkCause, &str); 2] = [
    (WalkCause::CHECKMATE, "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1"),
    (WalkCause::STALEMATE, "7k/8/6Q1/8/8/8/8/K7 w - - 0 1"),
];
/// A position where a king can take the last pawn, which leaves bare kings.
const INTO_BARE_KINGS: &str = "8/8/4k3/8/8/3p4/4K3/8 w - - 0 1";
/// A position with two bare kings, and its leaf count at depth 2 if the black king may move to squares attacked by the
/// white king.
const KINGS: (&str, u128) = ("8/8/8/8/8/2k5/8/K7 w - - 0 1", 16);
/// A position to which a walk can return after four plies.
const REPEATS: &str = "7k/8/8/8/8/8/R7/7K w - - 0 1";
/// Depth at which a walk has leaves below a repeated position.
const REPEATING_PLIES: u32 = 5;
/// Depth of the shallower of the two perft requests that reveal a table of leaf counts. At one ply, a table is useless.
const TABLE_PLIES: u32 = 2;
/// Maximum number of leaves in a further perft request to the engine.
pub(super) const MAX_LEAVES: u128 = 5_000_000;

/// Further questions to an engine whose walk is wrong.
pub(super) struct Questions<'a, 'e> {
    pub(super) engine: &'a mut Engine<'e>,
    /// The position from which a perft walk gives a wrong count, as it is sent to the engine.
    pub(super) position: &'a PositionCommand,
    /// The positions on the path from the row's position to the one that is counted right when it is set up alone.
    pub(super) boards: &'a [Board],
}

impl<'a> Questions<'a, '_> {
    /// Finds the cause of a wrong count at depth `depth`. `wrong` is the move below which the count is wrong, if known.
    /// That move leads to the last of `boards`.
    pub(super) fn find_cause(&mut self, depth: u32, wrong: Option<&SubtotalDifference>) -> Result<Option<WalkCause>> {
        let mv = wrong.map(|wrong| wrong.mv);
        if let Some(end) = self.find_counted_end(depth, wrong)?
            && self.counts_end_elsewhere(end, depth, mv)?
        {
            return Ok(Some(end));
        }
        if let Some(draw) = self.find_draw(depth, mv)? {
            return Ok(Some(draw));
        }
        if self.engine.divide(&PositionCommand::new(KINGS.0), 2)?.nodes() == KINGS.1 {
            return Ok(Some(WalkCause::PSEUDO_LEGAL));
        }
        if let Some(cause) = self.find_memory(depth, mv)? {
            return Ok(Some(cause));
        }
        let is_bulk = depth == 2 && self.is_alike_one_ply_deeper(mv)?;
        Ok(is_bulk.then_some(WalkCause::BULK))
    }

    /// Returns true if a walk of three plies gives the same count, right or wrong, as the sum over the positions after
    /// its first ply, each set up alone. At three plies, the engine has to make the moves that it only counts at two.
    fn is_alike_one_ply_deeper(&mut self, mv: Option<Move>) -> Result<bool> {
        let board = self.walked_board(mv);
        let answer = self.engine.divide(self.position, 3)?;
        let in_walk = match mv {
            Some(mv) => MoveNames::new(board).find(mv, &answer.subtotals),
            None => Some(answer.nodes()),
        };
        let moves = mv.map_or_else(|| legal_moves(board).to_vec(), |mv| vec![mv]);
        let mut alone = 0;
        for mv in moves {
            let nodes = self.engine.divide(&PositionCommand::from_board(&board_after(board, mv)), 2)?.nodes();
            alone = u128::saturating_add(alone, nodes);
        }
        Ok(in_walk == Some(alone))
    }

    /// Returns the position from which the perft walk gives a wrong count.
    fn walked_board(&self, mv: Option<Move>) -> &'a Board {
        let from_end = if mv.is_some() { 2 } else { 1 };
        &self.boards[self.boards.len() - from_end]
    }

    /// Returns true if the engine's count below `mv` is right. If `mv` is `None`, checks the total instead.
    fn is_right(&mut self, board: &Board, position: &PositionCommand, depth: u32, mv: Option<Move>) -> Result<bool> {
        Ok(self.engine.compare(board, position, depth)?.is_right_below(mv))
    }

    /// Returns checkmate or stalemate if the engine counts that end of the game as a leaf. The move in `wrong` leads to
    /// the end. If `wrong` is `None`, the walk's first position is the end, or some of its moves lead to it.
    fn find_counted_end(&mut self, depth: u32, wrong: Option<&SubtotalDifference>) -> Result<Option<WalkCause>> {
        if let Some(wrong) = wrong {
            let end = game_end(&self.boards[self.boards.len() - 1]);
            return Ok(end.filter(|_| (wrong.expected, wrong.found) == (0, 1)));
        }
        let board = self.walked_board(None);
        let comparison = self.engine.compare(board, self.position, depth)?;
        let excess = comparison.found.checked_sub(comparison.expected);
        if let Some(end) = game_end(board) {
            return Ok(Some(end).filter(|_| excess == Some(1)));
        }
        let moves = legal_moves(board);
        let ends: Vec<WalkCause> = moves.iter().filter_map(|&mv| game_end(&board_after(board, mv))).collect();
        let is_number = depth > 1 && excess.is_some_and(|excess| excess > 0 && excess == ends.len() as u128);
        Ok(ends.first().copied().filter(|_| is_number))
    }

    /// Returns true if the engine also counts this end of the game as a leaf in another position, either after a move
    /// or at the position itself.
    fn counts_end_elsewhere(&mut self, end: WalkCause, depth: u32, mv: Option<Move>) -> Result<bool> {
        let (_, fen) = BEFORE_ENDS.into_iter().find(|(other, _)| *other == end).expect("each end has a position");
        let board = Fen::parse(fen).expect("a position");
        let moves = legal_moves(&board);
        let ends: Vec<Board> =
            moves.iter().map(|&mv| board_after(&board, mv)).filter(|at| legal_moves(at).is_empty()).collect();
        if mv.is_none() && legal_moves(self.walked_board(None)).is_empty() {
            return Ok(self.engine.divide(&PositionCommand::from_board(&ends[0]), depth)?.nodes() == 1);
        }
        let leaves = self.engine.reference.leaves(&board, 2)?;
        Ok(self.engine.divide(&PositionCommand::new(fen), 2)?.nodes() == leaves + ends.len() as u128)
    }

    /// Returns the kind of draw at which the walk stops, if any. The drawn position is the last of `boards`. If `mv` is
    /// `None`, it may also be a position one move later.
    pub(super) fn find_draw(&mut self, depth: u32, mv: Option<Move>) -> Result<Option<WalkCause>> {
        let (board, last) = (self.walked_board(mv), self.boards[self.boards.len() - 1]);
        let is_any = |is_so: &dyn Fn(&Board) -> bool| {
            is_so(&last) || mv.is_none() && legal_moves(&last).iter().any(|&mv| is_so(&board_after(&last, mv)))
        };
        let identity = |board: &Board| Packed::new(board, EnPassantPolicy::Legal);
        let is_repeated = self.boards[..self.boards.len() - 1].iter().any(|board| identity(board) == identity(&last));
        let by_fen = PositionCommand::from_board(board);
        if is_repeated && *self.position != by_fen && self.is_right(board, &by_fen, depth, mv)? {
            return Ok(Some(WalkCause::REPETITION));
        }
        if is_any(&|board| u32::from(board.halfmove()) >= FIFTY_MOVES) {
            let early = board_with(board, |setup| setup.halfmove = 0).expect("a position with another clock");
            if self.is_right(&early, &PositionCommand::from_board(&early), depth, mv)? {
                return Ok(Some(WalkCause::FIFTY_MOVES));
            }
        }
        if is_any(&|board| may_be_insufficient(board)) && self.stops_at_bare_kings()? {
            return Ok(Some(WalkCause::MATERIAL));
        }
        if depth >= REPEATING_PLIES && self.stops_at_a_repetition()? {
            return Ok(Some(WalkCause::REPETITION));
        }
        Ok(None)
    }

    /// Returns true if a walk into two bare kings counts at most one leaf there and is right everywhere else.
    fn stops_at_bare_kings(&mut self) -> Result<bool> {
        let board = Fen::parse(INTO_BARE_KINGS).expect("a position");
        let comparison = self.engine.compare(&board, &PositionCommand::new(INTO_BARE_KINGS), 2)?;
        let capture = MoveNames::new(&board).read("e2d3").expect("a capture");
        let below = self.engine.reference.leaves(&board_after(&board, capture), 1)?;
        Ok(match &comparison.subtotals[..] {
            [only] => only.mv == capture && only.found <= 1,
            [] => comparison.has_same_moves() && is_stopped(comparison.expected, comparison.found, 1, below),
            _ => false,
        })
    }

    /// Returns true if a walk of five plies counts at most one leaf at each return to its first position, and a walk of
    /// four plies is right.
    fn stops_at_a_repetition(&mut self) -> Result<bool> {
        let (board, position) = (Fen::parse(REPEATS).expect("a position"), PositionCommand::new(REPEATS));
        if !self.is_right(&board, &position, REPEATING_PLIES - 1, None)? {
            return Ok(false);
        }
        let comparison = self.engine.compare(&board, &position, REPEATING_PLIES)?;
        let leaves = legal_moves(&board).len() as u128;
        let returns = returns(&board, &board, REPEATING_PLIES - 1);
        Ok(is_stopped(comparison.expected, comparison.found, returns, leaves))
    }

    pub(super) fn is_right_anew(&mut self, depth: u32) -> Result<bool> {
        if !self.engine.outlives_an_answer() {
            return Ok(false);
        }
        self.engine.restart()?;
        self.is_right(self.walked_board(None), self.position, depth, None)
    }

    /// Returns the cause if the engine counts wrongly because it remembers earlier questions.
    fn find_memory(&mut self, depth: u32, mv: Option<Move>) -> Result<Option<WalkCause>> {
        if !self.engine.outlives_an_answer() {
            return Ok(None);
        }
        let (board, position) = (self.walked_board(mv), self.position);
        let (few, more) = (TABLE_PLIES, TABLE_PLIES + 1);
        let pairs: BTreeSet<_> = [[depth - 1, depth], [depth, depth - 1], [few, more], [more, few]].into();
        for [first, second] in pairs.into_iter().filter(|pair| !pair.contains(&0)) {
            if second != depth && self.engine.reference.leaves(board, first.max(second))? > MAX_LEAVES {
                continue;
            }
            self.engine.restart()?;
            if !self.is_right(board, position, second, None)? {
                continue;
            }
            self.engine.restart()?;
            self.engine.divide(position, first)?;
            if !self.is_right(board, position, second, None)? {
                return Ok(Some(WalkCause::DEPTH));
            }
        }
        self.engine.restart()?;
        Ok(self.is_right(board, position, depth, mv)?.then_some(WalkCause::REMEMBERS))
    }
}

/// Returns true if `found` is exactly what results if a walk stops at `positions` positions, with `below` leaves each,
/// and counts either no leaf or one leaf for each of them.
fn is_stopped(expected: u128, found: u128, positions: u128, below: u128) -> bool {
    let missing = expected.checked_sub(found).filter(|missing| *missing > 0);
    missing.is_some_and(|missing| [below, below.saturating_sub(1)].into_iter().any(|each| missing == positions * each))
}

/// Returns the number of walks of length `plies` from `at` to `goal`.
fn returns(at: &Board, goal: &Board, plies: u32) -> u128 {
    let packed = |board: &Board| Packed::new(board, EnPassantPolicy::Legal);
    match plies {
        0 => u128::from(packed(at) == packed(goal)),
        plies => legal_moves(at).iter().map(|&mv| returns(&board_after(at, mv), goal, plies - 1)).sum(),
    }
}

/// Returns true if a program might treat the material as insufficient: no pawns, rooks or queens, and at most two minor
/// pieces per side.
fn may_be_insufficient(board: &Board) -> bool {
    let heavy = board.role(Role::Pawn) | board.role(Role::Rook) | board.role(Role::Queen);
    let minor = board.role(Role::Knight) | board.role(Role::Bishop);
    heavy == Bitboard::EMPTY && Color::ALL.into_iter().all(|color| (minor & board.color(color)).count() <= 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_positions_before_ends_lead_to_one_kind() {
        for (end, fen) in BEFORE_ENDS {
            let board = Fen::parse(fen).expect("a position");
            let ends =
                legal_moves(&board).iter().filter_map(|&mv| game_end(&board_after(&board, mv))).collect::<Vec<_>>();
            assert!(!ends.is_empty() && ends.iter().all(|found| *found == end), "{fen}: {ends:?}");
        }
    }

    #[test]
    fn little_material_may_be_insufficient() {
        for (fen, expected) in [
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", true),
            ("4k3/8/8/2n5/8/8/8/2B1K3 w - - 0 1", true),
            ("4k3/8/8/2r5/8/8/8/4K3 w - - 0 1", false),
            ("4k3/8/8/2p5/8/8/8/4K3 w - - 0 1", false),
            ("4k3/8/8/8/8/8/8/1NN1KN2 w - - 0 1", false),
        ] {
            assert_eq!(may_be_insufficient(&Fen::parse(fen).expect("a position")), expected, "{fen}");
        }
    }
}
