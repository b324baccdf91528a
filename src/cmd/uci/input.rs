//! Lines of standard input.

use std::io::{self, BufRead, Read};

/// Maximum number of bytes of a line: a game of 5949 moves, the longest one, takes 60 kB.
const MAX_INPUT_LINE: usize = 1 << 20;

/// A line, or what stands in its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputLine {
    Text(String),
    /// A line that is longer than any command.
    TooLong,
}

/// Returns the next line, without its end; bytes that are not UTF-8 become U+FFFD.
pub fn next(from: &mut impl BufRead) -> io::Result<Option<InputLine>> {
    let mut bytes = Vec::new();
    if from.take(MAX_INPUT_LINE as u64 + 1).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.len() <= MAX_INPUT_LINE || bytes.ends_with(b"\n") {
        return Ok(Some(InputLine::Text(String::from_utf8_lossy(&bytes).trim_end().into())));
    }
    from.skip_until(b'\n')?;
    Ok(Some(InputLine::TooLong))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_and_a_flood_is_no_line() {
        let flood = "x".repeat(3 * MAX_INPUT_LINE);
        let text = [b"uci\r\n\n".as_slice(), flood.as_bytes(), b"\n\xff\nquit"].concat();
        let mut from = text.as_slice();
        let lines: Vec<InputLine> = std::iter::from_fn(|| next(&mut from).expect("a slice is read")).collect();
        let [uci, empty, bad, quit] = ["uci", "", "\u{fffd}", "quit"].map(|text| InputLine::Text(text.into()));
        assert_eq!(lines, [uci, empty, InputLine::TooLong, bad, quit]);
    }
}
