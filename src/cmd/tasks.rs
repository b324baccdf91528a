//! `perft tasks`: splits a count into tasks that any scheduler can run.
//!
//! The tasks are the distinct positions of a shallow ply, each with its multiplicity. They are independent, so any
//! program that starts processes can spread them over machines. `run` counts a share of them with one table and saves
//! each result; `add` imports counts of other programs; `status` prints what is missing; `merge` adds the counts up.
//! Repeated counts of a task must agree, and only one of them is added.

mod counts;
mod plan;

use crate::args::text::{MAX_LIST, text};
use crate::cmd::checkpoint::Checkpoint;
use crate::cmd::session::TableArgs;
use crate::failure::{Result, Usage};
use crate::out::file::make_folder;
use crate::out::progress::with_bar;
use clap::{Args, Subcommand};
use counts::{FOLDER, FROM, RequiredArgs, StatusArgs, header};
use perft_gate_chess::{Board, excerpt};
use perft_gate_count::{Journal as _, Sharing, TreeCounter};
use perft_gate_walk::statistics;
use plan::PlannedCount;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

#[derive(Subcommand, Debug)]
pub enum TasksCommand {
    /// Write the tasks of a count into a folder.
    #[command(after_help = "Example: perft tasks plan --depth 9 -o DIR")]
    Plan(plan::PlanArgs),
    /// Count some of the tasks, except those already counted.
    #[command(after_help = "Example: perft tasks run DIR --share 1/8")]
    Run(ShareArgs),
    /// Print what is counted, what is missing, and how fast each machine counts.
    #[command(after_help = "Example: perft tasks status DIR")]
    Status(StatusArgs),
    /// Add counts of another program.
    #[command(after_help = "Example: perft tasks add DIR results.txt --source gpu")]
    Add(AddArgs),
    /// Add up the counts of all tasks.
    #[command(after_help = "Example: perft tasks merge DIR")]
    Merge(RequiredArgs),
}

pub fn run(command: &TasksCommand) -> Result<ExitCode> {
    match command {
        TasksCommand::Plan(args) => plan::run(args),
        TasksCommand::Run(args) => count_share(args),
        TasksCommand::Status(args) => counts::status(args),
        TasksCommand::Add(args) => add(args),
        TasksCommand::Merge(args) => counts::merge(args),
    }
}

/// Minimum time between two writes of the counts.
const EVERY: Duration = Duration::from_secs(10);

#[derive(Args, Debug)]
pub struct ShareArgs {
    /// Folder written by `perft tasks plan`.
    folder: PathBuf,
    /// Share of the tasks: every N-th, starting with the I-th.
    #[arg(long, value_name = "I/N", default_value = "1/1", value_parser = share)]
    share: (usize, usize),
    /// Run only this task, numbered from 0.
    #[arg(long, value_name = "N", conflicts_with = "share")]
    task: Option<usize>,
    /// Also count captures, e.p. captures, castling moves, promotions, checks (discovered, double) and mates. `merge`
    /// prints their sums if every task has them.
    #[arg(long, conflicts_with = "hash")]
    stats: bool,
    #[command(flatten)]
    table: TableArgs,
}

#[derive(Args, Debug)]
pub struct AddArgs {
    /// Folder written by `perft tasks plan`.
    folder: PathBuf,
    /// File of counts, or `-` for standard input. The first line is `plan` and the checksum in the plan's last line;
    /// each other line is the number of a task and its count.
    #[arg(value_name = "FILE|-")]
    results: PathBuf,
    /// Name of the program or machine that counted: letters, digits, `.`, `_` and `-`.
    #[arg(long, value_name = "NAME", value_parser = source)]
    source: String,
}

fn source(text: &str) -> Result<String, String> {
    let is_fit = |letter: char| letter.is_ascii_alphanumeric() || "._-".contains(letter);
    if text.chars().all(is_fit) && !text.is_empty() {
        Ok(text.into())
    } else {
        Err("expected letters, digits, '.', '_' and '-'".into())
    }
}

/// Parses `I/N` into the number of a share and the total number of shares.
fn share(text: &str) -> Result<(usize, usize), String> {
    let (number, of) = text.split_once('/').ok_or("expected I/N, such as 3/8")?;
    match (number.parse(), of.parse()) {
        (Ok(number), Ok(of)) if (1..=of).contains(&number) => Ok((number, of)),
        _ => Err("expected I/N with I from 1 to N, such as 3/8".into()),
    }
}

/// Counts the tasks of a share that have no count yet.
fn count_share(args: &ShareArgs) -> Result<ExitCode> {
    let (number, of) = args.share;
    let plan = PlannedCount::read(&args.folder, |task| args.task.map_or(task % of == number - 1, |one| task == one))?;
    if let Some(reason) = args.task.and_then(|task| plan.refuse(task)) {
        return Err(Usage(format!("--task: {reason}")));
    }
    let name = args.task.map_or(format!("share-{number}-of-{of}"), |task| format!("task-{task}"));
    let folder = args.folder.join(FOLDER);
    make_folder(&folder.display().to_string(), &folder)?;
    let session = args.table.session(&[(plan.root, plan.depth)])?;
    // Counts made with different kinds of hash tables are kept separately, so that the results can be compared.
    let kind = if args.stats { "stats".into() } else { session.kind_of_table() };
    let name = if kind.is_empty() { name } else { format!("{name}-{kind}") };
    let mut before = counts::read(&args.folder, &plan)?;
    before.retain(|file| file.kind == kind);
    let is_counted = |number: &usize| before.iter().any(|file| file.units.units.contains_key(number));
    let todo: Vec<(usize, &Board)> =
        plan.boards.iter().map(|(&number, board)| (number, board)).filter(|(number, _)| !is_counted(number)).collect();
    let counted_before = plan.boards.len() - todo.len();
    if todo.is_empty() {
        say!("{}: {counted_before} of {counted_before} tasks were already counted", folder.display());
        return Ok(ExitCode::SUCCESS);
    }
    if counted_before > 0 {
        note!("{}: {counted_before} of {} tasks were already counted", folder.display(), plan.boards.len());
    }
    let checkpoint = Checkpoint::open("tasks run", &folder.join(name), &header(&plan), session.table.as_ref(), EVERY)?;
    let (start, done) = (Instant::now(), AtomicU64::new(0));
    let counter = TreeCounter { sharing: Sharing::OneThread, ..session.counter(None) };
    let count = |&(number, board): &(usize, &Board)| {
        if session.was_stopped() {
            return 0;
        }
        let (nodes, interrupted) = if args.stats {
            let (report, statistics) = statistics(board, plan.below, session.level, &session.control);
            if !report.interrupted {
                checkpoint.record_kinds(number, statistics.kinds());
            }
            (statistics.nodes.into(), report.interrupted)
        } else {
            let leaves = counter.leaves(board, plan.below, &session.control);
            (leaves.nodes, leaves.interrupted)
        };
        if interrupted {
            return 0;
        }
        checkpoint.record(number, nodes);
        done.fetch_add(1, Ordering::Relaxed);
        nodes
    };
    let progress = || (done.load(Ordering::Relaxed), todo.len() as u64);
    let nodes =
        with_bar(("tasks", "tasks"), progress, || session.pool.install(|| todo.par_iter().map(count).sum::<u128>()));
    checkpoint.close()?;
    let counted = counted_before + done.into_inner() as usize;
    if counted < plan.boards.len() {
        note!("interrupted: {counted} of {} tasks are in {}", plan.boards.len(), folder.display());
        return Ok(ExitCode::from(130));
    }
    say!("tasks {counted} of {} in {}", plan.boards.len(), folder.display());
    say!("nodes {nodes} in this run\n{}", session.speed(nodes, start.elapsed()));
    session.say_table(Some(checkpoint.comparisons()));
    Ok(ExitCode::SUCCESS)
}

/// Adds the counts of another program to those of a plan.
fn add(args: &AddArgs) -> Result<ExitCode> {
    let plan = PlannedCount::read(&args.folder, |_| false)?;
    let shown = args.results.display();
    let text = text(&args.results, MAX_LIST, &shown.to_string(), "counts of tasks")?;
    let refused = |line: usize, reason: String| Usage(format!("{shown}: line {line}: {reason}"));
    let mut lines = (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty() && !text.starts_with('#'));
    let expected = format!("plan {:08x}", plan.checksum);
    let (line, found) = lines.next().unwrap_or((1, ""));
    if found.trim() != expected {
        let reason = format!("found '{}', expected '{expected}', the checksum of the plan", excerpt(found.trim(), 40));
        return Err(refused(line, reason));
    }
    let read = |(line, text): (usize, &str)| {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let wrong = || refused(line, format!("found '{}', expected a task and its count", excerpt(text.trim(), 40)));
        let [task, leaves] = fields[..] else { return Err(wrong()) };
        let (task, leaves): (usize, u128) = task.parse().ok().zip(leaves.parse().ok()).ok_or_else(wrong)?;
        if let Some(reason) = plan.refuse(task) {
            return Err(refused(line, reason));
        }
        Ok((line, task, leaves))
    };
    let read = lines.map(read).collect::<Result<Vec<_>, _>>()?;
    let mut counts = BTreeMap::new();
    for (line, task, leaves) in read {
        let (_, known) = *counts.entry(task).or_insert((line, leaves));
        if known != leaves {
            return Err(refused(line, format!("found {leaves} leaves of task {task}, expected {known} as before")));
        }
    }
    let folder = args.folder.join(FOLDER);
    make_folder(&folder.display().to_string(), &folder)?;
    let path = folder.join(format!("{FROM}{}", args.source));
    let file = Checkpoint::open("tasks add", &path, &header(&plan), None, Duration::MAX)?;
    for (&task, &(line, leaves)) in &counts {
        if let Some(known) = file.finished_leaves(task).filter(|known| *known != leaves) {
            let reason = format!("found {leaves} leaves of task {task}, expected {known} as before from this source");
            return Err(refused(line, reason));
        }
    }
    counts.retain(|&task, _| file.finished_leaves(task).is_none());
    counts.iter().for_each(|(&task, &(_, leaves))| file.record(task, leaves));
    let total = file.close()?;
    say!("{}: {total} of {} tasks, {} of them new", path.display(), plan.multiplicities.len(), counts.len());
    Ok(ExitCode::SUCCESS)
}
