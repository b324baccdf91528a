//! Documents and their schemas.

use super::root;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Reads a JSON document.
#[track_caller]
pub fn document(path: impl AsRef<Path>) -> Value {
    let path = path.as_ref();
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A schema of the folder `schema`.
pub struct Schema(jsonschema::Validator);

impl Schema {
    /// The schema of documents that call themselves `perft.NAME/1`.
    #[track_caller]
    pub fn of(name: &str) -> Schema {
        let schema = document(root(&format!("schema/{name}-1.schema.json")));
        Schema(jsonschema::validator_for(&schema).unwrap_or_else(|error| panic!("{name}: {error}")))
    }

    pub fn is_valid(&self, document: &Value) -> bool {
        self.0.is_valid(document)
    }

    /// Panics with all errors if the document does not follow the schema.
    #[track_caller]
    pub fn check(&self, document: &Value) {
        let errors: Vec<String> = self.0.iter_errors(document).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}\n{document:#}");
    }
}
