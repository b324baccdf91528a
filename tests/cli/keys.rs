//! `perft keys`, by the binary.

use crate::common::{Folder, Schema, document, perft};
use serde_json::json;

#[test]
fn the_published_words_are_sound_and_none_of_six_are_dependent() {
    let output = perft(&["keys", "audit", "--scheme", "polyglot", "--threads", "2", "--json", "-"]);
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    assert!(
        output.stderr.starts_with("polyglot: 781 entries of 64 bits, 749 of them used in keys: sound"),
        "{}",
        output.stderr
    );
    let audit = output.json();
    assert_eq!((&audit["scheme"], &audit["verdict"]), (&json!("polyglot"), &json!("sound")));
    let found = ["bits", "words", "words_in_keys", "rank"].map(|name| &audit[name]);
    assert_eq!(found, [json!(64), json!(781), json!(749), json!(64)].each_ref());
    let six = &audit["sizes"][5];
    assert_eq!((&six["words"], &six["found"], &six["at_least"]), (&json!(6), &json!(0), &json!(false)));
    assert!((six["expected"].as_f64().unwrap() - 1.7e-5).abs() < 0.1e-5, "{six}");
}

#[test]
fn a_broken_set_is_exit_code_1_and_its_file_says_why() {
    let folder = Folder::new();
    let file = &folder.file("audit.json");
    let scheme = ["--scheme", "pieces=rotate-halves", "--allow-weak", "--seed", "3", "--json", file];
    let output = perft(&[&["keys", "audit"], &scheme[..]].concat());
    let found = output.stdout;
    assert_eq!(output.code, Some(4), "{found}");
    assert!(found.contains("white pawn on a2, white pawn on a6"), "{found}");
    let mut document = document(file);
    assert_eq!((&document["schema"], &document["verdict"]), (&"perft.keys/1".into(), &"broken".into()));
    assert_eq!((&document["seed"], &document["sizes"][1]["found"]), (&"3".into(), &352.into()));
    assert_eq!(document["dependencies"][0]["words"][0], "white pawn on a2");
    let schema = Schema::of("keys");
    schema.check(&document);
    document["seed"] = 3.into();
    assert!(!schema.is_valid(&document), "a count that is no string");
}

#[test]
fn made_words_are_read_back_and_audited() {
    let folder = Folder::new();
    for (scheme, independent, seed) in [("cpw793", "2", "7"), ("bch", "2", "1")] {
        let file = &folder.file(scheme);
        let output =
            perft(&["keys", "make", "--scheme", scheme, "--independent", independent, "--seed", seed, "--out", file]);
        assert_eq!(output.code, Some(0), "{}", output.stderr);
        let key = |arguments: &[&str]| {
            let output = perft(&[&["key", "--fen", "kiwipete"], arguments].concat());
            let found = output.stdout;
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
    let audit = |scheme| perft(&["keys", "audit", "--allow-weak", "--json", "-", "--scheme", scheme]);
    let output = audit("composite,combine=add");
    let (found, document) = (&output.stderr, output.json());
    assert_eq!(output.code, Some(4), "{found}");
    assert!(found.contains("4 entries added or subtracted come to zero and may occur in a game"), "{found}");
    assert!(found.contains("subsets of more than 4 entries are not searched"), "{found}");
    assert_eq!((&document["combine"], &document["verdict"]), (&json!("add"), &json!("broken")));
    assert_eq!(document["sizes"].as_array().unwrap().len(), 4, "more than 4 keys are sought");
    let output = audit("additive48");
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    let document = output.json();
    let found = ["scheme", "seed", "verdict", "bits", "words", "words_in_keys"].map(|name| &document[name]);
    let expected = [json!("additive48"), json!("0"), json!("sound"), json!(48), json!(793), json!(761)];
    assert_eq!(found, expected.each_ref());
}
