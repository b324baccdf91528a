//! Parts of a text with key tables: words, numbers and marks, without the comments of C, Python, Rust, SQL and their kin.

/// Part of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum KeyToken<'t> {
    Word(&'t str),
    /// A number with its sign, and all letters that follow it.
    Number(&'t str),
    /// Content of a string.
    Quoted(&'t str),
    Mark(char),
}

/// Parts of a text, each with its line from 1.
#[derive(Default)]
pub(super) struct KeyTokens<'t> {
    pub(super) tokens: Vec<(usize, KeyToken<'t>)>,
    /// Lines of comments.
    pub(super) comments: Vec<(usize, &'t str)>,
}

impl<'t> KeyTokens<'t> {
    pub(super) fn of(text: &'t str) -> KeyTokens<'t> {
        let (mut found, mut rest, mut line) = (KeyTokens::default(), text, 1);
        while let Some(first) = rest.chars().next() {
            let length = found.take(rest, first, line);
            line += rest[..length].matches('\n').count();
            rest = &rest[length..];
        }
        found
    }

    /// Takes what a text begins with, and returns its length.
    fn take(&mut self, rest: &'t str, first: char, line: usize) -> usize {
        if let Some(length) = length_of_comment(rest) {
            self.comments.extend((line..).zip(rest[..length].lines()));
            return length;
        }
        if let Some((length, content)) = quoted(rest) {
            self.tokens.push((line, KeyToken::Quoted(content)));
            return length;
        }
        let signed = rest.strip_prefix(['-', '+']).unwrap_or(rest);
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        let (length, token) = if signed.starts_with(|letter: char| letter.is_ascii_digit()) {
            // A point makes it a number that is no key; `'` separates digits in C++.
            let is_digit = |letter: char| is_part(letter) || letter == '.' || letter == '\'';
            let length = rest.len() - signed.len() + signed.find(|letter| !is_digit(letter)).unwrap_or(signed.len());
            (length, KeyToken::Number(&rest[..length]))
        } else if is_part(first) {
            let length = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
            (length, KeyToken::Word(&rest[..length]))
        } else {
            (first.len_utf8(), KeyToken::Mark(first))
        };
        if !first.is_whitespace() {
            self.tokens.push((line, token));
        }
        length
    }
}

fn length_of_comment(text: &str) -> Option<usize> {
    let is_attribute = text.starts_with("#[") || text.starts_with("#![");
    if let Some(inside) = text.strip_prefix("/*") {
        return Some(inside.find("*/").map_or(text.len(), |end| end + 4));
    }
    if is_attribute {
        return Some(text.find(']').map_or(text.len(), |end| end + 1));
    }
    let is_comment = ["//", "#", "--"].iter().any(|mark| text.starts_with(mark));
    is_comment.then(|| text.find('\n').unwrap_or(text.len()))
}

/// Returns the length of the string that a text begins with, and its content. A quote that does not end on its line is no
/// string: Rust's lifetimes have one.
fn quoted(text: &str) -> Option<(usize, &str)> {
    for quote in ["\"\"\"", "'''"] {
        if let Some(inside) = text.strip_prefix(quote) {
            let end = inside.find(quote)?;
            return Some((end + 6, &inside[..end]));
        }
    }
    let quote = text.chars().next().filter(|quote| matches!(quote, '"' | '\'' | '`'))?;
    let inside = &text[1..];
    let end = inside.find([quote, '\n']).filter(|end| inside[*end..].starts_with(quote))?;
    Some((end + 2, &inside[..end]))
}
