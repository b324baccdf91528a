//! Which e.p. squares a key counts: found out by three double pushes, and the key with and without the square.

use perft_gate_walk::chess::EnPassantPolicy;

/// A position before and after a double push, by what stands ready to capture.
pub struct Push {
    /// It counts under this policy and the wider ones.
    pub counts_if: EnPassantPolicy,
    /// In words.
    pub what: &'static str,
    pub before: &'static str,
    /// With `{}` for the square.
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

/// Does a key count the e.p. square of a push?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CountedPushes {
    Yes,
    No,
}

/// Where squares count, in words.
pub fn described(found: &[CountedPushes; 3]) -> String {
    let word = |counts: &CountedPushes| if *counts == CountedPushes::Yes { "counts" } else { "does not count" };
    let texts = PUSHES.iter().zip(found).map(|(push, counts)| format!("it {} where {}", word(counts), push.what));
    texts.collect::<Vec<_>>().join(", ")
}

/// A policy's name, or that it is none.
pub fn name(policy: Option<EnPassantPolicy>) -> &'static str {
    policy.map_or("none of the three", EnPassantPolicy::name)
}

/// The policy that counts so.
pub fn policy(found: [CountedPushes; 3]) -> Option<EnPassantPolicy> {
    EnPassantPolicy::ALL.into_iter().find(|policy| {
        let counts = PUSHES
            .map(|push| if push.counts_if as u8 >= *policy as u8 { CountedPushes::Yes } else { CountedPushes::No });
        counts == found
    })
}
