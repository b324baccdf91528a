//! Audit of an engine's table of Zobrist numbers, which is learned from the keys that the engine prints.
//!
//! The audit needs no perft. It uses the numbers that every run learns ([`numbers`](super::numbers)), plus those of
//! pawns on back ranks if the engine accepts such pawns. The [facts](super::facts) describe the key scheme in words.
//! The [table](super::table) is checked against the keys of a few hundred whole positions, to show that the keys depend
//! on nothing else.

use crate::descent;
use crate::keys::check::{Checker, random_line};
use crate::keys::en_passant::EnPassantHabit;
use crate::keys::explanation::explain;
use crate::keys::facts::{BackRankPawns, KeyFacts};
use crate::keys::key_probe::KeyConventions;
use crate::keys::numbers::{KeyNumbers, Number};
use crate::keys::parts::{KINGS, board};
use crate::keys::report::{KeyFinding, PrintedKey, RunKeys, accepted_key};
use crate::keys::scheme_match::SchemeMatch;
use crate::keys::table::{EngineTable, NoTable};
use crate::learned::{KeyLine, Shown};
use crate::outcome::{EngineFailure, FailureKind, Result};
use crate::request::PositionCommand;
use crate::settings::EngineSettings;
use crate::uci::{Engine, describe_found};
use perft_gate_chess::{Board, CastlingRights, Color, EnPassantPolicy, Fen, Setup};
use perft_gate_judge::gate::term_probe::board_with;
use perft_gate_simd::V1;
use perft_gate_suite::Row;
use perft_gate_zobrist::Term;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;
use std::collections::HashSet;
use std::time::Duration;

/// Maximum number of rows whose moves are checked.
const MAX_ROWS: usize = 12;
/// Number of random lines of play per row.
const RANDOM_LINES: u32 = 4;
/// Maximum number of wrong keys after moves that are reported.
const MAX_FINDINGS: usize = 8;
/// Time limit for the answer about a position that cannot occur in a game. Some engines hang on such positions.
const BACK_RANK_PATIENCE: Duration = Duration::from_secs(3);
/// Maximum number of lines of an answer that a message quotes.
const QUOTED: usize = 8;

/// Result of an audit of an engine's keys.
#[perft_gate_chess::document(decimal, Clone, Debug, serde::Serialize)]
pub struct KeyAudit {
    /// Name that the engine gives itself.
    #[serde(rename = "engine")]
    pub name: String,
    /// Number of positions that the engine was asked to show.
    pub questions: u64,
    /// What the keys reveal about the scheme.
    pub facts: KeyFacts,
    /// Comparison with the expected scheme or, if none is given, with the published scheme that the keys resemble.
    pub scheme: Option<SchemeMatch>,
    /// Result of comparing the keys of whole positions with the table. Null if there is no table.
    #[serde(rename = "positions")]
    pub check: Option<TableCheck>,
    /// Number of keys after moves that were compared with the key of the same position given by FEN.
    pub moves: u64,
    /// Wrong keys.
    pub findings: Vec<KeyFinding>,
    /// Number of the wrong keys that were found by checking moves.
    #[serde(skip)]
    pub wrong_moves: usize,
    /// The command that shows a key, and the line that shows the key of the start position.
    #[serde(skip)]
    pub shown: String,
    /// The numbers as a key table, or the reason why they do not form one.
    #[serde(skip)]
    pub table: Result<EngineTable, NoTable>,
}

impl KeyAudit {
    /// Learns an engine's keys without perft. The rows provide the whole positions to check.
    ///
    /// **Errors**: if the engine does not start, gives no answer, or shows no key.
    pub fn run(settings: &EngineSettings, rows: &[Row]) -> Result<KeyAudit> {
        let mut engine = Engine::launch(settings)?;
        engine.ready()?;
        let shown = Shown::learn(&mut engine)?;
        let conventions = KeyConventions::learn(&mut engine)?;
        let Some((conventions, KeyLine { line, .. })) = conventions.zip(shown.key.clone()) else {
            return Err(describe_missing_key(&mut engine)?);
        };
        let is_chess = |row: &&Row| row.position.as_ref().is_ok_and(|board| !board.is_chess960());
        let rows: Vec<&Row> = rows.iter().filter(is_chess).collect();
        let (moves, wrong) = check_rows(&mut engine, &conventions, &rows)?;
        let table = EngineTable::learn(&conventions.numbers, conventions.by_fen.policy(), shown.digits);
        let boards = rows.iter().map(|row| *row.board());
        let check = |table| TableCheck::new(&mut engine, table, &conventions, boards);
        let check = table.as_ref().ok().map(check).transpose()?;
        // Positions with back-rank pawns come last, because an engine may crash on them.
        let (numbers, pawns) = with_back_rank_pawns(&mut engine, &conventions.numbers, shown.fen);
        let facts = KeyFacts::new(&numbers, &conventions, pawns, shown.digits);
        let table = table.and_then(|_| EngineTable::learn(&numbers, conventions.by_fen.policy(), shown.digits));
        let (name, questions) = (engine.name.clone(), engine.questions);
        engine.quit();
        let (wrong_moves, findings) = (wrong.len(), [conventions.findings, wrong].concat());
        let shown =
            format!("'{}' shows {} '{line}'", shown.command, if shown.fen { "Fen: and" } else { "no Fen:, but" });
        let scheme = conventions.scheme;
        Ok(KeyAudit { name, questions, facts, scheme, check, moves, findings, wrong_moves, shown, table })
    }

    /// Returns true if a key is wrong, either because it depends on more than the position or because it is not the
    /// combination of its terms' numbers.
    pub fn has_wrong_keys(&self) -> bool {
        !self.findings.is_empty() || self.check.as_ref().is_some_and(|check| check.wrong > 0)
    }
}

/// Returns the failure to report for an engine that shows no key.
fn describe_missing_key(engine: &mut Engine<'_>) -> Result<EngineFailure> {
    let display = engine.settings.display.clone();
    engine.display(&PositionCommand::new(Fen::START))?;
    let lines = engine.displayed_lines()?;
    let quoted = lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty()).take(QUOTED);
    let found = describe_found(&quoted.map(String::from).collect::<Vec<_>>());
    let next = "set the command with --display-cmd, or the format of the key with --key-pattern";
    let message = format!("--audit-keys: '{display}' shows no key, {found}, expected 'Key: 8F8F01D4562F59FB': {next}");
    Ok(engine.failure(FailureKind::PatternMisfit, message))
}

/// For some of the rows, compares keys after moves with the keys of the same positions given by FEN.
fn check_rows(engine: &mut Engine<'_>, conventions: &KeyConventions, rows: &[&Row]) -> Result<(u64, Vec<KeyFinding>)> {
    let (mut compared, mut findings): (u64, Vec<KeyFinding>) = (0, Vec::new());
    let mut seen = RunKeys::new(conventions.numbers.bits);
    for row in rows.iter().step_by(rows.len().div_ceil(MAX_ROWS).max(1)) {
        let mut report = Checker::new(engine, Some(conventions)).check_moves(row, RANDOM_LINES)?;
        seen.add(&mut report);
        compared += report.compared;
        let is_new = |found: &KeyFinding| {
            !findings.iter().any(|other| (other.fault, &other.cause) == (found.fault, &found.cause))
        };
        let new: Vec<KeyFinding> = report.findings.into_iter().filter(is_new).collect();
        findings.extend(new);
    }
    findings.truncate(MAX_FINDINGS);
    Ok((compared, findings))
}

/// Adds the key numbers of pawns on back ranks, if the engine accepts such positions without crashing.
fn with_back_rank_pawns(engine: &mut Engine<'_>, known: &KeyNumbers, shows_fen: bool) -> (KeyNumbers, BackRankPawns) {
    let mut numbers = known.clone();
    if !shows_fen {
        return (numbers, BackRankPawns::NotAsked);
    }
    engine.patience = engine.patience.min(BACK_RANK_PATIENCE);
    let mut learned = 0;
    for part in Term::all_pieces().filter(|part| !part.is_in_play()) {
        let Term::Piece(piece, square) = part else { continue };
        let boards = KINGS.map(board);
        let without = boards.into_iter().find(|board| board.piece_on(square).is_none()).expect("a free square");
        let mut setup = Setup::from(&without);
        setup.pieces[square.index()] = Some(piece);
        let with = Board::new(&setup);
        match (shown_key(engine, &with), shown_key(engine, &without)) {
            (Ok(Some(one)), Ok(Some(other))) => {
                let value = numbers.difference(one, other);
                numbers.numbers.push(Number { part, value, boards: [with, without] });
                learned += 1;
            }
            (Err(_), _) | (_, Err(_)) => return (known.clone(), BackRankPawns::Died),
            _ => {}
        }
    }
    (numbers, BackRankPawns::Known(learned))
}

/// Returns the key that the engine shows for a position, if the FEN that it shows has the right pieces.
fn shown_key(engine: &mut Engine<'_>, board: &Board) -> Result<Option<u128>> {
    let position = PositionCommand::from_board(board);
    let shown = engine.display(&position)?;
    let pieces = |fen: &str| fen.split(' ').next().map(String::from);
    let is_taken = shown.fen.as_deref().and_then(pieces) == pieces(&position.fen);
    Ok(shown.key().filter(|_| is_taken))
}

/// Maximum number of whole positions whose keys are compared with the table.
const MAX_POSITIONS: usize = 420;
/// Number of plies of the random line from each position.
const PLIES: u32 = 40;
/// Number of plies between two positions taken from a line.
const TAKEN_EVERY: usize = 8;

/// Result of comparing the keys of whole positions with the keys that the learned table predicts.
#[perft_gate_chess::document(Clone, PartialEq, Eq, Default, Debug, serde::Serialize)]
pub struct TableCheck {
    /// Number of positions whose key is the one that the table predicts.
    pub right: usize,
    /// Number of positions whose key differs from the one that the table predicts.
    pub wrong: usize,
    /// Number of positions that the engine refused, or whose key the table cannot predict.
    pub refused: usize,
    /// The first position whose key differs from the one that the table predicts.
    pub first: Option<TableMismatch>,
    /// If all wrong keys are off by the same number, that number and what the positions have in common.
    pub constant: Option<String>,
}

/// A key that differs from the one that the learned table predicts.
#[perft_gate_chess::document(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct TableMismatch {
    /// The position.
    pub position: PositionCommand,
    /// The table's key.
    pub expected: String,
    /// The engine's key.
    pub found: String,
    /// The terms whose numbers explain the difference, if any do.
    pub terms: Option<String>,
}

impl TableCheck {
    /// Compares the engine's keys with the table's keys, for `boards` and for positions on random lines from them.
    pub(super) fn new(
        engine: &mut Engine<'_>,
        table: &EngineTable,
        KeyConventions { numbers, by_fen, .. }: &KeyConventions,
        boards: impl Iterator<Item = Board>,
    ) -> Result<TableCheck> {
        let (mut check, tables) = (TableCheck::default(), table.key_tables(&table.axes));
        let (mut differences, mut wrong, mut right) = (HashSet::new(), Vec::new(), Vec::new());
        for board in whole_positions(boards, engine.settings.seed) {
            let position = PositionCommand::from_board(&board);
            let asked = is_predicted(table, *by_fen, &board).then(|| engine.display(&position)).transpose()?;
            let Some(found) = asked.and_then(|shown| accepted_key(&shown, &board)) else {
                check.refused += 1;
                continue;
            };
            let expected = tables.key(&board).0;
            if found == expected {
                check.right += 1;
                right.push(board);
                continue;
            }
            check.wrong += 1;
            wrong.push(board);
            differences.insert(numbers.difference(found, expected));
            if check.first.is_none() {
                let terms = explain(numbers, numbers.difference(found, expected));
                let names = terms.map(|parts| parts.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "));
                let [expected, found] =
                    [expected, found].map(|key| PrintedKey { key, base: engine.dialect.key_base }.to_string());
                check.first = Some(TableMismatch { position, expected, found, terms: names });
            }
        }
        if let (1, Some(difference)) = (differences.len(), differences.into_iter().next()) {
            let number = PrintedKey { key: difference, base: engine.dialect.key_base };
            check.constant = Some(format!("all differ by one number, {number}, {}", common_trait(&wrong, &right)));
        }
        Ok(check)
    }
}

/// Returns true if the table can predict the key of a board. For this, the table must have the numbers of all its
/// terms, and `habit` must decide whether the e.p. square is in the key.
fn is_predicted(table: &EngineTable, habit: EnPassantHabit, board: &Board) -> bool {
    habit.counts(board).is_some() && table.covers(board)
}

/// A trait of positions whose keys may contain an extra number: a text that describes the trait, and a test for it.
type PositionTrait = (&'static str, fn(&Board) -> bool);

const TRAITS: [PositionTrait; 6] = [
    ("in every position in check", |board| board.in_check(V1::token())),
    ("wherever an e.p. capture is legal", |board| board.en_passant(EnPassantPolicy::Legal).is_some()),
    ("wherever a side may castle", |board| board.castling_rights() != CastlingRights::NONE),
    ("wherever no side may castle", |board| board.castling_rights() == CastlingRights::NONE),
    ("in every position with Black to move", |board| board.turn() == Color::Black),
    ("in every position with White to move", |board| board.turn() == Color::White),
];

/// Returns the first trait that every position with a wrong key has and no position with a right key has.
fn common_trait(wrong: &[Board], right: &[Board]) -> &'static str {
    let is_common = |(_, holds): &&PositionTrait| wrong.iter().all(holds) && !right.iter().any(holds);
    TRAITS.iter().find(is_common).map_or("in positions with no simple trait in common", |(name, _)| name)
}

/// Returns the orthodox positions in `boards`, and some from random lines that start there, all with halfmove clock 0.
fn whole_positions(boards: impl Iterator<Item = Board>, seed: u64) -> Vec<Board> {
    let mut random = ChaCha20Rng::seed_from_u64(seed);
    let roots: Vec<Board> = boards.filter(|board| !board.is_chess960()).take(MAX_POSITIONS / 2).collect();
    let mut positions = roots.clone();
    for (number, root) in (0..).zip(&roots) {
        random.set_stream(number);
        let line = descent::boards(root, &random_line(root, PLIES, &mut random));
        let is_taken = |&(ply, board): &(usize, &Board)| {
            ply.is_multiple_of(TAKEN_EVERY) || board.en_passant(EnPassantPolicy::Legal).is_some()
        };
        positions.extend(line.iter().enumerate().skip(1).filter(is_taken).map(|(_, board)| *board));
    }
    positions.truncate(MAX_POSITIONS);
    positions.iter().filter_map(|board| board_with(board, |setup| setup.halfmove = 0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_zobrist::preset;

    #[test]
    fn nothing_is_predicted_of_squares_without_a_rule() {
        let tables = preset("cpw781").and_then(|scheme| scheme.key_tables(0)).expect("a scheme with keys");
        let numbers = KeyNumbers::learn_from(|board| Some(tables.key(board).0));
        let table = EngineTable::learn(&numbers, Some(EnPassantPolicy::Legal), Some(16)).expect("a table");
        let boards = ["4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "8/8/8/K1pP3r/8/8/8/4k3 w - c6 0 1"].map(board);
        let between = EnPassantHabit::Between([EnPassantPolicy::Legal, EnPassantPolicy::Pseudo]);
        for (habit, expected) in [
            (EnPassantHabit::Policy(EnPassantPolicy::Legal), [true, true]),
            (between, [true, false]),
            (EnPassantHabit::NoRule, [true, false]),
        ] {
            assert_eq!(boards.each_ref().map(|board| is_predicted(&table, habit, board)), expected, "{habit:?}");
        }
    }
}
