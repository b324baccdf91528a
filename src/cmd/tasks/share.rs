//! `perft tasks run`.

use super::plan::PlannedCount;
use crate::cmd::checkpoint::{Checkpoint, Units};
use crate::cmd::session::{CountSession, TableArgs};
use crate::failure::{CommandFailure, Usage};
use crate::out::file::make_folder;
use crate::out::progress::with_bar;
use clap::Args;
use perft_gate_count::Journal as _;
use rayon::prelude::*;
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const SCHEMA: &str = "perft.tasks-counts/1";
/// Folder of the counts, in that of the tasks.
const FOLDER: &str = "counts";
/// Time between two writes of the counts.
const EVERY: Duration = Duration::from_secs(10);

#[derive(Args, Debug)]
pub struct ShareArgs {
    /// Folder that `perft tasks plan` made.
    folder: PathBuf,
    /// Part of the tasks: every N-th one, from the I-th on.
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    share: Share,
    /// Number of a single task, from 0 on.
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

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Share, String> {
        let (number, of) = text.split_once('/').ok_or("expected I/N, such as 3/8")?;
        match (number.parse(), of.parse()) {
            (Ok(number), Ok(of)) if (1..=of).contains(&number) => Ok(Share { number, of }),
            _ => Err("expected I/N with I from 1 to N, such as 3/8".into()),
        }
    }
}

/// What a file of counts belongs to.
#[derive(Serialize)]
struct CountsHeader {
    schema: &'static str,
    /// Checksum of the plan.
    plan: String,
}

impl CountsHeader {
    fn of(plan: &PlannedCount) -> CountsHeader {
        CountsHeader { schema: SCHEMA, plan: format!("{:08x}", plan.checksum) }
    }
}

pub fn run(args: &ShareArgs) -> Result<ExitCode, CommandFailure> {
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
    // Counts by another kind of table are counts of their own, to compare with.
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
    let checkpoint = Checkpoint::open("tasks run", &path, &CountsHeader::of(&plan), session.table(), EVERY)?;
    let (start, done) = (Instant::now(), AtomicU64::new(0));
    let count = |&number: &usize| {
        if session.was_stopped() {
            return 0;
        }
        let leaves = session.counter(None).leaves(&plan.tasks[number].board, plan.below, session.control());
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

/// Returns the end of a file's name that says by which kind of table its tasks were counted.
fn kind_of_file(path: &Path) -> &'static str {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    CountSession::KINDS_OF_TABLES.into_iter().find(|kind| name.ends_with(kind)).unwrap_or_default()
}

/// Returns all files of counts of a plan, sorted by their names.
pub fn counts(folder: &Path, plan: &PlannedCount) -> Result<Vec<(PathBuf, Units)>, CommandFailure> {
    let folder = folder.join(FOLDER);
    let refused =
        |error: std::io::Error| Usage(format!("{}: {error}, expected the counts of tasks run", folder.display()));
    let entries = fs::read_dir(&folder).map_err(refused)?;
    let mut paths =
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>().map_err(refused)?;
    // A file that is being replaced has a temporary name.
    paths.retain(|path| !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')));
    paths.sort();
    let identity = CountsHeader::of(plan);
    paths.into_iter().map(|path| Ok((path.clone(), crate::out::journal::finished(&path, &identity)?))).collect()
}
