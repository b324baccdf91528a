//! `perft tasks`: a count by any scheduler.
//!
//! The tasks are the distinct positions of a shallow ply, each with its multiplicity. They need nothing of each other, so
//! that any program that starts processes can spread them over machines. `run` counts a share of them with one table and
//! writes down each one; `merge` adds up. Who counted a task does not matter: repeats must agree, and count once.

mod merge;
mod plan;
mod share;

use crate::failure::CommandFailure;
use clap::{Args, Subcommand};
use std::process::ExitCode;

#[derive(Args, Debug)]
pub struct TasksArgs {
    #[command(subcommand)]
    command: TasksCommand,
}

#[derive(Subcommand, Debug)]
enum TasksCommand {
    /// Write the tasks of a count into a folder.
    #[command(after_help = "Example: perft tasks plan --depth 9 -o DIR")]
    Plan(plan::PlanArgs),
    /// Count some of the tasks; what is counted already is not counted again.
    #[command(after_help = "Example: perft tasks run DIR --share 1/8")]
    Run(share::ShareArgs),
    /// Add up the counts of all tasks.
    #[command(after_help = "Example: perft tasks merge DIR")]
    Merge(merge::MergeArgs),
}

pub fn run(args: &TasksArgs) -> Result<ExitCode, CommandFailure> {
    match &args.command {
        TasksCommand::Plan(args) => plan::run(args),
        TasksCommand::Run(args) => share::run(args),
        TasksCommand::Merge(args) => merge::run(args),
    }
}
