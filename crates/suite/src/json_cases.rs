//! Cases within JSON: objects with a position, in arrays and objects around them, at any depth that people write.
//!
//! `{"tests": [{"fen": …}, …]}`, `{"kiwipete": {"fen": …}}` and `{"FEN": [20, 400]}` are lists as much as an array of objects.
//! Everything around the cases is ignored, unless it is named like a count: then an object lacks its position.

use super::delimited::{depth_in_name, is_counts_name, is_like_fen, is_nodes_name, is_position_name, plain_name};
use super::row_text::{RowFormat, RowText};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// Maximum number of objects and arrays around a case.
const MAX_NESTING: u32 = 16;

/// A part of the text that is read as a row, and the FEN that is its name, if any.
struct FoundCase<'t> {
    text: &'t str,
    fen: Option<String>,
}

/// Returns the cases of an object; the object itself if there is none, so that its reading says what is missing.
pub(super) fn cases(object: RowText<'_>) -> Vec<RowText<'_>> {
    let mut found = Vec::new();
    add_object(object.text, 0, &mut found);
    if found.is_empty() {
        return vec![object];
    }
    let (mut at, mut line, mut column) = (0, object.line, object.column);
    let start = object.text.as_ptr() as usize;
    let place = |FoundCase { text, fen }| {
        let offset = text.as_ptr() as usize - start;
        let before = &object.text[at..offset];
        line += before.matches('\n').count();
        let letters = before.rsplit('\n').next().unwrap_or("").chars().count();
        column = if before.contains('\n') { 1 + letters } else { column + letters };
        at = offset;
        let format = fen.map_or(RowFormat::Json, |fen| RowFormat::JsonCounts(fen.into()));
        RowText { line, column, text, format, is_first: false }
    };
    found.into_iter().map(place).collect()
}

/// Adds the cases of an object. One that cannot be read is a case: its reading says why.
fn add_object<'t>(text: &'t str, nesting: u32, found: &mut Vec<FoundCase<'t>>) {
    let Ok(members) = serde_json::from_str::<BTreeMap<String, &RawValue>>(text) else {
        found.push(FoundCase { text, fen: None });
        return;
    };
    let mut members: Vec<(String, &'t str)> = members.into_iter().map(|(name, value)| (name, value.get())).collect();
    members.sort_unstable_by_key(|(_, value)| value.as_ptr());
    let has_position = members.iter().any(|(name, value)| holds_position(name, value));
    let is_count = |name: &str, value: &str| !may_hold_cases(value) && is_count_name(name);
    if has_position || members.iter().any(|(name, value)| is_count(name, value)) {
        found.push(FoundCase { text, fen: None });
        return;
    }
    for (name, value) in members {
        match value.as_bytes()[0] {
            _ if is_like_fen(&name) => found.push(FoundCase { text: value, fen: Some(name) }),
            b'{' if nesting < MAX_NESTING => add_object(value, nesting + 1, found),
            b'[' if nesting < MAX_NESTING => add_array(value, nesting + 1, found),
            _ => {}
        }
    }
}

/// Returns true for a name of one or several counts. A depth alone is none: lists state their deepest one.
fn is_count_name(name: &str) -> bool {
    let plain = plain_name(name);
    is_nodes_name(&plain) || depth_in_name(name).is_some_and(|depth| plain != depth)
}

/// Returns true for an object, or an array of objects or arrays.
fn may_hold_cases(value: &str) -> bool {
    let inside = value.strip_prefix('[').map_or(value, str::trim_start);
    inside.starts_with(['{', '['])
}

/// Adds the cases of an array. If it has any, every object in it is one.
fn add_array<'t>(text: &'t str, nesting: u32, found: &mut Vec<FoundCase<'t>>) {
    let Ok(values) = serde_json::from_str::<Vec<&'t RawValue>>(text) else { return };
    let (mut cases, mut has_cases) = (Vec::new(), false);
    for value in values.into_iter().map(RawValue::get) {
        let before = cases.len();
        match value.as_bytes()[0] {
            b'{' => add_object(value, nesting + 1, &mut cases),
            b'[' if nesting < MAX_NESTING => add_array(value, nesting + 1, &mut cases),
            _ => continue,
        }
        has_cases |= cases.len() > before;
        if cases.len() == before && value.starts_with('{') {
            cases.push(FoundCase { text: value, fen: None });
        }
    }
    if has_cases {
        found.extend(cases);
    }
}

/// Returns true if a member of an object is its position: a FEN, or an object with one, such as `"start": {"fen": …}`. An
/// object that has counts too is a case of its own.
pub(super) fn holds_position(name: &str, value: &str) -> bool {
    let plain = plain_name(name);
    let is_fen_inside = || {
        let inside = serde_json::from_str::<BTreeMap<String, &RawValue>>(value);
        inside.is_ok_and(|inside| {
            inside.keys().any(|name| plain_name(name) == "fen") && !inside.keys().any(|name| is_case_name(name))
        })
    };
    match value.as_bytes().first() {
        Some(b'{') => (is_position_name(&plain) || plain == "start") && is_fen_inside(),
        Some(b'"') if plain == "position" || plain == "pos" || plain == "board" => value.matches('/').count() >= 5,
        _ => is_position_name(&plain) && !matches!(&*plain, "position" | "pos" | "board"),
    }
}

/// Returns true for a name that only a case has: of counts, or of a depth.
fn is_case_name(name: &str) -> bool {
    let plain = plain_name(name);
    is_count_name(name) || is_counts_name(&plain) || plain == "depth"
}

#[cfg(test)]
mod tests {
    use crate::list::parse;

    const KINGS: &str = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    const QUEEN: &str = "4k3/8/8/8/8/8/8/3QK3 w - - 0 1";

    #[test]
    fn cases_are_found_wherever_they_stand() {
        for text in [
            r#"{"tests": [{"fen": "F", "depth": 2, "nodes": 25}, {"fen": "G", "depth": 1, "nodes": 21}]}"#,
            r#"{"version": 3, "meta": {"by": "a"}, "data": {"testCases": [{"FEN": "F", "results": [null, 25]}, {"FEN": "G", "results": [21]}]}}"#,
            r#"{"positions": [{"position": "F", "results": [{"depth": 2, "nodes": 25}]}, {"position": {"fen": "G"}, "results": [{"depth": 1, "count": 21}]}]}"#,
            r#"{"F": {"depth2": 25}, "G": [21]}"#,
            r#"{"a": {"fen": "F", "perft": {"perft2": 25}}, "b": {"fen": "G", "counts": {"d1": "21"}}}"#,
            r#"[{"fen": "F", "nodes": {"2": 25}}, {"epd": "G", "expected": {"1": {"nodes": 21, "captures": 0}}}]"#,
            r#"[{"fen": "F", "depth": [2], "nodes": [25]}, {"start": {"fen": "G", "id": "x"}, "expected": {"depth": 1, "nodes": 21}}]"#,
            r#"{"suites": [{"tests": [{"fen": "F", "tests": [[2, 25]]}]}, {"tests": [{"fen": "G", "Depth 1": 21}]}]}"#,
            r#"{"depth": 6, "perft": [{"fen": "F", "perft": [{"depth": 2, "value": 25}]}, {"fen": "G", "nodes_depth_1": 21}]}"#,
            r#"{"positions": {"start": {"fen": "F", "nodes": [null, 25]}, "position": {"fen": "G", "depth": 1, "nodes": 21}}}"#,
            "{\"fen\": \"F\", \"expected_nodes\": 25, \"depth\": 2}\n{\"fen\": \"G\", \"D1\": 21}",
        ] {
            let text = text.replace("\"F\"", &format!("\"{KINGS}\"")).replace("\"G\"", &format!("\"{QUEEN}\""));
            let rows = parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            let found: Vec<_> = rows.iter().map(|row| (&*row.fen, &row.counts[..])).collect();
            assert_eq!(found, [(KINGS, &[None, Some(25)][..]), (QUEEN, &[Some(21)][..])], "{text}");
        }
        let escaped = format!("{{\"{}\": [5, 25]}}", KINGS.replace('/', "\\/"));
        assert_eq!(parse(&escaped).unwrap()[0].counts, [Some(5), Some(25)]);
    }

    #[test]
    fn counts_may_begin_with_depth_0_and_depths_may_stand_beside_them() {
        let counts = [Some(5), Some(25), Some(170)];
        for (fields, counts) in [
            (r#""perft": [1, 5, 25, 170]"#, &counts[..]),
            (r#""perft": ["1", "5", "25", "170"]"#, &counts),
            (r#""counts": [0, 5, 25, 170]"#, &counts),
            (r#""counts": [null, 5, 25, 170]"#, &counts),
            (r#""nodes": [1, 5, 25, 170], "depth": 3"#, &counts),
            (r#""nodes": [5, 25, 170], "depth": 3"#, &counts),
            (r#""perft": [null, 25, 170]"#, &[None, Some(25), Some(170)]),
            // A wrong count is a wrong count.
            (r#""perft": [6, 25, 170]"#, &[Some(6), Some(25), Some(170)]),
            (r#""depths": [2, 3], "counts": [25, 170]"#, &[None, Some(25), Some(170)]),
            (r#""nodes": [170, 25], "depths": [3, 2]"#, &[None, Some(25), Some(170)]),
            (r#""depths": [{"depth": 2, "nodes": 25}]"#, &[None, Some(25)]),
            (r#""depth": 2, "expected": {"nodes": 25, "captures": 0}"#, &[None, Some(25)]),
            (r#""perft": {"captures": 0, "leaves": 25}, "depth": 2"#, &[None, Some(25)]),
            (r#""result": "pass", "depth": 2, "nodes": 25, "expected": 25"#, &[None, Some(25)]),
        ] {
            let rows = parse(&format!(r#"{{"fen": "{KINGS}", {fields}}}"#));
            assert_eq!(rows.unwrap_or_else(|error| panic!("{fields}: {error}"))[0].counts, counts, "{fields}");
        }
        assert_eq!(parse(&format!(r#"{{"{KINGS}": [1, 5, 25]}}"#)).unwrap()[0].counts, counts[..2]);
        // One legal move, and five replies: two numbers 1 are those of depth 0 and 1.
        for (fen, written, read) in [
            ("k7/8/8/8/8/8/1r6/K6n w - - 0 1", vec![1, 17], vec![1, 17]),
            ("k7/8/8/8/8/8/1r6/K6n w - - 0 1", vec![1, 1, 17], vec![1, 17]),
        ] {
            let rows = parse(&format!(r#"{{"fen": "{fen}", "perft": {written:?}}}"#)).unwrap();
            assert_eq!(rows[0].counts, read.into_iter().map(Some).collect::<Vec<_>>(), "{written:?}");
        }
    }

    #[test]
    fn numbers_of_which_only_one_can_be_the_count_are_refused() {
        for (fields, expected) in [
            (
                r#""depth": 2, "movecount": 5, "nodes": 25"#,
                "field 'nodes': found 25, expected one number of nodes, but field 'movecount' has 5",
            ),
            (r#""depth": 2, "expected": 25, "nodes": 26"#, "field 'nodes': found 26, expected one number of nodes"),
            (
                r#""results": [{"depth": 2, "count": "5", "leaves": 25}]"#,
                "field 'leaves': found 25, expected one number",
            ),
            (r#""expected": {"nodes": 25}"#, "field 'expected': found {\"nodes\":25}, expected counts as 'depth'"),
            (r#""nodes": [1, 5, 25], "depth": 3"#, "field 'depth': found 3, expected 2 like the counts"),
            (r#""depths": [1, 2, 3], "nodes": [5, 25]"#, "found D1 twice"),
        ] {
            let error = parse(&format!(r#"{{"fen": "{KINGS}", {fields}}}"#)).expect_err(fields).to_string();
            assert!(error.contains(expected), "{fields}: {error}");
        }
        let error = parse(&format!(r#"["{KINGS}", [5, 25]]"#)).unwrap_err().to_string();
        assert!(error.contains("found another value, expected a JSON object with 'fen' and counts"), "{error}");
    }

    #[test]
    fn the_legal_moves_of_a_position_are_the_count_of_depth_1() {
        let moves = ["e1d1", "e1d2", "e1e2", "e1f1", "e1f2"].map(|mv| format!(r#"{{"move": "{mv}", "fen": "x"}}"#));
        let case = format!(r#"{{"start": {{"fen": "{KINGS}"}}, "expected": [{}]}}"#, moves.join(","));
        let rows = parse(&format!(r#"{{"description": "d", "testCases": [{case}]}}"#)).unwrap();
        assert_eq!((rows.len(), &rows[0].counts[..]), (1, &[Some(5)][..]));
    }

    #[test]
    fn a_case_that_is_not_understood_is_refused_where_it_stands() {
        for (text, expected) in [
            (
                "{\"tests\": [\n{\"fen\": \"K\", \"D1\": 5},\n  {\"fan\": \"K\"}]}",
                "line 3, column 3: found no field 'fen'",
            ),
            ("{\"tests\": [\n{\"fen\": \"K\", \"D1\": 5}], \"x\": {\"nodes\": 1}}", "line 2, column "),
            (
                "{\"tests\": [{\"fen\": \"K\", \"leafz\": 5}]}",
                "line 1, column 12: field 'leafz': found 5, expected counts",
            ),
            (
                "{\"tests\": [{\"fen\": \"K\", \"depth\": 3, \"nodes\": [5, 25]}]}",
                "line 1, column 12: field 'depth': found 3, expected 2",
            ),
            (
                "{\"tests\": [{\"fen\": \"K\", \"nodes\": 5}]}",
                "line 1, column 12: field 'nodes': found 5, expected counts",
            ),
            (
                "{\"tests\": [{\"fen\": \"K\", \"results\": [{\"nodes\": 5}]}]}",
                "line 1, column 12: field 'results': found {",
            ),
            ("{\"tests\": [{\"fen\": \"K\"\n}", "line 2, column "),
            ("{\"K\": [5, \"x\"]}", "line 1, column "),
            ("{\"K\": 5}", "line 1, column "),
        ] {
            let error = parse(&text.replace('K', KINGS)).expect_err(text).to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
        assert!(parse(&format!("{{\"a\":{}", "[".repeat(100_000))).is_err());
    }
}
