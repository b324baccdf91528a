//! The parts of a row, in any notation: names, texts, and groups of parts.

use std::borrow::Cow;

/// Part of a row, in any notation.
#[derive(Clone, Debug)]
pub(super) struct RowPart<'t> {
    /// Its name; empty if it has none.
    pub(super) name: &'t str,
    /// Where it is in the list.
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
    /// Returns a text.
    pub(super) fn text(name: &'t str, at: &'t str, text: &'t str) -> RowPart<'t> {
        RowPart { name, at, value: PartValue::Text(text.into()) }
    }

    /// Returns a part with parts, and no name.
    pub(super) fn group(at: &'t str, parts: Vec<RowPart<'t>>) -> RowPart<'t> {
        RowPart { name: "", at, value: PartValue::Group(parts) }
    }

    /// Returns true for the arguments of a call, `Some(20)`.
    pub(super) fn is_call(&self) -> bool {
        !self.at.starts_with(['(', '[', '{'])
    }

    /// Returns its parts, if it is a group.
    pub(super) fn parts(&self) -> Option<&[RowPart<'t>]> {
        if let PartValue::Group(parts) = &self.value { Some(parts) } else { None }
    }

    /// Returns the text, if it is one.
    pub(super) fn as_text(&self) -> Option<&str> {
        match &self.value {
            PartValue::Text(text) => Some(text),
            PartValue::Word(word) => Some(word),
            PartValue::Group(_) => None,
        }
    }
}
