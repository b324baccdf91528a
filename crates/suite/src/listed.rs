//! Lines with a FEN and the counts of depth 1, 2, …, separated by commas, semicolons, tabs or bars: `FEN,20,400`,
//! `FEN | 20 400`. A name may stand before the FEN or right after it, and `D3 8902` or `3: 8902` names its depth.
//!
//! Such a line does not say that its numbers begin with depth 1: `FEN,4,197281` is a depth and its count in many lists. A
//! line that can be read both ways is refused. The number of legal moves decides: it is the count of depth 1.

use super::delimited::{SEPARATORS, fields, is_like_fen};
use super::epd;
use super::error::SuiteError;
use super::first_counts;
use super::row::Row;
use super::row_text::RowText;
use perft_gate_chess::{excerpt, legal_moves};
use perft_gate_walk::MAX_DEPTH;

/// Returns the separator of a line with a FEN and numbers in fields of their own.
pub(super) fn separator(line: &str) -> Option<char> {
    let is_listed = |separator: &char| {
        let mut others = fields(line, *separator).filter(|field| !is_like_fen(field));
        let has_fen = || fields(line, *separator).any(is_like_fen);
        let is_space = *separator == '\t' && line.contains(';');
        // `FEN; D1 20` is EPD.
        let is_count = |field: &str| !matches!(separator, ';' | '\t') && epd::count_operation(field).is_some();
        line.contains(*separator)
            && !is_space
            && others.any(|field| begins_with_number(field) || is_count(field))
            && has_fen()
    };
    SEPARATORS.into_iter().find(is_listed)
}

fn begins_with_number(field: &str) -> bool {
    field.trim_start_matches(['-', '+']).starts_with(|letter: char| letter.is_ascii_digit())
}

/// Reads a line.
pub(super) fn read_line(source: &RowText<'_>, separator: char) -> Result<Row, SuiteError> {
    let fen = fields(source.text, separator).find(|field| is_like_fen(field)).unwrap_or(source.text);
    let mut row = epd::read_position(source, fen)?;
    let (mut counts, mut name, mut is_after_fen) = (Vec::new(), None, false);
    for field in fields(source.text, separator) {
        if std::ptr::eq(field, fen) {
            is_after_fen = true;
        } else if let Some((label, depth, count)) = epd::count_operation(field).or_else(|| labelled(field)) {
            epd::add_count(&mut row, source, (label, depth), count)?;
        } else if is_after_fen && (field.is_empty() || begins_with_number(field)) {
            counts.extend(numbers(field));
        } else if counts.is_empty() && name.is_none() && !field.is_empty() && !begins_with_number(field) {
            name = Some(field);
        } else if !field.is_empty() {
            let found = excerpt(field, 40);
            let expected = "FEN,20,400, or a header row that names the columns, such as fen,depth,nodes";
            return Err(source.error(field, format!("found '{found}', expected {expected}")));
        }
    }
    while counts.last().is_some_and(|count| count.is_empty()) {
        counts.pop();
    }
    let may_be_clocks = separator == '\t' && !counts.is_empty() && source.text.split_whitespace().count() <= 6;
    if may_be_clocks && !is_count_of_first(&row, counts[0]) {
        return epd::read_line(source);
    }
    if let Some(other) = other_reading(&row, &counts, may_be_clocks) {
        let found = excerpt(&counts[..counts.len().min(3)].join(", "), 40);
        let message = format!(
            "found '{found}', expected the counts from depth 1 on, but it may be {other}: write D1 20, or a header row \
             such as fen,depth,nodes"
        );
        return Err(source.error(counts[0], message));
    }
    for (depth, count) in (1..).zip(counts).filter(|(_, count)| !count.is_empty()) {
        let depth: u32 = depth;
        epd::add_count(&mut row, source, (count, &depth.to_string()), count)?;
    }
    if let Some(name) = name {
        row.id = epd::read_id(source, name.strip_prefix("id ").unwrap_or(name).trim())?;
    }
    Ok(row)
}

/// Splits `3: 8902` and `3=8902`.
fn labelled(field: &str) -> Option<(&str, &str, &str)> {
    let (depth, count) = field.split_once([':', '='])?;
    let depth = depth.trim();
    epd::is_number(depth).then(|| (depth, depth, count.trim()))
}

/// Returns the counts of a field: several ones are separated by space, or by commas and space.
fn numbers(field: &str) -> impl Iterator<Item = &str> {
    let words = field.split_whitespace().map(|word| word.strip_suffix(',').unwrap_or(word));
    words.chain(field.is_empty().then_some(field))
}

fn is_count_of_first(row: &Row, count: &str) -> bool {
    row.position.as_ref().is_ok_and(|board| count.parse() == Ok(legal_moves(board).len()))
}

/// Returns what the numbers after a FEN may be, if they need not be the counts from depth 1 on.
fn other_reading(row: &Row, counts: &[&str], may_be_clocks: bool) -> Option<&'static str> {
    let first = *counts.first()?;
    let is_depth = |count: &str| count.parse().is_ok_and(|depth: u32| (1..=MAX_DEPTH).contains(&depth));
    let begins_with_moves = is_count_of_first(row, first);
    let may_begin_with_depth = is_depth(first) && !begins_with_moves;
    let depths: Vec<Option<u32>> = counts.iter().step_by(2).map(|depth| depth.parse().ok()).collect();
    let numbers: Vec<u128> = counts.iter().filter_map(|count| count.parse().ok()).collect();
    match counts.len() {
        _ if !row.counts.is_empty() => Some("the count of any depth"),
        _ if may_be_clocks => Some("the clocks of the FEN"),
        1 => Some("a depth, or the count of any depth"),
        _ if numbers.first().is_some_and(|first| *first > first_counts::MAX_LEGAL_MOVES) => {
            Some("counts of greater depths")
        }
        2 if may_begin_with_depth => Some("a depth and its count"),
        pairs if pairs % 2 == 0 && may_begin_with_depth && depths.is_sorted_by(|a, b| a < b) => {
            Some("depths, each before its count")
        }
        _ if first_counts::begin_with_depth_0(row, first.parse().ok(), counts[1].parse().ok()) => {
            Some("counts from depth 0 on")
        }
        3.. if may_begin_with_depth && !numbers.is_sorted() => Some("a depth, its count, and numbers of another kind"),
        _ if begins_with_moves && first_counts::have_another_kind(row, counts[1].parse().ok()) => {
            Some("the count of depth 1, and numbers of another kind")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::list::parse;

    const KINGS: &str = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    #[test]
    fn counts_stand_in_fields_of_their_own() {
        let counts = [Some(20), Some(400), Some(8902)];
        for line in [
            "F,20,400,8902",
            "F, 20, 400, 8902,",
            "\"F\",20,400,8902",
            "F;20;400;8902",
            "F ; 20 ; 400 ; 8902 ;",
            "F\t20\t400\t8902",
            "F | 20 400 8902",
            "F|20|400|8902",
            "| F | 20 | 400 | 8902 |",
            "F | 20, 400, 8902",
            "F,D1 20,D2 400,D3 8902",
            "F|1: 20|2: 400|3=8902",
            "F;1:20;2:400;3:8902",
        ] {
            for fen in [START.to_string(), format!("{START} 0 1")] {
                let line = line.replace('F', &fen);
                let rows =
                    parse(&format!("# a list\n{line}\r\n{line}")).unwrap_or_else(|error| panic!("{line}: {error}"));
                let found: Vec<_> = rows.iter().map(|row| (row.line, &*row.fen, &row.counts[..])).collect();
                assert_eq!(found, [(2, &*fen, &counts[..]), (3, &*fen, &counts[..])], "{line}");
            }
        }
        for (line, id, counts) in [
            ("start,F,20,400", "start", vec![Some(20), Some(400)]),
            ("F|the start|20|400", "the start", vec![Some(20), Some(400)]),
            ("F;id a, b;20;400;8902", "a, b", vec![Some(20), Some(400), Some(8902)]),
            ("F,20,,8902", "line 1", vec![Some(20), None, Some(8902)]),
            ("F,21,400,8902", "line 1", vec![Some(21), Some(400), Some(8902)]),
            ("F,218,9999", "line 1", vec![Some(218), Some(9999)]),
        ] {
            let row = parse(&line.replace('F', START)).unwrap_or_else(|error| panic!("{line}: {error}")).remove(0);
            assert_eq!((&*row.id, row.counts), (id, counts), "{line}");
        }
    }

    #[test]
    fn numbers_that_may_be_something_else_are_refused() {
        for (line, expected) in [
            ("@,5", "found '5', expected the counts from depth 1 on, but it may be a depth, or the count of any depth"),
            ("@ | 197281", "but it may be a depth, or the count of any depth"),
            (
                "@,4,197281",
                "found '4, 197281', expected the counts from depth 1 on, but it may be a depth and its count",
            ),
            ("@;21;400", "but it may be a depth and its count: write D1 20, or a header row such as fen,depth,nodes"),
            ("@|1|20|2|400", "but it may be depths, each before its count"),
            ("@,1,20,400", "but it may be counts from depth 0 on"),
            ("@,0,20,400", "but it may be counts from depth 0 on"),
            ("@;;20;400", "but it may be counts from depth 0 on"),
            ("@,3,8902,34,0,0,0,12,0,0", "but it may be a depth, its count, and numbers of another kind"),
            ("@;3;8902;34;0;0;0;12", "but it may be a depth, its count, and numbers of another kind"),
            ("@,8902,3", "but it may be counts of greater depths"),
            ("@|8902|197281|4865609", "but it may be counts of greater depths"),
            ("@,20,0,0,0", "but it may be the count of depth 1, and numbers of another kind"),
            ("@;D3 8902;20", "found '20', expected the counts from depth 1 on, but it may be the count of any depth"),
            ("@,D3 8902,20", "but it may be the count of any depth"),
            ("@\t20\t400", "found '20, 400', expected the counts from depth 1 on, but it may be the clocks of the FEN"),
            ("@,20,8902x", "found '8902x' for D2, expected a number of nodes"),
            ("@,20,-400,1", "found '-400' for D2, expected a number of nodes"),
            ("@,20,\"8,902\",1", "found '8,902' for D2, expected a number of nodes"),
            ("@,20,none,8902", "found 'none', expected FEN,20,400, or a header row"),
            ("7,@,20,400", "found '7', expected FEN,20,400, or a header row"),
        ] {
            let line = line.replace('@', START);
            let error = parse(&format!("{KINGS}\n{line}")).expect_err(&line).to_string();
            assert!(error.starts_with("line 2, column ") && error.contains(expected), "{line}: {error}");
        }
    }

    #[test]
    fn what_epd_reads_is_epd() {
        for (line, fen, counts) in [
            (format!("{START}\t0\t1"), format!("{START} 0 1"), vec![]),
            (format!("{START}\t12 30"), format!("{START} 12 30"), vec![]),
            (format!("{START} bm e4,20;D1 20"), START.into(), vec![Some(20)]),
            (format!("{START}\tD1 20"), START.into(), vec![Some(20)]),
            (format!("{START} ;D1 20 ;id a, 5|6"), START.into(), vec![Some(20)]),
            (format!("{START} ;id fen,depth,nodes"), START.into(), vec![]),
        ] {
            let row = parse(&line).unwrap_or_else(|error| panic!("{line}: {error}")).remove(0);
            assert_eq!((row.fen, row.counts), (fen, counts), "{line}");
        }
        let rows = parse(&format!("id fen; pos\nepd {KINGS}\nperft 1 5")).unwrap();
        assert_eq!((&*rows[0].id, &rows[0].counts[..]), ("fen; pos", &[Some(5)][..]));
    }

    #[test]
    fn a_list_in_no_known_form_says_what_it_was_taken_for() {
        for (text, form) in [
            ("position startpos\n", "EPD"),
            ("depth 1: 20\n", "EPD"),
            ("a,b,c\n1,2,3\n", "EPD"),
            ("{\"cases\": [1, 2]}", "JSON"),
        ] {
            let error = parse(text).expect_err(text).to_string();
            let expected =
                format!("; the first row was taken for {form}, expected 'FEN ;D1 20', 'FEN,20,400', a header row");
            assert!(error.starts_with("line 1, column ") && error.contains(&expected), "{text}: {error}");
        }
        let error = parse(&format!("{KINGS}\nnonsense")).unwrap_err().to_string();
        assert!(!error.contains("first row"), "{error}");
    }
}
