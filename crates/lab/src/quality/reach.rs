//! Can a game reach a dependency?
//!
//! A dependency makes two positions collide that differ by exactly its words: some are in one key, the others in the
//! other, and what the positions have in common cancels. All ways to share the words out are tried, with rules that each
//! position must obey by itself. What passes is *not excluded*; whether two whole positions exist is not asked.

use super::term::{AlwaysOne, Term};
use perft_gate_walk::chess::{CastlingRights, Color, Piece, Role};
use std::fmt;

/// More words than this are not shared out.
const MOST: usize = 16;

/// Why no two positions differ by exactly these words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// This word is in no key.
    NotInPlay(Term),
    /// Every position has one king of each colour.
    Kings,
    /// A square has one man.
    Squares,
    /// A position has one en-passant square at most.
    EnPassant,
    /// A position has one set of rights.
    Castling,
    /// One side is to move.
    Side,
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Obstacle::NotInPlay(term) => write!(f, "{term} is in no key"),
            Obstacle::Kings => f.write_str("each position has one king of a colour"),
            Obstacle::Squares => f.write_str("too many men on one square"),
            Obstacle::EnPassant => f.write_str("too many e.p. words"),
            Obstacle::Castling => f.write_str("the castling words contradict each other"),
            Obstacle::Side => f.write_str("a single side word changes"),
        }
    }
}

/// The words that are in one key alone.
struct Share<'t> {
    terms: &'t [Term],
    /// Which of them.
    set: u32,
}

impl Share<'_> {
    fn terms(&self) -> impl Iterator<Item = Term> {
        (0..self.terms.len()).filter(|i| self.set >> i & 1 == 1).map(|i| self.terms[i])
    }

    fn count(&self, of: impl Fn(Term) -> bool) -> usize {
        self.terms().filter(|&term| of(term)).count()
    }
}

type Rule = (Obstacle, fn(&Share<'_>, &Share<'_>, AlwaysOne) -> bool);

/// What two positions must obey that differ by the first share on one side and the second on the other.
const RULES: [Rule; 5] = [
    (Obstacle::Kings, |one, other, _| {
        Color::ALL.into_iter().all(|color| {
            let king = Piece { color, role: Role::King };
            let kings = |share: &Share<'_>| share.count(|term| matches!(term, Term::Man(piece, _) if piece == king));
            kings(one) == kings(other) && kings(one) <= 1
        })
    }),
    (Obstacle::Squares, |one, other, _| {
        let men = |share: &Share<'_>, square| share.count(|term| matches!(term, Term::Man(_, on) if on == square));
        let is_free = |share: &Share<'_>| {
            share.terms().all(|term| !matches!(term, Term::Man(_, square) if men(share, square) > 1))
        };
        is_free(one) && is_free(other)
    }),
    (Obstacle::EnPassant, |one, other, always| {
        let squares = |share: &Share<'_>| share.count(|term| matches!(term, Term::File(_) | Term::EnPassant(_)));
        let is_possible = squares(one) <= 1 && squares(other) <= 1;
        is_possible && (!always.en_passant || squares(one) == squares(other))
    }),
    (Obstacle::Castling, |one, other, always| {
        let sets = |share: &Share<'_>| share.count(|term| matches!(term, Term::Rights(_)));
        if always.castling {
            return sets(one) == sets(other) && sets(one) <= 1;
        }
        // The word for no right: the position has none, the other one has some.
        let rights = |share: &Share<'_>| share.count(|term| matches!(term, Term::Right(_)));
        let none = |share: &Share<'_>| share.count(|term| term == Term::Rights(CastlingRights::NONE)) > 0;
        let is_possible = |this: &Share<'_>, that: &Share<'_>| !none(this) || rights(this) == 0 && rights(that) > 0;
        is_possible(one, other) && is_possible(other, one)
    }),
    (Obstacle::Side, |one, other, always| {
        let sides = |share: &Share<'_>| share.count(|term| matches!(term, Term::Side(_)));
        !always.side || sides(one) == sides(other) && sides(one) <= 1
    }),
];

/// Why no game can reach a dependency of these words; nothing if that is not excluded.
pub fn obstacle(terms: &[Term], always: AlwaysOne) -> Option<Obstacle> {
    if let Some(&term) = terms.iter().find(|term| !term.is_in_play()) {
        return Some(Obstacle::NotInPlay(term));
    }
    if terms.len() > MOST {
        return None;
    }
    let all = (1 << terms.len()) - 1;
    let shares = || (0..=all).map(|set| (Share { terms, set }, Share { terms, set: all ^ set }));
    let allows = |(_, rule): &Rule, (one, other): &(Share<'_>, Share<'_>)| rule(one, other, always);
    // Rules that can be obeyed one by one can be obeyed together: two kings of a colour stand on different sides, and so
    // do two men of one square, which makes chains and rings of even length; the other rules are about words of their own.
    let broken = RULES.iter().find(|rule| !shares().any(|share| allows(rule, &share)));
    broken.map(|&(obstacle, _)| obstacle)
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_walk::chess::Square;

    fn man(text: &str) -> Term {
        let piece = text.chars().next().and_then(Piece::from_letter).unwrap();
        Term::Man(piece, Square::parse(&text[1..]).unwrap())
    }

    fn reach(terms: &[Term]) -> Option<Obstacle> {
        obstacle(terms, AlwaysOne::default())
    }

    #[test]
    fn what_two_positions_may_differ_by_is_not_excluded() {
        let none = Term::Rights(CastlingRights::NONE);
        for terms in [
            &[man("Pe2"), man("Pe4"), Term::Side(Color::Black)][..],
            &[man("Ke1"), man("Kf1"), man("Rh1"), man("Re1")],
            &[Term::File(0), Term::File(7)],
            &[none, Term::Right(CastlingRights::new(1)), Term::Right(CastlingRights::new(8))],
        ] {
            assert_eq!(reach(terms), None, "{terms:?}");
        }
        let always = AlwaysOne { castling: true, en_passant: true, side: true };
        let sets = [Term::Rights(CastlingRights::new(3)), none];
        assert_eq!(obstacle(&sets, always), None);
        assert_eq!(obstacle(&[Term::EnPassant(None), Term::EnPassant(Square::parse("e3"))], always), None);
    }

    #[test]
    fn every_rule_can_fail() {
        let always = AlwaysOne { castling: true, en_passant: true, side: true };
        let none = Term::Rights(CastlingRights::NONE);
        assert_eq!(reach(&[man("pg8"), man("Pa1")]), Some(Obstacle::NotInPlay(man("pg8"))));
        assert_eq!(reach(&[man("Ke1")]), Some(Obstacle::Kings));
        assert_eq!(reach(&[man("ke1"), man("kf1"), man("kg1"), man("kh1")]), Some(Obstacle::Kings));
        assert_eq!(reach(&[man("Ne4"), man("ne4"), man("Be4")]), Some(Obstacle::Squares));
        assert_eq!(reach(&[Term::File(0), Term::File(1), Term::File(2)]), Some(Obstacle::EnPassant));
        assert_eq!(obstacle(&[Term::EnPassant(None)], always), Some(Obstacle::EnPassant));
        assert_eq!(obstacle(&[none], always), Some(Obstacle::Castling));
        assert_eq!(reach(&[none, man("Ne4")]), Some(Obstacle::Castling));
        assert_eq!(obstacle(&[Term::Side(Color::White)], always), Some(Obstacle::Side));
    }

    #[test]
    fn rules_that_are_obeyed_one_by_one_are_obeyed_together() {
        let ring =
            [man("Ke1"), man("Kf1"), man("ke1"), man("kg1"), man("Bf1"), man("Bg1"), Term::File(0), Term::File(1)];
        assert_eq!(reach(&ring), None);
        let is_possible = |set: u32| {
            let (one, other) = (Share { terms: &ring, set }, Share { terms: &ring, set: 255 ^ set });
            RULES.iter().all(|(_, rule)| rule(&one, &other, AlwaysOne::default()))
        };
        assert!((0..256).any(is_possible));
    }
}
