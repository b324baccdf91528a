//! What other programs print: reads perft listings in any common form, compares them with our counts, and explains what
//! is wrong. Reads the position and the key that an engine shows. This crate needs no processes, threads or clock, so it
//! also runs in a browser.
#![forbid(unsafe_code)]

mod answer;
mod comparison;
mod display;
pub mod divide;
mod pairs;
mod pasted;
mod perft_output;
pub mod position_text;
mod walk_cause;

pub use answer::{Answer, Divide, Listing};
pub use comparison::{Comparison, SubtotalDifference};
pub use display::{Display, KeptClocks, KeyBase};
pub use pasted::{NoListing, PastedListing, WrongSubtotal};
pub use perft_output::{Patterns, TotalForm};
pub use walk_cause::{WalkCause, game_end};
