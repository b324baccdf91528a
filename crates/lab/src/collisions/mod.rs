//! Collisions on real trees: how many positions of a ply are lost because part of their key (a *window*) equals the
//! same part of another position's key.
//!
//! The positions are distinct under the e.p. policy of each scheme's keys, so every loss is due to the keys. They are
//! found once per policy ([`perft_gate_unique`]). Then every scheme hashes all positions, seed by seed, and the
//! distinct values of each window are counted exactly. Random key tables are measured in the same run, and a scheme is
//! judged by comparison with those tables ([`verdict`](verdict())).
//!
//! A window of a key is its low bits (an index by mask), its high bits (an index by multiplication, or a tag), or the
//! xor of both ([`Window`](crate::quality::Window)).

mod positions;
mod schemes;

pub use positions::KeyPart;
pub use schemes::{
    CollisionOptions, CollisionRow, Collisions, Losses, MAX_KEY_BITS, MIN_BAND, collisions, key_bits, verdict,
};
