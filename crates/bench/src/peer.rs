//! Both ends of the [`protocol`](super::protocol) for measuring another build: a handle to the process that runs slices
//! of a workload, and the loop in which that process serves requests for slices.

use super::protocol::{BenchError, PROTOCOL, PeerError, PeerHello, READY};
use super::team::Team;
use super::workload::{WORKLOADS_VERSION, Workload, hashed_table};
use perft_gate_lab::measure::Slice;
use perft_gate_machine::record::Build;
use perft_gate_simd::Level;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Maximum time to wait for the first line. A program that knows the protocol prints it at once.
const FIRST_LINE_TIMEOUT: Duration = Duration::from_secs(20);
/// Maximum time to wait for any other line. It is long, because a slice or a warm-up may be slow on some machines.
const LINE_TIMEOUT: Duration = Duration::from_secs(600);
/// Time between two checks of the stop flag.
const LOOK_PERIOD: Duration = Duration::from_millis(100);

/// A program that can run slices: passes of a workload, timed together.
#[derive(Clone, Debug)]
pub struct Program {
    pub path: PathBuf,
    /// Arguments that make the program speak [`PROTOCOL`]. The workload and the number of threads are appended to them.
    pub arguments: Vec<OsString>,
}

/// A process that runs and times passes of a workload on request. Dropping the value ends the process.
pub struct PeerProcess {
    program: PathBuf,
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Drop for PeerProcess {
    fn drop(&mut self) {
        // The process may have ended already.
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
        let unknown = |error| PeerError::Unknown(format!("{}: found {error}", path.display()));
        let mut child = command.spawn().map_err(unknown)?;
        let (output, input) = (child.stdout.take(), child.stdin.take());
        let (sender, lines) = channel();
        // A read from a pipe cannot time out, so a separate thread reads. It ends when the process ends.
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

    /// Waits for the first line. **Errors**: the process does not speak the protocol, or its workloads differ.
    pub fn hello(&mut self, stop: &AtomicBool) -> Result<PeerHello, PeerError> {
        let line = match self.line(FIRST_LINE_TIMEOUT, stop) {
            Err(PeerError::Failed(found)) => return Err(PeerError::Unknown(found)),
            line => line?,
        };
        let hello = serde_json::from_str::<PeerHello>(&line).ok().filter(|hello| hello.protocol == PROTOCOL);
        let hello = hello.ok_or_else(|| PeerError::Unknown(self.found(&quote(&line))))?;
        if hello.workloads_version != WORKLOADS_VERSION {
            let found = format!("version {} of the set of workloads", hello.workloads_version);
            let found = format!("{found}, expected version {WORKLOADS_VERSION}");
            return Err(PeerError::OtherWorkloads(self.found(&found)));
        }
        Ok(hello)
    }

    /// Waits until the process has warmed up.
    pub fn wait(&mut self, stop: &AtomicBool) -> Result<(), PeerError> {
        self.answer(stop, |line| (line == READY).then_some(()))
    }

    /// Makes the process run `passes` passes, and returns the node count and the time that the process reports.
    pub fn slice(&mut self, passes: u32, stop: &AtomicBool) -> Result<Slice, PeerError> {
        if let Some(input) = &mut self.input {
            // An error can be ignored here: if the process has ended, waiting for its answer fails below.
            let _ = writeln!(input, "{passes}");
        }
        self.answer(stop, |line| {
            let (nodes, ns) = line.split_once(' ')?;
            let time = Duration::from_nanos(ns.parse().ok().filter(|&ns| ns > 0)?);
            Some(Slice { nodes: nodes.parse().ok()?, time })
        })
    }

    /// Waits for the next line and parses it with `read`.
    fn answer<T>(&mut self, stop: &AtomicBool, read: impl Fn(&str) -> Option<T>) -> Result<T, PeerError> {
        let line = self.line(LINE_TIMEOUT, stop)?;
        read(&line).ok_or_else(|| PeerError::Failed(self.found(&quote(&line))))
    }

    fn found(&self, found: &str) -> String {
        format!("{}: found {found}", self.program.display())
    }

    fn line(&mut self, timeout: Duration, stop: &AtomicBool) -> Result<String, PeerError> {
        let begun = Instant::now();
        loop {
            match self.lines.recv_timeout(LOOK_PERIOD) {
                Ok(line) => return Ok(line),
                Err(_) if stop.load(Ordering::Relaxed) => return Err(PeerError::Stopped),
                Err(RecvTimeoutError::Disconnected) => {
                    let words = self.last_words();
                    // Ctrl-C also ends the measured process, perhaps before our stop flag is set.
                    std::thread::sleep(LOOK_PERIOD);
                    let is_stopped = stop.load(Ordering::Relaxed);
                    return Err(if is_stopped { PeerError::Stopped } else { PeerError::Failed(self.found(&words)) });
                }
                Err(RecvTimeoutError::Timeout) if begun.elapsed() > timeout => {
                    return Err(PeerError::Failed(self.found(&format!("no answer within {} s", timeout.as_secs()))));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Describes how the process ended: its exit status and the first line of its standard error.
    fn last_words(&mut self) -> String {
        let _ = self.child.kill();
        let status = self.child.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
        let mut errors = Vec::new();
        let stderr = self.child.stderr.take();
        // The number of bytes is limited, because another process may hold the pipe open and write without end.
        let _ = stderr.map(|stderr| stderr.take(MAX_ERROR_BYTES).read_to_end(&mut errors));
        let errors = String::from_utf8_lossy(&errors);
        match errors.lines().find(|line| !line.trim().is_empty()) {
            Some(line) => format!("no answer ({status}) but {}", quote(line)),
            None => format!("no answer ({status})"),
        }
    }
}

/// Maximum number of bytes read from a process's standard error.
const MAX_ERROR_BYTES: u64 = 4096;

/// Returns the beginning of a line, enclosed in quotes and without control characters.
fn quote(line: &str) -> String {
    const MAX_QUOTED: usize = 80;
    let text: String = line.chars().filter(|letter| !letter.is_control()).take(MAX_QUOTED).collect();
    let rest = if line.chars().count() > MAX_QUOTED { "…" } else { "" };
    format!("'{text}{rest}'")
}

/// Minimum duration of the warm-up, which runs at least one pass.
const WARM_UP: Duration = Duration::from_millis(10);

impl PeerHello {
    /// Returns the contents of the first line that this build prints.
    pub fn new(build: &Build, level: Level) -> PeerHello {
        PeerHello {
            protocol: PROTOCOL.into(),
            workloads_version: WORKLOADS_VERSION,
            version: build.version.clone(),
            revision: build.name(),
            level: level.to_string(),
        }
    }
}

/// Runs slices for as long as `input` asks for them. **Errors**: the system provides no threads or memory, or the
/// process that asks has ended.
pub fn serve(
    workload: Workload,
    threads: usize,
    level: Level,
    hello: &PeerHello,
    input: impl BufRead,
    mut output: impl Write,
) -> Result<(), BenchError> {
    let mut say = |line: &str| writeln!(output, "{line}").and_then(|()| output.flush()).map_err(lost_caller);
    say(&serde_json::to_string(hello).expect("strings and numbers"))?;
    let team = Team::new(threads)?;
    let table = (workload == Workload::Hashed).then(|| hashed_table(&team)).transpose()?;
    let mut work = workload.on(&team, level, table.as_ref());
    let begun = Instant::now();
    while begun.elapsed() < WARM_UP {
        (work.pass)();
    }
    say(READY)?;
    for line in input.lines() {
        let line = line.map_err(lost_caller)?;
        let passes = line.trim().parse::<u32>().ok().filter(|&passes| passes > 0);
        let passes =
            passes.ok_or_else(|| BenchError::System(format!("found '{line}', expected a number of passes")))?;
        let start = Instant::now();
        let units: u64 = (0..passes).map(|_| (work.pass)()).sum();
        let ns = start.elapsed().as_nanos();
        say(&format!("{units} {ns}"))?;
    }
    Ok(())
}

fn lost_caller(error: io::Error) -> BenchError {
    BenchError::System(format!("the process that asked for slices: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference;

    fn serve_input(input: &str) -> (Vec<String>, Result<(), BenchError>) {
        let (mut output, level) = (Vec::new(), Level::detect());
        let hello = PeerHello::new(&reference().build, level);
        let result = serve(Workload::Queens, 1, level, &hello, input.as_bytes(), &mut output);
        (String::from_utf8(output).unwrap().lines().map(str::to_string).collect(), result)
    }

    #[test]
    fn a_slice_is_answered_by_its_count_and_time() {
        let (lines, result) = serve_input("1\n3\n");
        assert!(result.is_ok());
        let hello: PeerHello = serde_json::from_str(&lines[0]).unwrap();
        assert_eq!((&*hello.protocol, hello.workloads_version), (PROTOCOL, WORKLOADS_VERSION));
        assert_eq!(lines[1], READY);
        let units: Vec<u64> = lines[2..].iter().map(|line| line.split_once(' ').unwrap().0.parse().unwrap()).collect();
        assert_eq!(units, [1, 3].map(|passes| passes * Workload::Queens.units(1)));
    }

    #[test]
    fn anything_but_a_number_of_passes_ends_it() {
        for input in ["0\n", "-1\n", "go\n"] {
            let (lines, result) = serve_input(input);
            assert_eq!(lines.len(), 2);
            assert!(result.unwrap_err().to_string().contains("expected a number of passes"));
        }
    }
}

#[cfg(all(test, unix))]
mod tests_of_peers {
    use super::*;

    fn script(text: &str) -> Program {
        Program { path: "sh".into(), arguments: vec!["-c".into(), text.into()] }
    }

    fn run(text: &str) -> Result<Slice, PeerError> {
        let stop = AtomicBool::new(false);
        let mut peer = PeerProcess::start(&script(text), Workload::Queens, 1)?;
        peer.hello(&stop)?;
        peer.wait(&stop)?;
        peer.slice(5, &stop)
    }

    fn hello(workloads_version: u32) -> String {
        let text = String::new;
        let protocol = PROTOCOL.into();
        let hello = PeerHello { protocol, workloads_version, version: text(), revision: text(), level: text() };
        format!("echo '{}'", serde_json::to_string(&hello).unwrap())
    }

    #[test]
    fn answers_are_slices_and_all_else_is_a_failure() {
        let after = |rest: &str| run(&format!("{}; {rest}", hello(WORKLOADS_VERSION)));
        let slice = Slice { nodes: 5, time: Duration::from_nanos(7) };
        assert_eq!(after("echo ready; read passes; echo $passes 7"), Ok(slice));
        let fails = |rest: &str, found: &str| {
            assert_eq!(after(rest), Err(PeerError::Failed(format!("sh: found {found}"))), "{rest}");
        };
        fails("exit 3", "no answer (exit status: 3)");
        fails("echo steady", "'steady'");
        for answer in ["", "1", "1 0", "1 -5", "a b"] {
            fails(&format!("echo ready; read passes; echo '{answer}'"), &format!("'{answer}'"));
        }
    }

    #[test]
    fn a_program_that_hangs_does_not_hold_up_a_stopped_run() {
        let stop = AtomicBool::new(true);
        let mut peer = PeerProcess::start(&script("sleep 100"), Workload::Queens, 1).unwrap();
        assert_eq!(peer.hello(&stop), Err(PeerError::Stopped));
    }
}
