//! Runs the binary with more threads than the machine has. The counts must be right, no work may starve, and memory
//! must stay as planned.

#[cfg(target_os = "linux")]
use super::unique::peak_of;
use crate::common::perft_line;

/// Thread counts of large servers.
const THREADS: [u32; 2] = [64, 256];

/// On `threads` threads, counts a suite to `depth`, counts with a hash table, and runs `perft gate` to `depth` with the
/// options in `gate`.
fn count_on_many_threads(threads: u32, depth: u32, gate: &str) {
    let run = |line: &str| perft_line(&format!("{line} --threads {threads}"));
    run(&format!("count --suite standard --depth {depth}")).expect(0, &["69 of 69 rows compared, 0 wrong"]);
    run("count --depth 6 --hash 64M").expect(0, &["nodes 119060324\n"]);
    run(&format!("--suite quick --depth {depth}{gate}")).expect(0, &[&format!(", {threads} threads\n"), " 0 failed"]);
}

#[test]
fn counts_are_right_on_many_threads() {
    THREADS.iter().for_each(|&threads| count_on_many_threads(threads, 2, " --identity off"));
}

#[test]
#[ignore = "a minute on two cores: 256 threads wait for each other at each of 69 rows"]
fn deep_counts_are_right_on_many_threads() {
    THREADS.iter().for_each(|&threads| count_on_many_threads(threads, 5, ""));
}

/// The write buffers of 256 threads once took more memory than the tables, and the budget ignored them.
#[cfg(target_os = "linux")]
#[test]
fn distinct_positions_stay_within_their_memory_on_many_threads() {
    // Positions are the longest entries.
    let run = perft_line("unique --depth 6 --memory 700M --by position --threads 256");
    run.expect(0, &["perft 119060324, tree count 119060324: ok"]);
    assert!(peak_of(&run.stdout) <= 700.0, "{}", run.stdout);
}

#[test]
#[ignore = "three minutes on two cores: 256 threads do 256 times the work of one"]
fn every_workload_is_measured_on_many_threads() {
    let output = perft_line("bench --quick --threads 64,256 --budget 150s --results -");
    output.expect(0, &[]);
    let record = output.document();
    for stage in record["stages"].as_array().unwrap() {
        let works = stage["works"].as_array().unwrap();
        let of = |threads: u32| works.iter().filter(|work| work["threads"] == threads).count();
        assert_eq!((of(64), of(256)), (works.len() / 2, works.len() / 2));
        // The benchmark itself compares the count of every pass. If work starved, no round would be complete.
        assert!(!stage["rounds"].as_array().unwrap().is_empty(), "{}", output.stderr);
    }
}
