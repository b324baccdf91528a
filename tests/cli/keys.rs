//! `perft key` and `perft keys`, and key tables from files: every layout gives the keys of the scheme whose table it
//! lists. `tests/golden.rs` checks the keys themselves.

use crate::common::{Folder, document, fens, is_valid, key_of, perft, perft_line};
use perft_gate_chess::{Code, Color, Piece, Role};
use perft_gate_zobrist::{KeyTable, preset};
use serde_json::json;

#[test]
fn keys_and_terms_are_a_document() {
    let document = perft(&["key", "--fen", fens::EN_PASSANT_PINNED, "--json", "-"]).document();
    let with_clock = ["key", "--scheme", "clock=14by8", "--fen", "4k3/8/8/3n4/4P3/8/8/4K3 w - - 14 30", "--json", "-"];
    let with_clock = perft(&with_clock).document();
    let squares = &document["en_passant"];
    assert_eq!((&squares["always"], &squares["pseudo"], &squares["legal"]), (&"c6".into(), &"c6".into(), &().into()));
    // The key is the XOR of its terms.
    let hexadecimal =
        |text: &serde_json::Value| u64::from_str_radix(text.as_str().expect("a text"), 16).expect("a key");
    for (document, last) in [(&document, "White to move"), (&with_clock, "halfmove clock from 14")] {
        let terms = document["keys"][0]["parts"][0].as_array().expect("terms");
        let xor = terms.iter().fold(0, |xor, term| xor ^ hexadecimal(&term["entry"]));
        assert_eq!((terms.len(), xor), (8, hexadecimal(&document["keys"][0]["key"])));
        // This scheme has no random number for White to move.
        assert_eq!((&terms[7]["term"], hexadecimal(&terms[7]["entry"]) > 0), (&last.into(), last != "White to move"));
    }

    let mut all = perft(&["key", "--scheme", "all", "--json", "-"]).document();
    let keys = all["keys"].as_array_mut().expect("keys");
    assert!(keys.len() > 10 && keys[0]["key"].is_null(), "{}", keys.len());
    assert_eq!((&keys[2]["scheme"], &keys[2]["key"]), (&"cpw793".into(), &"2f9fc68cb43809ec".into()));
    keys[2]["key"] = 7.into();
    assert!(!is_valid(&all), "a key that is no string");
}

#[test]
fn a_broken_set_is_exit_code_1_and_its_file_says_why() {
    let folder = Folder::new();
    let file = &folder.file("audit.json");
    let scheme = ["--scheme", "pieces=rotate-halves", "--allow-weak", "--seed", "3", "--json", file];
    perft(&[&["keys", "audit"], &scheme[..]].concat()).expect(4, &["white pawn on a2, white pawn on a6"]);
    let mut document = document(file);
    assert_eq!((&document["schema"], &document["verdict"]), (&"perft.keys/1".into(), &"broken".into()));
    assert_eq!((&document["seed"], &document["sizes"][1]["found"]), (&"3".into(), &352.into()));
    assert_eq!(document["dependencies"][0]["words"][0], "white pawn on a2");
    document["seed"] = 3.into();
    assert!(!is_valid(&document), "a count that is no string");
}

#[test]
fn sums_are_audited_with_signs() {
    let audit = |scheme| perft(&["keys", "audit", "--allow-weak", "--json", "-", "--scheme", scheme]);
    let (output, found) = (audit("composite,combine=add"), "4 entries added or subtracted come to zero and may occur");
    output.expect(4, &[found, "subsets of up to 4 entries are searched"]);
    let document = output.document();
    assert_eq!((&document["combine"], &document["verdict"]), (&json!("add"), &json!("broken")));
    assert_eq!(document["sizes"].as_array().unwrap().len(), 4, "more than 4 keys are sought");
    let output = audit("additive48");
    output.expect(0, &[]);
    let document = output.document();
    let found = ["scheme", "seed", "verdict", "bits", "words", "words_in_keys"].map(|name| &document[name]);
    let expected = [json!("additive48"), json!("0"), json!("sound"), json!(48), json!(793), json!(761)];
    assert_eq!(found, expected.each_ref());
}

/// Returns the 768 keys of the pieces, White's first, in the order of `roles`.
fn by_color(table: &KeyTable, roles: [Role; 6]) -> Vec<u64> {
    let row = |color, role| table.pieces[Code::from(Piece { color, role }).index()];
    [Color::White, Color::Black].into_iter().flat_map(|color| roles.map(|role| row(color, role)).concat()).collect()
}

const USUAL: [Role; 6] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
const RUSTIC: [Role; 6] = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

/// Returns the keys of a layout's scheme in the order in which the layout's file lists them.
fn listed(layout: &str) -> Vec<u64> {
    let scheme = preset(if layout == "stockfish-15.1" { "cpw793" } else { layout }).unwrap();
    let table = scheme.key_tables(0).unwrap().parts.remove(0);
    let rights = [1, 2, 4, 8].map(|set| table.castling[set]);
    let files = &table.en_passant[40..48];
    match layout {
        "cpw781" => [&by_color(&table, USUAL)[..], &rights, files, &table.side[1..]].concat(),
        "cpw793" => [&by_color(&table, USUAL)[..], &table.castling, files, &table.side[1..]].concat(),
        "rustic851" => [&by_color(&table, RUSTIC)[..], &table.castling, &table.side, &table.en_passant[..65]].concat(),
        "polyglot" => {
            let colors = by_color(&table, USUAL);
            let (white, black) = colors.split_at(384);
            let pieces: Vec<u64> =
                white.chunks(64).zip(black.chunks(64)).flat_map(|(white, black)| [black, white].concat()).collect();
            [&pieces[..], &rights, files, &table.side[..1]].concat()
        }
        _ => [&by_color(&table, USUAL)[..], files, &table.castling, &table.side[1..], &[0x1234]].concat(),
    }
}

fn file(folder: &Folder, layout: &str, keys: &[u64]) -> String {
    let lines: Vec<String> = keys.iter().map(|key| format!("0x{key:016x}\n")).collect();
    folder.write(&format!("{layout}-{}", keys.len()), format!("# layout: {layout}\n\n{}", lines.concat()))
}

#[test]
fn every_layout_gives_the_keys_of_its_scheme() {
    let folder = Folder::new();
    for layout in ["cpw781", "cpw793", "rustic851", "polyglot", "stockfish-15.1"] {
        let path = file(&folder, layout, &listed(layout));
        for fen in [fens::KIWIPETE, fens::HALF_RIGHTS, fens::EN_PASSANT_OPENING] {
            let key = |option: &str, name: &str| key_of(name, &perft_line(&format!("key --fen {fen} {option}")));
            let scheme = if layout == "stockfish-15.1" { "cpw793" } else { layout };
            let imported = key(&format!("--keys-from {path}"), "imported-");
            assert_eq!(imported, key(&format!("--scheme {scheme}"), scheme), "{layout} {fen}");
        }
        perft_line(&format!("--keys-from {path} --suite quick --depth 2")).expect(0, &[]);
    }
}

/// An engine's key table gives black knights the keys of white knights in make and in recompute, as in a p4wn bug.
#[test]
fn words_that_are_wrong_in_both_paths_are_caught_by_their_positions() {
    let mut keys = listed("cpw793");
    let [white, black] = [64, 64 * 7];
    keys.copy_within(white..white + 64, black);
    let folder = Folder::new();
    let path = file(&folder, "cpw793", &keys);
    let line = format!("--keys-from {path} --fen {} --depth 4", fens::KNIGHTS);
    let run = perft_line(&line);
    run.expect(1, &["V5 identity (imported-cpw793) at ply 4: two positions share a key"]);
    assert!(!run.stdout.contains("V2 keys (imported-cpw793)"), "{}", run.stdout);
    perft_line(&format!("{line} --identity off")).expect(0, &[]);
}

#[test]
fn what_keys_make_writes_is_read_in_every_format() {
    let folder = Folder::new();
    for scheme in ["cpw793", "ep=e65,side=s2", "castling=c4,side=s1w"] {
        let runs = ["hex", "rust", "c"].map(|format| {
            let path = folder.file(&format!("keys-{format}"));
            let options = format!("--independent 2 --seed 7 --scheme {scheme} --format {format}");
            perft_line(&format!("keys make {options} --output {path}")).expect(0, &[]);
            let run = perft_line(&format!("key --fen {} --keys-from {path}", fens::EN_PASSANT_OPENING));
            run.expect(0, &[]);
            assert_eq!(run.stderr.contains(" in PIECES from line "), format != "hex", "{}", run.stderr);
            run
        });
        assert!(runs.iter().all(|run| run.stdout == runs[0].stdout), "{scheme}");
        // The keys read back from the file equal the scheme's keys.
        let own = perft_line(&format!("key --fen {} --scheme {scheme} --seed 7", fens::EN_PASSANT_OPENING));
        assert_eq!(key_of("imported-", &runs[0]), key_of(scheme, &own));
    }
}
