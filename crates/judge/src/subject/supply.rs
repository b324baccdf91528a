//! Features that a board supplies, always or never. V7 compares the key computed before a move is made with the key
//! after it.
//!
//! Engines compute such a key to prefetch a child's entry. A wrong key breaks nothing: it fetches the wrong line, and
//! the table is slower than intended.

use perft_gate_chess::quantity;
use perft_gate_zobrist::Key;
use std::fmt;

/// Whether a board supplies a feature.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Supply {
    /// The board was not asked.
    #[default]
    Unknown,
    /// The board supplies it.
    Supplied,
    /// The board does not supply it.
    NotSupplied,
}

impl fmt::Display for Supply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Supply::Supplied { "a value" } else { "none" })
    }
}

impl Supply {
    /// Records one case. If it differs from earlier cases, returns what they supplied as the error.
    pub(super) fn note(&mut self, found: Supply) -> Result<(), &'static str> {
        match *self {
            Supply::Unknown => *self = found,
            before if before == found => {}
            Supply::Supplied => return Err("a value, as in earlier positions"),
            Supply::NotSupplied => return Err("none, as in earlier positions"),
        }
        Ok(())
    }

    /// Returns the supply of two sets of cases together; `None` if they differ.
    pub(super) fn join(mut self, other: Supply) -> Option<Supply> {
        if other != Supply::Unknown {
            self.note(other).ok()?;
        }
        Some(self)
    }

    pub(super) fn from_option<T>(value: Option<T>) -> Supply {
        value.map_or(Supply::NotSupplied, |_| Supply::Supplied)
    }
}

/// Keys after moves that were compared.
#[derive(Clone, Default, Debug)]
pub struct ComparedKeysAfter {
    /// Number of moves whose key was compared.
    pub moves: u64,
    supply: Supply,
}

impl ComparedKeysAfter {
    /// Compares the computed key with that of the made move.
    ///
    /// **Errors**: the expected and the found key as text; and the computed key and that of the made move, if both exist.
    pub(super) fn compare(
        &mut self,
        found: Option<Key>,
        made: Option<Key>,
    ) -> Result<(), ([String; 2], Option<[Key; 2]>)> {
        let text = |key: Option<Key>| key.map_or("none".into(), |key| key.to_string());
        if let Err(expected) = self.supply.note(Supply::from_option(found)) {
            return Err(([expected.into(), text(found)], None));
        }
        let Some(key) = found else { return Ok(()) };
        self.moves += 1;
        match made {
            Some(made) if made == key => Ok(()),
            _ => Err(([text(made), text(found)], made.map(|made| [key, made]))),
        }
    }

    /// Joins the comparisons of two parts; `None` if only one of them has such keys.
    pub(super) fn join(mut self, other: &ComparedKeysAfter) -> Option<ComparedKeysAfter> {
        self.moves += other.moves;
        self.supply = self.supply.join(other.supply)?;
        Some(self)
    }
}

impl fmt::Display for ComparedKeysAfter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.moves == 0 { f.write_str("not supplied") } else { self.moves.fmt(f) }
    }
}

/// Answers about codes that were compared.
#[derive(Clone, Copy, Default, Debug)]
pub struct ComparedCodes {
    /// Number of positions where all codes were asked.
    pub nodes: u64,
    /// Number of answers compared: one or two for each code. If V8 does not find the squares in a code, it compares the
    /// answers of `is_pseudo_legal` only for legal moves.
    pub answers: u64,
    /// Whether the board has `is_legal` and `is_pseudo_legal`.
    pub(super) supply: [Supply; 2],
}

impl ComparedCodes {
    /// Joins the comparisons of two parts; `None` if only one of them has answers.
    pub(super) fn join(self, other: ComparedCodes) -> Option<ComparedCodes> {
        let ([one, two], [other_one, other_two]) = (self.supply, other.supply);
        let supply = [one.join(other_one)?, two.join(other_two)?];
        Some(ComparedCodes { nodes: self.nodes + other.nodes, answers: self.answers + other.answers, supply })
    }
}

impl fmt::Display for ComparedCodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.nodes {
            0 => f.write_str("not supplied"),
            nodes => write!(f, "{} at {}", self.answers, quantity(nodes, "node")),
        }
    }
}
