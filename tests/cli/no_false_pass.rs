//! Runs that must not pass because nothing was compared, and next steps that must work as printed. `tests/cmd` has more runs
//! that must not pass.

use crate::common::{Folder, Run, Schema, command, document, fens, perft_line};
use regex_lite::Regex;
use std::process::Stdio;

#[test]
fn a_gate_over_a_list_without_counts_does_not_pass() {
    let folder = Folder::new();
    let suite = folder.write("bare.epd", format!("{}\n{};id kings\n", fens::START, fens::KINGS));
    let json = folder.file("verdict.json");
    let run = perft_line(&format!("--suite {suite} -d 2 --json {json}"));
    run.expect(2, &["no row lists a count up to depth 2", "perft suite fill"]);
    Schema::of("gate").check(&document(&json));
    assert_eq!(document(&json)["verdict"], "no-counts");
    // What it says to do helps.
    let filled = folder.file("filled.epd");
    perft_line(&format!("suite fill {suite} --depth 2 --out {filled}")).expect(0, &[]);
    perft_line(&format!("--suite {filled} -d 2")).expect(0, &["2 passed, 0 failed", "; passed"]);
}

/// Every command that a run tells its user to type next is understood.
#[test]
fn printed_commands_work() {
    let folder = Folder::new();
    // Rows that are read leniently, each with a wrong count.
    let rows = [
        "rnbqk1nR/ppp1ppb1/6p1/3p4/8/2N5/PPPPPPP1/R1BQKBN1 b Qkq - 0 5 ;D1 1 ;id rights without a rook",
        "4k3/8/8/8/8/8/8/4K3 w KQkq e6 0 1 ;D2 1 ;id nothing to castle with",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 ;D2 1 ;id corners",
    ];
    let suite = folder.write("wrong.epd", rows.join("\n"));
    let gate = perft_line(&format!("--suite {suite} -d 2"));
    let listing = perft_line("divide --fen kiwipete 3").stdout.replacen("a1b1: ", "a1b1: 9", 1);
    let divide = perft_line(&format!("divide --fen kiwipete 3 --compare {}", folder.write("listing", listing)));
    gate.expect(1, &[]);
    divide.expect(1, &[]);
    let printed = format!("{}\n{}", gate.printed(), divide.printed());
    let pattern = Regex::new(r"perft ((?:divide|count|key|suite|keys|list) -[^\n`]*)").expect("a pattern");
    let commands: Vec<String> = pattern.captures_iter(&printed).map(|found| found[1].to_string()).collect();
    assert_eq!(commands.len(), rows.len() + 1, "{printed}");
    for line in commands {
        let run = Run::of(command().args(shlex::split(&line).expect("words")).stdin(Stdio::null()));
        // A comparison waits for a listing, and finds none here.
        let expected = if line.ends_with("--compare -") { Some(2) } else { Some(0) };
        assert_eq!(run.code, expected, "{line}: {}", run.printed());
        assert!(!run.stderr.contains("FEN field") || run.stderr.starts_with("note: "), "{line}: {}", run.stderr);
    }
}
