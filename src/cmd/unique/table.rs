//! The table of plies that `perft unique` prints.

use crate::args::size;
use perft_gate_report::figures::rate;
use perft_gate_unique::{By, Ply, UniqueOptions};

/// Prints what is counted, and the head of the table.
pub fn head(options: &UniqueOptions<'_>, memory: usize) {
    let by = match options.by {
        By::Position => "position".into(),
        By::Key { scheme, .. } => format!("the keys of {}", scheme.name),
    };
    let (ep, memory) = (options.policy.name(), size::text(memory as u64));
    say!("distinct positions by {by}, e.p. {ep}; memory {memory}");
    header(options);
}

fn header(options: &UniqueOptions<'_>) {
    let diagrams = if options.diagrams { format!("{:>15}", "diagrams") } else { String::new() };
    say!(
        "{:>3} {:>15}{diagrams} {:>22} {:>13} {:>13} {:>7} {:>6} {:>4} {:>9} {:>9} {:>7}",
        "ply",
        "distinct",
        "perft",
        "reached once",
        "max paths",
        "positions",
        "passes",
        "load",
        "memory",
        "seconds",
        "M/s"
    );
}

/// Prints a ply; one that an earlier run counted has no rate.
pub fn row(ply: &Ply, is_resumed: bool) {
    let Ply { positions, .. } = ply;
    let diagrams = ply.diagrams.map_or(String::new(), |diagrams| format!("{:>15}", diagrams.distinct));
    let seconds = ply.time.as_secs_f64();
    let rate = rate(positions.distinct.into(), ply.time);
    let rate = rate.filter(|_| !is_resumed).map_or("-".into(), |rate| format!("{:.2}", rate / 1e6));
    let lost = match ply.expected_lost {
        None => String::new(),
        Some(lost) => format!("  expected lost {lost:.2e}"),
    };
    say!(
        "{:>3} {:>15}{diagrams} {:>22} {:>13} {:>13} {:>7} {:>6} {:>4.2} {:>9} {seconds:>9.3} {rate:>7}{lost}",
        ply.ply,
        positions.distinct,
        positions.total.unwrap_or_default(),
        positions.once,
        positions.highest,
        positions.with_highest,
        ply.passes,
        ply.load,
        size::text(ply.bytes as u64),
    );
}
