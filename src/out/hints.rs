//! Command-line errors in one line, with the most similar known name.

use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use std::num::{ParseFloatError, ParseIntError};

/// Minimum similarity of two names for a suggestion, from 0 to 1.
const ALIKE: f64 = 0.8;

/// Returns a command-line error in one line: clap's first paragraph and the next step, or its suggestion, without the usage.
pub fn line(error: &Error, next_step: Option<String>) -> String {
    let text = error.to_string();
    let paragraph: Vec<_> = text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
    let mut line = paragraph.join(" ");
    // The standard library's text describes the parser, not what the user should type.
    let source = std::error::Error::source(error);
    let expected = match source {
        Some(source) if source.is::<ParseIntError>() => Some("expected a whole number"),
        Some(source) if source.is::<ParseFloatError>() => Some("expected a number"),
        _ => None,
    };
    if let (Some(source), Some(expected)) = (source, expected) {
        line = line.replace(&source.to_string(), expected);
    }
    let kinds = [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue];
    let suggested = kinds.into_iter().find_map(|kind| match error.get(kind)? {
        ContextValue::String(name) => Some(name.clone()),
        ContextValue::Strings(names) => names.last().cloned(),
        _ => None,
    });
    match (next_step, suggested) {
        (Some(next_step), _) => format!("{line}; next step: {next_step}"),
        (None, Some(name)) => format!("{line}; did you mean '{name}'?"),
        (None, None) => with_nearest(&line),
    }
}

/// Returns the word that the parser could not take.
pub fn invalid_word(error: &Error) -> Option<&str> {
    let kind =
        if error.kind() == ErrorKind::ValueValidation { ContextKind::InvalidValue } else { ContextKind::InvalidArg };
    match error.get(kind)? {
        ContextValue::String(word) => Some(word),
        _ => None,
    }
}

/// Adds to a message "found X, expected one of A, B or C" the known name most similar to X, if one is similar.
pub fn with_nearest(message: &str) -> String {
    let nearest = || {
        let (before, known) = message.split_once(", expected one of ")?;
        let found = before.rsplit_once("found ")?.1.rsplit([' ', '=']).next()?.trim_matches('\'');
        let known = known.split([',', ' ']).filter(|name| !name.is_empty());
        let alike = known.map(|name| (strsim::jaro(found, name), name)).filter(|(alike, _)| *alike >= ALIKE);
        Some(alike.max_by(|one, other| one.0.total_cmp(&other.0))?.1)
    };
    nearest().map_or(message.into(), |name| format!("{message}; did you mean '{name}'?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_suggested_if_one_is_near() {
        for (message, suggested) in [
            ("--scheme: found 'cpw739', expected one of none, cpw781, cpw793, or axis=value,…", Some("cpw793")),
            ("--suite: found 'standrd', expected one of standard, quick or a file", Some("standard")),
            ("found axis 'castlng', expected one of pieces, castling, ep", Some("castling")),
            ("found pieces=tabel, expected one of table, rotate", Some("table")),
            ("--scheme: found 'x', expected one of none, cpw781", None),
            ("--scheme: found '', expected one of none, cpw781", None),
            ("found 3, expected 4", None),
        ] {
            let expected = suggested.map_or(message.into(), |name| format!("{message}; did you mean '{name}'?"));
            assert_eq!(with_nearest(message), expected);
        }
    }
}
