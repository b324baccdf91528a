//! Thread scaling.

use super::machine::{PageMachine, shown, workloads};
use crate::page::chart::{
    Axis, BarChart, BarRow, Chart, ColorRole, Curve, CurveChart, Group, Mark, Markers, Point, Scale,
};
use crate::page::format::{fixed, threads, tick};
use crate::page::model::{Cell, Figure, PageTable, Section, Size};
use perft_gate_bench::YARDSTICK;
use perft_gate_lab::measure::Interval;

/// Fewest threads that make a curve: with fewer it has two points.
const MIN_CURVE: usize = 4;

const TIMES: &str = "times as fast as on one thread, higher is better";

pub(super) fn section(machines: &[PageMachine<'_>]) -> Option<Section> {
    let scaled = |machine: &&PageMachine<'_>| {
        machine.summary.lines.iter().any(|line| line.work.threads > 1 && line.scaling.is_some())
    };
    if !machines.iter().any(|machine| scaled(&machine)) {
        return None;
    }
    let pictured: Vec<&PageMachine<'_>> = shown(machines).into_iter().filter(scaled).collect();
    let figure = match machines {
        [one] => of_one(one),
        _ => of_several(machines, &pictured),
    };
    let mut text = vec![
        "Each workload against itself on one thread. Threads that share a core, memory, or a power budget fall short of the \
         ideal, which is as many times as fast as there are threads."
            .to_string(),
    ];
    if matches!(figure.chart, Chart::Curves(_)) {
        text.push("Both axes are logarithmic, so that the ideal is a straight line.".into());
    }
    if machines.len() > 1 {
        text.push(
            "A machine's value is the geometric mean over its workloads, without the yardstick; the table behind has each \
             workload."
                .into(),
        );
    }
    text.extend(about_unique(machines));
    Some(Section { id: "scaling", title: "Thread scaling", text, figures: vec![figure], ..Section::default() })
}

fn scaling(machine: &PageMachine<'_>, workload: &str, threads: usize) -> Option<f64> {
    machine.line(workload, threads).and_then(|line| line.scaling)
}

/// Returns the numbers of threads that a machine was measured on.
fn counts(machine: &PageMachine<'_>) -> Vec<usize> {
    let lines = machine.summary.lines.iter();
    let mut counts: Vec<usize> = lines.map(|line| line.work.threads).collect();
    counts.sort_unstable();
    counts.dedup();
    counts
}

/// Returns the scaling over all workloads that ran on one thread and on this many.
fn mean(machine: &PageMachine<'_>, workloads: &[String], threads: usize) -> Option<f64> {
    let counted = workloads.iter().filter(|workload| *workload != YARDSTICK.name());
    let logarithms: Vec<f64> =
        counted.filter_map(|workload| scaling(machine, workload, threads)).map(f64::ln).collect();
    (!logarithms.is_empty()).then(|| (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp())
}

/// A row of a picture of few threads: its label, its series, the number of threads, and how many times as fast.
type FewThreads = (String, usize, usize, f64);

/// Returns bars of the values on all threads, beside the ideal if it is the same for all.
fn bars(rows: Vec<FewThreads>) -> Chart {
    let ideals: Vec<usize> = rows.iter().map(|(_, _, threads, _)| *threads).collect();
    let ideal = ideals.first().copied().filter(|first| ideals.iter().all(|other| other == first));
    let values: Vec<f64> = rows.iter().map(|(.., times)| *times).chain(ideal.map(|ideal| ideal as f64)).collect();
    let rows = rows.into_iter().map(|(label, series, _, times)| BarRow {
        label,
        marks: vec![Mark::Bar(times, series)],
        note: fixed(times, 2),
    });
    let groups = vec![Group::new("", rows.collect())];
    let reference = ideal.map(|ideal| (ideal as f64, format!("ideal, {}", threads(ideal))));
    Chart::Bars(BarChart { reference, ..BarChart::new(Axis::from_zero(TIMES, values), groups) })
}

fn chart(curves: Vec<Curve>, most: usize) -> Chart {
    let most = most as f64;
    let doublings = |to: f64| (0..).map(|power| 2_f64.powi(power)).take_while(move |count| *count <= to);
    let ticks = |to: f64| doublings(to).map(|count| (count, tick(count))).collect::<Vec<_>>();
    let values = curves.iter().flat_map(|line| line.points.iter().map(|point| point.y)).chain([1.0, most]);
    let upwards = Axis::around(TIMES, Scale::Log, values.collect::<Vec<_>>()).with_ticks(ticks(most * 1.05));
    let across = Axis::around("number of threads", Scale::Log, [1.0, most]).with_ticks(ticks(most));
    let points = [1.0, most].map(|at| Point { x: at, y: at }).to_vec();
    let ideal = Curve { label: "ideal".into(), role: ColorRole::Ideal, markers: Markers::None, points };
    Chart::Curves(CurveChart { across, upwards, lines: [ideal].into_iter().chain(curves).collect() })
}

/// Returns the picture of one machine: a curve for each workload.
fn of_one(machine: &PageMachine<'_>) -> Figure {
    let workloads = workloads(std::slice::from_ref(machine));
    let counts = counts(machine);
    let curve = |(series, workload): (usize, &String)| {
        let point = |&threads: &usize| Some(Point { x: threads as f64, y: scaling(machine, workload, threads)? });
        let points = counts.iter().filter_map(point).collect();
        Curve { label: workload.clone(), role: ColorRole::Series(series), markers: Markers::Dots, points }
    };
    let curves = workloads.iter().enumerate().map(curve).filter(|line| !line.points.is_empty()).collect();
    let most = counts.last().copied().unwrap_or(1);
    if most < MIN_CURVE {
        let row = |(series, workload): (usize, &String)| {
            Some((workload.clone(), series, most, scaling(machine, workload, most)?))
        };
        return Figure {
            title: format!("Speed on {}: higher is better", threads(most)),
            description: format!(
                "Bars: how many times as fast as on one thread each workload is on {}.",
                threads(most)
            ),
            size: Size::Full,
            chart: bars(workloads.iter().enumerate().filter_map(row).collect()),
            table: table(&[machine], &workloads),
        };
    }
    Figure {
        title: "Speed on more threads: higher is better".into(),
        description: format!(
            "Curves: how many times as fast as on one thread each workload is, up to {most} threads, beside the ideal, where \
             twice the threads are twice as fast."
        ),
        size: Size::Full,
        chart: chart(curves, most),
        table: table(&[machine], &workloads),
    }
}

/// Returns the picture of several machines: a curve for each.
fn of_several(machines: &[PageMachine<'_>], pictured: &[&PageMachine<'_>]) -> Figure {
    let workloads = workloads(machines);
    let curve = |machine: &&PageMachine<'_>| {
        let counts = counts(machine);
        let point = |&threads: &usize| Some(Point { x: threads as f64, y: mean(machine, &workloads, threads)? });
        let points = counts.iter().filter_map(point).collect();
        Curve { label: machine.label.clone(), role: ColorRole::Series(machine.series), markers: Markers::Dots, points }
    };
    let most = pictured.iter().filter_map(|machine| counts(machine).last().copied()).max().unwrap_or(1);
    let all: Vec<&PageMachine<'_>> = machines.iter().collect();
    if most < MIN_CURVE {
        let row = |machine: &&PageMachine<'_>| {
            let threads = counts(machine).last().copied()?;
            Some((machine.label.clone(), machine.series, threads, mean(machine, &workloads, threads)?))
        };
        return Figure {
            title: "Speed on all threads, mean of the workloads: higher is better".into(),
            description: format!(
                "Bars: how many times as fast as on one thread each of {} machines is on all of its threads.",
                pictured.len()
            ),
            size: Size::Full,
            chart: bars(pictured.iter().filter_map(row).collect()),
            table: table(&all, &workloads),
        };
    }
    Figure {
        title: "Speed on more threads, mean of the workloads: higher is better".into(),
        description: format!(
            "Curves: how many times as fast as on one thread each of {} machines is, up to {most} threads, beside the ideal.",
            pictured.len()
        ),
        size: Size::Full,
        chart: chart(pictured.iter().map(curve).collect(), most),
        table: table(&all, &workloads),
    }
}

fn table(machines: &[&PageMachine<'_>], workloads: &[String]) -> PageTable {
    let names: Vec<&str> = workloads.iter().map(String::as_str).chain(["mean"]).collect();
    let mut table = PageTable::new("Times as fast as on one thread", &["machine", "threads"], &names);
    for machine in machines {
        for threads in counts(machine) {
            let cells = workloads.iter().map(|workload| Cell::or_missing(scaling(machine, workload, threads), 2));
            let mean = Cell::or_missing(mean(machine, workloads, threads), 2);
            let row = [Cell::text(&machine.label), Cell::Count(threads as u128)].into_iter().chain(cells).chain([mean]);
            table.rows.push(row.collect());
        }
    }
    table
}

/// Returns how many times as fast a workload is on all threads, with its interval.
fn gain(machine: &PageMachine<'_>, workload: &str) -> Option<Interval> {
    let most = machine.most_threads(workload);
    let [one, all] = [machine.line(workload, 1)?, machine.line(workload, most)?].map(|line| line.rate);
    let gain = Interval { low: all.low / one.high, median: all.median / one.median, high: all.high / one.low };
    (most > 1).then_some(gain)
}

/// Says why `unique` scales worse than `hashed`, as far as records tell, if it surely does on a machine.
fn about_unique(machines: &[PageMachine<'_>]) -> Option<String> {
    let shows = |machine: &&PageMachine<'_>| {
        let [unique, hashed] = ["unique", "hashed"].map(|workload| gain(machine, workload));
        unique.zip(hashed).is_some_and(|(unique, hashed)| unique.high < hashed.low)
    };
    let found: Vec<&PageMachine<'_>> = machines.iter().filter(shows).collect();
    let machine = found.first()?;
    let gained = |workload| {
        let gain = gain(machine, workload).expect("it was compared");
        format!("{} ({} to {})", fixed(gain.median, 2), fixed(gain.low, 2), fixed(gain.high, 2))
    };
    let also = match found.len() {
        1 => String::new(),
        several => format!(" ({several} machines here show it)"),
    };
    Some(format!(
        "unique gains less than the other workload bound by memory: {} times on all threads of {}, where hashed gains {}{also}. \
         Both divide one amount of work among the threads, which share the memory, so sharing alone is not the reason. What \
         differs by definition is that unique has its sets allocated anew in each pass, and hashed clears a table that stays. \
         Which part of the difference that is, a record does not say: it has neither page faults nor memory bandwidth.",
        gained("unique"),
        machine.label,
        gained("hashed"),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_bench::reference;

    #[test]
    fn unique_is_explained_only_where_it_surely_scales_worse() {
        let shown = |factor: u64| {
            let mut record = reference();
            for stage in &mut record.stages {
                let works = stage.works.iter().enumerate();
                let works = works.filter(|(_, work)| work.workload == "unique" && work.threads > 1);
                for number in works.map(|(number, _)| number).collect::<Vec<_>>() {
                    stage
                        .rounds
                        .iter_mut()
                        .for_each(|round| round.slices[number].iter_mut().for_each(|slice| slice.1 /= factor));
                }
            }
            let records = [record];
            about_unique(&crate::page::sections::machines::of_records(&records, None))
        };
        assert!(shown(1).is_some_and(|text| text.contains("unique gains less")));
        assert_eq!(shown(2), None);
    }

    #[test]
    fn several_machines_share_one_picture() {
        let more_threads = |cpu: &str| {
            let mut record = reference();
            record.machine.hardware.cpu = cpu.into();
            let works = record.stages.iter_mut().flat_map(|stage| &mut stage.works);
            works.filter(|work| work.threads == 2).for_each(|work| work.threads = MIN_CURVE);
            record
        };
        let records = [more_threads("One 1"), more_threads("Other 1")];
        let found = section(&crate::page::sections::machines::of_records(&records, None)).expect("two threads");
        let Chart::Curves(CurveChart { lines, .. }) = &found.figures[0].chart else { panic!("curves") };
        assert_eq!((found.figures.len(), lines.len()), (1, 3));
    }

    #[test]
    fn few_threads_make_bars_and_no_curve_of_two_points() {
        let mut other = reference();
        other.machine.hardware.cpu = "Other 1".into();
        for (records, rows) in [(vec![reference()], 6), (vec![reference(), other], 2)] {
            let found = section(&crate::page::sections::machines::of_records(&records, None)).expect("two threads");
            let Chart::Bars(chart) = &found.figures[0].chart else { panic!("bars") };
            assert_eq!(
                (chart.groups[0].rows.len(), chart.reference.clone()),
                (rows, Some((2.0, "ideal, 2 threads".into())))
            );
            assert!(found.text.iter().all(|text| !text.contains("logarithmic")), "{:?}", found.text);
        }
    }
}
