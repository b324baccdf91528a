//! Which terms explain a wrong key.
//!
//! A key is the xor, or the sum, of one word for each man, the rights, the e.p. square and the side. The difference
//! between the incremental key and the recomputed one is then itself made of a few words: those that an update forgot (in
//! a sum, with a minus) or should have left alone. The words that the move's own edits touch are tried first, in all combinations; then all sets of one
//! to three terms of the whole scheme.

use perft_gate_walk::chess::{Board, CastlingRights, Code, EnPassantPolicy, Piece, Square};
use perft_gate_walk::zobrist::KeyTable;
use std::collections::HashMap;
use std::fmt;

/// How many solutions are kept of an ambiguous difference.
const KEPT: usize = 4;
/// How many terms of the whole scheme are combined.
const MOST_TERMS: usize = 3;

/// What a word of the key stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Term {
    /// A man on a square.
    Man(Piece, Square),
    /// The change from one set of rights to another.
    Castling(CastlingRights, CastlingRights),
    /// The change from one e.p. square, or none, to another.
    EnPassant(Option<Square>, Option<Square>),
    /// The other side moves.
    Side,
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let square = |square: Option<Square>| square.map_or("-".into(), |square| square.to_string());
        match *self {
            Term::Man(piece, on) => write!(f, "{piece} on {on}"),
            Term::Castling(old, new) => write!(f, "castling {old}→{new}"),
            Term::EnPassant(old, new) => write!(f, "e.p. {}→{}", square(old), square(new)),
            Term::Side => write!(f, "side to move"),
        }
    }
}

/// A term that is wrong, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Named {
    /// Which.
    pub term: Term,
    /// Is it of the position, and missing from its key? Else the key has it and the position does not.
    pub missing: bool,
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.term, if self.missing { "missing" } else { "left in" })
    }
}

/// What explains a difference of keys.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Diagnosis {
    /// These terms, and no others.
    Terms(Vec<Named>),
    /// Several sets of terms would.
    Ambiguous(Vec<Vec<Named>>),
    /// No set of up to three terms.
    Unexplained,
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |terms: &[Named]| terms.iter().map(Named::to_string).collect::<Vec<_>>().join(", ");
        match self {
            Diagnosis::Terms(terms) => f.write_str(&list(terms)),
            Diagnosis::Ambiguous(sets) => {
                let sets: Vec<_> = sets.iter().map(|terms| list(terms)).collect();
                write!(f, "ambiguous: {}", sets.join("; or "))
            }
            Diagnosis::Unexplained => write!(f, "no set of up to {MOST_TERMS} terms explains it"),
        }
    }
}

/// Terms with their words, as the search wants them.
struct Terms<'w> {
    words: &'w KeyTable,
    after: &'w Board,
}

impl Terms<'_> {
    /// How far a key is off if this term alone is wrong.
    fn effect(&self, term: Term) -> u64 {
        let combine = self.words.combine;
        let change = |old: u64, new: u64| combine.part(new, old);
        let en_passant = |square: Option<Square>| self.words.en_passant[square.map_or(64, Square::index)];
        let word = match term {
            Term::Man(piece, square) => self.words.pieces[Code::from(piece).index()][square.index()],
            Term::Castling(old, new) => change(self.words.castling[old.index()], self.words.castling[new.index()]),
            Term::EnPassant(old, new) => change(en_passant(old), en_passant(new)),
            Term::Side => {
                let now = self.after.turn();
                change(self.words.side[(!now).index()], self.words.side[now.index()])
            }
        };
        let signed = if self.name(term).missing { combine.part(0, word) } else { word };
        signed & self.words.mask
    }

    fn join(&self, a: u64, b: u64) -> u64 {
        self.words.combine.join(a, b) & self.words.mask
    }

    fn part(&self, a: u64, b: u64) -> u64 {
        self.words.combine.part(a, b) & self.words.mask
    }

    /// A term of the recomputed position is missing from the key, any other was left in.
    fn name(&self, term: Term) -> Named {
        let missing = match term {
            Term::Man(piece, square) => self.after.piece_on(square) == Some(piece),
            Term::Castling(_, new) => self.after.castling_rights() == new,
            Term::EnPassant(_, new) => self.after.en_passant(self.words.policy) == new,
            Term::Side => true,
        };
        Named { term, missing }
    }

    /// What differs between the position before and after the move.
    fn edited(&self, before: &Board) -> Vec<Term> {
        let mut terms = Vec::new();
        for square in Square::all().filter(|&square| before.code(square) != self.after.code(square)) {
            let men = [before, self.after].map(|board| board.piece_on(square));
            terms.extend(men.into_iter().flatten().map(|piece| Term::Man(piece, square)));
        }
        if before.castling_rights() != self.after.castling_rights() {
            terms.push(Term::Castling(before.castling_rights(), self.after.castling_rights()));
        }
        let squares = [before, self.after].map(|board| board.en_passant(self.words.policy));
        if squares[0] != squares[1] {
            terms.push(Term::EnPassant(squares[0], squares[1]));
        }
        terms.push(Term::Side);
        terms
    }

    /// Every term of the scheme, each word once: those that speak of this position's rights and square first.
    fn all(&self) -> Vec<(u64, Term)> {
        let (rights, square) = (self.after.castling_rights(), self.after.en_passant(self.words.policy));
        let sets = || (0..16).map(CastlingRights::new);
        let squares = || Square::all().map(Some).chain([None]);
        let mut terms: Vec<Term> = Vec::new();
        terms.extend(Piece::all().flat_map(|piece| Square::all().map(move |square| Term::Man(piece, square))));
        terms.extend(self.after.en_passant(EnPassantPolicy::Always).map(|raw| Term::EnPassant(square, Some(raw))));
        terms.extend(sets().map(|old| Term::Castling(old, rights)));
        terms.extend(sets().flat_map(|old| sets().map(move |new| Term::Castling(old, new))));
        terms.extend(squares().map(|old| Term::EnPassant(old, square)));
        terms.extend(squares().flat_map(|old| squares().map(move |new| Term::EnPassant(old, new))));
        terms.push(Term::Side);
        let mut seen = HashMap::new();
        let words = terms.into_iter().map(|term| (self.effect(term), term));
        words.filter(|&(word, _)| word != 0 && seen.insert(word, ()).is_none()).collect()
    }

    /// The smallest subsets of the edited terms with this xor.
    fn subsets(&self, edited: &[Term], difference: u64) -> Vec<Vec<Named>> {
        let mut found: Vec<Vec<Named>> = Vec::new();
        for set in 1_u32..1 << edited.len().min(16) {
            let chosen = || edited.iter().enumerate().filter(move |(i, _)| set >> i & 1 != 0).map(|(_, &term)| term);
            if chosen().fold(0, |sum, term| self.join(sum, self.effect(term))) == difference {
                found.push(chosen().map(|term| self.name(term)).collect());
            }
        }
        let least = found.iter().map(Vec::len).min().unwrap_or(0);
        found.retain(|terms| terms.len() == least);
        found
    }

    /// The smallest sets of up to three terms of the scheme with this xor.
    fn sets(&self, difference: u64) -> Vec<Vec<Named>> {
        let all = self.all();
        let by_word: HashMap<u64, usize> = all.iter().enumerate().map(|(i, &(word, _))| (word, i)).collect();
        let named = |indices: &[usize]| indices.iter().map(|&i| self.name(all[i].1)).collect();
        if let Some(&only) = by_word.get(&difference) {
            return vec![named(&[only])];
        }
        let mut found: Vec<Vec<Named>> = Vec::new();
        for (i, (word, _)) in all.iter().enumerate() {
            match by_word.get(&self.part(difference, *word)) {
                Some(&j) if j > i => found.push(named(&[i, j])),
                _ => {}
            }
        }
        if !found.is_empty() {
            return found;
        }
        for i in 0..all.len() {
            for j in i + 1..all.len() {
                match by_word.get(&self.part(difference, self.join(all[i].0, all[j].0))) {
                    Some(&k) if k > j => found.push(named(&[i, j, k])),
                    _ => {}
                }
            }
        }
        found
    }
}

/// Explains `difference`, incremental key less recomputed key (or their xor), after one move.
pub fn diagnose(words: &KeyTable, before: &Board, after: &Board, difference: u64) -> Diagnosis {
    let terms = Terms { words, after };
    let mut sets = terms.subsets(&terms.edited(before), difference);
    if sets.is_empty() {
        sets = terms.sets(difference);
    }
    sets.truncate(KEPT);
    match sets.len() {
        0 => Diagnosis::Unexplained,
        1 => Diagnosis::Terms(sets.remove(0)),
        _ => Diagnosis::Ambiguous(sets),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_walk::chess::{Color, Fen, Role};
    use perft_gate_walk::zobrist::preset;

    const BEFORE: &str = "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 2";
    const AFTER: &str = "r3k2r/8/3P4/8/8/8/8/R3K2R b KQkq - 0 2";

    #[test]
    fn one_two_and_three_terms_are_named() {
        let words = preset("cpw793").unwrap().key_tables(0).unwrap().lanes.remove(0);
        let [before, after] = [BEFORE, AFTER].map(|fen| Fen::parse(fen).unwrap());
        let word = |color, role, square: &str| {
            words.pieces[Code::new(color, role).index()][Square::parse(square).unwrap().index()]
        };
        let victim = word(Color::Black, Role::Pawn, "d5");
        let file = words.en_passant[3] ^ words.en_passant[64];
        let stray = word(Color::White, Role::Queen, "h8");
        let side = words.side[0] ^ words.side[1];
        for (difference, expected) in [
            (victim, "black pawn on d5 left in"),
            (file, "e.p. d6→- missing"),
            (victim ^ file ^ side, "black pawn on d5 left in, e.p. d6→- missing, side to move missing"),
            (stray, "white queen on h8 left in"),
            (stray ^ word(Color::White, Role::King, "e1"), "white queen on h8 left in, white king on e1 missing"),
            (words.castling[15] ^ words.castling[7], "castling KQk→KQkq missing"),
            (0x1234_5678_9abc_def0, "no set of up to 3 terms explains it"),
        ] {
            let found = diagnose(&words, &before, &after, difference);
            assert_eq!(found.to_string(), expected);
        }
    }

    #[test]
    fn a_dependent_set_of_words_is_ambiguous() {
        let mut words = preset("cpw793").unwrap().key_tables(0).unwrap().lanes.remove(0);
        // Two pairs of men with the same xor.
        words.pieces[2][0] = words.pieces[2][1] ^ words.pieces[2][2] ^ words.pieces[2][3];
        let [before, after] = [BEFORE, AFTER].map(|fen| Fen::parse(fen).unwrap());
        let difference = words.pieces[2][0] ^ words.pieces[2][1];
        let found = diagnose(&words, &before, &after, difference);
        assert!(matches!(&found, Diagnosis::Ambiguous(sets) if sets.len() == 2), "{found}");
    }
}
