//! The program as its users meet it: output, exit codes, files.

mod against;
mod bench;
mod check;
#[cfg(feature = "cluster")]
mod cluster;
mod collisions;
mod compare;
mod count;
mod divide;
#[cfg(unix)]
mod documents;
mod encodings;
mod engine;
mod first_steps;
mod gate;
mod import;
mod interrupted;
mod key;
mod keys;
mod levels;
mod no_false_pass;
mod outputs;
mod page;
mod pages;
mod report;
mod screens;
mod spill;
mod tasks;
mod tgct;
mod threads;
mod uci;
mod unique;
mod verdicts;
