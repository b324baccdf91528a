//! Result files: whole at every moment.

use super::Usage;
use crate::report::Run;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::NamedTempFile;

/// A file is rewritten after a row unless writing would take more than this part of the time.
const SHARE: u32 = 200;

/// A result file that is replaced after every row: a temporary file beside it is written, then renamed.
pub(super) struct Output {
    path: PathBuf,
    format: fn(&Run<'_>) -> String,
    written: Instant,
    took: Duration,
}

impl Output {
    /// Makes sure that the file can be written before anything runs.
    pub(super) fn open(option: &str, path: &Path, format: fn(&Run<'_>) -> String) -> Result<Output, Usage> {
        let output = Output { path: path.into(), format, written: Instant::now(), took: Duration::ZERO };
        let refused =
            |reason: String| Usage(format!("{option} {}: {reason}, expected a writable file", path.display()));
        if path.is_dir() {
            return Err(refused("is a directory".into()));
        }
        let readonly = path.metadata().is_ok_and(|metadata| metadata.permissions().readonly());
        if readonly {
            return Err(refused("is read-only".into()));
        }
        output.temporary().map_err(|error| refused(error.to_string()))?;
        Ok(output)
    }

    fn temporary(&self) -> std::io::Result<NamedTempFile> {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))
    }

    /// Replaces the file by what is known now, if that is due.
    pub(super) fn update(&mut self, run: &Run<'_>) -> Result<(), Usage> {
        let start = Instant::now();
        if !run.finished && start.duration_since(self.written) < self.took * SHARE {
            return Ok(());
        }
        let replace = || -> std::io::Result<()> {
            let mut file = self.temporary()?;
            file.write_all((self.format)(run).as_bytes())?;
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))?;
            }
            file.persist(&self.path).map_err(|error| error.error)?;
            Ok(())
        };
        replace().map_err(|error| Usage(format!("{}: {error}", self.path.display())))?;
        (self.took, self.written) = (start.elapsed(), Instant::now());
        Ok(())
    }
}
