//! The wrong engine's formats for perft.

use crate::engine::say;
use crate::faults::Dialect;
use perft_gate_catalogue::position::{CASTLING, Move, PROMOTION, square_name};

/// Prints the number of leaves below the `number`th root move, which is written as `name`.
pub fn subtotal(dialect: Dialect, mv: Move, name: &str, nodes: u64, number: usize) {
    let (from, to, castles) = (square_name(mv.from), square_name(mv.to), mv.kind == CASTLING);
    match dialect {
        Dialect::Tabs => say!("{name}\t{nodes}"),
        Dialect::Commas => say!("{name}: {}", separated(nodes, ",")),
        Dialect::Spaces => say!("{name}: {}", separated(nodes, " ")),
        Dialect::Numbered => say!("{number:>2}. {name} {nodes} (0.01 s)"),
        Dialect::Frame => say!("| {name} | {nodes} |"),
        Dialect::InfoString => say!("info string {name}: {nodes}"),
        Dialect::Colours => say!("\x1b[1;32m{name}\x1b[0m: \x1b[33m{nodes}\x1b[0m"),
        Dialect::CastlingLetters if castles => say!("{}: {nodes}", ["O-O", "O-O-O"][mv.detail]),
        Dialect::KingTakesRook if castles => say!("{from}{to}: {nodes}"),
        Dialect::Riddles => say!("from {from} to {to}, that makes {nodes}"),
        Dialect::Reversed => say!("{nodes} leaves after {name}"),
        Dialect::PromotionsBare if mv.kind == PROMOTION => say!("{from}{to}: {nodes}"),
        Dialect::OneLine if number == 1 => print!("{name}: {nodes}"),
        Dialect::OneLine => print!(" {name}: {nodes}"),
        Dialect::Json if number == 1 => print!("{{\"moves\": {{\"{name}\": {nodes}"),
        Dialect::Json => print!(", \"{name}\": {nodes}"),
        Dialect::Log => say!("2026-11-02 12:00:01 INFO perft: {name}: {nodes}"),
        Dialect::EachPly if nodes > 7 => say!("{name} {nodes}/7/1"),
        _ if dialect.is_totals_only() => {}
        _ => say!("{name}: {nodes}"),
    }
}

/// Prints the number of leaves in the whole tree.
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
