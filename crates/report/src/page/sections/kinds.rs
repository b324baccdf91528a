//! Speed of one thread on each kind of core, for machines that have several.

use super::machine::PageMachine;
use crate::page::model::{Cell, PageTable, Section};

const MILLION: f64 = 1e6;

pub(super) fn section(machines: &[PageMachine<'_>]) -> Option<Section> {
    let tables: Vec<PageTable> = machines.iter().filter_map(table).collect();
    (!tables.is_empty()).then(|| Section {
        id: "kinds",
        title: "Kinds of cores",
        text: vec![
            "One thread, pinned to a core of each kind, while the others are idle. The last column compares with the \
             machine's fastest kind."
                .into(),
        ],
        tables,
        ..Section::default()
    })
}

fn table(machine: &PageMachine<'_>) -> Option<PageTable> {
    let mut table = PageTable::new(
        format!("One thread on each kind of core, in millions a second: {}", machine.label),
        &["workload", "kind of core"],
        &["M/s", "from", "to", "of the fastest kind, %"],
    );
    let lines = || machine.summary.lines.iter().filter(|line| line.work.kind.is_some());
    for line in lines() {
        let fastest = lines().find(|other| other.work.workload == line.work.workload)?;
        let [low, median, high] = [line.rate.low, line.rate.median, line.rate.high].map(|rate| rate / MILLION);
        table.rows.push(vec![
            Cell::text(&line.work.workload),
            line.work.kind.as_ref().map_or(Cell::Missing, Cell::text),
            Cell::three_digits(median),
            Cell::three_digits(low),
            Cell::three_digits(high),
            Cell::number(100.0 * line.rate.median / fastest.rate.median, 1),
        ]);
    }
    (!table.rows.is_empty()).then_some(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_bench::reference;

    #[test]
    fn only_a_record_with_kinds_of_cores_has_the_section() {
        let mut records = vec![reference()];
        assert!(section(&crate::page::sections::machines::of_records(&records, None)).is_none());
        let works = &mut records[0].stages[0].works;
        for (work, kind) in works.iter_mut().rev().zip(["efficiency", "performance"]) {
            (work.workload, work.threads, work.kind) = ("verify".into(), 1, Some(kind.into()));
        }
        let found = section(&crate::page::sections::machines::of_records(&records, None)).expect("two kinds");
        let kinds: Vec<String> = found.tables[0].rows.iter().map(|row| row[1].shown()).collect();
        assert_eq!(kinds, ["performance", "efficiency"]);
        assert_eq!(found.tables[0].rows[0][5], Cell::number(100.0, 1));
    }
}
