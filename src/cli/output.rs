//! Result files: whole at every moment.

use super::Usage;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::NamedTempFile;

/// A file is rewritten after a row unless writing would take more than this part of the time.
const SHARE: u32 = 200;

/// Whether there are rows to come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    Running,
    Finished,
}

/// A result file that is replaced after every row: a temporary file beside it is written, then renamed.
#[derive(Debug)]
pub(super) struct Output {
    path: PathBuf,
    written: Instant,
    took: Duration,
}

impl Output {
    /// Makes sure that the file can be written before anything runs.
    pub(super) fn open(option: &str, path: &Path) -> Result<Output, Usage> {
        writable(option, path)?;
        Ok(Output { path: path.into(), written: Instant::now(), took: Duration::ZERO })
    }

    /// Replaces the file by what is known now, if that is due.
    pub(super) fn update(&mut self, stage: Stage, document: impl FnOnce() -> String) -> Result<(), Usage> {
        let start = Instant::now();
        if stage == Stage::Running && start.duration_since(self.written) < self.took * SHARE {
            return Ok(());
        }
        replace(&self.path, document().as_bytes())
            .map_err(|error| Usage(format!("{}: {error}", self.path.display())))?;
        (self.took, self.written) = (start.elapsed(), Instant::now());
        Ok(())
    }
}

/// Makes sure that a file can be written. **Errors**: names the option and the reason.
pub(super) fn writable(option: &str, path: &Path) -> Result<(), Usage> {
    let refused = |reason: String| Usage(format!("{option} {}: {reason}, expected a writable file", path.display()));
    if path.is_dir() {
        return Err(refused("is a directory".into()));
    }
    if path.metadata().is_ok_and(|metadata| metadata.permissions().readonly()) {
        return Err(refused("is read-only".into()));
    }
    temporary(path).map_err(|error| refused(error.to_string()))?;
    Ok(())
}

/// An empty file beside this one, so that no half of it is ever seen.
pub(super) fn temporary(path: &Path) -> std::io::Result<NamedTempFile> {
    NamedTempFile::new_in(folder(path))
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Puts the finished file in its place, readable for all: whatever happens, even to the machine, that is either the one
/// before or this one, whole.
pub(super) fn persist(file: NamedTempFile, path: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))?;
    }
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    // The new name is the folder's, and lasts when that does.
    #[cfg(unix)]
    std::fs::File::open(folder(path))?.sync_all()?;
    Ok(())
}

/// Writes a file as a whole.
pub(super) fn replace(path: &Path, content: &[u8]) -> std::io::Result<()> {
    let mut file = temporary(path)?;
    file.write_all(content)?;
    persist(file, path)
}

/// Appends to the summary of a step of GitHub Actions, where there is one.
pub(super) fn append_summary(markdown: &str) -> Result<(), Usage> {
    let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY") else { return Ok(()) };
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path)?;
    Ok(file.write_all(markdown.as_bytes())?)
}
