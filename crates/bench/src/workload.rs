//! Workloads: what each one does in a pass, and the known count that it must find.
//!
//! A workload's version is raised when its work changes, not when its speed does. Whenever it is raised,
//! [`WORKLOADS_VERSION`] is raised too. A compute-bound workload does its work once per thread. A memory-bound workload
//! does its work once, and all threads share one table.

use super::protocol::BenchError;
use super::team::Team;
use perft_gate_chess::{Board, quantity};
use perft_gate_count::table::{EntryMatch, PerftTable};
use perft_gate_count::{Paths, TreeCounter};
use perft_gate_lab::measure::TimedWork;
use perft_gate_lab::timed::queens;
use perft_gate_simd::Level;
use perft_gate_suite::{self as suite, Row};
use perft_gate_unique::{self, UniqueOptions};
use perft_gate_walk::{Control, Settings};
use perft_gate_zobrist::preset;
use rayon::prelude::*;
use std::cell::RefCell;

perft_gate_chess::named! {
    /// Kind of work that a pass does. Records and the command line use its name.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum Workload {
        /// All ways to place twelve queens on a twelve-by-twelve board. The code is small, never changes and is
        /// compiled for any machine.
        Queens = "queens",
        /// Counts leaves: every move but the last is made, and the last ply is counted in bulk.
        Bulk = "bulk",
        /// Counts leaves, with the last two plies counted set-wise if the level has vectors.
        SetWise = "setwise",
        /// Counts nodes: every move is made, unmade and checked, as in `perft gate`.
        Verify = "verify",
        /// Counts leaves, using a table of 256 MiB that is empty at the start of each pass.
        Hashed = "hashed",
        /// Counts the distinct positions at a ply, using sets of 90 MiB.
        Unique = "unique",
    }

    /// Resource that bounds a workload.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Bound {
        /// Core and its nearest cache.
        Core = "core",
        /// Memory beyond the caches of most machines.
        Memory = "memory",
    }
}

/// Version of the set of workloads. Raise it whenever the version of a workload is raised, and when a workload is added
/// or removed.
pub const WORKLOADS_VERSION: u32 = 1;

/// Workload that measures only the machine's speed.
pub const YARDSTICK: Workload = Workload::Queens;

/// Size in bytes of the table for [`Workload::Hashed`].
const TABLE_BYTES: u64 = 256 << 20;
/// Maximum number of bytes for the distinct positions.
const MAX_SET_BYTES: usize = 1 << 30;
/// Number of distinct positions at ply 4 of Kiwipete.
const KIWIPETE_DISTINCT: u64 = 1_374_152;

/// Rows of the standard suite, and the depths to which they are counted.
const COUNTED: [(&str, u32); 6] =
    [("startpos", 5), ("kiwipete", 4), ("position 3", 5), ("position 4", 4), ("position 5", 4), ("position 6", 4)];
/// Rows of the standard suite, and the depths to which they are verified.
const VERIFIED: [(&str, u32); 6] =
    [("startpos", 4), ("kiwipete", 3), ("position 3", 4), ("position 4", 4), ("position 5", 3), ("position 6", 3)];
/// Startpos at depth 7, deeper than the suite goes (OEIS A048987).
const HASHED: (&str, u32, u64) = ("startpos", 7, 3_195_901_860);

impl Workload {
    pub const fn unit(self) -> &'static str {
        match self {
            Workload::Queens => "solutions",
            Workload::Bulk | Workload::SetWise | Workload::Hashed => "leaves",
            Workload::Verify => "nodes",
            Workload::Unique => "positions",
        }
    }

    pub const fn bound(self) -> Bound {
        if matches!(self, Workload::Hashed | Workload::Unique) { Bound::Memory } else { Bound::Core }
    }

    /// Returns the version of the workload's definition.
    pub const fn version(self) -> u32 {
        1
    }

    /// Returns how many units one pass counts when it runs on `threads` threads.
    pub fn units(self, threads: usize) -> u64 {
        let leaves = |row: &Row, depth| row.count(depth);
        let all_plies = |row: &Row, depth| (0..=depth).map(|depth| row.count(depth)).sum();
        let of_trees = |listed: &[(&str, u32)], known: &dyn Fn(&Row, u32) -> Option<u128>| {
            trees(listed).iter().map(|(row, depth)| known(row, *depth).expect("a listed count")).sum::<u128>() as u64
        };
        match self {
            Workload::Queens => QUEENS_SOLUTIONS * threads as u64,
            Workload::Bulk | Workload::SetWise => of_trees(&COUNTED, &leaves) * threads as u64,
            Workload::Verify => of_trees(&VERIFIED, &all_plies) * threads as u64,
            Workload::Hashed => HASHED.2,
            Workload::Unique => KIWIPETE_DISTINCT,
        }
    }

    /// Returns a title such as `setwise on 2 threads`.
    pub(super) fn title(self, threads: usize) -> String {
        format!("{} on {}", self.name(), quantity(threads as u64, "thread"))
    }

    /// Returns this workload as timed work for a team. **Panics** if the workload needs a table and `table` is `None`.
    pub(super) fn on<'a>(self, team: &'a Team, level: Level, table: Option<&'a RefCell<PerftTable>>) -> TimedWork<'a> {
        let units = self.units(team.threads);
        match self {
            Workload::Queens => TimedWork::new(units, move || team.each(|_| queens(QUEENS)).into_iter().sum()),
            Workload::Bulk => tree_work(team, trees(&COUNTED), units, move |board, depth, control| {
                perft_gate_walk::count_in_bulk(board, depth, level, control).nodes[depth as usize]
            }),
            Workload::SetWise => tree_work(team, trees(&COUNTED), units, move |board, depth, control| {
                // Does not merge transpositions, so that every version of the program does the same work.
                TreeCounter { paths: Paths::Every, ..TreeCounter::new(level) }.leaves(board, depth, control).nodes
            }),
            Workload::Verify => verify_work(team, level, units),
            Workload::Hashed => hashed_work(team, level, units, table.expect("a table was made")),
            Workload::Unique => unique_work(team, level, units),
        }
    }
}

/// Allocates the table for [`Workload::Hashed`] on a worker of the team. **Errors**: there is not enough memory.
pub(super) fn hashed_table(team: &Team) -> Result<RefCell<PerftTable>, BenchError> {
    let table = team.pool.install(|| PerftTable::new(TABLE_BYTES, EntryMatch::Tag));
    table.map(RefCell::new).map_err(|error| BenchError::System(format!("the table of hashed: {error}")))
}

/// Returns the listed rows of the standard suite, each with its depth.
fn trees(wanted: &[(&str, u32)]) -> Vec<(Row, u32)> {
    let rows = suite::embedded("standard").map(suite::parse).expect("it is built in").expect("it reads");
    let row = |id: &str| rows.iter().find(|row| row.id == id).expect("a classic position").clone();
    wanted.iter().map(|&(id, depth)| (row(id), depth)).collect()
}

/// Returns work that counts every tree once per thread. Idle threads help to finish the last trees.
fn tree_work<'a>(
    team: &'a Team,
    trees: Vec<(Row, u32)>,
    units: u64,
    count: impl Fn(&Board, u32, &Control) -> u128 + Sync + Send + 'a,
) -> TimedWork<'a> {
    let pass = move || {
        let control = Control::default();
        let count = |number: usize| {
            let (row, depth) = &trees[number % trees.len()];
            count(row.board(), *depth, &control)
        };
        let numbers = (0..team.threads * trees.len()).into_par_iter().with_max_len(1);
        team.pool.install(|| numbers.map(count).sum::<u128>()) as u64
    };
    TimedWork::new(units, pass)
}

/// Returns work that does what `perft gate` does, with all default checks at every node.
fn verify_work(team: &Team, level: Level, units: u64) -> TimedWork<'_> {
    let scheme = preset("cpw793").expect("a preset");
    let settings = Settings { scheme, secondary: &[], seed: 0, level, sample_mask: 4095 };
    tree_work(team, trees(&VERIFIED), units, move |board, depth, control| {
        let report = perft_gate_walk::verify(board, depth, settings, control);
        // A failed check is reported as a wrong count.
        if report.mismatches.is_empty() { report.total() } else { 0 }
    })
}

fn hashed_work<'a>(team: &'a Team, level: Level, units: u64, table: &'a RefCell<PerftTable>) -> TimedWork<'a> {
    let (id, depth, _) = HASHED;
    let board = *trees(&[(id, depth)])[0].0.board();
    let pass = move || {
        let mut table = table.borrow_mut();
        let table = &mut *table;
        let leaves = team.pool.install(|| {
            table.clear();
            TreeCounter { table: Some((&*table).into()), ..TreeCounter::new(level) }.leaves(
                &board,
                depth,
                &Control::default(),
            )
        });
        leaves.nodes as u64
    };
    TimedWork::new(units, pass)
}

fn unique_work(team: &Team, level: Level, units: u64) -> TimedWork<'_> {
    let (row, depth) = trees(&[("kiwipete", 4)]).remove(0);
    let leaves = row.count(depth).expect("a listed count");
    let policy = preset("cpw793").expect("a preset").policy();
    // Large tables, not the small ones that `groups` uses, so that the workload is memory-bound.
    let options = UniqueOptions { groups: false, ..UniqueOptions::new(policy, level, MAX_SET_BYTES) };
    let pass = move || {
        let counted = team
            .pool
            .install(|| perft_gate_unique::unique(row.board(), depth, &options, &Control::default(), &mut |_| ()));
        let positions = counted.ok().and_then(|counted| counted.plies.last().map(|ply| ply.positions));
        // A total that differs from the perft count is reported as a wrong count.
        positions.filter(|positions| positions.total == leaves).map_or(0, |positions| positions.distinct)
    };
    TimedWork::new(units, pass)
}

const QUEENS: u32 = 12;
/// OEIS A000170.
const QUEENS_SOLUTIONS: u64 = 14_200;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_workload_counts_what_is_known_on_one_thread_and_on_two() {
        let table = RefCell::new(PerftTable::new(1 << 24, EntryMatch::Tag).unwrap());
        for threads in [1, 2] {
            let team = Team::new(threads).unwrap();
            for workload in Workload::ALL {
                let mut work = workload.on(&team, Level::detect(), Some(&table));
                assert_eq!((work.pass)(), work.nodes, "{} on {threads}", workload.name());
            }
        }
    }
}
