//! Moves in algebraic notation, short (`Nf3`, `exd6`) or long (`Ng1-f3`, `e5xd6`), as engines list them.
//!
//! [`Algebraic::parse`] splits a text into piece, squares and promotion. [`Algebraic::legal`] finds the legal moves
//! that match these. A promotion may omit the piece (`g2g1`, `g1`), in which case the text matches four moves.
//!
//! Notation: <https://www.chessprogramming.org/Algebraic_Chess_Notation>.

use crate::board::Board;
use crate::castling::Wing;
use crate::movegen::legal_moves;
use crate::moves::{Kind, Move, Uci};
use crate::piece::Role;
use crate::square::Square;

/// The parts of a move in algebraic notation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Algebraic {
    /// Castling: `O-O`, `0-0-0`.
    Castling(Wing),
    /// Any other move.
    Piece {
        /// The piece; `None` if the text gives both squares but no piece letter.
        role: Option<Role>,
        /// File of the origin, 0 to 7.
        file: Option<u32>,
        /// Rank of the origin, 0 to 7.
        rank: Option<u32>,
        to: Square,
        /// The piece that a pawn becomes.
        promotion: Option<Role>,
    },
}

impl Algebraic {
    /// Parses a text. Ignores trailing marks for check, mate, good and bad moves, and e.p. captures.
    pub fn parse(text: &str) -> Option<Algebraic> {
        let text = text.trim_end_matches(['+', '#', '!', '?']).trim_end();
        let text = ["e.p.", "ep"].into_iter().fold(text, |text, end| text.strip_suffix(end).unwrap_or(text)).trim_end();
        match text.replace(['0', 'o'], "O").as_str() {
            "O-O" => return Some(Algebraic::Castling(Wing::King)),
            "O-O-O" => return Some(Algebraic::Castling(Wing::Queen)),
            _ => {}
        }
        let (text, promotion) = split_promotion(text);
        let (rest, to) = text.split_at_checked(text.len().checked_sub(2)?)?;
        let to = Square::parse(to)?;
        let rest = rest.strip_suffix(['-', 'x', ':']).unwrap_or(rest);
        let (rest, rank) = split_last(rest, |letter| letter.to_digit(9)?.checked_sub(1));
        let (rest, file) = split_last(rest, |letter| "abcdefgh".find(letter).map(|file| file as u32));
        // Once both squares have been read, a lower-case letter before them can only be a piece, not a file.
        let is_whole = file.is_some() && rank.is_some();
        let (rest, role) = split_last(rest, |letter| match letter {
            'p' | 'n' | 'b' | 'r' | 'q' | 'k' if is_whole => role_of(letter.to_ascii_uppercase()),
            letter => role_of(letter),
        });
        let pawn = || (file.is_none() || rank.is_none()).then_some(Role::Pawn);
        rest.is_empty().then(|| Algebraic::Piece { role: role.or_else(pawn), file, rank, to, promotion })
    }

    /// Returns the legal moves that the text matches.
    pub fn legal(self, board: &Board) -> Vec<Move> {
        let mut fitting: Vec<Move> = legal_moves(board).iter().copied().filter(|mv| self.fits(board, *mv)).collect();
        // `Kg1` means castling only if the king cannot step to g1.
        let is_step = |mv: &Move| mv.kind() != Kind::Castle;
        if matches!(self, Algebraic::Piece { file: None, .. }) && fitting.iter().any(is_step) {
            fitting.retain(is_step);
        }
        fitting
    }

    fn fits(self, board: &Board, mv: Move) -> bool {
        match self {
            Algebraic::Castling(wing) => mv.kind() == Kind::Castle && Wing::of_rook(mv.from(), mv.to()) == wing,
            Algebraic::Piece { to, promotion, .. } => {
                let target = match mv.kind() {
                    Kind::Castle => Wing::of_rook(mv.from(), mv.to()).destinations(board.turn()).0,
                    _ => mv.to(),
                };
                (target == to || mv.to() == to)
                    && self.is_origin(board, mv.from())
                    && (promotion.is_none() || promotion == mv.uci().promotion)
            }
        }
    }

    /// Returns true if a piece of the side to move is on `from` and the text can refer to that piece.
    fn is_origin(self, board: &Board, from: Square) -> bool {
        let Algebraic::Piece { role, file, rank, .. } = self else { return false };
        let own = board.piece_on(from).filter(|piece| piece.color == board.turn());
        own.is_some_and(|piece| role.is_none_or(|role| piece.role == role))
            && file.is_none_or(|file| from.file() == file)
            && rank.is_none_or(|rank| from.rank() == rank)
    }

    /// Returns one move in UCI notation, legal or not, for each piece of the side to move that the text can refer to.
    pub fn origins(self, board: &Board) -> Vec<String> {
        let Algebraic::Piece { to, promotion, .. } = self else { return Vec::new() };
        let letter = promotion.map_or(String::new(), |role| role.letter().to_string());
        let origins = Square::all().filter(|from| self.is_origin(board, *from));
        origins.map(|from| format!("{from}{to}{letter}")).collect()
    }
}

/// Splits off the promotion: `=Q`, `(Q)`, `/Q`, `Q` or `q`.
fn split_promotion(text: &str) -> (&str, Option<Role>) {
    let inner = text.strip_suffix(')').unwrap_or(text);
    let is_promotion = |role: &Role| !matches!(role, Role::King | Role::Pawn);
    match split_last(inner, |letter| role_of(letter.to_ascii_uppercase()).filter(is_promotion)) {
        (rest, Some(role)) => (rest.trim_end_matches(['=', '(', '/']), Some(role)),
        _ => (text, None),
    }
}

/// Splits off the last letter if `meaning` accepts it.
fn split_last<T>(text: &str, meaning: impl FnOnce(char) -> Option<T>) -> (&str, Option<T>) {
    let mut letters = text.chars();
    match letters.next_back().and_then(meaning) {
        Some(found) => (letters.as_str(), Some(found)),
        None => (text, None),
    }
}

/// Returns the role that a letter or a figurine denotes.
fn role_of(letter: char) -> Option<Role> {
    let letters = ["P♙♟", "N♘♞", "B♗♝", "R♖♜", "Q♕♛", "K♔♚"];
    Role::ALL.into_iter().zip(letters).find_map(|(role, letters)| letters.contains(letter).then_some(role))
}

/// Finds a position's legal moves by the names that engines use: UCI or (short or long) algebraic notation. In UCI,
/// castling may be written as the king's real move, a king's move of two squares towards the rook, or king takes rook.
pub struct MoveNames<'b> {
    board: &'b Board,
    uci: Vec<(Uci, Move)>,
}

impl MoveNames<'_> {
    /// Lists the names of the legal moves of a position.
    pub fn new(board: &Board) -> MoveNames<'_> {
        let moves = legal_moves(board);
        let castles = moves.iter().filter(|mv| mv.kind() == Kind::Castle).flat_map(|&mv| {
            let (from, to) = (mv.from(), mv.to());
            let (king_to, _) = Wing::of_rook(from, to).destinations(board.turn());
            // Some programs write Chess960 castling as a king's move of two squares. No other king's move is that long.
            let two = match Wing::of_rook(from, to) {
                Wing::King => from.file() + 2,
                Wing::Queen => from.file().wrapping_sub(2),
            };
            let two = if two < 8 { Square::from_coords(two, from.rank()) } else { to };
            [to, king_to, two].map(|to| (Uci::new(from, to), mv))
        });
        // If two moves share a name, the first wins. In Chess960 an ordinary king's move may have the same name as
        // castling. The ordinary move comes first.
        MoveNames { board, uci: moves.iter().map(|&mv| (mv.uci(), mv)).chain(castles).collect() }
    }

    /// Returns the move that `text` names, or `None` if it names no legal move or is ambiguous.
    pub fn read(&self, text: &str) -> Option<Move> {
        match self.candidates(text)[..] {
            [mv] => Some(mv),
            _ => None,
        }
    }

    /// Returns the count that an engine's `listing` gives for a move, or `None` if the move is not listed.
    pub fn find(&self, mv: Move, listing: &[(String, u128)]) -> Option<u128> {
        listing.iter().find(|(text, _)| self.read(text) == Some(mv)).map(|(_, count)| *count)
    }

    /// Returns the moves that match a text. Several moves match if a promotion does not name its piece, or if short
    /// notation is ambiguous.
    pub fn candidates(&self, text: &str) -> Vec<Move> {
        if let Some(name) = Uci::parse(text)
            && let Some((_, mv)) = self.uci.iter().find(|(other, _)| *other == name)
        {
            return vec![*mv];
        }
        Algebraic::parse(text).map_or(Vec::new(), |read| read.legal(self.board))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::Fen;

    pub(crate) fn standard_positions() -> impl Iterator<Item = Board> {
        let rows = perft_suites::STANDARD.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        rows.map(|row| Fen::parse(row.split(" ;").next().expect("a FEN")).expect("a position"))
    }

    #[test]
    fn a_text_fits_the_moves_that_it_may_stand_for() {
        let corners = "r3k2r/1P6/8/2PpP3/8/8/8/R3K2R w KQkq d6 0 1";
        for (fen, text, expected) in [
            (Fen::START, "Nf3", "g1f3"),
            (Fen::START, "Ng1-f3", "g1f3"),
            (Fen::START, "♘f3", "g1f3"),
            (Fen::START, "e4!?", "e2e4"),
            (Fen::START, "e2-e4", "e2e4"),
            (Fen::START, "Pe2-e4", "e2e4"),
            (Fen::START, "Qh5#", ""),
            (Fen::START, "Nd2", ""),
            (Fen::START, "e2e5", ""),
            (corners, "O-O", "e1g1"),
            (corners, "0-0-0+", "e1c1"),
            (corners, "Ke1-g1", "e1g1"),
            (corners, "Ke1xh1", "e1g1"),
            (corners, "Kg1", "e1g1"),
            (corners, "ke1g1", "e1g1"),
            ("4k3/8/8/8/8/8/8/5K1R w H - 0 1", "Kg1", "f1g1"),
            (corners, "exd6 e.p.", "e5d6"),
            (corners, "e5xd6ep", "e5d6"),
            (corners, "d6", "c5d6 e5d6"),
            (corners, "bxa8=N", "b7a8n"),
            (corners, "b7-b8(R)+", "b7b8r"),
            (corners, "b8q", "b7b8q"),
            (corners, "b8/B", "b7b8b"),
            (corners, "b7b8", "b7b8b b7b8n b7b8q b7b8r"),
            (corners, "b8", "b7b8b b7b8n b7b8q b7b8r"),
            (corners, "Rad1", "a1d1"),
            (corners, "R1xa8", "a1a8"),
            (corners, "R2xa8", ""),
            (corners, "Rxa8+", "a1a8"),
        ] {
            let board = Fen::parse(fen).expect("a position");
            let legal = Algebraic::parse(text).map_or(Vec::new(), |read| read.legal(&board));
            let mut found: Vec<String> = legal.iter().map(|mv| mv.uci().to_string()).collect();
            found.sort();
            assert_eq!(found.join(" "), expected, "{text}");
        }
        for text in ["", "x", "N", "f", "Sf3", "nf3", "Nf9", "Nf33", "e2e4e5", "é4", "NNf3", "O-O-O-O", "20"] {
            assert_eq!(Algebraic::parse(text), None, "{text}");
        }
    }

    /// Every legal move of every standard position can be read back from its long notation.
    #[test]
    fn long_notation_reads_back() {
        for board in standard_positions() {
            for &mv in legal_moves(&board).iter() {
                let role = board.piece_on(mv.from()).expect("a piece").role;
                let text = mv.uci().to_string();
                let long = format!("{}{}-{}", role.letter().to_ascii_uppercase(), &text[..2], &text[2..]);
                let read = Algebraic::parse(&long).unwrap_or_else(|| panic!("{long} in {board}"));
                assert_eq!(read.legal(&board), [mv], "{long} in {board}");
            }
        }
    }
}
