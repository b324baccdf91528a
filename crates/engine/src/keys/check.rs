//! Checks an engine's keys for a row: after every root move, along random lines, and for variants of the position.

use crate::dialect::Ending;
use crate::keys::key_probe::KeyConventions;
use crate::keys::move_properties::MoveProperties;
use crate::keys::numbers::{KeyNumbers, are_no_chance};
use crate::keys::report::{
    KeyFault, KeyFinding, KeyOfPosition, KeyReport, PositionsByKey, PrintedKey, is_another, require_key,
};
use crate::outcome::Result;
use crate::request::PositionCommand;
use crate::uci::Engine;
use perft_gate_chess::{
    Board, CastlingRights, EnPassantPolicy, Fen, Kind, Move, Packed, explain_legal_move, legal_moves,
};
use perft_gate_judge::gate::term_probe::{board_with, board_with_rights};
use perft_gate_listing::Display;
use perft_gate_suite::Row;
use perft_gate_walk::board_after;
use perft_gate_zobrist::Term;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::collections::HashMap;
use std::sync::Arc;

/// Maximum number of findings reported for a row.
const MAX_FINDINGS: usize = 3;
/// Number of plies counted to check that counting does not change the key.
const PERFT_PLIES: u32 = 2;
/// Number of random lines of play per row.
const RANDOM_LINES: u32 = 8;
/// Maximum number of plies of a random line.
const LINE_PLIES: u32 = 8;

/// Checks the FENs that the engine shows for a row, and the keys if it shows any.
pub(crate) fn check(engine: &mut Engine<'_>, conventions: Option<&KeyConventions>, row: &Row) -> Result<KeyReport> {
    let mut checker = Checker::new(engine, conventions);
    if conventions.is_some() {
        checker.check_key_after_perft(&PositionCommand::from_board(row.board()))?;
    }
    checker.check_moves(row, RANDOM_LINES)
}

/// Returns a random line of play. Half of the time it prefers special moves, because these break keys most often.
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

pub(super) struct Checker<'a, 'e> {
    pub(super) engine: &'a mut Engine<'e>,
    /// Properties of the keys, if the engine shows any.
    conventions: Option<&'a KeyConventions>,
    pub(super) numbers: Arc<KeyNumbers>,
    pub(super) report: KeyReport,
    /// Key of each position. Here positions also differ by their clocks, and by their e.p. squares even if no capture
    /// is legal.
    seen: HashMap<(Packed, u16, u32), (PrintedKey, PositionCommand)>,
    /// Position of each key. Here an e.p. square counts only if a capture is legal.
    keys: PositionsByKey,
}

impl<'a, 'e> Checker<'a, 'e> {
    pub(super) fn new(engine: &'a mut Engine<'e>, conventions: Option<&'a KeyConventions>) -> Checker<'a, 'e> {
        let (report, seen, keys) = (KeyReport::default(), HashMap::new(), PositionsByKey::default());
        let numbers = conventions.map_or_else(Arc::default, |conventions| Arc::clone(&conventions.numbers));
        Checker { engine, conventions, numbers, report, seen, keys }
    }

    /// Checks the keys of variants of the row's position, the keys after each of its moves, and those along `lines`
    /// random lines. Returns the report.
    pub(super) fn check_moves(mut self, row: &Row, lines: u32) -> Result<KeyReport> {
        if self.conventions.is_some() {
            self.check_variants(row.board())?;
        }
        let mut random = ChaCha20Rng::seed_from_u64(self.engine.settings.seed);
        random.set_stream(row.line as u64);
        for &mv in legal_moves(row.board()).iter() {
            self.check_line(row.board(), &[mv])?;
        }
        for _ in 0..lines {
            let line = random_line(row.board(), LINE_PLIES, &mut random);
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

    pub(super) fn add_finding(&mut self, finding: KeyFinding) {
        // One error shows up in many lines of play, so findings with the same fault and cause are added only once.
        let known = |other: &KeyFinding| (other.fault, &other.cause) == (finding.fault, &finding.cause);
        if !self.is_full() && !self.report.findings.iter().any(known) {
            self.report.findings.push(finding);
        }
    }

    /// Returns the key of a position, without the contribution of the number of plies since the position was given.
    pub(super) fn ask_key(&mut self, position: &PositionCommand) -> Result<PrintedKey> {
        let shown = self.engine.display(position)?;
        self.key_of(&shown, position)
    }

    fn key_of(&self, shown: &Display, position: &PositionCommand) -> Result<PrintedKey> {
        let PrintedKey { key, base } = require_key(shown.key(), self.engine, position)?;
        let without = |conventions: &KeyConventions| conventions.without_plies(key, position.moves.len());
        Ok(PrintedKey { key: self.conventions.map_or(key, without), base })
    }

    /// Checks that counting does not change the key.
    fn check_key_after_perft(&mut self, root: &PositionCommand) -> Result<()> {
        // An engine that exits after perft cannot show a key afterwards.
        if self.engine.dialect.ending == Ending::Exit {
            return Ok(());
        }
        let shown = self.engine.display(root)?;
        let (before, fen) = (require_key(shown.key(), self.engine, root)?, shown.fen);
        self.engine.divide(root, PERFT_PLIES)?;
        let shown = self.engine.display_again()?;
        let after = require_key(shown.key(), self.engine, root)?;
        // Even if the key is the same as before, the engine may not have restored its board.
        let elsewhere = shown.fen.filter(|shown| fen.as_ref() != Some(shown));
        let (expected, found) = match (&elsewhere, fen) {
            (Some(elsewhere), Some(fen)) if before == after => (fen, elsewhere.clone()),
            _ if before == after => return Ok(()),
            _ => (before.to_string(), after.to_string()),
        };
        let shown = elsewhere.map_or(String::new(), |fen| format!(" it shows {fen}"));
        let cause = format!("after perft {PERFT_PLIES}{shown}");
        self.add_finding(KeyFinding::new(KeyFault::ChangedByPerft, cause, (root.clone(), None), [&expected, &found]));
        Ok(())
    }

    /// Checks that castling rights and the side to move change the key: compares the keys of all variants of the board
    /// that have any subset of its rights and either side to move.
    fn check_variants(&mut self, board: &Board) -> Result<()> {
        let held = board.castling_rights();
        let subsets = (0..16).map(CastlingRights::new).filter(|rights| rights.without(held) == CastlingRights::NONE);
        let mut variants: Vec<Board> = subsets.filter_map(|rights| board_with_rights(board, rights)).collect();
        let flipped = |board: &Board| board_with(board, |setup| (setup.turn, setup.en_passant) = (!setup.turn, None));
        variants.extend(variants.clone().iter().filter_map(flipped));
        for variant in variants {
            let position = PositionCommand::from_board(&variant);
            let key = self.ask_key(&position)?;
            self.identify(&variant, key, position);
        }
        Ok(())
    }

    /// Checks that equal positions have equal keys, and that different positions have different keys.
    fn identify(&mut self, board: &Board, key: PrintedKey, position: PositionCommand) {
        // Whether an e.p. square without a legal capture is in the key is a habit of the engine, not an error.
        let [whole, packed] =
            [EnPassantPolicy::Always, EnPassantPolicy::Legal].map(|policy| Packed::new(board, policy));
        let fullmove = if self.conventions.is_some_and(|keys| keys.fullmove) { board.fullmove() } else { 0 };
        let place = (whole, board.halfmove(), fullmove);
        if let Some((known, other)) = self.seen.get(&place) {
            self.report.transpositions += 1;
            if *known != key {
                let (cause, positions) = ("reached by two lines", (position, Some(other.clone())));
                self.add_finding(KeyFinding::new(KeyFault::Twofold, cause, positions, [known, &key]));
            }
            return;
        }
        self.report.positions += 1;
        let is_judged = are_no_chance(self.report.positions, self.numbers.bits);
        self.seen.insert(place, (key, position.clone()));
        let seen = KeyOfPosition { key, packed, position };
        self.report.seen.push(seen.clone());
        if let Some(clash) = self.keys.add(seen).filter(|_| is_judged) {
            self.add_finding(KeyFinding::shared_key(name_differing_fields(&clash), clash));
        }
    }

    /// Checks the key and the FEN after each move of a line from the root.
    fn check_line(&mut self, root: &Board, line: &[Move]) -> Result<()> {
        let (mut board, mut position) = (*root, PositionCommand::from_board(root));
        for (ply, &mv) in line.iter().enumerate() {
            let before = board;
            board = board_after(&board, mv);
            position = position.then(&self.engine.write_move(mv));
            let fen = PositionCommand::from_board(&board);
            let (shown, given) = match self.conventions {
                Some(_) => self.engine.display_both([&position, &fen])?.into(),
                None => (self.engine.display(&position)?, Display::default()),
            };
            if let Some(finding) = self.check_fen(&shown, (&before, mv, &board), &position) {
                let is_lost = finding.fault == KeyFault::OtherPosition;
                self.add_finding(finding);
                if is_lost {
                    return Ok(());
                }
            }
            if self.conventions.is_none() {
                continue;
            }
            let (moved, given) = (self.key_of(&shown, &position)?, self.key_of(&given, &fen)?);
            self.report.compared += 1;
            if moved != given && !self.is_habit([root, &board], self.numbers.difference(moved.key, given.key)) {
                return self.report_wrong_key(root, &line[..=ply]);
            }
            self.report.right.add(MoveProperties::new(&before, mv, &board));
            self.identify(&board, given, fen);
        }
        Ok(())
    }

    /// If the engine shows FENs, compares the one that it shows after a move with the actual position.
    fn check_fen(
        &mut self,
        shown: &Display,
        (before, mv, board): (&Board, Move, &Board),
        position: &PositionCommand,
    ) -> Option<KeyFinding> {
        let (kept, found) = self.engine.dialect.fen.zip(shown.fen.as_ref())?;
        self.report.fens += 1;
        let fields = kept.wrong_fields(found, board)?;
        let mv = explain_legal_move(before, mv);
        let (fault, cause) = match is_another(found, board) {
            true if !is_another(found, before) => (KeyFault::OtherPosition, format!("{mv} is ignored")),
            true => (KeyFault::OtherPosition, format!("{fields} after {mv}")),
            false => (KeyFault::WrongFen, format!("{fields} after {mv}")),
        };
        let expected = Fen::write(board, EnPassantPolicy::Always);
        Some(KeyFinding::new(fault, cause, (position.clone(), None), [&expected, found]))
    }

    /// Returns true if the difference between two keys comes from an e.p. square that the engine includes in its key
    /// only when given by FEN or only after moves. A finding of the whole run reports that habit.
    pub(super) fn is_habit(&self, boards: [&Board; 2], difference: u128) -> bool {
        let Some(keys) = self.conventions.filter(|keys| keys.by_fen != keys.by_moves) else { return false };
        let counts = |board: &Board| [keys.by_fen, keys.by_moves].map(|habit| habit.counts(board));
        let differ = |board: &&Board| !matches!(counts(board), [Some(by_fen), Some(by_moves)] if by_fen == by_moves);
        let squares = boards.into_iter().filter(differ).filter_map(|board| board.en_passant(EnPassantPolicy::Always));
        let mut sums = vec![0];
        for square in squares {
            // A square that is not in the key when given by FEN has no known number.
            let Some(number) = self.numbers.value(Term::EnPassant(Some(square))) else { return true };
            let with =
                |sum: &u128| [self.numbers.difference(*sum, number), self.numbers.composition.join(*sum, number), *sum];
            sums = sums.iter().flat_map(with).collect();
        }
        sums.contains(&difference)
    }

    /// Checks the line with its first and third moves swapped: a transposition.
    fn check_swapped(&mut self, root: &Board, line: &[Move]) -> Result<()> {
        let [first, between, last, ..] = *line else { return Ok(()) };
        let (mut board, swapped) = (*root, [last, between, first]);
        for mv in swapped {
            if !legal_moves(&board).contains(&mv) {
                return Ok(());
            }
            board = board_after(&board, mv);
        }
        self.check_line(root, &swapped)
    }
}

/// Names the FEN fields in which two positions that share a key differ.
fn name_differing_fields([one, other]: &[KeyOfPosition; 2]) -> String {
    let names = ["pieces", "side to move", "castling rights", "e.p. square"];
    let fields = one.position.fen.split(' ').zip(other.position.fen.split(' ')).zip(names);
    let differing: Vec<_> = fields.filter(|((one, other), _)| one != other).map(|(_, name)| name).collect();
    format!("they differ in: {}", differing.join(", "))
}
