//! All words of a scheme, key_tables, and the recompute of a key from the board alone.

use super::axes::Combine;
use crate::chess::{Board, Code, EnPassantPolicy, Piece};
use perft_gate_simd::{NibbleTables, Quad};

/// One lane of a scheme, key_tables: whatever its axes, a set of rights, a square or a side names one word.
///
/// **Shape**: 16 codes × 64 squares (8192 bytes, the unused rows zero), 16 sets of rights, 65 en-passant squares (64 =
/// none), 2 sides; and, for the full recompute, 32 pairs of squares × 256 pairs of codes (67584 bytes, of which a game
/// touches a few lines).
///
/// It begins a page: copies of a scheme that lay elsewhere within theirs cost up to 5 % more or less than each other, and
/// no longer do. Probably a load waits for an earlier store whose address agrees in the last 12 bits.
#[derive(Clone, Debug)]
#[repr(align(4096))]
pub struct KeyTable {
    /// By code and square; the row of the empty code is zero.
    pub pieces: [[u64; 64]; 16],
    /// By set of rights.
    pub castling: [u64; 16],
    /// By square, 64 = none; the rest is never read, and spares a check.
    pub en_passant: [u64; 128],
    /// By the side to move.
    pub side: [u64; 2],
    /// How words make a key.
    pub combine: Combine,
    /// Bits that count.
    pub mask: u64,
    /// When the en-passant square counts.
    pub policy: EnPassantPolicy,
    /// By pair of neighbouring squares, then by their two codes: their two words combined.
    pairs: Box<[[u64; PAIR_ROW]; 32]>,
    /// By right set, and 16 for Black to move: castling and side together.
    states: [u64; 32],
    /// The bytes of `pieces`, for the recompute in batches.
    pub bytes: Box<NibbleTables>,
    /// For the schemes that multiply: the multiplier of each piece.
    pub product: Option<Product>,
}

/// The words of a linear scheme as polynomials over GF(2): a board's key is the sum of multiplier × bitboard, reduced.
#[derive(Clone, Debug)]
pub struct Product {
    /// By colour; pawn, knight, bishop, rook, then queen and king.
    pub multipliers: [[Quad; 2]; 2],
    /// What a product is reduced by.
    pub modulus: Modulus,
}

/// What a product of 128 bits is reduced by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Modulus {
    /// x^64 - 1: rotation.
    Cyclic,
    /// x^64 + x^4 + x^3 + x + 1.
    Field,
}

impl Modulus {
    /// A product reduced to 64 bits.
    #[inline(always)]
    pub fn reduce(self, [low, high]: [u64; 2]) -> u64 {
        match self {
            Modulus::Cyclic => low ^ high,
            Modulus::Field => {
                // x^64 = x^4 + x^3 + x + 1, and once more for the bits that this pushes out.
                let out = high >> 63 ^ high >> 61 ^ high >> 60;
                let high = high ^ out;
                low ^ high ^ high << 1 ^ high << 3 ^ high << 4
            }
        }
    }
}

/// The terms of a scheme by axis, as [`KeyTable::new`] takes them.
pub struct Terms {
    pub pieces: [[u64; 64]; 16],
    pub castling: [u64; 16],
    pub en_passant: [u64; 65],
    pub side: [u64; 2],
}

impl KeyTable {
    /// Flattens terms by axis, cut to the bits that count.
    pub fn new(terms: &Terms, combine: Combine, mask: u64, policy: EnPassantPolicy) -> KeyTable {
        let pieces = terms.pieces.map(|row| row.map(|word| word & mask));
        let castling = terms.castling.map(|word| word & mask);
        let side = terms.side.map(|word| word & mask);
        let mut en_passant = [0; 128];
        for (word, term) in en_passant.iter_mut().zip(terms.en_passant) {
            *word = term & mask;
        }
        let mut pairs = Box::new([[0; PAIR_ROW]; 32]);
        for (pair, row) in pairs.iter_mut().enumerate() {
            for (codes, word) in row[..256].iter_mut().enumerate() {
                *word = combine.join(pieces[codes & 15][2 * pair], pieces[codes >> 4][2 * pair + 1]);
            }
        }
        let states = std::array::from_fn(|state| combine.join(castling[state & 15], side[state >> 4]));
        let bytes = Box::new(NibbleTables::new(|square, code| pieces[code][square]));
        KeyTable { pieces, castling, en_passant, side, combine, mask, policy, pairs, states, bytes, product: None }
    }

    /// Two lanes of 32 bits, xored, are one lane of 64.
    pub(super) fn packed(low: &KeyTable, high: &KeyTable) -> KeyTable {
        let both = |low: u64, high: u64| low | high << 32;
        let terms = Terms {
            pieces: std::array::from_fn(|code| {
                std::array::from_fn(|i| both(low.pieces[code][i], high.pieces[code][i]))
            }),
            castling: std::array::from_fn(|set| both(low.castling[set], high.castling[set])),
            en_passant: std::array::from_fn(|square| both(low.en_passant[square], high.en_passant[square])),
            side: std::array::from_fn(|side| both(low.side[side], high.side[side])),
        };
        KeyTable::new(&terms, low.combine, !0, low.policy)
    }

    /// The words of some men alone, without rights, en passant and side: a secondary key.
    pub(super) fn only(&self, member: impl Fn(Piece) -> bool) -> KeyTable {
        self.secondary(
            self.combine,
            |piece, square| {
                if member(piece) { self.pieces[Code::from(piece).index()][square] } else { 0 }
            },
        )
    }

    /// One word a piece, wherever it stands, summed: equal men would cancel in an xor.
    pub(super) fn material(&self) -> KeyTable {
        self.secondary(Combine::Add, |piece, _| self.pieces[Code::from(piece).index()][0])
    }

    fn secondary(&self, combine: Combine, word: impl Fn(Piece, usize) -> u64) -> KeyTable {
        let mut pieces = [[0; 64]; 16];
        for piece in Piece::all() {
            pieces[Code::from(piece).index()] = std::array::from_fn(|square| word(piece, square));
        }
        let terms = Terms { pieces, castling: [0; 16], en_passant: [0; 65], side: [0; 2] };
        KeyTable::new(&terms, combine, self.mask, self.policy)
    }

    /// The key's lane, from the board alone: every man, then rights, en passant and side.
    #[inline(always)]
    pub fn key(&self, board: &Board) -> u64 {
        self.combine.join(self.pieces_of(&board.mailbox().0), self.rest(board, self.policy, self.combine)) & self.mask
    }

    pub(super) fn with_swapped_rights(&self) -> KeyTable {
        let mut swapped = self.clone();
        swapped.castling = std::array::from_fn(|set| self.castling[set & 9 | set << 1 & 4 | set >> 1 & 2]);
        swapped.states =
            std::array::from_fn(|state| self.combine.join(swapped.castling[state & 15], self.side[state >> 4]));
        swapped
    }

    /// A wrong bit in what the recompute reads of a code on a square, whichever way it goes.
    pub(super) fn corrupt(&mut self, square: usize, code: Code) {
        // A byte that counts at any width.
        self.bytes.flip(square, square % 4, code.index());
        let (pair, shift) = (square / 2, 4 * (square % 2));
        for codes in (0..256).filter(|codes| codes >> shift & 15 == code.index()) {
            self.pairs[pair][codes] ^= 1;
        }
        if let (Some(product), Some(piece)) = (&mut self.product, code.piece()) {
            let role = piece.role as usize - 1;
            product.multipliers[piece.color.index()][role / 4].0[role % 4] ^= 1;
        }
    }

    /// What the men of a mailbox hash to.
    #[inline(always)]
    pub fn pieces_of(&self, mailbox: &[u64; 4]) -> u64 {
        let pair = |pair: usize| (mailbox[pair >> 3 & 3] >> (8 * (pair & 7))) as usize & 255;
        let words = self.pairs.iter().enumerate().map(|(i, row)| row[pair(i)]);
        match self.combine {
            Combine::Xor => words.fold(0, |key, word| key ^ word),
            Combine::Add => words.fold(0, u64::wrapping_add),
        }
    }

    /// What the men of 32 boards hash to, pair of squares by pair.
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

    /// What the men of bitboards hash to, man by man.
    pub fn pieces_of_sets(&self, sets: &[Quad; 2]) -> u64 {
        let set = |number: usize| sets[number >> 2].0[number & 3];
        let mut key = 0;
        for code in Code::all() {
            let piece = code.piece().expect("a man's code");
            let mut men = set(piece.role as usize - 1) & set(6 + piece.color.index());
            while men != 0 {
                key = self.combine.join(key, self.pieces[code.index()][men.trailing_zeros() as usize]);
                men &= men - 1;
            }
        }
        key
    }

    /// The terms that are not men: rights, en passant and side. Policy and combination are the scheme's, which a tracker
    /// may know as constants.
    #[inline(always)]
    pub fn rest(&self, board: &Board, policy: EnPassantPolicy, combine: Combine) -> u64 {
        self.state(board.state.rights_and_turn(), board.state.en_passant().index(policy), combine)
    }

    /// The same of a set of rights, with 16 more for Black to move, and an en-passant square, 64 for none.
    #[inline(always)]
    pub(super) fn state(&self, rights_and_turn: usize, square: usize, combine: Combine) -> u64 {
        combine.join(self.states[rights_and_turn], self.en_passant[square])
    }
}

/// A cache line longer than 256 words: with rows of 2048 bytes, all pairs of empty squares would share two cache sets.
const PAIR_ROW: usize = 256 + 8;

impl Combine {
    /// A key with a word more.
    #[inline(always)]
    pub fn join(self, key: u64, word: u64) -> u64 {
        match self {
            Combine::Xor => key ^ word,
            Combine::Add => key.wrapping_add(word),
        }
    }

    /// A key with a word less.
    #[inline(always)]
    pub fn part(self, key: u64, word: u64) -> u64 {
        match self {
            Combine::Xor => key ^ word,
            Combine::Add => key.wrapping_sub(word),
        }
    }
}
