//! The pages: which sections they have, in order.

use super::machine::PageMachine;
use super::standing::Spread;
use super::{
    collisions, conditions, costs, distinct, fingerprint, headline, history, latency, measurements, method, processors,
    rates, ratios, recompute, scaling, scores, summary, sustained,
};
use crate::page::documents::Documents;
use crate::page::model::{Page, PagePart, Section};

/// Returns the page of these machines, whose records are the documents', and of the other documents.
pub fn page(machines: &[PageMachine<'_>], documents: &Documents, spread: &Spread, left_out: Option<String>) -> Page {
    let hardware: [Option<Section>; 11] = [
        summary::section(machines, spread, left_out),
        scores::section(machines),
        rates::section(machines),
        scaling::section(machines),
        latency::section(machines),
        sustained::section(machines),
        ratios::section(machines, spread),
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
    let hashing = hashing.into_iter().flatten().map(|section| Section { part: PagePart::Hashing, ..section });
    let method = Section { part: PagePart::Method, ..method::section(machines, documents) };
    let sections = hardware.into_iter().flatten().chain(hashing).chain([method]).collect();
    Page { sections, ..headline::of(machines, documents, spread) }
}

/// Returns the page that lists machines, each with a link to its own.
pub fn index(machines: &[PageMachine<'_>], documents: &Documents, left_out: Option<String>) -> Page {
    let spread = &Spread::of(machines);
    let sections: [Option<Section>; 3] =
        [summary::section(machines, spread, left_out), processors::section(machines), scores::section(machines)];
    let method = Section { part: PagePart::Method, ..method::section(machines, &Documents::default()) };
    let sections = sections.into_iter().flatten().chain([method]).collect();
    Page { sections, facts: Vec::new(), ..headline::of(machines, documents, spread) }
}
