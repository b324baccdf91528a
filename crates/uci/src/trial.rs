//! Trial of an engine's perft commands: perft 1 of the start position shows how to ask and how it answers.
//!
//! Many engines read `go perft 1` as `go` and search, some without end. The output of a search is not an answer: the
//! search is stopped, its best move is awaited, and the next command is tried. An engine that may be searching is sent
//! only `stop` and `isready`; one that does not become ready is killed, and another one is started. A list of legal
//! moves is an answer whatever its total; without a list the total must be 20, because any output may contain a number.

use super::answer::{Answer, Divide, Listing};
use super::perft_output::Form;
use super::process::ReadError;
use super::uci::{Engine, QUIET, Readiness, said};
use super::{EngineSettings, Failure, FailureKind, Place};
use perft_gate_judge::gate::Names;
use perft_gate_walk::chess::{Fen, legal_moves};
use std::time::{Duration, Instant};

/// Commands to try if the user names none.
const VERBS: [&str; 3] = ["go perft", "perft", "divide"];
/// Number of legal moves of the start position.
const MOVES: u128 = 20;
/// Time for perft 1 of the start position, before the next command is tried.
const TRIAL: Duration = Duration::from_secs(2);
/// Time that an engine has to end its search.
const REST: Duration = Duration::from_secs(10);

/// Sign that ends a perft answer.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum Ending {
    /// The total, in a form at least as reliable as this one.
    Total(Form),
    /// Silence.
    #[default]
    Quiet,
}

/// Form of an engine's perft commands and answers.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Ways {
    /// Command before the depth.
    pub(super) verb: String,
    /// Sign that ends its answer.
    pub(super) ending: Ending,
    /// Contents of its answer.
    pub(super) listing: Listing,
}

/// State of an engine that was asked to become ready.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rest {
    Reached,
    /// It is still busy, and must not be sent anything.
    Missed,
}

/// Starts an engine and tries out its perft commands. **Errors**: it does not start, it dies, or it answers none of
/// them.
pub(super) fn learnt(settings: &EngineSettings) -> Result<Engine<'_>, Failure> {
    let verbs: Vec<&str> = settings.verb.as_deref().map_or(VERBS.to_vec(), |verb| vec![verb]);
    let mut engine = Some(Engine::launch(settings)?);
    let (mut total, mut heard, mut death) = (None, Vec::new(), None);
    for verb in verbs {
        let mut tried = engine.take().map_or_else(|| Engine::launch(settings), Ok)?;
        let (answer, rest) = match tried.tries(verb) {
            Ok(answered) => answered,
            Err(failure) if failure.kind == FailureKind::Crash => {
                death.get_or_insert(failure);
                continue;
            }
            Err(failure) => return Err(failure),
        };
        if rest == Rest::Reached {
            engine = Some(tried);
        }
        match ways(verb, answer, settings) {
            Ok(ways) if ways.listing == Listing::Subtotals => return with(engine, ways, settings),
            Ok(ways) => total = total.or(Some(ways)),
            Err(found) => heard.push(found),
        }
    }
    match (total, death) {
        (Some(ways), _) => with(engine, ways, settings),
        (None, Some(death)) => Err(death),
        (None, None) => {
            let expected = "expected the leaf counts of the start position by root move, or a total of 20";
            let next = "name the engine's perft command with --perft-cmd";
            let message = format!("no-perft: {}; {expected}: {next}", heard.join("; "));
            Err(match engine {
                Some(engine) => engine.failure(FailureKind::NoPerft, message),
                None => Failure { kind: FailureKind::NoPerft, message, stderr: Vec::new() },
            })
        }
    }
}

fn with<'a>(engine: Option<Engine<'a>>, ways: Ways, settings: &'a EngineSettings) -> Result<Engine<'a>, Failure> {
    let mut engine = engine.map_or_else(|| Engine::launch(settings), Ok)?;
    engine.ways = ways;
    Ok(engine)
}

/// Returns the form of an answer to perft 1 of the start position. **Errors**: describes what was found, if it is not
/// an answer.
fn ways(verb: &str, answer: Answer, settings: &EngineSettings) -> Result<Ways, String> {
    if answer.is_search() {
        return Err(format!("'{verb} 1' starts a search"));
    }
    let ending = match answer.form() {
        Some(form) if form > Form::Running => Ending::Total(form),
        _ => Ending::Quiet,
    };
    let divide = answer.finish(Listing::Subtotals);
    let ways = |listing| Ways { verb: verb.into(), ending, listing };
    match divide.printed {
        _ if lists_moves(&divide) => Ok(ways(Listing::Subtotals)),
        // A command that the user names is perft, right or wrong.
        Some(total) if total == MOVES || settings.verb.is_some() => Ok(ways(Listing::Total)),
        Some(total) => Err(format!("found {total} after '{verb} 1'")),
        None => Err(format!("{} after '{verb} 1'", said(&divide.other))),
    }
}

/// Returns true if most of the listed moves are legal; a few may be wrong.
fn lists_moves(divide: &Divide) -> bool {
    let start = Fen::parse(Fen::START).expect("the start position");
    let names = Names::new(legal_moves(&start).to_vec().into_iter());
    let legal = divide.subtotals.iter().filter(|(text, _)| names.read(text).is_some()).count();
    2 * legal > divide.subtotals.len()
}

impl Engine<'_> {
    /// Asks for perft 1 of the start position, and waits until the engine is ready.
    fn tries(&mut self, verb: &str) -> Result<(Answer, Rest), Failure> {
        let (request, timeout) = (format!("{verb} 1"), self.settings.timeout);
        let time = if self.settings.verb.is_some() { timeout } else { timeout.min(TRIAL) };
        let deadline = Instant::now() + time;
        self.send(&Place::new(Fen::START).to_string())?;
        self.send(&request)?;
        let (mut answer, mut ready) = (Answer::new(1), None);
        while !answer.is_search() {
            if ready.is_none() && answer.form() > Some(Form::Running) {
                ready = Some(self.asks_if_ready()?);
            }
            let counted = answer.form() > Some(Form::Running);
            if counted && ready == Some(Readiness::Ready) {
                break;
            }
            match self.awaited(deadline.min(Instant::now() + QUIET)) {
                Ok(line) if line == "readyok" => ready = Some(Readiness::Ready),
                Ok(line) => answer.take(line),
                Err(ReadError::Late) if Instant::now() < deadline => match ready {
                    None => ready = Some(self.asks_if_ready()?),
                    Some(Readiness::Awaited) => {}
                    Some(Readiness::Ready) => break,
                },
                Err(ReadError::Late) if !self.is_stopped() => break,
                Err(silence) => return Err(self.silent(silence, &request, time)),
            }
        }
        let rest = self.rests(verb, &mut answer, ready)?;
        Ok((answer, rest))
    }

    fn asks_if_ready(&mut self) -> Result<Readiness, Failure> {
        self.send("isready")?;
        Ok(Readiness::Awaited)
    }

    /// Ends a search, and waits until the engine is ready.
    fn rests(&mut self, verb: &str, answer: &mut Answer, mut ready: Option<Readiness>) -> Result<Rest, Failure> {
        let time = self.settings.timeout.min(REST);
        let deadline = Instant::now() + time;
        // A search may print nothing.
        let may_search = answer.is_empty() && verb.starts_with("go");
        if !answer.moved && (answer.is_search() || may_search) {
            self.send("stop")?;
        }
        let mut quiet = deadline;
        loop {
            let searches = answer.is_search() && !answer.moved;
            match (searches, ready) {
                (false, None) => ready = Some(self.asks_if_ready()?),
                (false, Some(Readiness::Ready)) if answer.moved || !may_search => return Ok(Rest::Reached),
                (false, Some(Readiness::Ready)) => quiet = quiet.min(Instant::now() + QUIET),
                _ => {}
            }
            match self.awaited(quiet) {
                Ok(line) if line == "readyok" => ready = Some(Readiness::Ready),
                Ok(line) => answer.take(line),
                Err(ReadError::Late) if self.is_stopped() => return Err(self.silent(ReadError::Late, verb, time)),
                Err(ReadError::Late) if Instant::now() < deadline => return Ok(Rest::Reached),
                Err(ReadError::Late) => return Ok(Rest::Missed),
                Err(ReadError::Closed) => return Err(self.silent(ReadError::Closed, verb, time)),
            }
        }
    }
}
