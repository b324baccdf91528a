//! `perft divide --compare`: listings in every form, and the document. `tests/cmd/divide.trycmd` has what it says of differences.

use crate::common::{Folder, Run, Schema, perft_line, perft_with_input};

/// Compares a listing of Kiwipete on standard input.
fn compare(depth: u8, listing: impl AsRef<[u8]>) -> Run {
    perft_with_input(&format!("divide --fen kiwipete {depth} --compare -"), listing)
}

#[track_caller]
fn is_right(run: &Run) {
    assert_eq!((run.code, &*run.stdout), (Some(0), "the listing is right\n"), "{}", run.stderr);
}

/// As shells and editors on Windows write files, and a file.
#[test]
fn a_listing_may_have_any_encoding() {
    let listing = perft_line("divide --fen kiwipete 3").stdout.replace("\nmoves 48\ntotal ", "\nNodes searched: ");
    let marked = format!("\u{feff}{}", listing.replace('\n', "\r\n"));
    is_right(&compare(3, marked.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()));
    is_right(&compare(3, marked));
    let folder = Folder::new();
    is_right(&perft_line(&format!("divide --fen kiwipete 3 --compare {}", folder.write("listing", listing))));
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
        is_right(&compare(2, &listing));
        // Each pair is read, not only the first of a line.
        let last = ["h1g1: 43", "h1g1 43", "h1g1': 43", "h1g1', 43", "h1g1\n  nodes: 43"];
        if let Some(last) = last.iter().find(|text| listing.contains(**text)) {
            let wrong = compare(2, listing.replacen(last, &last.replace("43", "44"), 1));
            wrong.expect(1, &["below     h1g1", "found 44"]);
        }
    }
}

#[test]
fn the_counts_and_the_comparison_are_a_document() {
    let schema = Schema::of("divide");
    let plain = perft_line("divide --fen kiwipete 2 --json -").json();
    schema.check(&plain);
    assert_eq!((&plain["nodes"], &plain["moves"][0]["nodes"]), (&"2039".into(), &"43".into()));
    assert!(plain["comparison"].is_null());
    assert_eq!(perft_line("count 2 --fen kiwipete --divide --json -").json()["moves"], plain["moves"]);

    let folder = Folder::new();
    let listing = perft_line("divide --fen kiwipete 2").stdout;
    let wrong = listing.replace("a1b1: 43", "a1b1: 44").replace("e1g1", "e1e3").replace("total 2039", "");
    let path = folder.write("listing", wrong);
    let run = perft_line(&format!("divide --fen kiwipete 2 --compare {path} --json -"));
    assert_eq!(run.code, Some(1));
    let mut document = run.json();
    schema.check(&document);
    let compared = &document["comparison"];
    assert_eq!((&compared["same"], &compared["found"]), (&false.into(), &"2040".into()));
    assert_eq!(compared["missing"][0]["rule"], "castling on the king's side");
    let below = serde_json::json!({ "move": "a1b1", "rule": "rook move", "expected": "43", "found": "44" });
    assert_eq!(compared["subtotals"], serde_json::json!([below]));
    document["nodes"] = 2039.into();
    assert!(!schema.is_valid(&document), "a count that is no string");
}
