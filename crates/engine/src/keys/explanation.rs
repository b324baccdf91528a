//! Explanation of a wrong key: the few key numbers that make up the difference from the right key, what the move did
//! wrong with these numbers, and the shortest line of play that shows the error.

use crate::descent::boards;
use crate::keys::check::Checker;
use crate::keys::move_properties::MoveProperties;
use crate::keys::numbers::{CHANCE, KeyComposition, KeyNumbers, Number, mask};
use crate::keys::parts::is_one_file;
use crate::keys::report::{KeyFault, KeyFinding, PrintedKey};
use crate::outcome::Result;
use crate::request::PositionCommand;
use perft_gate_chess::{
    Board, CastlingRights, Color, EnPassantPolicy, Kind, Move, Piece, Role, Square, explain_legal_move, legal_moves,
};
use perft_gate_judge::gate::term_probe::{board_with, explain_difference};
use perft_gate_walk::board_after;
use perft_gate_zobrist::Term;
use std::collections::HashMap;
use std::sync::Arc;

/// Returns the smallest set of at most three terms whose numbers combine to `difference`. If keys are sums, it returns
/// at most two terms, one of which may be subtracted.
pub(super) fn explain(numbers: &KeyNumbers, difference: u128) -> Option<Vec<Term>> {
    match numbers.composition {
        _ if difference == 0 => None,
        KeyComposition::Xor => explain_xor(numbers, difference, 3),
        KeyComposition::Sum(bits) => explain_sum(numbers, difference, bits),
        KeyComposition::Other => None,
    }
}

/// Minimum number of key bits for [`explain_beside`]. In narrower keys, numbers of terms that the move does not change
/// may match by chance.
const MIN_BITS_BESIDE: u32 = 48;

/// Returns terms whose numbers xor to `difference`: some of the terms that a move changes, plus at most two others.
pub(super) fn explain_beside(numbers: &KeyNumbers, difference: u128, changed: &[Term]) -> Option<Vec<Term>> {
    if numbers.composition != KeyComposition::Xor || numbers.bits < MIN_BITS_BESIDE {
        return None;
    }
    (1_usize..1 << changed.len()).find_map(|set| {
        let chosen = changed.iter().enumerate().filter(|(at, _)| set >> at & 1 != 0).map(|(_, part)| *part);
        let parts: Vec<Term> = chosen.collect();
        let rest = parts.iter().try_fold(difference, |rest, part| Some(rest ^ numbers.value(*part)?))?;
        Some([parts, explain_xor(numbers, rest, 2)?].concat())
    })
}

fn explain_sum(learned: &KeyNumbers, difference: u128, bits: u32) -> Option<Vec<Term>> {
    let numbers = learned.different_numbers();
    let signed = |number: &Number| [number.value, number.value.wrapping_neg() & mask(bits)];
    let known: HashMap<u128, Term> =
        numbers.iter().flat_map(|number| signed(number).map(|value| (value, number.part))).collect();
    let rest = |value: u128| known.get(&(difference.wrapping_sub(value) & mask(bits))).copied();
    let n = 2.0 * numbers.len() as f64;
    let is_telling = |sets: f64| sets / 2_f64.powi(bits as i32) < CHANCE;
    if let Some(part) = rest(0).filter(|_| is_telling(n)) {
        return Some(vec![part]);
    }
    let pair = |number: &&Number| {
        signed(number).into_iter().find_map(|value| {
            let other = rest(value).filter(|other| *other != number.part)?;
            let is_whole = number.part.king() == other.king();
            is_whole.then(|| vec![number.part, other])
        })
    };
    numbers.iter().find_map(pair).filter(|_| is_telling(n * n / 2.0))
}

/// Returns the smallest set of at most `most` terms whose numbers xor to `difference`.
fn explain_xor(learned: &KeyNumbers, difference: u128, most: usize) -> Option<Vec<Term>> {
    let numbers = learned.different_numbers();
    let value = |places: &[usize]| places.iter().fold(0, |sum, &at| sum ^ numbers[at].value);
    let parts = |places: &[usize]| places.iter().map(|&at| numbers[at].part).collect::<Vec<_>>();
    let is_whole = |parts: &Vec<Term>| {
        Color::ALL.into_iter().all(|color| parts.iter().filter(|part| part.king() == Some(color)).count() % 2 == 0)
    };
    // Pairs of numbers are looked up by a 64-bit fold of their sum, so the full sum must be checked as well.
    let is_it = |places: &[usize]| (value(places) == difference).then(|| parts(places)).filter(is_whole);
    // The expected number of sets of terms that make up a difference by chance must be small.
    let is_telling = |sets: f64| sets / 2_f64.powi(learned.bits as i32) < CHANCE;
    let n = numbers.len() as f64;
    let sizes: [f64; 3] = [n, n * n / 2.0, n * n * n / 6.0];
    let size = |number: usize| match number {
        1 => (0..numbers.len()).find_map(|at| is_it(&[at])),
        2 => learned.pairs().with(difference).into_iter().find_map(|[one, other]| is_it(&[other, one])),
        _ => (0..numbers.len()).find_map(|at| {
            let pairs = learned.pairs().with(difference ^ numbers[at].value);
            pairs.into_iter().filter(|pair| pair[1] > at).find_map(|[one, other]| is_it(&[at, other, one]))
        }),
    };
    (1..=most).zip(sizes).filter(|(_, sets)| is_telling(*sets)).find_map(|(number, _)| size(number))
}

/// Returns the pieces, except kings, that a move adds to a square or removes from one: at most three.
pub(super) fn changed_pieces(before: &Board, after: &Board) -> Vec<Term> {
    let differing = Square::all().filter(|&square| before.piece_on(square) != after.piece_on(square));
    let pieces = differing.flat_map(|square| {
        let pieces = [before, after].map(|board| board.piece_on(square));
        pieces.into_iter().flatten().map(move |piece| Term::Piece(piece, square))
    });
    pieces.filter(|part| part.king().is_none()).collect()
}

/// Splits each set of castling rights into lost, kept and other rights, if a set's number combines those of its rights.
fn split_rights(parts: &[Term], before: &Board, after: &Board, by_right: bool) -> Vec<Term> {
    let split = |part: &Term| match *part {
        Term::Castling(rights) if by_right => {
            let [old, new] = [before, after].map(|board| board.castling_rights().index());
            let shares = [rights.index() & old & !new, rights.index() & new, rights.index() & !old & !new];
            shares.into_iter().filter(|share| *share != 0).map(CastlingRights::new).map(Term::Castling).collect()
        }
        part => vec![part],
    };
    parts.iter().flat_map(split).collect()
}

/// Replaces an e.p. square with the one on its file that the move involves, because both squares of a file may share a
/// number.
fn name_square(part: Term, numbers: &KeyNumbers, (before, after): (&Board, &Board)) -> Term {
    let Term::EnPassant(Some(square)) = part else { return part };
    let of_file = |rank| Term::EnPassant(Some(Square::from_coords(square.file(), rank)));
    let pushed = if before.turn() == Color::White { 2 } else { 5 };
    let stands = |board: &Board| board.en_passant(EnPassantPolicy::Always).map(|square| Term::EnPassant(Some(square)));
    let names = [before, after].into_iter().filter_map(stands).chain([of_file(pushed)]);
    let is_one = |name: &Term| is_one_file(*name, part) && numbers.value(*name) == numbers.value(part);
    names.into_iter().find(is_one).unwrap_or(part)
}

/// Describes the key numbers that are wrong after a move (missing, left in, or added although the board lacks the term)
/// and what such errors usually mean. The boards have an e.p. square only if the keys of their FENs include it.
pub(super) fn describe_edits(
    parts: &[Term],
    (before, mv, after): (&Board, Move, &Board),
    numbers: &KeyNumbers,
) -> String {
    let by_right = numbers.is_by_right();
    let stands = |board: &Board, part: &Term| match *part {
        Term::Piece(piece, square) => board.piece_on(square) == Some(piece),
        // A set of rights counts as present if the board has all of these rights, perhaps together with others.
        Term::Castling(rights) if by_right => rights.without(board.castling_rights()) == CastlingRights::NONE,
        Term::Castling(rights) => board.castling_rights() == rights,
        Term::EnPassant(square) => board.en_passant(EnPassantPolicy::Always) == square,
        Term::Side(_) => board.turn() == Color::Black,
        Term::File(_) | Term::Clock(_) => false,
    };
    let how = |part: &Term| match (stands(before, part), stands(after, part)) {
        (_, true) => "missing",
        (true, false) => "left in",
        (false, false) => "added",
    };
    let parts = &split_rights(parts, before, after, by_right);
    let parts: Vec<Term> = parts.iter().map(|part| name_square(*part, numbers, (before, after))).collect();
    let texts: Vec<String> = parts.iter().map(|part| format!("{part} {}", how(part))).collect();
    let added = |wanted: &dyn Fn(Piece, Square) -> bool| {
        let mut added = parts.iter().filter(|part| how(part) == "added");
        added.any(|part| matches!(*part, Term::Piece(piece, square) if wanted(piece, square)))
    };
    let victim = if mv.kind() == Kind::EnPassant { mv.to().en_passant_partner() } else { mv.to() };
    let is_capture = before.piece_on(victim).is_some();
    let meaning = match mv.kind() {
        Kind::EnPassant if added(&|piece, _| piece.role == Role::Pawn && piece.color != before.turn()) => {
            " (the captured pawn is removed from another square)"
        }
        Kind::Castle if added(&|piece, _| piece.role == Role::Rook) => " (the rook is moved from or to another square)",
        Kind::Promotion(_) if added(&|piece, square| square == mv.to() && piece.color == before.turn()) => {
            " (another piece is added instead of the promoted one)"
        }
        _ if is_capture && added(&|_, square| square == victim) => {
            " (another piece is removed instead of the captured one)"
        }
        _ => "",
    };
    format!("{}{meaning}", texts.join(", "))
}

impl Checker<'_, '_> {
    /// Reports the shortest suffix of a line after which the key is wrong, and explains the error.
    pub(super) fn report_wrong_key(&mut self, root: &Board, line: &[Move]) -> Result<()> {
        let boards = boards(root, line);
        let end = boards[line.len()];
        let other = PositionCommand::from_board(&end);
        let given = self.ask_key(&other)?;
        for start in (0..line.len()).rev() {
            let mut position = PositionCommand::from_board(&boards[start]);
            position.moves = line[start..].iter().map(|&mv| self.engine.write_move(mv)).collect();
            let moved = self.ask_key(&position)?;
            let difference = self.numbers.difference(moved.key, given.key);
            if moved == given || self.is_habit([&boards[start], &end], difference) {
                continue;
            }
            let (last, mv) = (line.len() - 1, line[start]);
            let moved_by = explain_legal_move(&boards[start], mv);
            let cause = match start == last {
                true => self.explain_wrong_key(&boards[last], mv, &end, difference)?,
                false => format!("{moved_by} and later moves"),
            };
            let positions = (position, Some(other));
            self.add_finding(KeyFinding::new(KeyFault::NotOfItsFen, cause, positions, [&given, &moved]));
            break;
        }
        Ok(())
    }

    /// Explains what makes up the difference of a wrong key after a move: the terms that the move edits, any other
    /// known numbers, or a single number that is used instead of the number of each promoted piece.
    fn explain_wrong_key(&mut self, before: &Board, mv: Move, after: &Board, difference: u128) -> Result<String> {
        let moved_by = explain_legal_move(before, mv);
        let mut key =
            |board: &Board| self.ask_key(&PositionCommand::from_board(board)).map(|printed| Some(printed.key));
        if let Some(terms) = explain_difference(&mut key, (before, after), difference, EnPassantPolicy::Always)? {
            return Ok(format!("{terms} after {moved_by}"));
        }
        // Drops an e.p. square that does not change the key of its FEN.
        let mut keyed = |board: &Board| -> Result<Board> {
            let without = board_with(board, |setup| setup.en_passant = None).unwrap_or(*board);
            Ok(if key(board)? == key(&without)? { without } else { *board })
        };
        let boards = (&keyed(before)?, mv, &keyed(after)?);
        let (numbers, changed) = (&self.numbers, changed_pieces(before, after));
        let few = explain(numbers, difference).or_else(|| explain_beside(numbers, difference, &changed));
        if let Some(parts) = few {
            return Ok(format!("{} after {moved_by}", describe_edits(&parts, boards, numbers)));
        }
        if self.is_constant_of_promotions(before, mv, difference)? {
            let what = "one unknown number instead of every promoted piece's, as for a pawn on the last rank";
            return Ok(format!("{what} after {moved_by}"));
        }
        let difference = PrintedKey { key: difference, base: self.engine.dialect.key_base };
        self.report.unexplained.push((difference, MoveProperties::new(before, mv, after)));
        Ok(format!("{moved_by}: difference {difference}, not explained by up to three numbers that FENs show"))
    }

    /// Returns true if the keys after all four promotions of a pawn are wrong in the same way: all four use one number
    /// instead of the promoted piece's own number.
    fn is_constant_of_promotions(&mut self, before: &Board, mv: Move, difference: u128) -> Result<bool> {
        let numbers = Arc::clone(&self.numbers);
        let number = |mv: Move| match mv.kind() {
            Kind::Promotion(role) => numbers.value(Term::Piece(Piece { color: before.turn(), role }, mv.to())),
            _ => None,
        };
        let Some(own) = number(mv) else { return Ok(false) };
        let moves = legal_moves(before);
        let is_other = |other: &&Move| (other.from(), other.to()) == (mv.from(), mv.to()) && **other != mv;
        for &other in moves.iter().filter(is_other) {
            let moved = self.ask_key(&PositionCommand::from_board(before).then(&self.engine.write_move(other)))?;
            let given = self.ask_key(&PositionCommand::from_board(&board_after(before, other)))?;
            if number(other).is_none_or(|number| moved.key ^ given.key ^ number != difference ^ own) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
