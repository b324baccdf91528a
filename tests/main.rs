//! The integration tests. They share one binary, so there is one link step and one list of helpers.

/// The program as its users see it: output, exit codes, files.
mod cli {
    mod against;
    mod bench;
    #[cfg(feature = "cluster")]
    mod cluster;
    mod count;
    #[cfg(unix)]
    mod documents;
    mod encodings;
    mod first_steps;
    mod gate;
    mod interrupted;
    mod keys;
    mod lab;
    mod outputs;
    mod page;
    mod pages;
    mod report;
    mod spill;
    mod tasks;
    mod tgct;
    mod threads;
    mod uci;
    mod unique;
    mod verdicts;
    mod web;
}

/// Counts by several processes. Here each process is a thread.
mod cluster {
    mod counts;
    mod links;
}

mod common;
/// Comparison with published numbers and keys.
mod golden;
/// Planted faults: each check must catch one.
mod negative;

/// Comparison with other programs' generators, and runs over the fuzz targets' corpus.
mod oracle {
    mod classes;
    mod corpus;
    mod fens;
    mod generator;
    mod suites;
    mod unique;
}

/// Other people's programs that `cargo bench --bench peers` runs.
mod programs;
