//! Output of `perft count`: text with the counts of a suite or the kinds of moves at each depth, and `perft.count/1`.

use crate::text::{TextTable, millions, names, numbers, words};
use perft_gate_walk::{KINDS, Statistics};
use serde::Serialize;
use std::time::Duration;

pub const SCHEMA: &str = "perft.count/1";

/// Result of a run of `perft count`.
#[perft_gate_chess::document(nonnegative, Serialize, Clone, Debug)]
pub struct CountDocument {
    /// Name of the suite. Null for a single position.
    pub suite: Option<String>,
    /// SIMD level.
    pub level: String,
    /// Number of worker threads.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub threads: usize,
    /// One row for each position, in the order of the suite. With `--stats`, one row for each depth of a single
    /// position.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub rows: Vec<CountRow>,
    /// Number of leaves of all rows.
    pub nodes: u128,
    /// Wall time of all rows.
    pub seconds: f64,
    /// Use of the transposition table, if there was one.
    pub table: Option<TableUse>,
    /// Which paths were visited. Null if there was a transposition table.
    pub paths: Option<CountedPaths>,
}

/// Which paths were visited if several paths lead to the same position.
#[perft_gate_chess::document(kebab, Serialize, Clone, Copy, PartialEq, Eq, Debug)]
pub enum CountedPaths {
    /// Equal positions of a ply are merged before the next ply, as far as they are found.
    Merged,
    /// Every path.
    Every,
}

/// A position.
#[perft_gate_chess::document(nonnegative, Serialize, Clone, Debug)]
pub struct CountRow {
    /// Name in the suite, or none for a single position.
    pub id: Option<String>,
    /// The position.
    pub fen: String,
    /// Number of plies.
    #[cfg_attr(feature = "schema", schemars(range(max = 64)))]
    pub depth: u32,
    /// Number of leaves.
    pub nodes: u128,
    /// Expected number of leaves, if the suite lists it.
    pub expected: Option<u128>,
    /// Wall time.
    pub seconds: f64,
    /// Number of moves of each kind on the last ply, if they were counted (`--stats`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistics: Option<Statistics>,
}

/// Use of the transposition table.
#[perft_gate_chess::document(decimal, nonnegative, Serialize, Clone, Debug)]
pub struct TableUse {
    /// Size in bytes.
    pub bytes: u64,
    /// True if look-ups compare whole positions, so that no hit can be wrong.
    pub exact: bool,
    /// Seed of the keys.
    pub seed: u64,
    /// Number of look-ups.
    pub probes: u64,
    /// Number of look-ups that found the position.
    pub hits: u64,
    /// Number of entries written.
    pub stores: u64,
    /// Number of entries written over another entry.
    pub evictions: u64,
    /// Number of counts or depths too large to store.
    pub too_large: u64,
    /// Upper bound on the expected number of wrong hits.
    pub expected_wrong_hits: f64,
}

/// Returns the layout of the table of a suite's rows, for a terminal `width` characters wide or for a file (`None`).
/// The longest row name has `longest_name` characters.
pub fn suite_table(width: Option<usize>, longest_name: usize) -> TextTable {
    let columns = [
        names("position", longest_name),
        numbers("depth", 5, 0),
        numbers("nodes", 16, 0),
        numbers("seconds", 9, 0),
        numbers("Mnodes/s", 9, 1),
        words("verdict", 18, 0),
    ];
    TextTable::new(&columns, width)
}

pub fn suite_row(row: &CountRow) -> [String; 6] {
    let CountRow { id, depth, nodes, expected, seconds, .. } = row;
    let verdict = match expected {
        None => "nothing to compare".into(),
        Some(listed) if listed == nodes => "ok".into(),
        Some(listed) => format!("WRONG, expected {listed}"),
    };
    [
        id.clone().unwrap_or_default(),
        depth.to_string(),
        nodes.to_string(),
        format!("{seconds:.3}"),
        millions(*nodes, Duration::from_secs_f64(*seconds), 0),
        verdict,
    ]
}

/// Columns, each with its name, followed by the shorter name and the width that are used in a narrow terminal.
const COLUMNS: [(&str, &str, usize); 10] = [
    ("depth", "depth", 5),
    ("nodes", "nodes", 10),
    ("captures", "captures", 9),
    ("e.p.", "e.p.", 6),
    ("castles", "castles", 7),
    ("promotions", "promoted", 8),
    ("checks", "checks", 8),
    ("discovered", "disc.", 6),
    ("double", "double", 6),
    ("mates", "mates", 6),
];

/// Width of every column except the first, if there is room. It fits the published counts of all eleven plies.
const WIDE: usize = 12;

/// Returns the layout of the statistics table, for a terminal `width` characters wide or for a file (`None`).
pub fn statistics_table(width: Option<usize>) -> TextTable {
    let is_narrow = width.is_some_and(|width| width < COLUMNS.len() * (WIDE + 1));
    let columns = COLUMNS.map(|(long, short, narrow)| match is_narrow {
        true => numbers(short, narrow, 0),
        false => numbers(long, if long == "depth" { narrow } else { WIDE }, 0),
    });
    TextTable::new(&columns, None)
}

pub fn statistics_row(depth: u32, nodes: u128, kinds: [u128; KINDS]) -> [String; COLUMNS.len()] {
    let mut counts = [depth.into(), nodes].into_iter().chain(kinds);
    std::array::from_fn(|_| counts.next().expect("a count for each column").to_string())
}
