//! Zobrist keys. A scheme combines axes (such as pieces, castling, en passant, side) and has a key table.
//!
//! The incremental path ([`Tracker`]) and the full recompute are independent. A tracker updates the key with each edit
//! of a move, as the scheme's axes define. The recompute reads only the board and the [`KeyTable`].
#![forbid(unsafe_code)]

mod axes;
mod batch;
mod block;
mod combined;
pub mod generate;
mod import;
mod key_layout;
mod key_table;
mod key_text;
mod key_tokens;
mod pair_sums;
mod pieces;
mod presets;
mod scheme;
mod term;
mod tracker;

pub use axes::{Axes, CLOCKS, Castling, ClockKeys, Combine, EnPassantKeys, Pieces, SchemeError, Side, Width};
pub use batch::{BATCH, KeyBatch, MAX_APPENDED, MAX_PARTS, Spoilt, Targets, WrongEntry};
pub use block::{BLOCK, Block};
pub use combined::{ListTracker, TrackedKeys, TwoHalfTracker};
pub use import::Import;
pub use key_layout::Layout;
pub use key_table::{Key, KeyTable, KeyTables, Secondary, WrongKey};
pub use key_text::ImportError;
pub use pair_sums::PairSums;
pub use presets::{ALL, PRESETS, preset, presets_of_policy, visit_fingerprint, visit_presets};
pub use scheme::{Scheme, SchemeVisitor};
pub use term::Term;
pub use tracker::{StaticTracker, TableTracker, Tracker};
