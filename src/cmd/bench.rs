//! `perft bench`: benchmarks this machine and saves the results as a record.
//!
//! `perft bench --against` measures two builds in alternation, by starting `perft bench-slices` of each build.

use crate::args::run::{LevelArgs, MAX_THREADS, build, control, now, time};
use crate::args::text::record;
use crate::failure::{Outside, Result, Usage};
use crate::out::console;
use crate::out::file::{self, Output};
use crate::out::progress::{Amount, WaitProgress, seconds, with_progress};
use clap::Args;
use perft_gate_bench::against::{self, AgainstOptions};
use perft_gate_bench::diff::diff;
use perft_gate_bench::{
    self as bench, BenchBudget, BenchError, BenchOptions, BenchProgress, Bound, PeerError, PeerHello, Program,
    RecordSummary, Workload, YARDSTICK, doublings, reference,
};
use perft_gate_machine::Machine;
use perft_gate_machine::record::Record;
use perft_gate_report::bench::SCHEMA;
use perft_gate_report::text::json as json_text;
use std::ffi::OsString;
use std::io::{stdin, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

#[derive(Args, Debug)]
pub struct BenchArgs {
    /// Run for less than half a minute, on one thread and on all. Memory-bound workloads then get too few rounds for a
    /// verdict.
    #[arg(long)]
    quick: bool,
    /// Run these workloads only: bulk, setwise, verify, hashed, unique (default: all). The yardstick always runs too.
    #[arg(long, visible_alias = "only", value_name = "A,B,…", value_delimiter = ',', value_parser = workload)]
    workload: Vec<Workload>,
    /// Compare with another build, alternating: is this one slower or faster? Writes no record.
    #[arg(long, value_name = "BINARY", conflicts_with_all = ["results", "machine", "sustained", "label", "note"])]
    against: Option<PathBuf>,
    /// Save the record as FOLDER/machine/baseline-NAME.json, replacing an older one.
    #[arg(long, value_name = "NAME", value_parser = baseline_name, conflicts_with = "against")]
    save_baseline: Option<String>,
    /// Compare the record with the baseline of this name, as `perft diff` does.
    #[arg(long, value_name = "NAME", value_parser = baseline_name, conflicts_with = "against")]
    baseline: Option<String>,
    /// Thread counts to run with (default: 1, 2, 4, … all; with --against: 1).
    #[arg(long, short = 'j', value_name = "N,M,…", value_delimiter = ',', value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Vec<u16>,
    /// Measure for about this long, but at least one round (default: 4m 30s, most of it for memory-bound workloads;
    /// with --quick 27s; with --against 20s or 75s per workload).
    #[arg(long, value_name = "TIME", value_parser = time)]
    budget: Option<Duration>,
    /// Afterwards, run one workload on all threads for this long and record its rate over time, which shows throttling.
    #[arg(long, value_name = "TIME", value_parser = time)]
    sustained: Option<Duration>,
    /// Seed of the randomised slice order.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Write the record to FOLDER/machine/date-revision.json; `-` for standard output.
    #[arg(long, value_name = "FOLDER|-", default_value = "results")]
    results: PathBuf,
    /// Write rates and scores as JSON (`perft.bench/1`); `-` for standard output.
    #[arg(long, value_name = "FILE|-", conflicts_with = "against")]
    json: Option<PathBuf>,
    /// Name of the machine in that folder (default: the processor and its threads).
    #[arg(long, value_name = "NAME")]
    machine: Option<String>,
    /// Label for the machine and its setup, shown in tables and charts, such as "Ryzen 7 9800X3D, PBO off".
    #[arg(long, value_name = "TEXT", value_parser = |text: &str| one_line(text, MAX_LABEL))]
    label: Option<String>,
    /// Remarks for readers of the record: cooling, memory timings, power limits.
    #[arg(long, value_name = "TEXT", value_parser = |text: &str| one_line(text, MAX_NOTE))]
    note: Option<String>,
    #[command(flatten)]
    level: LevelArgs,
}

const MAX_LABEL: usize = 100;
const MAX_NOTE: usize = 1000;

/// Returns the text without surrounding spaces, if it is a single line of at most `max` characters.
fn one_line(text: &str, max: usize) -> Result<String, String> {
    let text = text.trim();
    match text.chars().count() {
        0 => Err("expected some text".into()),
        found if found > max => Err(format!("found {found} characters, expected at most {max}")),
        _ if text.contains(char::is_control) => Err("found a line break or control character, expected text".into()),
        _ => Ok(text.into()),
    }
}

fn workload(name: &str) -> Result<Workload, String> {
    Workload::of_name(name, format_args!("'{name}'"))
}

/// Checks the name of a baseline, which becomes part of a file name.
fn baseline_name(text: &str) -> Result<String, String> {
    const MAX_NAME: usize = 64;
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    let is_name = (1..=MAX_NAME).contains(&text.len()) && text.chars().all(is_plain);
    if is_name {
        Ok(text.into())
    } else {
        Err(format!("expected at most {MAX_NAME} letters, digits, '-', '_' and '.'"))
    }
}

pub fn run(args: &BenchArgs) -> Result<ExitCode> {
    if let Some(other) = &args.against {
        return compare_builds(args, other);
    }
    let options = args.options()?;
    let control = control()?;
    let started = now();
    let machine = args.machine.clone().unwrap_or_else(|| Machine::detect().hardware.slug());
    let name = format!("{}-{}", &started[.."2026-01-02".len()], build().name());
    let baseline = args.read_baseline(&machine)?;
    // Open the outputs before anything runs, so that no run is wasted on a folder that cannot be written.
    let json = Output::open_if("--json", args.json.as_deref())?;
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
        // A run that is interrupted yields neither a score nor a record.
        if !record.is_empty() {
            say!("{}", perft_gate_report::bench::text(&record, None, console::width()).trim_end());
        }
        note!("stopped: no record was written");
        return Ok(ExitCode::from(130));
    }
    say!("{}", perft_gate_report::bench::text(&record, Some(&reference()), console::width()).trim_end());
    Output::write_if(json.as_ref(), || json_text(SCHEMA, RecordSummary::new(&record, Some(&reference()))))?;
    save(&record, target.ok(), &args.results)?;
    if let Some(baseline) = baseline {
        let compared = diff(&baseline, &record).map_err(|error| Usage(format!("--baseline: {error}")))?;
        say!("\nagainst the baseline '{}'", args.baseline.as_deref().unwrap_or_default());
        say!("{}", perft_gate_report::diff::text(&compared, console::width()).trim_end());
    }
    Ok(ExitCode::SUCCESS)
}

impl BenchArgs {
    fn thread_numbers(&self) -> Vec<usize> {
        let mut asked: Vec<usize> = self.threads.iter().map(|&threads| threads.into()).collect();
        asked.sort_unstable();
        asked.dedup();
        asked
    }

    fn options(&self) -> Result<BenchOptions> {
        let all = std::thread::available_parallelism().map_or(1, Into::into);
        let threads = match (&self.threads[..], self.quick) {
            ([], false) => doublings(all),
            ([], true) if all > 1 => vec![1, all],
            ([], true) => vec![1],
            _ => self.thread_numbers(),
        };
        let asked = if self.workload.is_empty() { &Workload::ALL[..] } else { &self.workload };
        let workloads: Vec<Workload> = Workload::ALL.into_iter().filter(|one| asked.contains(one)).collect();
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

    fn against_options(&self, other: &Path) -> Result<AgainstOptions> {
        let refused = |error: std::io::Error| Usage(format!("--against: this program's own file: {error}"));
        // Both builds get the same arguments; without `--simd` each chooses its best level.
        let mut arguments: Vec<OsString> = vec![SLICES.into()];
        if self.level.simd != "auto" {
            arguments.extend(["--simd".into(), OsString::from(self.level.level()?.to_string())]);
        }
        let program = |path: &Path| Program { path: path.into(), arguments: arguments.clone() };
        let programs = [program(&std::env::current_exe().map_err(refused)?), program(other)];
        let asked = |workload: &Workload| match &self.workload[..] {
            [] => *workload != YARDSTICK,
            asked => asked.contains(workload),
        };
        let workloads: Vec<Workload> = Workload::ALL.into_iter().filter(asked).collect();
        let threads = if self.threads.is_empty() { vec![1] } else { self.thread_numbers() };
        let usual: Duration = workloads.iter().map(|workload| usual_time(workload.bound(), self.quick)).sum();
        let budget = self.budget.unwrap_or(usual * threads.len() as u32);
        Ok(AgainstOptions { programs, workloads, threads, budget, seed: self.seed })
    }

    /// Reads the record saved under the name in `--baseline`. **Errors**: there is no such file, or it is not a record.
    fn read_baseline(&self, machine: &str) -> Result<Option<Record>> {
        let Some(name) = &self.baseline else { return Ok(None) };
        if file::is_standard(&self.results) {
            return Err(Usage("--baseline: found --results on standard output, expected a folder".into()));
        }
        let path = self.results.join(machine).join(baseline_file(name));
        let advice = || format!("--baseline {name}: found no {}; save one with --save-baseline {name}", path.display());
        if path.exists() { record(&path).map(Some) } else { Err(Usage(advice())) }
    }

    /// Opens the file for the record: a new file, or that of `--save-baseline`. **Errors**: the file cannot be written.
    fn target(&self, record_name: &str, machine: &str) -> Result<Target> {
        if file::is_standard(&self.results) {
            return Ok(Target { output: Output::open("--results", &self.results)?, created: Vec::new() });
        }
        let folder = self.results.join(machine);
        let refused = |error: std::io::Error| Usage(format!("--results {}: {error}", folder.display()));
        let created = folder.ancestors().take_while(|folder| !folder.exists()).map(PathBuf::from).collect();
        std::fs::create_dir_all(&folder).map_err(refused)?;
        let numbered = |number| match number {
            1 => folder.join(format!("{record_name}.json")),
            number => folder.join(format!("{record_name}-{number}.json")),
        };
        let path = match &self.save_baseline {
            Some(name) => folder.join(baseline_file(name)),
            None => (1..).map(numbered).find(|path| !path.exists()).expect("a free name"),
        };
        Ok(Target { output: Output::open("--results", &path)?, created })
    }
}

fn describe(options: &BenchOptions) -> String {
    let names: Vec<&str> = options.workloads.iter().map(|workload| workload.name()).collect();
    let threads: Vec<String> = options.threads.iter().map(usize::to_string).collect();
    let noun = if options.threads == [1] { "thread" } else { "threads" };
    format!("{} on {} {noun}", names.join(", "), threads.join(", "))
}

/// Runs `work`. Meanwhile, shows the current measurement and how much of the total time has passed.
fn with_time<T>(progress: &BenchProgress, total: Duration, work: impl FnOnce() -> T) -> T {
    let begun = Instant::now();
    let shown = || WaitProgress { what: progress.current(), amount: Amount::Time(begun.elapsed().min(total), total) };
    with_progress(shown, work)
}

/// Reports why a run has no result, and returns its exit code or an error.
fn end(error: BenchError) -> Result<ExitCode> {
    match error {
        BenchError::Wrong { .. } => {
            say!("WRONG {error}");
            Ok(ExitCode::from(1))
        }
        BenchError::Peer(PeerError::Stopped) => {
            note!("stopped before the first round: nothing was compared");
            Ok(ExitCode::from(130))
        }
        BenchError::Peer(PeerError::Failed(_)) => Err(Outside(format!("--against {error}"))),
        BenchError::Peer(_) => Err(Usage(format!("--against {error}"))),
        BenchError::System(_) => Err(error.into()),
    }
}

struct Target {
    output: Output,
    /// Folders created for the record, the innermost first. They are removed if they stay empty.
    created: Vec<PathBuf>,
}

impl Drop for Target {
    fn drop(&mut self) {
        for folder in &self.created {
            // Only an empty folder can be removed.
            let _ = std::fs::remove_dir(folder);
        }
    }
}

/// Writes the record to its file, or prints it if that is not possible.
fn save(record: &Record, target: Option<Target>, results: &Path) -> Result<()> {
    let text = record.text();
    let Some(Target { output, .. }) = &target else {
        say!("{}", text.trim_end());
        return Ok(());
    };
    if let Err(failure) = output.write(text.as_bytes()) {
        say!("{}", text.trim_end());
        return Err(failure);
    }
    say!("record: {}", output.place_name());
    if output.is_file() {
        note!("next step: perft report {} -o report.html", results.display());
    }
    Ok(())
}

fn baseline_file(name: &str) -> String {
    format!("baseline-{name}.json")
}

/// Name of the command that `--against` starts in each build to run slices of a workload.
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

/// Runs slices of a workload as requested on standard input.
pub fn run_slices(args: &SlicesArgs) -> Result<ExitCode> {
    let level = args.level.level()?;
    let hello = PeerHello::new(&build(), level);
    let served = bench::serve(args.workload, args.threads.into(), level, &hello, stdin().lock(), stdout().lock());
    served.map_err(|error| Outside(error.to_string()))?;
    Ok(ExitCode::SUCCESS)
}

/// Default time per workload and thread count.
const fn usual_time(bound: Bound, quick: bool) -> Duration {
    Duration::from_secs(match (bound, quick) {
        (Bound::Core, false) => 20,
        (Bound::Core, true) => 4,
        (Bound::Memory, false) => 75,
        (Bound::Memory, true) => 8,
    })
}

fn compare_builds(args: &BenchArgs, other: &Path) -> Result<ExitCode> {
    let options = args.against_options(other)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_baseline_s_name_stays_in_its_folder() {
        assert_eq!(baseline_name("v1.2_main-3"), Ok("v1.2_main-3".into()));
        assert!(["", "a/b", "a b", "..\\x", "ä"].iter().all(|text| baseline_name(text).is_err()));
    }

    #[test]
    fn a_label_is_one_line_of_text() {
        let label = |text: &str| one_line(text, MAX_LABEL);
        assert_eq!(label(" Ryzen 7, PBO off "), Ok("Ryzen 7, PBO off".into()));
        assert_eq!(label(&"ä".repeat(MAX_LABEL)).map(|label| label.chars().count()), Ok(MAX_LABEL));
        assert!(label(&"ä".repeat(MAX_LABEL + 1)).is_err_and(|error| error.starts_with("found 101 characters")));
        assert!([" ", "a\nb", "a\u{1b}[31mb"].iter().all(|text| label(text).is_err()));
    }
}
