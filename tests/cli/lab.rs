//! `perft compare` and `perft collisions`, run through the binary: sound keys pass, and planted faults are found.

use super::report::fixture;
use crate::common::{Folder, document, is_valid, perft_line};
use perft_gate_report::compare::json::CompareDocument;
use perft_gate_report::compare::text::text;
use perft_gate_report::page::{Documents, Page, html};
use serde_json::Value;

#[test]
fn a_short_comparison_decides_nothing_and_its_file_says_what_was_measured() {
    let folder = Folder::new();
    let path = folder.file("compare.json");
    // The budget suits a test, but it is too short for the number of rounds that a verdict needs.
    let line = "compare --fen startpos --depth 3 --scheme cpw793,cpw793,pieces=gf64 --budget 1ms --json";
    let walked = "make and unmake with the key: 1 position, 9323 nodes";
    let parts = [walked, "against none: noise floor ", "against cpw793: ", "undecided"];
    perft_line(&format!("{line} {path}")).expect(0, &parts);
    perft_line(&format!("report {path} --csv {}", folder.file("compare.csv"))).expect(0, &[]);
    let row = "\ncosts,Costs of hashing schemes,\"against cpw793, cpw793,pieces=gf64\",\"more, ns\",";
    assert!(folder.read("compare.csv").contains(row));
    let mut document = document(path);
    let names: Vec<&Value> = document["contenders"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["none", "cpw793", "cpw793,pieces=gf64", "cpw793, again"]);
    document["rounds"][0]["slices"][0][0][1] = 0.into();
    assert!(!is_valid(&document), "a slice without time");
}

#[test]
fn a_machine_that_changes_its_speed_makes_no_column_contradict_the_verdict() {
    let parsed = Documents::parse(&std::fs::read_to_string(fixture("compare.json")).unwrap()).unwrap();
    let mut compared = parsed.comparisons.into_iter().next().expect("a comparison");
    let shown = |compared: &CompareDocument| {
        let documents = Documents { comparisons: vec![compared.clone()], ..Documents::default() };
        (text(&documents.comparisons[0], None), html(&Page::new(&documents, None)))
    };
    let before = shown(&compared);
    let is_reference = |number| compared.tables.iter().any(|table| table.reference == number);
    let variants: Vec<usize> = (0..compared.contestants.len()).filter(|&number| !is_reference(number)).collect();
    variants.into_iter().for_each(|number| compared.contestants[number].ns_per_node *= 2.2);
    for comparison in compared.tables.iter_mut().flat_map(|table| &mut table.comparisons) {
        comparison.difference_ns.median *= -2.2;
    }
    assert_eq!(shown(&compared), before);
    // The conclusion names both schemes of every comparison.
    let conclusion = before.0.lines().last().expect("a conclusion");
    let pairs: usize = [" than ", " and "].map(|word| conclusion.matches(word).count()).iter().sum();
    assert_eq!(pairs, compared.tables.iter().flat_map(|table| &table.comparisons).count(), "{conclusion}");
}

#[test]
fn beside_a_table_hits_are_verified_and_keys_before_moves_are_the_childs() {
    let folder = Folder::new();
    let path = folder.file("compare.json");
    let line = "compare --fen kiwipete --depth 2 --table 1M --budget 1ms --scheme \
                cpw793,cpw793,prefetch=key-after,cpw793,prefetch=rough-key-after,cpw793,prefetch=after-make --json";
    let parts = ["with a transposition table of 1 MiB: ", "cpw793,prefetch=key-after: 0 of "];
    perft_line(&format!("{line} {path}")).expect(0, &parts);
    let document = document(path);
    assert_eq!(document["transposition_table_bytes"], 1 << 20);
    let used =
        |number: usize, field: &str| document["contenders"][number]["transposition_table"][field].as_u64().unwrap();
    // `none` has no key, so it never probes the table.
    assert_eq!((used(0, "probes"), used(0, "hits")), (0, 0));
    for number in 1..5 {
        assert!(used(number, "probes") > 2000 && used(number, "hits") > 0 && used(number, "false_hits") == 0);
    }
    // Each pass makes 48 moves and the replies to them. A rough key is wrong for castling and moves that lose rights.
    assert_eq!((used(1, "foreseen"), used(4, "foreseen")), (0, 0));
    assert!(used(2, "foreseen") > 2000 && used(2, "wrongly_foreseen") == 0);
    let part = used(3, "wrongly_foreseen") as f64 / used(3, "foreseen") as f64;
    assert!((0.02..0.5).contains(&part), "{part}");
}

#[test]
fn other_positions_with_the_same_key_are_counted_and_said() {
    let line = "compare --fen kiwipete --depth 3 --table 1M --budget 1ms --allow-weak --json - --scheme";
    let weak = "pieces=composite,combine=add";
    let output = perft_line(&format!("{line} {weak}"));
    let used = &output.document()["contenders"][1]["transposition_table"];
    let [hits, false_hits] = ["hits", "false_hits"].map(|field| used[field].as_u64().unwrap());
    assert!(0 < false_hits && false_hits < hits, "{used}");
    output.expect(0, &[&format!("\n{weak}: {false_hits} of {hits} hits found another position\n")]);
}

/// Runs `perft collisions` and returns its exit code and document.
fn judge(line: &str) -> (Option<i32>, Value) {
    let run = perft_line(&format!("collisions --json - {line}"));
    (run.code, run.document())
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
    let verdicts: Vec<_> = (0..4).map(|scheme| document["schemes"][scheme]["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["sound", "broken", "sound", "sound"]);
    assert_eq!((&document["schemes"][0]["positions"], &document["verdict"]), (&"72078".into(), &"broken".into()));
    assert_eq!(
        (&document["schemes"][3]["first_seed"], &document["schemes"][3]["ep_policy"]),
        (&Value::Null, &"pseudo".into())
    );
    assert_eq!(row(&document, 3, "low", 32)["lost"].as_array().unwrap().len(), 1);
    // A 48-bit key has no 64-bit window. In a 64-bit key, all 64-bit windows are equal.
    let narrow = &document["schemes"][2];
    assert_eq!((narrow["rows"].as_array().unwrap().len(), &narrow["left_out"][0]), (3 * 4, &64.into()));
    assert_eq!(row(&document, 1, "low", 64)["lost"], row(&document, 1, "fold", 64)["lost"]);
    document["schemes"][0]["rows"][0]["lost"][0] = 7.into();
    assert!(!is_valid(&document), "a count that is no string");
}

#[test]
fn faults_planted_in_a_file_of_words_are_found() {
    let folder = Folder::new();
    let file = &folder.file("keys.txt");
    perft_line(&format!("keys make --scheme cpw793 --independent 2 --output {file}")).expect(0, &[]);
    let made = folder.read("keys.txt");
    let is_word = |line: &&str| !line.starts_with('#') && !line.is_empty();
    let words = made.lines().filter(is_word).map(|key| key.trim_start_matches("0x"));
    let keys: Vec<u64> = words.map(|key| u64::from_str_radix(key, 16).unwrap()).collect();
    assert_eq!(keys.len(), 793);
    // The keys of White's pawns come first. Three faults are planted: the key of e3 equals that of e4, one bit is set
    // in all keys, and each key repeats the same 16 bits four times.
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
