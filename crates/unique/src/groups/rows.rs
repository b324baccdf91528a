//! Rows of positions and of keys, each with its group; and positions sorted into rows.

use super::buckets::Buckets;
use super::group::{bucket, group_of};
use crate::entries::KEY;
use crate::positions::Positions;
use crate::set::InsertError;
use perft_gate_chess::{DENSE_WORDS, Packed};
use perft_gate_simd::{Kernel, Token};

/// A position, its group and its multiplicity.
pub(super) type GroupRow = [u32; ROW];
pub(super) const ROW: usize = DENSE_WORDS + 2;
/// Number of words of a key, its group and its multiplicity.
pub(super) const KEY_ROW: usize = KEY + 1;

/// Number of bits of a group's hash by which the sizes of groups are looked at before they are counted.
pub(super) const SIZE_BITS: u32 = 16;

/// Kernel that sorts positions into chunks of groups.
pub(super) struct Sorting<'a> {
    pub(super) positions: Positions<'a>,
    pub(super) rows: &'a mut Buckets<ROW>,
    pub(super) sizes: &'a mut [u32],
    pub(super) chunk_bits: u32,
}

impl Kernel for Sorting<'_> {
    type Output = Result<(), InsertError>;

    #[inline(always)]
    fn run<L: Token>(self, level: L) -> Self::Output {
        for (dense, count) in self.positions.iter() {
            let board = Packed::of_dense(level, dense).board();
            let pieces = board.color(!board.turn());
            let (group, [a, b, c, d, e, f]) = (group_of(&board, pieces), dense);
            // Larger ones are for tables.
            let count = u32::try_from(count).map_err(|_| InsertError::Full)?;
            self.sizes[(group >> (u32::BITS - SIZE_BITS)) as usize] += 1;
            self.rows.push(bucket(pieces.count() as usize, group, self.chunk_bits), [a, b, c, d, e, f, group, count]);
        }
        Ok(())
    }
}
