//! Checks that the keys of a board under test identify positions (V5, V6), using only plies of up to 10,000 nodes.
//!
//! Equal positions must have equal keys, and different positions must have different keys. The key after a move or a
//! null move must equal the key of the same position set up by FEN. Whether two positions are equal depends on which
//! e.p. squares count, so three double pushes first show which ones count in the key.

use super::board::{Depth, Subject};
use super::descent::{children, readable_fen};
use super::finding::{Difference, SubjectCheck};
use crate::gate::ep_policy_probe::{PUSHES, after_push};
use perft_gate_chess::{Board, EnPassantPolicy, Fen, Packed};
use perft_gate_walk::{Check, board_after_null_move};
use perft_gate_zobrist::Key;
use std::collections::HashMap;

/// Number of nodes above which a ply is too large to be compared.
pub(super) const MAX_NODES: u128 = 10_000;

/// Finds out after which of three double pushes the e.p. square affects the key, first with the push made, then set up
/// by FEN. Each result is `None` if FENs are refused. Returns `None` if the board has no key.
pub(super) fn probe_en_passant<S: Subject>() -> Option<[Option<[bool; 3]>; 2]> {
    let key = |fen: &str| S::from_fen(fen).ok()?.key();
    let by_moves = |before| {
        let mut board = S::from_fen(before).ok()?;
        let mv = board.moves().into_iter().find(|&mv| board.uci(mv) == "e2e4")?;
        board.make(mv);
        board.key()
    };
    key(Fen::START)?;
    let befores = PUSHES.map(|(_, _, before)| before);
    let [by_fen, without] = [0, 1].map(|number| befores.map(|before| key(&after_push(before)[number])));
    let ways = [befores.map(by_moves), by_fen];
    Some(ways.map(|keys| {
        // A FEN that is refused gives no answer.
        if keys.contains(&None) || without.contains(&None) {
            return None;
        }
        Some(std::array::from_fn(|at| keys[at] != without[at]))
    }))
}

/// Positions of a row's plies of at most `MAX_NODES` nodes, with the key of each position.
pub(super) struct KnownKeys {
    policy: EnPassantPolicy,
    keys: HashMap<Packed, Key>,
    positions: HashMap<Key, Packed>,
    path: Vec<String>,
    pub(super) compared: u64,
}

impl KnownKeys {
    pub(super) fn new(policy: EnPassantPolicy) -> KnownKeys {
        KnownKeys { policy, keys: HashMap::new(), positions: HashMap::new(), path: Vec::new(), compared: 0 }
    }

    /// Compares the positions of a tree that is `depth` plies deep, stopping at the first wrong key.
    pub(super) fn walk<S: Subject>(&mut self, subject: &S, board: &Board, depth: Depth) -> Result<(), Box<Difference>> {
        if let Some(key) = subject.key() {
            self.check_fen_key::<S>(Check::RoundTrip, key, board)?;
            self.identify(key, board)?;
            self.compared += 1;
        }
        let mut other = subject.clone();
        if let (Some(board), Some(_)) = (board_after_null_move(board), other.make_null())
            && let Some(key) = other.key()
        {
            self.check_fen_key::<S>(Check::NullMove, key, &board)?;
        }
        if depth.0 > 0 {
            for (mv, child, child_board) in children(subject, board) {
                self.path.push(mv.uci().to_string());
                self.walk(&child, &child_board, Depth(depth.0 - 1))?;
                self.path.pop();
            }
        }
        Ok(())
    }

    fn check_fen_key<S: Subject>(&self, check: Check, key: Key, board: &Board) -> Result<(), Box<Difference>> {
        let fen = readable_fen(board, self.policy);
        let (expected, found, keys) = match S::from_fen(&fen).map(|again| again.key()) {
            Err(error) => (format!("{fen} is accepted"), format!("refused: {error}"), None),
            Ok(Some(given)) if given != key => {
                (format!("{given}, the key of {fen}"), format!("{key}, after the moves"), Some([key, given]))
            }
            Ok(_) => return Ok(()),
        };
        Err(Box::new(Difference { keys, ..self.difference(SubjectCheck::Node(check), expected, found) }))
    }

    /// Checks that all known positions equal to `board` have the key `key`, and that no other known position has it.
    fn identify(&mut self, key: Key, board: &Board) -> Result<(), Box<Difference>> {
        let packed = Packed::new(board, self.policy);
        let (known, other) = (*self.keys.entry(packed).or_insert(key), *self.positions.entry(key).or_insert(packed));
        let expected = if known != key {
            format!("{known}, as by another path to this position")
        } else if other != packed {
            format!("a key other than that of {}", Fen::write(&other.board(), self.policy))
        } else {
            return Ok(());
        };
        Err(Box::new(self.difference(SubjectCheck::Identity, expected, key.to_string())))
    }

    fn difference(&self, check: SubjectCheck, expected: String, found: String) -> Difference {
        Difference { check, path: self.path.clone(), expected, found, ..Difference::default() }
    }
}
