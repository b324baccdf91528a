//! Tests that every tracker of a scheme keeps its key right through every move, and that the keys of a [`Block`] equal
//! the keys of its boards.

use super::STARTS;
use crate::{Game, Position, board_after};
use perft_gate_chess::{Board, Fen, legal_moves};
use perft_gate_simd::{Level, Token, V1, kernel};
use perft_gate_zobrist::{BLOCK, Block, KeyTables, PRESETS, Scheme, SchemeVisitor, Tracker, generate};

/// Length of a game in plies, long enough that every kind of move occurs.
const PLIES: usize = 120;

/// Plays a game chosen by `random`. After every move and null move, and after taking each of them back, compares the
/// key with one recomputed from the board. Returns the number of comparisons.
struct Play<R> {
    board: Board,
    random: R,
}

impl<R: FnMut() -> u64> SchemeVisitor for Play<R> {
    type Output = u64;
    fn visit<T: Tracker>(mut self, tracker: T) -> u64 {
        let (level, mut position, mut made) = (V1::token(), Position::new(self.board, tracker), Vec::new());
        let mut compared = 0;
        let mut compare = |position: &Position<T>| {
            compared += u64::from(position.key().is_some());
            assert_eq!(position.key(), position.recompute(), "{}", position.describe());
        };
        for _ in 0..PLIES {
            // `legal_moves` is compiled only once and not for each tracker.
            let moves = legal_moves(&position.board);
            let Some(&mv) = moves.get((self.random)() as usize % moves.len().max(1)) else { break };
            if let Some(undo) = position.make_null(level) {
                compare(&position);
                position.unmake_null(undo);
                compare(&position);
            }
            made.push((mv, position.play(level, mv)));
            compare(&position);
        }
        while let Some((mv, undo)) = made.pop() {
            position.unmake(level, mv, undo);
            compare(&position);
        }
        compared
    }
}

/// Returns true if the tracker is a dedicated one, compiled for the scheme's axes.
struct IsOwn;

impl SchemeVisitor for IsOwn {
    type Output = bool;
    fn visit<T: Tracker>(self, _: T) -> bool {
        T::COMMON_ONLY
    }
}

#[test]
fn every_preset_has_its_own_tracker() {
    for scheme in PRESETS.iter().filter(|scheme| scheme.number_of_keys() > 0) {
        assert!(scheme.visit_own(0, IsOwn), "{}", scheme.name);
    }
    let own = |text| Scheme::parse(text, false).unwrap().visit_own(0, IsOwn);
    assert!(
        [
            "policy=pseudo",
            "castling=c5",
            "castling=c4x16",
            "ep=e65,side=s2",
            "combine=add",
            "clock=20by10",
            "width=128"
        ]
        .into_iter()
        .all(own)
    );
    assert!(
        !["width=128,policy=pseudo", "width=32", "rotate,width=32", "rotate,castling=c4", "rotate,clock=14by8"]
            .into_iter()
            .any(own)
    );
}

/// Verification uses the dedicated tracker of the default scheme only. This test also checks the dedicated trackers of
/// other schemes, because `perft compare` measures their cost.
#[test]
fn every_own_tracker_follows_every_move() {
    let combinations = [
        "ep=e17,side=s2",
        "castling=c5",
        "castling=c4,policy=pseudo",
        "policy=always",
        "clock=14by8",
        "width=128",
        "clock=16by8,width=128",
    ];
    let combinations = combinations.map(|text| Scheme::parse(text, false).unwrap());
    let keyed = PRESETS.iter().filter(|scheme| scheme.number_of_keys() > 0);
    for scheme in keyed.chain(&combinations) {
        for (number, fen) in (0..).zip(STARTS) {
            let board = Fen::parse(fen).unwrap();
            let mut compared = 0;
            for game in 0..8 {
                let random = generate::Streams { seed: 8 * number + game, part: 0 }.draw(77);
                compared += scheme.visit_own(number, Play { board, random });
            }
            assert!(compared > 500, "{} {fen}: {compared}", scheme.name);
        }
    }
}

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
            let block = Block::new(level, &boards, scheme.policy());
            assert_eq!(keys(level, &block, &tables).to_vec(), expected, "{} {level}", scheme.name);
        }
    }
}
