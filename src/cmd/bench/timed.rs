//! Runs for a given time: their progress, and their end without a result.

use crate::failure::{CommandFailure, Outside, Usage};
use crate::out::progress::{Amount, WaitProgress, with_progress};
use perft_gate_bench::{BenchError, BenchProgress, PeerError};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Runs `work`, and shows what it measures and how much of its time is over.
pub fn with_time<T>(progress: &BenchProgress, total: Duration, work: impl FnOnce() -> T) -> T {
    let begun = Instant::now();
    let shown = || WaitProgress { what: progress.current(), amount: Amount::Time(begun.elapsed().min(total), total) };
    with_progress(shown, work)
}

/// Ends a run that has no result.
pub fn end(error: BenchError) -> Result<ExitCode, CommandFailure> {
    match error {
        BenchError::Wrong { .. } => {
            say!("WRONG {error}");
            Ok(ExitCode::from(1))
        }
        BenchError::Peer(PeerError::Stopped) => {
            note!("stopped before the first round: nothing was compared");
            Ok(ExitCode::from(130))
        }
        BenchError::Peer(PeerError::Failed(_)) => Err(Outside(format!("--against {error}"))),
        BenchError::Peer(_) => Err(Usage(format!("--against {error}"))),
        BenchError::System(_) => Err(error.into()),
    }
}
