//! Published numbers of the start position, computed by others. `published.tsv` lists them.

use perft_gate_chess::{Board, EnPassantPolicy, Fen};

/// A published sequence. Its first number is for ply 1.
#[derive(Clone, Debug)]
pub struct Published {
    pub source: &'static str,
    pub numbers: Vec<u128>,
}

/// Returns the published numbers of distinct positions; `None` if the policy has none or `board` is not the start
/// position.
pub fn distinct(board: &Board, policy: EnPassantPolicy) -> Option<Published> {
    listed(board, policy.name())
}

pub fn diagrams(board: &Board) -> Option<Published> {
    listed(board, "diagrams")
}

pub fn perft(board: &Board) -> Option<Published> {
    listed(board, "leaves")
}

fn listed(board: &Board, name: &str) -> Option<Published> {
    Fen::parse(Fen::START).ok().filter(|start| start == board)?;
    include_str!("published.tsv").lines().find_map(|line| {
        let (source, numbers) = line.strip_prefix(name)?.strip_prefix('\t')?.split_once('\t')?;
        Some(Published { source, numbers: numbers.split(' ').map_while(|number| number.parse().ok()).collect() })
    })
}
