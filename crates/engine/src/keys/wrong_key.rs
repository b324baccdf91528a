//! Explanation of a wrong key after moves: the shortest line that shows it, and the terms.

use crate::failure::EngineFailure;
use crate::keys::check::Checker;
use crate::keys::edits::{changed_pieces, describe_edits};
use crate::keys::explanation::{explain, explain_beside};
use crate::keys::finding::{KeyFault, KeyFinding};
use crate::keys::move_properties::MoveProperties;
use crate::keys::parts::Part;
use crate::keys::printed::PrintedKey;
use crate::keys::report::Unexplained;
use crate::position_command::PositionCommand;
use perft_gate_chess::{Board, EnPassantPolicy, Kind, Move, Piece, Role, explain_legal_move, legal_moves};
use perft_gate_judge::gate::term_probe::{board_with, explain_difference};
use perft_gate_walk::board_after;

impl Checker<'_, '_> {
    /// Finds the shortest end of a line that shows the wrong key, and its explanation.
    pub(super) fn report_wrong_key(&mut self, root: &Board, line: &[Move]) -> Result<(), EngineFailure> {
        let mut boards = vec![*root];
        for &mv in line {
            boards.push(board_after(&boards[boards.len() - 1], mv));
        }
        let end = boards[line.len()];
        let other = PositionCommand::of(&end);
        let given = self.ask_key(&other)?;
        for start in (0..line.len()).rev() {
            let mut position = PositionCommand::of(&boards[start]);
            position.moves = line[start..].iter().map(|&mv| self.engine.written(mv)).collect();
            let moved = self.ask_key(&position)?;
            let difference = self.numbers.difference(moved.key, given.key);
            if moved == given || self.is_habit([&boards[start], &end], difference) {
                continue;
            }
            let (last, mv) = (line.len() - 1, line[start]);
            let moved_by = explain_legal_move(&boards[start], mv);
            let cause = match start == last {
                true => self.explain_wrong_key(&boards[last], mv, &end, difference)?,
                false => format!("{moved_by} and what follows"),
            };
            self.add_finding(KeyFinding {
                cause,
                other: Some(other),
                expected: given.to_string(),
                found: moved.to_string(),
                ..KeyFinding::at(KeyFault::NotOfItsFen, position)
            });
            break;
        }
        Ok(())
    }

    /// Explains a difference after a move: by the terms that the move edits, by any other numbers that are known, or by
    /// one number in the place of each promoted piece.
    fn explain_wrong_key(
        &mut self,
        before: &Board,
        mv: Move,
        after: &Board,
        difference: u128,
    ) -> Result<String, EngineFailure> {
        let moved_by = explain_legal_move(before, mv);
        let mut key = |board: &Board| self.ask_key(&PositionCommand::of(board)).map(|printed| Some(printed.key));
        if let Some(terms) = explain_difference(&mut key, (before, after), difference, EnPassantPolicy::Always)? {
            return Ok(format!("{terms} after {moved_by}"));
        }
        // As their FENs' keys have them: an e.p. square may not count.
        let mut keyed = |board: &Board| -> Result<Board, EngineFailure> {
            let without = board_with(board, |setup| setup.en_passant = None).unwrap_or(*board);
            Ok(if key(board)? == key(&without)? { without } else { *board })
        };
        let boards = (&keyed(before)?, mv, &keyed(after)?);
        let (numbers, changed) = (&self.numbers, changed_pieces(before, after));
        let few = explain(numbers, difference).or_else(|| explain_beside(numbers, difference, &changed));
        if let Some(parts) = few {
            return Ok(format!("{} after {moved_by}", describe_edits(&parts, boards, numbers)));
        }
        if self.is_constant_of_promotions(before, mv, difference)? {
            let what = "one unknown number in the place of every promoted piece, as of a pawn on the last rank";
            return Ok(format!("{what} after {moved_by}"));
        }
        let difference = PrintedKey { key: difference, base: self.engine.dialect.key_base };
        let unexplained = Unexplained { difference, properties: MoveProperties::of(before, mv, after) };
        self.report.unexplained.push(unexplained);
        Ok(format!("{moved_by}: difference {difference}, not explained by up to three numbers that FENs show"))
    }

    /// Returns true if the keys after all four promotions of a pawn are wrong in one way: in each the same number stands
    /// in the place of the promoted piece's.
    fn is_constant_of_promotions(&mut self, before: &Board, mv: Move, difference: u128) -> Result<bool, EngineFailure> {
        let Kind::Promotion(promoted) = mv.kind() else { return Ok(false) };
        let number = |role| {
            let piece = Piece { color: before.turn(), role };
            self.numbers.value(Part::Piece(piece, mv.to()))
        };
        let [Some(own), others @ ..] = [promoted, Role::Knight, Role::Bishop, Role::Rook, Role::Queen].map(number)
        else {
            return Ok(false);
        };
        let constant = difference ^ own;
        let roles = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen].into_iter().zip(others);
        for (role, number) in roles.filter(|(role, _)| *role != promoted) {
            let is_it =
                |other: &&Move| (other.from(), other.to(), other.kind()) == (mv.from(), mv.to(), Kind::Promotion(role));
            let moves = legal_moves(before);
            let (Some(&other), Some(number)) = (moves.iter().find(is_it), number) else { return Ok(false) };
            let position = PositionCommand::of(before).then(&self.engine.written(other));
            let keys = [self.ask_key(&position)?, self.ask_key(&PositionCommand::of(&board_after(before, other)))?];
            if keys[0].key ^ keys[1].key ^ number != constant {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
