//! Rows of JSON and of source text: arrays and objects of Python, JavaScript, Rust, C and similar languages.
//!
//! No language is parsed. Brackets, strings, names before `:` or `=`, and numbers suffice. A row is the smallest pair
//! of brackets that contains one position and numbers.
//!
//! ```text
//! for each pair of brackets, the inner ones first:
//!   position and numbers:     a row
//!   position alone:           a position of the brackets around it
//!   numbers alone:            counts of the brackets around it
//!   several positions:        each is a row with the numbers up to the next position, or each is a row without numbers
//! at the end: counts that belong to no row are refused
//! ```
//!
//! In `{"by": "me", "tests": [{"pos": {"fen": "…"}, "counts": [20, 400]}]}`, the brackets after `pos` contain a
//! position alone, and those after `counts` contain numbers alone. The brackets around both are the row.

use super::lines::is_position_cell;
use super::names::{
    self, depth_in_name, is_counts_name, is_fen_name, is_like_fen, is_nodes_name, is_position_name, is_title_name,
};
use super::parts::{PartValue, RowPart, SourceParts, SourceToken, Tokens, unescape};
use super::row::{RowFormat, RowText, offset};
use perft_gate_chess::excerpt;
use std::collections::VecDeque;

/// Returns true if the first position of a text is a string in brackets, or if the text has no position and begins with
/// a bracket.
pub(super) fn is_source(text: &str) -> bool {
    let (mut nesting, mut begins_with_bracket) = (0_usize, None);
    for (_, token) in Tokens::new(text) {
        begins_with_bracket.get_or_insert(matches!(token, SourceToken::Open('[' | '{')));
        match token {
            SourceToken::Open(_) => nesting += 1,
            SourceToken::Close(_) => nesting = nesting.saturating_sub(1),
            SourceToken::String(text) if is_like_fen(&unescape(text)) => return nesting > 0,
            SourceToken::Word(word) if word.matches('/').count() >= 5 => return false,
            _ => {}
        }
    }
    begins_with_bracket == Some(true)
}

pub(super) fn row_texts(text: &str) -> SourceRows<'_> {
    SourceRows {
        list: text,
        parts: Some(SourceParts::of_list(text)),
        outermost: InBrackets::default(),
        found: VecDeque::new(),
        read: (0, 1),
    }
}

/// What has been found in a pair of brackets and is not part of a row yet.
#[derive(Default)]
struct InBrackets<'t> {
    position: Option<OpenPosition<'t>>,
    /// `number`: the first number of any kind. `count`: the first number that is a count.
    number: Option<&'t str>,
    count: Option<&'t str>,
    /// True if the first number comes before the first position.
    begins_with_number: bool,
    /// True if the brackets contain anything other than unnamed numbers.
    has_others: bool,
    /// True if the brackets describe a move. The position in them does not become a row.
    is_move: bool,
    /// True if the brackets contain a row with counts. `has_positions`: true if they contain a position without counts.
    has_rows: bool,
    has_positions: bool,
}

/// A position that is not in a row yet.
#[derive(Clone, Copy)]
struct OpenPosition<'t> {
    at: &'t str,
    /// True if the position is a string directly in these brackets, not in nested brackets.
    is_inside: bool,
    /// True for `"startpos"`, which is merely a name if another position follows it.
    is_start: bool,
}

/// The text of a row, or an error in this part of the list.
type FoundRow<'t> = (&'t str, Option<String>);

impl<'t> InBrackets<'t> {
    /// Returns the first number that shows that the position has counts, if there is one.
    fn counts(&self) -> Option<&'t str> {
        let is_inside = self.position.is_some_and(|position| position.is_inside);
        self.count.or(self.number.filter(|_| is_inside))
    }

    fn add_number(&mut self, number: &'t str) {
        self.begins_with_number |= self.number.is_none() && self.position.is_none();
        self.number.get_or_insert(number);
    }

    /// Adds a part, and appends the rows that the part completes to `found`.
    fn add(&mut self, list: &'t str, part: &RowPart<'t>, found: &mut Vec<FoundRow<'t>>) {
        let (name, at) = (part.name, part.at);
        let Some(text) = part.as_text() else { return self.add_group(list, part, found) };
        let is_start = text == "startpos" && (name.is_empty() || is_position_name(name));
        let is_fen = is_like_fen(text) || is_fen_name(name);
        if is_like_fen(text) && !is_position_cell(text) {
            // The text has EPD operations.
            self.finish_position(list, offset(list, at), found);
            found.push((at, None));
            self.has_rows = true;
        } else if is_start && self.position.is_none() || is_fen && !is_start {
            self.add_position(list, OpenPosition { at, is_inside: true, is_start }, found);
        } else if names::is_numeric(text) {
            self.has_others |= !name.is_empty();
            if !is_title_name(name) {
                self.add_number(at);
            }
            if is_nodes_name(name) || !name.is_empty() && depth_in_name(name).is_some() {
                self.count.get_or_insert(at);
            }
        } else if !names::is_gap(text) || !name.is_empty() {
            self.is_move |= matches!(name, "move" | "san" | "uci");
            self.has_others = true;
        }
    }

    fn add_group(&mut self, list: &'t str, part: &RowPart<'t>, found: &mut Vec<FoundRow<'t>>) {
        let PartValue::Group(parts) = &part.value else { return };
        let (mut inside, before) = (InBrackets::default(), found.len());
        parts.iter().for_each(|part| inside.add(list, part, found));
        let has_found = inside.has_rows || inside.has_positions;
        match inside.position {
            Some(_) if inside.is_move => self.count = self.count.or(Some(part.at)),
            Some(_) if has_found => inside.finish_position(list, offset(list, part.at) + part.at.len() - 1, found),
            Some(_) if inside.counts().is_some() => found.push((part.at, None)),
            Some(OpenPosition { is_start, .. }) => {
                return self.add_position(list, OpenPosition { at: part.at, is_inside: false, is_start }, found);
            }
            None => {
                let is_counts = part.name.is_empty() || is_counts_name(part.name) || depth_in_name(part.name).is_some();
                // The group of a call, such as `Some(20)`, begins with the name of the function.
                let is_data = is_counts && !inside.has_others && part.at.starts_with(['(', '[', '{']);
                self.has_others |= !is_data;
                self.count = self.count.or(inside.count).or(inside.number.filter(|_| is_data));
                let number = inside.number.or(Some(part.at).filter(|_| parts.is_empty() && is_counts));
                number.into_iter().for_each(|number| self.add_number(number));
            }
        }
        if found.len() > before {
            self.finish_position(list, offset(list, part.at), found);
            self.has_rows = true;
        }
    }

    /// Adds a position. At this point, all numbers of the previous position have been added.
    fn add_position(&mut self, list: &'t str, position: OpenPosition<'t>, found: &mut Vec<FoundRow<'t>>) {
        match self.position {
            Some(before) if before.is_start && self.number.is_none() => {}
            _ => self.finish_position(list, offset(list, position.at), found),
        }
        self.position = Some(position);
    }

    /// Makes a row from the last position and, if it has counts, the text after it up to `end`.
    fn finish_position(&mut self, list: &'t str, end: usize, found: &mut Vec<FoundRow<'t>>) {
        let counts = self.counts();
        let Some(position) = self.position.take() else { return };
        let start = offset(list, position.at);
        found.push(match counts {
            None => (position.at, None),
            Some(number) if self.has_positions || self.begins_with_number => {
                let found = excerpt(number, 40);
                let message = format!("found {found} next to several positions, expected the counts of each after it");
                (number, Some(message))
            }
            Some(_) => (&list[start..end], None),
        });
        *(if counts.is_some() { &mut self.has_rows } else { &mut self.has_positions }) = true;
        (self.number, self.count) = (None, None);
    }

    /// Finishes the text outside all brackets.
    fn finish(&mut self, list: &'t str, found: &mut Vec<FoundRow<'t>>) {
        self.finish_position(list, list.len(), found);
        if !self.has_rows && !self.has_positions {
            // The whole list becomes a row, and reading that row reports what is missing.
            found.push((list.trim(), None));
        } else if let Some(text) = self.count {
            let at = excerpt(text, 40);
            let message = format!("found {at}, which belongs to no position, expected one next to it");
            found.push((text, Some(message)));
        }
    }
}

pub(super) struct SourceRows<'t> {
    list: &'t str,
    parts: Option<SourceParts<'t>>,
    outermost: InBrackets<'t>,
    found: VecDeque<RowText<'t>>,
    /// Offset of the last row found, and its line.
    read: (usize, usize),
}

impl<'t> Iterator for SourceRows<'t> {
    type Item = RowText<'t>;

    fn next(&mut self) -> Option<RowText<'t>> {
        while self.found.is_empty()
            && let Some(parts) = &mut self.parts
        {
            let (mut found, list) = (Vec::new(), self.list);
            match parts.next() {
                Some(part) => self.outermost.add(list, &part, &mut found),
                None => {
                    match parts.error.take() {
                        Some((text, message)) => found.push((text, Some(message))),
                        None => self.outermost.finish(list, &mut found),
                    }
                    self.parts = None;
                }
            }
            found.sort_by_key(|(text, _)| text.as_ptr());
            for (text, error) in found {
                let place = offset(list, text);
                self.read = (place, self.read.1 + list[self.read.0.min(place)..place].matches('\n').count());
                let format = error.map_or(RowFormat::Source, RowFormat::Refused);
                self.found.push_back(RowText::new(list, self.read.1, text, format));
            }
        }
        self.found.pop_front()
    }
}
