//! Scores lists of positions by the faults that they catch.

use perft_gate_catalogue::{Catch, Fault, Reference, score};
use rayon::prelude::*;
use std::process::ExitCode;

const USAGE: &str = "usage:
  catalogue list                     every fault, with its group, and whether engines had it by public reports
  catalogue score SUITE DEPTH        the faults that a built-in suite or a file catches, by depth
  catalogue matrix SUITE DEPTH       every fault, row and depth at which the row catches it first";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &[&str]) -> Result<(), String> {
    let number = |text: &str| text.parse().map_err(|_| format!("found '{text}', expected a number"));
    match *arguments {
        ["list"] => Fault::all().iter().for_each(|(fault, row)| {
            println!("{}\t{fault}{}", row.group, if row.is_reported { "\treported" } else { "" });
        }),
        ["score", suite, depth] => print_score(suite, number(depth)?)?,
        ["matrix", suite, depth] => print_matrix(suite, number(depth)?)?,
        _ => return Err(USAGE.into()),
    }
    Ok(())
}

fn rows(suite: &str) -> Result<Vec<perft_gate_suite::Row>, String> {
    let text = match perft_gate_suite::embedded(suite) {
        Some(text) => text.into(),
        None => std::fs::read_to_string(suite).map_err(|error| format!("{suite}: {error}"))?,
    };
    perft_gate_suite::parse(&text).map_err(|error| format!("{suite}: {error}"))
}

fn print_score(suite: &str, depth: u32) -> Result<(), String> {
    let score = score(&Reference::of_rows(&rows(suite)?, depth), depth);
    let faults = Fault::all();
    let mut groups: Vec<&str> = faults.iter().map(|(_, row)| row.group).collect();
    groups.dedup();
    let depths: String = (1..=depth).map(|depth| format!("{:>9}", format!("depth {depth}"))).collect();
    println!("{:14} {:>6}{depths} {:>11} {:>6}", "group", "faults", "shown wrong", "missed");
    for group in groups {
        let of_group = |at: &usize| faults[*at].1.group == group;
        let caught = |catch| (0..faults.len()).filter(of_group).filter(|&at| score[at] == catch).count();
        let by_depth: String = (1..=depth).map(|depth| format!("{:>9}", caught(Some(Catch::Count(depth))))).collect();
        let (after, missed) = (caught(Some(Catch::Shown)), caught(None));
        println!("{group:14} {:>6}{by_depth} {after:>11} {missed:>6}", (0..faults.len()).filter(of_group).count());
    }
    let missed = faults.iter().zip(&score).filter(|(_, catch)| catch.is_none());
    missed.for_each(|((fault, _), _)| println!("missed: {fault}"));
    Ok(())
}

fn print_matrix(suite: &str, depth: u32) -> Result<(), String> {
    let rows = rows(suite)?;
    let positions = Reference::of_rows(&rows, depth);
    Fault::all().par_iter().for_each(|(fault, _)| {
        for (row, position) in rows.iter().zip(&positions) {
            if let Some(catch) = position.catches(*fault, depth) {
                println!("{fault}\t{}\t{catch:?}", row.fen);
            }
        }
    });
    Ok(())
}
