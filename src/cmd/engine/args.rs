//! Arguments of `perft engine`.

use crate::args::run::{BareDepth, LevelArgs, control, plies};
use crate::args::scheme::{policy, scheme_named};
use crate::args::suite::{LongListArgs, SuiteArgs, SuitePositions};
use crate::args::text::{MAX_TEXT, text};
use crate::cmd::passed;
use crate::failure::{Outside, Result, Usage};
use crate::out::console;
use crate::out::file::{OutputArgs, is_standard};
use clap::Args;
use perft_gate_chess::EnPassantPolicy;
use perft_gate_engine::{Activity, EngineSettings, ExpectedFailures, Request, TemplateError, Trace};
use perft_gate_listing::{Display, Patterns};
use perft_gate_zobrist::{Combine, Scheme};
use regex_lite::Regex;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Args, Debug)]
#[command(
    override_usage = "perft engine [OPTIONS] -- COMMAND [ARGUMENTS]...\n       perft engine [OPTIONS] --exec TEMPLATE"
)]
pub struct EngineArgs {
    #[command(flatten, next_help_heading = "Positions")]
    pub(super) suite: SuiteArgs,
    /// Number of plies. A row without a count at that depth is counted to its deepest listed depth below it.
    #[arg(help_heading = "Positions", long, short, default_value_t = 5, value_parser = plies(1))]
    pub(super) depth: u32,
    #[command(flatten)]
    pub(super) depth_alone: BareDepth<1>,
    /// Skip rows whose list gives more than N leaf nodes.
    #[arg(help_heading = "Positions", long, value_name = "N")]
    pub(super) max_nodes: Option<u128>,
    /// File of rows that are known to fail, one per line: a row's name or FEN, optionally followed by ` ;VERDICT`. They
    /// leave the exit code at 0. A listed row that passes is reported.
    #[arg(help_heading = "Failures", long, value_name = "FILE")]
    pub(super) expect_fail: Option<PathBuf>,
    /// Skip the remaining rows after this many failures (default: no limit, but skip them after three rows in
    /// succession, or eight in all, without an answer).
    #[arg(help_heading = "Failures", long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) max_failures: Option<u32>,
    /// Skip the remaining rows after the first failure, as `--max-failures 1` does.
    #[arg(help_heading = "Failures", long, conflicts_with = "max_failures")]
    pub(super) fail_fast: bool,
    /// Number of engine processes to run at once (default: one per core).
    #[arg(help_heading = "Engine", long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) jobs: Option<u16>,
    /// Set a UCI option; may be repeated. For a button, leave out `=VALUE`.
    #[arg(help_heading = "Engine", long = "option", value_name = "NAME=VALUE")]
    pub(super) options: Vec<String>,
    /// Command that asks for perft: a verb to put before the depth, or a template with `{depth}`, `{fen}` and `{moves}`
    /// (default: whichever of `go perft`, `perft` and `divide` the engine answers).
    #[arg(help_heading = "Engine", long, value_name = "VERB|TEMPLATE")]
    pub(super) perft_cmd: Option<String>,
    /// Run a program without UCI, once per question: its command line with `{depth}`, `{fen}` and optionally `{moves}`.
    /// No shell reads it, and each placeholder is one argument.
    #[arg(help_heading = "Engine", long, value_name = "TEMPLATE", conflicts_with_all = ["command", "options", "perft_cmd", "display_cmd", "key_pattern", "require_ep"])]
    pub(super) exec: Option<String>,
    /// Regular expression for a root move in the answer. Its groups are the move and its leaves, in this order or named
    /// `(?<move>…)` and `(?<leaves>…)` (default: all common formats).
    #[arg(help_heading = "Engine", long, value_name = "REGEX")]
    pub(super) divide_pattern: Option<String>,
    /// Regular expression for the total in the answer: its first group (default: all common formats).
    #[arg(help_heading = "Engine", long, value_name = "REGEX")]
    pub(super) total_pattern: Option<String>,
    /// Reject an engine that prints only totals, so that every pass covers every root move.
    #[arg(help_heading = "Engine", long)]
    pub(super) require_divide: bool,
    /// Folder to start the engine in. A relative path to the program starts there, too.
    #[arg(help_heading = "Engine", long, value_name = "DIR")]
    pub(super) cwd: Option<PathBuf>,
    /// Write the whole dialogue with the engine. With `-` it goes to standard output, and the table to standard error.
    #[arg(help_heading = "Output", long, value_name = "FILE|-")]
    pub(super) trace: Option<PathBuf>,
    /// Time limit per answer, in seconds.
    #[arg(help_heading = "Engine", long, value_name = "SECONDS", default_value_t = 120.0)]
    pub(super) timeout: f64,
    /// Command that shows the position and its key.
    #[arg(help_heading = "Engine", long, value_name = "COMMAND", default_value = EngineSettings::DISPLAY)]
    pub(super) display_cmd: String,
    /// Check the engine's keys: `auto` if it prints any, `off`, or compare them with those of a scheme (`polyglot`, see
    /// `perft list schemes`) or of a key table in a file.
    #[arg(help_heading = "Keys", long, value_name = "auto|off|SCHEME|FILE", default_value = "auto")]
    pub(super) keys: String,
    /// Learn the engine's key table from the keys it prints, then describe and judge it. This counts no suite and needs
    /// no perft command.
    #[arg(help_heading = "Keys", long, conflicts_with_all = ["exec", "junit", "github", "expect_fail", "checkpoint", "max_failures", "fail_fast",
        "max_nodes", "perft_cmd", "divide_pattern", "total_pattern", "require_divide"])]
    pub(super) audit_keys: bool,
    /// Write the table that `--audit-keys` learns, for use with `--keys-from` and `--keys`; `-` for standard output.
    #[arg(help_heading = "Keys", long, value_name = "FILE|-", requires = "audit_keys")]
    pub(super) export_keys: Option<PathBuf>,
    /// Require this e.p. policy for keys, both from a FEN and after moves (default: any policy, if both agree).
    #[arg(help_heading = "Keys", long, value_name = "POLICY", value_parser = policy)]
    pub(super) require_ep: Option<EnPassantPolicy>,
    /// Seed of the random move sequences whose keys are checked.
    #[arg(help_heading = "Keys", long, default_value_t = 0)]
    pub(super) seed: u64,
    /// Regular expression for the key in the answer to `d`: its first group, hexadecimal or decimal (default: a line
    /// such as `Key: 0123456789ABCDEF`, but not a pawn or material key).
    #[arg(help_heading = "Keys", long, value_name = "REGEX")]
    pub(super) key_pattern: Option<String>,
    #[command(flatten, next_help_heading = "Output")]
    pub(super) list: LongListArgs,
    #[command(flatten, next_help_heading = "Output")]
    pub(super) output: OutputArgs,
    #[command(flatten, next_help_heading = "Speed")]
    pub(super) level: LevelArgs,
    /// The engine and its arguments.
    #[arg(help_heading = None::<&str>, last = true, value_name = "COMMAND")]
    pub(super) command: Vec<OsString>,
}

impl EngineArgs {
    /// Returns the scheme of `--keys`.
    fn expected_scheme(&self) -> Result<Option<Scheme>> {
        if matches!(&*self.keys, "auto" | "off") {
            return Ok(None);
        }
        let scheme = scheme_named("--keys", &self.keys)?;
        let is_sum_of_two = scheme.axes.is_some_and(|axes| axes.combine == Combine::Add && axes.width.parts() > 1);
        let expected = match scheme.number_of_keys() {
            0 => "a scheme with keys",
            _ if scheme.has_clock() => "clock=none: how the engine's keys use the clock is learned",
            _ if is_sum_of_two => "sums in one part: width=32, 48 or 64",
            _ => return Ok(Some(scheme)),
        };
        Err(Usage(format!("--keys: found '{}', expected {expected}", self.keys)))
    }

    pub(super) fn depth(&self) -> u32 {
        self.depth_alone.bare_depth.unwrap_or(self.depth)
    }

    /// Returns the request that `--exec` or `--perft-cmd` defines, if one of them is given.
    fn request(&self) -> Result<Option<Request>> {
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
    pub(super) fn read_expected(&self, positions: &SuitePositions) -> Result<ExpectedFailures> {
        let Some(path) = &self.expect_fail else { return Ok(ExpectedFailures::default()) };
        let refused = |reason: String| Usage(format!("--expect-fail {}: {reason}", path.display()));
        let text = text(path, MAX_TEXT, &format!("--expect-fail {}", path.display()), "a list of rows")?;
        ExpectedFailures::parse(&text, positions.iter()).map_err(|error| refused(error.to_string()))
    }

    /// Returns everything that affects whether a row passes: the options, and checksums of the engine's files.
    pub(super) fn pass_conditions(&self) -> String {
        let asked =
            (&self.command, &self.exec, &self.options, &self.perft_cmd, &self.cwd, self.depth(), self.max_nodes);
        let read = (&self.divide_pattern, &self.total_pattern, self.require_divide, &self.key_pattern);
        let keys = (&self.display_cmd, &self.keys, self.require_ep, self.seed);
        let words = self.exec.iter().flat_map(|text| text.split_whitespace()).map(OsString::from);
        let files: Vec<_> = self.command.iter().cloned().chain(words).filter_map(|word| checksum(&word)).collect();
        format!("{:?}", (asked, read, keys, files))
    }

    pub(super) fn max_failures(&self) -> Option<usize> {
        if self.fail_fast { Some(1) } else { self.max_failures.map(|most| most as usize) }
    }

    pub(super) fn settings(&self) -> Result<EngineSettings> {
        let timeout = Duration::try_from_secs_f64(self.timeout).ok().filter(|timeout| !timeout.is_zero());
        let expected = || Usage(format!("--timeout: found {}, expected more than 0 s", self.timeout));
        let key_pattern = self.key_pattern.as_deref().unwrap_or(Display::KEY_PATTERN);
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
            timeout: timeout.ok_or_else(expected)?,
            checks_keys: self.keys != "off",
            expected_scheme: self.expected_scheme()?,
            required_policy: self.require_ep,
            seed: self.seed,
            display: self.display_cmd.clone(),
            key_pattern,
            level: self.level.level()?,
            control: control()?,
            activity: Activity::default(),
        })
    }

    /// Returns an error if the trace could not be written.
    pub(super) fn close_trace(&self, settings: &EngineSettings) -> Result<()> {
        match (&self.trace, settings.trace.as_ref().and_then(Trace::error)) {
            (Some(path), Some(error)) => Err(Outside(format!("--trace {}: {error}", path.display()))),
            _ => Ok(()),
        }
    }
}

/// Returns the CRC-32 of the file that a command-line word names, directly or through `PATH`.
fn checksum(word: &OsStr) -> Option<u32> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders).map(|folder| folder.join(word)).find(|path| path.is_file());
    let path = Some(PathBuf::from(word)).filter(|path| path.is_file()).or(found)?;
    passed::checksum(&path).ok()
}

/// Parses a regular expression, which must have a group for each name in `groups`.
fn pattern(option: &str, text: &str, groups: &[&str]) -> Result<Regex> {
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

fn folder(path: &Path) -> Result<PathBuf> {
    let refused = |reason| Usage(format!("--cwd {}: {reason}, expected a folder", path.display()));
    if !path.metadata().map_err(|error| refused(error.to_string()))?.is_dir() {
        return Err(refused("is a file".into()));
    }
    std::path::absolute(path).map_err(|error| refused(error.to_string()))
}

/// Opens the dialogue trace. It is written line by line, so that the dialogue is preserved even if the run is killed.
fn trace(path: &Path) -> Result<Trace> {
    if is_standard(path) {
        console::take("--trace")?;
        return Ok(Trace::new(std::io::stdout()));
    }
    let file = File::create(path)
        .map_err(|error| Usage(format!("--trace {}: {error}, expected a writable file", path.display())))?;
    Ok(Trace::new(file))
}
