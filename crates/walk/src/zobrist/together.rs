//! Every preset in one walk a policy: what the schemes have in common, the tree and the boards, is walked once.
//!
//! The trackers are those that each scheme has when it is walked alone. Schemes of different policies do not share a
//! walk: what V6 writes and reads back depends on the policy.

use super::pieces::{Compact, Composite, Computed, Gf64, OverlapBits, OverlapBytes, Rotate, Table};
use super::scheme::{PRESETS, Scheme, SchemeVisitor};
use super::tracker::{ALWAYS, EACH, EACH_OR_NONE, LEGAL, PSEUDO, SETS};
use super::{Flattened, Pieces, Zobrist, generate};
use crate::chess::EnPassantPolicy;
use std::sync::Arc;

/// The presets with a key and this policy, in order.
pub fn of_policy(policy: EnPassantPolicy) -> Vec<&'static Scheme> {
    PRESETS.iter().filter(|scheme| scheme.words() > 0 && scheme.policy() == policy).collect()
}

/// Runs `visitor` with one tracker of all presets of a policy: lane `i` is the key of preset `i` of [`of_policy`].
pub fn visit<V: SchemeVisitor>(policy: EnPassantPolicy, seed: u64, visitor: V) -> V::Output {
    let schemes = of_policy(policy);
    let flattened: Vec<Arc<Flattened>> = schemes.iter().filter_map(|scheme| scheme.shared(seed)).collect();
    let words = |name: &str| {
        let at = schemes.iter().position(|scheme| scheme.name == name).expect("a preset of this policy");
        &flattened[at].lanes[0]
    };
    let table = |name: &str| Table(&words(name).pieces);
    match policy {
        EnPassantPolicy::Pseudo => {
            visitor.visit(Zobrist::<_, EACH, PSEUDO, false>::new(words("polyglot"), table("polyglot")))
        }
        EnPassantPolicy::Always => {
            let sets = |name| Zobrist::<_, SETS, ALWAYS, false>::new(words(name), table(name));
            let c5 = Zobrist::<_, EACH_OR_NONE, ALWAYS, false>::new(words("rustic-c5"), table("rustic-c5"));
            visitor.visit((sets("rustic803"), (sets("rustic851"), c5)))
        }
        EnPassantPolicy::Legal => {
            let compact = |axis| Compact::draw(axis, generate::Streams { seed, lane: 0 });
            let (bytes, bits) = (compact(Pieces::OverlapBytes), compact(Pieces::OverlapBits));
            let (rotate, gf64) = (compact(Pieces::Rotate), compact(Pieces::Gf64));
            let (composite, computed) = (compact(Pieces::Composite), compact(Pieces::Computed));
            let each = |name| Zobrist::<_, EACH, LEGAL, false>::new(words(name), table(name));
            let sets = |name| Zobrist::<_, SETS, LEGAL, false>::new(words(name), table(name));
            let sum = Zobrist::<_, SETS, LEGAL, true>::new(words("additive48"), table("additive48"));
            macro_rules! special {
                ($name:literal, $pieces:expr) => {
                    Zobrist::<_, SETS, LEGAL, false>::new(words($name), $pieces)
                };
            }
            let last = (special!("computed", Computed(computed.seed)), (sum, sets("dual32")));
            let last = (special!("composite", Composite(&composite.codes, &composite.squares)), last);
            let last = (special!("gf64", Gf64(&gf64.codes)), (each("bch"), last));
            let last = (special!("overlap-bits", OverlapBits(&bits.bits)), last);
            let last = (special!("overlap-bytes", OverlapBytes(&bytes.bytes)), last);
            let last = (special!("rotate", Rotate(&rotate.codes)), last);
            visitor.visit((each("cpw781"), (sets("cpw793"), last)))
        }
    }
}
