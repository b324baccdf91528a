//! Arguments of `perft bench`.

use crate::args::run::{LevelArgs, time};
use clap::Args;
use perft_gate_bench::Workload;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args, Debug)]
pub struct BenchArgs {
    /// Run for less than half a minute, on one thread and on all. Memory-bound workloads then get too few rounds for a
    /// verdict.
    #[arg(long)]
    pub quick: bool,
    /// Run these workloads only: bulk, setwise, verify, hashed, unique (default: all). The yardstick always runs too.
    #[arg(long, visible_alias = "only", value_name = "A,B,…", value_delimiter = ',', value_parser = workload)]
    pub workload: Vec<Workload>,
    /// Compare with another build, alternating: is this one slower or faster? Writes no record.
    #[arg(long, value_name = "BINARY", conflicts_with_all = ["results", "machine", "sustained", "label", "note"])]
    pub against: Option<PathBuf>,
    /// Save the record as FOLDER/machine/baseline-NAME.json, replacing an older one.
    #[arg(long, value_name = "NAME", value_parser = baseline_name, conflicts_with = "against")]
    pub save_baseline: Option<String>,
    /// Compare the record with the baseline of this name, as `perft diff` does.
    #[arg(long, value_name = "NAME", value_parser = baseline_name, conflicts_with = "against")]
    pub baseline: Option<String>,
    /// Thread counts to run with (default: 1, 2, 4, … all; with --against: 1).
    #[arg(long, short = 'j', value_name = "N,M,…", value_delimiter = ',', value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub threads: Vec<u16>,
    /// Measure for about this long, but at least one round (default: 4m 30s, most of it for memory-bound workloads;
    /// with --quick 27s; with --against 20s or 75s per workload).
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub budget: Option<Duration>,
    /// Afterwards, run one workload on all threads for this long and record its rate over time, which shows throttling.
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub sustained: Option<Duration>,
    /// Seed of the randomised slice order.
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Write the record to FOLDER/machine/date-revision.json; `-` for standard output.
    #[arg(long, value_name = "FOLDER|-", default_value = "results")]
    pub results: PathBuf,
    /// Write rates and scores as JSON (`perft.bench/1`); `-` for standard output.
    #[arg(long, value_name = "FILE|-", conflicts_with = "against")]
    pub json: Option<PathBuf>,
    /// Name of the machine in that folder (default: the processor and its threads).
    #[arg(long, value_name = "NAME")]
    pub machine: Option<String>,
    /// Name of the machine and its setup for tables and charts, such as "Ryzen 7 9800X3D, PBO off".
    #[arg(long, value_name = "TEXT", value_parser = |text: &str| one_line(text, MAX_LABEL))]
    pub label: Option<String>,
    /// Remarks for readers of the record: cooling, memory timings, power limits.
    #[arg(long, value_name = "TEXT", value_parser = |text: &str| one_line(text, MAX_NOTE))]
    pub note: Option<String>,
    #[command(flatten)]
    pub level: LevelArgs,
}

/// Maximum number of characters of a label.
const MAX_LABEL: usize = 100;
/// Maximum number of characters of a note.
const MAX_NOTE: usize = 1000;

/// Returns trimmed text, if it is one line of at most `max` characters.
fn one_line(text: &str, max: usize) -> Result<String, String> {
    let text = text.trim();
    match text.chars().count() {
        0 => Err("expected some text".into()),
        found if found > max => Err(format!("found {found} characters, expected at most {max}")),
        _ if text.contains(char::is_control) => Err("found a line break or control character, expected text".into()),
        _ => Ok(text.into()),
    }
}

pub fn workload(name: &str) -> Result<Workload, String> {
    Workload::of_name(name, format_args!("'{name}'"))
}

/// Returns the name of a baseline, which becomes a part of a file name.
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
    /// Returns the requested numbers of threads, ascending.
    pub fn thread_numbers(&self) -> Vec<usize> {
        let mut asked: Vec<usize> = self.threads.iter().map(|&threads| threads.into()).collect();
        asked.sort_unstable();
        asked.dedup();
        asked
    }
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
