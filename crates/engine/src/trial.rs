//! Tries an engine's perft commands. Perft 1 of the start position shows which command works and the form of its
//! answer.
//!
//! Many engines take `go perft 1` as a plain `go` and search, some of them endlessly. The output of a search is not an
//! answer. The trial stops the search, waits for its best move, and tries the next command. An engine that may be
//! searching is sent only `stop` and `isready`. If it does not become ready, it is killed, and a new process is
//! started. A list of legal moves counts as an answer, regardless of the total. Without such a list, the total must be
//! 20, because other output may contain a number too. If the user names the command, any total counts.
//!
//! If the trial understands no answer, it builds regular expressions from the output lines and tries them on the
//! engine. The user is offered only an expression that reads the right counts at three depths.

use crate::dialect::{Dialect, Ending};
use crate::outcome::{EngineFailure, FailureKind, Result};
use crate::process::{Process, ReadError};
use crate::request::{PositionCommand, Request};
use crate::settings::EngineSettings;
use crate::uci::{Engine, QUIET, describe_found};
use perft_gate_chess::{Fen, MoveNames};
use perft_gate_listing::{Answer, Divide, Listing, Patterns, TotalForm};
use regex_lite::Regex;
use std::time::{Duration, Instant};

/// Commands to try if the user names none.
const VERBS: [&str; 3] = ["go perft", "perft", "divide"];
/// Leaf counts of the start position at depths 1, 2 and 3.
const STARTS: [u128; 3] = [20, 400, 8902];
/// Number of legal moves of the start position.
const MOVES: u128 = STARTS[0];
/// Time limit for perft 1 of the start position. After that, the next command is tried.
const TRIAL: Duration = Duration::from_secs(2);
/// Time limit for an engine to end its search.
const SEARCH_END: Duration = Duration::from_secs(10);

/// State of the handshake with `isready`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Readiness {
    NotAsked,
    Pending,
    Ready,
}

/// Starts an engine and tries perft commands. **Errors**: if it does not start, dies, or answers no command.
pub(super) fn learn(settings: &EngineSettings) -> Result<Engine<'_>> {
    let usual = || VERBS.iter().map(|verb| Request::command(verb).expect("a verb")).collect();
    let requests: Vec<Request> = settings.request.clone().map_or_else(usual, |request| vec![request]);
    let (mut engine, mut total, mut heard, mut unread, mut death) = (None, None, Vec::new(), Vec::new(), None);
    for request in requests {
        let mut tried = start_with(engine.take(), Dialect::initial(request.clone()), settings)?;
        let (answer, is_ready) = match tried.try_perft() {
            Ok(answered) => answered,
            Err(failure) if failure.kind == FailureKind::Crash => match ask_until_exit(settings, request.clone()) {
                Some(answer) => (answer, false),
                None => {
                    death.get_or_insert(failure);
                    continue;
                }
            },
            Err(failure) => return Err(failure),
        };
        if is_ready {
            engine = Some(tried);
        }
        match read_dialect(request.clone(), answer, settings) {
            Ok(dialect) if dialect.listing == Listing::Moves => return start_with(engine, dialect, settings),
            Ok(dialect) => total = total.or(Some(dialect)),
            Err((found, lines)) => {
                heard.push(add_stderr(found, engine.as_ref()));
                unread.push((request, lines));
            }
        }
    }
    match (total, death) {
        (Some(dialect), _) => start_with(engine, dialect, settings),
        (None, Some(death)) => Err(death),
        (None, None) => {
            let advice = find_advice(settings, &unread);
            let is_misfit = settings.patterns.is_any();
            let kind = if is_misfit { FailureKind::PatternMisfit } else { FailureKind::NoPerft };
            let next = match &advice {
                Some(advice) => advice,
                None if is_misfit => "compare the patterns with what it prints",
                None if settings.is_program() => {
                    "let the program print a line 'MOVE COUNT' for each root move, and the total"
                }
                None => "name the engine's perft command with --perft-cmd",
            };
            let total = if settings.require_moves { "" } else { ", or a total of 20" };
            let message = format!(
                "no-perft: {}; expected the leaf counts of the start position by root move{total}: {next}",
                heard.join("; ")
            );
            Err(match engine {
                Some(engine) => engine.failure(kind, message),
                None => EngineFailure::new(kind, message),
            })
        }
    }
}

/// Returns true if these settings read the right counts from an engine's answers for the start position, depths 1 to 3.
fn is_read_right(settings: EngineSettings) -> bool {
    let settings = EngineSettings { timeout: settings.timeout.min(SEARCH_END), ..settings };
    let Ok(mut engine) = learn(&settings) else { return false };
    let start = PositionCommand::new(Fen::START);
    let is_right = STARTS.iter().zip(1..).all(|(leaves, depth)| {
        let answer = engine.divide(&start, depth);
        answer.is_ok_and(|answer| answer.nodes() == *leaves && [0, *leaves].contains(&answer.sum()))
    });
    engine.quit();
    is_right
}

/// Returns the given engine, or a new one, with `dialect` set.
pub(super) fn start_with<'a>(
    engine: Option<Engine<'a>>,
    dialect: Dialect,
    settings: &'a EngineSettings,
) -> Result<Engine<'a>> {
    let mut engine = engine.map_or_else(|| Engine::launch(settings), Ok)?;
    engine.dialect = dialect;
    Ok(engine)
}

/// Restarts an engine that exited during perft, and asks it again. Returns any answer that it gives before it exits.
fn ask_until_exit(settings: &EngineSettings, request: Request) -> Option<Answer> {
    if settings.is_program() {
        return None;
    }
    let mut engine = start_with(None, Dialect::initial(request), settings).ok()?;
    let mut answer = engine.answer_until_exit(&PositionCommand::new(Fen::START), 1).ok()?;
    answer.has_exited = true;
    Some(answer)
}

/// Returns the dialect shown by the answer to perft 1 of the start position. **Errors**: if the output is not an
/// answer, with its description and the lines that were not understood.
fn read_dialect(request: Request, answer: Answer, settings: &EngineSettings) -> Result<Dialect, (String, Vec<String>)> {
    let sent = request.line(&PositionCommand::new(Fen::START), 1);
    if answer.is_search() {
        return Err((format!("'{sent}' starts a search"), Vec::new()));
    }
    let ending = match answer.form() {
        _ if settings.is_program() || answer.has_exited => Ending::Exit,
        Some(form) if form > TotalForm::Running => Ending::Total(form),
        _ => Ending::Quiet,
    };
    let divide = answer.finish(Listing::Moves, None);
    let found = describe_found(&divide.other);
    let refused = |found: String| Err((found, divide.other.clone()));
    let misfit = |option: &str, pattern: &Regex, what| {
        refused(format!("{option}: '{}' matches no {what} after '{sent}', {found}", pattern.as_str()))
    };
    match &settings.patterns {
        Patterns { divide: Some(pattern), .. } if !lists_moves(&divide) => {
            return misfit("--divide-pattern", pattern, "legal move");
        }
        Patterns { total: Some(pattern), .. } if divide.printed.is_none() => {
            return misfit("--total-pattern", pattern, "number");
        }
        _ => {}
    }
    let has_total = divide.printed.is_some();
    let dialect = |listing| Dialect { ending, listing, has_total, ..Dialect::initial(request) };
    match divide.printed {
        _ if lists_moves(&divide) => Ok(dialect(Listing::Moves)),
        Some(total) if settings.require_moves => refused(format!("found only the total {total} after '{sent}'")),
        // A command named by the user is assumed to run perft, even if its total is wrong.
        Some(total) if total == MOVES || settings.request.is_some() => Ok(dialect(Listing::Total)),
        Some(total) => refused(format!("found {total} after '{sent}'")),
        None => refused(format!("{found} after '{sent}'")),
    }
}

/// Adds the first line of stderr to the message `found`, if standard output is empty.
fn add_stderr(found: String, engine: Option<&Engine<'_>>) -> String {
    let errors = engine.and_then(|engine| engine.process.as_ref()).map_or(Vec::new(), Process::errors);
    match errors.first() {
        Some(line) if found.starts_with("found nothing") => {
            format!("{found} on standard output, but '{line}' on stderr, which is not read")
        }
        _ => found,
    }
}

/// Returns true if most of the listed moves are legal. A few may be wrong. If moves are missing, every line that begins
/// like a move must be understood. Otherwise part of the notation is unknown, and the list proves nothing.
fn lists_moves(divide: &Divide) -> bool {
    let start = Fen::parse(Fen::START).expect("the start position");
    let names = MoveNames::new(&start);
    let legal = divide.subtotals.iter().filter(|(text, _)| names.read(text).is_some()).count();
    let is_understood = divide.unread.is_empty() || legal as u128 >= MOVES;
    2 * legal > divide.subtotals.len() && is_understood && !divide.is_numbered()
}

impl Engine<'_> {
    /// Asks for perft 1 of the start position, and returns the answer and whether the engine is ready. An engine that
    /// is not ready is still busy and must not be sent anything.
    fn try_perft(&mut self) -> Result<(Answer, bool)> {
        let position = PositionCommand::new(Fen::START);
        if self.settings.is_program() {
            return Ok((self.answer_until_exit(&position, 1)?, true));
        }
        let (settings, timeout) = (self.settings, self.settings.timeout);
        let time = if settings.request.is_some() { timeout } else { timeout.min(TRIAL) };
        let deadline = Instant::now() + time;
        let request = self.ask(&position, 1)?;
        let (mut answer, mut ready) = (Answer::new(1), Readiness::NotAsked);
        while !answer.is_search() {
            let counted = answer.form() > Some(TotalForm::Running);
            match ready {
                Readiness::NotAsked if counted => ready = self.ask_if_ready()?,
                Readiness::Ready if counted => break,
                _ => {}
            }
            match self.wait_for_line(deadline.min(Instant::now() + QUIET)) {
                Ok(line) if line == "readyok" => ready = Readiness::Ready,
                Ok(line) => answer.take(line, &self.settings.patterns),
                Err(silence) if self.is_stopped() => return Err(self.explain_silence(silence, &request, time)),
                Err(ReadError::Late) if Instant::now() < deadline => match ready {
                    Readiness::NotAsked => ready = self.ask_if_ready()?,
                    Readiness::Pending => {}
                    Readiness::Ready => break,
                },
                Err(ReadError::Late) => break,
                Err(silence) => return Err(self.explain_silence(silence, &request, time)),
            }
        }
        let is_ready = self.end_search(&request, &mut answer, ready)?;
        Ok((answer, is_ready))
    }

    fn ask_if_ready(&mut self) -> Result<Readiness> {
        self.send("isready")?;
        Ok(Readiness::Pending)
    }

    /// Ends any search, and waits until the engine is ready. Returns false if it does not become ready in time.
    fn end_search(&mut self, request: &str, answer: &mut Answer, mut ready: Readiness) -> Result<bool> {
        let time = self.settings.timeout.min(SEARCH_END);
        let deadline = Instant::now() + time;
        // A search may print nothing, so an engine that has not answered a `go` command may be searching.
        let may_search = answer.is_empty() && request.starts_with("go");
        if !answer.has_moved && (answer.is_search() || may_search) {
            self.send("stop")?;
        }
        let mut quiet = deadline;
        loop {
            let searches = answer.is_search() && !answer.has_moved;
            match (searches, ready) {
                (false, Readiness::NotAsked) => ready = self.ask_if_ready()?,
                (false, Readiness::Ready) if answer.has_moved || !may_search => return Ok(true),
                (false, Readiness::Ready) => quiet = quiet.min(Instant::now() + QUIET),
                _ => {}
            }
            match self.wait_for_line(quiet) {
                Ok(line) if line == "readyok" => ready = Readiness::Ready,
                Ok(line) => answer.take(line, &self.settings.patterns),
                Err(silence) if silence == ReadError::Closed || self.is_stopped() => {
                    return Err(self.explain_silence(silence, request, time));
                }
                Err(_) => return Ok(Instant::now() < deadline),
            }
        }
    }
}

/// Maximum number of patterns tried on an engine.
const MAX_TRIED: usize = 16;

/// Returns pairs of an option and a pattern for it, built from one line of the answer to perft 1 of the start position.
/// The line may hold the total or the leaf count of one move. In a pattern, `\d+` replaces the line's other numbers.
fn patterns_from(line: &str) -> Vec<(&'static str, String)> {
    let digits = Regex::new(r"\d+").expect("a pattern");
    // Patterns must not contain single quotes, because the advice encloses the pattern in single quotes for the shell.
    let general = |text: &str| digits.replace_all(&regex_lite::escape(text), r"\d+").replace('\'', r"\x27");
    let numbers = |wanted: &'static str| digits.find_iter(line).filter(move |found| found.as_str() == wanted);
    let mut all = Vec::new();
    for found in numbers("20") {
        let (before, after) = (general(&line[..found.start()]), general(&line[found.end()..]));
        // In a right-aligned column, a longer number has fewer spaces before it, so allow any number of spaces.
        let before = before.trim_end().to_string() + if before.ends_with(' ') { r"\s*" } else { "" };
        for number in [r"(\d+)", r"(\d[\d,._\x27]*)", r"(\d[\d,._\x27 ]*)"] {
            let pattern = match before.trim_start_matches(r"\s*") {
                "" => format!(r"^\s*{number}{after}"),
                _ => format!("{before}{number}"),
            };
            all.push(("--total-pattern", pattern));
        }
    }
    let squares = Regex::new(r"\b[a-h][1-8][a-h][1-8]\b").expect("a pattern");
    let Some(mv) = squares.find(line) else { return all };
    for leaves in numbers("1").filter(|found| found.end() <= mv.start() || mv.end() <= found.start()) {
        let (mv_group, leaves_group) = ("(?<move>[a-h][1-8][a-h][1-8][nbrq]?)", r"(?<leaves>\d+)");
        let mut parts = [(mv.range(), mv_group), (leaves.range(), leaves_group)];
        parts.sort_by_key(|(range, _)| range.start);
        let [(first, a), (second, b)] = parts;
        let pattern = format!("{}{a}{}{b}", general(&line[..first.start]), general(&line[first.end..second.start]));
        all.push(("--divide-pattern", pattern));
    }
    all
}

/// Tries patterns built from unread lines. If a pattern reads the engine's answers right, returns advice to add it.
fn find_advice(settings: &EngineSettings, unread: &[(Request, Vec<String>)]) -> Option<String> {
    let lines = unread.iter().flat_map(|(request, lines)| lines.iter().map(move |line| (request, line)));
    let all = lines.flat_map(|(request, line)| patterns_from(line).into_iter().map(move |made| (request, made)));
    let tried = |(request, (option, pattern)): &(&Request, (&str, String))| {
        let Ok(pattern) = Regex::new(pattern) else { return false };
        let patterns = match *option {
            "--divide-pattern" => Patterns { divide: Some(pattern), total: None },
            _ => Patterns { divide: None, total: Some(pattern) },
        };
        is_read_right(EngineSettings { patterns, request: Some((*request).clone()), ..settings.clone() })
    };
    let (request, (option, pattern)) = all.take(MAX_TRIED).filter(|_| !settings.patterns.is_any()).find(tried)?;
    let command = match settings.request {
        None if request.text != VERBS[0] => format!("--perft-cmd '{}' ", request.text),
        _ => String::new(),
    };
    Some(format!("add {command}{option} '{pattern}', which reads its perft 1, 2 and 3 of the start position"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn divide(moves: &[&str], unread: &[&str]) -> Divide {
        let text = |texts: &[&str]| texts.iter().map(|text| (*text).into()).collect::<Vec<String>>();
        let subtotals = moves.iter().map(|mv| ((*mv).into(), 1)).collect();
        Divide { subtotals, unread: text(unread), ..Divide::default() }
    }

    #[test]
    fn most_of_the_listed_moves_must_be_legal() {
        assert!(lists_moves(&divide(&["e2e4", "d2d4", "e2e5"], &[])));
        assert!(!lists_moves(&divide(&["e2e4", "d2d5", "e2e5"], &[])), "one legal move is not most");
        assert!(!lists_moves(&divide(&["e2e4", "e2e5"], &[])) && !lists_moves(&divide(&[], &[])));
        // `Sf3` is a knight move with the German piece letter, which is not read.
        assert!(!lists_moves(&divide(&["e2e4", "d2d4"], &["Sf3 1"])));
        let start = Fen::parse(Fen::START).expect("a position");
        let legal = perft_gate_chess::legal_moves(&start);
        let texts: Vec<String> = legal.iter().map(|mv| mv.uci().to_string()).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        assert!(lists_moves(&divide(&texts, &["a1: attacked by 3"])), "beside a whole list it is something else");
    }

    #[test]
    fn patterns_are_made_of_lines() {
        let made = |line: &str| patterns_from(line).into_iter().map(|(_, pattern)| pattern).collect::<Vec<_>>();
        assert_eq!(made("Depth 1 has 20 leaves")[0], r"Depth \d+ has\s*(\d+)");
        assert_eq!(made("20 leafs in 17 ms")[0], r"^\s*(\d+) leafs in \d+ ms");
        let with_move = made("d1: 1 leaf after e2e4");
        assert_eq!(with_move[1], r"d\d+: (?<leaves>\d+) leaf after (?<move>[a-h][1-8][a-h][1-8][nbrq]?)");
        assert_eq!(made("120 leafs in 2000 ms"), Vec::<String>::new());
    }
}
