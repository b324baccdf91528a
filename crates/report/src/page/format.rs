//! Numbers formatted for people: digits grouped in threes, a true minus sign, no meaningless digits.

use perft_gate_chess::Fen;

/// Groups digits in threes: `1,234,567`.
pub fn group_digits(digits: &str) -> String {
    let (whole, rest) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    let mut grouped = String::new();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) && grouped != "−" {
            grouped.push(',');
        }
        grouped.push(if digit == '-' { '−' } else { digit });
    }
    grouped + rest
}

/// Formats a number with `digits` decimals.
pub fn with_decimals(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    // A zero is written without a minus sign.
    let is_zero = text.chars().all(|digit| matches!(digit, '-' | '0' | '.'));
    group_digits(if is_zero { text.trim_start_matches('-') } else { &text })
}

/// Formats a number with three digits, or as a whole number if its integer part has more than three digits.
pub fn three_digits(value: f64) -> String {
    let digits = match value.abs() {
        0.0 => 0,
        size if size < 9.995 => 2,
        size if size < 99.95 => 1,
        _ => 0,
    };
    with_decimals(value, digits)
}

pub fn with_sign(value: f64, digits: usize) -> String {
    let text = with_decimals(value, digits);
    if text.starts_with('−') { text } else { format!("+{text}") }
}

/// Formats a tick of an axis, without unneeded digits.
pub fn tick(value: f64) -> String {
    group_digits(format!("{value:.6}").trim_end_matches('0').trim_end_matches('.'))
}

/// Returns `1 thread` or `4 threads`.
pub fn number_of(number: usize, one: &str, several: &str) -> String {
    format!("{} {}", group_digits(&number.to_string()), if number == 1 { one } else { several })
}

/// Returns `a`, `a and b` or `a, b and c`.
pub fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Returns the FEN of a root, or `the starting position` if the root is that position.
pub fn root(fen: &str) -> &str {
    if fen == Fen::START { "the starting position" } else { fen }
}

pub fn day(started: &str) -> &str {
    started.split('T').next().unwrap_or(started)
}

pub fn threads(number: usize) -> String {
    number_of(number, "thread", "threads")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        assert_eq!(["1", "1234", "-1234567.5", "-123"].map(group_digits), ["1", "1,234", "−1,234,567.5", "−123"]);
        assert_eq!([-0.001, 1.25].map(|value| with_decimals(value, 1)), ["0.0", "1.2"]);
        assert_eq!([0.5, -0.5].map(|value| with_sign(value, 1)), ["+0.5", "−0.5"]);
        assert_eq!([0.0, 0.5, 12.34, 2805.4].map(three_digits), ["0", "0.50", "12.3", "2,805"]);
        assert_eq!([0.0, 0.25, 1000.0].map(tick), ["0", "0.25", "1,000"]);
    }

    #[test]
    fn words_are_joined() {
        let words = ["a", "b", "c"].map(String::from);
        assert_eq!([list(&words[..1]), list(&words[..2]), list(&words)], ["a", "a and b", "a, b and c"]);
        assert_eq!([1, 1024].map(threads), ["1 thread", "1,024 threads"]);
    }
}
