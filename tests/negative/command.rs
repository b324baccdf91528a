//! The gate fails before its user too.

use crate::common::perft;

/// The gate as a user sees it fail: exit code, verdict, and what is said of it.
#[test]
fn the_command_line_shows_the_gate_fail() {
    let games = ["--fen", "startpos", "--depth", "1", "--playouts", "4", "--plies", "60"];
    let tree = ["--fen", "kiwipete", "--depth", "3", "--identity", "off"];
    for (arguments, plant, code, told) in [
        (&tree[..], "", 0, "passed"),
        (&tree, "captured-piece-kept@2", 1, "black pawn on g6 left in"),
        (&tree, "unmake-not-compared@3", 1, "V3 unmake: 2087 comparisons were made, 99949 are due"),
        (&tree, "double-push-missing", 1, "missing: "),
        (&games, "", 0, "passed"),
        (&games, "captured-piece-kept@30", 1, "left in"),
        (&games, "unmake-not-compared@30", 1, "are due"),
        (&tree, "no-such-fault", 2, "found 'no-such-fault', expected a fault of `perft list faults`"),
        (&tree, "side-not-flipped@x", 2, "found 'x' behind '@', expected a ply"),
    ] {
        let plant: &[&str] = if plant.is_empty() { &[] } else { &["--plant", plant] };
        let command = [arguments, plant, &["--threads", "2"]].concat();
        let run = perft(&command);
        let text = run.printed();
        assert!(run.code == Some(code) && text.contains(told), "{command:?}: {:?}\n{text}", run.code);
    }
}
