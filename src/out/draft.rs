//! Results while they are written.
//!
//! A temporary file is called `.perft-XXXXXX.tmp` and is locked while its writer lives. Opening an output in the same
//! folder removes those that nobody has locked: a killed run left them. If a new file is removed by mistake in the
//! moment before it is locked, its writer sees that the name is gone and makes another.

use crate::out::console::forgiven;
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
    /// A temporary file, and the name that it will get.
    File(NamedTempFile, PathBuf),
}

impl Draft {
    /// Returns an empty file beside this one, so that no incomplete file ever has its name.
    pub fn beside(path: &Path) -> io::Result<Draft> {
        loop {
            let file = created(path)?;
            // A file system without locks has no cleaning either.
            let _ = file.as_file().lock();
            if is_named(&file) {
                return Ok(Draft::File(file, path.into()));
            }
        }
    }

    /// Moves the finished file to its place: whatever happens, even to the machine, the place has either the old or the
    /// new file, complete. Returns the file, still locked.
    pub fn finish(self) -> io::Result<Option<File>> {
        self.named(|file, path| file.persist(path))
    }

    /// The same for a name that must be new. **Errors**: the file exists.
    pub fn finish_new(self) -> io::Result<Option<File>> {
        self.named(|file, path| file.persist_noclobber(path))
    }

    fn named(
        self,
        name: impl FnOnce(NamedTempFile, &Path) -> Result<File, tempfile::PersistError>,
    ) -> io::Result<Option<File>> {
        let (file, path) = match self {
            Draft::Direct(mut stream) => return forgiven(stream.flush()).map(|()| None),
            Draft::File(file, path) => (file, path),
        };
        #[cfg(unix)]
        if let Ok(replaced) = path.metadata() {
            use std::os::unix::fs::{MetadataExt, fchown};
            // Keep the owner if allowed; set the mode afterwards, because a change of owner clears some of its bits.
            let _ = fchown(file.as_file(), Some(replaced.uid()), Some(replaced.gid()));
            file.as_file().set_permissions(replaced.permissions())?;
        }
        file.as_file().sync_all()?;
        let file = name(file, &path).map_err(|error| error.error)?;
        // The new name is stored in the folder, so sync that too.
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
                Err(error) => forgiven(Err(error)).map(|()| bytes.len()),
                written => written,
            },
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Draft::File(file, _) => file.flush(),
            Draft::Direct(stream) => forgiven(stream.flush()),
        }
    }
}

/// Returns the folder of a file.
pub fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns a new file, readable for those who may read the one it will replace, or with the system's default mode.
fn created(path: &Path) -> io::Result<NamedTempFile> {
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

/// Returns true if nobody has removed it.
#[cfg(unix)]
fn is_named(file: &NamedTempFile) -> bool {
    use std::os::unix::fs::MetadataExt;
    file.as_file().metadata().is_ok_and(|file| file.nlink() > 0)
}

#[cfg(not(unix))]
fn is_named(file: &NamedTempFile) -> bool {
    file.path().exists()
}

/// Removes the temporary files of killed runs from a file's folder. Files that cannot be removed stay.
pub fn clean(path: &Path) {
    let Ok(entries) = fs::read_dir(folder(path)) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_ours = name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX));
        // A link or a pipe may have such a name too.
        if !is_ours || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        let Ok(file) = File::options().write(true).open(entry.path()) else { continue };
        if file.try_lock().is_ok() {
            let _ = fs::remove_file(entry.path());
        }
    }
}
