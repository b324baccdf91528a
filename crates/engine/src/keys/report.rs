//! Report on the keys of a row.

use crate::keys::finding::KeyFinding;
use crate::keys::move_properties::{MoveProperties, when};
use crate::keys::printed::PrintedKey;
use crate::position_command::PositionCommand;
use perft_gate_chess::Packed;

/// A difference between two keys of a position, after a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Unexplained {
    pub(super) difference: PrintedKey,
    pub(super) properties: MoveProperties,
}

/// Report on the keys of a row.
#[derive(Clone, PartialEq, Eq, Default, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KeyReport {
    /// Number of keys after moves that were compared with keys by FEN.
    pub compared: u64,
    /// Number of FENs after moves that were compared with the positions.
    pub fens: u64,
    /// Number of different positions whose keys were compared with each other.
    pub positions: u64,
    /// Number of times a position was reached by another line (transpositions).
    pub transpositions: u64,
    /// Errors found.
    pub findings: Vec<KeyFinding>,
    /// The different positions with their keys; taken by the run, which compares all of its rows.
    #[serde(skip)]
    pub(crate) seen: Vec<KeyOfPosition>,
    /// What happened in the moves whose keys were right.
    #[serde(skip)]
    pub(crate) right: MoveProperties,
    /// Every difference that no known number explains.
    #[serde(skip)]
    pub(crate) unexplained: Vec<Unexplained>,
}

/// A position with its key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct KeyOfPosition {
    pub(super) key: PrintedKey,
    pub(super) packed: Packed,
    pub(super) position: PositionCommand,
}

/// Describes the differences that no number explains, if they are all one number: a constant that is forgotten or added.
pub fn one_constant<'r>(reports: impl Iterator<Item = &'r KeyReport> + Clone) -> Option<String> {
    let unexplained = || reports.clone().flat_map(|report| &report.unexplained);
    let difference = unexplained().next()?.difference;
    let (number, is_one) =
        unexplained().fold((0, true), |(n, one), found| (n + 1, one && found.difference == difference));
    let mut right = MoveProperties::default();
    reports.clone().for_each(|report| right.add(report.right));
    let when = when(unexplained().map(|found| found.properties), right);
    (is_one && number > 1)
        .then(|| format!("all {number} unexplained differences are one number, {difference}: one constant, {when}"))
}
