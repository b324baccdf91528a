//! `perft list levels`.

use crate::common::{Run, command, perft};
use perft_gate_simd::Level;

#[test]
fn levels_are_listed_with_the_one_in_use() {
    let listed = perft(&["list", "levels"]).stdout;
    for name in Level::NAMES.into_iter().filter(|name| *name != "auto") {
        let line = listed.lines().find(|line| line.split_whitespace().next() == Some(name));
        let line = line.unwrap_or_else(|| panic!("{name} is not in {listed}"));
        let status = line[name.len()..].trim_start();
        assert_eq!(status.starts_with("used"), name == Level::detect().to_string(), "{line}");
        assert_eq!(status.starts_with("not here: "), Level::named(name).is_none(), "{line}");
        let run = Run::of(command().args(["count", "--fen", "startpos", "--depth", "1", "--simd", name]));
        assert_eq!(run.code == Some(0), Level::named(name).is_some(), "{line}: {}", run.printed());
    }
    assert!(listed.contains(&format!("\n{} is the best level of this machine", Level::detect())), "{listed}");
}
