//! Counts of a suite, and kinds of moves by depth, as text.

use super::json::CountRow;
use crate::text::{TextTable, millions, names, numbers, words};
use perft_gate_walk::Statistics;
use std::time::Duration;

/// Returns the table of a suite's rows, whose longest name has `longest_name` characters, for a terminal `width` characters
/// wide, or for a file (`None`).
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

/// Columns: the name, a shorter name for a narrow terminal, and the width there.
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

/// Width of every column but the first, if there is room. It fits the eleven published plies.
const WIDE: usize = 12;

/// Returns the table of statistics for a terminal `width` characters wide, or for a file (`None`).
pub fn statistics_table(width: Option<usize>) -> TextTable {
    let is_narrow = width.is_some_and(|width| width < COLUMNS.len() * (WIDE + 1));
    let columns = COLUMNS.map(|(long, short, narrow)| match is_narrow {
        true => numbers(short, narrow, 0),
        false => numbers(long, if long == "depth" { narrow } else { WIDE }, 0),
    });
    TextTable::new(&columns, None)
}

pub fn statistics_row(depth: u32, statistics: &Statistics) -> [String; COLUMNS.len()] {
    let &Statistics { nodes, captures, en_passant, castles, promotions, checks, discovered, double, mates } =
        statistics;
    let depth = depth.into();
    [depth, nodes, captures, en_passant, castles, promotions, checks, discovered, double, mates]
        .map(|count: u64| count.to_string())
}
