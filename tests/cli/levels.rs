//! `perft list levels`, and counts at each level.

use crate::common::{perft, perft_line};
use perft_gate_simd::Level;

#[test]
fn levels_are_listed_with_the_one_in_use() {
    let listed = perft_line("list levels").stdout;
    for name in Level::NAMES.into_iter().filter(|name| *name != "auto") {
        let line = listed.lines().find(|line| line.split_whitespace().next() == Some(name));
        let line = line.unwrap_or_else(|| panic!("{name} is not in {listed}"));
        let status = line[name.len()..].trim_start();
        assert_eq!(status.starts_with("used"), name == Level::detect().to_string(), "{line}");
        assert_eq!(status.starts_with("not here: "), Level::named(name).is_none(), "{line}");
        for (depth, nodes) in [("0", "nodes 1\n"), ("1", "nodes 48\n"), ("2", "nodes 2039\n"), ("3", "nodes 97862\n")] {
            let run = perft(&["count", "--fen", "kiwipete", "--simd", name, depth]);
            let is_here = Level::named(name).is_some();
            assert_eq!((run.code == Some(0), run.stdout.starts_with(nodes)), (is_here, is_here), "{line}: {run:?}");
        }
    }
    assert!(listed.contains(&format!("\n{} is the best level of this machine", Level::detect())), "{listed}");
}
