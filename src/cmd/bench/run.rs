//! `perft bench`: measure this machine, and keep the record.

use super::against;
use super::args::BenchArgs;
use super::target::save;
use super::timed::{end, with_time};
use crate::args::run::{control, now};
use crate::build_info::build;
use crate::failure::{CommandFailure, Usage};
use crate::out::console;
use crate::out::progress::seconds;
use perft_gate_bench::diff::diff;
use perft_gate_bench::{
    self as bench, BenchBudget, BenchOptions, BenchProgress, WORKLOADS, Workload, doublings, reference,
};
use perft_gate_machine::Machine;
use std::process::ExitCode;

/// Measures this machine, or compares this build with another.
pub fn run(args: &BenchArgs) -> Result<ExitCode, CommandFailure> {
    if let Some(other) = &args.against {
        return against::run(args, other);
    }
    let options = args.options()?;
    let control = control()?;
    let started = now();
    let machine = args.machine.clone().unwrap_or_else(|| Machine::this().hardware.slug());
    let name = format!("{}-{}", &started[.."2026-01-02".len()], build().name());
    let baseline = args.read_baseline(&machine)?;
    // Checked before anything runs: a run is not lost because its folder cannot be written.
    let target = args.target(&name, &machine);
    if let Err(refused) = &target {
        note!("{refused}: the record will be printed instead");
    }
    note!("measuring for {}: {}", seconds(options.total()), describe(&options));
    let progress = BenchProgress::default();
    let measure = || bench::run(&options, build(), started, &control.stop, &progress);
    let record = match with_time(&progress, options.total(), measure) {
        Ok(record) => record,
        Err(error) => return end(error),
    };
    if record.settings.interrupted {
        // A part of the work gives no score and no record.
        if !record.is_empty() {
            say!("{}", perft_gate_report::bench::text(&record, None, console::width()).trim_end());
        }
        note!("stopped: no record was written");
        return Ok(ExitCode::from(130));
    }
    say!("{}", perft_gate_report::bench::text(&record, Some(&reference()), console::width()).trim_end());
    save(&record, target.ok())?;
    if let Some(baseline) = baseline {
        let compared = diff(&baseline, &record).map_err(|error| Usage(format!("--baseline: {error}")))?;
        say!("\nagainst the baseline '{}'", args.baseline.as_deref().unwrap_or_default());
        say!("{}", perft_gate_report::diff::text(&compared, console::width()).trim_end());
    }
    Ok(ExitCode::SUCCESS)
}

impl BenchArgs {
    fn options(&self) -> Result<BenchOptions, CommandFailure> {
        let all = std::thread::available_parallelism().map_or(1, Into::into);
        let threads = match (&self.threads[..], self.quick) {
            ([], false) => doublings(all),
            ([], true) if all > 1 => vec![1, all],
            ([], true) => vec![1],
            _ => self.thread_numbers(),
        };
        let asked = if self.workload.is_empty() { &WORKLOADS[..] } else { &self.workload };
        let workloads: Vec<Workload> = WORKLOADS.into_iter().filter(|one| asked.contains(one)).collect();
        let usual = if self.quick { BenchBudget::QUICK } else { BenchBudget::FULL }.without_parts_beside(&workloads);
        Ok(BenchOptions {
            workloads,
            threads,
            level: self.level.level()?,
            quick: self.quick,
            budget: self.budget.map_or(usual, |total| usual.scaled_to(total)),
            sustained: self.sustained,
            seed: self.seed,
            label: self.label.clone(),
            note: self.note.clone(),
        })
    }
}

/// Describes what is measured.
fn describe(options: &BenchOptions) -> String {
    let names: Vec<&str> = options.workloads.iter().map(|workload| workload.name()).collect();
    let threads: Vec<String> = options.threads.iter().map(usize::to_string).collect();
    let noun = if options.threads == [1] { "thread" } else { "threads" };
    format!("{} on {} {noun}", names.join(", "), threads.join(", "))
}
