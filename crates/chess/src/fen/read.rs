//! Reads a FEN, field by field.

use super::error::{BYTE_ORDER_MARK, FenError, FenField, Severity, quantity};
use crate::bitboard::Bitboard;
use crate::board::{Board, Setup};
use crate::castling::Wing;
use crate::piece::{Color, Piece, Role};
use crate::square::Square;
use std::fmt;

pub(super) struct Reader {
    /// True if tolerable faults are recorded instead of returned.
    is_tolerant: bool,
    /// Faults recorded so far: harmless faults, faults in ignored fields, and too many pieces (rejected at the end).
    tolerated: Vec<FenError>,
}

impl Reader {
    pub(super) const STRICT: Reader = Reader { is_tolerant: false, tolerated: Vec::new() };
    pub(super) const TOLERANT: Reader = Reader { is_tolerant: true, tolerated: Vec::new() };

    /// Reads a FEN whose clocks may exceed the limits by up to `plies`. Returns the board and the tolerated faults.
    pub(super) fn read(mut self, text: &str, plies: u32) -> Result<(Board, Vec<FenError>), FenError> {
        let mut fields = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text).split_ascii_whitespace();
        let pieces = board_field(fields.next().unwrap_or(""))?;
        self.check_numbers(&pieces)?;
        let turn = match fields.next() {
            Some("w") => Color::White,
            Some("b") => Color::Black,
            other => return fault(FenField::SideToMove, quote(other), "'w' or 'b'"),
        };
        let castling_rooks = self.castling_field(fields.next(), &pieces)?;
        let en_passant = self.en_passant_field(fields.next(), turn, &pieces)?;
        let (halfmove, fullmove) = match fields.next() {
            None => (0, 1),
            Some(halfmove) => (
                counter(FenField::Halfmove, Some(halfmove), 9_999 + plies)? as u16,
                counter(FenField::Fullmove, fields.next(), 99_999 + plies)?.max(1),
            ),
        };
        if let Some(rest) = fields.next() {
            return fault(FenField::End, quote(Some(rest)), "nothing after the fullmove number");
        }
        let board = Board::new(&Setup { pieces, turn, castling_rooks, en_passant, halfmove, fullmove });
        self.checks(&board)?;
        // This check comes last, so that an illegal position is reported as illegal, however many pieces it has.
        match self.tolerated.iter().position(|fault| fault.severity == Severity::TooManyPieces) {
            Some(fault) => Err(self.tolerated.swap_remove(fault)),
            None => Ok((board, self.tolerated)),
        }
    }

    /// Records a fault if it is tolerable. **Errors**: the fault itself, if it cannot be tolerated.
    fn tolerate(&mut self, fault: FenError) -> Result<(), FenError> {
        let is_grave = matches!(fault.severity, Severity::Text | Severity::Illegal);
        if is_grave || !self.is_tolerant {
            return Err(fault);
        }
        self.tolerated.push(fault);
        Ok(())
    }

    fn check_numbers(&mut self, pieces: &[Option<Piece>; 64]) -> Result<(), FenError> {
        const FIELD: FenField = FenField::Board;
        // Counts all pieces in one pass over the board, because a verification reads back many FENs.
        let mut counts = [[0_u32; 8]; 2];
        for piece in pieces.iter().flatten() {
            counts[piece.color.index()][piece.role as usize & 7] += 1;
        }
        let count = |color: Color, role: Role| counts[color.index()][role as usize & 7];
        for color in Color::ALL {
            let kings = count(color, Role::King);
            if kings != 1 {
                let found = format!("{kings} kings for {}", color.name());
                return Err(FenError::new(FIELD, found, "1", Severity::Illegal));
            }
        }
        for square in Bitboard::BACK_RANKS {
            if let Some(Piece { role: Role::Pawn, .. }) = pieces[square.index()] {
                let expected = "no pawn on the first or the eighth rank";
                return Err(FenError::new(FIELD, format_args!("a pawn on {square}"), expected, Severity::Illegal));
            }
        }
        for color in Color::ALL {
            let (name, all, pawns) =
                (color.name(), counts[color.index()].iter().sum::<u32>(), count(color, Role::Pawn));
            if all > 16 {
                let found = format!("{all} pieces for {name}");
                self.tolerate(FenError::new(FIELD, found, "at most 16", Severity::TooManyPieces))?;
            }
            if pawns > 8 {
                let found = format!("{pawns} pawns for {name}");
                self.tolerate(FenError::new(FIELD, found, "at most 8", Severity::Tolerable))?;
            }
        }
        Ok(())
    }

    fn castling_field(&mut self, text: Option<&str>, pieces: &[Option<Piece>; 64]) -> Result<Bitboard, FenError> {
        const FIELD: FenField = FenField::Castling;
        let Some(text) = text.filter(|text| text.len() <= 4) else {
            return fault(FIELD, quote(text), "'-', up to four of KQkq, or up to four rook files");
        };
        let mut rooks = Bitboard::EMPTY;
        if text == "-" {
            return Ok(rooks);
        }
        for letter in text.chars() {
            let rook = castling_rook(letter, pieces).and_then(|rook| {
                let color = if rook.rank() == 0 { Color::White } else { Color::Black };
                let wing = |rook| Wing::of_rook(find(pieces, color, Role::King).first(), rook);
                let same_rank = rooks & Bitboard::rank(rook.rank());
                match same_rank.into_iter().any(|other| wing(other) == wing(rook)) {
                    true => Err(FenError::new(FIELD, quote(Some(text)), "each right once", Severity::Tolerable)),
                    false => Ok(rook),
                }
            });
            match rook {
                Ok(rook) => rooks |= rook.into(),
                Err(fault) => self.tolerate(fault)?,
            }
        }
        Ok(rooks)
    }

    fn en_passant_field(
        &mut self,
        text: Option<&str>,
        turn: Color,
        pieces: &[Option<Piece>; 64],
    ) -> Result<Option<Square>, FenError> {
        const FIELD: FenField = FenField::EnPassant;
        if text == Some("-") {
            return Ok(None);
        }
        let Some(square) = text.and_then(Square::parse) else {
            return fault(FIELD, quote(text), "'-' or a square");
        };
        let Some((found, expected)) = en_passant_fault(square, turn, pieces) else { return Ok(Some(square)) };
        self.tolerate(FenError::new(FIELD, found, expected, Severity::Tolerable)).map(|()| None)
    }

    /// Checks that the side that has just moved is not in check, and that at most two pieces give check.
    fn checks(&mut self, board: &Board) -> Result<(), FenError> {
        let (us, level) = (board.turn(), perft_gate_simd::V1::token());
        if board.attackers(level, us, board.king(!us), board.occupied()).any() {
            let found = format!("{} in check with {} to move", (!us).name(), us.name());
            let expected = "the side not to move out of check";
            return Err(FenError::new(FenField::SideToMove, found, expected, Severity::Illegal));
        }
        let checkers = board.checkers(level).count();
        if checkers > 2 {
            let found = format!("{checkers} pieces giving check");
            self.tolerate(FenError::new(FenField::Board, found, "at most 2", Severity::Tolerable))?;
        }
        Ok(())
    }
}

fn fault<T>(field: FenField, found: impl fmt::Display, expected: impl fmt::Display) -> Result<T, FenError> {
    Err(FenError::new(field, found, expected, Severity::Text))
}

fn quote(field: Option<&str>) -> String {
    field.map_or("nothing".into(), |text| format!("'{}'", text.chars().take(60).collect::<String>()))
}

fn board_field(text: &str) -> Result<[Option<Piece>; 64], FenError> {
    const FIELD: FenField = FenField::Board;
    let mut pieces = [None; 64];
    let ranks = text.split('/').count();
    if ranks != 8 {
        return fault(FIELD, quantity(ranks as u64, "rank"), "8 ranks separated by '/'");
    }
    for (rank, row) in (0..8).rev().zip(text.split('/')) {
        let mut file = 0;
        for letter in row.chars() {
            if let Some(gap @ 1..=8) = letter.to_digit(10) {
                file += gap;
            } else if let Some(piece) = Piece::from_letter(letter) {
                if file < 8 {
                    pieces[Square::from_coords(file, rank).index()] = Some(piece);
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
            let found = if file > 8 { "more than 8 squares".into() } else { quantity(file.into(), "square") };
            return fault(FIELD, format_args!("{found} in rank {} '{row}'", rank + 1), "8 squares");
        }
    }
    Ok(pieces)
}

fn find(pieces: &[Option<Piece>; 64], color: Color, role: Role) -> Bitboard {
    Square::all().filter(|square| pieces[square.index()] == Some(Piece { color, role })).collect()
}

/// Returns the rook for a castling letter. **Errors**: the letter is invalid, or the king or the rook is missing.
fn castling_rook(letter: char, pieces: &[Option<Piece>; 64]) -> Result<Square, FenError> {
    const FIELD: FenField = FenField::Castling;
    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    let (rank, name) = (Bitboard::rank(color.back_rank()), color.name());
    let (found, wanted) = (format!("'{letter}'"), letter.to_ascii_lowercase());
    if !matches!(wanted, 'k' | 'q' | 'a'..='h') {
        return fault(FIELD, found, "'-', or letters of KQkq or rook files A-H a-h");
    }
    let lacking = |expected: String| FenError::new(FIELD, &found, expected, Severity::Tolerable);
    let king = find(pieces, color, Role::King);
    if (king & rank).is_empty() {
        return Err(lacking(format!("{name}'s king on its back rank")));
    }
    let own_rooks = find(pieces, color, Role::Rook) & rank;
    let on_wing = |wing| own_rooks.into_iter().filter(move |&rook| Wing::of_rook(king.first(), rook) == wing);
    let rook = match wanted {
        'k' => on_wing(Wing::King).last(),
        'q' => on_wing(Wing::Queen).next(),
        file => own_rooks.into_iter().find(|rook| rook.file_letter() == file),
    };
    rook.ok_or_else(|| lacking(format!("a rook of {name} to castle with")))
}

/// If no pawn can have just crossed the e.p. square, returns what was found and what was expected instead.
fn en_passant_fault(square: Square, turn: Color, pieces: &[Option<Piece>; 64]) -> Option<(String, String)> {
    // With White to move, Black has just pushed across the sixth rank.
    let (rank, origin_rank) = match turn {
        Color::White => (5, 6),
        Color::Black => (2, 1),
    };
    if square.rank() != rank {
        return Some((square.to_string(), format!("a square on rank {}", rank + 1)));
    }
    let pushed = square.en_passant_partner();
    if pieces[pushed.index()] != Some(Piece { color: !turn, role: Role::Pawn }) {
        return Some((square.to_string(), format!("a {} pawn on {pushed}", (!turn).name().to_lowercase())));
    }
    let occupied = [square, Square::from_coords(square.file(), origin_rank)]
        .into_iter()
        .find(|free| pieces[free.index()].is_some());
    occupied.map(|free| (format!("{square} with a piece on {free}"), format!("{free} empty")))
}

fn counter(field: FenField, text: Option<&str>, most: u32) -> Result<u32, FenError> {
    match text.map(|text| (text.bytes().all(|b| b.is_ascii_digit()), text.parse::<u32>())) {
        Some((true, Ok(value))) if value <= most => Ok(value),
        _ => fault(field, quote(text), format_args!("a number from 0 to {most}")),
    }
}
