//! History of each machine with several whole records: their scores by date.

use super::machines::PageMachine;
use super::standing::{Standing, Threads};
use crate::page::format::fixed;
use crate::page::model::{Cell, PageTable, Section};

pub(super) fn section(machines: &[PageMachine<'_>]) -> Option<Section> {
    let tables: Vec<PageTable> = machines.iter().filter_map(table).collect();
    (!tables.is_empty()).then(|| Section {
        tables,
        ..Section::new(
            "history",
            "History",
            "Whole records of one hardware and label, the latest last. Where the revision is the same, they show how much two \
             runs of one machine differ; where it is another, the program may have changed.",
        )
    })
}

fn table(machine: &PageMachine<'_>) -> Option<PageTable> {
    let whole = machine.whole_runs();
    let rows = whole.iter().flat_map(|run| {
        let threads = Threads::BOTH.into_iter().take(run.summary.scores.len());
        threads.filter_map(|threads| Standing::of(&run.summary, threads)).map(|Standing { threads, score, .. }| {
            vec![
                Cell::text(&run.record.started),
                Cell::text(run.record.build.name()),
                Cell::Count(threads as u128),
                Cell::number(score.median, 1),
                Cell::range(score, |end| fixed(end, 1)),
                Cell::of(run.record.settings.quick.then_some("quick run"), Cell::text),
            ]
        })
    });
    let columns = ["score", "interval", "remark"];
    (whole.len() > 1)
        .then(|| PageTable::new(&machine.label, &["started", "revision", "threads"], &columns, rows.collect()))
}

#[cfg(test)]
mod tests {
    use super::super::machines::{of_records, tests::record};
    use super::*;

    #[test]
    fn only_a_machine_with_several_whole_records_has_a_history() {
        let mut stopped = record("A 1", "2026-03-03T00:00:00Z", 1.0);
        stopped.settings.interrupted = true;
        let [first, second] = ["2026-01-01T00:00:00Z", "2026-02-02T00:00:00Z"].map(|at| record("A 1", at, 1.0));
        assert!(section(&of_records(&[first.clone(), stopped.clone()], None)).is_none());
        let found = section(&of_records(&[stopped, second, first], None)).expect("two whole records");
        let started: Vec<String> = found.tables[0].rows.iter().map(|row| row[0].shown()[..7].into()).collect();
        assert_eq!(started, ["2026-01", "2026-01", "2026-02", "2026-02"]);
    }
}
