//! `perft key`. The keys themselves are among the goldens.

use crate::common::{Schema, fens, perft};

#[test]
fn moves_may_be_one_argument() {
    let key = |moves: &[&str]| {
        let output = perft(&[&["key", "--moves"], moves].concat());
        assert_eq!(output.code, Some(0), "{moves:?}: {}", output.stderr);
        output.stdout
    };
    assert_eq!(key(&["e2e4 e7e5  g1f3"]), key(&["e2e4", "e7e5", "g1f3"]));
    assert_eq!(key(&["e2e4 e7e5", "g1f3"]), key(&["e2e4", "e7e5", "g1f3"]));
}

#[test]
fn keys_and_terms_are_a_document() {
    let schema = Schema::of("key");
    let document = perft(&["key", "--fen", fens::EN_PASSANT_PINNED, "--json", "-"]).json();
    schema.check(&document);
    let with_clock = ["key", "--scheme", "clock=14by8", "--fen", "4k3/8/8/3n4/4P3/8/8/4K3 w - - 14 30", "--json", "-"];
    let with_clock = perft(&with_clock).json();
    let squares = &document["en_passant"];
    assert_eq!((&squares["always"], &squares["pseudo"], &squares["legal"]), (&"c6".into(), &"c6".into(), &().into()));
    // The key is the xor of its terms.
    let hexadecimal =
        |text: &serde_json::Value| u64::from_str_radix(text.as_str().expect("a text"), 16).expect("a key");
    for (document, last) in [(&document, "White to move"), (&with_clock, "halfmove clock 14")] {
        let terms = document["keys"][0]["parts"][0].as_array().expect("terms");
        let xor = terms.iter().fold(0, |xor, term| xor ^ hexadecimal(&term["entry"]));
        assert_eq!((terms.len(), xor), (8, hexadecimal(&document["keys"][0]["key"])));
        // White's turn has no number in this scheme.
        assert_eq!((&terms[7]["term"], hexadecimal(&terms[7]["entry"]) > 0), (&last.into(), last != "White to move"));
    }

    let mut all = perft(&["key", "--scheme", "all", "--json", "-"]).json();
    schema.check(&all);
    let keys = all["keys"].as_array_mut().expect("keys");
    assert!(keys.len() > 10 && keys[0]["key"].is_null(), "{}", keys.len());
    assert_eq!((&keys[2]["scheme"], &keys[2]["key"]), (&"cpw793".into(), &"2f9fc68cb43809ec".into()));
    keys[2]["key"] = 7.into();
    assert!(!schema.is_valid(&all), "a key that is no string");
}
