//! Keys as an engine prints them, errors in keys, the report on a row's keys, and all keys of a run. No two positions
//! of a run may share a key.

use crate::keys::move_properties::{MoveProperties, when};
use crate::keys::numbers::are_no_chance;
use crate::outcome::{FailureKind, Result};
use crate::request::PositionCommand;
use crate::uci::Engine;
use perft_gate_chess::{Board, EnPassantPolicy, Fen, Packed};
use perft_gate_listing::{Display, KeyBase};
use std::collections::HashMap;
use std::fmt;

/// A key in the format in which the engine prints it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct PrintedKey {
    pub(super) key: u128,
    pub(super) base: KeyBase,
}

impl fmt::Display for PrintedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.base == KeyBase::Decimal { write!(f, "{}", self.key) } else { write!(f, "{:016X}", self.key) }
    }
}

/// Returns true if the FEN that an engine shows is for another position. E.p. squares count only if a capture is legal.
pub(super) fn is_another(shown: &str, board: &Board) -> bool {
    let identity = |board: &Board| Packed::new(board, EnPassantPolicy::Legal);
    Fen::parse(shown).is_ok_and(|shown| identity(&shown) != identity(board))
}

/// Returns the key that an engine shows for a board, unless it shows the FEN of another position.
pub(super) fn accepted_key(shown: &Display, board: &Board) -> Option<u128> {
    shown.key().filter(|_| !shown.fen.as_ref().is_some_and(|shown| is_another(shown, board)))
}

/// Returns the key that an engine printed. **Errors**: if it printed none, although it printed keys before.
pub(super) fn require_key(key: Option<u128>, engine: &Engine<'_>, position: &PositionCommand) -> Result<PrintedKey> {
    let (base, display) = (engine.dialect.key_base, &engine.settings.display);
    let missing = || format!("sent '{position}' and '{display}', expected a key, found none");
    key.map(|key| PrintedKey { key, base }).ok_or_else(|| engine.failure(FailureKind::Unparsed, missing()))
}

/// Report on the keys of a row.
#[perft_gate_chess::document(Clone, PartialEq, Eq, Default, Debug, serde::Serialize)]
pub struct KeyReport {
    /// Number of keys after moves that were compared with the key of the same position set up by FEN.
    pub compared: u64,
    /// Number of FENs shown after moves that were compared with the actual positions.
    pub fens: u64,
    /// Number of different positions whose keys were compared with each other.
    pub positions: u64,
    /// Number of times that a position was reached by another line (transpositions).
    pub transpositions: u64,
    /// Errors found.
    pub findings: Vec<KeyFinding>,
    /// The different positions with their keys. The run removes them from here to compare the keys of different rows.
    #[serde(skip)]
    pub(crate) seen: Vec<KeyOfPosition>,
    /// Properties of the moves after which the key was right.
    #[serde(skip)]
    pub(crate) right: MoveProperties,
    /// The differences in keys that no known numbers explain, each with the properties of the move.
    #[serde(skip)]
    pub(crate) unexplained: Vec<(PrintedKey, MoveProperties)>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct KeyOfPosition {
    pub(super) key: PrintedKey,
    pub(super) packed: Packed,
    pub(super) position: PositionCommand,
}

/// Describes the unexplained differences between keys if all are equal. The engine then forgets or adds a constant.
pub fn one_constant<'r>(reports: impl Iterator<Item = &'r KeyReport> + Clone) -> Option<String> {
    let unexplained = || reports.clone().flat_map(|report| &report.unexplained);
    let (difference, _) = unexplained().next()?;
    let (number, is_one) = (unexplained().count(), unexplained().all(|(found, _)| found == difference));
    let mut right = MoveProperties::default();
    reports.clone().for_each(|report| right.add(report.right));
    let when = when(unexplained().map(|(_, properties)| *properties), right);
    (is_one && number > 1)
        .then(|| format!("all {number} unexplained differences are the same number, {difference}: a constant, {when}"))
}

perft_gate_chess::named! {
    /// Error in a key.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum KeyFault {
        /// The key after moves is not that of the resulting FEN.
        NotOfItsFen = "the key after moves is not that of the FEN",
        /// Two different positions share a key.
        Shared = "two positions share a key",
        /// Equal positions have different keys.
        Twofold = "a position has two keys",
        /// Counting the leaves changed the key.
        ChangedByPerft = "counting changes the key",
        /// The engine is in another position: it ignored a move, or made it wrongly.
        OtherPosition = "the engine is in another position",
        /// The FEN shown after moves is invalid, or has a wrong e.p. square or wrong clocks.
        WrongFen = "the FEN after moves is wrong",
        /// E.p. squares count only in positions set up by FEN, or only after moves, or follow no policy.
        EnPassant = "e.p. squares in the key",
        /// The key depends on the move number, or on the number of plies since the position was given.
        MoveNumber = "a position has many keys",
        /// Keys have so few bits that many positions share a key.
        Narrow = "keys have too few bits",
        /// The keys are not those of the expected scheme.
        OtherScheme = "the keys are not those expected",
    }
}

impl KeyFault {
    /// Faults of a whole run, with their names in a list of known failures.
    pub const OF_RUNS: [(KeyFault, &str); 5] = [
        (KeyFault::EnPassant, "ep-habit"),
        (KeyFault::MoveNumber, "move-number"),
        (KeyFault::Narrow, "narrow-keys"),
        (KeyFault::Shared, "shared-numbers"),
        (KeyFault::OtherScheme, "other-scheme"),
    ];

    /// Returns true if the fault is that the FEN is wrong. The key may be right.
    pub const fn is_of_fen(self) -> bool {
        matches!(self, KeyFault::OtherPosition | KeyFault::WrongFen)
    }
}

perft_gate_chess::serialize_as_text!(KeyFault);

/// A wrong key, with the shortest line that shows it.
#[perft_gate_chess::document(sparse, Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct KeyFinding {
    /// Kind of error.
    pub fault: KeyFault,
    /// Explanation of the error, such as the wrong terms or the move.
    pub cause: String,
    /// UCI command that shows the error.
    pub position: PositionCommand,
    /// UCI command for the position with which the first one is compared.
    #[serde(rename = "against")]
    pub other: Option<PositionCommand>,
    /// Expected value.
    pub expected: String,
    /// Value found.
    pub found: String,
}

impl KeyFinding {
    pub(crate) fn new(
        fault: KeyFault,
        cause: impl Into<String>,
        (position, other): (PositionCommand, Option<PositionCommand>),
        [expected, found]: [&dyn fmt::Display; 2],
    ) -> KeyFinding {
        let [expected, found] = [expected, found].map(ToString::to_string);
        KeyFinding { fault, cause: cause.into(), position, other, expected, found }
    }

    /// Returns the finding that two positions share a key.
    pub(super) fn shared_key(cause: String, [one, other]: [KeyOfPosition; 2]) -> KeyFinding {
        let expected = format!("a key other than {}", one.key);
        KeyFinding::new(KeyFault::Shared, cause, (one.position, Some(other.position)), [&expected, &one.key])
    }
}

/// Maximum number of keys kept for comparison with later keys.
const MAX_KEYS: usize = 1 << 20;

#[derive(Default, Debug)]
pub(super) struct PositionsByKey(HashMap<PrintedKey, KeyOfPosition>);

impl PositionsByKey {
    /// Adds a position. If another position has the same key, returns both positions.
    pub(super) fn add(&mut self, seen: KeyOfPosition) -> Option<[KeyOfPosition; 2]> {
        match self.0.get(&seen.key) {
            Some(other) if other.packed != seen.packed => return Some([seen, other.clone()]),
            None if self.0.len() < MAX_KEYS => drop(self.0.insert(seen.key, seen)),
            _ => {}
        }
        None
    }
}

/// The keys of a run so far. Rows are added in order, so the number of processes does not change which row is blamed.
#[derive(Debug)]
pub(crate) struct RunKeys {
    keys: PositionsByKey,
    bits: u32,
}

impl RunKeys {
    pub(crate) fn new(bits: u32) -> RunKeys {
        RunKeys { keys: PositionsByKey::default(), bits }
    }

    /// Adds the keys of a row. If a different position in another row has one of these keys, reports the first one.
    pub(crate) fn add(&mut self, report: &mut KeyReport) {
        let clashes = std::mem::take(&mut report.seen).into_iter().filter_map(|seen| self.keys.add(seen));
        let clash = clashes.reduce(|first, _| first);
        let is_judged = are_no_chance(self.keys.0.len() as u64 + 1, self.bits);
        let clash = clash.filter(|_| is_judged);
        report.findings.extend(clash.map(|clash| KeyFinding::shared_key("positions of two rows".into(), clash)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::parts::board;

    fn report(fens: &[(&str, u128)]) -> KeyReport {
        let seen = |&(fen, key): &(&str, u128)| {
            let key = PrintedKey { key, base: KeyBase::Hexadecimal };
            let packed = Packed::new(&board(fen), EnPassantPolicy::Legal);
            KeyOfPosition { key, packed, position: PositionCommand::new(fen) }
        };
        KeyReport { seen: fens.iter().map(seen).collect(), ..KeyReport::default() }
    }

    #[test]
    fn positions_of_two_rows_may_not_share_a_key() {
        let [one, other] = ["4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"];
        let added = |bits, rows: [&[(&str, u128)]; 2]| {
            let mut seen = RunKeys::new(bits);
            rows.map(|row| {
                let mut report = report(row);
                seen.add(&mut report);
                assert!(report.seen.is_empty());
                report.findings.len()
            })
        };
        assert_eq!(added(64, [&[(one, 7)], &[(other, 8), (one, 7)]]), [0, 0]);
        assert_eq!(added(64, [&[(one, 7)], &[(other, 7)]]), [0, 1]);
        // If keys have few bits, some are equal by chance.
        assert_eq!(added(4, [&[(one, 7)], &[(other, 7)]]), [0, 0]);
    }

    #[test]
    fn the_key_of_another_position_is_not_taken() {
        let asked = board("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        let key = |lines: &[&str]| {
            let (mut shown, pattern) = (Display::default(), regex_lite::Regex::new(Display::KEY_PATTERN).unwrap());
            lines.iter().for_each(|line| shown.take(line, &pattern, KeyBase::Hexadecimal));
            accepted_key(&shown, &asked)
        };
        assert_eq!(key(&["Fen: 4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Key: 1A"]), Some(0x1a));
        assert_eq!(key(&["Fen: 4k3/8/8/8/8/8/8/4K2R w - - 0 1", "Key: 1A"]), None);
        assert_eq!(key(&["Key: 1A"]), Some(0x1a));
    }
}
