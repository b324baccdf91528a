//! Conditions of a run, sampled while it lasts: what other programs and other virtual machines took, temperature, power,
//! clock.
//!
//! [`Watch`] samples on a thread of its own, every half second; the measured threads only run what they measure. A sample
//! reads a few files: of the order of a hundred microseconds on one processor. Clock speeds are measured by the run
//! itself, between its parts, because their loop needs a processor.

use crate::conditions::{Battery, Conditions, Readings};
use crate::system_files::{Charge, Energy, ProcessorTimes, SystemFiles};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Time between two samples.
const PERIOD: Duration = Duration::from_millis(500);
/// Largest share of the time that neighbours may take from comparable scores.
pub const MAX_NEIGHBOURS: f64 = 0.05;
/// Largest loss of clock speed during a run without a warning.
const MAX_CLOCK_LOSS: f64 = 0.1;

/// State of the machine at one moment.
#[derive(Clone, PartialEq, Debug)]
struct Snapshot {
    /// Time since the start of the run.
    at: Duration,
    processors: Option<ProcessorTimes>,
    own_time: Option<u64>,
    /// Runnable threads of other programs.
    runnable: Option<u64>,
    load: Option<f64>,
    celsius: Option<f64>,
    energy: Option<Vec<Energy>>,
    charge: Option<Charge>,
}

impl Snapshot {
    fn of(files: &SystemFiles, at: Duration) -> Snapshot {
        let (processors, runnable) = files.processors().unzip();
        let own = files.own_runnable();
        Snapshot {
            at,
            processors,
            own_time: files.own_time(),
            runnable: runnable.flatten().zip(own).map(|(all, own)| all.saturating_sub(own)),
            load: files.load(),
            celsius: files.celsius(),
            energy: files.energy(),
            charge: files.charge(),
        }
    }
}

/// Samples taken so far.
#[derive(Default)]
struct WatchLog {
    samples: Vec<Snapshot>,
    /// Clock speeds of one thread, and of all.
    clocks: [Vec<f64>; 2],
}

/// A thread that samples until it is told to finish.
pub struct Watch {
    begun: Instant,
    files: SystemFiles,
    shared: Arc<Mutex<WatchLog>>,
    is_done: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Starts to sample this machine.
    pub fn start() -> Watch {
        Watch::of(SystemFiles::below(Path::new("/")), PERIOD)
    }

    fn of(files: SystemFiles, period: Duration) -> Watch {
        let begun = Instant::now();
        let shared = Arc::new(Mutex::new(WatchLog::default()));
        let is_done = Arc::new(AtomicBool::new(false));
        let (samples, done, of) = (Arc::clone(&shared), Arc::clone(&is_done), files.clone());
        let sampling = move || {
            while !done.load(Ordering::Relaxed) {
                let sample = Snapshot::of(&of, begun.elapsed());
                lock(&samples).samples.push(sample);
                std::thread::park_timeout(period);
            }
        };
        // Without a thread there are the first and the last sample.
        let thread = std::thread::Builder::new().name("conditions".into()).spawn(sampling).ok();
        Watch { begun, files, shared, is_done, thread }
    }

    /// Adds clock speeds that the run measured: of one thread, and of all at once.
    pub fn add_clocks(&self, speeds: [Option<f64>; 2]) {
        let mut shared = lock(&self.shared);
        for (clocks, speed) in shared.clocks.iter_mut().zip(speeds) {
            clocks.extend(speed);
        }
    }

    /// Returns the temperature of the processor now, in degrees Celsius.
    pub fn celsius(&self) -> Option<f64> {
        self.files.celsius()
    }

    /// Ends the sampling and returns the conditions.
    pub fn finish(mut self) -> Conditions {
        self.end();
        let mut shared = lock(&self.shared);
        let last = Snapshot::of(&self.files, self.begun.elapsed());
        shared.samples.push(last);
        conditions(&shared)
    }

    fn end(&mut self) {
        self.is_done.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // It reads files: it cannot have failed.
            let _ = thread.join();
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.end();
    }
}

fn lock(shared: &Mutex<WatchLog>) -> MutexGuard<'_, WatchLog> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the conditions that samples show.
fn conditions(WatchLog { samples, clocks }: &WatchLog) -> Conditions {
    let each = |value: &dyn Fn(&Snapshot) -> Option<f64>| {
        Readings::of(&samples.iter().filter_map(value).collect::<Vec<f64>>())
    };
    let charges: Vec<Charge> = samples.iter().filter_map(|sample| sample.charge).collect();
    let discharging = charges.iter().any(|charge| charge.discharging);
    let joules = samples.first().zip(samples.last()).and_then(|(first, last)| joules(first, last));
    let found = Conditions {
        seconds: round(samples.last().map_or(0.0, |last| last.at.as_secs_f64())),
        samples: samples.len() as u64,
        load: each(&|sample| sample.load),
        steal: readings_over_windows(samples, steal),
        others: readings_over_windows(samples, others),
        runnable: each(&|sample| sample.runnable.map(|threads| threads as f64)),
        clock_ghz: Readings::of(&clocks[0]),
        clock_all_ghz: Readings::of(&clocks[1]),
        celsius: each(&|sample| sample.celsius),
        watts: readings_over_windows(samples, |first, last| {
            let seconds = (last.at - first.at).as_secs_f64();
            self::joules(first, last).filter(|_| seconds > 0.0).map(|joules| joules / seconds)
        }),
        joules: joules.map(round),
        battery: each(&|sample| sample.charge.map(|charge| charge.percent))
            .map(|percent| Battery { discharging, percent }),
        warnings: Vec::new(),
    };
    let warnings = warnings(&found);
    Conditions { warnings, ..found }
}

fn round(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

/// Returns the readings of a quantity between two samples. The mean is that of the whole run: a mean of short windows
/// would not be, because a share below 0, which rounding of ticks can give, counts as 0.
fn readings_over_windows(samples: &[Snapshot], of: impl Fn(&Snapshot, &Snapshot) -> Option<f64>) -> Option<Readings> {
    let windows: Vec<f64> = samples.windows(2).filter_map(|pair| of(&pair[0], &pair[1])).collect();
    let readings = Readings::of(&windows)?;
    let whole = samples.first().zip(samples.last()).and_then(|(first, last)| of(first, last))?;
    let whole = Readings::of(&[whole])?.mean;
    Some(Readings { mean: whole.clamp(readings.min, readings.max), ..readings })
}

/// Returns how far a counter of ticks went between two samples.
fn ticks(first: &Snapshot, last: &Snapshot, of: impl Fn(ProcessorTimes) -> u64) -> Option<f64> {
    Some(of(last.processors?).saturating_sub(of(first.processors?)) as f64)
}

fn share(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| (part / whole).clamp(0.0, 1.0))
}

fn steal(first: &Snapshot, last: &Snapshot) -> Option<f64> {
    share(ticks(first, last, |times| times.steal)?, ticks(first, last, |times| times.busy)?)
}

fn others(first: &Snapshot, last: &Snapshot) -> Option<f64> {
    let own = last.own_time?.saturating_sub(first.own_time?) as f64;
    share(ticks(first, last, |times| times.busy - times.steal)? - own, ticks(first, last, |times| times.all)?)
}

/// Returns the energy between two samples in joules.
fn joules(first: &Snapshot, last: &Snapshot) -> Option<f64> {
    let between = |(first, last): (&Energy, &Energy)| match last.microjoules.checked_sub(first.microjoules) {
        Some(microjoules) => microjoules,
        // The counter began again.
        None => (last.range - first.microjoules.min(last.range)) + last.microjoules,
    };
    let pairs = first.energy.as_ref()?.iter().zip(last.energy.as_ref()?);
    Some(pairs.map(between).sum::<u64>() as f64 / 1e6)
}

/// Returns reasons why scores are not comparable.
fn warnings(conditions: &Conditions) -> Vec<String> {
    let mut warnings = Vec::new();
    if let Some(part) = conditions.neighbours().filter(|&part| part > MAX_NEIGHBOURS) {
        let mean = |readings: Option<Readings>| readings.map_or(0.0, |readings| 100.0 * readings.mean);
        warnings.push(format!(
            "neighbours took {:.0} % of the time (other programs {:.0} %, other virtual machines {:.0} %): scores are not \
             comparable",
            100.0 * part,
            mean(conditions.others),
            mean(conditions.steal)
        ));
    }
    if conditions.battery.is_some_and(|battery| battery.discharging) {
        warnings.push("the machine ran from its battery: scores are not comparable".into());
    }
    for (clock, threads) in [(conditions.clock_ghz, "one thread"), (conditions.clock_all_ghz, "all threads")] {
        if let Some(Readings { min, max, .. }) = clock.filter(|clock| clock.min < (1.0 - MAX_CLOCK_LOSS) * clock.max) {
            warnings
                .push(format!("the clock of {threads} varied from {min:.2} to {max:.2} GHz: scores may not repeat"));
        }
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system_files::tests::{KERNEL, write};

    const SECOND: Duration = Duration::from_secs(1);

    /// WatchLog a tree, lets `change` change it, and samples it again a second later.
    fn sample_change(change: impl Fn(&Path)) -> Conditions {
        let root = tempfile::tempdir().unwrap();
        write(root.path(), &KERNEL);
        write(
            root.path(),
            &[
                ("sys/class/powercap/intel-rapl:0/name", "package-0"),
                ("sys/class/powercap/intel-rapl:0/energy_uj", "9000000"),
                ("sys/class/powercap/intel-rapl:0/max_energy_range_uj", "10000000"),
                ("sys/class/power_supply/BAT0/type", "Battery"),
                ("sys/class/power_supply/BAT0/capacity", "83"),
                ("sys/class/power_supply/BAT0/status", "Full"),
            ],
        );
        let files = SystemFiles::below(root.path());
        let first = Snapshot::of(&files, SECOND);
        change(root.path());
        let last = Snapshot::of(&files, 2 * SECOND);
        conditions(&WatchLog { samples: vec![first, last], ..WatchLog::default() })
    }

    #[test]
    fn neighbours_are_other_programs_and_other_machines() {
        // 200 ticks pass: 160 are busy, of which 100 are ours, 16 are stolen and 44 are of other programs.
        let busy = sample_change(|root| {
            write(
                root,
                &[
                    ("proc/stat", "cpu  230 24 40 830 60 0 0 16 7 0\nprocs_running 4"),
                    ("proc/self/stat", "77 (perft (a) b) R 1 77 77 0 -1 0 0 0 0 0 150 30 0 0 20 0 3 0 0"),
                ],
            );
        });
        assert_eq!(busy.steal.map(|steal| steal.mean), Some(0.1));
        assert_eq!(busy.others.map(|others| others.mean), Some(0.22));
        assert_eq!(busy.runnable, Readings::of(&[3.0, 3.0]));
        assert!((busy.neighbours().unwrap() - 0.32).abs() < 1e-9);
        assert_eq!(
            busy.warnings,
            ["neighbours took 32 % of the time (other programs 22 %, other virtual machines 10 %): scores are not \
              comparable"]
        );
    }

    #[test]
    fn a_quiet_machine_has_no_warning() {
        // All of the busy time is ours; round ticks make it a little more than all.
        let quiet = sample_change(|root| {
            write(
                root,
                &[
                    ("proc/stat", "cpu  200 10 40 900 50 0 0 0 7 0\nprocs_running 1"),
                    ("proc/self/stat", "77 (perft (a) b) R 1 77 77 0 -1 0 0 0 0 0 150 31 0 0 20 0 3 0 0"),
                ],
            );
        });
        assert_eq!((quiet.neighbours(), quiet.warnings), (Some(0.0), vec![]));
    }

    #[test]
    fn energy_counters_begin_again() {
        let found = sample_change(|root| write(root, &[("sys/class/powercap/intel-rapl:0/energy_uj", "4000000")]));
        assert_eq!((found.joules, found.watts.map(|watts| watts.mean)), (Some(5.0), Some(5.0)));
    }

    #[test]
    fn a_battery_and_a_falling_clock_are_warned_of() {
        let mut found = sample_change(|root| write(root, &[("sys/class/power_supply/BAT0/status", "Discharging")]));
        assert_eq!(found.battery.map(|battery| (battery.discharging, battery.percent.end)), Some((true, 83.0)));
        assert_eq!(found.warnings, ["the machine ran from its battery: scores are not comparable"]);
        found.clock_all_ghz = Readings::of(&[4.8, 4.7, 3.6]);
        assert_eq!(warnings(&found).len(), 2);
        found.clock_all_ghz = Readings::of(&[4.8, 4.7, 4.5]);
        assert_eq!(warnings(&found).len(), 1);
    }

    #[test]
    fn a_machine_that_tells_nothing_has_no_conditions_and_no_warning() {
        let root = tempfile::tempdir().unwrap();
        let watch_for = |milliseconds: u64| {
            let watch = Watch::of(SystemFiles::below(root.path()), Duration::from_millis(1));
            std::thread::sleep(Duration::from_millis(milliseconds));
            watch.finish()
        };
        // A busy machine may not run its thread for a while.
        let found = [20, 200, 2000, 20_000].into_iter().map(watch_for).find(|found| found.samples > 2);
        let found = found.expect("samples in 20 s");
        assert!(found.samples > 2 && found.seconds > 0.0, "{found:?}");
        let empty = Conditions { samples: found.samples, seconds: found.seconds, ..Conditions::default() };
        assert_eq!(found, empty);
        assert_eq!(found.neighbours(), None);
    }
}
