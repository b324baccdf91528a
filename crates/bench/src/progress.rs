//! Progress of a run, for a thread that shows it.
//!
//! The parts of a run have budgets, so progress is time. What is measured at the moment is a number that the run stores
//! before each slice, outside its time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Progress of a run.
#[derive(Debug)]
pub struct BenchProgress {
    total: Duration,
    part: Mutex<RunPart>,
    current: AtomicUsize,
}

#[derive(Debug)]
struct RunPart {
    /// What the part measures, by number.
    works: Vec<String>,
    begun: Instant,
    /// Planned time of the parts before it.
    before: Duration,
    /// Planned time.
    planned: Duration,
}

/// State of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BenchStatus {
    /// What is being measured.
    pub what: String,
    /// Time used of the total.
    pub done: Duration,
    /// Planned time of the run.
    pub total: Duration,
}

impl BenchProgress {
    /// Returns the progress of a run that will take this long.
    pub fn of(total: Duration) -> BenchProgress {
        let part = RunPart {
            works: vec!["starting".into()],
            begun: Instant::now(),
            before: Duration::ZERO,
            planned: Duration::ZERO,
        };
        BenchProgress { total, part: Mutex::new(part), current: AtomicUsize::new(0) }
    }

    /// Begins the next part, which measures these works in so much time.
    pub(super) fn begin(&self, works: Vec<String>, planned: Duration) {
        let mut part = self.part.lock().unwrap_or_else(PoisonError::into_inner);
        let before = part.before + part.planned;
        self.current.store(0, Ordering::Relaxed);
        *part = RunPart { works, begun: Instant::now(), before, planned };
    }

    /// Says which of the part's works is being measured.
    pub(super) fn at(&self, work: usize) {
        self.current.store(work, Ordering::Relaxed);
    }

    /// Returns the state now.
    pub fn status(&self) -> BenchStatus {
        let part = self.part.lock().unwrap_or_else(PoisonError::into_inner);
        let what = part.works.get(self.current.load(Ordering::Relaxed)).or(part.works.first());
        let done = part.before + part.begun.elapsed().min(part.planned);
        BenchStatus { what: what.cloned().unwrap_or_default(), done: done.min(self.total), total: self.total }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_follow_each_other() {
        let seconds = Duration::from_secs;
        let progress = BenchProgress::of(seconds(30));
        assert_eq!(progress.status(), BenchStatus { what: "starting".into(), done: seconds(0), total: seconds(30) });
        progress.begin(vec!["a".into(), "b".into()], seconds(10));
        progress.at(1);
        assert_eq!(progress.status().what, "b");
        // A part that ended early still counts as whole.
        progress.begin(vec!["c".into()], seconds(20));
        let found = progress.status();
        assert!(found.what == "c" && found.done >= seconds(10) && found.done < seconds(11), "{found:?}");
    }
}
