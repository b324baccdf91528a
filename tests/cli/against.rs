//! `perft bench --against`, run through the binary.

#[cfg(unix)]
use crate::common::Folder;
use crate::common::{command, perft};
#[cfg(unix)]
use std::fs;

/// This program's file, to run as the other build.
fn itself() -> String {
    command().get_program().to_str().expect("a path in UTF-8").into()
}

#[test]
fn two_builds_take_turns() {
    let line = "bench --only queens,setwise --budget 1ms --threads 1,2 --against";
    let output = perft(&line.split(' ').chain([&*itself()]).collect::<Vec<_>>());
    output.expect(0, &["this build:  perft ", "other build: perft ", "alternating", "detectable"]);
    let found = output.stdout;
    let rows: Vec<Vec<&str>> = found.lines().skip(5).map(|row| row.split_whitespace().take(3).collect()).collect();
    let names: Vec<[&str; 2]> = rows.iter().map(|row| [row[0], row[1]]).collect();
    assert_eq!(names, [["queens", "1"], ["queens", "2"], ["setwise", "1"], ["setwise", "2"]], "{found}");
    assert!(rows.iter().all(|row| row[2].parse::<u32>().is_ok_and(|rounds| rounds > 0)), "{found}");
}

#[cfg(unix)]
#[test]
fn another_program_is_refused_in_a_line_and_a_wrong_count_is_found() {
    let folder = Folder::new();
    let script = |name: &str, text: &str| folder.script(name, text);
    let hello = |version: u32| {
        format!(
            "echo '{{\"protocol\":\"perft.slices/1\",\"workloads_version\":{version},\"version\":\"9\",\"revision\":\"r\",\
             \"level\":\"v1\"}}'"
        )
    };
    let older = script("older", "echo \"error: unrecognized subcommand '$1'\" >&2; exit 2");
    let silent = script("silent", "exit 0");
    let other = script("other", "echo nodes 20");
    let newer = script("newer", &hello(99));
    let dies = script("dies", &format!("{}; echo ready; exit 7", hello(1)));
    let wrong = script("wrong", &format!("{}; echo ready; while read passes; do echo 14201 1000; done", hello(1)));
    let against = |other: &str| perft(&["bench", "--against", other, "--only", "queens", "--budget", "2s"]);
    for (other, code, expected) in [
        (&older, 2, "unrecognized subcommand 'bench-slices'', expected a build of perft that speaks perft.slices/1"),
        (&silent, 2, "silent: found its end (exit status: 0), expected a build of perft that speaks perft.slices/1"),
        (&other, 2, "other: found 'nodes 20', expected a build of perft that speaks perft.slices/1"),
        (&newer, 2, "found version 99 of the set of workloads, expected version 1"),
        (&dies, 3, "found its end (exit status: 7), expected an answer of perft.slices/1"),
        (&"no/such/file".to_string(), 2, "no/such/file: found No such file"),
    ] {
        let output = against(other);
        assert_eq!(output.code, Some(code), "{}", output.stderr);
        let error = output.stderr.lines().last().unwrap();
        assert!(error.starts_with(&format!("error: --against {other}")) && error.contains(expected), "{error}");
        assert!(output.stdout.is_empty(), "{}", output.stdout);
    }
    let message = format!("WRONG {wrong}: queens on 1 thread: expected 14200 nodes, found 14201\n");
    against(&wrong).expect(1, &[&message]);
}

/// Ctrl-C in a terminal also reaches the other build. The comparisons made so far are kept.
#[cfg(unix)]
#[test]
fn a_stopped_comparison_keeps_its_rounds() {
    use crate::common::{Run, start_command, succeeds, wait_until};
    use std::os::unix::process::CommandExt;
    let folder = Folder::new();
    let started = folder.join("started");
    let other = folder.script("other", &format!("echo >> {}; exec '{}' \"$@\"", started.display(), itself()));
    let mut command = command();
    command.args(["bench", "--against", &other, "--only", "queens", "--budget", "1h"]);
    let mut child = start_command(command.process_group(0));
    // The other build is started for its identity, for the warm-up and once per round. By the fourth start, a round is
    // complete.
    wait_until(&mut child, || fs::read(&started).is_ok_and(|starts| starts.len() >= 4));
    assert!(succeeds(&format!("kill -INT -- -{}", child.id())));
    Run::wait(child).expect(130, &["in every round, stopped\n", "\nqueens "]);
}
