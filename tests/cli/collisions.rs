//! `perft collisions`, by the binary: sound keys are sound, and planted faults are found.

use crate::common::{Folder, Schema, document, perft};
use serde_json::Value;

/// The exit code and the document of a run.
fn judged(arguments: &[&str]) -> (Option<i32>, Value) {
    let folder = Folder::new();
    let path = folder.file("collisions.json");
    let output = perft(&[&["collisions", "--json", &path], arguments].concat());
    assert!(folder.len() == 1, "{}", output.stderr);
    (output.code, document(path))
}

fn row<'d>(document: &'d Value, scheme: usize, window: &str, bits: u32) -> &'d Value {
    let rows = document["schemes"][scheme]["rows"].as_array().unwrap();
    rows.iter().find(|row| row["window"] == window && row["bits"] == bits).unwrap()
}

#[test]
fn a_document_follows_its_schema_and_is_the_same_on_any_number_of_threads() {
    let run = |threads: &str| {
        let schemes = ["--allow-weak", "--scheme", "cpw793", "--scheme", "pieces=piece-xor-square,additive48,polyglot"];
        let arguments = [&["--depth", "4", "--seeds", "3", "--threads", threads], &schemes[..]].concat();
        let (code, mut document) = judged(&arguments);
        assert_eq!(code, Some(4));
        document["seconds"] = 1.5.into();
        document
    };
    let mut document = run("2");
    assert_eq!(document, run("1"));
    let schema = Schema::of("collisions");
    schema.check(&document);
    let verdicts: Vec<_> = (0..4).map(|scheme| document["schemes"][scheme]["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["sound", "broken", "sound", "sound"]);
    assert_eq!((&document["schemes"][0]["positions"], &document["verdict"]), (&"72078".into(), &"broken".into()));
    assert_eq!(
        (&document["schemes"][3]["first_seed"], &document["schemes"][3]["ep_policy"]),
        (&Value::Null, &"pseudo".into())
    );
    assert_eq!(row(&document, 3, "low", 32)["lost"].as_array().unwrap().len(), 1);
    // Keys of 48 bits have no window of 64; whole keys have one.
    let narrow = &document["schemes"][2];
    assert_eq!((narrow["rows"].as_array().unwrap().len(), &narrow["left_out"][0]), (3 * 4, &64.into()));
    assert_eq!(row(&document, 1, "low", 64)["lost"], row(&document, 1, "fold", 64)["lost"]);
    document["schemes"][0]["rows"][0]["lost"][0] = 7.into();
    assert!(!schema.is_valid(&document), "a count that is no string");
}

#[test]
fn folded_rotations_are_broken_and_whole_ones_are_not() {
    let (code, document) = judged(&["--depth", "5", "--scheme", "rotate,gf64", "--bits", "32", "--seeds", "20"]);
    assert_eq!((code, &document["schemes"][0]["positions"]), (Some(4), &"822518".into()));
    assert_eq!(row(&document, 0, "fold", 32)["verdict"], "broken");
    for (scheme, window) in [(0, "low"), (0, "high"), (1, "low"), (1, "high"), (1, "fold")] {
        let row = row(&document, scheme, window, 32);
        assert_eq!(row["verdict"], "sound", "{row}");
        assert!((row["expected"].as_f64().unwrap() - 78.75).abs() < 0.01, "{row}");
    }
}

#[test]
fn faults_planted_in_a_file_of_words_are_found() {
    let folder = Folder::new();
    let file = &folder.file("keys.txt");
    let made = perft(&["keys", "make", "--scheme", "cpw793", "--independent", "2", "--out", file]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let made = folder.read("keys.txt");
    let is_word = |line: &&str| !line.starts_with('#') && !line.is_empty();
    let keys: Vec<u64> = made
        .lines()
        .filter(is_word)
        .map(|key| u64::from_str_radix(key.trim_start_matches("0x"), 16).unwrap())
        .collect();
    assert_eq!(keys.len(), 793);
    // White's pawns come first: e3 and e4 alike, one bit set in all keys, and all keys in sixteen bits.
    let with = |change: &dyn Fn(usize, u64) -> u64| {
        let lines = keys.iter().enumerate().map(|(i, &key)| format!("{:016x}\n", change(i, key)));
        folder.write("keys.txt", format!("# layout: cpw793\n{}", lines.collect::<String>()));
        let (code, document) = judged(&["--depth", "4", "--keys-from", file]);
        assert_eq!(code == Some(4), document["verdict"] == "broken");
        document
    };
    assert_eq!(with(&|_, key| key)["verdict"], "sound");
    let alike = with(&|i, key| if i == 20 { keys[28] } else { key });
    assert_eq!(row(&alike, 0, "high", 64)["verdict"], "broken");
    assert!(alike["schemes"][0]["rows"][4]["lost"][0].as_str().unwrap().parse::<u64>().unwrap() > 1000, "{alike}");
    let constant = with(&|_, key| key | 1 << 3);
    assert_eq!(
        (&row(&constant, 0, "low", 16)["verdict"], &row(&constant, 0, "high", 16)["verdict"]),
        (&"broken".into(), &"sound".into())
    );
    let narrow = with(&|_, key| (key & 0xffff) * 0x0001_0001_0001_0001);
    assert_eq!(
        (&row(&narrow, 0, "low", 32)["verdict"], &row(&narrow, 0, "low", 16)["verdict"]),
        (&"broken".into(), &"sound".into())
    );
}

#[test]
fn bad_input_is_one_line_and_exit_code_2() {
    for (arguments, message) in [
        (&["--scheme", "none"][..], "--scheme: found 'none', expected schemes with keys"),
        (
            &["--scheme", "cpw793,width=128"],
            "--scheme: found cpw793,width=128 with keys of 128 bits, expected at most 64",
        ),
        (&["--scheme", "pieces=lcg15"], "--scheme: found a weak combination, expected a sound one or --allow-weak"),
        (&["--scheme", "additive48", "--bits", "64"], "--bits: found 64, expected one of at most the 48 of additive48"),
        (&["--bits", "65"], "65 is not in 1..=64"),
        (&["--window", "middle"], "found 'middle', expected one of low, high, fold"),
        (&["--fen", "8/8/8/8/8/5k2/5p2/5K2 w - - 0 1"], "--depth: found no position at ply 4, expected one"),
        (&["--memory", "1M"], "--memory: found 1.00 MiB, expected"),
        (&["--memory", "20M"], "ply 4 does not fit: found"),
        (&["--json", "/nowhere/at/all"], "--json /nowhere/at/all: "),
        (&["--keys-from", "/nowhere"], "--keys-from /nowhere: "),
    ] {
        let output = perft(&[&["collisions", "--depth", "4", "--seeds", "1", "--threads", "2"], arguments].concat());
        let found = output.stderr;
        assert_eq!((output.code, found.lines().count()), (Some(2), 1), "{arguments:?}: {found}");
        assert!(found.contains(message), "{arguments:?}: {found}");
    }
}
