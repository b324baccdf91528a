//! The options for a single position: a FEN, and moves to play from it.

use super::text::decode;
use crate::failure::{Result, Usage};
use clap::Args;
use perft_gate_chess::{Board, Fen, FenError, Square};
use perft_gate_listing::position_text::{self, PositionError, without_numbers};
use std::borrow::Cow;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read};

/// Maximum number of bytes of standard input that are read for a FEN.
const MAX_FEN_INPUT: u64 = 1 << 16;

/// Arguments for one position.
#[derive(Args, Debug)]
pub struct PositionArgs {
    /// Position: a FEN, with or without quotes, a UCI or PGN line (`position fen …`, `[FEN "…"]`), `startpos` or
    /// `kiwipete`. `-` reads standard input.
    #[arg(long, default_value = "startpos")]
    pub fen: String,
    /// Moves to play from there, in UCI notation (`e2e4`) or SAN (`Nf3`), with or without move numbers.
    #[arg(long, num_args = 1..)]
    pub moves: Vec<String>,
}

impl PositionArgs {
    pub fn board(&self) -> Result<Board> {
        let moves: Vec<&str> = self.moves.iter().flat_map(|moves| without_numbers(moves)).collect();
        board_of(&self.fen, &moves)
    }
}

/// Returns the value of `--fen`, or the first non-empty line of standard input if the value is `-`.
pub fn fen_of(fen: &str) -> Result<Cow<'_, str>> {
    if fen != "-" {
        return Ok(fen.into());
    }
    let mut input = BufReader::new(std::io::stdin().lock().take(MAX_FEN_INPUT));
    loop {
        let mut bytes = Vec::new();
        let read = match input.fill_buf() {
            // A line break in UTF-16 is not a single byte, so read everything.
            Ok([0xff | 0xfe, ..] | [0, ..] | [_, 0, ..]) => input.read_to_end(&mut bytes),
            _ => input.read_until(b'\n', &mut bytes),
        };
        let read = read.map_err(|error| Usage(format!("--fen -: {error}, expected a FEN on standard input")))?;
        let text = decode(bytes).map_err(|error| Usage(format!("--fen -: {error}")))?;
        match text.lines().map(str::trim).find(|line| !line.is_empty()) {
            Some(fen) => return Ok(fen.to_string().into()),
            None if read == 0 => return Err(Usage("--fen -: found nothing on standard input, expected a FEN".into())),
            None => {}
        }
    }
}

/// Returns the board of `--fen` after `--moves`, parsed as leniently as a row of a suite. Prints any tolerated faults.
pub fn board_of(fen: &str, moves: &[&str]) -> Result<Board> {
    let (board, faults) = parse_tolerant(&fen_of(fen)?, moves)?;
    for fault in faults {
        note!("note: {fault}: strict programs refuse this position");
    }
    Ok(board)
}

/// Returns the board of a FEN after moves, and the faults of the FEN that are tolerated.
pub fn parse_tolerant(fen: &str, moves: &[&str]) -> Result<(Board, Vec<FenError>)> {
    position_text::parse_tolerant(fen, moves).map_err(|error| match error {
        PositionError::Fen(error) => error.into(),
        PositionError::Name(_) => Usage(format!("--fen: {error}")),
        PositionError::Move(_) => Usage(format!("--moves: {error}")),
    })
}

/// Returns a text diagram of the board, with the names of ranks and files.
pub fn diagram(board: &Board) -> String {
    let letter = |square| board.piece_on(square).map_or('.', |piece| piece.letter());
    let rank = |rank| {
        let pieces: Vec<String> = (0..8).map(|file| letter(Square::from_coords(file, rank)).to_string()).collect();
        format!("{} {}\n", rank + 1, pieces.join(" "))
    };
    (0..8).rev().map(rank).collect::<String>() + "  a b c d e f g h"
}

/// Joins the words of each unquoted FEN into one argument, after `--fen` and anywhere else.
///
/// A FEN ends after its clocks, or after four fields if it has none: `--fen 8/…/8 w - - 0 1 7` leaves the 7.
pub fn join_fen_words(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let (words, mut joined, mut at) = (arguments.into_iter().collect::<Vec<_>>(), Vec::new(), 0);
    while at < words.len() {
        if words[at] == "--" {
            // The rest is an engine's command line.
            joined.extend_from_slice(&words[at..]);
            break;
        }
        let length = fen_length(&words[at..]);
        let fen = words[at..at + length].join(" ".as_ref());
        let is_fen = at > 0 && words[at - 1] == "--fen" || fen.to_str().is_some_and(|fen| Fen::parse(fen).is_ok());
        joined.push(if is_fen { fen } else { words[at].clone() });
        at += if is_fen { length } else { 1 };
    }
    joined
}

/// Returns the number of words in a FEN, or 1 if the first word does not describe a board.
fn fen_length(words: &[OsString]) -> usize {
    let is_board = |word: &str| word.matches('/').count() == 7 && !word.contains(char::is_whitespace);
    if !words[0].to_str().is_some_and(is_board) {
        return 1;
    }
    // A lone `-` is a field of the FEN, not an option.
    let is_option = |word: &&OsString| word.to_str().is_some_and(|word| word.len() > 1 && word.starts_with('-'));
    let is_number = |word: &&OsString| {
        word.to_str().is_some_and(|word| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit()))
    };
    let fields = words.iter().take(4).take_while(|word| !is_option(word)).count();
    let clocks = words.iter().skip(4).take(2).take_while(is_number).count();
    if fields == 4 && clocks == 2 { 6 } else { fields }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_of_a_fen_become_one_argument() {
        let kings = "4k3/8/8/8/8/8/8/4K3";
        for (line, expected) in [
            ("count --fen K w - - 0 1 -d 5", "count|--fen|K w - - 0 1|-d|5"),
            ("count --fen K w - - 0 1 5", "count|--fen|K w - - 0 1|5"),
            ("count --fen K b - e3 --depth 5", "count|--fen|K b - e3|--depth|5"),
            ("count --fen K b - - 5", "count|--fen|K b - -|5"),
            ("count --fen K w KQkq - 0 1 --moves e1e2", "count|--fen|K w KQkq - 0 1|--moves|e1e2"),
            ("count --fen K x y -d 5", "count|--fen|K x y|-d|5"),
            ("count --fen startpos 5", "count|--fen|startpos|5"),
            ("count --fen - 5", "count|--fen|-|5"),
            ("count --fen", "count|--fen"),
            ("engine -- ./engine --fen K w - -", "engine|--|./engine|--fen|K|w|-|-"),
        ] {
            let words = line.split(' ').map(|word| word.replace('K', if word == "K" { kings } else { "K" }).into());
            let found: Vec<String> =
                join_fen_words(words).iter().map(|word| word.to_string_lossy().into_owned()).collect();
            assert_eq!(found.join("|").replace(kings, "K"), expected, "{line}");
        }
        let quoted = ["--fen", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "7"].map(OsString::from);
        assert_eq!(join_fen_words(quoted.clone()), quoted);
    }
}
