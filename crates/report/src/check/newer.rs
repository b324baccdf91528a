//! Fields of a record that this version does not know: those of a newer one.

use perft_gate_machine::record::Record;
use serde_json::{Map, Value};

/// Fields that older versions wrote and this one no longer reads.
const RETIRED: [&str; 4] = ["conditions.battery", "conditions.joules", "conditions.watts", "machine.hardware.kinds"];

/// Returns the paths of the fields in `text` that the record, read from it, does not have. Rows are long and have no names,
/// so they are not compared.
pub fn unknown_fields(text: &str, record: &Record) -> Vec<String> {
    let Ok(mut found) = serde_json::from_str::<Map<String, Value>>(text) else { return Vec::new() };
    for rows in ["stages", "tasks", "sustained"] {
        found.remove(rows);
    }
    let known = serde_json::to_value(record).expect("strings and numbers");
    let mut unknown = Vec::new();
    compare(&Value::Object(found), &known, "", &mut unknown);
    unknown.sort();
    unknown
}

/// Collects what `found` has and `known` has not; what says nothing may be left out when it is written again.
fn compare(found: &Value, known: &Value, path: &str, unknown: &mut Vec<String>) {
    let (Value::Object(found), Value::Object(known)) = (found, known) else { return };
    for (name, value) in found {
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        let is_empty = value.is_null() || value.as_array().is_some_and(Vec::is_empty);
        match known.get(name) {
            Some(known) => compare(value, known, &path, unknown),
            None if is_empty || RETIRED.contains(&&*path) => {}
            None => unknown.push(path),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_bench::reference;

    #[test]
    fn fields_of_the_future_are_named() {
        let record = reference();
        assert_eq!(unknown_fields(&record.text(), &record), Vec::<String>::new());
        let mut newer = serde_json::to_value(&record).expect("a record");
        newer["moon"] = "full".into();
        newer["machine"]["hardware"]["qubits"] = 3.into();
        newer["machine"]["system"]["nothing"] = Value::Null;
        assert_eq!(unknown_fields(&newer.to_string(), &record), ["machine.hardware.qubits", "moon"]);
    }
}
