//! A comparison of schemes as text.

use super::json::{CompareDocument, RecomputeTimes, TimedScheme};
use crate::text::{TextTable, by_verdict, names, numbers, percent, words};
use perft_gate_chess::quantity;
use perft_gate_lab::measure::{CostComparison, CostVerdict, HardwareEvent, Interval, TABLE_ERROR, TableTally, median};
use perft_gate_machine::pinning::describe_unpinned;
use perft_gate_machine::record::Round;
use std::fmt::Write;

/// Returns the report as text, for a terminal `width` characters wide or for a file (`None`).
pub fn text(compared: &CompareDocument, width: Option<usize>) -> String {
    let mut out = String::new();
    let mut line = |text: String| writeln!(out, "{}", text.trim_end()).expect("a string");
    line(walk_line(compared));
    let probing = table_lines(compared);
    probing.iter().take(1).cloned().for_each(&mut line);
    line(format!(
        "{}, one part per round: two slices of {:.1} ms (median) per scheme in random order{}",
        quantity(compared.rounds.len() as u64, "round"),
        slice_ms(&compared.rounds),
        if compared.interrupted { ", interrupted" } else { "" }
    ));
    let columns = [
        names("scheme", name_width(compared)),
        numbers("ns/node", 8, 0),
        numbers("MAD", 5, 2),
        numbers("more ns (interval)", 23, 1),
        numbers("time (interval)", 27, 0),
        words("verdict", 13, 0),
    ];
    let layout = TextTable::new(&columns, width);
    for table in &compared.tables {
        line(String::new());
        let itself = &compared.contestants[compared.twins[0]].name;
        line(format!(
            "{}: noise floor {:.1} % ({itself} against itself {})",
            table.title,
            100.0 * table.floor,
            match (table.noise, compared.rounds.len()) {
                (Some(noise), 2..) => percent(noise),
                _ => "in one round".into(),
            },
        ));
        line(layout.head());
        let row = |contestant: usize, comparison: Option<&CostComparison>| {
            let TimedScheme { name, deviation_ns, .. } = &compared.contestants[contestant];
            let extra = comparison.map(|comparison| compared.extra_ns(table, comparison));
            let ns_per_node =
                compared.contestants[table.reference].ns_per_node + extra.map_or(0.0, |extra| extra.median);
            let (difference, ratio) = comparison.zip(extra).map_or(Default::default(), |(comparison, extra)| {
                let Interval { low, median, high } = extra;
                let difference = match compared.rounds.len() {
                    // With a single round, the interval has no width, so only the value is shown.
                    1 => format!("{median:+.2}"),
                    _ => format!("{median:+.2} ({low:+.2} to {high:+.2})"),
                };
                (difference, percent(comparison.ratio))
            });
            let verdict = comparison.map_or("", |comparison| comparison.verdict.name());
            let (time, spread) = (format!("{ns_per_node:.2}"), format!("{deviation_ns:.2}"));
            layout.line(&[name, &*time, &spread, &difference, &ratio, verdict])
        };
        line(row(table.reference, None));
        for comparison in &table.comparisons {
            line(row(comparison.contestant, Some(comparison)));
        }
    }
    line(String::new());
    shared_code_line(&compared.contestants).into_iter().for_each(&mut line);
    probing.into_iter().skip(1).for_each(&mut line);
    recompute_lines(compared).into_iter().for_each(&mut line);
    counter_lines(compared).into_iter().for_each(&mut line);
    line(format!(
        "In {} of 1000 such tables, an interval misses the true value. A verdict needs an interval beyond the floor.",
        1000.0 * TABLE_ERROR
    ));
    line("The ns/node of a variant is the reference's time × the ratio of their times in the same rounds.".into());
    line(conclusion(compared));
    out
}

/// Describes the timed walks and where they ran.
fn walk_line(compared: &CompareDocument) -> String {
    let pinned = compared.pinned_to.map(|core| format!("pinned to core {core}"));
    let pinned = pinned.unwrap_or_else(|| describe_unpinned(&compared.build.target));
    format!(
        "make and unmake with the key: {}, {} nodes in {}, level {}, one thread, {pinned}",
        quantity(compared.positions.unwrap_or(0) as u64, "position"),
        compared.nodes_per_pass,
        quantity(compared.parts_per_pass as u64, "part"),
        compared.level
    )
}

/// Names the contestants that run shared code while others have dedicated code.
fn shared_code_line(contestants: &[TimedScheme]) -> Option<String> {
    let shared = contestants.iter().filter(|one| one.shared_code).map(|one| &one.name[..]);
    let names = shared.collect::<Vec<_>>().join(" and ");
    (!names.is_empty())
        .then(|| format!("measured with the generic code, which is slower than a scheme's dedicated code: {names}"))
}

/// Describes the use of the transposition table: one line for all contestants together, then lines for contestants with
/// false hits or with keys that were computed before the move. Empty if there is no table.
fn table_lines(compared: &CompareDocument) -> Vec<String> {
    let Some(bytes) = compared.transposition_table_bytes else { return Vec::new() };
    let used = compared.contestants.iter().filter_map(|one| Some((one, one.transposition_table.as_ref()?.tally)));
    let used: Vec<(&TimedScheme, TableTally)> = used.filter(|(_, tally)| tally.probes > 0).collect();
    let sum = |of: fn(&TableTally) -> u64| used.iter().map(|(_, tally)| of(tally)).sum::<u64>();
    let (probes, hits) = (sum(|tally| tally.probes), sum(|tally| tally.hits));
    let head = format!(
        "with a transposition table of {}: {probes} probes, {:.1} % of them hits, each of them verified",
        match bytes >> 20 {
            0 => format!("{} KiB", bytes >> 10),
            mebibytes => format!("{mebibytes} MiB"),
        },
        100.0 * hits as f64 / probes.max(1) as f64
    );
    let shares = used.iter().flat_map(|(one, tally)| {
        let false_hits = (tally.false_hits > 0)
            .then(|| format!("{}: {} of {} hits found another position", one.name, tally.false_hits, tally.hits));
        let foreseen = (tally.foreseen > 0).then(|| {
            let TableTally { foreseen, wrongly_foreseen, .. } = *tally;
            let share = 100.0 * wrongly_foreseen as f64 / foreseen as f64;
            format!(
                "{}: {wrongly_foreseen} of {foreseen} keys computed before the move were wrong ({share:.2} %)",
                one.name
            )
        });
        [false_hits, foreseen].into_iter().flatten()
    });
    let shares: Vec<String> = shares.collect();
    let end = if shares.is_empty() { Vec::new() } else { vec![String::new()] };
    [vec![head], shares, end].concat()
}

/// Returns the last sentence, which lists the pairs of contestants by verdict. Pairs with the chosen reference come
/// first.
fn conclusion(compared: &CompareDocument) -> String {
    let all = compared.tables.iter().flat_map(|table| table.comparisons.iter().map(move |found| (table, found)));
    let verdicts = all.map(|(table, comparison)| {
        let name = |contestant: usize| &compared.contestants[contestant].name;
        let part = 100.0 * (comparison.ratio.median - 1.0);
        let word = if matches!(comparison.verdict, CostVerdict::Slower | CostVerdict::Faster) { "than" } else { "and" };
        let pair = format!("{} {word} {} ({part:+.1} %)", name(comparison.contestant), name(table.reference));
        (comparison.verdict, pair)
    });
    format!("In short: {}.", by_verdict(CostVerdict::ALL, &verdicts.collect::<Vec<_>>()))
}

/// Returns the median length of a slice. This exceeds the planned length if a single pass takes longer than planned.
fn slice_ms(rounds: &[Round]) -> f64 {
    let slices = rounds.iter().flat_map(|round| round.slices.as_flattened());
    median(&slices.map(|(_, ns)| *ns as f64 / 1e6).collect::<Vec<_>>())
}

/// Returns the lines of a table of recompute times and key table sizes. Empty if the run was stopped before the times
/// were measured.
fn recompute_lines(compared: &CompareDocument) -> Vec<String> {
    let mut timed = compared.contestants.iter().filter(|one| !one.recompute.is_empty()).peekable();
    let Some(first) = timed.peek() else { return Vec::new() };
    let width = name_width(compared);
    let levels: Vec<String> =
        first.recompute.iter().map(|times| format!("  {:>6}", format!("{} ns", times.level))).collect();
    let title = "full recompute of a key: ns per board in a batch, by level; and one by one, with portable code";
    let head = format!("{:<width$}  bytes{}  one by one, ns", "scheme", levels.concat());
    let rows = timed.map(|TimedScheme { name, table_bytes, recompute, .. }| {
        let batch = |(times, head): (&RecomputeTimes, &String)| {
            format!("{:>width$.1}", times.batch_ns, width = head.chars().count())
        };
        let batches: String = recompute.iter().zip(&levels).map(batch).collect();
        let scalar_ns = recompute.last().map_or(0.0, |best| best.scalar_ns);
        format!("{name:<width$}  {table_bytes:>5}{batches}  {scalar_ns:>14.1}")
    });
    [title.into(), head].into_iter().chain(rows).chain([String::new()]).collect()
}

fn name_width(compared: &CompareDocument) -> usize {
    compared.contestants.iter().map(|contestant| contestant.name.chars().count()).max().unwrap_or(0)
}

/// Returns the lines of a table of hardware counters, or a line with the reason why they are not available.
fn counter_lines(compared: &CompareDocument) -> Vec<String> {
    if let Some(reason) = &compared.no_counters {
        return vec![format!("hardware counters: not available ({reason})")];
    }
    let width = name_width(compared);
    let mut counted = compared.contestants.iter().filter_map(|one| Some((one, one.counters.as_ref()?))).peekable();
    let Some((_, events)) = counted.peek() else { return Vec::new() };
    let columns: Vec<&str> =
        HardwareEvent::ALL.map(HardwareEvent::name).into_iter().filter(|name| events.contains_key(*name)).collect();
    let names = columns.iter().map(|name| format!("  {name:>13}")).collect::<String>();
    let head = format!("{:<width$}{names}", "a node");
    let rows = counted.map(|(one, events)| {
        let cells = columns.iter().filter_map(|name| Some(format!("  {:>13.3}", events.get(*name)?)));
        format!("{:<width$}{}", one.name, cells.collect::<String>())
    });
    [head].into_iter().chain(rows).chain([String::new()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_is_as_long_as_it_took() {
        let round = |first: u64, last: u64| Round {
            order: vec![0],
            slices: vec![[(1, first * 1_000_000), (1, last * 1_000_000)]],
        };
        assert!((slice_ms(&[round(1, 40), round(45, 41), round(43, 90)]) - 42.0).abs() < 1e-9);
    }
}
