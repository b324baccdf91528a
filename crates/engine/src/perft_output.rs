//! Reader of the lines that engines print for perft.
//!
//! The UCI specification says nothing about perft, so every engine has its own format: `e2e4: 20`, `[e2e4] 20`, `e2e4
//! -> 20`, `| e2e4 | 20 |`, numbered lists, colours, thousands separators, times behind the counts; `Nodes searched:
//! 400`, `Total: 400`, `perft(2) = 400`, `info depth 2 nodes 400`, or a bare number. A line is read as the form it
//! resembles, and ignored if there is none. The output of a search is recognised: its nodes are not leaves.

use crate::settings::Patterns;
use regex_lite::{Captures, Match, Regex};
use std::sync::LazyLock;

/// Line of an engine's answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Line {
    /// A root move, and the number of leaves below it: in UCI notation in lower case and without signs between its
    /// squares, or in algebraic notation as it is written.
    Subtotal(String, PrintedNumber),
    /// Moves and nothing else: a list of legal moves without counts.
    Moves(Vec<String>),
    /// A line that begins as a subtotal does, but its move or its number is not understood.
    Unread,
    /// The number of leaves of the tree.
    Total(TotalForm, PrintedNumber),
    /// A search in progress: a score, a variation, or the move it looks at.
    Thinking,
    /// The end of a search.
    BestMove,
    /// Anything else.
    Other,
}

/// Form in which a total is written; more reliable forms come later.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum TotalForm {
    /// A number of nodes that may be the total or an intermediate value.
    Running,
    /// A number alone.
    Bare,
    /// A number with a label.
    Named,
    /// A number with its depth.
    OfDepth(u32),
}

/// A number as printed. In `1 234` the space may separate groups of digits, or two columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PrintedNumber {
    /// Value if spaces separate groups.
    pub(super) grouped: u128,
    /// Value if spaces separate columns.
    pub(super) apart: u128,
}

/// Digits, with or without separators between groups of three.
const NUMBER: &str = r"([1-9]\d{0,2}(?:[,.'_’ \x{a0}\x{202f}]\d{3})+|\d+)(?:[\s(;,|)\]]|$)";
/// The leaves of each ply, the last ply first, up to the end of the line.
const EACH_PLY: &str = r"(\d+)(?:/\d+)+\s*$";
/// Characters that may stand before a line's first word.
const MARGIN: &str = r"^[\s|>*#=\[(-]*";
/// The number of a move in the list.
const ORDINAL: &str = r"(?:\d+(?:\s*/\s*\d+)?(?:\s*[.):|\]]\s*|\s+)[\[(|]?\s*)?";
/// The label of a move.
const MOVE_LABEL: &str = r"(?i:(?:root\s*)?move\s*[:=]?\s*)?";
/// What stands between a move and its leaves.
const SIGN: &str = r"(?:\s*(?:=>|->|\.{2,}|[:=|,(])\s*|\s+-\s+|-\s*|\s+)";
/// The label of the leaves of a move.
const LEAVES_LABEL: &str = r"(?i:(?:nodes|leaves|count|perft)\s*[:=]?\s*)?";
/// Labels of a number of leaves.
const NAMES: &str = "(?:total )?nodes searched|total nodes|(?:total )?leaf nodes|nodes|leaves|total|result|count";

static SUBTOTAL: LazyLock<Regex> = LazyLock::new(|| {
    let mv = r"([a-h][1-8][-x]?[a-h][1-8](?:=?[nbrq]|\([nbrq]\))?|[o0]-[o0](?:-[o0])?)[\])]?";
    regex(&format!(r"(?i){MARGIN}{ORDINAL}{MOVE_LABEL}{mv}{SIGN}{LEAVES_LABEL}(?:{EACH_PLY}|{NUMBER})"))
});
/// The same in algebraic notation, whose capitals have a meaning.
static ALGEBRAIC: LazyLock<Regex> = LazyLock::new(|| {
    let promotion = r"(?:=?[QRBNqrbn]|[=/]?\([QRBNqrbn]\)|/[QRBNqrbn])?";
    let piece = "[PNBRQK♔♕♖♗♘♙♚♛♜♝♞♟]?";
    let squares = format!("{piece}[a-h]?[1-8]?[-x:]?[a-h][1-8]|[pnbrqk][a-h][1-8][-x:]?[a-h][1-8]");
    let mv = format!(r"((?:{squares}){promotion}[+#]*(?:\s*e\.?p\b\.?)?)[\])]?");
    regex(&format!(r"{MARGIN}{ORDINAL}{MOVE_LABEL}{mv}{SIGN}{LEAVES_LABEL}{NUMBER}"))
});
/// Something with a square in it, and then something with a digit in it, or anything after a colon.
static UNREAD: LazyLock<Regex> = LazyLock::new(|| {
    let mv = r"[^\s\d:=|,(]{0,3}[a-h]?\d?[-x:]?[a-h]\d[^\s:=|,]{0,6}";
    regex(&format!(r"(?i){MARGIN}{ORDINAL}{MOVE_LABEL}{mv}(?:{SIGN}{LEAVES_LABEL}\S*\d|\s*[:=]\s*\S)"))
});
static OF_DEPTH: LazyLock<Regex> = LazyLock::new(|| {
    let sign = format!(r"(?:\s*(?:=>|->|[:=|,])\s*(?:(?:{NAMES})\s*[:=]?\s*)?|\s+(?:{NAMES})\s*[:=]?\s*)");
    regex(&format!(r"(?i){MARGIN}(?:perft|depth|ply)\s*(?:depth\s*)?[(:=]?\s*(\d{{1,2}})\)?{sign}{NUMBER}"))
});
/// A move alone, in any notation.
static MOVE: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^(?:[PNBRQK]?[a-h]?[1-8]?[-x]?[a-h][1-8](?:=?[QRBNqrbn])?|[O0]-[O0](?:-[O0])?)[+#]?$"));
/// A row of a table of depth, leaves, time and speed.
static TABLE: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?i)^\s*(\d{1,2})\s+(\d+)\s+\d+(?:\.\d+)?\s*s?\s+[\d.]+\s*nps\b"));
static NAMED: LazyLock<Regex> =
    LazyLock::new(|| regex(&format!(r"(?i){MARGIN}(?:{NAMES})\s*(?:=>|->|[:=|])?\s*{NUMBER}")));
static BARE: LazyLock<Regex> = LazyLock::new(|| regex(&format!(r"^\s*{NUMBER}\s*$")));
static RUNNING: LazyLock<Regex> = LazyLock::new(|| regex(&format!(r"(?i)\bnodes\s*[:=]?\s*{NUMBER}")));
static THINKING: LazyLock<Regex> = LazyLock::new(|| regex(r"^\s*info\b.*\s(?:score|pv|currmove)\s"));
static INFO_STRING: LazyLock<Regex> = LazyLock::new(|| regex(r"(?i)^\s*info\s+string\s+"));
/// A unit; it shows that the number before it is not a count.
static UNIT: LazyLock<Regex> = LazyLock::new(|| regex(r"(?i)^\s*(?:m?s|us|sec\w*|k?nps|mnps|%)\b"));
/// A terminal's colour codes.
static ESCAPE: LazyLock<Regex> = LazyLock::new(|| regex(r"\x1b\[[0-9;?]*[ -/]*[@-~]"));

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a valid pattern")
}

/// Reads a line; a pattern of the user takes the place of the usual forms, and may find several moves in it.
pub(super) fn read(line: &str, patterns: &Patterns) -> Vec<Line> {
    let pattern = |pattern: &Option<Regex>, meaning: fn(&Captures<'_>) -> Option<Line>| {
        let found = pattern.iter().flat_map(|pattern| pattern.captures_iter(line)).map(|found| meaning(&found));
        found.collect::<Option<Vec<_>>>().unwrap_or_default()
    };
    let moves = pattern(&patterns.divide, |found| {
        let mv = found.name("move").or(found.get(1))?.as_str().to_ascii_lowercase();
        Some(Line::Subtotal(move_text(&mv), read_pattern_number(found.name("leaves").or(found.get(2))?)?))
    });
    if !moves.is_empty() {
        return moves;
    }
    let totals =
        pattern(&patterns.total, |found| Some(Line::Total(TotalForm::Named, read_pattern_number(found.get(1)?)?)));
    if !totals.is_empty() {
        return totals;
    }
    vec![match read_usual_form(line) {
        Line::Subtotal(..) | Line::Unread if patterns.divide.is_some() => Line::Other,
        Line::Total(..) if patterns.total.is_some() => Line::Other,
        line => line,
    }]
}

/// Reads the number in a group of the user's pattern.
fn read_pattern_number(found: Match<'_>) -> Option<PrintedNumber> {
    let digits: String = found.as_str().chars().filter(char::is_ascii_digit).collect();
    let nodes = digits.parse().ok()?;
    Some(PrintedNumber { grouped: nodes, apart: nodes })
}

/// Returns a move in lower case without signs between its squares.
fn move_text(found: &str) -> String {
    match found.starts_with(['o', '0']) {
        true => found.replace('0', "o"),
        false => found.replace(['-', 'x', '=', '(', ')'], ""),
    }
}

/// Reads `e2e4: 20`, the form of most engines: regular expressions would take most of our time for a row.
fn read_usual_subtotal(line: &str) -> Option<Line> {
    let (mv, digits) = line.split_once(": ")?;
    let is_move = match mv.as_bytes() {
        [from @ .., b'n' | b'b' | b'r' | b'q'] if from.len() == 4 => is_squares(from),
        squares => is_squares(squares),
    };
    let nodes = digits.parse().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    is_move.then(|| Line::Subtotal(mv.into(), PrintedNumber { grouped: nodes, apart: nodes }))
}

/// Returns true for the names of two squares.
pub(super) fn is_squares(text: &[u8]) -> bool {
    matches!(text, [b'a'..=b'h', b'1'..=b'8', b'a'..=b'h', b'1'..=b'8'])
}

/// Reads a line in one of the usual forms.
fn read_usual_form(line: &str) -> Line {
    if let Some(subtotal) = read_usual_subtotal(line) {
        return subtotal;
    }
    let line = ESCAPE.replace_all(line, "");
    let text = INFO_STRING.replace(&line, "");
    if text.trim_start().starts_with("bestmove ") {
        return Line::BestMove;
    }
    if text == line && THINKING.is_match(&line) {
        return Line::Thinking;
    }
    if let Some(found) = SUBTOTAL.captures(&text) {
        let mv = move_text(&found[1].to_ascii_lowercase());
        if let Some(plies) = found.get(2).map(|_| text[found.get(2).map_or(0, |first| first.start())..].trim()) {
            return read_plies(plies).map_or(Line::Other, |nodes| Line::Subtotal(mv, nodes));
        }
        return read_number(&text, &found, 3).map_or(Line::Unread, |nodes| Line::Subtotal(mv, nodes));
    }
    if let Some(found) = ALGEBRAIC.captures(&text) {
        let mv = found[1].to_string();
        return read_number(&text, &found, 2).map_or(Line::Unread, |nodes| Line::Subtotal(mv, nodes));
    }
    let words = || text.split([' ', ',', '\t', '\r']).filter(|word| !word.is_empty());
    if words().next().is_some() && words().all(|word| MOVE.is_match(word)) {
        return Line::Moves(words().map(String::from).collect());
    }
    if UNREAD.is_match(&text) {
        return Line::Unread;
    }
    if let Some(found) = OF_DEPTH.captures(&text).or_else(|| TABLE.captures(&text)) {
        let total = found[1].parse().ok().zip(read_number(&text, &found, 2));
        return total.map_or(Line::Other, |(depth, nodes)| Line::Total(TotalForm::OfDepth(depth), nodes));
    }
    for (pattern, form) in [(&NAMED, TotalForm::Named), (&BARE, TotalForm::Bare), (&RUNNING, TotalForm::Running)] {
        if let Some(found) = pattern.captures(&text) {
            return read_number(&text, &found, 1).map_or(Line::Other, |nodes| Line::Total(form, nodes));
        }
    }
    Line::Other
}

/// Reads the leaves of each ply below a move, `9329/420/20`: each is less than the one before. Anything else with a slash, such as
/// `1/20` for the first of twenty moves, is no count.
fn read_plies(text: &str) -> Option<PrintedNumber> {
    let plies: Option<Vec<u128>> = text.split('/').map(|nodes| nodes.parse().ok()).collect();
    let plies = plies.filter(|plies| plies.windows(2).all(|pair| pair[0] > pair[1]))?;
    plies.first().map(|&nodes| PrintedNumber { grouped: nodes, apart: nodes })
}

/// Reads the number of a group. A number with too many digits does not count.
fn read_number(line: &str, found: &Captures<'_>, group: usize) -> Option<PrintedNumber> {
    let found = found.get(group)?;
    let digits = |text: &str| text.replace(|c: char| !c.is_ascii_digit(), "").parse().ok();
    let grouped = digits(found.as_str())?;
    let apart = digits(found.as_str().split(' ').next()?)?;
    match UNIT.is_match(&line[found.end()..]) {
        true => Some(PrintedNumber { grouped: apart, apart }),
        false => Some(PrintedNumber { grouped, apart }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn plain(nodes: u128) -> PrintedNumber {
        PrintedNumber { grouped: nodes, apart: nodes }
    }

    #[test]
    fn the_most_usual_form_is_read_alike_with_and_without_regular_expressions() {
        for line in ["e2e4: 20", "a7a8q: 7", "h1h8: 123456789012345678901"] {
            let slow = read_usual_form(&format!(" {line}"));
            assert_eq!(read_usual_subtotal(line), Some(slow), "{line}");
        }
        for line in ["e2e9: 20", "e2e4q4: 2", "e2e4:20", "e2e4: +2", "e2e4: ", "e2e4: 20 ms", "depth 2: 20", "e7e8k: 1"]
        {
            assert_eq!(read_usual_subtotal(line), None, "{line}");
        }
    }

    #[test]
    fn every_dialect_is_understood() {
        let subtotal = |mv: &str, nodes| Line::Subtotal(mv.into(), plain(nodes));
        let spaced = |grouped, apart| Line::Subtotal("e2e4".into(), PrintedNumber { grouped, apart });
        let named = |nodes| Line::Total(TotalForm::Named, plain(nodes));
        let of_depth = |depth, nodes| Line::Total(TotalForm::OfDepth(depth), plain(nodes));
        let running = |nodes| Line::Total(TotalForm::Running, plain(nodes));
        for (line, expected) in [
            ("e2e4: 20", subtotal("e2e4", 20)),
            ("e2e4 20", subtotal("e2e4", 20)),
            ("e2e4\t20", subtotal("e2e4", 20)),
            ("  e7e8q - 1,234,567", subtotal("e7e8q", 1_234_567)),
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
            ("e2e4: 1 234", spaced(1234, 1)),
            ("e2e4: 1 234 567 nodes", spaced(1_234_567, 1)),
            ("e2e4: 20 123 ms", spaced(20, 20)),
            ("e2e4: 1\u{202f}234", subtotal("e2e4", 1234)),
            ("e2e4 20 1234", subtotal("e2e4", 20)),
            ("Nodes searched: 4865609", named(4_865_609)),
            ("Nodes searched: 4,865,609", named(4_865_609)),
            ("Nodes searched  : 4865609", named(4_865_609)),
            ("Total nodes searched: 4865609", named(4_865_609)),
            ("nodes: 400 (0.001s, 400000 nps)", named(400)),
            ("Total: 400", named(400)),
            ("Total nodes 400", named(400)),
            ("| total | 400 |", named(400)),
            ("info string total: 400", named(400)),
            ("Nodes: 1 234", Line::Total(TotalForm::Named, PrintedNumber { grouped: 1234, apart: 1 })),
            ("perft(5) = 4865609", of_depth(5, 4_865_609)),
            ("Perft 5: 4865609 nodes in 12 ms", of_depth(5, 4_865_609)),
            ("perft depth 5 nodes 4865609", of_depth(5, 4_865_609)),
            ("Depth: 5 Nodes: 4865609 Time: 0.1", of_depth(5, 4_865_609)),
            (" 1         20  0.00    540540.54nps", of_depth(1, 20)),
            ("1  20  0.00 2857142nps", of_depth(1, 20)),
            ("4865609", Line::Total(TotalForm::Bare, plain(4_865_609))),
            ("61885021521585529237", Line::Total(TotalForm::Bare, plain(61_885_021_521_585_529_237))),
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
            ("perft 5", Line::Other),
            ("depth 5 time 12", Line::Other),
            ("info string perft 5", Line::Other),
            ("Unknown command: perft 1", Line::Other),
            ("Nb1-c3 440", subtotal("Nb1-c3", 440)),
            ("Ng1xf3: 20", subtotal("Ng1xf3", 20)),
            ("Nf3 20", subtotal("Nf3", 20)),
            ("♘f3: 20", subtotal("♘f3", 20)),
            ("12. Bxc3+ => 1,234", subtotal("Bxc3+", 1234)),
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
}
