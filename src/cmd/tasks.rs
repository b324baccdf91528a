//! `perft tasks`: splits a count for any scheduler.
//!
//! The tasks are the distinct positions of a shallow ply, each with its multiplicity. They are independent, so any
//! program that starts processes can spread them over machines. `run` counts a share of them with one table and saves
//! each result; `merge` adds up. It does not matter who counted a task: repeated counts must agree, and are added once.

mod plan;

use crate::cmd::checkpoint::{Checkpoint, Units};
use crate::cmd::count::confirm;
use crate::cmd::session::{CountSession, TableArgs};
use crate::failure::{CommandFailure, Usage};
use crate::out::file::make_folder;
use crate::out::journal;
use crate::out::progress::with_bar;
use clap::{Args, Subcommand};
use perft_gate_count::Journal as _;
use perft_gate_count::table::TableStats;
use plan::PlannedCount;
use rayon::prelude::*;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

#[derive(Args, Debug)]
pub struct TasksArgs {
    #[command(subcommand)]
    command: TasksCommand,
}

#[derive(Subcommand, Debug)]
enum TasksCommand {
    /// Write the tasks of a count into a folder.
    #[command(after_help = "Example: perft tasks plan --depth 9 -o DIR")]
    Plan(plan::PlanArgs),
    /// Count some of the tasks, except those already counted.
    #[command(after_help = "Example: perft tasks run DIR --share 1/8")]
    Run(ShareArgs),
    /// Add up the counts of all tasks.
    #[command(after_help = "Example: perft tasks merge DIR")]
    Merge(MergeArgs),
}

pub fn run(args: &TasksArgs) -> Result<ExitCode, CommandFailure> {
    match &args.command {
        TasksCommand::Plan(args) => plan::run(args),
        TasksCommand::Run(args) => count_share(args),
        TasksCommand::Merge(args) => merge(args),
    }
}

const SCHEMA: &str = "perft.tasks-counts/1";
/// Folder of the counts, inside the folder of the tasks.
const FOLDER: &str = "counts";
/// Time between two writes of the counts.
const EVERY: Duration = Duration::from_secs(10);

#[derive(Args, Debug)]
struct ShareArgs {
    /// Folder written by `perft tasks plan`.
    folder: PathBuf,
    /// Share of the tasks: every N-th, starting with the I-th.
    #[arg(long, value_name = "I/N", default_value = "1/1", value_parser = share)]
    share: Share,
    /// Run only this task, numbered from 0.
    #[arg(long, value_name = "N", conflicts_with = "share")]
    task: Option<usize>,
    #[command(flatten)]
    table: TableArgs,
}

/// Part of the tasks.
#[derive(Clone, Copy, Debug)]
struct Share {
    number: usize,
    of: usize,
}

fn share(text: &str) -> Result<Share, String> {
    let (number, of) = text.split_once('/').ok_or("expected I/N, such as 3/8")?;
    match (number.parse(), of.parse()) {
        (Ok(number), Ok(of)) if (1..=of).contains(&number) => Ok(Share { number, of }),
        _ => Err("expected I/N with I from 1 to N, such as 3/8".into()),
    }
}

/// Identifies the plan to which a file of counts belongs.
fn header(plan: &PlannedCount) -> Value {
    json!({ "schema": SCHEMA, "plan": format!("{:08x}", plan.checksum) })
}

/// Counts the leaves of those tasks of a share that have no count yet.
fn count_share(args: &ShareArgs) -> Result<ExitCode, CommandFailure> {
    let plan = PlannedCount::read(&args.folder)?;
    let (numbers, name): (Vec<usize>, String) = match (args.task, args.share) {
        (Some(task), _) if task >= plan.tasks.len() => {
            return Err(Usage(format!(
                "--task: found {task}, expected less than the {} of the plan",
                plan.tasks.len()
            )));
        }
        (Some(task), _) => (vec![task], format!("task-{task}")),
        (None, Share { number, of }) => {
            ((number - 1..plan.tasks.len()).step_by(of).collect(), format!("share-{number}-of-{of}"))
        }
    };
    let folder = args.folder.join(FOLDER);
    make_folder(&folder.display().to_string(), &folder)?;
    let session = args.table.session(&[(plan.root, plan.depth)])?;
    // Counts with another kind of table are kept separately, for comparison.
    let kind = session.kind_of_table();
    let path = folder.join(format!("{name}{kind}"));
    let mut before = counts(&args.folder, &plan)?;
    before.retain(|(path, _)| kind_of_file(path) == kind);
    let is_counted = |number: &usize| before.iter().any(|(_, counts)| counts.units.contains_key(number));
    let todo: Vec<usize> = numbers.iter().copied().filter(|number| !is_counted(number)).collect();
    let counted_before = numbers.len() - todo.len();
    if todo.is_empty() {
        say!("{}: {counted_before} of {counted_before} tasks were counted before", folder.display());
        return Ok(ExitCode::SUCCESS);
    }
    if counted_before > 0 {
        note!("{}: {counted_before} of {} tasks were counted before", folder.display(), numbers.len());
    }
    let checkpoint = Checkpoint::open("tasks run", &path, &header(&plan), session.table.as_ref(), EVERY)?;
    let (start, done) = (Instant::now(), AtomicU64::new(0));
    let count = |&number: &usize| {
        if session.was_stopped() {
            return 0;
        }
        let leaves = session.counter(None).leaves(&plan.tasks[number].board, plan.below, &session.control);
        if leaves.interrupted {
            return 0;
        }
        checkpoint.record(number, leaves.nodes);
        done.fetch_add(1, Ordering::Relaxed);
        leaves.nodes
    };
    let progress = || (done.load(Ordering::Relaxed), todo.len() as u64);
    let nodes = with_bar(("tasks", "tasks"), progress, || session.install(|| todo.par_iter().map(count).sum::<u128>()));
    checkpoint.close()?;
    let counted = counted_before + done.into_inner() as usize;
    if counted < numbers.len() {
        note!("interrupted: {counted} of {} tasks are in {}", numbers.len(), folder.display());
        return Ok(ExitCode::from(130));
    }
    say!("tasks {counted} of {} in {}", numbers.len(), folder.display());
    say!("nodes {nodes} of this run\n{}", session.speed(nodes, start.elapsed()));
    session.say_table(Some(checkpoint.comparisons()));
    Ok(ExitCode::SUCCESS)
}

/// Returns the file name suffix for the kind of table.
fn kind_of_file(path: &Path) -> &'static str {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    CountSession::KINDS_OF_TABLES.into_iter().find(|kind| name.ends_with(kind)).unwrap_or_default()
}

/// Returns all files with counts of a plan, sorted by name.
fn counts(folder: &Path, plan: &PlannedCount) -> Result<Vec<(PathBuf, Units)>, CommandFailure> {
    let folder = folder.join(FOLDER);
    let refused = |error: std::io::Error| {
        Usage(format!("{}: {error}, expected the counts that `perft tasks run` wrote", folder.display()))
    };
    let entries = fs::read_dir(&folder).map_err(refused)?;
    let mut paths =
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>().map_err(refused)?;
    // A file that is being replaced has a temporary name.
    paths.retain(|path| !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')));
    paths.sort();
    let header = header(plan);
    paths.into_iter().map(|path| Ok((path.clone(), journal::read_finished(&path, &header)?))).collect()
}

#[derive(Args, Debug)]
struct MergeArgs {
    /// Folder written by `perft tasks plan`.
    folder: PathBuf,
}

/// Maximum number of tasks named in one line.
const MAX_NAMED: usize = 5;

/// Adds up the counts of all tasks.
fn merge(args: &MergeArgs) -> Result<ExitCode, CommandFailure> {
    let plan = PlannedCount::read(&args.folder)?;
    let files = counts(&args.folder, &plan)?;
    let Some(Merged { found, comparisons }) = merge_files(&plan, &files)? else { return Ok(ExitCode::from(1)) };
    check_complete(&args.folder, &found)?;
    let mut pairs = plan.tasks.iter().zip(found.iter().flatten());
    let nodes =
        pairs.try_fold(0_u128, |sum, (task, (leaves, _))| sum.checked_add(task.multiplicity.checked_mul(*leaves)?));
    let nodes = nodes.ok_or_else(|| Usage(format!("{}: found a count of 2^128 or more", args.folder.display())))?;
    say!("nodes {nodes}");
    say!("tasks {}, in {} files", found.len(), files.len());
    if comparisons > 0 {
        let wrong = TableStats { comparisons, ..TableStats::default() }.expected_wrong_hits();
        say!("{comparisons} tags compared: at most {wrong:.1e} wrong hits expected");
    }
    Ok(confirm(&plan.root, plan.depth, nodes))
}

/// Counts of the tasks of a plan.
struct Merged<'f> {
    /// The count of each task, and the first file with it.
    found: Vec<Option<(u128, &'f Path)>>,
    /// Number of table comparisons behind these counts.
    comparisons: u64,
}

/// Merges the counts of all files. Returns `None`, after a line for each difference, if repeated counts differ.
fn merge_files<'f>(plan: &PlannedCount, files: &'f [(PathBuf, Units)]) -> Result<Option<Merged<'f>>, CommandFailure> {
    let mut found: Vec<Option<(u128, &Path)>> = vec![None; plan.tasks.len()];
    let (mut repeats, mut different, mut comparisons) = (0_u64, 0_u64, 0);
    for (path, units) in files {
        comparisons += units.comparisons;
        for (&number, &leaves) in &units.units {
            let Some(known) = found.get_mut(number) else {
                return Err(Usage(format!(
                    "{}: found task {number}, expected less than the {} of the plan",
                    path.display(),
                    plan.tasks.len()
                )));
            };
            match *known {
                None => *known = Some((leaves, path)),
                Some((before, _)) if before == leaves => repeats += 1,
                Some((before, first)) => {
                    different += 1;
                    say!(
                        "task {number}: WRONG, found {before} in {} and {leaves} in {}: {}",
                        first.display(),
                        path.display(),
                        plan.tasks[number].fen
                    );
                }
            }
        }
    }
    if repeats > 0 {
        note!("{repeats} repeated counts are the same, and count once");
    }
    if different > 0 {
        say!("{different} repeated counts differ");
    }
    Ok((different == 0).then_some(Merged { found, comparisons }))
}

/// Checks that every task has a count. **Errors**: names the tasks without one.
fn check_complete(folder: &Path, found: &[Option<(u128, &Path)>]) -> Result<(), CommandFailure> {
    let missing: Vec<String> =
        (0..).zip(found).filter(|(_, task)| task.is_none()).map(|(n, _): (usize, _)| n.to_string()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let named = missing[..missing.len().min(MAX_NAMED)].join(", ");
    let more = if missing.len() > MAX_NAMED { ", …" } else { "" };
    Err(Usage(format!(
        "{}: found {} of {} tasks, expected all: missing are {named}{more}; run their shares again, or perft tasks run with --task",
        folder.display(),
        found.len() - missing.len(),
        found.len()
    )))
}
