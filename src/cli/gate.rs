//! The gate: `perft --depth 6 --suite standard`.

use super::{RunArgs, Usage, board_of, control, estimate, find_scheme, path};
use crate::chess::Board;
use crate::gate::{self, RowReport, Settings};
use crate::suite::{self, Row};
use crate::walk::{Checks, Control, MAX_DEPTH, Statistics};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use std::process::ExitCode;
use std::time::Duration;

#[derive(Args, Debug)]
pub(super) struct GateArgs {
    /// Plies to walk.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_DEPTH)))]
    depth: u32,
    /// An embedded suite.
    #[arg(long, default_value = "standard")]
    suite: String,
    /// One position instead of a suite: FEN, `startpos` or `kiwipete`.
    #[arg(long, conflicts_with = "suite")]
    fen: Option<String>,
    /// The hashing scheme that is checked.
    #[arg(long, default_value = "cpw793")]
    scheme: String,
    /// Seed of the words.
    #[arg(long)]
    seed: Option<u64>,
    /// What to do.
    #[arg(long, value_enum, default_value_t = Mode::Verify)]
    mode: Mode,
    /// Which positions make the round trip through FEN.
    #[arg(long, value_enum, default_value_t = RoundTrip::Sampled)]
    roundtrip: RoundTrip,
    #[command(flatten)]
    run: RunArgs,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// Check every node.
    Verify,
    /// Bulk counting, nothing checked but the counts.
    Count,
    /// The counts, and what kind of moves lead to the last ply.
    Stats,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum RoundTrip {
    /// One in 4096.
    Sampled,
    /// Every one.
    All,
}

fn rows(args: &GateArgs) -> Result<Vec<Row>, Usage> {
    if let Some(fen) = &args.fen {
        let row = Row { id: fen.chars().take(24).collect(), board: board_of(fen, &[])?, counts: Vec::new() };
        return Ok(vec![row]);
    }
    let Some((name, _, text)) = suite::EMBEDDED.into_iter().find(|(name, ..)| *name == args.suite) else {
        let known: Vec<_> = suite::EMBEDDED.iter().map(|(name, ..)| *name).collect();
        return Err(Usage(format!("--suite: found '{}', expected one of {}", args.suite, known.join(", "))));
    };
    suite::parse(text).map_err(|error| Usage(format!("suite {name}: {error}")))
}

pub(super) fn run(args: &GateArgs) -> Result<ExitCode, Usage> {
    let scheme = find_scheme(&args.scheme)?;
    if args.seed.is_some() && scheme.is_fixed() {
        return Err(Usage(format!("--seed: the words of '{}' are published, expected no seed", scheme.name)));
    }
    let (rows, level, control) = (rows(args)?, args.run.level()?, control()?);
    let settings = Settings {
        scheme,
        seed: args.seed.unwrap_or(0),
        level,
        sample_mask: if args.roundtrip == RoundTrip::All { 0 } else { 0xfff },
    };
    let (pool, pinned) = args.run.pool()?;
    say!("scheme {}, level {level}, {} threads", scheme.name, pool.current_num_threads());
    if args.run.pin {
        let took = pool.broadcast(|_| pinned.load(std::sync::atomic::Ordering::Relaxed)).into_iter().max();
        say!("pinned {} of {} threads", took.unwrap_or(0), pool.current_num_threads());
    }
    let walk = |board: &Board, depth, control: &Control| {
        pool.install(|| match args.mode {
            Mode::Verify => (gate::verify(board, depth, settings, control), None),
            Mode::Count => (gate::count(board, depth, level, control), None),
            Mode::Stats => {
                let (report, statistics) = gate::statistics(board, depth, level, control);
                (report, Some(statistics))
            }
        })
    };
    estimate::announce(&rows, args.depth, |row, depth| {
        let (report, _) = walk(&row.board, depth, &Control::default());
        (report.total(), report.time)
    });
    say!(
        "{:<22} {:>5} {:>14} {:>14} {:>14} {:>9} {:>8}  verdict",
        "position",
        "depth",
        "expected",
        "found",
        "verified",
        "seconds",
        "Mnodes/s"
    );
    let (mut checks, mut wrong, mut interrupted) = (Checks::default(), false, false);
    for row in &rows {
        let (report, statistics) = watched(&control, &row.id, || walk(&row.board, args.depth, &control));
        // The bulk counter is another algorithm over the same generator.
        let bulk = (args.mode == Mode::Verify && !report.interrupted)
            .then(|| pool.install(|| gate::count(&row.board, args.depth, level, &control)));
        let agrees = bulk.as_ref().is_none_or(|bulk| bulk.interrupted || bulk.nodes == report.nodes);
        interrupted |= report.interrupted;
        wrong |= print_row(row, args.depth, &report, agrees);
        if let Some(statistics) = statistics {
            print_statistics(&statistics);
        }
        checks.add(&report.checks);
        if report.interrupted {
            break;
        }
    }
    if args.mode == Mode::Verify {
        say!(
            "checks: V0 boards {}, V2 keys {}, V3 unmake {}, V4 null moves {}, V6 round trips {}",
            checks.boards,
            checks.keys,
            checks.unmakes,
            checks.null_moves,
            checks.round_trips
        );
    }
    Ok(match (wrong, interrupted) {
        (true, _) => ExitCode::from(1),
        (false, true) => {
            eprintln!("interrupted: the last row is incomplete");
            ExitCode::from(130)
        }
        (false, false) => ExitCode::SUCCESS,
    })
}

/// Prints a row; true if something is wrong.
fn print_row(row: &Row, depth: u32, report: &RowReport, agrees: bool) -> bool {
    let expected = if depth == 0 { Some(1) } else { row.counts.get(depth as usize - 1).copied().flatten() };
    let wrong_counts = if report.interrupted { Vec::new() } else { report.wrong_counts(&row.counts) };
    let keys_missed = report.checks.keys != 0 && u128::from(report.checks.keys) != report.total();
    let wrong = !wrong_counts.is_empty() || !report.mismatches.is_empty() || !agrees || keys_missed;
    let seconds = report.time.as_secs_f64();
    say!(
        "{:<22} {:>5} {:>14} {:>14} {:>14} {:>9.2} {:>8.1}  {}",
        row.id,
        depth,
        expected.map_or("-".into(), |count| count.to_string()),
        report.nodes[depth as usize],
        report.checks.keys,
        seconds,
        report.total() as f64 / seconds / 1e6,
        match (wrong, report.interrupted) {
            (true, _) => "WRONG",
            (false, true) => "interrupted",
            (false, false) => "ok",
        }
    );
    for (depth, expected, found) in wrong_counts {
        say!("  V1 counts at depth {depth}: expected {expected}, found {found}");
    }
    if !agrees {
        say!("  V1 counts: the verified walk and the bulk counter differ");
    }
    if keys_missed {
        say!("  V2 keys: {} compared, expected {}", report.checks.keys, report.total());
    }
    for mismatch in &report.mismatches {
        say!("  {}: expected {}, found {}", mismatch.check, mismatch.expected, mismatch.found);
        say!("    at {} after {}", mismatch.position, path(&mismatch.path));
    }
    wrong
}

fn print_statistics(statistics: &Statistics) {
    let Statistics { captures, en_passant, castles, promotions, checks, discovered, double, mates, .. } = statistics;
    say!("  captures {captures}, e.p. {en_passant}, castles {castles}, promotions {promotions}");
    say!("  checks {checks}, discovered {discovered}, double {double}, mates {mates}");
}

/// Runs `work` with a progress bar on stderr, if that is a terminal.
fn watched<T: Send>(control: &Control, name: &str, work: impl FnOnce() -> T + Send) -> T {
    let bar = ProgressBar::new(0);
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} tasks, ETA {eta}");
    bar.set_style(style.expect("a valid template"));
    bar.set_message(name.to_string());
    let done = std::sync::atomic::AtomicBool::new(false);
    let result = std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            while !done.load(std::sync::atomic::Ordering::Relaxed) {
                let progress = control.progress();
                bar.set_length(progress.total);
                bar.set_position(progress.done);
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
