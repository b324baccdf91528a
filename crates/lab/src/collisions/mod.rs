//! Collisions on real trees: how many positions of a ply are lost because part of their key (a *window*) equals that of
//! another position.
//!
//! The positions are distinct under the e.p. policy of each scheme's keys, so every loss is due to the keys. They are
//! found once per policy ([`perft_gate_unique`]). Then every scheme hashes all of them, seed by seed, and the distinct
//! windows are counted exactly. Random key tables are measured in the same run, and a scheme is judged by comparison
//! with them ([`verdict`](verdict())).
//!
//! A window of a key is its low bits (an index by mask), its high bits (an index by multiplication, or a tag), or the
//! xor of both ([`Window`](crate::quality::Window)).

mod positions;
mod schemes;

pub use positions::KeyPart;
pub use schemes::{
    CollisionOptions, CollisionRow, Collisions, Losses, MAX_KEY_BITS, MIN_BAND, collisions, key_bits, verdict,
};
