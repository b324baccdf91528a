//! Sections of a page. Each function returns `None` if the documents have nothing for its section.

mod collisions;
mod conditions;
mod costs;
mod distinct;
mod fingerprint;
mod headline;
mod history;
mod kinds;
pub(super) mod labels;
mod latency;
pub(super) mod machine;
mod measurements;
mod method;
mod processors;
mod rates;
mod ratios;
mod recompute;
mod scaling;
mod scores;
pub(super) mod standing;
mod summary;
mod sustained;

use super::documents::Documents;
use super::model::{Page, Part, Section};
use machine::Machine;
use standing::Spread;

/// Returns the page of these machines, whose records are the documents', and of the other documents.
pub(super) fn page(machines: &[Machine<'_>], documents: &Documents, spread: Spread, left_out: Option<String>) -> Page {
    let hardware: [Option<Section>; 12] = [
        summary::section(machines, spread, left_out),
        scores::section(machines, spread),
        rates::section(machines),
        scaling::section(machines),
        kinds::section(machines),
        latency::section(machines),
        sustained::section(machines),
        ratios::section(machines),
        history::section(machines),
        conditions::section(machines),
        measurements::section(machines),
        fingerprint::section(machines),
    ];
    let hashing: [Option<Section>; 4] = [
        costs::section(&documents.comparisons),
        recompute::section(&documents.comparisons),
        collisions::section(&documents.collisions),
        distinct::section(&documents.distinct),
    ];
    let hashing = hashing.into_iter().flatten().map(|section| Section { part: Part::Hashing, ..section });
    let method = Section { part: Part::Method, ..method::section(machines, documents) };
    let sections = hardware.into_iter().flatten().chain(hashing).chain([method]).collect();
    Page { sections, ..headline::of(machines, documents, spread) }
}

/// Returns the page that lists machines, each with a link to its own.
pub(super) fn index(machines: &[Machine<'_>], documents: &Documents, left_out: Option<String>) -> Page {
    let spread = Spread::of(machines);
    let sections: [Option<Section>; 3] = [
        summary::section(machines, spread, left_out),
        processors::section(machines),
        scores::section(machines, spread),
    ];
    let method = Section { part: Part::Method, ..method::section(machines, &Documents::default()) };
    let sections = sections.into_iter().flatten().chain([method]).collect();
    Page { sections, facts: Vec::new(), ..headline::of(machines, documents, spread) }
}
