//! Wrong edits of a key, in words: what is missing after a move, what is left in, and what was added.

use crate::keys::numbers::KeyNumbers;
use crate::keys::parts::{Part, is_one_file};
use perft_gate_chess::{Board, CastlingRights, Color, EnPassantPolicy, Kind, Move, Piece, Role, Square};

/// Returns the pieces that a move puts down or lifts, kings left out: at most four.
pub(super) fn changed_pieces(before: &Board, after: &Board) -> Vec<Part> {
    let differing = Square::all().filter(|&square| before.piece_on(square) != after.piece_on(square));
    let pieces = differing.flat_map(|square| {
        let pieces = [before, after].map(|board| board.piece_on(square));
        pieces.into_iter().flatten().map(move |piece| Part::Piece(piece, square))
    });
    pieces.filter(|part| !part.is_any_king()).collect()
}

/// Splits a set of rights into those that are lost, those that stay, and others, if their numbers are those of its rights.
fn split_rights(parts: &[Part], before: &Board, after: &Board, by_right: bool) -> Vec<Part> {
    let split = |part: &Part| match *part {
        Part::Castling(rights) if by_right => {
            let [old, new] = [before, after].map(|board| board.castling_rights().index());
            let shares = [rights.index() & old & !new, rights.index() & new, rights.index() & !old & !new];
            shares
                .into_iter()
                .filter(|share| *share != 0)
                .map(|share| Part::Castling(CastlingRights::new(share)))
                .collect()
        }
        part => vec![part],
    };
    parts.iter().flat_map(split).collect()
}

/// Returns an e.p. square of a file by the name that it has around a move: files may have one number for both of their squares.
fn name_square(part: Part, numbers: &KeyNumbers, (before, after): (&Board, &Board)) -> Part {
    let Part::EnPassant(square) = part else { return part };
    let of_file = |rank| Part::EnPassant(Square::at(square.file(), rank));
    let pushed = if before.turn() == Color::White { 2 } else { 5 };
    let stands = |board: &Board| board.en_passant(EnPassantPolicy::Always).map(Part::EnPassant);
    let names = [before, after].into_iter().filter_map(stands).chain([of_file(pushed)]);
    let is_one = |name: &Part| is_one_file(*name, part) && numbers.value(*name) == numbers.value(part);
    names.into_iter().find(is_one).unwrap_or(part)
}

/// Describes numbers that are wrong after a move: what is missing, what is left in, and what was added without being
/// there; and what that usually means. The boards have an e.p. square only if the keys of their FENs do.
pub(super) fn describe_edits(
    parts: &[Part],
    (before, mv, after): (&Board, Move, &Board),
    numbers: &KeyNumbers,
) -> String {
    let by_right = numbers.is_by_right();
    let stands = |board: &Board, part: &Part| match *part {
        Part::Piece(piece, square) => board.piece_on(square) == Some(piece),
        // A set of numbers of rights stands where other rights do too.
        Part::Castling(rights) if by_right => rights.without(board.castling_rights()) == CastlingRights::NONE,
        Part::Castling(rights) => board.castling_rights() == rights,
        Part::EnPassant(square) => board.en_passant(EnPassantPolicy::Always) == Some(square),
        Part::Side => board.turn() == Color::Black,
    };
    let how = |part: &Part| match (stands(before, part), stands(after, part)) {
        (_, true) => "missing",
        (true, false) => "left in",
        (false, false) => "added",
    };
    let parts = &split_rights(parts, before, after, by_right);
    let parts: Vec<Part> = parts.iter().map(|part| name_square(*part, numbers, (before, after))).collect();
    let texts: Vec<String> = parts.iter().map(|part| format!("{part} {}", how(part))).collect();
    let added = |wanted: &dyn Fn(Piece, Square) -> bool| {
        parts
            .iter()
            .any(|part| matches!(*part, Part::Piece(piece, square) if how(part) == "added" && wanted(piece, square)))
    };
    let is_capture = before.piece_on(mv.to()).is_some();
    let meaning = match mv.kind() {
        Kind::EnPassant if added(&|piece, _| piece.role == Role::Pawn && piece.color != before.turn()) => {
            " (the captured pawn is taken off another square)"
        }
        Kind::EnPassant if added(&|_, square| square == mv.to().en_passant_partner()) => {
            " (another piece is taken off in the place of the captured one)"
        }
        Kind::Castle if added(&|piece, _| piece.role == Role::Rook) => " (the rook is moved from or to another square)",
        Kind::Promotion(_) if added(&|piece, square| square == mv.to() && piece.color == before.turn()) => {
            " (another piece is added in the place of the promoted one)"
        }
        _ if is_capture && added(&|_, square| square == mv.to()) => {
            " (another piece is taken off in the place of the captured one)"
        }
        _ => "",
    };
    format!("{}{meaning}", texts.join(", "))
}
