//! Reads moves and their leaf counts in any format. A line may contain any number of such pairs.

use regex_lite::{Captures, Regex};
use std::ops::Range;
use std::sync::LazyLock;

/// A number as printed. In `1 234` and `1,234`, the separator may be between digit groups or between two columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PrintedNumber {
    /// Value of the whole number if the separators are between digit groups.
    pub grouped: u128,
    /// Value of the first column, if the separators are between columns.
    pub apart: u128,
}

/// Digits, with or without separators between groups of three.
pub const NUMBER: &str = r"([1-9]\d{0,2}(?:[,.'_’ \x{a0}\x{202f}]\d{3})+|\d+)(?:[\s(;,|)\]}]|$)";
/// Characters allowed before a line's first word.
pub const MARGIN: &str = r"^[\s|>*#=\[({})\],;-]*";
/// The number that a numbered list prints before a move.
const ORDINAL: &str = r"(?:\d+(?:\s*/\s*\d+)?(?:\s*[.):|\]]\s*|\s+)[\[(|]?\s*)?";
const MOVE_LABEL: &str = r"(?i:(?:root\s*)?move\s*[:=]?\s*)?";
/// Separator between a move and its leaves.
const SIGN: &str = r"(?:\s*[)\]]+)?(?:\s*(?:=>|->|\.{2,}|[:=|,;(])\s*|\s+-\s+|-\s*|\s+)";
const LEAVES_LABEL: &str = r"(?i:(?:nodes|leaves|count|perft)\s*[:=]?\s*)?";
/// Maximum number of bytes examined before a move. There is a limit because a text without pairs may be long.
const MAX_BEFORE: usize = 200;
/// A move, as two squares or in algebraic notation, and the character after it, if any. The two-square form also
/// accepts a promotion to a king or a pawn, so that it can be reported as illegal.
static MOVE: LazyLock<Regex> = LazyLock::new(|| {
    let squares = r"(?i:[a-h][1-8][-x]?[a-h][1-8](?:=?[nbrqkp]|\([nbrqkp]\))?|[o0]-[o0](?:-[o0])?)";
    let promotion = r"(?:=?[QRBNqrbn]|[=/]?\([QRBNqrbn]\)|/[QRBNqrbn])?";
    let algebraic = r"(?:[pnbrqk][a-h][1-8][-x:]?[a-h][1-8]|[PNBRQK♔♕♖♗♘♙♚♛♜♝♞♟]?[a-h]?[1-8]?[-x:]?[a-h][1-8])";
    regex(&format!(r"(?:({squares})[+#]*|({algebraic}{promotion}[+#]*(?:\s*e\.?p\b\.?)?))(?:[\s:=|,;)(\]}}.>-]|$)"))
});
/// The leaf count after a move.
static LEAVES: LazyLock<Regex> =
    LazyLock::new(|| regex(&format!(r"^{SIGN}{LEAVES_LABEL}(?:(\d+(?:/\d+)+)\s*$|{NUMBER})")));
/// A labelled leaf count, anywhere in the text.
static LABELLED: LazyLock<Regex> =
    LazyLock::new(|| regex(&format!(r"(?i)\b(?:nodes|leaves|count)\s*[:=]?\s*{NUMBER}")));
/// Text after a move that may be its leaf count.
static MAYBE_LEAVES: LazyLock<Regex> =
    LazyLock::new(|| regex(&format!(r"^(?:{SIGN}{LEAVES_LABEL}\S*\d|\s*[:=]\s*\S)")));
/// Text allowed before a move. It follows the start of the line or the count of the previous move.
static BEFORE: LazyLock<Regex> = LazyLock::new(|| regex(&format!(r"(?:^|[^\s\w])\s*{ORDINAL}{MOVE_LABEL}\s*$")));
static COUNT_BEFORE: LazyLock<Regex> = LazyLock::new(|| regex(&format!(r"(?:^|\s)\d+\s+[\[(]*{MOVE_LABEL}$")));
/// A word that contains a square, followed either by a word that contains a digit, or by `:` or `=` and any text.
static UNREAD: LazyLock<Regex> = LazyLock::new(|| {
    let mv = r"[^\s\d:=|,(]{0,3}[a-h]?\d?[-x:]?[a-h]\d[^\s:=|,]{0,6}";
    regex(&format!(r"(?i){MARGIN}{ORDINAL}{MOVE_LABEL}{mv}(?:{SIGN}{LEAVES_LABEL}\S*\d|\s*[:=]\s*\S)"))
});
/// A unit such as `ms`, unless a number follows that it could label. A number before such a unit is not a count.
static UNIT: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?i)^\s*(?:(?:m?s|us|sec\w*|k?nps|mnps)\b|%)(?:\s*$|\s*[^\s\d:=])"));

pub fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a valid pattern")
}

/// Removes punctuation, such as a hyphen between the squares, from the lower-case move `found`. Castling keeps its
/// hyphens.
pub fn move_text(found: &str) -> String {
    match found.starts_with(['o', '0']) {
        true => found.replace('0', "o"),
        false => found.replace(['-', 'x', '=', '(', ')'], ""),
    }
}

/// Reads `e2e4: 20`, the format of most engines. Does not use regular expressions, which would take most of our time
/// per row.
pub fn read_usual_pair(line: &str) -> Option<(String, PrintedNumber)> {
    let (mv, digits) = line.split_once(": ")?;
    let is_move = match mv.as_bytes() {
        [from @ .., b'n' | b'b' | b'r' | b'q' | b'k' | b'p'] if from.len() == 4 => is_squares(from),
        squares => is_squares(squares),
    };
    let nodes = digits.parse().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    is_move.then(|| (mv.into(), PrintedNumber { grouped: nodes, apart: nodes }))
}

/// Returns true if the text is the names of two squares, such as `e2e4`.
pub fn is_squares(text: &[u8]) -> bool {
    matches!(text, [b'a'..=b'h', b'1'..=b'8', b'a'..=b'h', b'1'..=b'8'])
}

/// Returns true if the word is a move in any notation, with no other text.
pub fn is_move(word: &str) -> bool {
    MOVE.captures(word)
        .and_then(|found| found.get(1).or(found.get(2)))
        .is_some_and(|mv| mv.start() == 0 && word[mv.end()..].bytes().all(|byte| matches!(byte, b'+' | b'#')))
}

/// Returns every move that begins a word, with its range in the text. Moves are written as in [`MovePairs::list`].
fn find_moves(text: &str) -> Vec<(Range<usize>, String)> {
    let begins = |at: usize| {
        let before = text[..at].chars().next_back();
        before.is_none_or(|letter| !letter.is_alphanumeric() && !matches!(letter, '/' | '_' | '-' | '+'))
    };
    let moves = MOVE.captures_iter(text).filter_map(|found| {
        let (mv, name): (_, fn(&str) -> String) = match found.get(1) {
            Some(mv) => (mv, |mv| move_text(&mv.to_ascii_lowercase())),
            None => (found.get(2)?, str::to_string),
        };
        let checks = text[mv.end()..].bytes().take_while(|byte| matches!(byte, b'+' | b'#')).count();
        begins(mv.start()).then(|| (mv.start()..mv.end() + checks, name(mv.as_str())))
    });
    moves.collect()
}

/// Moves in a line.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct MovePairs<'t> {
    /// Each move with its leaf count. A move is written as two lower-case squares without signs, or in algebraic
    /// notation as printed.
    pub list: Vec<(String, PrintedNumber)>,
    /// Text before the moves and text after them.
    pub around: [&'t str; 2],
    /// True if there are moves, with or without leaf counts.
    pub has_moves: bool,
    /// True if some text looks like a move and its leaf count but was not understood.
    pub is_unread: bool,
    /// True if a move is followed by its number in the list, as in `e2e4 1/20`.
    pub is_progress: bool,
}

/// Reads all moves and their leaf counts. If it is unclear which number is the count, sets `is_unread`.
pub fn read_pairs(text: &str) -> MovePairs<'_> {
    let moves = find_moves(text);
    let first = moves.first().map_or("", |(place, _)| &text[..place.start]);
    // The text before the moves ends at the opening brace of the record (`{…}`) that contains the first move.
    let outside = &first[..first.rfind('{').unwrap_or(first.len())];
    let mut pairs = MovePairs { has_moves: !moves.is_empty(), ..MovePairs::default() };
    let (mut end, mut lacks) = (0, false);
    for (number, (place, mv)) in moves.iter().enumerate() {
        let from = end.max(place.start.saturating_sub(MAX_BEFORE));
        let before = &text[text.floor_char_boundary(from)..place.start];
        if pairs.list.is_empty() && !BEFORE.is_match(before) {
            continue;
        }
        let is_last = number + 1 == moves.len();
        let next = moves.get(number + 1).map_or(text.len(), |(next, _)| next.start);
        let after = &text[place.end..next];
        // If a move and several numbers are in a record (`{…}`), its closing brace ends the record.
        let after = &after[..after.find('}').unwrap_or(after.len())];
        let label = |text: &str| LABELLED.captures(text).and_then(|found| read_number(text, &found, 1));
        let found = LEAVES.captures(after);
        let plies = found.as_ref().and_then(|found| found.get(1));
        let counted = plies.or(found.as_ref().and_then(|found| found.get(2))).map_or(0, |count| count.end());
        let count = match plies {
            Some(plies) => read_plies(plies.as_str()),
            None => found.as_ref().and_then(|found| read_number(after, found, 2)),
        };
        if plies.is_some() && count.is_none() {
            return MovePairs { is_progress: true, ..MovePairs::default() };
        }
        let rest = &after[counted..];
        let count = match (count, label(rest)) {
            // A second number after the last of several moves is the total.
            (Some(count), Some(other)) if count != other && (!is_last || pairs.list.is_empty()) => {
                pairs.is_unread = true;
                continue;
            }
            (None, None) if MAYBE_LEAVES.is_match(after) => {
                pairs.is_unread = true;
                continue;
            }
            (count, other) => count.or(other).or_else(|| label(&before[before.rfind('{')?..])),
        };
        match count {
            Some(count) => {
                pairs.is_unread |= UNREAD.is_match(rest);
                pairs.list.push((mv.clone(), count));
                end = place.end + counted;
            }
            None => lacks |= is_last,
        }
    }
    // If the first move follows a count and the last move lacks one, each count may belong to the next move, as in `440
    // g1h3 7 b7b8n`.
    if lacks && moves.len() > 1 && COUNT_BEFORE.is_match(first) {
        return MovePairs { is_unread: true, has_moves: true, ..MovePairs::default() };
    }
    pairs.is_unread |= UNREAD.is_match(text) && pairs.list.is_empty();
    MovePairs { around: [outside, &text[end..]], ..pairs }
}

/// Reads leaf counts at several depths, such as `9329/420/20`, and returns the first. Each count must be less than the
/// one before. Otherwise the text is not a list of counts: `1/20` means the first of twenty moves.
fn read_plies(text: &str) -> Option<PrintedNumber> {
    let plies: Option<Vec<u128>> = text.split('/').map(|nodes| nodes.parse().ok()).collect();
    let plies = plies.filter(|plies| plies.windows(2).all(|pair| pair[0] > pair[1]))?;
    plies.first().map(|&nodes| PrintedNumber { grouped: nodes, apart: nodes })
}

/// Reads the number in a capture group, unless it has too many digits or a unit follows it.
pub fn read_number(line: &str, found: &Captures<'_>, group: usize) -> Option<PrintedNumber> {
    let found = found.get(group)?;
    let digits = |text: &str| text.replace(|c: char| !c.is_ascii_digit(), "").parse().ok();
    let grouped = digits(found.as_str())?;
    let apart = digits(found.as_str().split([' ', ',']).next()?)?;
    match UNIT.is_match(&line[found.end()..]) {
        true => found.as_str().contains(' ').then_some(PrintedNumber { grouped: apart, apart }),
        false => Some(PrintedNumber { grouped, apart }),
    }
}
