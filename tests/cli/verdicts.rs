//! The gate's machine-readable outputs, as real runs write them.

use crate::common::{Schema, fens};
use perft_gate_chess::Fen;
use perft_gate_judge::faults::{Fault, Plant, judge_planted};
use perft_gate_judge::gate::{Identities, Mode, Options};
use perft_gate_judge::gate::{Run, RunTotals};
use perft_gate_report::gate::{cases, json};
use perft_gate_simd::Level;
use perft_gate_suite::{self as suite, Row};
use perft_gate_walk::Control;
use perft_gate_walk::Settings;
use perft_gate_zobrist::preset;
use serde_json::Value;

fn options(mode: Mode) -> Options<'static> {
    let settings = Settings {
        scheme: preset("cpw793").unwrap(),
        secondary: &[],
        seed: 0,
        level: Level::detect(),
        sample_mask: 0xfff,
    };
    Options { depth: 3, mode, settings, max_nodes: Some(100_000), identities: Identities::All }
}

fn run(rows: &[Row], mode: Mode, fault: Option<Fault>) -> Run<'static> {
    let options = options(mode);
    let judge = |row| match fault {
        Some(fault) => judge_planted(Plant::everywhere(fault), row, options, &Control::default()),
        None => perft_gate_judge::gate::judge(row, options, &Control::default()),
    };
    let verdicts: Vec<_> = rows.iter().map(judge).collect();
    let tally = RunTotals::of(&verdicts);
    Run {
        suite: "test".into(),
        options,
        threads: 2,
        rows: rows.len(),
        before: 0,
        tally,
        verdicts,
        playouts: None,
        has_listed_counts: true,
        finished: true,
    }
}

fn rows() -> Vec<Row> {
    let mut rows = suite::parse(suite::embedded("standard").unwrap()).unwrap();
    rows.truncate(9);
    rows.push(Row::unknown("no counts <&\"> |", Fen::parse(fens::START).unwrap()));
    rows.extend(suite::parse(&format!("{} ;D9 1 ;id skipped", fens::KINGS)).unwrap());
    rows.extend(suite::parse(&format!("{} ;D2 26 ;id wrong count", fens::KINGS)).unwrap());
    rows
}

#[test]
fn json_follows_its_schema() {
    let schema = Schema::of("gate");
    for mode in [Mode::Verify, Mode::Count, Mode::Stats] {
        let text = json::document(&run(&rows(), mode, None));
        let document: Value = serde_json::from_str(&text).unwrap();
        schema.check(&document);
        assert_eq!(document["verdict"], "failed");
        assert_eq!(document["rows"][0]["nodes"][3], "8902");
        assert_eq!(document["rows"][9]["expectation"], "cross-checked");
        assert_eq!(document["rows"][10]["status"], "skipped");
        assert_eq!(document["rows"][11]["wrong_counts"][0]["expected"], "26");
    }
    let planted = json::document(&run(&rows()[1..2], Mode::Verify, Some(Fault::CapturedPieceKept)));
    let document: Value = serde_json::from_str(&planted).unwrap();
    assert!(schema.is_valid(&document));
    let mismatch = &document["rows"][0]["mismatches"][0];
    assert_eq!(mismatch["diagnosis"].as_array().map(Vec::len), Some(1), "{mismatch:#}");
    // The schema is not so loose that it takes anything.
    let mut broken = document.clone();
    broken["rows"][0]["nodes"][0] = 1.into();
    assert!(!schema.is_valid(&broken));
}

#[test]
fn junit_is_well_formed_and_counts_the_rows() {
    let text = cases::junit(&run(&rows(), Mode::Verify, None));
    let mut reader = quick_xml::Reader::from_str(&text);
    let mut cases = 0;
    loop {
        match reader.read_event().expect("well-formed XML") {
            quick_xml::events::Event::Eof => break,
            quick_xml::events::Event::Start(tag) | quick_xml::events::Event::Empty(tag) => {
                cases += usize::from(tag.name().as_ref() == "testcase");
            }
            _ => {}
        }
    }
    assert_eq!(cases, 12, "{text}");
    assert!(
        text.contains("failures=\"1\"") && text.contains("<skipped") && text.contains("V1 counts at depth 2"),
        "{text}"
    );
    let mut unfinished = run(&rows()[..1], Mode::Verify, None);
    unfinished.finished = false;
    unfinished.rows = 2;
    assert!(cases::junit(&unfinished).contains("1 of 2 rows are done"));
    assert!(json::document(&unfinished).contains("\"verdict\": \"incomplete\""));
}

#[test]
fn github_gets_one_line_an_error_and_a_table() {
    let run = run(&rows(), Mode::Verify, None);
    let errors: Vec<_> = run.verdicts.iter().filter_map(cases::error).collect();
    assert_eq!(errors.len(), 1);
    assert!(errors[0].starts_with("::error title=perft wrong count::") && !errors[0].contains('\n'), "{}", errors[0]);
    let summary = cases::summary(&run);
    // What an id says is read, not done.
    let mut hostile = run.clone();
    hostile.verdicts.truncate(1);
    hostile.verdicts[0].row.id = "<img src=x> [a](b) `c` \\| \u{1b}[31m\n| d".into();
    let row = cases::summary(&hostile).lines().nth(4).unwrap().to_string();
    let expected = "| &lt;img src=x&gt; \\[a\\](b) \\`c\\` \\\\\\| U+001B\\[31mU+000A\\| d | 3 | 8902 | 8902 | ok |";
    assert_eq!(row, expected);
    assert!(summary.contains("| no counts &lt;&amp;\"&gt; \\| | 3 | 8902 | 8902 | ok |"), "{summary}");
}
