//! The parts of a row, in any notation: names, texts, and groups of parts.

use super::names::is_like_fen;
use super::tokens::{SourceToken, Tokens, without_type};
use std::borrow::Cow;
use std::iter::Peekable;

/// Part of a row, in any notation.
#[derive(Clone, Debug)]
pub(super) struct RowPart<'t> {
    /// Name of the part; empty if it has none.
    pub(super) name: &'t str,
    /// The part of the list from which it was read.
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
    /// Makes a part of a text.
    pub(super) fn text(name: &'t str, at: &'t str, text: &'t str) -> RowPart<'t> {
        RowPart { name, at, value: PartValue::Text(text.into()) }
    }

    /// Makes a group of parts without a name.
    pub(super) fn group(at: &'t str, parts: Vec<RowPart<'t>>) -> RowPart<'t> {
        RowPart { name: "", at, value: PartValue::Group(parts) }
    }

    /// Returns true if the group is the arguments of a call: `Some(20)`.
    pub(super) fn is_call(&self) -> bool {
        !self.at.starts_with(['(', '[', '{'])
    }

    /// Returns the parts of a group.
    pub(super) fn parts(&self) -> Option<&[RowPart<'t>]> {
        if let PartValue::Group(parts) = &self.value { Some(parts) } else { None }
    }

    /// Returns the text, if the part is one.
    pub(super) fn as_text(&self) -> Option<&str> {
        match &self.value {
            PartValue::Text(text) => Some(text),
            PartValue::Word(word) => Some(word),
            PartValue::Group(_) => None,
        }
    }
}

/// Maximum nesting of brackets.
const MAX_NESTING: usize = 64;

/// The parts of a text that are outside all brackets. An array around the whole list does not count.
pub(super) struct SourceParts<'t> {
    text: &'t str,
    tokens: Peekable<Tokens<'t>>,
    /// The opening bracket of the array around the whole list; empty if there is none.
    around: &'t str,
    /// The error and its place.
    pub(super) error: Option<(&'t str, String)>,
    /// End of the last part.
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

    /// Records an error and ends the parts.
    fn fail(&mut self, at: &'t str, message: String) -> Option<RowPart<'t>> {
        self.error.get_or_insert((at, message));
        None
    }

    /// Returns the next part inside a bracket.
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
                    return self.fail(at, format!("found more than {MAX_NESTING} brackets in each other"));
                }
                (SourceToken::Open(_), _) => {
                    let parts: Vec<_> = std::iter::from_fn(|| self.part(at, nesting + 1)).collect();
                    if self.error.is_some() {
                        return None;
                    }
                    // Empty brackets are the type of an array, `[]int {20}`, or belong to a call.
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
                    // Numbers that no comma separates become one word, which is not a number.
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
        match part.is_none() && self.error.is_none() && !self.around.is_empty() {
            // Text after the array.
            true => {
                self.around = "";
                self.next()
            }
            false => part,
        }
    }
}

/// Returns a string without its escapes, except numeric character escapes, which no FEN and no count has.
pub(super) fn unescape(text: &str) -> Cow<'_, str> {
    let mut escaped = false;
    let is_kept = |letter: &char| {
        escaped = *letter == '\\' && !escaped;
        !escaped
    };
    if text.contains('\\') { text.chars().filter(is_kept).collect::<String>().into() } else { text.into() }
}
