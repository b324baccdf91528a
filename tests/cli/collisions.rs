//! `perft collisions`, by the binary: sound keys are sound, and planted faults are found.

use crate::common::{Folder, Schema, perft_line};
use serde_json::Value;

/// The exit code and the document of a run.
fn judge(line: &str) -> (Option<i32>, Value) {
    let run = perft_line(&format!("collisions --json - {line}"));
    (run.code, run.json())
}

fn row<'d>(document: &'d Value, scheme: usize, window: &str, bits: u32) -> &'d Value {
    let rows = document["schemes"][scheme]["rows"].as_array().unwrap();
    rows.iter().find(|row| row["window"] == window && row["bits"] == bits).unwrap()
}

#[test]
fn a_document_follows_its_schema_and_is_the_same_on_any_number_of_threads() {
    let run = |threads: &str| {
        let schemes = "--allow-weak --scheme cpw793 --scheme pieces=piece-xor-square,additive48,polyglot";
        let (code, mut document) = judge(&format!("--depth 4 --seeds 3 --threads {threads} {schemes}"));
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
fn faults_planted_in_a_file_of_words_are_found() {
    let folder = Folder::new();
    let file = &folder.file("keys.txt");
    perft_line(&format!("keys make --scheme cpw793 --independent 2 --out {file}")).expect(0, &[]);
    let made = folder.read("keys.txt");
    let is_word = |line: &&str| !line.starts_with('#') && !line.is_empty();
    let words = made.lines().filter(is_word).map(|key| key.trim_start_matches("0x"));
    let keys: Vec<u64> = words.map(|key| u64::from_str_radix(key, 16).unwrap()).collect();
    assert_eq!(keys.len(), 793);
    // White's pawns come first: e3 and e4 alike, one bit set in all keys, and all keys in sixteen bits.
    let with = |change: &dyn Fn(usize, u64) -> u64| {
        let lines = keys.iter().enumerate().map(|(i, &key)| format!("{:016x}\n", change(i, key)));
        folder.write("keys.txt", format!("# layout: cpw793\n{}", lines.collect::<String>()));
        let (code, document) = judge(&format!("--depth 4 --keys-from {file}"));
        assert_eq!(code == Some(4), document["verdict"] == "broken");
        document
    };
    assert_eq!(with(&|_, key| key)["verdict"], "sound");
    let alike = with(&|i, key| if i == 20 { keys[28] } else { key });
    assert_eq!(row(&alike, 0, "high", 64)["verdict"], "broken");
    assert!(alike["schemes"][0]["rows"][4]["lost"][0].as_str().unwrap().parse::<u64>().unwrap() > 1000, "{alike}");
    let constant = with(&|_, key| key | 1 << 3);
    let verdict = |document, window, bits| row(document, 0, window, bits)["verdict"].as_str().unwrap().to_string();
    assert_eq!([verdict(&constant, "low", 16), verdict(&constant, "high", 16)], ["broken", "sound"]);
    let narrow = with(&|_, key| (key & 0xffff) * 0x0001_0001_0001_0001);
    assert_eq!([verdict(&narrow, "low", 32), verdict(&narrow, "low", 16)], ["broken", "sound"]);
}
