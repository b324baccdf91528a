//! Result files. They are always complete, and replace only regular files.
//!
//! For a regular file or a new name, the result is written to a temporary file in the same folder, which is renamed
//! when it is finished. The mode of a replaced file is kept. If the path is a symbolic link, its target is replaced,
//! not the link. A run that fails, for example on a full disk, removes its partial result. A device, a pipe or `-` is
//! written directly, once, at the end of the run.

use super::draft::Draft;
use crate::failure::{CommandFailure, Outside, Result, Usage};
use crate::out::console;
use clap::Args;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// Minimum time between two writes of a file, as a multiple of the time that the last write took.
const SHARE: u32 = 200;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunStage {
    Running,
    Finished,
}

#[derive(Debug)]
enum OutputTarget {
    Standard,
    /// A device or a pipe, opened before the run.
    Stream(File),
    /// A regular file, or a new name; links are followed.
    File(PathBuf),
}

#[derive(Debug)]
pub struct Output {
    option: &'static str,
    path: PathBuf,
    place: OutputTarget,
    written: Instant,
    took: Duration,
    /// True if the file holds only a part of the result.
    is_partial: bool,
}

/// A run that fails removes its partial result, which could otherwise be mistaken for a complete one. A killed run
/// leaves the file behind, but its contents say that the run is not finished.
impl Drop for Output {
    fn drop(&mut self) {
        if let (OutputTarget::File(path), true) = (&self.place, self.is_partial) {
            let _ = std::fs::remove_file(path);
        }
    }
}

impl Output {
    /// Checks before the run that the result can be written, and removes temporary files left in its folder by runs
    /// that were killed.
    ///
    /// **Errors**: the message names the option and the reason.
    pub fn open(option: &'static str, path: &Path) -> Result<Output> {
        let place = if is_standard(path) {
            console::take(option)?;
            OutputTarget::Standard
        } else {
            let refused =
                |reason: String| Usage(format!("{option} {}: {reason}, expected a writable file", path.display()));
            let lacks_folder = |folder: &Path| folder != Path::new("") && !folder.exists();
            place(path).map_err(|error| match error.kind() {
                ErrorKind::IsADirectory => refused("is a directory".into()),
                ErrorKind::ReadOnlyFilesystem => refused("is read-only".into()),
                ErrorKind::NotFound if path.parent().is_some_and(lacks_folder) => {
                    refused("its folder does not exist".into())
                }
                _ => refused(error.to_string()),
            })?
        };
        let (written, took) = (Instant::now(), Duration::ZERO);
        Ok(Output { option, path: path.into(), place, written, took, is_partial: false })
    }

    /// Like `open`, for an option that may be absent.
    pub fn open_if(option: &'static str, path: Option<&Path>) -> Result<Option<Output>> {
        path.map(|path| Output::open(option, path)).transpose()
    }

    /// Returns true if this is a file that can be read back and replaced.
    pub fn is_file(&self) -> bool {
        matches!(self.place, OutputTarget::File(_))
    }

    /// Replaces the file with the current document if an update is due. Pipes and devices are written only at the end.
    pub fn update(&mut self, stage: RunStage, document: impl FnOnce() -> String) -> Result<()> {
        let start = Instant::now();
        let too_early = !self.is_file() || start.duration_since(self.written) < self.took * SHARE;
        if stage == RunStage::Running && too_early {
            return Ok(());
        }
        self.write(document().as_bytes())?;
        (self.took, self.written) = (start.elapsed(), Instant::now());
        self.is_partial = stage == RunStage::Running;
        Ok(())
    }

    /// Writes the whole result. **Errors**: the write failed.
    pub fn write(&self, content: &[u8]) -> Result<()> {
        self.replace(content, false).map(drop).map_err(|error| self.write_failure(error))
    }

    /// Writes the result to an output that may be absent.
    pub fn write_if(output: Option<&Output>, document: impl FnOnce() -> String) -> Result<()> {
        output.map_or(Ok(()), |output| output.write(document().as_bytes()))
    }

    /// Writes the whole result. If the output is a file, returns that file, still locked. **Errors**: `must_be_new` is
    /// set, but the file exists.
    pub fn replace(&self, content: &[u8], must_be_new: bool) -> io::Result<Option<File>> {
        let mut draft = self.draft()?;
        draft.write_all(content)?;
        if must_be_new { draft.finish_new() } else { draft.finish() }
    }

    /// Begins to write the result, which becomes visible only when it is finished.
    pub fn draft(&self) -> io::Result<Draft> {
        match &self.place {
            OutputTarget::Standard => Ok(Draft::Direct(Box::new(io::stdout()))),
            OutputTarget::Stream(file) => Ok(Draft::Direct(Box::new(file.try_clone()?))),
            OutputTarget::File(path) => Draft::beside(path),
        }
    }

    /// Converts a write error into a command error.
    pub fn write_failure(&self, error: io::Error) -> CommandFailure {
        Outside(format!("{}: {error}", self.option_and_path()))
    }

    /// Returns the option followed by its file name, for use in messages.
    pub fn option_and_path(&self) -> String {
        format!("{} {}", self.option, self.path.display())
    }

    pub fn place_name(&self) -> String {
        let is_standard = matches!(self.place, OutputTarget::Standard);
        if is_standard { "standard output".into() } else { self.path.display().to_string() }
    }
}

/// Creates the folder if it does not exist.
pub fn make_folder(name: &str, path: &Path) -> Result<()> {
    let refused = |what: String| Usage(format!("{name}: {what}, expected a folder"));
    match std::fs::create_dir(path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(refused(error.to_string())),
        _ if !path.is_dir() => Err(refused("found a file".into())),
        _ => Ok(()),
    }
}

/// Returns true if this path refers to standard output.
pub fn is_standard(path: &Path) -> bool {
    ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|name| path == Path::new(name))
}

/// Returns the file, device or pipe that a path leads to.
fn place(path: &Path) -> io::Result<OutputTarget> {
    // A file that this process already has open, such as `/dev/fd/3`, is written in place.
    let is_open = path.starts_with("/dev/fd") || path.starts_with("/proc");
    let target = if is_open { path.into() } else { follow_links(path, 0)? };
    match target.metadata() {
        Ok(found) if found.is_dir() => return Err(ErrorKind::IsADirectory.into()),
        Ok(found) if is_open || !found.is_file() => return Ok(OutputTarget::Stream(open_to_append(path)?)),
        Ok(found) if found.permissions().readonly() => return Err(ErrorKind::ReadOnlyFilesystem.into()),
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    super::draft::clean(&target);
    // Create a file and remove it at once, to check that files can be created here.
    drop(Draft::beside(&target)?);
    Ok(OutputTarget::File(target))
}

/// Maximum time to wait for a reader to open a pipe.
const PATIENCE: Duration = Duration::from_secs(10);

/// Opens a file, a device or a pipe for appending. **Errors**: nobody reads the pipe.
fn open_to_append(path: &Path) -> io::Result<File> {
    let (sender, opened) = channel();
    let target = path.to_path_buf();
    // This blocks until a pipe has a reader. After a timeout the thread is left waiting.
    std::thread::spawn(move || sender.send(OpenOptions::new().create(true).append(true).open(target)));
    let nobody = || Err(io::Error::other(format!("found a pipe without a reader after {} s", PATIENCE.as_secs())));
    opened.recv_timeout(PATIENCE).unwrap_or_else(|_| nobody())
}

/// Follows symbolic links, whether or not the file that they lead to exists.
fn follow_links(path: &Path, links: u32) -> io::Result<PathBuf> {
    const MAX_LINKS: u32 = 40;
    match path.read_link() {
        // The system resolves names such as `/dev/fd/63` to objects without a path.
        Ok(_) if path.metadata().is_ok_and(|found| !found.is_file()) => Ok(path.into()),
        Ok(target) if links < MAX_LINKS => follow_links(&super::draft::folder(path).join(target), links + 1),
        Ok(_) => Err(io::Error::other("too many symbolic links")),
        Err(_) => Ok(path.into()),
    }
}

/// Arguments for the files and the GitHub lines that report a verdict.
#[derive(Args, Debug)]
pub struct OutputArgs {
    /// Write the verdict as JSON. With `-` it goes to standard output, and the table to standard error.
    #[arg(long, value_name = "FILE|-")]
    pub json: Option<PathBuf>,
    /// Write the verdict as JUnit XML; `-` works as for --json.
    #[arg(long, value_name = "FILE|-")]
    junit: Option<PathBuf>,
    /// Print `::error` lines, and append a summary to $GITHUB_STEP_SUMMARY.
    #[arg(long)]
    pub github: bool,
}

impl OutputArgs {
    /// Opens the requested files, and returns each with the function that writes its document.
    pub fn open<D>(&self, json: D, junit: D) -> Result<Vec<(Output, D)>> {
        let mut files = Vec::new();
        for (option, path, document) in [("--json", &self.json, json), ("--junit", &self.junit, junit)] {
            files.extend(Output::open_if(option, path.as_deref())?.map(|output| (output, document)));
        }
        Ok(files)
    }

    /// Appends `markdown` to the summary of the GitHub Actions step, if that was requested and there is a summary.
    pub fn summarize(&self, markdown: impl FnOnce() -> String) -> Result<()> {
        let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|_| self.github) else { return Ok(()) };
        let path = Path::new(&path);
        let written = open_to_append(path).and_then(|mut file| file.write_all(markdown().as_bytes()));
        written.map_err(|error| Outside(format!("GITHUB_STEP_SUMMARY {}: {error}", path.display())))
    }
}
