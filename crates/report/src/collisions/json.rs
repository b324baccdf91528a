//! Collisions of keys on a tree, as `perft.collisions/1`.

use super::report::CollisionReport;
use crate::formats::file;
use perft_gate_chess::json::{Decimal, DecimalList, OptionalDecimal};
use perft_gate_lab::collisions::{CollisionRow, Collisions};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The name and version of the format.
pub const SCHEMA: &str = "perft.collisions/1";

/// The collisions that a run of `perft collisions` counted.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CollisionsDocument {
    /// [`SCHEMA`].
    pub schema: String,
    /// Version of the program.
    #[serde(default)]
    pub version: String,
    /// FEN of the root.
    pub fen: String,
    /// Ply of the positions.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub ply: u32,
    /// The worst verdict of all schemes.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["sound", "suspicious", "broken"])))]
    pub verdict: String,
    /// Schemes, in the order in which they were asked for.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub schemes: Vec<SchemeCollisions>,
    /// Wall time.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub seconds: f64,
}

/// The collisions of a scheme's keys.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SchemeCollisions {
    /// Name of the scheme.
    pub scheme: String,
    /// First seed of its key tables; nothing if they are fixed.
    #[serde(default, with = "OptionalDecimal")]
    pub first_seed: Option<u64>,
    /// Bits of its keys.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 64)))]
    pub key_bits: u32,
    /// E.p. policy.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["legal", "pseudo", "always"])))]
    pub ep_policy: String,
    /// Number of distinct positions.
    #[serde(with = "Decimal")]
    pub positions: u64,
    /// The worst verdict of its rows.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["sound", "suspicious", "broken"])))]
    pub verdict: String,
    /// Widths that its keys are too short for.
    #[serde(default)]
    pub left_out: Vec<u32>,
    /// Windows of its keys.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub rows: Vec<WindowCollisions>,
}

/// A window of the keys.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WindowCollisions {
    /// `low`, `high` or `fold`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["low", "high", "fold"])))]
    pub window: String,
    /// Width in bits.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 64)))]
    pub bits: u32,
    /// Number of positions that random keys are expected to lose.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub expected: f64,
    /// Mean number of positions that were lost.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub mean: Option<f64>,
    /// The mean divided by what is expected; nothing if nothing is expected.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub ratio: Option<f64>,
    /// Number of positions that were lost, by key table.
    #[serde(with = "DecimalList")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub lost: Vec<u64>,
    /// The same for random key tables.
    #[serde(with = "DecimalList")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub band: Vec<u64>,
    /// Verdict.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["sound", "suspicious", "broken"])))]
    pub verdict: String,
}

/// Returns the document of a run.
pub fn document(report: &CollisionReport, time: Duration) -> String {
    let window = |row: &CollisionRow| {
        let number = |number: f64| Some(number).filter(|number| number.is_finite());
        WindowCollisions {
            window: row.part.window.name().into(),
            bits: row.part.bits,
            expected: row.expected,
            mean: number(row.lost.mean()),
            ratio: number(row.lost.mean() / row.expected),
            lost: row.lost.by_table().to_vec(),
            band: row.band.by_table().to_vec(),
            verdict: row.verdict.name().into(),
        }
    };
    let scheme = |scheme: &Collisions| SchemeCollisions {
        scheme: scheme.scheme.to_string(),
        first_seed: scheme.seeds.as_ref().map(|seeds| seeds.start),
        key_bits: scheme.key_bits,
        ep_policy: scheme.policy.name().into(),
        positions: scheme.positions,
        verdict: scheme.verdict().name().into(),
        left_out: scheme.left_out.clone(),
        rows: scheme.rows.iter().map(window).collect(),
    };
    file::text(&CollisionsDocument {
        schema: SCHEMA.into(),
        version: env!("CARGO_PKG_VERSION").into(),
        fen: report.fen.clone(),
        ply: report.ply,
        verdict: report.verdict().name().into(),
        schemes: report.schemes.iter().map(scheme).collect(),
        seconds: time.as_secs_f64(),
    })
}
