//! Distinct positions against another program's generator: every leaf of its tree as text, into a `HashMap`.

use cozy_chess::{Board, Move, Piece};
use perft_gate_simd::Level;
use perft_gate_unique::{By, Options, unique};
use perft_gate_walk::chess::{EnPassantPolicy, Fen};
use perft_gate_walk::walk::Control;
use std::collections::HashMap;

const ROOTS: [(&str, u32); 5] = [
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3),
];

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
        let options = Options { policy, by, diagrams: true, keep: false, memory: 1 << 30, level };
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
