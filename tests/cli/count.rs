//! `perft count`: its JSON document, its checkpoint, and the memory of its hash table. `perft divide --compare`:
//! listings in all forms, and the document. `tests/cmd/divide.trycmd` shows the text for differences.

#[cfg(target_os = "linux")]
use crate::common::shell;
#[cfg(unix)]
use crate::common::signal;
use crate::common::{Folder, Run, fens, is_valid, perft_line, perft_with_input, start, wait_until};
use std::path::Path;

#[test]
fn counts_are_a_document() {
    let run = perft_line("count 4 --json -");
    let document = run.document();
    assert!(run.stderr.starts_with("nodes 197281\n"), "{}", run.stderr);
    let row = &document["rows"][0];
    assert_eq!(
        (&document["nodes"], &row["nodes"], &row["fen"]),
        (&"197281".into(), &"197281".into(), &fens::START.into())
    );
    assert!(document["suite"].is_null() && document["table"].is_null() && row["expected"].is_null());
    assert_eq!(document["paths"], "merged");
    for way in ["--every-path", "--stats"] {
        assert_eq!(perft_line(&format!("count 4 {way} --json -")).document()["paths"], "every");
    }

    let mut document = perft_line("count -d 3 --suite quick --hash 1M -j 1 --json -").document();
    let rows = document["rows"].as_array().expect("rows");
    assert!(rows.len() == 58 && rows.iter().all(|row| row["expected"] == row["nodes"]), "{rows:?}");
    assert_eq!((&document["suite"], &document["threads"]), (&"quick".into(), &1.into()));
    assert!(document["paths"].is_null(), "the table's matter");
    assert!(document["table"]["probes"].as_str().is_some_and(|probes| probes != "0"), "{}", document["table"]);
    document["rows"][0]["nodes"] = 8902.into();
    assert!(!is_valid(&document), "a count that is no string");

    let mut document = perft_line("count -d 3 --stats --json -").document();
    let depths =
        document["rows"].as_array().map(|rows| rows.iter().map(|row| row["depth"].as_u64()).collect::<Vec<_>>());
    assert_eq!(depths, Some(vec![Some(1), Some(2), Some(3)]));
    let last = &mut document["rows"][2]["statistics"];
    assert_eq!((&last["captures"], &last["checks"], &last["mates"]), (&"34".into(), &"12".into(), &"0".into()));
    last["captures"] = 34.into();
    assert!(!is_valid(&document), "a count that is no string");
}

/// Returns the number of finished units in a checkpoint, 0 if there is no file. The file must never be half-written.
pub fn units(path: &Path) -> usize {
    let Ok(content) = std::fs::read_to_string(path) else { return 0 };
    let content: serde_json::Value = serde_json::from_str(content.lines().next().unwrap()).unwrap();
    content["units"].as_object().unwrap().len()
}

#[test]
#[cfg(unix)]
fn an_interrupted_count_says_where_it_stood() {
    let folder = Folder::new();
    let line = format!("count --depth 8 --simd v1 --checkpoint-every 0.01 --checkpoint {}", folder.file("count"));
    let (path, mut child) = (folder.join("count"), start(&line));
    wait_until(&mut child, || units(&path) > 0);
    let busy = "another process is using it: wait until it ends, or choose another file\n";
    perft_line(&format!("count --depth 8 --checkpoint {}", folder.file("count"))).expect_error(2, busy);
    signal("-INT", &child);
    let run = Run::wait(child);
    let found = units(&path);
    assert!(found > 0);
    run.expect_error(130, &format!("interrupted: {found} units are in the checkpoint\n"));
}

/// A count touches the memory pages of its hash table and few others. The test counts page faults, not time. A table
/// without huge pages may take one fault per page.
#[test]
#[cfg(target_os = "linux")]
fn a_table_takes_no_more_memory_than_its_size() {
    const PAGE: u64 = 4 << 10;
    /// Number of page faults not caused by the hash table. They come from the roots of the tasks (three quarters of
    /// these faults), thread stacks, and the scratch memory of the workers.
    const BESIDE: u64 = 1_500;
    let faults = |arguments: &str| -> u64 {
        // The shell's own `stat` line includes the page faults of its only child.
        let run =
            shell(&format!("perft {arguments} --threads 1 >/dev/null && read -r line </proc/$$/stat && echo $line"));
        run.stdout.split(' ').nth(10).and_then(|faults| faults.parse().ok()).unwrap_or_else(|| panic!("{run:?}"))
    };
    let program = faults("count 2");
    for (arguments, mib) in [
        ("count 7 --hash 1M", 1),
        ("count 5 --fen kiwipete --hash 2M --exact", 2),
        (&format!("divide 7 --fen {} --hash 1M", fens::POSITION_3), 1),
    ] {
        let found = faults(arguments).saturating_sub(program);
        assert!(found <= (mib << 20) / PAGE + BESIDE, "{arguments}: {found} page faults");
    }
}

/// Compares a listing of Kiwipete, given on standard input.
fn compare(depth: u8, listing: impl AsRef<[u8]>) -> Run {
    perft_with_input(&format!("divide --fen kiwipete {depth} --compare -"), listing)
}

#[test]
fn listings_of_programs_and_logs_are_read() {
    let ours = perft_line("divide --fen kiwipete 2").stdout;
    let pairs = || ours.lines().filter_map(|line| line.split_once(": "));
    let list = |each: fn((&str, &str)) -> String, sign: &str| pairs().map(each).collect::<Vec<_>>().join(sign);
    let one = perft_line("divide --fen kiwipete 1").stdout;
    let json = perft_line("divide --fen kiwipete 2 --json -").stdout;
    for listing in [
        list(|(mv, nodes)| format!("{mv}: {nodes}"), "  "),
        list(|(mv, nodes)| format!("{mv} {nodes}"), "\t"),
        format!("{{{}}}", list(|(mv, nodes)| format!("'{mv}': {nodes}"), ", ")),
        format!("[{}]", list(|(mv, nodes)| format!("('{mv}', {nodes})"), ",\n ")),
        list(|(mv, nodes)| format!("2026-01-31T08:15:00Z DEBUG movegen: {mv}: {nodes}"), "\n"),
        list(|(mv, nodes)| format!("- move: {mv}\n  nodes: {nodes}"), "\n"),
        format!("[\n{}\n]", list(|(mv, nodes)| format!("[\n\"{mv}\",\n{nodes}\n]"), ",\n")),
        format!("> perft 1\n{one}\n> perft 2\n{ours}"),
        json.split_whitespace().collect::<Vec<_>>().join(" "),
        json.clone(),
    ] {
        let run = compare(2, &listing);
        assert_eq!((run.code, &*run.stdout), (Some(0), "the listing is right\n"), "{}", run.stderr);
        // Every pair on a line is read, not only the first.
        let last = ["h1g1: 43", "h1g1 43", "h1g1': 43", "h1g1', 43", "h1g1\n  nodes: 43"];
        if let Some(last) = last.iter().find(|text| listing.contains(**text)) {
            compare(2, listing.replacen(last, &last.replace("43", "44"), 1)).expect(1, &["below     h1g1", "found 44"]);
        }
    }
}

#[test]
fn the_counts_and_the_comparison_are_a_document() {
    let plain = perft_line("divide --fen kiwipete 2 --json -").document();
    assert_eq!((&plain["nodes"], &plain["moves"][0]["nodes"]), (&"2039".into(), &"43".into()));
    assert!(plain["comparison"].is_null());
    assert_eq!(perft_line("count 2 --fen kiwipete --divide --json -").document()["moves"], plain["moves"]);

    let folder = Folder::new();
    let listing = perft_line("divide --fen kiwipete 2").stdout;
    let wrong = listing.replace("a1b1: 43", "a1b1: 44").replace("e1g1", "e1e3").replace("total 2039", "");
    let path = folder.write("listing", wrong);
    let run = perft_line(&format!("divide --fen kiwipete 2 --compare {path} --json -"));
    assert_eq!(run.code, Some(1));
    let mut document = run.document();
    let compared = &document["comparison"];
    assert_eq!((&compared["same"], &compared["found"]), (&false.into(), &"2040".into()));
    assert_eq!(compared["missing"][0]["rule"], "castling on the king's side");
    let below = serde_json::json!({ "move": "a1b1", "rule": "rook move", "expected": "43", "found": "44" });
    assert_eq!(compared["subtotals"], serde_json::json!([below]));
    document["nodes"] = 2039.into();
    assert!(!is_valid(&document), "a count that is no string");
}
