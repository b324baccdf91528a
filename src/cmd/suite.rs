//! `perft suite`: classifies the positions of a list, or fills in its missing counts.

use crate::args::run::{DepthArgs, RunArgs, control};
use crate::args::suite::{self, SuiteArgs};
use crate::failure::Result;
use crate::out::file::Output;
use crate::out::progress::with_bar;
use clap::{Args, Subcommand};
use perft_gate_chess::Board;
use perft_gate_count::{Sharing, TreeCounter};
use perft_gate_simd::Level;
use perft_gate_suite::{Class, RowText, row_texts};
use perft_gate_walk::{Control, count_each};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

#[derive(Subcommand, Debug)]
pub enum SuiteCommand {
    /// Print the class of each position: plausible, legal, tolerated or illegal, and why it is no better.
    #[command(after_help = "Example: perft suite classes --suite list.epd")]
    Classes(ClassesArgs),
    /// Fill in the missing counts of a list, each confirmed by two counters.
    #[command(after_help = "Example: perft suite fill list.epd 4 --output filled.epd")]
    Fill(FillArgs),
}

pub fn run(command: &SuiteCommand) -> Result<ExitCode> {
    match command {
        SuiteCommand::Classes(args) => print_classes(args),
        SuiteCommand::Fill(args) => fill(args),
    }
}

#[derive(Args, Debug)]
pub struct ClassesArgs {
    #[command(flatten)]
    suite: SuiteArgs,
    /// Also list the plausible positions.
    #[arg(long)]
    all: bool,
}

fn print_classes(args: &ClassesArgs) -> Result<ExitCode> {
    let positions = args.suite.positions()?;
    let mut numbers: BTreeMap<Class, usize> = BTreeMap::new();
    for row in positions.iter() {
        let (class, reason) = row.class();
        *numbers.entry(class).or_default() += 1;
        if args.all || class != Class::Plausible {
            let reason = reason.map_or(String::new(), |reason| format!(": {reason}"));
            say!("{:<width$}  {class}{reason}", row.id, width = positions.longest_name);
        }
    }
    let numbers: Vec<_> = numbers.iter().map(|(class, number)| format!("{number} {class}")).collect();
    say!("{}: {}", perft_gate_chess::quantity(positions.number as u64, "position"), numbers.join(", "));
    Ok(ExitCode::SUCCESS)
}

#[derive(Args, Debug)]
pub struct FillArgs {
    /// Built-in suite or file, as for `--suite`; `-` reads standard input.
    #[arg(value_name = "NAME|FILE|-")]
    list: String,
    #[command(flatten)]
    depth: DepthArgs<1>,
    /// Write the list here; `-` for standard output.
    #[arg(long, short, value_name = "FILE|-", default_value = "-")]
    output: PathBuf,
    #[command(flatten)]
    run: RunArgs,
}

fn fill(args: &FillArgs) -> Result<ExitCode> {
    let text = suite::read_list(&args.list)?;
    let output = Output::open("--output", &args.output)?;
    let (control, level, (pool, _)) = (control()?, args.run.level()?, args.run.pool()?);
    let texts: Vec<RowText<'_>> = row_texts(&text).collect();
    let done = AtomicU64::new(0);
    let fill_row = |text: &RowText<'_>| {
        let filled = fill_row(text, args.depth.plies(), level, &control);
        done.fetch_add(1, Relaxed);
        filled
    };
    let progress = || (done.load(Relaxed), texts.len() as u64);
    let rows: Vec<Result<String, String>> =
        with_bar(("rows", "rows"), progress, || pool.install(|| texts.par_iter().map(fill_row).collect()));
    if control.is_stopped() {
        note!("interrupted: no list was written");
        return Ok(ExitCode::from(130));
    }
    let (mut lines, mut wrong) = (String::new(), 0);
    for row in &rows {
        match row {
            Ok(line) => lines.extend([line, "\n"]),
            Err(message) => {
                note!("{}: {message}", args.list);
                wrong += 1;
            }
        }
    }
    if wrong > 0 {
        note!("{wrong} of {} rows are wrong, no list was written", rows.len());
        return Ok(ExitCode::from(1));
    }
    output.write(lines.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// Counts a row, and returns its completed EPD line. **Errors**: two counters, or a counter and the list, disagree.
fn fill_row(text: &RowText<'_>, depth: u32, level: Level, control: &Control) -> Result<String, String> {
    let row = text.read().expect("a row that was understood");
    let Ok(board) = &row.position else {
        let (class, reason) = row.class();
        note!("line {}: not counted: {} (class '{class}')", row.line, reason.unwrap_or_default());
        return Ok(text.with_counts(&row, &[]));
    };
    let [fast, plain] = counts(board, depth, level, control);
    if control.is_stopped() {
        return Ok(String::new());
    }
    let of = |which: &str| format!("line {}: {which} of '{}'", row.line, row.fen);
    if fast != plain {
        return Err(format!("two counters differ on {}: {fast:?} and {plain:?}", of("the counts")));
    }
    let listed = |depth: &u32| row.count(*depth);
    for (depth, count) in (1..).zip(&fast) {
        if let Some(other) = listed(&depth).filter(|other| other != count) {
            let which = format!("D{depth}");
            return Err(format!("{}: found {other}, but two counters give {count}", of(&which)));
        }
    }
    let missing: Vec<(u32, u128)> = (1..).zip(fast).filter(|(depth, _)| listed(depth).is_none()).collect();
    Ok(text.with_counts(&row, &missing))
}

/// Returns the number of leaves at each depth from 1 on, once from the fast counter and once from making every move.
fn counts(board: &Board, depth: u32, level: Level, control: &Control) -> [Vec<u128>; 2] {
    // The rows share the threads.
    let counter = TreeCounter { sharing: Sharing::OneThread, ..TreeCounter::new(level) };
    let fast = (1..=depth).map(|depth| counter.nodes(board, depth, control)).collect();
    let walked = count_each(board, depth, level, control);
    let mut plain = walked.nodes;
    plain.resize(depth as usize + 1, 0);
    [fast, plain.split_off(1)]
}
