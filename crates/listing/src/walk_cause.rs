//! Causes of counts that are wrong only because of how the engine itself walks the tree.

use perft_gate_chess::{Board, legal_moves};
use perft_gate_simd::V1;

/// Cause of a count that is wrong only because of how the engine itself walks the tree.
#[perft_gate_chess::document(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub struct WalkCause {
    /// `end-counted`, `drawn`, `table-ignores-depth`, `pseudo-legal`, `remembers` or `bulk-count`.
    #[serde(rename = "fault")]
    code: &'static str,
    /// The cause in words, and what to do about it.
    #[serde(rename = "cause")]
    pub text: &'static str,
}

impl WalkCause {
    pub const CHECKMATE: WalkCause = WalkCause {
        code: "end-counted",
        text: "a checkmate before the last ply is counted as 1 leaf, not 0; a position without moves has no leaves below it",
    };
    pub const STALEMATE: WalkCause = WalkCause {
        code: "end-counted",
        text: "a stalemate before the last ply is counted as 1 leaf, not 0; a position without moves has no leaves below it",
    };
    pub const FIFTY_MOVES: WalkCause = WalkCause {
        code: "drawn",
        text: "the walk stops after fifty moves without a capture or pawn move: perft must go on (with the halfmove \
               clock at 0 it is right)",
    };
    pub const REPETITION: WalkCause =
        WalkCause { code: "drawn", text: "the walk stops at a repetition: perft must go on" };
    pub const MATERIAL: WalkCause = WalkCause {
        code: "drawn",
        text: "the walk stops where nobody can mate: perft must go on (it is wrong with bare kings, too)",
    };
    pub const DEPTH: WalkCause = WalkCause {
        code: "table-ignores-depth",
        text: "its table of counts ignores the depth: a new process counts right, but not after a question about \
               another depth",
    };
    pub const PSEUDO_LEGAL: WalkCause = WalkCause {
        code: "pseudo-legal",
        text: "moves that leave the king in check are counted below the root, where the king can then be taken: only \
               legal moves count",
    };
    pub const REMEMBERS: WalkCause = WalkCause {
        code: "remembers",
        text: "the count depends on earlier questions: a new process is right, so check what perft keeps between \
               questions",
    };
    pub const BULK: WalkCause = WalkCause {
        code: "bulk-count",
        text: "bulk counting is wrong: the last ply's moves are counted without being made; one ply deeper, where they \
               are made, their count is right",
    };
}

/// Returns the cause that applies if this board is checkmate or stalemate and is counted as a leaf, or `None` if there
/// is a legal move.
pub fn game_end(board: &Board) -> Option<WalkCause> {
    let end = if board.in_check(V1::token()) { WalkCause::CHECKMATE } else { WalkCause::STALEMATE };
    legal_moves(board).is_empty().then_some(end)
}
