//! Saves the rows that passed in a [`RunJournal`], so that a resumed run does not judge them again.
//!
//! Only passes are kept. A row that failed is judged and reported again.

use crate::args::run::build;
use crate::args::suite::SuitePositions;
use crate::failure::Result;
use crate::out::journal::RunJournal;
use perft_gate_report::tasks::ranges;
use perft_gate_suite::Row;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

const SCHEMA: &str = "perft.passed-rows/1";
/// Minimum time between two writes of the journal.
const EVERY: Duration = Duration::from_secs(5);

/// The finished part of a run, as saved in the journal.
#[derive(Serialize, Deserialize, Default)]
struct PassedRanges {
    /// First and last row of each range of rows that passed, numbered from 0.
    passed: Vec<[usize; 2]>,
}

/// Returns this program's revision and checksum. The checksum is needed because different builds of a modified checkout
/// report the same revision.
fn program() -> String {
    let checksum = std::env::current_exe().and_then(|path| checksum(&path)).unwrap_or_default();
    format!("{}, crc32 {checksum:08x}", build().name())
}

/// Returns the CRC-32 of a file. Reads it in pieces, because the pages of one large buffer take longer than the rest.
pub fn checksum(path: &Path) -> std::io::Result<u32> {
    let (mut file, mut hasher, mut buffer) = (File::open(path)?, crc32fast::Hasher::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hasher.finalize()),
            read => hasher.update(&buffer[..read]),
        }
    }
}

pub struct PassedRows {
    /// For each row, true if it passed.
    passed: Vec<bool>,
    /// Number of rows that the file listed as passed when it was opened.
    pub before: usize,
    journal: Option<RunJournal>,
    written: Instant,
    /// Index from which to search for the next row to judge.
    next: usize,
}

impl PassedRows {
    /// Resumes from the file of an earlier run, if there is one. Without a path, nothing is saved. `options` returns
    /// everything that decides whether a row passes.
    ///
    /// **Errors**: the file belongs to another run, is damaged or in use, or cannot be written.
    pub fn open(
        path: Option<&Path>,
        positions: &SuitePositions,
        options: impl FnOnce() -> String,
    ) -> Result<PassedRows> {
        let mut passed = vec![false; positions.number];
        let mut journal = None;
        if let Some(path) = path {
            let (program, list, options) = (program(), positions.identity(), options());
            // This header makes the journal reject the file of any other run.
            let header = json!({ "schema": SCHEMA, "program": program, "list": list, "options": options });
            let (opened, state) = RunJournal::open::<PassedRanges>("--checkpoint", path, &header)?;
            for [first, last] in state.unwrap_or_default().passed {
                passed.iter_mut().take(last.saturating_add(1)).skip(first).for_each(|row| *row = true);
            }
            journal = Some(opened);
        }
        let before = passed.iter().filter(|row| **row).count();
        let mut rows = PassedRows { passed, before, journal, written: Instant::now(), next: 0 };
        rows.write()?;
        if let Some(path) = path.filter(|_| before > 0) {
            note!("{}: resuming, {before} rows passed before", path.display());
        }
        Ok(rows)
    }

    pub fn remaining<'p>(&self, positions: &'p SuitePositions) -> impl Iterator<Item = Row> + Send + use<'p> {
        let passed = self.passed.clone();
        positions.iter().zip(passed).filter(|(_, passed)| !passed).map(|(row, _)| row)
    }

    /// Records whether the next row to judge has passed. **Errors**: the file cannot be written.
    pub fn add(&mut self, has_passed: bool) -> Result<()> {
        if self.journal.is_none() {
            return Ok(());
        }
        while self.passed.get(self.next) == Some(&true) {
            self.next += 1;
        }
        self.passed[self.next] = has_passed;
        self.next += 1;
        if self.written.elapsed() >= EVERY { self.write() } else { Ok(()) }
    }

    /// Writes the rows that passed, and unlocks the file.
    pub fn close(&mut self) -> Result<()> {
        self.write()?;
        self.journal.iter_mut().for_each(RunJournal::close);
        Ok(())
    }

    fn write(&mut self) -> Result<()> {
        let Some(journal) = &mut self.journal else { return Ok(()) };
        let passed = (0..self.passed.len()).filter(|&row| self.passed[row]);
        let written = journal.write(&PassedRanges { passed: ranges(passed) });
        self.written = Instant::now();
        written.map_err(|error| journal.write_failure(error))
    }
}
