//! `perft unique`: its memory and its files. `tests/cmd/unique.trycmd` shows its numbers.

use super::spill::rows;
use crate::common::{Folder, Run, document, is_valid, perft_line, root};
#[cfg(unix)]
use crate::common::{signal, start};
use perft_gate_chess::{EnPassantPolicy, Fen};
use std::collections::HashSet;
#[cfg(unix)]
use std::io::BufRead;
#[cfg(target_os = "linux")]
use std::ops::RangeFrom;
use std::process::Command;

fn unique(line: &str) -> Run {
    perft_line(&format!("unique {line}"))
}

/// Returns the peak memory that a run printed, in MiB.
pub fn peak_of(text: &str) -> f64 {
    let peak = text.split("peak memory ").nth(1).and_then(|rest| rest.split(" MiB of ").next());
    peak.and_then(|peak| peak.parse().ok()).unwrap_or_else(|| panic!("no peak: {text}"))
}

/// Counts in tables and by groups that share one side's pieces. A lone king's few groups are too large for the memory.
#[test]
#[cfg(target_os = "linux")]
fn the_peak_stays_within_the_budget() {
    let in_tables = |text: &str, passes: RangeFrom<u32>| {
        let fields = &rows(text)[5];
        assert_eq!(fields[1..3], ["1244414", "815677"], "{text}");
        assert!(passes.contains(&fields[7].parse::<u32>().unwrap()), "{text}");
    };
    for (line, mib, passes) in [
        ("--depth 5 --ep always --board-only", 40, Some(2..)),
        ("--depth 5 --ep always --board-only", 400, Some(1..)),
        ("--depth 6", 400, None),
        ("--depth 6 --by key128", 120, None),
        ("--depth 6 --fen 8/8/8/4k3/8/8/8/KQRR4 b - - 0 1", 60, None),
        ("--depth 6 --by key128 --fen 8/8/8/4k3/8/8/8/KQRR4 b - - 0 1", 300, None),
    ] {
        let output = unique(&format!("--threads 2 --memory {mib}M {line}"));
        output.expect(0, &[]);
        let text = output.printed();
        passes.inspect(|passes| in_tables(&text, passes.clone()));
        let peak = peak_of(&text);
        assert!(peak > 10.0 && peak <= f64::from(mib), "{peak} of {mib} MiB, {line}: {text}");
    }
}

/// If one set cannot hold all leaves, the program walks the tree several times, and each walk puts a part of the leaves
/// into a set. The result of the count is kept, and the peak stays within the budget.
#[test]
fn leaves_are_compared_in_as_little_memory_as_they_are_counted_in() {
    let folder = Folder::new();
    for (depth, more) in [(5, "--by key128"), (5, "--by position"), (4, "--ep always --board-only")] {
        let json = &folder.file("unique.json");
        let output = unique(&format!("--depth {depth} --threads 1 --memory 26M --leaves --json {json} {more}"));
        output.expect(0, &["every leaf counted in a set: ok"]);
        assert_eq!(document(json)["plies"][depth]["perft"], ["197281", "4865609"][depth - 4]);
        if cfg!(target_os = "linux") {
            let peak = peak_of(&output.printed());
            assert!(peak <= 26.0, "{peak} of 26 MiB: {}", output.printed());
        }
    }
}

#[test]
fn an_export_reads_back_here_and_in_python() {
    let folder = Folder::new();
    let file = &folder.file("ply.bin");
    let fen = "r3k2r/pPppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/P1PBBPPP/R3K2R b KQkq - 3 7";
    let output = unique(&format!("--fen {fen} --depth 2 --ep always --export {file}"));
    let text = output.printed();
    let (positions, perft) = (rows(&text)[2][1], rows(&text)[2][2]);
    output.expect(0, &[&format!("wrote {positions} positions")]);
    let verify = || unique(&format!("--verify-export {file}"));
    verify().expect(0, &["counted again: ok"]);

    let script = root("docs/read_export.py");
    match Command::new("python3").arg(script).arg(file).output() {
        Err(error) => println!("skipped: python3 does not run: {error}"),
        Ok(output) => {
            let text = Run::from(output).printed();
            assert!(text.starts_with(&format!("# root {fen}; ply 2; e.p. always; perft {perft}\n")), "{text}");
            let (mut total, mut fens) = (0, HashSet::new());
            for line in text.lines().skip(1) {
                let (count, fen) = line.split_once('\t').expect("a multiplicity and a FEN");
                total += count.parse::<u128>().unwrap();
                // The position is legal, and written as this program writes it.
                let board = Fen::parse(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
                assert_eq!(Fen::write_shredder(&board, EnPassantPolicy::Always), format!("{fen} 0 1"));
                assert!(fens.insert(fen), "{fen} is listed twice");
            }
            assert_eq!((&*total.to_string(), &*fens.len().to_string()), (perft, positions));
        }
    }

    // Changes a multiplicity and updates the checksum: the file is intact, but its content is wrong.
    let mut bytes = std::fs::read(file).unwrap();
    let at = 48 + fen.len();
    bytes[at] ^= 1;
    let length = bytes.len() - 4;
    let checksum = crc32fast::hash(&bytes[..length]);
    bytes[length..].copy_from_slice(&checksum.to_le_bytes());
    std::fs::write(file, &bytes).unwrap();
    verify().expect(1, &["WRONG, the file differs"]);
}

#[test]
#[cfg(unix)]
fn an_interrupted_run_says_where_it_stood_and_leaves_no_file() {
    let folder = Folder::new();
    let mut child = start(&format!("unique --depth 8 --memory 1G --export {}", folder.file("ply.bin")));
    // The interrupt comes during ply 6 at any machine speed. Ply 7 would not fit.
    let mut lines = std::io::BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let ply_5 = lines.find(|line| line.trim_start().starts_with("5 "));
    assert!(ply_5.is_some(), "{}", Run::wait(child).printed());
    signal("-INT", &child);
    Run::wait(child).expect(130, &["interrupted: the plies above are complete, ply "]);
    assert_eq!(folder.len(), 0);
}

#[test]
fn the_counts_are_a_document() {
    let mut document = unique("--depth 4 --board-only --json -").document();
    let last = &document["plies"][4];
    assert_eq!((&last["distinct"], &last["diagrams"]), (&"72078".into(), &"71852".into()));
    assert!(last["expected_lost"].is_null(), "{last}");
    let by_key = unique("--depth 2 --by key --json -").document();
    assert!(by_key["plies"][2]["expected_lost"].is_number(), "{by_key}");
    document["plies"][4]["perft"] = 197_281.into();
    assert!(!is_valid(&document), "a count that is no string");
}
