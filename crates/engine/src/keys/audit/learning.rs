//! Questions of the audit, beside those that every run asks.

use crate::failure::{EngineFailure, FailureKind};
use crate::keys::audit::facts::{BackRankPawns, KeyFacts};
use crate::keys::audit::table::EngineTable;
use crate::keys::audit::whole::TableCheck;
use crate::keys::check::{RandomLines, check_moves};
use crate::keys::finding::KeyFinding;
use crate::keys::key_probe::KeyConventions;
use crate::keys::numbers::{KeyNumbers, Number};
use crate::keys::parts::{KINGS, Part, board};
use crate::keys::run_keys::RunKeys;
use crate::learned::{KeyLine, Shown};
use crate::position_command::PositionCommand;
use crate::settings::EngineSettings;
use crate::uci::Engine;
use perft_gate_chess::{Board, Color, EnPassantPolicy, Fen, Piece, Role, Setup, Square};
use perft_gate_suite::Row;
use std::time::Duration;

/// Maximum number of rows whose moves are checked.
const MAX_ROWS: usize = 12;
/// Maximum number of wrong keys after moves that are reported.
const MAX_FINDINGS: usize = 8;
/// Time that an engine has for a position that no game has: some hang there.
const BACK_RANK_PATIENCE: Duration = Duration::from_secs(3);
/// Number of lines of an answer that a message quotes.
const QUOTED: usize = 8;

/// What an engine's keys are made of.
#[derive(Clone, Debug)]
pub struct KeyAudit {
    /// Name that the engine gives itself.
    pub name: String,
    /// Command that shows a key, and the line of the start position.
    pub shown: String,
    /// Properties of the keys, with what is wrong in them.
    pub conventions: KeyConventions,
    /// What keys show of the scheme.
    pub facts: KeyFacts,
    /// The numbers as a key table, or why there is none.
    pub table: Result<EngineTable, String>,
    /// Keys of whole positions, if there is a table.
    pub check: Option<TableCheck>,
    /// Number of keys after moves that were compared with keys by FEN.
    pub moves: u64,
    /// Wrong keys after moves.
    pub findings: Vec<KeyFinding>,
    /// Number of positions that the engine was asked for.
    pub questions: u64,
}

impl KeyAudit {
    /// Learns an engine's keys; no perft is asked. The rows are the whole positions that are tried.
    ///
    /// **Errors**: the engine does not start, gives no answer, or shows no key.
    pub fn of(settings: &EngineSettings, rows: &[Row]) -> Result<KeyAudit, EngineFailure> {
        let mut engine = Engine::launch(settings)?;
        engine.ready()?;
        let shown = Shown::of(&mut engine, settings)?;
        let conventions = KeyConventions::of(&mut engine, settings.required_policy)?;
        let Some((conventions, KeyLine { line, .. })) = conventions.zip(shown.key.clone()) else {
            return Err(describe_missing_key(&mut engine)?);
        };
        let is_chess = |row: &&Row| row.position.as_ref().is_ok_and(|board| !board.is_chess960());
        let rows: Vec<&Row> = rows.iter().filter(is_chess).collect();
        let (moves, findings) = check_rows(&mut engine, &conventions, &rows)?;
        let table = EngineTable::of(&conventions.numbers, conventions.by_fen.policy(), shown.digits);
        let boards = rows.iter().map(|row| *row.board());
        let check = match &table {
            Ok(table) => Some(TableCheck::of(&mut engine, table, &conventions.numbers, conventions.by_fen, boards)?),
            Err(_) => None,
        };
        // The last question: an engine may not survive such a position.
        let (numbers, pawns) = with_back_rank_pawns(&mut engine, &conventions.numbers, shown.fen);
        let facts = KeyFacts::of(&numbers, &conventions, pawns);
        let table = table.and_then(|_| EngineTable::of(&numbers, conventions.by_fen.policy(), shown.digits));
        let (name, questions) = (engine.name.clone(), engine.questions);
        engine.quit();
        let facts = KeyFacts { digits: shown.digits, ..facts };
        let shown =
            format!("'{}' shows {} '{line}'", shown.command, if shown.fen { "Fen: and" } else { "no Fen:, but" });
        Ok(KeyAudit { name, shown, conventions, facts, table, check, moves, findings, questions })
    }

    /// Returns true if a key is wrong: one that depends on more than the position, or that numbers do not explain.
    pub fn has_wrong_keys(&self) -> bool {
        let unexplained = self.check.as_ref().is_some_and(|check| check.wrong > 0);
        unexplained || !self.findings.is_empty() || !self.conventions.findings.is_empty()
    }
}

/// Returns the failure of an engine that shows no key.
fn describe_missing_key(engine: &mut Engine<'_>) -> Result<EngineFailure, EngineFailure> {
    let display = engine.settings.display.clone();
    let lines = engine.displayed_lines(&PositionCommand::new(Fen::START))?;
    let found: Vec<&str> = lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty()).take(QUOTED).collect();
    let found = if found.is_empty() { "nothing".into() } else { format!("'{}'", found.join("', '")) };
    let next = "name the command with --display-cmd, or what the key looks like with --key-pattern";
    let message =
        format!("--audit-keys: '{display}' shows no key, found {found}, expected 'Key: 8F8F01D4562F59FB': {next}");
    Ok(engine.failure(FailureKind::PatternMisfit, message))
}

/// Compares keys after moves with keys by FEN, in some of the rows.
fn check_rows(
    engine: &mut Engine<'_>,
    conventions: &KeyConventions,
    rows: &[&Row],
) -> Result<(u64, Vec<KeyFinding>), EngineFailure> {
    let (mut compared, mut findings): (u64, Vec<KeyFinding>) = (0, Vec::new());
    let mut seen = RunKeys::new(conventions.bits());
    let lines = RandomLines { number: 4, plies: 8, seed: engine.settings.seed };
    for row in rows.iter().step_by(rows.len().div_ceil(MAX_ROWS).max(1)) {
        let mut report = check_moves(engine, conventions, row, lines)?;
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

/// Adds the numbers of pawns on back ranks, as far as the engine takes such positions and lives.
fn with_back_rank_pawns(engine: &mut Engine<'_>, known: &KeyNumbers, shows_fen: bool) -> (KeyNumbers, BackRankPawns) {
    let mut numbers = known.clone();
    if !shows_fen {
        return (numbers, BackRankPawns::NotAsked);
    }
    engine.patience = engine.patience.min(BACK_RANK_PATIENCE);
    let mut learned = 0;
    for (color, rank, file) in Color::ALL
        .into_iter()
        .flat_map(|color| [0, 7].into_iter().flat_map(move |rank| (0..8).map(move |file| (color, rank, file))))
    {
        let (piece, square) = (Piece { color, role: Role::Pawn }, Square::at(file, rank));
        let boards = KINGS.map(board);
        let without = boards.into_iter().find(|board| board.piece_on(square).is_none()).expect("a free square");
        let mut setup = Setup::from(&without);
        setup.pieces[square.index()] = Some(piece);
        let with = Board::new(&setup);
        let Ok(keys) = accepted_keys(engine, [&with, &without]) else {
            return (known.clone(), BackRankPawns::Died);
        };
        if let [Some(one), Some(other)] = keys {
            let value = numbers.difference(one, other);
            numbers.numbers.push(Number { part: Part::Piece(piece, square), value, boards: [with, without] });
            learned += 1;
        }
    }
    (numbers, BackRankPawns::Known(learned))
}

/// Returns the keys of positions, each only if the engine shows the same pieces.
fn accepted_keys(engine: &mut Engine<'_>, boards: [&Board; 2]) -> Result<[Option<u128>; 2], EngineFailure> {
    let mut keys = [None; 2];
    for (key, board) in keys.iter_mut().zip(boards) {
        let position = PositionCommand::new(&Fen::write(board, EnPassantPolicy::Always));
        let shown = engine.display(&position)?;
        let pieces = |fen: &str| fen.split(' ').next().map(String::from);
        let is_taken = shown.fen.as_deref().and_then(pieces) == pieces(&position.fen);
        *key = shown.key().filter(|_| is_taken);
    }
    Ok(keys)
}
