//! Keys of a row: along every root move, along random lines, and of variants of the position.

use crate::dialect::Ending;
use crate::failure::EngineFailure;
use crate::keys::edits::{changed_pieces, describe_edits, describe_wrong_move};
use crate::keys::explanation::{explain, explain_beside};
use crate::keys::finding::{KeyFault, KeyFinding};
use crate::keys::key_probe::KeyConventions;
use crate::keys::move_properties::MoveProperties;
use crate::keys::numbers::{KeyNumbers, are_no_chance};
use crate::keys::parts::Part;
use crate::keys::printed::{PrintedKey, by_fen, is_another, require_key};
use crate::keys::report::{KeyOfPosition, KeyReport, Unexplained};
use crate::position_command::PositionCommand;
use crate::uci::Engine;
use perft_gate_chess::{
    Board, CastlingRights, EnPassantPolicy, Kind, Move, Packed, Piece, Role, explain_legal_move, legal_moves,
};
use perft_gate_judge::gate::term_probe::{board_with, board_with_rights, explain_difference};
use perft_gate_suite::Row;
use perft_gate_walk::board_after;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::collections::HashMap;

/// Maximum number of findings reported for a row.
const MAX_FINDINGS: usize = 3;
/// Number of plies counted to see if that changes the key.
const PERFT_PLIES: u32 = 2;

/// Random lines of a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RandomLines {
    /// Number of lines.
    pub(crate) number: u32,
    /// Maximum number of plies.
    pub(crate) plies: u32,
    /// Seed of the choice of moves.
    pub(crate) seed: u64,
}

/// Checks the keys of a row.
pub(crate) fn check(
    engine: &mut Engine<'_>,
    conventions: &KeyConventions,
    row: &Row,
    lines: RandomLines,
) -> Result<KeyReport, EngineFailure> {
    let mut checker = Checker::new(engine, conventions);
    checker.check_key_after_perft(&by_fen(row.board(), conventions.policy()))?;
    checker.check_moves(row, lines)
}

/// Checks the keys of a row without a question for perft.
pub(super) fn check_moves(
    engine: &mut Engine<'_>,
    conventions: &KeyConventions,
    row: &Row,
    lines: RandomLines,
) -> Result<KeyReport, EngineFailure> {
    Checker::new(engine, conventions).check_moves(row, lines)
}

/// Returns a line that prefers special moves half of the time, because keys most often go wrong there.
pub(super) fn random_line(root: &Board, plies: u32, random: &mut ChaCha20Rng) -> Vec<Move> {
    let (mut board, mut line) = (*root, Vec::new());
    for _ in 0..plies {
        let moves = legal_moves(&board);
        let special: Vec<Move> = moves.iter().copied().filter(|mv| mv.kind() != Kind::Normal).collect();
        let choice = if random.next_u32().is_multiple_of(2) && !special.is_empty() { &special } else { &moves[..] };
        if choice.is_empty() {
            break;
        }
        let mv = choice[random.next_u32() as usize % choice.len()];
        line.push(mv);
        board = board_after(&board, mv);
    }
    line
}

struct Checker<'a, 'e> {
    engine: &'a mut Engine<'e>,
    numbers: &'a KeyNumbers,
    policy: EnPassantPolicy,
    report: KeyReport,
    /// Key of each position and clock.
    seen: HashMap<(Packed, u16), (PrintedKey, PositionCommand)>,
    /// Position of each key.
    keys: HashMap<PrintedKey, (Packed, PositionCommand)>,
}

impl<'a, 'e> Checker<'a, 'e> {
    fn new(engine: &'a mut Engine<'e>, conventions: &'a KeyConventions) -> Checker<'a, 'e> {
        let (report, seen, keys) = (KeyReport::default(), HashMap::new(), HashMap::new());
        let (numbers, policy) = (&*conventions.numbers, conventions.policy());
        Checker { engine, numbers, policy, report, seen, keys }
    }

    /// Checks the keys of variants of the position, after its moves, and along random lines; returns all that was found.
    fn check_moves(mut self, row: &Row, lines: RandomLines) -> Result<KeyReport, EngineFailure> {
        self.check_variants(row.board())?;
        let mut random = ChaCha20Rng::seed_from_u64(lines.seed);
        random.set_stream(row.line as u64);
        for &mv in legal_moves(row.board()).iter() {
            self.check_line(row.board(), &[mv])?;
        }
        for _ in 0..lines.number {
            let line = random_line(row.board(), lines.plies, &mut random);
            self.check_line(row.board(), &line)?;
            self.check_swapped(row.board(), &line)?;
            if self.is_full() {
                break;
            }
        }
        Ok(self.report)
    }

    fn is_full(&self) -> bool {
        self.report.findings.len() >= MAX_FINDINGS
    }

    fn add_finding(&mut self, finding: KeyFinding) {
        // One error shows in many lines.
        let known = |other: &KeyFinding| (other.fault, &other.cause) == (finding.fault, &finding.cause);
        if !self.is_full() && !self.report.findings.iter().any(known) {
            self.report.findings.push(finding);
        }
    }

    fn ask_key(&mut self, position: &PositionCommand) -> Result<PrintedKey, EngineFailure> {
        let shown = self.engine.display(position)?;
        require_key(shown.key(), self.engine, position)
    }

    /// Checks that counting does not change the key.
    fn check_key_after_perft(&mut self, root: &PositionCommand) -> Result<(), EngineFailure> {
        // An engine that exits after perft has no key then.
        if self.engine.dialect.ending == Ending::Exit {
            return Ok(());
        }
        let shown = self.engine.display(root)?;
        let (before, fen) = (require_key(shown.key(), self.engine, root)?, shown.fen);
        self.engine.divide(root, PERFT_PLIES)?;
        let shown = self.engine.display_again()?;
        let after = require_key(shown.key(), self.engine, root)?;
        if before != after {
            let elsewhere = shown.fen.filter(|shown| fen.as_ref() != Some(shown));
            self.add_finding(KeyFinding {
                fault: KeyFault::ChangedByPerft,
                cause: match elsewhere {
                    Some(fen) => format!("after perft {PERFT_PLIES} it shows {fen}"),
                    None => format!("after perft {PERFT_PLIES}"),
                },
                position: root.clone(),
                other: None,
                expected: before.to_string(),
                found: after.to_string(),
            });
        }
        Ok(())
    }

    /// Checks that castling rights and the side to move change the key: the same board with each smaller set of rights,
    /// and with the other side to move.
    fn check_variants(&mut self, board: &Board) -> Result<(), EngineFailure> {
        let held = board.castling_rights();
        let mut variants: Vec<Board> = (0..16)
            .map(CastlingRights::new)
            .filter(|rights| rights.without(held) == CastlingRights::NONE)
            .filter_map(|rights| board_with_rights(board, rights))
            .collect();
        let flipped = |board: &Board| board_with(board, |setup| (setup.turn, setup.en_passant) = (!setup.turn, None));
        variants.extend(variants.clone().iter().filter_map(flipped));
        for variant in variants {
            let position = by_fen(&variant, self.policy);
            let key = self.ask_key(&position)?;
            self.identify(&variant, key, position);
        }
        Ok(())
    }

    /// Checks that equal positions have equal keys, and different ones different keys.
    fn identify(&mut self, board: &Board, key: PrintedKey, position: PositionCommand) {
        let packed = Packed::of(board, self.policy);
        let finding = |fault, cause: &str, other: &PositionCommand, expected: String| KeyFinding {
            fault,
            cause: cause.into(),
            position: position.clone(),
            other: Some(other.clone()),
            expected,
            found: key.to_string(),
        };
        if let Some((known, other)) = self.seen.get(&(packed, board.halfmove())) {
            self.report.transpositions += 1;
            if *known != key {
                let found = finding(KeyFault::Twofold, "reached by two lines", other, known.to_string());
                self.add_finding(found);
            }
            return;
        }
        self.report.positions += 1;
        let is_judged = are_no_chance(self.report.positions, self.numbers.bits());
        if let Some((_, other)) = self.keys.get(&key).filter(|(known, _)| is_judged && *known != packed) {
            let found = finding(
                KeyFault::Shared,
                &self.name_differing_fields(&position, other),
                other,
                format!("a key other than {key}"),
            );
            self.add_finding(found);
        }
        self.seen.insert((packed, board.halfmove()), (key, position.clone()));
        self.report.seen.push(KeyOfPosition { key, packed, position: position.clone() });
        self.keys.entry(key).or_insert((packed, position));
    }

    /// Names the fields in which two positions with one key differ.
    fn name_differing_fields(&self, one: &PositionCommand, other: &PositionCommand) -> String {
        let fields = |position: &PositionCommand| position.fen.split(' ').take(4).map(String::from).collect::<Vec<_>>();
        let names = ["pieces", "side to move", "castling rights", "e.p. square"];
        let (one, other) = (fields(one), fields(other));
        let differing: Vec<_> = (0..4).filter(|&i| one.get(i) != other.get(i)).map(|i| names[i]).collect();
        format!("they differ in: {}", differing.join(", "))
    }

    /// Checks the key after each move of a line from the root.
    fn check_line(&mut self, root: &Board, line: &[Move]) -> Result<(), EngineFailure> {
        let (mut board, mut position) = (*root, by_fen(root, self.policy));
        for (ply, &mv) in line.iter().enumerate() {
            let before = board;
            board = board_after(&board, mv);
            position = position.then(&self.engine.written(mv));
            let fen = by_fen(&board, self.policy);
            let shown = self.engine.display(&position)?;
            let moved = require_key(shown.key(), self.engine, &position)?;
            let given = self.ask_key(&fen)?;
            self.report.compared += 1;
            if let Some(other) = shown.fen.filter(|shown| is_another(shown, &board)) {
                self.add_finding(KeyFinding {
                    fault: KeyFault::OtherPosition,
                    cause: describe_wrong_move(&before, mv, &other),
                    position,
                    other: None,
                    expected: fen.fen,
                    found: other,
                });
                return Ok(());
            }
            if moved != given {
                return self.report_wrong_key(root, &line[..=ply]);
            }
            self.report.right.add(MoveProperties::of(&before, mv, &board));
            self.identify(&board, given, fen);
        }
        Ok(())
    }

    /// Checks the line with its first and third move swapped: a transposition.
    fn check_swapped(&mut self, root: &Board, line: &[Move]) -> Result<(), EngineFailure> {
        let [first, between, last, ..] = *line else { return Ok(()) };
        let (mut board, mut swapped) = (*root, Vec::new());
        for mv in [last, between, first] {
            if !legal_moves(&board).contains(&mv) {
                return Ok(());
            }
            board = board_after(&board, mv);
            swapped.push(mv);
        }
        self.check_line(root, &swapped)
    }

    /// Finds the shortest end of a line that shows the wrong key, and its explanation.
    fn report_wrong_key(&mut self, root: &Board, line: &[Move]) -> Result<(), EngineFailure> {
        let mut boards = vec![*root];
        for &mv in line {
            boards.push(board_after(&boards[boards.len() - 1], mv));
        }
        let end = boards[line.len()];
        let other = by_fen(&end, self.policy);
        let given = self.ask_key(&other)?;
        for start in (0..line.len()).rev() {
            let mut position = by_fen(&boards[start], self.policy);
            position.moves = line[start..].iter().map(|&mv| self.engine.written(mv)).collect();
            let moved = self.ask_key(&position)?;
            if moved == given {
                continue;
            }
            let last = line.len() - 1;
            let (mv, difference) = (line[start], self.numbers.difference(moved.key, given.key));
            let moved_by = explain_legal_move(&boards[start], mv);
            let cause = match start == last {
                true => self.explain_wrong_key(&boards[last], mv, &end, difference)?,
                false => format!("{moved_by} and what follows"),
            };
            self.add_finding(KeyFinding {
                fault: KeyFault::NotOfItsFen,
                cause,
                position,
                other: Some(other),
                expected: given.to_string(),
                found: moved.to_string(),
            });
            break;
        }
        Ok(())
    }

    /// Explains a difference after a move: by the terms that the move edits, by any other numbers that are known, or by
    /// one number that stands in the place of each promoted piece.
    fn explain_wrong_key(
        &mut self,
        before: &Board,
        mv: Move,
        after: &Board,
        difference: u128,
    ) -> Result<String, EngineFailure> {
        let (policy, moved_by) = (self.policy, explain_legal_move(before, mv));
        let key = |board: &Board| self.ask_key(&by_fen(board, policy)).map(|printed| Some(printed.key));
        if let Some(terms) = explain_difference(key, (before, after), difference, policy)? {
            return Ok(format!("{terms} after {moved_by}"));
        }
        let few = explain(self.numbers, difference);
        if let Some(parts) = few.or_else(|| explain_beside(self.numbers, difference, &changed_pieces(before, after))) {
            return Ok(format!(
                "{} after {moved_by}",
                describe_edits(&parts, (before, mv, after), self.numbers.is_by_right())
            ));
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
            let position = by_fen(before, self.policy).then(&self.engine.written(other));
            let keys = [self.ask_key(&position)?, self.ask_key(&by_fen(&board_after(before, other), self.policy))?];
            if keys[0].key ^ keys[1].key ^ number != constant {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
