//! `perft keys`, by the binary.

use serde_json::Value;
use std::process::{Command, Output};

fn perft(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_perft")).args(arguments).output().expect("the binary runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn the_published_tables_are_sound_and_none_of_six_are_dependent() {
    let output = perft(&["keys", "audit", "--scheme", "polyglot", "--threads", "2"]);
    let found = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{found}");
    assert!(found.starts_with("polyglot: 781 entries of 64 bits, 749 of them used in keys: sound"), "{found}");
    assert!(found.contains("rank 64 of 64") && found.contains("6 entries          0  1.7e-5"), "{found}");
}

#[test]
fn a_broken_set_is_exit_code_1_and_its_file_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("audit.json");
    let file = path.to_str().unwrap();
    let scheme = ["--scheme", "pieces=rotate-halves", "--allow-weak", "--seed", "3", "--json", file];
    let output = perft(&[&["keys", "audit"], &scheme[..]].concat());
    let found = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{found}");
    assert!(found.contains("white pawn a2, white pawn a6"), "{found}");
    let mut document: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!((&document["schema"], &document["verdict"]), (&"perft.keys/1".into(), &"broken".into()));
    assert_eq!((&document["seed"], &document["sizes"][1]["found"]), (&"3".into(), &"352".into()));
    assert_eq!(document["dependencies"][0]["words"][0], "white pawn a2");
    let schema = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/schema/keys-1.schema.json")).unwrap();
    let schema = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
    let errors: Vec<String> = schema.iter_errors(&document).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    document["sizes"][1]["found"] = 352.into();
    assert!(!schema.is_valid(&document), "a count that is no string");
}

#[test]
fn made_key_tables_are_read_back_and_audited() {
    let folder = tempfile::tempdir().unwrap();
    for (scheme, independent, seed) in [("cpw793", "2", "7"), ("bch", "2", "1")] {
        let path = folder.path().join(scheme);
        let file = path.to_str().unwrap();
        let output =
            perft(&["keys", "make", "--scheme", scheme, "--independent", independent, "--seed", seed, "--out", file]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let key = |arguments: &[&str]| {
            let output = perft(&[&["key", "--fen", "kiwipete"], arguments].concat());
            let found = text(&output.stdout);
            let line = found.lines().find(|line| line.starts_with("imported-") || line.starts_with(scheme));
            line.and_then(|line| line.split_whitespace().nth(1)).map(str::to_string)
        };
        let imported = key(&["--keys-from", file]);
        assert!(imported.is_some());
        assert_eq!(imported, key(&["--scheme", scheme, "--seed", seed]));
    }
}

#[test]
fn sums_are_audited_with_signs() {
    let audit = |scheme: &[&str]| perft(&[&["keys", "audit", "--allow-weak", "--scheme"], scheme].concat());
    let output = audit(&["composite,combine=add"]);
    let found = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{found}");
    assert!(found.contains("4 entries added or subtracted come to zero and may occur in a game"), "{found}");
    assert!(found.contains("subsets of more than 4 entries are not searched"), "{found}");
    let output = audit(&["additive48"]);
    let found = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{found}");
    assert!(
        found.starts_with("additive48, seed 0: 793 entries of 48 bits, 761 of them used in keys: sound"),
        "{found}"
    );
}
