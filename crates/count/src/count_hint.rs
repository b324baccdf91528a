//! Explains a wrong leaf count that equals the sum over all plies, the count of another depth, or the right count with
//! all moves of one kind missing or counted twice. A match proves nothing, but shows what to check first.

use perft_gate_chess::{Board, EnPassantPolicy, Fen, Kind, Move, Role, legal_moves};
use perft_gate_walk::board_after;
use std::fmt;

/// Maximum number of leaves for which moves are counted by kind.
const MAX_LEAVES: u128 = 20_000_000;

type IsOfKind = fn(&Board, Move) -> bool;

const KINDS: [(&str, IsOfKind); 6] = [
    ("e.p. captures", |_, mv| mv.kind() == Kind::EnPassant),
    ("castling moves", |_, mv| mv.kind() == Kind::Castle),
    ("promotions", |_, mv| matches!(mv.kind(), Kind::Promotion(_))),
    (
        "promotions to pieces other than a queen",
        |_, mv| matches!(mv.kind(), Kind::Promotion(role) if role != Role::Queen),
    ),
    ("double pushes", |_, mv| mv.kind() == Kind::DoublePush),
    ("captures", |board, mv| {
        mv.kind() == Kind::EnPassant || mv.kind() != Kind::Castle && board.piece_on(mv.to()).is_some()
    }),
];

/// What a wrong leaf count happens to equal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CountHint {
    /// The sum over all plies.
    SumOverPlies,
    /// The leaf count at this depth in plies.
    OtherDepth(usize),
    /// The count that results if all last-ply moves of one kind are omitted or counted twice.
    ByKind {
        /// True if the wrong count is too small.
        is_short: bool,
        moves: u128,
        /// The kinds that have exactly `moves` moves in the last ply.
        kinds: Vec<&'static str>,
        /// The FEN of a position in which a move of such a kind is legal.
        fen: String,
    },
}

perft_gate_chess::serialize_as_text!(CountHint);

impl CountHint {
    /// Returns the hint for a wrong count. `right` holds the correct number of nodes of each ply from 0 to the leaves.
    pub fn find(board: &Board, right: &[u128], wrong: u128) -> Option<CountHint> {
        let (depth, last) = (right.len().checked_sub(1).filter(|depth| *depth > 0)?, *right.last()?);
        let sum: u128 = right[1..].iter().sum();
        // Some engines also include the root in such a sum.
        if depth > 1 && (wrong == sum || wrong == sum + 1) {
            return Some(CountHint::SumOverPlies);
        }
        if let Some(other) = right.iter().skip(1).position(|nodes| *nodes == wrong) {
            return Some(CountHint::OtherDepth(other + 1));
        }
        if last > MAX_LEAVES || last.abs_diff(wrong) > last {
            return None;
        }
        let mut found = KINDS.map(|_| (0, None));
        count_kinds(board, depth, &mut found);
        let moves = last.abs_diff(wrong);
        let mut same = found.iter().zip(KINDS).filter(|((number, _), _)| *number == moves).peekable();
        let first = same.peek()?.0.1?;
        let fen = Fen::write(&first, EnPassantPolicy::Always);
        let kinds = same.map(|(_, (name, _))| name).collect();
        Some(CountHint::ByKind { is_short: wrong < last, moves, kinds, fen })
    }
}

/// For each kind, counts the moves in the last ply, and keeps the first position that has such a move.
fn count_kinds(board: &Board, depth: usize, found: &mut [(u128, Option<Board>); KINDS.len()]) {
    for &mv in legal_moves(board).iter() {
        if depth > 1 {
            count_kinds(&board_after(board, mv), depth - 1, found);
            continue;
        }
        for ((number, first), (_, is_of_kind)) in found.iter_mut().zip(KINDS) {
            if is_of_kind(board, mv) {
                *number += 1;
                first.get_or_insert(*board);
            }
        }
    }
}

impl fmt::Display for CountHint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CountHint::SumOverPlies => {
                write!(f, "it equals the sum over all plies; perft counts only the leaves of the last ply")
            }
            CountHint::OtherDepth(depth) => write!(f, "it is the count of depth {depth}"),
            CountHint::ByKind { is_short, moves, kinds, fen } => {
                let (what, check) = if *is_short { ("low", "missing") } else { ("high", "counted twice") };
                let kinds = kinds.join(", or of ");
                write!(
                    f,
                    "it is {moves} too {what}, the number of {kinds} in the last ply. Are they {check}? Check perft 1 of {fen}"
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hint(fen: &str, right: &[u128], wrong: u128) -> Option<CountHint> {
        CountHint::find(&Fen::parse(fen).expect("a position"), right, wrong)
    }

    /// The pages in `tests/cmd` for `perft gate` and `perft divide` test the other hints.
    #[test]
    fn a_sum_may_have_the_root_and_one_move_less_is_another_number() {
        const POSITION_3: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
        let right = [1, 14, 191, 2812, 43238];
        assert_eq!(hint(POSITION_3, &right, 1 + 14 + 191 + 2812 + 43238), Some(CountHint::SumOverPlies));
        // The position has 123 e.p. captures at depth 4, according to the Chess Programming Wiki.
        assert_eq!(hint(POSITION_3, &right, 43238 - 122), None);
        // Kiwipete: 3162 castling moves at depth 3.
        let found = hint(Fen::KIWIPETE, &[1, 48, 2039, 97862], 97862 - 3162);
        assert!(matches!(found, Some(CountHint::ByKind { kinds, .. }) if kinds == ["castling moves"]));
    }
}
