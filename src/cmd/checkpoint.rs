//! Checkpoints: the finished units of a count in a file, so that a killed count can be resumed.
//!
//! The file is two lines: a JSON object (`perft.checkpoint/1`) with the description of the count and the leaves of
//! every finished unit, and the CRC-32 of that line. It is always replaced as a whole, and locked while a count uses
//! it: each replacement is locked before it gets the name.

use crate::failure::{Failure, Usage};
use crate::out::file::Output;
use perft_gate_count::Journal;
use perft_gate_count::table::{EntryMatch, PerftTable};
use perft_gate_walk::chess::{Board, EnPassantPolicy, Fen};
use perft_gate_walk::walk::SPLIT_RULE;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

const SCHEMA: &str = "perft.checkpoint/1";

/// Description of the count: a checkpoint of any other count is refused.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
struct Header {
    schema: String,
    fen: String,
    depth: u32,
    split: String,
}

#[derive(Serialize, Deserialize, Debug)]
struct Content {
    #[serde(flatten)]
    header: Header,
    /// Number of tags compared so far; `None` if every hit compared the whole position.
    comparisons: u64,
    /// Leaves by unit, in decimal.
    units: BTreeMap<usize, String>,
}

/// Journal of a count, in a file.
pub struct Checkpoint<'t> {
    output: Output,
    header: Header,
    /// Units of earlier runs.
    before: BTreeMap<usize, u128>,
    comparisons_before: u64,
    table: Option<&'t PerftTable>,
    every: Duration,
    now: Mutex<Now>,
}

/// State of this run.
struct Now {
    finished: BTreeMap<usize, u128>,
    written: Instant,
    failed: bool,
    /// The file, locked so that no other process uses it.
    lock: Option<File>,
}

impl<'t> Checkpoint<'t> {
    /// Resumes from the file of an earlier run, if there is one, and checks that it can be written.
    pub fn open(
        path: &Path,
        (board, depth): (&Board, u32),
        table: Option<&'t PerftTable>,
        every: Duration,
    ) -> Result<Checkpoint<'t>, Failure> {
        let fen = Fen::write(board, EnPassantPolicy::Always);
        let header = Header { schema: SCHEMA.into(), fen, depth, split: SPLIT_RULE.into() };
        let refused = |text: String| Usage(format!("--checkpoint {}: {text}", path.display()));
        let output = Output::open("--checkpoint", path)?;
        if !output.is_file() {
            return Err(refused(format!("found {}, expected a file: a count resumes from it", output.shown())));
        }
        let mut lock = locked(path).map_err(refused)?;
        let (before, comparisons_before) = match &mut lock {
            None => Default::default(),
            Some(file) => {
                let mut text = String::new();
                let whole = file.read_to_string(&mut text);
                whole.map_err(|error| refused(format!("{error}, expected a checkpoint or no file")))?;
                read(&text, &header).map_err(refused)?
            }
        };
        let now = Now { finished: BTreeMap::new(), written: Instant::now(), failed: false, lock };
        let checkpoint = Checkpoint { output, header, before, comparisons_before, table, every, now: Mutex::new(now) };
        let written = checkpoint.write(&mut checkpoint.now());
        written.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => refused(IN_USE.into()),
            _ => refused(format!("{error}, expected a writable file")),
        })?;
        Ok(checkpoint)
    }

    /// Returns the number of units that need not be counted again.
    pub fn resumed(&self) -> usize {
        self.before.len()
    }

    /// Returns the leaves of the units that need not be counted again.
    pub fn leaves_before(&self) -> u128 {
        self.before.values().sum()
    }

    /// Returns the number of tags compared, in all runs.
    pub fn comparisons(&self) -> u64 {
        let tagged = self.table.filter(|table| table.identity() == EntryMatch::Tag);
        self.comparisons_before + tagged.map_or(0, |table| table.tally().comparisons)
    }

    fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the finished units, unlocks the file, and returns the number of units in it.
    pub fn close(&self) -> Result<usize, Failure> {
        let mut now = self.now();
        self.write(&mut now).map_err(|error| self.output.failed(error))?;
        now.lock = None;
        Ok(self.before.len() + now.finished.len())
    }

    fn write(&self, now: &mut Now) -> std::io::Result<()> {
        let units = self.before.iter().chain(&now.finished).map(|(&unit, leaves)| (unit, leaves.to_string())).collect();
        let content = Content { header: self.header.clone(), comparisons: self.comparisons(), units };
        let line = serde_json::to_string(&content)?;
        let text = format!("{line}\ncrc32 {:08x}\n", crc32fast::hash(line.as_bytes()));
        let is_ours = now.lock.is_some();
        if cfg!(windows) {
            // Not every Windows replaces a file that is open, even if it is its own process that opened it.
            now.lock = None;
        }
        now.lock = match is_ours {
            // If two processes begin together, only one of them makes the file.
            false => self.output.create(text.as_bytes())?,
            true => self.output.replace(text.as_bytes())?,
        };
        Ok(())
    }
}

impl Journal for Checkpoint<'_> {
    fn finished(&self, unit: usize) -> Option<u128> {
        self.before.get(&unit).copied()
    }

    fn record(&self, unit: usize, leaves: u128) {
        let mut now = self.now();
        now.finished.insert(unit, leaves);
        if now.written.elapsed() >= self.every && !now.failed {
            if let Err(error) = self.write(&mut now) {
                note!("{}; the count continues without a checkpoint", self.output.failed(error));
                now.failed = true;
            }
            now.written = Instant::now();
        }
    }
}

const IN_USE: &str = "another process is using it: wait for that, or choose another file";

/// Returns the file of a checkpoint, locked for this process, if there is one. **Errors**: another process has it.
fn locked(path: &Path) -> Result<Option<File>, String> {
    loop {
        let file = match File::options().read(true).write(true).open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(format!("{error}, expected a checkpoint or no file")),
        };
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(IN_USE.into());
        }
        // A process that ends may have replaced the file in the meantime.
        if is_at(&file, path) {
            return Ok(Some(file));
        }
    }
}

/// Returns true if this open file is the one with this name.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |found: std::fs::Metadata| (found.dev(), found.ino());
    file.metadata().ok().map(identity) == path.metadata().ok().map(identity)
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

/// Reads the finished units of a file, and the number of tags compared for them.
fn read(text: &str, wanted: &Header) -> Result<(BTreeMap<usize, u128>, u64), String> {
    let damaged = |line: u32, what: String| format!("line {line}: {what}: the file is damaged");
    let (content, sum) = text
        .strip_suffix('\n')
        .and_then(|text| text.split_once('\n'))
        .ok_or_else(|| damaged(1, format!("found {} bytes, expected two lines", text.len())))?;
    let expected = format!("crc32 {:08x}", crc32fast::hash(content.as_bytes()));
    if sum != expected {
        let found: String = sum.escape_default().take(40).collect();
        return Err(damaged(2, format!("found '{found}', expected '{expected}' of the first line")));
    }
    let found: Content = serde_json::from_str(content).map_err(|error| format!("line 1: {error}"))?;
    let header = &found.header;
    for (field, found, expected) in [
        ("schema", &header.schema, &wanted.schema),
        ("fen", &header.fen, &wanted.fen),
        ("depth", &header.depth.to_string(), &wanted.depth.to_string()),
        ("split", &header.split, &wanted.split),
    ] {
        if found != expected {
            return Err(format!("line 1, {field}: found '{found}', expected '{expected}' of this count"));
        }
    }
    let number = |(unit, leaves): (usize, String)| match leaves.parse() {
        Ok(leaves) => Ok((unit, leaves)),
        Err(_) => Err(format!("line 1, unit {unit}: found '{leaves}', expected a number")),
    };
    Ok((found.units.into_iter().map(number).collect::<Result<_, _>>()?, found.comparisons))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(path: &Path, fen: &str, depth: u32) -> Result<Checkpoint<'static>, String> {
        let board = Fen::parse(fen).unwrap();
        Checkpoint::open(path, (&board, depth), None, Duration::ZERO).map_err(|failure| failure.to_string())
    }

    #[test]
    fn what_is_finished_is_kept_and_anything_else_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("count");
        let first = open(&path, Fen::START, 7).unwrap();
        first.record(3, 30);
        first.record(5, 1 << 70);
        let other = open(&path, Fen::START, 7).err().expect("a refusal");
        assert!(other.ends_with("another process is using it: wait for that, or choose another file"), "{other}");
        drop(first);
        let second = open(&path, Fen::START, 7).unwrap();
        assert_eq!((second.resumed(), second.finished(3), second.finished(5)), (2, Some(30), Some(1 << 70)));
        assert_eq!(second.finished(4), None);
        second.record(4, 1);
        assert_eq!(second.close().ok(), Some(3));
        let whole = std::fs::read_to_string(&path).unwrap();

        let error = |fen, depth| open(&path, fen, depth).err().expect("a refusal");
        assert!(error(Fen::START, 8).contains("line 1, depth: found '7', expected '8'"));
        assert!(error("4k3/8/8/8/8/8/8/4K3 w - - 0 1", 7).contains("line 1, fen: found 'rnbqkbnr/"));
        std::fs::write(&path, whole.replace("\"3\":\"30\"", "\"3\":\"31\"")).unwrap();
        assert!(error(Fen::START, 7).contains("line 2: found 'crc32 "));
        std::fs::write(&path, whole.lines().next().unwrap()).unwrap();
        assert!(error(Fen::START, 7).contains("expected two lines: the file is damaged"));
        std::fs::write(&path, whole.replace("perft.checkpoint/1", "perft.checkpoint/2")).unwrap();
        assert!(error(Fen::START, 7).contains("line 2"));
        assert!(std::fs::read_to_string(&path).unwrap().contains("checkpoint/2"), "a refused file is left alone");
    }
}
