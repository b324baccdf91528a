//! Number of independent bits in which keys differ.

/// Number of random numbers from which on their rank is almost surely their width.
const ENOUGH_FOR_RANK: usize = 200;

/// Returns the number of independent bits in which keys differ: the rank of the numbers, or where only a few are known the
/// number of bits that any of them has.
pub(super) fn width(numbers: impl ExactSizeIterator<Item = u128> + Clone) -> u32 {
    match numbers.len() {
        ENOUGH_FOR_RANK.. => rank(numbers),
        _ => numbers.fold(0, |all, number| all | number).count_ones(),
    }
}

/// Returns the rank of numbers as vectors of bits.
fn rank(numbers: impl Iterator<Item = u128>) -> u32 {
    let mut basis: Vec<u128> = Vec::new();
    for number in numbers {
        // Each vector of the basis has a highest bit of its own.
        let rest = basis.iter().fold(number, |rest, vector| rest.min(rest ^ vector));
        if rest != 0 {
            basis.push(rest);
            basis.sort_unstable_by(|a, b| b.cmp(a));
        }
    }
    basis.len() as u32
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A random number for each part (splitmix64).
    pub(in crate::keys) fn random(number: u64) -> u128 {
        let mut z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        u128::from(z ^ z >> 31)
    }

    #[test]
    fn the_rank_counts_independent_bits() {
        assert_eq!(rank([0, 1, 2, 3].into_iter()), 2);
        let few: Vec<u128> = (0..20).map(random).collect();
        assert!(width(few.iter().copied()) > 60, "few numbers do not show their width by their rank");
        assert_eq!(rank((0..200).map(random)), 64);
        // 16 bits with their sign.
        assert_eq!(rank((0..200).map(|number| u128::from(i64::from(random(number) as i16) as u64))), 16);
    }
}
