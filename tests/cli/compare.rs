//! `perft compare`, by the binary.

use crate::common::{Folder, Schema, document, perft};
use serde_json::Value;

#[test]
fn a_short_comparison_decides_nothing_and_its_file_says_what_was_measured() {
    let folder = Folder::new();
    let path = folder.file("compare.json");
    // Too short for the rounds of a verdict: the time is what tests can afford.
    let line = "compare --fen startpos --depth 3 --scheme cpw793,cpw793,pieces=gf64 --budget 1ms --json";
    let output = perft(&line.split(' ').chain([&*path]).collect::<Vec<_>>());
    let found = output.stdout;
    assert_eq!(output.code, Some(0), "{found}{}", output.stderr);
    for part in [
        "make and unmake with the key: 1 position, 9323 nodes",
        "against none: noise floor ",
        "against cpw793: ",
        "undecided",
    ] {
        assert!(found.contains(part), "{part}: {found}");
    }
    let output = perft(&["report", &path, "--csv", &folder.file("compare.csv")]);
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    let row = "\ncosts,Costs of hashing schemes,\"against cpw793, cpw793,pieces=gf64\",\"more, ns\",";
    assert!(folder.read("compare.csv").contains(row));
    let mut document = document(path);
    let schema = Schema::of("compare");
    schema.check(&document);
    let names: Vec<&Value> = document["contenders"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["none", "cpw793", "cpw793,pieces=gf64", "cpw793, again"]);
    document["rounds"][0]["slices"][0][0][1] = 0.into();
    assert!(!schema.is_valid(&document), "a slice without time");
}

#[test]
fn beside_a_table_hits_are_verified_and_keys_before_moves_are_the_childs() {
    let folder = Folder::new();
    let path = folder.file("compare.json");
    let line = "compare --fen kiwipete --depth 2 --table 1M --budget 1ms --scheme \
                cpw793,cpw793,prefetch=key-after,cpw793,prefetch=rough-key-after,cpw793,prefetch=after-make --json";
    let output = perft(&line.split_whitespace().chain([&*path]).collect::<Vec<_>>());
    assert_eq!(output.code, Some(0), "{}{}", output.stdout, output.stderr);
    assert!(output.stdout.contains("with a transposition table of 1 MiB: "), "{}", output.stdout);
    let document = document(path);
    Schema::of("compare").check(&document);
    assert_eq!(document["transposition_table_bytes"], 1 << 20);
    let used =
        |number: usize, field: &str| document["contenders"][number]["transposition_table"][field].as_u64().unwrap();
    // `none` has no key.
    assert_eq!((used(0, "probes"), used(0, "hits")), (0, 0));
    for number in 1..5 {
        assert!(used(number, "probes") > 2000 && used(number, "hits") > 0 && used(number, "false_hits") == 0);
    }
    // Each of 48 moves and their replies, in each pass; a rough key is wrong for castling, and while rights are lost.
    assert_eq!((used(1, "foreseen"), used(4, "foreseen")), (0, 0));
    assert!(used(2, "foreseen") > 2000 && used(2, "wrongly_foreseen") == 0);
    let part = used(3, "wrongly_foreseen") as f64 / used(3, "foreseen") as f64;
    assert!((0.02..0.5).contains(&part), "{part}");
    assert!(output.stdout.contains("cpw793,prefetch=key-after: 0 of "), "{}", output.stdout);
}

#[test]
fn other_positions_with_the_same_key_are_counted_and_said() {
    let line = "compare --fen kiwipete --depth 3 --table 1M --budget 1ms --allow-weak --json - --scheme";
    let weak = "pieces=composite,combine=add";
    let output = perft(&line.split(' ').chain([weak]).collect::<Vec<_>>());
    let used = &output.json()["contenders"][1]["transposition_table"];
    let [hits, false_hits] = ["hits", "false_hits"].map(|field| used[field].as_u64().unwrap());
    assert!(0 < false_hits && false_hits < hits, "{used}");
    let said = format!("\n{weak}: {false_hits} of {hits} hits were other positions\n");
    assert!(output.stderr.contains(&said), "{said}: {}", output.stderr);
}

#[test]
fn a_prefetch_without_a_table_and_a_size_that_is_none_are_refused() {
    for (line, expected) in [
        ("compare --scheme prefetch=key-after", "--scheme: found cpw793,prefetch=key-after, expected --table SIZE too"),
        (
            "compare --scheme prefetch=soon --table 1M",
            "--scheme: found prefetch=soon, expected one of none, after-make",
        ),
        ("compare --table auto", "--table: found auto, expected a size such as 64M"),
        ("compare --table 1K", "--table: found 1024 bytes, expected at least 64K"),
    ] {
        let output = perft(&line.split(' ').collect::<Vec<_>>());
        assert_eq!(output.code, Some(2), "{line}: {}", output.stderr);
        assert!(output.stderr.contains(expected) && output.stderr.lines().count() == 1, "{line}: {}", output.stderr);
    }
}
