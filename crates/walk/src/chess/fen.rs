//! FEN, X-FEN and Shredder-FEN, strict.
//!
//! Reading: castling may be `KQkq` (the outermost rook on that side of the king, as X-FEN has it) or rook files
//! (`HAha`, Shredder). Both counters may be absent, as in EPD; a full-move number of 0 reads as 1. Writing: X-FEN, or
//! Shredder-FEN on request. Sources: <https://www.chessprogramming.org/Forsyth-Edwards_Notation>,
//! <https://en.wikipedia.org/wiki/X-FEN>.

use super::{Bitboard, Board, Color, EnPassantPolicy, Piece, Role, Setup, Square, Wing};
use std::fmt;

/// The fields of a FEN, by their usual names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FenField {
    /// The pieces, rank by rank from the eighth.
    Board,
    /// `w` or `b`.
    SideToMove,
    /// `KQkq`, rook files, or `-`.
    Castling,
    /// A square or `-`.
    EnPassant,
    /// Plies since the last capture or pawn move.
    Halfmove,
    /// The number of the move.
    Fullmove,
    /// Any text after the last field.
    End,
}

impl fmt::Display for FenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FenField::Board => "board",
            FenField::SideToMove => "side to move",
            FenField::Castling => "castling",
            FenField::EnPassant => "en passant",
            FenField::Halfmove => "halfmove clock",
            FenField::Fullmove => "fullmove number",
            FenField::End => "end of line",
        })
    }
}

/// A fault of a FEN: the field, what was found, and what was expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FenError {
    /// The field at fault.
    pub field: FenField,
    /// The text that was found.
    pub found: String,
    /// The text that was expected.
    pub expected: String,
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FenError { field, found, expected } = self;
        write!(f, "FEN field '{field}': found {found}, expected {expected}")
    }
}

impl std::error::Error for FenError {}

fn fault<T>(field: FenField, found: impl fmt::Display, expected: impl fmt::Display) -> Result<T, FenError> {
    Err(FenError { field, found: excerpt(&found.to_string(), 80), expected: expected.to_string() })
}

/// Returns the first characters of a text, with invisible ones written as `<U+…>`, so that a hostile line does not become
/// a hostile message.
pub fn excerpt(text: &str, most: usize) -> String {
    let mut out = String::new();
    for letter in text.chars().take(most) {
        let is_shown = letter == ' ' || !letter.is_whitespace() && letter.escape_debug().next() != Some('\\');
        match is_shown || matches!(letter, '\'' | '"' | '\\') {
            true => out.push(letter),
            false => _ = fmt::Write::write_fmt(&mut out, format_args!("<U+{:04X}>", u32::from(letter))),
        }
    }
    out
}

/// The mark that some editors put before a text; it is not part of the text.
pub const BYTE_ORDER_MARK: char = '\u{feff}';

/// The reader and writer of FENs.
pub struct Fen;

impl Fen {
    /// The start position.
    pub const START: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    /// Reads a FEN.
    ///
    /// **Errors**: the first fault, field by field.
    pub fn parse(text: &str) -> Result<Board, FenError> {
        Fen::parse_later(text, 0)
    }

    /// Reads a FEN whose clocks may be up to `plies` above the limits of [`Fen::parse`].
    pub fn parse_later(text: &str, plies: u32) -> Result<Board, FenError> {
        let mut fields = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text).split_ascii_whitespace();
        let pieces = board_field(fields.next().unwrap_or(""))?;
        let turn = match fields.next() {
            Some("w") => Color::White,
            Some("b") => Color::Black,
            other => return fault(FenField::SideToMove, quoted(other), "'w' or 'b'"),
        };
        let castling_rooks = castling_field(fields.next(), &pieces)?;
        let en_passant = en_passant_field(fields.next(), turn, &pieces)?;
        let (halfmove, fullmove) = match fields.next() {
            None => (0, 1),
            Some(halfmove) => (
                counter(FenField::Halfmove, Some(halfmove), 9_999 + plies)? as u16,
                counter(FenField::Fullmove, fields.next(), 99_999 + plies)?.max(1),
            ),
        };
        if let Some(rest) = fields.next() {
            return fault(FenField::End, quoted(Some(rest)), "nothing after the fullmove number");
        }
        let board = Board::new(&Setup { pieces, turn, castling_rooks, en_passant, halfmove, fullmove });
        checks(&board)?;
        Ok(board)
    }

    /// Writes X-FEN, with the en-passant square as `policy` counts it.
    pub fn write(board: &Board, policy: EnPassantPolicy) -> String {
        let mut text = String::with_capacity(96);
        write_fen(&mut text, board, policy, false).expect("a String takes all");
        text
    }

    /// Writes Shredder-FEN: castling rights as rook files.
    pub fn write_shredder(board: &Board, policy: EnPassantPolicy) -> String {
        let mut text = String::with_capacity(96);
        write_fen(&mut text, board, policy, true).expect("a String takes all");
        text
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_fen(f, self, EnPassantPolicy::Always, false)
    }
}

fn quoted(field: Option<&str>) -> String {
    field.map_or("nothing".into(), |text| format!("'{}'", text.chars().take(60).collect::<String>()))
}

fn board_field(text: &str) -> Result<[Option<Piece>; 64], FenError> {
    const FIELD: FenField = FenField::Board;
    let mut pieces = [None; 64];
    let ranks = text.split('/').count();
    if ranks != 8 {
        return fault(FIELD, format_args!("{ranks} ranks"), "8 ranks separated by '/'");
    }
    for (rank, row) in (0..8).rev().zip(text.split('/')) {
        let mut file = 0;
        for letter in row.chars() {
            if let Some(gap @ 1..=8) = letter.to_digit(10) {
                file += gap;
            } else if let Some(piece) = Piece::from_letter(letter) {
                if file < 8 {
                    pieces[Square::at(file, rank).index()] = Some(piece);
                }
                file += 1;
            } else {
                return fault(
                    FIELD,
                    format_args!("'{letter}' in rank {}", rank + 1),
                    "a digit 1-8 or one of PNBRQKpnbrqk",
                );
            }
            if file > 8 {
                break;
            }
        }
        if file != 8 {
            let found = if file > 8 { "more than 8".into() } else { file.to_string() };
            return fault(FIELD, format_args!("{found} squares in rank {} '{row}'", rank + 1), "8 squares");
        }
    }
    for color in Color::ALL {
        let count = |role: Option<Role>| {
            pieces.iter().flatten().filter(|p| p.color == color && role.is_none_or(|role| p.role == role)).count()
        };
        let name = color.name();
        match (count(Some(Role::King)), count(None), count(Some(Role::Pawn))) {
            (1, ..=16, ..=8) => {}
            (kings, ..) if kings != 1 => return fault(FIELD, format_args!("{kings} kings for {name}"), "1"),
            (_, all, _) if all > 16 => return fault(FIELD, format_args!("{all} pieces for {name}"), "at most 16"),
            (_, _, pawns) => return fault(FIELD, format_args!("{pawns} pawns for {name}"), "at most 8"),
        }
    }
    for square in Bitboard::BACK_RANKS {
        if let Some(Piece { role: Role::Pawn, .. }) = pieces[square.index()] {
            return fault(FIELD, format_args!("a pawn on {square}"), "no pawn on the first or the eighth rank");
        }
    }
    Ok(pieces)
}

fn find(pieces: &[Option<Piece>; 64], color: Color, role: Role) -> Bitboard {
    Square::all().filter(|square| pieces[square.index()] == Some(Piece { color, role })).collect()
}

fn castling_field(text: Option<&str>, pieces: &[Option<Piece>; 64]) -> Result<Bitboard, FenError> {
    const FIELD: FenField = FenField::Castling;
    let Some(text) = text.filter(|text| text.len() <= 4) else {
        return fault(FIELD, quoted(text), "'-', up to four of KQkq, or up to four rook files");
    };
    let mut rooks = Bitboard::EMPTY;
    if text == "-" {
        return Ok(rooks);
    }
    for letter in text.chars() {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let rank = Bitboard::rank(color.back_rank());
        let name = color.name();
        let king = find(pieces, color, Role::King);
        if (king & rank).is_empty() {
            return fault(FIELD, format_args!("'{letter}'"), format_args!("{name}'s king on its back rank"));
        }
        let king = king.first();
        let own_rooks = find(pieces, color, Role::Rook) & rank;
        let on_wing = |wing| own_rooks.into_iter().filter(move |&rook| Wing::of(king, rook) == wing);
        let rook = match letter.to_ascii_lowercase() {
            'k' => on_wing(Wing::King).last(),
            'q' => on_wing(Wing::Queen).next(),
            file @ 'a'..='h' => own_rooks.into_iter().find(|rook| rook.file_letter() == file),
            _ => return fault(FIELD, format_args!("'{letter}'"), "'-', or letters of KQkq or rook files A-H a-h"),
        };
        let Some(rook) = rook else {
            return fault(FIELD, format_args!("'{letter}'"), format_args!("a rook of {name} to castle with"));
        };
        let wing = Wing::of(king, rook);
        if on_wing(wing).any(|other| rooks.has(other)) {
            return fault(FIELD, quoted(Some(text)), "each right once");
        }
        rooks |= rook.into();
    }
    if text.is_empty() {
        return fault(FIELD, "nothing", "'-' or rights");
    }
    Ok(rooks)
}

fn en_passant_field(text: Option<&str>, turn: Color, pieces: &[Option<Piece>; 64]) -> Result<Option<Square>, FenError> {
    const FIELD: FenField = FenField::EnPassant;
    let square = match text {
        Some("-") => return Ok(None),
        Some(text) => Square::parse(text),
        None => None,
    };
    let Some(square) = square else {
        return fault(FIELD, quoted(text), "'-' or a square");
    };
    // With White to move Black has just pushed across the sixth rank.
    let (rank, origin_rank) = match turn {
        Color::White => (5, 6),
        Color::Black => (2, 1),
    };
    if square.rank() != rank {
        return fault(FIELD, square, format_args!("a square on rank {}", rank + 1));
    }
    let pawn = Some(Piece { color: !turn, role: Role::Pawn });
    let pushed = square.en_passant_partner();
    if pieces[pushed.index()] != pawn {
        return fault(FIELD, square, format_args!("a {} pawn on {pushed}", (!turn).name().to_lowercase()));
    }
    for free in [square, Square::at(square.file(), origin_rank)] {
        if pieces[free.index()].is_some() {
            return fault(FIELD, format_args!("{square} with a piece on {free}"), format_args!("{free} empty"));
        }
    }
    Ok(Some(square))
}

fn counter(field: FenField, text: Option<&str>, most: u32) -> Result<u32, FenError> {
    match text.map(|text| (text.bytes().all(|b| b.is_ascii_digit()), text.parse::<u32>())) {
        Some((true, Ok(value))) if value <= most => Ok(value),
        _ => fault(field, quoted(text), format_args!("a number from 0 to {most}")),
    }
}

/// Checks that the side that has just moved is not in check, and that at most two pieces give check.
fn checks(board: &Board) -> Result<(), FenError> {
    let (us, level) = (board.turn(), perft_gate_simd::V1::token());
    let attackers = |by, king| board.attackers(level, by, king, board.occupied());
    if attackers(us, board.king(!us)).any() {
        let found = format!("{} in check with {} to move", (!us).name(), us.name());
        return fault(FenField::SideToMove, found, "the side not to move out of check");
    }
    let checkers = attackers(!us, board.king(us)).count();
    if checkers > 2 {
        return fault(FenField::Board, format_args!("{checkers} pieces giving check"), "at most 2");
    }
    Ok(())
}

/// Length of the longest FEN: 71 characters for the board, 26 for the rest.
pub const LONGEST_FEN: usize = 97;

/// Writes the FEN, without allocating.
pub fn write_fen(out: &mut impl fmt::Write, board: &Board, policy: EnPassantPolicy, shredder: bool) -> fmt::Result {
    for rank in (0..8).rev() {
        let mut gap = 0;
        for file in 0..8 {
            match board.piece_on(Square::at(file, rank)) {
                None => gap += 1,
                Some(piece) => {
                    if gap > 0 {
                        write!(out, "{gap}")?;
                        gap = 0;
                    }
                    out.write_char(piece.letter())?;
                }
            }
        }
        if gap > 0 {
            write!(out, "{gap}")?;
        }
        if rank > 0 {
            out.write_char('/')?;
        }
    }
    write!(out, " {} ", if board.turn() == Color::White { 'w' } else { 'b' })?;
    if board.castling_rooks().is_empty() {
        out.write_char('-')?;
    }
    for color in Color::ALL {
        let king = board.king(color);
        let rank = Bitboard::rank(color.back_rank());
        for wing in Wing::ALL {
            for rook in (board.castling_rooks() & rank).into_iter().filter(|&rook| Wing::of(king, rook) == wing) {
                // X-FEN: the file only when it is not the outermost rook of its wing.
                let rivals = board.pieces(color, Role::Rook) & rank;
                let outermost = match wing {
                    Wing::King => rivals.into_iter().last() == Some(rook),
                    Wing::Queen => rivals.first() == rook,
                };
                let letter = match wing {
                    _ if shredder || !outermost => rook.file_letter(),
                    Wing::King => 'k',
                    Wing::Queen => 'q',
                };
                out.write_char(if color == Color::White { letter.to_ascii_uppercase() } else { letter })?;
            }
        }
    }
    match board.en_passant(policy) {
        Some(square) => write!(out, " {square}")?,
        None => out.write_str(" -")?,
    }
    write!(out, " {} {}", board.halfmove(), board.fullmove())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        for fen in [
            Fen::START,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "1r1k3r/8/8/8/8/8/8/RR2K2R w KBk - 12 345",
        ] {
            let board = Fen::parse(fen).unwrap();
            assert_eq!(Fen::write(&board, EnPassantPolicy::Always), fen);
            let shredder = Fen::write_shredder(&board, EnPassantPolicy::Always);
            assert_eq!(Fen::parse(&shredder).unwrap(), board, "{shredder}");
        }
        let start = Fen::parse(Fen::START).unwrap();
        assert!(Fen::write_shredder(&start, EnPassantPolicy::Always).contains(" HAha "));
        assert_eq!(Fen::parse("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -").unwrap(), start);
        assert_eq!(Fen::parse("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 0").unwrap(), start);
    }

    #[test]
    fn each_fault_is_named() {
        for (fen, message) in [
            ("", "FEN field 'board': found 1 ranks, expected 8 ranks separated by '/'"),
            ("8/8/8/8/8/8/8/8 w - -", "FEN field 'board': found 0 kings for White, expected 1"),
            ("k7/8/8/8/8/8/8/KK6 w - -", "found 2 kings for White"),
            ("k7/8/8/8/8/8/8/K8 w - -", "found more than 8 squares in rank 1"),
            ("k7/8/8/8/8/8/7/K7 w - -", "found 7 squares in rank 2"),
            ("k7/8/8/8/8/8/x7/K7 w - -", "found 'x' in rank 2"),
            ("k6P/8/8/8/8/8/8/K7 w - -", "found a pawn on h8"),
            ("k7/8/8/PPPPPPPP/P7/8/8/K7 w - -", "found 9 pawns for White"),
            ("k7/8/8/8/NNNNNNNN/NNNNNNNN/8/K7 w - -", "found 17 pieces for White"),
            ("k7/8/8/8/8/8/8/K7", "FEN field 'side to move': found nothing"),
            ("k7/8/8/8/8/8/8/K7 x - -", "found 'x', expected 'w' or 'b'"),
            ("k7/8/8/8/8/8/8/K7 w K -", "FEN field 'castling': found 'K', expected a rook of White"),
            ("k7/8/8/8/8/8/K7/7R w K -", "expected White's king on its back rank"),
            ("k7/8/8/8/8/8/8/4K2R w KK -", "expected each right once"),
            ("k7/8/8/8/8/8/8/4K2R w KQkqK -", "FEN field 'castling': found 'KQkqK'"),
            ("k7/8/8/8/8/8/8/K7 w - e4", "FEN field 'en passant': found e4, expected a square on rank 6"),
            ("k7/8/8/8/8/8/8/K7 w - e6", "expected a black pawn on e5"),
            ("k7/4p3/8/4p3/8/8/8/K7 w - e6", "found e6 with a piece on e7"),
            ("k7/8/4n3/4p3/8/8/8/K7 w - e6", "found e6 with a piece on e6"),
            ("k7/8/8/8/8/8/8/K7 w - z", "FEN field 'en passant': found 'z'"),
            ("k7/8/8/8/8/8/8/K7 w - - x 1", "FEN field 'halfmove clock': found 'x'"),
            ("k7/8/8/8/8/8/8/K7 w - - 0 100000000", "FEN field 'fullmove number'"),
            ("k7/8/8/8/8/8/8/K7 w - - 0", "FEN field 'fullmove number': found nothing"),
            ("k7/8/8/8/8/8/8/K7 w - - 0 1 x", "FEN field 'end of line': found 'x'"),
            ("k7/8/8/8/8/8/8/K6r b - -", "found White in check with Black to move"),
            ("k7/8/8/8/8/1n1n4/8/K1r4r w - -", ""),
            ("k3r3/8/8/8/1b6/3n4/8/4K3 w - -", "found 3 pieces giving check"),
        ] {
            match Fen::parse(fen) {
                Ok(_) => assert!(message.is_empty(), "{fen} was accepted, not {message}"),
                Err(error) => assert!(error.to_string().contains(message), "{fen}: {error}, not {message}"),
            }
        }
    }
}
