//! The checks of a walk's nodes, the number of comparisons that each made, and the mismatches that they found.

use perft_gate_zobrist::WrongKey;

perft_gate_chess::named! {
    /// A check of a walk's nodes. V1 (counts) and V5 (identity) compare whole plies after the walk, so they are not here.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Check {
        /// V0: bitboards and mailbox agree.
        Boards = "V0 boards",
        /// V2: the incremental key equals the full recompute.
        Keys = "V2 keys",
        /// V3: `unmake` restores everything.
        Unmake = "V3 unmake",
        /// V4: a null move keeps the key right, and its unmake restores everything.
        NullMove = "V4 null move",
        /// V6: position to FEN and back.
        RoundTrip = "V6 round trip",
    }
}

perft_gate_chess::serialize_as_text!(Check);

/// The number of comparisons made by each check, counted where they were made.
#[perft_gate_chess::document(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Checks {
    /// Comparisons of V0, at inner nodes.
    pub boards: u64,
    /// Comparisons of V2, at every node, excluding those after null moves.
    pub keys: u64,
    /// Comparisons of V3, after every unmake, excluding those of null moves.
    pub unmakes: u64,
    /// Comparisons of V4: the restored position after every null move, at inner nodes that are not in check.
    pub null_moves: u64,
    /// Comparisons of V4: the key after every null move.
    #[cfg_attr(feature = "serde", serde(rename = "null_move_keys"))]
    pub null_keys: u64,
    /// Comparisons of V6, at sampled nodes.
    pub round_trips: u64,
}

perft_gate_chess::add_by_field!(Checks { boards, keys, unmakes, null_moves, null_keys, round_trips });

/// The counts that, together with the number of nodes, determine how many comparisons must have been made.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Occasions {
    /// Number of inner nodes without a null move, because the side to move is in check.
    pub no_null_move: u64,
    /// Nodes that were selected for the round trip.
    pub sampled: u64,
}

perft_gate_chess::add_by_field!(Occasions { no_null_move, sampled });

/// A check that failed. It is a result and not an error of the program.
#[perft_gate_chess::document(sparse, Clone, PartialEq, Debug)]
pub struct Mismatch<M> {
    /// The check that failed.
    pub check: Check,
    /// The moves from the root, of which the last one is at fault.
    pub path: Vec<M>,
    /// The position after these moves, as FEN.
    #[cfg_attr(feature = "serde", serde(rename = "fen_after"))]
    pub position: String,
    /// The expected value.
    pub expected: String,
    /// The value that was found.
    pub found: String,
    /// The two keys, if keys differ. JSON shows their xor.
    #[cfg_attr(feature = "serde", serde(rename = "difference"))]
    pub wrong_key: Option<WrongKey>,
}
