//! Text of a file.

use serde::Serialize;

/// Returns a document as the text of a file.
pub fn text(document: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(document).expect("strings and numbers");
    text.push('\n');
    text
}
