//! Sections of a page. Each function returns `None` if the documents have nothing for its section.

mod conditions;
mod contents;
mod costs;
mod counts;
mod latency;
pub(super) mod machines;
mod method;
mod rates;
mod scaling;
mod scores;
mod standing;
