//! The yardstick: a small program that is compiled for any machine.

/// Returns the number of ways to place `size` queens on a board of `size` by `size` so that none attacks another.
///
/// Frozen: a faster one would be another yardstick.
pub fn queens(size: u32) -> u64 {
    fn below(free: u32, files: u32, left: u32, right: u32) -> u64 {
        if files == free {
            return 1;
        }
        let mut squares = free & !(files | left | right);
        let mut ways = 0;
        while squares != 0 {
            let queen = squares & squares.wrapping_neg();
            squares ^= queen;
            ways += below(free, files | queen, (left | queen) << 1, (right | queen) >> 1);
        }
        ways
    }
    below((1 << size) - 1, 0, 0, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queens_are_those_of_the_encyclopedia() {
        // OEIS A000170.
        assert_eq!([1, 2, 3, 4, 5, 6, 7, 8].map(queens), [1, 0, 0, 2, 10, 4, 40, 92]);
    }
}
