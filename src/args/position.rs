//! One position: a FEN and moves from it, as people write and copy them.

use super::text::decode;
use crate::failure::{CommandFailure, Usage};
use clap::Args;
use perft_gate_chess::{Algebraic, Board, Fen, FenError, Move, MoveNames, Square, excerpt, legal_moves};
use perft_gate_walk::board_after;
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
    pub fn board(&self) -> Result<Board, CommandFailure> {
        let moves: Vec<&str> = self.moves.iter().flat_map(|moves| without_numbers(moves)).collect();
        board_of(&self.fen, &moves)
    }
}

/// Returns the value of `--fen`; for `-`, the first non-empty line of standard input.
pub fn fen_of(fen: &str) -> Result<Cow<'_, str>, CommandFailure> {
    if fen != "-" {
        return Ok(fen.into());
    }
    let mut input = BufReader::new(std::io::stdin().lock().take(MAX_FEN_INPUT));
    loop {
        let mut bytes = Vec::new();
        let read = match input.fill_buf() {
            // A UTF-16 line does not end with a single byte.
            Ok([0xff | 0xfe, ..] | [0, ..] | [_, 0, ..]) => input.read_to_end(&mut bytes),
            _ => input.read_until(b'\n', &mut bytes),
        };
        let read = read.map_err(|error| Usage(format!("--fen -: {error}, expected a FEN on standard input")))?;
        let text = decode(bytes).map_err(|error| Usage(format!("--fen -: {error}")))?;
        match text.lines().map(str::trim).find(|line| !line.is_empty()) {
            Some(fen) => return Ok(fen.to_string().into()),
            None if read == 0 => {
                return Err(Usage("--fen -: found nothing on standard input, expected a FEN".into()));
            }
            None => {}
        }
    }
}

/// Returns the board of `--fen` after `--moves`, read as leniently as a row of a suite. Tolerated faults are noted.
pub fn board_of(fen: &str, moves: &[&str]) -> Result<Board, CommandFailure> {
    let (board, faults) = parse_tolerant(&fen_of(fen)?, moves)?;
    for fault in faults {
        note!("note: {fault}: strict programs refuse this position");
    }
    Ok(board)
}

/// Returns the board of a FEN after moves, and the tolerated faults.
pub fn parse_tolerant(fen: &str, moves: &[&str]) -> Result<(Board, Vec<FenError>), CommandFailure> {
    let (fen, first) = unwrap_fen(fen);
    let fen = match fen {
        "startpos" => Fen::START,
        "kiwipete" => Fen::KIWIPETE,
        other => other,
    };
    if is_name(fen) {
        return Err(Usage(format!("--fen: found '{fen}', expected one of startpos, kiwipete or a FEN")));
    }
    let (board, faults) = Fen::parse_tolerant(fen)?;
    let moves: Vec<&str> = first.split_whitespace().chain(moves.iter().copied()).collect();
    let board = play_moves(board, &moves, find_move).map_err(|error| Usage(format!("--moves: {error}")))?;
    Ok((board, faults))
}

/// Returns true for a text that may be a misspelt name, but no FEN.
fn is_name(text: &str) -> bool {
    text.len() > 1 && text.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Returns the FEN, `startpos` or `kiwipete` in text that people copy (`position fen FEN moves …`, `[FEN "…"]`, or a
/// quoted FEN), and the moves.
fn unwrap_fen(text: &str) -> (&str, &str) {
    let mut text = text.trim().trim_end_matches(';').trim_end();
    if let Some(tag) = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
        text = tag.trim();
    }
    for prefix in ["position", "fen"] {
        let rest =
            text.get(..prefix.len()).filter(|word| word.eq_ignore_ascii_case(prefix)).map(|_| &text[prefix.len()..]);
        let is_end =
            |rest: &&str| rest.starts_with(|letter: char| letter.is_whitespace() || letter == ':' || letter == '"');
        text =
            rest.filter(is_end).map_or(text, |rest| rest.trim_start_matches(|c: char| c.is_whitespace() || c == ':'));
    }
    for quote in ['"', '\'', '`'] {
        text = text.strip_prefix(quote).and_then(|text| text.strip_suffix(quote)).unwrap_or(text).trim();
    }
    match text.split_once(" moves ") {
        Some((fen, moves)) => (fen.trim_end(), moves),
        None => (text.strip_suffix(" moves").unwrap_or(text), ""),
    }
}

/// Returns the board after moves, each read by `find`. **Errors**: names the first illegal one.
pub fn play_moves(board: Board, moves: &[&str], find: fn(&Board, &str) -> Option<Move>) -> Result<Board, String> {
    moves.iter().try_fold(board, |board, text| match find(&board, text) {
        Some(mv) => Ok(board_after(&board, mv)),
        None => {
            let hint = san_hint(&board, text).unwrap_or_default();
            Err(format!("found '{}', expected a legal move of '{board}'{hint}", excerpt(text, 20)))
        }
    })
}

/// Returns the legal move of a text in UCI notation. Castling may also be king takes rook.
pub fn find_uci_move(board: &Board, text: &str) -> Option<Move> {
    let is_written = |mv: &&Move| mv.uci().to_string() == text || mv.uci_chess960().to_string() == text;
    legal_moves(board).iter().find(is_written).copied()
}

/// Returns the only legal move that matches a text in UCI notation or SAN.
fn find_move(board: &Board, text: &str) -> Option<Move> {
    MoveNames::new(board).read(text)
}

/// Returns the moves of a text, without commas and without the move numbers that PGN writes: `1. e4 e5 2.Nf3`, `1... e5`.
fn without_numbers(moves: &str) -> impl Iterator<Item = &str> {
    let words = moves.split([' ', '\t', '\n', '\r', ',']).map(|word| match word.split_once('.') {
        Some((number, mv)) if number.bytes().all(|byte| byte.is_ascii_digit()) => mv.trim_start_matches('.'),
        _ => word,
    });
    words.filter(|word| !word.is_empty())
}

/// Returns the end of a message about a rejected move, if the move is in standard algebraic notation (SAN, `Nf3`) where
/// UCI notation (`g1f3`) is expected, or if several moves match.
///
/// Notation: <https://www.chessprogramming.org/Algebraic_Chess_Notation>.
fn san_hint(board: &Board, text: &str) -> Option<String> {
    let is_legal = |text: &str| find_uci_move(board, text).is_some();
    if text.len() > 5 && text.get(..4).is_some_and(is_legal) {
        return Some(", then a space or a comma".into());
    }
    let read = Algebraic::parse(text)?;
    let meant: Vec<String> = read.legal(board).iter().map(|mv| mv.uci().to_string()).collect();
    // Two squares and no piece: UCI notation.
    let is_uci = matches!(read, Algebraic::Piece { role: None, .. });
    match &meant[..] {
        [] if is_uci => None,
        [] => Some(" in UCI notation, such as e2e4".into()),
        moves => Some(format!(" in UCI notation; did you mean '{}'?", moves.join("' or '"))),
    }
}

/// Returns the pieces by rank, with the names of ranks and files.
pub fn diagram(board: &Board) -> String {
    let letter = |square| board.piece_on(square).map_or('.', |piece| piece.letter());
    let rank = |rank| {
        let pieces: Vec<String> = (0..8).map(|file| letter(Square::from_coords(file, rank)).to_string()).collect();
        format!("{} {}\n", rank + 1, pieces.join(" "))
    };
    (0..8).rev().map(rank).collect::<String>() + "  a b c d e f g h"
}

/// Returns the arguments with an unquoted FEN joined to one word, after `--fen` and anywhere else.
///
/// The fields decide, not their number: `--fen 8/…/8 w - - 0 1 7` leaves the 7, and both clocks may be missing.
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

/// Returns the number of words in a FEN; 1 if the first word is not a board.
fn fen_length(words: &[OsString]) -> usize {
    let is_board = |word: &str| word.matches('/').count() == 7 && !word.contains(char::is_whitespace);
    if !words[0].to_str().is_some_and(is_board) {
        return 1;
    }
    // A single `-` is a field.
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
    fn a_fen_is_found_in_what_people_copy() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for text in [
            "F",
            " F ",
            "\"F\"",
            "'F'",
            "fen F",
            "FEN: F",
            "position fen F",
            "position fen F moves",
            "[FEN \"F\"]",
            "[FEN F]",
            "\"F\";",
        ] {
            assert_eq!(unwrap_fen(&text.replace('F', fen).replace(&format!("{fen}EN"), "FEN")), (fen, ""), "{text}");
        }
        let moved = unwrap_fen("position startpos moves e2e4 e7e5");
        assert_eq!(moved, ("startpos", "e2e4 e7e5"));
        assert_eq!(unwrap_fen("kiwipete"), ("kiwipete", ""));
        assert_eq!(unwrap_fen("fenland"), ("fenland", ""));
    }

    #[test]
    fn moves_may_be_written_in_san() {
        let after = |text: &str| {
            let moves: Vec<&str> = without_numbers(text).collect();
            let start = Fen::parse(Fen::START).expect("the start");
            play_moves(start, &moves, find_move).map(|board| board.to_string())
        };
        for text in [
            "g1f3 e7e6 g2g4 g8f6 h2h3 h7h6",
            "Nf3 e6 g4 Nf6 h3 h6",
            "1. Nf3 e6 2. g4 Nf6 3. h3 h6!?",
            "1.Nf3 1... e6 2.g2g4 Ng8-f6 h3 h7-h6",
        ] {
            assert_eq!(after(text), after("g1f3 e7e6 g2g4 g8f6 h2h3 h7h6"), "{text}");
        }
        let opening = "Nf3 e6 g4 Nf6 h3 Bb4 Bg2 Ke7 O-O";
        assert_eq!(after(opening), after("g1f3 e7e6 g2g4 g8f6 h2h3 f8b4 f1g2 e8e7 e1g1"));
        for (text, found) in [
            ("Nc3 a6 Ne4 a5 Nf3 a4 Ng5", "found 'Ng5', expected a legal move"),
            ("Nc3 a6 Ne4 a5 Nf3 a4 Ng5", "; did you mean 'f3g5' or 'e4g5'?"),
            ("e4 e5 0-0", "found '0-0', expected"),
            ("b4 a5 bxa5 c5 a6 c4 axb7 c3 bxa8", "did you mean 'b7a8"),
            ("e9", "found 'e9', expected a legal move"),
        ] {
            let error = after(text).expect_err(text);
            assert!(error.contains(found), "{text}: {error}");
        }
    }

    #[test]
    fn the_move_that_is_meant_is_named() {
        let corners = "r3k2r/1P6/8/2PpP3/8/8/8/R3K2R w KQkq d6 0 1";
        for (fen, text, expected) in [
            (Fen::START, "Nf3", Some(" in UCI notation; did you mean 'g1f3'?")),
            (Fen::START, "e4", Some(" in UCI notation; did you mean 'e2e4'?")),
            (Fen::START, "e4!?", Some(" in UCI notation; did you mean 'e2e4'?")),
            (Fen::START, "Qh5#", Some(" in UCI notation, such as e2e4")),
            (Fen::START, "e2e5", None),
            (Fen::START, "x", None),
            (Fen::START, "", None),
            (corners, "O-O", Some(" in UCI notation; did you mean 'e1g1'?")),
            (corners, "0-0-0+", Some(" in UCI notation; did you mean 'e1c1'?")),
            (corners, "exd6", Some(" in UCI notation; did you mean 'e5d6'?")),
            (corners, "d6", Some(" in UCI notation; did you mean 'c5d6' or 'e5d6'?")),
            (corners, "bxa8=N", Some(" in UCI notation; did you mean 'b7a8n'?")),
            (corners, "Rad1", Some(" in UCI notation; did you mean 'a1d1'?")),
            (corners, "Kd2", Some(" in UCI notation; did you mean 'e1d2'?")),
        ] {
            let board = Fen::parse(fen).expect("a position");
            assert_eq!(san_hint(&board, text).as_deref(), expected, "{text}");
        }
    }

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
