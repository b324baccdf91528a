//! The program as its users meet it: output, exit codes, files.

mod bench;
mod collisions;
mod compare;
mod count;
mod gate;
mod import;
mod keys;
mod outputs;
mod page;
mod unique;
mod verdicts;
