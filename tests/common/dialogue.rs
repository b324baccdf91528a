//! A dialogue with a running program, line by line.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

/// Time after which a program counts as hung. It is long because a system short of memory once took more than a minute
/// to allocate a large table.
const PATIENCE: Duration = Duration::from_secs(600);

/// A running program, killed on drop.
pub struct Dialogue {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Dialogue {
    #[track_caller]
    pub fn start(command: &mut Command) -> Dialogue {
        let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn();
        let mut child = started.unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let output = child.stdout.take().expect("a pipe");
        let (sender, lines) = channel();
        spawn(move || BufReader::new(output).lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Dialogue { input: child.stdin.take(), child, lines }
    }

    #[track_caller]
    pub fn send(&mut self, lines: &str) {
        let input = self.input.as_mut().expect("an open input");
        writeln!(input, "{lines}").and_then(|()| input.flush()).unwrap_or_else(|error| panic!("{lines}: {error}"));
    }

    /// Returns the lines up to the first one that `is_last` accepts.
    #[track_caller]
    pub fn until(&self, is_last: impl Fn(&str) -> bool) -> Vec<String> {
        let (start, mut lines) = (Instant::now(), Vec::new());
        loop {
            let left = PATIENCE.saturating_sub(start.elapsed());
            match self.lines.recv_timeout(left) {
                Ok(line) => lines.push(line),
                Err(error) => panic!("{error}, after {lines:?}"),
            }
            if lines.last().is_some_and(|line| is_last(line)) {
                return lines;
            }
        }
    }

    /// Sends lines, then `isready`; returns the answer up to `readyok`.
    #[track_caller]
    pub fn ask(&mut self, lines: &str) -> Vec<String> {
        self.send(&format!("{lines}\nisready"));
        let mut answer = self.until(|line| line == "readyok");
        answer.pop();
        answer
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn close(&mut self) {
        self.input = None;
    }

    /// Waits for the end; returns the exit status and the unread lines.
    #[track_caller]
    pub fn end(mut self) -> (ExitStatus, Vec<String>) {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return (status, self.lines.iter().collect());
            }
            assert!(start.elapsed() < PATIENCE, "it does not end");
            sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Dialogue {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
