//! The secondary keys that modern engines keep beside the position's: of some of its pieces, or of its material.

use crate::key_table::KeyTable;
use crate::key_tables::KeyTables;
use perft_gate_chess::{Color, Role};

/// A key of some of the pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Secondary {
    /// The pawns: for pawn structure caches and correction history.
    Pawn,
    /// The knights and bishops. Source: Stockfish 17.
    Minor,
    /// All pieces but the pawns, one key for each colour. Source: Stockfish 17.
    NonPawn,
    /// The number of pieces of each type: the sum, over all pieces, of the key that the piece has on a1.
    Material,
}

impl Secondary {
    /// Every secondary key, in the order of their parts.
    pub const ALL: [Secondary; 4] = [Secondary::Pawn, Secondary::Minor, Secondary::NonPawn, Secondary::Material];
    /// Number of parts of all secondary keys.
    pub const PARTS: usize = 5;
    /// Name of each part.
    pub const PART_NAMES: [&'static str; 5] = ["pawn", "minor", "white nonpawn", "black nonpawn", "material"];

    /// Returns `pawn`, `minor`, `nonpawn` or `material`.
    pub const fn name(self) -> &'static str {
        match self {
            Secondary::Pawn => "pawn",
            Secondary::Minor => "minor",
            Secondary::NonPawn => "nonpawn",
            Secondary::Material => "material",
        }
    }

    /// Returns the key tables of the `wanted` keys, by part, derived from the position's key.
    pub fn tables(wanted: &[Secondary], key_tables: &KeyTables) -> [Option<KeyTable>; 5] {
        let table = &key_tables.parts[0];
        let some = |key: Secondary, table: &dyn Fn() -> KeyTable| wanted.contains(&key).then(table);
        let non_pawn = |color: Color| {
            some(Secondary::NonPawn, &|| table.only(|piece| piece.role != Role::Pawn && piece.color == color))
        };
        [
            some(Secondary::Pawn, &|| table.only(|piece| piece.role == Role::Pawn)),
            some(Secondary::Minor, &|| table.only(|piece| matches!(piece.role, Role::Knight | Role::Bishop))),
            non_pawn(Color::White),
            non_pawn(Color::Black),
            some(Secondary::Material, &|| table.material()),
        ]
    }
}
