//! How good the words of a scheme are: what can be known of them without a single position.
//!
//! Two positions collide if the words that they do not share xor to zero. So what counts is which *few* words do
//! ([`dependencies()`]), whether a game can reach them ([`obstacle`]), and how many bits the differences between keys span
//! ([`Audit::effective_bits`]); distances and bits are measured beside that, because they are commonly asked for.

mod audit;
mod dependencies;
pub mod export;
mod measures;
mod rank;
mod reach;
mod repeated;
mod signed;
mod structure;
mod sums;
mod term;

pub use audit::{Audit, AuditFinding, AuditVerdict};
pub use dependencies::{Dependencies, Size, Watch, dependencies};
pub use measures::{Bias, Distances, Window, WindowReport, bias, distances, expected_smallest, windows};
pub use rank::Basis;
pub use reach::{Obstacle, obstacle};
pub use signed::MOST_SIGNED;
pub use structure::{Structure, structures};
pub use term::{AlwaysOne, Term, Word, WordList};

#[cfg(test)]
pub mod tests {
    use super::WordList;
    use perft_gate_walk::zobrist::Scheme;

    /// The words of a scheme, weak or not.
    pub fn list(name: &str) -> WordList {
        let scheme = Scheme::parse(name, true).unwrap();
        WordList::new(&scheme.axes.unwrap(), &scheme.key_tables(0).unwrap()).unwrap()
    }

    /// Random words of a seed.
    pub fn random(seed: u64) -> impl FnMut() -> u64 {
        perft_gate_walk::zobrist::generate::Streams { seed, lane: 0 }.draw(40)
    }
}
