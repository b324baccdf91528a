//! Patterns for an engine whose perft answers are not understood. They are built from the engine's lines and tried out.
//! Only a pattern that reads the right counts at three depths is offered.

use crate::request::Request;
use crate::settings::{EngineSettings, Patterns};
use regex_lite::Regex;

/// Maximum number of patterns tried on an engine.
const MAX_TRIED: usize = 16;

/// Returns options with patterns built from a line of the answer to perft 1 of the start position: a line with the
/// total, or with the leaves of one move. The line's other digits match any digits.
fn patterns_from(line: &str) -> Vec<(&'static str, String)> {
    let digits = Regex::new(r"\d+").expect("a pattern");
    // No single quotes: the advice puts the pattern between them, for a shell.
    let general = |text: &str| digits.replace_all(&regex_lite::escape(text), r"\d+").replace('\'', r"\x27");
    let numbers = |wanted: &'static str| digits.find_iter(line).filter(move |found| found.as_str() == wanted);
    let mut all = Vec::new();
    for found in numbers("20") {
        let (before, after) = (general(&line[..found.start()]), general(&line[found.end()..]));
        // A longer number may have fewer spaces before it.
        let before = before.trim_end().to_string() + if before.ends_with(' ') { r"\s*" } else { "" };
        for number in [r"(\d+)", r"(\d[\d,._\x27]*)", r"(\d[\d,._\x27 ]*)"] {
            let pattern = match before.trim_start_matches(r"\s*") {
                "" => format!(r"^\s*{number}{after}"),
                _ => format!("{before}{number}"),
            };
            all.push(("--total-pattern", pattern));
        }
    }
    let squares = Regex::new(r"\b[a-h][1-8][a-h][1-8]\b").expect("a pattern");
    let Some(mv) = squares.find(line) else { return all };
    for leaves in numbers("1").filter(|found| found.end() <= mv.start() || mv.end() <= found.start()) {
        let (mv_group, leaves_group) = ("(?<move>[a-h][1-8][a-h][1-8][nbrq]?)", r"(?<leaves>\d+)");
        let parts = match leaves.start() < mv.start() {
            true => [(leaves.range(), leaves_group), (mv.range(), mv_group)],
            false => [(mv.range(), mv_group), (leaves.range(), leaves_group)],
        };
        let [(first, a), (second, b)] = parts;
        let pattern = format!("{}{a}{}{b}", general(&line[..first.start]), general(&line[first.end..second.start]));
        all.push(("--divide-pattern", pattern));
    }
    all
}

/// Tries patterns, and returns an option that reads the engine's answers, if any does.
pub(super) fn find_advice(
    settings: &EngineSettings,
    unread: &[(Request, Vec<String>)],
    works: impl Fn(EngineSettings) -> bool,
) -> Option<String> {
    let lines = unread.iter().flat_map(|(request, lines)| lines.iter().map(move |line| (request, line)));
    let all = lines.flat_map(|(request, line)| patterns_from(line).into_iter().map(move |made| (request, made)));
    let tried = |(request, (option, pattern)): &(&Request, (&str, String))| {
        let Ok(pattern) = Regex::new(pattern) else { return false };
        let patterns = match *option {
            "--divide-pattern" => Patterns { divide: Some(pattern), total: None },
            _ => Patterns { divide: None, total: Some(pattern) },
        };
        works(EngineSettings { patterns, request: Some((*request).clone()), ..settings.clone() })
    };
    let (request, (option, pattern)) = all.take(MAX_TRIED).filter(|_| !settings.patterns.is_any()).find(tried)?;
    let command = match (&settings.request, request) {
        (None, Request::Command(_)) if request.name() != settings.first_request().name() => {
            format!("--perft-cmd '{}' ", request.name())
        }
        _ => String::new(),
    };
    Some(format!("add {command}{option} '{pattern}', which reads its perft 1, 2 and 3 of the start position"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_made_of_lines() {
        let made = |line: &str| patterns_from(line).into_iter().map(|(_, pattern)| pattern).collect::<Vec<_>>();
        let first = |line: &str| made(line).into_iter().next();
        assert_eq!(first("Depth 1 has 20 leaves").as_deref(), Some(r"Depth \d+ has\s*(\d+)"));
        assert_eq!(first("20 leafs in 17 ms").as_deref(), Some(r"^\s*(\d+) leafs in \d+ ms"));
        assert_eq!(
            made("d1: 1 leaf after e2e4").last().map(String::as_str),
            Some(r"d\d+: (?<leaves>\d+) leaf after (?<move>[a-h][1-8][a-h][1-8][nbrq]?)")
        );
        assert_eq!(made("120 leafs in 2000 ms"), Vec::<String>::new());
    }
}
