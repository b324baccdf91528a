//! The integration tests, in one binary: one to link, and one list of helpers.

/// The program as its users meet it: output, exit codes, files.
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
}

/// Counts by several processes, each of them a thread here.
mod cluster {
    mod counts;
    mod links;
}

mod common;
/// Against published numbers and keys.
mod golden;
/// Faults are planted, and each check is seen to fail.
mod negative;

/// Against other programs' generators, and over the fuzz targets' corpus.
mod oracle {
    mod classes;
    mod corpus;
    mod differential;
    mod fens;
    mod generator;
    mod subjects;
    mod suites;
    mod unique;
}

/// What `cargo bench --bench peers` does with other people's programs.
mod programs;
