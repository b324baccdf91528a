//! Key tables from files, by the binary: every layout gives the keys of the scheme whose words it lists.

use perft_gate_walk::chess::{Code, Color, Piece, Role};
use perft_gate_walk::zobrist::{KeyTable, preset};
use std::path::PathBuf;
use std::process::{Command, Output};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const BLACK: &str = "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1";
const EN_PASSANT: &str = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3";

fn perft(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_perft")).args(arguments).output().expect("the binary runs")
}

fn words(scheme: &str) -> KeyTable {
    preset(scheme).unwrap().key_tables(0).unwrap().lanes.remove(0)
}

/// The 768 words of the pieces, in this order of roles, White's first.
fn by_color(words: &KeyTable, roles: [Role; 6]) -> Vec<u64> {
    let row = |color, role| words.pieces[Code::from(Piece { color, role }).index()];
    [Color::White, Color::Black].into_iter().flat_map(|color| roles.map(|role| row(color, role)).concat()).collect()
}

const USUAL: [Role; 6] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
const RUSTIC: [Role; 6] = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

/// The words of a scheme, listed as its file has them.
fn listed(layout: &str) -> Vec<u64> {
    let words = words(if layout == "stockfish-15.1" { "cpw793" } else { layout });
    let rights = [1, 2, 4, 8].map(|set| words.castling[set]);
    let files = &words.en_passant[40..48];
    match layout {
        "cpw781" => [&by_color(&words, USUAL)[..], &rights, files, &words.side[1..]].concat(),
        "cpw793" => [&by_color(&words, USUAL)[..], &words.castling, files, &words.side[1..]].concat(),
        "rustic851" => [&by_color(&words, RUSTIC)[..], &words.castling, &words.side, &words.en_passant[..65]].concat(),
        "polyglot" => {
            let colors = by_color(&words, USUAL);
            let (white, black) = colors.split_at(384);
            let pieces: Vec<u64> =
                white.chunks(64).zip(black.chunks(64)).flat_map(|(white, black)| [black, white].concat()).collect();
            [&pieces[..], &rights, files, &words.side[..1]].concat()
        }
        _ => [&by_color(&words, USUAL)[..], files, &words.castling, &words.side[1..], &[0x1234]].concat(),
    }
}

fn file(layout: &str, words: &[u64]) -> PathBuf {
    let path = std::env::temp_dir().join(format!("perft-keys-{}-{layout}-{}", std::process::id(), words.len()));
    let lines: Vec<String> = words.iter().map(|word| format!("0x{word:016x}\n")).collect();
    std::fs::write(&path, format!("# layout: {layout}\n\n{}", lines.concat())).unwrap();
    path
}

#[test]
fn every_layout_gives_the_keys_of_its_scheme() {
    for layout in ["cpw781", "cpw793", "rustic851", "polyglot", "stockfish-15.1"] {
        let path = file(layout, &listed(layout));
        for fen in [KIWIPETE, BLACK, EN_PASSANT] {
            let key = |arguments: &[&str], name: &str| {
                let output = perft(&[&["key", "--fen", fen], arguments].concat());
                let text = String::from_utf8(output.stdout).unwrap();
                let line =
                    text.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{layout}: {text}"));
                line.split_whitespace().nth(1).unwrap().to_string()
            };
            let scheme = if layout == "stockfish-15.1" { "cpw793" } else { layout };
            let imported = key(&["--keys-from", path.to_str().unwrap()], "imported-");
            assert_eq!(imported, key(&["--scheme", scheme], scheme), "{layout} {fen}");
        }
        let output = perft(&["--keys-from", path.to_str().unwrap(), "--suite", "quick", "--depth", "2"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        std::fs::remove_file(path).unwrap();
    }
}

#[test]
fn bad_files_are_one_line_and_odd_ones_a_warning() {
    let mut words = listed("cpw793");
    (words[3], words[10]) = (0, words[9]);
    let path = file("cpw793", &words);
    let output = perft(&["--keys-from", path.to_str().unwrap(), "--suite", "quick", "--depth", "1"]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("key 4 is zero") && text.contains("key 11 is key 10 again"), "{text}");
    std::fs::remove_file(path).unwrap();

    let path = file("cpw793", &words[1..]);
    let output = perft(&["--keys-from", path.to_str().unwrap()]);
    let text = String::from_utf8(output.stderr).unwrap();
    let message = format!("error: {}: line 794: found 792 keys, expected 793 for cpw793\n", path.display());
    assert_eq!((output.status.code(), text), (Some(2), message));
    std::fs::remove_file(path).unwrap();
}

/// KeyTable of an engine whose make and recompute both look black knights up where white ones are: the class of p4wn's bug.
#[test]
fn words_that_are_wrong_in_both_paths_are_caught_by_their_positions() {
    let mut words = listed("cpw793");
    let [white, black] = [64, 64 * 7];
    words.copy_within(white..white + 64, black);
    let lines: Vec<String> = words.iter().map(|word| format!("{word:016x}")).collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys");
    std::fs::write(&path, format!("# layout: cpw793\n{}\n", lines.join("\n"))).unwrap();
    let fen = "4k3/8/2n5/8/3p4/5N2/4P3/4K3 w - - 0 1";
    let arguments = ["--keys-from", path.to_str().unwrap(), "--fen", fen, "--depth", "4"];
    let output = perft(&arguments);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("V5 identity (imported-cpw793) at ply 4: two positions share a key"), "{text}");
    assert!(!text.contains("V2 keys (imported-cpw793)"), "{text}");
    let blind = perft(&[&arguments[..], &["--identity", "off"]].concat());
    assert_eq!(blind.status.code(), Some(0));
}
