//! Quality of a key table, judged from the table alone, without any positions.
//!
//! Two positions collide if the entries that only one of them has xor to zero. So the important questions are which
//! *small* subsets xor to zero ([`dependencies()`]), whether a game can reach them ([`obstacle`]), and how many bits
//! the differences between keys span ([`Audit::effective_bits`]). Distances between entries and biased bits are
//! measured too, because people ask for them.

mod audit;
mod dependencies;
mod entries;
pub mod export;
mod measures;
mod reach;
mod signed;
mod structure;
mod sums;

pub use audit::{Audit, AuditFinding, AuditVerdict};
pub use dependencies::{Dependencies, DependencyCount, dependencies};
pub use entries::{TableEntries, TableEntry};
pub use measures::{Bias, Distances, Window, WindowReport, bias, distances, expected_smallest, windows};
pub use reach::{Obstacle, obstacle};
pub use signed::MAX_SIGNED;
pub use structure::{Structure, structures};

#[cfg(test)]
pub mod tests {
    use super::TableEntries;
    use perft_gate_zobrist::Scheme;

    /// Returns the entries of a scheme, even of a weak one.
    pub fn list(name: &str) -> TableEntries {
        TableEntries::from_scheme(&Scheme::parse(name, true).unwrap(), 0).unwrap()
    }

    pub fn random(seed: u64) -> impl FnMut() -> u64 {
        perft_gate_zobrist::generate::Streams { seed, part: 0 }.draw(40)
    }
}
