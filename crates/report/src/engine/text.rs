//! The run of an engine, as text.

use super::causes;
use super::run::EngineRun;
use crate::text::{TextTable, judged_rows, line};
use perft_gate_engine::{
    CountFault, EngineFailure, EngineVerdict, ExplainedMove, FailureExpectation, KeyFinding, KeyReport,
    PositionCommand, Request, RowOutcome, WrongListed, WrongPosition, WronglyMade, one_constant,
};
use perft_gate_judge::gate::path;
use perft_gate_listing::{Comparison, SubtotalDifference};
use perft_gate_suite::Class;

/// Returns the layout of the table of rows, for a terminal `width` characters wide or for a file (`None`), where
/// nothing is shortened. The longest row name has `longest_name` characters.
pub fn table(width: Option<usize>, longest_name: usize) -> TextTable {
    judged_rows(width, longest_name, &[], "knodes/s")
}

/// Maximum number of wrong moves listed for a position. The JSON document lists all of them.
const MAX_MOVES: usize = 5;

pub fn row(verdict: &EngineVerdict) -> [String; 7] {
    let counts = |of: &Comparison| [of.expected, of.found].map(|count| count.to_string());
    let [expected, found] = verdict.comparison.as_ref().map_or(["-".into(), "-".into()], counts);
    let (depth, seconds) = (verdict.depth.to_string(), format!("{:.2}", verdict.time.as_secs_f64()));
    let rate = verdict.nodes_per_second.map_or("-".into(), |rate| format!("{:.0}", rate / 1e3));
    [verdict.row.id.clone(), depth, expected, found, seconds, rate, outcome(verdict)]
}

/// Returns a text with a row's outcome, whether its moves were compared, and whether the outcome was expected.
pub fn outcome(verdict: &EngineVerdict) -> String {
    let compared = if verdict.is_total_only() { ", total only" } else { "" };
    let expected = match verdict.expectation {
        FailureExpectation::NotListed => "",
        FailureExpectation::Met => ", as expected",
        FailureExpectation::UnexpectedPass => ", unexpectedly",
        FailureExpectation::Missed => ", another verdict was expected",
    };
    let tolerated = if verdict.is_tolerated_refusal() { ", which is allowed" } else { "" };
    format!("{}{compared}{tolerated}{expected}", verdict.outcome.name())
}

/// Returns the details that do not fit on a row's line. The text is empty for a plain pass.
pub fn details(verdict: &EngineVerdict, request: &Request) -> String {
    let mut out = String::new();
    if let Some(reason) = &verdict.skipped {
        line(&mut out, 1, &format!("skipped: {reason}"));
    }
    if let Some(shown) = &verdict.refused {
        line(&mut out, 1, &format!("the engine refuses {}", verdict.row.fen));
        line(&mut out, 2, shown);
    }
    let comparison = verdict.comparison.as_ref();
    if let (RowOutcome::WrongTotal, Some(Comparison { expected, found, .. })) = (verdict.outcome, comparison) {
        let what = "the moves and the leaves below each are right, the printed total is wrong";
        line(&mut out, 1, &format!("{what}: expected {expected}, found {found}"));
    }
    for WrongListed { depth, listed, counted } in &verdict.wrong_listed {
        let is_engine_right = verdict.outcome == RowOutcome::WrongList;
        let who = if is_engine_right { "our counter and the engine count" } else { "our counter counts" };
        line(&mut out, 1, &format!("the list is wrong at depth {depth}: it says {listed}, {who} {counted}"));
    }
    if let Some(sum) = comparison.and_then(|comparison| comparison.other_sum) {
        line(&mut out, 1, &format!("the root moves add up to {sum}"));
    }
    if let (Some(text), RowOutcome::WrongCount) = (&verdict.not_understood, verdict.outcome) {
        line(&mut out, 1, &format!("line not understood: '{text}'"));
    }
    if let [SubtotalDifference { mv, expected, found }, others @ ..] = comparison.map_or(&[][..], |of| &of.subtotals) {
        let more = match others.len() {
            0 => String::new(),
            1 => ", and 1 other root move differs".into(),
            others => format!(", and {others} other root moves differ"),
        };
        line(&mut out, 1, &format!("below {}: expected {expected}, found {found}{more}", mv.uci()));
    }
    if let Some(wrong) = &verdict.wrong_position {
        wrong_position(&mut out, wrong, request);
    }
    if let Some(keys) = &verdict.keys {
        keys.findings.iter().for_each(|found| out += &key_finding(found));
    }
    if let (true, (Class::Tolerated, Some(reason))) = (verdict.outcome.is_wrong(), verdict.row.class()) {
        line(&mut out, 1, &format!("strict programs refuse this position, others may differ: {reason}"));
    }
    verdict.failure.iter().for_each(|failed| out += &failure(failed));
    if let Some((_, Some(place))) = causes::kind(verdict) {
        line(&mut out, 2, &format!("look at    {place}"));
    }
    let is_shown = verdict.wrong_position.is_some() || verdict.keys.is_some() || verdict.failure.is_some();
    if verdict.outcome.is_wrong() && !is_shown {
        to_see(&mut out, &request.lines(&PositionCommand::new(&verdict.row.fen), verdict.depth));
    }
    out
}

/// Describes why the engine gave no answer.
pub fn failure(failure: &EngineFailure) -> String {
    let mut out = String::new();
    line(&mut out, 1, &failure.message);
    failure.stderr.iter().for_each(|text| line(&mut out, 2, &format!("stderr: {text}")));
    to_see(&mut out, &failure.asked);
    out
}

/// Returns a line that says for how many rows only the total was compared, and why. `None` if there are no such rows.
pub fn totals_only(run: &EngineRun<'_>) -> Option<String> {
    let rows = run.totals_only().count();
    let compared = run.summary.verdicts.iter().filter(|verdict| verdict.comparison.is_some()).count();
    let reason = match run.not_understood() {
        Some(text) => format!("no list of moves was understood; the first unread line is '{text}'"),
        None => "the engine lists no moves".into(),
    };
    (rows > 0).then(|| format!("moves: not compared in {rows} of {compared} rows, only totals; {reason}"))
}

/// Returns a line about the rows in which the engine prints the same text for different moves, if there are any.
fn promotions(run: &EngineRun<'_>) -> Option<String> {
    let rows =
        run.summary.verdicts.iter().filter_map(|verdict| verdict.comparison.as_ref()).filter(|of| of.as_sets).count();
    (rows > 0)
        .then(|| format!("ambiguous moves, such as promotions without the piece, in {rows} rows: compared as sets"))
}

/// Returns a line that lists the known failures that failed again, and a line that lists those that passed.
fn known_failure_lines(run: &EngineRun<'_>) -> Vec<String> {
    let kinds = [
        (FailureExpectation::Met, "failed as expected", ""),
        (FailureExpectation::UnexpectedPass, "passed unexpectedly", ": remove them from the list of known failures"),
    ];
    let rows = |wanted| run.summary.verdicts.iter().filter(move |verdict| verdict.expectation == wanted);
    let list = |(wanted, what, next)| {
        let mut names: Vec<_> =
            rows(wanted).map(|verdict| format!("{} ({})", verdict.row.id, verdict.outcome.name())).collect();
        let is_met = |is_found| (wanted == FailureExpectation::Met) == is_found;
        let faults = run.summary.expected_faults.iter().filter(|fault| is_met(fault.is_found));
        names.extend(faults.map(|fault| format!("run ({})", fault.name)));
        (!names.is_empty()).then(|| format!("{what}: {}{next}", names.join(", ")))
    };
    kinds.into_iter().filter_map(list).collect()
}

/// Returns a line that names the expected faults that the run found, or `None` if it found none of them.
pub(super) fn expected_faults(run: &EngineRun<'_>) -> Option<String> {
    let found = run.summary.expected_faults.iter().filter(|fault| fault.is_found);
    let names: Vec<&str> = found.map(|fault| fault.name).collect();
    (!names.is_empty()).then(|| format!("failed as expected: {}", names.join(", ")))
}

/// Describes what the user can do about skipped Chess960 rows, if there are any.
pub fn without_chess960(run: &EngineRun<'_>) -> Option<String> {
    let rows = run.summary.verdicts.iter().filter(|verdict| verdict.lacks_chess960()).count();
    let reason = match run.engine.learned.map(|learned| &learned.request) {
        Some(request) if request.is_program => "which cannot be announced without UCI; choose",
        _ => "and the engine has no option UCI_Chess960: add that option to it, or choose",
    };
    (rows > 0).then(|| {
        let suite = "a suite without such rows, such as --suite standard";
        format!("{rows} of {} rows are Chess960, {reason} {suite}", run.rows)
    })
}

/// Describes a wrong key, with the lines that reproduce it.
pub fn key_finding(finding: &KeyFinding) -> String {
    let mut out = String::new();
    line(&mut out, 1, &format!("{}: {}", finding.fault.name(), finding.cause));
    line(&mut out, 2, &format!("reproduce  {}", finding.position));
    if let Some(other) = &finding.other {
        line(&mut out, 2, &format!("against    {other}"));
    }
    line(&mut out, 2, &format!("expected   {}", finding.expected));
    line(&mut out, 2, &format!("found      {}", finding.found));
    out
}

/// Describes the properties of the engine's keys, and how many keys were compared.
pub fn keys(run: &EngineRun<'_>) -> String {
    let reports = run.summary.verdicts.iter().filter_map(|verdict| verdict.keys.as_deref());
    let sum = |count: fn(&KeyReport) -> u64| reports.clone().map(count).sum::<u64>();
    let Some(shown) = run.engine.learned.and_then(|learned| learned.shown.as_ref()) else {
        return "keys and FENs: not checked, because of --exec or --keys off".into();
    };
    let fens = match shown.clocks {
        None => format!("\nFENs after moves: not compared, because '{}' shows none that can be read", shown.command),
        Some(clocks) => {
            let kept = [(clocks.halfmove, "halfmove clock"), (clocks.fullmove, "fullmove number")];
            let lost = kept.iter().filter(|(is_kept, _)| !is_kept);
            let lost: String = lost.map(|(_, name)| format!(", without the {name}, which it does not keep")).collect();
            format!("\nFENs: {} after moves compared with the positions{lost}", sum(|report| report.fens))
        }
    };
    let Some(conventions) = &run.summary.conventions else {
        return format!("keys: not checked, because the engine prints none for '{}'{fens}", shown.command);
    };
    let (compared, positions) = (sum(|report| report.compared), sum(|report| report.positions));
    let transpositions = sum(|report| report.transpositions);
    let constant = one_constant(reports.clone()).map_or(String::new(), |constant| format!("\nkeys: {constant}"));
    let scheme = conventions.scheme.as_ref();
    let scheme = scheme.map_or(String::new(), |compared| format!("\nkeys: {}", compared.text()));
    format!(
        "keys: {compared} compared by moves and by FEN, {positions} different positions, {transpositions} \
         transpositions; {}{scheme}{constant}{}",
        conventions.text(),
        if shown.clocks.is_some_and(|clocks| clocks.halfmove && clocks.fullmove) { "" } else { &fens }
    )
}

fn wrong_position(out: &mut String, wrong: &WrongPosition, request: &Request) {
    let (fen, moves) = (&wrong.fen, path(&wrong.path));
    let after = if wrong.path.is_empty() { "at the position of the row".into() } else { format!("after {moves}") };
    let texts = match &wrong.fault {
        CountFault::Made { made: WronglyMade { mv, fen: before, difference } } => {
            let difference = difference.as_ref().map_or(String::new(), |difference| format!(": {difference}"));
            vec![
                (1, format!("making {mv} leaves a wrong position{difference}")),
                (2, format!("it is made in {before}")),
                (1, format!("the moves are then wrong in {fen}")),
            ]
        }
        CountFault::Unmade => {
            let what = format!("the engine's walk does not restore the position {after}");
            vec![
                (1, format!("{what}: check unmake, and the key of its perft table")),
                (2, format!("the engine counts this position right if it is given as a FEN or by moves: {fen}")),
            ]
        }
        CountFault::Walk => vec![
            (1, format!("the engine's own walk is wrong {after}: check make and unmake")),
            (2, format!("the engine counts this position right if it is given as a FEN: {fen}")),
        ],
        CountFault::SumOverPlies => {
            let what = "the count is the sum over all plies: perft counts only the leaves of the last ply";
            vec![(1, format!("{what}: expected {}, found {}", wrong.expected, wrong.found))]
        }
        CountFault::OnlyInWalk(cause) => vec![
            (1, format!("the engine's walk is wrong {after}: {}", cause.text)),
            (2, format!("the engine counts this position right on its own: {fen}")),
        ],
        CountFault::Number => vec![
            (1, format!("the number of moves is wrong in {fen}")),
            (2, format!("expected {}, found {}", wrong.expected, wrong.found)),
        ],
        CountFault::Moves => vec![(1, format!("the moves are wrong in {fen}"))],
    };
    texts.iter().for_each(|(indent, text)| line(out, *indent, text));
    line(out, 2, &format!("path       {moves}"));
    let missing = wrong.missing.iter().map(|mv| ("missing", mv));
    let moves: Vec<(&str, &ExplainedMove)> = missing.chain(wrong.extra.iter().map(|mv| (mv.fault(), mv))).collect();
    for (what, mv) in moves.iter().take(MAX_MOVES) {
        line(out, 2, &format!("{what:<10} {}: {}", mv.text, mv.rule));
    }
    if moves.len() > MAX_MOVES {
        line(out, 2, &format!("{:<10} and {} more", "", moves.len() - MAX_MOVES));
    }
    wrong.unread.iter().for_each(|text| line(out, 2, &format!("not read   '{text}'")));
    to_see(out, &request.lines(&wrong.position, wrong.depth));
}

/// Writes the lines that reproduce a failure.
fn to_see(out: &mut String, lines: &[String]) {
    let labels = ["reproduce"].into_iter().chain(std::iter::repeat(""));
    lines.iter().zip(labels).for_each(|(text, label)| line(out, 2, &format!("{label:<10} {text}")));
}

/// Returns the result of the run, with a note on every part that was not compared.
pub fn summary(run: &EngineRun<'_>) -> String {
    let before = (run.summary.before > 0).then(|| before(run));
    let notes = [before, totals_only(run), without_chess960(run), promotions(run)].into_iter().flatten();
    notes.chain(known_failure_lines(run)).chain([rows(run)]).chain(causes::text(run)).collect::<Vec<_>>().join("\n")
}

/// Returns a line that says how many rows passed in an earlier run.
pub(super) fn before(run: &EngineRun<'_>) -> String {
    format!("{} of {} rows passed in an earlier run, and were not asked again", run.summary.before, run.rows)
}

fn rows(run: &EngineRun<'_>) -> String {
    let counted = RowOutcome::ALL.into_iter().filter_map(|outcome| {
        let number = run.summary.verdicts.iter().filter(|verdict| verdict.outcome == outcome).count();
        (number > 0).then(|| format!("{number} {outcome}"))
    });
    let counted: Vec<String> = counted.collect();
    let comparisons = run.summary.verdicts.iter().filter_map(|verdict| verdict.comparison.as_ref());
    let nodes: u128 = comparisons.map(|comparison| comparison.found).sum();
    let (time, waited, own) = (run.summary.time, run.summary.waited, run.summary.own);
    let share = 100.0 * own.as_secs_f64() / (waited + own).as_secs_f64().max(1e-9);
    let [time, waited, own] = [time, waited, own].map(|time| time.as_secs_f64());
    format!(
        "rows: {}; {nodes} nodes in {time:.1} s (engine {waited:.1} s, perft's own overhead {own:.2} s, {share:.1} %); {}",
        counted.join(", "),
        run.outcome()
    )
}
