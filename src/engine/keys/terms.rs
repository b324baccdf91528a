//! Which terms of a key explain a difference, though the engine's words are not known.
//!
//! If a key is the xor of a word a term, then the word of a term is the difference of two keys of positions that differ
//! in that term alone, and such positions can be given by FEN. What the last move edits is tried, in all combinations of
//! up to three.

use super::habits::printed;
use super::{Printed, by_fen};
use crate::chess::{Bitboard, Board, CastlingRights, Color, EnPassantPolicy, Fen, Move, Role, Setup, Square};
use crate::engine::Failure;
use crate::engine::uci::Engine;
use crate::gate::rule;

/// Terms that are combined, at most.
const MOST_TERMS: usize = 3;

/// The parts of a board, to change one.
fn setup(board: &Board) -> Setup {
    let mut men = [None; 64];
    Square::all().for_each(|square| men[square.index()] = board.piece_on(square));
    Setup {
        men,
        turn: board.turn(),
        castling_rooks: board.castling_rooks(),
        en_passant: board.en_passant(EnPassantPolicy::Always),
        halfmove: board.halfmove(),
        fullmove: board.fullmove(),
    }
}

/// The board of a setup, if it is one that a FEN may describe.
pub(super) fn valid(setup: &Setup) -> Option<Board> {
    Fen::parse(&Board::new(setup).to_string()).ok()
}

/// The board after `change`, if a FEN may describe it.
pub(super) fn changed(board: &Board, change: impl FnOnce(&mut Setup)) -> Option<Board> {
    let mut setup = setup(board);
    change(&mut setup);
    valid(&setup)
}

/// A board without its e.p. square, and with some of its rights.
pub(super) fn with_rights(board: &Board, rights: CastlingRights) -> Option<Board> {
    changed(board, |setup| {
        let kept = |rook: &Square| {
            let color = Color::ALL[rook.index() >> 5];
            let wing = crate::chess::Wing::of(board.king(color), *rook);
            rights.has(color, wing)
        };
        setup.castling_rooks = setup.castling_rooks.into_iter().filter(kept).collect();
        setup.en_passant = None;
    })
}

/// Names and boards that differ in one term.
type Pair = (String, Board, Board);

fn pairs(before: &Board, after: &Board, policy: EnPassantPolicy) -> Vec<Pair> {
    let mut pairs = Vec::new();
    let bare =
        |board: &Board| changed(board, |setup| (setup.castling_rooks, setup.en_passant) = (Bitboard::EMPTY, None));
    for (board, how) in [(before, "left in"), (after, "missing")] {
        let without = changed(board, |setup| setup.en_passant = None);
        if let (Some(square), Some(without)) = (board.en_passant(policy), without) {
            pairs.push((format!("e.p. {square} {how}"), *board, without));
        }
        let Some(bare) = bare(board) else { continue };
        for square in Square::all().filter(|&square| before.code(square) != after.code(square)) {
            let man = bare.piece_on(square).filter(|man| man.role != Role::King);
            let lifted = man.and_then(|_| changed(&bare, |setup| setup.men[square.index()] = None));
            if let (Some(man), Some(lifted)) = (man, lifted) {
                pairs.push((format!("{man} on {square} {how}"), bare, lifted));
            }
        }
    }
    let (old, new) = (before.castling_rights(), after.castling_rights());
    let lost = old.without(new);
    for one in (0..4).map(|right| CastlingRights::new(1 << right)).filter(|one| lost.without(*one) != lost) {
        let boards = [old, old.without(one)].map(|rights| with_rights(before, rights));
        if let [Some(with), Some(without)] = boards {
            pairs.push((format!("castling right {one} left in"), with, without));
        }
    }
    let flipped = bare(after).and_then(|bare| Some((bare, changed(&bare, |setup| setup.turn = !setup.turn)?)));
    pairs.extend(flipped.map(|(bare, flipped)| ("side to move missing".into(), bare, flipped)));
    pairs
}

/// What explains the difference of two keys after a move.
pub(super) fn explain(
    engine: &mut Engine<'_>,
    (before, mv, after): (&Board, Move, &Board),
    difference: Printed,
    policy: EnPassantPolicy,
) -> Result<String, Failure> {
    let mut terms: Vec<(String, u128)> = Vec::new();
    for (name, one, other) in pairs(before, after, policy) {
        let mut word = 0;
        for place in [by_fen(&one, policy), by_fen(&other, policy)] {
            let shown = engine.display(&place)?;
            word ^= printed(shown.key, engine, &place)?.0;
        }
        terms.push((name, word));
    }
    let sets = (1_u32..1 << terms.len()).filter(|set| set.count_ones() as usize <= MOST_TERMS);
    let mut explains = sets.filter(|set| {
        let chosen = terms.iter().enumerate().filter(|(i, _)| set >> i & 1 != 0);
        chosen.fold(0, |sum, (_, (_, word))| sum ^ word) == difference.0
    });
    let rule = rule::of_legal(before, mv);
    // The fewest terms.
    let Some(set) = explains.by_ref().min_by_key(|set| set.count_ones()) else {
        return Ok(format!("{} ({rule}): no terms that a FEN can show explain it", mv.uci()));
    };
    let names = terms.iter().enumerate().filter(|(i, _)| set >> i & 1 != 0).map(|(_, (name, _))| name.clone());
    Ok(format!("{} after {} ({rule})", names.collect::<Vec<_>>().join(", "), mv.uci()))
}
