//! `perft unique --spill`: a count whose positions lie in a folder, and that goes on where a run ended.

use super::{Run, explained, table};
use crate::args::size::{self, Size};
use crate::failure::{Failure, Usage};
use crate::out::journal::Journal;
use crate::out::progress::watched;
use perft_gate_unique::spill::{DiskCount, DiskError, Spill, Watch};
use perft_gate_unique::{By, Forecast, Options, Ply, UniqueError};
use perft_gate_walk::chess::{Board, Fen};
use serde::Serialize;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

const SCHEMA: &str = "perft.unique-spill/1";
/// Name of the journal in the folder.
const JOURNAL: &str = "journal";

/// Description of a count: a folder of any other one is refused.
#[derive(Serialize)]
struct Identity {
    schema: &'static str,
    fen: String,
    depth: u32,
    ep: &'static str,
    by: String,
    /// Key of the root: it depends on the seed, or on the file of the keys.
    key: String,
    diagrams: bool,
}

impl Identity {
    fn of(board: &Board, depth: u32, options: &Options<'_>) -> Identity {
        let (by, key) = match options.by {
            By::Position => ("position".into(), "none".into()),
            By::Key { scheme, seed } => {
                let key = scheme.key_tables(seed).map_or("none".into(), |tables| scheme.text(tables.key(board)));
                (scheme.name.to_string(), key)
            }
        };
        let (fen, ep) = (Fen::write(board, options.policy), options.policy.name());
        Identity { schema: SCHEMA, fen, depth, ep, by, key, diagrams: options.diagrams }
    }
}

/// Counts, and prints every ply when it is complete; returns `None` if interrupted.
pub fn counted(
    run: &Run,
    folder: &Path,
    disk: Size,
    board: &Board,
    depth: u32,
    options: &Options<'_>,
) -> Result<Option<Vec<Ply>>, Failure> {
    let refused = |text: String| Usage(format!("--spill {}: {text}", folder.display()));
    match fs::create_dir(folder) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            return Err(refused(format!("{error}, expected a folder")));
        }
        _ if !folder.is_dir() => return Err(refused("found a file, expected a folder".into())),
        _ => {}
    }
    let path = folder.join(JOURNAL);
    let (mut journal, saved) = Journal::open::<DiskCount>("--spill", &path, &Identity::of(board, depth, options))?;
    let free = fs4::available_space(folder).map_err(|error| refused(error.to_string()))?;
    let free = free + saved.as_ref().map_or(0, DiskCount::bytes);
    let spill = Spill { folder: folder.into(), disk: disk.of("--disk", free)? };
    let is_resumed = saved.is_some();
    let mut count = match saved {
        Some(mut count) => count.resume(spill).map(|()| count).map_err(explained)?,
        None => run.pool.install(|| DiskCount::new(board, options, spill)).map_err(explained)?,
    };
    journal.write(&count).map_err(|error| journal.failed(error))?;
    table::head(options, run.budget.all);
    count.plies().iter().for_each(|ply| table::row(ply, is_resumed));
    if let Some(open) = count.open() {
        note!("resumed: {} of the passes of ply {} are done", open.passes, open.ply);
    }
    let mut reporter = Reporter { journal, path, depth, expected: Vec::new(), told: Duration::ZERO };
    let counting = || run.pool.install(|| count.run(depth, options, &run.control, &mut reporter));
    if !watched(&run.control, "passes", counting).map_err(explained)? {
        note!("interrupted: what is complete is in {}; the same command goes on from there", folder.display());
        return Ok(None);
    }
    Ok(Some(count.plies().to_vec()))
}

/// Prints what is done and what is left, and writes it down.
struct Reporter {
    journal: Journal,
    path: PathBuf,
    depth: u32,
    expected: Vec<Forecast>,
    /// Time that was said to be left, and is now less by what was done since.
    told: Duration,
}

/// Least time of a run, or of a pass, that is worth a line.
const WORTH_A_LINE: Duration = Duration::from_secs(10);
/// By how much the time left may exceed what was said before it is said again.
const TOLERANCE: f64 = 1.5;

impl Watch for Reporter {
    fn expects(&mut self, forecast: &[Forecast]) {
        let left: Duration = forecast.iter().map(|ply| ply.time).sum();
        let is_first = self.told.is_zero();
        if let (true, true, Some(last)) = (is_first, left > WORTH_A_LINE, forecast.last()) {
            let disk = forecast.iter().scan(0.0, |before, ply| {
                let both = *before + ply.disk;
                *before = ply.disk;
                Some(both)
            });
            note!(
                "expected: about {:.2e} positions at ply {} in {} passes; {} of disk; {}",
                last.distinct,
                last.ply,
                last.passes,
                size::text(disk.fold(0.0, f64::max) as u64),
                rounded(left)
            );
            self.told = left;
        }
        self.expected = forecast.to_vec();
    }

    fn passed(&mut self, count: &DiskCount, ply: Option<&Ply>) -> Result<(), UniqueError> {
        let written = self.journal.write(count);
        written.map_err(|error| UniqueError::Disk(DiskError { path: self.path.clone(), error }))?;
        match (ply, count.open()) {
            (Some(ply), _) => table::row(ply, false),
            (None, Some(open)) => self.pass(open, count.share_done()),
            _ => {}
        }
        Ok(())
    }
}

impl Reporter {
    /// Prints a pass of a ply that is not complete.
    fn pass(&mut self, open: &Ply, share_done: f64) {
        if open.time < WORTH_A_LINE {
            return;
        }
        let passes = (f64::from(open.passes) / share_done).round();
        let whole = open.time.div_f64(share_done);
        let later = self.expected.iter().filter(|ply| ply.ply > open.ply);
        let left = whole - open.time + later.map(|ply| ply.time).sum::<Duration>();
        let more = if !self.told.is_zero() && left > self.told.mul_f64(TOLERANCE) {
            self.told = left;
            ", more than expected"
        } else {
            ""
        };
        note!(
            "ply {} of {}: {} of about {passes:.0} passes, {} positions; {} left{more}",
            open.ply,
            self.depth,
            open.passes,
            open.positions.distinct,
            rounded(left)
        );
    }
}

/// Returns a time in its largest units.
fn rounded(time: Duration) -> String {
    let seconds = time.as_secs().max(1);
    let unit = match seconds {
        86_400.. => 3600,
        3600.. => 60,
        600.. => 10,
        _ => 1,
    };
    format!("about {}", humantime::format_duration(Duration::from_secs(seconds / unit * unit)))
}
