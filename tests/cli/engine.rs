//! `perft engine`, and the processes that an engine starts. `tests/cmd/engine.trycmd` has the rest.
#![cfg(target_os = "linux")]

use crate::common::{BINARY, Folder, perft};
use std::os::unix::fs::PermissionsExt;

/// A daemon leaves its group and its parent, and still it does not outlive the run.
#[test]
fn no_daemon_is_left() {
    let folder = Folder::new();
    let numbers = folder.file("numbers");
    let script = format!(
        "#!/bin/sh\n(setsid sleep 1000 >/dev/null 2>&1 & echo $! >> {numbers})\nexec {BINARY} divide $1 --fen \"$2\"\n"
    );
    let path = folder.write("daemon.sh", script);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("a script that may be run");
    let template = format!("{path} {{depth}} {{fen}}");
    perft(&["engine", "--fen", "kiwipete", "2", "--jobs", "1", "--exec", &template]).expect(0, &["rows: 1 pass;"]);
    let numbers = folder.read("numbers");
    assert_eq!(numbers.lines().count(), 3, "one for each question");
    for number in numbers.lines() {
        let command = std::fs::read_to_string(format!("/proc/{number}/cmdline")).unwrap_or_default();
        assert!(!command.contains("sleep"), "process {number} still runs: {command:?}");
    }
}
