//! Every preset in one walk a policy: what the schemes have in common, the tree and the boards, is walked once.
//!
//! Schemes of different policies do not share a walk: what V6 writes and reads back depends on the policy.

use super::KeyTables;
use super::combined::{ListTracker, TrackedKeys};
use super::scheme::{PRESETS, Scheme, SchemeVisitor};
use crate::chess::EnPassantPolicy;
use std::sync::Arc;

/// The presets with a key and this policy, in order.
pub fn of_policy(policy: EnPassantPolicy) -> Vec<&'static Scheme> {
    PRESETS.iter().filter(|scheme| scheme.words() > 0 && scheme.policy() == policy).collect()
}

/// Runs `visitor` with one tracker of all presets of a policy: lane `i` is the key of preset `i` of [`of_policy`].
pub fn visit<V: SchemeVisitor>(policy: EnPassantPolicy, seed: u64, visitor: V) -> V::Output {
    let schemes = of_policy(policy);
    let tables: Vec<Arc<KeyTables>> = schemes.iter().filter_map(|scheme| scheme.shared_tables(seed)).collect();
    let of = |at: usize| (&tables[at].lanes[0], schemes[at].axes.expect("axes, since there are words").castling);
    let mut lanes = TrackedKeys::of(&tables[0], of(0).1);
    for (words, castling) in (1..tables.len()).map(of) {
        lanes.push(Some(words), castling);
    }
    visitor.visit(ListTracker::new(&lanes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_has_one_lane() {
        for policy in EnPassantPolicy::ALL {
            assert!(of_policy(policy).iter().all(|scheme| scheme.key_tables(0).unwrap().lanes.len() == 1));
        }
    }
}
