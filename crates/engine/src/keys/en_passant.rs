//! Probes an engine with double pushes to find which e.p. squares its keys include, after a FEN and after moves.
//!
//! Any rule between "a capture is legal" and "after every double push" is a habit, not a fault, if the engine follows
//! it both after a FEN and after moves.

use crate::keys::parts::board;
use crate::keys::report::{KeyFault, KeyFinding};
use crate::outcome::Result;
use crate::request::PositionCommand;
use crate::uci::Engine;
use perft_gate_chess::{Board, EnPassantPolicy, MoveNames};
use perft_gate_judge::gate::term_probe::board_with;
use perft_gate_walk::board_after;

/// Double pushes: the position before the push, the move, and what the adjacent enemy pawns can do.
const PUSHES: [(&str, &str, &str); 10] = [
    ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4", "no pawn can capture"),
    ("3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1", "e2e4", "the only capturer is pinned along the file"),
    ("8/8/5k2/8/3p4/8/1B2P3/4K3 w - - 0 1", "e2e4", "the only capturer is pinned along a diagonal"),
    ("8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1", "e2e4", "the capture opens the king's rank"),
    ("8/8/8/8/3p4/8/R3P2k/4K3 w - - 0 1", "e2e4", "the capture does not answer a check"),
    ("8/8/3k4/8/3p1p2/8/4P2B/3RK3 w - - 0 1", "e2e4", "both capturers are pinned"),
    ("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e2e4", "a capture is legal"),
    ("4k3/8/8/8/5p2/8/4P3/4K3 w - - 0 1", "e2e4", "a capture from the other side is legal"),
    ("3k4/8/8/8/3p1p2/8/4P3/3RK3 w - - 0 1", "e2e4", "the first of two capturers is pinned"),
    ("5k2/8/8/8/3p1p2/8/4P3/4KR2 w - - 0 1", "e2e4", "the second of two capturers is pinned"),
];

/// The e.p. squares that a key contains.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum EnPassantHabit {
    /// None.
    #[default]
    Ignored,
    /// The squares that count under a policy.
    Policy(EnPassantPolicy),
    /// All squares that count under the first policy, and some that count only under the second.
    Between([EnPassantPolicy; 2]),
    /// No rule is known: the key lacks even some squares on which a capture is legal.
    NoRule,
}

/// Writes `legal`, `pseudo`, `always`, `between` or `none`.
impl std::fmt::Display for EnPassantHabit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            EnPassantHabit::Policy(policy) => policy.name(),
            EnPassantHabit::Between(_) => "between",
            EnPassantHabit::Ignored | EnPassantHabit::NoRule => "none",
        })
    }
}

perft_gate_chess::serialize_as_text!(EnPassantHabit);

impl EnPassantHabit {
    /// Finds the habit from e.p. squares. Each square comes as a pair: the narrowest policy under which it counts, and
    /// true if it is in the key.
    fn detect(squares: impl Iterator<Item = (EnPassantPolicy, bool)> + Clone) -> EnPassantHabit {
        let counts_all =
            |policy: EnPassantPolicy| squares.clone().all(|(own, counts)| counts || (own as u8) < policy as u8);
        let counts_no_more =
            |policy: EnPassantPolicy| squares.clone().all(|(own, counts)| !counts || own as u8 >= policy as u8);
        let inner = EnPassantPolicy::ALL.into_iter().find(|policy| counts_all(*policy));
        let outer = EnPassantPolicy::ALL.into_iter().rev().find(|policy| counts_no_more(*policy));
        match (inner, outer) {
            _ if squares.clone().all(|(_, counts)| !counts) => EnPassantHabit::Ignored,
            (Some(inner), Some(outer)) if inner == outer => EnPassantHabit::Policy(inner),
            (Some(inner), Some(outer)) => EnPassantHabit::Between([inner, outer]),
            _ => EnPassantHabit::NoRule,
        }
    }

    /// Returns the widest policy whose squares are all in the key.
    pub const fn policy(self) -> Option<EnPassantPolicy> {
        match self {
            EnPassantHabit::Policy(policy) | EnPassantHabit::Between([policy, _]) => Some(policy),
            EnPassantHabit::Ignored | EnPassantHabit::NoRule => None,
        }
    }

    /// Returns true if the e.p. square of a board is in the key, and `None` if the habit does not decide this.
    pub(super) fn counts(self, board: &Board) -> Option<bool> {
        let counts = |policy| board.en_passant(policy).is_some();
        match self {
            EnPassantHabit::Ignored => Some(false),
            EnPassantHabit::Policy(policy) => Some(counts(policy)),
            EnPassantHabit::Between([inner, outer]) => (counts(inner) == counts(outer)).then(|| counts(inner)),
            EnPassantHabit::NoRule => (!counts(EnPassantPolicy::Always)).then_some(false),
        }
    }

    /// Returns a short text that describes the habit.
    pub fn text(self) -> String {
        match self {
            EnPassantHabit::Policy(policy) => policy.name().into(),
            EnPassantHabit::Between([inner, outer]) => format!("between {} and {}", inner.name(), outer.name()),
            EnPassantHabit::Ignored => "no square is in the key".into(),
            EnPassantHabit::NoRule => "no known policy".into(),
        }
    }
}

/// Keys that an engine shows for the position after a double push.
#[derive(Clone, Copy, Debug)]
pub(super) struct PushKeys {
    /// Narrowest policy under which the e.p. square counts.
    narrowest: EnPassantPolicy,
    /// The engine's keys for the FEN with the e.p. square and for the FEN without it.
    by_fen: Option<u128>,
    without: Option<u128>,
    /// The key after the move.
    pub(super) by_moves: Option<u128>,
}

/// Asks the engine for its keys after each double push.
pub(super) fn ask_pushes(engine: &mut Engine<'_>) -> Result<Vec<PushKeys>> {
    let push = |(fen, text, _): (&str, &str, &str)| {
        let after = board_after(&board(fen), MoveNames::new(&board(fen)).read(text).expect("a legal push"));
        let without = board_with(&after, |setup| setup.en_passant = None).expect("a position");
        let mut key = |position| Ok(engine.display(&position)?.key());
        let narrowest = EnPassantPolicy::ALL.into_iter().rev().find(|policy| after.en_passant(*policy).is_some());
        Ok(PushKeys {
            narrowest: narrowest.expect("a square behind a double push"),
            by_fen: key(PositionCommand::from_board(&after))?,
            without: key(PositionCommand::from_board(&without))?,
            by_moves: key(PositionCommand::new(fen).then(text))?,
        })
    };
    PUSHES.into_iter().map(push).collect()
}

/// Returns the engine's habit for positions given by FEN, and its habit after moves.
pub(super) fn habits(pushes: &[PushKeys]) -> [EnPassantHabit; 2] {
    let ways: [fn(&PushKeys) -> bool; 2] = [|push| push.by_fen != push.without, |push| push.by_moves != push.without];
    ways.map(|counts| EnPassantHabit::detect(pushes.iter().map(move |push| (push.narrowest, counts(push)))))
}

/// Returns a finding if the habits by FEN and by moves differ, or if the habit by FEN is not allowed.
pub(super) fn judge(pushes: &[PushKeys], required: Option<EnPassantPolicy>) -> Option<KeyFinding> {
    let habits = habits(pushes);
    let [by_fen, by_moves] = habits.map(EnPassantHabit::text);
    let at = pushes.iter().position(|push| (push.by_fen != push.without) != (push.by_moves != push.without));
    let finding = |cause, at: usize, values| {
        let position = PositionCommand::new(PUSHES[at].0).then(PUSHES[at].1);
        KeyFinding::new(KeyFault::EnPassant, cause, (position, None), values)
    };
    if let Some(at) = at {
        let (by_fen_it, by_moves_it) = match pushes[at].by_fen == pushes[at].without {
            true => ("does not count", "counts"),
            false => ("counts", "does not count"),
        };
        let cause = format!("by FEN: {by_fen}; by moves: {by_moves}; they differ, for example, where {}", PUSHES[at].2);
        let expected = format!("the same by moves as by FEN, where the square {by_fen_it}");
        return Some(finding(cause, at, [&expected, &format!("by moves it {by_moves_it}")]));
    }
    let is_allowed = match required {
        Some(required) => habits[0] == EnPassantHabit::Policy(required),
        None => habits[0].policy().is_some(),
    };
    let expected = required.map_or("legal, pseudo or always", EnPassantPolicy::name);
    (!is_allowed).then(|| finding("the policy by FEN and by moves".into(), 1, [&expected, &by_fen]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use EnPassantPolicy::{Always, Legal, Pseudo};

    #[test]
    fn any_rule_from_legal_to_always_is_a_habit() {
        let habit = |counts: [bool; 4]| EnPassantHabit::detect([Always, Pseudo, Pseudo, Legal].into_iter().zip(counts));
        for (counts, expected) in [
            ([false, false, false, true], EnPassantHabit::Policy(Legal)),
            ([false, true, true, true], EnPassantHabit::Policy(Pseudo)),
            ([true, true, true, true], EnPassantHabit::Policy(Always)),
            ([false, true, false, true], EnPassantHabit::Between([Legal, Pseudo])),
            ([false, false, true, true], EnPassantHabit::Between([Legal, Pseudo])),
            ([true, false, true, true], EnPassantHabit::Between([Legal, Always])),
            ([false, true, true, false], EnPassantHabit::NoRule),
            ([false; 4], EnPassantHabit::Ignored),
        ] {
            assert_eq!(habit(counts), expected, "{counts:?}");
        }
    }
}
