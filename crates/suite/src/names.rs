//! Recognises the names of fields that hold a position, a depth, a number of nodes, or the name of a row. Names are
//! compared only by their letters and digits, ignoring case: `Depth 1`, `depth_1` and `depth(1)` are the same name.
//! This module also reads node counts with separators between groups of three digits: `8,902`, `8_902`, `8 902`,
//! `8'902`, `8.902`.

fn plain_letters(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase)
}

/// Returns true if `known` contains the name. A name with a digit, like most names in long lists, is rejected at once.
pub(super) fn is_one_of(name: &str, known: &[&str]) -> bool {
    let may_be_known = !name.is_empty() && !name.bytes().any(|byte| byte.is_ascii_digit());
    may_be_known && known.iter().any(|known| plain_letters(name).eq(known.chars()))
}

/// Returns the depth in the name of a count: `1`, `D1`, `depth 1`, `perft(1)`.
pub(super) fn depth_in_name(name: &str) -> Option<String> {
    if !name.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let name: String = plain_letters(name).collect();
    let stem = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let stems =
        ["", "d", "depth", "perftdepth", "perft", "nodesatdepth", "nodesdepth", "nodes", "count", "plies", "ply"];
    stems.contains(&stem).then(|| name[stem.len()..].to_string()).filter(|depth| !depth.is_empty())
}

pub(super) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns true for a text that begins with a number, with or without a sign.
pub(super) fn begins_with_number(text: &str) -> bool {
    text.trim_start_matches(['-', '+']).starts_with(|letter: char| letter.is_ascii_digit())
}

/// Returns true for a name that marks the value as a FEN.
pub(super) fn is_fen_name(name: &str) -> bool {
    is_one_of(name, &["fen", "epd"])
}

pub(super) fn is_position_name(name: &str) -> bool {
    is_one_of(name, &["fen", "epd", "startfen", "initialfen", "fenstring", "position", "pos", "board"])
}

pub(super) fn is_depth_name(name: &str) -> bool {
    is_one_of(name, &["depth", "depths", "ply", "plies", "d", "level"])
}

/// Returns true for the name of a field that holds one count.
pub(super) fn is_nodes_name(name: &str) -> bool {
    let names = ["nodes", "count", "leaves", "leafs", "leafnodes", "nodecount", "numnodes", "perft", "expected"];
    let stem = name.get(..8).filter(|stem| stem.eq_ignore_ascii_case("expected")).map_or(name, |_| &name[8..]);
    let more = ["node", "nodescount", "result", "movecount", "value"];
    is_one_of(stem, &names) || is_one_of(stem, &more) || is_one_of(name, &["expected"])
}

/// Returns true for the name of a field that holds several counts.
pub(super) fn is_counts_name(name: &str) -> bool {
    let names =
        ["counts", "results", "perfts", "perftresults", "depths", "cases", "tests", "testcases", "expectations"];
    is_nodes_name(name) || is_one_of(name, &names)
}

/// Returns true for the name of a field that holds the name of a row.
pub(super) fn is_title_name(name: &str) -> bool {
    is_one_of(name, &["id", "name", "title", "label", "description"])
}

/// Returns true if a text looks like a FEN, with or without clocks: its first word has ranks. A path is not a FEN.
pub(super) fn is_like_fen(text: &str) -> bool {
    let mut words = text.split_ascii_whitespace();
    let is_board =
        |board: &str| board.matches('/').count() >= 5 && !board.starts_with('/') && !board.contains([':', '.']);
    words.next().is_some_and(is_board) && words.next().is_some()
}

/// Separators that a number in a text may contain, including typographic spaces and apostrophes.
pub(super) const IN_TEXT: &str = ",._' \u{a0}\u{202f}\u{2009}\u{2019}";
/// Separators that a number in source text may contain. A comma ends the number.
pub(super) const IN_SOURCE: &str = "_'";

/// Reads a number: digits alone, or one to three digits followed by groups of three, with the same separator before
/// each group.
pub(super) fn parse_number(text: &str, signs: &str) -> Option<u128> {
    if is_number(text) {
        return text.parse().ok();
    }
    let sign = text.chars().find(|letter| !letter.is_ascii_digit()).filter(|letter| signs.contains(*letter))?;
    let mut groups = text.split(sign);
    let first = groups.next()?;
    let is_first = (1..=3).contains(&first.len()) && !first.starts_with('0');
    let is_grouped = is_first && groups.all(|group| group.len() == 3 && is_number(group));
    is_grouped.then(|| text.replace(sign, "").parse().ok())?
}

/// Returns true if the text contains only numbers and the punctuation that people write between a depth and its count.
/// A negative number or a fraction is not a count.
pub(super) fn is_numeric(text: &str) -> bool {
    if text.trim_start().starts_with('-') || text.trim().parse::<f64>().is_ok_and(|number| number.fract() != 0.0) {
        return false;
    }
    let is_sign = |byte: u8| byte.is_ascii_whitespace() || b",.:=()_'-".contains(&byte);
    text.bytes().any(|byte| byte.is_ascii_digit()) && text.bytes().all(|byte| byte.is_ascii_digit() || is_sign(byte))
}

/// Returns true for a word that marks a missing count.
pub(super) fn is_gap(text: &str) -> bool {
    ["", "-", "null", "none", "nil", "undefined", "nan", "n/a", "?"].contains(&&*text.to_ascii_lowercase())
}
