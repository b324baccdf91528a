//! Linux's description of its devices.
#![cfg_attr(any(target_os = "macos", windows), allow(dead_code))]

use super::kinds::{self, Thread};
use crate::hardware::{Cache, CoreKind};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Folder of Linux's devices.
#[derive(Clone, Debug)]
pub struct Sysfs(PathBuf);

impl Default for Sysfs {
    fn default() -> Sysfs {
        Sysfs("/sys/devices".into())
    }
}

impl Sysfs {
    /// Returns the text of a file of the folder `system`.
    fn text(&self, path: &str) -> Option<String> {
        Some(fs::read_to_string(self.0.join("system").join(path)).ok()?.trim().into())
    }

    fn list(&self, path: &str) -> Option<Vec<usize>> {
        numbers(&self.text(path)?)
    }

    /// Returns the hardware threads that share a core with this one, itself included.
    fn siblings(&self, thread: usize) -> Option<Vec<usize>> {
        self.list(&format!("cpu/cpu{thread}/topology/thread_siblings_list"))
    }

    /// Returns the number of this hardware thread within its core, from 0.
    pub fn place_in_core(&self, thread: usize) -> usize {
        let siblings = self.siblings(thread).unwrap_or_default();
        siblings.iter().position(|&sibling| sibling == thread).unwrap_or(0)
    }

    pub(super) fn cores(&self) -> Option<usize> {
        self.cores_of(&self.list("cpu/online")?)
    }

    fn cores_of(&self, threads: &[usize]) -> Option<usize> {
        let cores: Option<BTreeSet<Vec<usize>>> = threads.iter().map(|&thread| self.siblings(thread)).collect();
        cores.map(|cores| cores.len())
    }

    /// Returns the kinds of cores, the fastest first; empty if all are of one kind or nothing tells them apart.
    pub(super) fn kinds(&self) -> Vec<CoreKind> {
        let threads = self.list("cpu/online").unwrap_or_default();
        let groups = self.intel_kinds(&threads).unwrap_or_else(|| {
            let speeds = ["cpu_capacity", "cpufreq/cpuinfo_max_freq"].map(|name| self.number_of_each(&threads, name));
            let speeds = speeds.into_iter().flatten().next().unwrap_or_else(|| vec![0.0; threads.len()]);
            let thread = |(&number, speed)| Thread { number, design: self.design(number), speed };
            kinds::group_by_kind(threads.iter().zip(speeds).map(thread).collect())
        });
        kinds::describe_kinds(groups, |threads| self.cores_of(threads), |thread| self.caches(thread))
    }

    /// Returns the threads of each kind of an Intel processor, which Linux lists as counters of their own.
    fn intel_kinds(&self, online: &[usize]) -> Option<Vec<(String, Vec<usize>)>> {
        let read_list = |(list, name): (&str, &str)| {
            let text = fs::read_to_string(self.0.join(list).join("cpus")).ok()?;
            let mut threads = numbers(text.trim())?;
            threads.retain(|thread| online.contains(thread));
            (!threads.is_empty()).then_some((name.into(), threads))
        };
        let lists = [("cpu_core", "performance"), ("cpu_atom", "efficiency"), ("cpu_lowpower", "low-power")];
        let kinds: Vec<(String, Vec<usize>)> = lists.into_iter().filter_map(read_list).collect();
        (!kinds.is_empty()).then_some(kinds)
    }

    /// Returns the numbers in this file of every thread; `None` if one has none.
    fn number_of_each(&self, threads: &[usize], name: &str) -> Option<Vec<f64>> {
        threads.iter().map(|thread| self.text(&format!("cpu/cpu{thread}/{name}"))?.parse().ok()).collect()
    }

    /// Returns the design of a thread's core: on ARM, implementer and part of its identification; else 0.
    fn design(&self, thread: usize) -> u64 {
        let text = self.text(&format!("cpu/cpu{thread}/regs/identification/midr_el1"));
        let number = text.and_then(|text| u64::from_str_radix(text.trim_start_matches("0x"), 16).ok());
        number.map_or(0, |number| number & 0xff00_fff0)
    }

    pub(super) fn smt(&self) -> Option<bool> {
        Some(self.text("cpu/smt/active")? == "1")
    }

    pub(super) fn numa_nodes(&self) -> Option<usize> {
        self.list("node/online").map(|nodes| nodes.len())
    }

    pub(super) fn governor(&self) -> Option<String> {
        self.text("cpu/cpu0/cpufreq/scaling_governor")
    }

    pub(super) fn boost(&self) -> Option<bool> {
        let boost = self.text("cpu/cpufreq/boost").map(|text| text == "1");
        boost.or_else(|| self.text("cpu/intel_pstate/no_turbo").map(|text| text == "0"))
    }

    pub(super) fn caches(&self, thread: usize) -> Vec<Cache> {
        (0..).map_while(|index| self.cache(Path::new(&format!("cpu/cpu{thread}/cache/index{index}")))).collect()
    }

    fn cache(&self, folder: &Path) -> Option<Cache> {
        let text = |name: &str| self.text(folder.join(name).to_str()?);
        Some(Cache {
            level: text("level")?.parse().ok()?,
            kind: text("type")?,
            kib: text("size")?.strip_suffix('K')?.parse().ok()?,
            shared_by: numbers(&text("shared_cpu_list")?)?.len(),
        })
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

    fn write(folder: &Path, files: &[(&str, &str)]) {
        for (path, text) in files {
            let path = folder.join("system").join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, format!("{text}\n")).unwrap();
        }
    }

    #[test]
    fn lists_are_ranges_and_numbers() {
        assert_eq!(numbers("0-3,8"), Some(vec![0, 1, 2, 3, 8]));
        assert_eq!(numbers("5"), Some(vec![5]));
        assert_eq!(numbers("a-b"), None);
    }

    #[test]
    fn what_the_system_tells_is_read() {
        let folder = tempfile::tempdir().unwrap();
        write(
            folder.path(),
            &[
                ("cpu/online", "0-3"),
                ("cpu/cpu0/topology/thread_siblings_list", "0,2"),
                ("cpu/cpu1/topology/thread_siblings_list", "1,3"),
                ("cpu/cpu2/topology/thread_siblings_list", "0,2"),
                ("cpu/cpu3/topology/thread_siblings_list", "1,3"),
                ("cpu/smt/active", "1"),
                ("cpu/cpu0/cpufreq/scaling_governor", "performance"),
                ("cpu/intel_pstate/no_turbo", "1"),
                ("cpu/cpu0/cache/index0/level", "1"),
                ("cpu/cpu0/cache/index0/type", "Data"),
                ("cpu/cpu0/cache/index0/size", "48K"),
                ("cpu/cpu0/cache/index0/shared_cpu_list", "0,2"),
                ("node/online", "0-1"),
            ],
        );
        let sysfs = Sysfs(folder.path().into());
        assert_eq!((sysfs.cores(), sysfs.smt(), sysfs.numa_nodes()), (Some(2), Some(true), Some(2)));
        assert_eq!((sysfs.governor().as_deref(), sysfs.boost()), (Some("performance"), Some(false)));
        assert_eq!(sysfs.caches(0), [Cache { level: 1, kind: "Data".into(), kib: 48, shared_by: 2 }]);
        assert_eq!([0, 1, 2, 3].map(|thread| sysfs.place_in_core(thread)), [0, 0, 1, 1]);
    }

    /// Writes a file of each of these threads.
    fn write_each(folder: &Path, name: &str, texts: &[&str]) {
        for (thread, text) in texts.iter().enumerate() {
            write(folder, &[(&format!("cpu/cpu{thread}/{name}"), text)]);
        }
    }

    fn kinds(folder: &Path) -> Vec<(String, Option<usize>, Vec<usize>)> {
        let kinds = Sysfs(folder.into()).kinds();
        kinds.into_iter().map(|kind| (kind.name, kind.cores, kind.threads)).collect()
    }

    #[test]
    fn kinds_of_an_intel_hybrid_are_its_lists_of_counters() {
        let folder = tempfile::tempdir().unwrap();
        let of = folder.path();
        write(of, &[("cpu/online", "0-5"), ("../cpu_core/cpus", "0-3"), ("../cpu_atom/cpus", "4-7")]);
        write_each(of, "topology/thread_siblings_list", &["0-1", "0-1", "2-3", "2-3", "4", "5"]);
        write_each(of, "cpufreq/cpuinfo_max_freq", &["5000000"; 6]);
        write_each(of, "cache/index0/level", &["1"; 6]);
        write_each(of, "cache/index0/type", &["Data"; 6]);
        write_each(of, "cache/index0/size", &["48K", "48K", "48K", "48K", "32K", "32K"]);
        write_each(of, "cache/index0/shared_cpu_list", &["0-1", "0-1", "2-3", "2-3", "4", "5"]);
        assert_eq!(
            kinds(of),
            [("performance".into(), Some(2), vec![0, 1, 2, 3]), ("efficiency".into(), Some(2), vec![4, 5])]
        );
        let caches: Vec<_> =
            Sysfs(of.into()).kinds().iter().map(|kind| (kind.caches[0].kib, kind.caches[0].shared_by)).collect();
        assert_eq!(caches, [(48, 2), (32, 1)]);
    }

    #[test]
    fn kinds_on_arm_are_designs_ordered_by_capacity() {
        let folder = tempfile::tempdir().unwrap();
        let of = folder.path();
        write(of, &[("cpu/online", "0-3")]);
        write_each(of, "topology/thread_siblings_list", &["0", "1", "2", "3"]);
        write_each(of, "cpu_capacity", &["430", "430", "900", "1024"]);
        // A55 in two revisions, A78 and X1.
        write_each(
            of,
            "regs/identification/midr_el1",
            &["0x00000000412fd050", "0x00000000411fd050", "0x00000000411fd410", "0x00000000411fd440"],
        );
        assert_eq!(
            kinds(of),
            [
                ("performance".into(), Some(1), vec![3]),
                ("middle".into(), Some(1), vec![2]),
                ("efficiency".into(), Some(2), vec![0, 1])
            ]
        );
    }

    #[test]
    fn speeds_tell_kinds_apart_only_where_there_is_a_gap() {
        let folder = tempfile::tempdir().unwrap();
        let of = folder.path();
        write(of, &[("cpu/online", "0-3")]);
        write_each(of, "cpufreq/cpuinfo_max_freq", &["5100000", "5000000", "3300000", "3300000"]);
        assert_eq!(kinds(of), [("performance".into(), None, vec![0, 1]), ("efficiency".into(), None, vec![2, 3])]);
        write_each(of, "cpufreq/cpuinfo_max_freq", &["5700000", "5600000", "5450000", "5500000"]);
        assert_eq!(kinds(of), []);
    }

    #[test]
    fn what_the_system_hides_is_absent() {
        let folder = tempfile::tempdir().unwrap();
        let sysfs = Sysfs(folder.path().into());
        assert_eq!(
            (sysfs.cores(), sysfs.smt(), sysfs.numa_nodes(), sysfs.governor(), sysfs.boost()),
            (None, None, None, None, None)
        );
        assert_eq!((sysfs.caches(0), sysfs.kinds(), sysfs.place_in_core(7)), (vec![], vec![], 0));
    }
}
