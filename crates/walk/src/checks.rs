//! The checks made at the nodes of a walk, the number of comparisons that each check made, and the mismatches found.

use perft_gate_zobrist::WrongKey;

perft_gate_chess::named! {
    /// A check made at the nodes of a walk. V1 (counts) and V5 (identity) compare whole plies after the walk, so they
    /// are not here.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Check {
        /// V0: bitboards and mailbox agree.
        Boards = "V0 boards",
        /// V2: the incremental key equals the full recompute.
        Keys = "V2 keys",
        /// V3: `unmake` restores everything.
        Unmake = "V3 unmake",
        /// V4: the key is right after a null move, and unmaking the null move restores everything.
        NullMove = "V4 null move",
        /// V6: a position is the same after it was written as FEN and read back.
        RoundTrip = "V6 round trip",
    }
}

perft_gate_chess::serialize_as_text!(Check);

/// The number of comparisons made by each check, counted by the code that makes them.
#[perft_gate_chess::document(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Checks {
    /// Number of comparisons made by V0, at inner nodes.
    pub boards: u64,
    /// Number of comparisons made by V2, at every node, without those after null moves.
    pub keys: u64,
    /// Number of comparisons made by V3, after every unmake of a move other than a null move.
    pub unmakes: u64,
    /// Number of positions compared by V4 after unmaking a null move, at every inner node where the side to move is not
    /// in check.
    pub null_moves: u64,
    /// Number of keys compared by V4, one after every null move.
    #[cfg_attr(feature = "serde", serde(rename = "null_move_keys"))]
    pub null_keys: u64,
    /// Number of comparisons made by V6, at sampled nodes.
    pub round_trips: u64,
}

perft_gate_chess::add_by_field!(Checks { boards, keys, unmakes, null_moves, null_keys, round_trips });

/// Counts that determine the expected number of comparisons, together with the number of nodes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Occasions {
    /// Number of inner nodes at which no null move was made, because the side to move is in check.
    pub no_null_move: u64,
    /// Number of nodes that were selected for the round trip.
    pub sampled: u64,
}

perft_gate_chess::add_by_field!(Occasions { no_null_move, sampled });

/// A check that failed. This is a result of the verification and not a program error.
#[perft_gate_chess::document(sparse, Clone, PartialEq, Debug)]
pub struct Mismatch<M> {
    /// The check that failed.
    pub check: Check,
    /// The moves from the root, up to and including the faulty move.
    pub path: Vec<M>,
    /// The position after these moves, as FEN.
    #[cfg_attr(feature = "serde", serde(rename = "fen_after"))]
    pub position: String,
    /// The expected value.
    pub expected: String,
    /// The value that was found.
    pub found: String,
    /// The expected key and the key found, if the mismatch is a wrong key. JSON shows their xor.
    #[cfg_attr(feature = "serde", serde(rename = "difference"))]
    pub wrong_key: Option<WrongKey>,
}
