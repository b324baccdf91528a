//! Distinct positions: their number at each ply, and how often each is reached.
//!
//! The frontier of ply *n* is the set of its distinct positions, each with its multiplicity: the number of move
//! sequences that lead to it. Each position is expanded once, its children inherit its multiplicity, and equal children
//! are merged into the frontier of ply *n* + 1. So the multiplicities of a frontier add up to perft(*n*) without a walk
//! of the tree. The sum is checked against another one, taken before the children are made: each position adds its
//! multiplicity times its number of legal moves.
//!
//! Positions are always merged by the complete position under an en-passant policy ([`Packed`](perft_gate_chess::Packed)),
//! because a key cannot be expanded. Only the last ply may be kept by key, in less than half of the memory. Diagrams are
//! counted in a separate set: a frontier merged by diagram would expand one position in place of several.
//!
//! Equal children are found in one of two ways. Group by group, small tables stay in the cache (`groups.rs`). Otherwise
//! one large table is used, in passes if it does not fit (`passes.rs`): on disk, in several processes, with diagrams,
//! by keys that must be compared with all others, or if the memory is not enough for the first way.
#![forbid(unsafe_code)]

mod agreement;
mod brute_force;
mod count;
mod entries;
mod error;
pub mod exchange;
mod expand;
#[cfg(feature = "export")]
pub mod export;
#[cfg(feature = "spill")]
mod forecast;
mod frontier;
mod groups;
pub mod identity;
mod leaf_walk;
mod options;
mod outbox;
mod passes;
mod plan;
mod ply;
pub mod published;
pub mod set;
mod sink;
#[cfg(feature = "spill")]
pub mod spill;
mod store;
mod varint;

pub use brute_force::{BruteForce, leaves};
pub use count::{Unique, unique};
pub use error::UniqueError;
pub use exchange::Exchange;
#[cfg(feature = "spill")]
pub use forecast::Forecast;
pub use frontier::Frontier;
pub use options::{By, KEY_BITS, UniqueOptions};
pub use ply::{Ply, expected_lost};

/// Optimisation level that this crate is compiled with: 0 to 3, s or z.
pub const OPT_LEVEL: &str = perft_gate_simd::opt_level!();
