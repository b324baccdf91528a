//! Entries of a key table as a flat list, each with its name.
//!
//! The list has the entries that the scheme draws: one per piece and square, and those of rights, en passant, side
//! and clock.
//! An entry that is the xor of others (a set of rights under `c4`) is not listed, and neither is one that is zero by
//! definition.

use perft_gate_chess::{CastlingRights, Code, Color, Piece, Role, Square};
use perft_gate_zobrist::{Axes, CLOCKS, Castling, Combine, EnPassantKeys, KeyTables, Side};
use std::fmt;

/// Part of a position that has its own entry in the key table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntryTerm {
    /// A piece on a square.
    Piece(Piece, Square),
    /// One castling right.
    Right(CastlingRights),
    /// A whole set of rights.
    Rights(CastlingRights),
    /// An en-passant file, from 0.
    File(u32),
    /// An en-passant square, or none.
    EnPassant(Option<Square>),
    /// The side to move.
    Side(Color),
    /// The halfmove clock, from this number on.
    Clock(u8),
}

impl EntryTerm {
    /// Returns true if a key can contain the entry: no pawn is on a back rank, and e.p. squares are on ranks 3 and 6
    /// only.
    pub fn is_in_play(self) -> bool {
        match self {
            EntryTerm::Piece(Piece { role: Role::Pawn, .. }, square) => (1..=6).contains(&square.rank()),
            EntryTerm::EnPassant(Some(square)) => matches!(square.rank(), 2 | 5),
            _ => true,
        }
    }
}

impl fmt::Display for EntryTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            EntryTerm::Piece(piece, square) => write!(f, "{piece} {square}"),
            EntryTerm::Right(right) => write!(f, "right {right}"),
            EntryTerm::Rights(rights) => write!(f, "castling {rights}"),
            EntryTerm::File(file) => write!(f, "e.p. file {}", Square::at(file, 0).file_letter()),
            EntryTerm::EnPassant(Some(square)) => write!(f, "e.p. {square}"),
            EntryTerm::EnPassant(None) => f.write_str("no e.p."),
            EntryTerm::Side(color) => write!(f, "{} to move", color.name()),
            EntryTerm::Clock(first) => write!(f, "clock from {first}"),
        }
    }
}

/// An entry and its meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableEntry {
    /// Its meaning.
    pub term: EntryTerm,
    /// Its bits; the second part of a wide key stands above the first.
    pub bits: u128,
}

/// All entries of a scheme.
#[derive(Clone, Debug)]
pub struct TableEntries {
    /// Entries: White P N B R Q K and Black's, a1..h8 each; then rights, en passant, side and clock.
    pub entries: Vec<TableEntry>,
    /// Number of bits of an entry.
    pub bits: u32,
    /// Operation that combines entries into a key.
    pub combine: Combine,
    /// Kinds of entries of which every key has exactly one.
    pub always_one: AlwaysOne,
}

/// Kinds of entries of which every key has exactly one, so that two keys differ by none or two of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AlwaysOne {
    /// An entry per set of rights.
    pub castling: bool,
    /// An entry for no e.p. square.
    pub en_passant: bool,
    /// An entry for each side.
    pub side: bool,
}

impl TableEntries {
    /// Returns the entries of a scheme. **Errors**: it adds in two parts, each with its own carries.
    pub fn new(axes: &Axes, key_tables: &KeyTables) -> Result<TableEntries, String> {
        if axes.combine == Combine::Add && key_tables.parts.len() > 1 {
            let width = axes.width.name();
            return Err(format!("found sums of width={width}, expected those of one part: width=32, 48 or 64"));
        }
        let pick = |of: &dyn Fn(&perft_gate_zobrist::KeyTable) -> u64| {
            let parts = key_tables.parts.iter().enumerate();
            parts.fold(0, |bits, (part, entries)| bits | u128::from(of(entries)) << (64 * part))
        };
        let mut entries = Vec::new();
        let mut add = |term: EntryTerm, bits: u128| entries.push(TableEntry { term, bits });
        for piece in Piece::all() {
            for square in Square::all() {
                let entry = pick(&|entries| entries.pieces[Code::from(piece).index()][square.index()]);
                add(EntryTerm::Piece(piece, square), entry);
            }
        }
        let rights = |set: usize| pick(&|entries| entries.castling[set]);
        match axes.castling {
            Castling::C16 => (0..16).for_each(|set| add(EntryTerm::Rights(CastlingRights::new(set)), rights(set))),
            each => {
                (0..4).for_each(|bit| add(EntryTerm::Right(CastlingRights::new(1 << bit)), rights(1 << bit)));
                if each == Castling::C5 {
                    add(EntryTerm::Rights(CastlingRights::NONE), rights(0));
                }
            }
        }
        let en_passant = |square: usize| pick(&|entries| entries.en_passant[square]);
        match axes.en_passant {
            EnPassantKeys::E8 | EnPassantKeys::E9 => {
                (0..8).for_each(|file| add(EntryTerm::File(file), en_passant(file as usize)));
            }
            squares => {
                let listed = Square::all()
                    .filter(|&square| squares != EnPassantKeys::E17 || EntryTerm::EnPassant(Some(square)).is_in_play());
                listed.for_each(|square| add(EntryTerm::EnPassant(Some(square)), en_passant(square.index())));
            }
        }
        let one_for_none = !matches!(axes.en_passant, EnPassantKeys::E8 | EnPassantKeys::E64);
        if one_for_none {
            add(EntryTerm::EnPassant(None), en_passant(64));
        }
        let sides = match axes.side {
            Side::S1 => &[Color::Black][..],
            Side::S1w => &[Color::White],
            Side::S2 => &Color::ALL,
        };
        sides.iter().for_each(|&side| add(EntryTerm::Side(side), pick(&|entries| entries.side[side.index()])));
        let has_own =
            |clock: &usize| axes.clock.index(*clock) != clock.checked_sub(1).and_then(|last| axes.clock.index(last));
        for first in (0..CLOCKS).filter(has_own) {
            add(EntryTerm::Clock(first as u8), pick(&|entries| entries.clock_key(first as u16)));
        }
        let always_one = AlwaysOne {
            castling: axes.castling == Castling::C16,
            en_passant: one_for_none,
            side: axes.side == Side::S2,
        };
        Ok(TableEntries { entries, bits: axes.width.bits(), combine: axes.combine, always_one })
    }

    /// Returns the bits alone.
    pub fn bits_of_entries(&self) -> Vec<u128> {
        self.entries.iter().map(|entry| entry.bits).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_zobrist::Scheme;

    fn list(name: &str) -> TableEntries {
        let scheme = Scheme::parse(name, false).unwrap();
        TableEntries::new(&scheme.axes.unwrap(), &scheme.key_tables(0).unwrap()).unwrap()
    }

    #[test]
    fn a_list_has_the_entries_that_its_scheme_draws() {
        for (name, entries, in_play) in [
            ("cpw781", 781, 749),
            ("cpw793", 793, 761),
            ("ep=e9", 794, 762),
            ("ep=e64", 849, 769),
            ("rustic803", 803, 771),
            ("rustic851", 851, 771),
            ("polyglot", 781, 749),
            ("rustic-c5", 792, 760),
            ("rotate", 793, 761),
            ("dual32", 793, 761),
            ("clock=14by8", 808, 776),
            ("cpw781,clock=20by10", 792, 760),
        ] {
            let list = list(name);
            let playing = list.entries.iter().filter(|entry| entry.term.is_in_play()).count();
            assert_eq!((list.entries.len(), playing, list.bits), (entries, in_play, 64), "{name}");
            let mut names: Vec<String> = list.entries.iter().map(|entry| entry.term.to_string()).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), entries, "{name}: two entries of one name");
        }
    }

    #[test]
    fn entries_are_those_of_the_published_list() {
        let list = list("polyglot");
        let entry = |name: &str| list.entries.iter().find(|entry| entry.term.to_string() == name).unwrap().bits;
        assert_eq!(entry("black pawn a1"), 0x9d39_247e_3377_6d41);
        assert_eq!(entry("White to move"), 0xf8d6_26aa_af27_8509);
        assert_eq!(entry("right K"), 0x31d7_1dce_64b2_c310);
        assert_eq!(entry("e.p. file a"), 0x70cc_73d9_0bc2_6e24);
    }

    #[test]
    fn sums_of_two_parts_are_refused() {
        let list = |text| {
            let scheme = Scheme::parse(text, false).unwrap();
            TableEntries::new(&scheme.axes.unwrap(), &scheme.key_tables(0).unwrap())
        };
        assert_eq!(list("additive48").unwrap().bits, 48);
        assert!(list("combine=add,width=2x32").unwrap_err().contains("found sums of width=2x32"));
    }
}
