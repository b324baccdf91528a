//! Checks the hash keys that an engine prints for `d`.
//!
//! A key is a function of the position: the key after moves must be that of the resulting FEN, equal positions have
//! equal keys, different positions have different keys, and counting does not change the key. Other inputs of the key
//! are probed first ([`KeyConventions`]). Some engines mix in the halfmove clock, so FENs contain the real clocks, and
//! keys are compared only if the clocks are equal. The probe learns the numbers that keys are made of ([`numbers`]) and
//! the known scheme that uses them ([`scheme_match`]). Engines may choose which e.p. squares count, but the choice must
//! be the same for positions given by FEN and by moves. Many engines silently ignore an illegal move, so the printed
//! FEN is checked too. [`audit`] learns and judges the whole table of numbers.

mod audit;
mod check;
mod dependencies;
mod en_passant;
mod explanation;
mod facts;
mod key_probe;
mod move_properties;
mod numbers;
pub(super) mod parts;
mod piece_rows;
mod report;
mod scheme_match;
mod table;

pub use audit::{KeyAudit, TableCheck, TableMismatch};
pub(super) use check::check;
pub use en_passant::EnPassantHabit;
pub use facts::{BackRankPawns, CastlingForm, EnPassantForm, KeyFacts};
pub use key_probe::KeyConventions;
pub use numbers::KeyComposition;
pub(super) use report::RunKeys;
pub use report::{KeyFault, KeyFinding, KeyReport, one_constant};
pub use scheme_match::SchemeMatch;
pub use table::{EngineTable, NoTable};
