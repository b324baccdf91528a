//! Results of a run of `perft collisions`.

use perft_gate_lab::collisions::Collisions;
use perft_gate_lab::quality::AuditVerdict;

/// Results of a run.
#[derive(Clone, Debug)]
pub struct CollisionReport {
    /// FEN of the root.
    pub fen: String,
    /// The ply of the positions.
    pub ply: u32,
    /// Number of key tables of each scheme that has seeds.
    pub seeds: u64,
    /// Number of random key tables.
    pub band: u64,
    /// Schemes, in the order asked for.
    pub schemes: Vec<Collisions>,
}

impl CollisionReport {
    /// Returns the worst verdict of all schemes.
    pub fn verdict(&self) -> AuditVerdict {
        self.schemes.iter().map(Collisions::verdict).max().unwrap_or(AuditVerdict::Sound)
    }
}
