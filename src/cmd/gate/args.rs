//! Arguments of the gate.

use crate::args::depth::{BareDepth, plies};
use crate::args::output::OutputArgs;
use crate::args::run::RunArgs;
use crate::args::scheme::SchemeArgs;
use crate::args::suite::{LongListArgs, SuiteArgs};
use crate::failure::{CommandFailure, Usage};
use clap::{Args, ValueEnum};
use perft_gate_judge::faults::Plant;
use perft_gate_judge::gate::{Identities, Mode, Options};
use perft_gate_walk::{MAX_PLAYOUT_PLIES, Settings};
use perft_gate_zobrist::{Scheme, Secondary};

#[derive(Args, Debug)]
pub struct GateArgs {
    /// Number of plies; a row that lists no count at that depth is walked to its deepest listed one below (default: 5).
    #[arg(long, short, value_parser = plies(0))]
    pub(super) depth: Option<u32>,
    #[command(flatten)]
    pub(super) suite: SuiteArgs,
    /// Skip rows with more leaf nodes.
    #[arg(long, value_name = "N")]
    max_nodes: Option<u128>,
    #[command(flatten)]
    pub(super) scheme: SchemeArgs,
    /// Also keep and check these secondary keys: pawn, minor, nonpawn, material.
    #[arg(long, value_delimiter = ',', value_name = "KEYS", value_enum)]
    keys: Vec<KeyName>,
    /// Seed of the scheme's key table and of the random games.
    #[arg(long)]
    pub(super) seed: Option<u64>,
    /// Work done at each position.
    #[arg(long, value_enum, default_value_t = Mode::Verify)]
    mode: Mode,
    /// Positions whose FEN is written and read back.
    #[arg(long, value_enum, default_value_t = RoundTrip::Sampled)]
    roundtrip: RoundTrip,
    /// Check that equal positions have equal keys and different ones different keys (V5), on each row's
    /// deepest ply of at most 20 million leaves.
    #[arg(long, value_enum, default_value_t = Identities::All)]
    identity: Identities,
    /// Also verify this many random games from the rows' positions.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) playouts: u64,
    /// Maximum length of a random game, in plies.
    #[arg(long, value_name = "N", default_value_t = 200, requires = "playouts",
          value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_PLAYOUT_PLIES)))]
    pub(super) plies: u32,
    #[command(flatten)]
    pub(super) list: LongListArgs,
    #[command(flatten)]
    pub(super) output: OutputArgs,
    /// Plant a fault, from this ply on, to see the gate fail: `perft list faults`.
    #[arg(long, value_name = "FAULT[@PLY]")]
    pub(super) plant: Option<Plant>,
    #[command(flatten)]
    pub(super) run: RunArgs,
}

/// Arguments of `perft gate`, where the depth may stand alone.
#[derive(Args, Debug)]
pub struct GateVerbArgs {
    #[command(flatten)]
    gate: GateArgs,
    #[command(flatten)]
    depth_alone: BareDepth<0>,
}

/// Number of plies if none is given.
const DEFAULT_DEPTH: u32 = 5;

impl GateVerbArgs {
    /// Returns the arguments, with the depth among them.
    pub fn gate(self) -> GateArgs {
        GateArgs { depth: self.depth_alone.get().or(self.gate.depth), ..self.gate }
    }
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum KeyName {
    /// The position's key, which is always kept.
    Position,
    Pawn,
    Minor,
    Nonpawn,
    Material,
}

impl From<KeyName> for Option<Secondary> {
    fn from(name: KeyName) -> Option<Secondary> {
        match name {
            KeyName::Position => None,
            KeyName::Pawn => Some(Secondary::Pawn),
            KeyName::Minor => Some(Secondary::Minor),
            KeyName::Nonpawn => Some(Secondary::NonPawn),
            KeyName::Material => Some(Secondary::Material),
        }
    }
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum RoundTrip {
    /// One position in 4096.
    Sampled,
    /// Every position.
    All,
}

impl RoundTrip {
    /// Returns the mask that selects the positions.
    const fn sample_mask(self) -> u64 {
        match self {
            RoundTrip::Sampled => 0xfff,
            RoundTrip::All => 0,
        }
    }
}

impl GateArgs {
    /// Returns the secondary keys.
    pub fn secondary(&self) -> Vec<Secondary> {
        self.keys.iter().filter_map(|&key| key.into()).collect()
    }

    /// Returns the options of the verdicts.
    pub fn options<'a>(&self, scheme: &'a Scheme, secondary: &'a [Secondary]) -> Result<Options<'a>, CommandFailure> {
        if !secondary.is_empty() && scheme.number_of_keys() == 0 {
            return Err(Usage(format!("--keys: found scheme '{}', expected a single one with keys", scheme.name)));
        }
        if self.seed.is_some() && scheme.is_fixed() && self.playouts == 0 {
            return Err(Usage(format!("--seed: the key table of '{}' is published, expected no seed", scheme.name)));
        }
        if self.plant.is_some() && scheme.is_all() {
            return Err(Usage("--plant: found scheme 'all', expected a single one".into()));
        }
        let sample_mask = self.roundtrip.sample_mask();
        let settings =
            Settings { scheme, secondary, seed: self.seed.unwrap_or(0), level: self.run.level()?, sample_mask };
        let (mode, identities, depth) = (self.mode, self.identity, self.depth.unwrap_or(DEFAULT_DEPTH));
        if depth == 0 && self.playouts == 0 {
            return Err(Usage(
                "--depth: found 0, which compares nothing, expected 1 or more, or --playouts too".into(),
            ));
        }
        Ok(Options { depth, mode, settings, max_nodes: self.max_nodes, identities })
    }

    /// Returns what decides whether a row passes.
    pub fn judged(&self) -> impl std::fmt::Debug {
        let GateArgs { depth, max_nodes, scheme, keys, seed, mode, roundtrip, identity, plant, run, .. } = self;
        (
            depth.unwrap_or(DEFAULT_DEPTH),
            max_nodes,
            scheme,
            keys,
            seed,
            (mode, roundtrip, identity, plant),
            run.level().ok(),
        )
    }
}
