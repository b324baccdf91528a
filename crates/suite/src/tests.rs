//! Lists in the forms in which people have them, what their rows are, and what is refused.

use crate::{Class, EMBEDDED, Row, parse};
use perft_gate_chess::Fen;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
const KINGS: &str = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
const QUEEN: &str = "4k3/8/8/8/8/8/8/3QK3 w - - 0 1";
/// One legal move, and five replies.
const ONE: &str = "k7/8/8/8/8/8/1r6/K6n w - - 0 1";
const MATED: &str = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";

const FENS: [(char, &str); 5] = [('@', START), ('§', KINGS), ('$', QUEEN), ('~', ONE), ('^', MATED)];

fn with_fens(text: &str) -> String {
    FENS.into_iter().fold(text.to_string(), |text, (sign, fen)| text.replace(sign, fen))
}

/// Reads a list with a sign for each FEN, and shows its rows: `@ 20 - 8902`.
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

/// Returns lists, each a line, with what is expected of them. `⏎` is the end of a line of the list.
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

/// `expected` is the place and the message, of which parts may be left out at the end and at the start.
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

/// Shapes of public lists, with rows of our own.
#[test]
fn lists_are_read_as_people_have_them() {
    are_read(
        r##"
        == EPD and its relatives.
        # c⏎⏎@;D1 20 ;D2 400⏎  § ;D3 170; id "kings" ;⏎ ⇒ @ 20 400 | § - - 170
        ⇥@⇥;⇥d1⇥20 ;;⏎@ bm e4 Nf3; c0 "x; D1 7"; acd 12; D2 400; ⇒ @ 20 | @ - 400
        @ D1 20; D2 400␍⏎@ 3 7 am e4;D1 20 ⇒ @ 20 400 | rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3 7 20
        ⌘§ ;D1 5 ;D2 25␀␍⏎§␀;D1 5␀ ;D2 25␀⏎␀⏎ ⇒ § 5 25 | § 5 25
        startpos ;D1 20 ;D2 400 // twenty⏎startpos⏎§ ;D0 1 ;D1 5 ⇒ @ 20 400 | @ | § 5
        // a⏎% b 7⏎; c D1 7⏎-- d⏎/// @ ;D1 5⏎§ ;D2 25⏎# @ ;D1 3 ⇒ § - 25
        @ ;D3 8,902 ;D4 197'281⏎§ ;D4 1.156 ;D5 7_922 ;D6 53 932⏎@ ;D3 8⍽902 ⇒ @ - - 8902 197281 | § - - - 1156 7922 53932 | @ - - 8902
        @ ;D2 400⏎;D3 8902⏎§ ;D1 5 ⇒ @ - 400 8902 | § 5
        == Fields.
        @,20,400,8902,⏎@;20;400;8902 ;⏎@ | 20 400 8902⏎| @ | 20 | 400 | 8902 | ⇒ @ 20 400 8902 | @ 20 400 8902 | @ 20 400 8902 | @ 20 400 8902
        § ;D1 5⏎§ ;D1 5⏎4k3/8/8/8/8/8/8/4K3 b - - 7 30 ;D1 6 ⇒ § 5 | § 5 | 4k3/8/8/8/8/8/8/4K3 b - - 7 30 6
        "@", 20, 400, 8902⏎@⇥20⇥400⇥8902⏎@ | 20, 400, 8902 ⇒ @ 20 400 8902 | @ 20 400 8902 | @ 20 400 8902
        @,D1 20,D2 400⏎@|1: 20|2: 400|3=8902⏎@;1:20;2:400 ⇒ @ 20 400 | @ 20 400 8902 | @ 20 400
        start,@,20,400⏎@,20,,8902⏎@,20⏎@|20|400|8 902|197,281 ⇒ @ 20 400 | @ 20 - 8902 | @ 20 | @ 20 400 8902 197281
        @,20,400,"8,902"⏎@;20;400;8.902 ⇒ @ 20 400 8902 | @ 20 400 8902
        == A wrong count is a wrong count.
        @,21,400,8902⏎$,218,9999 ⇒ @ 21 400 8902 | $ 218 9999
        @⇥0⇥1⏎@ ;D1 20 ;id a, 5|6⏎@ ;id fen,depth,nodes ⇒ @ | @ 20 | @
        == Blocks
        # c⏎id first⏎epd  @⏎perft 1 20⏎perft 3 8902⏎⏎id b⏎epd §⏎perft 1 5⏎epd §⏎perft 2 25 ⇒ @ 20 - 8902 | § 5 | § - 25
        @⏎1 20⏎2 400⏎3 8,902⏎⏎§⏎1: 5⏎2: 25 ⇒ @ 20 400 8902 | § 5 25
        @⏎Depth⇥Nodes⏎1⇥20⏎3⇥8 902⏎@⏎20 400⏎ ⇒ @ 20 - 8902 | @ 20 400
        @⏎4 197281⏎@⏎20 400 8902⏎§⏎0 1⏎1 5 ⇒ @ - - - 197281 | @ 20 400 8902 | § 5
        **Start:** `@`⏎- [ ] perft(1) = 20⏎- [ ] perft(3) = 8,902⏎### 2⏎```text⏎§⏎```⏎| Depth | Nodes |⏎|---:|---:|⏎| 1 | 5 |⏎| 2 | 25 | ⇒ @ 20 - 8902 | § 5 25
        == YAML and TOML
        ---⏎positions:⏎  - name: a⏎    fen: "@"⏎    nodes: [20, 400]⏎  - fen: §⏎    depth: 2⏎    nodes: 25 ⇒ @ 20 400 | § - 25
        - nodes: 400⏎  depth: 2⏎  fen: '@'⏎- fen: §⏎  results:⏎    - depth: 1⏎      nodes: 5⏎      captures: 0⏎    - depth: 2⏎      nodes: 25 ⇒ @ - 400 | § 5 25
        "@": [20, 400]⏎"§":⏎  1: 5⏎  2: 25 ⇒ @ 20 400 | § 5 25
        title = "x"⏎[[test]]⏎fen = "@"⏎counts = [⏎  20, # one⏎  400,⏎]⏎[[test]]⏎fen = "§"⏎[[test.results]]⏎depth = 2⏎nodes = 25 ⇒ @ 20 400 | § - 25
        == Source text
        TESTS = [⏎    ("a", '@', {1: 20, 3: 8_902}),  # '§', {1: 6}⏎    Position(2, "§", [1, 5, 25]),⏎    ("startpos", [20, 400]),⏎]⏎ ⇒ @ 20 - 8902 | § 5 25 | @ 20 400
        export const tests = [⏎  { fen: '@', depth: 3, nodes: 8902n },⏎  ['§', 4, 1156, 'perft 4'],⏎]; ⇒ @ - - 8902 | § - - - 1156
        const T: [(&'static str, &'static [u64]); 2] = [⏎    ("@", &[20, 400, 8_902]),⏎    ("§", &[5u64, 25_u64]),⏎]; ⇒ @ 20 400 8902 | § 5 25
        #[rustfmt::skip]⏎pub const K: Case = Case { fen_string: "@", depth: 3, nodes: 8902 };⏎check("§", &[(2, 25), (3, 170)]); ⇒ @ - - 8902 | § - 25 170
        #include <x.h>⏎typedef struct { const char *fen; U64 n[2]; } Case;⏎static const Case cases[] = {⏎⇥/* a */ {"@", {20ULL, 400ull}},⏎⇥{"§", 3, 170},⏎}; ⇒ @ 20 400 | § - - 170
        tests := []Case{⏎⇥{FEN: "@",⏎⇥⇥result: []uint64{1, 20, 400}},⏎⇥{FEN: "§", result: nil},⏎} ⇒ @ 20 400 | §
        fails += perft_test("@", {0, 20, 400});⏎fails += perft_test("§", 25, 2); ⇒ @ 20 400 | § - 25
        const E: &[&str] = &["@ ;D1 20 ;D2 400", "§; D1 5"];⏎let l = ["$", "~"]; ⇒ @ 20 400 | § 5 | $ | ~
        ["@", [20, 400], "§", [5]] ⇒ @ 20 400 | § 5
        "##,
    );
}

#[test]
fn tables_have_columns_in_any_order_and_rows_of_one_position_join() {
    are_read(
        r##"
        fen,depth,nodes⏎@,0,1⏎@,1,20⏎@,3,8902⏎§,1,5⏎ ⇒ @ 20 - 8902 | § 5
        # c⏎⏎Depth,FEN,Nodes⏎1,@,20⏎1,§,5⏎⏎3,@,"8,902"⏎ ⇒ @ 20 - 8902 | § 5
        "nodes";"depth";"fen"⏎20;1;"@"⏎⏎8902;3;@⏎5;1;§⏎ ⇒ @ 20 - 8902 | § 5
        EPD⇥Ply⇥Expected nodes␍⏎@⇥1⇥20␍⏎@⇥3⇥8902␍⏎§⇥1⇥5␍⏎ ⇒ @ 20 - 8902 | § 5
        fen | d0 | d1 | d2 | d3⏎@ | 1 | 20 | | 8902⏎§ | 1 | 5 | |⏎ ⇒ @ 20 - 8902 | § 5
        | FEN | Depth | Leaf nodes |⏎|---|:---:|---:|⏎| `@` | 1 | 20 |⏎| `@` | 3 | 8,902 |⏎| § | 1 | 5 |⏎ ⇒ @ 20 - 8902 | § 5
        captures,perft(3),position,perft(1)⏎0,8902,@,20⏎0,,§,5⏎ ⇒ @ 20 - 8902 | § 5
        fen,depth,count,checks⏎@,1,20,0⏎@,3,8902,12⏎@,1,20,0⏎§,1,5,0⏎ ⇒ @ 20 - 8902 | § 5
        epd,nodes_depth_1,depth_2,count 3⏎@,20,,8902⏎§,5⏎ ⇒ @ 20 - 8902 | § 5
        "##,
    );
    let text = with_fens("name,fen,depth,nodes\nkings,§,2,25\nstart,@,1,20\nkings again,§,1,5\n");
    let found: Vec<_> = parse(&text).unwrap().into_iter().map(|row| (row.id, row.line, row.counts.len())).collect();
    assert_eq!(found, [("kings".into(), 2, 2), ("start".into(), 3, 1)]);
    assert_eq!(parse(&with_fens("position;fen;d1\nPosition 2;§;5\n")).unwrap()[0].id, "Position 2");
}

#[test]
fn cases_of_json_are_found_wherever_they_stand() {
    are_read(
        r##"
        {"tests": [{"fen": "§", "depth": 2, "nodes": 25}, {"fen": "$", "depth": 1, "nodes": 21}]} ⇒ § - 25 | $ 21
        {"version": 3, "meta": {"by": "a"}, "data": {"testCases": [{"FEN": "§", "results": [null, 25]}, {"FEN": "$", "results": [21]}]}} ⇒ § - 25 | $ 21
        {"positions": [{"position": "§", "results": [{"depth": 2, "nodes": 25}]}, {"position": {"fen": "$"}, "results": [{"depth": 1, "count": 21}]}]} ⇒ § - 25 | $ 21
        {"§": {"depth2": 25}, "$": [21]} ⇒ § - 25 | $ 21
        {"a": {"fen": "§", "perft": {"perft2": 25}}, "b": {"fen": "$", "counts": {"d1": "21"}}} ⇒ § - 25 | $ 21
        [{"fen": "§", "nodes": {"2": 25}}, {"epd": "$", "expected": {"1": {"nodes": 21, "captures": 0}}}] ⇒ § - 25 | $ 21
        [{"fen": "§", "depth": [2], "nodes": [25]}, {"start": {"fen": "$", "id": "x"}, "expected": {"depth": 1, "nodes": 21}}] ⇒ § - 25 | $ 21
        {"suites": [{"tests": [{"fen": "§", "tests": [[2, 25]]}]}, {"tests": [{"fen": "$", "Depth 1": 21}]}]} ⇒ § - 25 | $ 21
        {"depth": 6, "perft": [{"fen": "§", "perft": [{"depth": 2, "value": 25}]}, {"fen": "$", "nodes_depth_1": 21}]} ⇒ § - 25 | $ 21
        {"positions": {"start": {"fen": "§", "nodes": [null, 25]}, "position": {"fen": "$", "depth": 1, "nodes": 21}}} ⇒ § - 25 | $ 21
        {"fen": "§", "expected_nodes": 25, "depth": 2}⏎{"fen": "$", "D1": 21} ⇒ § - 25 | $ 21
        [⏎  {"epd": "§", "D2": "25", "note": "x"},⏎{"name": "}{",⏎"fen": "$", "perft": {"1": 21}}⏎]⏎ ⇒ § - 25 | $ 21
        "##,
    );
    let escaped = format!("{{\"{}\": [5, 25]}}", KINGS.replace('/', "\\/"));
    assert_eq!(read(&escaped).as_deref(), Ok("§ 5 25"));
    let moves = ["e1d1", "e1d2", "e1e2", "e1f1", "e1f2"].map(|mv| format!(r#"{{"move": "{mv}", "fen": "$"}}"#));
    let case = format!(r#"{{"start": {{"fen": "§"}}, "expected": [{}]}}"#, moves.join(","));
    let mated = r#"{"start": {"fen": "^"}, "expected": []}"#;
    are_read(&format!(r#"{{"description": "d", "testCases": [{case}, {mated}]}} ⇒ § 5 | ^ 0"#));
}

#[test]
fn numbers_are_read_as_our_own_counts_confirm() {
    are_read(
        r##"
        {"fen": "§", "perft": [1, 5, 25, 170]} ⇒ § 5 25 170
        {"fen": "§", "perft": ["1", "5", "25", "170"]} ⇒ § 5 25 170
        {"fen": "§", "counts": [0, 5, 25, 170]} ⇒ § 5 25 170
        {"fen": "§", "counts": [null, 5, 25, 170]} ⇒ § 5 25 170
        {"fen": "§", "nodes": [1, 5, 25, 170], "depth": 3} ⇒ § 5 25 170
        {"fen": "§", "nodes": [5, 25, 170], "depth": 3} ⇒ § 5 25 170
        {"fen": "§", "nodes": [170], "depth": 3} ⇒ § - - 170
        {"fen": "§", "perft": [null, 25, 170]} ⇒ § - 25 170
        {"fen": "§", "perft": [1, null, 25, 170]} ⇒ § - 25 170
        {"fen": "§", "perft": [1, null, null, 170]} ⇒ § - - 170
        {"fen": "§", "perft": [5, null, 170]} ⇒ § 5 - 170
        {"fen": "§", "perft": [6, 25, 170]} ⇒ § 6 25 170
        {"fen": "§", "depths": [2, 3], "counts": [25, 170]} ⇒ § - 25 170
        {"fen": "§", "nodes": [170, 25], "depths": [3, 2]} ⇒ § - 25 170
        {"fen": "§", "depths": [{"depth": 2, "nodes": 25}]} ⇒ § - 25
        {"fen": "§", "depth": 2, "expected": {"nodes": 25, "captures": 0}} ⇒ § - 25
        {"fen": "§", "perft": {"captures": 0, "leaves": 25}, "depth": 2} ⇒ § - 25
        {"fen": "§", "result": "pass", "depth": 2, "nodes": 25, "expected": 25} ⇒ § - 25
        {"fen": "§", "counts": [4, 1156]} ⇒ § - - - 1156
        {"fen": "§", "D3": "170", "D4": "1,156", "D5": 7_922} ⇒ § - - 170 1156 7922
        == One legal move: two numbers 1 are those of depth 0 and 1.
        {"fen": "~", "perft": [1, 5]} ⇒ ~ 1 5
        {"fen": "~", "perft": [1, 1, 5]} ⇒ ~ 1 5
        "##,
    );
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
fn what_looks_like_a_count_is_read_or_refused() {
    let operations = "D1 5|d1: 5|D1=5|D 1 5|perft 1 = 5|perft 1 5|perft1 5|perft(1) = 5|Perft 1: 5|ply 1 5|PLY 1=5|depth 1 5|Depth(1): 5";
    for operation in operations.split('|') {
        are_read(&format!("§; {operation}; ⇒ § 5\n§ {operation}; id a ⇒ § 5"));
    }
    are_read(
        r#"§ hmvc 0; fmvn 1; ce 12; acd 9; c0 "perft 1 = 6"; v1 7; V0 3; tcri 1 2; eval -0.35; sc 0.5; d "text"; bm e4 ⇒ §"#,
    );
    are_refused(
        r##"
        § ;D2 25⏎§; perft 1; ⇒ line 2, column: found '' for D1
        § ;D2 25⏎§; perft; ⇒ line 2, column: found 'perft'
        § ;D2 25⏎§; depth one 5; ⇒ line 2, column: found 'depth one 5'
        § ;D2 25⏎§; perft 1 5 25; ⇒ line 2, column: found '5 25' for D1
        § ;D2 25⏎§; ply 0 2; ⇒ line 2, column: found 2 for D0, expected 1
        § ;D2 25⏎§; nodes 1 5; ⇒ line 2, column: found 'nodes 1 5'
        § ;D2 25⏎§; leaves = 5; ⇒ line 2, column: found 'leaves = 5'
        § ;D2 25⏎§; moves 5; ⇒ line 2, column: found 'moves 5'
        § ;D2 25⏎§; p1 5; ⇒ line 2, column: found 'p1 5'
        § ;D2 25⏎§; N2 26 leaves; ⇒ line 2, column: found 'N2 26 leaves'
        § ;D2 25⏎§; at depth 2: 26; ⇒ line 2, column: found 'at depth 2: 26'
        § ;D2 25⏎§; level(1): 5; ⇒ line 2, column: found 'level(1):'
        "##,
    );
}

#[test]
fn numbers_that_may_be_something_else_are_refused() {
    are_refused(
        r##"
        §⏎@,5 ⇒ line : found '5', expected the counts from depth 1 on, but it may be a depth, or the count of any depth
        §⏎@ | 197281 ⇒ line : but it may be a depth, or the count of any depth
        §⏎@,4,197281 ⇒ line : found '4, 197281', expected the counts from depth 1 on, but it may be a depth and its count
        §⏎@;21;400 ⇒ line : but it may be a depth and its count: write D1 20, or a header row such as fen,depth,nodes
        §⏎@|1|20|2|400 ⇒ line : but it may be depths, each before its count
        §⏎@,1,20,400 ⇒ line : but it may be counts from depth 0 on
        §⏎@,0,20,400 ⇒ line : but it may be counts from depth 0 on
        §⏎@;;20;400 ⇒ line : but it may be counts from depth 0 on
        §⏎@,3,8902,34,0,0,0,12,0,0 ⇒ line : but it may be a depth, its count, and numbers of another kind
        §⏎@;3;8902;34;0;0;0;12 ⇒ line : but it may be a depth, its count, and numbers of another kind
        §⏎@,8902,3 ⇒ line : but it may be a count and its depth
        §⏎@|8902|197281|4865609 ⇒ line : but it may be counts of greater depths
        §⏎@,20,0,0,0 ⇒ line : but it may be the count of depth 1, and numbers of another kind
        §⏎@;D3 8902;20 ⇒ line : found '20', expected the counts from depth 1 on, but it may be the count of any depth
        §⏎@,20,400,8,902 ⇒ line : but it may be one with a sign between thousands
        §⏎@⇥20⇥400 ⇒ line : found '20, 400', expected the counts from depth 1 on, but it may be the clocks of the FEN
        §⏎@,20,8902x ⇒ line : found '8902x' for D2, expected a number of nodes
        §⏎@,20,-400,1 ⇒ line : found '-400' for D2, expected a number of nodes
        §⏎@,20,"89,02",1 ⇒ line : found '89,02' for D2, expected a number of nodes
        §⏎@,20,none,8902 ⇒ line : found 'none', expected FEN,20,400, or a header row
        §⏎7,@,20,400 ⇒ line : found '7', expected FEN,20,400, or a header row
        §⏎@ ;D2 20 400 ⇒ line : found '20 400' for D2, which may be several numbers
        §⏎@ ;D3 902 134 ⇒ line : found '902 134' for D3, which may be several numbers
        §⏎§⏎5 3961 ⇒ line : but it may be
        §⏎@⏎1 20⏎something 2 400 ⇒ line : found 'something', expected id, epd or perft
        "##,
    );
}

#[test]
fn each_fault_is_told_with_its_place() {
    are_refused(
        r##"
        position startpos ⇒ line 1, column 1: ; the first row was taken for EPD, expected 'FEN ;D1 20', 'FEN,20,400', a header row
        depth 1: 20 ⇒ line 1, column 1: ; the first row was taken for EPD, expected
        a,b,c⏎1,2,3⏎ ⇒ line 1, column 1: ; the first row was taken for EPD, expected
        {"cases": [1, 2]} ⇒ line 1, column 1: ; the first row was taken for JSON, expected
        §⏎nonsense ⇒ line 2, column 1: found 'nonsense', expected id, epd or perft
        § ;D1 5⏎§ ;D2 25⏎4k3/8/8/8/8/8/8/4K3 w - - 7 30 ;D2 26 ⇒ line 3, column 1: found 26 for D2, but 25 for the same position in line 2
        # c⏎§ ;D1 5 ;D1 6 ⇒ line 2, column 38: found D1 twice, as 5 and 6, expected one count
        # c⏎§ ;D1 five ⇒ line 2, column 35: found 'five' for D1, expected a number of nodes
        # c⏎§ ;D1 ⇒ line 2, column 34: found '' for D1, expected a number of nodes
        # c⏎§ ;D1 -5 ⇒ line 2, column 35: found '-5' for D1, expected a number of nodes
        # c⏎§ ;D65 5 ⇒ line 2, column 32: found depth '65', expected 1 to 64
        # c⏎§ ;E4 5 ⇒ line 2, column 32: found 'E4 5', expected D1 to D64, id, or another operation
        # c⏎§ ;20 ;400 ⇒ line 2, column 32: found '20, 400', expected the counts from depth 1 on
        # c⏎§ 20 400 ⇒ line 2, column 31: FEN field 'end of line': found '20'
        # c⏎  4k3/8/8/8/8/8/8/4K3 x - - 0 1 ⇒ line 2, column 23: FEN field 'side to move'
        # c⏎4k3/8/8/8/8/8/8/4K3 ⇒ line 2, column 20: FEN field 'side to move'
        # c⏎ä ;D1 5 ⇒ line 2, column 1: FEN field 'board'
        # c⏎§ ;D1 5␀2 ⇒ line 2, column 35: found '5<U+0000>2' for D1, expected a number of nodes
        # c⏎§ ;id a␛[1m ⇒ line 2, column 36: found <U+001B> in an id, expected a name
        # c⏎4k3/8/8/8/␀8/8/8/4K3 w - - 0 1 ⇒ line 2, column 1: FEN field 'board': found '<U+0000>' in rank 4
        == Tables
        fen,nodes⏎§,5⏎ ⇒ line 1, column 5: taken for a header row: found column 'nodes', expected a column with the depth
        depth,fen⏎1,§⏎ ⇒ line 1, column 1: taken for a header row: found column 'depth', expected a column with its nodes too
        fen,d1,depth1⏎§,5,6⏎ ⇒ line 2, column 33: found D1 twice, as 5 and 6
        fen,leafz⏎§,5⏎ ⇒ line 2, column 31: found 5, expected counts as 'depth' and 'nodes'
        fen,d1⏎§,5,25⏎ ⇒ line 2, column 33: found '25', expected the 2 columns that the header names
        fen,d1⏎§,five⏎ ⇒ line 2, column 31: found 'five' for D1, expected a number of nodes
        fen,depth,nodes⏎§,1,5⏎§,0,2⏎ ⇒ line 3, column 31: found 2 for D0, expected 1
        fen,depth,nodes⏎§,1,5⏎§,1,6⏎ ⇒ line 3, column 31: found D1 twice, as 5 and 6
        fen,depth,nodes⏎§,1⏎ ⇒ line 2, column 31: found 1, expected counts
        fen,depth,nodes⏎,1,5⏎ ⇒ line 2, column 1: FEN field 'board'
        fen,depth,nodes⏎§ x,1,5⏎ ⇒ line 2, column 31: FEN field 'end of line'
        == JSON and source text
        {"fen":"§"}⏎{"fen":"§","leafs":6} ⇒ line 2, column 1: field 'leafs': found 6, expected counts
        {"fen":"§","depth":"x","nodes":6} ⇒ line 1, column 1: field 'nodes': found 6, expected counts
        {"fen":"§","counts":7} ⇒ line 1, column 1: field 'counts': found 7, expected counts
        {"fen":"§","counts":[5.5]} ⇒ line 1, column 1: field 'counts': found '5.5' for D1, expected a number
        {"fen":"§","D65":5} ⇒ line 1, column 1: field 'D65': found depth '65', expected 1 to 64
        {"fen":"§","total":"5"} ⇒ line 1, column 1: field 'total': found "5", expected counts
        {"fen":7} ⇒ line 1, column 1: FEN field 'board'
        [{"fen":"§"},⏎{"fen":⏎ ⇒ line 2, column 1: found '{' that is not closed
        [{"fen":"§"] ⇒ line 1, column 40: found ']' that closes no bracket
        {"fen":"8 w"} ⇒ line 1, column 1: FEN field 'board': found 1 rank
        {"tests": [{"fen": "§", "leafz": 5}]} ⇒ line 1, column 12: field 'leafz': found 5, expected counts
        {"tests": [{"fen": "§", "depth": 3, "nodes": [5, 25]}]} ⇒ line 1, column 12: field 'depth': found 3, expected 2
        {"tests": [{"fen": "§", "nodes": 5}]} ⇒ line 1, column 12: field 'nodes': found 5, expected counts
        {"tests": [{"fen": "§", "results": [{"nodes": 5}]}]} ⇒ line 1, column 12: field 'nodes': found 5
        {"tests": [⏎{"fen": "§", "D1": 5}], "x": {"nodes": 1}} ⇒ line 2, column : found 1, which belongs to no position
        {"fens": ["§", "$"],⏎"counts": [[5], [21]]} ⇒ line 2, column 13: found 5, which belongs to no position
        fens = ['§', '$']⏎answers = [[5], [21]] ⇒ line 2, column 13: found 5, which belongs to no position
        {"from": "§", "to": "$", "nodes": 5} ⇒ line 1, column : beside several positions
        [5, "§", 21, "$"] ⇒ line 1, column 2: found 5 beside several positions
        [("§", 5, "25x", 170)] ⇒ line 1, column : found '25x' for D2
        [("§", 5, 2 * 5, 170)] ⇒ line 1, column : found '2 * 5' for D2
        [("§", 20, 400, 8,902)] ⇒ line 1, column : but it may be one with a sign
        {"tests": [{"fen": "§"⏎} ⇒ line 1, column 11: found '[' that is not closed
        {"§": [5, "x", 170]} ⇒ line 1, column : found 'x' for D2
        {"§": 6} ⇒ line 1, column : found '6', expected the counts from depth 1 on
        {"fen": "§", "depth": 2, "movecount": 5, "nodes": 25} ⇒ line 1: field 'nodes': found 25, expected one number of nodes, but field 'movecount' has 5
        {"fen": "§", "depth": 2, "expected": 25, "nodes": 26} ⇒ line 1: field 'nodes': found 26, expected one number of nodes
        {"fen": "§", "results": [{"depth": 2, "count": "5", "leaves": 25}]} ⇒ line 1: field 'leaves': found 25, expected one number
        {"fen": "§", "expected": {"nodes": 25}} ⇒ line 1: field 'nodes': found 25, expected counts as 'depth'
        {"fen": "§", "nodes": [1, 5, 25], "depth": 3} ⇒ line 1: field 'depth': found 3, expected 2 like the counts
        {"fen": "§", "depths": [1, 2, 3], "nodes": [5, 25]} ⇒ line 1: field 'depths': found [1, 2, 3], expected as many depths
        {"fen": "§", "expected": []} ⇒ line 1: field 'expected': found [], expected counts, for a position with legal moves
        {"fen": "§", "counts": [4, 20]} ⇒ line 1: but it may be a depth and its count
        "##,
    );
    assert!(parse(&format!("{{\"a\":{}", "[".repeat(100_000))).is_err());
}

#[test]
fn a_position_that_no_board_holds_is_a_row_with_a_reason() {
    let rows = parse("8/8/8/8/8/8/8/8 w - - ;D1 0\nk7/8/8/8/NNNNNNNN/NNNNNNNN/8/K7 w - - ;D1 9\n").unwrap();
    assert_eq!(
        rows[0].class(),
        (Class::Illegal, Some("FEN field 'board': found 0 kings for White, expected 1".into()))
    );
    assert_eq!(rows[1].class().0, Class::Tolerated);
    assert!(rows.iter().all(|row| row.position.is_err()));
    assert_eq!(Fen::parse(&format!("\u{feff}{KINGS}")).map(|board| board.to_string()), Ok(KINGS.into()));
}

#[test]
fn what_is_built_in_reads() {
    for (name, _, text) in EMBEDDED {
        assert!(parse(text).unwrap_or_else(|error| panic!("{name}: {error}")).len() > 6);
    }
}

#[test]
fn a_count_may_need_128_bits() {
    let rows = parse(&format!("{KINGS} ;D15 2015099950053364471960")).unwrap();
    assert_eq!((rows[0].count(15), rows[0].count(0)), (Some(2_015_099_950_053_364_471_960), Some(1)));
    assert_eq!((rows[0].deepest(64), rows[0].deepest(14)), (Some(15), None));
    assert!(parse(&format!("{KINGS} ;D15 {}", "9".repeat(40))).is_err());
}

/// Rights, the e.p. square and the castling rook make positions with the same pieces different ones.
#[test]
fn only_the_same_position_is_a_repeat() {
    for rows in [
        "4k3/7p/8/8/8/8/8/R3K2R w KQ - 0 1 ;D1 24\n4k3/7p/8/8/8/8/8/R3K2R w Q - 0 1 ;D1 23\n4k3/7p/8/8/8/8/8/R3K2R w - - 0 1 ;D1 22",
        "4k3/8/8/1pPp4/8/8/8/4K3 w - b6 0 1 ;D1 7\n4k3/8/8/1pPp4/8/8/8/4K3 w - d6 0 1 ;D2 1\n4k3/8/8/1pPp4/8/8/8/4K3 w - - 0 1 ;D1 6 ;D2 2",
        "1r2k3/8/8/8/8/8/8/1R2KR2 w B - 0 1 ;D1 9\n1r2k3/8/8/8/8/8/8/1R2KR2 w F - 0 1 ;D1 8",
    ] {
        assert_eq!(parse(rows).unwrap().len(), rows.lines().count(), "{rows}");
        let again = format!("{rows}\n{} ;D1 99\n", rows.split(" ;").next().unwrap());
        assert!(parse(&again).unwrap_err().to_string().contains(": found 99 for D1, but "), "{again}");
    }
}
