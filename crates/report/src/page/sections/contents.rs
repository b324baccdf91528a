//! The page of documents: its sections, in order.

use super::standing::Spread;
use super::{conditions, costs, headline, latency, machines, method, rates, ratios, scaling, summary};
use crate::page::documents::Documents;
use crate::page::format::counted;
use crate::page::model::Page;
use perft_gate_machine::record::Record;

impl Page {
    /// Returns the page of these documents. `baseline` is the index of a record of the machine that the others are compared
    /// with, or else that of the first. Records whose set of workloads has another version are left out, and that is said.
    pub fn new(documents: &Documents, baseline: Option<usize>) -> Page {
        let wanted = baseline.unwrap_or(0);
        let version = documents.records.get(wanted).map_or(0, Record::workloads_version);
        let is_kept = |record: &&Record| record.workloads_version() == version;
        let records: Vec<Record> = documents.records.iter().filter(is_kept).cloned().collect();
        let baseline = documents.records.iter().take(wanted).filter(is_kept).count();
        let left_out = documents.records.len() - records.len();
        let left_out = (left_out > 0).then(|| {
            format!(
                "{} of another version of the workloads than the baseline's ({version}) left out: versions are different work.",
                counted(left_out, "record", "records")
            )
        });
        let machines = machines::of_records(&records, (!records.is_empty()).then_some(baseline));
        let spread = Spread::new(&machines);
        let sections = [
            summary::section(&machines, &spread, left_out),
            summary::scores(&machines),
            rates::section(&machines),
            scaling::section(&machines),
            latency::tasks(&machines),
            latency::sustained(&machines),
            ratios::section(&machines, &spread),
            conditions::section(&machines),
            conditions::properties(&machines),
            costs::section(&documents.comparisons),
            costs::recompute(&documents.comparisons),
            Some(method::section(&machines, documents, &spread)),
        ];
        Page { sections: sections.into_iter().flatten().collect(), ..headline::page(&machines, &spread) }
    }
}
