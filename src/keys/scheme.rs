//! The named schemes.

use super::Tracker;
use super::generate::{Castling, EnPassantWords, Shape, Side};
use super::polyglot::RANDOM;
use super::zobrist::{C4, C16, Dynamic, Words, Zobrist};
use crate::chess::EnPassantPolicy;

/// Work that is generic over the tracker of a scheme.
pub trait SchemeVisitor {
    /// What it yields.
    type Output;
    /// Does the work with the scheme's tracker.
    fn visit<T: Tracker>(self, tracker: T) -> Self::Output;
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    Seeded,
    Rustic,
    Polyglot,
}

/// A scheme with a name.
#[derive(Debug)]
pub struct Preset {
    /// Kebab-case, the same everywhere.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// When the en-passant square counts.
    pub policy: EnPassantPolicy,
    shape: Option<(Shape, Origin)>,
}

const fn shape(castling: Castling, en_passant: EnPassantWords, side: Side, origin: Origin) -> Option<(Shape, Origin)> {
    Some((Shape { castling, en_passant, side }, origin))
}

/// Every preset. A new scheme is a line here.
pub static PRESETS: [Preset; 6] = [
    Preset { name: "none", about: "no key: the baseline", policy: EnPassantPolicy::Legal, shape: None },
    Preset {
        name: "cpw781",
        about: "12x64 pieces, 4 castling, 8 e.p. files, 1 side (Chess Programming Wiki)",
        policy: EnPassantPolicy::Legal,
        shape: shape(Castling::Four, EnPassantWords::Files, Side::Black, Origin::Seeded),
    },
    Preset {
        name: "cpw793",
        about: "12x64 pieces, 16 castling, 8 e.p. files, 1 side (the default)",
        policy: EnPassantPolicy::Legal,
        shape: shape(Castling::Sixteen, EnPassantWords::Files, Side::Black, Origin::Seeded),
    },
    Preset {
        name: "rustic803",
        about: "12x64 pieces, 16 castling, 17 e.p., 2 sides (Rustic's book)",
        policy: EnPassantPolicy::Always,
        shape: shape(Castling::Sixteen, EnPassantWords::FilesAndRanks, Side::Both, Origin::Rustic),
    },
    Preset {
        name: "rustic851",
        about: "12x64 pieces, 16 castling, 65 e.p. squares, 2 sides (Rustic up to 3.0.0)",
        policy: EnPassantPolicy::Always,
        shape: shape(Castling::Sixteen, EnPassantWords::Squares, Side::Both, Origin::Rustic),
    },
    Preset {
        name: "polyglot",
        about: "the 781 published words of the Polyglot book format",
        policy: EnPassantPolicy::Pseudo,
        shape: shape(Castling::Four, EnPassantWords::Files, Side::White, Origin::Polyglot),
    },
];

/// The preset of this name.
pub fn preset(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}

impl Preset {
    /// How many words it has.
    pub fn words(&self) -> usize {
        self.shape.map_or(0, |(shape, _)| shape.words())
    }

    /// Are its words published, so that no seed changes them?
    pub fn is_fixed(&self) -> bool {
        self.shape.is_none_or(|(_, origin)| origin != Origin::Seeded)
    }

    /// Its words for a seed; nothing for `none`.
    pub fn flattened(&self, seed: u64) -> Option<Words> {
        self.shape.map(|(shape, origin)| match origin {
            Origin::Seeded => shape.seeded(seed),
            Origin::Rustic => shape.rustic(),
            Origin::Polyglot => shape.polyglot(&RANDOM),
        })
    }

    /// Runs `visitor` with the data-driven tracker of its words, or with no key.
    pub(crate) fn visit_dynamic<V: SchemeVisitor>(&self, seed: u64, visitor: V) -> V::Output {
        let (Some((shape, _)), Some(words)) = (self.shape, self.flattened(seed)) else {
            return visitor.visit(());
        };
        let axes = Dynamic { per_right: shape.castling == Castling::Four, policy: self.policy };
        visitor.visit(Zobrist::new(&words, axes))
    }

    /// Runs `visitor` with the scheme's specialised tracker.
    pub fn visit<V: SchemeVisitor>(&self, seed: u64, visitor: V) -> V::Output {
        const ALWAYS: u8 = EnPassantPolicy::Always as u8;
        const PSEUDO: u8 = EnPassantPolicy::Pseudo as u8;
        const LEGAL: u8 = EnPassantPolicy::Legal as u8;
        let (Some((shape, _)), Some(words)) = (self.shape, self.flattened(seed)) else {
            return visitor.visit(());
        };
        let words = &words;
        match (shape.castling, self.policy) {
            (Castling::Four, EnPassantPolicy::Always) => visitor.visit(Zobrist::new(words, C4::<ALWAYS>)),
            (Castling::Four, EnPassantPolicy::Pseudo) => visitor.visit(Zobrist::new(words, C4::<PSEUDO>)),
            (Castling::Four, EnPassantPolicy::Legal) => visitor.visit(Zobrist::new(words, C4::<LEGAL>)),
            (Castling::Sixteen, EnPassantPolicy::Always) => visitor.visit(Zobrist::new(words, C16::<ALWAYS>)),
            (Castling::Sixteen, EnPassantPolicy::Pseudo) => visitor.visit(Zobrist::new(words, C16::<PSEUDO>)),
            (Castling::Sixteen, EnPassantPolicy::Legal) => visitor.visit(Zobrist::new(words, C16::<LEGAL>)),
        }
    }
}
