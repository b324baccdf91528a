//! The descriptor in `integrations/tgct`, as the leaderboard's harness runs it: a shell runs `launch` in the harness's
//! folder, the harness sends the lines of `setup`, and each `case` ends with a line that `end_re` matches.
#![cfg(unix)]

use crate::common::{BINARY, Dialogue, Folder, fens, read_json, root};
use regex_lite::Regex;
use serde_json::Value;
use std::process::Command;

/// Positions of the harness, with their counts from depth 1 on.
const POSITIONS: [(&str, [u64; 4]); 3] = [
    (fens::START, [20, 400, 8_902, 197_281]),
    (fens::KIWIPETE, [48, 2_039, 97_862, 4_085_603]),
    (fens::POSITION_6, [46, 2_079, 89_890, 3_894_594]),
];

/// Returns a copy of the harness's folder, with the program where `launch` expects it.
fn harness() -> Folder {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.join("bin/perft")).expect("a folder");
    std::os::unix::fs::symlink(BINARY, folder.join("bin/perft/perft")).expect("a link");
    folder
}

/// Runs the positions in a mode. **Errors**: returns the first unexpected count or remark.
fn run(folder: &Folder, mode: &Value, positions: &[(&str, [u64; 4])]) -> Result<(), String> {
    let text = |field: &str| mode[field].as_str().unwrap_or_else(|| panic!("{field} is missing")).to_string();
    // A system may take seconds to provide a table of 4 GiB.
    let filled = |template: &str| template.replace("{threads}", "2").replace("value 4096", "value 64");
    let launch = format!("exec {}", text("launch"));
    let mut program = Dialogue::start(Command::new("sh").args(["-c", &launch]).current_dir(folder.path()));
    for line in mode["setup"].as_array().expect("a list of lines") {
        program.send(&filled(line.as_str().expect("a line")));
    }
    let end = Regex::new(&text("end_re")).expect("a pattern");
    for (fen, counts) in positions {
        for (depth, expected) in (1..).zip(counts) {
            program.send(&filled(&text("case")).replace("{fen}", fen).replace("{depth}", &depth.to_string()));
            let lines = program.until(|line| end.is_match(line));
            if let Some(remark) = lines.iter().find(|line| line.contains("info string")) {
                return Err(remark.clone());
            }
            let words: Vec<&str> = lines.last().map_or(Vec::new(), |line| line.split(' ').collect());
            if !words.contains(&&*expected.to_string()) {
                return Err(format!("{fen}, depth {depth}: expected {expected}, found {words:?}"));
            }
        }
    }
    program.send(&text("quit"));
    assert!(program.end().0.success());
    Ok(())
}

#[test]
fn every_mode_of_the_descriptor_counts() {
    let descriptor = read_json(root("integrations/tgct/perft.json"));
    assert_eq!(descriptor["version"], env!("CARGO_PKG_VERSION"));
    for field in ["name", "owner", "repo", "language"] {
        assert!(descriptor[field].is_string(), "{field}");
    }
    let modes = descriptor["modes"].as_object().expect("modes");
    let names: Vec<&String> = modes.keys().collect();
    assert_eq!(names, ["single-no-cache", "single-with-cache", "multi-no-cache", "multi-with-cache"]);
    let folder = harness();
    for (name, mode) in modes {
        run(&folder, mode, &POSITIONS).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

#[test]
fn a_wrong_count_or_option_is_noticed() {
    let (folder, descriptor) = (harness(), read_json(root("integrations/tgct/perft.json")));
    let mut mode = descriptor["modes"]["single-no-cache"].clone();
    let wrong = run(&folder, &mode, &[(fens::START, [20, 400, 8_902, 197_282])]);
    assert!(wrong.is_err_and(|error| error.contains("expected 197282")));
    mode["setup"][0] = "setoption name Thread value 1".into();
    let wrong = run(&folder, &mode, &POSITIONS[..1]);
    assert!(wrong.is_err_and(|error| error.contains("found 'Thread', expected one of Threads")));
}
