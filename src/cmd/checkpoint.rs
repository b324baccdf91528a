//! Checkpoints: the finished units of a count in a [`RunJournal`]. A killed count resumes from its checkpoint.

use crate::failure::Result;
use crate::out::journal::RunJournal;
use perft_gate_chess::{Board, EnPassantPolicy, Fen};
use perft_gate_count::table::{EntryMatch, PerftTable};
use perft_gate_walk::{KINDS, SPLIT_RULE};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

const SCHEMA: &str = "perft.checkpoint/2";

/// The finished units of a count, which are parts of its tree.
#[derive(Serialize, Deserialize, Default, Debug)]
pub struct Units {
    /// Number of hash-table tags compared so far.
    pub comparisons: u64,
    /// Host of the last run.
    #[serde(default)]
    pub host: String,
    /// Time of the first start, in seconds since 1970.
    #[serde(default)]
    pub started: u64,
    /// Time of the last write, in seconds since 1970.
    #[serde(default)]
    pub written: u64,
    /// Number of leaves of each finished unit.
    pub units: BTreeMap<usize, u128>,
    /// For each unit, the number of moves of each kind that lead to the last ply, if they were counted.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub kinds: BTreeMap<usize, [u64; KINDS]>,
}

/// Journal of a count, in a file.
pub struct Checkpoint<'t> {
    /// Units that earlier runs finished.
    pub before: Units,
    table: Option<&'t PerftTable>,
    every: Duration,
    now: Mutex<Now>,
}

struct Now {
    journal: RunJournal,
    finished: BTreeMap<usize, u128>,
    /// For each unit of this run and of earlier ones, the number of moves of each kind.
    kinds: BTreeMap<usize, [u64; KINDS]>,
    written: Instant,
    failed: bool,
}

impl<'t> Checkpoint<'t> {
    /// Resumes from the file of an earlier run of a count, if there is one, and checks that the file is writable.
    pub fn of_count(
        path: &Path,
        (board, depth): (&Board, u32),
        table: Option<&'t PerftTable>,
        every: Duration,
    ) -> Result<Checkpoint<'t>> {
        let fen = Fen::write(board, EnPassantPolicy::Always);
        // Reject a checkpoint of a different count. A different seed of the hash table makes a different count: the
        // user may want it to confirm another, so it must not reuse results.
        let seed = table.map_or(0, PerftTable::seed).to_string();
        let header = json!({ "schema": SCHEMA, "fen": fen, "depth": depth, "split": SPLIT_RULE, "seed": seed });
        Checkpoint::open("--checkpoint", path, &header, table, every)
    }

    /// Resumes any run whose units are numbered. `header` describes the run.
    pub fn open(
        option: &'static str,
        path: &Path,
        header: &impl Serialize,
        table: Option<&'t PerftTable>,
        every: Duration,
    ) -> Result<Checkpoint<'t>> {
        let (journal, units) = RunJournal::open::<Units>(option, path, header)?;
        let mut before = units.unwrap_or_default();
        if before.started == 0 {
            before.started = seconds_since_1970();
        }
        before.host = sysinfo::System::host_name().unwrap_or_default();
        let kinds = std::mem::take(&mut before.kinds);
        let now = Now { journal, finished: BTreeMap::new(), kinds, written: Instant::now(), failed: false };
        let checkpoint = Checkpoint { before, table, every, now: Mutex::new(now) };
        let mut now = checkpoint.now();
        checkpoint.write(&mut now).map_err(|error| now.journal.write_failure(error))?;
        drop(now);
        Ok(checkpoint)
    }

    /// Returns the number of hash-table tags compared in this run and the earlier ones.
    pub fn comparisons(&self) -> u64 {
        let tagged = self.table.filter(|table| table.identity() == EntryMatch::Tag);
        self.before.comparisons + tagged.map_or(0, |table| table.tally().comparisons)
    }

    fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records how many moves of each kind a unit has. Call this before recording the unit itself.
    pub fn record_kinds(&self, unit: usize, kinds: [u64; KINDS]) {
        self.now().kinds.insert(unit, kinds);
    }

    /// Writes the finished units, unlocks the file, and returns the number of units in it.
    pub fn close(&self) -> Result<usize> {
        let mut now = self.now();
        self.write(&mut now).map_err(|error| now.journal.write_failure(error))?;
        now.journal.close();
        Ok(self.before.units.len() + now.finished.len())
    }

    fn write(&self, now: &mut Now) -> std::io::Result<()> {
        let Units { host, started, units: before, .. } = &self.before;
        let units = before.iter().chain(&now.finished).map(|(&unit, &leaves)| (unit, leaves)).collect();
        now.journal.write(&Units {
            comparisons: self.comparisons(),
            host: host.clone(),
            started: *started,
            written: seconds_since_1970(),
            units,
            kinds: now.kinds.clone(),
        })
    }
}

fn seconds_since_1970() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

impl perft_gate_count::Journal for Checkpoint<'_> {
    fn finished_leaves(&self, unit: usize) -> Option<u128> {
        self.before.units.get(&unit).copied()
    }

    fn record(&self, unit: usize, leaves: u128) {
        let mut now = self.now();
        now.finished.insert(unit, leaves);
        if now.written.elapsed() >= self.every && !now.failed {
            if let Err(error) = self.write(&mut now) {
                note!("{}; the count continues without a checkpoint", now.journal.write_failure(error));
                now.failed = true;
            }
            now.written = Instant::now();
        }
    }
}
