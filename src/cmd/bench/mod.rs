//! `perft bench`.

mod against;

pub use against::{SlicesArgs, slices};

use crate::args::record::read;
use crate::args::run::{LevelArgs, control, now, time};
use crate::build_info::build;
use crate::failure::{Failure, Usage};
use crate::out::file::{self, Output};
use crate::out::progress::{Amount, Progress, seconds, with_progress};
use clap::Args;
use perft_gate_lab::bench::diff::diff;
use perft_gate_lab::bench::{
    self, BenchBudget, BenchError, BenchOptions, WORKLOADS, Workload, doublings, one_of_each_kind, reference,
};
use perft_gate_lab::record::Record;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

#[derive(Args, Debug)]
pub struct BenchArgs {
    /// Run for less than half a minute, on one thread and on all; memory-bound workloads then get too few rounds for
    /// verdicts.
    #[arg(long)]
    pub quick: bool,
    /// Run these workloads only: bulk, setwise, verify, hashed, unique (default: all). The yardstick always runs too.
    #[arg(long, visible_alias = "only", value_name = "A,B,…", value_delimiter = ',', value_parser = workload)]
    pub workload: Vec<Workload>,
    /// Compare with another build, by turns: this one is slower, faster, or no difference is seen. Nothing is recorded.
    #[arg(long, value_name = "BINARY", conflicts_with_all = ["results", "machine", "sustained", "label", "note"])]
    against: Option<PathBuf>,
    /// Keep the record as FOLDER/machine/baseline-NAME.json, in the place of an older one.
    #[arg(long, value_name = "NAME", value_parser = baseline_name, conflicts_with = "against")]
    save_baseline: Option<String>,
    /// Compare the record with the one that was kept under this name, as `perft diff` does.
    #[arg(long, value_name = "NAME", value_parser = baseline_name, conflicts_with = "against")]
    baseline: Option<String>,
    /// Numbers of threads to run on (default: 1, 2, 4, … all; with --against: 1).
    #[arg(long, value_name = "N,M,…", value_delimiter = ',', value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub threads: Vec<u16>,
    /// Measure for this long (default: 4m 30s, most of it for memory-bound workloads; with --quick 27s; with --against 20s or
    /// 75s a workload).
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub budget: Option<Duration>,
    /// After everything else, run one workload on all threads for this long and keep its rate over time: what heat leaves.
    #[arg(long, value_name = "TIME", value_parser = time)]
    sustained: Option<Duration>,
    /// Seed of the randomised slice order.
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Write the record to FOLDER/machine/date-revision.json; `-` for standard output.
    #[arg(long, value_name = "FOLDER|-", default_value = "results")]
    results: PathBuf,
    /// Name of the machine in that folder (default: the processor and its threads).
    #[arg(long, value_name = "NAME")]
    machine: Option<String>,
    /// Name of the machine as it is set up, for tables and charts: "Ryzen 7 9800X3D, PBO off".
    #[arg(long, value_name = "TEXT", value_parser = label)]
    label: Option<String>,
    /// Further words for those who read the record: cooling, memory timings, power limits.
    #[arg(long, value_name = "TEXT", value_parser = note_text)]
    note: Option<String>,
    #[command(flatten)]
    pub level: LevelArgs,
}

fn label(text: &str) -> Result<String, String> {
    words(text, MAX_LABEL)
}

fn note_text(text: &str) -> Result<String, String> {
    words(text, MAX_NOTE)
}

/// Maximum number of characters of a label.
const MAX_LABEL: usize = 100;
/// Maximum number of characters of a note.
const MAX_NOTE: usize = 1000;

/// Returns text without spaces around it, if it is one line of at most so many characters.
fn words(text: &str, max: usize) -> Result<String, String> {
    let text = text.trim();
    match text.chars().count() {
        0 => Err("expected some text".into()),
        found if found > max => Err(format!("found {found} characters, expected at most {max}")),
        _ if text.contains(char::is_control) => Err("found a line break or control character, expected text".into()),
        _ => Ok(text.into()),
    }
}

pub fn workload(name: &str) -> Result<Workload, String> {
    let known = || WORKLOADS.map(Workload::name).join(", ");
    Workload::from_name(name).ok_or_else(|| format!("found '{name}', expected one of {}", known()))
}

/// Returns the name of a baseline, which is a part of a file's name.
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

impl BenchArgs {
    /// Returns the numbers of threads that were asked for, ascending.
    pub fn thread_numbers(&self) -> Vec<usize> {
        let mut asked: Vec<usize> = self.threads.iter().map(|&threads| threads.into()).collect();
        asked.sort_unstable();
        asked.dedup();
        asked
    }

    fn options(&self) -> Result<BenchOptions, Failure> {
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
            kinds: one_of_each_kind(),
            level: self.level.level()?,
            quick: self.quick,
            budget: self.budget.map_or(usual, |total| usual.scaled_to(total)),
            sustained: self.sustained,
            seed: self.seed,
            label: self.label.clone(),
            note: self.note.clone(),
        })
    }

    /// Returns the record that was kept under the name of `--baseline`. **Errors**: there is none, or it is no record.
    fn kept(&self, machine: &str) -> Result<Option<Record>, Failure> {
        let Some(name) = &self.baseline else { return Ok(None) };
        if file::is_standard(&self.results) {
            return Err(Usage("--baseline: found --results on standard output, expected a folder".into()));
        }
        let path = self.results.join(machine).join(baseline_file(name));
        let advice = || format!("--baseline {name}: found no {}, keep one with --save-baseline {name}", path.display());
        if path.exists() { read(&path).map(Some) } else { Err(Usage(advice())) }
    }

    /// Returns the record's file: a new one, or that of the baseline. **Errors**: it cannot be written.
    fn target(&self, record_name: &str, machine: &str) -> Result<Target, Failure> {
        if file::is_standard(&self.results) {
            return Ok(Target { output: Output::open("--results", &self.results)?, made: Vec::new() });
        }
        let folder = self.results.join(machine);
        let refused = |error: std::io::Error| Usage(format!("--results {}: {error}", folder.display()));
        let made = folder.ancestors().take_while(|folder| !folder.exists()).map(PathBuf::from).collect();
        std::fs::create_dir_all(&folder).map_err(refused)?;
        let numbered = |number| match number {
            1 => folder.join(format!("{record_name}.json")),
            number => folder.join(format!("{record_name}-{number}.json")),
        };
        let path = match &self.save_baseline {
            Some(name) => folder.join(baseline_file(name)),
            None => (1..).map(numbered).find(|path| !path.exists()).expect("a free name"),
        };
        Ok(Target { output: Output::open("--results", &path)?, made })
    }
}

fn baseline_file(name: &str) -> String {
    format!("baseline-{name}.json")
}

/// Target of the record.
struct Target {
    output: Output,
    /// Folders made for it, the innermost first; they are removed if they stay empty.
    made: Vec<PathBuf>,
}

impl Drop for Target {
    fn drop(&mut self) {
        for folder in &self.made {
            // Only an empty folder can be removed.
            let _ = std::fs::remove_dir(folder);
        }
    }
}

pub fn run(args: &BenchArgs) -> Result<ExitCode, Failure> {
    if let Some(other) = &args.against {
        return against::run(args, other);
    }
    let options = args.options()?;
    let control = control()?;
    let started = now();
    let machine = args.machine.clone().unwrap_or_else(|| perft_gate_machine::Machine::this().hardware.slug());
    let name = format!("{}-{}", &started[.."2026-01-02".len()], build().name());
    let kept = args.kept(&machine)?;
    // Checked before anything runs: a run is not lost because its folder cannot be written.
    let target = args.target(&name, &machine);
    if let Err(refused) = &target {
        note!("{refused}: the record will be printed instead");
    }
    let progress = bench::BenchProgress::of(options.total());
    note!("measuring for {}: {}", seconds(options.total()), describe(&options));
    let shown = || {
        let bench::BenchStatus { what, done, total } = progress.status();
        Progress { what, amount: Amount::Time(done, total) }
    };
    let measured = with_progress(shown, || bench::run(&options, build(), started, &control.stop, &progress));
    let record = match measured {
        Ok(record) => record,
        Err(wrong @ BenchError::Wrong { .. }) => {
            say!("WRONG {wrong}");
            return Ok(ExitCode::from(1));
        }
        Err(short @ BenchError::TooShort { .. }) => return Err(Usage(format!("--budget: {short}"))),
        Err(error) => return Err(error.into()),
    };
    if record.settings.interrupted {
        // A part of the work gives no score and no record.
        if !record.is_empty() {
            say!("{}", perft_gate_report::bench::text::text(&record, None).trim_end());
        }
        note!("stopped: no record was written");
        return Ok(ExitCode::from(130));
    }
    say!("{}", perft_gate_report::bench::text::text(&record, Some(&reference())).trim_end());
    save(&record, target.ok())?;
    if let Some(kept) = kept {
        let compared = diff(&kept, &record).map_err(|error| Usage(format!("--baseline: {error}")))?;
        say!("\nagainst the baseline '{}'", args.baseline.as_deref().unwrap_or_default());
        say!("{}", perft_gate_report::diff::text::text(&compared).trim_end());
    }
    Ok(ExitCode::SUCCESS)
}

/// Describes what is measured.
fn describe(options: &BenchOptions) -> String {
    let names: Vec<&str> = options.workloads.iter().map(|workload| workload.name()).collect();
    let threads: Vec<String> = options.threads.iter().map(usize::to_string).collect();
    let noun = if options.threads == [1] { "thread" } else { "threads" };
    format!("{} on {} {noun}", names.join(", "), threads.join(", "))
}

/// Writes the record, or prints it.
fn save(record: &Record, target: Option<Target>) -> Result<(), Failure> {
    let text = record.text();
    let Some(Target { output, .. }) = &target else {
        say!("{}", text.trim_end());
        return Ok(());
    };
    if let Err(failure) = output.write(text.as_bytes()) {
        say!("{}", text.trim_end());
        return Err(failure);
    }
    say!("record: {}", output.shown());
    Ok(())
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
        assert_eq!(label(" Ryzen 7, PBO off "), Ok("Ryzen 7, PBO off".into()));
        assert_eq!(label(&"ä".repeat(MAX_LABEL)).map(|label| label.chars().count()), Ok(MAX_LABEL));
        assert!(label(&"ä".repeat(MAX_LABEL + 1)).is_err_and(|error| error.starts_with("found 101 characters")));
        assert!([" ", "a\nb", "a\u{1b}[31mb"].iter().all(|text| label(text).is_err()));
    }
}
