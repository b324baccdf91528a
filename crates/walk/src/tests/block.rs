//! The keys of a block are those of its boards.

use crate::board_after;
use perft_gate_chess::{Fen, legal_moves};
use perft_gate_simd::{Level, Token, kernel};
use perft_gate_zobrist::{BLOCK, Block, KeyTables, PRESETS, Scheme};

#[kernel]
fn keys<L: Token>(level: L, block: &Block, tables: &KeyTables) -> [u64; BLOCK] {
    block.keys(level, tables)
}

#[test]
fn keys_are_those_of_the_boards_on_every_level() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/Pp2P3/2N2Q1p/1PPBBPPP/R3K2R b KQkq a3 0 1";
    let root = Fen::parse(fen).unwrap();
    let mut boards = vec![root];
    for &mv in legal_moves(&root).iter().take(26) {
        boards.push(board_after(&root, mv));
    }
    let combination = |text| Scheme::parse(text, true).unwrap();
    let wide_sums = combination("width=2x32,combine=add");
    for scheme in PRESETS.iter().chain([&wide_sums]).filter(|scheme| scheme.number_of_keys() > 0) {
        let tables = scheme.key_tables(3).unwrap();
        let expected: Vec<u64> =
            (0..BLOCK).map(|at| boards.get(at).unwrap_or(&root)).map(|b| tables.key(b).0 as u64).collect();
        for level in Level::all() {
            let block = Block::of(level, &boards, scheme.policy());
            assert_eq!(keys(level, &block, &tables).to_vec(), expected, "{} {level}", scheme.name);
        }
    }
}
