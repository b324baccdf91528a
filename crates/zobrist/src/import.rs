//! Key tables from a file: one hexadecimal key per line, or tables in source text. A comment names the order of the
//! keys.
//!
//! ```text
//! # layout: cpw793
//! 9d39247e33776d41
//! ```
//!
//! A comment like `axes: policy=pseudo` sets the rules that a layout leaves open: policy, combination and width.

use crate::axes::Axes;
use crate::generate::{POLYGLOT, imported};
use crate::key_layout::{Layout, check_order};
use crate::key_table::KeyTables;
use crate::key_text::{FoundTable, ImportError, KeyText};
use crate::term::Term;
use perft_gate_chess::Square;
use std::collections::HashMap;

/// The keys of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Import {
    pub layout: Layout,
    /// The axes of the keys: those of the layout, possibly with some rules changed.
    pub axes: Axes,
    keys: Vec<u64>,
    tables: Vec<FoundTable>,
}

/// Maximum number of tables, or of wrong keys, that a message lists.
const MAX_NAMED: usize = 6;

fn taken_from(tables: &[FoundTable]) -> String {
    let named: Vec<String> = tables.iter().take(MAX_NAMED).map(FoundTable::to_string).collect();
    match tables.len() {
        0 => String::new(),
        1..=MAX_NAMED => format!(" ({})", named.join(", ")),
        more => format!(" ({}, and {} more tables)", named.join(", "), more - MAX_NAMED),
    }
}

impl Import {
    /// Reads the text of a file. **Errors**: the text names no layout, contains a number that is not a key, has too few
    /// or too many keys, or lists its tables in an order that the layout does not have.
    pub fn parse(text: &str) -> Result<Import, ImportError> {
        let error = |line: usize, message: String| Err(ImportError { line, message });
        let KeyText { layouts, axes: changes, keys, lines, tables, groups } = KeyText::read(text)?;
        let mut layout = None;
        for (line, name) in layouts {
            let named = Layout::of_name(&name, format_args!("layout '{name}'"));
            let named = named.map_err(|message| ImportError { line, message })?;
            if layout.replace(named).is_some_and(|earlier| earlier != named) {
                return error(line, format!("found layout '{name}' after another one, expected one layout"));
            }
        }
        let last = text.lines().count().max(1);
        let numbers = keys.len();
        let Some(layout) = layout else {
            let line = lines.first().copied().unwrap_or(last);
            let names = Layout::ALL.map(Layout::name).join(", ");
            let message = format!("found no layout for {numbers} keys, expected '# layout: NAME' with one of {names}");
            return error(line, message);
        };
        let expected = layout.number_of_keys();
        if numbers != expected {
            let line = lines.get(expected).copied().unwrap_or(last);
            let taken = taken_from(&tables);
            return error(line, format!("found {numbers} keys{taken}, expected {expected} for {}", layout.name()));
        }
        check_order(layout, &tables, &groups)?;
        let axes = changes.iter().try_fold(layout.axes(), |axes, (line, text)| change_rules(axes, *line, text))?;
        Ok(Import { layout, axes, keys, tables })
    }

    /// Describes the tables and keys that were taken from source text; `None` for a plain list of keys.
    pub fn summary(&self) -> Option<String> {
        let (numbers, name) = (self.keys.len(), self.layout.name());
        (!self.tables.is_empty()).then(|| format!("{numbers} keys for {name}{}", taken_from(&self.tables)))
    }

    /// Returns warnings about keys that are zero, occur twice or differ from Polyglot's. Keys are numbered from 1.
    pub fn warnings(&self) -> Vec<String> {
        let mut seen = HashMap::new();
        let mut warnings = Vec::new();
        for (number, &key) in (1..).zip(&self.keys) {
            if key == 0 {
                warnings.push(format!("key {number} is zero"));
            } else if let Some(first) = seen.insert(key, number) {
                warnings.push(format!("key {number} repeats key {first}: {key:016x}"));
            }
        }
        if self.layout == Layout::Polyglot {
            warnings.extend(self.differences_from_polyglot());
        }
        warnings
    }

    /// Describes the keys that differ from the published Polyglot table.
    fn differences_from_polyglot(&self) -> Vec<String> {
        let pairs = (0..).zip(self.keys.iter().zip(&POLYGLOT)).filter(|(_, (found, expected))| found != expected);
        let differences: Vec<String> = pairs
            .map(|(index, (found, expected))| {
                let (number, term) = (index + 1, polyglot_term(index));
                format!("key {number} ({term}): found {found:016x}, expected {expected:016x} from the Polyglot table")
            })
            .collect();
        let number = differences.len();
        if number > POLYGLOT.len() / 2 {
            // This is a different table in the same layout, so listing every key would help nobody.
            let example = &differences[0];
            return vec![format!(
                "{number} of {} keys are not those of the published Polyglot table: {example}",
                POLYGLOT.len()
            )];
        }
        let more = number.saturating_sub(MAX_NAMED);
        let total = (more > 0).then(|| format!("{more} more keys are not those of the published Polyglot table"));
        differences.into_iter().take(MAX_NAMED).chain(total).collect()
    }

    pub(super) fn key_tables(&self) -> KeyTables {
        let (pieces, rest) = self.keys.split_at(768);
        // The keys after the pieces, in the order castling, en passant, side.
        let rest = match self.layout {
            Layout::Cpw781 | Layout::Cpw793 | Layout::Polyglot => rest.to_vec(),
            Layout::Rustic851 => [&rest[..16], &rest[18..], &rest[16..18]].concat(),
            Layout::Stockfish15 => [&rest[8..24], &rest[..8], &rest[24..25]].concat(),
        };
        imported(&self.axes, [pieces, &rest].concat(), self.layout.rows())
    }
}

/// Changes the rules of a layout's scheme. **Errors**: the text changes an axis that the layout fixes, or asks for a
/// key with two parts.
fn change_rules(axes: Axes, line: usize, text: &str) -> Result<Axes, ImportError> {
    let changed = axes.set(text).map_err(|error| ImportError { line, message: format!("axes: {error}") })?;
    let Axes { policy, combine, width, .. } = changed;
    match changed == (Axes { policy, combine, width, ..axes }) && width.parts() == 1 {
        true => Ok(changed),
        false => {
            let message = format!("found axes '{text}', expected policy, combine or a width of one part");
            Err(ImportError { line, message })
        }
    }
}

/// Returns the term of number `index` in the Polyglot table, counted from 0.
fn polyglot_term(index: usize) -> Term {
    match index {
        0..768 => Term::Piece(Layout::Polyglot.pieces()[index / 64], Square::new(index as u32 % 64)),
        _ => Layout::Polyglot.axes().state_terms()[index - 768],
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
            ("# layout: cpw781\n+1\n".into(), 2, "found '+1', expected a hexadecimal number"),
            (file("cpw793", 792), 793, "found 792 keys, expected 793 for cpw793"),
            (file("stockfish-15.1", 795), 796, "found 795 keys, expected 794 for stockfish-15.1"),
        ] {
            let error = Import::parse(&text).unwrap_err();
            assert!(error.line == line && error.message.contains(message), "{error}");
        }
    }

    #[test]
    fn a_comment_changes_the_rules_of_a_layout() {
        let axes = |changes: &str| Import::parse(&format!("# axes: {changes}\n{}", file("cpw781", 781)));
        let import = axes("policy=pseudo,combine=add,width=48").unwrap();
        let expected = "pieces=table,castling=c4,ep=e8,policy=pseudo,side=s1,combine=add,width=48";
        assert_eq!(import.axes.to_string(), expected);
        assert_eq!(import.key_tables().parts[0].policy.name(), "pseudo");
        for (changes, message) in [
            ("castling=c16", "line 1: found axes 'castling=c16', expected policy, combine or a width of one part"),
            ("width=128", "line 1: found axes 'width=128', expected policy"),
            ("policy=none", "line 1: axes: found policy=none, expected one of always, pseudo, legal"),
        ] {
            let error = axes(changes).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }

    #[test]
    fn keys_that_are_not_of_the_published_polyglot_table_are_named() {
        let list = |keys: &[u64]| {
            let lines: Vec<String> = keys.iter().map(|key| format!("{key:#x}ULL,\n")).collect();
            format!("// layout: polyglot\nconst U64 Random64[781] = {{\n{}}};\n", lines.concat())
        };
        let mut keys = POLYGLOT;
        assert!(Import::parse(&list(&keys)).unwrap().warnings().is_empty());
        for (index, meaning) in [
            (4, "black pawn on e1"),
            (64 + 9, "white pawn on b2"),
            (11 * 64 + 63, "white king on h8"),
            (769, "castling right Q"),
            (773, "e.p. file b"),
            (780, "White to move"),
        ] {
            keys[index] ^= 1;
            let import = Import::parse(&list(&keys)).unwrap();
            let expected = format!(
                "key {} ({meaning}): found {:016x}, expected {:016x} from the Polyglot table",
                index + 1,
                POLYGLOT[index] ^ 1,
                POLYGLOT[index]
            );
            assert_eq!(import.warnings(), [expected]);
            keys[index] ^= 1;
        }
        let warnings = Import::parse(&list(&keys.map(|key| key ^ 1))).unwrap().warnings();
        assert_eq!(warnings.len(), 1);
        assert!(warnings[0].starts_with("781 of 781 keys are not those of the published"), "{warnings:?}");
        keys[..9].iter_mut().for_each(|key| *key ^= 2);
        let warnings = Import::parse(&list(&keys)).unwrap().warnings();
        assert_eq!(warnings.len(), 7);
        assert_eq!(warnings[6], "3 more keys are not those of the published Polyglot table");
    }

    #[test]
    fn the_number_of_keys_is_told_by_table() {
        let text = "// layout: cpw781\nU64 a[2] = {1, 2};\nU64 b[1] = {3};\n";
        let error = Import::parse(text).unwrap_err().to_string();
        assert_eq!(error, "line 3: found 3 keys (2 in a from line 2, 1 in b from line 3), expected 781 for cpw781");
        let error = Import::parse("// layout: cpw781\n/* layout: cpw793 */\n5").unwrap_err().to_string();
        assert_eq!(error, "line 2: found layout 'cpw793' after another one, expected one layout");
        let table = |keys: usize| format!("/* layout: cpw781 */ U64 k[] = {{{}}};", "7,".repeat(keys));
        let summary = Import::parse(&table(781)).unwrap().summary();
        assert_eq!(summary.as_deref(), Some("781 keys for cpw781 (781 in k from line 1)"));
        assert!(Import::parse(&table(780)).is_err() && Import::parse(&table(782)).is_err());
        assert_eq!(Import::parse(&file("cpw781", 781)).unwrap().summary(), None);
    }
}
