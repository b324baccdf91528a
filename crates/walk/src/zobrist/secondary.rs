//! The secondary keys that modern engines keep beside the position's: parts of its words, or its material.

use super::{KeyTable, KeyTables};
use crate::chess::{Color, Role};

/// A key of some of the men.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Secondary {
    /// Pawns: pawn structure caches, correction history.
    Pawn,
    /// Knights and bishops. Source: Stockfish 17.
    Minor,
    /// All but the pawns, a key a colour. Source: Stockfish 17.
    NonPawn,
    /// How many men of each kind: a sum of one word a man, that of its a1.
    Material,
}

impl Secondary {
    /// In the order of their lanes.
    pub const ALL: [Secondary; 4] = [Secondary::Pawn, Secondary::Minor, Secondary::NonPawn, Secondary::Material];
    /// TrackedKeys of all of them.
    pub const LANES: usize = 5;
    /// What each lane is called.
    pub const LANE_NAMES: [&'static str; 5] = ["pawn", "minor", "white nonpawn", "black nonpawn", "material"];

    /// `pawn`, `minor`, `nonpawn`, `material`.
    pub const fn name(self) -> &'static str {
        match self {
            Secondary::Pawn => "pawn",
            Secondary::Minor => "minor",
            Secondary::NonPawn => "nonpawn",
            Secondary::Material => "material",
        }
    }

    /// The words of every lane of the keys that are `wanted`, drawn from the position's.
    pub fn lanes(wanted: &[Secondary], key_tables: &KeyTables) -> [Option<KeyTable>; 5] {
        let words = &key_tables.lanes[0];
        let some = |key: Secondary, lane: &dyn Fn() -> KeyTable| wanted.contains(&key).then(lane);
        let non_pawn =
            |color: Color| some(Secondary::NonPawn, &|| words.only(|man| man.role != Role::Pawn && man.color == color));
        [
            some(Secondary::Pawn, &|| words.only(|man| man.role == Role::Pawn)),
            some(Secondary::Minor, &|| words.only(|man| matches!(man.role, Role::Knight | Role::Bishop))),
            non_pawn(Color::White),
            non_pawn(Color::Black),
            some(Secondary::Material, &|| words.material()),
        ]
    }
}
