//! `perft selftest`: proves that the checks can fail on this machine.

use crate::args::run::level_named;
use crate::failure::CommandFailure;
use crate::out::progress::{Amount, WaitProgress, with_progress};
use crate::{planted_board, planted_engine};
use clap::Args;
use perft_gate_judge::faults::{Pools, cases, prove_case, prove_playouts, prove_real_split, small_split_tree};
use perft_gate_judge::selftest;
use perft_gate_simd::Level;
use perft_gate_zobrist::{PRESETS, Scheme};
use std::fmt::Display;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The number of faults that were not caught.
struct Proofs<'a> {
    failures: usize,
    steps: &'a SelftestProgress,
}

/// Progress of the run.
struct SelftestProgress {
    what: Mutex<String>,
    done: AtomicU64,
    total: u64,
}

impl SelftestProgress {
    fn new(levels: &[Level]) -> SelftestProgress {
        let of_a_level = keyed_schemes().count() + cases().len() + RANDOM_GAMES;
        let total = levels.len() * of_a_level + KEYS_AFTER + ENGINES + SPLIT;
        SelftestProgress { what: Mutex::default(), done: AtomicU64::new(0), total: total as u64 }
    }

    /// Begins a part of the run.
    fn begin(&self, what: String) {
        *self.what.lock().unwrap_or_else(PoisonError::into_inner) = what;
    }

    fn add(&self, steps: usize) {
        self.done.fetch_add(steps as u64, Ordering::Relaxed);
    }

    fn progress(&self) -> WaitProgress {
        let what = self.what.lock().unwrap_or_else(PoisonError::into_inner).clone();
        WaitProgress { what, amount: Amount::Units("tasks", self.done.load(Ordering::Relaxed), self.total) }
    }
}

/// Steps per part of a run. Each step takes about as long as one fault.
const RANDOM_GAMES: usize = 1;
const KEYS_AFTER: usize = 5;
const ENGINES: usize = 10;
const SPLIT: usize = 5;

fn keyed_schemes() -> impl Iterator<Item = &'static Scheme> {
    PRESETS.iter().filter(|scheme| scheme.number_of_keys() > 0)
}

impl Proofs<'_> {
    /// Reports how the faults of a part of the run were caught. The part has `steps` steps.
    fn add_all<F: Display>(&mut self, results: impl IntoIterator<Item = (F, Result<String, String>)>, steps: usize) {
        results.into_iter().for_each(|(fault, result)| self.add(fault, result));
        self.steps.add(steps);
    }

    /// Reports how a fault was caught.
    fn add(&mut self, fault: impl Display, result: Result<String, String>) {
        let fault = fault.to_string();
        match result {
            Ok(line) => say!("  planted {fault:<44} {line}"),
            Err(error) => {
                self.failures += 1;
                say!("  planted {fault:<44} NOT CAUGHT: {error}");
            }
        }
    }
}

#[derive(Args, Debug)]
pub struct SelftestArgs {
    /// Test only this SIMD level (default: all that this machine has).
    #[arg(long, value_name = "LEVEL")]
    simd: Option<String>,
}

pub fn run(args: &SelftestArgs) -> Result<ExitCode, CommandFailure> {
    let levels = match &args.simd {
        Some(name) => vec![level_named(name)?],
        None => Level::all(),
    };
    let steps = SelftestProgress::new(&levels);
    let failures = with_progress(|| steps.progress(), || prove(&levels, &steps));
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

/// Plants every fault; returns the number of faults that were not caught.
fn prove(levels: &[Level], steps: &SelftestProgress) -> usize {
    let (pools, mut proofs) = (Pools::default(), Proofs { failures: 0, steps });
    for &level in levels {
        say!("level {level}");
        steps.begin(format!("faults at level {level}"));
        kernels(level, &mut proofs);
        for case in cases() {
            proofs.add(case.plant, prove_case(&case, level, &pools));
            steps.add(1);
        }
        for (plant, result) in prove_playouts(level, &pools) {
            proofs.add(format!("{plant} (random games)"), result);
        }
        steps.add(RANDOM_GAMES);
    }
    say!("boards that compute keys after moves, and test move codes");
    steps.begin("faults in boards".into());
    proofs.add_all(planted_board::prove(), KEYS_AFTER);
    say!("engines");
    steps.begin("faults in engines".into());
    proofs.add_all(planted_engine::prove(), ENGINES);
    say!("level {}, split as every run is", Level::detect());
    steps.begin("faults in split trees".into());
    let (row, depth) = small_split_tree();
    proofs.add_all(prove_real_split(&row, depth, Level::detect()), SPLIT);
    proofs.failures
}

/// Damages the data of the batched comparison, scheme by scheme.
fn kernels(level: Level, proofs: &mut Proofs<'_>) {
    say!("  scheme        right boards flipped bits changed squares corrupted rows golden");
    for scheme in keyed_schemes() {
        proofs.steps.add(1);
        match selftest::prove(level, scheme) {
            Ok(proof) => {
                let golden = if proof.indices > 0 { "yes" } else { "-" };
                let (passed, bits, squares, rows) = (proof.passed, proof.bits, proof.squares, proof.rows);
                say!("  {:<13} {passed:>12} {bits:>12} {squares:>15} {rows:>14} {golden:>6}", scheme.name);
            }
            Err(error) => {
                proofs.failures += 1;
                say!("  {:<13} NOT PROVEN: {error}", scheme.name);
            }
        }
    }
}
