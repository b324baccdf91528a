//! Optional answers of a board: details of moves (the columns of the usual perft tables), keys after moves, and answers
//! about codes. A board must supply each kind of answer either always or never.
//!
//! V7 compares the key computed before a move is made with the key after it. Engines use the first key to prefetch the
//! table entry of a child. A wrong key breaks nothing, but fetches the wrong cache line, which makes the table slower.

use perft_gate_chess::{Board, Move, quantity};
use perft_gate_walk::Statistics;
use perft_gate_zobrist::Key;
use std::fmt;

/// Whether a board supplies a feature.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Supply {
    /// The board was not asked.
    #[default]
    Unknown,
    /// The board supplies it.
    Supplied,
    /// The board does not supply it.
    NotSupplied,
}

impl fmt::Display for Supply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Supply::Supplied { "a value" } else { "none" })
    }
}

impl Supply {
    /// Adds a case with or without the feature. **Errors**: what earlier cases supplied, if that differs.
    pub(super) fn note(&mut self, found: Supply) -> Result<(), &'static str> {
        match *self {
            Supply::Unknown => *self = found,
            before if before == found => {}
            Supply::Supplied => return Err("a value, as in earlier positions"),
            Supply::NotSupplied => return Err("none, as in earlier positions"),
        }
        Ok(())
    }

    /// Combines what is known about two sets of cases. Returns `None` if they contradict each other.
    pub(super) fn join(mut self, other: Supply) -> Option<Supply> {
        if other != Supply::Unknown {
            self.note(other).ok()?;
        }
        Some(self)
    }

    pub(super) fn from_option<T>(value: Option<T>) -> Supply {
        value.map_or(Supply::NotSupplied, |_| Supply::Supplied)
    }
}

/// Details of a move. A detail is `None` if the program under test never supplies it.
///
/// Fill in the supplied details: `Details { capture: Some(…), ..Details::default() }`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Details {
    /// The move captures, e.p. captures included.
    pub capture: Option<bool>,
    /// The move is an e.p. capture.
    pub en_passant: Option<bool>,
    /// The move is castling.
    pub castling: Option<bool>,
    /// The move is a promotion.
    pub promotion: Option<bool>,
    /// The move gives check, mate included.
    pub check: Option<bool>,
    /// A single piece gives check, and it is neither the moved or promoted piece nor the rook of a castling move.
    pub discovered_check: Option<bool>,
    /// Two pieces give check.
    pub double_check: Option<bool>,
    /// The move gives mate.
    pub checkmate: Option<bool>,
}

const NAMES: [&str; 8] =
    ["capture", "e.p. capture", "castling", "promotion", "check", "discovered check", "double check", "checkmate"];

impl Details {
    fn flags(self) -> [Option<bool>; 8] {
        let Details { capture, en_passant, castling, promotion, check, discovered_check, double_check, checkmate } =
            self;
        [capture, en_passant, castling, promotion, check, discovered_check, double_check, checkmate]
    }
}

/// Details that were compared with ours.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ComparedDetails {
    /// Number of moves compared.
    pub moves: u64,
    /// Whether the board supplies each detail, in the order of [`Details`].
    pub supplied: [Supply; 8],
}

impl ComparedDetails {
    /// Adds the comparisons of other moves. Returns `None` if those moves supplied different details.
    pub(super) fn join(mut self, other: &ComparedDetails) -> Option<ComparedDetails> {
        self.moves += other.moves;
        for (supply, other) in self.supplied.iter_mut().zip(other.supplied) {
            *supply = supply.join(other)?;
        }
        Some(self)
    }

    /// Compares the details of a legal move.
    ///
    /// **Errors**: what was expected and what was found, with the names of the wrong details.
    pub(super) fn compare(&mut self, details: Details, board: &Board, mv: Move) -> Result<(), [String; 2]> {
        let found = details.flags();
        let mut wrong = [Vec::new(), Vec::new()];
        let mut differ = |name: &str, expected: &str, found: &str| {
            wrong[0].push(format!("{name}: {expected}"));
            wrong[1].push(format!("{name}: {found}"));
        };
        for ((name, supply), found) in NAMES.iter().zip(&mut self.supplied).zip(found) {
            if let Err(expected) = supply.note(Supply::from_option(found)) {
                differ(name, expected, found.map_or("none", yes_or_no));
            }
        }
        if found != [None; 8] {
            self.moves += 1;
            let ours = Statistics::of_move(board, mv).kinds().map(|count| count > 0);
            for ((name, expected), found) in NAMES.iter().zip(ours).zip(found) {
                match found {
                    Some(found) if found != expected => differ(name, yes_or_no(expected), yes_or_no(found)),
                    _ => {}
                }
            }
        }
        if wrong[0].is_empty() { Ok(()) } else { Err(wrong.map(|parts| parts.join(", "))) }
    }
}

fn yes_or_no(is: bool) -> &'static str {
    if is { "yes" } else { "no" }
}

impl fmt::Display for ComparedDetails {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.moves == 0 {
            return f.write_str("not supplied");
        }
        let named = |supply: Supply| {
            let names = NAMES.iter().zip(self.supplied).filter(|(_, of)| *of == supply).map(|(name, _)| *name);
            names.collect::<Vec<_>>().join(", ")
        };
        write!(f, "{} ({}", self.moves, named(Supply::Supplied))?;
        match named(Supply::NotSupplied) {
            none if none.is_empty() => f.write_str(")"),
            names => write!(f, "; not supplied: {names})"),
        }
    }
}

/// Comparisons of keys that are computed before the move is made (V7).
#[derive(Clone, Default, Debug)]
pub struct ComparedKeysAfter {
    /// Number of moves whose key was compared.
    pub moves: u64,
    supply: Supply,
}

impl ComparedKeysAfter {
    /// Compares the key computed before a move with the key after it.
    ///
    /// **Errors**: the expected and the found key as text, and both keys, the found one first, if they exist.
    pub(super) fn compare(
        &mut self,
        found: Option<Key>,
        made: Option<Key>,
    ) -> Result<(), ([String; 2], Option<[Key; 2]>)> {
        let text = |key: Option<Key>| key.map_or("none".into(), |key| key.to_string());
        if let Err(expected) = self.supply.note(Supply::from_option(found)) {
            return Err(([expected.into(), text(found)], None));
        }
        let Some(key) = found else { return Ok(()) };
        self.moves += 1;
        match made {
            Some(made) if made == key => Ok(()),
            _ => Err(([text(made), text(found)], made.map(|made| [key, made]))),
        }
    }

    /// Joins the comparisons of two parts of a walk. Returns `None` if only one part has such keys.
    pub(super) fn join(mut self, other: &ComparedKeysAfter) -> Option<ComparedKeysAfter> {
        self.moves += other.moves;
        self.supply = self.supply.join(other.supply)?;
        Some(self)
    }
}

impl fmt::Display for ComparedKeysAfter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.moves == 0 { f.write_str("not supplied") } else { self.moves.fmt(f) }
    }
}

/// Comparisons of answers about codes (V8).
#[derive(Clone, Copy, Default, Debug)]
pub struct ComparedCodes {
    /// Number of positions at which all codes were tested.
    pub nodes: u64,
    /// Number of answers compared: one per code and method. If V8 cannot find the squares in a code, it compares the
    /// answers of `is_pseudo_legal` only for legal moves.
    pub answers: u64,
    /// Whether the board has `is_legal` and `is_pseudo_legal`.
    pub(super) supply: [Supply; 2],
}

impl ComparedCodes {
    /// Joins the comparisons of two parts of a walk. Returns `None` if only one part has answers.
    pub(super) fn join(self, other: ComparedCodes) -> Option<ComparedCodes> {
        let ([one, two], [other_one, other_two]) = (self.supply, other.supply);
        let supply = [one.join(other_one)?, two.join(other_two)?];
        Some(ComparedCodes { nodes: self.nodes + other.nodes, answers: self.answers + other.answers, supply })
    }
}

impl fmt::Display for ComparedCodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.nodes {
            0 => f.write_str("not supplied"),
            nodes => write!(f, "{} at {}", self.answers, quantity(nodes, "node")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_chess::{Fen, legal_moves};

    /// A position, a move, and the indices in `NAMES` of the details that are true of the move. The test of the
    /// shakmaty example compares all details except discovered checks, for every kind of move.
    const MOVES: [(&str, &str, &[usize]); 2] = [
        ("4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", "c5d6", &[0, 1]),
        ("4k3/8/8/8/8/8/4N3/4RK2 w - - 0 1", "e2c3", &[4, 5]),
    ];

    #[test]
    fn each_wrong_detail_is_named_and_what_is_not_supplied_is_not_compared() {
        for (fen, text, kinds) in MOVES {
            let board = Fen::parse(fen).unwrap();
            let mv = legal_moves(&board).iter().copied().find(|mv| mv.uci().to_string() == text).unwrap();
            let right: [Option<bool>; 8] = std::array::from_fn(|kind| Some(kinds.contains(&kind)));
            ComparedDetails::default().compare(details(right), &board, mv).unwrap();
            for (kind, name) in NAMES.iter().enumerate() {
                let mut wrong = right;
                wrong[kind] = wrong[kind].map(|is| !is);
                let [expected, found] = ComparedDetails::default().compare(details(wrong), &board, mv).unwrap_err();
                let is = kinds.contains(&kind);
                assert_eq!(
                    (expected, found),
                    (format!("{name}: {}", yes_or_no(is)), format!("{name}: {}", yes_or_no(!is)))
                );
                wrong[kind] = None;
                let mut compared = ComparedDetails::default();
                compared.compare(details(wrong), &board, mv).unwrap();
                assert!(compared.to_string().ends_with(&format!("; not supplied: {name})")), "{compared}");
                let [expected, _] = compared.compare(details(right), &board, mv).unwrap_err();
                assert_eq!(expected, format!("{name}: none, as in earlier positions"));
                let mut other = ComparedDetails::default();
                other.compare(details(right), &board, mv).unwrap();
                assert_eq!(other.clone().join(&other).map(|both| both.moves), Some(2));
                let mut without = ComparedDetails::default();
                without.compare(details(wrong), &board, mv).unwrap();
                assert_eq!(other.join(&without), None);
            }
        }
        let board = Fen::parse(Fen::START).unwrap();
        let mut none = ComparedDetails::default();
        none.compare(Details::default(), &board, legal_moves(&board)[0]).unwrap();
        assert_eq!(none.to_string(), "not supplied");
    }

    fn details(flags: [Option<bool>; 8]) -> Details {
        let [capture, en_passant, castling, promotion, check, discovered_check, double_check, checkmate] = flags;
        Details { capture, en_passant, castling, promotion, check, discovered_check, double_check, checkmate }
    }
}
