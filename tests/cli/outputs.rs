//! Outputs: files, links, devices and pipes are each left what they are, and a failed write is no success.
#![cfg(unix)]

use crate::common::{self, Folder, Run, fens, perft_line, root, succeeds};
use std::fs::{self, File};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A verdict in a moment.
const GATE: &str = "--fen startpos --depth 1";

/// The binary with the words of a line.
fn command(line: &str) -> Command {
    let mut command = common::command();
    command.args(line.split(' '));
    command
}

/// Every command that writes a file, with the option before its name, and how the content begins.
fn writers() -> Vec<(String, &'static str)> {
    let record = root("results").display().to_string();
    vec![
        (format!("{GATE} --json"), "{\n  \"schema\": \"perft.gate/1\""),
        (format!("{GATE} --junit"), "<?xml"),
        ("unique --depth 1 --json".into(), "{"),
        ("unique --depth 1 --export".into(), "PERFTPOS"),
        ("keys audit --scheme width=32 --json".into(), "{"),
        ("keys make --independent 1 --out".into(), "# "),
        ("collisions --depth 1 --seeds 1 --scheme cpw793 --bits 16 --json".into(), "{"),
        ("compare --scheme none --budget 1ms --fen startpos --depth 2 --json".into(), "{"),
        (format!("report {record} --output"), "<!DOCTYPE html>"),
        (format!("report {record} --markdown"), "# "),
        (format!("report {record} --csv"), "section,"),
    ]
}

#[test]
fn a_link_and_a_mode_survive() {
    let folder = Folder::new();
    for (number, (line, begin)) in writers().into_iter().enumerate() {
        let file = |name: &str| folder.join(&format!("{name}{number}"));
        let (target, link, new, dangling) = (file("target"), file("link"), file("new"), file("dangling"));
        fs::write(&target, "before").unwrap();
        // A new file would be readable by fewer users.
        fs::set_permissions(&target, fs::Permissions::from_mode(0o664)).unwrap();
        symlink(&target, &link).unwrap();
        symlink(&new, &dangling).unwrap();
        for (link, target) in [(&link, &target), (&dangling, &new)] {
            let perft = common::command().get_program().to_str().unwrap().to_string();
            let script = format!("umask 077; exec {perft} {line} {}", link.display());
            let output = Run::of(Command::new("sh").args(["-c", &script]));
            assert_eq!(output.code, Some(0), "{line}: {}", output.stderr);
            assert!(link.symlink_metadata().unwrap().is_symlink(), "{line}: the link is replaced");
            assert!(fs::read(target).unwrap().starts_with(begin.as_bytes()), "{line}: {}", target.display());
        }
        assert_eq!(target.metadata().unwrap().mode() & 0o7777, 0o664, "{line}: the mode is another");
    }
}

/// Runs the words of a line with files of at most so many blocks of 512 or 1024 bytes: what exceeds that fails as on a full
/// disk.
fn with_small_files(blocks: u32, line: &str) -> Run {
    let perft = common::command().get_program().to_str().unwrap().to_string();
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec {perft} {line}");
    Run::of(Command::new("sh").args(["-c", &script]))
}

#[test]
fn a_full_disk_leaves_no_part_of_a_result() {
    let folder = Folder::new();
    let full = |blocks: u32, line: &str| {
        let output = with_small_files(blocks, line);
        assert_eq!(output.code, Some(3), "{line}: {}", output.printed());
        assert!(output.stderr.contains("File too large"), "{line}: {}", output.stderr);
        assert_eq!(folder.len(), 0, "{line}: {:?} is left", temporary(folder.path()));
    };
    for (line, _) in writers() {
        full(0, &format!("{line} {}", folder.file("result")));
    }
    // The first rows are written while the run goes on; the whole document finds no room.
    let perft = common::command().get_program().to_str().unwrap().to_string();
    for option in ["--json", "--junit"] {
        let file = folder.file("result");
        full(4, &format!("--suite quick --depth 3 {option} {file}"));
        full(4, &format!("engine --suite quick --depth 2 {option} {file} -- {perft} uci"));
    }
    // Two results, of which one has room: neither is left, since neither is whole.
    full(16, &format!("--suite standard --depth 3 --junit {} --json {}", folder.file("j"), folder.file("v")));
}

#[test]
fn a_pipe_is_written_to() {
    let folder = Folder::new();
    let pipe = folder.join("pipe");
    assert!(succeeds(&format!("mkfifo {}", pipe.display())));
    for (line, begin) in writers() {
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read(pipe).unwrap()
        });
        let output = perft_line(&format!("{line} {}", pipe.display()));
        assert_eq!(output.code, Some(0), "{line}: {}", output.stderr);
        assert!(pipe.symlink_metadata().unwrap().file_type().is_fifo(), "{line}: the pipe is replaced");
        let found = String::from_utf8_lossy(&reader.join().unwrap()).into_owned();
        assert!(found.starts_with(begin), "{line}: {}", found.chars().take(80).collect::<String>());
    }
    let line =
        format!("'{}' {GATE} --json >(head -c 1 > /dev/null) > /dev/null", common::command().get_program().display());
    let output = Run::of(Command::new("bash").args(["-c", &line]));
    assert_eq!(output.code, Some(0), "a reader that has read enough: {}", output.stderr);
}

#[test]
fn a_pipe_is_no_journal_and_one_that_nobody_reads_is_no_output() {
    let folder = Folder::new();
    let pipe = folder.file("pipe");
    assert!(succeeds(&format!("mkfifo {pipe}")));
    let journal = ": found a pipe or a device, expected a file: a run resumes from it\n";
    fs::create_dir(folder.join("spill")).unwrap();
    assert!(succeeds(&format!("mkfifo {}", folder.file("spill/journal"))));
    for (line, expected) in [
        (format!("count 3 --checkpoint {pipe}"), journal),
        (format!("divide 3 --checkpoint {pipe}"), journal),
        (format!("--depth 1 --suite quick --checkpoint {pipe}"), journal),
        (format!("unique --depth 2 --spill {}", folder.file("spill")), journal),
        (format!("unique --depth 2 --spill {pipe}"), ": found a file, expected a folder\n"),
        (format!("tasks plan --depth 3 --out {pipe}"), ": found a file, expected a folder\n"),
        (format!("{GATE} --json {pipe}"), ": found a pipe that nobody has read for 10 s, expected a writable file\n"),
    ] {
        let output = perft_line(&line);
        assert_eq!((output.code, output.stderr.lines().count()), (Some(2), 1), "{line}: {}", output.printed());
        assert!(output.stderr.ends_with(expected), "{line}: {}", output.stderr);
    }
}

/// A device that is always full, of our own: only root can make one, and only root could destroy the system's.
fn full_device(folder: &Path) -> Option<PathBuf> {
    let device = folder.join("full");
    let made =
        succeeds(&format!("mknod {} c 1 7", device.display())) && File::options().write(true).open(&device).is_ok();
    if !made {
        println!("not run: a device cannot be made here");
    }
    made.then_some(device)
}

#[test]
fn a_device_is_written_to_and_its_errors_are_told() {
    let folder = Folder::new();
    let Some(device) = full_device(folder.path()) else { return };
    for (line, _) in writers() {
        let output = perft_line(&format!("{line} {}", device.display()));
        assert!(device.metadata().unwrap().file_type().is_char_device(), "{line}: the device is replaced");
        let errors = output.stderr;
        assert_eq!(output.code, Some(3), "{line}: {errors}");
        assert!(errors.contains("No space left on device"), "{line}: {errors}");
    }
    let output = perft_line(&format!("count --depth 3 --checkpoint {}", device.display()));
    assert_eq!(output.code, Some(2));
    assert!(output.stderr.contains("expected a file: a run resumes from it"), "{}", output.stderr);
}

#[test]
fn what_standard_output_does_not_take_is_no_success() {
    for line in [
        GATE,
        "--fen startpos --depth 1 --json -",
        "--fen startpos --depth 1 --junit -",
        "--help",
        "--version",
        "count --depth 2",
        "count --suite quick --depth 1",
        "divide --depth 2",
        "key",
        "list schemes",
        "unique --depth 1",
        "unique --depth 1 --export -",
        "keys audit --scheme width=32",
        "keys make --independent 1 --out -",
        "collisions --depth 1 --seeds 1 --scheme cpw793 --bits 16",
        "report results --csv -",
    ] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = Run::of(command(line).stdout(full));
        let errors = output.stderr;
        assert_eq!(output.code, Some(3), "{line}: {errors}");
        assert_eq!(errors.matches("error: ").count(), 1, "{line}: {errors}");
        assert!(errors.contains("No space left on device"), "{line}: {errors}");
        let full = File::options().write(true).open("/dev/full").unwrap();
        let silent = command(line).stdout(Stdio::null()).stderr(full).status().unwrap();
        assert_eq!(silent.code(), Some(0), "{line}: standard error alone is full");
    }
    // A wrong count stays one.
    let folder = Folder::new();
    let suite = folder.write("wrong.epd", format!("{} ;D1 6\n", fens::KINGS));
    let full = File::options().write(true).open("/dev/full").unwrap();
    let status = command(&format!("--depth 1 --suite {suite}")).stdout(full).status().unwrap();
    assert_eq!(status.code(), Some(1));
}

#[test]
fn a_closed_pipe_is_forgiven() {
    for line in [GATE, "list schemes", "key", "--fen startpos --depth 1 --json -", "unique --depth 1 --export -"] {
        let mut child = command(line).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = Run::wait(child);
        assert_eq!(output.code, Some(0), "{line}: {}", output.stderr);
    }
}

#[test]
fn a_dash_is_standard_output_alone() {
    let folder = Folder::new();
    for (line, begin) in writers() {
        let line = line.replace("report results", &format!("report {}", root("results").display()));
        for name in ["-", "/dev/stdout"] {
            let output = Run::of(command(&format!("{line} {name}")).current_dir(folder.path()));
            let found = output.stdout;
            assert_eq!(output.code, Some(0), "{line}: {}", output.stderr);
            assert!(found.starts_with(begin), "{line}: {found}");
            let is_json = line.ends_with("--json");
            assert!(!is_json || serde_json::from_str::<serde_json::Value>(&found).is_ok(), "{line}: more than JSON");
        }
        assert_eq!(folder.len(), 0, "{line}: a file is made");
    }
    let output = perft_line(&format!("{GATE} --json - --junit -"));
    assert_eq!(output.code, Some(2));
    assert_eq!(
        output.stderr,
        "error: --junit -: standard output is taken by --json, expected a file for one of them\n"
    );
    for line in ["report results --svg -", "count --depth 2 --checkpoint -"] {
        let output = Run::of(command(line).current_dir(root("")));
        assert_eq!((output.code, output.stderr.lines().count()), (Some(2), 1), "{line}");
    }
}

/// The temporary files in a folder.
fn temporary(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with(".perft-")).collect()
}

#[test]
fn what_a_killed_run_leaves_is_removed_by_the_next() {
    let folder = Folder::new();
    let (export, json) = (folder.join("ply"), folder.join("v.json"));
    // What is not ours, or only looks so, is left alone.
    fs::write(folder.join(".tmpAbCdEf"), "another's").unwrap();
    assert!(succeeds(&format!("mkfifo {}", folder.join(".perft-pipe.tmp").display())));

    let mut killed = command(&format!("unique --depth 5 --export {}", export.display()))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let start = Instant::now();
    let writing = || {
        let files = temporary(folder.path()).into_iter().filter(|path| path.metadata().unwrap().is_file());
        files.filter(|path| path.metadata().is_ok_and(|found| found.len() > 0)).count() > 0
    };
    while !writing() {
        assert!(start.elapsed() < Duration::from_secs(300), "the export does not begin");
        std::thread::sleep(Duration::from_millis(1));
    }
    // While it lives, another run leaves its file alone.
    assert_eq!(perft_line(&format!("{GATE} --json {}", json.display())).code, Some(0));
    let alive = writing() || export.exists();
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert!(alive, "the file of a living run is removed");
    if export.exists() {
        println!("the export was finished before it could be killed");
    }
    assert_eq!(perft_line(&format!("{GATE} --json {}", json.display())).code, Some(0));
    assert_eq!(temporary(folder.path()), [folder.join(".perft-pipe.tmp")], "a stale file is left");
    assert!(folder.join(".tmpAbCdEf").exists());
}
