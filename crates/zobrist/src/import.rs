//! Key tables from a file: one hexadecimal key a line, in an order that the first line names.
//!
//! ```text
//! # layout: cpw793
//! 9d39247e33776d41
//! ```

use super::axes::{Axes, Castling, Combine, EnPassantKeys, Side, Width};
use super::generate::{POLYGLOT_ROWS, RUSTIC_ROWS, USUAL_ROWS, imported};
use crate::key_tables::KeyTables;
use perft_gate_chess::EnPassantPolicy;
use std::collections::HashMap;
use std::fmt;

/// The order of the keys in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// 12 × 64 in the order White P N B R Q K, Black; castling K Q k q; e.p. files; Black to move.
    Cpw781,
    /// The order of `cpw781`, with 16 castling keys.
    Cpw793,
    /// Rustic's: White K Q R B N P, Black; 16 castling; two sides; 65 e.p. squares.
    Rustic851,
    /// The Polyglot specification's: black pawn, white pawn, …; castling; e.p. files; White to move.
    Polyglot,
    /// Stockfish 15.1's draw: 12 × 64 as `cpw793`; e.p. files; 16 castling; side; one for no pawns, not of this key.
    Stockfish15,
}

impl Layout {
    /// Every layout.
    pub const ALL: [Layout; 5] =
        [Layout::Cpw781, Layout::Cpw793, Layout::Rustic851, Layout::Polyglot, Layout::Stockfish15];

    /// Returns the layout of a file that can hold the keys of these axes. The en-passant policy is not stored in a file: a
    /// layout has a policy of its own when it is read.
    pub fn of(axes: &Axes) -> Option<Layout> {
        let castling = if axes.castling == Castling::C4x16 { Castling::C4 } else { axes.castling };
        let holds = |layout: &Layout| {
            let held = layout.axes();
            (castling, axes.en_passant, axes.side) == (held.castling, held.en_passant, held.side)
        };
        if (axes.combine, axes.width) != (Combine::Xor, Width::W64) {
            return None;
        }
        // Stockfish's layout has a number that is in no key.
        Layout::ALL.into_iter().filter(|&layout| layout != Layout::Stockfish15).find(holds)
    }
    /// Returns the name in a file's header.
    pub const fn name(self) -> &'static str {
        match self {
            Layout::Cpw781 => "cpw781",
            Layout::Cpw793 => "cpw793",
            Layout::Rustic851 => "rustic851",
            Layout::Polyglot => "polyglot",
            Layout::Stockfish15 => "stockfish-15.1",
        }
    }

    /// Returns the number of keys in a file.
    pub const fn number_of_keys(self) -> usize {
        match self {
            Layout::Cpw781 | Layout::Polyglot => 781,
            Layout::Cpw793 => 793,
            Layout::Rustic851 => 851,
            Layout::Stockfish15 => 794,
        }
    }

    /// Returns the axes of the scheme that the keys belong to.
    pub const fn axes(self) -> Axes {
        let cpw = Axes::CPW793;
        match self {
            Layout::Cpw781 => Axes { castling: Castling::C4, ..cpw },
            Layout::Cpw793 => cpw,
            Layout::Rustic851 => {
                Axes { en_passant: EnPassantKeys::E65, policy: EnPassantPolicy::Always, side: Side::S2, ..cpw }
            }
            Layout::Polyglot => {
                Axes { castling: Castling::C4, policy: EnPassantPolicy::Pseudo, side: Side::S1w, ..cpw }
            }
            // Stockfish 15.1 keeps the square even if the capturer is pinned.
            Layout::Stockfish15 => Axes { policy: EnPassantPolicy::Pseudo, ..cpw },
        }
    }
}

/// The keys of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Import {
    /// The order of the keys.
    pub layout: Layout,
    keys: Vec<u64>,
}

/// A fault in a file of keys.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImportError {
    /// Line number, from 1.
    pub line: usize,
    /// Message with the found and the expected text.
    pub message: String,
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ImportError {}

impl Import {
    /// Reads a file's text. **Errors**: no layout, a line that is not a key, too few or too many keys.
    pub fn parse(text: &str) -> Result<Import, ImportError> {
        let error = |line: usize, message: String| Err(ImportError { line, message });
        let names = Layout::ALL.map(Layout::name).join(", ");
        let mut layout = None;
        let mut keys = Vec::new();
        for (line, text) in (1..).zip(text.lines().map(str::trim)) {
            if let Some(comment) = text.strip_prefix('#') {
                if let Some(name) = comment.trim().strip_prefix("layout:").map(str::trim) {
                    layout = Layout::ALL.into_iter().find(|layout| layout.name() == name);
                    if layout.is_none() {
                        return error(line, format!("found layout '{name}', expected one of {names}"));
                    }
                }
                continue;
            }
            if text.is_empty() {
                continue;
            }
            let Some(layout) = layout else {
                return error(line, format!("found no layout, expected '# layout: NAME' with one of {names}"));
            };
            let digits = text.strip_prefix("0x").unwrap_or(text);
            let is_key = (1..=16).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
            match u64::from_str_radix(digits, 16) {
                Ok(key) if is_key => keys.push(key),
                _ => {
                    let found: String = text.chars().take(40).collect();
                    return error(line, format!("found '{found}', expected a hexadecimal number of up to 64 bits"));
                }
            }
            if keys.len() > layout.number_of_keys() {
                let (name, expected) = (layout.name(), layout.number_of_keys());
                return error(line, format!("found more than {expected} keys, expected {expected} for {name}"));
            }
        }
        let last = text.lines().count().max(1);
        match layout {
            None => error(last, format!("found no layout, expected '# layout: NAME' with one of {names}")),
            Some(layout) if keys.len() < layout.number_of_keys() => {
                let (found, expected, name) = (keys.len(), layout.number_of_keys(), layout.name());
                error(last, format!("found {found} keys, expected {expected} for {name}"))
            }
            Some(layout) => Ok(Import { layout, keys }),
        }
    }

    /// Returns warnings about keys that are zero or stand twice. Keys are numbered from 1.
    pub fn warnings(&self) -> Vec<String> {
        let mut seen = HashMap::new();
        let mut warnings = Vec::new();
        for (number, &key) in (1..).zip(&self.keys) {
            if key == 0 {
                warnings.push(format!("key {number} is zero"));
            } else if let Some(first) = seen.insert(key, number) {
                warnings.push(format!("key {number} is key {first} again: {key:016x}"));
            }
        }
        warnings
    }

    pub(super) fn key_tables(&self) -> KeyTables {
        let axes = self.layout.axes();
        let (pieces, rest) = self.keys.split_at(768);
        // The keys after the pieces, in the order castling, en passant, side.
        let (rest, rows) = match self.layout {
            Layout::Cpw781 | Layout::Cpw793 => (rest.to_vec(), USUAL_ROWS),
            Layout::Polyglot => (rest.to_vec(), POLYGLOT_ROWS),
            Layout::Rustic851 => ([&rest[..16], &rest[18..], &rest[16..18]].concat(), RUSTIC_ROWS),
            Layout::Stockfish15 => ([&rest[8..24], &rest[..8], &rest[24..25]].concat(), USUAL_ROWS),
        };
        imported(&axes, [pieces, &rest].concat(), rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(layout: &str, keys: usize) -> String {
        let keys: Vec<_> = (1..=keys).map(|key| format!("{:x}\n", key * 0x1234_5678_9abc)).collect();
        format!("# layout: {layout}\n{}", keys.concat())
    }

    #[test]
    fn bad_files_are_refused_with_their_line() {
        for (text, line, message) in [
            (String::new(), 1, "found no layout"),
            ("1234\n".into(), 1, "found no layout"),
            ("# layout: mine\n".into(), 1, "found layout 'mine', expected one of cpw781"),
            ("# layout: cpw781\n12x4\n".into(), 2, "found '12x4', expected a hexadecimal number"),
            ("# layout: cpw781\n+1\n".into(), 2, "found '+1', expected a hexadecimal number"),
            ("# layout: cpw781\n12345678123456781\n".into(), 2, "expected a hexadecimal number of up to 64 bits"),
            (file("cpw793", 792), 793, "found 792 keys, expected 793 for cpw793"),
            (file("stockfish-15.1", 795), 796, "found more than 794 keys"),
        ] {
            let error = Import::parse(&text).unwrap_err();
            assert!(error.line == line && error.message.contains(message), "{error}");
        }
    }

    #[test]
    fn zeros_and_duplicates_are_warned_of() {
        let text = file("cpw781", 779) + "0\n123456789abc\n";
        let warnings = Import::parse(&text).unwrap().warnings();
        assert_eq!(warnings, ["key 780 is zero", "key 781 is key 1 again: 0000123456789abc"]);
    }
}
