//! Number of plies: `--depth 7`, `-d 7`, or 7 alone.

use clap::Args;
use clap::builder::RangedI64ValueParser;
use perft_gate_walk::MAX_DEPTH;

/// Argument for the number of plies, at least `MIN`.
#[derive(Args, Clone, Copy, Debug)]
pub struct DepthArgs<const MIN: i64> {
    /// Number of plies.
    #[arg(long, short, value_parser = plies(MIN), required_unless_present = "plies")]
    depth: Option<u32>,
    /// Number of plies, in place of --depth.
    #[arg(value_name = "DEPTH", value_parser = plies(MIN), conflicts_with = "depth")]
    plies: Option<u32>,
}

fn plies(least: i64) -> RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(least..=i64::from(MAX_DEPTH))
}

impl<const MIN: i64> DepthArgs<MIN> {
    /// Returns the number that was given in either way.
    pub fn plies(self) -> u32 {
        self.depth.or(self.plies).unwrap_or_default()
    }
}
