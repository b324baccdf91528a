//! JSON layout that people can read and tools can compare line by line: indented outside, one line for each row of
//! data.

use serde::Serialize;
use serde_json::Value;

/// Returns a document with everything at `row_depth` in one line each, and a newline at its end.
pub fn lines(document: &impl Serialize, row_depth: usize) -> String {
    let document = serde_json::to_value(document).expect("strings and numbers");
    let mut text = String::new();
    write(&document, row_depth - 1, "\n", &mut text);
    text + "\n"
}

/// Writes a value whose rows are `depth` levels below it; `newline` contains its indentation.
fn write(value: &Value, depth: usize, newline: &str, text: &mut String) {
    let (open, items, close): (_, Vec<(String, &Value)>, _) = match value {
        Value::Array(values) if depth > 0 && !values.is_empty() => {
            ("[", values.iter().map(|value| (String::new(), value)).collect(), "]")
        }
        Value::Object(fields) if depth > 0 && !fields.is_empty() => {
            ("{", fields.iter().map(|(name, value)| (format!("\"{name}\": "), value)).collect(), "}")
        }
        _ => return *text += &value.to_string(),
    };
    let inner = format!("{newline}  ");
    *text += open;
    for (number, (name, value)) in items.into_iter().enumerate() {
        *text += if number > 0 { "," } else { "" };
        *text += &inner;
        *text += &name;
        write(value, depth - 1, &inner, text);
    }
    *text += newline;
    *text += close;
}
