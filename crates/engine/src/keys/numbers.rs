//! Numbers that make up an engine's keys, how they are combined and their width, learned from differences between keys.
//!
//! If a key is the xor or the sum of one number per term, a term's number is the difference between the keys of two
//! positions that differ only in that term. A king cannot be removed, so a king's numbers are relative to its home
//! square, and mean something only in pairs. Two whole positions show whether keys are xors, sums or neither.

use crate::keys::parts::{KINGS, board, en_passant, flip_turn, is_one_file, parts_of, with_and_without};
use perft_gate_chess::{Board, CastlingRights, Color, EnPassantPolicy, Fen, Square};
use perft_gate_judge::gate::term_probe::board_with_rights;
use perft_gate_zobrist::generate::Basis;
use perft_gate_zobrist::{PairSums, Term};
use std::fmt;
use std::sync::OnceLock;

/// How the numbers of a position's parts are combined into its key.
#[perft_gate_chess::document(kebab, Clone, Copy, PartialEq, Eq, Default, Debug, serde::Serialize)]
pub enum KeyComposition {
    /// Their exclusive or.
    #[default]
    Xor,
    /// Their sum modulo 2^n, where n is this value.
    Sum(u32),
    /// Neither predicts the keys of whole positions.
    Other,
}

impl KeyComposition {
    pub(super) fn difference(self, one: u128, other: u128) -> u128 {
        if let KeyComposition::Sum(bits) = self { one.wrapping_sub(other) & mask(bits) } else { one ^ other }
    }

    pub(super) fn join(self, key: u128, number: u128) -> u128 {
        if let KeyComposition::Sum(bits) = self { key.wrapping_add(number) & mask(bits) } else { key ^ number }
    }

    /// Returns true if keys are known to be the xor or the sum of one number per term.
    pub const fn is_known(self) -> bool {
        !matches!(self, KeyComposition::Other)
    }
}

impl fmt::Display for KeyComposition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyComposition::Xor => f.write_str("xor of one number per term"),
            KeyComposition::Sum(bits) => write!(f, "sum of one number per term, modulo 2^{bits}"),
            KeyComposition::Other => f.write_str("neither the xor nor the sum of one number per term"),
        }
    }
}

/// Returns a word in which the lowest `bits` bits are set.
pub(super) const fn mask(bits: u32) -> u128 {
    if bits == 0 { 0 } else { u128::MAX >> (128 - bits) }
}

/// Minimum number of random numbers for which the rank over GF(2) almost surely equals the width in bits.
const ENOUGH_FOR_RANK: usize = 200;

/// Returns the number of independent bits in which keys differ: the rank of the numbers or, if only a few are known,
/// the number of bits set in any of them.
pub(super) fn width(numbers: impl ExactSizeIterator<Item = u128> + Clone) -> u32 {
    match numbers.len() {
        ENOUGH_FOR_RANK.. => Basis::new(numbers).rank() as u32,
        _ => numbers.fold(0, |all, number| all | number).count_ones(),
    }
}

/// A position with every castling right.
const CORNERS: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
/// Positions with many terms. Their keys show whether terms are combined by xor or by addition.
const WHOLE: [&str; 2] = [Fen::START, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"];
/// Limit on the expected number of keys that are equal by chance. Above this limit, equal keys mean nothing.
pub(super) const CHANCE: f64 = 1e-3;

/// The number that a term contributes to the key, with the two positions whose keys differ by it.
#[derive(Clone, Debug)]
pub(crate) struct Number {
    pub(crate) part: Term,
    pub(crate) value: u128,
    /// The position with the term, and the position without the term.
    pub(crate) boards: [Board; 2],
}

/// The key numbers of an engine's terms.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeyNumbers {
    pub(super) numbers: Vec<Number>,
    /// Operation that combines the numbers into keys.
    pub(super) composition: KeyComposition,
    /// The key of two kings on their home squares, with White to move.
    pub(super) base: Option<u128>,
    /// Terms whose numbers are unknown, because the engine refuses a position that would reveal the number.
    pub(super) unknown: Vec<Term>,
    /// Number of independent bits in which keys differ. Sign bits that fill the upper half count as one bit.
    pub(crate) bits: u32,
    /// Sums of two [different numbers](Self::different_numbers), computed on first use.
    pairs: OnceLock<PairSums>,
}

/// Returns the expected number of equal pairs among `n` random keys of `bits` bits.
pub(crate) fn equal_by_chance(n: u64, bits: u32) -> f64 {
    let n = n as f64;
    n * (n - 1.0) / 2.0 / 2_f64.powi(bits as i32)
}

/// Returns true if equal keys among `n` keys of `bits` bits are not a coincidence.
pub(crate) fn are_no_chance(n: u64, bits: u32) -> bool {
    equal_by_chance(n, bits) < CHANCE
}

impl KeyNumbers {
    /// Learns the numbers. `key` returns the key of a position given by FEN, with an e.p. square after every double
    /// push, or `None` if the engine refuses the position. The numbers that the position would reveal are then unknown.
    ///
    /// **Errors**: those of `key`.
    pub(super) fn learn<E>(
        mut key: impl FnMut(&Board) -> Result<Option<u128>, E>,
        counts_en_passant: bool,
    ) -> Result<KeyNumbers, E> {
        let mut unknown = Vec::new();
        let mut found: Vec<(Term, [Board; 2], [u128; 2])> = Vec::new();
        for (part, boards) in shown_parts(counts_en_passant) {
            match (key(&boards[0])?, key(&boards[1])?) {
                (Some(one), Some(other)) => found.push((part, boards, [one, other])),
                _ => unknown.push(part),
            }
        }
        let base = key(&board(KINGS[0]))?;
        let mut whole = Vec::new();
        // Asks with either side to move, because the numbers of some engines depend on the side to move.
        for board in WHOLE.map(board).into_iter().flat_map(|board| [Some(board), flip_turn(&board)]).flatten() {
            whole.extend(key(&board)?.map(|key| (board, key)));
        }
        let all = found.iter().flat_map(|(.., keys)| keys).fold(0, |all, key| all | key);
        let sum = KeyComposition::Sum(u128::BITS - all.leading_zeros());
        let learned = |composition: KeyComposition| {
            let number = |&(part, boards, [one, other]): &(Term, [Board; 2], [u128; 2])| Number {
                part,
                value: composition.difference(one, other),
                boards,
            };
            let numbers: Vec<Number> = found.iter().map(number).collect();
            let bits = match composition {
                KeyComposition::Sum(bits) => bits,
                _ => width(numbers.iter().map(|number| number.value)),
            };
            KeyNumbers { numbers, composition, base, unknown: unknown.clone(), bits, pairs: OnceLock::new() }
        };
        // A position with an unknown number predicts no key, so it contradicts neither xor nor sum.
        let [by_xor, by_sum] = [KeyComposition::Xor, sum].map(learned);
        let predicts = |numbers: &KeyNumbers| {
            whole.iter().all(|(board, key)| numbers.predict(board).is_none_or(|predicted| predicted == *key))
        };
        Ok(match () {
            () if predicts(&by_xor) => by_xor,
            () if predicts(&by_sum) => by_sum,
            () => KeyNumbers { composition: KeyComposition::Other, ..by_xor },
        })
    }

    /// Learns the numbers from the keys that `key` returns.
    #[cfg(test)]
    pub(super) fn learn_from(key: impl Fn(&Board) -> Option<u128>) -> KeyNumbers {
        let Ok(numbers) = KeyNumbers::learn(|board| Ok::<_, std::convert::Infallible>(key(board)), true);
        numbers
    }

    pub(super) fn value(&self, part: Term) -> Option<u128> {
        self.numbers.iter().find(|number| number.part == part).map(|number| number.value)
    }

    /// Predicts the key of a position that has no e.p. square, if the numbers of all its terms are known.
    fn predict(&self, board: &Board) -> Option<u128> {
        let mut parts = parts_of(board, EnPassantPolicy::Legal);
        parts.try_fold(self.base?, |key, part| Some(self.composition.join(key, self.value(part)?)))
    }

    /// Returns true if this is the number of several castling rights and just combines the single rights' numbers.
    pub(super) fn is_sum_of_rights(&self, number: &Number) -> bool {
        let Term::Castling(rights) = number.part else { return false };
        let held = (0..4).map(|right| 1 << right).filter(|right| rights.index() & right != 0);
        let value = |right| self.value(Term::Castling(CastlingRights::new(right))).unwrap_or(0);
        !rights.index().is_power_of_two()
            && held.fold(0, |sum, right| self.composition.join(sum, value(right))) == number.value
    }

    /// Returns true if the number of every set of castling rights just combines the numbers of its single rights.
    pub(super) fn is_by_right(&self) -> bool {
        let is_single = |part| !matches!(part, Term::Castling(rights) if !rights.index().is_power_of_two());
        self.numbers.iter().all(|number| is_single(number.part) || self.is_sum_of_rights(number))
    }

    /// Iterates over the e.p. squares whose numbers are known.
    pub(super) fn en_passant_squares(&self) -> impl Iterator<Item = Square> {
        self.numbers.iter().filter_map(|number| match number.part {
            Term::EnPassant(Some(square)) => Some(square),
            _ => None,
        })
    }

    /// Returns true if the two e.p. squares of every file share a number.
    pub(super) fn is_by_file(&self) -> bool {
        let value = |square: Square, rank| self.value(Term::EnPassant(Some(Square::from_coords(square.file(), rank))));
        self.en_passant_squares().all(|square| value(square, 2) == value(square, 5))
    }

    /// Returns the numbers by which the keys of two positions can differ. E.p. squares on the same file that have the
    /// same number count once, and each set of castling rights counts separately.
    pub(super) fn different_numbers(&self) -> Vec<&Number> {
        let mut taken: Vec<&Number> = Vec::with_capacity(self.numbers.len());
        for number in &self.numbers {
            let is_same = |other: &&Number| other.value == number.value && is_one_file(other.part, number.part);
            if !matches!(number.part, Term::EnPassant(_)) || !taken.iter().any(is_same) {
                taken.push(number);
            }
        }
        taken
    }

    pub(super) fn pairs(&self) -> &PairSums {
        let values = || self.different_numbers().iter().map(|number| number.value).collect::<Vec<_>>();
        self.pairs.get_or_init(|| PairSums::new(&values(), &|one, other| self.composition.join(one, other)))
    }

    pub(super) fn difference(&self, one: u128, other: u128) -> u128 {
        self.composition.difference(one, other)
    }
}

/// Returns each term whose number can be learned, with two positions: one that has the term and one that lacks it.
fn shown_parts(counts_en_passant: bool) -> impl Iterator<Item = (Term, [Board; 2])> {
    let pieces = Term::all_pieces().filter_map(|part| Some((part, with_and_without(part)?)));
    let kings = board(KINGS[0]);
    let side = (Term::Side(None), [flip_turn(&kings).expect("a position"), kings]);
    let corners = board(CORNERS);
    let with = move |rights| board_with_rights(&corners, rights).expect("a position");
    let sets = (1..16).map(CastlingRights::new);
    let castling = sets.map(move |rights| (Term::Castling(rights), [with(rights), with(CastlingRights::NONE)]));
    let files = (0..8).flat_map(|file| Color::ALL.map(|color| en_passant(file, color)));
    let squares = files.map(|boards| {
        let square = boards[0].en_passant(EnPassantPolicy::Always).expect("an e.p. square");
        (Term::EnPassant(Some(square)), boards)
    });
    pieces.chain([side]).chain(castling).chain(squares.filter(move |_| counts_en_passant))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::explanation::explain;
    use perft_gate_chess::{Piece, Role};
    use perft_gate_zobrist::preset;

    /// Learns the key numbers if only the bits in `shown` of each key are visible.
    fn learn(shown: u128) -> KeyNumbers {
        let tables = preset("cpw781").and_then(|scheme| scheme.key_tables(0)).expect("a scheme with keys");
        KeyNumbers::learn_from(|board| Some(tables.key(board).0 & shown))
    }

    #[test]
    fn few_numbers_do_not_show_their_width_by_their_rank() {
        let values: Vec<u128> = learn(u128::MAX).numbers.iter().map(|number| number.value).collect();
        assert!(width(values[..20].iter().copied()) > 60);
        assert_eq!(width(values[..ENOUGH_FOR_RANK].iter().copied()), 64);
    }

    #[test]
    fn a_difference_is_explained_by_few_parts() {
        let numbers = learn(u128::MAX);
        let piece = |role, color, file, rank| Term::Piece(Piece { color, role }, Square::from_coords(file, rank));
        for parts in [
            vec![Term::Side(None)],
            vec![piece(Role::Pawn, Color::Black, 3, 4), piece(Role::Pawn, Color::Black, 3, 5)],
            vec![piece(Role::King, Color::White, 4, 0), piece(Role::King, Color::White, 6, 0), Term::Side(None)],
        ] {
            let difference = parts.iter().fold(0, |sum, part| sum ^ numbers.value(*part).expect("a part"));
            let found = explain(&numbers, difference).unwrap_or_else(|| panic!("{parts:?}"));
            assert!(found.len() == parts.len() && parts.iter().all(|part| found.contains(part)), "{found:?}");
        }
        assert_eq!(explain(&numbers, 0x1234_5678_9abc_def0), None);
        assert_eq!(explain(&learn(0xffff), 1), None, "any difference fits short keys");
    }

    #[test]
    fn one_number_of_many_shows_the_form() {
        let usual = learn(u128::MAX);
        assert!(usual.is_by_right() && usual.is_by_file());
        let forms = |part: Term| {
            let mut other = usual.clone();
            other.numbers.iter_mut().find(|number| number.part == part).expect("a part").value ^= 1;
            [other.is_by_right(), other.is_by_file()]
        };
        for set in [3, 10, 15] {
            assert_eq!(forms(Term::Castling(CastlingRights::new(set))), [false, true], "{set}");
        }
        for (file, rank) in [(0, 5), (4, 2), (7, 2), (7, 5)] {
            let square = Term::EnPassant(Some(Square::from_coords(file, rank)));
            assert_eq!(forms(square), [true, false], "{square}");
        }
        // With one number per file, the two squares of a file count once.
        assert_eq!(usual.different_numbers().len() + 8, usual.numbers.len());
    }

    #[test]
    fn equal_keys_are_chance_or_not() {
        assert!(are_no_chance(6000, 64) && are_no_chance(800, 32));
        assert!(!are_no_chance(6000, 32) && !are_no_chance(300, 16));
    }
}
