//! Searches for the terms that explain a wrong key if the key table is unknown, as for an engine or a board under test.
//!
//! If a key is the xor of one table entry per term, a term's entry is the difference between the keys of two positions
//! that differ only in that term. Such positions are given as FENs. The search tries all combinations of up to three
//! terms that the last move edits. [`diagnosis`](super::Diagnosis) does the same for known key tables.

use super::diagnosis::MAX_TERMS;
use perft_gate_chess::{Bitboard, Board, CastlingRights, Color, EnPassantPolicy, Fen, Role, Setup, Square, Wing};

/// Returns the board with `change` applied to its setup, if a FEN can describe the result.
pub fn board_with(board: &Board, change: impl FnOnce(&mut Setup)) -> Option<Board> {
    let mut setup = Setup::from(board);
    change(&mut setup);
    Fen::parse(&Board::new(&setup).to_string()).ok()
}

/// Returns a board without its e.p. square, and with no castling rights other than the given ones.
pub fn board_with_rights(board: &Board, rights: CastlingRights) -> Option<Board> {
    board_with(board, |setup| {
        let kept = |rook: &Square| {
            let color = Color::ALL[rook.index() >> 5];
            let wing = Wing::of_rook(board.king(color), *rook);
            rights.has(color, wing)
        };
        setup.castling_rooks = setup.castling_rooks.into_iter().filter(kept).collect();
        setup.en_passant = None;
    })
}

/// Returns the names of terms, each with two boards that differ only in that term.
fn term_boards(before: &Board, after: &Board, policy: EnPassantPolicy) -> Vec<(String, Board, Board)> {
    let mut pairs = Vec::new();
    let bare =
        |board: &Board| board_with(board, |setup| (setup.castling_rooks, setup.en_passant) = (Bitboard::EMPTY, None));
    for (board, how) in [(before, "left in"), (after, "missing")] {
        let without = board_with(board, |setup| setup.en_passant = None);
        if let (Some(square), Some(without)) = (board.en_passant(policy), without) {
            pairs.push((format!("e.p. {square} {how}"), *board, without));
        }
        let Some(bare) = bare(board) else { continue };
        for square in Square::all().filter(|&square| before.code(square) != after.code(square)) {
            let piece = bare.piece_on(square).filter(|piece| piece.role != Role::King);
            let lifted = piece.and_then(|_| board_with(&bare, |setup| setup.pieces[square.index()] = None));
            if let (Some(piece), Some(lifted)) = (piece, lifted) {
                pairs.push((format!("{piece} on {square} {how}"), bare, lifted));
            }
        }
    }
    let (old, new) = (before.castling_rights(), after.castling_rights());
    let lost = old.without(new);
    let ones = (0..4).map(|right| ("right", CastlingRights::new(1 << right)));
    let ones = ones.filter(|(_, one)| lost.without(*one) != lost);
    // Also try all lost rights as one set, because the key entry of a set need not be the xor of its rights' entries.
    for (what, set) in ones.chain((lost != CastlingRights::NONE).then_some(("rights", lost))) {
        let boards = [old, old.without(set)].map(|rights| board_with_rights(before, rights));
        if let [Some(with), Some(without)] = boards {
            pairs.push((format!("castling {what} {set} left in"), with, without));
        }
    }
    let flipped = bare(after).and_then(|bare| Some((bare, board_with(&bare, |setup| setup.turn = !setup.turn)?)));
    pairs.extend(flipped.map(|(bare, flipped)| ("side to move missing".into(), bare, flipped)));
    pairs
}

/// Returns the terms that explain the difference between two keys of the position after a move or a null move, if any
/// do. `key` returns the key of a board that is set up from its FEN, if the FEN is accepted.
///
/// **Errors**: those of `key`.
pub fn explain_difference<E>(
    mut key: impl FnMut(&Board) -> Result<Option<u128>, E>,
    (before, after): (&Board, &Board),
    difference: u128,
    policy: EnPassantPolicy,
) -> Result<Option<String>, E> {
    let mut terms: Vec<(String, u128)> = Vec::new();
    for (name, one, other) in term_boards(before, after, policy) {
        if let (Some(one), Some(other)) = (key(&one)?, key(&other)?) {
            terms.push((name, one ^ other));
        }
    }
    let chosen = |set: u32| terms.iter().enumerate().filter(move |(i, _)| set >> i & 1 != 0).map(|(_, term)| term);
    let sets = (1_u32..1 << terms.len()).filter(|set| set.count_ones() as usize <= MAX_TERMS);
    let explains = sets.filter(|set| chosen(*set).fold(0, |sum, (_, entry)| sum ^ entry) == difference);
    let set = explains.min_by_key(|set| set.count_ones());
    Ok(set.map(|set| chosen(set).map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ")))
}
