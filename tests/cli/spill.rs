//! `perft unique --spill`: the folder's content survives any failure of the run or the disk.

use crate::common::{Folder, Run, document, perft_line, start, wait_until};
#[cfg(unix)]
use crate::common::{shell, signal};
use std::path::Path;
use std::process::Child;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A count to ply 5, or to the depth in `more`, in so little memory that ply 5 takes two dozen passes.
fn line(spill: &str, more: &str) -> String {
    let depth = if more.contains("--depth") { "" } else { " --depth 5" };
    format!("unique --memory 21M --threads 2 --spill {spill}{depth} {more}").trim_end().into()
}

fn spilled(spill: &str, more: &str) -> Run {
    perft_line(&line(spill, more))
}

/// Starts a count, and waits until ply 5 has a complete pass.
fn started_and_at_ply_5(path: &Path, more: &str) -> Child {
    let mut child = start(&line(path.to_str().unwrap(), more));
    wait_until(&mut child, || progress(path) >= (5, 1));
    child
}

/// Returns the rows of a printed table, one per ply.
pub fn rows(text: &str) -> Vec<Vec<&str>> {
    let fields = text.lines().map(|line| line.split_ascii_whitespace().collect::<Vec<_>>());
    fields.filter(|fields| fields.len() > 9 && fields[0].parse::<u32>().is_ok()).collect()
}

/// Returns the rows of a printed table without the columns for passes and times.
pub fn table(text: &str) -> Vec<Vec<&str>> {
    rows(text).into_iter().map(|fields| fields[..6].to_vec()).collect()
}

/// Returns the number of complete plies, and the number of complete passes of the next ply. The journal must never be
/// half-written.
pub fn progress(folder: &Path) -> (usize, u64) {
    let Ok(text) = std::fs::read_to_string(folder.join("journal")) else { return (0, 0) };
    let (line, checksum) = text.trim_end().split_once('\n').expect("two lines");
    assert_eq!(checksum, format!("crc32 {:08x}", crc32fast::hash(line.as_bytes())));
    let journal: serde_json::Value = serde_json::from_str(line).unwrap();
    let count = &journal["count"];
    (count["plies"].as_array().unwrap().len(), count["open"]["row"]["passes"].as_u64().unwrap_or_default())
}

#[test]
fn a_count_on_disk_is_the_one_in_memory_and_prints_again() {
    let folder = Folder::new();
    let (spill, json, again) = (&folder.file("spill"), &folder.file("a.json"), &folder.file("b.json"));
    let in_memory = perft_line("unique --depth 5");
    let first = spilled(spill, &format!("--json {json}"));
    first.expect(0, &[]);
    assert_eq!(table(&first.stdout), table(&in_memory.stdout));
    assert_eq!(table(&first.stdout)[5][1..3], ["822518", "4865609"]);
    assert!(rows(&first.stdout)[5][6].parse::<u32>().unwrap() > 3, "{}", first.stdout);
    let published = "published distinct positions (OEIS A083276), plies 1 to 5: ok";
    assert!(first.stdout.contains(published) && in_memory.stdout.contains(published), "{}", first.stdout);

    // The count is complete, so the table is printed again, without a rate.
    let second = spilled(spill, &format!("--json {again}"));
    second.expect(0, &[]);
    assert_eq!(table(&second.stdout), table(&first.stdout));
    assert!(second.stdout.lines().filter(|line| line.starts_with("  ") && line.ends_with(" -")).count() >= 6);
    assert_eq!(document(json)["plies"], document(again)["plies"]);
    let names: Vec<_> = std::fs::read_dir(spill).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["journal"]);
}

/// A count killed thirty times at different moments resumes and prints the same table.
#[test]
fn a_killed_count_goes_on() {
    let folder = Folder::new();
    let (path, spill) = (folder.join("spill"), &folder.file("spill"));
    let (mut before, mut grew) = ((0, 0), 0);
    for kill in 0..30_u64 {
        let mut child = start(&line(spill, ""));
        let start = Instant::now();
        // Every second kill waits until the count has made progress, even on a slow machine. The other kills do not
        // wait for progress.
        while kill % 2 == 0 && progress(&path) <= before && start.elapsed() < Duration::from_secs(60) {
            if child.try_wait().expect("a child").is_some() {
                break;
            }
            sleep(Duration::from_millis(1));
        }
        sleep(Duration::from_millis(kill * 37 % 70));
        child.kill().unwrap();
        child.wait().unwrap();
        let now = progress(&path);
        assert!(now >= before, "{now:?} after kill {kill}, {before:?} before");
        grew += usize::from(now > before);
        before = now;
    }
    assert!(grew > 5, "the count went on only {grew} times of 30");
    let output = spilled(spill, "");
    output.expect(0, &[]);
    assert_eq!(table(&output.stdout), table(&perft_line("unique --depth 5").stdout));
}

#[test]
#[cfg(unix)]
fn an_interrupted_count_says_where_it_is() {
    let folder = Folder::new();
    let (path, spill) = (folder.join("spill"), &folder.file("spill"));
    let child = started_and_at_ply_5(&path, "--depth 8");
    let busy = "journal: another process is using it: wait until it ends, or choose another file\n";
    spilled(spill, "--depth 8").expect_error(2, busy);
    signal("-INT", &child);
    let output = Run::wait(child);
    assert_eq!(output.code, Some(130), "{}", output.printed());
    let expected = format!("interrupted: finished work is in {spill}; the same command resumes from there\n");
    assert_eq!(output.stderr, expected);
    assert!(progress(&path) >= (5, 1));
}

#[test]
fn what_is_foreign_or_damaged_is_named_and_left_alone() {
    let folder = Folder::new();
    let (path, spill) = (folder.join("spill"), &folder.file("spill"));
    let mut child = started_and_at_ply_5(&path, "");
    child.kill().unwrap();
    child.wait().unwrap();
    let refused = |more: &str, expected: &[&str]| {
        let output = spilled(spill, more);
        assert!(matches!(output.code, Some(2 | 3)), "{}", output.printed());
        let errors = output.stderr.lines().filter(|line| !line.starts_with("resumed: "));
        assert_eq!(errors.count(), 1, "{}", output.stderr);
        assert!(expected.iter().all(|text| output.stderr.contains(text)), "{expected:?}: {}", output.stderr);
    };
    refused("--depth 6", &["line 1, depth: found '5', expected this run's '6'"]);
    refused("--by key128", &["line 1, by: found 'position', expected this run's 'cpw793,width=128'"]);
    refused("--ep always", &["line 1, ep: found 'legal', expected this run's 'always'"]);
    refused("--fen kiwipete", &["line 1, fen: found 'rnbq"]);
    refused("--board-only", &["line 1, diagrams: found 'false', expected this run's 'true'"]);
    refused("--disk 1000T", &["--disk: found 1000.00 TiB, expected at most the "]);

    let positions = || {
        let names = std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path());
        names.filter(|path| path.extension().is_some_and(|extension| extension == "positions")).min().unwrap()
    };
    let file = positions();
    let whole = std::fs::read(&file).unwrap();
    let name = file.file_name().unwrap().to_str().unwrap();
    let mut damaged = whole.clone();
    damaged[1000] ^= 1;
    for (content, expected) in [(&damaged[..], "found the checksum "), (&whole[1..], "bytes, expected ")] {
        std::fs::write(&file, content).unwrap();
        refused("", &[name, expected, "the file is damaged"]);
    }
    std::fs::remove_file(&file).unwrap();
    refused("", &[name, "No such file"]);
    std::fs::write(&file, &whole).unwrap();

    let journal = path.join("journal");
    let text = std::fs::read_to_string(&journal).unwrap();
    std::fs::write(&journal, text.replacen("\"distinct\":20,", "\"distinct\":21,", 1)).unwrap();
    refused("", &["journal: line 2: found 'crc32 ", "the file is damaged"]);
    std::fs::write(&journal, &text).unwrap();
    let output = spilled(spill, "");
    assert_eq!((output.code, &table(&output.stdout)[5][1]), (Some(0), &"822518"), "{}", output.printed());
}

/// Runs the count under shell limits.
#[cfg(unix)]
fn limited(limits: &str, spill: &str, more: &str) -> Run {
    shell(&format!("{limits}; exec perft {}", line(spill, more)))
}

/// The system refuses to let files grow, or to open more files. Once that limit is lifted, the count resumes.
#[test]
#[cfg(unix)]
fn what_the_system_refuses_is_a_line_and_loses_nothing() {
    let folder = Folder::new();
    let (path, spill) = (folder.join("spill"), &folder.file("spill"));
    // Files may have at most 300 KiB: a longer write fails as on a full disk.
    let output = limited("trap '' XFSZ; ulimit -f 600", spill, "");
    assert_eq!(output.stderr.lines().count(), 1, "{}", output.stderr);
    output.expect(3, &["/ply-4-0.positions: File too large"]);
    assert_eq!(progress(&path), (4, 0), "plies 0 to 3 are complete");
    spilled(spill, "--disk 2M").expect(2, &["ply 4 does not fit: found 2 MiB of disk, expected "]);
    let output = spilled(spill, "");
    assert_eq!((output.code, &table(&output.stdout)[5][1]), (Some(0), &"822518"), "{}", output.printed());

    for handles in [4, 6, 8, 10] {
        let spill = &folder.file(&format!("spill-{handles}"));
        let output = limited(&format!("ulimit -n {handles}"), spill, "--depth 4");
        if output.code != Some(0) {
            assert!(matches!(output.code, Some(2 | 3)), "{handles}: {}", output.printed());
            assert_eq!(output.stderr.lines().count(), 1, "{handles}: {}", output.stderr);
            assert!(output.stderr.contains("Too many open files"), "{handles}: {}", output.stderr);
            let output = spilled(spill, "--depth 4");
            assert_eq!((output.code, &table(&output.stdout)[4][1]), (Some(0), &"72078"), "{}", output.printed());
        }
    }
}
