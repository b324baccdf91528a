//! Lists of positions with known counts, in the forms found in practice.
//!
//! - Lines: EPD (`FEN ;D1 20 ;D2 400 …`), a FEN and its counts (`FEN,20,400`), blocks of lines `id NAME`, `epd FEN`,
//!   `perft 1 20`, YAML and TOML; see `lines`.
//! - Tables below a header row: `fen,depth,nodes`; see `table`.
//! - JSON, and arrays in the source text of programs; see `source`.
//!
//! A list in any of these forms is split into rows, and each row into parts: names, texts and groups of parts. Numbers
//! are assigned to depths in the same way for all forms (see `attach`). Reading is strict: the first error is reported
//! with its line and column. A position that no board can hold is not an error. Its row has a [`Class`] and a reason,
//! and is reported as skipped.
#![forbid(unsafe_code)]

mod attach;
mod blocks;
mod class;
mod lines;
mod list;
mod names;
mod parts;
mod readings;
mod row;
mod source;
mod table;
#[cfg(test)]
mod tests;

pub use class::Class;
pub use list::{EMBEDDED, Suite, embedded, parse, row_texts};
pub use row::{Repeats, Row, RowText, SuiteError};
