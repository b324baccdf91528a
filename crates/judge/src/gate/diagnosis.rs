//! Diagnosis of a wrong key: which terms explain it.
//!
//! A key is the xor or the sum of one key-table entry for each *term*: each piece, the castling rights, the e.p.
//! square, the side and, in some schemes, the halfmove clock. So a wrong incremental key differs from the recomputed
//! one by a few entries: those that are missing from it (negative in a sum) and those wrongly left in it. The search
//! tries all combinations of the terms that the move edits, then all sets of one to three terms of the whole scheme.

use perft_gate_chess::{Board, CastlingRights, EnPassantPolicy, Square};
use perft_gate_zobrist::{CLOCKS, KeyTable, Term};
use std::collections::{HashMap, HashSet};
use std::fmt;

/// Maximum number of solutions kept for an ambiguous difference.
const MAX_KEPT: usize = 4;
/// Maximum number of terms in a set. `TermSearch::subsets` has no such limit.
pub(super) const MAX_TERMS: usize = 3;

/// A wrong term, and whether it is missing from the key or left in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrongTerm {
    /// The wrong term.
    pub term: Term,
    /// The term that `term` replaces. Set only for castling rights, e.p. square, side and clock, because every position
    /// has exactly one term of each of these kinds.
    pub old: Option<Term>,
    /// True if the position has the term and its key lacks it; false if the key has it and the position does not.
    pub missing: bool,
}

impl fmt::Display for WrongTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let square = |square: Option<Square>| square.map_or("-".into(), |square| square.to_string());
        match (self.old, self.term) {
            (Some(Term::Castling(old)), Term::Castling(new)) => write!(f, "castling {old}→{new}")?,
            (Some(Term::EnPassant(old)), Term::EnPassant(new)) => write!(f, "e.p. {}→{}", square(old), square(new))?,
            (Some(Term::Clock(old)), Term::Clock(new)) => write!(f, "halfmove clock {old}→{new}")?,
            (_, Term::Side(_)) => f.write_str("side to move")?,
            (_, term) => write!(f, "{term}")?,
        }
        write!(f, " {}", if self.missing { "missing" } else { "left in" })
    }
}

perft_gate_chess::serialize_as_text!(WrongTerm);

/// Explanation of a key difference. Each set of terms explains all of it. Several sets make the explanation ambiguous.
#[perft_gate_chess::document(Clone, PartialEq, Eq, Debug)]
pub struct Diagnosis(pub Vec<Vec<WrongTerm>>);

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |terms: &Vec<WrongTerm>| terms.iter().map(WrongTerm::to_string).collect::<Vec<_>>().join(", ");
        let sets: Vec<String> = self.0.iter().map(list).collect();
        match &sets[..] {
            [] => write!(f, "no set of up to {MAX_TERMS} terms explains it"),
            [terms] => f.write_str(terms),
            several => write!(f, "ambiguous: {}", several.join("; or ")),
        }
    }
}

/// The replaced term, if any, and the new one.
type Change = (Option<Term>, Term);

/// The inputs of the search: the key table and the board after the move.
struct TermSearch<'w> {
    key_table: &'w KeyTable,
    after: &'w Board,
}

impl TermSearch<'_> {
    /// Returns the error in the key if this term alone is wrong.
    fn effect(&self, (old, term): Change) -> u64 {
        let combine = self.key_table.combine;
        let old_entry = old.map_or(0, |old| self.key_table.entry(old));
        let change_of_key = combine.remove(self.key_table.entry(term), old_entry);
        let is_missing = self.name((old, term)).missing;
        let signed = if is_missing { combine.remove(0, change_of_key) } else { change_of_key };
        signed & self.key_table.mask
    }

    fn join(&self, a: u64, b: u64) -> u64 {
        self.key_table.combine.join(a, b) & self.key_table.mask
    }

    fn remove(&self, a: u64, b: u64) -> u64 {
        self.key_table.combine.remove(a, b) & self.key_table.mask
    }

    /// Names a wrong term: missing if the position after the move has the term, otherwise left in the key.
    fn name(&self, (old, term): Change) -> WrongTerm {
        let missing = match term {
            Term::Piece(piece, square) => self.after.piece_on(square) == Some(piece),
            Term::Castling(new) => self.after.castling_rights() == new,
            Term::EnPassant(new) => self.after.en_passant(self.key_table.policy) == new,
            Term::Side(_) => true,
            Term::Clock(new) => self.after.state.halfmove() == new,
            Term::File(_) => false,
        };
        WrongTerm { term, old, missing }
    }

    fn side(&self) -> Change {
        let now = self.after.turn();
        (Some(Term::Side(Some(!now))), Term::Side(Some(now)))
    }

    /// Returns the terms that differ between the positions before and after the move.
    fn edited_terms(&self, before: &Board) -> Vec<Change> {
        let mut terms: Vec<Change> = Vec::new();
        for square in Square::all().filter(|&square| before.code(square) != self.after.code(square)) {
            let pieces = [before, self.after].map(|board| board.piece_on(square));
            terms.extend(pieces.into_iter().flatten().map(|piece| (None, Term::Piece(piece, square))));
        }
        let replaced = |[old, new]: [Term; 2]| (old != new).then_some((Some(old), new));
        let boards = [before, self.after];
        terms.extend(replaced(boards.map(|board| Term::Castling(board.castling_rights()))));
        terms.extend(replaced(boards.map(|board| Term::EnPassant(board.en_passant(self.key_table.policy)))));
        terms.push(self.side());
        let clocks = boards.map(|board| Term::Clock(board.state.halfmove()));
        terms.extend(replaced(clocks).filter(|_| clocks.map(|clock| self.key_table.entry(clock)) != [0; 2]));
        terms
    }

    /// Returns every effect that a wrong term of the scheme can have on the key, each with one term that causes it. If
    /// possible, that term is a change to this position's castling rights or e.p. square.
    fn all_terms(&self) -> Vec<(u64, Change)> {
        let rights = Term::Castling(self.after.castling_rights());
        let square = Term::EnPassant(self.after.en_passant(self.key_table.policy));
        let sets = || (0..16).map(CastlingRights::new).map(Term::Castling);
        let squares = || Square::all().map(Some).chain([None]).map(Term::EnPassant);
        let raw = self.after.en_passant(EnPassantPolicy::Always).map(|raw| (Some(square), Term::EnPassant(Some(raw))));
        let mut terms: Vec<Change> = Term::all_pieces().map(|piece| (None, piece)).chain(raw).collect();
        terms.extend(sets().map(|old| (Some(old), rights)));
        terms.extend(sets().flat_map(|old| sets().map(move |new| (Some(old), new))));
        terms.extend(squares().map(|old| (Some(old), square)));
        terms.extend(squares().flat_map(|old| squares().map(move |new| (Some(old), new))));
        terms.push(self.side());
        let clock = Term::Clock(self.after.state.halfmove());
        terms.extend((0..CLOCKS as u16).map(|old| (Some(Term::Clock(old)), clock)));
        let mut seen = HashSet::new();
        let effects = terms.into_iter().map(|term| (self.effect(term), term));
        effects.filter(|&(effect, _)| effect != 0 && seen.insert(effect)).collect()
    }

    /// Returns the smallest subsets of the edited terms that explain the difference.
    fn subsets(&self, edited: &[Change], difference: u64) -> Vec<Vec<WrongTerm>> {
        let mut found: Vec<Vec<WrongTerm>> = Vec::new();
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

    /// Returns the smallest sets of up to three terms of the scheme that explain the difference.
    fn sets(&self, difference: u64) -> Vec<Vec<WrongTerm>> {
        let all = self.all_terms();
        let by_effect: HashMap<u64, usize> = all.iter().enumerate().map(|(i, &(effect, _))| (effect, i)).collect();
        let named = |indices: &[usize]| indices.iter().map(|&i| self.name(all[i].1)).collect();
        if let Some(&only) = by_effect.get(&difference) {
            return vec![named(&[only])];
        }
        let mut found: Vec<Vec<WrongTerm>> = Vec::new();
        for (i, (effect, _)) in all.iter().enumerate() {
            match by_effect.get(&self.remove(difference, *effect)) {
                Some(&j) if j > i => found.push(named(&[i, j])),
                _ => {}
            }
        }
        if !found.is_empty() {
            return found;
        }
        for i in 0..all.len() {
            for j in i + 1..all.len() {
                match by_effect.get(&self.remove(difference, self.join(all[i].0, all[j].0))) {
                    Some(&k) if k > j => found.push(named(&[i, j, k])),
                    _ => {}
                }
            }
        }
        found
    }
}

/// Explains a wrong key after one move. `difference` is the incremental key minus the recomputed one, or their xor.
pub fn diagnose(key_table: &KeyTable, before: &Board, after: &Board, difference: u64) -> Diagnosis {
    let terms = TermSearch { key_table, after };
    let mut sets = terms.subsets(&terms.edited_terms(before), difference);
    if sets.is_empty() {
        sets = terms.sets(difference);
    }
    sets.truncate(MAX_KEPT);
    Diagnosis(sets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_chess::{Code, Color, Fen, Role};
    use perft_gate_zobrist::preset;

    const BEFORE: &str = "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 2";
    const AFTER: &str = "r3k2r/8/3P4/8/8/8/8/R3K2R b KQkq - 0 2";

    #[test]
    fn one_two_and_three_terms_are_named() {
        let table = preset("cpw793").unwrap().key_tables(0).unwrap().parts.remove(0);
        let [before, after] = [BEFORE, AFTER].map(|fen| Fen::parse(fen).unwrap());
        let entry = |color, role, square: &str| {
            table.pieces[Code::new(color, role).index()][Square::parse(square).unwrap().index()]
        };
        let victim = entry(Color::Black, Role::Pawn, "d5");
        let file = table.en_passant[3] ^ table.en_passant[64];
        let stray = entry(Color::White, Role::Queen, "h8");
        let side = table.side[0] ^ table.side[1];
        for (difference, expected) in [
            (victim, "black pawn on d5 left in"),
            (file, "e.p. d6→- missing"),
            (victim ^ file ^ side, "black pawn on d5 left in, e.p. d6→- missing, side to move missing"),
            (stray, "white queen on h8 left in"),
            (stray ^ entry(Color::White, Role::King, "e1"), "white queen on h8 left in, white king on e1 missing"),
            (table.castling[15] ^ table.castling[7], "castling KQk→KQkq missing"),
            (0x1234_5678_9abc_def0, "no set of up to 3 terms explains it"),
        ] {
            let found = diagnose(&table, &before, &after, difference);
            assert_eq!(found.to_string(), expected);
        }
    }

    #[test]
    fn a_dependent_set_of_words_is_ambiguous() {
        let mut table = preset("cpw793").unwrap().key_tables(0).unwrap().parts.remove(0);
        // Make the xor of two piece entries equal to the xor of two others.
        table.pieces[2][0] = table.pieces[2][1] ^ table.pieces[2][2] ^ table.pieces[2][3];
        let [before, after] = [BEFORE, AFTER].map(|fen| Fen::parse(fen).unwrap());
        let difference = table.pieces[2][0] ^ table.pieces[2][1];
        let found = diagnose(&table, &before, &after, difference);
        assert_eq!(found.0.len(), 2, "{found}");
    }
}
