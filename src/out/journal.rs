//! A journal is a file that holds the finished part of a run. After a crash the same command resumes from it.
//!
//! The file has two lines: a JSON object and its CRC-32. The object's first fields identify the run, and the remaining
//! fields describe the finished part. Every write replaces the whole file. A run keeps its file locked: each
//! replacement is locked before it gets the name. If the file is damaged or belongs to another run, the error names it
//! and the file stays unchanged.

use crate::args::text::{MAX_LIST, decode, text};
use crate::failure::{CommandFailure, Result, Usage};
use crate::out::draft::is_at;
use crate::out::file::Output;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

const IN_USE: &str = "another process is using it: wait until it ends, or choose another file";

/// The journal of a run, in a file that no other process uses.
pub struct RunJournal {
    output: Output,
    /// JSON object that identifies the run.
    run: String,
    /// The locked file; `None` before the first write.
    lock: Option<File>,
}

impl RunJournal {
    /// Opens the journal of a run. All fields of the object `run` must match those in the file. Also returns the
    /// finished part if an earlier run left the file.
    ///
    /// **Errors**: the file is damaged, belongs to another run, is in use, or cannot be read or written.
    pub fn open<S: DeserializeOwned>(
        option: &'static str,
        path: &Path,
        run: &impl Serialize,
    ) -> Result<(RunJournal, Option<S>)> {
        let refused = |text: String| Usage(format!("{option} {}: {text}", path.display()));
        let expected = "expected a file: a run resumes from it";
        // A pipe is never opened, because opening it could block forever waiting for a reader.
        if path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir()) {
            return Err(refused(format!("found a pipe or a device, {expected}")));
        }
        let output = Output::open(option, path)?;
        if !output.is_file() {
            return Err(refused(format!("found {}, {expected}", output.place_name())));
        }
        let (run, mut lock) = (serde_json::to_string(run)?, lock_existing(path).map_err(refused)?);
        let finished = |file: &mut File| {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).map_err(|error| format!("{error}, expected a journal or no file"))?;
            read(&decode(bytes)?, &run)
        };
        let state = lock.as_mut().map(finished).transpose().map_err(refused)?;
        Ok((RunJournal { output, run, lock }, state))
    }

    /// Replaces the finished part stored in the file. When `write` returns, the new part is on disk.
    pub fn write(&mut self, state: &impl Serialize) -> io::Result<()> {
        let state = serde_json::to_string(state)?;
        let (run, state) = (self.run.strip_suffix('}'), state.strip_prefix('{'));
        let line = format!("{},{}", run.expect("an object"), state.expect("an object"));
        let text = format!("{line}\ncrc32 {:08x}\n", crc32fast::hash(line.as_bytes()));
        let is_ours = self.lock.is_some();
        if cfg!(windows) {
            // Some Windows versions do not replace an open file, even if the same process opened it.
            self.lock = None;
        }
        // Unless the file is ours, it must be new: if two processes start at once, only one creates it.
        self.lock = self.output.replace(text.as_bytes(), !is_ours)?;
        Ok(())
    }

    /// Unlocks the file.
    pub fn close(&mut self) {
        self.lock = None;
    }

    /// Returns the failure for a write error.
    pub fn write_failure(&self, error: io::Error) -> CommandFailure {
        match error.kind() {
            ErrorKind::AlreadyExists => Usage(format!("{}: {IN_USE}", self.output.option_and_path())),
            _ => self.output.write_failure(error),
        }
    }
}

/// Reads the finished part of a run, even during the run. All fields of `run` must match those in the file.
pub fn read_finished<S: DeserializeOwned>(path: &Path, run: &impl Serialize) -> Result<S> {
    let refused = |text: String| Usage(format!("{}: {text}", path.display()));
    let text = text(path, MAX_LIST, &path.display().to_string(), "a journal of this program")?;
    read(&text, &serde_json::to_string(run)?).map_err(refused)
}

/// Returns the journal's file, locked for this process, if there is one. **Errors**: another process has locked it.
fn lock_existing(path: &Path) -> Result<Option<File>, String> {
    loop {
        let file = match File::options().read(true).write(true).open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(format!("{error}, expected a journal or no file")),
        };
        if lock(&file, path)? {
            return Ok(Some(file));
        }
    }
}

/// Locks a file that was opened at `path`. Returns false if another process has since replaced the file and ended.
/// **Errors**: another process has locked it.
fn lock(file: &File, path: &Path) -> Result<bool, String> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(IN_USE.into()),
        _ => Ok(is_at(file, path)),
    }
}

/// Reads the finished part from the journal's text if the journal belongs to this run.
fn read<S: DeserializeOwned>(text: &str, run: &str) -> Result<S, String> {
    let damaged = |line: u32, what: String| format!("line {line}: {what}: the file is damaged");
    let lines = text.strip_suffix('\n').and_then(|text| text.split_once('\n'));
    let one_line = || damaged(1, format!("found {} bytes, expected two lines", text.len()));
    let (content, sum) = lines.ok_or_else(one_line)?;
    let expected = format!("crc32 {:08x}", crc32fast::hash(content.as_bytes()));
    if sum != expected {
        let found: String = sum.escape_default().take(40).collect();
        return Err(damaged(2, format!("found '{found}', expected the first line's '{expected}'")));
    }
    let fields =
        |line: &str| serde_json::from_str::<Map<String, Value>>(line).map_err(|error| format!("line 1: {error}"));
    let found = fields(content)?;
    let shown = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_string);
    for (field, expected) in fields(run)? {
        let found = found.get(&field).map_or("nothing".into(), shown);
        let expected = shown(&expected);
        if found != expected {
            return Err(format!("line 1, {field}: found '{found}', expected this run's '{expected}'"));
        }
    }
    serde_json::from_str(content).map_err(|error| format!("line 1: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_on_a_file_that_was_replaced_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let [path, other] = ["journal", "other"].map(|name| folder.path().join(name));
        std::fs::write(&path, "before").unwrap();
        let opened = File::open(&path).unwrap();
        assert_eq!(lock(&opened, &path), Ok(true));
        let second = File::open(&path).unwrap();
        assert_eq!(lock(&second, &path), Err(IN_USE.into()));
        // Another process has opened the file but not yet locked it. Then the owner replaces the file and exits.
        std::fs::write(&other, "after").unwrap();
        std::fs::rename(&other, &path).unwrap();
        drop(opened);
        assert_eq!(lock(&second, &path), Ok(cfg!(not(unix))));
        let mut text = String::new();
        lock_existing(&path).unwrap().unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "after");
        std::fs::remove_file(&path).unwrap();
        assert_eq!(lock(&second, &path), Ok(false));
        assert!(lock_existing(&path).unwrap().is_none());
    }
}
