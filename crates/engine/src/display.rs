//! What an engine shows of a position for `d` or another command: its FEN and its key.

use crate::settings::EngineSettings;
use regex_lite::Regex;

/// Minimum number of digits, of all keys together, that hexadecimal keys hardly show without a letter: once in 80,000.
const MIN_DIGITS: usize = 24;

/// Words before a key that say it is not the position's key.
const OTHERS: [&str; 4] = ["pawn", "material", "minor", "major"];

/// Minimum number of digits of a key that is called a hash: other lines tell how large a table is, or how full.
const MIN_HASH_DIGITS: usize = 7;

/// What an engine shows of a position.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Display {
    /// FEN that it prints.
    pub(super) fen: Option<String>,
    /// Key that it prints.
    key: Option<(Spot, FoundKey)>,
}

/// Base of the keys that an engine prints.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum KeyBase {
    /// Base 16.
    Hexadecimal,
    /// Base 10; a number below 0 is the two's complement of 64 bits.
    Decimal,
}

/// A key as it was printed.
#[derive(Clone, PartialEq, Eq, Debug)]
struct FoundKey {
    value: u128,
    /// The number's text.
    text: String,
    /// The line that holds it.
    line: String,
}

impl KeyBase {
    /// Returns the base of keys of several positions: hexadecimal, unless all their digits are decimal.
    pub(super) fn of(texts: &[String]) -> KeyBase {
        let digits = |text: &String| text.trim_start_matches('-').len();
        let is_decimal = |text: &String| text.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit());
        // Only decimal keys have a sign.
        let is_signed = texts.iter().any(|text| text.starts_with('-'));
        let is_sure = is_signed || texts.iter().map(digits).sum::<usize>() >= MIN_DIGITS;
        match is_sure && texts.iter().all(is_decimal) {
            true => KeyBase::Decimal,
            false => KeyBase::Hexadecimal,
        }
    }

    /// Reads a key.
    fn read(self, text: &str) -> Option<u128> {
        match self {
            KeyBase::Hexadecimal => {
                // The sign of a decimal key stands here until the base is known.
                let digits = text.trim_start_matches('-');
                u128::from_str_radix(digits.trim_start_matches("0x").trim_start_matches("0X"), 16).ok()
            }
            KeyBase::Decimal if text.starts_with('-') => text.parse::<i64>().ok().map(|key| u128::from(key as u64)),
            KeyBase::Decimal => text.parse().ok(),
        }
    }

    /// Returns `hexadecimal` or `decimal`.
    pub const fn name(self) -> &'static str {
        match self {
            KeyBase::Hexadecimal => "hexadecimal",
            KeyBase::Decimal => "decimal",
        }
    }
}

/// Place of a key in its line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Spot {
    /// Other text stands before it.
    Within,
    /// The line begins with the key, or with its name.
    First,
}

impl Display {
    /// Returns the key: the first one that begins a line, or else the first of all.
    pub(super) fn key(&self) -> Option<u128> {
        self.key.as_ref().map(|(_, key)| key.value)
    }

    /// Returns the key's text and its line.
    pub(super) fn key_text(&self) -> Option<(&str, &str)> {
        self.key.as_ref().map(|(_, key)| (&*key.text, &*key.line))
    }

    /// Reads a line.
    pub(super) fn take(&mut self, line: &str, pattern: &Regex, base: KeyBase) {
        let named = line.split_once(':').filter(|(name, _)| name.trim().eq_ignore_ascii_case("fen"));
        if let Some((_, fen)) = named {
            self.fen = Some(fen.trim().into());
            return;
        }
        if pattern.as_str() == EngineSettings::KEY_PATTERN {
            // Most lines show the board, and most engines write the key in one way: a regular expression takes longer.
            if !has_key(line) {
                return;
            }
            if let Some(text) = read_usual_key(line).filter(|_| self.key.is_none()) {
                let value = base.read(text);
                self.key = value.map(|value| (Spot::First, FoundKey { value, text: text.into(), line: line.into() }));
                return;
            }
        }
        let found = pattern.captures_iter(line).find_map(|found| {
            let before = &line[..found.get(0)?.start()];
            let text = found.get(1)?.as_str();
            if pattern.as_str() == EngineSettings::KEY_PATTERN && is_size(found.get(0)?.as_str(), text) {
                return None;
            }
            let key = FoundKey { value: base.read(text)?, text: text.into(), line: line.trim().into() };
            let spot = if before.contains([':', '=']) { Spot::Within } else { Spot::First };
            (!names_another(before)).then_some((spot, key))
        });
        if let Some((spot, key)) = found
            && self.key.as_ref().is_none_or(|(known, _)| *known < spot)
        {
            self.key = Some((spot, key));
        }
    }
}

/// Returns the number in `Key: 8F8F01D4562F59FB`.
fn read_usual_key(line: &str) -> Option<&str> {
    let text = line.strip_prefix("Key: ")?;
    (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(text)
}

/// Returns true if a line contains a word of the usual pattern.
fn has_key(line: &str) -> bool {
    let bytes = line.as_bytes();
    let goes_on =
        |at: usize, rest: &[u8]| bytes[at + 1..].get(..rest.len()).is_some_and(|b| b.eq_ignore_ascii_case(rest));
    bytes.iter().enumerate().any(|(at, byte)| match byte {
        b'k' | b'K' => goes_on(at, b"ey"),
        b'h' | b'H' => goes_on(at, b"ash"),
        _ => false,
    })
}

/// Returns true for the size of a hash table, such as `Hash: 64`.
fn is_size(name: &str, number: &str) -> bool {
    let is_key = name.to_ascii_lowercase().contains("key") || name.to_ascii_lowercase().contains("zobrist");
    !is_key && number.trim_start_matches('-').len() < MIN_HASH_DIGITS
}

/// Returns true if the text before a key says that it is a pawn or material key.
fn names_another(before: &str) -> bool {
    let before = before.to_ascii_lowercase();
    let name = before.rsplit([':', '=', ',', ';', '|', '\t']).next().unwrap_or("");
    OTHERS.iter().any(|word| name.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(pattern: &str, lines: &[&str]) -> Option<u128> {
        let mut display = Display::default();
        let pattern = Regex::new(pattern).expect("a pattern");
        lines.iter().for_each(|line| display.take(line, &pattern, KeyBase::Hexadecimal));
        display.key()
    }

    #[test]
    fn decimal_keys_are_told_by_several() {
        let base = |texts: &[&str]| KeyBase::of(&texts.iter().map(|text| (*text).into()).collect::<Vec<_>>());
        assert_eq!(base(&["5060803636482931868", "-4737264382"]), KeyBase::Decimal);
        assert_eq!(base(&["5060803636482931868", "463B96181691FC9C"]), KeyBase::Hexadecimal);
        assert_eq!(base(&["1", "7"]), KeyBase::Hexadecimal);
        // 16 bits, signed and not.
        assert_eq!(base(&["-31492", "12"]), KeyBase::Decimal);
        assert_eq!(base(&["31492", "12113", "60211", "4711", "9000", "65535"]), KeyBase::Decimal);
        assert_eq!(base(&["7B04", "2F51", "EB33", "1267", "2328", "FFFF"]), KeyBase::Hexadecimal);
        assert_eq!(base(&["-31492", "7B04"]), KeyBase::Hexadecimal);
        assert_eq!(base(&[]), KeyBase::Hexadecimal);
        assert_eq!(KeyBase::Decimal.read("-1"), Some(u128::from(u64::MAX)));
        assert_eq!(KeyBase::Decimal.read("5060803636482931868"), Some(0x463B_9618_1691_FC9C));
    }

    #[test]
    fn the_key_of_the_position_is_taken() {
        for lines in [
            &["Key: 0A", "Pawn key: 0B"][..],
            &["Pawn key: 0B", "Key: 0A"],
            &["Pawn key: 0B   Key: 0A"],
            &["Non-pawn key: 1", "Material Key = 2", "minor-piece key: 3", "Zobrist key: 0x0a"],
            &["side: white, key: 7", "Key: 0A", "Key: 0B"],
            &["Key: 0A", "Key: 0B"],
            &["side: white, key: 0A"],
            &["hash key : A"],
            &["PosKey:A"],
            &["Hash: 64", "key: A"],
            &["Hash table: 64 MB, hash full: 12", "zobrist key              A"],
            &["zobrist hash: 0xa"],
            &["Hash:       000000000A", "PawnHash:    741194392114550454", "Non-Pawn Hash (Whites): 626954389"],
            &["Zobrist hash: A", "Pawn structure hash: 9230469345212147435"],
        ] {
            assert_eq!(key(EngineSettings::KEY_PATTERN, lines), Some(10), "{lines:?}");
        }
        assert_eq!(key(EngineSettings::KEY_PATTERN, &["Pawn key: 0B", "Nonpawn key: 0B"]), None);
        assert_eq!(key("Pawn key: ([0-9A-F]+)", &["Key: 0A", "Pawn key: 0B"]), Some(11));
    }
}
