//! Processes that left the group of the process that started them: a daemon in a session of its own.
//!
//! What a process starts inherits its environment, so a mark in there names all of it, however often it forks.
//! On Linux the marked processes are found in `/proc` and killed; Windows has job objects instead ([`ProcessGroup`]), and
//! elsewhere only the group is ended.
//!
//! [`ProcessGroup`]: crate::process_group::ProcessGroup

use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};

/// Environment variable that holds the mark.
const VARIABLE: &str = "PERFT_ENGINE_FAMILY";

static NUMBER: AtomicU64 = AtomicU64::new(0);

/// Processes with one mark; at the end of its life, those that still run are killed.
#[derive(Debug)]
pub(super) struct MarkedProcesses {
    mark: String,
}

impl MarkedProcesses {
    /// Returns a mark that no process has.
    pub(super) fn new() -> MarkedProcesses {
        MarkedProcesses { mark: format!("{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed)) }
    }

    /// Marks a command, so that all it starts has the mark.
    pub(super) fn mark(&self, command: &mut Command) {
        command.env(VARIABLE, &self.mark);
    }
}

impl Drop for MarkedProcesses {
    fn drop(&mut self) {
        #[cfg(target_os = "linux")]
        linux::kill(&format!("{VARIABLE}={}", self.mark));
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
    use std::thread;
    use std::time::Duration;

    /// Number of looks at the processes: a process that forks faster than it is killed ends no earlier.
    const ROUNDS: u32 = 50;
    /// Time between two looks.
    const PAUSE: Duration = Duration::from_millis(2);

    /// Kills all processes with an entry in their environment.
    pub(super) fn kill(entry: &str) {
        for _ in 0..ROUNDS {
            let marked: Vec<Pid> = processes().filter(|process| has(*process, entry)).collect();
            if marked.is_empty() {
                return;
            }
            for process in marked {
                let Ok(handle) = pidfd_open(process, PidfdFlags::empty()) else { continue };
                // The number may belong to another process by now; the handle cannot.
                if has(process, entry) {
                    // Fails if it has exited, which is the goal.
                    let _ = pidfd_send_signal(handle, Signal::KILL);
                }
            }
            thread::sleep(PAUSE);
        }
    }

    fn processes() -> impl Iterator<Item = Pid> {
        let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        entries.filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?))
    }

    fn has(process: Pid, entry: &str) -> bool {
        // Processes of other users cannot be read, and no marked one is among them.
        let environment = std::fs::read(format!("/proc/{}/environ", process.as_raw_nonzero())).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|found| found == entry.as_bytes())
    }
}
