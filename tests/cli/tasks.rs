//! `perft tasks`: a plan, shares in any order and by any table, and a sum that lacks nothing.

use crate::common::{Folder, Run, command, fens, perft};

/// The plan of startpos to ply 6: the 400 positions of ply 2.
fn planned(folder: &str, more: &[&str]) -> Run {
    perft(&[&["tasks", "plan", "--depth", "6", "--tasks", "300", "-o", folder], more].concat())
}

fn share(folder: &str, more: &[&str]) -> Run {
    perft(&[&["tasks", "run", folder], more].concat())
}

fn merged(folder: &str) -> Run {
    perft(&["tasks", "merge", folder])
}

/// Replaces a text in a file of counts or a plan, under a checksum that fits.
fn edit(path: &std::path::Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(path).unwrap();
    let end = text.trim_end().rfind('\n').unwrap() + 1;
    let changed = text[..end].replacen(from, to, 1);
    assert_ne!(changed, text[..end], "{from} is not in the file");
    // The checksum of counts is of the line without its end.
    let is_plan = path.ends_with("plan");
    let sum = crc32fast::hash(if is_plan { &changed } else { changed.trim_end() }.as_bytes());
    std::fs::write(path, format!("{changed}crc32 {sum:08x}\n")).unwrap();
}

#[test]
fn shares_add_up_however_they_are_counted() {
    let folder = Folder::new();
    let (path, name) = (folder.join("tasks"), &folder.file("tasks"));
    let plan = planned(name, &[]);
    assert_eq!(plan.code, Some(0), "{}", plan.printed());
    assert!(
        plan.stdout.contains("400 tasks: the distinct positions of ply 2, with 4 plies below\n"),
        "{}",
        plan.stdout
    );
    assert!(planned(name, &[]).stdout.contains("has this plan already"));
    let other = planned(name, &["--moves", "e2e4"]);
    assert_eq!(other.code, Some(2), "{}", other.printed());
    assert!(other.stderr.contains("found another plan, expected a new folder, or the same plan"), "{}", other.stderr);

    for more in [["--share", "3/3"], ["--share", "1/3"]] {
        assert_eq!(share(name, &more).code, Some(0));
    }
    let output = merged(name);
    assert_eq!(output.code, Some(2), "{}", output.printed());
    let expected = "found 267 of 400 tasks, expected all: missing are 1, 4, 7, 10, 13, …";
    assert!(output.stderr.contains(expected) && output.stderr.lines().count() == 1, "{}", output.stderr);

    let second = share(name, &["--share", "2/3", "--hash", "16M"]);
    assert!(second.stdout.starts_with("tasks 133 of 133 in ") && path.join("counts/share-2-of-3-hash").exists());
    assert!(second.stdout.contains(" wrong hits expected"), "{}", second.stdout);
    let output = merged(name);
    assert_eq!(output.code, Some(0), "{}", output.printed());
    assert!(output.stdout.starts_with("nodes 119060324\ntasks 400, in 3 files\n"), "{}", output.stdout);
    assert!(output.stdout.contains(" wrong hits expected\n"), "{}", output.stdout);
    assert!(output.stdout.ends_with("published number (OEIS A048987): the same: ok\n"), "{}", output.stdout);

    // Counted again: nothing is done, whoever counted it. By another table: the same counts.
    for (more, tasks) in [
        (&["--share", "1/3"][..], 134),
        (&["--share", "3/6"], 67),
        (&["--task", "399"], 1),
        (&["--share", "2/6", "--hash", "1M"], 67),
    ] {
        let again = share(name, more);
        let expected = format!("{}: {tasks} of {tasks} tasks were counted before\n", path.join("counts").display());
        assert_eq!((again.code, again.stdout, again.stderr.len()), (Some(0), expected, 0), "{more:?}");
    }
    assert_eq!(share(name, &["--share", "1/3", "--hash", "16M", "--exact"]).code, Some(0));
    assert_eq!(share(name, &["--task", "399", "--hash", "1M", "--simd", "v1"]).code, Some(0));
    let output = merged(name);
    assert_eq!((output.code, output.stderr.as_str()), (Some(0), "135 repeated counts are the same, and count once\n"));
    assert!(output.stdout.starts_with("nodes 119060324\ntasks 400, in 5 files\n"), "{}", output.stdout);

    // One leaf too many in one of two counts of a task.
    let counts = path.join("counts");
    let text = std::fs::read_to_string(counts.join("task-399-hash")).unwrap();
    let leaves = text.split("\"399\":\"").nth(1).unwrap().split('"').next().unwrap();
    let more = (leaves.parse::<u64>().unwrap() + 1).to_string();
    edit(&counts.join("task-399-hash"), &format!("\"{leaves}\""), &format!("\"{more}\""));
    let output = merged(name);
    assert_eq!(output.code, Some(1), "{}", output.printed());
    let expected = format!("task 399: WRONG, found {leaves} in ");
    assert!(
        output.stdout.contains(&expected) && output.stdout.contains(&format!(" and {more} in ")),
        "{}",
        output.stdout
    );
    // And in the only count of one: the published number is another.
    std::fs::remove_file(counts.join("share-1-of-3")).unwrap();
    std::fs::remove_file(counts.join("share-1-of-3-exact")).unwrap();
    assert_eq!(share(name, &["--share", "1/3"]).code, Some(0));
    std::fs::remove_file(counts.join("task-399-hash")).unwrap();
    let text = std::fs::read_to_string(counts.join("share-1-of-3")).unwrap();
    let leaves = text.split("\"0\":\"").nth(1).unwrap().split('"').next().unwrap();
    edit(&counts.join("share-1-of-3"), &format!("\"{leaves}\""), &format!("\"{leaves}0\""));
    let output = merged(name);
    assert_eq!(output.code, Some(1), "{}", output.printed());
    assert!(output.stdout.ends_with("WRONG: published are 119060324 (OEIS A048987)\n"), "{}", output.stdout);
}

/// What others have counted is taken from their files: from whole shares, single tasks, and what a stopped run left.
#[test]
fn a_run_of_all_tasks_counts_what_is_left() {
    let folder = Folder::new();
    let (path, name) = (folder.join("tasks"), &folder.file("tasks"));
    let plan = ["tasks", "plan", "--depth", "5", "--fen", fens::POSITION_3, "--tasks", "150", "-o", name];
    perft(&plan).expect(0, &["191 tasks: the distinct positions of ply 2, with 3 plies below"]);
    for more in [["--share", "2/4"], ["--share", "5/8"], ["--task", "190"]] {
        assert_eq!(share(name, &more).code, Some(0));
    }
    let stopped =
        command().args(["tasks", "run", name, "--share", "4/4", "-j", "1"]).env("PERFT_STOP_AT_POLL", "50").output();
    assert_eq!(Run::from(stopped.unwrap()).code, Some(130));
    let units = |name: &str| {
        let text = std::fs::read_to_string(path.join("counts").join(name)).unwrap();
        let counts: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        counts["units"].as_object().unwrap().len()
    };
    let before = 48 + 24 + 1 + units("share-4-of-4");
    let all = share(name, &[]);
    all.expect(0, &["tasks 191 of 191 in ", &format!("counts: {before} of 191 tasks were counted before\n")]);
    assert_eq!((units("share-1-of-1"), units("share-4-of-4") > 0), (191 - before, true));
    let nodes = perft(&["count", "5", "--fen", fens::POSITION_3]).stdout;
    assert_eq!(nodes.lines().next(), merged(name).stdout.lines().next());
    share(name, &[]).expect(0, &["counts: 191 of 191 tasks were counted before\n"]);
    assert_eq!(std::fs::read_dir(path.join("counts")).unwrap().count(), 5);
}

#[test]
fn what_is_foreign_or_damaged_is_named() {
    let folder = Folder::new();
    let (path, name) = (folder.join("tasks"), &folder.file("tasks"));
    let refused = |output: Run, expected: &str| {
        assert_eq!(output.code, Some(2), "{}", output.printed());
        assert!(
            output.stderr.contains(expected) && output.stderr.lines().count() == 1,
            "{expected}: {}",
            output.stderr
        );
    };
    refused(share(name, &[]), "plan: No such file or directory");
    refused(perft(&["tasks", "plan", "--depth", "3", "-o", "no/such/folder"]), "no/such/folder: No such file");
    assert_eq!(planned(name, &[]).code, Some(0));
    refused(merged(name), "counts: No such file or directory (os error 2), expected the counts of tasks run");
    refused(share(name, &["--task", "400"]), "--task: found 400, expected less than the 400 of the plan");
    for share_of in ["0/3", "4/3", "3", "a/b"] {
        refused(share(name, &["--share", share_of]), "expected I/N");
    }
    assert_eq!(share(name, &["--task", "7"]).code, Some(0));
    let plan = path.join("plan");
    let text = std::fs::read_to_string(&plan).unwrap();
    for (from, to, expected) in [
        ("\n0\t1\t", "\n0\tone\t", "line 2, multiplicity: found 'one', expected a number"),
        ("\n1\t1\t", "\n2\t1\t", "line 3, number: found '2', expected 1"),
        ("\n0\t1\t", "\n0\t1\tx", "line 2, FEN: "),
        ("\n0\t1\t", "\n0 1\t", "line 2: found 2 fields, expected number, multiplicity and FEN"),
        ("\"tasks\":400", "\"tasks\":401", "line 1, tasks: found 401, expected 400 as listed"),
        ("perft.tasks/1", "perft.tasks/2", "line 1, schema: found 'perft.tasks/2', expected 'perft.tasks/1'"),
        ("\"ply\":2", "\"ply\":7", "line 1, ply: found more than the depth"),
        ("\n0\t1\t", "\n0\t2\t", "counts/task-7: line 1, plan: found '"),
    ] {
        edit(&plan, from, to);
        refused(merged(name), expected);
        std::fs::write(&plan, &text).unwrap();
    }
    std::fs::write(&plan, text.replacen("\n0\t1\t", "\n0\t2\t", 1)).unwrap();
    refused(merged(name), "line 402: found 'crc32 ");
    std::fs::write(&plan, &text).unwrap();
    edit(&path.join("counts/task-7"), "\"7\":", "\"700\":");
    refused(merged(name), "found task 700, expected less than the 400 of the plan");
    std::fs::write(path.join("counts/other"), "text").unwrap();
    refused(merged(name), "counts/other: line 1: found 4 bytes, expected two lines: the file is damaged");
}
