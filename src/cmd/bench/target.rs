//! Place of the record in the folder of results: a new file, or that of a baseline.

use super::args::BenchArgs;
use crate::args::record::read;
use crate::failure::{CommandFailure, Usage};
use crate::out::file::{self, Output};
use perft_gate_machine::record::Record;
use std::path::PathBuf;

/// Target of the record.
pub struct Target {
    output: Output,
    /// Folders created for it, the innermost first; they are removed if they stay empty.
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

impl BenchArgs {
    /// Reads the record that was kept under the name of `--baseline`. **Errors**: there is none, or it is no record.
    pub fn read_baseline(&self, machine: &str) -> Result<Option<Record>, CommandFailure> {
        let Some(name) = &self.baseline else { return Ok(None) };
        if file::is_standard(&self.results) {
            return Err(Usage("--baseline: found --results on standard output, expected a folder".into()));
        }
        let path = self.results.join(machine).join(baseline_file(name));
        let advice = || format!("--baseline {name}: found no {}, keep one with --save-baseline {name}", path.display());
        if path.exists() { read(&path).map(Some) } else { Err(Usage(advice())) }
    }

    /// Returns the record's file: a new one, or that of the baseline. **Errors**: it cannot be written.
    pub fn target(&self, record_name: &str, machine: &str) -> Result<Target, CommandFailure> {
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

/// Writes the record, or prints it.
pub fn save(record: &Record, target: Option<Target>) -> Result<(), CommandFailure> {
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

fn baseline_file(name: &str) -> String {
    format!("baseline-{name}.json")
}
