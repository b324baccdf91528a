//! Splits text with keys into words, numbers, strings and marks. Comments (C, Python, Rust, SQL) are kept separately.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum KeyToken<'t> {
    Word(&'t str),
    /// A number with its sign and all letters that directly follow it.
    Number(&'t str),
    /// Content of a string.
    Quoted(&'t str),
    Mark(char),
}

/// The tokens of a text, each with its line number, counted from 1.
#[derive(Default)]
pub(super) struct KeyTokens<'t> {
    pub(super) tokens: Vec<(usize, KeyToken<'t>)>,
    /// Lines of comments, each with its line number.
    pub(super) comments: Vec<(usize, &'t str)>,
}

impl<'t> KeyTokens<'t> {
    pub(super) fn new(text: &'t str) -> KeyTokens<'t> {
        let (mut found, mut rest, mut line) = (KeyTokens::default(), text, 1);
        while let Some(first) = rest.chars().next() {
            let length = found.take(rest, first, line);
            line += rest[..length].matches('\n').count();
            rest = &rest[length..];
        }
        found
    }

    /// Takes the token or comment at the start of `rest`, and returns its length.
    fn take(&mut self, rest: &'t str, first: char, line: usize) -> usize {
        if let Some(length) = length_of_comment(rest) {
            self.comments.extend((line..).zip(rest[..length].lines()));
            return length;
        }
        if let Some((length, content)) = read_quoted(rest) {
            self.tokens.push((line, KeyToken::Quoted(content)));
            return length;
        }
        let signed = rest.strip_prefix(['-', '+']).unwrap_or(rest);
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        let (length, token) = if signed.starts_with(|letter: char| letter.is_ascii_digit()) {
            // Points are included so that `1.5` is a single token, which is not a key. `'` separates digits in C++.
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

/// Returns the length and the content of the string at the start of a text. A quote that is not closed on the same
/// line, such as the quote of a Rust lifetime, does not begin a string.
fn read_quoted(text: &str) -> Option<(usize, &str)> {
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

pub(super) const EXPECTED_HEX: &str = "a hexadecimal number of up to 64 bits";
const EXPECTED_NUMBER: &str = "a number of up to 64 bits, such as 0x9d39247e33776d41";

/// Suffixes that name the type of a number in C and C++ (including Microsoft's), Rust, Java, C# and JavaScript.
const SUFFIXES: [&str; 12] = ["u", "l", "ul", "lu", "ll", "ull", "llu", "u64", "i64", "ui64", "n", ""];

/// Reads a number from source text, such as `0x9D39_247E_3377_6D41ULL`, `-5` or `18446744073709551615u64`.
///
/// **Errors**: the text is not such a number. The error says what was expected.
pub(super) fn read_number(text: &str) -> Result<u64, &'static str> {
    let (is_negative, unsigned) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    if let Some(hex) = unsigned.strip_prefix("0x").or_else(|| unsigned.strip_prefix("0X")) {
        let digits = digits_of(hex, |letter| letter.is_ascii_hexdigit()).filter(|_| !is_negative);
        return digits.and_then(|digits| u64::from_str_radix(&digits, 16).ok()).ok_or(EXPECTED_HEX);
    }
    let digits = digits_of(unsigned, |letter| letter.is_ascii_digit()).ok_or(EXPECTED_NUMBER)?;
    if digits.len() > 1 && digits.starts_with('0') {
        return Err("a decimal or hexadecimal number: a leading 0 is octal in C and Java");
    }
    match is_negative {
        // Java has no unsigned numbers, so keys of 2^63 or more are negative there.
        true => format!("-{digits}").parse::<i64>().map(i64::cast_unsigned).map_err(|_| EXPECTED_NUMBER),
        false => digits.parse().map_err(|_| EXPECTED_NUMBER),
    }
}

/// Returns the digits of a number without separators, if they are followed by a type suffix or by nothing.
fn digits_of(text: &str, is_digit: fn(char) -> bool) -> Option<String> {
    let is_part = |letter: char| is_digit(letter) || letter == '_' || letter == '\'';
    let end = text.find(|letter| !is_part(letter)).unwrap_or(text.len());
    let (digits, suffix) = text.split_at(end);
    let digits: String = digits.chars().filter(|letter| is_digit(*letter)).collect();
    let is_known = SUFFIXES.iter().any(|known| known.eq_ignore_ascii_case(suffix));
    (is_known && !digits.is_empty()).then_some(digits)
}

/// Returns true if a number without `0x` must be decimal: it has a sign, a type suffix, or more than 16 digits.
pub(super) fn is_surely_decimal(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    read_number(text).is_ok() && (digits > 16 || text.starts_with('-') || text.ends_with(['u', 'U', 'l', 'L', 'n']))
}

/// Reads a number from a plain list: hexadecimal, with or without `0x`.
pub(super) fn read_plain(text: &str) -> Result<u64, &'static str> {
    if text.starts_with("0x") || text.starts_with("0X") {
        return read_number(text);
    }
    let is_key = (1..=16).contains(&text.len()) && text.bytes().all(|digit| digit.is_ascii_hexdigit());
    u64::from_str_radix(text, 16).ok().filter(|_| is_key).ok_or(EXPECTED_HEX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_number_is_written_in_many_ways() {
        let hexadecimal = "0xFEDCBA9876543210 0Xfedcba9876543210 0xFEDCBA9876543210ULL 0xfedc_ba98_7654_3210u64 \
                           0xfedc'ba98'7654'3210ull 0xfedcba9876543210_u64 0xFEDCBA9876543210L 0xFEDCBA9876543210UL \
                           0xfedcba9876543210n 0xFEDCBA9876543210ui64";
        let decimal = "18364758544493064720 18_364_758_544_493_064_720u64 18'364'758'544'493'064'720ULL \
                       -81985529216486896L -81985529216486896";
        for text in hexadecimal.split(' ').chain(decimal.split(' ')) {
            assert_eq!(read_number(text), Ok(0xfedc_ba98_7654_3210), "{text}");
        }
        assert_eq!(read_number("0"), Ok(0));
        assert_eq!(read_number("-9223372036854775808L"), Ok(1 << 63));
    }

    #[test]
    fn what_is_no_key_is_refused() {
        let texts = "0123|00|0o17|0b101|0x||-|0x1ffffffffffffffff|18446744073709551616|1.5|0x12u32|\
                     -9223372036854775809|-0x5|9d39247e33776d41|12f|0x12g";
        for text in texts.split('|') {
            assert!(read_number(text).is_err(), "{text}");
        }
        assert!(read_number("0777").is_err_and(|expected| expected.contains("octal")));
    }
}
