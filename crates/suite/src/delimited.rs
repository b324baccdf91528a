//! Lines whose fields are separated by a comma, a semicolon, a tab or a bar.

use super::row_text::trimmed;

/// The separators. A line may hold several of them: the first one that makes sense of it counts, and a bar or a tab is
/// never part of a FEN or a number.
pub(super) const SEPARATORS: [char; 4] = ['|', '\t', ';', ','];

/// Splits a line into its fields, without the space and the quotes around them. A bar at the start and the end of a line,
/// as Markdown writes them, separates nothing.
pub(super) fn fields(line: &str, separator: char) -> impl Iterator<Item = &str> {
    let mut line = trimmed(line);
    if separator == '|' {
        line = line.strip_prefix('|').unwrap_or(line);
        line = line.strip_suffix('|').unwrap_or(line);
    }
    let mut in_quotes = false;
    let fields = line.split(move |letter| {
        in_quotes ^= letter == '"';
        letter == separator && !in_quotes
    });
    fields.map(|field| unquoted(trimmed(field)))
}

fn unquoted(field: &str) -> &str {
    let inside = ['"', '\'', '`'].into_iter().find_map(|quote| field.strip_prefix(quote)?.strip_suffix(quote));
    inside.map_or(field, trimmed)
}

/// Returns true if a field is meant as a FEN, with or without clocks: its first word has ranks.
pub(super) fn is_like_fen(field: &str) -> bool {
    let mut words = field.split_ascii_whitespace();
    let has_ranks = words.next().is_some_and(|board| board.matches('/').count() >= 5);
    let mut clocks = words.clone().skip(3);
    has_ranks && (3..=5).contains(&words.count()) && clocks.all(|word| !word.starts_with(|c: char| c.is_alphabetic()))
}

/// Returns the letters and digits of a name, in lower case: `Depth 1`, `depth_1` and `depth(1)` are one name.
pub(super) fn plain_name(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Returns the depth in the name of a count: `1`, `D1`, `depth 1`, `perft(1)`.
pub(super) fn depth_in_name(name: &str) -> Option<String> {
    let name = plain_name(name);
    let prefixes =
        ["depth", "perftdepth", "perft", "nodesatdepth", "nodesdepth", "nodes", "count", "plies", "ply", "d", ""];
    let mut digits = prefixes.into_iter().filter_map(|prefix| name.strip_prefix(prefix));
    digits.find(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).map(Into::into)
}

/// Returns true for a name of the field with the position, as [`plain_name`] gives it.
pub(super) fn is_position_name(name: &str) -> bool {
    ["fen", "epd", "startfen", "initialfen", "fenstring", "position", "pos", "board"].contains(&name)
}

/// Returns true for a name of the field with one count, as [`plain_name`] gives it.
pub(super) fn is_nodes_name(name: &str) -> bool {
    let stem = name.strip_prefix("expected").filter(|stem| !stem.is_empty()).unwrap_or(name);
    let names = ["nodes", "count", "leaves", "leafs", "leafnodes", "nodecount", "numnodes", "perft", "expected"];
    names.contains(&stem) || ["node", "nodescount", "result", "movecount"].contains(&stem)
}

/// Returns true for a name of the field with the row's name, as [`plain_name`] gives it.
pub(super) fn is_title_name(name: &str) -> bool {
    ["id", "name", "title", "label", "description"].contains(&name)
}

/// Returns true for a name of the field with several counts.
#[cfg(feature = "json")]
pub(super) fn is_counts_name(name: &str) -> bool {
    let names =
        ["counts", "results", "perfts", "perftresults", "depths", "cases", "tests", "testcases", "expectations"];
    is_nodes_name(name) || names.contains(&name)
}
