//! What a run measures at the moment, for a thread that shows it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Works of a part of a run, and which of them is being measured: a number that the run stores before each slice, outside
/// its time.
#[derive(Default, Debug)]
pub struct BenchProgress {
    works: Mutex<Vec<String>>,
    current: AtomicUsize,
}

impl BenchProgress {
    /// Begins the next part, which measures these works.
    pub(super) fn begin(&self, works: Vec<String>) {
        self.at(0);
        *self.works.lock().unwrap_or_else(PoisonError::into_inner) = works;
    }

    /// Says which of the part's works is being measured.
    pub(super) fn at(&self, work: usize) {
        self.current.store(work, Ordering::Relaxed);
    }

    /// Returns what is being measured.
    pub fn current(&self) -> String {
        let works = self.works.lock().unwrap_or_else(PoisonError::into_inner);
        works.get(self.current.load(Ordering::Relaxed)).map_or("starting".into(), String::clone)
    }
}
