//! Rank over GF(2): how many words are independent of each other.

/// An echelon basis of the span of some words.
#[derive(Clone, Debug, Default)]
pub struct Basis {
    /// Highest bits all different, largest first.
    rows: Vec<u128>,
}

impl Basis {
    /// The basis of these words.
    pub fn of(words: impl IntoIterator<Item = u128>) -> Basis {
        let mut basis = Basis::default();
        words.into_iter().for_each(|word| {
            basis.add(word);
        });
        basis
    }

    /// Adds a word; says whether it was independent of those before it.
    pub fn add(&mut self, word: u128) -> bool {
        // A row is the only one of its highest bit, so the smaller of the two is the one without that bit.
        let rest = self.rows.iter().fold(word, |rest, &row| rest.min(rest ^ row));
        if rest != 0 {
            let at = self.rows.partition_point(|&row| row > rest);
            self.rows.insert(at, rest);
        }
        rest != 0
    }

    /// How many words of the set are independent.
    pub fn rank(&self) -> usize {
        self.rows.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependent_words_add_nothing() {
        // Reichard's three bytes differ in four bits from each other, and xor to zero.
        assert_eq!(Basis::of([0b1111_0000, 0b1100_1100, 0b0011_1100]).rank(), 2);
        assert_eq!(Basis::of((0..128).map(|bit| 1 << bit)).rank(), 128);
        assert_eq!(Basis::of([0, 5, 5]).rank(), 1);
        assert_eq!(Basis::of([]).rank(), 0);
    }

    #[test]
    fn the_rank_is_the_size_of_the_span() {
        let mut random = crate::quality::tests::random(1);
        for _ in 0..200 {
            let words: Vec<u128> = (0..8).map(|_| u128::from(random() >> 55 & random())).collect();
            let mut span: Vec<u128> = (0..256_u32)
                .map(|set| {
                    words.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1).fold(0, |sum, (_, word)| sum ^ word)
                })
                .collect();
            span.sort_unstable();
            span.dedup();
            assert_eq!(1 << Basis::of(words).rank(), span.len());
        }
    }
}
