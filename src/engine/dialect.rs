//! What engines print when they are asked for perft.
//!
//! Nothing of this is in the UCI specification, and every engine has its own way: `e2e4: 20`, `e2e4 20`, tabs, numbered
//! lists, thousands separators, times behind the counts; `Nodes searched: 400`, `Nodes: 400`, `Total: 400`,
//! `info depth 2 nodes 400`, or a bare number. A line is read as whatever it resembles, and ignored if nothing.

use regex_lite::Regex;
use std::sync::LazyLock;

/// A line of an engine's answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Line {
    /// A root move and the leaves below it.
    Subtotal(String, u128),
    /// The leaves of the tree; nothing more is to come.
    Total(u128),
    /// A number of nodes that may be the total or on the way to it.
    Running(u128),
    /// Anything else.
    Other,
}

/// Digits, with or without separators between groups of three.
const NUMBER: &str = r"([1-9]\d{0,2}(?:[,.'_]\d{3})+|\d+)(?:[\s(;,]|$)";

static SUBTOTAL: LazyLock<Regex> =
    LazyLock::new(|| regex(&format!(r"^\s*(?:\d+[.)]\s*)?([a-h][1-8][a-h][1-8][nbrqNBRQ]?)\s*[:=\s-]\s*{NUMBER}")));
static TOTAL: LazyLock<Regex> = LazyLock::new(|| {
    let names = r"nodes searched|total nodes|leaf nodes|nodes|total|result|count";
    regex(&format!(r"(?i)^\s*(?:info string\s+)?(?:(?:{names})\s*[:=]?|perft\s*\(?\d+\)?\s*[:=])\s*{NUMBER}"))
});
static BARE: LazyLock<Regex> = LazyLock::new(|| regex(&format!(r"^\s*{NUMBER}\s*$")));
static RUNNING: LazyLock<Regex> = LazyLock::new(|| regex(&format!(r"(?i)\bnodes\s*[:=]?\s*{NUMBER}")));

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a valid pattern")
}

/// Reads a line.
pub(super) fn read(line: &str) -> Line {
    if let Some(found) = SUBTOTAL.captures(line) {
        return number(&found[2]).map_or(Line::Other, |nodes| Line::Subtotal(found[1].to_ascii_lowercase(), nodes));
    }
    if let Some(found) = TOTAL.captures(line).or_else(|| BARE.captures(line)) {
        return number(&found[1]).map_or(Line::Other, Line::Total);
    }
    let running = RUNNING.captures(line).and_then(|found| number(&found[1]));
    running.map_or(Line::Other, Line::Running)
}

/// Too many digits are no number.
fn number(text: &str) -> Option<u128> {
    text.replace(|c: char| !c.is_ascii_digit(), "").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dialect_is_understood() {
        let subtotal = |mv: &str, nodes| Line::Subtotal(mv.into(), nodes);
        for (line, expected) in [
            ("e2e4: 20", subtotal("e2e4", 20)),
            ("e2e4 20", subtotal("e2e4", 20)),
            ("e2e4\t20", subtotal("e2e4", 20)),
            ("  e7e8q - 1,234,567", subtotal("e7e8q", 1_234_567)),
            ("e7e8Q: 1.234.567 (12 ms)", subtotal("e7e8q", 1_234_567)),
            ("12. e2e4 20", subtotal("e2e4", 20)),
            ("e1h1: 8\r", subtotal("e1h1", 8)),
            ("e2e4: 20 nodes 0.01s", subtotal("e2e4", 20)),
            ("Nodes searched: 4865609", Line::Total(4_865_609)),
            ("Nodes searched: 4,865,609", Line::Total(4_865_609)),
            ("Nodes searched  : 4865609", Line::Total(4_865_609)),
            ("nodes: 400 (0.001s, 400000 nps)", Line::Total(400)),
            ("Total: 400", Line::Total(400)),
            ("Total nodes 400", Line::Total(400)),
            ("info string total: 400", Line::Total(400)),
            ("perft(5) = 4865609", Line::Total(4_865_609)),
            ("4865609", Line::Total(4_865_609)),
            ("61885021521585529237", Line::Total(61_885_021_521_585_529_237)),
            ("info depth 5 nodes 4865609 time 12", Line::Running(4_865_609)),
            ("Depth: 5 Nodes: 4865609 Time: 0.1", Line::Running(4_865_609)),
            ("Nodes/second: 1234", Line::Other),
            ("Total time (ms) : 12", Line::Other),
            ("Total moves: 20", Line::Other),
            ("20 legal moves", Line::Other),
            ("perft 5", Line::Other),
            ("bestmove e2e4", Line::Other),
            ("info string perft 5", Line::Other),
            ("e2e4: 0.5", Line::Other),
            ("nonsense", Line::Other),
            ("", Line::Other),
            (&"9".repeat(60), Line::Other),
        ] {
            assert_eq!(read(line), expected, "{line}");
        }
    }
}
