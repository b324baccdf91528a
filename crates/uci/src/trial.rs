//! How an engine is asked for perft and how it answers: found out once, by perft 1 of the start position.
//!
//! Many engines read `go perft 1` as `go` and search, some without end. What a search prints is no answer: it is stopped,
//! its best move is awaited, and the next verb is tried. An engine that may be searching is sent `stop` and `isready`
//! alone; one that does not come to rest is ended, and another one started. A listing of legal moves is an answer
//! whatever its total; without one the total must be 20, since anything may print a number.

use super::answer::{Answer, Divide, Listing};
use super::perft_output::Form;
use super::process::ReadError;
use super::uci::{Engine, QUIET, Readiness, said};
use super::{EngineSettings, Failure, FailureKind, Place};
use perft_gate_judge::gate::Names;
use perft_gate_walk::chess::{Fen, legal_moves};
use std::time::{Duration, Instant};

/// How to ask for perft, where nobody says.
const VERBS: [&str; 3] = ["go perft", "perft", "divide"];
/// Legal moves of the start position.
const MOVES: u128 = 20;
/// How long an engine may take for perft 1 of the start position, before another verb is tried.
const TRIAL: Duration = Duration::from_secs(2);
/// How long an engine may take to end its search.
const REST: Duration = Duration::from_secs(10);

/// How the end of a perft is seen.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum Ending {
    /// By the total, in a form as sure as this one.
    Total(Form),
    /// By silence.
    #[default]
    Quiet,
}

/// How an engine is asked for perft and how it answers.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Ways {
    /// What the depth follows.
    pub(super) verb: String,
    /// How the end of its answer is seen.
    pub(super) ending: Ending,
    /// What it lists.
    pub(super) listing: Listing,
}

/// Whether an engine has come to rest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rest {
    Reached,
    /// It is still busy, and must not be spoken to.
    Missed,
}

/// Starts an engine and learns its ways. **Errors**: it does not start, it dies, or there is no verb that it answers.
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
            let expected = "expected the leaves of the start position by root move, or 20 in all";
            let next = "name the command that counts with --perft-cmd";
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

/// What an answer to perft 1 of the start position shows. **Errors**: says what was found, if it is no answer.
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
        // A verb that somebody names is perft, right or wrong.
        Some(total) if total == MOVES || settings.verb.is_some() => Ok(ways(Listing::Total)),
        Some(total) => Err(format!("found {total} after '{verb} 1'")),
        None => Err(format!("{} after '{verb} 1'", said(&divide.other))),
    }
}

/// Returns true if most of what is listed are legal moves; one or the other may be wrong.
fn lists_moves(divide: &Divide) -> bool {
    let start = Fen::parse(Fen::START).expect("the start position");
    let names = Names::new(legal_moves(&start).to_vec().into_iter());
    let legal = divide.subtotals.iter().filter(|(text, _)| names.read(text).is_some()).count();
    2 * legal > divide.subtotals.len()
}

impl Engine<'_> {
    /// Asks for perft 1 of the start position, and lets the engine come to rest.
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
            if counted && ready == Some(Readiness::Told) {
                break;
            }
            match self.awaited(deadline.min(Instant::now() + QUIET)) {
                Ok(line) if line == "readyok" => ready = Some(Readiness::Told),
                Ok(line) => answer.take(line),
                Err(ReadError::Late) if Instant::now() < deadline => match ready {
                    None => ready = Some(self.asks_if_ready()?),
                    Some(Readiness::Awaited) => {}
                    Some(Readiness::Told) => break,
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
        // A search may have nothing to say.
        let may_search = answer.is_empty() && verb.starts_with("go");
        if !answer.moved && (answer.is_search() || may_search) {
            self.send("stop")?;
        }
        let mut quiet = deadline;
        loop {
            let searches = answer.is_search() && !answer.moved;
            match (searches, ready) {
                (false, None) => ready = Some(self.asks_if_ready()?),
                (false, Some(Readiness::Told)) if answer.moved || !may_search => return Ok(Rest::Reached),
                (false, Some(Readiness::Told)) => quiet = quiet.min(Instant::now() + QUIET),
                _ => {}
            }
            match self.awaited(quiet) {
                Ok(line) if line == "readyok" => ready = Some(Readiness::Told),
                Ok(line) => answer.take(line),
                Err(ReadError::Late) if self.is_stopped() => return Err(self.silent(ReadError::Late, verb, time)),
                Err(ReadError::Late) if Instant::now() < deadline => return Ok(Rest::Reached),
                Err(ReadError::Late) => return Ok(Rest::Missed),
                Err(ReadError::Closed) => return Err(self.silent(ReadError::Closed, verb, time)),
            }
        }
    }
}
