//! Runs of the binary, system commands, free addresses, and paths of this repository.

use super::checked;
use std::io::Write;
use std::net::{TcpListener, UdpSocket};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

#[derive(Debug)]
pub struct Run {
    /// The exit code; `None` if a signal ended the run.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    /// Waits for the end of a child whose output is piped.
    pub fn wait(child: Child) -> Run {
        child.wait_with_output().expect("the child ends").into()
    }

    /// Runs a command to its end. Its standard input is empty, and no standard stream is a terminal.
    pub fn finish(command: &mut Command) -> Run {
        command.output().unwrap_or_else(|error| panic!("{command:?}: {error}")).into()
    }

    /// Returns everything that was printed: standard output, then standard error.
    pub fn printed(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }

    /// Checks the exit code, and that each part was printed, or not printed if it begins with `!`.
    #[track_caller]
    pub fn expect(&self, code: i32, parts: &[&str]) {
        let text = self.printed();
        assert_eq!(self.code, Some(code), "{text}");
        for part in parts {
            let is_printed = text.contains(part.trim_start_matches('!'));
            assert_ne!(is_printed, part.starts_with('!'), "expected '{part}' in:\n{text}");
        }
    }

    /// Checks the exit code, that standard output is empty, and that standard error is one line that contains `part`.
    #[track_caller]
    pub fn expect_error(&self, code: i32, part: &str) {
        self.expect(code, &[]);
        let is_line = self.stderr.lines().count() == 1 && self.stdout.is_empty();
        assert!(is_line && self.stderr.contains(part), "expected one line with '{part}' in:\n{}", self.printed());
    }

    /// Returns the document on standard output, which must follow its schema. Nothing else may be there.
    #[track_caller]
    pub fn document(&self) -> serde_json::Value {
        checked(serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}", self.printed())))
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Run {
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

/// Sends a signal, such as `-INT`.
#[cfg(unix)]
#[track_caller]
pub fn signal(name: &str, child: &Child) {
    assert!(succeeds(&format!("kill {name} {}", child.id())), "{name}");
}

/// Waits until a child catches interrupts. If the system does not report this, waits a moment instead.
#[cfg(unix)]
pub fn wait_until_it_catches_interrupts(child: &mut Child) {
    const SIGINT: u32 = 2;
    let status = format!("/proc/{}/status", child.id());
    loop {
        let Ok(text) = std::fs::read_to_string(&status) else {
            return std::thread::sleep(std::time::Duration::from_secs(2));
        };
        let caught = text.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
        if caught >> (SIGINT - 1) & 1 == 1 || child.try_wait().expect("a child").is_some() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

pub const BINARY: &str = env!("CARGO_BIN_EXE_perft");

/// Returns a command that runs the binary. Progress is off, so its output does not depend on time.
pub fn command() -> Command {
    let mut command = Command::new(BINARY);
    command.env("PERFT_PROGRESS", "off");
    command
}

pub fn perft(arguments: &[&str]) -> Run {
    Run::finish(command().args(arguments))
}

pub fn perft_line(line: &str) -> Run {
    Run::finish(command().args(line.split(' ')))
}

/// Starts the binary with the words of a line, its output piped.
#[track_caller]
pub fn start(line: &str) -> Child {
    start_command(command().args(line.split(' ')).stdin(Stdio::piped()))
}

/// Starts a command, its output piped.
#[track_caller]
pub fn start_command(command: &mut Command) -> Child {
    let started = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    started.unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

/// Waits a few minutes at most for a condition to become true. The child must not end before that.
#[track_caller]
pub fn wait_until(child: &mut Child, is_so: impl Fn() -> bool) {
    let start = std::time::Instant::now();
    while !is_so() {
        assert!(child.try_wait().expect("a child").is_none(), "it ended");
        assert!(start.elapsed().as_secs() < 240, "nothing happens");
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
}

#[track_caller]
pub fn perft_with_input(line: &str, input: impl AsRef<[u8]>) -> Run {
    let mut child = start(line);
    child.stdin.take().expect("a pipe").write_all(input.as_ref()).expect("an open pipe");
    Run::wait(child)
}

/// Returns the key that `perft key` printed for the scheme whose name begins with `scheme`.
#[track_caller]
pub fn key_of(scheme: &str, run: &Run) -> String {
    let line = run.stdout.lines().find(|line| line.starts_with(scheme));
    let key = line.and_then(|line| line.split_whitespace().nth(1));
    key.unwrap_or_else(|| panic!("no key of {scheme} in {}", run.printed())).into()
}

/// Runs a line in `sh`, where `perft` is the binary.
#[cfg(unix)]
pub fn shell(line: &str) -> Run {
    Run::finish(command_of_shell("sh").args(["-c", line]))
}

/// Returns the command of a shell where `perft` is the binary.
#[cfg(unix)]
pub fn command_of_shell(shell: &str) -> Command {
    let mut command = Command::new(shell);
    command.env("PERFT_PROGRESS", "off").env("PATH", path_with_binary()).stdin(Stdio::null());
    command
}

/// Returns the search path, with the binary's folder first.
pub fn path_with_binary() -> String {
    let folder = Path::new(BINARY).parent().expect("a folder").to_path_buf();
    let rest = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(folder).chain(std::env::split_paths(&rest));
    std::env::join_paths(all).expect("folders without ':'").into_string().expect("a path in UTF-8")
}

/// Runs a system command; returns true if it succeeds.
pub fn succeeds(line: &str) -> bool {
    let mut words = line.split(' ');
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).stdin(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Returns a free address of this machine. The system assigns its port to no other connection. No other test gets the
/// address, even in another process: a UDP socket reserves the port until this process ends.
pub fn free_address() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    const FIRST: u32 = 10_000;
    const PORTS: u32 = 20_000;
    let base = std::process::id().wrapping_mul(0x9e37_79b1) >> 16;
    loop {
        let port = FIRST + (base + NEXT.fetch_add(1, Ordering::Relaxed)) % PORTS;
        let address = format!("127.0.0.1:{port}");
        if let (Ok(reserved), Ok(_)) = (UdpSocket::bind(&address), TcpListener::bind(&address)) {
            std::mem::forget(reserved);
            return address;
        }
    }
}

pub fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}
