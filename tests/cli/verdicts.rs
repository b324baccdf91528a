//! The machine-readable outputs of `perft gate`.

use crate::common::{Folder, fens, is_valid, perft_line};
use quick_xml::events::Event;
use serde_json::json;

/// Writes a list with a row that passes, one without counts, one that is too deep, and one with a wrong count.
fn list(folder: &Folder) -> String {
    let row = |id: &str, fen: &str, counts: &str| format!(r#"{{"id": "{id}", "fen": "{fen}"{counts}}}"#);
    let rows = [
        row("start", fens::START, r#", "D3": 8902"#),
        row(r#"no counts <&\"> |"#, fens::START, ""),
        row("skipped", fens::KINGS, r#", "D9": 1"#),
        row("wrong count", fens::KINGS, r#", "D2": 26"#),
    ];
    folder.write("list.json", format!("[{}]", rows.join(",\n")))
}

#[test]
fn json_follows_its_schema() {
    let folder = Folder::new();
    for mode in ["verify", "count", "stats"] {
        let run = perft_line(&format!("--suite {} --depth 3 --max-nodes 100000 --mode {mode} --json -", list(&folder)));
        let document = run.document();
        assert_eq!(document["verdict"], "failed");
        let rows = &document["rows"];
        assert_eq!((&rows[0]["nodes"][3], &rows[1]["expectation"]), (&"8902".into(), &"cross-checked".into()));
        assert_eq!(
            (&rows[2]["status"], &rows[2]["reason"]),
            (&"skipped".into(), &"no count is listed up to depth 3".into())
        );
        assert_eq!((&rows[3]["depth_requested"], &rows[3]["depth"]), (&3.into(), &2.into()));
        let count = json!([{"depth": 2, "expectation": "suite", "expected": "26", "found": "25"}]);
        assert_eq!(rows[3]["wrong_counts"], count);
    }
    let mut document = perft_line("--fen kiwipete --depth 3 --plant captured-piece-kept --json -").document();
    let mismatch = &document["rows"][0]["mismatches"][0];
    assert_eq!(mismatch["diagnosis"].as_array().map(Vec::len), Some(1), "{mismatch:#}");
    let bare = perft_line(&format!("--suite {} -d 2 --json -", folder.write("bare.epd", fens::KINGS)));
    bare.expect(2, &["perft suite fill"]);
    assert_eq!(bare.document()["verdict"], "no-counts");
    // The schema must reject a count that is no string.
    document["rows"][0]["nodes"][0] = 1.into();
    assert!(!is_valid(&document));
}

#[test]
fn junit_is_well_formed_and_counts_the_rows() {
    let folder = Folder::new();
    let text = perft_line(&format!("--suite {} --depth 3 --max-nodes 100000 --junit -", list(&folder))).stdout;
    let (mut reader, mut cases) = (quick_xml::Reader::from_str(&text), 0);
    loop {
        match reader.read_event().expect("well-formed XML") {
            Event::Eof => break,
            Event::Start(tag) | Event::Empty(tag) => cases += usize::from(tag.name().as_ref() == "testcase"),
            _ => {}
        }
    }
    assert_eq!(cases, 4, "{text}");
    for part in ["failures=\"1\"", "<skipped", "V1 counts at depth 2", "no counts &lt;&amp;&quot;&gt; |"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}
