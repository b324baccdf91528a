//! Counts the distinct positions of each ply, and how often each position is reached.
//!
//! The frontier of ply *n* is the set of its distinct positions, each with its multiplicity: the number of move
//! sequences that lead to it. Each position is expanded once, its children inherit its multiplicity, and equal children
//! are merged into the frontier of ply *n* + 1. So the multiplicities of a frontier add up to perft(*n*), and the tree
//! need not be walked. Before the children are made, a second sum is computed over all positions of ply *n* - 1:
//! multiplicity times number of legal moves. The two sums must be equal.
//!
//! Frontiers hold complete positions ([`Packed`](perft_gate_chess::Packed), under an en-passant policy), because a key
//! cannot be expanded. Only the last ply can be stored as keys, which takes less than half the memory. Diagrams (piece
//! placements) are counted in a separate set: a frontier merged by diagram would expand only one position per diagram.
//!
//! Equal children are found in one of two ways. The fast way counts group by group, in small tables that stay in the
//! cache (`groups.rs`). The general way uses one large table, in several passes if it does not fit (`passes.rs`). The
//! general way is used on disk, with several processes, with diagrams, and for keys that may be equal in different
//! groups. It also takes over if a group or a multiplicity is too large for the fast way, or if memory is short.
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
mod options;
mod outbox;
mod parallel;
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

/// Optimisation level of this crate's build: 0 to 3, s or z.
pub const OPT_LEVEL: &str = perft_gate_simd::opt_level!();
