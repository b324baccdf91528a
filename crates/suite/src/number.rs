//! Numbers of nodes, with the signs that people write between groups of three digits: `8,902`, `8_902`, `8 902`, `8'902`,
//! `8.902`.

use super::names::is_number;

/// Signs in a text. The spaces and the apostrophe of typographers are among them.
pub(super) const IN_TEXT: &str = ",._' \u{a0}\u{202f}\u{2009}\u{2019}";
/// Signs in a number of source text, where a comma ends it.
pub(super) const IN_SOURCE: &str = "_'";

/// Reads a number: digits alone, or groups of three behind a first one of up to three, with one sign between them.
pub(super) fn parse(text: &str, signs: &str) -> Option<u128> {
    if is_number(text) {
        return text.parse().ok();
    }
    let sign = text.chars().find(|letter| !letter.is_ascii_digit()).filter(|letter| signs.contains(*letter))?;
    let mut groups = text.split(sign);
    let first = groups.next()?;
    let is_first = (1..=3).contains(&first.len()) && !first.starts_with('0');
    let is_grouped = is_first && groups.all(|group| group.len() == 3 && is_number(group));
    is_grouped.then(|| text.replace(sign, "").parse().ok())?
}

/// Returns true for numbers alone, with the signs that people write between a depth and its count. A number below 0 and
/// one with a decimal point are no counts.
pub(super) fn is_numeric(text: &str) -> bool {
    if text.trim_start().starts_with('-') || text.trim().parse::<f64>().is_ok_and(|number| number.fract() != 0.0) {
        return false;
    }
    let is_sign = |byte: u8| byte.is_ascii_whitespace() || b",.:=()_'-".contains(&byte);
    text.bytes().any(|byte| byte.is_ascii_digit()) && text.bytes().all(|byte| byte.is_ascii_digit() || is_sign(byte))
}

/// Returns true for a word that says that a depth has no count.
pub(super) fn is_gap(text: &str) -> bool {
    ["", "-", "null", "none", "nil", "undefined", "nan", "n/a", "?"].contains(&&*text.to_ascii_lowercase())
}
