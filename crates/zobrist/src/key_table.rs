//! The key tables of a scheme, and the recompute of a key from the board alone.

use crate::axes::{CLOCKS, Combine, Width};
use crate::term::Term;
use perft_gate_chess::{Board, Code, Color, EnPassantPolicy, Piece, Role, Square, State};
use perft_gate_simd::{NibbleTables, Quad, inline_all};
use std::fmt;

/// The key table of one part of a scheme's key. With any choice of axes, it has one key per piece and square, per set
/// of castling rights, per en-passant square and per side.
///
/// **Shape**: 16 codes × 64 squares (8192 bytes, the unused rows zero), 16 sets of rights, 65 en-passant squares (64 =
/// none), 2 sides. The full recompute also needs 32 pairs of squares × 256 pairs of codes (67584 bytes, of which a game
/// touches only a few cache lines).
///
/// The table is page-aligned. Tables at other offsets differed in speed by up to 5 %, probably because a load waits for
/// an earlier store whose address agrees in the last 12 bits.
#[derive(Clone, Debug)]
#[repr(align(4096))]
pub struct KeyTable {
    /// Keys by code and square. The row of the empty code is zero.
    pub pieces: [[u64; 64]; 16],
    /// Keys by set of castling rights.
    pub castling: [u64; 16],
    /// Keys by en-passant square, 64 = none. Entries after 64 are never read, but their presence saves a bounds check.
    pub en_passant: [u64; 128],
    /// Keys by side to move.
    pub side: [u64; 2],
    pub combine: Combine,
    /// Mask of the significant bits.
    pub mask: u64,
    /// The rule that decides when the en-passant square counts.
    pub policy: EnPassantPolicy,
    /// The combined keys of two neighbouring squares, indexed by the pair of squares and by the two codes on them.
    pub(super) pairs: Box<[[u64; PAIR_ROW]; 32]>,
    /// Keys of castling and side combined, indexed by set of rights, plus 16 for Black to move.
    states: [u64; 32],
    /// The keys in `pieces`, split into bytes for hashing blocks of boards.
    pub bytes: Box<NibbleTables>,
    /// Keys by halfmove clock, if the scheme has any. Clock values beyond the table use the last key.
    pub clock: Option<Box<[u64; CLOCKS]>>,
}

/// Reduces a 128-bit polynomial over GF(2) modulo x^64 + x^4 + x^3 + x + 1.
#[inline(always)]
pub(super) fn reduce([low, high]: [u64; 2]) -> u64 {
    // Replace x^64 by x^4 + x^3 + x + 1, and do the same with the bits that this shifts out.
    let out = high >> 63 ^ high >> 61 ^ high >> 60;
    let high = high ^ out;
    low ^ high ^ high << 1 ^ high << 3 ^ high << 4
}

/// The keys of a scheme, grouped by axis. [`KeyTable::new`] builds a table from them.
pub struct Terms {
    pub pieces: [[u64; 64]; 16],
    pub castling: [u64; 16],
    pub en_passant: [u64; 65],
    pub side: [u64; 2],
    pub clock: Option<Box<[u64; CLOCKS]>>,
}

impl Terms {
    fn keys_mut(&mut self) -> impl Iterator<Item = &mut u64> {
        let state = self.castling.iter_mut().chain(&mut self.en_passant).chain(&mut self.side);
        self.pieces.as_flattened_mut().iter_mut().chain(state).chain(self.clock.as_deref_mut().into_iter().flatten())
    }
}

impl KeyTable {
    /// Builds the table from the keys of each axis, truncated to the significant bits.
    pub fn new(mut terms: Terms, combine: Combine, mask: u64, policy: EnPassantPolicy) -> KeyTable {
        terms.keys_mut().for_each(|key| *key &= mask);
        let Terms { pieces, castling, side, clock, .. } = terms;
        let en_passant = std::array::from_fn(|square| terms.en_passant.get(square).copied().unwrap_or_default());
        let mut pairs = Box::new([[0; PAIR_ROW]; 32]);
        for (pair, row) in pairs.iter_mut().enumerate() {
            for (codes, both) in row[..256].iter_mut().enumerate() {
                *both = combine.join(pieces[codes & 15][2 * pair], pieces[codes >> 4][2 * pair + 1]);
            }
        }
        let states = std::array::from_fn(|state| combine.join(castling[state & 15], side[state >> 4]));
        let bytes = Box::new(NibbleTables::new(|square, code| pieces[code][square]));
        KeyTable { pieces, castling, en_passant, side, combine, mask, policy, pairs, states, bytes, clock }
    }

    /// Packs two 32-bit parts, each combined by xor, into one part of 64 bits.
    pub(super) fn pack(low: &KeyTable, high: &KeyTable) -> KeyTable {
        let (mut both, mut upper) = (low.terms(), high.terms());
        both.keys_mut().zip(upper.keys_mut()).for_each(|(key, upper)| *key |= *upper << 32);
        KeyTable::new(both, low.combine, !0, low.policy)
    }

    /// Returns the table of a secondary key. It has keys only for the pieces that `member` accepts.
    pub(super) fn only(&self, member: impl Fn(Piece) -> bool) -> KeyTable {
        let key = |piece, square: usize| self.pieces[Code::from(piece).index()][square];
        self.secondary(self.combine, |piece, square| if member(piece) { key(piece, square) } else { 0 })
    }

    /// Returns the table of the material key: one key per type of piece, the same on every square. The keys are summed,
    /// because equal pieces would cancel in an xor.
    pub(super) fn material(&self) -> KeyTable {
        self.secondary(Combine::Add, |piece, _| self.pieces[Code::from(piece).index()][0])
    }

    fn secondary(&self, combine: Combine, key: impl Fn(Piece, usize) -> u64) -> KeyTable {
        let mut pieces = [[0; 64]; 16];
        for piece in Piece::all() {
            pieces[Code::from(piece).index()] = std::array::from_fn(|square| key(piece, square));
        }
        let terms = Terms { pieces, castling: [0; 16], en_passant: [0; 65], side: [0; 2], clock: None };
        KeyTable::new(terms, combine, self.mask, self.policy)
    }

    /// Computes this part of the key from the board alone: every piece, then castling, en passant, side and clock.
    #[inline(always)]
    pub fn key(&self, board: &Board) -> u64 {
        self.combine.join(self.key_without_clock(board), self.clock_key(board.state.halfmove())) & self.mask
    }

    /// Computes the same key as `key`, but without the halfmove clock.
    #[inline(always)]
    pub(super) fn key_without_clock(&self, board: &Board) -> u64 {
        self.combine.join(self.pieces_of(&board.mailbox().0), self.rest(&board.state, self.policy, self.combine))
            & self.mask
    }

    /// Returns the key for a value of the halfmove clock, or 0 if that value has no key.
    #[inline(always)]
    pub fn clock_key(&self, halfmove: u16) -> u64 {
        self.clock.as_ref().map_or(0, |keys| keys[usize::from(halfmove).min(CLOCKS - 1)])
    }

    /// Returns the key of a term, for example of a piece on a square.
    pub fn entry(&self, term: Term) -> u64 {
        match term {
            Term::Piece(piece, square) => self.pieces[Code::from(piece).index()][square.index()],
            Term::Castling(rights) => self.castling[rights.index()],
            Term::File(file) => self.en_passant[file as usize],
            Term::EnPassant(square) => self.en_passant[square.map_or(64, Square::index)],
            // If the scheme has a key for one side only, the key of the other side is 0.
            Term::Side(None) => self.side[0] ^ self.side[1],
            Term::Side(Some(color)) => self.side[color.index()],
            Term::Clock(halfmove) => self.clock_key(halfmove),
        }
    }

    /// Returns the keys by axis.
    fn terms(&self) -> Terms {
        let KeyTable { pieces, castling, side, .. } = *self;
        let en_passant = std::array::from_fn(|square| self.en_passant[square]);
        Terms { pieces, castling, en_passant, side, clock: self.clock.clone() }
    }

    /// Returns the table with edited keys. Everything that is derived from the keys is rebuilt.
    pub fn edited(&self, edit: impl FnOnce(&mut Terms)) -> KeyTable {
        let mut terms = self.terms();
        edit(&mut terms);
        KeyTable::new(terms, self.combine, self.mask, self.policy)
    }

    /// Flips a bit in the key of a code on a square, in every copy that a recompute reads, but not in `pieces`.
    pub(super) fn corrupt(&mut self, square: usize, code: Code) {
        // The chosen byte is one of the lowest four, which are significant at every width.
        self.bytes.flip(square, square % 4, code.index());
        let (pair, shift) = (square / 2, 4 * (square % 2));
        for codes in (0..256).filter(|codes| codes >> shift & 15 == code.index()) {
            self.pairs[pair][codes] ^= 1;
        }
    }

    /// Returns the hash of the pieces of a mailbox.
    #[inline(always)]
    pub fn pieces_of(&self, mailbox: &[u64; 4]) -> u64 {
        let pair = |pair: usize| (mailbox[pair >> 3 & 3] >> (8 * (pair & 7))) as usize & 255;
        let terms = self.pairs.iter().enumerate().map(|(i, row)| row[pair(i)]);
        match self.combine {
            Combine::Xor => terms.fold(0, |key, term| key ^ term),
            Combine::Add => terms.fold(0, u64::wrapping_add),
        }
    }

    /// Returns the piece hashes of 32 boards, adding one pair of squares at a time.
    pub(super) fn pieces_of_squares(&self, squares: &[Quad; 32]) -> [u64; 32] {
        let mut keys = [0; 32];
        for (row, codes) in self.pairs.iter().zip(squares) {
            for (board, key) in keys.iter_mut().enumerate() {
                let codes = codes.0[board / 8] >> (8 * (board % 8)) & 255;
                *key = self.combine.join(*key, row[codes as usize]);
            }
        }
        keys
    }

    /// Returns the combined keys of castling, en passant and side. The caller passes the scheme's policy and
    /// combination, because a tracker may know them at compile time.
    #[inline(always)]
    pub fn rest(&self, state: &State, policy: EnPassantPolicy, combine: Combine) -> u64 {
        self.state(state.rights_and_turn(), state.en_passant().index(policy), combine)
    }

    /// Like `rest`, but takes a set of rights (plus 16 for Black to move) and an en-passant square (64 for none).
    #[inline(always)]
    pub(super) fn state(&self, rights_and_turn: usize, square: usize, combine: Combine) -> u64 {
        combine.join(self.states[rights_and_turn], self.en_passant[square])
    }
}

/// Length of a row of `pairs`: 256 keys, padded by one cache line. With rows of 2048 bytes, all pairs of empty squares
/// would share two cache sets.
const PAIR_ROW: usize = 256 + 8;

#[inline_all]
impl Combine {
    /// Adds a term to a key.
    pub fn join(self, key: u64, term: u64) -> u64 {
        match self {
            Combine::Xor => key ^ term,
            Combine::Add => key.wrapping_add(term),
        }
    }

    /// Removes a term from a key.
    pub fn remove(self, key: u64, term: u64) -> u64 {
        match self {
            Combine::Xor => key ^ term,
            Combine::Add => key.wrapping_sub(term),
        }
    }
}

/// A key of up to 128 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Key(pub u128);

impl From<u64> for Key {
    #[inline(always)]
    fn from(bits: u64) -> Key {
        Key(bits.into())
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// An incremental key that differs from the key computed from the board alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrongKey {
    /// Number of the wrong key's first part. The position's key begins with part 0.
    pub part: usize,
    /// The key computed from the board alone.
    pub expected: Key,
    /// The incremental key.
    pub found: Key,
}

/// Writes the xor of the two keys.
impl fmt::Display for WrongKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Key(self.expected.0 ^ self.found.0), f)
    }
}

perft_gate_chess::serialize_as_text!(Key, WrongKey);

/// The key tables of a scheme. A key consists of parts of up to 64 bits, with one table per part.
#[derive(Clone, Debug)]
pub struct KeyTables {
    /// One table, or two that were drawn independently of each other.
    pub parts: Vec<KeyTable>,
    /// Number of the bit at which the second part of a key begins.
    pub(crate) shift: u32,
}

impl KeyTables {
    pub(crate) fn new(width: Width, parts: Vec<KeyTable>) -> KeyTables {
        match (width, &parts[..]) {
            (Width::W2x32, [low, high]) if low.combine == Combine::Xor => {
                KeyTables { parts: vec![KeyTable::pack(low, high)], shift: 64 }
            }
            (Width::W2x32, _) => KeyTables { parts, shift: 32 },
            _ => KeyTables { parts, shift: 64 },
        }
    }

    /// Returns true if the keys include the halfmove clock.
    pub fn have_clock(&self) -> bool {
        self.parts.iter().any(|part| part.clock.is_some())
    }

    /// Computes the key of a board from the board alone.
    pub fn key(&self, board: &Board) -> Key {
        let parts = self.parts.iter().enumerate();
        Key(parts.fold(0, |key, (part, table)| key | u128::from(table.key(board)) << (self.shift * part as u32)))
    }

    /// Returns a copy with which a recompute uses a wrong key for a piece code on a square. Only self-tests use it.
    pub fn corrupt(&self, square: usize, code: Code) -> KeyTables {
        let mut corrupted = self.clone();
        corrupted.parts.iter_mut().for_each(|table| table.corrupt(square, code));
        corrupted
    }

    /// Returns a copy that swaps White's queen-side and Black's king-side castling rights, both in incremental updates
    /// and in the recompute. Only self-tests use it.
    pub fn with_swapped_rights(&self) -> KeyTables {
        let swapped = |table: &KeyTable| {
            let castling = std::array::from_fn(|set| table.castling[set & 9 | set << 1 & 4 | set >> 1 & 2]);
            table.edited(|terms| terms.castling = castling)
        };
        KeyTables { parts: self.parts.iter().map(swapped).collect(), shift: self.shift }
    }

    /// Returns one part of a key.
    pub fn part_of(&self, key: Key, part: usize) -> u64 {
        (key.0 >> (self.shift * part as u32)) as u64 & self.parts[part].mask
    }
}

perft_gate_chess::named! {
    /// A secondary key: of some of the pieces, or of the material.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Secondary {
        /// The pawns: for pawn structure caches and correction history.
        Pawn = "pawn",
        /// The knights and bishops. Source: Stockfish 17.
        Minor = "minor",
        /// All pieces except pawns, one key per colour. Source: Stockfish 17.
        NonPawn = "nonpawn",
        /// The number of pieces of each type. Each piece adds the key that its type has on a1.
        Material = "material",
    }
}

impl Secondary {
    pub const PART_NAMES: [&'static str; 5] = ["pawn", "minor", "white nonpawn", "black nonpawn", "material"];

    /// Returns one table per part, derived from the position's key tables, or `None` if the part's key is not wanted.
    pub fn tables(wanted: &[Secondary], key_tables: &KeyTables) -> [Option<KeyTable>; 5] {
        let table = &key_tables.parts[0];
        let only = |key: Secondary, member: fn(Piece) -> bool| wanted.contains(&key).then(|| table.only(member));
        [
            only(Secondary::Pawn, |piece| piece.role == Role::Pawn),
            only(Secondary::Minor, |piece| matches!(piece.role, Role::Knight | Role::Bishop)),
            only(Secondary::NonPawn, |piece| piece.role != Role::Pawn && piece.color == Color::White),
            only(Secondary::NonPawn, |piece| piece.role != Role::Pawn && piece.color == Color::Black),
            wanted.contains(&Secondary::Material).then(|| table.material()),
        ]
    }
}
