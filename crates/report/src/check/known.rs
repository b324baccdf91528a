//! What a check of a document knows from outside.

/// What is known from outside the documents.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Today's date as RFC 3339 writes it: `2026-11-23`.
    pub today: String,
    /// Commits of the program; nothing is checked against none.
    pub revisions: Vec<String>,
    /// Name of the folder that a record lies in, if it must be its machine's.
    pub folder: Option<String>,
}
