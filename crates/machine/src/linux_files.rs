//! Reads the files in which Linux describes devices and the use of processors and memory.
//!
//! All paths are relative to a root folder, so that tests can use their own trees. If a file is absent or unreadable,
//! the property that it describes is not available. Other systems have none of these files.

use crate::hardware::Cache;
use std::fs;
use std::path::{Path, PathBuf};

/// Processor times of the whole machine since it booted, in ticks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ProcessorTimes {
    /// Time of all processors, busy or idle.
    pub all: u64,
    /// Time in which processors were busy, including stolen time.
    pub busy: u64,
    /// Time in which a processor had work to do, but the hypervisor ran another virtual machine instead.
    pub steal: u64,
}

pub(crate) struct LinuxFiles(PathBuf);

impl Default for LinuxFiles {
    fn default() -> LinuxFiles {
        LinuxFiles("/".into())
    }
}

impl LinuxFiles {
    fn text(&self, path: &str) -> Option<String> {
        Some(fs::read_to_string(self.0.join(path)).ok()?.trim().into())
    }

    fn device(&self, path: &str) -> Option<String> {
        self.text(&format!("sys/devices/system/{path}"))
    }

    /// Returns the index of this hardware thread within its core, starting at 0.
    pub fn place_in_core(&self, thread: usize) -> usize {
        let siblings = self.device(&format!("cpu/cpu{thread}/topology/thread_siblings_list"));
        let siblings = siblings.and_then(|siblings| numbers(&siblings)).unwrap_or_default();
        siblings.iter().position(|&sibling| sibling == thread).unwrap_or(0)
    }

    /// Returns the relative speeds of hardware threads, all in the same unit. Empty if any speed is unknown.
    pub fn speeds(&self, threads: &[usize]) -> Vec<u64> {
        let of_all = |name: &str| -> Option<Vec<u64>> {
            threads.iter().map(|thread| self.device(&format!("cpu/cpu{thread}/{name}"))?.parse().ok()).collect()
        };
        of_all("cpu_capacity").or_else(|| of_all("cpufreq/cpuinfo_max_freq")).unwrap_or_default()
    }

    pub fn smt(&self) -> Option<bool> {
        Some(self.device("cpu/smt/active")? == "1")
    }

    pub fn numa_nodes(&self) -> Option<usize> {
        Some(numbers(&self.device("node/online")?)?.len())
    }

    pub fn governor(&self) -> Option<String> {
        self.device("cpu/cpu0/cpufreq/scaling_governor")
    }

    pub fn boost(&self) -> Option<bool> {
        let boost = self.device("cpu/cpufreq/boost").map(|text| text == "1");
        boost.or_else(|| self.device("cpu/intel_pstate/no_turbo").map(|text| text == "0"))
    }

    /// Returns the caches of the first core.
    pub fn caches(&self) -> Vec<Cache> {
        let cache = |index: usize| {
            let text = |name: &str| self.device(&format!("cpu/cpu0/cache/index{index}/{name}"));
            Some(Cache {
                level: text("level")?.parse().ok()?,
                kind: text("type")?,
                kib: text("size")?.strip_suffix('K')?.parse().ok()?,
                shared_by: numbers(&text("shared_cpu_list")?)?.len(),
            })
        };
        (0..).map_while(cache).collect()
    }

    fn class(&self, class: &str) -> Vec<PathBuf> {
        entries(&self.0.join("sys/class").join(class))
    }

    /// Returns the temperature files of the processor: those of its driver, or else of thermal zones named after a
    /// processor.
    pub fn sensors(&self) -> Vec<PathBuf> {
        const DRIVERS: [&str; 5] = ["coretemp", "k10temp", "zenpower", "cpu_thermal", "apple_soc"];
        let says = |file: PathBuf, is_wanted: &dyn Fn(&str) -> bool| {
            fs::read_to_string(file).is_ok_and(|text| is_wanted(text.trim()))
        };
        let is_input = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("temp") && name.ends_with("_input")
        };
        let monitors = self.class("hwmon").into_iter();
        let monitors = monitors.filter(|folder| says(folder.join("name"), &|name| DRIVERS.contains(&name)));
        let inputs: Vec<PathBuf> = monitors.flat_map(|folder| entries(&folder)).filter(is_input).collect();
        if !inputs.is_empty() {
            return inputs;
        }
        let is_processor = |kind: &str| kind == "x86_pkg_temp" || kind.contains("cpu") || kind.starts_with("soc");
        let zones = self.class("thermal").into_iter().filter(|folder| says(folder.join("type"), &is_processor));
        zones.map(|folder| folder.join("temp")).collect()
    }

    /// Returns the processor times, and the number of runnable threads.
    pub fn processors(&self) -> Option<(ProcessorTimes, Option<u64>)> {
        let text = self.text("proc/stat")?;
        let mut lines = text.lines();
        // Fields: user, nice, system, idle, iowait, irq, softirq, steal. The last two fields are part of user and nice.
        let numbers = lines.next()?.strip_prefix("cpu ")?.split_whitespace();
        let ticks = numbers.map(|number| number.parse().ok()).collect::<Option<Vec<u64>>>()?;
        let all = ticks.iter().take(8).sum();
        let at = |place: usize| ticks.get(place).copied().unwrap_or(0);
        let times = ProcessorTimes { all, busy: all - at(3) - at(4), steal: at(7) };
        let runnable = lines.find_map(|line| line.strip_prefix("procs_running ")?.trim().parse().ok());
        (all > 0).then_some((times, runnable))
    }

    /// Returns the processor time that this process has used, in ticks.
    pub fn own_time(&self) -> Option<u64> {
        let text = self.text("proc/self/stat")?;
        let fields = fields_after_name(&text)?;
        // Fields utime and stime: the time in user mode and in kernel mode.
        Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
    }

    /// Returns the number of runnable threads of this process.
    pub fn own_runnable(&self) -> Option<u64> {
        let is_running = |entry: &fs::DirEntry| {
            let text = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
            fields_after_name(&text).is_some_and(|fields| fields.first() == Some(&"R"))
        };
        Some(fs::read_dir(self.0.join("proc/self/task")).ok()?.flatten().filter(is_running).count() as u64)
    }
}

/// Returns the entries of a folder, sorted by name.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// Returns the numbers that a list such as `0-3,8` contains.
fn numbers(text: &str) -> Option<Vec<usize>> {
    let mut numbers = Vec::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        numbers.extend(first.parse::<usize>().ok()?..=last.parse().ok()?);
    }
    Some(numbers)
}

/// Returns the fields of a `stat` file after the process's name, which may contain spaces and parentheses.
fn fields_after_name(text: &str) -> Option<Vec<&str>> {
    Some(text.rsplit_once(')')?.1.split_whitespace().collect())
}

/// Returns how much of this program's memory is in huge pages, in bytes, or `None` if the system does not report it.
pub fn memory_in_huge_pages() -> Option<u64> {
    huge_bytes(&std::fs::read_to_string("/proc/self/smaps_rollup").ok()?)
}

/// Reads the number of bytes in huge pages from the text of `smaps_rollup`, which sums over all memory mappings.
fn huge_bytes(rollup: &str) -> Option<u64> {
    let kibibytes = |field: &str| {
        let value = rollup.lines().find_map(|line| line.strip_prefix(field))?;
        value.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
    };
    // Huge pages reserved by the system (hugetlb) count too.
    let reserved = kibibytes("Private_Hugetlb:").unwrap_or(0);
    Some((kibibytes("AnonHugePages:")? + reserved) << 10)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub fn linux(files: &[(&str, &str)]) -> (tempfile::TempDir, LinuxFiles) {
        let folder = tempfile::tempdir().unwrap();
        let linux = LinuxFiles(folder.path().into());
        linux.write(files);
        (folder, linux)
    }

    impl LinuxFiles {
        pub fn write(&self, files: &[(&str, &str)]) {
            for (path, text) in files {
                let path = self.0.join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, format!("{text}\n")).unwrap();
            }
        }
    }

    /// Files that every Linux has.
    pub const KERNEL: [(&str, &str); 4] = [
        ("proc/stat", "cpu  100 10 40 800 50 0 0 0 7 0\ncpu0 50 5 20 400 25 0 0 0 7 0\nctxt 1\nprocs_running 4"),
        ("proc/self/stat", "77 (perft (a) b) R 1 77 77 0 -1 0 0 0 0 0 60 20 0 0 20 0 3 0 0"),
        ("proc/self/task/77/stat", "77 (perft (a) b) R 1 77"),
        ("proc/self/task/78/stat", "78 (perft (a) b) S 1 77"),
    ];

    #[test]
    fn lists_are_ranges_and_numbers() {
        assert_eq!(numbers("0-3,8"), Some(vec![0, 1, 2, 3, 8]));
        assert_eq!((numbers("5"), numbers("a-b")), (Some(vec![5]), None));
    }

    #[test]
    fn devices_are_described() {
        let files = [
            ("cpu/cpu0/topology/thread_siblings_list", "0,2"),
            ("cpu/cpu1/topology/thread_siblings_list", "1,3"),
            ("cpu/cpu2/topology/thread_siblings_list", "0,2"),
            ("cpu/cpu3/topology/thread_siblings_list", "1,3"),
            ("cpu/cpu0/cpu_capacity", "430"),
            ("cpu/cpu0/cpufreq/cpuinfo_max_freq", "2000000"),
            ("cpu/cpu1/cpufreq/cpuinfo_max_freq", "5100000"),
            ("cpu/smt/active", "1"),
            ("cpu/cpu0/cpufreq/scaling_governor", "performance"),
            ("cpu/intel_pstate/no_turbo", "1"),
            ("cpu/cpu0/cache/index0/level", "1"),
            ("cpu/cpu0/cache/index0/type", "Data"),
            ("cpu/cpu0/cache/index0/size", "48K"),
            ("cpu/cpu0/cache/index0/shared_cpu_list", "0,2"),
            ("node/online", "0-1"),
        ];
        let paths = files.map(|(path, text)| (format!("sys/devices/system/{path}"), text));
        let (_folder, linux) = linux(&paths.each_ref().map(|(path, text)| (&**path, *text)));
        assert_eq!((linux.smt(), linux.numa_nodes()), (Some(true), Some(2)));
        assert_eq!((linux.governor().as_deref(), linux.boost()), (Some("performance"), Some(false)));
        assert_eq!(linux.caches(), [Cache { level: 1, kind: "Data".into(), kib: 48, shared_by: 2 }]);
        assert_eq!([0, 1, 2, 3].map(|thread| linux.place_in_core(thread)), [0, 0, 1, 1]);
        // The capacity of thread 1 is unknown, but the clock speeds of both threads are known.
        assert_eq!((linux.speeds(&[0]), linux.speeds(&[0, 1])), (vec![430], vec![2_000_000, 5_100_000]));
        assert_eq!(linux.speeds(&[0, 1, 2]), Vec::<u64>::new());
    }

    #[test]
    fn the_sensors_are_those_of_the_processor_or_of_a_zone_named_after_it() {
        let zones = [
            ("sys/class/thermal/thermal_zone0/type", "gpu-thermal"),
            ("sys/class/thermal/thermal_zone1/type", "cpu-thermal"),
        ];
        let (folder, linux) = linux(&zones);
        let paths = |names: &[&str]| names.iter().map(|name| folder.path().join("sys/class").join(name)).collect();
        let expected: Vec<PathBuf> = paths(&["thermal/thermal_zone1/temp"]);
        assert_eq!(linux.sensors(), expected);
        linux.write(&[
            ("sys/class/hwmon/hwmon0/name", "nvme"),
            ("sys/class/hwmon/hwmon0/temp1_input", "99000"),
            ("sys/class/hwmon/hwmon3/name", "coretemp"),
            ("sys/class/hwmon/hwmon3/temp1_input", "61000"),
            ("sys/class/hwmon/hwmon3/temp1_max", "100000"),
            ("sys/class/hwmon/hwmon4/name", "coretemp"),
            ("sys/class/hwmon/hwmon4/temp1_input", "64500"),
        ]);
        let expected: Vec<PathBuf> = paths(&["hwmon/hwmon3/temp1_input", "hwmon/hwmon4/temp1_input"]);
        assert_eq!(linux.sensors(), expected);
        assert_eq!(crate::watch::Sensors::read(&linux).celsius(), Some(64.5));
        linux.write(&[("sys/class/hwmon/hwmon4/temp1_input", "-273150")]);
        assert_eq!(crate::watch::Sensors::read(&linux).celsius(), Some(61.0));
    }

    #[test]
    fn times_and_runnable_threads_are_read() {
        let (_folder, linux) = linux(&KERNEL);
        let times = ProcessorTimes { all: 1000, busy: 150, steal: 0 };
        assert_eq!(linux.processors(), Some((times, Some(4))));
        assert_eq!((linux.own_time(), linux.own_runnable()), (Some(80), Some(1)));
        linux.write(&[("proc/stat", "cpu  100 10 40 800 50 0 0 31 0 0\nprocs_running 2")]);
        assert_eq!(linux.processors(), Some((ProcessorTimes { all: 1031, busy: 181, steal: 31 }, Some(2))));
    }

    #[test]
    fn another_system_has_none_of_it_and_nonsense_is_none() {
        let (_folder, linux) = linux(&[]);
        assert_eq!((linux.smt(), linux.numa_nodes(), linux.governor(), linux.boost()), (None, None, None, None));
        assert_eq!((linux.caches(), linux.place_in_core(7), linux.speeds(&[7])), (vec![], 0, vec![]));
        assert_eq!(linux.sensors(), Vec::<PathBuf>::new());
        let of_processors = || (linux.processors(), linux.own_time(), linux.own_runnable());
        assert_eq!(of_processors(), (None, None, None));
        linux.write(&[("proc/stat", "cpu  a b"), ("proc/self/stat", "nothing")]);
        assert_eq!(of_processors(), (None, None, None));
        // In a container, all processor times may be 0.
        linux.write(&[("proc/stat", "cpu  0 0 0 0 0 0 0 0 0 0")]);
        assert_eq!(of_processors(), (None, None, None));
    }

    #[test]
    fn the_sum_of_all_mappings_is_read() {
        let rollup = "55d0-7ffe ---p 00000000 00:00 0    [rollup]\nRss:     5632 kB\nAnonHugePages:      4096 kB\nPrivate_Hugetlb:       0 kB\n";
        assert_eq!(huge_bytes(rollup), Some(4 << 20));
        assert_eq!(huge_bytes(&rollup.replace("Hugetlb:       0", "Hugetlb:    2048")), Some(6 << 20));
        assert_eq!(huge_bytes(&rollup.replace("4096 kB", "0 kB")), Some(0));
        assert_eq!(huge_bytes("Rss: 5632 kB\n"), None);
        assert_eq!(huge_bytes("AnonHugePages: many kB\n"), None);
    }
}
