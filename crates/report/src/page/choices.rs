//! The page of documents, as a reader chooses it.

use super::documents::Documents;
use super::format;
use super::model::Page;
use super::sections::machines;
use super::sections::pages;
use super::sections::standing::Spread;
use perft_gate_machine::record::Record;

/// What a reader chooses of a page.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// Title; the machines' if absent.
    pub title: Option<String>,
    /// Index of a record of the machine that the others are compared with; the first if absent.
    pub baseline: Option<usize>,
}

impl Page {
    /// Returns the page of these documents. Records whose set of workloads has another version than the baseline's are left
    /// out, and that is said.
    pub fn of(documents: &Documents, choices: &Choices) -> Page {
        let Kept { records, baseline, left_out } = Kept::of(&documents.records, choices.baseline);
        let machines = machines::of_records(&records, baseline);
        let page = pages::page(&machines, documents, &Spread::of(&machines), left_out);
        Page { title: choices.title.clone().unwrap_or(page.title), ..page }
    }
}

/// Records of one version of the workloads.
pub(super) struct Kept {
    pub(super) records: Vec<Record>,
    /// Index of the baseline's record among them.
    pub(super) baseline: Option<usize>,
    /// Sentence about the others, if there are any.
    pub(super) left_out: Option<String>,
}

impl Kept {
    /// Returns the records of the baseline's version; the baseline is the first record if none is chosen.
    pub(super) fn of(records: &[Record], baseline: Option<usize>) -> Kept {
        let Some(wanted) = baseline.or((!records.is_empty()).then_some(0)) else {
            return Kept { records: Vec::new(), baseline: None, left_out: None };
        };
        let version = records[wanted].workloads_version();
        let is_kept = |record: &&Record| record.workloads_version() == version;
        let kept: Vec<Record> = records.iter().filter(is_kept).cloned().collect();
        let left_out = records.len() - kept.len();
        let left_out = (left_out > 0).then(|| {
            format!(
                "{} of another version of the workloads than the baseline's ({version}) left out: versions are different work.",
                format::counted(left_out, "record", "records")
            )
        });
        let baseline = Some(records[..wanted].iter().filter(is_kept).count());
        Kept { records: kept, baseline, left_out }
    }
}
