//! The parallel loop of the crate.

use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Calls `work` with each number below `count`, on all threads. Returns the results in the order of the numbers. Nearly
/// all of rayon's code is the same for every `work`, so it is compiled once.
pub(crate) fn in_parallel<T: Send>(count: usize, work: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    let results: Vec<_> = (0..count).map(|_| Mutex::new(None)).collect();
    for_each(count, &|at| *results[at].lock().unwrap_or_else(PoisonError::into_inner) = Some(work(at)));
    let result = |result: Mutex<Option<T>>| result.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.into_iter().filter_map(result).collect()
}

fn for_each(count: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().for_each(work);
}
