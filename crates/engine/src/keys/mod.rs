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
mod en_passant;
mod explanation;
mod facts;
mod key_probe;
mod move_properties;
mod numbers;
pub(super) mod parts;
mod piece_rows;
mod printed;
mod report;
mod scheme_match;
mod table;

pub use audit::{KeyAudit, TableCheck, TableMismatch};
pub(super) use check::{RandomLines, check};
pub use composition::KeyComposition;
pub use en_passant::EnPassantHabit;
pub use facts::{BackRankPawns, CastlingForm, EnPassantForm, KeyFacts};
pub use key_probe::KeyConventions;
pub(super) use report::RunKeys;
pub use report::{KeyFault, KeyFinding, KeyReport, one_constant};
pub use scheme_match::SchemeMatch;
pub use table::{EngineTable, NoTable};
