//! `perft unique --hosts`: several processes together get the same counts as a single one, and none is left waiting.

use super::spill::{progress, table};
use crate::common::{Folder, Run, free_address, perft_line, start, wait_until};
#[cfg(unix)]
use crate::common::{signal, wait_until_it_catches_interrupts};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

/// Time limit for a process to notice that another one is lost.
const SOON: Duration = Duration::from_secs(60);

/// Runs `work`, which must end within [`SOON`].
#[track_caller]
fn soon<T>(work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let done = work();
    assert!(start.elapsed() < SOON);
    done
}

/// Processes that count together: their addresses, on free ports, and a file that lists them.
struct Hosts {
    folder: Folder,
    addresses: Vec<String>,
}

impl Hosts {
    fn new(processes: usize) -> Hosts {
        let addresses: Vec<_> = (0..processes).map(|_| free_address()).collect();
        let folder = Folder::new();
        folder.write("hosts", addresses.join("\n"));
        Hosts { folder, addresses }
    }

    fn start(&self, process: usize, more: &str) -> Child {
        let hosts = self.folder.file("hosts");
        start(&format!("unique --threads 1 --hosts {hosts} --process {process} {more}"))
    }

    fn start_all(&self, more: &str) -> Vec<Child> {
        (0..self.addresses.len()).map(|process| self.start(process, more)).collect()
    }

    fn run(&self, more: &str) -> Vec<Run> {
        self.start_all(more).into_iter().map(Run::wait).collect()
    }
}

fn succeeded(runs: &[Run]) {
    runs.iter().for_each(|run| run.expect(0, &[]));
}

#[test]
fn two_and_four_processes_count_what_one_counts() {
    for (processes, arguments) in
        [(2, "--depth 5"), (4, "--depth 5 --by key128"), (3, "--depth 4 --fen kiwipete --memory 80M --ep always")]
    {
        let alone = perft_line(&format!("unique {arguments}"));
        let runs = Hosts::new(processes).run(arguments);
        succeeded(&runs);
        assert_eq!(table(&runs[0].stdout), table(&alone.stdout));
        assert!(table(&alone.stdout).len() > 4, "{}", alone.stdout);
        for (process, run) in runs.iter().enumerate() {
            assert!(process == 0 || run.stdout.is_empty(), "{}", run.stdout);
            let bytes = run.stderr.split(" in ").nth(1).and_then(|rest| rest.split(": ").nth(1)).unwrap();
            let bytes: f64 = bytes.split(' ').next().unwrap().parse().unwrap();
            assert!((13.0..30.0).contains(&bytes), "{}", run.stderr);
        }
    }
}

#[test]
fn a_process_that_dies_ends_all_and_the_same_commands_go_on() {
    let (hosts, alone) = (Hosts::new(3), perft_line("unique --depth 5"));
    let spill = hosts.folder.file("spill");
    // The memory is so small that ply 5 takes several passes.
    let arguments = &format!("--depth 5 --memory 64M --spill {spill}");
    let mut grew = 0;
    for kill in 0..6_u64 {
        let mut all = hosts.start_all(arguments);
        let journals =
            || (0..3).map(|process| progress(&hosts.folder.join("spill").join(format!("process-{process}"))));
        let before = journals().min();
        let start = Instant::now();
        while kill % 2 == 0 && journals().min() <= before && start.elapsed() < SOON {
            thread::sleep(Duration::from_millis(1));
        }
        thread::sleep(Duration::from_millis(kill * 23 % 60));
        let victim = kill as usize % 3;
        all[victim].kill().unwrap();
        let killed = Instant::now();
        for (process, run) in all.into_iter().map(Run::wait).enumerate() {
            // The count may have ended before the process was killed.
            if process == victim || run.code == Some(0) {
                continue;
            }
            run.expect(3, &[]);
            let line = run.stderr.lines().last().unwrap();
            let address = &hosts.addresses[victim];
            assert!(line.contains(&format!("process {victim} ({address})")), "{line}");
            let errors = run.stderr.lines().filter(|line| line.starts_with("error: "));
            assert_eq!(errors.count(), 1, "{}", run.stderr);
        }
        assert!(killed.elapsed() < SOON);
        grew += usize::from(journals().min() > before);
    }
    assert!(grew > 1, "the count went on only {grew} times");
    let runs = hosts.run(arguments);
    succeeded(&runs);
    assert_eq!(table(&runs[0].stdout), table(&alone.stdout));
    // If the folders already hold the complete count, a run only prints the table again.
    let again = hosts.run(arguments);
    succeeded(&again);
    assert_eq!(table(&again[0].stdout), table(&alone.stdout));
}

#[test]
fn without_a_folder_the_count_is_lost_and_that_is_said() {
    let hosts = Hosts::new(2);
    let mut all = hosts.start_all("--depth 8");
    // Once process 0 prints, both processes are connected.
    read_until("\n", &mut all[0]);
    thread::sleep(Duration::from_millis(300));
    all[1].kill().unwrap();
    let last = all.pop().unwrap();
    let run = soon(|| Run::wait(all.pop().unwrap()));
    Run::wait(last);
    run.expect(3, &[]);
    let address = &hosts.addresses[1];
    let lines = [format!("error: process 1 ({address}): "), "; the count is lost, --spill would have kept it\n".into()];
    assert!(run.stderr.starts_with(&lines[0]) && run.stderr.ends_with(&lines[1]), "{}", run.stderr);
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
}

#[test]
fn processes_of_different_runs_refuse_each_other() {
    let hosts = Hosts::new(2);
    let spill = &hosts.folder.file("spill");
    let run = "--depth 6";
    for (other, expected) in [
        ("--depth 5", "depth: found 5, expected 6 as in this process"),
        ("--depth 6 --by key", "by: found 'cpw793', expected 'position' as in this process"),
        ("--depth 6 --fen kiwipete", "fen: found 'r3k2r/"),
        (&format!("--depth 6 --spill {spill}"), "spill: found true, expected false as in this process"),
    ] {
        let [first, second] = soon(|| [hosts.start(0, run), hosts.start(1, other)].map(Run::wait));
        first.expect_error(2, &format!("process 1 ({}), {expected}", hosts.addresses[1]));
        second.expect_error(2, &format!("process 0 ({})", hosts.addresses[0]));
    }
    // Give one process a different list of hosts.
    let (other, mut text) = (Hosts::new(2), hosts.addresses.join("\n"));
    text += "\n127.0.0.1:9\n";
    other.folder.write("hosts", text);
    let [first, second] = [hosts.start(0, run), other.start(1, run)].map(Run::wait);
    first.expect(2, &["hosts: found [\"127.0.0.1:"]);
    second.expect(2, &[]);
    // Each process number may be started only once.
    let all = Hosts::new(3);
    let runs = [all.start(0, run), all.start(1, run), all.start(1, run)].map(Run::wait);
    assert!(runs.iter().all(|run| matches!(run.code, Some(2 | 3))), "{}", runs[0].printed());
    assert!(runs.iter().any(|run| run.code == Some(2)), "{}", runs[0].printed());
}

#[test]
fn a_process_that_is_not_there_is_named() {
    let hosts = Hosts::new(2);
    for (process, expected) in [(0, "it has not connected"), (1, "Connection refused")] {
        let run = soon(|| Run::wait(hosts.start(process, "--depth 5 --wait 1s")));
        let other = 1 - process;
        let address = &hosts.addresses[other];
        run.expect_error(3, &format!("process {other} ({address}) is not there after 1s: {expected}"));
    }
    // Let something other than perft answer.
    let stranger = TcpListener::bind(&hosts.addresses[0]).unwrap();
    let answering = thread::spawn(move || stranger.accept().unwrap().0.write_all(&[b'x'; 100]).unwrap());
    let run = Run::wait(hosts.start(1, "--depth 5 --wait 2s"));
    answering.join().unwrap();
    run.expect(3, &["something other than perft answers there"]);
}

/// A client that is not a process of the count gets no reply, and the processes still connect to each other.
#[test]
fn strangers_do_not_disturb_the_start() {
    let hosts = Hosts::new(2);
    let mut first = hosts.start(0, "--depth 4");
    let connect = || TcpStream::connect(&hosts.addresses[0]);
    wait_until(&mut first, || connect().is_ok());
    let [mut stranger, mut silent] = [(); 2].map(|()| connect().unwrap());
    stranger.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let second = hosts.start(1, "--depth 4");
    succeeded(&[Run::wait(first), Run::wait(second)]);
    for stranger in [&mut stranger, &mut silent] {
        let mut told = Vec::new();
        let _ = stranger.read_to_end(&mut told);
        assert!(told.is_empty(), "{}", told.escape_ascii());
    }
}

#[test]
#[cfg(unix)]
fn an_interrupt_of_one_process_ends_all_in_order() {
    let hosts = Hosts::new(2);
    let spill = hosts.folder.file("spill");
    let mut all = hosts.start_all(&format!("--depth 8 --memory 1G --spill {spill}"));
    let journal = hosts.folder.join("spill").join("process-1");
    wait_until(&mut all[1], || progress(&journal) >= (6, 0));
    signal("-INT", &all[1]);
    for run in soon(|| all.into_iter().map(Run::wait).collect::<Vec<_>>()) {
        run.expect(130, &["interrupted: finished work is in "]);
    }
}

#[test]
#[cfg(unix)]
fn an_interrupt_ends_a_process_that_waits_for_others() {
    let hosts = Hosts::new(2);
    for process in [0, 1] {
        let mut child = hosts.start(process, "--depth 5 --wait 10m");
        wait_until_it_catches_interrupts(&mut child);
        signal("-INT", &child);
        soon(|| Run::wait(child)).expect_error(130, "interrupted: nothing was counted\n");
    }
}

#[test]
#[cfg(unix)]
fn an_interrupt_ends_a_process_whose_peer_does_not_answer() {
    let hosts = Hosts::new(2);
    let mut all = hosts.start_all("--depth 8 --memory 1G");
    read_until("\n", &mut all[0]);
    thread::sleep(Duration::from_millis(300));
    let mut stopped = all.pop().unwrap();
    signal("-STOP", &stopped);
    thread::sleep(Duration::from_millis(300));
    signal("-INT", &all[0]);
    let run = soon(|| Run::wait(all.pop().unwrap()));
    stopped.kill().unwrap();
    stopped.wait().unwrap();
    run.expect(3, &[&format!("process 1 ({}): it does not answer", hosts.addresses[1])]);
}

/// Reads a process's output until it ends with this text.
fn read_until(end: &str, child: &mut Child) {
    let (mut printed, mut byte) = (String::new(), [0]);
    while !printed.ends_with(end) {
        assert_eq!(child.stdout.as_mut().unwrap().read(&mut byte).unwrap(), 1, "{printed}");
        printed.push(byte[0].into());
    }
}

/// Two processes wait for each other and for a third, which does not answer. After the first interrupt, they wait only
/// for a limited time. The second interrupt ends them at once, without the message that a process is lost.
#[test]
#[cfg(unix)]
fn processes_that_wait_for_each_other_end_at_the_second_interrupt() {
    let hosts = Hosts::new(3);
    let mut all = hosts.start_all("--depth 8 --memory 1G");
    // Once process 0 prints a ply that all processes counted together, they are all connected.
    read_until("\n  3 ", &mut all[0]);
    let mut stopped = all.pop().unwrap();
    signal("-STOP", &stopped);
    let interrupted = Instant::now();
    all.iter().for_each(|child| signal("-INT", child));
    // The pause is shorter than the time after which the silent process is considered lost.
    thread::sleep(Duration::from_millis(700));
    let is_in_time = interrupted.elapsed() < Duration::from_secs(3);
    all.iter().for_each(|child| signal("-TERM", child));
    for run in all.into_iter().map(Run::wait) {
        // If the machine stalled for seconds, the processes may already have given up on the silent one.
        assert!(run.code == Some(130) || !is_in_time && run.code == Some(3), "{}", run.printed());
        let expected = "interrupted again: not waiting for other processes to end\n";
        assert!(run.stderr.ends_with(expected) || !is_in_time, "{}", run.stderr);
    }
    stopped.kill().unwrap();
    stopped.wait().unwrap();
}

/// After an interrupt, a process reports only the bytes of completed passes, so the bytes per child are the same as for
/// a whole count.
#[test]
#[cfg(unix)]
fn after_an_interrupt_bytes_and_children_are_of_the_same_passes() {
    let hosts = Hosts::new(2);
    let mut all = hosts.start_all("--depth 8 --memory 1G");
    // Process 0 prints ply 5 once that ply is complete. Ply 6 has tens of millions of children.
    read_until("\n  5 ", &mut all[0]);
    thread::sleep(Duration::from_millis(500));
    let interrupted = Instant::now();
    all.iter().for_each(|child| signal("-INT", child));
    for run in all.into_iter().map(Run::wait) {
        if run.code == Some(3) && interrupted.elapsed() >= Duration::from_secs(5) {
            // If the machine stalled for that long, one process may have given up on the other.
            continue;
        }
        assert_eq!(run.code, Some(130), "{}", run.printed());
        let sent = run.stderr.lines().find(|line| line.ends_with(" bytes per child")).expect("what was sent");
        let bytes: f64 = sent.split(": ").last().unwrap().split(' ').next().unwrap().parse().unwrap();
        assert!((25.0..26.5).contains(&bytes), "{sent}");
    }
}

/// If a process dies when the count is complete, each other process ends as usual or with one line of error.
#[test]
fn a_process_that_dies_at_the_end_spoils_nothing() {
    for delay in 0..8 {
        let hosts = Hosts::new(3);
        let mut all = hosts.start_all("--depth 4");
        // Process 0 prints the last ply once that ply is counted.
        read_until("\n  4 ", &mut all[0]);
        thread::sleep(Duration::from_micros(400 * delay));
        all[1].kill().unwrap();
        for run in all.into_iter().enumerate().filter(|(process, _)| *process != 1).map(|(_, child)| Run::wait(child)) {
            assert!(matches!(run.code, Some(0 | 3)), "{}", run.printed());
            assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
            assert!(run.code == Some(0) || run.stderr.lines().count() == 1, "{}", run.stderr);
        }
    }
}
