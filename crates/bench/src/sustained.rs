//! Rate of one workload on all threads over minutes: what heat leaves of it.

use super::error::BenchError;
use super::progress::BenchProgress;
use super::team::Team;
use super::workload::Workload;
use perft_gate_lab::measure::Miscount;
use perft_gate_machine::Sensors;
use perft_gate_machine::record::{Stretch, Sustained};
use perft_gate_simd::Level;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Maximum number of stretches.
const MAX_STRETCHES: u32 = 600;
/// Minimum length of a stretch.
const MIN_STRETCH: Duration = Duration::from_secs(1);

/// Returns the workload to run for long: the one of these that works the core hardest.
pub(super) fn workload(of: &[Workload]) -> Workload {
    let wanted = [Workload::SetWise, Workload::Bulk, Workload::Verify];
    wanted.into_iter().find(|workload| of.contains(workload)).unwrap_or(Workload::SetWise)
}

/// Runs a workload bound by the core for this long; ends early if it is stopped.
pub(super) fn run(
    workload: Workload,
    team: &Team,
    level: Level,
    time: Duration,
    progress: &BenchProgress,
    stop: &AtomicBool,
) -> Result<Sustained, BenchError> {
    progress.begin(vec![format!("{}, sustained", workload.title(team.threads))]);
    let mut work = workload.on(team, level, None);
    let length = MIN_STRETCH.max(time / MAX_STRETCHES);
    let (sensors, begun, mut stretches) = (Sensors::find(), Instant::now(), Vec::new());
    while begun.elapsed() < time && !stop.load(Ordering::Relaxed) {
        let (start, mut nodes) = (Instant::now(), 0);
        while start.elapsed() < length && !stop.load(Ordering::Relaxed) {
            let found = (work.pass)();
            if found != work.nodes {
                let count = Miscount { work: 0, expected: work.nodes, found };
                return Err(BenchError::Wrong { work: workload.title(team.threads), count });
            }
            nodes += found;
        }
        if nodes > 0 {
            let ns = start.elapsed().as_nanos() as u64;
            let at_ms = (start - begun).as_millis() as u64;
            stretches.push(Stretch { at_ms, nodes, ns, celsius: sensors.celsius() });
        }
    }
    Ok(Sustained {
        workload: workload.name().into(),
        version: workload.version(),
        unit: workload.unit().into(),
        threads: team.threads,
        stretches,
    })
}
