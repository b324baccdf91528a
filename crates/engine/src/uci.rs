//! Communication with an engine over UCI: handshake, options, positions, perft, and the key that the engine prints.
//!
//! `isready` follows every request, so that `readyok` ends the answer even if we do not know what the answer's last
//! line looks like. An engine that counts in a separate thread may report that it is ready while it is still counting.
//! In that case the printed total ends the answer. [`trial`](crate::trial) finds out once whether the engine prints a
//! total. Protocol: <https://www.wbec-ridderkerk.nl/html/UCIProtocol.html>. Perft is not part of the protocol, only a
//! convention (see `perft_output.rs` of perft-gate-listing).

use crate::dialect::{Dialect, Ending};
use crate::outcome::{EngineFailure, FailureKind, Result};
use crate::process::{Process, ReadError};
use crate::process_group::MarkedProcesses;
use crate::reference::Reference;
use crate::request::{PositionCommand, Request};
use crate::settings::EngineSettings;
use perft_gate_chess::{Board, Fen, Kind, Move, legal_moves};
use perft_gate_listing::position_text::{find_move, play_moves};
use perft_gate_listing::{Answer, Comparison, Display, Divide, TotalForm};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Time limit for the answer to `uci`.
const HANDSHAKE: Duration = Duration::from_secs(20);
/// Duration of silence after which an answer is considered complete if its last line cannot be recognized.
pub(super) const QUIET: Duration = Duration::from_millis(400);
/// Interval between two checks of the stop flag.
pub(super) const SLICE: Duration = Duration::from_millis(100);

/// Name of the option that switches Chess960 on and off, in lower case.
pub(super) const CHESS960: &str = "uci_chess960";

#[derive(Debug)]
pub(super) struct Engine<'a> {
    /// The running process. `None` between requests if the program does not speak UCI.
    pub(super) process: Option<Process>,
    pub(super) settings: &'a EngineSettings,
    /// Our own counter, for the same positions.
    pub(super) reference: Reference<'a>,
    /// Name that the engine gives itself.
    pub(super) name: String,
    /// Names of the engine's options, keyed by the name in lower case.
    pub(super) options: BTreeMap<String, String>,
    plays_chess960: bool,
    pub(super) dialect: Dialect,
    /// Time spent waiting for the engine.
    pub(super) waited: Duration,
    /// Time limit for an answer.
    pub(super) patience: Duration,
    /// Number of positions that the engine was asked to show.
    pub(super) questions: u64,
    /// Lines sent since the last `position` command, including that command.
    pub(super) asked: Vec<String>,
    /// The engine's processes and their children, all of which are killed when the `Engine` is dropped.
    marked: MarkedProcesses,
}

impl<'a> Engine<'a> {
    /// Starts an engine whose dialect is not known yet.
    pub(super) fn launch(settings: &'a EngineSettings) -> Result<Engine<'a>> {
        let request = settings.request.clone().unwrap_or_else(|| Request::command("go perft").expect("a verb"));
        let mut engine = Engine {
            process: None,
            settings,
            reference: Reference::new(settings),
            name: settings.name(),
            options: BTreeMap::new(),
            plays_chess960: false,
            dialect: Dialect::initial(request),
            waited: Duration::ZERO,
            patience: settings.timeout,
            questions: 0,
            asked: Vec::new(),
            marked: MarkedProcesses::new(),
        };
        if !settings.is_program() {
            engine.revive()?;
        }
        Ok(engine)
    }

    pub(super) fn start_process(&mut self, command: &[OsString]) -> Result<()> {
        let settings = self.settings;
        let started = Process::start(command, &self.marked, settings.cwd.as_deref(), settings.trace.as_ref());
        self.process = Some(started.map_err(|error| {
            let (command, error) = (settings.command_line(), error.to_string());
            let reason = error.split(" (os error").next().unwrap_or_default();
            let message = format!("{command}: cannot be started ({reason}): check the path");
            EngineFailure::new(FailureKind::NotStarted, message)
        })?);
        Ok(())
    }

    /// Starts the engine, unless it is running.
    pub(super) fn revive(&mut self) -> Result<()> {
        if self.process.is_some() {
            return Ok(());
        }
        let is_chess960 = std::mem::take(&mut self.plays_chess960);
        self.start_process(&self.settings.command)?;
        self.handshake()?;
        self.play(is_chess960)
    }

    /// Returns true if one process answers several requests, and so may remember earlier requests.
    pub(super) fn outlives_an_answer(&self) -> bool {
        self.dialect.ending != Ending::Exit
    }

    /// Replaces the process with a new one, which remembers nothing about earlier requests.
    pub(super) fn restart(&mut self) -> Result<()> {
        self.process.take().into_iter().for_each(Process::quit);
        self.revive()
    }

    pub(super) fn running(&mut self) -> &mut Process {
        self.process.as_mut().expect("a process was started")
    }

    fn handshake(&mut self) -> Result<()> {
        let time = self.settings.timeout.min(HANDSHAKE);
        let deadline = Instant::now() + time;
        let hinted = |mut failure: EngineFailure| {
            if failure.kind != FailureKind::Interrupted {
                failure.message += ", expected 'uciok'; use --exec for a program without UCI";
            }
            failure
        };
        self.settings.activity.set("waiting for uciok");
        // If the program exits at once, even sending the first line may fail.
        self.send("uci").map_err(hinted)?;
        loop {
            let line =
                self.wait_for_line(deadline).map_err(|silence| hinted(self.explain_silence(silence, "uci", time)))?;
            match line.split_ascii_whitespace().collect::<Vec<_>>()[..] {
                ["uciok"] => break,
                ["id", "name", ref name @ ..] => self.name = name.join(" "),
                ["option", "name", ref rest @ ..] => {
                    let name = rest.iter().take_while(|word| **word != "type").copied().collect::<Vec<_>>().join(" ");
                    let key = name.to_ascii_lowercase();
                    self.plays_chess960 |= key == CHESS960 && line.ends_with(" default true");
                    self.options.insert(key, name);
                }
                _ => {}
            }
        }
        for (name, value) in &self.settings.options {
            let value = value.as_ref().map_or(String::new(), |value| format!(" value {value}"));
            self.send(&format!("setoption name {name}{value}"))?;
        }
        self.send("ucinewgame")
    }

    /// Switches a UCI engine to chess or Chess960 if needed, and waits until it is ready.
    pub(super) fn play(&mut self, is_chess960: bool) -> Result<()> {
        if self.settings.is_program() {
            return Ok(());
        }
        self.revive()?;
        if is_chess960 != self.plays_chess960 {
            self.send(&format!("setoption name UCI_Chess960 value {is_chess960}"))?;
            self.plays_chess960 = is_chess960;
        }
        self.ready()
    }

    /// Returns a move in the engine's current notation: in Chess960, castling is always written as king takes rook.
    pub(super) fn write_move(&self, mv: Move) -> String {
        match mv.kind() {
            Kind::Castle if self.plays_chess960 => format!("{}{}", mv.from(), mv.to()),
            _ => mv.uci().to_string(),
        }
    }

    /// Resets the engine to the start position, so that it does not keep the old position if it refuses a new one.
    pub(super) fn forget(&mut self) -> Result<()> {
        if self.settings.is_program() {
            return Ok(());
        }
        self.revive()?;
        self.send("ucinewgame")?;
        self.send("position startpos")?;
        self.ready()
    }

    /// Asks the engine for the leaf counts of a tree, by root move.
    pub(super) fn divide(&mut self, position: &PositionCommand, depth: u32) -> Result<Divide> {
        if self.dialect.ending == Ending::Exit {
            return Ok(self.answer_until_exit(position, depth)?.finish(self.dialect.listing, None));
        }
        let deadline = self.deadline();
        let request = self.ask(position, depth)?;
        self.send("isready")?;
        let mut answer = Answer::new(depth);
        let mut is_ready = false;
        // An engine that sends `readyok` before its first line is still counting, so wait until all moves are listed.
        let mut min_moves = 0;
        loop {
            let ended = matches!(self.dialect.ending, Ending::Total(form) if answer.form() >= Some(form));
            if is_ready && ended {
                return Ok(answer.finish(self.dialect.listing, None));
            }
            let counted = self.dialect.ending == Ending::Quiet || answer.form() > Some(TotalForm::Running);
            let is_whole = answer.number_of_moves() >= min_moves || answer.form().is_some();
            let may_be_quiet = is_ready && counted && is_whole;
            let wait = if may_be_quiet { deadline.min(Instant::now() + QUIET) } else { deadline };
            let line = self.wait_for_line(wait);
            let (is_late, is_empty) = (line == Err(ReadError::Late) && !self.is_stopped(), answer.is_empty());
            let is_over = may_be_quiet && Instant::now() < deadline || is_ready && !is_whole && !is_empty;
            match line {
                Ok(line) if line == "readyok" => {
                    is_ready = true;
                    if self.dialect.ending == Ending::Quiet && is_empty {
                        min_moves = number_of_moves(position);
                    }
                }
                Ok(line) => answer.take(line, &self.settings.patterns),
                Err(_) if is_late && is_empty && (answer.has_thought || answer.has_moved) => {
                    return Err(self
                        .failure(FailureKind::Unparsed, format!("sent '{request}', expected leaves, found a search")));
                }
                Err(_) if is_late && is_over => return Ok(answer.finish(self.dialect.listing, None)),
                Err(_) if is_late && is_empty && !answer.other.is_empty() => {
                    let found = describe_found(&answer.other);
                    let expected = "expected leaves by root move or a total";
                    return Err(self.failure(FailureKind::Unparsed, format!("sent '{request}', {expected}, {found}")));
                }
                Err(silence) => return Err(self.explain_silence(silence, &request, self.settings.timeout)),
            }
        }
    }

    /// Compares the engine's leaf counts with ours.
    pub(super) fn compare(&mut self, board: &Board, position: &PositionCommand, depth: u32) -> Result<Comparison> {
        let answer = self.divide(position, depth)?;
        self.reference.compare(board, depth, &answer)
    }

    /// Sends the request for perft, and returns the last line sent.
    pub(super) fn ask(&mut self, position: &PositionCommand, depth: u32) -> Result<String> {
        for line in self.dialect.request.lines(position, depth) {
            self.send(&line)?;
        }
        Ok(self.dialect.request.line(position, depth))
    }

    /// Sets up a position, and returns what the engine shows for it. A program without UCI shows nothing.
    pub(super) fn display(&mut self, position: &PositionCommand) -> Result<Display> {
        if self.settings.is_program() {
            return Ok(Display::default());
        }
        self.revive()?;
        self.send(&position.to_string())?;
        self.display_again()
    }

    /// Sets up two positions in turn, and returns what the engine shows for each. Both requests are sent at once: waking
    /// the engine and our threads takes longer than the answers.
    pub(super) fn display_both(&mut self, [first, second]: [&PositionCommand; 2]) -> Result<[Display; 2]> {
        if self.settings.is_program() {
            return Ok(Default::default());
        }
        self.revive()?;
        self.send(&first.to_string())?;
        self.request_lines()?;
        let asked = self.asked.clone();
        self.send(&second.to_string())?;
        self.request_lines()?;
        // A failure before the first `readyok` belongs to the first request.
        let asked_second = std::mem::replace(&mut self.asked, asked);
        let first = self.read_display()?;
        self.asked = asked_second;
        Ok([first, self.read_display()?])
    }

    /// Returns what the engine shows for its current position.
    pub(super) fn display_again(&mut self) -> Result<Display> {
        self.request_lines()?;
        self.read_display()
    }

    /// Returns the lines that the engine shows for its current position.
    pub(super) fn displayed_lines(&mut self) -> Result<Vec<String>> {
        self.request_lines()?;
        self.read_lines()
    }

    /// Asks the engine to show its current position.
    fn request_lines(&mut self) -> Result<()> {
        let settings = self.settings;
        self.questions += 1;
        self.send(&settings.display)?;
        self.send("isready")
    }

    fn read_display(&mut self) -> Result<Display> {
        let (mut display, base, pattern) = (Display::default(), self.dialect.key_base, &self.settings.key_pattern);
        self.read_lines()?.iter().for_each(|line| display.take(line, pattern, base));
        Ok(display)
    }

    /// Returns the lines up to the next `readyok`.
    fn read_lines(&mut self) -> Result<Vec<String>> {
        let (settings, deadline, mut lines) = (self.settings, self.deadline(), Vec::new());
        loop {
            match self.line(&settings.display, deadline)? {
                line if line == "readyok" => return Ok(lines),
                line => lines.push(line),
            }
        }
    }

    /// Asks the engine to quit, and kills it if it does not.
    pub(super) fn quit(self) {
        self.process.into_iter().for_each(Process::quit);
    }

    /// Waits until the engine has answered every earlier request, and drops the answers.
    pub(super) fn ready(&mut self) -> Result<()> {
        let deadline = self.deadline();
        self.send("isready")?;
        while self.line("isready", deadline)? != "readyok" {}
        Ok(())
    }

    pub(super) fn deadline(&self) -> Instant {
        Instant::now() + self.patience
    }

    pub(super) fn send(&mut self, line: &str) -> Result<()> {
        if line.starts_with("position ") {
            self.asked.clear();
        }
        if line != "isready" {
            self.asked.push(line.into());
        }
        self.running().send(line).map_err(|_| self.explain_silence(ReadError::Closed, line, Duration::ZERO))
    }

    fn line(&mut self, request: &str, deadline: Instant) -> Result<String> {
        self.wait_for_line(deadline).map_err(|silence| self.explain_silence(silence, request, self.settings.timeout))
    }

    /// Waits for the next line until `deadline`, or until the run is stopped.
    pub(super) fn wait_for_line(&mut self, deadline: Instant) -> Result<String, ReadError> {
        let start = Instant::now();
        let line = loop {
            // During a flood of output no wait ever times out, so check the stop flag first.
            if self.is_stopped() {
                break Err(ReadError::Late);
            }
            let line = self.running().line(deadline.min(Instant::now() + SLICE));
            if line != Err(ReadError::Late) || self.is_stopped() || Instant::now() >= deadline {
                break line;
            }
        };
        self.waited += start.elapsed();
        line
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.settings.control.stop.load(Ordering::Relaxed)
    }

    pub(super) fn explain_silence(&mut self, silence: ReadError, request: &str, time: Duration) -> EngineFailure {
        if self.is_stopped() {
            return self.failure(FailureKind::Interrupted, "interrupted".into());
        }
        let kind = if silence == ReadError::Late { FailureKind::Timeout } else { FailureKind::Crash };
        let message = match silence {
            ReadError::Late => format!("no answer to '{request}' within {} s", time.as_secs_f64()),
            ReadError::Closed => {
                let status = self.running().exit_status().map(|status| status.to_string());
                let ended = status.unwrap_or("it closed its output but kept running".into());
                format!("failed while answering '{request}' ({ended})")
            }
        };
        self.failure(kind, message)
    }

    pub(super) fn failure(&self, kind: FailureKind, message: String) -> EngineFailure {
        let stderr = self.process.as_ref().map_or(Vec::new(), Process::errors);
        EngineFailure { kind, message, stderr, asked: self.asked.clone() }
    }
}

/// Returns the number of legal moves at a position, or 0 if the position cannot be read.
pub(super) fn number_of_moves(position: &PositionCommand) -> usize {
    let Ok(board) = Fen::parse(&position.fen) else { return 0 };
    play_moves(board, &position.moves, find_move).map_or(0, |board| legal_moves(&board).len())
}

pub(super) fn describe_found(lines: &[String]) -> String {
    if lines.is_empty() { "found nothing".into() } else { format!("found '{}'", lines.join("', '")) }
}
