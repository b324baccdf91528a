//! `perft bench --against`, run through the binary.

use crate::common::{BINARY, perft_line};

#[test]
fn two_builds_take_turns() {
    let output = perft_line(&format!("bench --only queens,setwise --budget 1ms --threads 1,2 --against {BINARY}"));
    output.expect(0, &["this build:  perft ", "other build: perft ", "alternating", "detectable"]);
    let found = output.stdout;
    let rows: Vec<Vec<&str>> = found.lines().skip(5).map(|row| row.split_whitespace().take(3).collect()).collect();
    let names: Vec<[&str; 2]> = rows.iter().map(|row| [row[0], row[1]]).collect();
    assert_eq!(names, [["queens", "1"], ["queens", "2"], ["setwise", "1"], ["setwise", "2"]], "{found}");
    assert!(rows.iter().all(|row| row[2].parse::<u32>().is_ok_and(|rounds| rounds > 0)), "{found}");
}

/// Ctrl-C in a terminal also reaches the other build. The comparisons made so far are kept.
#[cfg(unix)]
#[test]
fn a_stopped_comparison_keeps_its_rounds() {
    use crate::common::{Folder, Run, command, start_command, succeeds, wait_until};
    use std::os::unix::process::CommandExt;
    let folder = Folder::new();
    let started = folder.join("started");
    let other = folder.script("other", &format!("echo >> {}; exec '{}' \"$@\"", started.display(), BINARY));
    let mut command = command();
    command.args(["bench", "--against", &other, "--only", "queens", "--budget", "1h"]);
    let mut child = start_command(command.process_group(0));
    // The other build is started to identify itself, to warm up, and once per round. By the fourth start, a round is
    // complete.
    wait_until(&mut child, || std::fs::read(&started).is_ok_and(|starts| starts.len() >= 4));
    assert!(succeeds(&format!("kill -INT -- -{}", child.id())));
    Run::wait(child).expect(130, &["in every round, stopped\n", "\nqueens "]);
}
