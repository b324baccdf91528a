//! Reads one position: a FEN and the moves played from it, in the forms in which people write and copy them.

use perft_gate_chess::{Algebraic, Board, Fen, FenError, Move, MoveNames, excerpt, legal_moves};
use perft_gate_walk::board_after;

/// Why a position is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PositionError {
    /// The FEN is wrong.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A word that is not the name of a position.
    #[error("found '{0}', expected one of startpos, kiwipete or a FEN")]
    Name(String),
    /// A move is not legal.
    #[error("{0}")]
    Move(String),
}

/// Returns the board after playing moves from a FEN, and the errors in the FEN that were tolerated.
pub fn parse_tolerant(text: &str, moves: &[&str]) -> Result<(Board, Vec<FenError>), PositionError> {
    let (fen, first) = unwrap_fen(text);
    let fen = match fen {
        "startpos" => Fen::START,
        "kiwipete" => Fen::KIWIPETE,
        // Such a word is a misspelt name, not a FEN.
        word if word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_alphabetic()) => {
            return Err(PositionError::Name(word.into()));
        }
        other => other,
    };
    let (board, faults) = Fen::parse_tolerant(fen)?;
    let moves: Vec<&str> = first.split_whitespace().chain(moves.iter().copied()).collect();
    Ok((play_moves(board, &moves, find_move).map_err(PositionError::Move)?, faults))
}

/// Returns the FEN, `startpos` or `kiwipete` in copied text (`position fen FEN moves …`, `[FEN "…"]`, or a quoted FEN),
/// and the moves after it.
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

/// Returns the board after the given moves. `find` reads each move. **Errors**: a message about the first illegal move.
pub fn play_moves(
    board: Board,
    moves: &[impl AsRef<str>],
    find: fn(&Board, &str) -> Option<Move>,
) -> Result<Board, String> {
    moves.iter().map(AsRef::as_ref).try_fold(board, |board, text| match find(&board, text) {
        Some(mv) => Ok(board_after(&board, mv)),
        None => {
            let hint = san_hint(&board, text).unwrap_or_default();
            Err(format!("found '{}', expected a legal move in '{board}'{hint}", excerpt(text, 20)))
        }
    })
}

/// Returns the legal move named by a text in UCI notation. Castling may also be written as king takes rook.
pub fn find_uci_move(board: &Board, text: &str) -> Option<Move> {
    let is_written = |mv: &&Move| mv.uci().to_string() == text || mv.uci_chess960().to_string() == text;
    legal_moves(board).iter().find(is_written).copied()
}

/// Returns the only legal move that matches a text in UCI notation or SAN.
pub fn find_move(board: &Board, text: &str) -> Option<Move> {
    MoveNames::new(board).read(text)
}

/// Returns the moves of a text, without the commas and PGN move numbers that the text may contain, as in `1. e4 e5
/// 2.Nf3` and `1... e5`.
pub fn without_numbers(moves: &str) -> impl Iterator<Item = &str> {
    let words = moves.split([' ', '\t', '\n', '\r', ',']).map(|word| match word.split_once('.') {
        Some((number, mv)) if number.bytes().all(|byte| byte.is_ascii_digit()) => mv.trim_start_matches('.'),
        _ => word,
    });
    words.filter(|word| !word.is_empty())
}

/// Returns a hint about a rejected move if it is written in standard algebraic notation (SAN, `Nf3`) instead of UCI
/// notation (`g1f3`), if it matches several moves, or if the separator after it is missing.
///
/// Notation: <https://www.chessprogramming.org/Algebraic_Chess_Notation>.
fn san_hint(board: &Board, text: &str) -> Option<String> {
    let is_legal = |text: &str| find_uci_move(board, text).is_some();
    if text.len() > 5 && text.get(..4).is_some_and(is_legal) {
        return Some(", then a space or a comma".into());
    }
    let read = Algebraic::parse(text)?;
    let meant: Vec<String> = read.legal(board).iter().map(|mv| mv.uci().to_string()).collect();
    // Two squares without a piece letter are UCI notation.
    let is_uci = matches!(read, Algebraic::Piece { role: None, .. });
    match &meant[..] {
        [] if is_uci => None,
        [] => Some(" in UCI notation, such as e2e4".into()),
        moves => Some(format!(" in UCI notation; did you mean '{}'?", moves.join("' or '"))),
    }
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
        let board = Fen::parse("r3k2r/1P6/8/2PpP3/8/8/8/R3K2R w KQkq d6 0 1").expect("a position");
        for (text, expected) in [
            ("O-O", Some(" in UCI notation; did you mean 'e1g1'?")),
            ("d6", Some(" in UCI notation; did you mean 'c5d6' or 'e5d6'?")),
            ("Qh5#", Some(" in UCI notation, such as e2e4")),
            ("e1e3", None),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(san_hint(&board, text).as_deref(), expected, "{text}");
        }
    }
}
