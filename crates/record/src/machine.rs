//! Fingerprint of the machine: everything that decides its speed, as far as the system reports it.
//!
//! Properties that cannot be read are absent: containers hide most of them. Nothing identifies one machine among others
//! of its kind.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A machine and its system.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Machine {
    /// Hardware: two records from the same hardware are compared as two programs.
    pub hardware: Hardware,
    /// Operating system and its settings.
    pub system: System,
}

/// Hardware of a machine.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Hardware {
    /// Model name of the processor.
    pub cpu: String,
    /// Vendor of the processor.
    pub vendor: String,
    /// Identification of the processor, for models that share a name: `family 26, model 2, stepping 1`.
    pub signature: Option<String>,
    /// Instruction sets that matter here and that the processor has.
    pub features: Vec<String>,
    /// Number of physical cores.
    pub cores: Option<usize>,
    /// Number of hardware threads that this process may use.
    pub threads: usize,
    /// True if two hardware threads share a core.
    pub smt: Option<bool>,
    /// Caches of the first core.
    pub caches: Vec<Cache>,
    /// Number of NUMA nodes.
    pub numa_nodes: Option<usize>,
    /// Total memory, rounded to whole GiB: the system's own share differs from start to start.
    pub memory_gib: u64,
    /// True if it is a virtual machine.
    pub virtualised: Option<bool>,
}

/// A cache.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Cache {
    /// Level, from 1.
    pub level: u32,
    /// Kind: `Data`, `Instruction` or `Unified`.
    pub kind: String,
    /// Size in KiB.
    pub kib: u64,
    /// Number of hardware threads that share it.
    pub shared_by: usize,
}

/// Operating system of a machine, and its settings.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct System {
    /// Name and version.
    pub os: Option<String>,
    /// Version of the kernel.
    pub kernel: Option<String>,
    /// Governor that chooses clock speeds.
    pub governor: Option<String>,
    /// True if clock speeds may exceed the nominal one.
    pub boost: Option<bool>,
}

impl Machine {
    /// Returns the description of this machine.
    pub fn this() -> Machine {
        let sysfs = Sysfs::default();
        let mut cpus = sysinfo::System::new();
        if let Ok(system) = &mut cpus {
            system.refresh_cpu_all();
            system.refresh_memory();
        }
        let system = cpus.ok();
        let cpu = system.as_ref().and_then(|system| system.cpus().first());
        let memory = system.as_ref().map_or(0, sysinfo::System::total_memory);
        Machine {
            hardware: Hardware {
                cpu: cpu.map_or(UNKNOWN.into(), |cpu| cpu.brand().trim().into()),
                vendor: cpu.map_or(UNKNOWN.into(), |cpu| cpu.vendor_id().into()),
                signature: cpuinfo().and_then(|text| signature(&text)),
                features: features(),
                cores: sysfs.cores().or_else(|| sysinfo::System::physical_core_count().ok()),
                threads: std::thread::available_parallelism().map_or(1, Into::into),
                smt: sysfs.smt(),
                caches: sysfs.caches(),
                numa_nodes: sysfs.numa_nodes(),
                memory_gib: memory.saturating_add(1 << 29) >> 30,
                virtualised: cpuinfo().and_then(|text| is_virtual(&text)),
            },
            system: System {
                os: sysinfo::System::long_os_version().ok(),
                kernel: sysinfo::System::kernel_version().ok(),
                governor: sysfs.governor(),
                boost: sysfs.boost(),
            },
        }
    }
}

const UNKNOWN: &str = "unknown";

impl Hardware {
    /// Returns the processor's name without common additions; if it has no number, because a virtual machine hides it,
    /// with the identification added: `AMD EPYC (family 26, model 2)`.
    pub fn model(&self) -> String {
        let plain = self.cpu.replace("(R)", "").replace("(TM)", "").replace("(tm)", "");
        let plain = plain.split(" @ ").next().unwrap_or_default();
        let parts = plain.split_whitespace().filter(|part| !matches!(*part, "CPU" | "Processor"));
        let name = parts.collect::<Vec<_>>().join(" ");
        let numbers = self.signature.as_deref().and_then(|signature| signature.split(", stepping").next());
        match numbers {
            Some(numbers) if !name.contains(|c: char| c.is_ascii_digit()) => format!("{name} ({numbers})"),
            _ => name,
        }
    }

    /// Returns a name for folders: `amd-epyc-9b45-2-threads`.
    pub fn slug(&self) -> String {
        let text = format!("{} {} threads", self.model(), self.threads).to_lowercase();
        let parts = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join("-")
    }
}

/// Returns those of these instruction sets that the machine has.
#[cfg(target_arch = "x86_64")]
fn features() -> Vec<String> {
    macro_rules! detected {
        ($($name:tt)*) => { [$(($name, std::arch::is_x86_feature_detected!($name))),*] };
    }
    let all = detected!("popcnt" "lzcnt" "bmi1" "bmi2" "pclmulqdq" "avx2" "gfni" "avx512f" "avx512bw" "avx512dq" "avx512vl"
        "avx512vbmi" "avx512vbmi2" "avx512vpopcntdq" "avx512bitalg");
    all.into_iter().filter(|(_, has)| *has).map(|(name, _)| name.into()).collect()
}

#[cfg(not(target_arch = "x86_64"))]
fn features() -> Vec<String> {
    Vec::new()
}

/// Returns Linux's description of the processor.
fn cpuinfo() -> Option<String> {
    fs::read_to_string("/proc/cpuinfo").ok()
}

/// Returns the first value of this name.
fn value<'a>(cpuinfo: &'a str, name: &str) -> Option<&'a str> {
    let fields = cpuinfo.lines().filter_map(|line| line.split_once(':'));
    fields.map(|(key, value)| (key.trim(), value.trim())).find_map(|(key, value)| (key == name).then_some(value))
}

fn signature(cpuinfo: &str) -> Option<String> {
    let [family, model, stepping] = ["cpu family", "model", "stepping"].map(|name| value(cpuinfo, name));
    Some(format!("family {}, model {}, stepping {}", family?, model?, stepping?))
}

fn is_virtual(cpuinfo: &str) -> Option<bool> {
    Some(value(cpuinfo, "flags")?.split_ascii_whitespace().any(|flag| flag == "hypervisor"))
}

/// Linux's description of its devices.
#[derive(Clone, Debug)]
pub struct Sysfs(PathBuf);

impl Default for Sysfs {
    fn default() -> Sysfs {
        Sysfs("/sys/devices/system".into())
    }
}

impl Sysfs {
    fn text(&self, path: &str) -> Option<String> {
        Some(fs::read_to_string(self.0.join(path)).ok()?.trim().into())
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

    fn cores(&self) -> Option<usize> {
        let threads = self.list("cpu/online")?;
        let cores: Option<BTreeSet<Vec<usize>>> = threads.into_iter().map(|thread| self.siblings(thread)).collect();
        cores.map(|cores| cores.len())
    }

    fn smt(&self) -> Option<bool> {
        Some(self.text("cpu/smt/active")? == "1")
    }

    fn numa_nodes(&self) -> Option<usize> {
        self.list("node/online").map(|nodes| nodes.len())
    }

    fn governor(&self) -> Option<String> {
        self.text("cpu/cpu0/cpufreq/scaling_governor")
    }

    fn boost(&self) -> Option<bool> {
        let boost = self.text("cpu/cpufreq/boost").map(|text| text == "1");
        boost.or_else(|| self.text("cpu/intel_pstate/no_turbo").map(|text| text == "0"))
    }

    fn caches(&self) -> Vec<Cache> {
        (0..).map_while(|index| self.cache(Path::new(&format!("cpu/cpu0/cache/index{index}")))).collect()
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
            let path = folder.join(path);
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
        assert_eq!(sysfs.caches(), [Cache { level: 1, kind: "Data".into(), kib: 48, shared_by: 2 }]);
        assert_eq!([0, 1, 2, 3].map(|thread| sysfs.place_in_core(thread)), [0, 0, 1, 1]);
    }

    #[test]
    fn processors_are_told_apart_by_numbers_where_names_are_equal() {
        let text = "vendor_id\t: AuthenticAMD\ncpu family\t: 26\nmodel\t\t: 2\nmodel name\t: AMD EPYC\nstepping\t: 1\nflags\t: fpu hypervisor\n";
        assert_eq!(signature(text).as_deref(), Some("family 26, model 2, stepping 1"));
        assert_eq!(
            (is_virtual(text), is_virtual("flags: fpu"), is_virtual("Features: fp asimd")),
            (Some(true), Some(false), None)
        );
        assert_eq!(signature("processor: 0"), None);
    }

    #[test]
    fn what_the_system_hides_is_absent() {
        let folder = tempfile::tempdir().unwrap();
        let sysfs = Sysfs(folder.path().into());
        assert_eq!(
            (sysfs.cores(), sysfs.smt(), sysfs.numa_nodes(), sysfs.governor(), sysfs.boost()),
            (None, None, None, None, None)
        );
        assert_eq!((sysfs.caches(), sysfs.place_in_core(7)), (vec![], 0));
    }

    #[test]
    fn a_slug_is_fit_for_a_folder() {
        let mut hardware = Machine::this().hardware;
        hardware.cpu = "Intel(R) Core(TM) i7-1165G7 CPU @ 2.80GHz".into();
        hardware.threads = 8;
        assert_eq!(hardware.slug(), "intel-core-i7-1165g7-8-threads");
    }

    #[test]
    fn a_name_without_a_number_gets_those_of_the_processor() {
        let mut hardware = Machine::this().hardware;
        (hardware.cpu, hardware.threads) = ("AMD EPYC".into(), 2);
        hardware.signature = Some("family 26, model 2, stepping 1".into());
        assert_eq!(hardware.model(), "AMD EPYC (family 26, model 2)");
        assert_eq!(hardware.slug(), "amd-epyc-family-26-model-2-2-threads");
        hardware.signature = None;
        assert_eq!(hardware.model(), "AMD EPYC");
        hardware.cpu = "AMD EPYC 9B45 Processor".into();
        hardware.signature = Some("family 26, model 2, stepping 1".into());
        assert_eq!(hardware.model(), "AMD EPYC 9B45");
    }
}
