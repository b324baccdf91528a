//! The options of a count.

use crate::entries::NARROW_KEY;
use crate::error::UniqueError;
use crate::exchange::Exchange;
use perft_gate_chess::EnPassantPolicy;
use perft_gate_simd::Level;
use perft_gate_zobrist::Scheme;

/// How positions of the last ply are identified.
#[derive(Clone, Copy, Debug)]
pub enum By<'a> {
    /// The complete position, so that the count is exact.
    Position,
    /// The key of a scheme, or its low 96 bits if it is wider. Two positions with the same key count as one.
    Key {
        scheme: &'a Scheme,
        /// Seed of the scheme's key table.
        seed: u64,
    },
}

/// Maximum number of key bits that are kept. All of these bits are compared: a narrow entry stores only some of them,
/// and its place implies the missing bits (tested in `set/entry.rs`).
pub const KEY_BITS: u32 = 32 * NARROW_KEY as u32;

impl By<'_> {
    /// Returns the number of bits that identify a position, or `None` for the complete position.
    pub(crate) fn bits(self) -> Option<u32> {
        match self {
            By::Position => None,
            By::Key { scheme, .. } => scheme.axes.map(|axes| axes.effective_bits().min(KEY_BITS)),
        }
    }
}

/// Options of a count.
#[derive(Clone, Copy, Debug)]
pub struct UniqueOptions<'a> {
    /// Policy that decides when an en-passant square distinguishes positions.
    pub policy: EnPassantPolicy,
    /// How positions of the last ply are identified.
    pub by: By<'a>,
    /// If true, diagrams are also counted: positions distinguished only by the placement of their pieces.
    pub diagrams: bool,
    /// If true, the positions of the last ply are kept, so that they can be read.
    pub keep: bool,
    /// Maximum total size of tables and frontiers in bytes.
    pub memory: usize,
    pub level: Level,
    /// If true, plies are counted by groups where possible. Otherwise, every ply uses large, memory-bound tables.
    pub groups: bool,
    /// The other processes, if several count together. Several processes cannot count diagrams.
    pub exchange: Option<&'a dyn Exchange>,
}

impl<'a> UniqueOptions<'a> {
    /// Returns options that count only positions, in one process, and group by group where possible.
    pub fn new(policy: EnPassantPolicy, level: Level, memory: usize) -> UniqueOptions<'a> {
        let (by, groups, exchange) = (By::Position, true, None);
        UniqueOptions { policy, by, diagrams: false, keep: false, memory, level, groups, exchange }
    }

    /// Returns an error if the keys do not follow the policy, or if the scheme has no keys.
    pub(crate) fn check(&self) -> Result<(), UniqueError> {
        match self.by {
            By::Key { scheme, .. } if scheme.policy() != self.policy || scheme.axes.is_none() => {
                let (found, expected) = (scheme.policy(), self.policy);
                Err(UniqueError::Scheme { scheme: scheme.name.to_string(), found, expected })
            }
            _ => Ok(()),
        }
    }
}

/// How a ply is counted.
#[derive(Clone, Copy)]
pub(crate) struct Goal<'a> {
    pub(crate) by: By<'a>,
    /// True if the positions are kept and not just counted.
    pub(crate) keeps: bool,
}
