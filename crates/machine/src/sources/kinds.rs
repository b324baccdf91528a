//! Kinds of cores, told apart by what their systems say of them.

use crate::hardware::{Cache, CoreKind};

/// Largest ratio of two speeds of cores of different kinds. Cores of one kind differ too: makers let the best of them
/// run some percent faster.
const GAP: f64 = 0.8;

/// A hardware thread, as far as it decides the kind of its core.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Thread {
    /// Number of the hardware thread.
    pub number: usize,
    /// Number of its core's design; equal designs have one number.
    pub design: u64,
    /// Speed relative to the other threads, in any unit; 0 if it is not known.
    pub speed: f64,
}

/// Groups threads by kind of core, the fastest first: a kind is one design whose speeds have no gap.
fn groups(mut threads: Vec<Thread>) -> Vec<Vec<usize>> {
    threads.sort_by(|a, b| (a.design, b.speed).partial_cmp(&(b.design, a.speed)).expect("numbers"));
    let is_next = |a: &Thread, b: &Thread| a.design == b.design && b.speed >= GAP * a.speed;
    let mut kinds: Vec<&[Thread]> = threads.chunk_by(is_next).collect();
    kinds.sort_by(|a, b| b[0].speed.total_cmp(&a[0].speed));
    let numbers = kinds.into_iter().map(|kind| {
        let mut numbers: Vec<usize> = kind.iter().map(|thread| thread.number).collect();
        numbers.sort_unstable();
        numbers
    });
    numbers.collect()
}

/// Returns names for this many kinds, the fastest first.
pub(super) fn names(kinds: usize) -> Vec<String> {
    let middle = |number: usize| if kinds == 3 { "middle".into() } else { format!("middle {number}") };
    let name = |place: usize| match place {
        0 => "performance".into(),
        last if last + 1 == kinds => "efficiency".into(),
        between => middle(between),
    };
    (0..kinds).map(name).collect()
}

/// Describes named groups of threads, the fastest first; a single group is no kind of its own.
pub(super) fn describe_kinds(
    groups: Vec<(String, Vec<usize>)>,
    cores: impl Fn(&[usize]) -> Option<usize>,
    caches: impl Fn(usize) -> Vec<Cache>,
) -> Vec<CoreKind> {
    if groups.len() < 2 {
        return Vec::new();
    }
    let kind = |(name, threads): (String, Vec<usize>)| CoreKind {
        name,
        cores: cores(&threads),
        caches: caches(threads[0]),
        threads,
    };
    groups.into_iter().map(kind).collect()
}

/// Returns the groups of these threads by kind of core, the fastest first, with names.
pub(super) fn group_by_kind(threads: Vec<Thread>) -> Vec<(String, Vec<usize>)> {
    let groups = groups(threads);
    names(groups.len()).into_iter().zip(groups).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn threads(of: &[(u64, f64)]) -> Vec<Thread> {
        of.iter().enumerate().map(|(number, &(design, speed))| Thread { number, design, speed }).collect()
    }

    #[test]
    fn cores_that_a_maker_lets_run_faster_are_of_the_same_kind() {
        let favoured = [(0, 5_700_000.0), (0, 5_450_000.0), (0, 5_000_000.0), (0, 5_700_000.0)];
        assert_eq!(groups(threads(&favoured)), [vec![0, 1, 2, 3]]);
        // Zen 5 and Zen 5c: one family, 5.1 and 3.3 GHz.
        let compact = [(0, 5_100_000.0), (0, 3_300_000.0), (0, 5_100_000.0), (0, 3_300_000.0)];
        assert_eq!(groups(threads(&compact)), [vec![0, 2], vec![1, 3]]);
    }

    #[test]
    fn designs_are_kinds_whatever_their_speed() {
        let of = [(0xd05, 400.0), (0xd05, 400.0), (0xd41, 900.0), (0xd44, 1024.0)];
        assert_eq!(groups(threads(&of)), [vec![3], vec![2], vec![0, 1]]);
        assert_eq!(names(3), ["performance", "middle", "efficiency"]);
        assert_eq!(names(4), ["performance", "middle 1", "middle 2", "efficiency"]);
    }

    #[test]
    fn one_kind_is_not_named() {
        let one = group_by_kind(threads(&[(0, 0.0), (0, 0.0)]));
        assert_eq!(one, [("performance".into(), vec![0, 1])]);
        assert_eq!(describe_kinds(one, |_| Some(2), |_| vec![]), []);
    }
}
