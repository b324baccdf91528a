//! The words of a scheme as a flat list, each with its name.
//!
//! The list has what the scheme draws: a word per man and square, and the words of rights, en passant and side. A word
//! that is the xor of others (a set of rights under `c4`) is not listed, nor one that is zero by definition.

use perft_gate_walk::chess::{CastlingRights, Code, Color, Piece, Role, Square};
use perft_gate_walk::zobrist::{Axes, Castling, Combine, EnPassantWords, KeyTables, Side};
use std::fmt;

/// What a word of a key stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Term {
    /// A man on a square.
    Man(Piece, Square),
    /// One right.
    Right(CastlingRights),
    /// A whole set of rights.
    Rights(CastlingRights),
    /// An en-passant file, from 0.
    File(u32),
    /// An en-passant square, or none.
    EnPassant(Option<Square>),
    /// The side to move.
    Side(Color),
}

impl Term {
    /// Is the word ever in a key? A pawn stands on no back rank, and only ranks 3 and 6 are passed.
    pub fn is_in_play(self) -> bool {
        match self {
            Term::Man(Piece { role: Role::Pawn, .. }, square) => (1..=6).contains(&square.rank()),
            Term::EnPassant(Some(square)) => matches!(square.rank(), 2 | 5),
            _ => true,
        }
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Term::Man(piece, square) => write!(f, "{piece} {square}"),
            Term::Right(right) => write!(f, "right {right}"),
            Term::Rights(rights) => write!(f, "castling {rights}"),
            Term::File(file) => write!(f, "e.p. file {}", Square::at(file, 0).file_letter()),
            Term::EnPassant(Some(square)) => write!(f, "e.p. {square}"),
            Term::EnPassant(None) => f.write_str("no e.p."),
            Term::Side(color) => write!(f, "{} to move", color.name()),
        }
    }
}

/// A word and what it stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word {
    /// What it stands for.
    pub term: Term,
    /// Its bits; the second lane of a wide key stands above the first.
    pub bits: u128,
}

/// All words of a scheme.
#[derive(Clone, Debug)]
pub struct WordList {
    /// White P N B R Q K and Black's, a1..h8 each; then rights, en passant and side.
    pub words: Vec<Word>,
    /// Bits of a word.
    pub bits: u32,
    /// How words make a key.
    pub combine: Combine,
    /// Is exactly one castling word in every key, and exactly one e.p. word, and exactly one side word?
    pub always_one: AlwaysOne,
}

/// Kinds of words of which every key has exactly one, so that two keys differ by none or two of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AlwaysOne {
    /// A word per set of rights.
    pub castling: bool,
    /// A word for no e.p. square.
    pub en_passant: bool,
    /// A word for each side.
    pub side: bool,
}

impl WordList {
    /// The words of a scheme. **Errors**: sums of two lanes, each with its own carries.
    pub fn new(axes: &Axes, key_tables: &KeyTables) -> Result<WordList, String> {
        if axes.combine == Combine::Add && key_tables.lanes.len() > 1 {
            let width = axes.width.name();
            return Err(format!("found sums of width={width}, expected those of one lane: width=32, 48 or 64"));
        }
        let pick = |of: &dyn Fn(&perft_gate_walk::zobrist::KeyTable) -> u64| {
            let lanes = key_tables.lanes.iter().enumerate();
            lanes.fold(0, |bits, (lane, words)| bits | u128::from(of(words)) << (64 * lane))
        };
        let mut words = Vec::new();
        let mut add = |term: Term, bits: u128| words.push(Word { term, bits });
        for piece in Piece::all() {
            for square in Square::all() {
                let word = pick(&|words| words.pieces[Code::from(piece).index()][square.index()]);
                add(Term::Man(piece, square), word);
            }
        }
        let rights = |set: usize| pick(&|words| words.castling[set]);
        match axes.castling {
            Castling::C16 => (0..16).for_each(|set| add(Term::Rights(CastlingRights::new(set)), rights(set))),
            each => {
                (0..4).for_each(|bit| add(Term::Right(CastlingRights::new(1 << bit)), rights(1 << bit)));
                if each == Castling::C5 {
                    add(Term::Rights(CastlingRights::NONE), rights(0));
                }
            }
        }
        let en_passant = |square: usize| pick(&|words| words.en_passant[square]);
        match axes.en_passant {
            EnPassantWords::E8 => (0..8).for_each(|file| add(Term::File(file), en_passant(file as usize))),
            squares => {
                let listed = Square::all()
                    .filter(|&square| squares == EnPassantWords::E65 || Term::EnPassant(Some(square)).is_in_play());
                listed.for_each(|square| add(Term::EnPassant(Some(square)), en_passant(square.index())));
                add(Term::EnPassant(None), en_passant(64));
            }
        }
        let sides = match axes.side {
            Side::S1 => &[Color::Black][..],
            Side::S1w => &[Color::White],
            Side::S2 => &Color::ALL,
        };
        sides.iter().for_each(|&side| add(Term::Side(side), pick(&|words| words.side[side.index()])));
        let always_one = AlwaysOne {
            castling: axes.castling == Castling::C16,
            en_passant: axes.en_passant != EnPassantWords::E8,
            side: axes.side == Side::S2,
        };
        Ok(WordList { words, bits: axes.width.bits(), combine: axes.combine, always_one })
    }

    /// The bits alone.
    pub fn bits_of_words(&self) -> Vec<u128> {
        self.words.iter().map(|word| word.bits).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_walk::zobrist::{Scheme, preset};

    fn list(name: &str) -> WordList {
        let scheme = preset(name).unwrap();
        WordList::new(&scheme.axes.unwrap(), &scheme.key_tables(0).unwrap()).unwrap()
    }

    #[test]
    fn a_list_has_the_words_that_its_scheme_draws() {
        for (name, words, in_play) in [
            ("cpw781", 781, 749),
            ("cpw793", 793, 761),
            ("rustic803", 803, 771),
            ("rustic851", 851, 771),
            ("polyglot", 781, 749),
            ("rustic-c5", 792, 760),
            ("rotate", 793, 761),
            ("dual32", 793, 761),
        ] {
            let list = list(name);
            let playing = list.words.iter().filter(|word| word.term.is_in_play()).count();
            assert_eq!((list.words.len(), playing, list.bits), (words, in_play, 64), "{name}");
            let mut names: Vec<String> = list.words.iter().map(|word| word.term.to_string()).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), words, "{name}: two words of one name");
        }
    }

    #[test]
    fn words_are_those_of_the_published_list() {
        let list = list("polyglot");
        let word = |name: &str| list.words.iter().find(|word| word.term.to_string() == name).unwrap().bits;
        assert_eq!(word("black pawn a1"), 0x9d39_247e_3377_6d41);
        assert_eq!(word("White to move"), 0xf8d6_26aa_af27_8509);
        assert_eq!(word("right K"), 0x31d7_1dce_64b2_c310);
        assert_eq!(word("e.p. file a"), 0x70cc_73d9_0bc2_6e24);
    }

    #[test]
    fn sums_of_two_lanes_are_refused() {
        let list = |text| {
            let scheme = Scheme::parse(text, false).unwrap();
            WordList::new(&scheme.axes.unwrap(), &scheme.key_tables(0).unwrap())
        };
        assert_eq!(list("additive48").unwrap().bits, 48);
        assert!(list("combine=add,width=2x32").unwrap_err().contains("found sums of width=2x32"));
    }
}
