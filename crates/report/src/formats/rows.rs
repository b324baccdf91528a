//! Documents that list rows, of which there may be many.

use serde::{Serialize, Serializer};
use serde_json::Value;

/// A document: its other fields, and then its rows.
#[derive(Serialize)]
#[serde(bound = "")]
struct Document<'a, T> {
    #[serde(flatten)]
    head: Value,
    rows: Rows<'a, T>,
}

/// Rows, each made a value when it is written: all of them at once take many times the memory of their text.
struct Rows<'a, T>(&'a [T], fn(&T) -> Value);

impl<T> Serialize for Rows<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(self.1))
    }
}

/// Returns the text of a document.
pub fn text<T>(head: Value, rows: &[T], row: fn(&T) -> Value) -> String {
    let document = Document { head, rows: Rows(rows, row) };
    let mut text = serde_json::to_string_pretty(&document).expect("strings and numbers");
    text.push('\n');
    text
}
