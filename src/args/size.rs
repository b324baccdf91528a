//! Available memory, and the share that a run may take.

use crate::failure::{Result, Usage};
use std::time::Instant;

/// Share of the available memory that a run takes by default.
const SHARE: f64 = 0.75;
/// Share of the free disk space that a run takes by default.
const DISK_SHARE: f64 = 0.9;

/// Returns the number of bytes that this process can still allocate: the system's free memory, or less under a
/// container's limit; `u64::MAX` if unknown.
pub fn available() -> u64 {
    let Ok(mut system) = sysinfo::System::new() else { return u64::MAX };
    system.refresh_memory();
    let limit = system.cgroup_limits().map_or(u64::MAX, |limits| limits.free_memory);
    system.available_memory().min(limit)
}

/// Memory of the program and its buffers, without its workers and tables.
const PROGRAM: usize = 18 << 20;
/// Memory per worker.
const WORKER: usize = 1 << 20;
/// Minimum size of useful tables.
pub const MIN_TABLE_BYTES: usize = 1 << 20;

/// Size asked for by the user.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemorySize {
    Auto,
    Bytes(u64),
}

impl std::str::FromStr for MemorySize {
    type Err = String;

    fn from_str(text: &str) -> Result<MemorySize, String> {
        if text == "auto" {
            return Ok(MemorySize::Auto);
        }
        match parse_size::Config::new().with_binary().parse_size(text) {
            Ok(bytes) if bytes > 0 && text.trim_end().ends_with(|last: char| last.is_ascii_digit()) => {
                Err(format!("{text} has no unit, expected auto, 0 or a size with a unit, such as {text}M or {text}G"))
            }
            Ok(bytes) => Ok(MemorySize::Bytes(bytes)),
            Err(_) => Err("expected auto or a size such as 512M or 4G".into()),
        }
    }
}

impl MemorySize {
    /// Returns the number of bytes to take: the requested number, or for `auto` the default share of the free memory or
    /// `useful()`, whichever is less. Only `auto` calls `useful`.
    pub fn bytes(self, option: &str, useful: impl FnOnce() -> f64) -> Result<u64> {
        let free = available();
        self.bytes_of(option, free, || (free as f64 * SHARE).min(useful()))
    }

    /// Returns the number of bytes of disk space to take, at most `free`.
    pub fn disk_bytes(self, option: &str, free: u64) -> Result<u64> {
        self.bytes_of(option, free, || free as f64 * DISK_SHARE)
    }

    fn bytes_of(self, option: &str, free: u64, default: impl FnOnce() -> f64) -> Result<u64> {
        match self {
            MemorySize::Auto => Ok(default() as u64),
            MemorySize::Bytes(bytes) if bytes > free => {
                let found = format!("found {}, expected at most the free {}", text(bytes), text(free));
                Err(Usage(format!("{option}: {found}: ask for less, or use auto")))
            }
            MemorySize::Bytes(bytes) => Ok(bytes),
        }
    }
}

/// Number of bytes that a run may take, in total and for its tables.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    pub all: usize,
    pub tables: usize,
}

impl Budget {
    /// Returns the budget of `--memory` for `workers` workers. **Errors**: too little is left for useful tables.
    pub fn new(size: MemorySize, workers: usize) -> Result<Budget> {
        let all = size.bytes("--memory", || f64::MAX)? as usize;
        let beside = PROGRAM + WORKER * workers;
        if all < beside + MIN_TABLE_BYTES {
            let (found, least) = (text(all as u64), text((beside + MIN_TABLE_BYTES) as u64));
            let message =
                format!("--memory: found {found}, expected {least} or more: the program itself takes most of that");
            return Err(Usage(message));
        }
        Ok(Budget { all, tables: all - beside })
    }

    /// Describes the time and memory of a run, for the last line of its output.
    pub fn cost(self, start: Instant) -> String {
        let peak = peak().map_or("not known".into(), text);
        format!("time {:.3} s, peak memory {peak} of {}", start.elapsed().as_secs_f64(), text(self.all as u64))
    }
}

/// Returns the peak memory of this process, if the system reports it.
pub fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let field = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    field.split_ascii_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}

/// Formats a size: `1.5 GiB`.
pub fn text(bytes: u64) -> String {
    indicatif::BinaryBytes(bytes).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_powers_of_two() {
        let bytes = |text: &str| {
            text.parse::<MemorySize>()
                .and_then(|size| size.bytes("--hash", || 1e6).map_err(|failure| failure.to_string()))
        };
        assert_eq!(bytes("512M"), Ok(512 << 20));
        assert_eq!(bytes("1 KiB"), Ok(1024));
        assert_eq!(bytes("auto"), Ok(1_000_000));
        assert_eq!(bytes("0"), Ok(0));
    }
}
