//! `perft uci` in interactive dialogues. `tests/cmd/uci.trycmd` has scripts.

use crate::common::{Dialogue, command, fens};
use std::time::{Duration, Instant};

/// A depth that takes much longer than any test.
const FAR: &str = "go perft 11";

fn start() -> Dialogue {
    Dialogue::start(command().args(["uci", "--threads", "2"]))
}

/// Sends lines, and returns the answer up to the total of `go perft` or an `info string`.
#[track_caller]
fn counted(program: &mut Dialogue, lines: &str) -> Vec<String> {
    program.send(lines);
    program.until(|line| line.starts_with("Nodes searched: ") || line.starts_with("info string"))
}

#[test]
fn options_change_no_count() {
    let mut program = start();
    let name = format!("id name perft {}", env!("CARGO_PKG_VERSION"));
    assert!(program.ask("uci").contains(&name));
    let plain = counted(&mut program, &format!("position fen {}\ngo perft 4", fens::KIWIPETE));
    assert_eq!((plain.len(), plain.last().map(String::as_str)), (50, Some("Nodes searched: 4085603")));
    for option in [
        "Hash value 1",
        "Threads value 1",
        "Hash value 16",
        "Exact value true",
        "Threads value 3",
        "Hash value 2",
        "Hash value 0",
        "Exact value false",
    ] {
        assert_eq!(program.ask(&format!("setoption name {option}")), [""; 0], "{option}");
        for before in ["ucinewgame", ""] {
            let lines = counted(&mut program, &format!("{before}\ngo perft 4"));
            assert_eq!(lines, plain, "{option}");
        }
    }
    program.ask("setoption name Hash value 1");
    let refused = counted(&mut program, "position startpos\ngo perft 14").pop().expect("a line");
    assert!(refused.starts_with("info string go perft: found ") && refused.ends_with("Exact to true"), "{refused}");
}

#[test]
fn a_count_is_stopped_and_the_program_goes_on() {
    let mut program = start();
    // Each count is stopped, either at once or after 300 ms. The last `stop` has nothing to stop.
    for pause in [0, 300] {
        program.send(FAR);
        std::thread::sleep(Duration::from_millis(pause));
        // During a count the program answers only `isready`. Other commands wait until the count ends.
        program.send("isready\nposition startpos moves e2e4\ngo perft 1\nstop");
        let lines = program.until(|line| line.starts_with("Nodes searched: "));
        let at = |text: &str| lines.iter().position(|line| line.starts_with(text)).expect(text);
        let stopped = at("info string stopped: ");
        assert!(at("readyok") < stopped && stopped < at("a7a5: 1"), "{lines:?}");
        assert!(lines[stopped].ends_with(" of 20 moves are complete to depth 11, no total"), "{lines:?}");
        assert_eq!(lines.iter().filter(|line| line.starts_with("Nodes searched: ")).count(), 1);
        assert_eq!(program.ask("position startpos\nstop"), [""; 0]);
    }
}

#[test]
fn a_count_ends_with_its_client() {
    let ends: [fn(&mut Dialogue); 2] = [|program| program.send("quit"), Dialogue::close];
    for end in ends {
        let mut program = start();
        program.send(FAR);
        program.ask("");
        let start = Instant::now();
        end(&mut program);
        let (status, lines) = program.end();
        assert!(status.success() && start.elapsed() < Duration::from_secs(60), "{status}, {:?}", start.elapsed());
        assert_eq!(lines, ["info string stopped: the program ends before the count does, no total"]);
    }
}

#[test]
#[cfg(unix)]
fn an_interrupted_program_says_so() {
    let mut program = start();
    program.send(FAR);
    program.ask("");
    assert!(crate::common::succeeds(&format!("kill -INT {}", program.id())));
    assert_eq!(program.end().0.code(), Some(130));
}
