//! `perft selftest`: prove that the checks can fail, on this machine.

use crate::args::run::level_named;
use crate::failure::Failure;
use crate::planted_engine;
use clap::Args;
use perft_gate_judge::faults::{Pools, cases, prove_case, prove_playouts, prove_real_split, small_split_tree};
use perft_gate_judge::selftest;
use perft_gate_simd::Level;
use perft_gate_walk::zobrist::PRESETS;
use std::fmt::Display;
use std::process::ExitCode;

/// Number of faults that were not caught.
#[derive(Default)]
struct Proofs {
    failures: usize,
}

impl Proofs {
    /// Reports what caught a fault.
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
    /// The one SIMD level to prove (default: all that this machine has).
    #[arg(long, value_name = "LEVEL")]
    simd: Option<String>,
}

pub fn run(args: &SelftestArgs) -> Result<ExitCode, Failure> {
    let levels = match &args.simd {
        Some(name) => vec![level_named(name)?],
        None => Level::all(),
    };
    let (pools, mut proofs) = (Pools::new(), Proofs::default());
    for &level in &levels {
        say!("level {level}");
        kernels(level, &mut proofs);
        for case in cases() {
            proofs.add(case.plant, prove_case(&case, level, &pools));
        }
        for (plant, result) in prove_playouts(level, &pools) {
            proofs.add(format!("{plant} (random games)"), result);
        }
    }
    say!("engines");
    for (fault, result) in planted_engine::prove() {
        proofs.add(fault, result);
    }
    say!("level {}, split as every run is", Level::detect());
    let (row, depth) = small_split_tree();
    for (plant, result) in prove_real_split(&row, depth, Level::detect()) {
        proofs.add(plant, result);
    }
    let proven: Vec<String> = levels.iter().map(Level::to_string).collect();
    let missing: Vec<&str> =
        Level::NAMES.into_iter().filter(|name| *name != "auto" && Level::named(name).is_none()).collect();
    if !missing.is_empty() {
        say!("not proven, because this machine cannot run them: {}", missing.join(", "));
    }
    match proofs.failures {
        0 => say!("proven: {}", proven.join(", ")),
        failures => say!("{failures} faults were not caught: do not trust this build on this machine"),
    }
    Ok(if proofs.failures == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Damages the data of the batched comparison, scheme by scheme.
fn kernels(level: Level, proofs: &mut Proofs) {
    say!(
        "  {:<13} {:>12} {:>13} {:>15} {:>14} {:>7}",
        "scheme",
        "right boards",
        "flipped bits",
        "changed squares",
        "corrupted rows",
        "golden"
    );
    for scheme in PRESETS.iter().filter(|scheme| scheme.number_of_keys() > 0) {
        match selftest::prove(level, scheme) {
            Ok(proof) => {
                let golden = if proof.indices > 0 { "yes" } else { "-" };
                let (passed, bits, squares, rows) = (proof.passed, proof.bits, proof.squares, proof.rows);
                say!("  {:<13} {passed:>12} {bits:>13} {squares:>15} {rows:>14} {golden:>7}", scheme.name);
            }
            Err(error) => {
                proofs.failures += 1;
                say!("  {:<13} NOT PROVEN: {error}", scheme.name);
            }
        }
    }
}
