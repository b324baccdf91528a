//! Zobrist keys: a scheme is a product of axes (pieces, castling, en passant, side) over a key table.
//!
//! The incremental path ([`Tracker`]) and the full recompute are independent of each other: the first applies the keys of
//! the edits as the scheme's axes define them, the second reads only the board and the [`KeyTable`].
#![forbid(unsafe_code)]

pub mod all_presets;
mod axes;
mod batch;
mod block;
mod combined;
pub mod generate;
mod import;
mod import_error;
mod kernels;
mod key;
mod key_layout;
mod key_number;
mod key_order;
mod key_table;
mod key_tables;
mod key_text;
mod key_tokens;
mod pieces;
mod polyglot;
mod presets;
mod recompute;
mod scheme;
mod secondary;
mod tracker;
mod weak_examples;

pub use axes::{Axes, CLOCKS, Castling, ClockKeys, Combine, EnPassantKeys, Pieces, Refusal, Side, Width};
pub use batch::Spoilt;
pub use batch::{BATCH, KeyBatch, MAX_APPENDED, MAX_PARTS, Targets, WrongEntry};
pub use block::Block;
pub use combined::{ListTracker, TrackedKeys, TwoHalfTracker};
pub use import::Import;
pub use import_error::ImportError;
pub use kernels::BLOCK;
pub use key::{Key, WrongKey};
pub use key_layout::Layout;
pub use key_table::KeyTable;
pub use key_tables::KeyTables;
pub use presets::{ALL, PRESETS, preset, visit_fingerprint};
pub use scheme::{Scheme, SchemeError, SchemeVisitor};
pub use secondary::Secondary;
pub use tracker::{StaticTracker, TableTracker, Tracker};
