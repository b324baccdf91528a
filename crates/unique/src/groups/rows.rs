//! Rows of positions and of keys, each with its group; and positions sorted into rows.

use super::buckets::Buckets;
use super::group::{bucket, group_of};
use crate::entries::KEY;
use crate::positions::Positions;
use crate::set::InsertError;
use perft_gate_chess::{DENSE_WORDS, Packed};
use perft_gate_simd::{Token, kernel};

/// A position, its group and its multiplicity.
pub(super) type GroupRow = [u32; ROW];
pub(super) const ROW: usize = DENSE_WORDS + 2;
/// Number of words of a key, its group and its multiplicity.
pub(super) const KEY_ROW: usize = KEY + 1;

/// Number of bits of a group's hash by which the sizes of groups are looked at before they are counted.
pub(super) const SIZE_BITS: u32 = 16;

/// Kernel that sorts positions into chunks of groups.
#[kernel]
pub(super) fn sort_into_rows<L: Token>(
    level: L,
    positions: Positions<'_>,
    rows: &mut Buckets<ROW>,
    sizes: &mut [u32],
    chunk_bits: u32,
) -> Result<(), InsertError> {
    for (dense, count) in positions.iter() {
        let board = Packed::of_dense(level, dense).board();
        let pieces = board.color(!board.turn());
        let (group, [a, b, c, d, e, f]) = (group_of(&board, pieces), dense);
        // Larger ones are for tables.
        let count = u32::try_from(count).map_err(|_| InsertError::Full)?;
        sizes[(group >> (u32::BITS - SIZE_BITS)) as usize] += 1;
        rows.push(bucket(pieces.count() as usize, group, chunk_bits), [a, b, c, d, e, f, group, count]);
    }
    Ok(())
}
