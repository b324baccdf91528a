//! The command line, the only crate that prints or exits.
//!
//! Exit codes: 0 success; 1 wrong count or key; 2 wrong usage or input; 3 outside failure, such as the engine under
//! test or a disk; 4 broken key table or scheme (`keys audit`, `collisions`); 130 interrupted (1 after a mismatch).

#![forbid(unsafe_code)]

#[macro_use]
mod out;

mod args;
mod cmd;
mod command_line;
mod failure;
mod hints;
mod planted_board;
mod planted_engine;

use args::position::join_fen_words;
use clap::FromArgMatches;
use command_line::{Cli, Command};
use out::console;
use std::mem::ManuallyDrop;
use std::process::ExitCode;

#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let words = join_fen_words(std::env::args_os());
    // Never freed: that would be a tenth of the instructions of a start.
    let mut command = ManuallyDrop::new(command_line::command());
    let parsed = command.try_get_matches_from_mut(&words).and_then(|found| Cli::from_arg_matches(&found));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => {
            let words: Vec<_> = words.iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
            note!("{}", hints::line(&command_line::command(), &words, &error));
            return ExitCode::from(2);
        }
        Err(help) => {
            // The help is already laid out for the terminal.
            let help = help.render();
            console::print_styled(help.to_string().trim_end(), |_| help.ansi().to_string().trim_end().into());
            return console::finish(ExitCode::SUCCESS);
        }
    };
    console::set_color(cli.color);
    let result = match cli.command {
        None => cmd::gate::run(&cli.gate),
        Some(Command::Gate(args)) => cmd::gate::run(&args.gate()),
        Some(Command::Bench(args)) => cmd::bench::run(&args),
        Some(Command::Collisions(args)) => cmd::collisions::run(&args),
        Some(Command::Compare(args)) => cmd::compare::run(&args),
        Some(Command::Completions(args)) => cmd::completions::run(&args, command_line::command()),
        Some(Command::Count(args)) => cmd::count::run(&args),
        Some(Command::Diff(args)) => cmd::diff::run(&args),
        Some(Command::Divide(args)) => cmd::count::divide(&args),
        Some(Command::Engine(args)) => cmd::engine::run(&args),
        Some(Command::Key(args)) => cmd::key::run(&args),
        Some(Command::Keys(args)) => cmd::keys::run(&args),
        Some(Command::List(args)) => cmd::list::run(&args),
        Some(Command::Man(args)) => cmd::completions::man(&args, command_line::command()),
        Some(Command::Report(args)) => cmd::report::run(&args),
        Some(Command::Suite(args)) => cmd::suite::run(&args),
        Some(Command::Tasks(args)) => cmd::tasks::run(&args),
        Some(Command::Uci(args)) => cmd::uci::run(&args),
        Some(Command::Unique(args)) => cmd::unique::run(&args),
        Some(Command::Selftest(args)) => cmd::selftest::run(&args),
        Some(Command::BenchSlices(args)) => cmd::bench::run_slices(&args),
        Some(Command::PlantedEngine(args)) => planted_engine::run(&args),
    };
    let code = result.unwrap_or_else(|failure| {
        note!("{}: {}", failure.label(), hints::with_nearest(&failure.to_string()));
        failure.exit_code()
    });
    console::finish(code)
}
