//! Counts of a suite, and kinds of moves by depth, as text.

use super::json::CountRow;
use crate::columns::{TextTable, names, numbers, words};
use crate::figures::rate;
use perft_gate_walk::Statistics;
use std::time::Duration;

/// Table of the rows of a suite.
#[derive(Clone, Debug)]
pub struct SuiteTable(TextTable);

impl SuiteTable {
    /// Returns the layout for rows whose longest name has `longest_name` characters, for a terminal `width` characters
    /// wide, or for a file (`None`).
    pub fn new(width: Option<usize>, longest_name: usize) -> SuiteTable {
        let columns = [
            names("position", longest_name),
            numbers("depth", 5, 0),
            numbers("nodes", 16, 0),
            numbers("seconds", 9, 0),
            numbers("Mnodes/s", 9, 1),
            words("verdict", 18, 0),
        ];
        SuiteTable(TextTable::new(&columns, width))
    }

    /// Returns the column names.
    pub fn head(&self) -> String {
        self.0.head()
    }

    /// Returns a row in one line.
    pub fn row(&self, row: &CountRow) -> String {
        let CountRow { id, depth, nodes, expected, seconds, .. } = row;
        let verdict = match expected {
            None => "nothing to compare".into(),
            Some(listed) if listed == nodes => "ok".into(),
            Some(listed) => format!("WRONG, expected {listed}"),
        };
        let rate = rate(*nodes, Duration::from_secs_f64(*seconds));
        self.0.line(&[
            id.clone().unwrap_or_default(),
            depth.to_string(),
            nodes.to_string(),
            format!("{seconds:.3}"),
            rate.map_or("-".into(), |rate| format!("{:.0}", rate / 1e6)),
            verdict,
        ])
    }
}

/// Columns: the name, a shorter one for a narrow terminal, and the width there.
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

/// Width of every column, if there is room: enough for the eleven plies that are published.
const WIDE: usize = 12;

/// Layout of the table.
#[derive(Clone, Copy, Debug)]
pub struct StatisticsTable {
    narrow: bool,
}

impl StatisticsTable {
    /// Returns the layout for a terminal `width` characters wide, or for a file (`None`).
    pub fn new(width: Option<usize>) -> StatisticsTable {
        let wide = COLUMNS.len() * (WIDE + 1);
        StatisticsTable { narrow: width.is_some_and(|width| width < wide) }
    }

    /// Returns the column names.
    pub fn head(&self) -> String {
        self.line(COLUMNS.map(|(long, short, _)| if self.narrow { short.into() } else { long.into() }))
    }

    /// Returns the row of a depth.
    pub fn row(&self, depth: u32, statistics: &Statistics) -> String {
        let &Statistics { nodes, captures, en_passant, castles, promotions, checks, discovered, double, mates } =
            statistics;
        let counts = [nodes, captures, en_passant, castles, promotions, checks, discovered, double, mates];
        let mut cells = [const { String::new() }; COLUMNS.len()];
        cells[0] = depth.to_string();
        cells[1..].iter_mut().zip(counts).for_each(|(cell, count)| *cell = count.to_string());
        self.line(cells)
    }

    fn line(&self, cells: [String; COLUMNS.len()]) -> String {
        let columns = cells.iter().zip(COLUMNS).enumerate();
        let padded = columns.map(|(number, (cell, (_, _, narrow)))| {
            let width = if self.narrow || number == 0 { narrow } else { WIDE };
            format!("{cell:>width$}")
        });
        padded.collect::<Vec<_>>().join(" ")
    }
}
