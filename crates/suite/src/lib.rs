//! Lists of positions with known counts, in the forms that people have them.
//!
//! - EPD, one position a line: `FEN ;D1 20 ;D2 400 …`, with or without clocks. `perft 1 = 20`, `depth 1 20`, `ply 1: 20`
//!   and the like are counts too. Spaces around `;` are ignored, `id NAME` names a row, and other operations (`bm e4`,
//!   `c0 "…"`) are ignored, unless they hold numbers that could be counts: those are refused. `#` starts a comment line.
//! - Blocks of lines: `id NAME`, `epd FEN`, `perft 1 20`, `perft 2 400`.
//! - Lines with a FEN and its counts: `FEN,20,400`, `FEN | 20 400`; see `listed`.
//! - Tables below a header row: `fen,depth,nodes`; see `table`.
//! - JSON objects, one a line, in an array or in other objects: see `json` and `json_cases`.
//!
//! Lines end with LF or CRLF. Reading is strict about what can be read: the first error is reported with its line and
//! column. A position that no board holds is no error: it has a [`Class`] and a reason, and is skipped by name.
#![forbid(unsafe_code)]

mod class;
mod delimited;
mod epd;
mod error;
mod first_counts;
#[cfg(feature = "json")]
mod json;
#[cfg(feature = "json")]
mod json_cases;
mod list;
mod listed;
mod read;
mod repeats;
mod row;
mod row_text;
mod split;
mod table;

pub use class::Class;
pub use error::SuiteError;
pub use list::{EMBEDDED, Suite, embedded, parse};
pub use repeats::Repeats;
pub use row::Row;
pub use row_text::RowText;
pub use split::row_texts;
