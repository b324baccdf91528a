//! Finds the e.p. policy of a key from the keys after three double pushes, with and without the e.p. square.

use perft_gate_chess::{EnPassantPolicy, Fen, legal_moves};
use perft_gate_walk::board_after;

/// Three positions before e2e4. For each, the narrowest policy under which the e.p. square counts after the push (it
/// also counts under every wider policy), a description of the case, and the FEN.
pub const PUSHES: [(EnPassantPolicy, &str, &str); 3] = [
    (EnPassantPolicy::Always, "no pawn can capture", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
    (EnPassantPolicy::Pseudo, "the only capturer is pinned", "3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1"),
    (EnPassantPolicy::Legal, "a capture is legal", "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1"),
];

/// Returns the FENs of the position after e2e4, with and without the e.p. square.
pub fn after_push(before: &str) -> [String; 2] {
    let board = Fen::parse(before).expect("a position");
    let mut moves = legal_moves(&board).into_iter();
    let pushed = board_after(&board, moves.find(|mv| mv.is_double_push()).expect("e2e4"));
    let fen = Fen::write(&pushed, EnPassantPolicy::Always);
    [fen.clone(), fen.replace(" e3 ", " - ")]
}

/// Describes after which of the pushes a key includes the e.p. square.
pub fn describe(found: &[bool; 3]) -> String {
    let verb = |counts: &bool| if *counts { "counts" } else { "does not count" };
    let texts = PUSHES.iter().zip(found).map(|((_, what, _), counts)| format!("it {} where {what}", verb(counts)));
    texts.collect::<Vec<_>>().join(", ")
}

/// Returns the policy, if any, under which the e.p. square counts after exactly the pushes that are true in `found`.
pub fn policy_of(found: [bool; 3]) -> Option<EnPassantPolicy> {
    let counts = |policy| PUSHES.map(|(narrowest, ..)| narrowest as u8 >= policy as u8);
    EnPassantPolicy::ALL.into_iter().find(|&policy| counts(policy) == found)
}
