//! Keys of whole positions, compared with those that the learned table gives: so nothing else is in the keys.

use crate::failure::EngineFailure;
use crate::keys::audit::table::EngineTable;
use crate::keys::check::{RandomLines, random_line};
use crate::keys::en_passant::EnPassantHabit;
use crate::keys::explanation::explain;
use crate::keys::numbers::KeyNumbers;
use crate::keys::printed::{PrintedKey, accepted_key};
use crate::position_command::PositionCommand;
use crate::uci::Engine;
use perft_gate_chess::{Board, CastlingRights, Color, EnPassantPolicy};
use perft_gate_judge::gate::term_probe::board_with;
use perft_gate_simd::V1;
use perft_gate_walk::board_after;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;
use std::collections::HashSet;

/// Maximum number of whole positions.
const MAX_POSITIONS: usize = 420;
/// Number of plies of the random line from each position.
const PLIES: u32 = 40;
/// Plies of a line after which its position is taken.
const TAKEN_EVERY: usize = 8;

/// Whole positions whose keys were compared with those of the learned table.
#[derive(Clone, PartialEq, Eq, Default, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TableCheck {
    /// Number of positions whose key the table gives.
    pub right: usize,
    /// Number of positions whose key it does not give.
    pub wrong: usize,
    /// Number of positions that the engine did not take, or of which a number is not known.
    pub refused: usize,
    /// The first whose key the table does not give.
    pub first: Option<TableMismatch>,
    /// What all of them have in common, if all differ by one number.
    pub constant: Option<String>,
}

/// A key that the learned table does not give.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TableMismatch {
    /// The position.
    pub position: PositionCommand,
    /// The table's key.
    pub expected: String,
    /// The engine's key.
    pub found: String,
    /// The terms that explain the difference, if known numbers do.
    pub terms: Option<String>,
}

impl TableCheck {
    /// Compares keys of these positions, and of positions in random lines from them.
    pub(super) fn of(
        engine: &mut Engine<'_>,
        table: &EngineTable,
        numbers: &KeyNumbers,
        habit: EnPassantHabit,
        boards: impl Iterator<Item = Board>,
    ) -> Result<TableCheck, EngineFailure> {
        let (mut check, tables) = (TableCheck::default(), table.key_tables(&table.axes));
        let (mut differences, mut common) = (HashSet::new(), CommonTraits::default());
        for board in whole_positions(boards, engine.settings.seed) {
            let position = PositionCommand::of(&board);
            let asked = is_predicted(table, habit, &board).then(|| engine.display(&position)).transpose()?;
            let Some(found) = asked.and_then(|shown| accepted_key(&shown, &board)) else {
                check.refused += 1;
                continue;
            };
            let expected = tables.key(&board).0;
            if found == expected {
                check.right += 1;
                common.add_right(&board);
                continue;
            }
            check.wrong += 1;
            common.add_wrong(&board);
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
            check.constant = Some(format!("each differs by one number, {number}, {}", common.text()));
        }
        Ok(check)
    }

    /// Number of positions that were compared.
    pub const fn compared(&self) -> usize {
        self.right + self.wrong
    }
}

/// Returns true if the table gives the key of a board: it has all numbers, and the habit says if the e.p. square counts.
fn is_predicted(table: &EngineTable, habit: EnPassantHabit, board: &Board) -> bool {
    habit.counts(board).is_some() && table.covers(board)
}

/// A trait of positions that may have a number.
type PositionTrait = (&'static str, fn(&Board) -> bool);

const TRAITS: [PositionTrait; 6] = [
    ("in every position in check", |board| board.in_check(V1::token())),
    ("wherever an e.p. capture is legal", |board| board.en_passant(EnPassantPolicy::Legal).is_some()),
    ("wherever a side may castle", |board| board.castling_rights() != CastlingRights::NONE),
    ("wherever no side may castle", |board| board.castling_rights() == CastlingRights::NONE),
    ("in every position with Black to move", |board| board.turn() == Color::Black),
    ("in every position with White to move", |board| board.turn() == Color::White),
];

/// Traits that all positions with wrong keys have, and none with a right one.
struct CommonTraits([bool; TRAITS.len()]);

impl Default for CommonTraits {
    fn default() -> CommonTraits {
        CommonTraits([true; TRAITS.len()])
    }
}

impl CommonTraits {
    fn add_wrong(&mut self, board: &Board) {
        self.0.iter_mut().zip(TRAITS).for_each(|(common, (_, holds))| *common &= holds(board));
    }

    fn add_right(&mut self, board: &Board) {
        self.0.iter_mut().zip(TRAITS).for_each(|(common, (_, holds))| *common &= !holds(board));
    }

    fn text(&self) -> &'static str {
        let found = self.0.iter().zip(TRAITS).find(|(common, _)| **common);
        found.map_or("in positions that have no simple trait in common", |(_, (name, _))| name)
    }
}

/// Returns positions of orthodox chess and of random lines from them, all with clock 0.
fn whole_positions(boards: impl Iterator<Item = Board>, seed: u64) -> Vec<Board> {
    let mut random = ChaCha20Rng::seed_from_u64(seed);
    let mut positions = Vec::new();
    let mut roots = Vec::new();
    for board in boards.filter(|board| !board.is_chess960()).take(MAX_POSITIONS / 2) {
        roots.push(board);
        positions.push(board);
    }
    for (number, root) in (0..).zip(&roots) {
        random.set_stream(number);
        let mut board = *root;
        let lines = RandomLines { number: 1, plies: PLIES, seed };
        for (ply, mv) in random_line(root, lines.plies, &mut random).into_iter().enumerate() {
            board = board_after(&board, mv);
            if ply % TAKEN_EVERY == TAKEN_EVERY - 1 || board.en_passant(EnPassantPolicy::Legal).is_some() {
                positions.push(board);
            }
        }
    }
    positions.truncate(MAX_POSITIONS);
    positions.iter().filter_map(|board| board_with(board, |setup| setup.halfmove = 0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::KeyBase;
    use crate::keys::parts::board;
    use perft_gate_zobrist::preset;
    use std::convert::Infallible;

    #[test]
    fn nothing_is_predicted_of_squares_without_a_rule() {
        let tables = preset("cpw781").and_then(|scheme| scheme.key_tables(0)).expect("a scheme with keys");
        let key = |board: &Board| {
            Ok::<_, Infallible>(Some(PrintedKey { key: tables.key(board).0, base: KeyBase::Hexadecimal }))
        };
        let Ok(numbers) = KeyNumbers::learn(key, true);
        let table = EngineTable::of(&numbers, Some(EnPassantPolicy::Legal), Some(16)).expect("a table");
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
