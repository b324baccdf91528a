//! Distinct positions against another program's generator: every leaf of its tree as text, into a `HashMap`.

use crate::common::fens;
use cozy_chess::{Board, Move, Piece};
use perft_gate_chess::{EnPassantPolicy, Fen};
use perft_gate_simd::Level;
use perft_gate_unique::{By, Options, unique};
use perft_gate_walk::Control;
use std::collections::HashMap;

const ROOTS: [(&str, u32); 5] =
    [(fens::KIWIPETE, 4), (fens::POSITION_6, 4), (fens::POSITION_3, 5), (fens::POSITION_4, 3), (fens::POSITION_5, 3)];

fn moves(board: &Board) -> Vec<Move> {
    let mut all = Vec::new();
    board.generate_moves(|moves| {
        all.extend(moves);
        false
    });
    all
}

/// The FEN without its clocks, and without the e.p. square if no reply captures there.
fn identity(board: &Board) -> String {
    let text = board.to_string();
    let mut fields: Vec<&str> = text.split(' ').take(4).collect();
    if let Some(file) = board.en_passant() {
        let pawns = board.colored_pieces(board.side_to_move(), Piece::Pawn);
        // A pawn that goes to another file where nothing stands captures en passant.
        let captures = |mv: &Move| {
            pawns.has(mv.from) && mv.to.file() == file && mv.from.file() != file && !board.occupied().has(mv.to)
        };
        if !moves(board).iter().any(captures) {
            fields[3] = "-";
        }
    }
    fields.join(" ")
}

fn leaves(board: &Board, depth: u32, into: &mut HashMap<String, u128>) {
    if depth == 0 {
        *into.entry(identity(board)).or_default() += 1;
        return;
    }
    for mv in moves(board) {
        let mut child = board.clone();
        child.play_unchecked(mv);
        leaves(&child, depth - 1, into);
    }
}

#[test]
fn another_generator_finds_the_same_positions_as_often() {
    for (fen, deepest) in ROOTS {
        let (policy, by, level) = (EnPassantPolicy::Legal, By::Position, Level::detect());
        let options =
            Options { policy, by, diagrams: true, keep: false, memory: 1 << 30, level, groups: true, exchange: None };
        let board = Fen::parse(fen).unwrap();
        let plies = unique(&board, deepest, &options, &Control::default(), |_| {}).unwrap().plies;
        for depth in 1..=deepest {
            let mut expected = HashMap::new();
            leaves(&fen.parse().unwrap(), depth, &mut expected);
            let found = plies[depth as usize].positions;
            let context = format!("{fen} at ply {depth}");
            assert_eq!(found.distinct, expected.len() as u64, "{context}");
            assert_eq!(found.total, Some(expected.values().sum()), "{context}");
            assert_eq!(found.once, expected.values().filter(|count| **count == 1).count() as u64, "{context}");
            assert_eq!(Some(&found.highest), expected.values().max(), "{context}");
            let diagrams: std::collections::HashSet<_> =
                expected.keys().map(|fen| fen.split(' ').next().unwrap_or_default()).collect();
            assert_eq!(plies[depth as usize].diagrams.unwrap().distinct, diagrams.len() as u64, "{context}");
        }
    }
}
