//! Process and everything that it starts, ended together: a process group on Unix, a job object on Windows.
//!
//! On Windows, the process joins its job before it runs its first instruction
//! ([process-wrap](https://docs.rs/process-wrap)), so nothing that it starts can be outside.

use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};

/// A running process and all that it started.
#[derive(Debug)]
pub(super) struct ProcessGroup(system::Leader);

/// Pipes to a process and from it.
pub(super) type Pipes = (ChildStdin, ChildStdout, ChildStderr);

impl ProcessGroup {
    /// Starts it. **Errors**: those of the system; usually there is no such program.
    pub(super) fn start(mut command: Command) -> std::io::Result<(ProcessGroup, Pipes)> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let (leader, pipes) = system::start(command)?;
        let (Some(input), Some(output), Some(errors)) = pipes else { unreachable!("the pipes were asked for") };
        Ok((ProcessGroup(leader), (input, output, errors)))
    }

    /// Returns true if the process has exited. It is not reaped, so that its number stays that of its group.
    pub(super) fn leader_has_exited(&mut self) -> bool {
        system::has_exited(&mut self.0)
    }

    /// Kills what is left of the group; returns how its first process ended, whose number may then belong to another.
    pub(super) fn end(&mut self) -> Option<ExitStatus> {
        system::end(&mut self.0)
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

    pub(super) fn end(child: &mut Leader) -> Option<ExitStatus> {
        // Fails only if no process of the group is left, which is the goal.
        let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
        child.wait().ok()
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

    // The process is waited for by itself: the job's own wait takes messages from its port, and blocks when they are gone.

    pub(super) fn has_exited(child: &mut Leader) -> bool {
        !matches!(child.inner_mut().try_wait(), Ok(None))
    }

    pub(super) fn end(child: &mut Leader) -> Option<ExitStatus> {
        // Fails only if no process of the job is left, which is the goal.
        let _ = child.start_kill();
        child.inner_mut().wait().ok()
    }
}

#[cfg(not(any(unix, windows)))]
mod system {
    use super::MaybePipes;
    use std::process::{Child, Command, ExitStatus};

    pub(super) type Leader = Child;

    pub(super) fn start(mut command: Command) -> std::io::Result<(Leader, MaybePipes)> {
        let mut child = command.spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        Ok((child, pipes))
    }

    pub(super) fn has_exited(child: &mut Leader) -> bool {
        !matches!(child.try_wait(), Ok(None))
    }

    pub(super) fn end(child: &mut Leader) -> Option<ExitStatus> {
        let _ = child.kill();
        child.wait().ok()
    }
}
