//! Output of the gate: the table of verdicts and its details, `perft.gate/1`, JUnit XML, and GitHub annotations.

use crate::cases::{Cases, ReportCase, Status, TableRow};
use crate::text::{TextTable, block, json, judged_rows, line, millions, numbers};
use perft_gate_judge::gate::{
    Expectation, MissedIdentity, Mode, Options, Outcome, PlayoutsVerdict, RowVerdict, Run, RunOutcome, RunTotals, clash,
};
use perft_gate_walk::{Checks, Statistics};
use perft_gate_zobrist::PRESETS;
use serde::Serialize;
use std::fmt::Write;
use std::time::Duration;

/// Returns the first line of the output, with the scheme, the level, the number of threads, and the remarks.
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

/// Returns the layout of the table of rows, for a terminal `width` characters wide or for a file (`None`), where
/// nothing is shortened. The longest row name has `longest_name` characters.
pub fn table(width: Option<usize>, longest_name: usize) -> TextTable {
    judged_rows(width, longest_name, &[numbers("keys verified", 13, 2)], "Mnodes/s")
}

pub fn row(verdict: &RowVerdict) -> [String; 8] {
    let count = |count: Option<u128>| count.map_or("-".into(), |count| count.to_string());
    let (name, outcome) = (verdict.row.id.clone(), outcome(verdict).into());
    let Some(report) = &verdict.report else {
        let [depth, expected, found, keys, seconds, rate] = ["-"; 6].map(String::from);
        return [name, depth, expected, found, keys, seconds, rate, outcome];
    };
    [
        name,
        verdict.depth.to_string(),
        count(verdict.expected),
        count(report.nodes.last().copied()),
        report.checks.keys.to_string(),
        format!("{:.2}", report.time.as_secs_f64()),
        millions(report.total(), report.time, 1),
        outcome,
    ]
}

/// Returns the outcome text printed at the end of a row's line.
pub fn outcome(verdict: &RowVerdict) -> &'static str {
    match &verdict.outcome {
        Outcome::Passed if verdict.expectation == Expectation::CrossChecked => "cross-checked",
        Outcome::Passed => "ok",
        Outcome::Failed => "WRONG",
        Outcome::Skipped(_) => "skipped",
        Outcome::Interrupted => "interrupted",
    }
}

/// Returns details not in a row's line: reasons, errors, and a lower depth if `tells_depth`. Empty for a plain pass.
pub fn details(verdict: &RowVerdict, tells_depth: bool) -> String {
    let mut out = String::new();
    let fen = &verdict.row.fen;
    match &verdict.outcome {
        Outcome::Skipped(reason) => line(&mut out, 1, &format!("skipped: {reason}")),
        _ if tells_depth && verdict.depth < verdict.requested => {
            let (depth, requested) = (verdict.depth, format!("--depth is {}", verdict.requested));
            let listed = "but the suite lists no deeper count";
            line(&mut out, 1, &format!("compared only up to depth {depth}: {requested}, {listed}"));
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
            line(&mut out, 1, &format!("the first count that differs: {hint}"));
        }
        line(&mut out, 1, &format!("next step: perft divide --fen '{fen}' --depth {}", wrong.depth));
    }
    verdict.findings.iter().for_each(|finding| block(&mut out, finding));
    verdict.identities.iter().for_each(|identity| block(&mut out, clash(identity)));
    for MissedIdentity { scheme, reason } in &verdict.identities_missed {
        line(&mut out, 1, &format!("V5 identity ({scheme}) was not checked: {reason}"));
    }
    if let Some(statistics) = &verdict.statistics {
        let Statistics { captures, en_passant, castles, promotions, checks, discovered, double, mates, .. } =
            statistics;
        let special = format!("castles {castles}, promotions {promotions}");
        line(&mut out, 1, &format!("captures {captures}, e.p. {en_passant}, {special}"));
        line(&mut out, 1, &format!("checks {checks}, discovered {discovered}, double {double}, mates {mates}"));
    }
    out
}

/// Returns a line with the number of comparisons that each check made.
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
    let _ = write!(out, "; {nodes} nodes; {}", run.outcome());
    out
}

/// Returns a line with the run's total time `all` and its parts. A row's line shows only the time of its walk.
pub fn times(run: &Run<'_>, all: Duration) -> String {
    let RunTotals { time, counter_time, identity_time, .. } = &run.tally;
    let seconds = |time: &Duration| format!("{:.2} s", time.as_secs_f64());
    let mut parts = vec![format!("walks {}", seconds(time))];
    let others = [("second counter", counter_time), ("V5 identity", identity_time)];
    let others = others.iter().filter(|(_, time)| !time.is_zero());
    parts.extend(others.map(|(what, time)| format!("{what} {}", seconds(time))));
    let threads = if run.threads > 1 { ", summed over rows that run in parallel" } else { "" };
    format!("time {} ({}{threads})", seconds(&all), parts.join(", "))
}

/// Returns a line with the result of each preset scheme, if the run checks all preset schemes.
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

/// Returns the test cases of a run. They cover its rows, the random games, and whether the run reached its end.
fn cases(run: &Run<'_>) -> Cases {
    let mut cases: Vec<ReportCase> = run.verdicts.iter().map(case).collect();
    if run.before > 0 {
        let remark = Some(format!("{} of {} rows, not walked again", run.before, run.rows));
        cases.push(ReportCase { remark, ..ReportCase::pass("rows that passed in an earlier run") });
    }
    if let Some(playouts) = &run.playouts {
        cases.push(match (playouts.is_wrong(), playouts.report.interrupted) {
            (true, _) => ReportCase::with_status("playouts", Status::Failed, "playouts", self::playouts(playouts)),
            (false, true) => ReportCase::with_status("playouts", Status::Error, "interrupted", String::new()),
            (false, false) => ReportCase::pass("playouts"),
        });
    }
    if !run.finished {
        let message = format!("{} of {} rows are done", run.tally.rows() + run.before, run.rows);
        cases.push(ReportCase::with_status("the run came to its end", Status::Error, message, String::new()));
    }
    Cases { program: "perft", suite: run.suite.clone(), cases }
}

fn case(verdict: &RowVerdict) -> ReportCase {
    let details = || details(verdict, true);
    let headline = |details: &str| details.lines().next().unwrap_or("").trim().to_string();
    let (status, word, message, details) = match &verdict.outcome {
        Outcome::Passed => (Status::Passed, "ok", String::new(), String::new()),
        Outcome::Failed => (Status::Failed, "**wrong**", headline(&details()), details()),
        Outcome::Skipped(_) => (Status::Skipped, "skipped", headline(&details()), details()),
        Outcome::Interrupted => (Status::Error, "interrupted", "interrupted".into(), String::new()),
    };
    let found = verdict.report.as_ref().and_then(|report| report.nodes.last().copied());
    let counts = [verdict.expected, found];
    ReportCase {
        row: Some(TableRow { depth: verdict.depth, counts, verdict: word.into() }),
        time: verdict.report.as_ref().map(|report| report.time),
        ..ReportCase::with_status(&verdict.row.id, status, message, details)
    }
}

pub fn junit(run: &Run<'_>) -> String {
    cases(run).junit()
}

pub fn markdown(run: &Run<'_>) -> String {
    cases(run).markdown(&format!("perft: {}", run.outcome()), &summary(run))
}

/// Returns the `::error` line for a row, or `None` if the row did not fail.
pub fn error(verdict: &RowVerdict) -> Option<String> {
    (verdict.outcome == Outcome::Failed).then(|| case(verdict).error()).flatten()
}

pub const SCHEMA: &str = "perft.gate/1";

/// The verdict of perft's gate.
#[perft_gate_chess::document(decimal, sparse, Serialize, Debug)]
pub struct GateDocument<'a> {
    /// `incomplete` means that the run was killed after the rows listed here.
    verdict: RunOutcome,
    /// Name of the built-in suite or of the file.
    suite: &'a str,
    /// Number of rows of the suite.
    number_of_rows: usize,
    /// Task for each position.
    mode: Mode,
    /// Depth asked for.
    depth: u32,
    /// Name of the scheme.
    scheme: &'a str,
    /// Seed of the scheme's key tables.
    seed: u64,
    /// SIMD level.
    level: String,
    /// Number of worker threads.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    threads: usize,
    /// Totals of all rows.
    totals: &'a RunTotals,
    /// Number of rows that passed in an earlier run with the same --checkpoint. Those rows are not listed here.
    passed_before: Option<usize>,
    /// Random games, if any were played.
    playouts: Option<&'a PlayoutsVerdict>,
    /// Rows, in the order of the suite.
    rows: &'a [RowVerdict],
}

pub fn document(run: &Run<'_>) -> String {
    let settings = &run.options.settings;
    let document = GateDocument {
        verdict: run.outcome(),
        suite: &run.suite,
        number_of_rows: run.rows,
        mode: run.options.mode,
        depth: run.options.depth,
        scheme: &settings.scheme.name,
        seed: settings.seed,
        level: settings.level.to_string(),
        threads: run.threads,
        totals: &run.tally,
        passed_before: (run.before > 0).then_some(run.before),
        playouts: run.playouts.as_ref(),
        rows: &run.verdicts,
    };
    json(SCHEMA, document)
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
    fn a_terminal_gets_lines_that_fit() {
        let long = "a name that is much longer than any column of a table is wide, and says it";
        let mut verdict = verdict(long);
        verdict.report.as_mut().expect("a walk").time = Duration::from_secs(12_345);
        for width in 63..200 {
            let table = table(Some(width), long.len());
            for line in [table.head(), table.line(&row(&verdict))] {
                assert!(line.chars().count() <= width, "{width}: {line}");
            }
            assert!(table.line(&row(&verdict)).ends_with("  cross-checked"));
        }
    }

    #[test]
    fn a_time_that_is_nothing_has_no_rate() {
        let mut verdict = verdict("start");
        let mut cells = |time| {
            verdict.report.as_mut().expect("a walk").time = time;
            let [.., seconds, rate, outcome] = row(&verdict);
            [seconds, rate, outcome]
        };
        assert_eq!(cells(Duration::from_micros(4_900)), ["0.00", "-", "cross-checked"]);
        assert_eq!(cells(Duration::from_millis(21)), ["0.02", "0.0", "cross-checked"]);
    }
}
