//! Plans a pass: as many slices (by hash) of a ply as fit into the memory, given an estimate of the ply's positions.

use crate::entries::{KEY, NARROW_KEY, POSITION};
use crate::error::UniqueError;
use crate::options::{By, Goal, UniqueOptions};
use crate::ply::Ply;
use crate::set::{Entry, SLICES, Set};
use crate::sink::Tables;
use crate::store::Store;

/// Number of moves below which the share of distinct children is too uncertain to use.
pub(crate) const ENOUGH_MOVES: u64 = 100_000;

/// Estimates a ply's ratio of distinct positions to moves, based on the plies before it.
pub(crate) fn guessed_share(plies: &[Ply]) -> f64 {
    let share = |back: usize| {
        let ply = plies.get(plies.len().checked_sub(back)?)?;
        (ply.made > ENOUGH_MOVES).then(|| ply.positions.distinct as f64 / ply.made as f64)
    };
    let last = share(1).unwrap_or(1.0);
    // Steep and gentle falls of the share alternate, depending on the side to move. On a logarithmic scale, the fall is
    // expected to be half of the last fall with the same side to move.
    last * share(2).zip(share(3)).map_or(1.0, |(later, earlier)| (later / earlier).min(1.0).sqrt())
}

/// Returns the expected number of passes for a ply, given its numbers of moves, distinct positions and leaves.
#[cfg(feature = "spill")]
pub(crate) fn expected_passes<S: Store>(
    [made, distinct, perft]: [f64; 3],
    is_last: bool,
    options: &UniqueOptions<'_>,
) -> u32 {
    let goal = Goal { by: if is_last { options.by } else { By::Position }, keeps: !is_last };
    let guess = distinct / options.processes() as f64;
    let children = ChildEstimate { made: made as u64, guess, total: perft as u128 };
    let slices = Plan::new::<S>(children, &goal, options).slices((0, 0), options.memory);
    slices.map_or(SLICES, |slices| SLICES.div_ceil(slices))
}

/// Numbers that describe the children of a ply, some exact and some estimated.
#[derive(Clone, Copy)]
pub(crate) struct ChildEstimate {
    pub(crate) made: u64,
    /// Estimated number of distinct children.
    pub(crate) guess: f64,
    /// Sum of the children's multiplicities.
    pub(crate) total: u128,
}

/// Kind of table that holds a ply's positions or their keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Table {
    Positions,
    Keys,
    /// Keys in narrow entries, which take less memory unless many counts are large.
    NarrowKeys,
}

impl Table {
    /// Returns the table type that needs least memory for `room` positions whose multiplicities add up to `total`.
    fn smallest(is_by_key: bool, room: usize, total: u128) -> Table {
        match is_by_key {
            true if Table::NarrowKeys.bytes(room, total) <= Table::Keys.bytes(room, total) => Table::NarrowKeys,
            true => Table::Keys,
            false => Table::Positions,
        }
    }

    /// Returns the maximum number of bytes of this table, including the counts that do not fit its entries.
    fn bytes(self, room: usize, total: u128) -> usize {
        match self {
            Table::Positions => Set::<POSITION>::bytes_for(room) + Set::<POSITION>::large_bytes_for(room, total),
            Table::Keys => Set::<KEY>::bytes_for(room) + Set::<KEY>::large_bytes_for(room, total),
            Table::NarrowKeys => Set::<NARROW_KEY>::bytes_for(room) + Set::<NARROW_KEY>::large_bytes_for(room, total),
        }
    }
}

/// A planned pass, which counts some or all slices of a ply.
pub(crate) struct Pass {
    pub(crate) slices: u32,
    pub(crate) table: Table,
    /// Number of distinct positions that the tables have room for.
    pub(crate) room: usize,
    pub(crate) bytes: usize,
}

/// Data from which the memory needs of a pass are computed.
pub(crate) struct Plan {
    children: ChildEstimate,
    /// True if keys identify the positions.
    is_by_key: bool,
    /// True if the positions are kept in memory.
    keeps: bool,
    diagrams: bool,
}

impl Plan {
    pub(crate) fn new<S: Store>(children: ChildEstimate, goal: &Goal<'_>, options: &UniqueOptions<'_>) -> Plan {
        let is_by_key = matches!(goal.by, By::Key { .. });
        Plan { children, is_by_key, keeps: goal.keeps && S::IN_MEMORY, diagrams: options.diagrams }
    }

    /// Returns the number of distinct positions that `slices` slices need room for.
    fn room(&self, slices: u32) -> usize {
        // This leaves a wide margin for chance. The margin is limited because positions never outnumber moves.
        let share = self.children.guess * f64::from(slices) / f64::from(SLICES);
        ((share + 8.0 * share.sqrt() + 64.0) as usize).min(self.children.made as usize + 1)
    }

    pub(crate) fn pass(&self, slices: u32) -> Pass {
        let (room, total) = (self.room(slices), self.children.total);
        let table = Table::smallest(self.is_by_key, room, total);
        let diagrams = if self.diagrams { Table::Positions.bytes(room, total) } else { 0 };
        Pass { slices, table, room, bytes: table.bytes(room, total) + diagrams }
    }

    /// Returns the number of slices for the next pass, after `done` slices have been counted. The remaining slices are
    /// divided evenly among as few passes as `memory` allows.
    pub(crate) fn slices(&self, (ply, done): (u32, u32), memory: usize) -> Result<u32, UniqueError> {
        let left = SLICES - done;
        // A kept frontier is in memory together with the tables, and grows with each pass up to its full size.
        let beside = |slices: u32| match self.keeps {
            true if slices == left => Set::<POSITION>::compacting_bytes_for(self.room(left)),
            true => self.room(left) * size_of::<Entry<POSITION>>(),
            false => 0,
        };
        let needed = |slices: u32| self.pass(slices).bytes + beside(slices);
        let passes = (1..=left).find(|&passes| needed(left.div_ceil(passes)) <= memory || passes > 4096);
        let slices = left.div_ceil(passes.unwrap_or(1));
        if needed(slices) > memory {
            return Err(UniqueError::Memory { ply, found: memory, expected: needed(slices) });
        }
        Ok(slices)
    }
}

impl Pass {
    pub(crate) fn tables(&self, diagrams: bool) -> Result<Tables, UniqueError> {
        let mut tables = Tables::default();
        match self.table {
            Table::Positions => tables.positions = Some(Set::new(self.room)?),
            Table::Keys => tables.keys = Some(Set::new(self.room)?),
            Table::NarrowKeys => tables.narrow_keys = Some(Set::new(self.room)?),
        }
        if diagrams {
            tables.diagrams = Some(Set::new(self.room)?);
        }
        Ok(tables)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontier::Frontier;
    use crate::set::Summary;
    use perft_gate_chess::EnPassantPolicy;
    use perft_gate_simd::Level;
    use perft_gate_zobrist::preset;

    /// Plies 5 to 7 of the start position: numbers of distinct positions, and of moves that lead to them.
    const PLIES: [(u64, u64); 3] = [(822_518, 1_797_389), (9_417_681, 20_197_183), (96_400_068, 256_980_107)];
    /// Numbers of distinct positions of ply 8 and of moves that lead to them, and perft(8).
    const EIGHTH: (usize, u64, u128) = (988_187_354, 2_581_680_661, 84_998_978_956);

    /// Counting ply 8 of the start position by 128-bit keys takes one pass in 20 GiB. The published number of positions
    /// fits with room to spare, although the guess is lower.
    #[test]
    fn a_billion_keys_fit_into_20_gib() {
        let rows = PLIES.map(|(distinct, made)| Ply {
            positions: Summary { distinct, ..Summary::default() },
            made,
            passes: 1,
            ..Ply::default()
        });
        let (distinct, made, total) = EIGHTH;
        let children = ChildEstimate { made, guess: made as f64 * guessed_share(&rows), total };
        let frontier = 96_400_068 * size_of::<Entry<POSITION>>();
        // This is how the program divides its memory with 64 workers.
        let tables = |gib: usize| (gib << 30) - (16 << 20) - (64 << 20) - frontier;
        let by = By::Key { scheme: preset("cpw793").unwrap(), seed: 0 };
        let goal = Goal { by, keeps: false };
        let options = UniqueOptions { by, ..UniqueOptions::new(EnPassantPolicy::Legal, Level::detect(), 0) };
        let plan = Plan::new::<Frontier>(children, &goal, &options);
        let planned = |gib| plan.pass(plan.slices((8, 0), tables(gib)).unwrap());

        let pass = planned(20);
        assert_eq!((pass.slices, pass.table), (SLICES, Table::NarrowKeys));
        assert!(pass.bytes <= tables(20) && pass.bytes < 14 << 30, "{} bytes", pass.bytes);
        // A cache line of 64 bytes holds five slots.
        let slots = Set::<NARROW_KEY>::entry_bytes_for(pass.room) / 64 * 5;
        let load = distinct as f64 / slots as f64;
        assert!((0.84..0.88).contains(&load), "{load}");
        // In 20 GiB, entries of 16 bytes would need two passes. In 12 GiB, even entries of 12 bytes need two.
        assert!(Table::Keys.bytes(pass.room, total) > tables(20));
        assert_eq!(planned(12).slices, SLICES / 2);
    }

    #[test]
    fn entries_are_wide_where_counts_are_large() {
        assert_eq!(Table::smallest(true, 10_000_000, 1 << 28), Table::NarrowKeys);
        // Here most counts can be too large for a narrow entry. In the next case, all can be too large for any entry.
        assert_eq!(Table::smallest(true, 10_000_000, 1 << 40), Table::Keys);
        let large = Table::Keys.bytes(1000, 1 << 100) - Table::Keys.bytes(1000, 0);
        assert!(large >= 1000 * (16 + 16 + 1), "{large}");
        assert_eq!(Table::smallest(false, 1000, 1 << 100), Table::Positions);
    }
}
