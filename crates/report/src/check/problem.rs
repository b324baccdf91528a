//! A problem in one line.

/// Returns a problem in one line.
pub(super) fn problem(field: &str, found: impl std::fmt::Display, expected: impl std::fmt::Display) -> String {
    format!("{field}: found {found}, expected {expected}")
}
