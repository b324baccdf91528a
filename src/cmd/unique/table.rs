//! The table of plies that `perft unique` prints.

use crate::args::size;
use crate::out::console;
use perft_gate_report::columns::{TextTable, numbers};
use perft_gate_report::figures::rate;
use perft_gate_unique::{By, Ply, UniqueOptions};

/// Table of plies.
pub struct PlyTable(TextTable);

impl PlyTable {
    /// Prints what is counted, and the head of the table.
    pub fn begin(options: &UniqueOptions<'_>, memory: usize) -> PlyTable {
        let by = match options.by {
            By::Position => "position".into(),
            By::Key { scheme, .. } => format!("the keys of {}", scheme.name),
        };
        let (ep, memory) = (options.policy.name(), size::text(memory as u64));
        say!("distinct positions by {by}, e.p. {ep}; memory {memory}");
        let mut columns = vec![
            numbers("ply", 3, 0),
            numbers("distinct", 15, 0),
            numbers("diagrams", 14, 0),
            numbers("perft", 22, 0),
            numbers("reached once", 13, 1),
            numbers("max paths", 13, 4),
            numbers("positions", 13, 5),
            numbers("passes", 7, 2),
            numbers("load", 6, 3),
            numbers("memory", 9, 0),
            numbers("seconds", 9, 0),
            numbers("M/s", 7, 0),
        ];
        if !options.diagrams {
            columns.remove(DIAGRAMS);
        }
        let table = PlyTable(TextTable::new(&columns, console::width()));
        say!("{}", table.0.head());
        table
    }

    /// Prints a ply; one that an earlier run counted has no rate.
    pub fn row(&self, ply: &Ply, is_resumed: bool) {
        let Ply { positions, .. } = ply;
        let rate = rate(positions.distinct.into(), ply.time);
        let rate = rate.filter(|_| !is_resumed).map_or("-".into(), |rate| format!("{:.2}", rate / 1e6));
        let lost = match ply.expected_lost {
            None => String::new(),
            Some(lost) => format!("  expected lost {lost:.2e}"),
        };
        let mut cells = vec![
            ply.ply.to_string(),
            positions.distinct.to_string(),
            positions.total.unwrap_or_default().to_string(),
            positions.once.to_string(),
            positions.highest.to_string(),
            positions.with_highest.to_string(),
            ply.passes.to_string(),
            format!("{:.2}", ply.load),
            size::text(ply.bytes as u64),
            format!("{:.3}", ply.time.as_secs_f64()),
            rate,
        ];
        if let Some(diagrams) = &ply.diagrams {
            cells.insert(DIAGRAMS, diagrams.distinct.to_string());
        }
        say!("{}{lost}", self.0.line(&cells));
    }
}

/// Place of the column of diagrams.
const DIAGRAMS: usize = 2;
