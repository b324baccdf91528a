//! Table of verdicts, as text.

use crate::columns::{TextTable, names, numbers, words};
use crate::figures::rate;
use crate::lines::{block, line};
use perft_gate_judge::gate::{
    Expectation, MissedIdentity, Options, Outcome, PlayoutsVerdict, RowVerdict, Run, RunTotals, clash,
};
use perft_gate_walk::Checks;
use perft_gate_zobrist::PRESETS;
use std::fmt::Write;
use std::time::Duration;

/// Returns the first line: the scheme, the level, the threads, and other remarks.
pub fn head<'r>(options: &Options<'_>, threads: usize, remarks: impl Iterator<Item = &'r String>) -> String {
    let settings = &options.settings;
    let mut head = format!("scheme {}, level {}, {threads} threads", settings.scheme.name, settings.level);
    if !settings.secondary.is_empty() {
        let names: Vec<_> = settings.secondary.iter().map(|key| key.name()).collect();
        head += &format!(", keys position, {}", names.join(", "));
    }
    remarks.for_each(|remark| head += &format!(", {remark}"));
    head
}

/// Layout of the table.
#[derive(Clone, Debug)]
pub struct VerdictTable(TextTable);

impl VerdictTable {
    /// Returns the layout for rows whose longest name has `longest_name` characters, for a terminal `width` characters
    /// wide, or for a file (`None`), where nothing is shortened.
    pub fn new(width: Option<usize>, longest_name: usize) -> VerdictTable {
        let columns = [
            names("position", longest_name),
            numbers("depth", 5, 0),
            numbers("expected", 13, 1),
            numbers("found", 13, 0),
            numbers("keys verified", 13, 2),
            numbers("seconds", 8, 0),
            numbers("Mnodes/s", 8, 0),
            words("verdict", 13, 0),
        ];
        VerdictTable(TextTable::new(&columns, width))
    }

    /// Returns the column names.
    pub fn head(&self) -> String {
        self.0.head()
    }

    /// Returns a row in one line.
    pub fn row(&self, verdict: &RowVerdict) -> String {
        let outcome = outcome(verdict);
        let expected = verdict.expected.map_or("-".into(), |count| count.to_string());
        let Some(report) = &verdict.report else {
            return self.0.line(&[&verdict.row.id, "-", "-", "-", "-", "-", "-", outcome]);
        };
        let seconds = report.time.as_secs_f64();
        self.0.line(&[
            &verdict.row.id[..],
            &verdict.depth.to_string(),
            &expected,
            &report.nodes.last().map_or("-".into(), u128::to_string),
            &report.checks.keys.to_string(),
            &format!("{seconds:.2}"),
            &rate(report.total(), report.time).map_or("-".into(), |rate| format!("{:.1}", rate / 1e6)),
            outcome,
        ])
    }
}

/// Returns the outcome of a row as its line ends with it.
pub fn outcome(verdict: &RowVerdict) -> &'static str {
    match &verdict.outcome {
        Outcome::Passed if verdict.expectation == Expectation::CrossChecked => "cross-checked",
        Outcome::Passed => "ok",
        Outcome::Failed => "WRONG",
        Outcome::Skipped(_) => "skipped",
        Outcome::Interrupted => "interrupted",
    }
}

/// Returns the details that do not fit a row's line: reasons, errors, and reduced depths if `tells_depth`. Empty for a plain pass.
pub fn details(verdict: &RowVerdict, tells_depth: bool) -> String {
    let mut out = String::new();
    let fen = &verdict.row.fen;
    match &verdict.outcome {
        Outcome::Skipped(reason) => line(&mut out, 1, &format!("skipped: {reason}")),
        _ if tells_depth && verdict.depth < verdict.requested => {
            let (depth, requested) = (verdict.depth, verdict.requested);
            line(&mut out, 1, &format!("depth {depth}: the deepest listed one up to {requested}"));
        }
        _ => {}
    }
    verdict.wrong_counts.iter().for_each(|wrong| block(&mut out, wrong));
    verdict.missed.iter().for_each(|missed| block(&mut out, missed));
    verdict.first_wrong.iter().for_each(|first| block(&mut out, first));
    if let Some(wrong) = verdict.wrong_counts.first() {
        if verdict.wrong_counts.iter().all(|wrong| wrong.expectation == Expectation::Suite) {
            line(&mut out, 1, "two counters agree on the count found: the suite's count may be wrong");
        }
        if let Some(hint) = &verdict.count_hint {
            line(&mut out, 1, &format!("the first listed count that differs: {hint}"));
        }
        line(&mut out, 1, &format!("next step: perft divide --fen '{fen}' --depth {}", wrong.depth));
    }
    verdict.findings.iter().for_each(|finding| block(&mut out, finding));
    verdict.identities.iter().for_each(|identity| block(&mut out, clash(identity)));
    for MissedIdentity { scheme, reason } in &verdict.identities_missed {
        line(&mut out, 1, &format!("V5 identity ({scheme}) was not checked: {reason}"));
    }
    if let Some(statistics) = &verdict.statistics {
        let s = statistics;
        let (captures, castles, promotions) = (s.captures, s.castles, s.promotions);
        line(
            &mut out,
            1,
            &format!("captures {captures}, e.p. {}, castles {castles}, promotions {promotions}", s.en_passant),
        );
        let (checks, discovered, double, mates) = (s.checks, s.discovered, s.double, s.mates);
        line(&mut out, 1, &format!("checks {checks}, discovered {discovered}, double {double}, mates {mates}"));
    }
    out
}

/// Returns the number of comparisons of each check.
pub fn checks(run: &Run<'_>) -> String {
    let RunTotals { counts_compared, identities, checks, .. } = &run.tally;
    format!("V1 counts {counts_compared}, {}, V5 identity {identities}", list(checks))
}

fn list(checks: &Checks) -> String {
    let Checks { boards, keys, unmakes, null_moves, null_keys, round_trips } = checks;
    format!(
        "V0 boards {boards}, V2 keys {keys}, V3 unmake {unmakes}, V4 null moves {null_moves} and their keys {null_keys}, \
         V6 round trips {round_trips}"
    )
}

/// Describes the verdict on the random games.
pub fn playouts(playouts: &PlayoutsVerdict) -> String {
    let settings = &playouts.playouts;
    let verdict = match (playouts.is_wrong(), playouts.report.interrupted) {
        (true, _) => "WRONG",
        (false, true) => "interrupted",
        (false, false) => "ok",
    };
    let (games, plies, seed) = (settings.games, settings.plies, settings.seed);
    let mut out = format!("playouts: {games} games of at most {plies} plies, seed {seed}: {verdict}\n");
    line(&mut out, 1, &list(&playouts.report.checks));
    block(&mut out, playouts);
    out
}

/// Returns the result of the run in one line.
pub fn summary(run: &Run<'_>) -> String {
    let RunTotals { passed, failed, skipped, nodes, .. } = &run.tally;
    let mut out = format!("{} of {} rows: {passed} passed, {failed} failed", run.tally.rows(), run.rows);
    if *skipped > 0 {
        let _ = write!(out, ", {skipped} skipped");
    }
    if run.before > 0 {
        let _ = write!(out, ", {} passed in an earlier run", run.before);
    }
    let _ = write!(out, "; {nodes} nodes; {}", run.verdict());
    out
}

/// Returns the time of the run, which took `all`, by what it went into: the rows' lines have that of the walks alone.
pub fn times(run: &Run<'_>, all: Duration) -> String {
    let RunTotals { time, counter_time, identity_time, .. } = &run.tally;
    let seconds = |time: &Duration| format!("{:.2} s", time.as_secs_f64());
    let mut parts = vec![format!("walks {}", seconds(time))];
    let others = [("second counter", counter_time), ("V5 identity", identity_time)];
    let others = others.iter().filter(|(_, time)| !time.is_zero());
    parts.extend(others.map(|(what, time)| format!("{what} {}", seconds(time))));
    let threads = if run.threads > 1 { ", added up over rows that run side by side" } else { "" };
    format!("time {} ({}{threads})", seconds(&all), parts.join(", "))
}

/// Returns the result of each preset, in a run of all of them.
pub fn schemes(run: &Run<'_>) -> Option<String> {
    if !run.options.settings.scheme.is_all() {
        return None;
    }
    let keyed = PRESETS.iter().filter(|scheme| scheme.number_of_keys() > 0);
    let is_wrong = |name: &&str| run.tally.wrong_schemes.contains(*name);
    let (wrong, right): (Vec<&str>, Vec<&str>) = keyed.map(|scheme| &*scheme.name).partition(is_wrong);
    let mut line = format!("schemes right: {}", if right.is_empty() { "none".into() } else { right.join(", ") });
    if !wrong.is_empty() {
        let _ = write!(line, "; WRONG: {}", wrong.join(", "));
    }
    Some(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_chess::Fen;
    use perft_gate_judge::gate::{Identities, Mode, judge};
    use perft_gate_simd::Level;
    use perft_gate_suite::Row;
    use perft_gate_walk::{Control, Settings};

    fn verdict(id: &str) -> RowVerdict {
        let row = Row::unknown(id, Fen::parse(Fen::START).expect("a position"));
        let (scheme, level) = (&PRESETS[1], Level::detect());
        let settings = Settings { scheme, secondary: &[], seed: 0, level, sample_mask: 0xfff };
        let (mode, identities) = (Mode::Verify, Identities::Off);
        let options = Options { depth: 1, mode, settings, max_nodes: None, identities };
        judge(&row, options, &Control::default())
    }

    #[test]
    fn a_terminal_gets_lines_that_fit_and_a_file_whole_names() {
        let long = "a name that is much longer than any column of a table is wide, and says it";
        let mut verdict = verdict(long);
        verdict.report.as_mut().expect("a walk").time = Duration::from_secs(12_345);
        for width in 63..200 {
            let table = VerdictTable::new(Some(width), long.len());
            for line in [table.head(), table.row(&verdict)] {
                assert!(line.chars().count() <= width, "{width}: {line}");
            }
            assert!(table.row(&verdict).ends_with("  cross-checked"));
        }
        let table = VerdictTable::new(None, long.len());
        assert!(table.row(&verdict).starts_with(long) && table.head().contains("expected"));
    }

    #[test]
    fn a_time_that_is_nothing_has_no_rate() {
        let mut verdict = verdict("start");
        let table = VerdictTable::new(None, 10);
        let mut row = |time| {
            verdict.report.as_mut().expect("a walk").time = time;
            table.row(&verdict).split_whitespace().rev().take(3).map(String::from).collect::<Vec<_>>()
        };
        assert_eq!(row(Duration::from_micros(4_900)), ["cross-checked", "-", "0.00"]);
        assert_eq!(row(Duration::from_millis(21)), ["cross-checked", "0.0", "0.02"]);
    }
}
