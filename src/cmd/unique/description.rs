//! What a count is: a folder or a process of any other one is refused.

use perft_gate_chess::{Board, Fen};
use perft_gate_unique::{By, UniqueOptions};
use serde::Serialize;

const SCHEMA: &str = "perft.unique-spill/2";

/// Description of a count.
#[derive(Serialize)]
pub struct CountDescription {
    schema: &'static str,
    fen: String,
    depth: u32,
    ep: &'static str,
    by: String,
    /// Key of the root: it depends on the seed, or on the file of the keys.
    key: String,
    diagrams: bool,
    /// Number of processes that share the positions, and the number of this one.
    processes: usize,
    process: usize,
}

impl CountDescription {
    pub fn of(board: &Board, depth: u32, options: &UniqueOptions<'_>) -> CountDescription {
        let (by, key) = match options.by {
            By::Position => ("position".into(), "none".into()),
            By::Key { scheme, seed } => {
                let key = scheme.key_tables(seed).map_or("none".into(), |tables| scheme.text(tables.key(board)));
                (scheme.name.to_string(), key)
            }
        };
        let (processes, process) = options.exchange.map_or((1, 0), |link| (link.processes(), link.index()));
        let (fen, ep) = (Fen::write(board, options.policy), options.policy.name());
        CountDescription { schema: SCHEMA, fen, depth, ep, by, key, diagrams: options.diagrams, processes, process }
    }
}
