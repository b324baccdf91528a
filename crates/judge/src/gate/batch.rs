//! Scheduling of rows: large ones one by one, each on all threads; small ones several at a time, each on one thread.

use super::verdict::{Options, PlannedWalk, RowPlan, RowVerdict, plan};
use perft_gate_suite::Row;
use rayon::{BroadcastContext, ThreadPool};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Minimum number of leaves of a large row.
const LARGE: u128 = 50_000;
/// Maximum number of rows in a batch, whose verdicts appear together.
const MAX_ROWS: usize = 256;

/// Rows judged at the same time, each with its plan.
#[derive(Debug)]
pub struct Batch(Vec<(Row, RowPlan)>);

/// Splits rows into batches: one large row, or consecutive small rows.
pub fn batches(rows: impl Iterator<Item = Row>, options: Options<'_>) -> impl Iterator<Item = Batch> {
    let planned = move |row: Row| {
        let plan = plan(&row, options.depth, options.max_nodes);
        (row, plan)
    };
    let mut rows = rows.map(planned).peekable();
    std::iter::from_fn(move || {
        let mut batch = vec![rows.next()?];
        while batch.len() < MAX_ROWS && batch.last().is_some_and(is_small) {
            let Some(next) = rows.next_if(is_small) else { break };
            batch.push(next);
        }
        Some(Batch(batch))
    })
}

fn is_small((row, plan): &(Row, RowPlan)) -> bool {
    match plan {
        RowPlan::Walk(depth, _) => row.count(*depth).map_or(*depth <= 2, |leaves| leaves < LARGE),
        RowPlan::Skip(_) => true,
    }
}

impl Batch {
    pub fn name(&self) -> &str {
        &self.0[0].0.id
    }

    /// Returns the verdicts, in order; `walk` judges the rows that are not skipped.
    pub fn judge(
        &self,
        options: Options<'_>,
        pool: &ThreadPool,
        walk: impl Fn(PlannedWalk<'_>) -> RowVerdict + Sync,
    ) -> Vec<RowVerdict> {
        let judge = |(row, plan): &(Row, RowPlan)| RowVerdict::by_plan(plan, row, options, &walk);
        if let [row] = &self.0[..] {
            return vec![pool.install(|| judge(row))];
        }
        // Each worker takes its next row when the last is done. If rows were pool tasks, they could nest without limit.
        let next = AtomicUsize::new(0);
        let work = |_: BroadcastContext<'_>| -> Vec<(usize, RowVerdict)> {
            let rows = std::iter::from_fn(|| {
                let place = next.fetch_add(1, Relaxed);
                Some((place, self.0.get(place)?))
            });
            rows.map(|(place, row)| (place, judge(row))).collect()
        };
        let mut verdicts = pool.broadcast(work).concat();
        verdicts.sort_unstable_by_key(|(place, _)| *place);
        verdicts.into_iter().map(|(_, verdict)| verdict).collect()
    }
}
