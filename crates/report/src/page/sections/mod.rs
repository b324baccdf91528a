//! Sections of a page. Each function returns `None` if the documents have nothing for its section.

mod builds;
mod collisions;
mod conditions;
mod costs;
mod distinct;
mod fingerprint;
mod headline;
mod history;
pub(super) mod labels;
mod latency;
pub(super) mod machine;
pub(super) mod machines;
mod measurements;
mod method;
pub(super) mod pages;
mod processors;
mod rates;
mod ratios;
mod recompute;
mod scaling;
mod scores;
pub(super) mod standing;
mod summary;
mod sustained;
