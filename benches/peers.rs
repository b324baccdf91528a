//! Compares our leaf counter and verification with other Rust move generators on the same trees in one process, or
//! compares `perft count` with programs defined by environment variables. Runs are interleaved.
//!
//!     cargo bench --bench peers [-- ROUNDS]
//!     PERFT_PEER_NAME='path/to/program {fen} {depth}' cargo bench --bench peers [-- ROUNDS]
//!
//! Every timed run checks its count and uses one thread. In a comparison with programs, `perft` runs twice: with its
//! defaults, and with `--every-path`, for comparison with programs that do not merge transpositions. All Rust
//! generators are compiled the same way: a plain build without `target-cpu=native`. The figure to look at is the ratio
//! between the times of two runs in the same round, given as the median over all rounds.

#[path = "common/program.rs"]
mod program;

#[path = "../tests/oracle/generator.rs"]
mod oracle;

use perft_gate_chess::Fen;
use perft_gate_count::{Paths, TreeCounter};
use perft_gate_lab::measure::{Interval, median};
use perft_gate_machine::pinning;
use perft_gate_simd::Level;
use perft_gate_suite::{self as suite, Row};
use perft_gate_walk::{Control, Settings};
use perft_gate_zobrist::preset;
use program::Program;
use std::ffi::OsString;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let rounds = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(9);
    let rows = suite::parse(suite::embedded("standard").expect("built in")).expect("it reads");
    let text = |text: OsString| text.to_string_lossy().into_owned();
    let variables = std::env::vars_os().map(|(name, value)| (text(name), text(value)));
    let programs = match Program::among(variables) {
        Ok(programs) => programs,
        Err(error) => return stopped(2, &error),
    };
    if programs.is_empty() {
        beside_generators(&rows, rounds);
        return ExitCode::SUCCESS;
    }
    match beside_programs(&rows, rounds, programs) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(1),
        Err(error) => stopped(3, &error),
    }
}

fn stopped(code: u8, error: &str) -> ExitCode {
    eprintln!("error: {error}");
    ExitCode::from(code)
}

/// Name, depth and leaf count of each tree (Chess Programming Wiki, Perft Results). The counts are repeated here
/// because the standard suite does not list every tree to this depth.
const TREES: [(&str, u32, u128); 6] = [
    ("startpos", 7, 3_195_901_860),
    ("kiwipete", 6, 8_031_647_685),
    ("position 3", 8, 3_009_794_393),
    ("position 4", 6, 706_045_033),
    ("position 5", 6, 3_048_196_529),
    ("position 6", 6, 6_923_051_137),
];

/// The processor times of one program's runs in seconds, or the error of the run that failed.
type Times = Result<Vec<f64>, String>;

/// Prints a table that compares `perft count` with these programs, and returns the number of rows that show an error.
///
/// **Errors**: a program miscounts the start position, which every program counts once before anything is timed.
fn beside_programs(rows: &[Row], rounds: usize, others: Vec<Program>) -> Result<usize, String> {
    let pinned = pinning::pin_to_last()
        .map_or_else(|| pinning::describe_unpinned(std::env::consts::OS), |core| format!("on hardware thread {core}"));
    let (levels, missing): (Vec<&str>, Vec<&str>) =
        ["v3", "v4"].iter().partition(|level| Level::from_name(level).is_some());
    let own = 2 * levels.len();
    let programs: Vec<Program> = levels.iter().flat_map(|level| Program::perft(level)).chain(others).collect();
    for program in &programs {
        program.count(Fen::START, 3, 8902).map_err(|error| format!("{}: {error}", program.name))?;
    }
    for level in missing {
        println!("{level}: not run, this machine lacks it");
    }
    println!(
        "processor seconds, medians of {rounds} rounds, {pinned}; seconds / those of perft in the same round (interval)"
    );
    let heads = programs[..own].iter().map(|program| format!("  {:>22}", format!("/ {}", program.name)));
    println!(
        "{:<14} {:>5}  {:<13} {:>9} {:>11}{}",
        "position",
        "depth",
        "program",
        "seconds",
        "M leaves/s",
        heads.collect::<String>()
    );
    let comparisons = (TREES.len() + 1) * (programs.len() - own) * own;
    let cell = |ratios: &[f64]| {
        let Interval { low, median, high } = Interval::of_median(ratios, comparisons);
        format!("  {:>22}", format!("{median:.2} ({low:.2} to {high:.2})"))
    };
    let mut trees = Vec::new();
    for (id, depth, expected) in TREES {
        let fen = &rows.iter().find(|row| row.id == id).expect("a classic position").fen;
        let times = by_turns(&programs, rounds, |program| program.count(fen, depth, expected));
        for (at, (program, times_here)) in programs.iter().zip(&times).enumerate() {
            print!("{id:<14} {depth:>5}  {:<13} ", program.name);
            match times_here {
                Ok(seconds) => {
                    let seconds = median(seconds);
                    print!("{seconds:>9.3} {:>11.0}", expected as f64 / seconds / 1e6);
                }
                Err(error) => print!("error: {error}"),
            }
            let ratios = (0..own).filter(|_| at >= own).filter_map(|level| ratios(times_here, &times[level]));
            println!("{}", ratios.map(|ratios| cell(&ratios)).collect::<String>());
        }
        trees.push(times);
    }
    for (at, program) in programs.iter().enumerate().skip(own) {
        let means = (0..own).map(|level| {
            let ratios: Vec<Vec<f64>> = trees.iter().filter_map(|times| ratios(&times[at], &times[level])).collect();
            if ratios.len() == TREES.len() { cell(&geometric_means(&ratios)) } else { format!("  {:>22}", "-") }
        });
        println!("{:<20}  {:<35}{}", "geometric mean", program.name, means.collect::<String>());
    }
    Ok(trees.iter().flatten().filter(|times| times.is_err()).count())
}

/// Returns the times of every program. Each round runs all of them, and every second round does so in reverse order. A
/// program with a wrong count is not run again.
fn by_turns(programs: &[Program], rounds: usize, run: impl Fn(&Program) -> Result<f64, String>) -> Vec<Times> {
    let mut times: Vec<Times> = vec![Ok(Vec::new()); programs.len()];
    for round in 0..rounds {
        let mut turns: Vec<(&Program, &mut Times)> = programs.iter().zip(&mut times).collect();
        if round % 2 == 1 {
            turns.reverse();
        }
        for (program, times) in turns {
            if let Ok(seconds) = times {
                match run(program) {
                    Ok(time) => seconds.push(time),
                    Err(error) => *times = Err(error),
                }
            }
        }
    }
    times
}

/// Returns the ratio of the two programs' times in each round, or `None` if either program miscounted.
fn ratios(times: &Times, reference: &Times) -> Option<Vec<f64>> {
    let (times, reference) = (times.as_ref().ok()?, reference.as_ref().ok()?);
    Some(times.iter().zip(reference).map(|(time, reference)| time / reference).collect())
}

/// Returns, for each round, the geometric mean of that round's ratios over all trees.
fn geometric_means(trees: &[Vec<f64>]) -> Vec<f64> {
    let mean = |round: usize| trees.iter().map(|ratios| ratios[round].ln()).sum::<f64>() / trees.len() as f64;
    (0..trees[0].len()).map(|round| mean(round).exp()).collect()
}

fn beside_generators(rows: &[Row], rounds: usize) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let settings = Settings {
        scheme: preset("cpw793").expect("built in"),
        secondary: &[],
        seed: 0,
        level: Level::detect(),
        sample_mask: 0xfff,
    };
    println!("million leaf nodes/s, medians of {rounds} rounds; ratios to cozy-chess in the same round");
    println!(
        "{:<12} {:>5}  {:>14} {:>14} {:>14} {:>14}",
        "position", "depth", "count", "cozy-chess", "shakmaty", "verified walk"
    );
    for (id, depth) in
        [("startpos", 5), ("kiwipete", 4), ("position 3", 5), ("position 4", 4), ("position 5", 4), ("position 6", 4)]
    {
        let row = rows.iter().find(|row| row.id == id).expect("a classic position");
        let expected = row.count(depth).expect("it is listed");
        let cozy: cozy_chess::Board = row.fen.parse().expect("cozy-chess reads it");
        let shak: shakmaty::Chess = row
            .fen
            .parse::<shakmaty::fen::Fen>()
            .expect("a FEN")
            .into_position(shakmaty::CastlingMode::Standard)
            .expect("shakmaty reads it");
        let control = Control::default();
        // Counts every path, as the other generators do.
        let every_path = TreeCounter { paths: Paths::Every, ..TreeCounter::new(settings.level) };
        let contestants: [&(dyn Fn() -> u128 + Sync); 4] = [
            &|| every_path.leaves(row.board(), depth, &control).nodes,
            &|| oracle::perft(&cozy, depth),
            &|| shakmaty::perft(&shak, depth).into(),
            &|| {
                let report = perft_gate_walk::verify(row.board(), depth, settings, &control);
                assert_eq!(report.mismatches, []);
                report.nodes[depth as usize]
            },
        ];
        let mut rates = [const { Vec::new() }; 4];
        for _ in 0..rounds {
            for (contestant, rates) in contestants.iter().zip(&mut rates) {
                let start = Instant::now();
                let found = pool.install(contestant);
                rates.push(expected as f64 / start.elapsed().as_secs_f64() / 1e6);
                assert_eq!(found, expected, "{id} at depth {depth}");
            }
        }
        let cells = rates.iter().map(|of_one| {
            let ratios: Vec<f64> = of_one.iter().zip(&rates[1]).map(|(a, b)| a / b).collect();
            format!("{:>7.1} {:>5.2}x", median(of_one), median(&ratios))
        });
        println!("{id:<12} {depth:>5}  {}", cells.collect::<Vec<_>>().join("  "));
    }
}
