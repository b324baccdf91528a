//! Input documents of a page: files that this program writes, identified by their `schema`.

use crate::collisions::{self, CollisionsDocument};
use crate::compare::json::{self as compare, CompareDocument};
use crate::unique::{self, UniqueDocument};
use perft_gate_machine::record::{self, Record};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// Documents that a page shows, as they were read.
#[derive(Clone, Debug, Default)]
pub struct Documents {
    pub records: Vec<Record>,
    pub comparisons: Vec<CompareDocument>,
    pub collisions: Vec<CollisionsDocument>,
    pub distinct: Vec<UniqueDocument>,
}

#[derive(Clone, Debug)]
pub enum PageDocument {
    Record(Box<Record>),
    Compare(Box<CompareDocument>),
    Collisions(CollisionsDocument),
    Distinct(UniqueDocument),
    /// Another of our documents, by its schema.
    Other(String),
}

#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
#[error("{0}")]
pub struct DocumentError(String);

/// Fields common to all our documents.
#[derive(Deserialize)]
struct Head {
    schema: Option<String>,
    /// Version of the program. Records have none.
    #[serde(default, rename = "version")]
    _version: String,
}

const EXPECTED: &str = "a document of perft";

/// Schemas that the page reads.
const KNOWN: [&str; 4] = [record::SCHEMA, compare::SCHEMA, collisions::SCHEMA, unique::SCHEMA];

impl PageDocument {
    /// Reads a document. **Errors** name the place: it is incomplete, not ours, of another version, or has impossible
    /// values.
    pub fn parse(text: &str) -> Result<PageDocument, DocumentError> {
        let head: Head = serde_json::from_str(text).map_err(|error| {
            let found = match error.classify() {
                serde_json::error::Category::Eof => "the end of the file",
                serde_json::error::Category::Data => "a document without a schema or a version",
                _ => "text that is not JSON",
            };
            let (line, column) = (error.line(), error.column());
            DocumentError(format!("line {line}, column {column}: found {found}, expected {EXPECTED}"))
        })?;
        let Some(schema) = head.schema else {
            return Err(DocumentError(format!("schema: found none, expected {EXPECTED}")));
        };
        let name = |schema: &str| schema.rsplit_once('/').map(|(name, _)| name.to_string());
        let known = KNOWN.into_iter().find(|known| name(known) == name(&schema));
        match schema.as_str() {
            record::SCHEMA => match Record::parse(text) {
                Ok(record) => Ok(PageDocument::Record(record.into())),
                Err(error) => Err(DocumentError(error.to_string())),
            },
            compare::SCHEMA => {
                let compared: CompareDocument = read(text, compare::SCHEMA)?;
                compared.check().map_err(DocumentError)?;
                Ok(PageDocument::Compare(compared.into()))
            }
            collisions::SCHEMA => read(text, collisions::SCHEMA).map(PageDocument::Collisions),
            unique::SCHEMA => read(text, unique::SCHEMA).map(PageDocument::Distinct),
            other => match known {
                Some(known) => Err(DocumentError(format!(
                    "schema: found '{other}', expected '{known}': update this perft to read a newer one"
                ))),
                None if other.starts_with("perft.") => Ok(PageDocument::Other(schema)),
                None => Err(DocumentError(format!("schema: found '{other}', expected {EXPECTED}"))),
            },
        }
    }
}

fn read<T: DeserializeOwned>(text: &str, schema: &str) -> Result<T, DocumentError> {
    let mut json = serde_json::Deserializer::from_str(text);
    serde_path_to_error::deserialize(&mut json)
        .map_err(|error| DocumentError(format!("{}: {}, expected the schema {schema}", error.path(), error.inner())))
}

impl Documents {
    /// Adds a document. **Errors**: the schema of a document that no page shows.
    pub fn add(&mut self, document: PageDocument) -> Result<(), String> {
        match document {
            PageDocument::Record(record) => self.records.push(*record),
            PageDocument::Compare(compare) => self.comparisons.push(*compare),
            PageDocument::Collisions(collisions) => self.collisions.push(collisions),
            PageDocument::Distinct(distinct) => self.distinct.push(distinct),
            PageDocument::Other(schema) => return Err(schema),
        }
        Ok(())
    }

    pub fn is_empty(&self) -> bool {
        let Documents { records, comparisons, collisions, distinct } = self;
        records.is_empty() && comparisons.is_empty() && collisions.is_empty() && distinct.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_ours_is_told_by_line_or_field() {
        for (text, expected) in [
            ("{\"schema\": \"perft", "line 1, column 17: found the end of the file, expected a document of perft"),
            ("[1]", "line 1, column 2: found a document without a schema or a version, expected a document of perft"),
            (
                r#"{"schema": "perft.compare/1", "version": 7}"#,
                "line 1, column 42: found a document without a schema or a version, expected a document of perft",
            ),
            ("{}", "schema: found none, expected a document of perft"),
            ("{\"schema\": \"x/1\"}", "schema: found 'x/1', expected a document of perft"),
            (
                "{\"schema\": \"perft.unique/9\"}",
                "schema: found 'perft.unique/9', expected 'perft.unique/1': update this",
            ),
            (
                "{\"schema\": \"perft.collisions/1\", \"schemes\": [{\"rows\": [{\"bits\": \"x\"}]}]}",
                "schemes[0].rows[0].bits: invalid type",
            ),
        ] {
            let error = PageDocument::parse(text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
        assert!(matches!(PageDocument::parse("{\"schema\": \"perft.gate/1\"}"), Ok(PageDocument::Other(_))));
    }
}
