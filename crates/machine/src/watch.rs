//! Conditions of a run, sampled during it: the share of time taken by other programs and virtual machines, the
//! temperature, and the clock speed.
//!
//! A field is absent if the system does not report its value: virtual machines report no temperatures, and systems
//! other than Linux report little. The governor and the boost setting are in [`System`](crate::hardware::System).
//!
//! [`Watch`] samples on a separate thread every half second, so the measured threads run nothing but their work. A
//! sample reads a few files, which takes on the order of a hundred microseconds on one processor. Clock speeds are not
//! sampled: the run itself measures them between its parts, because the measuring loop occupies a processor.

use crate::linux_files::{LinuxFiles, ProcessorTimes};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Conditions of a run.
#[perft_gate_kernel::document(nonnegative, sparse, Serialize, Deserialize, Clone, Default, PartialEq, Debug)]
pub struct Conditions {
    /// Time of the whole run in seconds.
    pub seconds: f64,
    /// Number of samples.
    pub samples: u64,
    /// Load average over the last minute.
    #[cfg_attr(feature = "schema", schemars(with = "Readings", extend("properties" = { "min": { "minimum": 0 } })))]
    pub load: Option<Readings>,
    /// Of the time in which processors had work to do, the share (0 to 1) in which another virtual machine ran instead.
    #[cfg_attr(feature = "schema", schemars(with = "Readings", extend("properties" = { "min": { "minimum": 0 }, "max": { "maximum": 1 } })))]
    pub steal: Option<Readings>,
    /// Share of all processor time that other programs took, from 0 to 1.
    #[cfg_attr(feature = "schema", schemars(with = "Readings", extend("properties" = { "min": { "minimum": 0 }, "max": { "maximum": 1 } })))]
    pub others: Option<Readings>,
    /// Number of runnable threads of other programs.
    #[cfg_attr(feature = "schema", schemars(with = "Readings", extend("properties" = { "min": { "minimum": 0 } })))]
    pub runnable: Option<Readings>,
    /// Clock speed of one thread in GHz, measured with a loop that takes a known number of cycles.
    #[cfg_attr(feature = "schema", schemars(with = "Readings", extend("properties" = { "min": { "minimum": 0 } })))]
    pub clock_ghz: Option<Readings>,
    /// Clock speed of the slowest thread in GHz while all threads run the loop of `clock_ghz`.
    #[cfg_attr(feature = "schema", schemars(with = "Readings", extend("properties" = { "min": { "minimum": 0 } })))]
    pub clock_all_ghz: Option<Readings>,
    /// Temperature of the processor's hottest sensor, in degrees Celsius.
    #[cfg_attr(feature = "schema", schemars(with = "Readings"))]
    pub celsius: Option<Readings>,
    /// Sentences that say why the scores cannot be compared with those of other records. Usually empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// First words of the warning that marks a record as disturbed.
pub const NEIGHBOURS_TOOK: &str = "neighbours took";

/// Summary of a quantity's readings during a run.
#[perft_gate_kernel::document(Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
pub struct Readings {
    /// First value.
    pub start: f64,
    /// Last value.
    pub end: f64,
    /// Smallest value.
    pub min: f64,
    /// Mean of the values.
    pub mean: f64,
    /// Largest value.
    pub max: f64,
}

impl Readings {
    /// Summarizes these values as readings, rounded to four decimals. Returns `None` if there are no values.
    pub fn summarize(values: &[f64]) -> Option<Readings> {
        let round = |value: f64| (value * 1e4).round() / 1e4;
        let [start, end] = [*values.first()?, *values.last()?].map(round);
        Some(Readings {
            start,
            end,
            min: round(values.iter().copied().fold(f64::INFINITY, f64::min)),
            mean: round(values.iter().sum::<f64>() / values.len() as f64),
            max: round(values.iter().copied().fold(f64::NEG_INFINITY, f64::max)),
        })
    }

    /// Returns true if these readings can come from values that all lie between `low` and `high`.
    fn is_within(self, low: f64, high: f64) -> bool {
        let Readings { start, end, min, mean, max } = self;
        low <= min && max <= high && [start, end, mean].iter().all(|value| (min..=max).contains(value))
    }
}

impl Conditions {
    /// Returns the share of the time, from 0 to 1, that neighbours (other programs and other virtual machines) took.
    /// Returns `None` if the system reports neither.
    pub fn neighbours(&self) -> Option<f64> {
        let means = [self.steal, self.others].map(|readings| readings.map(|readings| readings.mean));
        (means != [None; 2]).then(|| means.into_iter().flatten().sum::<f64>().min(1.0))
    }

    /// Returns the name of the first field with impossible readings, and a description of the readings expected there.
    pub fn find_impossible(&self) -> Option<(&'static str, &'static str)> {
        const POSITIVE: &str = "readings of at least 0, the others between the smallest and the largest";
        const SHARES: &str = "shares from 0 to 1, the others between the smallest and the largest";
        const CELSIUS: &str = "degrees from -100 to 200, the others between the smallest and the largest";
        let fields = [
            ("load", self.load, 0.0, f64::MAX, POSITIVE),
            ("steal", self.steal, 0.0, 1.0, SHARES),
            ("others", self.others, 0.0, 1.0, SHARES),
            ("runnable", self.runnable, 0.0, f64::MAX, POSITIVE),
            ("clock_ghz", self.clock_ghz, 0.0, f64::MAX, POSITIVE),
            ("clock_all_ghz", self.clock_all_ghz, 0.0, f64::MAX, POSITIVE),
            ("celsius", self.celsius, -100.0, 200.0, CELSIUS),
        ];
        fields.into_iter().find_map(|(name, readings, low, high, expected)| {
            readings.filter(|readings| !readings.is_within(low, high)).map(|_| (name, expected))
        })
    }
}

/// Time between two samples.
const PERIOD: Duration = Duration::from_millis(500);
/// Largest share of the time that neighbours may take without making scores incomparable.
pub const MAX_NEIGHBOURS: f64 = 0.05;
/// Largest loss of clock speed during a run, as a fraction, that does not cause a warning.
const MAX_CLOCK_LOSS: f64 = 0.1;

/// State of the machine at one moment.
#[derive(Clone, PartialEq, Default, Debug)]
struct Snapshot {
    /// Time since the start of the run.
    at: Duration,
    processors: Option<ProcessorTimes>,
    own_time: Option<u64>,
    /// Runnable threads of other programs.
    runnable: Option<u64>,
    load: Option<f64>,
    celsius: Option<f64>,
}

impl Snapshot {
    fn take(files: &LinuxFiles, at: Duration) -> Snapshot {
        let (processors, runnable) = files.processors().unzip();
        let runnable = runnable.flatten().zip(files.own_runnable()).map(|(all, own)| all.saturating_sub(own));
        Snapshot { at, processors, own_time: files.own_time(), runnable, ..Snapshot::default() }
    }
}

/// Temperature sensors of the processor, which are read from Linux's files.
pub struct Sensors(Vec<PathBuf>);

impl Sensors {
    /// Lists this machine's sensors.
    pub fn find() -> Sensors {
        Sensors::read(&LinuxFiles::default())
    }

    pub(crate) fn read(files: &LinuxFiles) -> Sensors {
        Sensors(files.sensors())
    }

    /// Returns the temperature at the hottest sensor, in degrees Celsius.
    pub fn celsius(&self) -> Option<f64> {
        let read = |path: &PathBuf| std::fs::read_to_string(path).ok()?.trim().parse::<f64>().ok();
        let celsius = self.0.iter().filter_map(read).map(|thousandths| thousandths / 1e3);
        celsius.filter(|celsius| (-100.0..=200.0).contains(celsius)).max_by(f64::total_cmp)
    }
}

/// A thread that samples the conditions until `finish` is called or this value is dropped.
pub struct Watch {
    stop: Sender<()>,
    thread: Option<JoinHandle<Vec<Snapshot>>>,
    /// Clock speeds of one thread that runs alone, and of the slowest thread while all threads run.
    clocks: RefCell<[Vec<f64>; 2]>,
}

impl Watch {
    pub fn start() -> Watch {
        Watch::new(LinuxFiles::default(), PERIOD)
    }

    fn new(files: LinuxFiles, period: Duration) -> Watch {
        let (begun, sensors) = (Instant::now(), Sensors::read(&files));
        let (stop, stopped) = channel();
        let sample = move || {
            // Windows has no load average.
            let load = sysinfo::System::load_average().ok().map(|load| load.one).filter(|_| cfg!(unix));
            Snapshot { load, celsius: sensors.celsius(), ..Snapshot::take(&files, begun.elapsed()) }
        };
        let sampling = move || {
            let mut samples = vec![sample()];
            while stopped.recv_timeout(period) == Err(RecvTimeoutError::Timeout) {
                samples.push(sample());
            }
            samples.push(sample());
            samples
        };
        // If the thread cannot start, there are no samples. The benchmark needs threads as well and will report the
        // error.
        let thread = std::thread::Builder::new().name("conditions".into()).spawn(sampling).ok();
        Watch { stop, thread, clocks: RefCell::default() }
    }

    /// Adds clock speeds that the run measured: first with one thread, then with all threads at once.
    pub fn add_clocks(&self, speeds: [Option<f64>; 2]) {
        for (clocks, speed) in self.clocks.borrow_mut().iter_mut().zip(speeds) {
            clocks.extend(speed);
        }
    }

    pub fn finish(self) -> Conditions {
        drop(self.stop);
        let samples = self.thread.and_then(|thread| thread.join().ok()).unwrap_or_default();
        conditions(&samples, &self.clocks.take())
    }
}

/// Summarizes the samples, and the given clock speeds of one thread and of all threads, as conditions.
fn conditions(samples: &[Snapshot], [one, all]: &[Vec<f64>; 2]) -> Conditions {
    let each = |value: &dyn Fn(&Snapshot) -> Option<f64>| {
        Readings::summarize(&samples.iter().filter_map(value).collect::<Vec<f64>>())
    };
    let found = Conditions {
        seconds: samples.last().map_or(0.0, |last| (last.at.as_secs_f64() * 1e3).round() / 1e3),
        samples: samples.len() as u64,
        load: each(&|sample| sample.load),
        steal: readings_over_windows(samples, steal),
        others: readings_over_windows(samples, others),
        runnable: each(&|sample| sample.runnable.map(|threads| threads as f64)),
        clock_ghz: Readings::summarize(one),
        clock_all_ghz: Readings::summarize(all),
        celsius: each(&|sample| sample.celsius),
        warnings: Vec::new(),
    };
    Conditions { warnings: warnings(&found), ..found }
}

/// Returns the readings of a quantity between adjacent samples. The mean is computed from the first and the last
/// sample, not as the average of the readings. Tick rounding can make a share between two samples negative, and such a
/// reading counts as 0.
fn readings_over_windows(samples: &[Snapshot], of: impl Fn(&Snapshot, &Snapshot) -> Option<f64>) -> Option<Readings> {
    let windows: Vec<f64> = samples.windows(2).filter_map(|pair| of(&pair[0], &pair[1])).collect();
    let readings = Readings::summarize(&windows)?;
    let whole = samples.first().zip(samples.last()).and_then(|(first, last)| of(first, last))?;
    let whole = Readings::summarize(&[whole])?.mean;
    Some(Readings { mean: whole.clamp(readings.min, readings.max), ..readings })
}

/// Returns the number of ticks by which a counter advanced between two samples.
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

/// Returns the reasons why scores are not comparable with others.
fn warnings(conditions: &Conditions) -> Vec<String> {
    let mut warnings = Vec::new();
    if let Some(part) = conditions.neighbours().filter(|&part| part > MAX_NEIGHBOURS) {
        let mean = |readings: Option<Readings>| readings.map_or(0.0, |readings| 100.0 * readings.mean);
        warnings.push(format!(
            "{NEIGHBOURS_TOOK} {:.0} % of the time (other programs {:.0} %, other virtual machines {:.0} %): scores are not \
             comparable",
            100.0 * part,
            mean(conditions.others),
            mean(conditions.steal)
        ));
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
    use crate::linux_files::tests::{KERNEL, linux};

    #[test]
    fn readings_are_of_values_in_order() {
        let found = Readings::summarize(&[2.0, 1.0, 6.0, 3.0]).unwrap();
        assert_eq!(found, Readings { start: 2.0, end: 3.0, min: 1.0, mean: 3.0, max: 6.0 });
        assert_eq!(Readings::summarize(&[]), None);
        let equal = Readings::summarize(&[0.1; 3]).unwrap();
        assert!(equal.is_within(0.1, 0.1), "{equal:?}: a mean is no larger for being a sum");
        assert!(found.is_within(1.0, 6.0) && !found.is_within(1.5, 6.0) && !found.is_within(1.0, 5.0));
        assert!(!Readings { mean: 7.0, ..found }.is_within(0.0, 10.0));
        assert!(!Readings { min: f64::NAN, ..found }.is_within(0.0, 10.0));
    }

    /// Samples a file tree, writes these files into it, and samples it again as if one second had passed.
    fn sample_change(changed: &[(&str, &str)]) -> Conditions {
        let (_folder, files) = linux(&KERNEL);
        let first = Snapshot::take(&files, Duration::from_secs(1));
        files.write(changed);
        let last = Snapshot::take(&files, Duration::from_secs(2));
        conditions(&[first, last], &Default::default())
    }

    #[test]
    fn neighbours_are_other_programs_and_other_machines() {
        // 200 ticks pass: 160 are busy, of which 100 are ours, 16 are stolen and 44 belong to other programs.
        let busy = sample_change(&[
            ("proc/stat", "cpu  230 24 40 830 60 0 0 16 7 0\nprocs_running 4"),
            ("proc/self/stat", "77 (perft (a) b) R 1 77 77 0 -1 0 0 0 0 0 150 30 0 0 20 0 3 0 0"),
        ]);
        assert_eq!(busy.steal.map(|steal| steal.mean), Some(0.1));
        assert_eq!(busy.others.map(|others| others.mean), Some(0.22));
        assert_eq!(busy.runnable, Readings::summarize(&[3.0, 3.0]));
        assert!((busy.neighbours().unwrap() - 0.32).abs() < 1e-9);
        assert_eq!(
            busy.warnings,
            ["neighbours took 32 % of the time (other programs 22 %, other virtual machines 10 %): scores are not \
              comparable"]
        );
    }

    #[test]
    fn a_quiet_machine_has_no_warning() {
        // All busy time is ours. Tick rounding makes our time slightly longer than the busy time.
        let quiet = sample_change(&[
            ("proc/stat", "cpu  200 10 40 900 50 0 0 0 7 0\nprocs_running 1"),
            ("proc/self/stat", "77 (perft (a) b) R 1 77 77 0 -1 0 0 0 0 0 150 31 0 0 20 0 3 0 0"),
        ]);
        assert_eq!((quiet.neighbours(), quiet.warnings), (Some(0.0), vec![]));
    }

    #[test]
    fn a_falling_clock_is_warned_of() {
        let of = |clocks: &[f64]| {
            warnings(&Conditions { clock_all_ghz: Readings::summarize(clocks), ..Conditions::default() })
        };
        assert_eq!(
            of(&[4.8, 4.7, 3.6]),
            ["the clock of all threads varied from 3.60 to 4.80 GHz: scores may not repeat"]
        );
        assert!(of(&[4.8, 4.7, 4.5]).is_empty());
    }

    #[test]
    fn a_machine_that_tells_nothing_has_no_neighbours_and_no_warning() {
        let watch_for = |milliseconds: u64| {
            let watch = Watch::new(linux(&[]).1, Duration::from_millis(1));
            std::thread::sleep(Duration::from_millis(milliseconds));
            watch.finish()
        };
        // On a busy machine, the sampling thread may not run for a while.
        let found = [20, 200, 2000, 20_000].into_iter().map(watch_for).find(|found| found.samples > 2);
        let found = found.expect("samples in 20 s");
        assert!(found.seconds > 0.0 && found.warnings.is_empty(), "{found:?}");
        assert_eq!((found.neighbours(), found.runnable, found.clock_ghz), (None, None, None));
    }
}
