//! Rank over GF(2): the number of linearly independent entries.

/// Echelon basis of the span of some entries.
#[derive(Clone, Debug, Default)]
pub struct Basis {
    /// Rows with different highest bits, largest first.
    rows: Vec<u128>,
}

impl Basis {
    /// Returns the basis of these entries.
    pub fn of(entries: impl IntoIterator<Item = u128>) -> Basis {
        let mut basis = Basis::default();
        entries.into_iter().for_each(|entry| {
            basis.add(entry);
        });
        basis
    }

    /// Adds an entry; returns true if it is independent of those before it.
    pub fn add(&mut self, entry: u128) -> bool {
        // Only one row has a given highest bit, so the smaller of the two values is the one without that bit.
        let rest = self.rows.iter().fold(entry, |rest, &row| rest.min(rest ^ row));
        if rest != 0 {
            let at = self.rows.partition_point(|&row| row > rest);
            self.rows.insert(at, rest);
        }
        rest != 0
    }

    /// Returns the number of independent entries.
    pub fn rank(&self) -> usize {
        self.rows.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependent_entries_add_nothing() {
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
            let entries: Vec<u128> = (0..8).map(|_| u128::from(random() >> 55 & random())).collect();
            let mut span: Vec<u128> = (0..256_u32)
                .map(|set| {
                    entries.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1).fold(0, |sum, (_, entry)| sum ^ entry)
                })
                .collect();
            span.sort_unstable();
            span.dedup();
            assert_eq!(1 << Basis::of(entries).rank(), span.len());
        }
    }
}
