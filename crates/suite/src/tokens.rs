//! Tokens of JSON and of source text: brackets, strings, words, and the signs between them. Comments count as space.

use std::ops::Range;

/// A token. The text of a string is the text between its quotes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SourceToken<'t> {
    Open(char),
    Close(char),
    /// `,` or `;`.
    Separator,
    /// `:`, `=` or `=>`, after a name.
    Is(char),
    String(&'t str),
    /// A number, or any other word.
    Word(&'t str),
}

/// The tokens of a text, each with its place. Every byte is examined once.
pub(super) struct Tokens<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Tokens<'t> {
    pub(super) fn new(text: &'t str) -> Tokens<'t> {
        Tokens { text, at: 0 }
    }

    /// Returns true if only space precedes this place on its line.
    fn begins_line(&self) -> bool {
        matches!(self.text[..self.at].trim_end_matches([' ', '\t']).chars().next_back(), None | Some('\n'))
    }

    /// Returns the length of the comment or space at the start of `rest`; 0 if there is none.
    fn gap(&self, rest: &str) -> usize {
        let line = || rest.find('\n').unwrap_or(rest.len());
        let is_comment = match rest.as_bytes()[0] {
            b'/' if rest.starts_with("/*") => return rest.find("*/").map_or(rest.len(), |end| end + 2),
            b'/' => rest.starts_with("//"),
            // `#[` is an attribute, but `#["` is an array that is commented out.
            b'#' => !rest[1..].trim_start_matches('!').starts_with('[') || rest[1..].starts_with("[\""),
            b'-' => rest.starts_with("-- "),
            b'%' | b';' => self.begins_line(),
            _ => return rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\0').len(),
        };
        if is_comment { line() } else { 0 }
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = (Range<usize>, SourceToken<'t>);

    fn next(&mut self) -> Option<(Range<usize>, SourceToken<'t>)> {
        loop {
            let rest = &self.text[self.at..];
            let first = rest.chars().next()?;
            let (length, token) = match self.gap(rest) {
                0 => token(first, rest),
                gap => (gap, None),
            };
            let place = self.at..self.at + length;
            self.at += length;
            #[cfg(test)]
            tests::SCANNED.set(tests::SCANNED.get() + length);
            if let Some(token) = token {
                return Some((place, token));
            }
        }
    }
}

/// Returns the token at the start of a text, with its length; `None` for a sign without meaning.
fn token(first: char, rest: &str) -> (usize, Option<SourceToken<'_>>) {
    match first {
        '(' | '[' | '{' => (1, Some(SourceToken::Open(first))),
        ')' | ']' | '}' => (1, Some(SourceToken::Close(first))),
        ',' | ';' => (1, Some(SourceToken::Separator)),
        ':' if !rest.starts_with("::") => (1, Some(SourceToken::Is(first))),
        '=' => (if rest.starts_with("=>") { 2 } else { 1 }, Some(SourceToken::Is(first))),
        '"' | '\'' | '`' => match end_of_string(first, rest) {
            Some(end) => (end + 1, Some(SourceToken::String(&rest[1..end]))),
            // An apostrophe in a text, or the lifetime of a reference.
            None => (1, None),
        },
        _ => {
            let length = end_of_word(rest);
            (length, Some(SourceToken::Word(&rest[..length])))
        }
    }
}

/// Returns the position of the closing quote of a string. A string in single quotes ends on its line.
fn end_of_string(quote: char, text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' if quote == '\'' => return None,
            _ if letter == quote => return Some(at),
            _ => {}
        }
    }
    None
}

/// Returns the end of a word. A word may contain `::`, an apostrophe between digits, and a lifetime.
fn end_of_word(text: &str) -> usize {
    let mut letters = text.char_indices().peekable();
    let mut before = '\0';
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().map_or(' ', |(_, next)| *next);
        let is_inside = match letter {
            ':' => next == ':' || before == ':',
            '\'' => before.is_ascii_digit() && next.is_ascii_digit() || "&<".contains(before) && next.is_alphabetic(),
            '/' => next != '/' && next != '*',
            _ => !letter.is_whitespace() && !"()[]{}\"`,;=\0".contains(letter),
        };
        if !is_inside && at > 0 {
            return at;
        }
        before = letter;
    }
    text.len()
}

/// Type suffixes of numbers.
const TYPES: [&str; 12] = ["u128", "u64", "i64", "u32", "i32", "usize", "ull", "ul", "ll", "u", "l", "n"];

/// Returns a number of source text without its type: `20`, `8_902u64`, `400ULL`, `20n`. Leading `&`, `+` and `@` are
/// dropped.
pub(super) fn without_type(word: &str) -> &str {
    let word = word.trim_start_matches(['&', '+', '@']);
    let end = word.find(|letter: char| !letter.is_ascii_digit() && !"_'".contains(letter)).unwrap_or(word.len());
    let (number, kind) = word.split_at(end);
    let is_typed = end > 0 && TYPES.contains(&&*kind.to_ascii_lowercase());
    if is_typed { number.trim_end_matches('_') } else { word }
}

#[cfg(test)]
pub(super) mod tests {
    thread_local! {
        /// Number of examined bytes.
        pub(in crate::tokens) static SCANNED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
    }

    #[test]
    fn every_byte_of_a_list_is_looked_at_a_few_times_however_long_it_is() {
        for rows in [30, 300, 3000] {
            for list in [r#"{"tests": [R]}"#, "[R]", "R", r#"[[R], [["k"]]]"#] {
                let row = r#"{"a": {"fen": "4k3/8/8/8/8/8/8/4K3 w - - 0 1"}, "counts": [5, 25]}"#;
                let text = list.replace('R', &vec![row; rows].join(", "));
                SCANNED.set(0);
                assert_eq!(crate::parse(&text).expect("a list").len(), rows);
                // Finding the form, finding the rows, reading them, and reading them again as repeats.
                let most = 5 * text.len();
                assert!(SCANNED.get() <= most, "{rows} rows: {} of {} bytes", SCANNED.get(), text.len());
            }
        }
    }
}
