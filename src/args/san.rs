//! A hint for moves in standard algebraic notation (SAN, `Nf3`), where UCI notation (`g1f3`) is expected.
//!
//! Notation: <https://www.chessprogramming.org/Algebraic_Chess_Notation>.

use perft_gate_walk::chess::{Board, Kind, Move, Role, Wing, legal_moves};
use regex_lite::Regex;
use std::sync::LazyLock;

static SAN: LazyLock<Regex> = LazyLock::new(|| {
    let piece_move = r"([KQRBN])?([a-h])?([1-8])?[x:]?([a-h][1-8])(?:=?\(?([QRBN])\)?)?(?: ?e\.p\.)?";
    Regex::new(&format!(r"^(?:{piece_move}|([O0]-[O0](?:-[O0])?))[+#]*[!?]*$")).expect("a valid pattern")
});

/// Returns the end of a message about a move that was not understood, if the move is written in SAN.
pub fn hint(board: &Board, text: &str) -> Option<String> {
    let found = SAN.captures(text)?;
    let part = |group: usize| found.get(group).map(|part| part.as_str());
    let is_meant = |mv: &Move| {
        let (from, to) = (mv.from().to_string(), mv.to().to_string());
        if let Some(castling) = part(6) {
            let wing = if castling.len() == 3 { Wing::King } else { Wing::Queen };
            return mv.kind() == Kind::Castle && Wing::of(mv.from(), mv.to()) == wing;
        }
        let role = board.piece_on(mv.from()).map(|piece| piece.role);
        let promotes = match mv.kind() {
            Kind::Promotion(role) => Some(letter(role)),
            _ => None,
        };
        mv.kind() != Kind::Castle
            && role.map(letter) == Some(part(1).unwrap_or("P"))
            && part(2).is_none_or(|file| from.starts_with(file))
            && part(3).is_none_or(|rank| from.ends_with(rank))
            && part(4) == Some(&*to)
            && part(5).is_none_or(|wanted| promotes == Some(wanted))
    };
    let meant: Vec<String> =
        legal_moves(board).iter().filter(|mv| is_meant(mv)).map(|mv| mv.uci().to_string()).collect();
    // A move that is no SAN, such as e2e5, also fits the pattern.
    match &meant[..] {
        [] if text.len() == 4 && part(2).is_some() && part(3).is_some() => None,
        [] => Some(" in UCI notation, such as e2e4".into()),
        moves => Some(format!(" in UCI notation; did you mean '{}'?", moves.join("' or '"))),
    }
}

/// Returns the letter of a piece in SAN; SAN has none for a pawn, which is P here.
const fn letter(role: Role) -> &'static str {
    match role {
        Role::Pawn => "P",
        Role::Knight => "N",
        Role::Bishop => "B",
        Role::Rook => "R",
        Role::Queen => "Q",
        Role::King => "K",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_walk::chess::Fen;

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
