//! Facts about an engine's scheme that its keys reveal, in words.

use crate::keys::dependencies::coincidences;
use crate::keys::en_passant::EnPassantHabit;
use crate::keys::key_probe::KeyConventions;
use crate::keys::numbers::{KeyComposition, KeyNumbers};
use perft_gate_chess::{CastlingRights, EnPassantPolicy};
use perft_gate_zobrist::Term;
use std::collections::HashSet;

/// What is known about key numbers of pawns on the first and the last rank, which no legal position has.
#[perft_gate_chess::document(kebab, Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub enum BackRankPawns {
    /// Number of pawns, out of 32, for which the engine shows keys.
    Known(usize),
    /// The engine died or hung when given such a position.
    Died,
    /// It was not asked, because it shows no FEN: a refusal would go unnoticed.
    NotAsked,
}

/// Numbers of castling rights.
#[perft_gate_chess::document(kebab, Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub enum CastlingForm {
    /// No right changes the key.
    None,
    /// One number per right. The numbers of the rights in a set are combined.
    ByRight,
    /// One number per set of rights.
    BySet,
    /// These rights change nothing.
    Without(Vec<CastlingRights>),
}

/// Numbers of e.p. squares.
#[perft_gate_chess::document(kebab, Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub enum EnPassantForm {
    /// One number per file.
    ByFile,
    /// One number per square.
    BySquare,
    /// No e.p. square in a FEN changes the key, or the squares that change it follow no known rule.
    Unknown,
}

/// Facts about an engine's scheme that its keys reveal.
#[perft_gate_chess::document(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct KeyFacts {
    /// Number of bits in which keys differ.
    pub bits: u32,
    /// Number of digits that the engine prints for a key, if they are hexadecimal.
    pub digits: Option<usize>,
    /// How numbers combine into keys.
    #[serde(rename = "combine")]
    pub composition: KeyComposition,
    /// Number of known piece numbers, out of 768.
    #[serde(rename = "piece_numbers")]
    pub pieces: usize,
    /// Number of known piece numbers, not counting those of kings.
    pub without_kings: usize,
    /// Number of different values among these.
    #[serde(rename = "different_piece_numbers")]
    pub different: usize,
    /// Pawns on back ranks.
    pub back_rank_pawns: BackRankPawns,
    /// Castling rights.
    pub castling: CastlingForm,
    /// Number of sets of castling rights that the engine accepted, the empty set included.
    pub castling_sets: usize,
    /// E.p. squares.
    pub en_passant: EnPassantForm,
    /// E.p. squares in the key when a position is given by FEN.
    #[serde(rename = "policy")]
    pub habit: EnPassantHabit,
    /// True if the side to move changes the key.
    pub side: bool,
    /// Halfmove clocks at which the key changes.
    pub clocks: Vec<u32>,
    /// False if a position has a different key whenever it is repeated, because of the halfmove clock.
    pub can_repeat: bool,
    /// True if the fullmove number is in the key.
    pub fullmove: bool,
    /// Numbers that are 0 or equal.
    #[serde(rename = "shared")]
    pub coincidences: Vec<String>,
}

impl KeyFacts {
    /// Returns the facts that follow from the numbers and the conventions.
    pub(super) fn new(
        numbers: &KeyNumbers,
        conventions: &KeyConventions,
        pawns: BackRankPawns,
        digits: Option<usize>,
    ) -> KeyFacts {
        let own = |part: Term| matches!(part, Term::Piece(..)) && part.king().is_none();
        let values = || numbers.numbers.iter().filter(|number| own(number.part)).map(|number| number.value);
        let count = |is_so: fn(Term) -> bool| numbers.numbers.iter().filter(|number| is_so(number.part)).count();
        let squares = numbers.en_passant_squares().count();
        KeyFacts {
            bits: numbers.bits,
            digits,
            composition: numbers.composition,
            pieces: count(|part| matches!(part, Term::Piece(..))),
            without_kings: values().count(),
            different: values().collect::<HashSet<_>>().len(),
            back_rank_pawns: pawns,
            castling: castling_form(numbers),
            castling_sets: 1 + count(|part| matches!(part, Term::Castling(_))),
            en_passant: match numbers.is_by_file() {
                _ if squares == 0 => EnPassantForm::Unknown,
                true => EnPassantForm::ByFile,
                false => EnPassantForm::BySquare,
            },
            habit: conventions.by_fen,
            side: numbers.value(Term::Side(None)).is_some_and(|number| number != 0),
            clocks: conventions.clocks.clone(),
            can_repeat: conventions.can_repeat,
            fullmove: conventions.fullmove,
            coincidences: coincidences(numbers),
        }
    }

    /// Returns each fact as a name and a text.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        let known = self.composition.is_known();
        let mut lines = vec![("keys", self.width())];
        if known {
            lines.push(("pieces", self.pieces_text()));
            lines.push(("castling", self.castling_text()));
        }
        lines.push(("e.p.", self.en_passant_text(known)));
        let side = match self.side {
            true => "one number for the side to move; keys alone do not show for which side",
            false => "not in the key",
        };
        lines.push(("side", side.into()));
        lines.push(("clock", self.clock_text()));
        lines.extend(self.coincidences.iter().map(|text| ("shared", text.clone())));
        lines
    }

    fn width(&self) -> String {
        let narrow = self.digits.filter(|digits| 4 * digits > self.bits as usize + 4);
        let printed = narrow.map_or(String::new(), |digits| format!(" in {digits} digits"));
        format!("{} bits{printed}, {}", self.bits, self.composition)
    }

    fn pieces_text(&self) -> String {
        let pawns = match self.back_rank_pawns {
            BackRankPawns::Known(32) => "including those of pawns on back ranks".into(),
            BackRankPawns::Known(0) => "pawns on back ranks: not accepted".into(),
            BackRankPawns::Known(some) => format!("pawns on back ranks: accepted in {some} of 32 places"),
            BackRankPawns::Died => "pawns on back ranks: the engine exits when given such a FEN".into(),
            BackRankPawns::NotAsked => "pawns on back ranks: not asked, because the engine shows no FEN".into(),
        };
        // The numbers of kings are relative to a home square, so they cannot be compared with other numbers.
        let different = match (self.different, self.without_kings) {
            (all, own) if all == own => "all different".into(),
            (some, own) => format!("only {some} different among the {own} of pieces other than kings"),
        };
        format!("{} of 768 numbers, {different}; {pawns}", self.pieces)
    }

    fn castling_text(&self) -> String {
        let form = match &self.castling {
            CastlingForm::None => "not in the key".into(),
            CastlingForm::ByRight => "one number per right".into(),
            CastlingForm::BySet => "one number per set".into(),
            CastlingForm::Without(rights) => {
                let names: Vec<String> = rights.iter().map(ToString::to_string).collect();
                format!("right {} not in the key", names.join(" and right "))
            }
        };
        format!("{form} ({} sets learned)", self.castling_sets)
    }

    fn en_passant_text(&self, known: bool) -> String {
        let form = match self.en_passant {
            EnPassantForm::ByFile if known => "one number per file; ",
            EnPassantForm::BySquare if known => "one number per square; ",
            _ => "",
        };
        let counts = |policy| match policy {
            EnPassantPolicy::Legal => "where a capture is legal",
            EnPassantPolicy::Pseudo => "where a pawn can take (a pinned pawn counts)",
            EnPassantPolicy::Always => "after every double push",
        };
        let rule = match self.habit {
            EnPassantHabit::Policy(policy) => format!("counts {}", counts(policy)),
            EnPassantHabit::Between([inner, outer]) => {
                format!("counts {}, and in some of the positions {}", counts(inner), counts(outer))
            }
            EnPassantHabit::Ignored => "not in the key".into(),
            EnPassantHabit::NoRule => "the squares that count follow none of the rules legal, pseudo and always".into(),
        };
        format!("{form}{rule}")
    }

    fn clock_text(&self) -> String {
        let clock = match self.clocks[..] {
            [] => "not in the key".into(),
            [one] => format!("a different number from clock {one} on"),
            [first, second, ..] => {
                let step = second - first;
                match self.clocks.windows(2).all(|pair| pair[1] - pair[0] == step) {
                    true if step == 1 => format!("from clock {first} on, a different number each halfmove"),
                    true => format!("from clock {first} on, a different number every {step} halfmoves"),
                    false => format!("from clock {first} to 100, {} different numbers", self.clocks.len()),
                }
            }
        };
        let repeats = if self.can_repeat { "" } else { ", so no position can repeat" };
        format!("{clock}{repeats}{}", if self.fullmove { "; the fullmove number is in the key" } else { "" })
    }
}

fn castling_form(numbers: &KeyNumbers) -> CastlingForm {
    let value = |rights: CastlingRights| match rights {
        CastlingRights::NONE => Some(0),
        rights => numbers.value(Term::Castling(rights)),
    };
    let sets = || (0..16).map(CastlingRights::new);
    let changes_nothing = |right: &CastlingRights| {
        let holders = sets().filter(|set| set.without(*right) != *set);
        holders.clone().all(|set| value(set).is_some() && value(set) == value(set.without(*right)))
    };
    let silent: Vec<CastlingRights> =
        [1, 2, 4, 8].map(CastlingRights::new).into_iter().filter(changes_nothing).collect();
    match silent.len() {
        4 => CastlingForm::None,
        0 if numbers.is_by_right() => CastlingForm::ByRight,
        0 => CastlingForm::BySet,
        _ => CastlingForm::Without(silent),
    }
}
