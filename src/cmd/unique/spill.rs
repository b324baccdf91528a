//! `perft unique --spill`: keeps positions in a folder, and resumes an earlier run.

use super::resources::{Resources, begin_table, describe_count, with_next_step};
use crate::args::size::{self, MemorySize};
use crate::failure::{Result, Usage};
use crate::out::file::make_folder;
use crate::out::journal::RunJournal;
use crate::out::progress::with_task_bar;
use perft_gate_chess::Board;
use perft_gate_report::text::TextTable;
use perft_gate_report::unique::ply_line;
use perft_gate_unique::spill::{CountObserver, DiskCount, DiskError, Spill};
use perft_gate_unique::{Forecast, Ply, UniqueError, UniqueOptions};
use std::path::{Path, PathBuf};
use std::time::Duration;

const JOURNAL: &str = "journal";

/// Counts the positions of all plies, and prints each ply when it is complete. Returns `None` if interrupted.
pub fn count_on_disk(
    run: &Resources,
    folder: &Path,
    disk: MemorySize,
    board: &Board,
    depth: u32,
    options: &UniqueOptions<'_>,
) -> Result<Option<Vec<Ply>>> {
    let name = format!("--spill {}", folder.display());
    make_folder(&name, folder)?;
    // All processes are given the same folder, so each one uses its own subfolder.
    let own = options.exchange.map(|link| folder.join(format!("process-{}", link.index())));
    let folder = own.as_deref().unwrap_or(folder);
    make_folder(&name, folder)?;
    let path = folder.join(JOURNAL);
    let (mut journal, saved) = RunJournal::open::<DiskCount>("--spill", &path, &describe_count(board, depth, options))?;
    let free = fs4::available_space(folder).map_err(|error| Usage(format!("{name}: {error}")))?;
    let free = free + saved.as_ref().map_or(0, DiskCount::bytes);
    let spill = Spill { folder: folder.into(), disk: disk.disk_bytes("--disk", free)? };
    let is_resumed = saved.is_some();
    let mut count = match saved {
        Some(count) => count,
        None => run.pool.install(|| DiskCount::new(board, options, spill.clone())).map_err(with_next_step)?,
    };
    count.resume(options, spill).map_err(with_next_step)?;
    journal.write(&count).map_err(|error| journal.write_failure(error))?;
    let table = begin_table(options, run.budget.all);
    count.plies().iter().for_each(|ply| say!("{}", ply_line(&table, ply, size::text, is_resumed)));
    if let Some(open) = count.open() {
        note!("resumed: {} of the passes of ply {} are done", open.passes, open.ply);
    }
    let processes = options.exchange.map_or(1, |link| link.processes());
    let mut reporter = Reporter { journal, table, path, depth, processes, expected: Vec::new(), told: None };
    let counting = || run.pool.install(|| count.run(depth, options, &run.control, &mut reporter));
    if !with_task_bar(&run.control, "passes", counting).map_err(with_next_step)? {
        note!("interrupted: finished work is in {}; the same command resumes from there", folder.display());
        return Ok(None);
    }
    Ok(Some(count.plies().to_vec()))
}

/// Prints and saves the progress of a count.
struct Reporter {
    journal: RunJournal,
    table: TextTable,
    path: PathBuf,
    depth: u32,
    /// Number of processes that share the positions.
    processes: usize,
    expected: Vec<Forecast>,
    /// Last printed estimate of the time left.
    told: Option<Duration>,
}

/// Minimum time that a run or a ply must take before a line about it is printed.
const WORTH_A_LINE: Duration = Duration::from_secs(10);
/// Factor by which the time left may exceed the last printed estimate before the output points that out.
const TOLERANCE: f64 = 1.5;

impl CountObserver for Reporter {
    fn expects(&mut self, forecast: &[Forecast]) {
        let left: Duration = forecast.iter().map(|ply| ply.time).sum();
        if let Some(last) = forecast.last().filter(|_| self.told.is_none() && left > WORTH_A_LINE) {
            let disk = forecast.iter().scan(0.0, |before, ply| {
                let both = *before + ply.disk;
                *before = ply.disk;
                Some(both)
            });
            // The last ply takes no disk space, so no size is printed if only that ply is left.
            let disk = match (disk.fold(0.0, f64::max) / self.processes as f64) as u64 {
                0 => String::new(),
                bytes => format!("; {} of disk", size::text(bytes)),
            };
            note!(
                "expected: about {:.2e} positions at ply {} in {} passes{disk}; {}",
                last.distinct,
                last.ply,
                last.passes,
                coarse_time(left)
            );
            self.told = Some(left);
        }
        self.expected = forecast.to_vec();
    }

    fn on_pass(&mut self, count: &DiskCount, ply: Option<&Ply>) -> Result<(), UniqueError> {
        self.journal.write(count).map_err(|error| UniqueError::Disk(DiskError { path: self.path.clone(), error }))?;
        match (ply, count.open()) {
            (Some(ply), _) => say!("{}", ply_line(&self.table, ply, size::text, false)),
            (None, Some(open)) => self.pass(open, count.share_done()),
            _ => {}
        }
        Ok(())
    }
}

impl Reporter {
    /// Prints the progress of an incomplete ply.
    fn pass(&mut self, open: &Ply, share_done: f64) {
        if open.time < WORTH_A_LINE {
            return;
        }
        let passes = (f64::from(open.passes) / share_done).round();
        let whole = open.time.div_f64(share_done);
        let later = self.expected.iter().filter(|ply| ply.ply > open.ply);
        let left = whole - open.time + later.map(|ply| ply.time).sum::<Duration>();
        let more = match self.told {
            Some(told) if left > told.mul_f64(TOLERANCE) => {
                self.told = Some(left);
                ", more than expected"
            }
            _ => "",
        };
        note!(
            "ply {} of {}: {} of about {passes:.0} passes, {} positions; {} left{more}",
            open.ply,
            self.depth,
            open.passes,
            open.positions.distinct,
            coarse_time(left)
        );
    }
}

/// Formats a time, rounded down so that only its larger units are shown.
fn coarse_time(time: Duration) -> String {
    let seconds = time.as_secs().max(1);
    let unit = match seconds {
        86_400.. => 3600,
        3600.. => 60,
        600.. => 10,
        _ => 1,
    };
    format!("about {}", humantime::format_duration(Duration::from_secs(seconds / unit * unit)))
}
