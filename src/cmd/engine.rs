//! `perft engine`: compares an engine's perft with ours, and audits its keys.

mod args;

pub use args::EngineArgs;

use crate::cmd::passed::PassedRows;
use crate::failure::{CommandFailure, Interrupted, Outside, Result, Usage, exit_broken_keys};
use crate::hints::with_nearest;
use crate::out::console;
use crate::out::file::{Output, RunStage};
use crate::out::progress::{Amount, WaitProgress, with_progress, with_task_bar};
use anstyle::AnsiColor;
use clap::Args;
use perft_gate_chess::Role;
use perft_gate_engine::{
    EngineFailure, EngineRunOutcome, EngineRunSummary, EngineSession, EngineSettings, EngineTable, EngineTask,
    EngineVerdict, FailureExpectation, FailureKind, KeyAudit, Request, RowOutcome,
};
use perft_gate_lab::quality::export::{self, Format};
use perft_gate_lab::quality::{Audit, AuditVerdict, TableEntries, structures};
use perft_gate_report::engine::run::{EngineDetails, EngineRun, document};
use perft_gate_report::engine::{cases, causes, text as report};
use perft_gate_report::engine_keys::{self, EngineKeysDocument, EngineKeysVerdict};
use perft_gate_report::text::{TextTable, json as json_text};
use perft_gate_suite::Row;
use perft_gate_walk::Control;
use perft_gate_zobrist::Term;
use std::collections::HashSet;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread::available_parallelism;

type EngineRunFormat = fn(&EngineRun<'_>) -> String;

pub fn run(args: &EngineArgs) -> Result<ExitCode> {
    if args.audit_keys {
        return audit_keys(args);
    }
    let positions = args.suite.positions()?;
    let (suite, rows) = (&positions.name, positions.number);
    let mut files = args.output.open::<EngineRunFormat>(document, cases::junit)?;
    let settings = args.settings()?;
    let jobs = args.jobs.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from);
    let expected = &args.read_expected(&positions)?;
    let mut passed = PassedRows::open(args.list.checkpoint.as_deref(), &positions, || args.pass_conditions())?;
    let (depth, max_nodes, max_failures) = (args.depth(), args.max_nodes, args.max_failures());
    let task = EngineTask { before: passed.before, depth, max_nodes, jobs, max_failures, expected };
    for word in args.command.iter().skip(1).filter_map(|word| word.to_str()).filter(|word| is_ours(word)) {
        note!("note: '{word}' after the engine's name goes to the engine: put perft's options before '--'");
    }
    let waiting = || WaitProgress { what: settings.activity.text(), amount: Amount::Unknown };
    let session = match with_progress(waiting, || EngineSession::start(&settings)) {
        Ok(session) => session,
        Err(failure) => return not_asked(args, &settings, (suite, rows), &mut files, failure),
    };
    for unknown in session.unknown_options() {
        note!("warning: --option: {}", with_nearest(&unknown));
    }
    if session.conventions.is_none() {
        check_no_keys(args, &settings)?;
    }
    let (learned, command) = (session.learned.clone(), settings.command_line());
    let verb = &learned.request.text;
    let (name, nothing) = (session.name().to_string(), session.summary());
    let engine = EngineDetails { name: &name, command: &command, verb, learned: Some(&learned) };
    let asked = EngineRun { engine, suite, depth, rows, summary: &nothing };
    let hides_passes = args.list.hides_passes(rows, MAX_SHOWN);
    let mut shown = ShownCauses { hides_passes, ..ShownCauses::default() };
    let table = report::table(console::width(), positions.longest_name);
    let processes = if jobs == 1 { "process" } else { "processes" };
    say!("{name} ('{verb}'), {jobs} {processes}: {}", learned.text());
    if hides_passes {
        say!("{rows} rows; showing the first failure for each cause (--rows all shows every row)");
    }
    let (mut written, done) = (Ok(()), AtomicUsize::new(passed.before));
    // The time that an engine takes grows with the number of leaves, so the listed counts predict the remaining time.
    let work = |row: &Row| {
        let listed = row.deepest(depth).and_then(|depth| row.count(depth));
        listed.map_or(1, |nodes| u64::try_from(nodes).unwrap_or(u64::MAX))
    };
    let total = positions.iter().map(|row| work(&row)).fold(1, u64::saturating_add);
    let worked = AtomicU64::new(0);
    let remaining = passed.remaining(&positions);
    let each = |summary: &EngineRunSummary| {
        let verdict = summary.verdicts.last().expect("the row just judged");
        let has_passed = verdict.outcome == RowOutcome::Pass;
        if shown.is_new(verdict) {
            if !std::mem::replace(&mut shown.has_head, true) {
                say!("{}", table.head());
            }
            show_row(&table, verdict, &learned.request);
        }
        if let Some(error) = cases::error(verdict, &learned.request).filter(|_| args.output.github) {
            say!("{error}");
        }
        let update = |(file, format): &mut (Output, EngineRunFormat)| {
            file.update(RunStage::Running, || format(&EngineRun { summary, ..asked }))
        };
        done.fetch_add(1, Relaxed);
        worked.fetch_add(work(&verdict.row), Relaxed);
        if written.is_ok() {
            written = files.iter_mut().try_for_each(update).and_then(|()| passed.add(has_passed));
        }
    };
    let progress = || {
        let share = worked.load(Relaxed) as f64 / total as f64;
        let amount = Amount::Rows { done: done.load(Relaxed), rows, share: share.min(1.0) };
        WaitProgress { what: format!("{name}, {}", settings.activity.text()), amount }
    };
    let summary = with_progress(progress, || session.run(remaining, task, each));
    written?;
    passed.close()?;
    conclude(args, &settings, &EngineRun { summary: &summary, ..asked }, &mut files)
}

/// Returns true if `word` is an option of `perft engine`.
fn is_ours(word: &str) -> bool {
    let ours = EngineArgs::augment_args(clap::Command::new("engine"));
    word.strip_prefix("--").is_some_and(|word| ours.get_arguments().any(|option| option.get_long() == Some(word)))
}

/// Returns an error if an option requires keys, because this engine prints none.
fn check_no_keys(args: &EngineArgs, settings: &EngineSettings) -> Result<()> {
    let display = &settings.display;
    match &args.key_pattern {
        Some(pattern) if settings.checks_keys => Err(Usage(format!(
            "--key-pattern: '{pattern}' matches nothing that the engine prints for '{display}', expected its key: send '{display}' to the engine and look"
        ))),
        _ if args.require_ep.is_some() => Err(Outside(format!(
            "--require-ep: the engine prints no key for '{display}', expected one: set --key-pattern if the key looks different"
        ))),
        _ => Ok(()),
    }
}

/// Prints the final lines of the run, writes the result files, and returns the exit code.
fn conclude(
    args: &EngineArgs,
    settings: &EngineSettings,
    run: &EngineRun<'_>,
    files: &mut [(Output, EngineRunFormat)],
) -> Result<ExitCode> {
    for finding in run.summary.key_findings() {
        let text = report::key_finding(finding);
        console::say_finding(&text);
        if args.output.github {
            say!("{}", cases::annotation("keys", &text));
        }
    }
    say!("{}", report::keys(run));
    console::say_finding(&report::summary(run));
    let code = write_documents(args, settings, run, files)?;
    if run.outcome() == EngineRunOutcome::NothingCompared {
        let reason = report::without_chess960(run)
            .unwrap_or("every row was skipped: raise --depth or --max-nodes, or take another suite".into());
        return Err(Usage(format!("nothing was compared: {reason}")));
    }
    Ok(code)
}

fn write_documents(
    args: &EngineArgs,
    settings: &EngineSettings,
    run: &EngineRun<'_>,
    files: &mut [(Output, EngineRunFormat)],
) -> Result<ExitCode> {
    files.iter_mut().try_for_each(|(file, format)| file.update(RunStage::Finished, || format(run)))?;
    args.output.summarize(|| cases::markdown(run))?;
    args.close_trace(settings)?;
    Ok(ExitCode::from(run.outcome().exit_code()))
}

/// Up to this many rows, every row is shown with its details by default.
const MAX_SHOWN: usize = 12;

#[derive(Default)]
struct ShownCauses {
    /// True to hide rows that pass, and failures whose cause was already shown.
    hides_passes: bool,
    /// True once the table's head is printed.
    has_head: bool,
    kinds: HashSet<String>,
}

impl ShownCauses {
    /// Returns true if a row must be shown.
    fn is_new(&mut self, verdict: &EngineVerdict) -> bool {
        match verdict.outcome {
            RowOutcome::Interrupted => false,
            _ if !self.hides_passes => true,
            RowOutcome::Pass => false,
            _ => causes::kind(verdict).is_none_or(|(kind, _)| self.kinds.insert(kind)),
        }
    }
}

fn show_row(table: &TextTable, verdict: &EngineVerdict, request: &Request) {
    let color = match verdict.outcome {
        RowOutcome::Pass => AnsiColor::Green,
        _ if verdict.has_failed() => AnsiColor::Red,
        _ => AnsiColor::Yellow,
    };
    console::say_row(&table.line(&report::row(verdict)), &report::outcome(verdict), color);
    if verdict.expectation != FailureExpectation::Met {
        console::say_finding(&report::details(verdict, request));
    }
}

/// Reports why an engine gave no answer. **Errors**: the command line is wrong, or the run was stopped.
fn say_failure(failure: &EngineFailure, nothing: &str) -> Result<()> {
    match failure.kind {
        FailureKind::NotStarted | FailureKind::PatternMisfit => return Err(Usage(failure.message.clone())),
        FailureKind::Interrupted => return Err(Interrupted(nothing.into())),
        _ => note!("error: {}", failure.message),
    }
    failure.stderr.iter().for_each(|line| note!("  stderr: {line}"));
    failure.asked.iter().for_each(|line| note!("  reproduce  {line}"));
    Ok(())
}

/// Reports that an engine failed before any row was counted.
fn not_asked(
    args: &EngineArgs,
    settings: &EngineSettings,
    (suite, rows): (&str, usize),
    files: &mut [(Output, EngineRunFormat)],
    failure: EngineFailure,
) -> Result<ExitCode> {
    say_failure(&failure, "no row was counted")?;
    if args.output.github {
        say!("{}", cases::annotation("engine", &report::failure(&failure)));
    }
    let command = settings.command_line();
    let summary = EngineRunSummary { failure: Some(failure), ..EngineRunSummary::default() };
    let verb = settings.request.as_ref().map_or("", |request| &request.text);
    let engine = EngineDetails { name: &command, command: &command, verb, learned: None };
    write_documents(args, settings, &EngineRun { engine, suite, depth: args.depth(), rows, summary: &summary }, files)
}

/// Maximum number of key-table entries in a linearly dependent subset that is searched for.
const MAX_DEPENDENT: usize = 4;

fn audit_keys(args: &EngineArgs) -> Result<ExitCode> {
    let rows: Vec<Row> = args.suite.positions()?.iter().collect();
    let json = Output::open_if("--json", args.output.json.as_deref())?;
    let export = Output::open_if("--export-keys", args.export_keys.as_deref())?;
    let settings = args.settings()?;
    if !settings.checks_keys {
        return Err(Usage("--audit-keys: found --keys off, expected keys: leave one of them out".into()));
    }
    let waiting = || WaitProgress { what: settings.activity.text(), amount: Amount::Unknown };
    let audit = match with_progress(waiting, || KeyAudit::run(&settings, &rows)) {
        Ok(audit) => audit,
        Err(failure) => {
            args.close_trace(&settings)?;
            say_failure(&failure, "no key was judged")?;
            return Ok(ExitCode::from(3));
        }
    };
    let numbers = audit.table.as_ref().ok().map(judge_numbers).transpose()?;
    let command = settings.command_line();
    let document = EngineKeysDocument::new(&command, &audit, numbers.as_ref());
    say!("{}", engine_keys::text(&document).trim_end());
    Output::write_if(json.as_ref(), || json_text(engine_keys::SCHEMA, &document))?;
    if let Some(file) = &export {
        export_table(&audit, file)?;
    }
    args.close_trace(&settings)?;
    Ok(match document.verdict {
        EngineKeysVerdict::Numbers(AuditVerdict::Broken) => exit_broken_keys(),
        EngineKeysVerdict::Numbers(_) => ExitCode::SUCCESS,
        EngineKeysVerdict::Wrong => ExitCode::from(1),
        EngineKeysVerdict::Unknown => ExitCode::from(3),
    })
}

/// Audits the key table that was learned from the engine's keys, as `perft keys audit` does.
fn judge_numbers(table: &EngineTable) -> Result<Audit> {
    let entries = |is_listed: &dyn Fn(Term) -> bool| {
        let mut list =
            TableEntries::new(&table.axes, &table.key_tables(&table.axes)).map_err(|error| Usage(error.to_string()))?;
        list.entries.retain(|entry| is_listed(entry.term));
        Ok::<_, CommandFailure>(list)
    };
    let known = entries(&|term| !matches!(term, Term::Piece(..)) || table.is_known(term))?;
    // A king's key numbers are known only up to a constant, which hides any structure that these numbers share.
    let regular =
        entries(&|term| matches!(term, Term::Piece(piece, _) if !matches!(piece.role, Role::Pawn | Role::King)))?;
    let control = Control::default();
    let audit = with_task_bar(&control, "dependencies", || Audit::run(known, MAX_DEPENDENT, &control));
    Ok(Audit { structures: structures(&regular), ..audit })
}

fn export_table(audit: &KeyAudit, file: &Output) -> Result<()> {
    let unknown = |reason| Usage(format!("--export-keys: no table was learned: {reason}"));
    let table = audit.table.as_ref().map_err(unknown)?;
    let (layout, axes) = (table.layout, table.file_axes());
    let list = TableEntries::new(&axes, &table.key_tables(&axes)).map_err(|error| Usage(error.to_string()))?;
    let mut about = vec![format!("keys of {}, learned from what it shows", audit.name)];
    about.extend(table.changed_axes().map(|changed| format!("axes: {changed}")));
    about.push(
        "every position has one king per side, one set of rights, one e.p. state and one side to move, so each".into(),
    );
    about.push("of these groups of numbers is known up to a constant, chosen so that all keys are the engine's".into());
    let unknown = table.unknown_pieces();
    if unknown > 0 {
        about.push(format!("{unknown} numbers of pawns on back ranks are not known, and were drawn at random"));
    }
    file.write(export::text(Format::Hex, layout, &list, &about).as_bytes())?;
    say!("{}: {} entries in the layout {}", file.place_name(), list.entries.len(), layout.name());
    Ok(())
}
