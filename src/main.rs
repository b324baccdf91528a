//! The command line: the only place that prints or exits.
//!
//! Exit codes: 0 all right; 1 a count or a key is wrong; 2 usage or input; 3 something outside failed: the engine under
//! test, a disk; 130 interrupted (1 if a mismatch had been found).

#![forbid(unsafe_code)]

#[macro_use]
mod out;

mod args;
mod build_info;
mod cmd;
mod failure;
mod planted_engine;

use clap::{Parser, Subcommand};
use cmd::{bench, collisions, compare, count, diff, engine, gate, key, keys, list, report, selftest, unique};
use out::{console, hints};
use std::process::ExitCode;

/// Perft with every Zobrist key verified.
///
/// Without a subcommand it is the gate: it walks every position of a suite with make and unmake, checks every node, and
/// compares every count.
#[derive(Parser, Debug)]
#[command(name = "perft", version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    gate: gate::GateArgs,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// How fast this machine is: fixed workloads on one thread and more, a record of every slice, a score.
    Bench(bench::BenchArgs),
    /// How many positions of a ply share a part of their keys, of schemes and of random words.
    Collisions(collisions::CollisionsArgs),
    /// What schemes cost on the hot path: make and unmake with the key, by turns, with intervals.
    Compare(compare::CompareArgs),
    /// The leaves of a tree, as fast as they can be counted; nothing is checked but a suite's counts.
    Count(count::CountArgs),
    /// Two records of `perft bench`, workload by workload: is one slower?
    Diff(diff::DiffArgs),
    /// Leaf counts by root move, sorted, with the total.
    Divide(count::DivideArgs),
    /// An engine over UCI, compared with our own counter row by row, down to the move that is wrong.
    Engine(engine::EngineArgs),
    /// The key of a position, its terms, and the e.p. square under each policy.
    Key(key::KeyArgs),
    /// Which words of a scheme are good.
    Keys(keys::KeysArgs),
    /// What is built in.
    List(list::ListArgs),
    /// A page of charts and tables from records and other results of this program.
    Report(report::ReportArgs),
    /// How many different positions lie at each ply, and how often each is reached.
    Unique(unique::UniqueArgs),
    /// Plants faults and damage, and sees each one caught, on every level of this machine.
    Selftest,
    /// An engine with a fault, for `selftest`.
    #[command(hide = true)]
    PlantedEngine(planted_engine::PlantedEngineArgs),
}

/// Runs the command line.
fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => {
            note!("{}", hints::line(&error));
            return ExitCode::from(2);
        }
        Err(help) => {
            // It is laid out for the terminal already.
            let help = help.render();
            console::styled(help.to_string().trim_end(), |_| help.ansi().to_string().trim_end().into());
            return console::finish(ExitCode::SUCCESS);
        }
    };
    let result = match cli.command {
        None => gate::run(&cli.gate),
        Some(Command::Bench(args)) => bench::run(&args),
        Some(Command::Collisions(args)) => collisions::run(&args),
        Some(Command::Compare(args)) => compare::run(&args),
        Some(Command::Count(args)) => count::run(&args),
        Some(Command::Diff(args)) => diff::run(&args),
        Some(Command::Divide(args)) => count::divide(&args),
        Some(Command::Engine(args)) => engine::run(&args),
        Some(Command::Key(args)) => key::run(&args),
        Some(Command::Keys(args)) => keys::run(&args),
        Some(Command::List(args)) => list::run(&args),
        Some(Command::Report(args)) => report::run(&args),
        Some(Command::Unique(args)) => unique::run(&args),
        Some(Command::Selftest) => selftest::run(),
        Some(Command::PlantedEngine(args)) => planted_engine::run(&args),
    };
    let code = result.unwrap_or_else(|failure| {
        note!("error: {}", hints::with_nearest(&failure.to_string()));
        failure.exit_code()
    });
    console::finish(code)
}
