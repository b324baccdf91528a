//! Finds the e.p. policy of a key from the keys after three double pushes, with and without the e.p. square.

use perft_gate_chess::EnPassantPolicy;

/// A position before and after a double push. The three [`PUSHES`] differ in whether a pawn can capture en passant.
pub struct Push {
    /// Narrowest policy under which the e.p. square counts. The square also counts under every wider policy.
    pub counts_if: EnPassantPolicy,
    /// Description of the case.
    pub what: &'static str,
    pub before: &'static str,
    /// FEN after the push, with `{}` for the e.p. square.
    pub after: &'static str,
}

pub const PUSHES: [Push; 3] = [
    Push {
        counts_if: EnPassantPolicy::Always,
        what: "no pawn can capture",
        before: "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
        after: "4k3/8/8/8/4P3/8/8/4K3 b - {} 0 1",
    },
    Push {
        counts_if: EnPassantPolicy::Pseudo,
        what: "the only capturer is pinned",
        before: "3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1",
        after: "3k4/8/8/8/3pP3/8/8/3RK3 b - {} 0 1",
    },
    Push {
        counts_if: EnPassantPolicy::Legal,
        what: "a capture is legal",
        before: "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1",
        after: "4k3/8/8/8/3pP3/8/8/4K3 b - {} 0 1",
    },
];

/// Describes after which of the pushes a key includes the e.p. square.
pub fn describe(found: &[bool; 3]) -> String {
    let verb = |counts: &bool| if *counts { "counts" } else { "does not count" };
    let texts = PUSHES.iter().zip(found).map(|(push, counts)| format!("it {} where {}", verb(counts), push.what));
    texts.collect::<Vec<_>>().join(", ")
}

/// Returns the policy, if any, under which the e.p. square counts after exactly the pushes that are true in `found`.
pub fn policy_of(found: [bool; 3]) -> Option<EnPassantPolicy> {
    let counts = |policy| PUSHES.map(|push| push.counts_if as u8 >= policy as u8);
    EnPassantPolicy::ALL.into_iter().find(|&policy| counts(policy) == found)
}
