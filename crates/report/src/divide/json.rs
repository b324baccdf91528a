//! `perft.divide/1`: leaves by root move, and the comparison with another engine's listing. Counts are decimal strings.

use crate::formats::decimal::{Decimal, OptionalDecimal};
use perft_gate_engine::{ExplainedMove, PastedListing};
use serde::Serialize;

/// Name and version of the format.
pub const SCHEMA: &str = "perft.divide/1";

/// Result of a run of `perft divide`.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DivideDocument {
    /// Always [`SCHEMA`].
    pub schema: String,
    /// Version of the program.
    pub version: String,
    /// FEN of the root.
    pub fen: String,
    /// Number of plies.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 64)))]
    pub depth: u32,
    /// Root moves in the order of their names.
    pub moves: Vec<RootCount>,
    /// Number of leaves.
    #[serde(with = "Decimal")]
    pub nodes: u128,
    /// Wall time.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub seconds: f64,
    /// Comparison with a listing, if one was given.
    pub comparison: Option<ListingComparison>,
}

/// A root move and the leaves below it.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RootCount {
    /// The move in UCI notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// Number of leaves.
    #[serde(with = "Decimal")]
    pub nodes: u128,
}

/// Comparison with a listing.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ListingComparison {
    /// `same` or `different`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["same", "different"])))]
    pub verdict: String,
    /// Contents that were compared: `moves` or `total`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["moves", "total"])))]
    pub compared: String,
    /// Number of leaves of the listing.
    #[serde(with = "Decimal")]
    pub found: u128,
    /// Legal moves that are missing.
    pub missing: Vec<MoveRule>,
    /// Moves that are not legal, or listed twice.
    pub extra: Vec<MoveRule>,
    /// Subtotals that differ.
    pub subtotals: Vec<WrongSubtotal>,
    /// Sum of the subtotals, if the printed total differs from it.
    #[serde(with = "OptionalDecimal")]
    pub other_sum: Option<u128>,
    /// True if moves are listed without what tells them apart, and compared as sets.
    pub as_sets: bool,
    /// True if each count equals the sum over all plies.
    pub sum_over_plies: bool,
    /// What may be the cause, by the position after the first wrong move or by what the total equals.
    pub cause: Option<String>,
}

/// A move and the rule behind it.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MoveRule {
    /// The move, as written.
    #[serde(rename = "move")]
    pub mv: String,
    /// The rule.
    pub rule: String,
}

/// A subtotal that differs.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WrongSubtotal {
    /// The move and the rule behind it.
    #[serde(flatten)]
    pub rule: MoveRule,
    /// Number of leaves below it, by our counter.
    #[serde(with = "Decimal")]
    pub expected: u128,
    /// Number of leaves below it, by the listing.
    #[serde(with = "Decimal")]
    pub found: u128,
}

impl From<&ExplainedMove> for MoveRule {
    fn from(mv: &ExplainedMove) -> MoveRule {
        MoveRule { mv: mv.text.clone(), rule: mv.rule.clone() }
    }
}

impl From<&PastedListing> for ListingComparison {
    fn from(listing: &PastedListing) -> ListingComparison {
        let rules = |moves: &[ExplainedMove]| moves.iter().map(MoveRule::from).collect();
        let subtotals = listing.subtotals.iter().map(|(mv, difference)| WrongSubtotal {
            rule: mv.into(),
            expected: difference.expected,
            found: difference.found,
        });
        ListingComparison {
            verdict: if listing.is_same() { "same" } else { "different" }.into(),
            compared: listing.compared.name().into(),
            found: listing.found,
            missing: rules(&listing.missing),
            extra: rules(&listing.extra),
            subtotals: subtotals.collect(),
            other_sum: listing.other_sum,
            as_sets: listing.as_sets,
            sum_over_plies: listing.is_sum_over_plies,
            cause: match (&listing.walk_cause, &listing.count_hint) {
                (Some((_, cause)), _) => Some(cause.text().into()),
                (None, hint) => hint.as_ref().map(ToString::to_string),
            },
        }
    }
}
