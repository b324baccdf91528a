//! The matrix of the catalogue: which faults a list of positions catches, and at which depth.
//!
//! `catalogue FAULT` is the engine with this fault, for `perft engine`. `catalogue matrix SUITE DEPTH` scores a built-in
//! suite or a file.

use perft_gate_catalogue::{Catch, Fault, Reference, catches, serve};
use rayon::prelude::*;
use std::collections::BTreeMap;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["list"] => Fault::all().iter().for_each(|(fault, row)| println!("{}\t{fault}", row.group)),
        ["matrix", suite, depth] => matrix(suite, depth.parse().expect("a depth"), false),
        ["cells", suite, depth] => matrix(suite, depth.parse().expect("a depth"), true),
        [fault] => match Fault::named(fault) {
            Some(fault) => serve(fault),
            None => eprintln!("found '{fault}', expected a fault of 'catalogue list'"),
        },
        _ => eprintln!("usage: catalogue list | catalogue FAULT | catalogue matrix SUITE DEPTH"),
    }
}

fn matrix(suite: &str, depth: u32, with_cells: bool) {
    let text = perft_gate_suite::embedded(suite)
        .map_or_else(|| std::fs::read_to_string(suite).expect("a suite or a file"), String::from);
    let rows = perft_gate_suite::parse(&text).expect("a list of positions");
    let positions: Vec<(Reference, u32)> = rows
        .par_iter()
        .map(|row| {
            let depth = row.deepest(depth).unwrap_or(0);
            let reference = Reference::new(&row.fen, depth);
            for depth in 1..=depth {
                let count = row.count(depth);
                assert!(count.is_none_or(|count| count == reference.total(depth).into()), "{} at {depth}", row.fen);
            }
            (reference, depth)
        })
        .collect();
    let faults = Fault::all();
    let caught: Vec<Vec<Option<Catch>>> = faults
        .par_iter()
        .map(|(fault, _)| positions.iter().map(|(position, depth)| catches(*fault, position, *depth)).collect())
        .collect();
    let mut groups = BTreeMap::<&str, (usize, Vec<usize>, usize)>::new();
    let mut missed = Vec::new();
    for ((fault, row), cells) in faults.iter().zip(&caught) {
        let group = groups.entry(row.group).or_insert((0, vec![0; depth as usize], 0));
        group.0 += 1;
        match cells.iter().flatten().min() {
            Some(Catch::Count(depth)) => group.1[*depth as usize - 1] += 1,
            Some(Catch::AfterMove) => group.2 += 1,
            None => missed.push(fault.to_string()),
        }
        if with_cells {
            for (cell, row) in cells.iter().zip(&rows) {
                if let Some(catch) = cell {
                    println!("{fault}\t{}\t{catch:?}", row.fen);
                }
            }
        }
    }
    for (group, (all, by_depth, after)) in groups {
        println!("{group:14} {all:4} faults; first at depth {by_depth:?}, after moves {after}");
    }
    println!("missed {}: {}", missed.len(), missed.join(" "));
}
