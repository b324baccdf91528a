//! The way of counting: with a table, from a checkpoint; and what is said at its end.

use crate::cmd::checkpoint::Checkpoint;
use crate::cmd::session::{CountSession, TableArgs};
use crate::failure::{CommandFailure, Usage};
use clap::Args;
use perft_gate_chess::Board;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Arguments for the way of counting.
#[derive(Args, Debug)]
pub struct WayArgs {
    #[command(flatten)]
    pub table: TableArgs,
    /// Save finished work in this file, and resume from it if it exists.
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Minimum number of seconds between two writes of the checkpoint.
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, requires = "checkpoint")]
    checkpoint_every: f64,
}

impl WayArgs {
    /// Returns the journal of this count.
    pub fn checkpoint<'t>(
        &self,
        session: &'t CountSession,
        tree: (&Board, u32),
    ) -> Result<Option<Checkpoint<'t>>, CommandFailure> {
        let Some(path) = &self.checkpoint else { return Ok(None) };
        let every = Duration::try_from_secs_f64(self.checkpoint_every)
            .map_err(|error| Usage(format!("--checkpoint-every: {error}, expected seconds")))?;
        let checkpoint = Checkpoint::of_count(path, tree, session.table(), every)?;
        if checkpoint.units_before() > 0 {
            note!("{}: resuming, {} units were counted before", path.display(), checkpoint.units_before());
        }
        Ok(Some(checkpoint))
    }
}

/// Reports the state after a stop.
pub fn say_stopped(left: &str, checkpoint: Option<&Checkpoint<'_>>) -> Result<ExitCode, CommandFailure> {
    match checkpoint {
        Some(checkpoint) => note!("interrupted: {} units are in the checkpoint", checkpoint.close()?),
        None => note!("interrupted: {left}"),
    }
    Ok(ExitCode::from(130))
}

/// Prints the last lines of a count that was not stopped.
pub fn finish(session: &CountSession, checkpoint: Option<&Checkpoint<'_>>) -> Result<ExitCode, CommandFailure> {
    session.say_table(checkpoint.map(Checkpoint::comparisons));
    if let Some(checkpoint) = checkpoint {
        checkpoint.close()?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the speed of a run for its own nodes: those from the checkpoint took no time.
pub fn speed_of_run(
    session: &CountSession,
    nodes: u128,
    time: Duration,
    checkpoint: Option<&Checkpoint<'_>>,
) -> String {
    match checkpoint.map_or(0, Checkpoint::leaves_before) {
        before if before > 0 && before >= nodes => "no time: every unit was in the checkpoint".into(),
        before => session.speed(nodes - before.min(nodes), time),
    }
}
