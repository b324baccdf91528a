//! `perft selftest`: proves on this machine that the checks catch planted faults.

use crate::args::run::level_named;
use crate::failure::Result;
use crate::out::progress::{Amount, WaitProgress, with_progress};
use crate::{planted_board, planted_engine};
use clap::Args;
use perft_gate_judge::faults::{Pools, cases, prove_case, prove_playouts, prove_real_split, small_split_tree};
use perft_gate_judge::selftest;
use perft_gate_simd::Level;
use perft_gate_zobrist::{PRESETS, Scheme};
use std::fmt::Display;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

#[derive(Default)]
struct Selftest {
    /// Description of the current part of the self-test.
    what: Mutex<String>,
    done: AtomicU64,
    /// Number of faults that were not caught.
    failures: AtomicU64,
}

/// Number of steps of the progress bar for each part of the self-test. A step takes about as long as testing one fault.
const RANDOM_GAMES: usize = 1;
const ENGINES: usize = 10;
const BOARDS: usize = 2;
const SPLIT: usize = 5;

fn keyed_schemes() -> impl Iterator<Item = &'static Scheme> {
    PRESETS.iter().filter(|scheme| scheme.number_of_keys() > 0)
}

impl Selftest {
    fn begin(&self, what: String) {
        *self.what.lock().unwrap_or_else(PoisonError::into_inner) = what;
    }

    fn progress(&self, total: usize) -> WaitProgress {
        let what = self.what.lock().unwrap_or_else(PoisonError::into_inner).clone();
        WaitProgress { what, amount: Amount::Units("tasks", self.done.load(Relaxed), total as u64) }
    }

    /// Reports how each fault in one part of the run was caught, and marks that part's `steps` as done.
    fn add<F: Display>(&self, results: impl IntoIterator<Item = (F, Result<String, String>)>, steps: usize) {
        for (fault, result) in results {
            let fault = fault.to_string();
            match result {
                Ok(line) => say!("  planted {fault:<44} {line}"),
                Err(error) => {
                    self.failures.fetch_add(1, Relaxed);
                    say!("  planted {fault:<44} NOT CAUGHT: {error}");
                }
            }
        }
        self.done.fetch_add(steps as u64, Relaxed);
    }
}

#[derive(Args, Debug)]
pub struct SelftestArgs {
    /// Test only this SIMD level (default: all that this machine has).
    #[arg(long, value_name = "LEVEL")]
    simd: Option<String>,
}

pub fn run(args: &SelftestArgs) -> Result<ExitCode> {
    let levels = if let Some(name) = &args.simd { vec![level_named(name)?] } else { Level::all() };
    let of_a_level = keyed_schemes().count() + cases().len() + RANDOM_GAMES;
    let steps = levels.len() * of_a_level + ENGINES + BOARDS + SPLIT;
    let run = Selftest::default();
    with_progress(|| run.progress(steps), || prove(&levels, &run));
    let failures = run.failures.into_inner();
    let proven: Vec<String> = levels.iter().map(Level::to_string).collect();
    let missing: Vec<&str> =
        Level::NAMES.into_iter().filter(|name| *name != "auto" && Level::from_name(name).is_none()).collect();
    if !missing.is_empty() {
        say!("not proven, because this machine cannot run them: {}", missing.join(", "));
    }
    match failures {
        0 => say!("proven: {}", proven.join(", ")),
        failures => say!("{failures} faults were not caught: do not trust this build on this machine"),
    }
    Ok(if failures == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn prove(levels: &[Level], run: &Selftest) {
    let pools = Pools::default();
    for &level in levels {
        say!("level {level}");
        run.begin(format!("faults at level {level}"));
        kernels(level, run);
        for case in cases() {
            run.add([(case.plant, prove_case(&case, level, &pools))], 1);
        }
        let games = prove_playouts(level, &pools).into_iter();
        run.add(games.map(|(plant, result)| (format!("{plant} (random games)"), result)), RANDOM_GAMES);
    }
    say!("engines");
    run.begin("faults in engines".into());
    run.add(planted_engine::prove(), ENGINES);
    say!("boards");
    run.begin("faults in boards".into());
    run.add(planted_board::prove(), BOARDS);
    say!("level {}, split as every run is", Level::detect());
    run.begin("faults in split trees".into());
    let (row, depth) = small_split_tree();
    run.add(prove_real_split(&row, depth, Level::detect()), SPLIT);
}

/// For each scheme, corrupts the input of the batched key comparison to check that the corruption is detected.
fn kernels(level: Level, run: &Selftest) {
    say!("  scheme        right boards flipped bits changed squares corrupted rows golden");
    for scheme in keyed_schemes() {
        run.done.fetch_add(1, Relaxed);
        match selftest::prove(level, scheme) {
            Ok(proof) => {
                let golden = if proof.indices > 0 { "yes" } else { "-" };
                let (passed, bits, squares, rows) = (proof.passed, proof.bits, proof.squares, proof.rows);
                say!("  {:<13} {passed:>12} {bits:>12} {squares:>15} {rows:>14} {golden:>6}", scheme.name);
            }
            Err(error) => {
                run.failures.fetch_add(1, Relaxed);
                say!("  {:<13} NOT PROVEN: {error}", scheme.name);
            }
        }
    }
}
