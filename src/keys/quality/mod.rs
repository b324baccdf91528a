//! How good the words of a scheme are: what can be known of them without a single position.

mod dependencies;
mod named;
mod rank;
mod repeated;
mod sums;

pub use dependencies::{Dependencies, Size, Watch, dependencies};
pub use named::{AlwaysOne, Term, Word, WordList};
pub use rank::Basis;

#[cfg(test)]
pub(crate) mod tests {
    /// Random words of a seed.
    pub(crate) fn random(seed: u64) -> impl FnMut() -> u64 {
        crate::keys::generate::Streams { seed, lane: 0 }.draw(40)
    }
}
