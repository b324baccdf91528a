//! Linux's files that tell what a machine does: processor times, load, sensors, energy, battery.
//!
//! They are read below a root, so that tests have trees of their own. A file that is absent or that may not be read is a
//! quantity that is not available; other systems have none of them.

use std::fs;
use std::path::{Path, PathBuf};

/// Processor times of the whole machine since its start, in ticks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProcessorTimes {
    /// Time of all processors, idle or not.
    pub all: u64,
    /// Time in which they were not idle, stolen time included.
    pub busy: u64,
    /// Time in which a processor had work, but the hypervisor ran another virtual machine.
    pub steal: u64,
}

/// Energy counter of a processor's package.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Energy {
    /// Energy since some moment, in microjoules.
    pub microjoules: u64,
    /// Value at which the counter begins again.
    pub range: u64,
}

/// State of the battery.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Charge {
    /// True if the machine runs from it.
    pub discharging: bool,
    /// Charge in percent.
    pub percent: f64,
}

/// Files of a system.
#[derive(Clone, Debug)]
pub struct SystemFiles {
    root: PathBuf,
    /// Names in `/proc` of the processes that are ours.
    own: Vec<String>,
    /// Temperature inputs of the processor.
    sensors: Vec<PathBuf>,
    /// Folders of the packages' energy counters.
    packages: Vec<PathBuf>,
    /// Folders of the batteries.
    batteries: Vec<PathBuf>,
}

impl SystemFiles {
    /// Returns the files below `root`, which is `/` but in tests.
    pub fn below(root: &Path) -> SystemFiles {
        let class = |name: &str| folders(&root.join("sys/class").join(name));
        let is_package = |folder: &PathBuf| text(&folder.join("name")).is_some_and(|name| name.starts_with("package"));
        let is_battery = |folder: &PathBuf| {
            let is = |name: &str, value: &str| text(&folder.join(name)).as_deref() == Some(value);
            // A mouse has a battery too.
            is("type", "Battery") && !is("scope", "Device")
        };
        SystemFiles {
            root: root.into(),
            own: vec!["self".into()],
            sensors: sensors(class("hwmon"), class("thermal")),
            packages: class("powercap").into_iter().filter(is_package).collect(),
            batteries: class("power_supply").into_iter().filter(is_battery).collect(),
        }
    }

    fn of_process(&self, path: &str) -> impl Iterator<Item = PathBuf> {
        self.own.iter().map(move |name| self.root.join("proc").join(name).join(path))
    }

    /// Returns the processor times, and the number of runnable threads.
    pub fn processors(&self) -> Option<(ProcessorTimes, Option<u64>)> {
        let text = text(&self.root.join("proc/stat"))?;
        let mut lines = text.lines();
        // user, nice, system, idle, iowait, irq, softirq, steal; what follows is contained in user and nice.
        let ticks = numbers(lines.next()?.strip_prefix("cpu ")?)?;
        let all = ticks.iter().take(8).sum();
        let at = |place: usize| ticks.get(place).copied().unwrap_or(0);
        let times = ProcessorTimes { all, busy: all - at(3) - at(4), steal: at(7) };
        let runnable = lines.find_map(|line| line.strip_prefix("procs_running ")?.trim().parse().ok());
        (all > 0).then_some((times, runnable))
    }

    /// Returns the processor time of our own processes, in the same ticks.
    pub fn own_time(&self) -> Option<u64> {
        let ticks = self.of_process("stat").map(|path| {
            let fields = fields_after_name(&text(&path)?)?;
            // utime and stime.
            Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
        });
        ticks.sum()
    }

    /// Returns the number of our own runnable threads.
    pub fn own_runnable(&self) -> Option<u64> {
        let of_process = |tasks: PathBuf| -> Option<u64> {
            let is_running = |entry: fs::DirEntry| {
                let fields = text(&entry.path().join("stat")).and_then(|text| fields_after_name(&text));
                fields.is_some_and(|fields| fields.first().is_some_and(|state| state == "R"))
            };
            Some(fs::read_dir(tasks).ok()?.flatten().map(is_running).filter(|&runs| runs).count() as u64)
        };
        self.of_process("task").map(of_process).sum()
    }

    /// Returns the load average of the last minute.
    pub fn load(&self) -> Option<f64> {
        text(&self.root.join("proc/loadavg"))?.split_whitespace().next()?.parse().ok()
    }

    /// Returns the temperature of the processor's hottest sensor, in degrees Celsius.
    pub fn celsius(&self) -> Option<f64> {
        let read = |path: &PathBuf| text(path)?.parse::<f64>().ok().map(|thousandths| thousandths / 1e3);
        self.sensors.iter().filter_map(read).filter(|celsius| (-100.0..=200.0).contains(celsius)).max_by(f64::total_cmp)
    }

    /// Returns the energy counters of the packages; `None` if there are none, or if they may not be read.
    pub fn energy(&self) -> Option<Vec<Energy>> {
        let number = |path: PathBuf| text(&path)?.parse::<u64>().ok();
        let read = |folder: &PathBuf| {
            let microjoules = number(folder.join("energy_uj"))?;
            Some(Energy { microjoules, range: number(folder.join("max_energy_range_uj")).unwrap_or(u64::MAX) })
        };
        let read: Option<Vec<Energy>> = self.packages.iter().map(read).collect();
        read.filter(|counters| !counters.is_empty())
    }

    /// Returns the state of the batteries: the smallest charge.
    pub fn charge(&self) -> Option<Charge> {
        let read = |folder: &PathBuf| {
            let percent = text(&folder.join("capacity"))?.parse::<f64>().ok()?.clamp(0.0, 100.0);
            Some(Charge { discharging: text(&folder.join("status")).as_deref() == Some("Discharging"), percent })
        };
        let both = |a: Charge, b: Charge| Charge {
            discharging: a.discharging || b.discharging,
            percent: a.percent.min(b.percent),
        };
        self.batteries.iter().filter_map(read).reduce(both)
    }
}

/// Returns the temperature inputs of the processor: of its own driver, or else of a thermal zone called after it.
fn sensors(monitors: Vec<PathBuf>, zones: Vec<PathBuf>) -> Vec<PathBuf> {
    const DRIVERS: [&str; 5] = ["coretemp", "k10temp", "zenpower", "cpu_thermal", "apple_soc"];
    let is_processor = |folder: &&PathBuf| text(&folder.join("name")).is_some_and(|name| DRIVERS.contains(&&*name));
    let is_input = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with("temp") && name.ends_with("_input")
    };
    let inputs: Vec<PathBuf> = monitors.iter().filter(is_processor).flat_map(|folder| folders(folder)).collect();
    let inputs: Vec<PathBuf> = inputs.into_iter().filter(is_input).collect();
    if !inputs.is_empty() {
        return inputs;
    }
    let names = |kind: String| kind == "x86_pkg_temp" || kind.contains("cpu") || kind.starts_with("soc");
    let of_zone = |folder: &PathBuf| text(&folder.join("type")).is_some_and(names).then(|| folder.join("temp"));
    zones.iter().filter_map(of_zone).collect()
}

/// Returns what is in a folder, sorted by name.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn text(path: &Path) -> Option<String> {
    Some(fs::read_to_string(path).ok()?.trim().into())
}

fn numbers(text: &str) -> Option<Vec<u64>> {
    text.split_whitespace().map(|number| number.parse().ok()).collect()
}

/// Returns the fields of a `stat` file after the process's name, which may contain spaces and parentheses.
fn fields_after_name(text: &str) -> Option<Vec<String>> {
    Some(text.rsplit_once(')')?.1.split_whitespace().map(str::to_string).collect())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Writes files of a system below a root.
    pub fn write(root: &Path, files: &[(&str, &str)]) {
        for (path, text) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, format!("{text}\n")).unwrap();
        }
    }

    /// Files of every Linux.
    pub const KERNEL: [(&str, &str); 5] = [
        ("proc/stat", "cpu  100 10 40 800 50 0 0 0 7 0\ncpu0 50 5 20 400 25 0 0 0 7 0\nctxt 1\nprocs_running 4"),
        ("proc/loadavg", "1.50 0.90 0.40 4/300 1234"),
        ("proc/self/stat", "77 (perft (a) b) R 1 77 77 0 -1 0 0 0 0 0 60 20 0 0 20 0 3 0 0"),
        ("proc/self/task/77/stat", "77 (perft (a) b) R 1 77"),
        ("proc/self/task/78/stat", "78 (perft (a) b) S 1 77"),
    ];

    #[test]
    fn a_laptop_tells_everything() {
        let root = tempfile::tempdir().unwrap();
        write(root.path(), &KERNEL);
        write(
            root.path(),
            &[
                ("sys/class/hwmon/hwmon0/name", "acpitz"),
                ("sys/class/hwmon/hwmon0/temp1_input", "99000"),
                ("sys/class/hwmon/hwmon3/name", "coretemp"),
                ("sys/class/hwmon/hwmon3/temp1_input", "61000"),
                ("sys/class/hwmon/hwmon3/temp2_input", "64500"),
                ("sys/class/hwmon/hwmon3/temp2_max", "100000"),
                ("sys/class/thermal/thermal_zone2/type", "x86_pkg_temp"),
                ("sys/class/thermal/thermal_zone2/temp", "60000"),
                ("sys/class/powercap/intel-rapl:0/name", "package-0"),
                ("sys/class/powercap/intel-rapl:0/energy_uj", "1500000"),
                ("sys/class/powercap/intel-rapl:0/max_energy_range_uj", "262143328850"),
                ("sys/class/powercap/intel-rapl:0:0/name", "core"),
                ("sys/class/powercap/intel-rapl:0:0/energy_uj", "700000"),
                ("sys/class/power_supply/AC/type", "Mains"),
                ("sys/class/power_supply/BAT0/type", "Battery"),
                ("sys/class/power_supply/BAT0/capacity", "83"),
                ("sys/class/power_supply/BAT0/status", "Discharging"),
                ("sys/class/power_supply/mouse/type", "Battery"),
                ("sys/class/power_supply/mouse/scope", "Device"),
                ("sys/class/power_supply/mouse/capacity", "5"),
            ],
        );
        let files = SystemFiles::below(root.path());
        let times = ProcessorTimes { all: 1000, busy: 150, steal: 0 };
        assert_eq!(files.processors(), Some((times, Some(4))));
        assert_eq!((files.own_time(), files.own_runnable(), files.load()), (Some(80), Some(1), Some(1.5)));
        assert_eq!(files.celsius(), Some(64.5));
        assert_eq!(files.energy(), Some(vec![Energy { microjoules: 1_500_000, range: 262_143_328_850 }]));
        assert_eq!(files.charge(), Some(Charge { discharging: true, percent: 83.0 }));
    }

    #[test]
    fn a_board_without_a_driver_has_a_thermal_zone() {
        let root = tempfile::tempdir().unwrap();
        write(
            root.path(),
            &[
                ("sys/class/thermal/thermal_zone0/type", "gpu-thermal"),
                ("sys/class/thermal/thermal_zone0/temp", "90000"),
                ("sys/class/thermal/thermal_zone1/type", "cpu-thermal"),
                ("sys/class/thermal/thermal_zone1/temp", "52000"),
            ],
        );
        assert_eq!(SystemFiles::below(root.path()).celsius(), Some(52.0));
    }

    #[test]
    fn a_virtual_machine_has_times_and_no_sensors() {
        let root = tempfile::tempdir().unwrap();
        write(root.path(), &KERNEL);
        write(root.path(), &[("proc/stat", "cpu  100 10 40 800 50 0 0 31 0 0\nprocs_running 2")]);
        fs::create_dir_all(root.path().join("sys/class/power_supply")).unwrap();
        let files = SystemFiles::below(root.path());
        assert_eq!(files.processors(), Some((ProcessorTimes { all: 1031, busy: 181, steal: 31 }, Some(2))));
        assert_eq!((files.celsius(), files.energy(), files.charge()), (None, None, None));
    }

    #[test]
    fn another_system_has_none_of_it_and_nonsense_is_none() {
        let root = tempfile::tempdir().unwrap();
        let nothing = |root: &Path| {
            let files = SystemFiles::below(root);
            assert_eq!((files.processors(), files.own_time(), files.own_runnable()), (None, None, None));
            assert_eq!((files.load(), files.celsius(), files.energy(), files.charge()), (None, None, None, None));
        };
        nothing(root.path());
        write(
            root.path(),
            &[
                ("proc/stat", "cpu  a b"),
                ("proc/self/stat", "nothing"),
                ("proc/loadavg", ""),
                ("sys/class/hwmon/hwmon0/name", "k10temp"),
                ("sys/class/hwmon/hwmon0/temp1_input", "-273150"),
                ("sys/class/powercap/intel-rapl:0/name", "package-0"),
                ("sys/class/power_supply/BAT0/type", "Battery"),
            ],
        );
        nothing(root.path());
        // A container may show a machine without any time.
        write(root.path(), &[("proc/stat", "cpu  0 0 0 0 0 0 0 0 0 0")]);
        nothing(root.path());
    }
}
