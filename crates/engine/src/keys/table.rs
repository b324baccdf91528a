//! Converts an engine's numbers into one of our key tables.
//!
//! A king cannot be removed, and every position has one castling set, one e.p. state and one side to move. So the
//! numbers of each of these groups are known only up to a constant. All constants but one are drawn at random. The last
//! constant is chosen so that the table reproduces the engine's keys. Numbers that the engine does not show are random
//! too, such as those of pawns on back ranks.

use crate::keys::numbers::{KeyComposition, KeyNumbers};
use crate::keys::parts::parts_of;
use perft_gate_chess::{Board, CastlingRights, Color, EnPassantPolicy, Square};
use perft_gate_zobrist::generate::{USUAL_ROWS, imported};
use perft_gate_zobrist::{Axes, Castling, Combine, EnPassantKeys, KeyTables, Layout, Side, Term, Width};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::collections::HashMap;

/// Maximum number of numbers that may be unknown in a table.
const MAX_UNKNOWN: usize = 400;
/// Seed for the constants that the keys do not reveal.
const CONSTANTS: u64 = 0;

/// An engine's numbers in the form of one of our key tables.
#[derive(Clone, Debug)]
pub struct EngineTable {
    /// The scheme with exactly the numbers that the engine shows.
    pub axes: Axes,
    /// Layout of a file that holds the table.
    pub layout: Layout,
    numbers: HashMap<Term, u64>,
    /// The key of two kings on their home squares, with White to move.
    base: u64,
    composition: KeyComposition,
    /// Mask of all bits that occur in the numbers.
    mask: u64,
}

impl EngineTable {
    /// Makes a table of the `learned` numbers. **Errors**: if the numbers do not form a table.
    pub(super) fn learn(
        learned: &KeyNumbers,
        policy: Option<EnPassantPolicy>,
        digits: Option<usize>,
    ) -> Result<EngineTable, NoTable> {
        let composition = learned.composition;
        if !composition.is_known() {
            return Err(NoTable::Composition);
        }
        if let Some(part) = learned.unknown.first().filter(|_| learned.unknown.len() > MAX_UNKNOWN) {
            return Err(NoTable::Unknown(learned.unknown.len(), *part));
        }
        let base = learned.base.ok_or(NoTable::Kings)?;
        let all = learned.numbers.iter().fold(base, |all, number| all | number.value);
        // The mask includes every bit that is set in any number.
        let mask = u64::try_from(all).map_err(|_| NoTable::Wide)?;
        let numbers = learned.numbers.iter().map(|number| (number.part, number.value as u64)).collect();
        let width = width(composition, learned.bits, digits)?;
        let axes = Axes {
            castling: if learned.is_by_right() { Castling::C4 } else { Castling::C16 },
            en_passant: if learned.is_by_file() { EnPassantKeys::E8 } else { EnPassantKeys::E17 },
            policy: policy.unwrap_or(EnPassantPolicy::Legal),
            side: Side::S1,
            combine: if composition == KeyComposition::Xor { Combine::Xor } else { Combine::Add },
            width,
            ..Axes::CPW793
        };
        let layout = match (axes.en_passant, axes.castling) {
            (EnPassantKeys::E8, Castling::C4) => Layout::Cpw781,
            (EnPassantKeys::E8, _) => Layout::Cpw793,
            _ => Layout::Rustic851,
        };
        Ok(EngineTable { axes, layout, numbers, base: base as u64, composition, mask })
    }

    /// Returns the scheme of a file that holds the table. It has the axes of the file's layout, but the policy,
    /// combination and width of the engine.
    pub fn file_axes(&self) -> Axes {
        let Axes { policy, combine, width, .. } = self.axes;
        Axes { policy, combine, width, ..self.layout.axes() }
    }

    /// Returns the axes that a file must state because they differ from those of its layout, if any.
    pub fn changed_axes(&self) -> Option<String> {
        let (own, file) = (self.layout.axes().to_string(), self.file_axes().to_string());
        let changed: Vec<&str> = file.split(',').filter(|axis| own.split(',').all(|other| other != *axis)).collect();
        (!changed.is_empty()).then(|| changed.join(","))
    }

    /// Returns true if the engine shows the number of this term.
    pub fn is_known(&self, part: Term) -> bool {
        self.numbers.contains_key(&part)
    }

    /// Returns true if the engine shows every number of a position's key.
    pub(super) fn covers(&self, board: &Board) -> bool {
        parts_of(board, self.axes.policy).all(|part| self.is_known(part))
    }

    /// Returns how many piece-square keys cannot be derived from the engine's output.
    pub fn unknown_pieces(&self) -> usize {
        Term::all_pieces().filter(|part| !self.is_known(*part)).count()
    }

    /// Returns the key tables for these axes, which must be those of the table or of its file.
    pub fn key_tables(&self, axes: &Axes) -> KeyTables {
        let mut random = ChaCha20Rng::seed_from_u64(CONSTANTS);
        let mut draw = || random.next_u64() & self.mask;
        let [white_king, no_rights, no_square, white] = [(); 4].map(|()| draw());
        // A term that has no number in the scheme counts as 0.
        let no_rights = if axes.castling == Castling::C16 { no_rights } else { 0 };
        let no_square = if axes.en_passant == EnPassantKeys::E8 { 0 } else { no_square };
        let white = if axes.side == Side::S2 { white } else { 0 };
        let join = |one: u64, other: u64| self.composition.join(one.into(), other.into()) as u64;
        let rest = [no_rights, no_square, white].into_iter().fold(white_king, join);
        let black_king = self.composition.difference(self.base.into(), rest.into()) as u64;
        let key = |term: Term| {
            let (part, constant) = match term {
                Term::Castling(CastlingRights::NONE) => return no_rights,
                Term::EnPassant(None) => return no_square,
                Term::Side(Some(Color::White)) => return white,
                Term::Castling(_) => (term, no_rights),
                Term::EnPassant(_) => (term, no_square),
                Term::File(file) => (Term::EnPassant(Some(Square::from_coords(file, 2))), no_square),
                Term::Side(_) => (Term::Side(None), white),
                _ if term.king() == Some(Color::White) => (term, white_king),
                _ if term.king() == Some(Color::Black) => (term, black_king),
                _ => (term, 0),
            };
            // Draw piece and e.p. numbers even if known, so that the other draws do not depend on which are known.
            let drawn = matches!(part, Term::Piece(..) | Term::EnPassant(_)).then(&mut draw);
            self.numbers.get(&part).map(|&number| join(constant, number)).or(drawn).unwrap_or_else(&mut draw)
        };
        imported(axes, Term::all_pieces().chain(axes.state_terms()).map(key).collect(), USUAL_ROWS)
    }
}

/// Reason why an engine's numbers do not form a key table.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoTable {
    /// Keys are not made of one number per term.
    #[error("keys of whole positions are neither the xor nor the sum of one number per term")]
    Composition,
    /// How many numbers are unknown, and the term of one of them.
    #[error("the engine refuses the positions that show {0} numbers, such as {1}")]
    Unknown(usize, Term),
    /// The base of all other numbers is unknown.
    #[error("the engine refuses a position of two bare kings")]
    Kings,
    /// Keys are wider than those of a table.
    #[error("keys have more than 64 bits")]
    Wide,
    /// Keys are sums with a width that no table has. The value is the width in bits.
    #[error("keys are sums modulo 2^{0}, but a table of sums has 32, 48 or 64 bits")]
    Sums(u32),
}

/// Returns the width of keys: the number of bits printed or, if unknown, the number of bits in which keys differ.
fn width(composition: KeyComposition, bits: u32, digits: Option<usize>) -> Result<Width, NoTable> {
    match (composition, digits.map_or(bits, |digits| 4 * digits as u32)) {
        (KeyComposition::Sum(32), _) => Ok(Width::W32),
        (KeyComposition::Sum(48), _) => Ok(Width::W48),
        (KeyComposition::Sum(64), _) => Ok(Width::W64),
        (KeyComposition::Sum(bits), _) => Err(NoTable::Sums(bits)),
        (_, 0..=32) => Ok(Width::W32),
        (_, 33..=48) => Ok(Width::W48),
        _ => Ok(Width::W64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::parts::board;
    use perft_gate_chess::{Fen, Role};
    use perft_gate_zobrist::{Scheme, preset};

    /// Learns the key numbers of an engine that refuses some boards.
    fn learn(is_refused: impl Fn(&Board) -> bool) -> KeyNumbers {
        let tables = preset("cpw781").and_then(|scheme| scheme.key_tables(0)).expect("a scheme with keys");
        KeyNumbers::learn_from(|board| (!is_refused(board)).then(|| tables.key(board).0))
    }

    #[test]
    fn a_position_is_covered_if_all_of_its_numbers_are_known() {
        let queen =
            |board: &Board| board.piece_on(Square::from_coords(3, 4)).is_some_and(|piece| piece.role == Role::Queen);
        let rights = |board: &Board| board.castling_rights() == CastlingRights::new(5);
        let square = |board: &Board| board.en_passant(EnPassantPolicy::Always) == Some(Square::from_coords(2, 5));
        let black = |board: &Board| board.turn() == Color::Black;
        type IsRefused = fn(&Board) -> bool;
        let cases: [(IsRefused, [&str; 2]); 4] = [
            (queen, ["4k3/8/8/2Q5/8/8/8/4K3 b - - 0 1", "4k3/8/8/3Q4/8/8/8/4K3 b - - 0 1"]),
            (rights, ["r3k2r/8/8/8/8/8/8/R3K2R w Qk - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w Kk - 0 1"]),
            (square, ["4k3/8/8/1Pp5/8/8/8/4K3 w - - 0 1", "4k3/8/8/1Pp5/8/8/8/4K3 w - c6 0 1"]),
            (black, ["4k3/8/8/8/8/8/8/4K2N w - - 0 1", "4k3/8/8/8/8/8/8/4K2N b - - 0 1"]),
        ];
        for (is_refused, [known, unknown]) in cases {
            let table = EngineTable::learn(&learn(is_refused), Some(EnPassantPolicy::Legal), Some(16));
            let table = table.unwrap_or_else(|reason| panic!("{unknown}: {reason}"));
            assert!(table.covers(&board(known)) && !table.covers(&board(unknown)), "{unknown}");
        }
    }

    #[test]
    fn a_table_may_lack_400_numbers() {
        let has = |board: &Board, role| Color::ALL.iter().any(|color| !board.pieces(*color, role).is_empty());
        let is_refused = |board: &Board| [Role::Knight, Role::Bishop, Role::Rook].iter().any(|role| has(board, *role));
        let numbers = learn(is_refused);
        assert_eq!(numbers.unknown.len(), 6 * 64 + 15);
        assert!(EngineTable::learn(&numbers, None, None).is_ok());
        let pushed = |board: &Board| board.en_passant(EnPassantPolicy::Always).is_some_and(|square| square.file() < 1);
        let numbers = learn(|board| is_refused(board) || pushed(board));
        let refused = EngineTable::learn(&numbers, None, None).expect_err("too few numbers");
        assert!(refused.to_string().contains("the positions that show 401 numbers"), "{refused}");
    }

    #[test]
    fn keys_are_as_wide_as_they_are_printed_or_differ() {
        for (bits, digits, expected) in [
            (32, None, Width::W32),
            (33, None, Width::W48),
            (48, None, Width::W48),
            (47, Some(12), Width::W48),
            (48, Some(16), Width::W64),
            (49, None, Width::W64),
        ] {
            assert_eq!(width(KeyComposition::Xor, bits, digits), Ok(expected), "{bits} {digits:?}");
        }
    }

    #[test]
    fn a_learned_table_gives_the_keys_it_was_learned_from() {
        for (name, layout, changed) in [
            ("cpw781", Layout::Cpw781, None),
            ("cpw793", Layout::Cpw793, None),
            ("polyglot", Layout::Cpw781, Some("policy=pseudo")),
            ("rustic851", Layout::Rustic851, None),
            ("castling=c4,ep=e17", Layout::Rustic851, Some("policy=legal")),
            ("additive48", Layout::Cpw793, Some("combine=add,width=48")),
            ("castling=c4,width=32", Layout::Cpw781, Some("width=32")),
            ("castling=c4,width=48", Layout::Cpw781, Some("width=48")),
        ] {
            let scheme = Scheme::parse(name, false).expect("a scheme");
            let tables = scheme.key_tables(0).expect("a scheme with keys");
            let numbers = KeyNumbers::learn_from(|board| Some(tables.key(board).0));
            let digits = scheme.axes.map(|axes| axes.width.bits() as usize / 4);
            let table = EngineTable::learn(&numbers, Some(scheme.policy()), digits).expect("a table");
            assert_eq!((table.layout, table.changed_axes().as_deref()), (layout, changed), "{name}");
            assert_eq!(table.unknown_pieces(), 32, "{name}");
            for fen in [
                Fen::START,
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 0 1",
                "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
                "8/8/8/K1pP3r/8/8/8/4k3 w - c6 0 1",
                "8/2k5/8/8/3pP3/8/8/4K3 b - e3 0 1",
            ] {
                let board = board(fen);
                for axes in [table.axes, table.file_axes()] {
                    assert_eq!(table.key_tables(&axes).key(&board), tables.key(&board), "{name}: {fen}");
                }
            }
        }
    }
}
