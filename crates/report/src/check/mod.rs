//! Checks of contributed results, before they are shown beside others.
//!
//! A record has no derived numbers: its rates come from the raw rows. So a check of a record asks whether the rows can be
//! those of a run: the counts, the fingerprint, the build, and bounds that no machine breaks. Other documents carry medians
//! and means beside their rows, and those are computed again. What is found is data, one line a problem; a run that was
//! made up with care is not found.

mod derived;
mod document;
mod fingerprint;
mod known;
mod newer;
mod problem;
mod rows;

pub use document::problems;
pub use known::Known;
pub use newer::unknown_fields;
