//! Number of plies: `--depth 7`, `-d 7`, or 7 alone.

use clap::Args;
use clap::builder::RangedI64ValueParser;
use perft_gate_walk::MAX_DEPTH;

/// Argument for the number of plies, at least `MIN`.
#[derive(Args, Clone, Copy, Debug)]
pub struct DepthArgs<const MIN: i64> {
    /// Number of plies.
    #[arg(long, short, value_parser = plies(MIN), required_unless_present = "bare_depth")]
    depth: Option<u32>,
    #[command(flatten)]
    alone: BareDepth<MIN>,
}

/// Argument for the number of plies without `--depth`, of a command whose option of that name has a default or words of its
/// own.
#[derive(Args, Clone, Copy, Debug)]
pub struct BareDepth<const MIN: i64> {
    /// Number of plies, in place of --depth.
    #[arg(value_name = "DEPTH", value_parser = plies(MIN), conflicts_with = "depth")]
    bare_depth: Option<u32>,
}

/// Returns a parser of depths from `least` to the deepest.
pub fn plies(least: i64) -> RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(least..=i64::from(MAX_DEPTH))
}

impl<const MIN: i64> DepthArgs<MIN> {
    /// Returns the number that was given in either way.
    pub fn plies(self) -> u32 {
        self.alone.or(self.depth.unwrap_or_default())
    }
}

impl<const MIN: i64> BareDepth<MIN> {
    /// Returns the number if it was given.
    pub fn get(self) -> Option<u32> {
        self.bare_depth
    }

    /// Returns the number if it was given, else that of the option.
    pub fn or(self, depth: u32) -> u32 {
        self.bare_depth.unwrap_or(depth)
    }
}
