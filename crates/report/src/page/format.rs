//! Numbers as people read them: digits grouped in threes, a true minus sign, no meaningless digits.

/// Groups digits in threes: `1,234,567`.
pub fn grouped(digits: &str) -> String {
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

/// Formats a number with this many decimals.
pub fn fixed(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    // No −0.0.
    let is_zero = text.chars().all(|digit| matches!(digit, '-' | '0' | '.'));
    grouped(if is_zero { text.trim_start_matches('-') } else { &text })
}

/// Formats a number with three digits, or with all before the point; very small numbers with a power of ten.
pub fn three_digits(value: f64) -> String {
    match value.abs() {
        0.0 => "0".into(),
        size if size < 1e-3 => {
            let text = format!("{value:.1e}");
            let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
            format!("{digits}·10{}", superscript(power))
        }
        size if size < 9.995 => fixed(value, 2),
        size if size < 99.95 => fixed(value, 1),
        _ => fixed(value, 0),
    }
}

/// Formats a number with its sign.
pub fn signed(value: f64, digits: usize) -> String {
    let text = fixed(value, digits);
    if text.starts_with('−') { text } else { format!("+{text}") }
}

/// Formats a tick of an axis, without unneeded digits.
pub fn tick(value: f64) -> String {
    if value != 0.0 && (value.abs() >= 1e6 || value.abs() < 1e-4) {
        let power = value.abs().log10().floor();
        let digits = value / 10_f64.powf(power);
        let power = superscript(&power.to_string());
        return if (digits - 1.0).abs() < 1e-9 { format!("10{power}") } else { format!("{}·10{power}", tick(digits)) };
    }
    let text = format!("{value:.6}");
    grouped(text.trim_end_matches('0').trim_end_matches('.'))
}

fn superscript(power: &str) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    power.chars().map(|digit| digit.to_digit(10).map_or('⁻', |digit| DIGITS[digit as usize])).collect()
}

/// Returns `1 thread` or `4 threads`.
pub fn counted(number: usize, one: &str, several: &str) -> String {
    format!("{} {}", grouped(&number.to_string()), if number == 1 { one } else { several })
}

/// Returns `a`, `a and b` or `a, b and c`.
pub fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Returns `4 threads`.
pub fn threads(number: usize) -> String {
    counted(number, "thread", "threads")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        assert_eq!(["1", "1234", "-1234567.5", "-123"].map(grouped), ["1", "1,234", "−1,234,567.5", "−123"]);
        assert_eq!([fixed(-0.001, 1), fixed(1.25, 1), signed(0.5, 1), signed(-0.5, 1)], ["0.0", "1.2", "+0.5", "−0.5"]);
        assert_eq!([0.0, 2.4e-6, 0.5, 12.34, 2805.4].map(three_digits), ["0", "2.4·10⁻⁶", "0.50", "12.3", "2,805"]);
        assert_eq!([0.0, 0.25, 1000.0, 1e7, 2e-5].map(tick), ["0", "0.25", "1,000", "10⁷", "2·10⁻⁵"]);
    }

    #[test]
    fn words_are_joined() {
        let words = ["a", "b", "c"].map(String::from);
        assert_eq!([list(&words[..1]), list(&words[..2]), list(&words)], ["a", "a and b", "a, b and c"]);
        assert_eq!(
            [counted(1, "thread", "threads"), counted(1024, "thread", "threads")],
            ["1 thread", "1,024 threads"]
        );
    }
}
