//! `perft bench --against` measures two builds alternately; `perft bench-slices` is what it starts in each of them.

use super::args::{BenchArgs, workload};
use super::timed::{end, with_time};
use crate::args::run::{LevelArgs, MAX_THREADS, control};
use crate::build_info::build;
use crate::failure::{CommandFailure, Outside, Usage};
use crate::out::progress::seconds;
use clap::Args;
use perft_gate_bench::against::{self, AgainstOptions};
use perft_gate_bench::{self as bench, Bound, PeerError, PeerHello, Program, Workload, YARDSTICK};
use std::ffi::OsString;
use std::io::{stdin, stdout};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

/// Name of the command that a build is asked with.
pub const SLICES: &str = "bench-slices";

#[derive(Args, Debug)]
pub struct SlicesArgs {
    /// The workload.
    #[arg(value_parser = workload)]
    workload: Workload,
    /// Number of threads.
    #[arg(value_parser = clap::value_parser!(u16).range(1..=i64::from(MAX_THREADS)))]
    threads: u16,
    #[command(flatten)]
    level: LevelArgs,
}

/// Runs slices of a workload as standard input asks for them.
pub fn run_slices(args: &SlicesArgs) -> Result<ExitCode, CommandFailure> {
    let level = args.level.level()?;
    let hello = PeerHello::of(&build(), level);
    let served = bench::serve(args.workload, args.threads.into(), level, &hello, stdin().lock(), stdout().lock());
    served.map_err(|error| Outside(error.to_string()))?;
    Ok(ExitCode::SUCCESS)
}

/// Time for a workload on a number of threads, if none is given.
const fn usual_time(bound: Bound, quick: bool) -> Duration {
    Duration::from_secs(match (bound, quick) {
        (Bound::Core, false) => 20,
        (Bound::Core, true) => 4,
        (Bound::Memory, false) => 75,
        (Bound::Memory, true) => 8,
    })
}

fn options(args: &BenchArgs, other: &Path) -> Result<AgainstOptions, CommandFailure> {
    let refused = |error: std::io::Error| Usage(format!("--against: this program's own file: {error}"));
    // Both get the same words; without `--simd` each chooses its best level.
    let mut arguments: Vec<OsString> = vec![SLICES.into()];
    if args.level.simd != "auto" {
        arguments.extend(["--simd".into(), OsString::from(args.level.level()?.to_string())]);
    }
    let program = |path: &Path| Program { path: path.into(), arguments: arguments.clone() };
    let programs = [program(&std::env::current_exe().map_err(refused)?), program(other)];
    let asked = |workload: &Workload| match &args.workload[..] {
        [] => *workload != YARDSTICK,
        asked => asked.contains(workload),
    };
    let workloads: Vec<Workload> = bench::WORKLOADS.into_iter().filter(asked).collect();
    let threads = if args.threads.is_empty() { vec![1] } else { args.thread_numbers() };
    let usual: Duration = workloads.iter().map(|workload| usual_time(workload.bound(), args.quick)).sum();
    let budget = args.budget.unwrap_or(usual * threads.len() as u32);
    Ok(AgainstOptions { programs, workloads, threads, budget, seed: args.seed })
}

/// Compares this build with another.
pub fn run(args: &BenchArgs, other: &Path) -> Result<ExitCode, CommandFailure> {
    let options = options(args, other)?;
    let control = control()?;
    let names: Vec<&str> = options.workloads.iter().map(|workload| workload.name()).collect();
    note!("comparing two builds for {}: {}", seconds(options.budget), names.join(", "));
    let progress = bench::BenchProgress::default();
    let compare = || against::run(&options, &control.stop, &progress);
    let compared = match with_time(&progress, options.budget, compare) {
        Ok(compared) if compared.rows.is_empty() => return end(PeerError::Stopped.into()),
        Ok(compared) => compared,
        Err(error) => return end(error),
    };
    say!("{}", perft_gate_report::bench::comparison(&compared, &other.display().to_string()).trim_end());
    Ok(ExitCode::from(if compared.interrupted { 130 } else { 0 }))
}
