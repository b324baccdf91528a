//! Lists in the forms found in practice, their rows, and refused lists.

use crate::{Row, parse};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
const KINGS: &str = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
const QUEEN: &str = "4k3/8/8/8/8/8/8/3QK3 w - - 0 1";
/// A position with one legal move, to which there are five replies.
const ONE: &str = "k7/8/8/8/8/8/1r6/K6n w - - 0 1";
const MATED: &str = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";

const FENS: [(char, &str); 5] = [('@', START), ('§', KINGS), ('$', QUEEN), ('~', ONE), ('^', MATED)];

fn with_fens(text: &str) -> String {
    FENS.into_iter().fold(text.to_string(), |text, (sign, fen)| text.replace(sign, fen))
}

/// Reads a list in which signs represent FENs, and shows its rows: `@ 20 - 8902`.
fn read(text: &str) -> Result<String, String> {
    let counts = |row: &Row| -> String {
        row.counts.iter().map(|count| count.map_or(" -".into(), |count| format!(" {count}"))).collect()
    };
    let rows = parse(&with_fens(text)).map_err(|error| error.to_string())?;
    let sign = |row: &Row| {
        let is_fen = |(_, fen): &(char, &str)| row.fen == *fen || row.fen == format!("{fen} 0 1");
        FENS.into_iter().find(is_fen).map_or_else(|| row.fen.clone(), |(sign, _)| sign.to_string())
    };
    Ok(rows.iter().map(|row| sign(row) + &counts(row)).collect::<Vec<_>>().join(" | "))
}

/// Returns the lists of a table, one per line, each with its expected result. The notation is the same as in
/// `tests/read.txt`: for example, `⏎` is the end of a line of the list.
fn cases(table: &str) -> impl Iterator<Item = (String, &str)> {
    let lines = table.lines().map(str::trim_start).filter(|line| !line.is_empty() && !line.starts_with("== "));
    lines.map(|line| {
        let (list, expected) = line.split_once(" ⇒ ").expect("a list and what is expected");
        let signs =
            [("⏎", "\n"), ("⇥", "\t"), ("␍", "\r"), ("␀", "\0"), ("␛", "\u{1b}"), ("⍽", "\u{a0}"), ("⌘", "\u{feff}")];
        (signs.into_iter().fold(list.into(), |list: String, (sign, letter)| list.replace(sign, letter)), expected)
    })
}

#[track_caller]
fn are_read(table: &str) {
    let read = cases(table).map(|(list, expected)| (read(&list), list, expected));
    let wrong: Vec<_> = read.filter(|(rows, _, expected)| rows.as_deref() != Ok(*expected)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Checks that each list is refused at the expected place with the expected message, which may be any part of the
/// actual message.
#[track_caller]
fn are_refused(table: &str) {
    let is_expected = |(error, _, expected): &(Result<String, String>, String, &str)| {
        let (place, message) = expected.split_once(": ").unwrap_or(("", expected));
        error.as_ref().is_err_and(|error| error.starts_with(place) && error.contains(message))
    };
    let read = cases(table).map(|(list, expected)| (read(&list), list, expected));
    let wrong: Vec<_> = read.filter(|read| !is_expected(read)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Tests the forms of public lists (with our own rows), tables, JSON, and numbers confirmed by our counts.
#[test]
fn lists_are_read_as_people_have_them() {
    are_read(include_str!("tests/read.txt"));
}

#[test]
fn what_may_be_something_else_is_refused_and_each_fault_is_told_with_its_place() {
    are_refused(include_str!("tests/refused.txt"));
    assert!(parse(&format!("{{\"a\":{}", "[".repeat(100_000))).is_err());
}

#[test]
fn rows_of_one_position_in_a_table_join() {
    let text = with_fens("name,fen,depth,nodes\nkings,§,2,25\nstart,@,1,20\nkings again,§,1,5\n");
    let found: Vec<_> = parse(&text).unwrap().into_iter().map(|row| (row.id, row.line, row.counts.len())).collect();
    assert_eq!(found, [("kings".into(), 2, 2), ("start".into(), 3, 1)]);
    assert_eq!(parse(&with_fens("position;fen;d1\nPosition 2;§;5\n")).unwrap()[0].id, "Position 2");
}

#[test]
fn cases_of_json_may_have_escapes_and_moves() {
    let escaped = format!("{{\"{}\": [5, 25]}}", KINGS.replace('/', "\\/"));
    assert_eq!(read(&escaped).as_deref(), Ok("§ 5 25"));
    let moves = ["e1d1", "e1d2", "e1e2", "e1f1", "e1f2"].map(|mv| format!(r#"{{"move": "{mv}", "fen": "$"}}"#));
    let case = format!(r#"{{"start": {{"fen": "§"}}, "expected": [{}]}}"#, moves.join(","));
    let mated = r#"{"start": {"fen": "^"}, "expected": []}"#;
    are_read(&format!(r#"{{"description": "d", "testCases": [{case}, {mated}]}} ⇒ § 5 | ^ 0"#));
}

#[test]
fn rows_have_names() {
    for (text, id) in [
        ("@; D1 20", "line 1"),
        ("@; id \"a; b\"; D1 20;", "a; b"),
        ("@|20|400\n", "line 1"),
        ("@;id a, b;20;400;8902", "a, b"),
        ("the start|@|20|400", "the start"),
        ("id fen; pos\nepd @\nperft 1 20", "fen; pos"),
        ("- fen: @\n  name: 'x y'\n  depth: 1\n  nodes: 20", "x y"),
        ("[(\"kiwi\", \"@\", [20])]", "kiwi"),
        ("{\"id\":\"}{\",\"fen\":\"@\",\"counts\":[20]}", "}{"),
    ] {
        assert_eq!(parse(&with_fens(text)).unwrap_or_else(|error| panic!("{text}: {error}"))[0].id, id, "{text}");
    }
}

#[test]
fn what_looks_like_a_count_is_read() {
    let operations = "D1 5|d1: 5|D1=5|D 1 5|perft 1 = 5|perft 1 5|perft1 5|perft(1) = 5|Perft 1: 5|ply 1 5|PLY 1=5|depth 1 5|Depth(1): 5";
    for operation in operations.split('|') {
        are_read(&format!("§; {operation}; ⇒ § 5\n§ {operation}; id a ⇒ § 5"));
    }
    are_read(
        r#"§ hmvc 0; fmvn 1; ce 12; acd 9; c0 "perft 1 = 6"; v1 7; V0 3; tcri 1 2; eval -0.35; sc 0.5; d "text"; bm e4 ⇒ §"#,
    );
}

#[test]
fn a_count_may_need_128_bits() {
    let rows = parse(&format!("{KINGS} ;D15 2015099950053364471960")).unwrap();
    assert_eq!((rows[0].count(15), rows[0].count(0)), (Some(2_015_099_950_053_364_471_960), Some(1)));
    assert_eq!((rows[0].deepest(64), rows[0].deepest(14)), (Some(15), None));
    assert!(parse(&format!("{KINGS} ;D15 {}", "9".repeat(40))).is_err());
}

/// Castling rights, the e.p. square and the castling rook distinguish positions with the same pieces.
#[test]
fn only_the_same_position_is_a_repeat() {
    for rows in [
        "4k3/7p/8/8/8/8/8/R3K2R w KQ - 0 1 ;D1 24\n4k3/7p/8/8/8/8/8/R3K2R w Q - 0 1 ;D1 23\n4k3/7p/8/8/8/8/8/R3K2R w - - 0 1 ;D1 22",
        "4k3/8/8/1pPp4/8/8/8/4K3 w - b6 0 1 ;D1 7\n4k3/8/8/1pPp4/8/8/8/4K3 w - d6 0 1 ;D2 1\n4k3/8/8/1pPp4/8/8/8/4K3 w - - 0 1 ;D1 6 ;D2 2",
        "1r2k3/8/8/8/8/8/8/1R2KR2 w B - 0 1 ;D1 9\n1r2k3/8/8/8/8/8/8/1R2KR2 w F - 0 1 ;D1 8",
    ] {
        assert_eq!(parse(rows).unwrap().len(), rows.lines().count(), "{rows}");
        let again = format!("{rows}\n{} ;D1 99\n", rows.split(" ;").next().unwrap());
        assert!(parse(&again).unwrap_err().to_string().contains(": found 99 for D1, expected "), "{again}");
    }
}
