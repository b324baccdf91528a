//! Every input text may be in any encoding that editors and shells write, with any line endings.

use crate::common::fens::KINGS;
use crate::common::{Folder, perft_line, perft_with_input};

/// Returns a text in every encoding, with the encoding's name.
fn encodings(text: &str) -> Vec<(&'static str, Vec<u8>)> {
    let marked = format!("\u{feff}{text}");
    let utf_16 = |text: &str, bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect();
    vec![
        ("UTF-8", text.into()),
        ("UTF-8 with a mark", marked.clone().into()),
        ("UTF-16 LE", utf_16(&marked, u16::to_le_bytes)),
        ("UTF-16 BE", utf_16(&marked, u16::to_be_bytes)),
        ("UTF-16 LE without a mark", utf_16(text, u16::to_le_bytes)),
        ("UTF-16 BE without a mark", utf_16(text, u16::to_be_bytes)),
        ("CRLF", text.replace('\n', "\r\n").into()),
        ("CR", text.replace('\n', "\r").into()),
    ]
}

/// Runs a command with each encoding of `text` as FILE. Every run must exit with `code` and print `part`.
#[track_caller]
fn same_in_all(line: &str, text: &str, code: i32, part: &str) {
    let folder = Folder::new();
    for (name, bytes) in encodings(text) {
        let run = perft_line(&line.replace("FILE", &folder.write("file", bytes)));
        assert!(run.code == Some(code) && run.printed().contains(part), "{name}, {line}: {}", run.printed());
    }
}

#[test]
fn lists_are_read_in_every_encoding() {
    let judged = |text: &str, code, part| same_in_all("count --depth 3 --suite FILE", text, code, part);
    let list = format!("# Gr\u{fc}nfeld \u{2654}\n{KINGS} ;D1 5 ;D2 25 ;id r\u{e9}ti\n\n{KINGS} ;D3 170\n");
    judged(&list, 0, "r\u{e9}ti");
    judged(&list.replace("170", "x7"), 2, "line 4, column 35: found 'x7' for D3");
    judged(&format!("fen,depth,nodes\n{KINGS},2,25\n"), 0, "1 of 1 rows compared");
    judged(&format!("id a\nepd {KINGS}\nperft 2 25\n"), 0, "1 of 1 rows compared");
    judged(&format!("{{\"fen\": \"{KINGS}\",\n \"D2\": 25}}"), 0, "1 of 1 rows compared");
    judged(&format!("{{\"fen\": \"{KINGS}\",\n \"leafs2\": 25}}"), 2, "line 1, column 1: field 'leafs2'");
}

#[test]
fn key_tables_listings_and_lists_of_rows_are_read_in_every_encoding() {
    let keys: String = (1..=781_u64).map(|key| format!("{:x}\n", key.wrapping_mul(0x9e37_79b9_7f4a_7c15))).collect();
    same_in_all("key --keys-from FILE", &format!("# layout: cpw781\n{keys}"), 0, "imported-cpw781");
    let wrong = format!("# layout: cpw781\n1\nx\n{keys}");
    same_in_all("key --keys-from FILE", &wrong, 2, "line 3: found 'x', expected a hexadecimal number");
    let listing = "e1d1: 1\ne1d2: 1\ne1e2: 1\ne1f1: 1\ne1f2: 1\n\nNodes searched: 5\n";
    same_in_all(&format!("divide 1 --fen {KINGS} --compare FILE"), listing, 0, "the listing is right");
    let rows = "# \u{e9}\nkiwipete\nnowhere\n";
    same_in_all("engine --expect-fail FILE -- true", rows, 2, "line 3: found 'nowhere'");
    #[cfg(feature = "cluster")]
    same_in_all("unique --depth 2 --hosts FILE --process 0", "# two\na:0\n", 2, "line 2: found 'a:0', expected");
}

#[test]
fn what_this_program_writes_is_read_back_in_every_encoding() {
    let folder = Folder::new();
    let tasks = folder.file("tasks");
    let plan = || perft_line(&format!("tasks plan --depth 3 --output {tasks}"));
    let judge = || perft_line(&format!("--suite quick --depth 1 --checkpoint {}", folder.file("checkpoint")));
    plan().expect(0, &[]);
    judge().expect(0, &[]);
    let (planned, journal) = (encodings(&folder.read("tasks/plan")), encodings(&folder.read("checkpoint")));
    for ((name, planned), (_, journal)) in planned.into_iter().zip(journal) {
        println!("{name}");
        folder.write("tasks/plan", planned);
        perft_line(&format!("tasks run {tasks} --task 0")).expect(0, &[]);
        plan().expect(0, &["already contains this plan"]);
        folder.write("checkpoint", journal);
        judge().expect(0, &[]);
    }
    // A file that is not a plan is not replaced.
    folder.write("tasks/plan", b"\xff\xfe\xff");
    plan().expect(2, &[]);
}

#[test]
fn a_position_of_standard_input_may_have_every_encoding() {
    for (name, bytes) in encodings(&format!("\n {KINGS}\n")) {
        let run = perft_with_input("count 2 --fen -", bytes);
        assert!(run.code == Some(0) && run.stdout.contains("nodes 25\n"), "{name}: {}", run.printed());
    }
}
