//! The command line: the only place that prints or exits.
//!
//! Exit codes: 0 all right; 1 a count or a key is wrong; 2 usage or input; 3 something outside failed: the engine under
//! test, a disk; 130 interrupted (1 if a mismatch had been found).

#[macro_use]
mod console;

mod bench;
mod checkpoint;
mod collisions;
mod compare;
mod count;
mod diff;
mod draft;
mod engine;
mod estimate;
mod gate;
mod hints;
mod key;
mod keys;
mod list;
mod memory;
mod output;
mod planted_engine;
mod positions;
mod report;
mod scheme;
mod selftest;
mod unique;

use crate::chess::{Board, Fen, Kind, Move, legal_moves};
use crate::cpu::Level;
use crate::walk::Control;
use clap::{Args, Parser, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

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

/// How to run, whatever is run.
#[derive(Args, Debug)]
struct RunArgs {
    /// Worker threads (default: all cores).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,
    /// Pin each worker to a core.
    #[arg(long)]
    pin: bool,
    #[command(flatten)]
    level: LevelArgs,
}

/// Which instructions to use.
#[derive(Args, Debug)]
struct LevelArgs {
    /// Instructions to use: auto, v1, v3 or v4 (AVX-512 for the kernels).
    #[arg(long, value_name = "LEVEL", default_value = "auto", env = "PERFT_SIMD")]
    simd: String,
}

/// Why a command ends without its result: one line on standard error, and an exit code.
#[derive(Debug)]
enum Failure {
    /// Usage or input.
    Usage(String),
    /// Something outside failed, such as a disk.
    Outside(String),
}

use Failure::{Outside, Usage};

impl Failure {
    fn exit_code(&self) -> ExitCode {
        match self {
            Usage(_) => ExitCode::from(2),
            Outside(_) => ExitCode::from(3),
        }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (Usage(message) | Outside(message)) = self;
        f.write_str(message)
    }
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Failure {
        Usage(error.to_string())
    }
}

/// Runs the command line.
pub fn main() -> ExitCode {
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

impl LevelArgs {
    fn level(&self) -> Result<Level, Failure> {
        Level::named(&self.simd).ok_or_else(|| {
            let known = Level::NAMES.join(", ");
            Usage(format!("--simd: found '{}', expected one of {known} that this machine has", self.simd))
        })
    }
}

impl RunArgs {
    fn level(&self) -> Result<Level, Failure> {
        self.level.level()
    }

    /// A pool of workers, and how many of them were pinned.
    fn pool(&self) -> Result<(rayon::ThreadPool, Arc<std::sync::atomic::AtomicUsize>), Failure> {
        let pinned = Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let mut builder = rayon::ThreadPoolBuilder::new().num_threads(self.threads.unwrap_or(0).into());
        if self.pin {
            let (cores, pinned) = (core_affinity::get_core_ids().unwrap_or_default(), Arc::clone(&pinned));
            builder = builder.start_handler(move |worker| {
                let core = cores.get(worker % cores.len().max(1));
                if core.is_some_and(|&core| core_affinity::set_for_current(core)) {
                    pinned.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                }
            });
        }
        Ok((builder.build()?, pinned))
    }
}

/// Pins this thread to the last core, which has the fewest interrupts; which one it is.
fn pin_here() -> Option<usize> {
    let core = core_affinity::get_core_ids()?.pop()?;
    core_affinity::set_for_current(core).then_some(core.id)
}

/// A control that Ctrl-C stops.
fn control() -> Result<Arc<Control>, Failure> {
    let control = Arc::new(Control::default());
    let stopped = Arc::clone(&control);
    ctrlc::set_handler(move || stopped.stop.store(true, std::sync::atomic::Ordering::Relaxed))?;
    Ok(control)
}

/// `90s`, `2m`.
fn time(text: &str) -> Result<Duration, String> {
    let time = text.parse::<jiff::SignedDuration>().ok().and_then(|time| Duration::try_from(time).ok());
    time.filter(|time| !time.is_zero()).ok_or_else(|| "expected a time such as 90s or 2m".into())
}

/// Times of day in files: UTC.
const RFC_3339: &str = "%Y-%m-%dT%H:%M:%SZ";

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// A position.
#[derive(Args, Debug)]
struct PositionArgs {
    /// FEN, `startpos` or `kiwipete`.
    #[arg(long, default_value = "startpos")]
    fen: String,
    /// Moves from there, in UCI notation.
    #[arg(long, num_args = 1..)]
    moves: Vec<String>,
}

impl PositionArgs {
    fn board(&self) -> Result<Board, Failure> {
        let moves: Vec<&str> = self.moves.iter().flat_map(|moves| moves.split_whitespace()).collect();
        board_of(&self.fen, &moves)
    }
}

/// The board of `--fen`, after `--moves`.
fn board_of(fen: &str, moves: &[&str]) -> Result<Board, Failure> {
    let fen = match fen {
        "startpos" => Fen::START,
        "kiwipete" => KIWIPETE,
        other => other,
    };
    let mut position = crate::Position::new(Fen::parse(fen)?, ());
    for &text in moves {
        let legal = legal_moves(position.board());
        let Some(&mv) = legal.iter().find(|mv| is_written(**mv, text)) else {
            return Err(Usage(format!("--moves: found '{text}', expected a legal move of '{}'", position.board())));
        };
        let _ = crate::walk::Game::play(&mut position, crate::cpu::V1::token(), mv);
    }
    Ok(*position.board())
}

/// Castling may also be written king-takes-rook.
fn is_written(mv: Move, text: &str) -> bool {
    mv.uci().to_string() == text || mv.kind() == Kind::Castle && format!("{}{}", mv.from(), mv.to()) == text
}

/// Runs `work` on the tasks of a control, with a progress bar.
fn watched<T: Send>(control: &Control, name: &str, work: impl FnOnce() -> T + Send) -> T {
    let progress = || {
        let progress = control.progress();
        (progress.done, progress.total)
    };
    with_bar(name, progress, work)
}

/// Runs `work` with a progress bar on stderr, if that is a terminal; `progress` is what is done, and how much there is.
fn with_bar<T: Send>(name: &str, progress: impl Fn() -> (u64, u64) + Sync, work: impl FnOnce() -> T + Send) -> T {
    if !std::io::stderr().is_terminal() {
        return work();
    }
    let bar = ProgressBar::new(0);
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} tasks, ETA {eta}");
    bar.set_style(style.expect("a valid template"));
    bar.set_message(name.to_string());
    let done = std::sync::atomic::AtomicBool::new(false);
    let result = std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            while !done.load(std::sync::atomic::Ordering::Relaxed) {
                let (done, total) = progress();
                bar.set_length(total);
                bar.set_position(done);
                std::thread::park_timeout(Duration::from_millis(200));
            }
        });
        let result = work();
        done.store(true, std::sync::atomic::Ordering::Relaxed);
        watcher.thread().unpark();
        result
    });
    bar.finish_and_clear();
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        assert_eq!(time("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(time("1m 30s"), Ok(Duration::from_secs(90)));
        assert!(time("90").is_err() && time("-1s").is_err() && time("0s").is_err() && time("soon").is_err());
    }
}
