//! Audit of an engine's own key table, learned from the keys that it prints.
//!
//! No perft is needed. The numbers are those that every run learns ([`numbers`](super::numbers)), with those of pawns on
//! back ranks where the engine takes them. The facts say in words what keys show of the scheme; the table, with the keys
//! of some hundred whole positions, proves that nothing else is in the keys.

mod coincidences;
mod facts;
mod learning;
mod table;
mod whole;

pub use facts::{BackRankPawns, CastlingForm, EnPassantForm, KeyFacts};
pub use learning::KeyAudit;
pub use table::EngineTable;
pub use whole::{TableCheck, TableMismatch};
