//! `perft tasks`: counts from other runs, and damaged files. `tests/cmd/tasks.trycmd` shows a run without errors.

use super::count::units;
use super::interrupted::stopped_at;
use crate::common::{Folder, Run, fens, perft_line};
use std::fs;
use std::path::Path;

/// Plans a count of the start position to ply 3. The tasks are the 20 positions of ply 1.
fn plan(folder: &Folder) -> String {
    let name = folder.file("tasks");
    perft_line(&format!("tasks plan --depth 3 --tasks 20 -o {name}")).expect(0, &["20 tasks: "]);
    name
}

fn run(tasks: &str, options: &str) -> Run {
    perft_line(format!("tasks run {tasks} {options}").trim_end())
}

fn merge(tasks: &str) -> Run {
    perft_line(&format!("tasks merge {tasks}"))
}

/// Replaces a text in a file of counts or a plan, and updates the file's checksum.
fn edit(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).unwrap();
    let end = text.trim_end().rfind('\n').unwrap() + 1;
    let changed = text[..end].replacen(from, to, 1);
    assert_ne!(changed, text[..end], "{from} is not in the file");
    // The checksum of counts does not cover the line ending.
    let is_plan = path.ends_with("plan");
    let sum = crc32fast::hash(if is_plan { &changed } else { changed.trim_end() }.as_bytes());
    fs::write(path, format!("{changed}crc32 {sum:08x}\n")).unwrap();
}

/// Adds one leaf to a task's count in a file of counts. Returns the count before and after.
fn spoil(counts: &Path, task: &str) -> [u64; 2] {
    let text = fs::read_to_string(counts).unwrap();
    let leaves = text.split(&format!("\"{task}\":")).nth(1).and_then(|rest| rest.split([',', '}']).next()).unwrap();
    let leaves: u64 = leaves.parse().unwrap();
    edit(counts, &format!("\"{task}\":{leaves}"), &format!("\"{task}\":{}", leaves + 1));
    [leaves, leaves + 1]
}

#[test]
fn a_wrong_count_of_a_task_is_found() {
    let folder = Folder::new();
    let (name, counts) = (plan(&folder), folder.join("tasks/counts"));
    run(&name, "--task 19 --hash 1M").expect(0, &[]);
    run(&name, "--share 1/1").expect(0, &["tasks 20 of 20"]);
    merge(&name).expect(0, &["nodes 8902\n", "OEIS A048987): ok\n"]);
    // Add a leaf to one of a task's two counts.
    let [leaves, more] = spoil(&counts.join("task-19-hash"), "19");
    merge(&name).expect(1, &[&format!("task 19: WRONG, found {leaves} in "), &format!(" and {more} in ")]);
    // Add a leaf to a task's only count: the total differs from the published number.
    fs::remove_file(counts.join("task-19-hash")).unwrap();
    spoil(&counts.join("share-1-of-1"), "0");
    let wrong = merge(&name);
    wrong.expect(1, &[]);
    assert!(wrong.stdout.ends_with("WRONG: the published number is 8902 (OEIS A048987)\n"), "{}", wrong.stdout);
}

/// Hash tables with different seeds hold different entries, but the counts are the same.
#[test]
fn a_seed_changes_the_table_but_not_the_count() {
    let count = |seed: &str| {
        let line = format!("count 5 --fen kiwipete --hash 16K --threads 1 --seed {seed} --json -");
        let document = perft_line(&line).document();
        (document["nodes"].clone(), document["table"].clone())
    };
    let (one, other) = (count("0"), count("1"));
    assert_eq!((&one.0, &other.0), (&"193690690".into(), &"193690690".into()));
    assert_eq!((&one.1["seed"], &other.1["seed"]), (&"0".into(), &"1".into()));
    assert_ne!(one.1["evictions"], other.1["evictions"]);
}

/// Tasks that other runs counted are read from their files: whole shares, single tasks, and a stopped run.
#[test]
fn a_run_of_all_tasks_counts_what_is_left() {
    let folder = Folder::new();
    let (path, name) = (folder.join("tasks"), &folder.file("tasks"));
    perft_line(&format!("tasks plan --depth 5 --fen {} --tasks 150 -o {name}", fens::POSITION_3))
        .expect(0, &["191 tasks: the distinct positions of ply 2, with 3 plies below"]);
    for options in ["--share 2/4", "--share 5/8", "--task 190"] {
        run(name, options).expect(0, &[]);
    }
    stopped_at(50, &format!("tasks run {name} --share 4/4")).expect(130, &[]);
    let units = |name: &str| units(&path.join("counts").join(name));
    let before = 48 + 24 + 1 + units("share-4-of-4");
    let all = run(name, "");
    all.expect(0, &["tasks 191 of 191 in ", &format!("counts: {before} of 191 tasks were already counted\n")]);
    assert_eq!((units("share-1-of-1"), units("share-4-of-4") > 0), (191 - before, true));
    let nodes = perft_line(&format!("count 5 --fen {}", fens::POSITION_3)).stdout;
    assert_eq!(nodes.lines().next(), merge(name).stdout.lines().next());
    run(name, "").expect(0, &["counts: 191 of 191 tasks were already counted\n"]);
    assert_eq!(fs::read_dir(path.join("counts")).unwrap().count(), 5);
}

#[test]
fn what_is_foreign_or_damaged_is_named() {
    let folder = Folder::new();
    let (path, name) = (folder.join("tasks"), &plan(&folder));
    let refused = |expected: &str| merge(name).expect_error(2, expected);
    refused("counts: No such file or directory, expected the counts that `perft tasks run` wrote");
    run(name, "--task 7").expect(0, &[]);
    let plan = path.join("plan");
    let text = fs::read_to_string(&plan).unwrap();
    for (from, to, expected) in [
        ("\n0\t1\t", "\n0\tone\t", "line 2, multiplicity: found 'one', expected a number"),
        ("\n1\t1\t", "\n2\t1\t", "line 3, number: found '2', expected 1"),
        ("\n0\t1\t", "\n0 1\t", "line 2: found 2 fields, expected number, multiplicity and FEN"),
        ("\"tasks\":20", "\"tasks\":21", "line 1, tasks: found 21, expected 20 as listed"),
        ("perft.tasks/1", "perft.tasks/2", "line 1, schema: found 'perft.tasks/2', expected 'perft.tasks/1'"),
        ("\"ply\":1", "\"ply\":7", "line 1, ply: found more than the depth"),
        ("\n0\t1\t", "\n0\t2\t", "counts/task-7: line 1, plan: found '"),
    ] {
        edit(&plan, from, to);
        refused(expected);
        fs::write(&plan, &text).unwrap();
    }
    edit(&plan, "\n0\t1\t", "\n0\t1\tx");
    run(name, "--task 0").expect_error(2, "line 2, FEN: ");
    fs::write(&plan, text.replacen("\n0\t1\t", "\n0\t2\t", 1)).unwrap();
    refused("line 22: found 'crc32 ");
    fs::write(&plan, &text).unwrap();
    edit(&path.join("counts/task-7"), "\"7\":", "\"700\":");
    refused("found 700, expected a task from 0 to 19");
    fs::remove_file(path.join("counts/task-7")).unwrap();
    fs::write(path.join("counts/task-8"), "text").unwrap();
    refused("counts/task-8: line 1: found 4 bytes, expected two lines: the file is damaged");
    fs::remove_file(path.join("counts/task-8")).unwrap();
    // A copy of a file is not an independent count, so it is refused.
    run(name, "--task 6").expect(0, &[]);
    fs::copy(path.join("counts/task-6"), path.join("counts/task-6.bak")).unwrap();
    refused("counts/task-6.bak: found a file name that `perft tasks` does not use, expected none: move the file away");
}
