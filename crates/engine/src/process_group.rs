//! A process and everything it starts, to be ended together: a process group on Unix, a job object on Windows.
//!
//! On Windows, the process joins its job before its first instruction ([process-wrap](https://docs.rs/process-wrap)),
//! so all of its children are in the job.
//!
//! Other systems are not supported.
//!
//! If our process dies first, for any reason, a [`Sentinel`] ends the group.
//!
//! A process can leave its group, for example as a daemon in a separate session. But children inherit the environment,
//! so a variable in it marks all of them, however often they fork ([`MarkedProcesses`]). On Linux the marked processes
//! are found in `/proc` and killed. On Windows the job object suffices. On other Unix systems only the group is ended.

use std::io::Write;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

/// A running process and all of its children.
#[derive(Debug)]
pub(super) struct ProcessGroup {
    leader: system::Leader,
    /// The shell that ends the group if our process dies. Absent on systems without a shell.
    sentinel: Option<Sentinel>,
}

/// A shell that waits for a line from us. If its input ends without one, we have died, and the shell kills the group.
#[derive(Debug)]
struct Sentinel(Child);

impl Sentinel {
    fn start(process: u32) -> Option<Sentinel> {
        let mut command = system::sentinel(process);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok().map(Sentinel)
    }

    /// Ends the sentinel without ending the process group.
    fn dismiss(mut self) {
        let sent = self.0.stdin.take().map(|mut input| input.write_all(b"end\r\n"));
        if !matches!(sent, Some(Ok(()))) {
            // The sentinel has ended already, or ends now.
            let _ = self.0.kill();
        }
        let _ = self.0.wait();
    }
}

pub(super) type Pipes = (ChildStdin, ChildStdout, ChildStderr);

impl ProcessGroup {
    /// Starts a process. **Errors**: those of the system, usually a missing program.
    pub(super) fn start(mut command: Command) -> std::io::Result<(ProcessGroup, Pipes)> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let (leader, pipes) = system::start(command)?;
        let (Some(input), Some(output), Some(errors)) = pipes else { unreachable!("the pipes were asked for") };
        let sentinel = Sentinel::start(leader.id());
        Ok((ProcessGroup { leader, sentinel }, (input, output, errors)))
    }

    /// Returns true if the process has exited. It is not reaped yet, so its number still identifies its group.
    pub(super) fn leader_has_exited(&mut self) -> bool {
        system::has_exited(&mut self.leader)
    }

    /// Kills the whole group. Returns the exit status of the leader, whose number may then belong to another process.
    pub(super) fn end(&mut self) -> Option<ExitStatus> {
        system::kill(&mut self.leader);
        // Dismiss the sentinel before reaping the leader: until then, no other process can have the leader's number.
        self.sentinel.take().into_iter().for_each(Sentinel::dismiss);
        system::wait(&mut self.leader)
    }
}

type MaybePipes = (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>);

#[cfg(unix)]
mod system {
    use super::MaybePipes;
    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command, ExitStatus};

    pub(super) type Leader = Child;

    pub(super) fn start(mut command: Command) -> std::io::Result<(Leader, MaybePipes)> {
        let mut child = command.process_group(0).spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        Ok((child, pipes))
    }

    pub(super) fn has_exited(child: &mut Leader) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(Pid::from_child(child)), options), Ok(None))
    }

    pub(super) fn kill(child: &mut Leader) {
        // Fails only if no process of the group is left, which is the goal.
        let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    }

    pub(super) fn wait(child: &mut Leader) -> Option<ExitStatus> {
        child.wait().ok()
    }

    pub(super) fn sentinel(process: u32) -> Command {
        let mut command = Command::new("/bin/sh");
        // The sentinel runs in a separate group, so that it survives the end of our own group.
        command.args(["-c", "read -r line || kill -s KILL -- -$0", &process.to_string()]).process_group(0);
        command
    }
}

#[cfg(windows)]
mod system {
    use super::MaybePipes;
    use process_wrap::std::{ChildWrapper, CommandWrap, JobObject};
    use std::process::{Command, ExitStatus};

    pub(super) type Leader = Box<dyn ChildWrapper>;

    pub(super) fn start(command: Command) -> std::io::Result<(Leader, MaybePipes)> {
        let mut child = CommandWrap::from(command).wrap(JobObject).spawn()?;
        let pipes = (child.stdin().take(), child.stdout().take(), child.stderr().take());
        Ok((child, pipes))
    }

    // Ask the process directly. Waiting for the job takes messages from the job's port, and blocks once there are none.

    pub(super) fn has_exited(child: &mut Leader) -> bool {
        !matches!(child.inner_mut().try_wait(), Ok(None))
    }

    pub(super) fn kill(child: &mut Leader) {
        // Fails only if no process of the job is left, which is the goal.
        let _ = child.start_kill();
    }

    pub(super) fn wait(child: &mut Leader) -> Option<ExitStatus> {
        child.inner_mut().wait().ok()
    }

    pub(super) fn sentinel(process: u32) -> Command {
        let mut command = Command::new("cmd");
        let process = process.to_string();
        command.args(["/d", "/c", "set", "/p", "line=", "||", "taskkill", "/f", "/t", "/pid", &process]);
        command
    }
}

/// Environment variable that marks a process and all of its children.
const VARIABLE: &str = "PERFT_ENGINE_FAMILY";

static NUMBER: AtomicU64 = AtomicU64::new(0);

/// Processes that share a mark in their environment. On drop, those that are still running are killed.
#[derive(Debug)]
pub(super) struct MarkedProcesses(String);

impl MarkedProcesses {
    pub(super) fn new() -> MarkedProcesses {
        MarkedProcesses(format!("{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed)))
    }

    /// Marks a command, so that its process and all children have the mark.
    pub(super) fn mark(&self, command: &mut Command) {
        command.env(VARIABLE, &self.0);
    }
}

impl Drop for MarkedProcesses {
    fn drop(&mut self) {
        #[cfg(target_os = "linux")]
        linux::kill(&format!("{VARIABLE}={}", self.0));
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
    use std::thread;
    use std::time::Duration;

    /// Maximum number of passes over all processes of the system. Only a process that forks faster than it is killed
    /// needs all passes.
    const ROUNDS: u32 = 50;
    /// Time between two passes over all processes.
    const PAUSE: Duration = Duration::from_millis(2);

    /// Kills all processes with this entry in their environment.
    pub(super) fn kill(entry: &str) {
        for _ in 0..ROUNDS {
            let marked: Vec<Pid> = processes().filter(|process| has(*process, entry)).collect();
            if marked.is_empty() {
                return;
            }
            for process in marked {
                let Ok(handle) = pidfd_open(process, PidfdFlags::empty()) else { continue };
                // The PID may have been reused before `pidfd_open`, so check again. The handle stays with its process.
                if has(process, entry) {
                    // An error means that the process has already exited, which is just as good.
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
        // Processes of other users cannot be read, and none of them is marked.
        let environment = std::fs::read(format!("/proc/{}/environ", process.as_raw_nonzero())).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|found| found == entry.as_bytes())
    }
}
