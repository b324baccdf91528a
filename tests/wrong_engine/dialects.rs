//! The wrong engine's ways to print perft.

use crate::engine::say;
use crate::faults::Dialect;
use crate::position::AnyMove;
use perft_gate_chess::Kind;

/// Prints the leaves below a root move, the `number`th.
pub fn subtotal(dialect: Dialect, mv: AnyMove, nodes: u64, number: usize) {
    let (plain, castles) = (format!("{}{}", mv.from, mv.to), mv.kind == Kind::Castle);
    match dialect {
        Dialect::Tabs => say!("{mv}\t{nodes}"),
        Dialect::Commas => say!("{mv}: {}", separated(nodes, ",")),
        Dialect::Spaces => say!("{mv}: {}", separated(nodes, " ")),
        Dialect::Numbered => say!("{number:>2}. {mv} {nodes} (0.01 s)"),
        Dialect::Frame => say!("| {mv} | {nodes} |"),
        Dialect::InfoString => say!("info string {mv}: {nodes}"),
        Dialect::Colours => say!("\x1b[1;32m{mv}\x1b[0m: \x1b[33m{nodes}\x1b[0m"),
        Dialect::CastlingLetters if castles => say!("{}: {nodes}", if mv.to.file() > 4 { "O-O" } else { "O-O-O" }),
        Dialect::KingTakesRook if castles => say!("{plain}: {nodes}"),
        Dialect::Riddles => say!("from {} to {}, that makes {nodes}", mv.from, mv.to),
        Dialect::Reversed => say!("{nodes} leaves after {mv}"),
        Dialect::PromotionsBare if matches!(mv.kind, Kind::Promotion(_)) => say!("{plain}: {nodes}"),
        Dialect::OneLine if number == 1 => print!("{mv}: {nodes}"),
        Dialect::OneLine => print!(" {mv}: {nodes}"),
        Dialect::Json if number == 1 => print!("{{\"moves\": {{\"{mv}\": {nodes}"),
        Dialect::Json => print!(", \"{mv}\": {nodes}"),
        Dialect::Log => say!("2026-11-02 12:00:01 INFO perft: {mv}: {nodes}"),
        Dialect::EachPly if nodes > 7 => say!("{mv} {nodes}/7/1"),
        _ if dialect.is_totals_only() => {}
        _ => say!("{mv}: {nodes}"),
    }
}

/// Prints the leaves of the whole tree.
pub fn total(dialect: Dialect, depth: u32, nodes: u64) {
    match dialect {
        Dialect::Tabs => say!("Total: {nodes}"),
        Dialect::Commas => say!("Nodes searched: {} in 12 ms", separated(nodes, ",")),
        Dialect::Spaces => say!("Nodes searched: {}", separated(nodes, " ")),
        Dialect::Numbered => say!("Nodes: {nodes}\nTime: 1234\nNPS: 5678"),
        Dialect::InfoNodes => say!("info depth {depth} nodes {nodes} time 1"),
        Dialect::Frame => say!("| total | {nodes} |"),
        Dialect::Bare => say!("{nodes}"),
        Dialect::EachDepth => say!("perft({depth}) = {nodes}"),
        Dialect::Plies => say!(" {depth:<5} {nodes:>6}  0.00    540540.54nps"),
        Dialect::Reversed => say!("<< {nodes} >>"),
        Dialect::Json => say!("}}, \"total\": {nodes}}}"),
        Dialect::Log => say!("2026-11-02 12:00:01 INFO perft: total: {nodes}"),
        Dialect::Sentence => say!("Depth {depth} has {} leaves", separated(nodes, ",")),
        Dialect::SubtotalsOnly => {}
        _ => say!("\nNodes searched: {nodes}\n"),
    }
}

fn separated(number: u64, separator: &str) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap()).collect();
    groups.join(separator)
}
