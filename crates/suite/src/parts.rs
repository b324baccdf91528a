//! The parts of a row, in any notation: names, texts, and groups of parts. This module also splits JSON and source text
//! into tokens: brackets, strings, words, and the signs between them. Comments count as space.

use super::names::is_like_fen;
use std::borrow::Cow;
use std::iter::Peekable;
use std::ops::Range;

/// Part of a row, in any notation.
#[derive(Clone, Debug)]
pub(super) struct RowPart<'t> {
    /// Name of the part; empty if it has none.
    pub(super) name: &'t str,
    /// The text in the list from which this part was read.
    pub(super) at: &'t str,
    pub(super) value: PartValue<'t>,
}

#[derive(Clone, Debug)]
pub(super) enum PartValue<'t> {
    /// Text, without its quotes.
    Text(Cow<'t, str>),
    /// Word of source text.
    Word(&'t str),
    Group(Vec<RowPart<'t>>),
}

impl<'t> RowPart<'t> {
    pub(super) fn text(name: &'t str, at: &'t str, text: &'t str) -> RowPart<'t> {
        RowPart { name, at, value: PartValue::Text(text.into()) }
    }

    pub(super) fn group(at: &'t str, parts: Vec<RowPart<'t>>) -> RowPart<'t> {
        RowPart { name: "", at, value: PartValue::Group(parts) }
    }

    pub(super) fn parts(&self) -> Option<&[RowPart<'t>]> {
        if let PartValue::Group(parts) = &self.value { Some(parts) } else { None }
    }

    pub(super) fn as_text(&self) -> Option<&str> {
        match &self.value {
            PartValue::Text(text) => Some(text),
            PartValue::Word(word) => Some(word),
            PartValue::Group(_) => None,
        }
    }
}

const MAX_NESTING: usize = 64;

/// Iterator over the parts of a text that are outside all brackets. If one pair of brackets encloses the whole text,
/// that pair does not count.
pub(super) struct SourceParts<'t> {
    text: &'t str,
    tokens: Peekable<Tokens<'t>>,
    /// The opening bracket of the pair that encloses the whole text, or an empty string.
    around: &'t str,
    pub(super) error: Option<(&'t str, String)>,
    pub(super) end: usize,
}

impl<'t> SourceParts<'t> {
    pub(super) fn new(text: &'t str) -> SourceParts<'t> {
        SourceParts { text, tokens: Tokens::new(text).peekable(), around: "", error: None, end: 0 }
    }

    /// Returns the parts of a list. If the list is one array, its elements are the parts.
    pub(super) fn of_list(text: &'t str) -> SourceParts<'t> {
        let mut parts = SourceParts::new(text);
        let is_array = |(_, token): &(_, SourceToken<'_>)| *token == SourceToken::Open('[');
        parts.around = parts.tokens.next_if(is_array).map_or("", |(place, _)| &text[place]);
        parts
    }

    /// Records an error. No more parts are returned after it.
    fn fail(&mut self, at: &'t str, message: String) -> Option<RowPart<'t>> {
        self.error.get_or_insert((at, message));
        None
    }

    /// Returns the next part inside the brackets that `inside` opens.
    fn part(&mut self, inside: &'t str, nesting: usize) -> Option<RowPart<'t>> {
        let (text, mut name, mut call) = (self.text, "", None);
        loop {
            let Some((place, token)) = self.tokens.next() else {
                return if inside.is_empty() {
                    None
                } else {
                    self.fail(inside, format!("found '{inside}' that is not closed"))
                };
            };
            let at = &text[place.clone()];
            self.end = place.end;
            let follows = self.tokens.peek().map(|(_, token)| *token);
            match (token, follows) {
                (SourceToken::Separator, _) => name = "",
                (SourceToken::Is(_), _) => {}
                (SourceToken::Close(_), _) => {
                    let closes = matches!((inside, at), ("(", ")") | ("[", "]") | ("{", "}"));
                    return if closes { None } else { self.fail(at, format!("found '{at}' that closes no bracket")) };
                }
                (SourceToken::Open(_), _) if nesting == MAX_NESTING => {
                    return self.fail(at, format!("found more than {MAX_NESTING} nested brackets"));
                }
                (SourceToken::Open(_), _) => {
                    let parts: Vec<_> = std::iter::from_fn(|| self.part(at, nesting + 1)).collect();
                    if self.error.is_some() {
                        return None;
                    }
                    // Empty brackets that are not a value belong to an array type, as in `[]int {20}`, or to a call.
                    let follows = self.tokens.peek().map(|(_, token)| *token);
                    let is_value = matches!(follows, None | Some(SourceToken::Separator | SourceToken::Close(_)));
                    if !parts.is_empty() || is_value && at != "(" {
                        let start = call.unwrap_or(place.start);
                        return Some(RowPart { name, ..RowPart::group(&text[start..self.end], parts) });
                    }
                }
                (SourceToken::String(inside), Some(SourceToken::Is(_))) if !is_like_fen(&unescape(inside)) => {
                    name = inside
                }
                (SourceToken::String(inside), follows) => {
                    let name = if matches!(follows, Some(SourceToken::Is(_))) { "" } else { name };
                    return Some(RowPart { name, at, value: PartValue::Text(unescape(inside)) });
                }
                // The name of a variable says nothing about its value.
                (SourceToken::Word(_), Some(SourceToken::Is('='))) if !matches!(inside, "(" | "{") => {}
                (SourceToken::Word(_), Some(SourceToken::Is(_))) => name = at,
                (SourceToken::Word(_), Some(SourceToken::Open(bracket))) => {
                    // `vec![20]` is not a call. `counts[4]` is treated like the call `count(4)`.
                    call = Some(place.start).filter(|_| bracket == '(' || bracket == '[' && !at.ends_with('!'));
                }
                (SourceToken::Word(_), Some(SourceToken::Word(_))) if !at.starts_with(|c: char| c.is_ascii_digit()) => {
                }
                (SourceToken::Word(_), _) => {
                    // Numbers without a comma between them join into one invalid number.
                    while let Some((next, _)) = self.tokens.next_if(|(_, token)| matches!(token, SourceToken::Word(_)))
                    {
                        self.end = next.end;
                    }
                    let at = &text[place.start..self.end];
                    return Some(RowPart { name, at, value: PartValue::Word(without_type(at)) });
                }
            }
        }
    }
}

impl<'t> Iterator for SourceParts<'t> {
    type Item = RowPart<'t>;

    fn next(&mut self) -> Option<RowPart<'t>> {
        let part = self.part(self.around, 0);
        if part.is_none() && self.error.is_none() && !self.around.is_empty() {
            // The text after the array is read too.
            self.around = "";
            return self.next();
        }
        part
    }
}

/// Returns a string without the backslashes of its escapes. Numeric escapes are not decoded: no FEN or count has any.
pub(super) fn unescape(text: &str) -> Cow<'_, str> {
    let mut escaped = false;
    let is_kept = |letter: &char| {
        escaped = *letter == '\\' && !escaped;
        !escaped
    };
    if text.contains('\\') { text.chars().filter(is_kept).collect::<String>().into() } else { text.into() }
}

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

    /// Returns the length of the comment or space at the start of `rest`; 0 if there is none.
    fn gap(&self, rest: &str) -> usize {
        let is_comment = match rest.as_bytes()[0] {
            b'/' if rest.starts_with("/*") => return rest.find("*/").map_or(rest.len(), |end| end + 2),
            b'/' => rest.starts_with("//"),
            // `#[` is an attribute, but `#["` is an array that is commented out.
            b'#' => !rest[1..].trim_start_matches('!').starts_with('[') || rest[1..].starts_with("[\""),
            b'-' => rest.starts_with("-- "),
            b'%' | b';' => {
                let before = self.text[..self.at].trim_end_matches([' ', '\t']);
                before.is_empty() || before.ends_with('\n')
            }
            _ => return rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\0').len(),
        };
        if is_comment { rest.find('\n').unwrap_or(rest.len()) } else { 0 }
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
            // A quote that is never closed is an apostrophe in a text, or the start of a lifetime.
            None => (1, None),
        },
        _ => {
            let length = end_of_word(rest);
            (length, Some(SourceToken::Word(&rest[..length])))
        }
    }
}

/// Returns the position of the closing quote of a string. A string in single quotes must end on the line where it
/// begins.
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

/// Removes the type suffix from a number in source text: `20`, `8_902u64`, `400ULL`, `20n`. Leading `&`, `+` and `@`
/// are dropped.
pub(super) fn without_type(word: &str) -> &str {
    let word = word.trim_start_matches(['&', '+', '@']);
    let end = word.find(|letter: char| !letter.is_ascii_digit() && !"_'".contains(letter)).unwrap_or(word.len());
    let (number, kind) = word.split_at(end);
    let is_typed = end > 0 && TYPES.contains(&&*kind.to_ascii_lowercase());
    if is_typed { number.trim_end_matches('_') } else { word }
}

#[cfg(test)]
mod tests {
    thread_local! {
        pub(super) static SCANNED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
    }

    #[test]
    fn every_byte_of_a_list_is_looked_at_a_few_times_however_long_it_is() {
        for rows in [30, 300, 3000] {
            for list in [r#"{"tests": [R]}"#, "[R]", "R", r#"[[R], [["k"]]]"#] {
                let row = r#"{"a": {"fen": "4k3/8/8/8/8/8/8/4K3 w - - 0 1"}, "counts": [5, 25]}"#;
                let text = list.replace('R', &vec![row; rows].join(", "));
                SCANNED.set(0);
                assert_eq!(crate::parse(&text).expect("a list").len(), rows);
                // The text is scanned to find its form, to find the rows, to read them, and to look for repeats.
                let most = 5 * text.len();
                assert!(SCANNED.get() <= most, "{rows} rows: {} of {} bytes", SCANNED.get(), text.len());
            }
        }
    }
}
