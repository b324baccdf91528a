//! Runs that stop at each poll for an interrupt: nothing incomplete is kept, compared or reported as correct.

use super::spill::table;
use crate::common::{Folder, Run, command, fens, perft_line};
use std::fs;

/// A position with few pieces, so that deep counts are cheap: its units are five plies deep and merge transpositions.
const SMALL: &str = "4k3/8/8/8/8/4p3/8/4K3 w - - 0 1";

/// Runs a command on one thread and stops it at the given poll, as if by Ctrl-C.
pub fn stopped_at(poll: u64, line: &str) -> Run {
    Run::finish(command().args(line.split(' ')).args(["--threads", "1"]).env("PERFT_STOP_AT_POLL", poll.to_string()))
}

/// Stops runs at each of the first polls, and then at polls with growing gaps between them, until a run completes.
/// `line` returns the command for a poll, and `check` is called with each stopped run. Returns the complete run.
fn stop_everywhere(line: impl Fn(u64) -> String, check: impl Fn(u64, &Run)) -> Run {
    let polls = std::iter::successors(Some(1), |poll| Some(poll + 1 + if *poll < 32 { poll / 8 } else { *poll }));
    for (stops, poll) in polls.enumerate() {
        let line = line(poll);
        let run = stopped_at(poll, &line);
        if run.code != Some(130) {
            assert!(stops > 3, "{line}: stopped {stops} times");
            return run;
        }
        let said = run.stderr.lines().filter(|line| line.starts_with("interrupted")).count();
        assert!(said == 1 || run.stdout.contains("interrupted"), "{line} at poll {poll}: {}", run.printed());
        assert!(!run.printed().contains("WRONG"), "{line} at poll {poll}: {}", run.printed());
        check(poll, &run);
    }
    unreachable!("there is always another poll")
}

#[test]
fn a_stopped_count_goes_on_from_its_checkpoint() {
    for (depth, way) in [(8, " --every-path"), (9, ""), (8, " --hash 1M"), (8, " --hash 1M --exact")] {
        let folder = Folder::new();
        let line =
            |poll: u64| format!("count {depth}{way} --fen {SMALL} --checkpoint {}", folder.file(&poll.to_string()));
        let whole = perft_line(&format!("count {depth} --fen {SMALL}")).stdout;
        let expected = whole.lines().next();
        let over = stop_everywhere(line, |poll, stopped| {
            assert_eq!(stopped.stdout, "", "{way} at poll {poll}");
            let resumed = perft_line(&line(poll));
            assert_eq!(resumed.stdout.lines().next(), expected, "{way}, stopped at poll {poll}");
            // The checkpoint stores the number of comparisons, so even a run with nothing left to count prints it.
            let again = perft_line(&line(poll));
            again.expect(0, &["\nno time: every unit was in the checkpoint\n"]);
            let compared =
                |run: &Run| run.stdout.lines().find(|line| line.contains(" tags compared")).map(String::from);
            assert_eq!(compared(&resumed), compared(&again), "{way}, stopped at poll {poll}");
            assert_eq!(compared(&resumed).is_some(), way == " --hash 1M");
            // `divide` resumes from the same file.
            let divided = perft_line(&line(poll).replace(way, "").replacen("count", "divide", 1));
            assert_eq!(expected.map(|nodes| nodes.replace("nodes", "total")).as_deref(), divided.stdout.lines().last());
        });
        assert_eq!(over.stdout.lines().next(), expected, "{way}");
    }
}

/// With `--every-path`, startpos to depth 5 polls 441 times: before and after each of its 20 subtrees of four plies,
/// after each of their 400 moves, and at the end. With merged paths there are fewer polls.
#[test]
fn every_path_is_every_path() {
    let is_stopped = |poll, line| stopped_at(poll, line).code == Some(130);
    assert!(is_stopped(441, "count 5 --every-path") && !is_stopped(442, "count 5 --every-path"));
    assert!(is_stopped(20, "count 5") && !is_stopped(441, "count 5"));
}

#[test]
fn a_stopped_share_writes_no_incomplete_task() {
    for way in ["", " --every-path", " --hash 1M", " --stats"] {
        let folder = Folder::new();
        let name = |poll: u64| folder.file(&poll.to_string());
        let whole = perft_line(&format!("count 7 --fen {SMALL}")).stdout;
        stop_everywhere(
            |poll| {
                let plan = format!("tasks plan --depth 7 --tasks 10 --fen {SMALL} --output {}", name(poll));
                perft_line(&plan).expect(0, &[", with 5 plies below"]);
                format!("tasks run {}{way}", name(poll))
            },
            |poll, _| {
                let merge = format!("tasks merge {}", name(poll));
                perft_line(&merge).expect(2, &["expected all; missing: "]);
                perft_line(&format!("tasks run {}{way}", name(poll))).expect(0, &[]);
                let merged = perft_line(&merge);
                assert_eq!(merged.stdout.lines().next(), whole.lines().next(), "{way}, stopped at poll {poll}");
            },
        );
    }
}

#[test]
fn plies_of_a_stopped_count_of_positions_are_complete_and_a_folder_goes_on() {
    let is_beginning = |whole: &Run, poll, stopped: &Run| {
        let (rows, all) = (table(&stopped.stdout), table(&whole.stdout));
        assert_eq!(rows, all[..rows.len()], "stopped at poll {poll}");
    };
    for way in ["", " --leaves", " --board-only", " --by key --memory 64M"] {
        let line = format!("unique --depth 3{way} --fen kiwipete");
        let whole = perft_line(&line);
        let over = stop_everywhere(|_| line.clone(), |poll, stopped| is_beginning(&whole, poll, stopped));
        assert_eq!(table(&over.stdout), table(&whole.stdout), "{way}");
    }
    let folder = Folder::new();
    let spill = |poll: u64| format!("unique --depth 4 --memory 21M --spill {}", folder.file(&poll.to_string()));
    let whole = perft_line("unique --depth 4");
    stop_everywhere(spill, |poll, stopped| {
        is_beginning(&whole, poll, stopped);
        let resumed = perft_line(&spill(poll));
        assert_eq!((resumed.code, table(&resumed.stdout)), (Some(0), table(&whole.stdout)), "stopped at poll {poll}");
        fs::remove_dir_all(folder.join(&poll.to_string())).unwrap();
    });
}

#[test]
fn a_stopped_gate_passes_no_row_and_no_game() {
    let folder = Folder::new();
    let rows = format!("{} ;D3 8902\n{} ;D3 97862\n{} ;D4 43238\n", fens::START, fens::KIWIPETE, fens::POSITION_3);
    let wrong = folder.write("wrong.epd", rows.replace("43238", "43239"));
    let (right, junit) = (folder.write("right.epd", rows), folder.file("junit"));
    for (suite, code, verdict) in [(&right, 0, "3 of 3 rows: 3 passed"), (&wrong, 1, "3 of 3 rows: 2 passed, 1 failed")]
    {
        // The mode does not matter to what a checkpoint keeps of a row that failed.
        for mode in ["verify", "count", "stats"].into_iter().take(if code == 0 { 3 } else { 1 }) {
            let line = |poll: u64| {
                let checkpoint = folder.file(&format!("{mode}-{code}-{poll}"));
                let games = "--playouts 5 --plies 9";
                format!("--depth 4 --junit {junit} --suite {suite} --mode {mode} {games} --checkpoint {checkpoint}")
            };
            let over = stop_everywhere(line, |poll, stopped| {
                assert!(stopped.stdout.ends_with("; interrupted\n"), "{mode} at poll {poll}: {}", stopped.stdout);
                assert!(!stopped.stdout.contains("seed 0: ok"), "{mode} at poll {poll}: {}", stopped.stdout);
                assert!(folder.read("junit").contains("message=\"interrupted\""), "{mode} at poll {poll}");
                perft_line(&line(poll)).expect(code, &[]);
            });
            over.expect(code, &[verdict]);
            if code == 1 {
                continue;
            }
            // A run that was stopped during its games has verified fewer games.
            let games = |run: &Run| {
                run.stdout.lines().skip_while(|line| !line.starts_with("playouts: ")).nth(1).map(String::from)
            };
            let whole = perft_line(&line(0));
            assert!(games(&whole).is_some() && games(&over) == games(&whole), "{mode}: {}", over.printed());
        }
    }
}

#[test]
fn what_was_stopped_is_neither_compared_nor_written() {
    let folder = Folder::new();
    let list = folder.write("list.epd", format!("{} ;D4 197281\n{} ;D3 97862\n", fens::START, fens::KIWIPETE));
    let listing = folder.write("listing", perft_line(&format!("divide 5 --fen {}", fens::POSITION_3)).stdout);
    let out = folder.file("out");
    for line in [
        format!("count 4 --suite {list} --json {out}"),
        format!("count 4 --suite {list} --hash 1M --json {out}"),
        format!("count 4 --stats --json {out}"),
        format!("suite fill {list} --depth 4 --output {out}"),
        format!("unique --depth 4 --export {out}"),
        format!("tasks plan --depth 6 --tasks 300 --output {out}"),
        format!("collisions --depth 3 --seeds 1 --scheme cpw793 --bits 16 --json {out}"),
    ] {
        let is_not_written = |poll, _: &Run| assert!(!folder.join("out").exists(), "{line}, stopped at poll {poll}");
        let over = stop_everywhere(|_| line.clone(), is_not_written);
        assert!(matches!(over.code, Some(0 | 4)), "{line}: {}", over.printed());
        let _ = fs::remove_file(&out);
        let _ = fs::remove_dir_all(&out);
    }
    for compared in [&listing, &folder.write("other", "a5a4: 1\n")] {
        let line = format!("divide 5 --compare {compared} --json {out} --fen {}", fens::POSITION_3);
        let over = stop_everywhere(
            |_| line.clone(),
            |poll, stopped| {
                assert!(!folder.join("out").exists() && stopped.stdout.contains("\ntotal "), "{}", stopped.printed());
                for verdict in ["right", "missing", "expected", "below"] {
                    assert!(!stopped.stdout.contains(verdict), "stopped at poll {poll}: {}", stopped.stdout);
                }
            },
        );
        assert_eq!(over.code, Some(i32::from(compared != &listing)), "{}", over.printed());
        fs::remove_file(&out).unwrap();
    }
}
