//! JSON objects with a position and its counts.
//!
//! The position is `fen` (or `epd`), its name `id` or `name`. Counts are written in one of these ways:
//! `"depth": 4, "nodes": 23441`; `"counts": [20, 400]`, from depth 1; `"counts": {"4": 23441}`; `"D4": 23441`. `count`
//! stands for `nodes`, and `perft` for `counts`. Other fields are ignored, unless they hold numbers and no count is
//! found: then one of them is probably meant.

use super::epd;
use super::error::SuiteError;
use super::row::Row;
use super::row_text::RowText;
use serde_json::{Map, Value};

/// Reads an object.
pub(super) fn read_object(source: RowText<'_>) -> Result<Row, SuiteError> {
    let object: Map<String, Value> = serde_json::from_str(source.text).map_err(|error| {
        let text = error.to_string();
        let reason = text.split(" at line ").next().unwrap_or(&text);
        let (line, column) = (error.line().saturating_sub(1), error.column().saturating_sub(1));
        source.error_at(line, column, format!("{reason}, expected a JSON object with 'fen' and counts"))
    })?;
    let text = |names: [&str; 2]| {
        let (name, value) = names.into_iter().find_map(|name| Some((name, object.get(name)?)))?;
        Some(value.as_str().ok_or_else(|| wrong_field(source, name, value, "a text")))
    };
    let Some(fen) = text(["fen", "epd"]).transpose()? else {
        return Err(source.error(source.text, "found no field 'fen', expected one with a position".into()));
    };
    let mut row = epd::read_position(source, fen)?;
    if let Some(name) = text(["id", "name"]).transpose()? {
        row.id = epd::read_id(source, name)?;
    }
    for (name, value) in &object {
        read_counts(&mut row, source, name, value)?;
    }
    if let (Some(depth), Some((name, nodes))) = (object.get("depth"), either(&object, ["nodes", "count"])) {
        let Some(depth) = depth.as_u64() else { return Err(wrong_field(source, "depth", depth, "a number of plies")) };
        add_count(&mut row, source, name, &depth.to_string(), nodes)?;
    }
    let is_numeric = |value: &Value| value.is_number() || value.as_str().is_some_and(epd::is_numeric);
    let is_name = |name: &str| ["fen", "epd", "id", "name"].contains(&name);
    let is_unread = |(name, value): &(&String, &Value)| {
        !is_name(name) && (is_numeric(value) || value.is_array() || value.is_object())
    };
    match object.iter().find(is_unread).filter(|_| row.counts.is_empty()) {
        None => Ok(row),
        Some((name, value)) => {
            Err(wrong_field(source, name, value, "counts as 'depth' and 'nodes', 'counts', or 'D1', 'D2', …"))
        }
    }
}

/// Returns the first of two fields that is there.
fn either<'o>(object: &'o Map<String, Value>, names: [&'static str; 2]) -> Option<(&'static str, &'o Value)> {
    names.into_iter().find_map(|name| Some((name, object.get(name)?)))
}

/// Reads the counts of a field, if it holds any.
fn read_counts(row: &mut Row, source: RowText<'_>, name: &str, value: &Value) -> Result<(), SuiteError> {
    let depth = name.strip_prefix(['D', 'd']).filter(|depth| depth.bytes().all(|byte| byte.is_ascii_digit()));
    match (name, value) {
        ("counts" | "perft", Value::Array(counts)) => {
            let known = (1..).zip(counts).filter(|(_, count)| !count.is_null());
            known
                .into_iter()
                .try_for_each(|(depth, count): (u32, _)| add_count(row, source, name, &depth.to_string(), count))
        }
        ("counts" | "perft", Value::Object(counts)) => counts
            .iter()
            .try_for_each(|(depth, count)| add_count(row, source, name, depth.trim_start_matches(['D', 'd']), count)),
        ("counts" | "perft", _) => Err(wrong_field(source, name, value, "an array or an object")),
        _ => match depth.filter(|depth| !depth.is_empty()) {
            Some(depth) => add_count(row, source, name, depth, value),
            None => Ok(()),
        },
    }
}

fn add_count(row: &mut Row, source: RowText<'_>, name: &str, depth: &str, value: &Value) -> Result<(), SuiteError> {
    let count = match value {
        // Beyond 53 bits, many programs write a text.
        Value::String(digits) => digits.clone(),
        Value::Number(number) => number.to_string(),
        _ => return Err(wrong_field(source, name, value, "a number of nodes")),
    };
    epd::add_count(row, source, (depth, depth), &count)
        .map_err(|error| SuiteError { message: format!("field '{name}': {}", error.message), ..error })
}

fn wrong_field(source: RowText<'_>, name: &str, value: &Value, expected: &str) -> SuiteError {
    let shown: String = value.to_string().chars().take(40).collect();
    source.error(source.text, format!("field '{name}': found {shown}, expected {expected}"))
}
