//! An engine's answer to `d`: its position and its key.

use regex_lite::Regex;

/// Words before a key that say it is not the position's key.
const OTHERS: [&str; 4] = ["pawn", "material", "minor", "major"];

/// An engine's answer to `d`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Display {
    /// FEN that it prints.
    pub(super) fen: Option<String>,
    /// Key that it prints.
    key: Option<(Spot, u128)>,
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
        self.key.map(|(_, key)| key)
    }

    /// Reads a line.
    pub(super) fn take(&mut self, line: &str, pattern: &Regex) {
        if let Some(fen) = line.trim_start().strip_prefix("Fen:").or(line.trim_start().strip_prefix("FEN:")) {
            self.fen = Some(fen.trim().into());
            return;
        }
        let found = pattern.captures_iter(line).find_map(|found| {
            let before = &line[..found.get(0)?.start()];
            let key = u128::from_str_radix(found.get(1)?.as_str().trim_start_matches("0x"), 16).ok()?;
            let spot = if before.contains([':', '=']) { Spot::Within } else { Spot::First };
            (!names_another(before)).then_some((spot, key))
        });
        if let Some((spot, key)) = found
            && self.key.is_none_or(|(known, _)| known < spot)
        {
            self.key = Some((spot, key));
        }
    }
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
    use crate::EngineSettings;

    fn key(pattern: &str, lines: &[&str]) -> Option<u128> {
        let mut display = Display::default();
        lines.iter().for_each(|line| display.take(line, &Regex::new(pattern).expect("a pattern")));
        display.key()
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
        ] {
            assert_eq!(key(EngineSettings::KEY_PATTERN, lines), Some(10), "{lines:?}");
        }
        assert_eq!(key(EngineSettings::KEY_PATTERN, &["Pawn key: 0B", "Nonpawn key: 0B"]), None);
        assert_eq!(key("Pawn key: ([0-9A-F]+)", &["Key: 0A", "Pawn key: 0B"]), Some(11));
    }
}
