//! Arguments of UCI commands. An invalid argument is rejected with a message that says what was found and what was
//! expected.

use perft_gate_chess::{Board, Fen, excerpt};
use perft_gate_listing::position_text::{find_uci_move, play_moves};
use perft_gate_walk::MAX_DEPTH;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Maximum number of characters that a message quotes from a line.
const MAX_QUOTED: usize = 60;

pub fn describe_found(words: &[&str]) -> String {
    let text = words.join(" ");
    match words {
        [] => "found nothing".into(),
        _ if text.chars().count() > MAX_QUOTED => format!("found '{}…'", excerpt(&text, MAX_QUOTED)),
        _ => format!("found '{}'", excerpt(&text, MAX_QUOTED)),
    }
}

pub fn position(words: &[&str]) -> Result<Board, String> {
    let (place, moves) = words.split_at(words.iter().position(|word| *word == "moves").unwrap_or(words.len()));
    let board = match place {
        ["startpos"] => Fen::parse(Fen::START),
        ["startpos", rest @ ..] => {
            return Err(format!("position startpos: {}, expected 'moves'", describe_found(rest)));
        }
        ["fen", fen @ ..] => Fen::parse(&fen.join(" ")),
        _ => {
            let found = describe_found(&place[..place.len().min(1)]);
            return Err(format!("position: {found}, expected one of startpos, fen"));
        }
    };
    let board = board.map_err(|error| format!("position: {error}"))?;
    play_moves(board, moves.get(1..).unwrap_or_default(), find_uci_move).map_err(|error| format!("position: {error}"))
}

pub fn depth(words: &[&str]) -> Result<u32, String> {
    let plies = if let [word] = words { parse_in_range(word, 0..=MAX_DEPTH) } else { None };
    plies
        .ok_or_else(|| format!("go perft: {}, expected a number of plies from 0 to {MAX_DEPTH}", describe_found(words)))
}

/// Splits `name NAME value VALUE` into the name and the value, which may both have several words.
pub fn option(words: &[&str]) -> Result<(String, String), String> {
    let ["name", rest @ ..] = words else {
        return Err(format!("setoption: {}, expected 'name NAME value VALUE'", describe_found(words)));
    };
    let (name, value) = rest.split_at(rest.iter().position(|word| *word == "value").unwrap_or(rest.len()));
    Ok((name.join(" "), value.get(1..).unwrap_or_default().join(" ")))
}

pub fn parse_in_range<T: FromStr + PartialOrd>(text: &str, range: RangeInclusive<T>) -> Option<T> {
    text.parse().ok().filter(|number| range.contains(number))
}
