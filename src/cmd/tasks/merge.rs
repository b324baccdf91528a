//! `perft tasks merge`.

use super::plan::PlannedCount;
use super::share;
use crate::cmd::checkpoint::Units;
use crate::failure::{CommandFailure, Usage};
use clap::Args;
use perft_gate_count::table::TableStats;
use perft_gate_unique::published::{self, Published};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Args, Debug)]
pub struct MergeArgs {
    /// Folder that `perft tasks plan` made.
    folder: PathBuf,
}

/// Maximum number of tasks that are named in a line.
const MAX_NAMED: usize = 5;

pub fn run(args: &MergeArgs) -> Result<ExitCode, CommandFailure> {
    let plan = PlannedCount::read(&args.folder)?;
    let files = share::counts(&args.folder, &plan)?;
    let Some(Merged { found, comparisons }) = merge(&plan, &files)? else { return Ok(ExitCode::from(1)) };
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
    let published = |row: Published| Some((row, *row.numbers.get((plan.depth as usize).checked_sub(1)?)?));
    let listed = published::perft(&plan.root).and_then(published);
    if let Some((row, expected)) = listed {
        if nodes != expected {
            say!("WRONG: published are {expected} ({})", row.source);
            return Ok(ExitCode::from(1));
        }
        say!("published number ({}): the same: ok", row.source);
    }
    Ok(ExitCode::SUCCESS)
}

/// Counts of the tasks of a plan.
struct Merged<'f> {
    /// The count of each task, and the file that it was first found in.
    found: Vec<Option<(u128, &'f Path)>>,
    /// Number of comparisons in tables that led to them.
    comparisons: u64,
}

/// Merges the counts of all files; `None`, and a line for each, if repeated counts differ.
fn merge<'f>(plan: &PlannedCount, files: &'f [(PathBuf, Units)]) -> Result<Option<Merged<'f>>, CommandFailure> {
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

/// Checks that every task has a count. **Errors**: names those that have none.
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
