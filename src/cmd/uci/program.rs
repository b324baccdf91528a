//! State of the program under UCI: the position, the options, and the session that counts.
//!
//! A count has a thread of its own, and the session belongs to that thread while it counts: so nothing can change under
//! a count. `isready` and `stop` are answered at once, all other commands wait for the end of the count.

use super::command::{MAX_HASH, Notation, RefusedLine, Setting, UciCommand, read};
use super::event::{CountResult, Event};
use super::input::InputLine;
use crate::args::run::{MAX_THREADS, RunArgs};
use crate::args::size;
use crate::cmd::session::CountSession;
use crate::failure::CommandFailure;
use crate::out::diagram::diagram;
use crate::out::hints;
use perft_gate_chess::{Board, EnPassantPolicy, Fen, Move, legal_moves};
use perft_gate_count::table::EntryMatch;
use perft_gate_walk::Control;
use perft_gate_zobrist::{KeyTables, Scheme};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Sender;

/// Whether the program goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    GoOn,
    Quit,
}

pub struct UciProgram {
    board: Board,
    scheme: Scheme,
    tables: KeyTables,
    /// Arguments of the threads; their number is an option.
    run: RunArgs,
    hash: u64,
    matching: EntryMatch,
    notation: Notation,
    /// The session; the thread that counts has it during a count.
    session: Option<CountSession>,
    control: Arc<Control>,
    /// Lines that wait for the end of the count.
    waiting: VecDeque<InputLine>,
    events: Sender<Event>,
}

impl UciProgram {
    pub fn new(
        run: RunArgs,
        (scheme, tables): (Scheme, KeyTables),
        events: Sender<Event>,
    ) -> Result<UciProgram, CommandFailure> {
        let control = Arc::new(Control::default());
        let session = Some(CountSession::new(&run, Arc::clone(&control))?);
        let (board, waiting) = (Fen::parse(Fen::START)?, VecDeque::new());
        let (hash, matching, notation) = (0, EntryMatch::Tag, Notation::Standard);
        Ok(UciProgram { board, scheme, tables, run, hash, matching, notation, session, control, waiting, events })
    }

    /// Returns true if a count is running.
    pub fn is_counting(&self) -> bool {
        self.session.is_none()
    }

    /// Stops the count that is running.
    pub fn stop(&self) {
        self.control.stop.store(true, Ordering::Relaxed);
    }

    /// Takes a line: at once, or after the count that is running.
    pub fn take(&mut self, line: InputLine) -> Next {
        if !self.is_counting() {
            return self.obey(&line);
        }
        match &line {
            InputLine::Text(text) if text.trim() == "isready" => say!("readyok"),
            InputLine::Text(text) if text.trim() == "stop" => self.stop(),
            _ => self.waiting.push_back(line),
        }
        Next::GoOn
    }

    /// Prints the result of a count, and obeys the lines that waited for it.
    pub fn finish_count(&mut self, session: CountSession, depth: u32, result: CountResult) -> Next {
        self.session = Some(session);
        match result {
            CountResult::Leaves(leaves) => self.list(depth, &leaves),
            CountResult::Refused(message) => refuse(&message),
        }
        while !self.is_counting()
            && let Some(line) = self.waiting.pop_front()
        {
            if self.obey(&line) == Next::Quit {
                return Next::Quit;
            }
        }
        Next::GoOn
    }

    fn list(&self, depth: u32, leaves: &[(Move, u128)]) {
        let total: u128 = leaves.iter().map(|(_, leaves)| leaves).sum();
        let mut text: String = leaves.iter().map(|(mv, leaves)| format!("{}: {leaves}\n", self.written(*mv))).collect();
        let (complete, all) = (leaves.len(), legal_moves(&self.board).len());
        text += &match complete < all {
            true => format!("info string stopped: {complete} of {all} moves are complete to depth {depth}, no total"),
            false => format!("\nNodes searched: {total}"),
        };
        say!("{text}");
    }

    fn written(&self, mv: Move) -> String {
        match self.notation {
            Notation::Standard => mv.uci().to_string(),
            Notation::Chess960 => mv.uci_chess960().to_string(),
        }
    }

    fn obey(&mut self, line: &InputLine) -> Next {
        let command = match line {
            InputLine::Text(text) => read(text),
            InputLine::TooLong => {
                Err(RefusedLine::Invalid("found a line of more than 1 MiB, expected a command".into()))
            }
        };
        match command {
            Ok(UciCommand::Uci) => self.introduce(),
            Ok(UciCommand::IsReady) => say!("readyok"),
            Ok(UciCommand::NewGame) => self.session.iter_mut().for_each(CountSession::clear_table),
            Ok(UciCommand::Position(board)) => self.board = *board,
            Ok(UciCommand::Perft(depth)) => self.begin(depth),
            Ok(UciCommand::Set(setting)) => {
                self.set(setting).unwrap_or_else(|message| refuse(&format!("setoption {message}")));
            }
            Ok(UciCommand::Display) => self.display(),
            Ok(UciCommand::Quit) => return Next::Quit,
            Ok(UciCommand::Stop | UciCommand::Nothing) => {}
            Err(RefusedLine::Invalid(message)) => refuse(&message),
            Err(RefusedLine::Search(message)) => {
                refuse(&message);
                // Clients wait for it after every other `go`.
                say!("bestmove 0000");
            }
        }
        Next::GoOn
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
        let fen = match self.notation {
            Notation::Standard => Fen::write(&self.board, policy),
            Notation::Chess960 => Fen::write_shredder(&self.board, policy),
        };
        let key = self.scheme.text(self.tables.key(&self.board));
        say!("{}\n\nFen: {fen}\nKey: {key}", diagram(&self.board));
    }

    /// Sets an option. **Errors**: it stays as it was.
    fn set(&mut self, setting: Setting) -> Result<(), String> {
        let Some(session) = &mut self.session else { return Ok(()) };
        match setting {
            Setting::Notation(notation) => self.notation = notation,
            Setting::Threads(threads) => {
                let run = RunArgs { threads: Some(threads), ..self.run.clone() };
                session.set_threads(&run).map_err(|error| format!("Threads: {error}"))?;
                self.run = run;
            }
            Setting::Hash(hash) if hash != self.hash => {
                set_table(session, hash, self.matching)?;
                self.hash = hash;
            }
            Setting::Matching(matching) if matching != self.matching => {
                set_table(session, self.hash, matching)?;
                self.matching = matching;
            }
            Setting::Hash(_) | Setting::Matching(_) => {}
        }
        Ok(())
    }

    /// Begins a count in a thread of its own.
    fn begin(&mut self, depth: u32) {
        self.control.stop.store(false, Ordering::Relaxed);
        let (board, events) = (self.board, self.events.clone());
        if depth == 0 {
            return say!("Nodes searched: 1");
        }
        let Some(session) = self.session.take() else { return };
        std::thread::spawn(move || {
            let result = match session.too_many_wrong_hits(&board, depth) {
                Some(found) => CountResult::Refused(format!("go perft: {found}: set the option Exact to true")),
                None => CountResult::Leaves(session.divide(session.counter(None), &board, depth)),
            };
            // The receiver is gone only if the program ends.
            let _ = events.send(Event::Counted(Box::new(session), depth, result));
        });
    }
}

/// Gives the session a table of this many MiB. **Errors**: the table stays as it was.
fn set_table(session: &mut CountSession, hash: u64, matching: EntryMatch) -> Result<(), String> {
    if hash == 0 {
        session.drop_table();
        return Ok(());
    }
    let (bytes, free) = (hash << 20, size::available());
    if bytes > free {
        let (found, free) = (size::text(bytes), size::text(free));
        return Err(format!("Hash: found {found}, expected at most the {free} that are free"));
    }
    session.set_table(bytes, matching).map_err(|error| format!("Hash: {error}"))
}

/// Says in one line why a line is not obeyed.
fn refuse(message: &str) {
    say!("info string {}", hints::with_nearest(message));
}
