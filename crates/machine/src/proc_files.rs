//! Linux's files in `/proc` that tell who uses the processors.
//!
//! They are read below a root, so that tests have trees of their own. A file that is absent or that may not be read is a
//! quantity that is not available; other systems have none of them.

use std::fs;
use std::path::PathBuf;

/// Processor times of the whole machine since its start, in ticks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ProcessorTimes {
    /// Time of all processors, idle or not.
    pub all: u64,
    /// Time in which they were not idle, stolen time included.
    pub busy: u64,
    /// Time in which a processor had work, but the hypervisor ran another virtual machine.
    pub steal: u64,
}

/// The files, below `/proc` but in tests.
pub(crate) struct ProcFiles {
    pub root: PathBuf,
}

impl ProcFiles {
    fn text(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.root.join(path)).ok()
    }

    /// Returns the processor times, and the number of runnable threads.
    pub fn processors(&self) -> Option<(ProcessorTimes, Option<u64>)> {
        let text = self.text("stat")?;
        let mut lines = text.lines();
        // user, nice, system, idle, iowait, irq, softirq, steal; what follows is contained in user and nice.
        let numbers = lines.next()?.strip_prefix("cpu ")?.split_whitespace();
        let ticks = numbers.map(|number| number.parse().ok()).collect::<Option<Vec<u64>>>()?;
        let all = ticks.iter().take(8).sum();
        let at = |place: usize| ticks.get(place).copied().unwrap_or(0);
        let times = ProcessorTimes { all, busy: all - at(3) - at(4), steal: at(7) };
        let runnable = lines.find_map(|line| line.strip_prefix("procs_running ")?.trim().parse().ok());
        (all > 0).then_some((times, runnable))
    }

    /// Returns the processor time of this process, in the same ticks.
    pub fn own_time(&self) -> Option<u64> {
        let text = self.text("self/stat")?;
        let fields = fields_after_name(&text)?;
        // utime and stime.
        Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
    }

    /// Returns the number of runnable threads of this process.
    pub fn own_runnable(&self) -> Option<u64> {
        let is_running = |entry: &fs::DirEntry| {
            let text = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
            fields_after_name(&text).is_some_and(|fields| fields.first() == Some(&"R"))
        };
        Some(fs::read_dir(self.root.join("self/task")).ok()?.flatten().filter(is_running).count() as u64)
    }
}

/// Returns the fields of a `stat` file after the process's name, which may contain spaces and parentheses.
fn fields_after_name(text: &str) -> Option<Vec<&str>> {
    Some(text.rsplit_once(')')?.1.split_whitespace().collect())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::path::Path;

    /// Writes files of a system below a root.
    pub fn write(root: &Path, files: &[(&str, &str)]) {
        for (path, text) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, format!("{text}\n")).unwrap();
        }
    }

    /// Files of every Linux.
    pub const KERNEL: [(&str, &str); 4] = [
        ("stat", "cpu  100 10 40 800 50 0 0 0 7 0\ncpu0 50 5 20 400 25 0 0 0 7 0\nctxt 1\nprocs_running 4"),
        ("self/stat", "77 (perft (a) b) R 1 77 77 0 -1 0 0 0 0 0 60 20 0 0 20 0 3 0 0"),
        ("self/task/77/stat", "77 (perft (a) b) R 1 77"),
        ("self/task/78/stat", "78 (perft (a) b) S 1 77"),
    ];

    #[test]
    fn times_and_runnable_threads_are_read() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &KERNEL);
        let files = ProcFiles { root: folder.path().into() };
        let times = ProcessorTimes { all: 1000, busy: 150, steal: 0 };
        assert_eq!(files.processors(), Some((times, Some(4))));
        assert_eq!((files.own_time(), files.own_runnable()), (Some(80), Some(1)));
        write(folder.path(), &[("stat", "cpu  100 10 40 800 50 0 0 31 0 0\nprocs_running 2")]);
        assert_eq!(files.processors(), Some((ProcessorTimes { all: 1031, busy: 181, steal: 31 }, Some(2))));
    }

    #[test]
    fn another_system_has_none_of_it_and_nonsense_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let files = ProcFiles { root: folder.path().into() };
        let all = || (files.processors(), files.own_time(), files.own_runnable());
        assert_eq!(all(), (None, None, None));
        write(folder.path(), &[("stat", "cpu  a b"), ("self/stat", "nothing")]);
        assert_eq!(all(), (None, None, None));
        // A container may show a machine without any time.
        write(folder.path(), &[("stat", "cpu  0 0 0 0 0 0 0 0 0 0")]);
        assert_eq!(all(), (None, None, None));
    }
}
