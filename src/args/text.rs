//! Text input: a file, or `-` for standard input. Every text has a maximum size, so a device or a wrong file gives a
//! one-line error instead of filling the memory. The text may have any encoding that editors and shells write: UTF-8
//! and UTF-16 with byte order marks, and Latin-1.

use crate::failure::{Result, Usage};
use perft_gate_machine::record::Record;
use perft_gate_report::page::Documents;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Maximum number of bytes of a list of positions.
pub const MAX_LIST: u64 = 1 << 30;
/// Maximum number of bytes of any other text.
pub const MAX_TEXT: u64 = 64 << 20;

/// Reads a file, or standard input for `-`, in any encoding that [`decode`] knows. For error messages, `named` names
/// the option and the file, and `expected` says what content was expected.
///
/// **Errors**: the file cannot be read or decoded, or has more than `max` bytes.
pub fn text(path: &Path, max: u64, named: &str, expected: &str) -> Result<String> {
    let mut bytes = Vec::new();
    let read = match path == Path::new("-") {
        true => io::stdin().lock().take(max + 1).read_to_end(&mut bytes),
        false => File::open(path).and_then(|file| file.take(max + 1).read_to_end(&mut bytes)),
    };
    read.map_err(|error| Usage(format!("{named}: {error}, expected {expected}")))?;
    match bytes.len() as u64 > max {
        true => {
            let most = max >> 20;
            Err(Usage(format!("{named}: found more than {most} MiB, expected {expected} (at most {most} MiB)")))
        }
        false => decode(bytes).map_err(|error| Usage(format!("{named}: {error}"))),
    }
}

/// Reads a record. **Errors**: the file is not a record, or the record is damaged or empty.
pub fn record(path: &Path) -> Result<Record> {
    const EXPECTED: &str = "a record of `perft bench`";
    let (text, name) = (text(path, MAX_TEXT, &path.display().to_string(), EXPECTED)?, path.display());
    let mut found = Documents::parse(&text).map_err(|error| Usage(format!("{name}: {error}")))?;
    found.records.pop().ok_or_else(|| Usage(format!("{name}: found another result, expected {EXPECTED}")))
}

/// Decodes a text, and ends each line with `\n`.
///
/// UTF-16 is recognised by a byte order mark, or by a zero byte in most pairs of bytes, as in FENs and numbers. Names
/// and comments may contain bytes that are not valid UTF-8, so these bytes are read as Latin-1. A FEN or number that
/// contains such a byte is rejected.
///
/// **Errors**: UTF-16 that is truncated or damaged.
pub fn decode(bytes: Vec<u8>) -> Result<String, String> {
    let text = match &bytes[..] {
        [0xef, 0xbb, 0xbf, rest @ ..] => of_bytes(rest.to_vec()),
        [0xff, 0xfe, rest @ ..] => of_utf_16(rest, u16::from_le_bytes)?,
        [0xfe, 0xff, rest @ ..] => of_utf_16(rest, u16::from_be_bytes)?,
        _ if is_mostly_zero(&bytes, 1) => of_utf_16(&bytes, u16::from_le_bytes)?,
        _ if is_mostly_zero(&bytes, 0) => of_utf_16(&bytes, u16::from_be_bytes)?,
        _ => of_bytes(bytes),
    };
    Ok(with_one_line_end(text))
}

/// Returns true if byte `which` is zero in most pairs of bytes, and the other byte is zero in few of them.
fn is_mostly_zero(bytes: &[u8], which: usize) -> bool {
    let pairs = bytes.as_chunks::<2>().0;
    let zeros = |which: usize| pairs.iter().filter(|pair| pair[which] == 0).count();
    2 * zeros(which) > pairs.len() && 8 * zeros(1 - which) < pairs.len()
}

fn with_one_line_end(text: String) -> String {
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text }
}

fn of_utf_16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, String> {
    let (units, rest) = bytes.as_chunks::<2>();
    let mut text = String::with_capacity(units.len());
    for letter in char::decode_utf16(units.iter().map(|pair| unit(*pair))) {
        match letter {
            Ok(letter) => text.push(letter),
            Err(_) => return Err(broken_after(text)),
        }
    }
    if rest.is_empty() { Ok(text) } else { Err(broken_after(text)) }
}

fn broken_after(text: String) -> String {
    let line = 1 + with_one_line_end(text).matches('\n').count();
    format!("line {line}: found half a UTF-16 character, expected a complete UTF-16 or UTF-8 file")
}

fn of_bytes(bytes: Vec<u8>) -> String {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return text,
        Err(error) => error.into_bytes(),
    };
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text += chunk.valid();
        // Bytes from 0x80 to 0x9f are control characters in Latin-1 but letters in Windows, so they become U+FFFD.
        let letters = chunk.invalid().iter().map(|byte| if *byte < 0xa0 { '\u{fffd}' } else { char::from(*byte) });
        text.extend(letters);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf_16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn bytes_of_latin_1_are_letters_and_the_rest_stays() {
        assert_eq!(decode(b"Gr\xfcnfeld \xc3\xa9 \x92 \xe9".to_vec()), Ok("Grünfeld é \u{fffd} é".into()));
        assert_eq!(decode(b"cut \xe2\x99".to_vec()), Ok("cut â\u{fffd}".into()));
    }

    #[test]
    fn every_line_end_is_one() {
        for text in ["a\nb\n\nc", "a\r\nb\r\n\r\nc", "a\rb\r\rc", "a\r\nb\n\rc"] {
            assert_eq!(decode(text.into()), Ok("a\nb\n\nc".into()), "{text:?}");
            for bytes in [u16::to_be_bytes, u16::to_le_bytes] {
                for mark in ["", "\u{feff}"] {
                    let wide = utf_16(&format!("{mark}{text}"), bytes);
                    assert_eq!(decode(wide), Ok("a\nb\n\nc".into()), "{text:?} {mark:?}");
                }
            }
        }
    }

    #[test]
    fn utf_16_that_is_cut_is_refused_with_its_line() {
        for text in ["\u{feff}a\nb\u{1f600}", "abcdefg\nb\u{1f600}"] {
            let whole = utf_16(text, u16::to_le_bytes);
            for end in [whole.len() - 1, whole.len() - 2] {
                let error = decode(whole[..end].to_vec()).expect_err("half a character");
                assert!(error.starts_with("line 2: found half a UTF-16 character"), "{error}");
            }
        }
        // Zeros in a text with one byte per letter do not make it UTF-16.
        assert_eq!(decode(b"4k3 ;D1 5\0\0\0\n".to_vec()), Ok("4k3 ;D1 5\0\0\0\n".into()));
    }
}
