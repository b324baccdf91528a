//! The parallel loop of the crate.

use rayon::prelude::*;
use std::sync::Mutex;

/// Calls `work` with each number below `count`, on all threads. Returns the results in the order of the numbers. Rayon's
/// code is the same for every `work`, so it is compiled only once.
pub(crate) fn in_parallel<T: Send>(count: usize, work: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    let results: Vec<Mutex<Option<T>>> = (0..count).map(|_| Mutex::default()).collect();
    let put: &(dyn Fn(usize) + Sync) = &|at| *results[at].lock().expect("one writer") = Some(work(at));
    (0..count).into_par_iter().for_each(put);
    let result = |result: Mutex<Option<T>>| result.into_inner().expect("no panic").expect("a result for each number");
    results.into_iter().map(result).collect()
}
