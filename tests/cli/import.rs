//! Key tables from files, by the binary: every layout gives the keys of the scheme whose table it lists.

use crate::common::{Folder, fens, perft_line};
use perft_gate_chess::{Code, Color, Piece, Role};
use perft_gate_zobrist::{KeyTable, preset};

fn key_table(scheme: &str) -> KeyTable {
    preset(scheme).unwrap().key_tables(0).unwrap().parts.remove(0)
}

/// The 768 keys of the pieces, in this order of roles, White's first.
fn by_color(table: &KeyTable, roles: [Role; 6]) -> Vec<u64> {
    let row = |color, role| table.pieces[Code::from(Piece { color, role }).index()];
    [Color::White, Color::Black].into_iter().flat_map(|color| roles.map(|role| row(color, role)).concat()).collect()
}

const USUAL: [Role; 6] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
const RUSTIC: [Role; 6] = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

/// The keys of a scheme, listed as its file has them.
fn listed(layout: &str) -> Vec<u64> {
    let table = key_table(if layout == "stockfish-15.1" { "cpw793" } else { layout });
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

/// Writes a file of keys and returns its path.
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
            let key = |option: &str, name: &str| {
                let text = perft_line(&format!("key --fen {fen} {option}")).stdout;
                let line = text.lines().find(|line| line.starts_with(name));
                let line = line.unwrap_or_else(|| panic!("{layout}: {text}"));
                line.split_whitespace().nth(1).unwrap().to_string()
            };
            let scheme = if layout == "stockfish-15.1" { "cpw793" } else { layout };
            let imported = key(&format!("--keys-from {path}"), "imported-");
            assert_eq!(imported, key(&format!("--scheme {scheme}"), scheme), "{layout} {fen}");
        }
        perft_line(&format!("--keys-from {path} --suite quick --depth 2")).expect(0, &[]);
    }
}

#[test]
fn bad_files_are_one_line_and_odd_ones_a_warning() {
    let folder = Folder::new();
    let mut keys = listed("cpw793");
    (keys[3], keys[10]) = (0, keys[9]);
    let path = file(&folder, "cpw793", &keys);
    let text = perft_line(&format!("--keys-from {path} --suite quick --depth 1")).stderr;
    assert!(text.contains("key 4 is zero") && text.contains("key 11 is key 10 again"), "{text}");

    let path = file(&folder, "cpw793", &keys[1..]);
    let message = format!("error: {path}: line 794: found 792 keys, expected 793 for cpw793\n");
    perft_line(&format!("--keys-from {path}")).expect_error(2, &message);
}

/// Key table of an engine whose make and recompute both look black knights up where white ones are: the class of p4wn's bug.
#[test]
fn words_that_are_wrong_in_both_paths_are_caught_by_their_positions() {
    let mut keys = listed("cpw793");
    let [white, black] = [64, 64 * 7];
    keys.copy_within(white..white + 64, black);
    let lines: Vec<String> = keys.iter().map(|key| format!("{key:016x}")).collect();
    let folder = Folder::new();
    let path = folder.write("keys", format!("# layout: cpw793\n{}\n", lines.join("\n")));
    let line = format!("--keys-from {path} --fen {} --depth 4", fens::KNIGHTS);
    let run = perft_line(&line);
    run.expect(1, &["V5 identity (imported-cpw793) at ply 4: two positions share a key"]);
    assert!(!run.stdout.contains("V2 keys (imported-cpw793)"), "{}", run.stdout);
    perft_line(&format!("{line} --identity off")).expect(0, &[]);
}

#[test]
fn what_keys_make_writes_is_read_in_every_format() {
    let folder = Folder::new();
    for scheme in ["cpw781", "cpw793", "bch", "ep=e65,side=s2", "castling=c4,side=s1w"] {
        let keys = ["hex", "rust", "c"].map(|format| {
            let path = folder.file(&format!("keys-{format}"));
            let options = format!("--independent 2 --seed 7 --scheme {scheme} --format {format}");
            perft_line(&format!("keys make {options} --out {path}")).expect(0, &[]);
            let run = perft_line(&format!("key --fen {} --keys-from {path}", fens::EN_PASSANT_OPENING));
            assert_eq!(run.code, Some(0), "{scheme} {format}: {}", run.stderr);
            assert_eq!(run.stderr.contains(" in PIECES from line "), format != "hex", "{}", run.stderr);
            run.stdout
        });
        assert!(keys[0] == keys[1] && keys[1] == keys[2], "{scheme}");
    }
}

#[test]
fn tables_are_taken_from_source_text() {
    let folder = Folder::new();
    let keys = listed("cpw793");
    let expected = perft_line("key --scheme cpw793").stdout.replace("cpw793        ", "imported-cpw793 ");
    let numbers = |form: fn(&u64) -> String| keys.iter().map(form).collect::<Vec<_>>().join(", ");
    let signed = numbers(|key| format!("{}L", key.cast_signed()));
    let hexadecimal = numbers(|key| format!("{key:#X}").replacen("0X", "0x", 1));
    let unsigned = numbers(|key| format!("{key}ULL"));
    for (name, text) in [
        ("Keys.java", format!("// layout: cpw793\nstatic final int N = 793;\nlong[] K = {{{signed}}};")),
        ("keys.py", format!("# layout: cpw793\nK = [{hexadecimal}]  # 793")),
        ("keys.cpp", format!("/* layout: cpw793 */ constexpr uint64_t K[793]{{{unsigned}}};")),
    ] {
        let path = folder.write(name, text.as_bytes());
        let run = perft_line(&format!("key --keys-from {path}"));
        assert_eq!((run.code, &run.stdout), (Some(0), &expected), "{name}: {}", run.stderr);
        let line = text.lines().count();
        assert_eq!(run.stderr, format!("note: {path}: took 793 keys for cpw793 (793 in K from line {line})\n"));
        let octal = folder.write(name, text.replacen(", ", ", 017, ", 1));
        let run = perft_line(&format!("key --keys-from {octal}"));
        run.expect(2, &["found '017', expected a decimal or hexadecimal"]);
    }
    let path = folder.write("few.c", "// layout: cpw793\nU64 a[2] = {1,\n 2}, b = 3;\n");
    let found = "found 3 keys (2 in a from line 2, 1 in b from line 3), expected 793 for cpw793\n";
    perft_line(&format!("key --keys-from {path}")).expect_error(2, &format!("error: {path}: line 3: {found}"));
}

#[test]
fn a_key_that_is_not_polyglots_is_named() {
    let folder = Folder::new();
    let mut keys = listed("polyglot");
    keys[768] += 1;
    let path = file(&folder, "polyglot", &keys);
    let run = perft_line(&format!("key --keys-from {path}"));
    let (found, expected) = (keys[768], keys[768] - 1);
    let warning = format!(
        "warning: {path}: key 769 (castling right K): found {found:016x}, expected {expected:016x} of the published Polyglot table\n"
    );
    assert_eq!((run.code, run.stderr), (Some(0), warning));
}
