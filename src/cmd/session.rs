//! A counting session: its threads, SIMD level and hash table. `count`, `divide`, `tasks run` and `uci` use it.

use super::checkpoint::Checkpoint;
use super::estimate;
use crate::args::run::{RunArgs, control};
use crate::args::size::{self, MemorySize};
use crate::failure::{Interrupted, Result, Usage};
use crate::out::progress::{with_bar, with_task_bar};
use clap::Args;
use perft_gate_chess::{Board, EnPassantPolicy, Move, Packed, legal_moves, quantity};
use perft_gate_count::table::{EntryMatch, PerftTable, TableStats, expected_wrong_hits};
use perft_gate_count::{Journal, LeafCount, Paths, TreeCounter};
use perft_gate_machine::memory_in_huge_pages;
use perft_gate_report::count::{CountedPaths, TableUse};
use perft_gate_report::text::rate;
use perft_gate_simd::Level;
use perft_gate_walk::{Control, board_after};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Arguments for the hash table and the threads of a count.
#[derive(Args, Debug)]
pub struct TableArgs {
    /// Count transpositions once, in a table of this size (512M, 4G; 0 for none). `auto` takes as much as the tree can
    /// use, up to three quarters of the free memory.
    #[arg(long, value_name = "SIZE|auto")]
    hash: Option<MemorySize>,
    /// Compare whole positions in the table instead of 64 bits of their keys. Counts are exact, but fewer positions
    /// fit.
    #[arg(long, requires = "hash")]
    exact: bool,
    /// Seed of the table's keys. Counts with two seeds confirm each other: they have no wrong hit in common.
    #[arg(long, requires = "hash", default_value_t = 0)]
    seed: u64,
    /// Visit every path. By default, without a table, most positions that several paths reach are visited only once.
    #[arg(long, conflicts_with = "hash")]
    every_path: bool,
    /// Start on a terminal even if the count would take longer than a lifetime.
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    run: RunArgs,
}

/// The SIMD level, threads, stop control and hash table that a command uses for counting.
pub struct CountSession {
    pub level: Level,
    pub pool: rayon::ThreadPool,
    pub control: Arc<Control>,
    pub table: Option<PerftTable>,
    paths: Paths,
}

impl TableArgs {
    /// Starts the threads, and allocates a hash table for counting `trees`.
    pub fn session(&self, trees: &[(Board, u32)]) -> Result<CountSession> {
        let mut session = CountSession::new(&self.run, control()?)?;
        if self.every_path {
            session.paths = Paths::Every;
        }
        let hash = self.hash.filter(|size| *size != MemorySize::Bytes(0));
        let seconds = trees.iter().map(|(board, depth)| match session.seconds(board, *depth) {
            // At best, a count visits each position once per depth.
            seconds if seconds > 1.0 && (hash.is_some() || session.counter(None).merges(board, *depth)) => {
                seconds.min(stored_positions(board, *depth) / MAX_RATE)
            }
            seconds => seconds,
        });
        estimate::check_lifetime(seconds.sum(), self.yes)?;
        let Some(size) = hash else { return Ok(session) };
        let identity = if self.exact { EntryMatch::Position } else { EntryMatch::Tag };
        let positions = || trees.iter().map(|(board, depth)| stored_positions(board, *depth)).sum::<f64>();
        let useful = || positions() * PerftTable::bytes_per_entry(identity) * ROOM;
        let bytes = size.bytes("--hash", useful)?;
        session.set_table(bytes, identity).map_err(|error| Usage(format!("--hash: {error}")))?;
        session.table = session.table.map(|table| table.with_seed(self.seed));
        if session.was_stopped() {
            return Err(Interrupted("nothing was counted".into()));
        }
        for (board, depth) in trees {
            if let Some(found) = session.too_many_wrong_hits(board, *depth) {
                return Err(Usage(format!("--hash: {found}: use --exact")));
            }
        }
        Ok(session)
    }
}

/// Number of hash-table entries per stored position beyond which a larger table brings no benefit.
const ROOM: f64 = 1.5;

/// Maximum number of inner nodes in the smaller counts that are run to predict how many hash tags a count compares.
const PLANNED_WITH: f64 = 1e8;

/// Depth up to which no count takes a lifetime, regardless of the position.
pub const MAX_SHORT: u32 = 11;
/// Upper bound on the number of positions that a count stores in its hash table per second.
pub const MAX_RATE: f64 = 1e7;
/// Number of plies that are counted to estimate the time of a count.
const PROBED: u32 = 4;

/// Maximum expected number of wrong hash hits in a count. A count for which more are expected is refused.
const MAX_WRONG_HITS: f64 = 1e-9;

/// Returns the estimated number of nodes that may be looked up in a table: those with at least two plies below them.
fn inner_nodes(board: &Board, depth: u32) -> f64 {
    1.0 + estimate::nodes_below(board, Vec::new(), depth.saturating_sub(2))
}

/// Describes what share of the table is in huge pages. Returns an empty string if the system does not report it.
fn huge_pages(table: u64) -> String {
    match memory_in_huge_pages() {
        None => String::new(),
        Some(huge) if huge >= table => " in huge pages".into(),
        Some(0) => " without huge pages".into(),
        Some(huge) => format!(" {:.0} % in huge pages", 100.0 * huge as f64 / table as f64),
    }
}

/// Maximum number of positions of a ply that are expanded to estimate the growth of the next plies.
const MAX_EXPANDED: usize = 30_000;

/// Returns the estimated number of distinct positions that a hash table may hold: those with at least two plies below
/// them. The first plies are counted, and the rest are extrapolated from the ratio of the last two counts.
pub fn stored_positions(root: &Board, depth: u32) -> f64 {
    let packed = |board: &Board| Packed::new(board, EnPassantPolicy::Legal);
    let mut frontier = HashMap::from([(packed(root), *root)]);
    let (mut counts, plies) = (vec![1.0], depth.saturating_sub(2));
    while counts.len() <= plies as usize && frontier.len() <= MAX_EXPANDED {
        let moves = |board: &Board| legal_moves(board).to_vec().into_iter();
        let children = frontier.values().flat_map(|board| moves(board).map(|mv| board_after(board, mv)));
        frontier = children.map(|child| (packed(&child), child)).collect();
        counts.push(frontier.len() as f64);
    }
    estimate::extrapolate(&mut counts, plies as usize + 1);
    // There are never more positions than nodes.
    counts.iter().sum::<f64>().min(inner_nodes(root, depth))
}

impl CountSession {
    /// Starts the threads of a session without a table. `control` can stop its counts.
    pub fn new(run: &RunArgs, control: Arc<Control>) -> Result<CountSession> {
        let (pool, _) = run.pool()?;
        Ok(CountSession { level: run.level()?, pool, control, table: None, paths: Paths::Merged })
    }

    /// Allocates the table while showing a progress bar. The content of the old table is lost. A request to stop ends
    /// the allocation.
    ///
    /// **Errors**: the message says what was found and expected.
    pub fn set_table(&mut self, bytes: u64, identity: EntryMatch) -> Result<(), String> {
        let touched = AtomicU64::new(0);
        let goes_on = |piece: usize| {
            touched.fetch_add(piece as u64, Ordering::Relaxed);
            !self.was_stopped()
        };
        let progress = || (touched.load(Ordering::Relaxed) >> 20, bytes >> 20);
        let provide = || self.pool.install(|| PerftTable::with_progress(bytes, identity, goes_on));
        let table = with_bar(("memory for the table", "MiB"), progress, provide);
        self.table = Some(table.map_err(|error| format!("{error}, expected {}", size::text(bytes)))?);
        Ok(())
    }

    pub fn clear_table(&mut self) {
        if let Some(table) = &mut self.table {
            self.pool.install(|| table.clear());
        }
    }

    pub fn counter<'a>(&'a self, checkpoint: Option<&'a Checkpoint<'_>>) -> TreeCounter<'a> {
        let journal = checkpoint.map(|checkpoint| checkpoint as &dyn Journal);
        let table = self.table.as_ref().map(Into::into);
        TreeCounter { table, journal, paths: self.paths, ..TreeCounter::new(self.level) }
    }

    /// Estimates the time of a count in seconds from its first plies. Returns 1 for a count of at most `MAX_SHORT`
    /// plies.
    fn seconds(&self, board: &Board, depth: u32) -> f64 {
        if depth <= MAX_SHORT {
            return 1.0;
        }
        let report = perft_gate_count::count(board, PROBED, self.level, &Control::default());
        let [.., before, last] = report.nodes[..] else { return 1.0 };
        let growth = last as f64 / before.max(1) as f64;
        let rate = last as f64 / report.time.as_secs_f64().max(1e-6) * self.threads() as f64;
        last as f64 * growth.powi((depth - PROBED) as i32) / rate
    }

    pub fn was_stopped(&self) -> bool {
        self.control.is_stopped()
    }

    pub fn leaves(&self, name: &str, counter: TreeCounter<'_>, board: &Board, depth: u32) -> LeafCount {
        with_task_bar(&self.control, name, || self.pool.install(|| counter.leaves(board, depth, &self.control)))
    }

    /// Returns the leaf count of each root move. After a stop, only moves that were counted completely are included.
    pub fn divide(&self, counter: TreeCounter<'_>, board: &Board, depth: u32) -> Vec<(Move, u128)> {
        self.pool.install(|| counter.divide(board, depth, &self.control))
    }

    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Returns a message if too many wrong hits are expected from 64-bit tags. The size of the tree gives a first bound
    /// on the number of tags compared, which is far too large. If that bound allows too many wrong hits, two smaller
    /// counts are run to predict how many tags are compared.
    pub fn too_many_wrong_hits(&self, board: &Board, depth: u32) -> Option<String> {
        let table = self.table.as_ref().filter(|table| table.identity() == EntryMatch::Tag)?;
        let most = PerftTable::MAX_COMPARED * inner_nodes(board, depth);
        if expected_wrong_hits(most as u64) <= MAX_WRONG_HITS {
            return None;
        }
        let smaller = (2..depth).rev().find(|&smaller| inner_nodes(board, smaller) <= PLANNED_WITH).unwrap_or(2);
        let comparisons = [smaller - 1, smaller].map(|depth| {
            let before = table.tally().comparisons;
            self.leaves("planning", self.counter(None), board, depth);
            (table.tally().comparisons - before) as f64
        });
        let growth = comparisons[1] / comparisons[0].max(1.0);
        let planned = comparisons[1] * growth.powi((depth - smaller) as i32);
        let wrong = expected_wrong_hits(planned as u64);
        (wrong > MAX_WRONG_HITS && !self.was_stopped()).then(|| {
            format!("found {wrong:.1e} wrong counts on average at depth {depth}, expected at most {MAX_WRONG_HITS:.0e}")
        })
    }

    /// Describes the time and rate of a run, and the conditions under which the rate was measured.
    pub fn speed(&self, nodes: u128, time: Duration) -> String {
        let rate = rate(nodes, time);
        let rate = rate.map_or(String::new(), |rate| format!(", {:.0} million nodes/s", rate / 1e6));
        let way = match self.counted_paths() {
            None => "bulk counting with a table",
            Some(CountedPaths::Merged) => "bulk counting, transpositions merged",
            Some(CountedPaths::Every) => "bulk counting of every path",
        };
        let (threads, level) = (quantity(self.threads() as u64, "thread"), self.level);
        format!("time {:.3} s{rate} ({way}, {threads}, level {level})", time.as_secs_f64())
    }

    /// Returns which paths are visited, or `None` if there is a hash table, because the table then decides which.
    pub fn counted_paths(&self) -> Option<CountedPaths> {
        self.table.is_none().then_some(match self.paths {
            Paths::Merged => CountedPaths::Merged,
            Paths::Every => CountedPaths::Every,
        })
    }

    /// Prints the hash table's statistics. `comparisons` is the total over all runs, or `None` if this is the only run.
    pub fn say_table(&self, comparisons: Option<u64>) {
        let Some(table) = &self.table else { return };
        let tally = table.tally();
        let share = |part: u64, of: u64| 100.0 * part as f64 / of.max(1) as f64;
        say!(
            "table {}{}{}: {} probes, {:.1} % known, {} stored, {:.1} % of them replaced others, {} too large to store",
            size::text(table.bytes()),
            huge_pages(table.bytes()),
            if table.seed() == 0 { String::new() } else { format!(", seed {}", table.seed()) },
            tally.probes,
            share(tally.hits, tally.probes),
            tally.stores,
            share(tally.evictions, tally.stores),
            tally.too_large
        );
        match table.identity() {
            EntryMatch::Position => say!("entries hold whole positions, so no hit can be wrong"),
            EntryMatch::Tag => say_wrong_hits(comparisons.unwrap_or(tally.comparisons)),
        }
    }

    pub fn table_use(&self) -> Option<TableUse> {
        let table = self.table.as_ref()?;
        let TableStats { probes, hits, comparisons, stores, evictions, too_large } = table.tally();
        let exact = table.identity() == EntryMatch::Position;
        let expected_wrong_hits = if exact { 0.0 } else { expected_wrong_hits(comparisons) };
        let (bytes, seed) = (table.bytes(), table.seed());
        Some(TableUse { bytes, exact, seed, probes, hits, stores, evictions, too_large, expected_wrong_hits })
    }

    /// Returns the kind of the session's hash table as text for a file name, or an empty string if there is no table.
    pub fn kind_of_table(&self) -> String {
        let Some(table) = &self.table else { return String::new() };
        let identity = if table.identity() == EntryMatch::Tag { "hash" } else { "exact" };
        if table.seed() == 0 { identity.into() } else { format!("{identity}-seed-{}", table.seed()) }
    }
}

/// Prints how many hash tags were compared, and how many wrong hits to expect.
pub fn say_wrong_hits(comparisons: u64) {
    let wrong = expected_wrong_hits(comparisons);
    say!("{comparisons} tags compared: at most {wrong:.1e} wrong hits expected");
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_chess::Fen;

    /// Plies 0 to 7 of the start position have 106,718,128 distinct positions (OEIS A083276).
    #[test]
    fn a_table_is_no_larger_than_its_tree_can_use() {
        let start = Fen::parse(Fen::START).expect("a position");
        assert_eq!(stored_positions(&start, 5), 1.0 + 20.0 + 400.0 + 5362.0);
        let known = 1.0 + 20.0 + 400.0 + 5362.0 + 72_078.0 + 822_518.0 + 9_417_681.0 + 96_400_068.0;
        let estimate = stored_positions(&start, 9) / known;
        assert!((1.0..2.5).contains(&estimate), "{estimate}");
        assert!(inner_nodes(&start, 9) > 10.0 * known);
        let kings = Fen::parse("4k3/8/8/8/8/8/8/4K3 w - - 0 1").expect("a position");
        assert!(stored_positions(&kings, 60) < 8000.0 * 60.0);
        assert_eq!(stored_positions(&start, 0), 1.0);
    }
}
