//! Linux's description of its devices. On other systems there is none, and all of it is absent.

use crate::hardware::Cache;
use std::fs;
use std::path::PathBuf;

/// Folder of Linux's devices.
pub(crate) struct Sysfs(PathBuf);

impl Default for Sysfs {
    fn default() -> Sysfs {
        Sysfs("/sys/devices/system".into())
    }
}

impl Sysfs {
    fn text(&self, path: &str) -> Option<String> {
        Some(fs::read_to_string(self.0.join(path)).ok()?.trim().into())
    }

    /// Returns the number of this hardware thread within its core, from 0.
    pub fn place_in_core(&self, thread: usize) -> usize {
        let siblings = self.text(&format!("cpu/cpu{thread}/topology/thread_siblings_list"));
        let siblings = siblings.and_then(|siblings| numbers(&siblings)).unwrap_or_default();
        siblings.iter().position(|&sibling| sibling == thread).unwrap_or(0)
    }

    /// Returns the speed of a hardware thread relative to the others, in any unit; 0 if it is not known.
    pub fn speed(&self, thread: usize) -> u64 {
        let number = |name: &str| self.text(&format!("cpu/cpu{thread}/{name}"))?.parse().ok();
        number("cpu_capacity").or_else(|| number("cpufreq/cpuinfo_max_freq")).unwrap_or(0)
    }

    pub fn smt(&self) -> Option<bool> {
        Some(self.text("cpu/smt/active")? == "1")
    }

    pub fn numa_nodes(&self) -> Option<usize> {
        Some(numbers(&self.text("node/online")?)?.len())
    }

    pub fn governor(&self) -> Option<String> {
        self.text("cpu/cpu0/cpufreq/scaling_governor")
    }

    pub fn boost(&self) -> Option<bool> {
        let boost = self.text("cpu/cpufreq/boost").map(|text| text == "1");
        boost.or_else(|| self.text("cpu/intel_pstate/no_turbo").map(|text| text == "0"))
    }

    /// Returns the caches of the first core.
    pub fn caches(&self) -> Vec<Cache> {
        let cache = |index: usize| {
            let text = |name: &str| self.text(&format!("cpu/cpu0/cache/index{index}/{name}"));
            Some(Cache {
                level: text("level")?.parse().ok()?,
                kind: text("type")?,
                kib: text("size")?.strip_suffix('K')?.parse().ok()?,
                shared_by: numbers(&text("shared_cpu_list")?)?.len(),
            })
        };
        (0..).map_while(cache).collect()
    }
}

/// Returns the numbers of a list such as `0-3,8`.
fn numbers(text: &str) -> Option<Vec<usize>> {
    let mut numbers = Vec::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        numbers.extend(first.parse::<usize>().ok()?..=last.parse().ok()?);
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proc_files::tests::write;

    #[test]
    fn lists_are_ranges_and_numbers() {
        assert_eq!(numbers("0-3,8"), Some(vec![0, 1, 2, 3, 8]));
        assert_eq!((numbers("5"), numbers("a-b")), (Some(vec![5]), None));
    }

    #[test]
    fn what_the_system_tells_is_read() {
        let folder = tempfile::tempdir().unwrap();
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
        write(folder.path(), &files);
        let sysfs = Sysfs(folder.path().into());
        assert_eq!((sysfs.smt(), sysfs.numa_nodes()), (Some(true), Some(2)));
        assert_eq!((sysfs.governor().as_deref(), sysfs.boost()), (Some("performance"), Some(false)));
        assert_eq!(sysfs.caches(), [Cache { level: 1, kind: "Data".into(), kib: 48, shared_by: 2 }]);
        assert_eq!([0, 1, 2, 3].map(|thread| sysfs.place_in_core(thread)), [0, 0, 1, 1]);
        assert_eq!([0, 1, 2].map(|thread| sysfs.speed(thread)), [430, 5_100_000, 0]);
    }

    #[test]
    fn what_the_system_hides_is_absent() {
        let folder = tempfile::tempdir().unwrap();
        let sysfs = Sysfs(folder.path().into());
        assert_eq!((sysfs.smt(), sysfs.numa_nodes(), sysfs.governor(), sysfs.boost()), (None, None, None, None));
        assert_eq!((sysfs.caches(), sysfs.place_in_core(7), sysfs.speed(7)), (vec![], 0, 0));
    }
}
