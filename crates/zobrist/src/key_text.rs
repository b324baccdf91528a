//! Finds the keys in a text, which is either a plain list or source text in C, C++, Rust, Java, C#, Python or a similar
//! language.
//!
//! In source text, numbers in declarations are not keys: dimensions (`keys[12][64]`), lengths (`[u64; 64]`,
//! `array<uint64_t, 64>`), indices (`[0] = `, `0: `), and constants of smaller types (`const int N = 781`).

use crate::key_tokens::{KeyToken, KeyTokens, is_surely_decimal, read_number, read_plain};
use std::cmp::Ordering;
use std::fmt;

/// A table found in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FoundTable {
    pub(super) name: String,
    pub(super) line: usize,
    pub(super) numbers: usize,
}

impl fmt::Display for FoundTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {} from line {}", self.numbers, self.name, self.line)
    }
}

/// The keys of a text, in order, and the names of their layouts, axes and tables.
#[derive(Default)]
pub(super) struct KeyText {
    /// Names that follow `layout:`, with their line numbers.
    pub(super) layouts: Vec<(usize, String)>,
    /// Axes that follow `axes:`, with their line numbers.
    pub(super) axes: Vec<(usize, String)>,
    pub(super) keys: Vec<u64>,
    pub(super) lines: Vec<usize>,
    /// Tables found in source text. A plain list has none.
    pub(super) tables: Vec<FoundTable>,
    /// Sizes of the bracketed groups that begin with the first key, innermost first.
    pub(super) groups: Vec<usize>,
}

impl KeyText {
    /// Reads a text. **Errors**: it contains a number that is not a key.
    pub(super) fn read(text: &str) -> Result<KeyText, ImportError> {
        let KeyTokens { tokens, comments } = KeyTokens::new(text);
        let mut found = KeyText::default();
        for (line, comment) in comments {
            let content = comment.trim_start_matches(|letter: char| !letter.is_alphanumeric());
            for (mark, list) in [("layout:", &mut found.layouts), ("axes:", &mut found.axes)] {
                if let Some(name) = content.strip_prefix(mark) {
                    list.push((line, name.trim().trim_end_matches("*/").trim_end().into()));
                }
            }
        }
        let is_source = |token: &KeyToken<'_>| matches!(token, KeyToken::Mark(mark) if "[]{}()=;<:".contains(*mark));
        match tokens.iter().any(|(_, token)| is_source(token)) {
            true => SourceText { tokens: &tokens, open: Vec::new(), name: None, is_new: true, indices: Vec::new() }
                .read(&mut found)?,
            false => found.read_list(&tokens)?,
        }
        Ok(found)
    }

    fn add(&mut self, line: usize, key: u64) {
        self.keys.push(key);
        self.lines.push(line);
    }

    fn read_list(&mut self, tokens: &[(usize, KeyToken<'_>)]) -> Result<(), ImportError> {
        let numbers = tokens.iter().filter(|(_, token)| *token != KeyToken::Mark(','));
        let numbers: Vec<(usize, String)> = numbers
            .map(|(line, token)| match token {
                KeyToken::Word(text) | KeyToken::Number(text) | KeyToken::Quoted(text) => (*line, text.to_string()),
                KeyToken::Mark(mark) => (*line, mark.to_string()),
            })
            .collect();
        let is_decimal = numbers.iter().any(|(_, text)| is_surely_decimal(text) && !text.starts_with("0x"))
            && numbers.iter().all(|(_, text)| read_number(text).is_ok());
        for (line, text) in numbers {
            let key = if is_decimal { read_number(&text) } else { read_plain(&text) };
            self.add(line, key.map_err(|expected| wrong(line, &text, expected))?);
        }
        Ok(())
    }
}

fn wrong(line: usize, text: &str, expected: &str) -> ImportError {
    let found: String = text.chars().take(40).collect();
    ImportError { line, message: format!("found '{found}', expected {expected}") }
}

/// Source text being read.
struct SourceText<'a, 't> {
    tokens: &'a [(usize, KeyToken<'t>)],
    /// The brackets that are open. `<` encloses types, and `d` represents brackets around dimensions and sizes.
    /// Brackets of these two kinds contain no keys.
    open: Vec<char>,
    name: Option<&'t str>,
    /// True if the next number begins a table.
    is_new: bool,
    /// The last array index found at each bracket depth.
    indices: Vec<Option<u64>>,
}

/// Integer types whose values are not taken as keys.
const SMALL_TYPES: [&str; 15] = [
    "int", "unsigned", "short", "char", "byte", "size_t", "usize", "isize", "uint", "u8", "u16", "u32", "i32",
    "int32_t", "uint32_t",
];
/// Functions that take a size or an alignment, which is not a key.
const SIZE_FUNCTIONS: [&str; 8] =
    ["alignas", "_Alignas", "align", "aligned", "sizeof", "static_assert", "with_capacity", "reserve"];

impl<'t> SourceText<'_, 't> {
    fn read(mut self, found: &mut KeyText) -> Result<(), ImportError> {
        // Number of keys that were read before each open bracket.
        let mut starts = Vec::new();
        for at in 0..self.tokens.len() {
            let (line, token) = self.tokens[at];
            match token {
                KeyToken::Mark(mark) => {
                    let (depth, keys) = (self.open.len(), found.keys.len());
                    self.take_mark(at, mark);
                    match self.open.len().cmp(&depth) {
                        Ordering::Greater => starts.push(keys),
                        Ordering::Less if starts.pop() == Some(0) && keys > 0 => found.groups.push(keys),
                        _ => {}
                    }
                    self.indices.truncate(self.open.len() + 1);
                }
                KeyToken::Number(text) => self.take_number(at, line, text, found)?,
                KeyToken::Quoted(text) => self.take_quoted(at, line, text, found)?,
                KeyToken::Word(word) if word.len() > 7 && word.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
                    return Err(wrong(line, word, "0x before a hexadecimal number in source text"));
                }
                KeyToken::Word(word) => {
                    let is_name = matches!(self.mark(at + 1), Some('=' | '[' | ':' | '{'));
                    let is_type = matches!(word, "u64" | "uint64" | "long" | "ulong" | "new" | "uint64_t");
                    let is_index = self.is_index(at);
                    if is_index || is_name && !is_type && self.mark(at + 2) != Some(':') {
                        if self.name != Some(word) {
                            // A new table has new indices.
                            self.indices.truncate(self.open.len());
                        }
                        (self.name, self.is_new) = (Some(word), true);
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns the token at an index, or `None` outside the text. The index before the first token is [`usize::MAX`].
    fn token(&self, at: usize) -> Option<KeyToken<'t>> {
        self.tokens.get(at).map(|(_, token)| *token)
    }

    fn mark(&self, at: usize) -> Option<char> {
        match self.token(at) {
            Some(KeyToken::Mark(mark)) => Some(mark),
            _ => None,
        }
    }

    fn is_word(&self, at: usize) -> bool {
        matches!(self.token(at), Some(KeyToken::Word(_)))
    }

    fn take_mark(&mut self, at: usize, mark: char) {
        let before = at.wrapping_sub(1);
        match mark {
            '(' => {
                let is_size =
                    matches!(self.token(before), Some(KeyToken::Word(word)) if SIZE_FUNCTIONS.contains(&word));
                self.open.push(if is_size { 'd' } else { '(' });
            }
            // Dimensions of a table follow its name or type.
            '[' if self.is_word(before) || self.mark(before) == Some(']') => self.open.push('d'),
            // The `<` was a comparison, not a list of types.
            ';' if self.open.last() == Some(&'<') => _ = self.open.pop(),
            '[' | '{' => self.open.push(mark),
            '<' if self.is_word(before) => self.open.push('<'),
            // The `>` of `->` closes no bracket.
            '>' if self.open.last() != Some(&'<') || self.mark(before) == Some('-') => {}
            ')' | ']' | '}' | '>' => _ = self.open.pop(),
            _ => {}
        }
    }

    fn take_quoted(&mut self, at: usize, line: usize, text: &'t str, found: &mut KeyText) -> Result<(), ImportError> {
        match self.token(at + 2) {
            Some(KeyToken::Quoted(name)) if text == "layout" && self.mark(at + 1) == Some(':') => {
                found.layouts.push((line, name.into()));
            }
            // Not every JSON reader keeps all 64 bits of a number, so keys in JSON are strings.
            _ if text.starts_with("0x") || is_surely_decimal(text) => {
                let key = read_number(text).map_err(|expected| wrong(line, text, expected))?;
                self.add(line, key, found);
            }
            _ => {
                if let Some(key) = read_plain(text).ok().filter(|_| text.len() == 16) {
                    self.add(line, key, found);
                }
            }
        }
        Ok(())
    }

    fn take_number(&mut self, at: usize, line: usize, text: &'t str, found: &mut KeyText) -> Result<(), ImportError> {
        if self.is_of_declaration(at) {
            return self.take_index(at, line, text);
        }
        let is_operator = |mark: Option<char>| mark.is_some_and(|mark| "+-*/%^&|~!<>".contains(mark));
        if is_operator(self.mark(at + 1)) || is_operator(self.mark(at.wrapping_sub(1))) {
            return Err(wrong(line, text, "numbers without operators: write the value"));
        }
        if self.mark(at + 1) == Some(';') && self.open.last() == Some(&'[') {
            return Err(wrong(line, text, "every key written out, not repeated"));
        }
        let key = read_number(text).map_err(|expected| wrong(line, text, expected))?;
        self.add(line, key, found);
        Ok(())
    }

    /// Returns true for the index in `{ [BLACK] = …` or in `keys[5] = 17`: a single token in brackets.
    fn is_index(&self, at: usize) -> bool {
        let marks = [self.mark(at.wrapping_sub(1)), self.mark(at + 1), self.mark(at + 2)];
        let before = self.token(at.wrapping_sub(2));
        let is_statement = matches!(before, Some(KeyToken::Word(_)));
        let is_designator = matches!(before, Some(KeyToken::Mark('{' | ',')));
        let has_number = matches!(self.token(at + 3), Some(KeyToken::Number(_)));
        marks == [Some('['), Some(']'), Some('=')] && (is_designator || is_statement && has_number)
    }

    /// Checks that indices ascend, because keys are read in text order.
    fn take_index(&mut self, at: usize, line: usize, text: &str) -> Result<(), ImportError> {
        let is_label = self.mark(at + 1) == Some(':') && matches!(self.token(at + 2), Some(KeyToken::Number(_)));
        let Some(index) = read_number(text).ok().filter(|_| is_label || self.is_index(at)) else { return Ok(()) };
        // The brackets around an index are open at this point, but the index belongs to the depth outside them.
        let depth = self.open.len() - usize::from(!is_label);
        self.indices.resize(depth + 1, None);
        match self.indices[depth].replace(index) {
            Some(last) if last >= index => {
                let message = format!("found index {index} after {last}, expected the keys in order");
                Err(ImportError { line, message })
            }
            _ => Ok(()),
        }
    }

    fn add(&mut self, line: usize, key: u64, found: &mut KeyText) {
        found.add(line, key);
        if std::mem::take(&mut self.is_new) || found.tables.is_empty() {
            let name = self.name.unwrap_or("a table without a name").into();
            found.tables.push(FoundTable { name, line, numbers: 0 });
        }
        found.tables.last_mut().expect("the table above").numbers += 1;
    }

    /// Returns true for a number that is not a key: a dimension, a length, an index, or a constant of a smaller type.
    fn is_of_declaration(&self, at: usize) -> bool {
        let (before, after) = (self.mark(at.wrapping_sub(1)), self.mark(at + 1));
        let is_alone_in_brackets = before == Some('[') && after == Some(']');
        let is_dimension =
            is_alone_in_brackets && (self.is_word(at + 2) || matches!(self.mark(at + 2), Some('=' | '[')));
        let is_length = before == Some(';') && after == Some(']');
        is_dimension
            || is_length
            || after == Some(':')
            || self.open.iter().any(|open| matches!(open, '<' | 'd'))
            || self.is_small_constant(at)
    }

    /// Returns true if this number is the value of a constant whose type is smaller than a key, such as `int`.
    fn is_small_constant(&self, at: usize) -> bool {
        if self.mark(at.wrapping_sub(1)) != Some('=') {
            return false;
        }
        let declaration = self.tokens[..at].iter().rev().map(|(_, token)| *token);
        let declaration = declaration.take_while(|token| !matches!(token, KeyToken::Mark(';' | '{' | '}')));
        let words: Vec<&str> = declaration
            .filter_map(|token| match token {
                KeyToken::Word(word) => Some(word),
                _ => None,
            })
            .collect();
        words.iter().any(|word| SMALL_TYPES.contains(word)) && !words.contains(&"long")
    }
}

/// A fault in a file of keys.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImportError {
    /// Line number, from 1.
    pub line: usize,
    /// Message that says what was found and what was expected.
    pub message: String,
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ImportError {}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same six keys as source text in many languages.
    const SOURCES: [&str; 15] = [
        "static const uint64_t PIECES[2][2] = {\n  { 0x11ULL, 0x12ULL }, // a1\n  { 0x13ULL, 0x14ULL },\n};\nconst U64 SIDE[2] = {UINT64_C(0x15), U64(0x16)};\n",
        "#include <array>\n#define N 781\nconstexpr std::array<std::array<std::uint64_t, 2>, 2> PIECES{{ {{0x11, 0x12}}, {{0x1'3, 0x14}} }};\nalignas(64) const uint64_t SIDE[2]{0x15, 0x16};",
        "#[rustfmt::skip] pub static PIECES: [[u64; 2]; 2] = [[0x11, 0x0_012], [0x13u64, 20]];\nconst SIDE: &'static [u64] = &[0x15_u64, 0x16];\n",
        "public final class Zobrist {\n  private static final int N = 6;\n  static final long[][] PIECES = {{17L, 18L}, {19L, 0x14L}};\n  static final long[] SIDE = new long[] {0X15L, 0x16L};\n}",
        "static readonly ulong[,] PIECES = new ulong[2, 2] { { 0x11UL, 0x12UL }, { 0x13UL, 0x14UL } };\nconst uint N = 2;\nulong[] SIDE = { 0x15, 0x16 };\n",
        "\"\"\"Keys 1, 2: {3}\"\"\"\nPIECES = [\n    0x11, 0x12,  # 99\n    0x13, 0x14,\n]\nSIDE = np.array((0x15, 0x16), dtype=np.uint64)\n",
        "var PIECES = [2][2]uint64{{0x11, 0x12}, {0x13, 0x14}}\nvar SIDE = [...]uint64{0x15, 0x16}\n",
        "/* 7 of 8 */ const PIECES = [0x11n, 0x12n, 0x13n, 0x14n]; // 9\nconst SIDE = { 0: 0x15n, 1: 0x16n };\n",
        "{\"layout\": \"cpw781\", \"PIECES\": [\"0x11\", \"0000000000000012\", 19, \"0x14\"], \"SIDE\": [21, 22]}\n",
        "const size_t kN = 12; static unsigned int m = 3;\nunsigned long long PIECES[] = { [0] = 0x11, [1] = 0x12, 0x13, 0x14 };\nU64 SIDE[2] = { 0x15, 0x16 };\n",
        "std::vector<uint64_t> PIECES = { 0x11, 0x12, 0x13, 0x14 };\nuint64_t SIDE[2] = { 0x15, (uint64_t)0x16 };\n",
        "{0x11ULL, 0x12ULL, 0x13ULL, 0x14ULL},\n{0x15ULL, 0x16ULL}\n",
        "-- a comment of Lua: 5\nlocal PIECES = { 0x11, 0x12, 0x13, 0x14 }\nlocal SIDE = { 0x15, 0x16 }\n",
        "for (int i = a; i < b; i++) {}\nU64 PIECES[2 * 2] = { 0x11, 0x12, 0x13, 0x14 }, SIDE[] = { 0x15, 0x16 };",
        "let PIECES: Vec<u64> = vec![0x11, 0x12, 0x13, 0x14];\nlet SIDE = [0x15, 0x16];",
    ];

    #[test]
    fn source_text_of_many_languages_gives_its_keys() {
        for source in SOURCES {
            let found = KeyText::read(source).unwrap_or_else(|error| panic!("{source}: {error}"));
            assert_eq!(found.keys, [0x11, 0x12, 0x13, 0x14, 0x15, 0x16], "{source}");
        }
        let found = KeyText::read(SOURCES[0]).unwrap();
        let tables: Vec<String> = found.tables.iter().map(FoundTable::to_string).collect();
        assert_eq!(
            (tables, &found.lines[..]),
            (vec!["4 in PIECES from line 2".into(), "2 in SIDE from line 5".into()], &[2, 2, 3, 3, 5, 5][..])
        );
    }

    #[test]
    fn java_has_negative_numbers() {
        let found = KeyText::read("long[] K = { -1L, -0x1p, 5 };").err().map(|error| error.message);
        assert!(found.is_some_and(|message| message.starts_with("found '-0x1p'")));
        assert_eq!(KeyText::read("long[] K = {-1L, -9223372036854775808L, 5};").unwrap().keys, [u64::MAX, 1 << 63, 5]);
        assert_eq!(
            KeyText::read("-1\n-2\n12345678901234567890\n").unwrap().keys,
            [u64::MAX, u64::MAX - 1, 12_345_678_901_234_567_890]
        );
        assert_eq!(KeyText::read("11L,\n12L").unwrap().keys, [11, 12]);
    }

    #[test]
    fn a_plain_list_is_hexadecimal() {
        for list in [
            "11\n12\nabcdef\n",
            "0x11, 0X12, 0xABCDEF",
            "11 // a\n12 # b\n\nabcdef,\n",
            "0x11ULL,\n0x12ULL,\n0xabcdefULL,\n",
        ] {
            assert_eq!(KeyText::read(list).unwrap().keys, [0x11, 0x12, 0xab_cdef], "{list}");
        }
    }

    #[test]
    fn what_is_no_number_is_refused_with_its_line() {
        for (source, line, message) in [
            (
                "U64 k[2] = {\n 0x1,\n 012 };",
                3,
                "found '012', expected a decimal or hexadecimal number: a leading 0 is octal",
            ),
            ("U64 k[2] = {\n 0x12345678123456789 };", 2, "found '0x12345678123456789', expected a hexadecimal number"),
            ("U64 k[2] = {\n 0x1, 1.5 };", 2, "found '1.5', expected a number of up to 64 bits"),
            ("U64 k[2] = { 0x1,\n 9d39247e33776d41 };", 2, "found '9d39247e33776d41', expected a number"),
            ("U64 k[2] = { 0x1,\n abcdef0123456789 };", 2, "found 'abcdef0123456789', expected 0x before"),
            ("U64 k[2] = { 0x1 ^ 0x2 };", 1, "found '0x1', expected numbers without operators"),
            ("let k = [\n0x5; 64];", 2, "found '0x5', expected every key written out"),
            (
                "11\n12345678123456789a\n",
                2,
                "found '12345678123456789a', expected a hexadecimal number of up to 64 bits",
            ),
            ("12 x4\n", 1, "found 'x4', expected a hexadecimal number"),
        ] {
            let error = KeyText::read(source).err().unwrap_or_else(|| panic!("{source}"));
            assert!(error.line == line && error.message.starts_with(message), "{source}: {error}");
        }
    }
}
