//! Comparison of an engine's keys with those of a known scheme: Polyglot's, Rustic's, or the one that the user names.
//!
//! Numbers are compared term by term. If many numbers differ, the comparison first looks for a common cause: pieces or
//! squares in another order, one number per set of rights instead of one per right, or mirrored files. Only the
//! remaining differences are listed individually.

use crate::keys::en_passant::EnPassantHabit;
use crate::keys::numbers::{KeyComposition, KeyNumbers, Number};
use crate::keys::parts::{KINGS, board};
use crate::keys::piece_rows::{MatchedNumbers, MatchedRows, SquareOrder, describe_odd_entries, find_odd_entries, rows};
use perft_gate_chess::{CastlingRights, Color, Piece, Role, Square};
use perft_gate_zobrist::{Axes, Castling, Combine, EnPassantKeys, KeyTables, PRESETS, Scheme, Term};

/// Minimum percentage of equal numbers at which a scheme is recognised even if the user did not name it.
const RECOGNISED: usize = 90;

/// Comparison of an engine's keys with those of a known scheme.
#[perft_gate_chess::document(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct SchemeMatch {
    /// Name of the scheme.
    pub name: String,
    /// How many numbers were compared.
    pub compared: usize,
    /// How many of the compared numbers are equal, perhaps in another order.
    pub equal: usize,
    /// Explanations of the differences. Empty if the keys are those of the scheme.
    pub differences: Vec<String>,
    /// Smallest halfmove clock at which keys contain more than the scheme's numbers. This counts as a habit of the
    /// engine, not as a difference.
    pub clock_from: Option<u32>,
}

/// Learned properties of an engine's keys, for comparison with a scheme.
#[derive(Clone, Copy)]
pub(super) struct FoundKeys<'a> {
    pub(super) numbers: &'a KeyNumbers,
    pub(super) by_fen: EnPassantHabit,
    pub(super) clock_from: Option<u32>,
}

impl SchemeMatch {
    /// Returns the comparison with the published scheme that matches these keys best, if the match is close.
    pub(super) fn recognise(found: FoundKeys<'_>) -> Option<SchemeMatch> {
        let schemes = PRESETS.iter().filter(|scheme| scheme.is_fixed() && scheme.number_of_keys() > 0);
        let best = schemes.filter_map(|scheme| SchemeMatch::compare(found, scheme)).max_by_key(|known| known.equal)?;
        best.is_close().then_some(best)
    }

    /// Compares keys with those of a scheme. Returns `None` if the scheme has no keys, or if a key joins two sums.
    pub(super) fn compare(found: FoundKeys<'_>, scheme: &Scheme) -> Option<SchemeMatch> {
        let (axes, tables) = (scheme.axes?, scheme.key_tables(0)?);
        let composition = match (axes.combine, tables.parts.len()) {
            (Combine::Xor, _) => KeyComposition::Xor,
            (Combine::Add, 1) => KeyComposition::Sum(axes.width.bits()),
            (Combine::Add, _) => return None,
        };
        let number = |number: &Number| {
            let [with, without] = number.boards.each_ref().map(|board| tables.key(board).0);
            (number.part, [number.value, composition.difference(with, without)])
        };
        let numbers = found.numbers.numbers.iter().map(number).collect();
        Some(TableMatch { found, axes, tables, composition, numbers }.to_match(scheme.name.to_string()))
    }

    /// Returns true if nearly all numbers are those of the scheme.
    pub fn is_close(&self) -> bool {
        self.compared > 0 && 100 * self.equal >= RECOGNISED * self.compared
    }

    /// Describes the comparison in one line.
    pub fn text(&self) -> String {
        let (equal, compared) = (self.equal, self.compared);
        let name = if self.name == "polyglot" { "Polyglot's".into() } else { format!("those of {}", self.name) };
        let clock = self.clock_from.map(|from| format!("; the halfmove clock is in the key from {from} on"));
        let text = match (self.is_close(), &self.differences[..]) {
            (_, []) => format!("{name}, all {compared} numbers"),
            (true, differences) => format!("{name}, but {}", differences.join("; ")),
            (false, [first, ..]) => format!("not {name}: {equal} of {compared} numbers are equal; {first}"),
        };
        text + &clock.unwrap_or_default()
    }
}

/// The keys that were found in an engine, and those of a scheme.
struct TableMatch<'a> {
    found: FoundKeys<'a>,
    axes: Axes,
    tables: KeyTables,
    /// How the scheme combines numbers into a key.
    composition: KeyComposition,
    /// For each term, the number found in the engine and that of the scheme.
    numbers: MatchedNumbers,
}

impl TableMatch<'_> {
    fn to_match(&self, name: String) -> SchemeMatch {
        let numbers = self.found.numbers;
        // A king's numbers are relative to its home square, so the home square has no number to compare.
        let compared = numbers.numbers.iter().filter(|number| number.boards[0] != number.boards[1]).count();
        let clock_from = self.found.clock_from;
        let (expected, composition) = (self.composition, numbers.composition);
        if composition != expected {
            let differences = vec![format!("keys are {composition}, expected {expected}")];
            return SchemeMatch { name, compared, equal: 0, differences, clock_from };
        }
        let (in_order, pieces) = self.compare_pieces();
        let other = self.numbers.keys().filter(|part| !matches!(part, Term::Piece(..)));
        let trivial = numbers.numbers.len() - compared;
        let equal = in_order.saturating_sub(trivial) + other.filter(|part| self.is_equal(**part)).count();
        let mut differences = pieces;
        differences.extend(self.compare_castling());
        differences.extend(self.compare_en_passant());
        differences.extend((!self.is_equal(Term::Side(None))).then(|| self.difference_of(Term::Side(None))));
        if differences.is_empty() {
            differences.extend(self.compare_base());
        }
        let (habit, policy) = (self.found.by_fen, self.axes.policy);
        if habit.policy().is_some() && habit != EnPassantHabit::Policy(policy) {
            differences.push(format!("e.p. {} (expected {})", habit.text(), policy.name()));
        }
        SchemeMatch { name, compared, equal, differences, clock_from }
    }

    fn is_equal(&self, part: Term) -> bool {
        self.numbers.get(&part).is_none_or(|[found, expected]| found == expected)
    }

    fn difference_of(&self, part: Term) -> String {
        let [found, expected] = self.numbers[&part];
        format!("{part}: expected {expected:016x}, found {found:016x}")
    }

    /// Returns how many piece numbers are equal, perhaps in another order, and describes the differences.
    fn compare_pieces(&self) -> (usize, Vec<String>) {
        let rows = rows(&self.numbers);
        let orders = SquareOrder::ALL.map(|order| MatchedRows::new(&rows, order, self.composition));
        let best = orders.into_iter().rev().max_by_key(|matched| matched.equal).expect("an order");
        if 100 * best.equal < RECOGNISED * best.compared || best.is_plain() {
            let rows = Piece::all().map(|piece| {
                let home = (piece.role == Role::King).then(|| Term::Piece(piece, board(KINGS[0]).king(piece.color)));
                let parts = Square::all().map(|square| Term::Piece(piece, square)).filter(|part| Some(*part) != home);
                self.compare_row(parts, &format!("{piece}s"), home)
            });
            let odd: Vec<(usize, String)> = rows.flatten().collect();
            let equal = best.compared - odd.iter().map(|(number, _)| number).sum::<usize>();
            let text = (!odd.is_empty()).then(|| describe_odd_entries(odd));
            return (equal, text.into_iter().collect());
        }
        (best.equal, best.describe())
    }

    /// Compares a row of numbers, which are relative to the number of `base` if there is one, with those of the scheme.
    fn compare_row(&self, parts: impl Iterator<Item = Term>, row: &str, base: Option<Term>) -> Vec<(usize, String)> {
        let composition = self.composition;
        let known = parts.filter_map(|part| {
            let [found, expected] = *self.numbers.get(&part)?;
            Some((part, composition.difference(found, expected)))
        });
        find_odd_entries(&known.collect::<Vec<_>>(), (row, base), composition, |part| self.difference_of(part))
    }

    fn compare_castling(&self) -> Option<String> {
        let numbers = self.found.numbers;
        let rights = |index: usize| Term::Castling(CastlingRights::new(index));
        (1..16).map(rights).find(|part| !self.is_equal(*part))?;
        let by_right = self.axes.castling != Castling::C16;
        if numbers.is_by_right() != by_right {
            let name = |by_right| if by_right { "one number per right" } else { "one number per set" };
            return Some(format!("castling rights: {}, expected {}", name(!by_right), name(by_right)));
        }
        let single = [1, 2, 4, 8].map(rights);
        let swapped = single.iter().enumerate().find_map(|(at, one)| {
            let [found, expected] = *self.numbers.get(one)?;
            let is_it = |other: &&Term| self.numbers.get(*other) == Some(&[expected, found]);
            let other = single[at + 1..].iter().find(is_it)?;
            Some(format!("{one} and {other} are swapped"))
        });
        Some(swapped.unwrap_or_else(|| match by_right {
            true => describe_odd_entries(self.compare_row(single.into_iter(), "castling rights", None)),
            false => describe_odd_entries(self.compare_row((1..16).map(rights), "castling rights", Some(rights(0)))),
        }))
    }

    fn compare_en_passant(&self) -> Option<String> {
        let numbers = self.found.numbers;
        let squares: Vec<Square> = numbers.en_passant_squares().collect();
        squares.iter().find(|square| !self.is_equal(Term::EnPassant(Some(**square))))?;
        let mirrored = |square: &Square| {
            let other = Square::from_coords(7 - square.file(), square.rank());
            let [one, other] = [*square, other].map(|square| self.numbers.get(&Term::EnPassant(Some(square))));
            one.map(|[found, _]| found) == other.map(|[_, expected]| expected)
        };
        if squares.iter().all(mirrored) {
            return Some("e.p. files are counted from h".into());
        }
        let by_file = matches!(self.axes.en_passant, EnPassantKeys::E8 | EnPassantKeys::E9);
        if numbers.is_by_file() != by_file {
            let name = |by_file| if by_file { "one number per file" } else { "one number per square" };
            return Some(format!("e.p.: {}, expected {}", name(!by_file), name(by_file)));
        }
        let row = numbers.different_numbers().into_iter().map(|number| number.part);
        let row = row.filter(|part| matches!(part, Term::EnPassant(_)));
        let base = self.axes.en_passant.has_none().then_some(Term::EnPassant(None));
        Some(describe_odd_entries(self.compare_row(row, "e.p. squares", base)))
    }

    /// Compares the constant that all keys have in common. This is done only if all numbers are equal.
    fn compare_base(&self) -> Option<String> {
        let kings = board(KINGS[0]);
        let (found, expected) = (self.found.numbers.base?, self.tables.key(&kings).0);
        let more = self.composition.difference(found, expected);
        let side = self.found.numbers.value(Term::Side(None))?;
        match more {
            0 => None,
            more if more == side => {
                let own = if self.tables.parts[0].side[0] != 0 { Color::White } else { Color::Black };
                let (other, own) = ((!own).name(), own.name());
                Some(format!("the side's number is in the keys with {other} to move, expected with {own} to move"))
            }
            more => Some(format!("every key includes an extra number, {more:016x}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_chess::{Board, Code, EnPassantPolicy};
    use perft_gate_zobrist::preset;

    /// Deviations of an engine from Polyglot.
    #[derive(Clone, Copy)]
    struct Habits {
        piece: fn(Piece) -> Piece,
        square: fn(usize) -> usize,
        rights: fn(usize) -> usize,
        file: fn(u32) -> u32,
        with_side: Color,
        constant: u64,
        /// Number that is xored into the entry of each piece and square.
        more: fn(Piece, usize) -> u64,
    }

    const POLYGLOT: Habits = Habits {
        piece: |piece| piece,
        square: |square| square,
        rights: |rights| rights,
        file: |file| file,
        with_side: Color::White,
        constant: 0,
        more: |_, _| 0,
    };

    fn text(habits: Habits, policy: EnPassantPolicy, clock_from: Option<u32>) -> Option<String> {
        let tables = preset("polyglot").and_then(|scheme| scheme.key_tables(0)).expect("a scheme with keys");
        let table = &tables.parts[0];
        let key = |board: &Board| {
            let mut key = habits.constant;
            for square in Square::all() {
                let Some(piece) = board.piece_on(square) else { continue };
                let entry = table.pieces[Code::from((habits.piece)(piece)).index()][(habits.square)(square.index())];
                key ^= entry ^ (habits.more)(piece, square.index());
            }
            key ^= table.castling[(habits.rights)(board.castling_rights().index())];
            let square = board.en_passant(EnPassantPolicy::Legal);
            key ^= square.map_or(0, |square| table.en_passant[(habits.file)(square.file()) as usize]);
            key ^= if board.turn() == habits.with_side { table.side[0] } else { 0 };
            Some(key.into())
        };
        let numbers = KeyNumbers::learn_from(key);
        let found = FoundKeys { numbers: &numbers, by_fen: EnPassantHabit::Policy(policy), clock_from };
        SchemeMatch::recognise(found).map(|known| known.text())
    }

    #[test]
    fn an_entry_that_a_whole_row_is_relative_to_is_the_odd_one() {
        let no_rights: fn(&Board) -> bool = |board| board.castling_rights() == CastlingRights::NONE;
        let no_square: fn(&Board) -> bool = |board| board.en_passant(EnPassantPolicy::Legal).is_none();
        let home: fn(&Board) -> bool = |board| board.king(Color::Black) == Square::from_coords(4, 7);
        for (scheme, has_more, expected) in [
            ("castling=c16", no_rights, "no castling right differs by 0000000000000009: 15 numbers of its row agree"),
            ("ep=e17", no_square, "no e.p. square differs by 0000000000000009: 16 numbers of its row agree"),
            ("ep=e9", no_square, "no e.p. square differs by 0000000000000009: 8 numbers of its row agree"),
            ("additive48", home, "black king on e8 differs by 0000000000000009: 63 numbers of its row agree"),
        ] {
            let scheme = Scheme::parse(scheme, false).expect("a scheme");
            let tables = scheme.key_tables(0).expect("a scheme with keys");
            let is_sum = scheme.axes.is_some_and(|axes| axes.combine == Combine::Add);
            let numbers = KeyNumbers::learn_from(|board| {
                let (key, more) = (tables.key(board).0, 9 * u128::from(has_more(board)));
                Some(if is_sum { (key + more) & ((1 << 48) - 1) } else { key ^ more })
            });
            let by_fen = EnPassantHabit::Policy(scheme.policy());
            let compared = SchemeMatch::compare(FoundKeys { numbers: &numbers, by_fen, clock_from: None }, &scheme);
            assert_eq!(compared.expect("a comparison").differences, [expected], "{}", scheme.name);
        }
    }

    #[test]
    fn keys_of_a_published_scheme_are_recognised_and_differences_explained() {
        let exchange = |piece: Piece| match piece.role {
            Role::Pawn => Piece { color: !piece.color, ..piece },
            _ => piece,
        };
        let mirror = |piece: Piece| Piece { color: !piece.color, ..piece };
        let check = |habits, expected: &str| {
            let found = text(habits, EnPassantPolicy::Pseudo, None).unwrap_or_default();
            assert!(found.strip_prefix("Polyglot's, but ").is_some_and(|found| found.starts_with(expected)), "{found}");
        };
        for (habits, expected) in [
            (Habits { piece: exchange, ..POLYGLOT }, "white pawns and black pawns are swapped"),
            (Habits { piece: mirror, ..POLYGLOT }, "the colours of the pieces are swapped"),
            (Habits { square: |square| square ^ 56, ..POLYGLOT }, "squares are counted from a8"),
            (
                Habits { with_side: Color::Black, ..POLYGLOT },
                "the side's number is in the keys with Black to move, expected with White to move",
            ),
            (
                Habits { rights: |rights| rights & 12 | rights << 1 & 2 | rights >> 1 & 1, ..POLYGLOT },
                "castling right K and castling right Q are swapped",
            ),
            (Habits { file: |file| 7 - file, ..POLYGLOT }, "e.p. files are counted from h"),
            (Habits { constant: 5, ..POLYGLOT }, "every key includes an extra number, 0000000000000005"),
            (
                Habits { square: |square| if square == 20 { 0 } else { square }, ..POLYGLOT },
                "white pawn on e3: expected",
            ),
        ] {
            check(habits, expected);
        }
        let king = |color| Piece { color, role: Role::King };
        assert_eq!([king(Color::White).number(), king(Color::Black).number()], [5, 11]);
        for (more, expected) in [
            (
                (|piece, square| if (piece.number(), square) == (11, 60) { 5 } else { 0 }) as fn(Piece, usize) -> u64,
                "black king on e8 differs by 0000000000000005: 63 numbers of its row agree",
            ),
            (
                |piece, square| match (piece.number(), square) {
                    (5, 4) => 6,
                    (5, 6) => 10,
                    _ => 0,
                },
                "white king on e1 differs by 0000000000000006: 62 numbers of its row agree; \
                 white king on g1 differs by 000000000000000a",
            ),
            (|piece, square| if (piece.number(), square) == (5, 0) { 5 } else { 0 }, "white king on a1: expected "),
            (
                |piece, square| 3 * u64::from(piece.number() == 7) + 8 * u64::from((piece.number(), square) == (7, 9)),
                "black knights: 63 numbers differ by 0000000000000003; black knight on b2 differs by 0000000000000008",
            ),
        ] {
            check(Habits { more, ..POLYGLOT }, expected);
        }
        let same = text(POLYGLOT, EnPassantPolicy::Pseudo, None);
        assert_eq!(same.as_deref(), Some("Polyglot's, all 766 numbers"));
        let always = text(POLYGLOT, EnPassantPolicy::Always, None);
        assert_eq!(always.as_deref(), Some("Polyglot's, but e.p. always (expected pseudo)"));
        let clock = text(POLYGLOT, EnPassantPolicy::Pseudo, Some(14));
        assert_eq!(clock.as_deref(), Some("Polyglot's, all 766 numbers; the halfmove clock is in the key from 14 on"));
        let other = Habits { square: |square| square * 5 % 64, ..POLYGLOT };
        assert_eq!(text(other, EnPassantPolicy::Pseudo, None), None);
    }
}
