//! More threads than the machine has, run through the binary: right counts, no starvation, and memory as planned.

use crate::common::{Run, perft_line};
use serde_json::Value;

/// Thread counts of large servers.
const THREADS: [u32; 2] = [64, 256];

fn passed(line: &str) -> Run {
    let output = perft_line(line);
    assert_eq!(output.code, Some(0), "{line}: {}{}", output.stdout, output.stderr);
    output
}

/// On this many threads: counts a suite to `depth`, counts with a table, and runs the gate to `depth` with options.
fn count_on_many_threads(threads: u32, depth: u32, gate: &str) {
    let found = passed(&format!("count --suite standard --depth {depth} --threads {threads}")).stdout;
    assert!(found.contains("69 of 69 rows compared, 0 wrong"), "{found}");
    let found = passed(&format!("count --depth 6 --hash 64M --threads {threads}")).stdout;
    assert!(found.starts_with("nodes 119060324\n"), "{found}");
    let found = passed(&format!("--suite quick --depth {depth} --threads {threads}{gate}")).stdout;
    assert!(found.contains(&format!(", {threads} threads\n")) && found.contains(" 0 failed"), "{found}");
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
    let unit = |text: &str| match text {
        "MiB" => 1.0,
        "GiB" => 1024.0,
        other => panic!("{other}"),
    };
    for threads in THREADS[1..].iter() {
        for by in ["position", "key"] {
            let found = passed(&format!("unique --depth 6 --memory 700M --by {by} --threads {threads}")).stdout;
            assert!(found.contains("perft 119060324, tree count 119060324: ok"), "{found}");
            let last = found.lines().last().unwrap();
            let (_, memory) = last.split_once("peak memory ").expect("the memory");
            let words: Vec<&str> = memory.split(' ').collect();
            let [peak, most] = [0, 3].map(|at| words[at].parse::<f64>().unwrap() * unit(words[at + 1]));
            assert!(peak <= most && most == 700.0, "{threads} threads by {by}: {last}");
        }
    }
}

#[test]
#[ignore = "three minutes on two cores: 256 threads do 256 times the work of one"]
fn every_workload_is_measured_on_many_threads() {
    let output = passed("bench --quick --threads 64,256 --budget 150s --results -");
    let record: Value = serde_json::from_str(&output.stdout).expect("JSON");
    for stage in record["stages"].as_array().unwrap() {
        let works = stage["works"].as_array().unwrap();
        let of = |threads: u32| works.iter().filter(|work| work["threads"] == threads).count();
        assert_eq!((of(64), of(256)), (works.len() / 2, works.len() / 2));
        // Every pass compared its count; starved work would have no slice.
        assert!(!stage["rounds"].as_array().unwrap().is_empty(), "{}", output.stderr);
    }
}
