//! Numbers that others have published for the start position. `published.tsv` lists them.

use perft_gate_chess::{Board, Fen};

/// A published sequence. Its first number is for ply 1.
#[derive(Clone, Debug)]
pub struct Published {
    pub source: &'static str,
    pub numbers: Vec<u128>,
}

/// Returns the published numbers in the row `name`: distinct positions under a policy, `diagrams` or `leaves`. Returns
/// `None` if there are no such numbers, or if `board` is not the start position.
pub fn row(board: &Board, name: &str) -> Option<Published> {
    Fen::parse(Fen::START).ok().filter(|start| start == board)?;
    include_str!("published.tsv").lines().find_map(|line| {
        let (source, numbers) = line.strip_prefix(name)?.strip_prefix('\t')?.split_once('\t')?;
        Some(Published { source, numbers: numbers.split(' ').map_while(|number| number.parse().ok()).collect() })
    })
}
