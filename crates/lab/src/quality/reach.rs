//! Tests whether a dependency can occur in a game.
//!
//! The entries of a dependency cancel out. So two positions collide if each of these entries is in exactly one of their
//! keys, and every other entry is in both or in neither. The test tries all ways to divide the entries between the two
//! keys and checks each against rules that any two positions must obey. A dependency that passes is only *not
//! excluded*: the test does not search for two complete positions.

use perft_gate_chess::{CastlingRights, Color};
use perft_gate_zobrist::{Axes, Castling, Side, Term};

/// Maximum number of entries for which the test tries all ways to divide them between two keys.
const MAX_DIVIDED: usize = 16;

/// Reason why no two positions can differ by exactly these entries.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// No key uses this entry.
    #[error("no key uses {0}")]
    NotInPlay(Term),
    /// Every position has one king of each colour.
    #[error("each side has exactly one king")]
    Kings,
    /// A square has at most one piece.
    #[error("too many pieces on one square")]
    Squares,
    /// A position has at most one en passant square.
    #[error("too many e.p. entries")]
    EnPassant,
    /// A position has one set of rights.
    #[error("the castling entries contradict each other")]
    Castling,
    /// One side is to move.
    #[error("only one of the entries for the side to move changes")]
    Side,
    /// A position has one halfmove clock.
    #[error("too many entries of the clock")]
    Clock,
}

/// The entries of a dependency that are assigned to one of the two keys.
struct KeyShare<'t> {
    terms: &'t [Term],
    /// Bit set of the indices (in `terms`) of the entries of this key.
    set: u32,
}

impl KeyShare<'_> {
    fn terms(&self) -> impl Iterator<Item = Term> {
        (0..self.terms.len()).filter(|i| self.set >> i & 1 == 1).map(|i| self.terms[i])
    }

    fn count(&self, of: impl Fn(Term) -> bool) -> usize {
        self.terms().filter(|&term| of(term)).count()
    }
}

type ReachRule = (Obstacle, fn(&KeyShare<'_>, &KeyShare<'_>, &Axes) -> bool);

/// Rules that two positions must obey. Each rule takes the entries that only one position has and those that only the
/// other position has.
const RULES: [ReachRule; 6] = [
    (Obstacle::Kings, |one, other, _| {
        Color::ALL.into_iter().all(|color| {
            let kings = |share: &KeyShare<'_>| share.count(|term| term.king() == Some(color));
            kings(one) == kings(other) && kings(one) <= 1
        })
    }),
    (Obstacle::Squares, |one, other, _| {
        let pieces =
            |share: &KeyShare<'_>, square| share.count(|term| matches!(term, Term::Piece(_, on) if on == square));
        let is_free = |share: &KeyShare<'_>| {
            share.terms().all(|term| !matches!(term, Term::Piece(_, square) if pieces(share, square) > 1))
        };
        is_free(one) && is_free(other)
    }),
    (Obstacle::EnPassant, |one, other, axes| {
        let squares = |share: &KeyShare<'_>| share.count(|term| matches!(term, Term::File(_) | Term::EnPassant(_)));
        let is_possible = squares(one) <= 1 && squares(other) <= 1;
        is_possible && (!axes.en_passant.has_none() || squares(one) == squares(other))
    }),
    (Obstacle::Castling, |one, other, axes| {
        let sets = |share: &KeyShare<'_>| share.count(|term| matches!(term, Term::Castling(_)));
        if axes.castling == Castling::C16 {
            return sets(one) == sets(other) && sets(one) <= 1;
        }
        // A position with the entry for no rights has no other castling entry. The other position lacks that entry, so
        // it must have another.
        let none = |share: &KeyShare<'_>| share.count(|term| term == Term::Castling(CastlingRights::NONE));
        let is_possible = |this: &KeyShare<'_>, that: &KeyShare<'_>| {
            none(this) == 0 || sets(this) == none(this) && sets(that) > none(that)
        };
        is_possible(one, other) && is_possible(other, one)
    }),
    (Obstacle::Side, |one, other, axes| {
        let sides = |share: &KeyShare<'_>| share.count(|term| matches!(term, Term::Side(_)));
        axes.side != Side::S2 || sides(one) == sides(other) && sides(one) <= 1
    }),
    (Obstacle::Clock, |one, other, _| {
        let clocks = |share: &KeyShare<'_>| share.count(|term| matches!(term, Term::Clock(_)));
        clocks(one) <= 1 && clocks(other) <= 1
    }),
];

/// Returns the reason why a dependency of these entries cannot occur in a game, or `None` if no reason is found.
pub fn obstacle(terms: &[Term], axes: &Axes) -> Option<Obstacle> {
    if let Some(&term) = terms.iter().find(|term| !term.is_in_play()) {
        return Some(Obstacle::NotInPlay(term));
    }
    if terms.len() > MAX_DIVIDED {
        return None;
    }
    let all = (1 << terms.len()) - 1;
    let shares = || (0..=all).map(|set| (KeyShare { terms, set }, KeyShare { terms, set: all ^ set }));
    let allows = |(_, rule): &ReachRule, (one, other): &(KeyShare<'_>, KeyShare<'_>)| rule(one, other, axes);
    // If each rule can be obeyed on its own, all can be obeyed together, so each is tested alone. Two kings of a colour
    // must go to different keys, and so must two pieces on one square. The two kinds of pair alternate along chains and
    // rings of even length, so their entries can always be divided. Each of the other rules has entries of its own.
    let broken = RULES.iter().find(|rule| !shares().any(|share| allows(rule, &share)));
    broken.map(|&(obstacle, _)| obstacle)
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_chess::{Piece, Square};
    use perft_gate_zobrist::Layout;

    fn piece(text: &str) -> Term {
        let piece = text.chars().next().and_then(Piece::from_letter).unwrap();
        Term::Piece(piece, Square::parse(&text[1..]).unwrap())
    }

    fn reach(terms: &[Term]) -> Option<Obstacle> {
        obstacle(terms, &Layout::Cpw781.axes())
    }

    #[test]
    fn what_two_positions_may_differ_by_is_not_excluded() {
        let none = Term::Castling(CastlingRights::NONE);
        for terms in [
            &[piece("Pe2"), piece("Pe4"), Term::Side(Some(Color::Black))][..],
            &[piece("Ke1"), piece("Kf1"), piece("Rh1"), piece("Re1")],
            &[Term::File(0), Term::File(7)],
            &[Term::Clock(14), Term::Clock(22), piece("Ne4")],
            &[none, Term::Castling(CastlingRights::new(1)), Term::Castling(CastlingRights::new(8))],
        ] {
            assert_eq!(reach(terms), None, "{terms:?}");
        }
        let always = &Layout::Rustic851.axes();
        let sets = [Term::Castling(CastlingRights::new(3)), none];
        assert_eq!(obstacle(&sets, always), None);
        assert_eq!(obstacle(&[Term::EnPassant(None), Term::EnPassant(Square::parse("e3"))], always), None);
    }

    #[test]
    fn every_rule_can_fail() {
        let always = &Layout::Rustic851.axes();
        let none = Term::Castling(CastlingRights::NONE);
        assert_eq!(reach(&[piece("pg8"), piece("Pa1")]), Some(Obstacle::NotInPlay(piece("pg8"))));
        assert_eq!(reach(&[piece("Ke1")]), Some(Obstacle::Kings));
        assert_eq!(reach(&[piece("ke1"), piece("kf1"), piece("kg1"), piece("kh1")]), Some(Obstacle::Kings));
        assert_eq!(reach(&[piece("Ne4"), piece("ne4"), piece("Be4")]), Some(Obstacle::Squares));
        assert_eq!(reach(&[Term::File(0), Term::File(1), Term::File(2)]), Some(Obstacle::EnPassant));
        assert_eq!(obstacle(&[Term::EnPassant(None)], always), Some(Obstacle::EnPassant));
        assert_eq!(obstacle(&[none], always), Some(Obstacle::Castling));
        assert_eq!(reach(&[none, piece("Ne4")]), Some(Obstacle::Castling));
        assert_eq!(obstacle(&[Term::Side(Some(Color::White))], always), Some(Obstacle::Side));
        assert_eq!(reach(&[14, 22, 30].map(Term::Clock)), Some(Obstacle::Clock));
    }

    #[test]
    fn rules_that_are_obeyed_one_by_one_are_obeyed_together() {
        let pieces = ["Ke1", "Kf1", "ke1", "kg1", "Bf1", "Bg1"].map(piece);
        let ring = [&pieces[..], &[Term::File(0), Term::File(1)]].concat();
        assert_eq!(reach(&ring), None);
        let is_possible = |set: u32| {
            let (one, other) = (KeyShare { terms: &ring, set }, KeyShare { terms: &ring, set: 255 ^ set });
            RULES.iter().all(|(_, rule)| rule(&one, &other, &Layout::Cpw781.axes()))
        };
        assert!((0..256).any(is_possible));
    }
}
