//! Check of an engine's hash keys, as it prints them for `d`.
//!
//! A key is a function of the position: the key after moves must be the key of the FEN they lead to, equal positions
//! have equal keys and different ones different keys, and counting does not change the key. Additional inputs of the
//! key are found out first ([`KeyConventions`]): some engines mix in the halfmove clock, so FENs carry true clocks and only
//! keys of equal clocks are compared; the numbers that keys are made of ([`numbers`]), and the known scheme that has them
//! ([`scheme_match`]); and which e.p. squares count is a choice, but it must be the same by FEN and by moves. Many engines
//! silently ignore an illegal move, so the FEN that the engine prints is checked too. The whole table is learned and judged
//! by [`audit`].

mod audit;
mod check;
mod composition;
mod dependencies;
mod edits;
mod en_passant;
mod explanation;
mod finding;
mod kept_clocks;
mod key_probe;
mod key_width;
mod move_properties;
mod numbers;
mod pair_sums;
mod parts;
mod piece_rows;
mod printed;
mod report;
mod row_differences;
mod run_keys;
mod scheme_match;
mod wrong_key;

pub use audit::{
    BackRankPawns, CastlingForm, EnPassantForm, EngineTable, KeyAudit, KeyFacts, TableCheck, TableMismatch,
};
pub(super) use check::{RandomLines, check};
pub use composition::KeyComposition;
pub use en_passant::EnPassantHabit;
pub use finding::{KeyFault, KeyFinding};
pub use kept_clocks::KeptClocks;
pub use key_probe::KeyConventions;
pub use report::{KeyReport, one_constant};
pub(super) use run_keys::RunKeys;
pub use scheme_match::SchemeMatch;
