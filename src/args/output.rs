//! Outputs of a verdict: `--json`, `--junit`, `--github`.

use crate::failure::CommandFailure;
use crate::out::file::{Output, append_summary};
use clap::Args;
use std::path::PathBuf;

/// Arguments for the outputs of a verdict.
#[derive(Args, Debug)]
pub struct OutputArgs {
    /// Write the verdict as JSON; `-` for standard output, the table then goes to standard error.
    #[arg(long, value_name = "FILE|-")]
    json: Option<PathBuf>,
    /// Write the verdict as JUnit XML; `-` likewise.
    #[arg(long, value_name = "FILE|-")]
    junit: Option<PathBuf>,
    /// Print `::error` lines, and append a summary to $GITHUB_STEP_SUMMARY.
    #[arg(long)]
    pub github: bool,
}

impl OutputArgs {
    /// Opens the files that are asked for, each with the function that writes its document.
    pub fn open<D>(&self, json: D, junit: D) -> Result<Vec<(Output, D)>, CommandFailure> {
        let mut files = Vec::new();
        for (option, path, document) in [("--json", &self.json, json), ("--junit", &self.junit, junit)] {
            files.extend(Output::open_if(option, path.as_deref())?.map(|output| (output, document)));
        }
        Ok(files)
    }

    /// Opens the file of `--json` alone, if it is asked for.
    pub fn open_json(&self) -> Result<Option<Output>, CommandFailure> {
        Output::open_if("--json", self.json.as_deref())
    }

    /// Appends the summary for GitHub, if it is asked for.
    pub fn summarize(&self, markdown: impl FnOnce() -> String) -> Result<(), CommandFailure> {
        if self.github { append_summary(&markdown()) } else { Ok(()) }
    }
}
