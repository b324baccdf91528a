//! Whole lists of positions, and those that are built in.

use super::error::SuiteError;
use super::repeats::Repeats;
use super::row::Row;
use super::split::row_texts;

/// Reads a list of positions.
///
/// **Errors**: the first part that is not understood, or a position that is listed twice with different counts.
pub fn parse(text: &str) -> Result<Vec<Row>, SuiteError> {
    let (mut repeats, mut rows) = (Repeats::default(), Vec::new());
    for text in row_texts(text) {
        let row = text.read()?;
        repeats.add(&text, &row)?;
        rows.push(row);
    }
    Ok(rows)
}

/// Built-in suites: name, description, text.
pub const EMBEDDED: [(&str, &str, &str); 5] = [
    ("standard", "the classic positions to depth 6, and every special rule", perft_suites::STANDARD),
    ("quick", "the fewest positions that catch every fault of our catalogue", perft_suites::QUICK),
    ("chess960", "castling of Chess960", perft_suites::CHESS960),
    ("dfrc", "double Chess960: start arrays and positions from play", perft_suites::DFRC),
    ("interactions", "small positions in which rules meet, such as castling beside a king", perft_suites::INTERACTIONS),
];

/// Returns the text of a built-in suite.
pub fn embedded(name: &str) -> Option<&'static str> {
    EMBEDDED.iter().find(|(known, ..)| *known == name).map(|(.., text)| *text)
}

/// Suite of positions to judge a board by.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The rows, in the order of the text.
    pub rows: Vec<Row>,
}

impl Suite {
    /// Returns the classic positions to depth 6, with every special rule.
    pub fn standard() -> Suite {
        Suite::built_in("standard")
    }

    /// Returns the fewest positions that catch every fault of our catalogue.
    pub fn quick() -> Suite {
        Suite::built_in("quick")
    }

    /// Returns the suite for castling in Chess960.
    pub fn chess960() -> Suite {
        Suite::built_in("chess960")
    }

    /// Returns the suite of double Chess960.
    pub fn dfrc() -> Suite {
        Suite::built_in("dfrc")
    }

    /// Returns small positions in which rules meet, such as castling beside the enemy's king.
    pub fn interactions() -> Suite {
        Suite::built_in("interactions")
    }

    /// Reads a suite from its text.
    ///
    /// **Errors**: see [`parse`].
    pub fn parse(text: &str) -> Result<Suite, SuiteError> {
        Ok(Suite { rows: parse(text)? })
    }

    fn built_in(name: &str) -> Suite {
        let text = embedded(name).expect("a suite that is built in");
        Suite::parse(text).expect("a suite whose reading is tested")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::Class;
    use perft_gate_chess::Fen;

    const KINGS: &str = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";

    #[test]
    fn the_communitys_spellings_are_read() {
        let text =
            format!("# a comment\r\n\r\n{KINGS} ;D1 5 ;D2 25\r\n{KINGS};D3 170; id \"bare kings\" ;\n  {KINGS}\n");
        let rows = parse(&text).unwrap();
        assert_eq!(rows.iter().map(|row| row.id.as_str()).collect::<Vec<_>>(), ["line 3", "bare kings", "line 5"]);
        assert_eq!(rows[0].counts, [Some(5), Some(25)]);
        assert_eq!(rows[1].counts, [None, None, Some(170)]);
        assert_eq!((rows[1].deepest(6), rows[1].deepest(2), rows[2].deepest(6)), (Some(3), None, None));
        assert_eq!((rows[1].count(0), rows[1].fen.as_str()), (Some(1), KINGS));
    }

    #[test]
    fn each_fault_is_told_with_line_and_column() {
        for (line, expected) in [
            (format!("{KINGS} ;D1 5 ;D1 6"), "line 2, column 38: found D1 twice, expected it once"),
            (format!("{KINGS} ;D1 five"), "line 2, column 35: found 'five' for D1, expected a number of nodes"),
            (format!("{KINGS} ;D1"), "line 2, column 34: found '' for D1, expected a number of nodes"),
            (format!("{KINGS} ;D1 -5"), "line 2, column 35: found '-5' for D1, expected a number of nodes"),
            (format!("{KINGS} ;D65 5"), "line 2, column 32: found depth '65', expected 1 to 64"),
            (format!("{KINGS} ;D0 1"), "line 2, column 32: found depth '0', expected 1 to 64"),
            (format!("{KINGS} ;E4 5"), "line 2, column 32: found 'E4 5', expected D1 to D64, id, or another operation"),
            (
                format!("{KINGS} ;20 ;400"),
                "line 2, column 32: found '20, 400', expected the counts from depth 1 on, but it may be a depth and its",
            ),
            (format!("{KINGS} 20 400"), "line 2, column 31: FEN field 'end of line': found '20'"),
            ("  4k3/8/8/8/8/8/8/4K3 x - - 0 1".into(), "line 2, column 23: FEN field 'side to move'"),
            ("4k3/8/8/8/8/8/8/4K3".into(), "line 2, column 20: FEN field 'side to move'"),
            ("ä ;D1 5".into(), "line 2, column 1: FEN field 'board'"),
            (format!("{KINGS} ;D1 5\02"), "line 2, column 35: found '5<U+0000>2' for D1, expected a number of nodes"),
            (format!("{KINGS} ;id a\u{1b}[1m"), "line 2, column 36: found <U+001B> in an id, expected a name"),
            (
                "4k3/8/8/8/\08/8/8/4K3 w - - 0 1".into(),
                "line 2, column 1: FEN field 'board': found '<U+0000>' in rank 4",
            ),
        ] {
            let error = parse(&format!("# first\n{line}")).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{line}: {error}");
        }
    }

    #[test]
    fn lists_are_read_as_people_have_them() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        for (text, id, fen, counts) in [
            (format!("{start}; D4 197281"), "line 1", start, vec![None, None, None, Some(197_281)]),
            (format!("\t{}\t;\td1\t20 ;;", start.replace(' ', " \t ")), "line 1", start, vec![Some(20)]),
            (format!("{start} bm e4 Nf3; id \"a; b\"; c0 \"x; D1 7\"; acd 12; D1 20;"), "a; b", start, vec![Some(20)]),
            (format!("{start} D1 20; D2 400"), "line 1", start, vec![Some(20), Some(400)]),
            (format!("{start} 3 7 am e4;D1 20"), "line 1", &format!("{start} 3 7"), vec![Some(20)]),
            (
                format!("# c\nid first\nepd  {start}\nperft 1 20\nperft 3 8902\n"),
                "first",
                start,
                vec![Some(20), None, Some(8902)],
            ),
            (format!("epd {start}\nperft 1 20"), "line 1", start, vec![Some(20)]),
        ] {
            let row = parse(&text).unwrap_or_else(|error| panic!("{text}: {error}")).remove(0);
            assert_eq!((&*row.id, &*row.fen, row.counts), (id, fen, counts), "{text}");
        }
        let blocks =
            format!("id a\nepd {start}\nperft 1 20\n\nid b\nepd {KINGS}\nperft 1 5\nepd {KINGS}\nperft 2 25\n");
        let rows = parse(&blocks).unwrap();
        let ids = rows.iter().map(|row| (row.id.as_str(), row.line, row.counts.len())).collect::<Vec<_>>();
        assert_eq!(ids, [("a", 2 - 1, 1), ("b", 5, 1), ("line 8", 8, 2)]);
    }

    #[test]
    fn counts_have_many_names_and_what_looks_like_one_is_read_or_refused() {
        for operation in [
            "D1 5",
            "d1: 5",
            "D1=5",
            "D 1 5",
            "perft 1 = 5",
            "perft 1 5",
            "perft1 5",
            "perft(1) = 5",
            "Perft 1: 5",
            "ply 1 5",
            "PLY 1=5",
            "depth 1 5",
            "depth 1 = 5",
            "Depth(1): 5",
        ] {
            let row = |text: String| parse(&text).unwrap_or_else(|error| panic!("{text}: {error}")).remove(0);
            assert_eq!(row(format!("{KINGS}; {operation};")).counts, [Some(5)], "{operation}");
            assert_eq!(row(format!("{KINGS} {operation}; id a")).counts, [Some(5)], "{operation}");
        }
        for (operation, found) in [
            ("perft 1", "found '' for D1"),
            ("perft", "found 'perft'"),
            ("depth one 5", "found 'depth one 5'"),
            ("perft 1 5 25", "found '5 25' for D1"),
            ("ply 0 1", "found depth '0'"),
            ("nodes 1 5", "found 'nodes 1 5'"),
            ("leaves = 5", "found 'leaves = 5'"),
            ("moves 5", "found 'moves 5'"),
            ("p1 5", "found 'p1 5'"),
            ("N2 26 leaves", "found 'N2 26 leaves'"),
            ("at depth 2: 26", "found 'at depth 2: 26'"),
            ("level(1): 5", "found 'level(1):'"),
        ] {
            let error = parse(&format!("{KINGS} ;D2 25\n{KINGS}; {operation};")).unwrap_err().to_string();
            assert!(error.starts_with("line 2, column") && error.contains(found), "{operation}: {error}");
        }
        let rest = "hmvc 0; fmvn 1; ce 12; acd 9; c0 \"perft 1 = 6\"; v1 7; V0 3; tcri 1 2; eval -0.35; sc 0.5; d \"text\"; bm e4";
        assert_eq!(parse(&format!("{KINGS} {rest}")).unwrap()[0].counts, []);
    }

    #[cfg(feature = "json")]
    #[test]
    fn json_is_read_by_line_and_as_an_array() {
        for text in [
            "{\"fen\":\"K\",\"depth\":2,\"nodes\":25}\n{\"id\":\"}{\",\"fen\":\"K\",\"counts\":[5,null,170]}",
            "[\n  {\"epd\": \"K\", \"D2\": \"25\", \"note\": \"x\"},\n{\"name\": \"}{\",\n\"fen\": \"K\", \"perft\": {\"1\": 5, \"D3\": 170}}\n]\n",
        ] {
            let rows = parse(&text.replace('K', KINGS)).unwrap();
            assert_eq!(rows[0].counts, [None, Some(25)]);
            assert_eq!((rows[1].id.as_str(), &rows[1].counts[..]), ("}{", &[Some(5), None, Some(170)][..]));
        }
        for (text, expected) in [
            (
                "{\"fen\":\"K\"}\n{\"fen\":\"K\",\"leafs\":6}",
                "line 2, column 1: field 'leafs': found 6, expected counts",
            ),
            (
                "{\"fen\":\"K\",\"depth\":\"x\",\"nodes\":6}",
                "line 1, column 1: field 'depth': found \"x\", expected a number of plies",
            ),
            (
                "{\"fen\":\"K\",\"counts\":7}",
                "line 1, column 1: field 'counts': found 7, expected an array or an object",
            ),
            (
                "{\"fen\":\"K\",\"counts\":[5.5]}",
                "line 1, column 1: field 'counts': found '5.5' for D1, expected a number",
            ),
            ("{\"fen\":\"K\",\"D65\":5}", "line 1, column 1: field 'D65': found depth '65', expected 1 to 64"),
            ("{\"fen\":\"K\",\"total\":\"5\"}", "line 1, column 1: field 'total': found \"5\", expected counts"),
            ("{\"fen\":7}", "line 1, column 1: field 'fen': found 7, expected a text"),
            ("{\"fan\":\"K\"}", "line 1, column 1: found no field 'fen'"),
            ("[{\"fen\":\"K\"},\n{\"fen\":\n", "line 3, column 1: EOF while parsing a value, expected a JSON object"),
            ("{\"fen\":\"K\"} x", "line 1, column 41: expected value, expected a JSON"),
            ("{\"fen\":\"8 w\"}", "line 1, column 1: FEN field 'board': found 1 rank"),
        ] {
            let error = parse(&text.replace('K', KINGS)).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }

    #[test]
    fn a_position_that_is_listed_twice_has_one_count() {
        let text = format!("{KINGS} ;D1 5\n{KINGS} ;D2 25\n4k3/8/8/8/8/8/8/4K3 w - - 7 30 ;D2 26\n");
        let error = parse(&text).unwrap_err().to_string();
        let expected = "line 3, column 1: found 26 for D2, but 25 for the same position in line 2, expected one count";
        assert_eq!(error, expected);
        let text = format!("{KINGS} ;D1 5\n{KINGS} ;D1 5\n4k3/8/8/8/8/8/8/4K3 b - - 7 30 ;D1 6\n");
        assert_eq!(parse(&text).unwrap().len(), 3);
        // Rights, the e.p. square and the castling rook tell positions with the same pieces apart.
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

    #[test]
    fn a_position_that_no_board_holds_is_a_row_with_a_reason() {
        let rows = parse("8/8/8/8/8/8/8/8 w - - ;D1 0\nk7/8/8/8/NNNNNNNN/NNNNNNNN/8/K7 w - - ;D1 9\n").unwrap();
        assert_eq!(
            rows[0].class(),
            (Class::Illegal, Some("FEN field 'board': found 0 kings for White, expected 1".into()))
        );
        assert_eq!(rows[1].class().0, Class::Tolerated);
        assert!(rows.iter().all(|row| row.position.is_err()));
    }

    #[test]
    fn a_mark_before_the_text_and_a_nul_after_a_field_are_space() {
        let rows = parse(&format!("\u{feff}{KINGS} ;D1 5 ;D2 25\0\r\n{KINGS}\0;D1 5\0 ;D2 25\0\n\0\n")).unwrap();
        assert_eq!(rows.iter().map(|row| row.counts.clone()).collect::<Vec<_>>(), [[Some(5), Some(25)]; 2]);
        assert_eq!(Fen::parse(&format!("\u{feff}{KINGS}")).map(|board| board.to_string()), Ok(KINGS.into()));
    }

    #[test]
    fn the_quick_suite_has_the_positions_of_the_standard_one() {
        let fens = |suite: Suite| suite.rows.into_iter().map(|row| row.fen).collect::<Vec<_>>();
        assert_eq!(fens(Suite::quick()), fens(Suite::standard()));
    }

    #[test]
    fn a_count_may_need_128_bits() {
        let rows = parse(&format!("{KINGS} ;D15 2015099950053364471960")).unwrap();
        assert_eq!(rows[0].count(15), Some(2_015_099_950_053_364_471_960));
        assert!(parse(&format!("{KINGS} ;D15 {}", "9".repeat(40))).is_err());
    }

    #[test]
    fn what_is_built_in_reads() {
        for (name, _, text) in EMBEDDED {
            assert!(parse(text).unwrap_or_else(|error| panic!("{name}: {error}")).len() > 6);
        }
    }
}
