//! An engine that is spoken to over UCI: handshake, options, positions, perft, and the key that it prints.
//!
//! After every request stands `isready`, so that an answer has an end even where it has no last line. An engine may
//! count in a thread of its own and be ready while it counts: then its total is the end; whether it prints one is found
//! out once, at the start. Protocol: <https://www.wbec-ridderkerk.nl/html/UCIProtocol.html>, and for perft the habit of
//! engines, see [`dialect`].

use super::dialect::{self, Line};
use super::process::{Process, Silence};
use super::{Failure, FailureKind, Place, Settings};
use crate::chess::{Fen, Kind, Move, legal_moves};
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How to ask for perft, where nobody says: the first that is answered.
const VERBS: [&str; 2] = ["go perft", "perft"];
/// How long an engine may take for perft 1 of the start position, before another verb is tried.
const TRIAL: Duration = Duration::from_secs(2);
/// How long an engine may take to say what it is.
const HANDSHAKE: Duration = Duration::from_secs(20);
/// How long an engine is silent that has said all, if it has no last line.
const QUIET: Duration = Duration::from_millis(400);
/// A wait looks so often whether the run is stopped.
const SLICE: Duration = Duration::from_millis(100);
/// Lines of an answer that are kept to show what was not understood.
const SHOWN: usize = 5;

/// Which games an engine plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Variant {
    Standard,
    Chess960,
}

/// How the end of a perft is seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ending {
    /// By the total.
    Total,
    /// By silence.
    Quiet,
}

/// What an engine's perft lists.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum Listing {
    /// Every root move: one that is not there is missing.
    #[default]
    Subtotals,
    /// The total alone.
    Total,
}

/// What an engine answers to perft.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Divide {
    /// What it would list.
    pub(super) listing: Listing,
    /// Leaves by root move, in the engine's words and order.
    pub(super) subtotals: Vec<(String, u128)>,
    /// The total that is printed.
    pub(super) total: Option<u128>,
    /// The last number of nodes that may be the total.
    running: Option<u128>,
    /// The first lines that were not understood.
    pub(super) other: Vec<String>,
}

impl Divide {
    /// The leaves: as printed, else summed up.
    pub(super) fn nodes(&self) -> u128 {
        self.printed().unwrap_or_else(|| self.sum())
    }

    /// The leaves as printed.
    pub(super) fn printed(&self) -> Option<u128> {
        self.total.or(self.running)
    }

    /// The leaves of all root moves.
    pub(super) fn sum(&self) -> u128 {
        self.subtotals.iter().map(|(_, nodes)| nodes).sum()
    }

    fn is_empty(&self) -> bool {
        self.subtotals.is_empty() && self.printed().is_none()
    }
}

/// What an engine shows of a position.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Display {
    /// The FEN that it prints.
    pub(super) fen: Option<String>,
    /// The key that it prints.
    pub(super) key: Option<u128>,
}

/// A running engine.
#[derive(Debug)]
pub(super) struct Engine<'a> {
    process: Process,
    pub(super) settings: &'a Settings,
    /// What it calls itself.
    pub(super) name: String,
    options: BTreeSet<String>,
    variant: Variant,
    /// How it is asked for perft.
    pub(super) verb: String,
    ending: Ending,
    listing: Listing,
    /// Time spent waiting for it.
    pub(super) waited: Duration,
}

impl<'a> Engine<'a> {
    /// Starts an engine and learns its ways.
    pub(super) fn start(settings: &'a Settings) -> Result<Engine<'a>, Failure> {
        let process = Process::start(&settings.command).map_err(|error| Failure {
            kind: FailureKind::NotStarted,
            message: format!("{}: {error}, expected a program to start", settings.command_line()),
            stderr: Vec::new(),
        })?;
        let mut engine = Engine {
            process,
            settings,
            name: settings.command_line(),
            options: BTreeSet::new(),
            variant: Variant::Standard,
            verb: String::new(),
            ending: Ending::Total,
            listing: Listing::Subtotals,
            waited: Duration::ZERO,
        };
        engine.handshake()?;
        engine.choose_verb()?;
        Ok(engine)
    }

    fn handshake(&mut self) -> Result<(), Failure> {
        let time = self.settings.timeout.min(HANDSHAKE);
        let deadline = Instant::now() + time;
        self.send("uci")?;
        loop {
            let line = self.awaited(deadline).map_err(|silence| self.silent(silence, "uci", time))?;
            match line.split_ascii_whitespace().collect::<Vec<_>>()[..] {
                ["uciok"] => break,
                ["id", "name", ref name @ ..] => self.name = name.join(" "),
                ["option", "name", ref rest @ ..] => {
                    let name = rest.iter().take_while(|word| **word != "type").copied().collect::<Vec<_>>();
                    self.options.insert(name.join(" ").to_ascii_lowercase());
                }
                _ => {}
            }
        }
        for (name, value) in &self.settings.options {
            match value {
                Some(value) => self.send(&format!("setoption name {name} value {value}"))?,
                None => self.send(&format!("setoption name {name}"))?,
            }
        }
        self.send("ucinewgame")?;
        self.ready()
    }

    /// Finds the verb that is answered, and whether a total ends the answer.
    fn choose_verb(&mut self) -> Result<(), Failure> {
        let verbs: Vec<&str> = self.settings.verb.as_deref().map_or(VERBS.to_vec(), |verb| vec![verb]);
        let start = Place::new(Fen::START);
        let mut heard = Vec::new();
        for verb in &verbs {
            self.verb = (*verb).into();
            self.ending = Ending::Quiet;
            let trial = self.settings.timeout.min(TRIAL);
            match self.divide_within(&start, 1, trial) {
                Ok(divide) if !divide.is_empty() => {
                    self.ending = if divide.total.is_some() { Ending::Total } else { Ending::Quiet };
                    self.listing = if divide.subtotals.is_empty() { Listing::Total } else { Listing::Subtotals };
                    return self.ready();
                }
                Ok(divide) => heard.extend(divide.other),
                Err(Failure { kind: FailureKind::Timeout | FailureKind::Unparsed, message, .. }) => heard.push(message),
                Err(failure) => return Err(failure),
            }
            // What did not know the verb may be thinking about its first move.
            self.send("stop")?;
            self.ready()?;
        }
        let message =
            format!("sent '{} 1', expected leaves by root move or a total, {}", verbs.join(" 1' and '"), said(&heard));
        Err(self.unparsed(message))
    }

    /// Does the engine say that it has this option?
    pub(super) fn has_option(&self, name: &str) -> bool {
        self.options.contains(&name.to_ascii_lowercase())
    }

    /// Switches between chess and Chess960, where the engine can.
    pub(super) fn play(&mut self, variant: Variant) -> Result<(), Failure> {
        if variant != self.variant {
            self.send(&format!("setoption name UCI_Chess960 value {}", variant == Variant::Chess960))?;
            self.variant = variant;
        }
        self.ready()
    }

    /// A move as the engine reads it now: in Chess960 castling is king takes rook, wherever they stand.
    pub(super) fn written(&self, mv: Move) -> String {
        match (self.variant, mv.kind()) {
            (Variant::Chess960, Kind::Castle) => format!("{}{}", mv.from(), mv.to()),
            _ => mv.uci().to_string(),
        }
    }

    /// Brings the engine back to the start position, so that a position that it does not take is not mistaken for the
    /// one before.
    pub(super) fn forget(&mut self) -> Result<(), Failure> {
        self.send("ucinewgame")?;
        self.send("position startpos")?;
        self.ready()
    }

    /// The leaves of a tree by root move.
    pub(super) fn divide(&mut self, place: &Place, depth: u32) -> Result<Divide, Failure> {
        self.divide_within(place, depth, self.settings.timeout)
    }

    fn divide_within(&mut self, place: &Place, depth: u32, time: Duration) -> Result<Divide, Failure> {
        let deadline = Instant::now() + time;
        let request = format!("{} {depth}", self.verb);
        self.send(&place.to_string())?;
        self.send(&request)?;
        self.send("isready")?;
        let mut divide = Divide { listing: self.listing, ..Divide::default() };
        let mut ready = Readiness::Awaited;
        loop {
            if divide.total.is_some() && ready == Readiness::Told {
                return Ok(divide);
            }
            let may_be_quiet = ready == Readiness::Told && self.ending == Ending::Quiet;
            let wait = if may_be_quiet { deadline.min(Instant::now() + QUIET) } else { deadline };
            match self.awaited(wait) {
                Ok(line) if line == "readyok" => ready = Readiness::Told,
                Ok(line) => match dialect::read(&line) {
                    Line::Subtotal(mv, nodes) => divide.subtotals.push((mv, nodes)),
                    Line::Total(nodes) => divide.total = Some(nodes),
                    Line::Running(nodes) => divide.running = Some(nodes),
                    Line::Other if line.is_empty() || divide.other.len() == SHOWN => {}
                    Line::Other => divide.other.push(line),
                },
                Err(Silence::Late) if may_be_quiet && Instant::now() < deadline => {
                    return Ok(divide);
                }
                Err(Silence::Late) if !divide.other.is_empty() && divide.is_empty() => {
                    let message =
                        format!("sent '{request}', expected leaves by root move or a total, {}", said(&divide.other));
                    return Err(self.unparsed(message));
                }
                Err(silence) => {
                    return Err(self.silent(silence, &request, time));
                }
            }
        }
    }

    /// What the engine shows of a position when it is sent `d`.
    pub(super) fn display(&mut self, place: &Place) -> Result<Display, Failure> {
        self.send(&place.to_string())?;
        self.display_again()
    }

    /// What the engine shows of the position that it is in.
    pub(super) fn display_again(&mut self) -> Result<Display, Failure> {
        let deadline = self.deadline();
        self.send("d")?;
        self.send("isready")?;
        let mut display = Display::default();
        loop {
            let line = self.line("d", deadline)?;
            if line == "readyok" {
                return Ok(display);
            }
            if let Some(fen) = line.trim_start().strip_prefix("Fen:").or(line.trim_start().strip_prefix("FEN:")) {
                display.fen = Some(fen.trim().into());
            } else if let Some(found) = self.settings.key_pattern.captures(&line) {
                let digits = found.get(1).map_or("", |digits| digits.as_str());
                display.key = u128::from_str_radix(digits.trim_start_matches("0x"), 16).ok().or(display.key);
            }
        }
    }

    /// Tells the engine to leave, and ends it if it does not.
    pub(super) fn quit(self) {
        self.process.quit();
    }

    /// Waits until the engine has answered all that was sent before; whatever it said is dropped.
    fn ready(&mut self) -> Result<(), Failure> {
        let deadline = self.deadline();
        self.send("isready")?;
        while self.line("isready", deadline)? != "readyok" {}
        Ok(())
    }

    fn deadline(&self) -> Instant {
        Instant::now() + self.settings.timeout
    }

    fn send(&mut self, line: &str) -> Result<(), Failure> {
        self.process.send(line).map_err(|_| self.silent(Silence::Closed, line, Duration::ZERO))
    }

    /// The next line of the answer to `request`.
    fn line(&mut self, request: &str, deadline: Instant) -> Result<String, Failure> {
        self.awaited(deadline).map_err(|silence| self.silent(silence, request, self.settings.timeout))
    }

    /// The next line, unless the run is stopped.
    fn awaited(&mut self, deadline: Instant) -> Result<String, Silence> {
        let start = Instant::now();
        let line = loop {
            let line = self.process.line(deadline.min(Instant::now() + SLICE));
            let stopped = self.settings.control.stop.load(Ordering::Relaxed);
            if line != Err(Silence::Late) || stopped || Instant::now() >= deadline {
                break line;
            }
        };
        self.waited += start.elapsed();
        line
    }

    fn silent(&mut self, silence: Silence, request: &str, time: Duration) -> Failure {
        if self.settings.control.stop.load(Ordering::Relaxed) {
            return self.failure(FailureKind::Interrupted, "interrupted".into());
        }
        let kind = if silence == Silence::Late { FailureKind::Timeout } else { FailureKind::Crash };
        let message = match silence {
            Silence::Late => format!("no answer to '{request}' within {} s", time.as_secs_f64()),
            Silence::Closed => format!("died at '{request}': {}", self.process.obituary()),
        };
        self.failure(kind, message)
    }

    /// An answer that is not understood.
    pub(super) fn unparsed(&self, message: String) -> Failure {
        self.failure(FailureKind::Unparsed, message)
    }

    fn failure(&self, kind: FailureKind, message: String) -> Failure {
        Failure { kind, message, stderr: self.process.errors() }
    }

    /// Is this position refused: is another one, by its own account, in its place?
    pub(super) fn refusal(&mut self, place: &Place, fen: &str) -> Result<Option<String>, Failure> {
        let shown = self.display(place)?;
        let same_board = |shown: &str| fields(shown) == fields(fen);
        Ok(shown.fen.filter(|shown| !same_board(shown)))
    }

    /// Do these moves, in the engine's words, belong to the start position?
    pub(super) fn is_start(divide: &Divide) -> Startlike {
        let start = Fen::parse(Fen::START).expect("the start position");
        let moves: BTreeSet<String> = legal_moves(&start).iter().map(|mv| mv.uci().to_string()).collect();
        let found: BTreeSet<String> = divide.subtotals.iter().map(|(mv, _)| mv.clone()).collect();
        if moves == found { Startlike::Same } else { Startlike::Other }
    }
}

/// Has the engine said that it is ready?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Readiness {
    Awaited,
    Told,
}

/// Whether an answer is that of the start position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Startlike {
    Same,
    Other,
}

/// The men and the side to move.
fn fields(fen: &str) -> Vec<&str> {
    fen.split_ascii_whitespace().take(2).collect()
}

/// What was heard instead.
fn said(lines: &[String]) -> String {
    match lines {
        [] => "found nothing".into(),
        lines => format!("found '{}'", lines.join("', '")),
    }
}
