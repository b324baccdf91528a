//! Shows progress as a bar on a terminal and as occasional lines elsewhere. Shows nothing if `PERFT_PROGRESS` is `off`.

use super::console;
use indicatif::{ProgressBar, ProgressStyle};
use perft_gate_walk::Control;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::park_timeout;
use std::time::{Duration, Instant};

#[derive(Clone, PartialEq, Debug)]
pub struct WaitProgress {
    pub what: String,
    pub amount: Amount,
}

/// Amount of work finished, and the total amount of work.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Amount {
    /// Name of the units (such as tasks), number of finished units, and the total.
    Units(&'static str, u64, u64),
    /// Number of finished rows, number of all rows, and the finished share of their total work.
    Rows {
        done: usize,
        rows: usize,
        share: f64,
    },
    Unknown,
    /// Elapsed time and total time.
    Time(Duration, Duration),
}

/// Time between two updates of the progress on a terminal.
const FRAME: Duration = Duration::from_millis(200);
/// Time before the first line if there is no terminal. The wait doubles with each line.
const FIRST_LINE: Duration = Duration::from_secs(10);
/// Time before the first line about a wait that may never end.
const FIRST_WARNING: Duration = Duration::from_secs(2);
/// Maximum time between two lines.
const MAX_SILENCE: Duration = Duration::from_secs(300);

/// Returns true if progress is wanted. Scripts that compare output turn it off, because progress depends on timing.
pub fn is_wanted() -> bool {
    std::env::var_os("PERFT_PROGRESS").is_none_or(|value| value != "off")
}

/// Runs `work` with a progress bar that shows how many tasks of `control` are finished.
pub fn with_task_bar<T>(control: &Control, name: &str, work: impl FnOnce() -> T) -> T {
    let progress = || {
        let progress = control.progress();
        (progress.done, progress.total)
    };
    with_bar((name, "tasks"), progress, work)
}

/// Runs `work` with a progress bar. `progress` returns the number of finished units and the total.
pub fn with_bar<T>(
    (name, unit): (&str, &'static str),
    progress: impl Fn() -> (u64, u64) + Sync,
    work: impl FnOnce() -> T,
) -> T {
    let progress = || {
        let (done, total) = progress();
        WaitProgress { what: name.into(), amount: Amount::Units(unit, done, total) }
    };
    with_progress(progress, work)
}

/// Runs `work` and shows its progress on stderr: as a bar on a terminal, otherwise as lines at growing intervals.
pub fn with_progress<T>(progress: impl Fn() -> WaitProgress + Sync, work: impl FnOnce() -> T) -> T {
    if !is_wanted() {
        return work();
    }
    let done = AtomicBool::new(false);
    let show = || match std::io::stderr().is_terminal() {
        true => show_bar(&progress, &done),
        false => print_lines(&progress, &done, |line| note!("{line}")),
    };
    std::thread::scope(|scope| {
        let watcher = scope.spawn(show);
        // The scope waits for the watcher thread, so that thread must end even if the work panics.
        let end = EndWatcher(&done, watcher.thread());
        let result = work();
        drop(end);
        result
    })
}

struct EndWatcher<'a>(&'a AtomicBool, &'a std::thread::Thread);

impl Drop for EndWatcher<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
        self.1.unpark();
    }
}

fn show_bar(progress: impl Fn() -> WaitProgress, done: &AtomicBool) {
    let bar = ProgressBar::new(0);
    let style = ProgressStyle::with_template("{prefix} {wide_bar} {msg}").expect("a valid template");
    bar.set_style(style);
    console::show(Some(bar.clone()));
    let mut pace = Pace { begun: Instant::now(), last: 0 };
    while !done.load(Ordering::Relaxed) {
        let WaitProgress { what, amount } = progress();
        let (at, length) = amount.steps();
        bar.set_length(length);
        bar.set_position(at);
        bar.set_prefix(what);
        bar.set_message(amount.text(pace.elapsed(at)));
        park_timeout(FRAME);
    }
    console::show(None);
    bar.finish_and_clear();
}

fn print_lines(progress: impl Fn() -> WaitProgress, done: &AtomicBool, print: impl Fn(String)) {
    let first = if progress().amount == Amount::Unknown { FIRST_WARNING } else { FIRST_LINE };
    let (begun, mut wait, mut due) = (Instant::now(), first, first);
    let mut pace = Pace { begun, last: 0 };
    while !done.load(Ordering::Relaxed) {
        match due.checked_sub(begun.elapsed()) {
            Some(left) if !left.is_zero() => park_timeout(left),
            _ => {
                let WaitProgress { what, amount } = progress();
                let elapsed = pace.elapsed(amount.steps().0);
                if !console::is_silent() {
                    print(if amount == Amount::Unknown { what } else { format!("{what}: {}", amount.text(elapsed)) });
                }
                wait = (2 * wait).min(MAX_SILENCE);
                due += wait;
            }
        }
    }
}

/// Time since the current part of a wait started. A wait may have several parts, each of which counts from 0.
struct Pace {
    begun: Instant,
    last: u64,
}

impl Pace {
    /// Returns the time since the current part began. A bar position `at` below the last one begins a new part.
    fn elapsed(&mut self, at: u64) -> Duration {
        if at < self.last {
            self.begun = Instant::now();
        }
        self.last = at;
        self.begun.elapsed()
    }
}

impl Amount {
    /// Returns the bar's position and length.
    fn steps(self) -> (u64, u64) {
        match self {
            Amount::Units(_, done, total) => (done, total),
            Amount::Rows { share, .. } => ((share * 1000.0) as u64, 1000),
            Amount::Unknown => (0, 1),
            Amount::Time(done, total) => (done.as_millis() as u64, total.as_millis() as u64),
        }
    }

    /// Describes the progress in words, given the time that has passed.
    fn text(self, elapsed: Duration) -> String {
        match self {
            Amount::Units(unit, 0, total) => format!("0 of {total} {unit}"),
            Amount::Units(unit, done, total) => {
                let left = elapsed.mul_f64(total.saturating_sub(done) as f64 / done as f64);
                format!("{done} of {total} {unit}, {} left", seconds(left))
            }
            Amount::Rows { done, rows, share } if share > 0.0 => {
                format!("{done} of {rows} rows, {} left", seconds(elapsed.mul_f64((1.0 - share) / share)))
            }
            Amount::Rows { done, rows, .. } => format!("{done} of {rows} rows"),
            Amount::Unknown => String::new(),
            Amount::Time(done, total) => format!("{} left", seconds(total.saturating_sub(done))),
        }
    }
}

/// Formats a time in whole seconds: `1m 20s`.
pub fn seconds(time: Duration) -> String {
    humantime::format_duration(Duration::from_secs(time.as_secs_f64().ceil() as u64)).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn what_is_left_is_estimated_from_the_tasks_or_known() {
        let elapsed = Duration::from_secs(30);
        assert_eq!(Amount::Units("tasks", 0, 8).text(elapsed), "0 of 8 tasks");
        assert_eq!(Amount::Units("tasks", 2, 8).text(elapsed), "2 of 8 tasks, 1m 30s left");
        // One of three rows is left. It is either large or small.
        let rows = |share| Amount::Rows { done: 2, rows: 3, share }.text(elapsed);
        assert_eq!([0.0, 0.1, 0.9].map(rows), ["2 of 3 rows", "2 of 3 rows, 4m 30s left", "2 of 3 rows, 4s left"]);
        assert_eq!(Amount::Time(elapsed, Duration::from_millis(100_500)).text(elapsed), "1m 11s left");
        assert_eq!(Amount::Time(elapsed, elapsed).text(elapsed), "0s left");
    }

    #[test]
    fn each_part_of_a_wait_has_its_own_pace() {
        let mut pace = Pace { begun: Instant::now(), last: 0 };
        std::thread::sleep(Duration::from_millis(30));
        assert!(pace.elapsed(5) >= Duration::from_millis(30));
        assert!(pace.elapsed(2) < Duration::from_millis(30), "it began again");
        assert!(pace.elapsed(3) < Duration::from_millis(30));
    }

    #[test]
    fn a_short_wait_prints_no_line() {
        let (done, lines) = (AtomicBool::new(false), Mutex::new(Vec::new()));
        let progress = || WaitProgress { what: "work".into(), amount: Amount::Units("tasks", 1, 2) };
        std::thread::scope(|scope| {
            let watcher = scope.spawn(|| print_lines(progress, &done, |line| lines.lock().unwrap().push(line)));
            std::thread::sleep(Duration::from_millis(50));
            done.store(true, Ordering::Relaxed);
            watcher.thread().unpark();
        });
        assert!(lines.into_inner().unwrap().is_empty());
    }
}
