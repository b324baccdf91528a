//! Loop of `perft uci`.
//!
//! One loop takes events in the order in which they happen: lines of standard input, the ends of counts, Ctrl-C. A
//! script that ends its input right after `go perft`, or sends `quit`, gets the counts that are finished within
//! [`GRACE`]; a longer count is stopped, so that no count goes on without anybody who waits for it.

use super::event::Event;
use super::input::{self, InputLine};
use super::program::{Next, UciProgram};
use crate::args::run::RunArgs;
use crate::args::scheme::SchemeArgs;
use crate::failure::{CommandFailure, Usage};
use clap::Args;
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// Time that a count has to end by itself after `quit` or the end of the input.
const GRACE: Duration = Duration::from_secs(1);

#[derive(Args, Debug)]
pub struct UciArgs {
    #[command(flatten)]
    scheme: SchemeArgs,
    #[command(flatten)]
    run: RunArgs,
}

pub fn run(args: &UciArgs) -> Result<ExitCode, CommandFailure> {
    let scheme = args.scheme.scheme()?;
    let Some(tables) = scheme.key_tables(0) else {
        return Err(Usage(format!("--scheme: found '{}', expected a single scheme with keys", scheme.name)));
    };
    let (sender, events) = channel();
    let interrupted = sender.clone();
    ctrlc::set_handler(move || drop(interrupted.send(Event::Interrupted)))?;
    let program = UciProgram::new(args.run.clone(), (scheme, tables), sender.clone())?;
    // It is not joined: it may wait for a line until the process ends.
    std::thread::spawn(move || read(&sender));
    Ok(react(program, &events))
}

/// Sends every line of standard input.
fn read(events: &Sender<Event>) {
    let mut input = std::io::stdin().lock();
    while let Ok(Some(line)) = input::next(&mut input) {
        if events.send(Event::Line(line)).is_err() {
            return;
        }
    }
    let _ = events.send(Event::End);
}

fn react(mut program: UciProgram, events: &Receiver<Event>) -> ExitCode {
    let mut deadline: Option<Instant> = None;
    loop {
        let event = match deadline {
            None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(deadline) => events.recv_timeout(deadline.saturating_duration_since(Instant::now())),
        };
        let next = match event {
            Ok(Event::Line(line)) => {
                if matches!(&line, InputLine::Text(text) if text.trim() == "quit") {
                    deadline.get_or_insert_with(|| Instant::now() + GRACE);
                }
                program.take(line)
            }
            Ok(Event::End) => {
                deadline.get_or_insert_with(|| Instant::now() + GRACE);
                program.take(InputLine::Text("quit".into()))
            }
            Ok(Event::Counted(session, depth, result)) => program.finish_count(*session, depth, result),
            Ok(Event::Interrupted) => {
                note!("interrupted");
                return ExitCode::from(130);
            }
            Err(_) => {
                say!("info string stopped: the program ends before the count does, no total");
                Next::Quit
            }
        };
        if next == Next::Quit {
            program.stop();
            return ExitCode::SUCCESS;
        }
    }
}
