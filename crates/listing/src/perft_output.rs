//! Reads the lines that engines print for perft.
//!
//! The UCI specification does not define perft, so every engine has a different format. A move may be printed as
//! `e2e4: 20`, `[e2e4] 20`, `e2e4 -> 20`, or `| e2e4 | 20 |`, with numbering, colours, thousands separators, or a time
//! after the count. A total may be printed as `Nodes searched: 400`, `Total: 400`, `perft(2) = 400`,
//! `info depth 2 nodes 400`, or a bare number. Some engines print log lines, columns, JSON, or dictionaries and tuples.
//! A line is read as moves and their leaf counts if possible, or else as a total. Other lines are ignored. Search
//! output is recognised, so that its node counts are not taken for leaf counts.

use crate::pairs::{
    MARGIN, MovePairs, NUMBER, PrintedNumber, is_move, move_text, read_number, read_pairs, read_usual_pair, regex,
};
use regex_lite::{Captures, Match, Regex};
use std::sync::LazyLock;

/// Patterns that the user gives for perft answers in an unusual format.
#[derive(Clone, Debug, Default)]
pub struct Patterns {
    /// Pattern for a root move and its leaf count, captured by the groups `move` and `leaves` or else by the first two
    /// groups.
    pub divide: Option<Regex>,
    /// Pattern for the total, captured by its first group.
    pub total: Option<Regex>,
}

impl Patterns {
    pub fn is_any(&self) -> bool {
        self.divide.is_some() || self.total.is_some()
    }
}

/// Line of an engine's answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// A root move and the number of leaves below it. The move is written in lower-case UCI notation without signs
    /// between its squares, or in algebraic notation as printed.
    Subtotal(String, PrintedNumber),
    /// Only moves: a list of legal moves without counts.
    Moves(Vec<String>),
    /// A line that begins like a subtotal, but with a move or number that is not understood.
    Unread,
    /// A title: the lines below it are for a perft of this many plies.
    Heading(u32),
    /// The number of leaves of the tree.
    Total(TotalForm, PrintedNumber),
    /// Output of a search in progress: a score, a variation, or the current move.
    Thinking,
    /// The `bestmove` line that ends a search.
    BestMove,
    /// Anything else.
    Other,
}

/// Form in which a total is printed, ordered from least to most reliable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TotalForm {
    /// A number of nodes that may be either the total or an intermediate value.
    Running,
    /// A number alone.
    Bare,
    /// A number with a label.
    Named,
    /// A number with a depth.
    OfDepth(u32),
}

/// Labels of a leaf count.
const NAMES: &str = "(?:total )?nodes searched|total nodes|(?:total )?leaf nodes|nodes|leaves|total|result|count";

/// A move alone on a line. Its leaf count may be on the next line.
static MOVE_ALONE: LazyLock<Regex> = LazyLock::new(|| regex(r#"(?i)^\W*move["'\s]*[:=]["'\s]*[\w=+#-]+["'\s]*,?$"#));
/// A command or title that gives the number of plies for the lines below it.
static HEADING: LazyLock<Regex> = LazyLock::new(|| {
    let words =
        r"(?:(?:go|run|running|starting)\s+)?(?:perft|divide|depth|ply)(?:\s+test)?(?:\s+(?:to|at|of))?(?:\s+depth)?";
    regex(&format!(r"(?i){MARGIN}{words}\s*[(:=]?\s*(\d{{1,2}})[\s):,.=*#-]*$"))
});
static OF_DEPTH: LazyLock<Regex> = LazyLock::new(|| {
    let sign = format!(r"(?:\s*(?:=>|->|[:=|,])\s*(?:(?:{NAMES})\s*[:=]?\s*)?|\s+(?:{NAMES})\s*[:=]?\s*)");
    regex(&format!(r"(?i){MARGIN}(?:perft|depth|ply)\s*(?:depth\s*)?[(:=]?\s*(\d{{1,2}})\)?{sign}{NUMBER}"))
});
/// A row of a table with the columns depth, leaves, time and speed.
static TABLE: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?i)^\s*(\d{1,2})\s+(\d+)\s+\d+(?:\.\d+)?\s*s?\s+[\d.]+\s*nps\b"));
static NAMED: LazyLock<Regex> =
    LazyLock::new(|| regex(&format!(r"(?i){MARGIN}(?:{NAMES})\s*(?:=>|->|[:=|])?\s*{NUMBER}")));
static BARE: LazyLock<Regex> = LazyLock::new(|| regex(&format!(r"^\s*{NUMBER}\s*$")));
static RUNNING: LazyLock<Regex> = LazyLock::new(|| regex(&format!(r"(?i)\bnodes\s*[:=]?\s*{NUMBER}")));
static THINKING: LazyLock<Regex> = LazyLock::new(|| regex(r"^\s*info\b.*\s(?:score|pv|currmove)\s"));
static INFO_STRING: LazyLock<Regex> = LazyLock::new(|| regex(r"(?i)^\s*info\s+string\s+"));
/// A terminal's colour codes.
static ESCAPE: LazyLock<Regex> = LazyLock::new(|| regex(r"\x1b\[[0-9;?]*[ -/]*[@-~]"));
/// A FEN. It is removed from lines because its e.p. square and clocks look like a move and its leaf count.
static FEN: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"(?:[1-8pnbrqkPNBRQK]+/){7}[1-8pnbrqkPNBRQK]+(?:\s+[wb]\s+\S+\s+[-a-h]\S?(?:\s+\d+){0,2})?")
});
/// The time and log level at the start of a log line.
static LOG: LazyLock<Regex> = LazyLock::new(|| {
    let time = r"(?:\d{4}[-/]\d\d[-/]\d\d)?[T ]?\d\d:\d\d:\d\d[\d.,Z+:]*|\d{4}[-/]\d\d[-/]\d\d";
    regex(&format!(r"^\s*(?:[\[(<]?(?:{time}|TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR)[\])>]?[\s:|-]+)+"))
});
static LOGGER: LazyLock<Regex> = LazyLock::new(|| regex(r"^[A-Za-z_][\w.:-]*(?:\[\d+\])?[\s|]*:\s+"));

/// Reads a line. A pattern given by the user replaces the usual forms and may match several moves in one line.
pub fn read(line: &str, patterns: &Patterns) -> Vec<Line> {
    let pattern = |pattern: &Option<Regex>, meaning: fn(&Captures<'_>) -> Option<Line>| {
        let found = pattern.iter().flat_map(|pattern| pattern.captures_iter(line)).map(|found| meaning(&found));
        found.collect::<Option<Vec<_>>>().unwrap_or_default()
    };
    let moves = pattern(&patterns.divide, |found| {
        let mv = found.name("move").or(found.get(1))?.as_str().to_ascii_lowercase();
        Some(Line::Subtotal(move_text(&mv), read_pattern_number(found.name("leaves").or(found.get(2))?)?))
    });
    let totals =
        pattern(&patterns.total, |found| Some(Line::Total(TotalForm::Named, read_pattern_number(found.get(1)?)?)));
    if let Some(found) = [moves, totals].into_iter().find(|found| !found.is_empty()) {
        return found;
    }
    let lines = read_usual_form(line).into_iter().map(|line| match line {
        Line::Subtotal(..) | Line::Unread if patterns.divide.is_some() => Line::Other,
        Line::Total(..) if patterns.total.is_some() => Line::Other,
        line => line,
    });
    lines.collect()
}

/// Returns true if the line has only a move. The leaf count of the move may be on the next line.
pub fn is_move_alone(line: &str) -> bool {
    // Most lines lack the word `move`, and this test is faster than the pattern.
    line.as_bytes().windows(4).any(|word| word.eq_ignore_ascii_case(b"move")) && MOVE_ALONE.is_match(line)
}

fn read_pattern_number(found: Match<'_>) -> Option<PrintedNumber> {
    let digits: String = found.as_str().chars().filter(char::is_ascii_digit).collect();
    let nodes = digits.parse().ok()?;
    Some(PrintedNumber { grouped: nodes, apart: nodes })
}

/// Reads a line in the usual forms: all moves and their leaf counts, and the total.
fn read_usual_form(line: &str) -> Vec<Line> {
    if let Some((mv, leaves)) = read_usual_pair(line) {
        return vec![Line::Subtotal(mv, leaves)];
    }
    let line = ESCAPE.replace_all(line, "");
    let text = INFO_STRING.replace(&line, "");
    if text.trim_start().starts_with("bestmove ") {
        return vec![Line::BestMove];
    }
    if text == line && THINKING.is_match(&line) {
        return vec![Line::Thinking];
    }
    let text = without_quotes(&FEN.replace_all(&text, ""));
    let logged = LOG.replace(&text, "");
    let mut words = logged.split([' ', ',', '\t', '\r', '[', ']']).filter(|word| !word.is_empty()).peekable();
    if words.peek().is_some() && words.clone().all(is_move) {
        return vec![Line::Moves(words.map(String::from).collect())];
    }
    let MovePairs { list, around, has_moves, is_unread, is_progress } = read_pairs(&logged);
    // In a line with moves, what looks like a total in a less reliable form may be the leaf count of one move.
    let is_sure = |total: &Line, form| matches!(total, Line::Total(found, _) if *found >= form);
    let totals = around.into_iter().filter(|_| list.len() > 1).filter_map(read_total);
    let totals: Vec<Line> = totals.filter(|total| is_sure(total, TotalForm::Named)).collect();
    let unread = is_unread.then_some(Line::Unread);
    let lines: Vec<Line> =
        list.into_iter().map(|(mv, leaves)| Line::Subtotal(mv, leaves)).chain(totals).chain(unread).collect();
    if is_progress || !lines.is_empty() {
        return if lines.is_empty() { vec![Line::Other] } else { lines };
    }
    if let Some(found) = HEADING.captures(&logged) {
        return vec![found[1].parse().map_or(Line::Other, Line::Heading)];
    }
    let named = || LOGGER.find(&logged).filter(|_| logged != text).and_then(|name| read_total(&logged[name.end()..]));
    let total = read_total(&logged).or_else(named);
    vec![total.filter(|total| !has_moves || is_sure(total, TotalForm::OfDepth(0))).unwrap_or(Line::Other)]
}

/// Replaces quotes with spaces. A single quote between digits is kept, because it separates digit groups.
fn without_quotes(text: &str) -> String {
    let is_digit = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    let blank = |(at, letter): (usize, char)| match letter {
        '"' | '`' => ' ',
        '\'' if at == 0 || !is_digit(at - 1) || !is_digit(at + 1) => ' ',
        letter => letter,
    };
    text.char_indices().map(blank).collect()
}

fn read_total(text: &str) -> Option<Line> {
    if let Some(found) = OF_DEPTH.captures(text).or_else(|| TABLE.captures(text)) {
        let depth = found[1].parse().ok()?;
        return Some(Line::Total(TotalForm::OfDepth(depth), read_number(text, &found, 2)?));
    }
    [(&NAMED, TotalForm::Named), (&BARE, TotalForm::Bare), (&RUNNING, TotalForm::Running)]
        .into_iter()
        .find_map(|(pattern, form)| Some(Line::Total(form, read_number(text, &pattern.captures(text)?, 1)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_usual_form_is_read_alike_with_and_without_regular_expressions() {
        for line in ["e2e4: 20", "a7a8q: 7", "e7e8k: 1", "h1h8: 123456789012345678901"] {
            let slow = read_usual_form(&format!(" {line}"));
            let fast = read_usual_pair(line).map(|(mv, leaves)| Line::Subtotal(mv, leaves));
            assert_eq!(fast.as_slice(), slow, "{line}");
        }
        for line in ["e2e9: 20", "e2e4q4: 2", "e2e4:20", "e2e4: +2", "e2e4: ", "e2e4: 20 ms", "depth 2: 20"] {
            assert_eq!(read_usual_pair(line), None, "{line}");
        }
    }

    #[test]
    fn every_dialect_is_understood() {
        let split = |mv: &str, grouped, apart| Line::Subtotal(mv.into(), PrintedNumber { grouped, apart });
        let subtotal = |mv: &str, nodes| split(mv, nodes, nodes);
        let total = |form, grouped, apart| Line::Total(form, PrintedNumber { grouped, apart });
        let named = |nodes| total(TotalForm::Named, nodes, nodes);
        let of_depth = |depth, nodes| total(TotalForm::OfDepth(depth), nodes, nodes);
        let bare = |nodes| total(TotalForm::Bare, nodes, nodes);
        let running = |nodes| total(TotalForm::Running, nodes, nodes);
        for (line, expected) in [
            ("e2e4: 20", subtotal("e2e4", 20)),
            ("e2e4 20", subtotal("e2e4", 20)),
            ("e2e4\t20", subtotal("e2e4", 20)),
            ("  e7e8q - 1,234,567", split("e7e8q", 1_234_567, 1)),
            ("e7e8Q: 1.234.567 (12 ms)", subtotal("e7e8q", 1_234_567)),
            ("e7e8=Q: 5", subtotal("e7e8q", 5)),
            ("e7e8(q) 5", subtotal("e7e8q", 5)),
            ("12. e2e4 20", subtotal("e2e4", 20)),
            ("e1h1: 8\r", subtotal("e1h1", 8)),
            ("e2e4: 20 nodes 0.01s", subtotal("e2e4", 20)),
            ("[e2e4] 20", subtotal("e2e4", 20)),
            ("| e2e4 | 20 |", subtotal("e2e4", 20)),
            ("| 1 | e2e4 | 20 |", subtotal("e2e4", 20)),
            ("e2e4 (20)", subtotal("e2e4", 20)),
            ("e2e4, 20", subtotal("e2e4", 20)),
            ("e2e4 -> 20", subtotal("e2e4", 20)),
            ("e2e4 => 20", subtotal("e2e4", 20)),
            ("e2e4 | 20", subtotal("e2e4", 20)),
            ("e2e4 ..... 20", subtotal("e2e4", 20)),
            ("move e2e4 nodes 20", subtotal("e2e4", 20)),
            ("Move: e2e4, nodes: 20", subtotal("e2e4", 20)),
            (" 1/20 e2e4: 20", subtotal("e2e4", 20)),
            ("( 1/20) e2e4: 20", subtotal("e2e4", 20)),
            ("info string e2e4: 20", subtotal("e2e4", 20)),
            ("> e2e4: 20", subtotal("e2e4", 20)),
            ("\u{1b}[1;32me2e4\u{1b}[0m: \u{1b}[33m20\u{1b}[0m", subtotal("e2e4", 20)),
            ("E2E4: 20", subtotal("e2e4", 20)),
            ("e2-e4: 20", subtotal("e2e4", 20)),
            ("e4xd5: 20", subtotal("e4d5", 20)),
            ("O-O: 20", subtotal("o-o", 20)),
            ("0-0-0: 20", subtotal("o-o-o", 20)),
            ("e2e4: 1 234", split("e2e4", 1234, 1)),
            ("e2e4: 1 234 567 nodes", split("e2e4", 1_234_567, 1)),
            ("e2e4: 20 123 ms", split("e2e4", 20, 20)),
            ("e2e4: 1\u{202f}234", subtotal("e2e4", 1234)),
            ("e2e4 20 1234", subtotal("e2e4", 20)),
            ("Nodes searched: 4865609", named(4_865_609)),
            ("Nodes searched: 4,865,609", total(TotalForm::Named, 4_865_609, 4)),
            ("Nodes searched  : 4865609", named(4_865_609)),
            ("Total nodes searched: 4865609", named(4_865_609)),
            ("nodes: 400 (0.001s, 400000 nps)", named(400)),
            ("Total: 400", named(400)),
            ("Total nodes 400", named(400)),
            ("| total | 400 |", named(400)),
            ("info string total: 400", named(400)),
            ("Nodes: 1 234", total(TotalForm::Named, 1234, 1)),
            ("perft(5) = 4865609", of_depth(5, 4_865_609)),
            ("Perft 5: 4865609 nodes in 12 ms", of_depth(5, 4_865_609)),
            ("perft depth 5 nodes 4865609", of_depth(5, 4_865_609)),
            ("Depth: 5 Nodes: 4865609 Time: 0.1", of_depth(5, 4_865_609)),
            (" 1         20  0.00    540540.54nps", of_depth(1, 20)),
            ("1  20  0.00 2857142nps", of_depth(1, 20)),
            ("4865609", bare(4_865_609)),
            ("61885021521585529237", bare(61_885_021_521_585_529_237)),
            ("info depth 5 nodes 4865609 time 12", running(4_865_609)),
            ("info nodes 117 nps 117000 time 1 hashfull 0", running(117)),
            ("info depth 1 score cp 20 nodes 20 pv e2e4", Line::Thinking),
            ("info depth 1 nodes 20 pv e2e4", Line::Thinking),
            ("info currmove e2e4 currmovenumber 20", Line::Thinking),
            ("bestmove e2e4", Line::BestMove),
            ("Nodes/second: 1234", Line::Other),
            ("Total time (ms) : 12", Line::Other),
            ("Total moves: 20", Line::Other),
            ("20 legal moves", Line::Other),
            ("perft 5", Line::Heading(5)),
            ("depth 5 time 12", Line::Other),
            ("info string perft 5", Line::Heading(5)),
            ("Unknown command: perft 1", Line::Other),
            ("Nb1-c3 440", subtotal("Nb1-c3", 440)),
            ("Ng1xf3: 20", subtotal("Ng1xf3", 20)),
            ("Nf3 20", subtotal("Nf3", 20)),
            ("♘f3: 20", subtotal("♘f3", 20)),
            ("12. Bxc3+ => 1,234", split("Bxc3+", 1234, 1)),
            ("bxc3 = 7", subtotal("bxc3", 7)),
            ("e4: 20", subtotal("e4", 20)),
            ("exd6 e.p. 20", subtotal("exd6 e.p.", 20)),
            ("e8=Q+: 20", subtotal("e8=Q+", 20)),
            ("Move: R1a3, nodes: 20", subtotal("R1a3", 20)),
            ("e2e4: 0.5", Line::Unread),
            ("e2e4: -35", Line::Unread),
            ("e2e4 -35", Line::Unread),
            ("g1h3: 10^60", Line::Unread),
            ("e2e9: 20", Line::Unread),
            ("Sf3 20", Line::Unread),
            ("Sb1-c3: 440", Line::Unread),
            ("e2e4: twenty", Line::Unread),
            (&format!("e2e4: {}", "9".repeat(60)), Line::Unread),
            ("a2a4 9329/420/20", subtotal("a2a4", 9329)),
            ("a2a4: 420/20", subtotal("a2a4", 420)),
            ("e2e4 1/20", Line::Other),
            ("h2h4 20/20", Line::Other),
            ("Nodes: 400007/s", Line::Other),
            ("Count 400007/sec", Line::Other),
            ("nb8c6: 20", subtotal("nb8c6", 20)),
            ("e2e4", Line::Moves(vec!["e2e4".into()])),
            ("e2e4, Nf3 O-O\r", Line::Moves(vec!["e2e4".into(), "Nf3".into(), "O-O".into()])),
            ("e2e4 and e7e5", Line::Other),
            ("e2e4 =", Line::Other),
            ("a b c d e f g h", Line::Other),
            ("8 r n b q k b n r", Line::Other),
            ("Checkers: e4 f5", Line::Other),
            ("Key: A1B2C3D4E5F60718", Line::Other),
            ("info string best line pv e2e4 e7e5", Line::Other),
            ("info string depth 1 score cp 20 pv e2e4", Line::Other),
            ("nonsense", Line::Other),
            ("", Line::Other),
            (&"9".repeat(60), Line::Other),
        ] {
            assert_eq!(read(line, &Patterns::default()), [expected], "{line}");
        }
    }

    /// Returns the moves with their counts and the total in a text, and whether part of the text was not understood.
    fn pairs(text: &str) -> (Vec<(String, u128)>, Option<u128>, bool) {
        let lines = read(text, &Patterns::default());
        let pair = |line: &Line| match line {
            Line::Subtotal(mv, nodes) => Some((mv.clone(), nodes.grouped)),
            _ => None,
        };
        let total = |line: &Line| if let Line::Total(_, nodes) = line { Some(nodes.grouped) } else { None };
        (lines.iter().filter_map(pair).collect(), lines.iter().find_map(total), lines.contains(&Line::Unread))
    }

    #[test]
    fn all_pairs_of_a_line_are_read() {
        let squares = vec![("g1h3".into(), 440), ("b7b8n".into(), 7)];
        for (text, total) in [
            ("g1h3: 440 b7b8n: 7", None),
            ("  1. g1h3   440     2. b7b8n     7", None),
            ("g1h3 440 nodes 0.02 s | b7b8n 7 nodes 0.00 s", None),
            ("[g1h3] 440 [b7b8n] 7 Nodes searched: 447", Some(447)),
            ("{'g1h3': 440, 'b7b8n': 7}", None),
            (r#"{"depth": 3, "nodes": 447, "moves": {"g1h3": 440, "b7b8n": 7}}"#, Some(447)),
            (r#"[["g1h3",440],["b7b8n",7]]"#, None),
            ("[('g1h3', 440), ('b7b8n', 7)]", None),
            ("{Move.from_uci('g1h3'): 440, Move.from_uci('b7b8n'): 7}", None),
            (r#"[{"move": "g1h3", "nodes": "440"}, {"move": "b7b8n", "nodes": "7"}]"#, None),
            (r#"[{"nodes":440,"move":"g1h3"},{"nodes":7,"move":"b7b8n"}]"#, None),
            (r#"[{"move":"g1h3","time":12,"nodes":440},{"move":"b7b8n","time":0,"nodes":7}]"#, None),
            ("2026-11-02 12:00:01 INFO perft: g1h3: 440 b7b8n: 7", None),
            (r#""fen":"8/1P6/8/8/8/8/8/k5NK w - e3 0 1","moves":{"g1h3":440,"b7b8n":7},"nodes":"447""#, Some(447)),
        ] {
            assert_eq!(pairs(text), (squares.clone(), total, false), "{text}");
        }
        let algebraic = vec![("Nf3".into(), 20), ("e4".into(), 21)];
        for text in ["Nf3: 20 e4: 21", r#"{"Nf3": 20, "e4": 21}"#, "Nf3 20 nodes  e4 21 nodes"] {
            assert_eq!(pairs(text), (algebraic.clone(), None, false), "{text}");
        }
    }

    #[test]
    fn what_may_be_another_number_is_not_read() {
        for text in
            ["440 g1h3 7 b7b8n", "g1h3: 12 ms", "g1h3: 9 nps", "g1h3: 1 nodes: 440", "g1h3 (1/20): 440", "e4 0.5"]
        {
            assert_eq!(pairs(text), (vec![], None, true), "{text}");
        }
        // Only part of each line is understood.
        for text in
            ["g1h3: 440 b7b9: 7", "g1h3: 440 b7b9: 7 a1b1: 3", "g1h3: 440 b7b8n: -7", "{'g1h3': 440, 'b7b8n': 7.5}"]
        {
            let (pairs, _, is_unread) = pairs(text);
            assert!(is_unread && pairs[0] == ("g1h3".into(), 440), "{text}: {pairs:?}");
        }
        let fen = "position fen 8/8/8/8/8/8/8/k6K w - e3 0 1";
        for text in ["nodes 440 move g1h3 nodes 7 move b7b8n", "from g1 to h3: 440", fen, "best a2a3 12"] {
            assert_eq!(pairs(text), (vec![], None, false), "{text}");
        }
    }

    #[test]
    fn logs_are_read_without_their_heads() {
        for head in ["2026-11-02 12:00:01 INFO perft: ", "[12:00:01.123] [DEBUG] ", "2026-11-02T12:00:01Z WARN a::b: "]
        {
            for text in ["h7h6: 380", "Nodes searched: 8902", "perft(3) = 8902", "h7h6: -1"] {
                assert_eq!(read_usual_form(&format!("{head}{text}")), read_usual_form(text), "{head}{text}");
            }
        }
    }
}
