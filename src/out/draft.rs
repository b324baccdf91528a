//! Results that are being written.
//!
//! A temporary file is called `.perft-XXXXXX.tmp`, and its writer locks it. Opening an output in the same folder
//! removes the unlocked temporary files, which killed runs left behind. If a new file is removed before it is locked,
//! its writer notices that the name is gone and creates another file.
//!
//! Windows may refuse to replace a file that another program holds open. The finished file then gets a different name
//! in the same folder.

use crate::out::console::forgive_closed_pipe;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

const PREFIX: &str = ".perft-";
const SUFFIX: &str = ".tmp";

/// A result that is being written.
pub enum Draft {
    /// Written directly: to a device, a pipe, or standard output.
    Direct(Box<dyn Write + Send>),
    /// A temporary file, and its final name.
    File(NamedTempFile, PathBuf),
}

impl Draft {
    /// Creates an empty temporary file next to `path`, so that no incomplete file ever has the final name.
    pub fn beside(path: &Path) -> io::Result<Draft> {
        loop {
            let file = create_beside(path)?;
            // An error can be ignored: where files cannot be locked, `clean` removes nothing.
            let _ = file.as_file().lock();
            if is_at(file.as_file(), file.path()) {
                return Ok(Draft::File(file, path.into()));
            }
        }
    }

    /// Moves the finished file to its place. Even if the machine fails, either the complete old file or the complete
    /// new one is there. Returns the file, still locked.
    pub fn finish(self) -> io::Result<Option<File>> {
        self.name_with(replace)
    }

    /// Like `finish`, but never replaces a file. **Errors**: the file exists.
    pub fn finish_new(self) -> io::Result<Option<File>> {
        self.name_with(|file, path| Ok(file.persist_noclobber(path)?))
    }

    fn name_with(self, name: impl FnOnce(NamedTempFile, &Path) -> io::Result<File>) -> io::Result<Option<File>> {
        let (file, path) = match self {
            Draft::Direct(mut stream) => return forgive_closed_pipe(stream.flush()).map(|()| None),
            Draft::File(file, path) => (file, path),
        };
        #[cfg(unix)]
        if let Ok(replaced) = path.metadata() {
            use std::os::unix::fs::{MetadataExt, fchown};
            // Keep the owner if that is allowed. Set the mode afterwards, because a change of owner clears some mode
            // bits.
            let _ = fchown(file.as_file(), Some(replaced.uid()), Some(replaced.gid()));
            file.as_file().set_permissions(replaced.permissions())?;
        }
        file.as_file().sync_all()?;
        let file = name(file, &path)?;
        // The new name is stored in the folder, so sync the folder too.
        #[cfg(unix)]
        File::open(folder(&path))?.sync_all()?;
        Ok(Some(file))
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Draft::File(file, _) => file.write(bytes),
            Draft::Direct(stream) => match stream.write(bytes) {
                Err(error) => forgive_closed_pipe(Err(error)).map(|()| bytes.len()),
                written => written,
            },
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Draft::File(file, _) => file.flush(),
            Draft::Direct(stream) => forgive_closed_pipe(stream.flush()),
        }
    }
}

/// Gives a finished file its final name, replacing any older file of that name.
#[cfg(not(windows))]
fn replace(file: NamedTempFile, path: &Path) -> io::Result<File> {
    Ok(file.persist(path)?)
}

/// Gives a finished file its final name, replacing any older file of that name.
#[cfg(windows)]
fn replace(file: NamedTempFile, path: &Path) -> io::Result<File> {
    let (file, temporary) = file.into_parts();
    let temporary = temporary.keep()?;
    // Unlike `persist`, the standard library's rename can replace an open file, if the programs that hold it allow
    // that.
    rename_over(&temporary, path, |from, to| fs::rename(from, to)).map(|()| file)
}

/// Number of attempts to replace an open file. Trying again helps, because programs that scan new files hold them only
/// briefly.
#[cfg(any(windows, test))]
const ATTEMPTS: u32 = 10;
#[cfg(any(windows, test))]
const PAUSE: std::time::Duration = std::time::Duration::from_millis(20);

/// Moves a finished file to its place. **Errors**: another program holds the existing file open. The finished file then
/// stays in the same folder, and the error names it.
#[cfg(any(windows, test))]
fn rename_over(temporary: &Path, path: &Path, rename: impl Fn(&Path, &Path) -> io::Result<()>) -> io::Result<()> {
    let mut attempt = rename(temporary, path);
    for _ in 1..ATTEMPTS {
        if attempt.is_ok() {
            return Ok(());
        }
        std::thread::sleep(PAUSE);
        attempt = rename(temporary, path);
    }
    let Err(error) = attempt else { return Ok(()) };
    let numbered = |number: u32| {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{number}"));
        PathBuf::from(name)
    };
    let free = (1..100).map(numbered).find(|beside| !beside.exists());
    let place = free.filter(|beside| rename(temporary, beside).is_ok()).unwrap_or(temporary.into());
    let advice = "if another program has the file open, close it";
    Err(io::Error::new(error.kind(), format!("{error}: {advice}; the result is in {}", place.display())))
}

pub fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Creates a temporary file with the permissions of the file that it will replace, or else with the default mode.
fn create_beside(path: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = path.metadata().map_or(0o666, |replaced| replaced.permissions().mode() & 0o777);
        builder.permissions(fs::Permissions::from_mode(mode | 0o600));
    }
    builder.tempfile_in(folder(path))
}

/// Returns true if `path` still refers to this open file.
#[cfg(unix)]
pub fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |found: std::fs::Metadata| (found.dev(), found.ino());
    file.metadata().ok().map(identity) == path.metadata().ok().map(identity)
}

#[cfg(not(unix))]
pub fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

/// Removes the temporary files that killed runs left in the folder of `path`. Files that cannot be removed stay.
pub fn clean(path: &Path) {
    let Ok(entries) = fs::read_dir(folder(path)) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_ours = name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX));
        // A link or a pipe may also have such a name.
        if !is_ours || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        let Ok(file) = File::options().write(true).open(entry.path()) else { continue };
        if file.try_lock().is_ok() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn a_file_that_is_held_open_costs_no_result() {
        let folder = tempfile::tempdir().unwrap();
        let [place, temporary, taken] =
            ["gate.json", ".perft-a.tmp", "gate.json.1"].map(|name| folder.path().join(name));
        for (path, text) in [(&place, "old"), (&temporary, "new"), (&taken, "other")] {
            fs::write(path, text).unwrap();
        }
        // Windows returns this error while another program holds the file.
        let held = |from: &Path, to: &Path| match to == place {
            true => Err(io::ErrorKind::PermissionDenied.into()),
            false => fs::rename(from, to),
        };
        let error = rename_over(&temporary, &place, held).unwrap_err();
        let beside = folder.path().join("gate.json.2");
        assert!(error.to_string().ends_with(&format!("the result is in {}", beside.display())), "{error}");
        assert_eq!(error.to_string().lines().count(), 1);
        let read = |path: &Path| fs::read_to_string(path).unwrap();
        assert_eq!([&place, &beside, &taken].map(|path| read(path)), ["old", "new", "other"]);
        assert!(!temporary.exists());
    }

    #[test]
    fn a_file_that_is_soon_closed_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let [place, temporary] = ["gate.json", ".perft-a.tmp"].map(|name| folder.path().join(name));
        fs::write(&temporary, "new").unwrap();
        let attempts = Cell::new(0);
        let briefly_held = |from: &Path, to: &Path| {
            attempts.set(attempts.get() + 1);
            if attempts.get() < 3 { Err(io::ErrorKind::PermissionDenied.into()) } else { fs::rename(from, to) }
        };
        rename_over(&temporary, &place, briefly_held).unwrap();
        assert_eq!((attempts.get(), fs::read_to_string(&place).unwrap().as_str()), (3, "new"));
    }
}
