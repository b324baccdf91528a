//! A hint for moves in standard algebraic notation (SAN, `Nf3`) that are not understood: where UCI notation (`g1f3`) is
//! expected, or where several moves fit.
//!
//! Notation: <https://www.chessprogramming.org/Algebraic_Chess_Notation>.

use perft_gate_chess::{Algebraic, Board};

/// Returns the end of a message about a move that was not understood, if the move is written in SAN.
pub fn hint(board: &Board, text: &str) -> Option<String> {
    let read = Algebraic::parse(text)?;
    let meant: Vec<String> = read.legal(board).iter().map(|mv| mv.uci().to_string()).collect();
    // Both squares and no piece: UCI notation.
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
    use perft_gate_chess::Fen;

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
            assert_eq!(hint(&board, text).as_deref(), expected, "{text}");
        }
    }
}
