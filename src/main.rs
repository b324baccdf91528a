//! Command line: the only place that prints or exits.
//!
//! Exit codes: 0 success; 1 a count or a key is wrong; 2 wrong usage or input; 3 something outside failed, such as the
//! engine under test or a disk; 4 a key table or scheme is broken (`keys audit`, `collisions`); 130 interrupted (1 if a mismatch had been found).

#![forbid(unsafe_code)]

#[macro_use]
mod out;

mod args;
mod build_info;
mod cmd;
mod failure;
mod planted_engine;

use args::fen_words;
use clap::{CommandFactory, Parser, Subcommand};
use cmd::{
    bench, collisions, compare, completions, count, diff, engine, gate, key, keys, list, report, selftest, suite,
    tasks, uci, unique,
};
use out::{console, hints};
use std::process::ExitCode;

/// Verify perft and every Zobrist key.
///
/// Without a subcommand, walk every position of a suite with make and unmake, check every node, and compare every
/// count.
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
    /// Measure this machine's speed: fixed workloads on one thread and more, with a record of every slice and a score.
    Bench(bench::BenchArgs),
    /// Count the positions of a ply that share a part of their keys, by scheme and beside random key tables.
    Collisions(collisions::CollisionsArgs),
    /// Compare the cost of schemes on the hot path: make and unmake with the key, interleaved, with confidence
    /// intervals.
    Compare(compare::CompareArgs),
    /// Print the completions of this command line for a shell.
    Completions(completions::CompletionsArgs),
    /// Count leaf nodes, as fast as possible; only a suite's counts are checked.
    Count(count::CountArgs),
    /// Compare two records of `perft bench`, workload by workload, to see if one is slower.
    Diff(diff::DiffArgs),
    /// Count leaf nodes by root move, sorted, with the total.
    Divide(count::DivideArgs),
    /// Compare an engine's perft with ours, down to the wrong move.
    Engine(Box<engine::EngineArgs>),
    /// Print the key of a position, its terms, and the e.p. square under each policy.
    Key(key::KeyArgs),
    /// Audit or generate key tables.
    Keys(keys::KeysArgs),
    /// List the built-in suites, schemes or faults, or the SIMD levels of this machine.
    List(list::ListArgs),
    /// Make a page of charts and tables from records and other results of this program.
    Report(report::ReportArgs),
    /// Write the manual's pages.
    #[command(hide = true)]
    Man(completions::ManArgs),
    /// Look at a list of positions, or fill in its counts.
    Suite(suite::SuiteArgs),
    /// Count on many machines: plan tasks, run some of them, and merge the counts.
    Tasks(tasks::TasksArgs),
    /// Run as an engine over UCI: `go perft N`, keys for `d`.
    Uci(uci::UciArgs),
    /// Count the distinct positions at each ply, and how often each is reached.
    Unique(unique::UniqueArgs),
    /// Plant faults and check that each one is caught, at every SIMD level of this machine.
    Selftest(selftest::SelftestArgs),
    /// Run slices of a workload on request, for `bench --against` of another build.
    #[command(hide = true)]
    BenchSlices(bench::SlicesArgs),
    /// Run an engine with a fault, for `selftest`.
    #[command(hide = true)]
    PlantedEngine(planted_engine::PlantedEngineArgs),
}

/// Runs the command line.
fn main() -> ExitCode {
    let cli = match Cli::try_parse_from(fen_words::joined(std::env::args_os())) {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => {
            note!("{}", hints::line(&error));
            return ExitCode::from(2);
        }
        Err(help) => {
            // The help is already laid out for the terminal.
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
        Some(Command::Completions(args)) => completions::run(&args, Cli::command()),
        Some(Command::Count(args)) => count::run(&args),
        Some(Command::Diff(args)) => diff::run(&args),
        Some(Command::Divide(args)) => count::divide(&args),
        Some(Command::Engine(args)) => engine::run(&args),
        Some(Command::Key(args)) => key::run(&args),
        Some(Command::Keys(args)) => keys::run(&args),
        Some(Command::List(args)) => list::run(&args),
        Some(Command::Man(args)) => completions::man(&args, Cli::command()),
        Some(Command::Report(args)) => report::run(&args),
        Some(Command::Suite(args)) => suite::run(&args),
        Some(Command::Tasks(args)) => tasks::run(&args),
        Some(Command::Uci(args)) => uci::run(&args),
        Some(Command::Unique(args)) => unique::run(&args),
        Some(Command::Selftest(args)) => selftest::run(&args),
        Some(Command::BenchSlices(args)) => bench::slices(&args),
        Some(Command::PlantedEngine(args)) => planted_engine::run(&args),
    };
    let code = result.unwrap_or_else(|failure| {
        note!("{}: {}", failure.label(), hints::with_nearest(&failure.to_string()));
        failure.exit_code()
    });
    console::finish(code)
}
