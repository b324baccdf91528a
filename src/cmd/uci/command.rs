//! Commands of the UCI protocol, with `go perft` and `d` as in most engines.
//!
//! A line is either parsed completely or rejected with one message: what was found, and what was expected. Protocol:
//! <https://www.wbec-ridderkerk.nl/html/UCIProtocol.html>.

use crate::args::position::{find_uci_move, play_moves};
use crate::args::run::MAX_THREADS;
use perft_gate_chess::{Board, Fen, excerpt};
use perft_gate_count::table::EntryMatch;
use perft_gate_walk::MAX_DEPTH;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Maximum size of the table in MiB: 32 TiB, the same as Stockfish.
pub const MAX_HASH: u64 = 33_554_432;

/// A command.
#[derive(Clone, Debug)]
pub enum UciCommand {
    Uci,
    IsReady,
    NewGame,
    Position(Box<Board>),
    /// Count this many plies.
    Perft(u32),
    Set(Setting),
    /// Show the position.
    Display,
    Stop,
    Quit,
    /// An empty line, or a command that changes nothing here.
    Nothing,
}

/// An option with its new value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Setting {
    Threads(u16),
    /// Size of the table in MiB; 0 for none.
    Hash(u64),
    Matching(EntryMatch),
    Notation(Notation),
}

/// Notation of castling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notation {
    /// The king's two-square move, if king and rook are on their standard squares.
    Standard,
    /// King takes rook.
    Chess960,
}

/// A rejected line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RefusedLine {
    /// A message with what was found and what was expected.
    Invalid(String),
    /// The same for a search, which must end with a best move.
    Search(String),
}

impl From<String> for RefusedLine {
    fn from(message: String) -> RefusedLine {
        RefusedLine::Invalid(message)
    }
}

/// Reads a line.
pub fn read(line: &str) -> Result<UciCommand, RefusedLine> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    Ok(match words[..] {
        [] | ["debug", ..] => UciCommand::Nothing,
        ["uci"] => UciCommand::Uci,
        ["isready"] => UciCommand::IsReady,
        ["ucinewgame"] => UciCommand::NewGame,
        ["position", ref rest @ ..] => UciCommand::Position(Box::new(position(rest)?)),
        ["go", "perft", ref rest @ ..] => UciCommand::Perft(depth(rest)?),
        ["go", ref rest @ ..] => {
            return Err(RefusedLine::Search(format!(
                "go: {}, expected 'perft N': there is no search",
                describe_found(rest)
            )));
        }
        ["setoption", ref rest @ ..] => UciCommand::Set(setting(rest)?),
        ["d"] => UciCommand::Display,
        ["stop"] => UciCommand::Stop,
        ["quit"] => UciCommand::Quit,
        [command @ ("uci" | "isready" | "ucinewgame" | "d" | "stop" | "quit"), ref rest @ ..] => {
            return Err(format!("{command}: {}, expected nothing after it", describe_found(rest)).into());
        }
        _ => {
            let known = "uci, isready, ucinewgame, position, go, d, setoption, stop, quit";
            return Err(format!("{}, expected one of {known}", describe_found(&words[..1])).into());
        }
    })
}

/// Maximum number of characters of a line quoted in a message.
const MAX_QUOTED: usize = 60;

/// Describes the words found.
fn describe_found(words: &[&str]) -> String {
    let text = words.join(" ");
    match words {
        [] => "found nothing".into(),
        _ if text.chars().count() > MAX_QUOTED => format!("found '{}…'", excerpt(&text, MAX_QUOTED)),
        _ => format!("found '{}'", excerpt(&text, MAX_QUOTED)),
    }
}

fn position(words: &[&str]) -> Result<Board, String> {
    let (place, moves) = words.split_at(words.iter().position(|word| *word == "moves").unwrap_or(words.len()));
    let board = match place {
        ["startpos"] => Fen::parse(Fen::START),
        ["startpos", rest @ ..] => return Err(format!("position startpos: {}, expected moves", describe_found(rest))),
        ["fen", fen @ ..] => Fen::parse(&fen.join(" ")),
        _ => {
            return Err(format!(
                "position: {}, expected one of startpos, fen",
                describe_found(&place[..place.len().min(1)])
            ));
        }
    };
    let board = board.map_err(|error| format!("position: {error}"))?;
    play_moves(board, moves.get(1..).unwrap_or_default(), find_uci_move).map_err(|error| format!("position: {error}"))
}

fn depth(words: &[&str]) -> Result<u32, String> {
    let plies = if let [word] = words { parse_in_range(word, 0..=MAX_DEPTH) } else { None };
    plies
        .ok_or_else(|| format!("go perft: {}, expected a number of plies from 0 to {MAX_DEPTH}", describe_found(words)))
}

fn setting(words: &[&str]) -> Result<Setting, String> {
    let ["name", rest @ ..] = words else {
        return Err(format!("setoption: {}, expected 'name NAME value VALUE'", describe_found(words)));
    };
    let (name, value) = rest.split_at(rest.iter().position(|word| *word == "value").unwrap_or(rest.len()));
    let (name, value) = (name.join(" "), value.get(1..).unwrap_or_default().join(" "));
    let expected = |what: &dyn Display| format!("setoption {name}: {}, expected {what}", describe_found(&[&value]));
    match &*name.to_ascii_lowercase() {
        "threads" => {
            let threads = parse_in_range(&value, 1..=MAX_THREADS).map(Setting::Threads);
            threads.ok_or_else(|| expected(&format!("a number from 1 to {MAX_THREADS}")))
        }
        "hash" => {
            let size = parse_in_range(&value, 0..=MAX_HASH).map(Setting::Hash);
            size.ok_or_else(|| expected(&format!("a number of MiB from 0 to {MAX_HASH}")))
        }
        "exact" => {
            let matching = parse_switch(&value, [EntryMatch::Position, EntryMatch::Tag]).map(Setting::Matching);
            matching.ok_or_else(|| expected(&"one of true, false"))
        }
        "uci_chess960" => {
            let notation = parse_switch(&value, [Notation::Chess960, Notation::Standard]).map(Setting::Notation);
            notation.ok_or_else(|| expected(&"one of true, false"))
        }
        _ => {
            Err(format!("setoption: {}, expected one of Threads, Hash, Exact, UCI_Chess960", describe_found(&[&name])))
        }
    }
}

fn parse_in_range<T: FromStr + PartialOrd>(text: &str, range: RangeInclusive<T>) -> Option<T> {
    text.parse().ok().filter(|number| range.contains(number))
}

/// Returns the first value for `true`, the second for `false`.
fn parse_switch<T>(text: &str, [yes, no]: [T; 2]) -> Option<T> {
    match &*text.to_ascii_lowercase() {
        "true" => Some(yes),
        "false" => Some(no),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read() {
        let board = |line: &str| match read(line) {
            Ok(UciCommand::Position(board)) => board.to_string(),
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(board("position startpos"), Fen::START);
        let after = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
        assert_eq!(board(" position  startpos moves\te2e4 "), after);
        assert_eq!(board("position startpos moves"), Fen::START);
        assert_eq!(board(&format!("position fen {after}")), after);
        for castling in ["e1g1", "e1h1"] {
            let line = format!("position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves {castling}");
            assert_eq!(board(&line), "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1");
        }
        let set = |line: &str| match read(line) {
            Ok(UciCommand::Set(setting)) => setting,
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(set("setoption name Threads value 3"), Setting::Threads(3));
        assert_eq!(set("setoption name hash value 0"), Setting::Hash(0));
        assert_eq!(set("setoption name Exact value True"), Setting::Matching(EntryMatch::Position));
        assert_eq!(set("setoption name UCI_Chess960 value false"), Setting::Notation(Notation::Standard));
        assert!(matches!(read("go perft 5"), Ok(UciCommand::Perft(5))));
        assert!(matches!((read(""), read("debug on")), (Ok(UciCommand::Nothing), Ok(UciCommand::Nothing))));
    }

    #[test]
    fn what_is_not_understood_is_named() {
        for (line, expected) in [
            ("gp", "found 'gp', expected one of uci, isready, "),
            ("uci now", "uci: found 'now', expected nothing after it"),
            ("position", "position: found nothing, expected one of startpos, fen"),
            ("position start", "position: found 'start', expected one of startpos, fen"),
            ("position startpos e2e4", "position startpos: found 'e2e4', expected moves"),
            ("position fen", "position: FEN field 'board': found 1 rank, expected 8 ranks separated by '/'"),
            ("position startpos moves e2e5", "position: found 'e2e5', expected a legal move of '"),
            ("position startpos moves e2e4 Nf6", "in UCI notation; did you mean 'g8f6'?"),
            ("go perft", "go perft: found nothing, expected a number of plies from 0 to 64"),
            ("go perft -1", "go perft: found '-1', expected a number"),
            ("go perft 65", "go perft: found '65', expected a number"),
            ("go perft 3 4", "go perft: found '3 4', expected a number"),
            ("setoption Threads 3", "setoption: found 'Threads 3', expected 'name NAME value VALUE'"),
            ("setoption name Threads value 0", "setoption Threads: found '0', expected a number from 1 to 4096"),
            ("setoption name Hash", "setoption Hash: found '', expected a number of MiB from 0 to "),
            ("setoption name Exact value 1", "setoption Exact: found '1', expected one of true, false"),
            ("setoption name Hsh value 1", "setoption: found 'Hsh', expected one of Threads, Hash, Exact"),
        ] {
            let Err(RefusedLine::Invalid(found)) = read(line) else { panic!("{line} is understood") };
            assert!(found.contains(expected), "{line}: {found}");
        }
        let Err(RefusedLine::Search(found)) = read("go depth 3") else { panic!("a search") };
        assert_eq!(found, "go: found 'depth 3', expected 'perft N': there is no search");
        let Err(RefusedLine::Invalid(long)) = read(&"x".repeat(1 << 20)) else { panic!("it is understood") };
        assert!(long.len() < 200, "{long}");
    }
}
