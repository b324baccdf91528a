//! A process that reads and writes lines and may misbehave: hang, die, flood its output, or ignore its input.
//!
//! A thread reads its output into a queue of bounded size, in lines of bounded length, so a flood fills the pipe and
//! blocks the program, not us. Another thread writes to its input, so if the program stops reading, only that thread
//! is blocked. The last lines of its stderr are kept. The process leads a separate [`ProcessGroup`], which is killed
//! with it. Every wait has a deadline.

use crate::process_group::{MarkedProcesses, ProcessGroup};
use crate::trace::Trace;
use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum number of batches of lines waiting to be read. A batch holds the lines of at most one read of the pipe.
const MAX_BATCHES: usize = 64;
/// Maximum number of bytes kept per line.
const MAX_OUTPUT_LINE: usize = 4096;
/// Maximum number of stderr lines kept.
const MAX_STDERR_LINES: usize = 20;
/// How long a program is given to exit after `quit`.
const GRACE: Duration = Duration::from_millis(500);
/// Interval between two checks of whether a program has exited.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// Reason why no line of the program's output could be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ReadError {
    /// No line came before the deadline.
    Late,
    /// The program has closed its output.
    Closed,
}

#[derive(Debug)]
pub(super) struct Process {
    group: ProcessGroup,
    /// Queue of text to write. Absent once the input is closed.
    input: Option<Sender<Vec<u8>>>,
    /// Lines to send together before the next wait, so that a request wakes the program only once.
    unsent: Vec<u8>,
    /// Batches of lines that arrived together. Waking our thread for each line would cost more than reading the line.
    batches: Receiver<Vec<String>>,
    /// Lines of the last batch that have not been read yet, in order.
    pending: VecDeque<String>,
    errors: Arc<Mutex<VecDeque<String>>>,
    trace: Option<Trace>,
    /// `None` until the process has ended. After that, holds its exit status, or `Some(None)` if it was killed. From
    /// then on, another process may have its PID.
    status: Option<Option<ExitStatus>>,
}

impl Process {
    /// Starts a process in a folder and marks it. **Errors**: those of the system, usually a missing program.
    pub(super) fn start(
        words: &[OsString],
        marked: &MarkedProcesses,
        folder: Option<&Path>,
        trace: Option<&Trace>,
    ) -> std::io::Result<Process> {
        let (program, arguments) = words.split_first().ok_or(std::io::ErrorKind::InvalidInput)?;
        // Not every system resolves a relative path such as `bin/engine` from the folder in which the program starts.
        let joined = folder.filter(|_| Path::new(program).components().count() > 1).map(|folder| folder.join(program));
        let mut command = Command::new(joined.unwrap_or(program.into()));
        command.args(arguments);
        marked.mark(&mut command);
        folder.map(|folder| command.current_dir(folder));
        let (group, (mut input, output, stderr)) = ProcessGroup::start(command)?;
        let command_line = words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
        let trace = trace.map(|trace| trace.begin(&command_line));
        let (sender, batches) = sync_channel(MAX_BATCHES);
        let (heard, complained) = (trace.clone(), trace.clone());
        thread::spawn(move || {
            let mut batch = Vec::new();
            read_lines(output, |line, is_last| {
                heard.iter().for_each(|trace| trace.line('<', &line));
                batch.push(line);
                !is_last || sender.send(std::mem::take(&mut batch)).is_ok()
            });
        });
        let errors = Arc::new(Mutex::new(VecDeque::new()));
        let kept = Arc::clone(&errors);
        thread::spawn(move || {
            read_lines(stderr, |line, _| {
                complained.iter().for_each(|trace| trace.line('!', &line));
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                if kept.len() == MAX_STDERR_LINES {
                    kept.pop_front();
                }
                kept.push_back(line);
                true
            });
        });
        let (to_input, queue) = channel::<Vec<u8>>();
        // The program's input is closed when the queue is closed, or once the program stops reading.
        thread::spawn(move || queue.iter().try_for_each(|lines| input.write_all(&lines)));
        let (unsent, pending) = (Vec::new(), VecDeque::new());
        Ok(Process { group, input: Some(to_input), unsent, batches, pending, errors, trace, status: None })
    }

    /// Queues a line, to be sent before the next wait for an answer. **Errors**: if the input is closed.
    pub(super) fn send(&mut self, line: &str) -> std::io::Result<()> {
        self.trace.iter().for_each(|trace| trace.line('>', line));
        if self.input.is_none() {
            return Err(std::io::ErrorKind::BrokenPipe.into());
        }
        self.unsent.extend_from_slice(line.as_bytes());
        self.unsent.push(b'\n');
        Ok(())
    }

    /// Sends the unsent lines. **Errors**: if the program no longer reads.
    fn flush(&mut self) -> std::io::Result<()> {
        let unsent = std::mem::take(&mut self.unsent);
        match &self.input {
            Some(input) if !unsent.is_empty() => input.send(unsent).map_err(|_| std::io::ErrorKind::BrokenPipe.into()),
            _ => Ok(()),
        }
    }

    pub(super) fn close_input(&mut self) {
        // Ignore an error: a program that no longer reads will not answer either.
        let _ = self.flush();
        self.input = None;
    }

    /// Returns true if the process has exited. Its children may still run.
    pub(super) fn has_exited(&mut self) -> bool {
        self.group.leader_has_exited()
    }

    /// Returns the next line of the program's output.
    pub(super) fn line(&mut self, deadline: Instant) -> Result<String, ReadError> {
        // Ignore an error: a program that no longer reads may still have printed something. In a flood there is always
        // a line to receive, so check the deadline first.
        let _ = self.flush();
        let remaining = deadline.checked_duration_since(Instant::now()).ok_or(ReadError::Late)?;
        if self.pending.is_empty() {
            let batch = self.batches.recv_timeout(remaining).map_err(|error| match error {
                RecvTimeoutError::Timeout => ReadError::Late,
                RecvTimeoutError::Disconnected => ReadError::Closed,
            })?;
            self.pending = batch.into();
        }
        self.pending.pop_front().ok_or(ReadError::Closed)
    }

    /// Returns the last lines that the program wrote to stderr.
    pub(super) fn errors(&self) -> Vec<String> {
        self.errors.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// Returns the exit status of a process that has closed its output. Kills the process if it does not exit soon.
    pub(super) fn exit_status(&mut self) -> Option<ExitStatus> {
        // Wait before killing the program, because its exit status after a kill says nothing about the program.
        if self.status.is_none() {
            let exited = self.wait_for_exit(GRACE);
            self.status = Some(self.group.end().filter(|_| exited));
        }
        // The last stderr lines may not have been read yet. The thread that reads them drops its reference to the list
        // when stderr ends.
        let start = Instant::now();
        while Arc::strong_count(&self.errors) > 1 && start.elapsed() < GRACE {
            thread::sleep(POLL_INTERVAL);
        }
        self.status.flatten()
    }

    /// Asks the process to quit, and kills it if it does not.
    pub(super) fn quit(mut self) {
        if self.send("quit").and_then(|()| self.flush()).is_ok() {
            self.wait_for_exit(GRACE);
        }
    }

    fn wait_for_exit(&mut self, time: Duration) -> bool {
        let start = Instant::now();
        while !self.group.leader_has_exited() {
            if start.elapsed() > time {
                return false;
            }
            // Drop the queued lines: nobody reads them, and a full queue would keep the process from exiting.
            while self.batches.try_recv().is_ok() {}
            thread::sleep(POLL_INTERVAL);
        }
        true
    }
}

impl Drop for Process {
    /// Kills the process and its group.
    fn drop(&mut self) {
        self.status.get_or_insert_with(|| self.group.end());
    }
}

/// Decodes any bytes as text and trims the end. Engines print ASCII, which in UTF-16 has a NUL next to each character.
fn decode(bytes: &[u8]) -> String {
    // The output may begin with a byte order mark in UTF-8 or UTF-16.
    let ([0xef, 0xbb, 0xbf, bytes @ ..] | [0xff, 0xfe, bytes @ ..] | [0xfe, 0xff, bytes @ ..] | bytes) = bytes;
    // Nearly every line is valid UTF-8 and needs no repair.
    if let (false, Ok(text)) = (bytes.contains(&0), std::str::from_utf8(bytes)) {
        return text.trim_end().into();
    }
    let bytes: Vec<u8> = bytes.iter().copied().filter(|byte| *byte != 0).collect();
    String::from_utf8_lossy(&bytes).trim_end().into()
}

/// Reads lines of arbitrary bytes and truncates long lines. `take` receives each line and a flag that is true if no
/// other whole line is buffered. `take` returns false to stop reading.
fn read_lines(from: impl Read, mut take: impl FnMut(String, bool) -> bool) {
    let mut from = BufReader::new(from);
    let mut bytes = Vec::with_capacity(256);
    loop {
        bytes.clear();
        let read = from.by_ref().take(MAX_OUTPUT_LINE as u64).read_until(b'\n', &mut bytes);
        if !matches!(read, Ok(1..)) {
            return;
        }
        let whole = bytes.last() == Some(&b'\n');
        let is_last = !whole || !from.buffer().contains(&b'\n');
        if !take(decode(&bytes), is_last) || !whole && from.skip_until(b'\n').is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::LazyLock;

    /// The mark of all processes in these tests. It is never dropped, so the tests end their processes themselves.
    static MARKED: LazyLock<MarkedProcesses> = LazyLock::new(MarkedProcesses::new);

    fn shell(script: &str) -> Process {
        let words = if cfg!(windows) { ["cmd", "/c", script] } else { ["sh", "-c", script] };
        Process::start(&words.map(OsString::from), &MARKED, None, None).expect("a shell")
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(10)
    }

    #[cfg(unix)]
    #[test]
    fn a_flood_and_a_line_without_end_cost_no_memory_and_no_time() {
        for script in ["yes flood", "cat /dev/zero"] {
            let mut process = shell(script);
            let deadline = Instant::now() + Duration::from_millis(200);
            while let Ok(line) = process.line(deadline) {
                assert!(line.len() <= MAX_OUTPUT_LINE);
            }
            assert!(deadline.elapsed() < Duration::from_secs(1), "{script}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn lines_may_be_utf_16_or_end_with_cr() {
        for script in [
            r"printf '\377\376o\0k\0\r\0\n\0n\0o\0\n\0'",
            r"printf '\376\377\0o\0k\0\n\0n\0o\0\n'",
            r"printf '\357\273\277ok\r\nno\r\n'",
        ] {
            let mut process = shell(script);
            assert_eq!(process.line(soon()).as_deref(), Ok("ok"), "{script}");
            assert_eq!(process.line(soon()).as_deref(), Ok("no"), "{script}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn the_whole_group_is_ended() {
        let mut process = shell("sleep 1000 & echo $!; trap '' TERM; while :; do sleep 1; done");
        let grandchild = process.line(soon()).expect("its number");
        process.quit();
        let alive = || {
            // A zombie that nobody reaps counts as ended.
            let stat = std::fs::read_to_string(format!("/proc/{grandchild}/stat")).unwrap_or_default();
            !stat.is_empty() && !stat.contains(") Z ")
        };
        let deadline = soon();
        while alive() && Instant::now() < deadline {
            thread::sleep(POLL_INTERVAL);
        }
        assert!(!alive());
    }

    /// The shell exits at once. Its child holds the pipe, so the pipe closes only when the child has ended too.
    #[cfg(windows)]
    #[test]
    fn the_whole_job_is_ended() {
        let mut process = shell("start /b ping -n 1000 127.0.0.1");
        // `wait_for_exit` also empties the queue of lines.
        assert!(process.wait_for_exit(Duration::from_secs(10)), "the shell stays");
        let is_closed_within = |process: &mut Process, time| {
            let deadline = Instant::now() + time;
            loop {
                match process.line(deadline) {
                    Ok(_) => {}
                    Err(error) => break error == ReadError::Closed,
                }
            }
        };
        assert!(!is_closed_within(&mut process, Duration::from_millis(500)), "nothing was left to end");
        process.status = Some(process.group.end());
        assert!(is_closed_within(&mut process, Duration::from_secs(10)), "it was not ended");
    }
}
