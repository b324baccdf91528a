//! `perft uci`: this program as a UCI engine that counts but does not play, with `go perft` and `d` as in most engines.
//! Protocol: <https://www.wbec-ridderkerk.nl/html/UCIProtocol.html>.
//!
//! One loop handles all events in order: lines of standard input, finished counts, and Ctrl-C. A script that ends its
//! input right after `go perft`, or sends `quit`, gets the counts that finish within [`GRACE`]. A longer count is
//! stopped, because nobody waits for it.

mod command;

use crate::args::position::diagram;
use crate::args::run::{MAX_THREADS, RunArgs, ThreadsArgs};
use crate::args::scheme::SchemeArgs;
use crate::args::size;
use crate::cmd::session::CountSession;
use crate::failure::{Result, Usage};
use crate::hints;
use clap::Args;
pub use command::position;
use command::{depth, describe_found, option, parse_in_range};
use perft_gate_chess::{Board, EnPassantPolicy, Fen, Move, legal_moves};
use perft_gate_count::table::EntryMatch;
use perft_gate_walk::Control;
use perft_gate_zobrist::{KeyTables, Scheme};
use std::collections::VecDeque;
use std::io::{self, BufRead, Read};
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// Maximum size of the hash table in MiB: 32 TiB, the same as Stockfish.
const MAX_HASH: u64 = 33_554_432;

/// How long a count is given to finish after `quit` or the end of the input.
const GRACE: Duration = Duration::from_secs(1);

#[derive(Args, Debug)]
pub struct UciArgs {
    #[command(flatten)]
    scheme: SchemeArgs,
    #[command(flatten)]
    run: RunArgs,
}

pub fn run(args: &UciArgs) -> Result<ExitCode> {
    let scheme = args.scheme.scheme()?;
    let Some(tables) = scheme.key_tables(0) else {
        return Err(Usage(format!("--scheme: found '{}', expected a single scheme with keys", scheme.name)));
    };
    let (sender, events) = channel();
    let interrupted = sender.clone();
    ctrlc::set_handler(move || drop(interrupted.send(Event::Interrupted)))?;
    let program = UciProgram::new(args.run.clone(), (scheme, tables), sender.clone())?;
    // The thread is not joined, because it may be waiting for a line until the process ends.
    std::thread::spawn(move || read_input(&sender));
    Ok(react(program, &events))
}

/// Sends every line of standard input as an event. The end of the input is treated as `quit`.
fn read_input(events: &Sender<Event>) {
    let mut input = std::io::stdin().lock();
    while let Ok(Some(line)) = next_line(&mut input) {
        if events.send(Event::Line(line)).is_err() {
            return;
        }
    }
    let _ = events.send(Event::Line(Ok("quit".into())));
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
                if line.as_deref() == Ok("quit") {
                    deadline.get_or_insert_with(|| Instant::now() + GRACE);
                }
                program.take(line)
            }
            Ok(Event::Counted(session, depth, result)) => program.finish_count(*session, depth, result),
            Ok(Event::Interrupted) => {
                note!("interrupted");
                return ExitCode::from(130);
            }
            Err(_) => {
                say!("info string stopped: the program ends before the count does, no total");
                ControlFlow::Break(())
            }
        };
        if next.is_break() {
            program.stop();
            return ExitCode::SUCCESS;
        }
    }
}

/// State of the program under UCI: the position, the options, and the session that counts.
///
/// A count runs on a separate thread, which owns the session until the count ends, so nothing can change during a
/// count. `isready` and `stop` are answered at once. All other commands wait for the end of the count.
struct UciProgram {
    board: Board,
    scheme: Scheme,
    tables: KeyTables,
    /// Arguments for the threads. The number of threads can be set by a UCI option.
    run: RunArgs,
    /// Size of the hash table in MiB.
    hash: u64,
    matching: EntryMatch,
    /// True if castling is written as king takes rook.
    is_chess960: bool,
    /// The session, or `None` during a count.
    session: Option<CountSession>,
    control: Arc<Control>,
    /// Lines waiting for the end of the count.
    waiting: VecDeque<InputLine>,
    events: Sender<Event>,
}

impl UciProgram {
    pub fn new(run: RunArgs, (scheme, tables): (Scheme, KeyTables), events: Sender<Event>) -> Result<UciProgram> {
        let control = Arc::new(Control::default());
        let session = Some(CountSession::new(&run, Arc::clone(&control))?);
        let (board, waiting) = (Fen::parse(Fen::START)?, VecDeque::new());
        let (hash, matching, is_chess960) = (0, EntryMatch::Tag, false);
        Ok(UciProgram { board, scheme, tables, run, hash, matching, is_chess960, session, control, waiting, events })
    }

    pub fn stop(&self) {
        self.control.stop.store(true, Ordering::Relaxed);
    }

    /// Handles a line, either at once or after the running count has ended.
    pub fn take(&mut self, line: InputLine) -> ControlFlow<()> {
        if self.session.is_some() {
            return self.obey(line);
        }
        match line.as_deref() {
            Ok("isready") => say!("readyok"),
            Ok("stop") => self.stop(),
            _ => self.waiting.push_back(line),
        }
        ControlFlow::Continue(())
    }

    /// Prints the result of a count, then handles the lines that arrived during the count.
    pub fn finish_count(
        &mut self,
        session: CountSession,
        depth: u32,
        result: Result<Vec<(Move, u128)>, String>,
    ) -> ControlFlow<()> {
        self.session = Some(session);
        match result {
            Ok(leaves) => self.list(depth, &leaves),
            Err(message) => refuse(&message),
        }
        while self.session.is_some()
            && let Some(line) = self.waiting.pop_front()
        {
            self.obey(line)?;
        }
        ControlFlow::Continue(())
    }

    fn list(&self, depth: u32, leaves: &[(Move, u128)]) {
        let total: u128 = leaves.iter().map(|(_, leaves)| leaves).sum();
        let name = if self.is_chess960 { Move::uci_chess960 } else { Move::uci };
        let mut text: String = leaves.iter().map(|(mv, leaves)| format!("{}: {leaves}\n", name(*mv))).collect();
        let (complete, all) = (leaves.len(), legal_moves(&self.board).len());
        text += &match complete < all {
            true => format!("info string stopped: {complete} of {all} moves are complete to depth {depth}, no total"),
            false => format!("\nNodes searched: {total}"),
        };
        say!("{text}");
    }

    fn obey(&mut self, line: InputLine) -> ControlFlow<()> {
        if line.as_deref() == Ok("quit") {
            return ControlFlow::Break(());
        }
        let result = line.and_then(|text| self.run_command(&text.split_ascii_whitespace().collect::<Vec<_>>()));
        result.unwrap_or_else(|message| refuse(&message));
        ControlFlow::Continue(())
    }

    /// Runs any command except `quit`. **Errors**: the message says what was found and what was expected. After an
    /// error, nothing has changed.
    fn run_command(&mut self, words: &[&str]) -> Result<(), String> {
        match words {
            [] | ["debug", ..] | ["stop"] => {}
            ["uci"] => self.introduce(),
            ["isready"] => say!("readyok"),
            ["ucinewgame"] => self.session.iter_mut().for_each(CountSession::clear_table),
            ["position", rest @ ..] => self.board = position(rest)?,
            ["go", "perft", rest @ ..] => self.begin(depth(rest)?),
            ["go", rest @ ..] => {
                refuse(&format!("go: {}, expected 'perft N': there is no search", describe_found(rest)));
                // Clients expect a `bestmove` after any `go` command that is not `go perft`.
                say!("bestmove 0000");
            }
            ["setoption", rest @ ..] => self.set_option(rest)?,
            ["d"] => self.display(),
            [command @ ("uci" | "isready" | "ucinewgame" | "d" | "stop" | "quit"), rest @ ..] => {
                return Err(format!("{} after '{command}', expected no argument", describe_found(rest)));
            }
            [other, ..] => {
                let known = "uci, isready, ucinewgame, position, go, d, setoption, stop, quit";
                return Err(format!("{}, expected one of {known}", describe_found(&[other])));
            }
        }
        Ok(())
    }

    fn introduce(&self) {
        let threads = self.session.as_ref().map_or(1, CountSession::threads);
        say!(
            "id name perft {}\nid author the authors of perft\n\
             option name Threads type spin default {threads} min 1 max {MAX_THREADS}\n\
             option name Hash type spin default 0 min 0 max {MAX_HASH}\n\
             option name Exact type check default false\n\
             option name UCI_Chess960 type check default false\n\
             uciok",
            env!("CARGO_PKG_VERSION")
        );
    }

    fn display(&self) {
        let policy = EnPassantPolicy::Legal;
        let write = if self.is_chess960 { Fen::write_shredder } else { Fen::write };
        let fen = write(&self.board, policy);
        let key = self.scheme.text(self.tables.key(&self.board));
        say!("{}\n\nFen: {fen}\nKey: {key}", diagram(&self.board));
    }

    /// Sets an option. After an error, the option keeps its previous value.
    fn set_option(&mut self, words: &[&str]) -> Result<(), String> {
        let (name, value) = option(words)?;
        let expected = |what: String| format!("setoption {name}: {}, expected {what}", describe_found(&[&value]));
        let switch = || value.to_ascii_lowercase().parse::<bool>().map_err(|_| expected("one of true, false".into()));
        let Some(session) = &mut self.session else { return Ok(()) };
        match &*name.to_ascii_lowercase() {
            "threads" => {
                let threads = parse_in_range(&value, 1..=MAX_THREADS);
                let threads = threads.ok_or_else(|| expected(format!("a number from 1 to {MAX_THREADS}")))?;
                let run = RunArgs { threads: ThreadsArgs { threads: Some(threads) }, ..self.run.clone() };
                (session.pool, _) = run.pool().map_err(|error| format!("setoption Threads: {error}"))?;
                self.run = run;
            }
            "hash" => {
                let hash = parse_in_range(&value, 0..=MAX_HASH);
                let hash = hash.ok_or_else(|| expected(format!("a number of MiB from 0 to {MAX_HASH}")))?;
                self.set_table(hash, self.matching)?;
            }
            "exact" => {
                let matching = if switch()? { EntryMatch::Position } else { EntryMatch::Tag };
                self.set_table(self.hash, matching)?;
            }
            "uci_chess960" => self.is_chess960 = switch()?,
            _ => {
                let known = "Threads, Hash, Exact, UCI_Chess960";
                return Err(format!("setoption: {}, expected one of {known}", describe_found(&[&name])));
            }
        }
        Ok(())
    }

    /// Gives the session a hash table of `hash` MiB, unless it already has such a table. After an error, the table is
    /// unchanged.
    fn set_table(&mut self, hash: u64, matching: EntryMatch) -> Result<(), String> {
        let Some(session) = self.session.as_mut().filter(|_| (hash, matching) != (self.hash, self.matching)) else {
            return Ok(());
        };
        if hash == 0 {
            session.table = None;
        } else {
            let (bytes, free) = (hash << 20, size::available());
            if bytes > free {
                let (found, free) = (size::text(bytes), size::text(free));
                return Err(format!("setoption Hash: found {found}, expected at most the free {free}"));
            }
            session.set_table(bytes, matching).map_err(|error| format!("setoption Hash: {error}"))?;
        }
        (self.hash, self.matching) = (hash, matching);
        Ok(())
    }

    /// Starts a count on a separate thread.
    fn begin(&mut self, depth: u32) {
        self.control.stop.store(false, Ordering::Relaxed);
        let (board, events) = (self.board, self.events.clone());
        if depth == 0 {
            return say!("Nodes searched: 1");
        }
        let Some(session) = self.session.take() else { return };
        std::thread::spawn(move || {
            let result = match session.too_many_wrong_hits(&board, depth) {
                Some(found) => Err(format!("go perft: {found}: set the option Exact to true")),
                None => Ok(session.divide(session.counter(None), &board, depth)),
            };
            // Sending fails only at the end of the program, when the receiver is gone.
            let _ = events.send(Event::Counted(Box::new(session), depth, result));
        });
    }
}

/// Reports in one line why a command is rejected.
fn refuse(message: &str) {
    say!("info string {}", hints::with_nearest(message));
}

enum Event {
    Line(InputLine),
    /// A count has ended. Holds its session, its number of plies, and the leaves by root move, or the reason why the
    /// count did not start. After a stop, only moves that were counted completely are included.
    Counted(Box<CountSession>, u32, Result<Vec<(Move, u128)>, String>),
    /// Ctrl-C.
    Interrupted,
}

/// Maximum number of bytes per line. The longest game, of 5949 moves, takes 60 kB.
const MAX_INPUT_LINE: usize = 1 << 20;

/// A line, or a message that rejects it because it is longer than any command.
type InputLine = Result<String, String>;

/// Returns the next line, without the spaces around it. Bytes that are not UTF-8 become U+FFFD.
fn next_line(from: &mut impl BufRead) -> io::Result<Option<InputLine>> {
    let mut bytes = Vec::new();
    if from.take(MAX_INPUT_LINE as u64 + 1).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.len() <= MAX_INPUT_LINE || bytes.ends_with(b"\n") {
        return Ok(Some(Ok(String::from_utf8_lossy(&bytes).trim().into())));
    }
    from.skip_until(b'\n')?;
    Ok(Some(Err("found a line of more than 1 MiB, expected a command".into())))
}
