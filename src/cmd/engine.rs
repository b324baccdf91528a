//! `perft engine`: compare an engine's perft with ours.

use super::passed::PassedRows;
use crate::args::depth::{BareDepth, plies};
use crate::args::output::OutputArgs;
use crate::args::run::{LevelArgs, control};
use crate::args::scheme::policy;
use crate::args::suite::{LongListArgs, SuiteArgs, SuitePositions};
use crate::args::text::{MAX_TEXT, text};
use crate::failure::{CommandFailure, Outside, Usage};
use crate::out::console;
use crate::out::file::{Output, RunStage, is_standard};
use crate::out::hints::with_nearest;
use crate::out::progress::with_bar;
use clap::{Args, ValueEnum};
use perft_gate_chess::EnPassantPolicy;
use perft_gate_engine::{
    EngineRunOutcome, EngineRunSummary, EngineSession, EngineSettings, EngineTask, EngineVerdict, ExpectedFailures,
    FailureExpectation, FailureKind, KeySource, Patterns, Request, RowOutcome, TemplateError, Trace,
};
use perft_gate_report::engine::run::EngineRun;
use perft_gate_report::engine::text::RowTable;
use perft_gate_report::engine::{cases, json, text as report};
use regex_lite::Regex;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

#[derive(Args, Debug)]
#[command(
    override_usage = "perft engine [OPTIONS] -- COMMAND [ARGUMENTS]...\n       perft engine [OPTIONS] --exec TEMPLATE"
)]
pub struct EngineArgs {
    #[command(flatten)]
    suite: SuiteArgs,
    /// Number of plies; a row that lists no count at that depth is counted to its deepest listed one below.
    #[arg(long, short, default_value_t = 5, value_parser = plies(1))]
    depth: u32,
    #[command(flatten)]
    depth_alone: BareDepth<1>,
    /// Skip rows with more leaf nodes.
    #[arg(long, value_name = "N")]
    max_nodes: Option<u128>,
    /// Rows that are known to fail, one a line: the name or FEN of a row, and perhaps ` ;VERDICT`. They leave the exit
    /// code 0; one that passes is reported.
    #[arg(long, value_name = "FILE")]
    expect_fail: Option<PathBuf>,
    /// Skip the rest after this many failed rows (default: after rows without an answer, three in a row or eight in all).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_failures: Option<u32>,
    /// Skip the rest after the first failed row: `--max-failures 1`.
    #[arg(long, conflicts_with = "max_failures")]
    fail_fast: bool,
    /// Number of engine processes that run at once (default: one a core).
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Set a UCI option; may be repeated. A button has no value.
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// Command that asks for perft: a verb that the depth follows, or a line with `{depth}`, `{fen}` and `{moves}`
    /// (default: the one of `go perft`, `perft` and `divide` that is answered).
    #[arg(long, value_name = "VERB|TEMPLATE")]
    perft_cmd: Option<String>,
    /// Program without UCI that is started for each question: its command line with `{depth}`, `{fen}` and perhaps
    /// `{moves}`. No shell reads it, and each placeholder is one argument.
    #[arg(long, value_name = "TEMPLATE", conflicts_with_all = ["command", "options", "perft_cmd", "display_cmd", "key_pattern", "require_ep"])]
    exec: Option<String>,
    /// Regular expression that finds root moves in the answer: its groups are the move and the leaves, in this order or
    /// named `(?<move>…)` and `(?<leaves>…)` (default: any usual form).
    #[arg(long, value_name = "REGEX")]
    divide_pattern: Option<String>,
    /// Regular expression that finds the total in the answer: its first group (default: any usual form).
    #[arg(long, value_name = "REGEX")]
    total_pattern: Option<String>,
    /// Refuse an engine that prints totals alone, so that no pass stands for less than the moves.
    #[arg(long)]
    require_divide: bool,
    /// Folder to start the engine in; a path to the program is meant from there.
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// Write the whole dialogue with the engine; `-` for standard output, the table then goes to standard error.
    #[arg(long, value_name = "FILE|-")]
    trace: Option<PathBuf>,
    /// Time limit for an answer, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 120.0)]
    timeout: f64,
    /// Command that shows the position and its key.
    #[arg(long, value_name = "COMMAND", default_value = EngineSettings::DISPLAY)]
    display_cmd: String,
    /// Check the keys that the engine shows.
    #[arg(long, value_enum, default_value_t = KeysName::Auto)]
    keys: KeysName,
    /// Require this e.p. policy of the keys, by FEN and by moves (default: any policy, but the same in both ways).
    #[arg(long, value_name = "POLICY", value_parser = policy)]
    require_ep: Option<EnPassantPolicy>,
    /// Seed of the random lines whose keys are checked.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Regular expression that finds the key in the answer to `d`: its first group, hexadecimal or decimal (default: a
    /// line with `Key: 0123456789ABCDEF`, except pawn and material keys).
    #[arg(long, value_name = "REGEX")]
    key_pattern: Option<String>,
    #[command(flatten)]
    list: LongListArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    level: LevelArgs,
    /// The engine and its arguments.
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum KeysName {
    /// Check them if the engine prints them.
    Auto,
    Off,
}

impl From<KeysName> for KeySource {
    fn from(name: KeysName) -> KeySource {
        match name {
            KeysName::Auto => KeySource::Checked,
            KeysName::Off => KeySource::Off,
        }
    }
}

impl EngineArgs {
    /// Returns the number of plies.
    fn depth(&self) -> u32 {
        self.depth_alone.or(self.depth)
    }

    /// Returns the question for perft that the user names.
    fn request(&self) -> Result<Option<Request>, CommandFailure> {
        let read = |option, text, read: fn(&str) -> Result<Request, TemplateError>| {
            read(text).map_err(|error| Usage(format!("{option}: {error}")))
        };
        if self.exec.is_none() && self.command.is_empty() {
            return Err(Usage("found no engine, expected '-- COMMAND' at the end, or --exec TEMPLATE".into()));
        }
        match (&self.exec, &self.perft_cmd) {
            (Some(text), _) => read("--exec", text, Request::program).map(Some),
            (None, Some(text)) => read("--perft-cmd", text, Request::command).map(Some),
            (None, None) => Ok(None),
        }
    }

    /// Reads the list of known failures.
    fn expected(&self, positions: &SuitePositions) -> Result<ExpectedFailures, CommandFailure> {
        let Some(path) = &self.expect_fail else { return Ok(ExpectedFailures::default()) };
        let refused = |reason: String| Usage(format!("--expect-fail {}: {reason}", path.display()));
        let text = text(path, MAX_TEXT, &format!("--expect-fail {}", path.display()), "a list of rows")?;
        ExpectedFailures::parse(&text, positions.iter()).map_err(|error| refused(error.to_string()))
    }

    /// Returns what decides whether a row passes: the questions, and the files that answer them.
    fn judged(&self) -> impl std::fmt::Debug {
        let asked =
            (&self.command, &self.exec, &self.options, &self.perft_cmd, &self.cwd, self.depth(), self.max_nodes);
        let read = (&self.divide_pattern, &self.total_pattern, self.require_divide, &self.key_pattern);
        let keys = (&self.display_cmd, self.keys, self.require_ep, self.seed);
        let words = self.exec.iter().flat_map(|text| text.split_whitespace()).map(OsString::from);
        let files: Vec<_> = self.command.iter().cloned().chain(words).filter_map(|word| checksum(&word)).collect();
        (asked, read, keys, files)
    }

    fn max_failures(&self) -> Option<usize> {
        if self.fail_fast { Some(1) } else { self.max_failures.map(|most| most as usize) }
    }

    fn settings(&self) -> Result<EngineSettings, CommandFailure> {
        let timeout = Duration::try_from_secs_f64(self.timeout).ok().filter(|timeout| !timeout.is_zero());
        let Some(timeout) = timeout else {
            return Err(Usage(format!("--timeout: found {}, expected seconds above 0", self.timeout)));
        };
        let key_pattern = self.key_pattern.as_deref().unwrap_or(EngineSettings::KEY_PATTERN);
        let key_pattern = pattern("--key-pattern", key_pattern, &["key"])?;
        let divide = self.divide_pattern.as_deref().map(|text| pattern("--divide-pattern", text, &["move", "leaves"]));
        let total = self.total_pattern.as_deref().map(|text| pattern("--total-pattern", text, &["total"]));
        let patterns = Patterns { divide: divide.transpose()?, total: total.transpose()? };
        let options = self.options.iter().map(|option| {
            let (name, value) = option.split_once('=').map_or((&**option, None), |(name, value)| (name, Some(value)));
            let line = name.lines().chain(value.unwrap_or("").lines()).count();
            match name.trim().is_empty() || line > 2 {
                true => Err(Usage(format!("--option: found '{option}', expected NAME=VALUE"))),
                false => Ok((name.trim().into(), value.map(String::from))),
            }
        });
        Ok(EngineSettings {
            command: self.command.clone(),
            options: options.collect::<Result<_, _>>()?,
            request: self.request()?,
            patterns,
            require_moves: self.require_divide,
            cwd: self.cwd.as_deref().map(folder).transpose()?,
            trace: self.trace.as_deref().map(trace).transpose()?,
            timeout,
            keys: self.keys.into(),
            required_policy: self.require_ep,
            seed: self.seed,
            display: self.display_cmd.clone(),
            key_pattern,
            level: self.level.level()?,
            control: control()?,
        })
    }
}

/// Returns the CRC-32 of a file that a command line names, the program perhaps by its name alone.
fn checksum(word: &OsStr) -> Option<u32> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders).map(|folder| folder.join(word)).find(|path| path.is_file());
    let path = Some(PathBuf::from(word)).filter(|path| path.is_file()).or(found)?;
    std::fs::read(path).ok().map(|content| crc32fast::hash(&content))
}

/// Reads a pattern with a group for each of these.
fn pattern(option: &str, text: &str, groups: &[&str]) -> Result<Regex, CommandFailure> {
    let pattern = Regex::new(text).map_err(|error| Usage(format!("{option}: found '{text}', {error}")))?;
    if pattern.captures_len() <= groups.len() {
        let groups = groups.join(" and one around the ");
        return Err(Usage(format!("{option}: found '{text}', expected a group in parentheses around the {groups}")));
    }
    let is_named = |group: &&&str| pattern.capture_names().flatten().any(|name| name == **group);
    if ![0, groups.len()].contains(&groups.iter().filter(is_named).count()) {
        let groups = groups.join(" and ");
        return Err(Usage(format!("{option}: found '{text}', expected names for both groups, {groups}, or for none")));
    }
    Ok(pattern)
}

/// Returns a folder from the root of the file system.
fn folder(path: &Path) -> Result<PathBuf, CommandFailure> {
    let refused = |reason| Usage(format!("--cwd {}: {reason}, expected a folder", path.display()));
    if !path.metadata().map_err(|error| refused(error.to_string()))?.is_dir() {
        return Err(refused("is a file".into()));
    }
    std::path::absolute(path).map_err(|error| refused(error.to_string()))
}

/// Opens the record of the dialogue. It is written line by line, so that a killed run leaves it too.
fn trace(path: &Path) -> Result<Trace, CommandFailure> {
    if is_standard(path) {
        console::take("--trace")?;
        return Ok(Trace::new(std::io::stdout()));
    }
    let file = File::create(path)
        .map_err(|error| Usage(format!("--trace {}: {error}, expected a writable file", path.display())))?;
    Ok(Trace::new(file))
}

/// Function that writes a run as text.
type EngineRunFormat = fn(&EngineRun<'_>) -> String;

pub fn run(args: &EngineArgs) -> Result<ExitCode, CommandFailure> {
    let positions = args.suite.positions()?;
    let (suite, rows) = (&positions.name, positions.number);
    let mut files = args.output.open::<EngineRunFormat>(json::document, cases::junit)?;
    let settings = args.settings()?;
    let jobs = args.jobs.map_or_else(cores, usize::from);
    let expected = &args.expected(&positions)?;
    let mut passed = PassedRows::open(args.list.checkpoint.as_deref(), &positions, &args.judged())?;
    let (depth, max_nodes, max_failures) = (args.depth(), args.max_nodes, args.max_failures());
    let task = EngineTask { before: passed.before(), depth, max_nodes, jobs, max_failures, expected };
    let session = match EngineSession::start(&settings) {
        Ok(session) => session,
        Err(failure) if matches!(failure.kind, FailureKind::NotStarted | FailureKind::PatternMisfit) => {
            return Err(Usage(failure.message));
        }
        Err(failure) if failure.kind == FailureKind::Interrupted => {
            note!("interrupted: no row was counted");
            return Ok(ExitCode::from(130));
        }
        Err(failure) => return not_asked(args, &settings, suite, rows, &mut files, failure),
    };
    for unknown in session.unknown_options() {
        note!("warning: --option: {}", with_nearest(&unknown));
    }
    if let Some(code) = check_keys_asked_for(args, &settings, session.conventions().is_some())? {
        return Ok(code);
    }
    let (learned, command) = (session.learned().clone(), settings.command_line());
    let verb = learned.request.name();
    let nothing = session.summary();
    let asked = EngineRun {
        suite,
        depth: args.depth(),
        command: &command,
        verb: &verb,
        learned: Some(&learned),
        rows,
        summary: &nothing,
    };
    let processes = if jobs == 1 { "process" } else { "processes" };
    say!("{} ('{verb}'), {jobs} {processes}: {}", session.name(), learned.text());
    let hides_passes = args.list.hides_passes(rows);
    if hides_passes {
        say!("{rows} rows, those that pass are not shown");
    }
    let table = RowTable::new(console::width(), positions.longest_name);
    say!("{}", table.head());
    let (mut written, done) = (Ok(()), AtomicUsize::new(passed.before()));
    let remaining = passed.remaining(&positions);
    let each = |summary: &EngineRunSummary| {
        let verdict = summary.verdicts.last().expect("the row just judged");
        let has_passed = verdict.outcome == RowOutcome::Pass;
        let is_shown = !(hides_passes && has_passed) && verdict.outcome != RowOutcome::Interrupted;
        if is_shown {
            print_row(&table, verdict, &learned.request);
        }
        if let Some(error) = cases::error(verdict, &learned.request).filter(|_| args.output.github) {
            say!("{error}");
        }
        let update = |(file, format): &mut (Output, EngineRunFormat)| {
            file.update(RunStage::Running, || format(&EngineRun { summary, ..asked }))
        };
        done.fetch_add(1, Relaxed);
        if written.is_ok() {
            written = files.iter_mut().try_for_each(update).and_then(|()| passed.add(has_passed));
        }
    };
    let progress = || (done.load(Relaxed) as u64, rows as u64);
    let summary =
        with_bar((session.name().to_string().as_str(), "rows"), progress, || session.run(remaining, task, each));
    written?;
    passed.close()?;
    conclude(args, &settings, &EngineRun { summary: &summary, ..asked }, &mut files)
}

/// Checks that the engine prints keys, if an option needs them; returns the exit code if it does not.
fn check_keys_asked_for(
    args: &EngineArgs,
    settings: &EngineSettings,
    has_keys: bool,
) -> Result<Option<ExitCode>, CommandFailure> {
    let display = &settings.display;
    if let (Some(pattern), false, KeySource::Checked) = (&args.key_pattern, has_keys, settings.keys) {
        return Err(Usage(format!(
            "--key-pattern: '{pattern}' matches nothing that the engine prints for '{display}', expected its key: send '{display}' to the engine and look"
        )));
    }
    if args.require_ep.is_some() && !has_keys {
        note!(
            "error: --require-ep: the engine prints no key for '{display}', expected one: set --key-pattern if the key looks different"
        );
        return Ok(Some(ExitCode::from(3)));
    }
    Ok(None)
}

/// Prints the last lines, writes the documents, and returns the exit code.
fn conclude(
    args: &EngineArgs,
    settings: &EngineSettings,
    run: &EngineRun<'_>,
    files: &mut [(Output, EngineRunFormat)],
) -> Result<ExitCode, CommandFailure> {
    for finding in run.key_findings() {
        report::key_finding(finding).lines().for_each(|line| say!("{line}"));
        if args.output.github {
            say!("{}", cases::key_error(finding));
        }
    }
    say!("{}\n{}", report::keys(run), report::summary(run));
    files.iter_mut().try_for_each(|(file, format)| file.update(RunStage::Finished, || format(run)))?;
    args.output.summarize(|| cases::summary(run))?;
    traced(args, settings)?;
    if run.outcome() == EngineRunOutcome::NothingCompared {
        let reason = report::without_chess960(run)
            .unwrap_or("every row was skipped: raise --depth or --max-nodes, or take another suite".into());
        return Err(Usage(format!("nothing was compared: {reason}")));
    }
    Ok(ExitCode::from(run.outcome().exit_code()))
}

/// Prints the verdict on a row.
fn print_row(table: &RowTable, verdict: &EngineVerdict, request: &Request) {
    say!("{}", table.row(verdict));
    if verdict.expectation != FailureExpectation::Met {
        report::details(verdict, request).lines().for_each(|line| say!("{line}"));
    }
}

/// Reports an engine that could not be asked for a row.
fn not_asked(
    args: &EngineArgs,
    settings: &EngineSettings,
    suite: &str,
    rows: usize,
    files: &mut [(Output, EngineRunFormat)],
    failure: perft_gate_engine::EngineFailure,
) -> Result<ExitCode, CommandFailure> {
    note!("error: {}", failure.message);
    failure.stderr.iter().for_each(|line| note!("  stderr: {line}"));
    failure.asked.iter().for_each(|line| note!("  to see it  {line}"));
    if args.output.github {
        say!("{}", cases::start_error(&failure));
    }
    let (command, summary) = (settings.command_line(), EngineRunSummary::failed(settings, failure));
    let verb = &settings.request.as_ref().map_or(String::new(), Request::name);
    let run = EngineRun { suite, depth: args.depth(), command: &command, verb, learned: None, rows, summary: &summary };
    files.iter_mut().try_for_each(|(file, format)| file.update(RunStage::Finished, || format(&run)))?;
    args.output.summarize(|| cases::summary(&run))?;
    traced(args, settings)?;
    Ok(ExitCode::from(run.outcome().exit_code()))
}

/// Reports an error of writing the trace.
fn traced(args: &EngineArgs, settings: &EngineSettings) -> Result<(), CommandFailure> {
    match (&args.trace, settings.trace.as_ref().and_then(Trace::error)) {
        (Some(path), Some(error)) => Err(Outside(format!("--trace {}: {error}", path.display()))),
        _ => Ok(()),
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
