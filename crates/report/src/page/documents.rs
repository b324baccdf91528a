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
    /// Schemas of documents that no page shows.
    pub others: Vec<String>,
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

impl Documents {
    /// Reads one document. **Errors** name the place where the document is incomplete, is not one of ours, has another
    /// version of its schema, or has impossible values.
    pub fn parse(text: &str) -> Result<Documents, DocumentError> {
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
        let mut documents = Documents::default();
        match schema.as_str() {
            record::SCHEMA => {
                let record: Record = read(text, record::SCHEMA)?;
                record.check().map_err(DocumentError)?;
                documents.records.push(record);
            }
            compare::SCHEMA => {
                let compared: CompareDocument = read(text, compare::SCHEMA)?;
                compared.check().map_err(DocumentError)?;
                documents.comparisons.push(compared);
            }
            collisions::SCHEMA => documents.collisions.push(read(text, collisions::SCHEMA)?),
            unique::SCHEMA => documents.distinct.push(read(text, unique::SCHEMA)?),
            other => match known {
                Some(known) => {
                    return Err(DocumentError(format!(
                        "schema: found '{other}', expected '{known}': update this perft to read a newer one"
                    )));
                }
                None if other.starts_with("perft.") => documents.others.push(schema),
                None => return Err(DocumentError(format!("schema: found '{other}', expected {EXPECTED}"))),
            },
        }
        Ok(documents)
    }

    pub fn add(&mut self, Documents { records, comparisons, collisions, distinct, others }: Documents) {
        self.records.extend(records);
        self.comparisons.extend(comparisons);
        self.collisions.extend(collisions);
        self.distinct.extend(distinct);
        self.others.extend(others);
    }

    pub fn is_empty(&self) -> bool {
        let Documents { records, comparisons, collisions, distinct, .. } = self;
        records.is_empty() && comparisons.is_empty() && collisions.is_empty() && distinct.is_empty()
    }
}

fn read<T: DeserializeOwned>(text: &str, schema: &str) -> Result<T, DocumentError> {
    let mut json = serde_json::Deserializer::from_str(text);
    serde_path_to_error::deserialize(&mut json)
        .map_err(|error| DocumentError(format!("{}: {}, expected the schema {schema}", error.path(), error.inner())))
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
            let error = Documents::parse(text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
        assert_eq!(Documents::parse("{\"schema\": \"perft.gate/1\"}").unwrap().others, ["perft.gate/1"]);
    }
}
