//! Compares our distinct positions with those of another program's generator. A `HashMap` holds every position of a ply
//! as text, with its number of paths.

use super::generator::moves;
use crate::common::fens;
use cozy_chess::{Board, Move, Piece};
use perft_gate_chess::{EnPassantPolicy, Fen};
use perft_gate_simd::Level;
use perft_gate_unique::{UniqueOptions, unique};
use perft_gate_walk::Control;
use std::collections::HashMap;

/// Roots, each with the deepest ply that the other generator can afford.
const ROOTS: [(&str, u32); 5] =
    [(fens::KIWIPETE, 4), (fens::POSITION_6, 4), (fens::POSITION_3, 5), (fens::POSITION_4, 4), (fens::POSITION_5, 4)];

/// Returns the FEN without its clocks, and without the e.p. square unless a reply captures there.
fn identity(board: &Board) -> String {
    let text = board.to_string();
    let mut fields: Vec<&str> = text.split(' ').take(4).collect();
    if let Some(file) = board.en_passant() {
        let pawns = board.colored_pieces(board.side_to_move(), Piece::Pawn);
        // A pawn that changes file onto an empty square captures en passant.
        let captures = |mv: &Move| {
            pawns.has(mv.from) && mv.to.file() == file && mv.from.file() != file && !board.occupied().has(mv.to)
        };
        if !moves(board).iter().any(captures) {
            fields[3] = "-";
        }
    }
    fields.join(" ")
}

/// The positions of a ply, keyed by identity, each with the number of paths to it.
type Ply = HashMap<String, (Board, u128)>;

fn next_ply(ply: &Ply) -> Ply {
    let mut next = Ply::new();
    for (board, ways) in ply.values() {
        for mv in moves(board) {
            let mut child = board.clone();
            child.play_unchecked(mv);
            next.entry(identity(&child)).or_insert((child, 0)).1 += ways;
        }
    }
    next
}

#[test]
fn another_generator_finds_the_same_positions_as_often() {
    ROOTS.iter().for_each(|(fen, deepest)| compare(fen, deepest - 1));
}

#[test]
#[ignore = "half a minute: every position of a ply as text"]
fn another_generator_finds_the_same_positions_of_a_deeper_ply() {
    ROOTS.iter().for_each(|(fen, deepest)| compare(fen, *deepest));
}

/// Compares every ply down to the deepest.
fn compare(fen: &str, deepest: u32) {
    let options = UniqueOptions::new(EnPassantPolicy::Legal, Level::detect(), 1 << 30);
    let options = UniqueOptions { diagrams: true, ..options };
    let board = Fen::parse(fen).unwrap();
    let plies = unique(&board, deepest, &options, &Control::default(), &mut |_| {}).unwrap().plies;
    let root: Board = fen.parse().unwrap();
    let mut expected = Ply::from([(identity(&root), (root, 1))]);
    for depth in 1..=deepest {
        expected = next_ply(&expected);
        let ways = || expected.values().map(|(_, ways)| *ways);
        let found = plies[depth as usize].positions;
        let context = format!("{fen} at ply {depth}");
        assert_eq!(found.distinct, expected.len() as u64, "{context}");
        assert_eq!(found.total, ways().sum::<u128>(), "{context}");
        assert_eq!(found.once, ways().filter(|&ways| ways == 1).count() as u64, "{context}");
        assert_eq!(Some(found.highest), ways().max(), "{context}");
        let diagrams: std::collections::HashSet<_> =
            expected.keys().map(|fen| fen.split(' ').next().unwrap_or_default()).collect();
        assert_eq!(plies[depth as usize].diagrams.unwrap().distinct, diagrams.len() as u64, "{context}");
    }
}
