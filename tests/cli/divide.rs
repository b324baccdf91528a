//! `perft divide`, counts by root move, and their comparison with other listings.

use crate::common::{Folder, Run, Schema, command, fens, perft};
use std::io::Write;
use std::process::Stdio;

#[test]
fn divide_is_sorted_and_totals() {
    let output = perft(&["divide", "--fen", "kiwipete", "--depth", "2"]);
    let lines = output.stdout;
    assert!(lines.starts_with("a1b1: 43\n") && lines.contains("e1g1: 43\n"), "{lines}");
    assert!(lines.ends_with("moves 48\ntotal 2039\n"), "{lines}");
    // The way of a split tree.
    let output = perft(&["count", "--fen", "kiwipete", "--depth", "5", "--divide"]);
    let lines = output.stdout;
    assert!(lines.contains("e1g1: 4119629\n"), "{lines}");
    assert!(lines.ends_with("moves 48\ntotal 193690690\n"), "{lines}");
}

/// Compares a listing on standard input.
fn pasted(fen: &str, depth: &str, listing: &str) -> Run {
    pasted_bytes(fen, depth, listing.as_bytes())
}

fn pasted_bytes(fen: &str, depth: &str, listing: &[u8]) -> Run {
    let mut command = command();
    command.args(["divide", "--fen", fen, depth, "--compare", "-"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("perft");
    child.stdin.take().expect("a pipe").write_all(listing).expect("an open pipe");
    Run::wait(child)
}

#[test]
fn a_right_listing_is_right_in_any_form() {
    let ours = perft(&["divide", "--fen", "kiwipete", "3"]).stdout;
    let stockfish = ours.replace("\nmoves 48\ntotal ", "\nNodes searched: ");
    for listing in [&ours, &stockfish, &stockfish.replace("e1g1", "e1h1"), &ours.replace(": ", " ").to_uppercase()] {
        let run = pasted("kiwipete", "3", listing);
        assert_eq!((run.code, &*run.stdout), (Some(0), "the listing is right\n"), "{listing}");
    }
    // As shells and editors on Windows write files.
    let utf_16 = |marked: &str| marked.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let marked = format!("\u{feff}{}", stockfish.replace('\n', "\r\n"));
    for listing in [utf_16(&marked), marked.into_bytes()] {
        let run = pasted_bytes("kiwipete", "3", &listing);
        assert_eq!((run.code, &*run.stdout), (Some(0), "the listing is right\n"), "{listing:?}");
    }
    let folder = Folder::new();
    let path = folder.write("listing", &stockfish);
    assert_eq!(perft(&["divide", "--fen", "kiwipete", "3", "--compare", &path]).code, Some(0));
}

#[test]
fn differences_are_named_with_their_rules() {
    let right = perft(&["divide", "--fen", fens::EN_PASSANT_PINNED, "2"]).stdout;
    let listing = right.replace("moves ", "d5c6: 7\nmoves ").replace("a5b5: ", "a5b5: 1");
    let run = pasted(fens::EN_PASSANT_PINNED, "2", &listing);
    assert!(run.code == Some(1) && !run.stdout.contains("next step"), "{}", run.printed());
    for line in ["illegal   d5c6: e.p. capture while pinned along the rank\n", "below     a5b5: king move: expected "] {
        assert!(run.stdout.contains(line), "{line}: {}", run.stdout);
    }
    // The moves are right, so the error is below.
    let run = pasted(fens::EN_PASSANT_PINNED, "2", &right.replace("a5b5: ", "a5b5: 1"));
    assert_eq!(run.code, Some(1), "{}", run.printed());
    for line in [
        "next step: ask the engine below a5b5, and compare again\n",
        "\n  go perft 1\n  perft divide --fen '8/8/8/1KpP3r/8/8/8/4k3 b - - 1 1' --depth 1 --compare -\n",
        "\nthe listing is WRONG\n",
    ] {
        assert!(run.stdout.contains(line), "{line}: {}", run.stdout);
    }
    // At depth 1 no move lies below.
    let listing = perft(&["divide", "--fen", fens::EN_PASSANT, "1"]).stdout.replace("c5d6: 1\n", "");
    let run = pasted(fens::EN_PASSANT, "1", &listing);
    assert!(run.stdout.starts_with("missing   c5d6: e.p. capture\nsum       the listed moves add up to "), "{run:?}");
    assert!(run.code == Some(1) && !run.stdout.contains("next step"), "{run:?}");
    // Of another position, and of another depth.
    for (fen, depth) in [("startpos", "3"), ("kiwipete", "2")] {
        let run = pasted(fen, depth, &perft(&["divide", "--fen", "kiwipete", "3"]).stdout);
        assert_eq!(run.code, Some(1));
        assert!(run.stdout.contains("the listing is WRONG"), "{}", run.stdout);
        assert!(run.stdout.contains("of another depth or position?"), "{}", run.stdout);
    }
}

#[test]
fn a_text_without_root_moves_is_refused_or_only_its_total_compared() {
    let run = pasted("startpos", "2", "Nodes searched: 400\n");
    assert_eq!(run.code, Some(0));
    assert!(run.stdout.starts_with("moves: not compared, only the total"), "{}", run.stdout);
    pasted("startpos", "2", "from g1 to f3: 20\nNodes searched: 401\n").expect(1, &["such as in 'from g1 to f3: 20'"]);
    for (listing, expected) in [
        ("", "--compare -: found nothing, expected root moves such as 'e2e4: 20'"),
        ("hello\nworld\n", "--compare -: found 'hello', expected root moves such as 'e2e4: 20' or 'Nf3: 20'"),
        ("e2e4: 20\nSf3: 20\n", "--compare -: found 'Sf3: 20', expected root moves such as 'e2e4: 20' or 'Nf3: 20'"),
        ("e2e4: 20\nd2d4: -20\nNodes searched: 400", "--compare -: found 'd2d4: -20', expected root moves"),
    ] {
        let run = pasted("startpos", "2", listing);
        assert_eq!((run.code, run.stdout.len()), (Some(2), 0), "{}", run.printed());
        assert!(run.stderr.lines().last().is_some_and(|line| line.contains(expected)), "{}", run.stderr);
    }
    for arguments in [&["--compare", "no/such/file"][..], &["--compare", "tests"], &["--fen", "-", "--compare", "-"]] {
        let run = perft(&[&["divide", "2"], arguments].concat());
        assert_eq!((run.code, run.stderr.lines().count()), (Some(2), 1), "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.starts_with("error: --compare "), "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn a_walk_that_is_wrong_in_a_known_way_has_a_cause() {
    // Fool's mate, and a stalemate by the queen.
    for (fen, mv, end) in [
        ("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", "d8h4", "a checkmate"),
        ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "g6f7", "a stalemate"),
    ] {
        let listing = perft(&["divide", "--fen", fen, "2"]).stdout;
        let run = pasted(fen, "2", &listing.replace(&format!("{mv}: 0\n"), &format!("{mv}: 1\n")));
        run.expect(
            1,
            &[&format!("below     {mv}: "), &format!("perhaps   {mv}: {end} before the last ply is counted as 1")],
        );
        // It may be an illegal move there, so ask.
        assert!(run.stdout.contains(&format!("next step: ask the engine below {mv}")), "{}", run.stdout);
    }
    let counts = |depth: &str| perft(&["divide", "--fen", "startpos", depth]).stdout;
    let sums = counts("2").replace(": 20\n", ": 21\n").replace("total 400", "total 420");
    let sum = "perhaps   every count equals the sum over all plies";
    pasted("startpos", "2", &sums).expect(1, &[sum, "next step: ask the engine below a2a3"]);
    pasted("startpos", "3", "Nodes searched: 9322\n").expect(1, &[sum]);
    let other = pasted("startpos", "2", &counts("2").replace("a2a3: 20", "a2a3: 21"));
    assert!(other.code == Some(1) && !other.stdout.contains("sum over"), "{}", other.stdout);
    // Moves alone, and the leaves of each ply.
    let moves: String =
        counts("1").lines().filter_map(|line| line.strip_suffix(": 1")).map(|mv| format!("{mv}\n")).collect();
    assert_eq!(pasted("startpos", "1", &moves).stdout, "the listing is right\n");
    pasted("startpos", "1", &moves.replace("e2e4\n", "")).expect(1, &["missing   e2e4: double push"]);
    assert_eq!(pasted("startpos", "2", &counts("2").replace(": 20\n", " 20/1\n")).stdout, "the listing is right\n");
}

#[test]
fn a_wrong_total_is_compared_with_the_moves_of_the_last_ply() {
    // 123 e.p. captures, by the Chess Programming Wiki.
    let run = pasted(fens::POSITION_3, "4", "Nodes searched: 43115\n");
    run.expect(1, &["perhaps   it is 123 short, the number of e.p. captures in the last ply", "Try perft 1 of "]);
    pasted(fens::POSITION_3, "4", "Nodes searched: 2812\n").expect(1, &["perhaps   it is the count of depth 3\n"]);
    let other = pasted(fens::POSITION_3, "4", "Nodes searched: 43116\n");
    assert!(other.code == Some(1) && !other.stdout.contains("perhaps"), "{}", other.stdout);
}

#[test]
fn listings_of_programs_and_logs_are_read() {
    let ours = perft(&["divide", "--fen", "kiwipete", "2"]).stdout;
    let pairs = || ours.lines().filter_map(|line| line.split_once(": "));
    let list = |each: fn((&str, &str)) -> String, sign: &str| pairs().map(each).collect::<Vec<_>>().join(sign);
    let one = perft(&["divide", "--fen", "kiwipete", "1"]).stdout;
    let json = perft(&["divide", "--fen", "kiwipete", "2", "--json", "-"]).stdout;
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
        let run = pasted("kiwipete", "2", &listing);
        assert_eq!((run.code, &*run.stdout), (Some(0), "the listing is right\n"), "{listing}\n{}", run.stderr);
        // Each pair is read, not only the first of a line.
        let changed = |from, to| listing.replacen(from, to, 1);
        let last = ["h1g1: 43", "h1g1 43", "h1g1': 43", "h1g1', 43", "h1g1\n  nodes: 43"]
            .iter()
            .find(|text| listing.contains(**text));
        if let Some(last) = last {
            let wrong = pasted("kiwipete", "2", &changed(last, &last.replace("43", "44")));
            wrong.expect(1, &["below     h1g1", "found 44"]);
        }
    }
    let numbered: String = pairs().zip(1..).map(|((mv, nodes), at)| format!("{mv} {at} {nodes}\n")).collect();
    pasted("kiwipete", "2", &numbered).expect(2, &["found 'a1b1 1 43', expected root moves"]);
    for ambiguous in ["12 a2a3 44 b2b3", "a2a3: 44 ms\nb2b3: 42 ms", "a2a3: 1 nodes: 44"] {
        let first = ambiguous.lines().next().unwrap();
        pasted("kiwipete", "2", ambiguous).expect(2, &[&format!("found '{first}', expected root moves")]);
    }
}

#[test]
fn rights_of_chess960_are_said_and_castling_is_known_by_two_squares() {
    let fen = "4k3/8/8/8/8/8/8/1R1K3R w BH - 0 1";
    let ours = perft(&["divide", "--fen", fen, "2"]).stdout;
    assert!(ours.contains("d1h1: ") && ours.contains("d1b1: "), "{ours}");
    // As the king's last square, and as two squares towards the rook.
    for written in ["d1g1", "d1f1"] {
        let run = pasted(fen, "2", &ours.replace("d1h1: ", &format!("{written}: ")));
        run.expect(0, &["castling rights read as Chess960", "the listing is right"]);
    }
    assert!(!pasted("kiwipete", "1", &perft(&["divide", "--fen", "kiwipete", "1"]).stdout).stdout.contains("Chess960"));
}

#[test]
fn the_counts_and_the_comparison_are_a_document() {
    let schema = Schema::of("divide");
    let plain = perft(&["divide", "--fen", "kiwipete", "2", "--json", "-"]).json();
    schema.check(&plain);
    assert_eq!((&plain["nodes"], &plain["moves"][0]["nodes"]), (&"2039".into(), &"43".into()));
    assert!(plain["comparison"].is_null());
    assert_eq!(perft(&["count", "2", "--fen", "kiwipete", "--divide", "--json", "-"]).json()["moves"], plain["moves"]);

    let folder = Folder::new();
    let listing = perft(&["divide", "--fen", "kiwipete", "2"]).stdout;
    let wrong = listing.replace("a1b1: 43", "a1b1: 44").replace("e1g1", "e1e3").replace("total 2039", "");
    let path = folder.write("listing", wrong);
    let run = perft(&["divide", "--fen", "kiwipete", "2", "--compare", &path, "--json", "-"]);
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
