//! Outputs: files, links, devices and pipes stay what they are, and a failed write is never reported as a success.
#![cfg(unix)]

use crate::common::{Folder, Run, command_of_shell, fens, perft_line, root, shell, start, succeeds, wait_until};
use std::fs::{self, File};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

/// Arguments for a very short run of `perft gate`.
const GATE: &str = "--fen startpos --depth 1";

/// Every command that writes a file, up to the option that takes the file's name, and how the file begins.
fn writers() -> Vec<(String, &'static str)> {
    let record = root("results").display().to_string();
    vec![
        (format!("{GATE} --json"), "{\n  \"schema\": \"perft.gate/1\""),
        (format!("{GATE} --junit"), "<?xml"),
        ("unique --depth 1 --json".into(), "{"),
        ("unique --depth 1 --export".into(), "PERFTPOS"),
        ("keys audit --scheme width=32 --json".into(), "{"),
        ("keys make --independent 1 --output".into(), "# "),
        ("collisions --depth 1 --seeds 1 --scheme cpw793 --bits 16 --json".into(), "{"),
        ("compare --scheme none --budget 1ms --fen startpos --depth 2 --json".into(), "{"),
        (format!("report {record} --output"), "<!DOCTYPE html>"),
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
        // With the umask below, a new file would be readable by fewer users.
        fs::set_permissions(&target, fs::Permissions::from_mode(0o664)).unwrap();
        symlink(&target, &link).unwrap();
        symlink(&new, &dangling).unwrap();
        for (link, target) in [(&link, &target), (&dangling, &new)] {
            shell(&format!("umask 077; exec perft {line} {}", link.display())).expect(0, &[]);
            assert!(link.symlink_metadata().unwrap().is_symlink(), "{line}: the link is replaced");
            assert!(fs::read(target).unwrap().starts_with(begin.as_bytes()), "{line}: {}", target.display());
        }
        assert_eq!(target.metadata().unwrap().mode() & 0o7777, 0o664, "{line}: the mode is another");
    }
}

#[test]
fn a_full_disk_leaves_no_part_of_a_result() {
    let folder = Folder::new();
    // Limits the size of files. A write beyond the limit fails as on a full disk.
    let full = |blocks: u32, line: &str| {
        shell(&format!("trap '' XFSZ; ulimit -f {blocks}; exec perft {line}")).expect(3, &["File too large"]);
        assert_eq!(folder.len(), 0, "{line}: {:?} is left", temporary(folder.path()));
    };
    for (line, _) in writers() {
        full(0, &format!("{line} {}", folder.file("result")));
    }
    // The first rows are written during the run, but the whole document does not fit.
    for option in ["--json", "--junit"] {
        let file = folder.file("result");
        full(4, &format!("--suite quick --depth 3 {option} {file}"));
        full(4, &format!("engine --suite quick --depth 2 --keys off {option} {file} -- perft uci"));
    }
    // The disk has room for only one of the two files. The failed run leaves neither.
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
        perft_line(&format!("{line} {}", pipe.display())).expect(0, &[]);
        assert!(pipe.symlink_metadata().unwrap().file_type().is_fifo(), "{line}: the pipe is replaced");
        let found = String::from_utf8_lossy(&reader.join().unwrap()).into_owned();
        assert!(found.starts_with(begin), "{line}: {}", found.chars().take(80).collect::<String>());
    }
    // The reader stops after one byte.
    let line = format!("perft {GATE} --json >(head -c 1 > /dev/null) > /dev/null");
    Run::finish(command_of_shell("bash").args(["-c", &line])).expect(0, &[]);
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
        (format!("tasks plan --depth 3 --output {pipe}"), ": found a file, expected a folder\n"),
        (format!("{GATE} --json {pipe}"), ": found a pipe without a reader after 10 s, expected a writable file\n"),
    ] {
        perft_line(&line).expect_error(2, expected);
    }
}

#[test]
fn a_device_is_written_to_and_its_errors_are_told() {
    let folder = Folder::new();
    // A separate device that is always full. Only root can create it, and only root could destroy the system's device.
    let device = folder.join("full");
    if !succeeds(&format!("mknod {} c 1 7", device.display())) || File::options().write(true).open(&device).is_err() {
        return println!("not run: a device cannot be made here");
    }
    for (line, _) in writers() {
        let output = perft_line(&format!("{line} {}", device.display()));
        assert!(device.metadata().unwrap().file_type().is_char_device(), "{line}: the device is replaced");
        output.expect(3, &["No space left on device"]);
    }
    perft_line(&format!("count --depth 3 --checkpoint {}", device.display()))
        .expect(2, &["expected a file: a run resumes from it"]);
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
        "keys make --independent 1 --output -",
        "collisions --depth 1 --seeds 1 --scheme cpw793 --bits 16",
        "report results --csv -",
    ] {
        let output = shell(&format!("perft {line} >/dev/full"));
        output.expect(3, &["No space left on device"]);
        assert_eq!(output.stderr.matches("error: ").count(), 1, "{line}: {}", output.stderr);
        // Only standard error is full.
        shell(&format!("perft {line} >/dev/null 2>/dev/full")).expect(0, &[]);
    }
    // The exit code for a wrong count takes precedence over that for the failed write.
    let folder = Folder::new();
    let suite = folder.write("wrong.epd", format!("{} ;D1 6\n", fens::KINGS));
    shell(&format!("perft --depth 1 --suite {suite} >/dev/full")).expect(1, &[]);
}

#[test]
fn a_closed_pipe_is_forgiven() {
    for line in [GATE, "list schemes", "key", "--fen startpos --depth 1 --json -", "unique --depth 1 --export -"] {
        let mut child = start(line);
        drop(child.stdout.take());
        Run::wait(child).expect(0, &[]);
    }
}

#[test]
fn a_dash_is_standard_output_alone() {
    let folder = Folder::new();
    for (line, begin) in writers() {
        for name in ["-", "/dev/stdout"] {
            let output = shell(&format!("cd {} && exec perft {line} {name}", folder.path().display()));
            output.expect(0, &[]);
            let found = output.stdout;
            assert!(found.starts_with(begin), "{line}: {found}");
            let is_json = line.ends_with("--json");
            assert!(!is_json || serde_json::from_str::<serde_json::Value>(&found).is_ok(), "{line}: more than JSON");
        }
        assert_eq!(folder.len(), 0, "{line}: a file is made");
    }
}

fn temporary(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with(".perft-")).collect()
}

#[test]
fn what_a_killed_run_leaves_is_removed_by_the_next() {
    let folder = Folder::new();
    let (export, json) = (folder.join("ply"), folder.join("v.json"));
    // Files that the program did not create are kept, even if their names look like its own.
    fs::write(folder.join(".tmpAbCdEf"), "another's").unwrap();
    assert!(succeeds(&format!("mkfifo {}", folder.join(".perft-pipe.tmp").display())));

    let gate = || perft_line(&format!("{GATE} --json {}", json.display())).expect(0, &[]);
    let mut killed = start(&format!("unique --depth 5 --export {}", export.display()));
    let writing = || {
        let files = temporary(folder.path()).into_iter().filter(|path| path.metadata().unwrap().is_file());
        files.filter(|path| path.metadata().is_ok_and(|found| found.len() > 0)).count() > 0
    };
    wait_until(&mut killed, writing);
    // While the writer lives, another run leaves the writer's file alone.
    gate();
    let alive = writing() || export.exists();
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert!(alive, "the file of a living run is removed");
    if export.exists() {
        println!("the export was finished before it could be killed");
    }
    gate();
    assert_eq!(temporary(folder.path()), [folder.join(".perft-pipe.tmp")], "a stale file is left");
    assert!(folder.join(".tmpAbCdEf").exists());
}
