//! The machine, the build and the settings of a record: can there be such a run?

use super::known::Known;
use super::problem::problem;
use perft_gate_machine::Hardware;
use perft_gate_machine::record::{Build, Record, RecordSettings};

/// Shortest prefix of a commit that names it.
const PREFIX: usize = 7;

/// Returns the problems of everything but the rows.
pub fn problems(record: &Record, known: &Known) -> Vec<String> {
    let mut problems = Vec::new();
    if let Some(found) = known.folder.as_ref().filter(|folder| **folder != record.machine.hardware.slug()) {
        problems.push(problem("the folder", found, record.machine.hardware.slug()));
    }
    let day = record.started.split('T').next().unwrap_or_default();
    let is_date = day.len() == 10
        && day.chars().enumerate().all(|(at, c)| if at == 4 || at == 7 { c == '-' } else { c.is_ascii_digit() });
    if !is_date || !record.started.ends_with('Z') {
        problems.push(problem("started", &record.started, "a time as 2026-11-22T00:15:59Z"));
    } else if !known.today.is_empty() && day > known.today.as_str() {
        problems.push(problem("started", &record.started, format!("no day after {}", known.today)));
    }
    problems.extend(of_build(&record.build, known));
    problems.extend(of_settings(&record.settings, &record.machine.hardware));
    problems.extend(of_hardware(&record.machine.hardware));
    problems
}

fn of_build(build: &Build, known: &Known) -> Vec<String> {
    let mut problems = Vec::new();
    let is_known = |revision: &String| {
        let matches = |known: &String| known.starts_with(revision.as_str()) || revision.starts_with(known.as_str());
        revision.len() >= PREFIX && (known.revisions.is_empty() || known.revisions.iter().any(matches))
    };
    match &build.revision {
        None => problems.push(problem("build.revision", "none", "a commit of the program")),
        Some(revision) if !is_known(revision) => {
            problems.push(problem("build.revision", revision, "a commit of the program"));
        }
        Some(_) => {}
    }
    if build.dirty != Some(false) {
        problems.push(problem("build.dirty", "changed or unknown sources", "those of the commit"));
    }
    // The level is that of the program around the kernels, which is low in a release too.
    if build.debug_assertions {
        problems.push(problem("build.debug_assertions", "a build with assertions", "a release"));
    }
    problems
}

fn of_settings(settings: &RecordSettings, hardware: &Hardware) -> Vec<String> {
    let mut problems = Vec::new();
    if settings.quick {
        problems.push(problem("settings.quick", "a quick run", "a full one: it has too few rounds for a verdict"));
    }
    if settings.interrupted {
        problems.push(problem("settings.interrupted", "a run that was stopped", "a complete one"));
    }
    let needed: &[&str] = match settings.level.as_str() {
        "v4" => &["avx2", "bmi2", "avx512f", "avx512bw"],
        level if level.starts_with("v3") => &["avx2", "bmi2"],
        _ => &[],
    };
    let lacks = |feature: &&&str| !hardware.features.iter().any(|found| found == **feature);
    if let Some(missing) = needed.iter().find(lacks) {
        problems.push(problem("settings.level", &settings.level, format!("one that runs without {missing}")));
    }
    problems
}

fn of_hardware(hardware: &Hardware) -> Vec<String> {
    let mut problems = Vec::new();
    let mut add = |field: &str, found: String, expected: &str| {
        problems.push(problem(&format!("machine.hardware.{field}"), found, expected));
    };
    let Hardware { cpu, vendor, cores, threads, smt, caches, memory_gib, .. } = hardware;
    if cpu.trim().is_empty() || cpu == "unknown" {
        add("cpu", format!("'{cpu}'"), "the name of a processor");
    }
    for (id, other) in [("AuthenticAMD", "Intel"), ("GenuineIntel", "AMD"), ("Apple", "Intel"), ("Apple", "AMD")] {
        if vendor == id && cpu.contains(other) {
            add("vendor", vendor.clone(), &format!("the maker of '{cpu}'"));
        }
    }
    if !(1..=4096).contains(threads) {
        add("threads", threads.to_string(), "1 to 4096");
    }
    if let Some(cores) = cores.filter(|&cores| *smt == Some(false) && *threads > cores) {
        add("threads", threads.to_string(), &format!("at most {cores}, one for each core without SMT"));
    }
    if !(1..=1 << 16).contains(memory_gib) {
        add("memory_gib", memory_gib.to_string(), "1 to 65536");
    }
    for (number, cache) in caches.iter().enumerate() {
        let most_kib = match cache.level {
            1 => 1 << 10,
            2 => 1 << 17,
            3 | 4 => 1 << 22,
            _ => 0,
        };
        if cache.kib == 0 || cache.kib > most_kib || cache.shared_by == 0 {
            let found = format!("L{} of {} KiB by {} threads", cache.level, cache.kib, cache.shared_by);
            add(&format!("caches[{number}]"), found, "a cache that processors have");
        }
    }
    problems
}
