//! `perft engine`: compare an engine's perft with ours.

use crate::args::output::OutputArgs;
use crate::args::run::{LevelArgs, control};
use crate::args::scheme::policy;
use crate::args::suite::judged;
use crate::failure::{Failure, Usage};
use crate::out::file::{Output, Stage};
use clap::{Args, ValueEnum};
use perft_gate_report::engine::{EngineRun, cases, json, text};
use perft_gate_uci::{self, EngineRunOutcome, EngineSettings, EngineTask, FailureKind, KeySource, Session, Summary};
use perft_gate_walk::chess::EnPassantPolicy;
use perft_gate_walk::walk::MAX_DEPTH;
use regex_lite::Regex;
use std::ffi::OsString;
use std::process::ExitCode;
use std::time::Duration;

#[derive(Args, Debug)]
pub struct EngineArgs {
    /// Suite: a built-in one (`perft list suites`) or a file.
    #[arg(long, default_value = "standard", value_name = "NAME|FILE")]
    suite: String,
    /// Count one position instead of a suite: FEN, `startpos` or `kiwipete`.
    #[arg(long, conflicts_with = "suite")]
    fen: Option<String>,
    /// Number of plies; a row that lists no count at that depth is counted to its deepest listed one below.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    depth: u32,
    /// Skip rows with more leaf nodes.
    #[arg(long, value_name = "N")]
    max_nodes: Option<u128>,
    /// Number of engine processes that run at once (default: one a core).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Set a UCI option; may be repeated. A button has no value.
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// Command that asks for perft, before the depth (default: the one of `go perft`, `perft` and `divide` that is
    /// answered).
    #[arg(long, value_name = "VERB")]
    perft_cmd: Option<String>,
    /// Time limit for an answer, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 120.0)]
    timeout: f64,
    /// Check the keys that the engine prints for `d`.
    #[arg(long, value_enum, default_value_t = KeysName::Auto)]
    keys: KeysName,
    /// Require this e.p. policy of the keys, by FEN and by moves (default: any policy, but the same in both ways).
    #[arg(long, value_name = "POLICY", value_parser = policy)]
    require_ep: Option<EnPassantPolicy>,
    /// Seed of the random lines whose keys are checked.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Regular expression that finds the key in the answer to `d`; its first group is hexadecimal (default: a line with
    /// `Key: 0123456789ABCDEF`, except pawn and material keys).
    #[arg(long, value_name = "REGEX")]
    key_pattern: Option<String>,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    level: LevelArgs,
    /// The engine and its arguments.
    #[arg(last = true, required = true, value_name = "COMMAND")]
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
    fn settings(&self) -> Result<EngineSettings, Failure> {
        let timeout = Duration::try_from_secs_f64(self.timeout).ok().filter(|timeout| !timeout.is_zero());
        let Some(timeout) = timeout else {
            return Err(Usage(format!("--timeout: found {}, expected seconds above 0", self.timeout)));
        };
        let pattern = self.key_pattern.as_deref().unwrap_or(EngineSettings::KEY_PATTERN);
        let key_pattern = Regex::new(pattern).map_err(|error| Usage(format!("--key-pattern: {error}")))?;
        if key_pattern.captures_len() < 2 {
            return Err(Usage(format!(
                "--key-pattern: found '{pattern}', expected a group in parentheses around the key"
            )));
        }
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
            verb: self.perft_cmd.clone(),
            timeout,
            keys: self.keys.into(),
            required_policy: self.require_ep,
            seed: self.seed,
            key_pattern,
            level: self.level.level()?,
            control: control()?,
        })
    }
}

/// Function that writes a run as text.
type Document = fn(&EngineRun<'_>) -> String;

pub fn run(args: &EngineArgs) -> Result<ExitCode, Failure> {
    let (suite, rows) = judged(args.fen.as_deref(), &args.suite)?;
    let mut files = args.output.open::<Document>(json::document, cases::junit)?;
    let settings = args.settings()?;
    let jobs = args.jobs.map_or_else(cores, usize::from);
    let task = EngineTask { rows: &rows, depth: args.depth, max_nodes: args.max_nodes, jobs };
    let session = match Session::start(&settings) {
        Ok(session) => session,
        Err(failure) if failure.kind == FailureKind::NotStarted => return Err(Usage(failure.message)),
        Err(failure) if failure.kind == FailureKind::Interrupted => {
            note!("interrupted: no row was counted");
            return Ok(ExitCode::from(130));
        }
        Err(failure) => return not_asked(args, &settings, &suite, rows.len(), &mut files, failure),
    };
    if let (Some(pattern), None, KeySource::Checked) = (&args.key_pattern, session.habits(), settings.keys) {
        return Err(Usage(format!(
            "--key-pattern: '{pattern}' matches nothing that the engine prints for 'd', expected its key: send 'd' to the engine and look"
        )));
    }
    if args.require_ep.is_some() && session.habits().is_none() {
        note!(
            "error: --require-ep: the engine prints no key for 'd', expected one: set --key-pattern if the key looks different"
        );
        return Ok(ExitCode::from(3));
    }
    let (verb, command) = (session.verb().to_string(), settings.command_line());
    let nothing = session.summary();
    let asked = EngineRun {
        suite: &suite,
        depth: args.depth,
        command: &command,
        verb: &verb,
        rows: rows.len(),
        summary: &nothing,
    };
    let mut written = Ok(());
    say!("{} ('{verb}'), {jobs} processes", session.name());
    say!("{}", text::head());
    let summary = session.run(task, |summary: &Summary| {
        let verdict = summary.verdicts.last().expect("the row just judged");
        say!("{}", text::row(verdict));
        text::details(verdict, &verb).lines().for_each(|line| say!("{line}"));
        if let Some(error) = cases::error(verdict, &verb).filter(|_| args.output.github) {
            say!("{error}");
        }
        let update = |(file, format): &mut (Output, Document)| {
            file.update(Stage::Running, || format(&EngineRun { summary, ..asked }))
        };
        if written.is_ok() {
            written = files.iter_mut().try_for_each(update);
        }
    });
    written?;
    let run = EngineRun { summary: &summary, ..asked };
    for finding in run.key_findings() {
        text::key_finding(finding).lines().for_each(|line| say!("{line}"));
        if args.output.github {
            say!("{}", cases::key_error(finding));
        }
    }
    say!("{}\n{}", text::keys(&run), text::summary(&run));
    files.iter_mut().try_for_each(|(file, format)| file.update(Stage::Finished, || format(&run)))?;
    args.output.summarize(|| cases::summary(&run))?;
    if run.outcome() == EngineRunOutcome::NothingCompared {
        let reason = text::without_chess960(&run)
            .unwrap_or("every row was skipped: raise --depth or --max-nodes, or take another suite".into());
        return Err(Usage(format!("nothing was compared: {reason}")));
    }
    Ok(ExitCode::from(run.outcome().exit_code()))
}

/// Reports an engine that could not be asked for a row.
fn not_asked(
    args: &EngineArgs,
    settings: &EngineSettings,
    suite: &str,
    rows: usize,
    files: &mut [(Output, Document)],
    failure: perft_gate_uci::Failure,
) -> Result<ExitCode, Failure> {
    note!("error: {}", failure.message);
    failure.stderr.iter().for_each(|line| note!("  stderr: {line}"));
    if args.output.github {
        say!("{}", cases::start_error(&failure));
    }
    let (command, summary) = (settings.command_line(), Summary::failed(settings, failure));
    let verb = settings.verb.as_deref().unwrap_or_default();
    let run = EngineRun { suite, depth: args.depth, command: &command, verb, rows, summary: &summary };
    files.iter_mut().try_for_each(|(file, format)| file.update(Stage::Finished, || format(&run)))?;
    args.output.summarize(|| cases::summary(&run))?;
    Ok(ExitCode::from(run.outcome().exit_code()))
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
