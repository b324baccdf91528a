//! Another build of the program, as a process that runs slices of a workload.

use super::slices::{PROTOCOL, PeerHello, READY};
use super::workload::{WORKLOADS_VERSION, Workload};
use perft_gate_lab::measure::Slice;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Maximum time for the first line: a program that knows the protocol prints it at once.
const FIRST_LINE_TIMEOUT: Duration = Duration::from_secs(20);
/// Maximum time for any other line: a slice of a slow machine, or its warm-up.
const LINE_TIMEOUT: Duration = Duration::from_secs(600);
/// Time between two looks at the flag that stops a run.
const LOOK_PERIOD: Duration = Duration::from_millis(100);

/// A program that is to run slices.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its file.
    pub path: PathBuf,
    /// Arguments that make it speak [`PROTOCOL`], but for the workload and the number of threads, which follow.
    pub arguments: Vec<OsString>,
}

/// Error of another program.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum PeerError {
    /// It is no program, or one that does not know the protocol.
    #[error("{}: found {found}, expected a build of perft that speaks {PROTOCOL}", program.display())]
    Unknown {
        /// The program.
        program: PathBuf,
        /// What it did.
        found: String,
    },
    /// Its workloads are others.
    #[error(
        "{}: found version {found} of the set of workloads, expected version {WORKLOADS_VERSION}: the work differs",
        program.display()
    )]
    OtherWorkloads {
        /// The program.
        program: PathBuf,
        /// Version of its set.
        found: u32,
    },
    /// It ended, hung, or answered nonsense while it was measured.
    #[error("{}: found {found}, expected an answer of {PROTOCOL}", program.display())]
    Failed {
        /// The program.
        program: PathBuf,
        /// What it did.
        found: String,
    },
    /// The run was stopped.
    #[error("stopped")]
    Stopped,
}

/// A process that runs slices; it is ended when this is dropped.
pub struct PeerProcess {
    program: PathBuf,
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Drop for PeerProcess {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl PeerProcess {
    /// Starts a program. **Errors**: it cannot be started.
    pub fn start(program: &Program, workload: Workload, threads: usize) -> Result<PeerProcess, PeerError> {
        let Program { path, arguments } = program;
        let mut command = Command::new(path);
        command.args(arguments).args([workload.name(), &threads.to_string()]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let refused = |error: std::io::Error| PeerError::Unknown { program: path.clone(), found: error.to_string() };
        let mut child = command.spawn().map_err(refused)?;
        let (output, input) = (child.stdout.take(), child.stdin.take());
        let (sender, lines) = channel();
        // A pipe cannot be read for a limited time, so a thread reads it; it ends with the process.
        std::thread::spawn(move || {
            let lines = output.into_iter().flat_map(|output| BufReader::new(output).lines()).map_while(Result::ok);
            for line in lines {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(PeerProcess { program: path.clone(), child, input, lines })
    }

    /// Waits for its first line. **Errors**: it does not speak the protocol, or its workloads are others.
    pub fn hello(&mut self, stop: &AtomicBool) -> Result<PeerHello, PeerError> {
        let line = match self.line(FIRST_LINE_TIMEOUT, stop) {
            Err(PeerError::Failed { program, found }) => return Err(PeerError::Unknown { program, found }),
            line => line?,
        };
        let hello = serde_json::from_str::<PeerHello>(&line).ok().filter(|hello| hello.protocol == PROTOCOL);
        let Some(hello) = hello else {
            return Err(PeerError::Unknown { program: self.program.clone(), found: quote(&line) });
        };
        if hello.workloads_version != WORKLOADS_VERSION {
            return Err(PeerError::OtherWorkloads { program: self.program.clone(), found: hello.workloads_version });
        }
        Ok(hello)
    }

    /// Waits until it is warm.
    pub fn wait(&mut self, stop: &AtomicBool) -> Result<(), PeerError> {
        let line = self.line(LINE_TIMEOUT, stop)?;
        if line == READY { Ok(()) } else { Err(self.failure(quote(&line))) }
    }

    /// Has it run this many passes.
    pub fn slice(&mut self, passes: u32, stop: &AtomicBool) -> Result<Slice, PeerError> {
        if let Some(input) = &mut self.input {
            // If it has ended, its silence says so.
            let _ = writeln!(input, "{passes}");
        }
        let line = self.line(LINE_TIMEOUT, stop)?;
        let read = line.split_once(' ').and_then(|(nodes, ns)| Some((nodes.parse().ok()?, ns.parse::<u64>().ok()?)));
        match read {
            Some((nodes, ns)) if ns > 0 => Ok(Slice { nodes, time: Duration::from_nanos(ns) }),
            _ => Err(self.failure(quote(&line))),
        }
    }

    fn failure(&self, found: String) -> PeerError {
        PeerError::Failed { program: self.program.clone(), found }
    }

    /// Returns its next line.
    fn line(&mut self, timeout: Duration, stop: &AtomicBool) -> Result<String, PeerError> {
        let begun = Instant::now();
        loop {
            match self.lines.recv_timeout(LOOK_PERIOD) {
                Ok(line) => return Ok(line),
                Err(_) if stop.load(Ordering::Relaxed) => return Err(PeerError::Stopped),
                Err(RecvTimeoutError::Disconnected) => {
                    let words = self.last_words();
                    // Ctrl-C ends it too, and perhaps before we know.
                    std::thread::sleep(LOOK_PERIOD);
                    let is_stopped = stop.load(Ordering::Relaxed);
                    return Err(if is_stopped { PeerError::Stopped } else { self.failure(words) });
                }
                Err(RecvTimeoutError::Timeout) if begun.elapsed() > timeout => {
                    return Err(self.failure(format!("no answer within {} s", timeout.as_secs())));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Describes how it ended: with its exit code, and the first line of its errors.
    fn last_words(&mut self) -> String {
        let _ = self.child.kill();
        let status = self.child.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
        let mut errors = Vec::new();
        let stderr = self.child.stderr.take();
        // What others hold open is not waited for: a thread of theirs may live longer.
        let _ = stderr.map(|stderr| stderr.take(MAX_ERROR_BYTES).read_to_end(&mut errors));
        let errors = String::from_utf8_lossy(&errors);
        match errors.lines().find(|line| !line.trim().is_empty()) {
            Some(line) => format!("its end ({status}) and {}", quote(line)),
            None => format!("its end ({status})"),
        }
    }
}

/// Maximum number of bytes of its errors to read.
const MAX_ERROR_BYTES: u64 = 4096;

/// Returns the beginning of a line in quotes, without control characters.
fn quote(line: &str) -> String {
    const MAX_QUOTED: usize = 80;
    let text: String = line.chars().filter(|letter| !letter.is_control()).take(MAX_QUOTED).collect();
    let rest = if line.chars().count() > MAX_QUOTED { "…" } else { "" };
    format!("'{text}{rest}'")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Returns a program that runs a script.
    fn script(text: &str) -> Program {
        Program { path: "sh".into(), arguments: vec!["-c".into(), text.into()] }
    }

    fn error(text: &str) -> String {
        let stop = AtomicBool::new(false);
        let run = |mut peer: PeerProcess| {
            peer.hello(&stop)?;
            peer.wait(&stop)?;
            peer.slice(2, &stop)
        };
        PeerProcess::start(&script(text), Workload::Queens, 1).and_then(run).unwrap_err().to_string()
    }

    fn hello(workloads_version: u32) -> String {
        let text = String::new;
        let hello = PeerHello {
            protocol: PROTOCOL.into(),
            workloads_version,
            version: text(),
            revision: text(),
            level: text(),
        };
        serde_json::to_string(&hello).unwrap()
    }

    #[test]
    fn a_program_that_does_not_know_the_protocol_is_named_in_a_line() {
        let expected = "expected a build of perft that speaks perft.slices/1";
        let missing = PeerProcess::start(&Program { path: "no/such".into(), arguments: vec![] }, Workload::Queens, 1);
        assert!(missing.err().unwrap().to_string().starts_with("no/such: found No such file"));
        let found = error("echo \"error: unrecognized subcommand 'bench-slices'\" >&2; exit 2");
        let words = "sh: found its end (exit status: 2) and 'error: unrecognized subcommand 'bench-slices''";
        assert_eq!(found, format!("{words}, {expected}"));
        assert_eq!(error("echo nodes 20"), format!("sh: found 'nodes 20', {expected}"));
        assert_eq!(error("exit 0"), format!("sh: found its end (exit status: 0), {expected}"));
        let other = error(&format!("echo '{}'", hello(WORKLOADS_VERSION + 1)));
        assert!(other.starts_with("sh: found version 2 of the set of workloads, expected version 1"), "{other}");
    }

    #[test]
    fn a_program_that_fails_later_is_named_too() {
        let after = |rest: &str| error(&format!("echo '{}'; {rest}", hello(WORKLOADS_VERSION)));
        assert!(after("exit 3").starts_with("sh: found its end (exit status: 3), expected an answer of"));
        assert!(after("echo steady").starts_with("sh: found 'steady', expected an answer of"));
        for answer in ["", "1", "1 0", "1 -5", "a b"] {
            let found = after(&format!("echo ready; read passes; echo '{answer}'"));
            assert!(found.starts_with(&format!("sh: found '{answer}', expected an answer of")), "{found}");
        }
    }

    #[test]
    fn slices_are_what_it_says() {
        let text = format!("echo '{}'; echo ready; read passes; echo $passes 7", hello(WORKLOADS_VERSION));
        let stop = AtomicBool::new(false);
        let mut peer = PeerProcess::start(&script(&text), Workload::Queens, 1).unwrap();
        peer.hello(&stop).unwrap();
        peer.wait(&stop).unwrap();
        assert_eq!(peer.slice(5, &stop), Ok(Slice { nodes: 5, time: Duration::from_nanos(7) }));
    }

    #[test]
    fn a_program_that_hangs_does_not_hold_up_a_stopped_run() {
        let stop = AtomicBool::new(true);
        let mut peer = PeerProcess::start(&script("sleep 100"), Workload::Queens, 1).unwrap();
        assert_eq!(peer.hello(&stop), Err(PeerError::Stopped));
    }
}
