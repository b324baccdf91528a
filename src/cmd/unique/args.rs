//! The arguments of `perft unique`.

use crate::args::depth::{BareDepth, plies};
use crate::args::position::PositionArgs;
use crate::args::run::RunArgs;
use crate::args::scheme::{SchemeArgs, policy};
use crate::args::size;
use crate::failure::{CommandFailure, Usage};
use clap::{Args, ValueEnum};
use perft_gate_chess::EnPassantPolicy;
use perft_gate_zobrist::{Scheme, Width};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct UniqueArgs {
    #[command(flatten)]
    pub position: PositionArgs,
    /// Number of plies.
    #[arg(long, short, value_parser = plies(0), required_unless_present_any = ["verify_export", "bare_depth"])]
    depth: Option<u32>,
    #[command(flatten)]
    alone: BareDepth<0>,
    /// Identity of positions of the last ply; those before are always compared in full.
    #[arg(long, value_enum, default_value = "position")]
    pub by: ByArg,
    /// Rule by which an e.p. square makes a position different: if a capture is legal, if a pawn stands ready to capture, or
    /// always (default: the scheme's policy).
    #[arg(long, value_name = "POLICY", value_parser = policy)]
    pub ep: Option<EnPassantPolicy>,
    /// Count the diagrams too (the placement of the pieces alone).
    #[arg(long)]
    pub board_only: bool,
    /// Count the last ply again, by putting every leaf of the tree into a set; the two counts must agree.
    #[arg(long)]
    pub leaves: bool,
    /// Maximum memory, such as 512M or 8G, or `auto`: three quarters of the free memory.
    #[arg(long, value_name = "SIZE", default_value = "auto")]
    pub memory: size::MemorySize,
    /// Keep the positions of the plies in this folder instead of in memory. The same command goes on where a run ended.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["export", "verify_export"])]
    pub spill: Option<PathBuf>,
    /// Maximum size of that folder, or `auto`: nine tenths of what is free.
    #[arg(long, value_name = "SIZE", default_value = "auto", requires = "spill")]
    pub disk: size::MemorySize,
    /// Write the counts as JSON (`perft.unique/1`); `-` for standard output.
    #[arg(long, value_name = "FILE|-", conflicts_with = "verify_export")]
    pub json: Option<PathBuf>,
    /// Write the last ply's positions with their multiplicities (`docs/read_export.py` reads them); `-` for standard
    /// output.
    #[arg(long, value_name = "FILE|-", conflicts_with = "verify_export")]
    pub export: Option<PathBuf>,
    /// Read such a file back, check it, and count its positions again from its root.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "moves", "depth", "bare_depth", "by", "ep", "board_only", "leaves"])]
    pub verify_export: Option<PathBuf>,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    pub cluster: super::cluster::ClusterArgs,
    #[command(flatten)]
    pub scheme: SchemeArgs,
    /// Seed of the scheme's key table.
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    #[command(flatten)]
    pub run: RunArgs,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ByArg {
    /// The scheme's keys; positions that share a key count as one.
    Key,
    /// Keys of the scheme's axes with 128 bits, of which 96 are kept.
    Key128,
    /// The complete position: exact.
    Position,
}

impl UniqueArgs {
    /// Returns the number of plies.
    pub fn depth(&self) -> u32 {
        self.alone.or(self.depth.unwrap_or_default())
    }

    /// Returns the scheme whose keys or policy are used.
    pub fn scheme(&self) -> Result<Scheme, CommandFailure> {
        let scheme = self.scheme.scheme()?;
        if scheme.is_all() || self.by != ByArg::Position && scheme.number_of_keys() == 0 {
            return Err(Usage(format!("--scheme: found '{}', expected a single one with keys", scheme.name)));
        }
        if self.by != ByArg::Position && scheme.has_clock() {
            let expected = "one without the halfmove clock, with which a position has several keys";
            return Err(Usage(format!("--scheme: found '{}', expected {expected}", scheme.name)));
        }
        if self.seed != 0 && scheme.is_fixed() {
            return Err(Usage(format!(
                "--seed: found a seed, expected none: the key table of {} is published",
                scheme.name
            )));
        }
        if self.by == ByArg::Key128 {
            return scheme.with_width(Width::W128).map_err(|error| Usage(format!("--by key128: {error}")));
        }
        Ok(scheme)
    }
}
