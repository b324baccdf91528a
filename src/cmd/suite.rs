//! `perft suite`: lists of positions, without a run.

mod classes;
mod fill;

use crate::failure::CommandFailure;
use clap::{Args, Subcommand};
use std::process::ExitCode;

#[derive(Args, Debug)]
pub struct SuiteVerbArgs {
    #[command(subcommand)]
    command: SuiteCommand,
}

#[derive(Subcommand, Debug)]
enum SuiteCommand {
    /// Print the class of each position: plausible, legal, tolerated or illegal, and why it is no better.
    #[command(after_help = "Example: perft suite classes --suite list.epd")]
    Classes(classes::ClassesArgs),
    /// Write a list with the counts that it lacks, each counted by two counters.
    #[command(after_help = "Example: perft suite fill list.epd 4 --out filled.epd")]
    Fill(fill::FillArgs),
}

pub fn run(args: &SuiteVerbArgs) -> Result<ExitCode, CommandFailure> {
    match &args.command {
        SuiteCommand::Classes(args) => classes::run(args),
        SuiteCommand::Fill(args) => fill::run(args),
    }
}
