//! Arguments for a run: number of plies, threads, pinning, SIMD level, time.

use crate::failure::{Result, Usage};
use clap::Args;
use clap::builder::RangedI64ValueParser;
use perft_gate_lab::measured_opt_level;
use perft_gate_machine::pinning::{cores, pin};
use perft_gate_machine::record::Build;
use perft_gate_simd::Level;
use perft_gate_walk::{Control, MAX_DEPTH};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant, SystemTime};

pub const MAX_THREADS: u16 = 4096;

/// Argument for the number of threads.
#[derive(Args, Clone, Copy, Debug)]
pub struct ThreadsArgs {
    /// Number of worker threads (default: all cores).
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=i64::from(MAX_THREADS)))]
    pub threads: Option<u16>,
}

impl ThreadsArgs {
    /// Returns the number of threads for a worker pool, or 0 for the default.
    pub fn number(self) -> usize {
        self.threads.unwrap_or(0).into()
    }
}

/// Arguments for a run.
#[derive(Args, Clone, Debug)]
pub struct RunArgs {
    #[command(flatten)]
    pub threads: ThreadsArgs,
    /// Pin each worker to a core.
    #[arg(long)]
    pub pin: bool,
    #[command(flatten)]
    pub level: LevelArgs,
}

/// Argument for the SIMD level.
#[derive(Args, Clone, Debug)]
pub struct LevelArgs {
    /// Instructions to use: auto, v1, v3, v3-nopext (for processors whose PEXT is slow), v4 (with AVX-512) or neon
    /// (AArch64); see `perft list levels`.
    #[arg(long, value_name = "LEVEL", default_value = "auto", env = "PERFT_SIMD")]
    pub simd: String,
}

impl LevelArgs {
    pub fn level(&self) -> Result<Level> {
        level_named(&self.simd)
    }
}

pub fn level_named(name: &str) -> Result<Level> {
    Level::from_name(name).ok_or_else(|| {
        let here: Vec<&str> = Level::NAMES.into_iter().filter(|name| Level::from_name(name).is_some()).collect();
        Usage(format!("--simd: found '{name}', expected one of {}, which this machine has", here.join(", ")))
    })
}

impl RunArgs {
    pub fn level(&self) -> Result<Level> {
        self.level.level()
    }

    /// Returns a pool of workers, and the number of pinned workers.
    pub fn pool(&self) -> Result<(rayon::ThreadPool, Arc<AtomicUsize>)> {
        let pinned = Arc::new(AtomicUsize::new(0));
        let mut builder = rayon::ThreadPoolBuilder::new().num_threads(self.threads.number());
        if self.pin {
            let (cores, pinned) = (cores(), Arc::clone(&pinned));
            builder = builder.start_handler(move |worker| {
                let core = cores.get(worker % cores.len().max(1));
                if core.is_some_and(|&core| pin(core)) {
                    pinned.fetch_add(1, Relaxed);
                }
            });
        }
        Ok((builder.build()?, pinned))
    }
}

/// Environment variable for tests: the value N stops a run at its N-th check for Ctrl-C.
const STOP_AT_POLL: &str = "PERFT_STOP_AT_POLL";

/// Returns a control whose run only [`STOP_AT_POLL`] can stop.
fn control_without_signals() -> Result<Arc<Control>> {
    let polls = match std::env::var(STOP_AT_POLL) {
        Ok(text) => text.parse().map_err(|_| Usage(format!("{STOP_AT_POLL}: found '{text}', expected a number")))?,
        Err(_) => 0,
    };
    Ok(Arc::new(Control::default().stopping_after(polls)))
}

/// Returns a control whose run Ctrl-C stops.
pub fn control() -> Result<Arc<Control>> {
    let control = control_without_signals()?;
    let stopped = Arc::clone(&control);
    ctrlc::set_handler(move || stopped.stop.store(true, Relaxed))?;
    Ok(control)
}

/// Time after an interrupt during which a second one is ignored, because `timeout` sends each interrupt twice: to the
/// program and to its process group.
const SAME_INTERRUPT: Duration = Duration::from_millis(300);

/// Returns a control whose run Ctrl-C stops. A second Ctrl-C ends the program without waiting for other processes.
pub fn impatient_control() -> Result<Arc<Control>> {
    let (control, first) = (control_without_signals()?, OnceLock::new());
    let stopped = Arc::clone(&control);
    ctrlc::set_handler(move || {
        stopped.stop.store(true, Relaxed);
        if first.get_or_init(Instant::now).elapsed() > SAME_INTERRUPT {
            note!("interrupted again: not waiting for other processes to end");
            std::process::exit(130);
        }
    })?;
    Ok(control)
}

/// Reads a time such as `90s` or `2m`.
pub fn time(text: &str) -> Result<Duration, String> {
    let time = humantime::parse_duration(text).ok();
    time.filter(|time| !time.is_zero()).ok_or_else(|| "expected a time such as 90s or 2m".into())
}

pub fn build() -> Build {
    let revision = Some(env!("PERFT_BUILD_REVISION")).filter(|revision| !revision.is_empty()).map(String::from);
    Build {
        version: env!("CARGO_PKG_VERSION").into(),
        dirty: revision.is_some().then_some(!env!("PERFT_BUILD_CHANGES").is_empty()),
        revision,
        compiler: env!("PERFT_BUILD_COMPILER").into(),
        target: env!("PERFT_BUILD_TARGET").into(),
        opt_level: measured_opt_level(),
        flags: env!("PERFT_BUILD_FLAGS").into(),
        debug_assertions: cfg!(debug_assertions),
    }
}

/// Returns the current time in the format of result files: UTC, RFC 3339.
pub fn now() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}

/// Argument for the number of plies, at least `MIN`: `--depth 7`, `-d 7`, or 7 alone.
#[derive(Args, Clone, Copy, Debug)]
pub struct DepthArgs<const MIN: i64> {
    /// Number of plies.
    #[arg(long, short, value_parser = plies(MIN), required_unless_present = "bare_depth")]
    depth: Option<u32>,
    #[command(flatten)]
    alone: BareDepth<MIN>,
}

/// The number of plies as an argument without `--depth`, for commands whose `--depth` has a default or its own help.
#[derive(Args, Clone, Copy, Debug)]
pub struct BareDepth<const MIN: i64> {
    /// Number of plies, in place of --depth.
    #[arg(help_heading = None::<&str>, value_name = "DEPTH", value_parser = plies(MIN), conflicts_with = "depth")]
    pub bare_depth: Option<u32>,
}

/// Returns a parser that accepts depths from `least` to `MAX_DEPTH`.
pub fn plies(least: i64) -> RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(least..=i64::from(MAX_DEPTH))
}

impl<const MIN: i64> DepthArgs<MIN> {
    /// Returns the number of plies, whichever way it was given.
    pub fn plies(self) -> u32 {
        self.alone.bare_depth.or(self.depth).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        assert_eq!(time("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(time("1m 30s"), Ok(Duration::from_secs(90)));
        assert!(time("90").is_err() && time("-1s").is_err() && time("0s").is_err() && time("soon").is_err());
    }
}
