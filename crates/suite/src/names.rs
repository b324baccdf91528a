//! What fields are called: the words that lists have for a position, a depth, a number of nodes, and a name. Names are
//! compared by their letters and digits, without case: `Depth 1`, `depth_1` and `depth(1)` are one name.

fn plain_letters(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase)
}

/// Returns true if a name is one of those that are known. None of them has a digit, as most names in long lists have.
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

/// Returns true for a name that says that the value is a FEN.
pub(super) fn is_fen_name(name: &str) -> bool {
    is_one_of(name, &["fen", "epd"])
}

/// Returns true for a name of the field with the position.
pub(super) fn is_position_name(name: &str) -> bool {
    is_one_of(name, &["fen", "epd", "startfen", "initialfen", "fenstring", "position", "pos", "board"])
}

/// Returns true for a name of the field with a depth.
pub(super) fn is_depth_name(name: &str) -> bool {
    is_one_of(name, &["depth", "depths", "ply", "plies", "d", "level"])
}

/// Returns true for a name of the field with one count.
pub(super) fn is_nodes_name(name: &str) -> bool {
    let names = ["nodes", "count", "leaves", "leafs", "leafnodes", "nodecount", "numnodes", "perft", "expected"];
    let stem = name.get(..8).filter(|stem| stem.eq_ignore_ascii_case("expected")).map_or(name, |_| &name[8..]);
    let more = ["node", "nodescount", "result", "movecount", "value"];
    is_one_of(stem, &names) || is_one_of(stem, &more) || is_one_of(name, &["expected"])
}

/// Returns true for a name of the field with several counts.
pub(super) fn is_counts_name(name: &str) -> bool {
    let names =
        ["counts", "results", "perfts", "perftresults", "depths", "cases", "tests", "testcases", "expectations"];
    is_nodes_name(name) || is_one_of(name, &names)
}

/// Returns true for a name of the field with the row's name.
pub(super) fn is_title_name(name: &str) -> bool {
    is_one_of(name, &["id", "name", "title", "label", "description"])
}

/// Returns true if a text is meant as a FEN, with or without clocks: its first word has ranks. A path is none.
pub(super) fn is_like_fen(text: &str) -> bool {
    let mut words = text.split_ascii_whitespace();
    let is_board =
        |board: &str| board.matches('/').count() >= 5 && !board.starts_with('/') && !board.contains([':', '.']);
    words.next().is_some_and(is_board) && words.next().is_some()
}
