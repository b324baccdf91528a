//! All presets of one en-passant policy in one walk: the schemes share the tree and the boards.
//!
//! Schemes of different policies cannot share a walk, because the FEN that V6 writes and reads back depends on the policy.

use super::combined::{ListTracker, TrackedKeys};
use super::presets::PRESETS;
use super::scheme::{Scheme, SchemeVisitor};
use crate::key_tables::KeyTables;
use perft_gate_chess::EnPassantPolicy;
use std::sync::Arc;

/// Returns the presets with a key and this policy, in order.
pub fn of_policy(policy: EnPassantPolicy) -> Vec<&'static Scheme> {
    PRESETS.iter().filter(|scheme| scheme.number_of_keys() > 0 && scheme.policy() == policy).collect()
}

/// Runs `visitor` with one tracker of all presets of a policy: part `i` is the key of preset `i` of [`of_policy`].
pub fn visit<V: SchemeVisitor>(policy: EnPassantPolicy, seed: u64, visitor: V) -> V::Output {
    let schemes = of_policy(policy);
    let tables: Vec<Arc<KeyTables>> = schemes.iter().filter_map(|scheme| scheme.shared_tables(seed)).collect();
    let of = |at: usize| (&tables[at].parts[0], schemes[at].axes.expect("axes, since there are keys").castling);
    let mut keys = TrackedKeys::of(&tables[0], of(0).1);
    for (table, castling) in (1..tables.len()).map(of) {
        keys.push(Some(table), castling);
    }
    visitor.visit(ListTracker::new(&keys))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_has_one_part() {
        for policy in EnPassantPolicy::ALL {
            assert!(of_policy(policy).iter().all(|scheme| scheme.key_tables(0).unwrap().parts.len() == 1));
        }
    }
}
