//! Collisions on real trees: the number of a ply's positions that share a window of their keys with another one.
//!
//! The positions are distinct under the e.p. policy of each scheme's keys, so every loss is caused by the keys. They
//! are found once a policy ([`perft_gate_unique`]); then every scheme hashes all of them with the key tables of one
//! seed after another, and different windows are counted exactly. Random key tables are measured in the same run, and a
//! scheme is judged by comparison with them ([`verdict`](verdict())).
//!
//! A window of a key is its low bits (an index by mask), its high bits (an index by multiplication, or a tag), or both
//! xored ([`Window`](crate::quality::Window)).

mod positions;
mod schemes;

pub use positions::KeyPart;
pub use schemes::{
    CollisionOptions, CollisionRow, Collisions, Losses, MAX_KEY_BITS, MIN_BAND, collisions, key_bits, verdict,
};
