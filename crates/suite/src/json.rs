//! JSON objects with a position and its counts.
//!
//! The position is `fen` (or `epd`, `position`, …), its name `id`, `name` or `description`. Counts are written in one of
//! these ways: `"depth": 4, "nodes": 23441`; `"counts": [20, 400]`, from depth 1, or `[1, 20, 400]`;
//! `"counts": {"4": 23441}`; `"D4": 23441`; `"results": [{"depth": 4, "nodes": 23441}]`. Names are compared without case and signs, and many words stand for `nodes`
//! and `counts`. Other fields are ignored, unless they hold numbers and no count is found: then one of them is probably
//! meant.

use super::delimited::{depth_in_name, is_counts_name, is_nodes_name, is_position_name, is_title_name, plain_name};
use super::epd;
use super::error::SuiteError;
use super::first_counts::begin_with_depth_0;
use super::json_cases::holds_position;
use super::row::Row;
use super::row_text::RowText;
use serde_json::{Map, Value};

/// Reads an object.
pub(super) fn read_object(source: &RowText<'_>) -> Result<Row, SuiteError> {
    let object: Map<String, Value> = serde_json::from_str(source.text).map_err(|error| not_json(source, &error))?;
    let mut row = epd::read_position(source, position(source, &object)?)?;
    let title = object.iter().find(|(name, _)| is_title_name(&plain_name(name)));
    if let Some((name, value)) = title {
        let title = value.as_str().ok_or_else(|| wrong_field(source, name, value, "a text"))?;
        row.id = epd::read_id(source, title)?;
    }
    let side_by_side = depths_beside_counts(&object);
    for (name, value) in &object {
        if !side_by_side.is_some_and(|[depths, counts]| name == depths.0 || name == counts.0) {
            read_counts(&mut row, source, name, value)?;
        }
    }
    if let Some([(_, depths), (name, counts)]) = side_by_side {
        let mut pairs = depths.iter().zip(counts);
        pairs.try_for_each(|(depth, count)| add_count(&mut row, source, name, &plain_number(depth), count))?;
    }
    read_depth_and_nodes(&mut row, source, &object)?;
    let is_numeric = |value: &Value| value.is_number() || value.as_str().is_some_and(epd::is_numeric);
    let is_unread = |(name, value): &(&String, &Value)| {
        let plain = plain_name(name);
        let is_read = is_position_name(&plain) || is_title_name(&plain) || holds_position(name, &value.to_string());
        !is_read && (is_numeric(value) || value.is_array() || value.is_object())
    };
    match object.iter().find(is_unread).filter(|_| row.counts.is_empty()) {
        None => Ok(row),
        Some((name, value)) => {
            Err(wrong_field(source, name, value, "counts as 'depth' and 'nodes', 'counts', or 'D1', 'D2', …"))
        }
    }
}

/// Reads the counts of a position that is the name of this value.
pub(super) fn read_counts_of(source: &RowText<'_>, fen: &str) -> Result<Row, SuiteError> {
    let mut row = epd::read_position(source, fen)?;
    let value: Value = serde_json::from_str(source.text).map_err(|error| not_json(source, &error))?;
    match &value {
        Value::Array(_) | Value::Object(_) => read_many(&mut row, source, fen, &value)?,
        _ => return Err(wrong_field(source, fen, &value, "an array or an object with counts")),
    }
    Ok(row)
}

fn not_json(source: &RowText<'_>, error: &serde_json::Error) -> SuiteError {
    let text = error.to_string();
    let reason = match error.is_data() {
        true => "found another value",
        false => text.split(" at line ").next().unwrap_or(&text),
    };
    let (line, column) = (error.line().saturating_sub(1), error.column().saturating_sub(1));
    source.error_at(line, column, format!("{reason}, expected a JSON object with 'fen' and counts"))
}

/// Returns the position of an object, which may stand in an object of its own.
fn position<'o>(source: &RowText<'_>, object: &'o Map<String, Value>) -> Result<&'o str, SuiteError> {
    let is_fen = |name: &str| matches!(&*plain_name(name), "fen" | "epd");
    let by_name = object.iter().find(|(name, _)| is_fen(name));
    let found = by_name.or_else(|| object.iter().find(|(name, value)| holds_position(name, &value.to_string())));
    match found {
        None => {
            let message = "found no field 'fen', expected one with a position";
            Err(source.error_in_fen(source.text, message.into()))
        }
        Some((_, Value::String(fen))) => Ok(fen),
        Some((_, Value::Object(inside))) => position(source, inside),
        Some((name, value)) => Err(wrong_field(source, name, value, "a text")),
    }
}

/// Reads the counts of a field, if it holds any.
fn read_counts(row: &mut Row, source: &RowText<'_>, name: &str, value: &Value) -> Result<(), SuiteError> {
    let plain = plain_name(name);
    match value {
        // The depth stands beside it.
        Value::Object(_) if is_nodes_name(&plain) && count_in(value).is_some() && !has_depth(value) => Ok(()),
        Value::Array(_) | Value::Object(_) if is_counts_name(&plain) => read_many(row, source, name, value),
        _ if matches!(&*plain, "counts" | "perft") => Err(wrong_field(source, name, value, "an array or an object")),
        _ => match depth_in_name(name).filter(|_| count_in(value).is_some()) {
            Some(depth) => add_count(row, source, name, &depth, value),
            None => Ok(()),
        },
    }
}

/// Reads several counts: from depth 1 on, each with its depth, or by depth.
fn read_many(row: &mut Row, source: &RowText<'_>, name: &str, value: &Value) -> Result<(), SuiteError> {
    match value {
        Value::Array(counts) if !counts.is_empty() && counts.iter().all(is_move) => {
            add_count(row, source, name, "1", &counts.len().into())
        }
        Value::Array(counts) => {
            let begins = first_depth(row, counts);
            let counts = if begins == 0 { &counts[1..] } else { counts };
            for (depth, count) in (1_u32..).zip(counts).filter(|(_, count)| !count.is_null()) {
                match count {
                    Value::Object(pair) => read_pair(row, source, name, pair)?,
                    Value::Array(pair) => match &pair[..] {
                        [depth, count] => add_count(row, source, name, &plain_number(depth), count)?,
                        _ => return Err(wrong_field(source, name, count, "a depth and its count")),
                    },
                    _ => add_count(row, source, name, &depth.to_string(), count)?,
                }
            }
            Ok(())
        }
        Value::Object(pair) if pair.keys().any(|name| is_depth_name(name)) => read_pair(row, source, name, pair),
        Value::Object(counts) => counts.iter().try_for_each(|(depth, count)| {
            let depth = depth_in_name(depth).unwrap_or_else(|| depth.clone());
            add_count(row, source, name, &depth, count)
        }),
        _ => Ok(()),
    }
}

/// Returns the depth of the first count of an array: 1, or 0 if the numbers make sense only so.
fn first_depth(row: &Row, counts: &[Value]) -> usize {
    let number = |value: &Value| if value.is_object() { None } else { count_in(value)?.parse().ok() };
    match counts {
        [first, second, ..] if first.is_null() || number(first).is_some() => {
            usize::from(!begin_with_depth_0(row, number(first), number(second)))
        }
        _ => 1,
    }
}

/// Returns two arrays of the same length, of depths and of their counts.
fn depths_beside_counts(object: &Map<String, Value>) -> Option<[(&String, &Vec<Value>); 2]> {
    let arrays = || object.iter().filter_map(|(name, value)| Some((name, value.as_array()?)));
    let is_depths = |name: &str| plain_name(name) == "depths";
    let depths = arrays().find(|(name, depths)| is_depths(name) && depths.iter().all(|depth| depth.is_number()))?;
    let is_counts = |name: &str| is_counts_name(&plain_name(name)) && !is_depths(name);
    let counts = arrays().find(|(name, counts)| is_counts(name) && counts.len() == depths.1.len())?;
    Some([depths, counts])
}

/// Reads an object with a depth and its count.
fn read_pair(row: &mut Row, source: &RowText<'_>, name: &str, pair: &Map<String, Value>) -> Result<(), SuiteError> {
    let depth = pair.iter().find(|(name, _)| is_depth_name(name));
    let nodes = nodes_of(source, pair, |name| is_nodes_name(name) || name == "value")?;
    match (depth, nodes) {
        (Some((_, depth)), Some((_, nodes))) => add_count(row, source, name, &plain_number(depth), nodes),
        _ => Err(wrong_field(source, name, &Value::Object(pair.clone()), "objects with 'depth' and 'nodes'")),
    }
}

/// Returns the field with the number of nodes. **Errors**: several ones, with different numbers.
fn nodes_of<'o>(
    source: &RowText<'_>,
    object: &'o Map<String, Value>,
    is_nodes: fn(&str) -> bool,
) -> Result<Option<(&'o String, &'o Value)>, SuiteError> {
    let fields = || object.iter().filter(|(name, _)| is_nodes(&plain_name(name)));
    let is_number = |(_, value): &(&String, &Value)| value.is_number() || value.as_str().is_some_and(epd::is_number);
    let Some((name, value)) = fields().find(is_number) else { return Ok(fields().next()) };
    match fields().filter(is_number).find(|(_, other)| plain_number(other) != plain_number(value)) {
        None => Ok(Some((name, value))),
        Some((other, found)) => {
            let expected = format!("one number of nodes, but field '{name}' has {}", plain_number(value));
            Err(wrong_field(source, other, found, &expected))
        }
    }
}

fn has_depth(value: &Value) -> bool {
    value.as_object().is_some_and(|object| object.keys().any(|name| is_depth_name(name)))
}

fn is_depth_name(name: &str) -> bool {
    matches!(&*plain_name(name), "depth" | "ply" | "plies")
}

/// Returns true for an object that describes a move: some lists have the legal moves of a position, not their number.
fn is_move(value: &Value) -> bool {
    let Value::Object(object) = value else { return false };
    object.get("move").is_some_and(Value::is_string) && !object.keys().any(|name| is_depth_name(name))
}

/// Reads the fields `depth` and `nodes` of the object itself. If both are arrays, they go together.
fn read_depth_and_nodes(row: &mut Row, source: &RowText<'_>, object: &Map<String, Value>) -> Result<(), SuiteError> {
    let Some((depth_name, depth)) = object.iter().find(|(name, _)| is_depth_name(name)) else { return Ok(()) };
    let Some((name, nodes)) = nodes_of(source, object, is_nodes_name)? else { return Ok(()) };
    match (depth, nodes) {
        (Value::Array(depths), Value::Array(counts)) if depths.len() == counts.len() => {
            row.counts.clear();
            let mut pairs = depths.iter().zip(counts);
            pairs.try_for_each(|(depth, count)| add_count(row, source, name, &plain_number(depth), count))
        }
        (Value::Array(_), _) => Err(wrong_field(source, depth_name, depth, "as many depths as there are counts")),
        (_, Value::Object(_)) if count_in(nodes).is_none() || has_depth(nodes) => Ok(()),
        (_, Value::Array(counts)) => {
            let deepest = counts.len() + first_depth(row, counts) - 1;
            match depth.as_u64() == Some(deepest as u64) {
                true => Ok(()),
                false => Err(wrong_field(source, depth_name, depth, &format!("{deepest} like the counts"))),
            }
        }
        _ if depth.as_u64().is_none() && !depth.as_str().is_some_and(epd::is_number) => {
            Err(wrong_field(source, depth_name, depth, "a number of plies"))
        }
        _ => add_count(row, source, name, &plain_number(depth), nodes),
    }
}

/// Returns a number or a text as it is written.
fn plain_number(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_string)
}

/// Returns the count that a value is or holds.
fn count_in(value: &Value) -> Option<String> {
    match value {
        // Beyond 53 bits, many programs write a text.
        Value::String(_) | Value::Number(_) => Some(plain_number(value)),
        Value::Object(object) => {
            let (_, nodes) = object.iter().find(|(name, _)| is_nodes_name(&plain_name(name)))?;
            nodes.is_number().then(|| nodes.to_string())
        }
        _ => None,
    }
}

fn add_count(row: &mut Row, source: &RowText<'_>, name: &str, depth: &str, value: &Value) -> Result<(), SuiteError> {
    let count = count_in(value).ok_or_else(|| wrong_field(source, name, value, "a number of nodes"))?;
    epd::add_count(row, source, (depth, depth), &count)
        .map_err(|error| SuiteError { message: format!("field '{name}': {}", error.message), ..error })
}

fn wrong_field(source: &RowText<'_>, name: &str, value: &Value, expected: &str) -> SuiteError {
    let shown: String = value.to_string().chars().take(40).collect();
    source.error(source.text, format!("field '{name}': found {shown}, expected {expected}"))
}
