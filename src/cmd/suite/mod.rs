//! `perft suite`: lists of positions, without a run.

mod classes;
mod fill;

use crate::failure::Failure;
use clap::{Args, Subcommand};
use std::process::ExitCode;

#[derive(Args, Debug)]
pub struct SuiteArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Print the class of each position: plausible, legal, tolerated or illegal, and why it is no better.
    Classes(classes::ClassesArgs),
    /// Write a list with the counts that it lacks, each counted by two counters.
    Fill(fill::FillArgs),
}

pub fn run(args: &SuiteArgs) -> Result<ExitCode, Failure> {
    match &args.command {
        Command::Classes(args) => classes::run(args),
        Command::Fill(args) => fill::run(args),
    }
}
