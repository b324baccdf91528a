//! Splits a tree into tasks and runs them on all cores.
//!
//! **The rule** ([`SPLIT_RULE`]): the tree is cut at the first ply with at least 1024 nodes, or earlier if too few
//! plies would remain below the cut. At least 3 plies must remain, and at least 2 plies more than the visitor handles
//! itself, so that a task is worth its overhead. The rule depends only on the tree, never on the number of threads.
//! Tasks are listed, and their results joined, in tree order, so the report does not depend on scheduling. Tests split
//! earlier, so that they also cover faults below the split (see [`Split`]).

use crate::game::Game;
use crate::tree::walk_tree;
use crate::visitor::Visitor;
use perft_gate_simd::{Level, Token, V1, kernel};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The rule as text. It must change whenever the rule changes, because task numbers in a journal are valid only under
/// the rule that produced them.
pub const SPLIT_RULE: &str = "the first ply of 1024 nodes, at least 3 plies below";

/// The rule by which a tree is split into tasks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Split {
    /// Sufficient number of tasks. A ply that has at least this number of nodes is not split further.
    pub tasks: usize,
    /// Minimum number of plies below the root of a task.
    pub least_depth: u32,
}

impl Split {
    /// The standard rule ([`SPLIT_RULE`]), used by every count and verification.
    pub const RULE: Split = Split { tasks: 1024, least_depth: 3 };
    /// A rule that splits any tree of at least two plies right below its root. Tests use it to plant faults below the
    /// split of a small tree.
    pub const AT_ONCE: Split = Split { tasks: 2, least_depth: 1 };

    /// Returns the minimum number of plies below the root of a task, for a visitor that handles subtrees of `cut` plies
    /// itself.
    fn least_depth(self, cut: u32) -> u32 {
        self.least_depth.max(if cut > 0 { cut + 2 } else { 0 })
    }
}

impl Default for Split {
    fn default() -> Split {
        Split::RULE
    }
}

/// Controls a walk: holds its split rule, its stop flag and its progress.
#[derive(Default, Debug)]
pub struct Control {
    /// The rule of the split.
    pub split: Split,
    /// Stop flag: set it to end the walk early.
    pub stop: AtomicBool,
    /// Number of polls ([`Control::is_stopped`]) until the walk stops, or 0 if there is no limit.
    polls_left: AtomicU64,
    progress: AtomicU64,
    total: AtomicU64,
}

/// The progress of a walk, in tasks.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Number of finished tasks.
    pub done: u64,
    /// Number of all tasks, or 0 before the split is known.
    pub total: u64,
}

impl Control {
    /// Makes a control with a split other than [`Split::RULE`].
    pub fn splitting(split: Split) -> Control {
        Control { split, ..Control::default() }
    }

    /// Makes the walk stop at the `polls`-th poll, or never if `polls` is 0. Tests use this to stop a walk at any of
    /// its polls.
    pub fn stopping_after(mut self, polls: u64) -> Control {
        self.polls_left = polls.into();
        self
    }

    /// Returns true if the walk should stop. Each call counts as a poll.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        // Inner loops poll, so without a limit a poll must do nothing but load. With a limit, threads that race can
        // decrement the counter past 0, but the stop flag is set by then.
        if self.polls_left.load(Ordering::Relaxed) != 0 && self.polls_left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.stop.store(true, Ordering::Relaxed);
        }
        self.stop.load(Ordering::Relaxed)
    }

    /// Begins work that consists of `total` tasks.
    pub fn begin(&self, total: u64) {
        self.progress.store(0, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }

    /// Counts finished tasks.
    pub fn advance(&self, tasks: u64) {
        self.progress.fetch_add(tasks, Ordering::Relaxed);
    }

    /// Returns the progress of the walk.
    pub fn progress(&self) -> Progress {
        let load = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Progress { done: load(&self.progress), total: load(&self.total) }
    }
}

/// The split of a tree: its tasks and the plies above them.
pub struct TaskPlan<G: Game> {
    /// Number of plies above the tasks.
    pub trunk: u32,
    /// Number of plies below the roots of the tasks.
    pub below: u32,
    /// The tasks in tree order. Each one is a pair of the moves that lead to its root and the root itself.
    pub tasks: Vec<(Vec<G::Move>, G)>,
}

/// Number of moves to reserve per node. The average number of moves over a ply is rarely higher.
const RESERVED_MOVES: usize = 48;

#[kernel]
fn expand<L: Token, G: Game>(level: L, tasks: &[(Vec<G::Move>, G)]) -> Vec<(Vec<G::Move>, G)> {
    // Growing the vector would copy megabytes and touch twice as many pages. Capacity that is reserved but never used
    // takes up no physical memory.
    let mut children = Vec::with_capacity(tasks.len() * RESERVED_MOVES);
    for (path, game) in tasks {
        let mut moves = G::Moves::default();
        game.moves_apart(level, &mut moves);
        for &mv in moves.iter() {
            let mut child = game.clone();
            let _ = child.play(level, mv);
            children.push(([&path[..], &[mv]].concat(), child));
        }
    }
    children
}

impl<G: Game> TaskPlan<G> {
    /// Splits the tree of `depth` plies below `root` into tasks. The visitor handles the last `cut` plies itself.
    pub fn new(root: G, depth: u32, cut: u32, split: Split) -> TaskPlan<G> {
        let mut plan = TaskPlan { trunk: 0, below: depth, tasks: vec![(Vec::new(), root)] };
        while plan.tasks.len() < split.tasks && plan.below > split.least_depth(cut) {
            // Only a few thousand nodes are expanded, so separate code for each SIMD level would not be worth its size.
            plan.tasks = expand(V1::token(), &plan.tasks);
            plan.trunk += 1;
            plan.below -= 1;
        }
        plan
    }

    /// Calls `work` on the current rayon pool with each task's number, the moves that lead to its root, and the root.
    /// Returns the results in task order. Tasks skipped after a stop have no result.
    pub fn run<R: Send>(
        &self,
        control: &Control,
        work: impl Fn(usize, &[G::Move], &G) -> Option<R> + Sync,
    ) -> Vec<Option<R>> {
        control.begin(self.tasks.len() as u64);
        let run = |(number, (path, game)): (usize, &(Vec<G::Move>, G))| {
            if control.is_stopped() {
                return None;
            }
            let result = work(number, path, game);
            control.advance(1);
            result
        };
        // Tasks are large, so each one can be stolen by itself.
        self.tasks.par_iter().enumerate().with_max_len(1).map(run).collect()
    }
}

/// Walks a tree on the current rayon pool: the trunk (the plies above the tasks) first, then every task.
///
/// `visitor` creates the visitor for a subtree from the moves that lead there and the subtree's depth. `finish` turns
/// the visitor into a result as soon as the subtree has been walked, so the next visitor can reuse its memory. Each
/// result comes with the ply of the root of its subtree. The result of the trunk comes first. The results of the tasks
/// follow in tree order, without tasks that were skipped after a stop.
pub fn run_tasks<G, V, R>(
    level: Level,
    root: G,
    depth: u32,
    control: &Control,
    visitor: impl Fn(&[G::Move], u32) -> V + Sync,
    finish: impl Fn(V) -> R + Sync,
) -> Vec<(usize, R)>
where
    G: Game,
    V: Visitor<G>,
    R: Send,
{
    let plan = TaskPlan::new(root.clone(), depth, V::CUT, control.split);
    let trunk = (plan.trunk > 0).then(|| {
        let (mut visitor, mut game) = (visitor(&[], plan.trunk), root.clone());
        walk_tree(level, &mut game, &mut visitor, plan.trunk, true);
        (0, finish(visitor))
    });
    let tasks = plan.run(control, |_, path, root| {
        let (mut visitor, mut game) = (visitor(path, plan.below), root.clone());
        walk(level, &mut game, &mut visitor, plan.below);
        Some(finish(visitor))
    });
    trunk.into_iter().chain(tasks.into_iter().flatten().map(|task| (plan.trunk as usize, task))).collect()
}

/// Walks a tree on this thread, without splitting it.
pub fn walk<G: Game, V: Visitor<G>>(level: Level, game: &mut G, visitor: &mut V, depth: u32) {
    walk_tree(level, game, visitor, depth, false);
}
