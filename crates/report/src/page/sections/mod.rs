//! Sections of a page. Each function returns `None` if the documents have nothing for its section.

mod collisions;
mod costs;
mod distinct;
mod fingerprint;
mod headline;
mod kinds;
mod latency;
mod machine;
mod method;
mod rates;
mod ratios;
mod recompute;
mod scaling;
mod scores;

use super::documents::Documents;
use super::model::{Page, Section};
use machine::Machine;

/// Returns the whole page.
pub(super) fn page(documents: &Documents) -> Page {
    let machines = Machine::all(&documents.records);
    let sections: [Option<Section>; 13] = [
        rates::section(&machines),
        scores::section(&machines),
        scaling::section(&machines),
        kinds::section(&machines),
        latency::section(&machines),
        ratios::section(&machines),
        costs::section(&documents.comparisons),
        recompute::section(&documents.comparisons),
        collisions::section(&documents.collisions),
        distinct::section(&documents.distinct),
        rates::all_measurements(&machines),
        fingerprint::section(&machines),
        Some(method::section(&machines, documents)),
    ];
    let headline = headline::of(&machines, documents);
    Page { sections: sections.into_iter().flatten().collect(), ..headline }
}
