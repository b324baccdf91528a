//! `perft.key/1`: the keys of a position, and the terms of each key. Keys and entries are hexadecimal strings.

use perft_gate_zobrist::Term;
use serde::Serialize;

pub const SCHEMA: &str = "perft.key/1";

/// Result of a run of `perft key`.
#[perft_gate_chess::document(Serialize, Clone, Debug)]
pub struct KeyDocument {
    /// The position as a FEN that has an e.p. square after every double push.
    pub fen: String,
    /// Castling rights, as written in the FEN.
    pub castling: String,
    /// E.p. square under each policy.
    pub en_passant: EnPassantSquares,
    /// Keys by scheme.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub keys: Vec<SchemeKey>,
}

/// E.p. square under each policy, or none if the policy ignores the square.
#[perft_gate_chess::document(Serialize, Clone, Debug)]
pub struct EnPassantSquares {
    /// The square after every double push.
    pub always: Option<String>,
    /// The square if a pawn can capture on it, even if that pawn is pinned.
    pub pseudo: Option<String>,
    /// The square if an e.p. capture is legal.
    pub legal: Option<String>,
}

/// A scheme's key.
#[perft_gate_chess::document(Serialize, Clone, Debug)]
pub struct SchemeKey {
    /// Name of the scheme.
    pub scheme: String,
    /// The key, or none for the scheme that has no keys.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^[0-9a-f]+$")))]
    pub key: Option<String>,
    /// Entries that are combined into the key, grouped by part of the key, with the lowest part first.
    pub parts: Vec<Vec<KeyTerm>>,
}

/// An entry of a key table.
#[perft_gate_chess::document(Serialize, Clone, Debug)]
pub struct KeyTerm {
    /// The entry.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^[0-9a-f]+$")))]
    pub entry: String,
    /// The term that the entry belongs to, such as `white rook on a1`.
    pub term: Term,
}
