//! The counts of tasks, read from the files of all runs and of other programs.
//!
//! Two counts of a task are independent if they come from different kinds of runs: without a hash table, with
//! `--stats`, with tags, with whole positions, with a different seed for the table's keys, or from another program.

use super::plan::{POLICY, PlannedCount};
use crate::cmd::checkpoint::Units;
use crate::cmd::count::confirm;
use crate::cmd::session::say_wrong_hits;
use crate::failure::{Result, Usage};
use crate::out::console;
use crate::out::file::Output;
use crate::out::journal;
use clap::Args;
use perft_gate_chess::Fen;
use perft_gate_report::count::{statistics_row, statistics_table};
use perft_gate_report::tasks::{Counter, SCHEMA as STATUS_SCHEMA, TasksStatus, list, number, ranges};
use perft_gate_report::text;
use perft_gate_walk::KINDS;
use regex_lite::Regex;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::LazyLock;

const SCHEMA: &str = "perft.tasks-counts/1";
/// Name of the folder for the counts, inside the folder of the tasks.
pub const FOLDER: &str = "counts";
/// Prefix of the names of files that hold counts from other programs.
pub const FROM: &str = "from-";

#[derive(Args, Debug)]
pub struct RequiredArgs {
    /// Folder written by `perft tasks plan`.
    folder: PathBuf,
    /// Number of independent counts that each task needs. Counts are independent if `--hash`, `--exact`, `--seed` or
    /// the program differ.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=16))]
    require: u32,
}

#[derive(Args, Debug)]
pub struct StatusArgs {
    #[command(flatten)]
    counts: RequiredArgs,
    /// Write the progress as JSON (`perft.tasks-status/1`); `-` for standard output.
    #[arg(long, value_name = "FILE|-")]
    json: Option<PathBuf>,
}

/// Returns the header that identifies which plan a file of counts belongs to.
pub fn header(plan: &PlannedCount) -> Value {
    json!({ "schema": SCHEMA, "plan": format!("{:08x}", plan.checksum) })
}

pub struct CountFile {
    path: PathBuf,
    /// Kind of run that wrote the file, taken from the file's name.
    pub kind: String,
    pub units: Units,
}

impl CountFile {
    /// Returns the name of the host or program that did the counting.
    fn counter(&self) -> &str {
        self.kind.strip_prefix(FROM).unwrap_or(&self.units.host)
    }
}

/// Returns the kind of run that wrote a file: the part of its name after `share-1-of-8` or `task-3`, or the whole name
/// for counts that `add` imported. Returns `None` if no run writes a file with such a name: it may be a copy, which is
/// not an independent count.
fn kind_of_file(path: &Path) -> Option<String> {
    static NAMES: LazyLock<Regex> = LazyLock::new(|| {
        let run = r"(?:share-\d+-of-\d+|task-\d+)(?:-((?:hash|exact)(?:-seed-\d+)?|stats))?";
        Regex::new(&format!("^(?:{run}|({FROM}.+))$")).expect("a pattern")
    });
    let name = path.file_name()?.to_str()?;
    let found = NAMES.captures(name)?;
    Some(found.get(1).or(found.get(2)).map_or(String::new(), |kind| kind.as_str().into()))
}

/// Reads all files that hold counts for a plan, sorted by name.
pub fn read(folder: &Path, plan: &PlannedCount) -> Result<Vec<CountFile>> {
    let folder = folder.join(FOLDER);
    let refused = |error: std::io::Error| {
        Usage(format!("{}: {error}, expected the counts that `perft tasks run` wrote", folder.display()))
    };
    let entries = fs::read_dir(&folder).map_err(refused)?;
    let mut paths =
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>().map_err(refused)?;
    // Files that are still being written have names with a leading dot.
    paths.retain(|path| !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')));
    paths.sort();
    let header = header(plan);
    let file = |path: PathBuf| {
        let units: Units = journal::read_finished(&path, &header)?;
        if let Some(reason) = units.units.keys().find_map(|&task| plan.refuse(task)) {
            return Err(Usage(format!("{}: {reason}", path.display())));
        }
        let kind = kind_of_file(&path).ok_or_else(|| {
            Usage(format!(
                "{}: found a file name that `perft tasks` does not use, expected none: move the file away",
                path.display()
            ))
        })?;
        Ok(CountFile { path, kind, units })
    };
    paths.into_iter().map(file).collect()
}

/// All counts of a task, each with the file that it came from.
struct TaskCounts<'f>(Vec<(u128, &'f CountFile)>);

impl<'f> TaskCounts<'f> {
    /// Collects the counts of each task of a plan from all files.
    fn of_plan(plan: &PlannedCount, files: &'f [CountFile]) -> Vec<TaskCounts<'f>> {
        let mut tasks: Vec<TaskCounts<'_>> = plan.multiplicities.iter().map(|_| TaskCounts(Vec::new())).collect();
        for file in files {
            file.units.units.iter().for_each(|(&task, &leaves)| tasks[task].0.push((leaves, file)));
        }
        tasks
    }

    /// Returns the first count and the first later count that differs from it, if there is one.
    fn difference(&self) -> Option<[(u128, &'f CountFile); 2]> {
        let first = *self.0.first()?;
        self.0.iter().find(|other| other.0 != first.0).map(|other| [first, *other])
    }

    /// Returns how many more independent counts the task needs.
    fn lacks(&self, required: u32) -> usize {
        let kinds: HashSet<_> = self.0.iter().map(|(_, file)| &file.kind).collect();
        (required as usize).saturating_sub(kinds.len())
    }
}

pub fn merge(args: &RequiredArgs) -> Result<ExitCode> {
    let plan = PlannedCount::read(&args.folder, |_| false)?;
    let files = read(&args.folder, &plan)?;
    let tasks = TaskCounts::of_plan(&plan, &files);
    let repeats = tasks.iter().map(|task| task.0.len().saturating_sub(1)).sum::<usize>();
    let different: BTreeMap<usize, _> =
        tasks.iter().enumerate().filter_map(|(number, task)| Some((number, task.difference()?))).collect();
    if !different.is_empty() {
        let boards = PlannedCount::read(&args.folder, |task| different.contains_key(&task))?.boards;
        for (number, [(leaves, file), (other_leaves, other)]) in &different {
            let (file, other) = (file.path.display(), other.path.display());
            let fen = Fen::write(&boards[number], POLICY);
            say!("task {number}: WRONG, found {leaves} in {file} and {other_leaves} in {other}: {fen}");
        }
        say!("tasks with different counts: {}", different.len());
        return Ok(ExitCode::from(1));
    }
    if repeats > 0 {
        note!("{repeats} repeated counts agree");
    }
    let missing = ranges((0..).zip(&tasks).filter(|(_, task)| task.lacks(args.require) > 0).map(|(n, _)| n));
    if !missing.is_empty() {
        let (times, next) = match args.require {
            1 => (String::new(), "run their shares, or `perft tasks run DIR --task N`"),
            more => (format!(" with {more} independent counts"), "run them with --exact or another --seed"),
        };
        return Err(Usage(format!(
            "{}: found {} of {} tasks{times}, expected all; missing: {}; {next}",
            args.folder.display(),
            tasks.len() - number(&missing),
            tasks.len(),
            list(&missing)
        )));
    }
    let mut pairs = plan.multiplicities.iter().zip(&tasks);
    let nodes = pairs.try_fold(0_u128, |sum, (times, counts)| sum.checked_add(times.checked_mul(counts.0[0].0)?));
    let nodes = nodes.ok_or_else(|| Usage(format!("{}: found a count of 2^128 or more", args.folder.display())))?;
    say!("nodes {nodes}");
    say!("tasks {}, in {} files", tasks.len(), files.len());
    if let Some(kinds) = sum_kinds(&plan, &files) {
        let table = statistics_table(console::width());
        say!("{}\n{}", table.head(), table.line(&statistics_row(plan.depth, nodes, kinds)));
    }
    let comparisons = files.iter().fold(0, |sum: u64, file| sum.saturating_add(file.units.comparisons));
    if comparisons > 0 {
        say_wrong_hits(comparisons);
    }
    Ok(confirm(&plan.root, plan.depth, nodes))
}

/// Returns the number of moves of each kind that lead to the last ply, if every task counted the kinds.
fn sum_kinds(plan: &PlannedCount, files: &[CountFile]) -> Option<[u128; KINDS]> {
    let kinds: BTreeMap<usize, &[u64; KINDS]> =
        files.iter().flat_map(|file| file.units.kinds.iter().map(|(&task, kinds)| (task, kinds))).collect();
    plan.multiplicities.iter().enumerate().try_fold([0; KINDS], |sums: [u128; KINDS], (task, times)| {
        let kinds = kinds.get(&task)?;
        Some(std::array::from_fn(|kind| sums[kind] + times * u128::from(kinds[kind])))
    })
}

/// Prints which tasks are counted, which are missing, and which have counts that differ. The exit code is 1 if any
/// differ.
pub fn status(args: &StatusArgs) -> Result<ExitCode> {
    let RequiredArgs { folder, require } = &args.counts;
    let plan = PlannedCount::read(folder, |_| false)?;
    let json = Output::open_if("--json", args.json.as_deref())?;
    let files = if folder.join(FOLDER).exists() { read(folder, &plan)? } else { Vec::new() };
    let tasks = TaskCounts::of_plan(&plan, &files);
    let numbers = |is: &dyn Fn(&TaskCounts<'_>) -> bool| {
        ranges(tasks.iter().enumerate().filter(|(_, task)| is(task)).map(|(number, _)| number))
    };
    let missing = numbers(&|task| task.lacks(*require) > 0);
    let different = numbers(&|task| task.difference().is_some());
    let mut counters: BTreeMap<&str, Vec<&CountFile>> = BTreeMap::new();
    files.iter().for_each(|file| counters.entry(file.counter()).or_default().push(file));
    let counted: usize = files.iter().map(|file| file.units.units.len()).sum();
    let seconds = seconds(files.iter());
    let left: usize = tasks.iter().map(|task| task.lacks(*require)).sum();
    let counter = |(name, files): (&str, Vec<&CountFile>)| {
        let leaves = files.iter().flat_map(|file| file.units.units.values());
        Counter {
            name: name.into(),
            tasks: files.iter().map(|file| file.units.units.len()).sum(),
            nodes: leaves.fold(0, |sum, leaves| sum.saturating_add(*leaves)),
            seconds: self::seconds(files.iter().copied()),
        }
    };
    let status = TasksStatus {
        tasks: tasks.len(),
        required: *require as usize,
        counted: tasks.len() - number(&missing),
        missing,
        different,
        counters: counters.into_iter().map(counter).collect(),
        seconds_left: (seconds > 0.0 && counted > 0).then(|| seconds * left as f64 / counted as f64),
    };
    say!("{}", status.text().trim_end());
    let is_same = status.different.is_empty();
    Output::write_if(json.as_ref(), || text::json(STATUS_SCHEMA, status))?;
    Ok(if is_same { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Returns the time in seconds from when the first of these files was created to when the last was written.
fn seconds<'f>(files: impl Iterator<Item = &'f CountFile> + Clone) -> f64 {
    let start = files.clone().map(|file| file.units.started).filter(|start| *start > 0).min();
    let end = files.map(|file| file.units.written).max().unwrap_or_default();
    let start = start.unwrap_or(end);
    end.saturating_sub(start) as f64
}
