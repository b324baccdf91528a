//! How much memory there is, and how much of it a run may take.

use crate::failure::{Failure, Usage};
use std::time::Instant;

/// Of the memory that is there, what a run takes by itself.
const SHARE: f64 = 0.75;

/// Bytes that this process can still have: what the system has left, or less where a container sets a limit. Where the
/// system does not tell, whatever is asked for.
pub fn available() -> u64 {
    let Ok(mut system) = sysinfo::System::new() else { return u64::MAX };
    system.refresh_memory();
    let limit = system.cgroup_limits().map_or(u64::MAX, |limits| limits.free_memory);
    system.available_memory().min(limit)
}

/// The program, its workers and its buffers, beside the tables.
const PROGRAM: usize = 16 << 20;
/// For each worker.
const WORKER: usize = 1 << 20;
/// Less is not worth counting in.
const LEAST: usize = 1 << 20;

/// What a user asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    Auto,
    Bytes(u64),
}

impl std::str::FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        if text == "auto" {
            return Ok(Size::Auto);
        }
        let parser = parse_size::Config::new().with_binary();
        match parser.parse_size(text) {
            Ok(bytes) if bytes > 0 && text.trim_end().ends_with(|last: char| last.is_ascii_digit()) => Err(format!(
                "{text} what? expected auto or a size with its unit, such as {text}M or {text}G; 0 for none"
            )),
            Ok(bytes) => Ok(Size::Bytes(bytes)),
            Err(_) => Err("expected auto or a size such as 512M or 4G".into()),
        }
    }
}

impl Size {
    /// The bytes to take: all that was asked for, or as much as `wanted` of the part that a run takes by itself.
    pub fn bytes(self, option: &str, wanted: f64) -> Result<u64, Failure> {
        let available = available();
        match self {
            Size::Auto => Ok((available as f64 * SHARE).min(wanted) as u64),
            Size::Bytes(bytes) if bytes > available => Err(Usage(format!(
                "{option}: found {}, expected at most the {} that are free",
                text(bytes),
                text(available)
            ))),
            Size::Bytes(bytes) => Ok(bytes),
        }
    }
}

/// Bytes that a run may take in all, and how many of them its tables.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    pub all: usize,
    pub tables: usize,
}

impl Budget {
    /// The budget of `--memory` for so many workers. **Errors**: nothing worth mentioning is left for tables.
    pub fn new(size: Size, workers: usize) -> Result<Budget, Failure> {
        let all = size.bytes("--memory", f64::MAX)? as usize;
        let beside = PROGRAM + WORKER * workers;
        if all < beside + LEAST {
            let (found, least) = (text(all as u64), text((beside + LEAST) as u64));
            let message =
                format!("--memory: found {found}, expected {least} or more: the program itself needs nearly that");
            return Err(Usage(message));
        }
        Ok(Budget { all, tables: all - beside })
    }

    /// What a run took, for its last line.
    pub fn cost(self, start: Instant) -> String {
        let peak = peak().map_or("not known".into(), text);
        format!("time {:.3} s, peak memory {peak} of {}", start.elapsed().as_secs_f64(), text(self.all as u64))
    }
}

/// The most that this process has held so far, where the system tells.
pub fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let field = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    field.split_ascii_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}

/// `1.5 GiB`.
pub fn text(bytes: u64) -> String {
    indicatif::BinaryBytes(bytes).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_powers_of_two_and_refused_when_too_large() {
        let bytes = |text: &str| {
            text.parse::<Size>().and_then(|size| size.bytes("--hash", 1e6).map_err(|failure| failure.to_string()))
        };
        assert_eq!(bytes("512M"), Ok(512 << 20));
        assert_eq!(bytes("1 KiB"), Ok(1024));
        assert_eq!(bytes("auto"), Ok(1_000_000));
        assert_eq!(bytes("0"), Ok(0));
        assert!(
            bytes("256").unwrap_err().contains("256 what? expected auto or a size with its unit, such as 256M or 256G")
        );
        assert!(bytes("lots").unwrap_err().contains("expected auto or a size"));
        assert!(bytes("1000T").unwrap_err().contains("--hash: found 1000.00 TiB, expected at most the "));
    }
}
