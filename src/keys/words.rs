//! The tracker of every xor scheme with a word per piece and square.

use super::batch::ByteTables;
use super::{Batch, Key, Tracker};
use crate::chess::{Board, CastlingRights, Code, Color, EnPassant, EnPassantPolicy, Square};

/// All words of a scheme, flattened: whatever its axes, a set of rights, a square or a side names one word.
///
/// **Shape**: 16 codes × 64 squares (8192 bytes, the unused rows zero), 16 sets of rights, 65 en-passant squares (64 =
/// none), 2 sides; and, for the full recompute, 32 pairs of squares × 256 pairs of codes (67584 bytes, of which a game
/// touches a few lines).
#[derive(Clone, Debug)]
pub struct Words {
    /// By code and square; the row of the empty code is zero.
    pub pieces: [[u64; 64]; 16],
    /// By set of rights.
    pub castling: [u64; 16],
    /// By square, 64 = none.
    pub en_passant: [u64; 65],
    /// By the side to move.
    pub side: [u64; 2],
    /// By pair of neighbouring squares, then by their two codes: the xor of their two words.
    pairs: Box<[[u64; PAIR_ROW]; 32]>,
    /// By right set, and 16 for Black to move: castling and side together.
    states: [u64; 32],
    /// The bytes of `pieces`, for the recompute in batches.
    pub(crate) bytes: Box<ByteTables>,
}

impl Words {
    /// Words by axis; see the fields.
    pub fn new(pieces: [[u64; 64]; 16], castling: [u64; 16], en_passant: [u64; 65], side: [u64; 2]) -> Words {
        let mut pairs = Box::new([[0; PAIR_ROW]; 32]);
        for (pair, row) in pairs.iter_mut().enumerate() {
            for (codes, word) in row[..256].iter_mut().enumerate() {
                *word = pieces[codes & 15][2 * pair] ^ pieces[codes >> 4][2 * pair + 1];
            }
        }
        let states = std::array::from_fn(|state| castling[state & 15] ^ side[state >> 4]);
        let bytes = Box::new(ByteTables::new(&pieces));
        Words { pieces, castling, en_passant, side, pairs, states, bytes }
    }

    /// The key of a board, from the board alone: every man, then rights, en passant and side.
    #[inline(always)]
    pub fn key(&self, board: &Board, policy: EnPassantPolicy) -> Key {
        Key(self.pieces_of(&board.mailbox().0) ^ self.rest(board, policy))
    }

    /// What the men of a mailbox hash to.
    #[inline(always)]
    pub(crate) fn pieces_of(&self, mailbox: &[u64; 4]) -> u64 {
        let pair = |pair: usize| (mailbox[pair >> 3 & 3] >> (8 * (pair & 7))) as usize & 255;
        self.pairs.iter().enumerate().fold(0, |key, (i, row)| key ^ row[pair(i)])
    }

    /// The terms that are not men: rights, en passant and side.
    #[inline(always)]
    pub(crate) fn rest(&self, board: &Board, policy: EnPassantPolicy) -> u64 {
        let square = board.state.en_passant().index(policy).min(64);
        self.states[board.state.rights_and_turn()] ^ self.en_passant[square]
    }
}

/// A cache line longer than 256 words: with rows of 2048 bytes, all pairs of empty squares would share two cache sets.
const PAIR_ROW: usize = 256 + 8;

/// How a scheme's axes combine words when a term changes.
pub trait Axes: Copy + Send + Sync {
    /// When the en-passant square counts.
    fn policy(self) -> EnPassantPolicy;
    /// What to xor when rights change.
    fn castling(self, words: &Words, old: CastlingRights, new: CastlingRights) -> u64;
}

/// One word per set of rights.
#[derive(Clone, Copy, Debug)]
pub struct C16<const POLICY: u8>;
/// One word per right.
#[derive(Clone, Copy, Debug)]
pub struct C4<const POLICY: u8>;

const fn policy(number: u8) -> EnPassantPolicy {
    EnPassantPolicy::ALL[number as usize]
}

impl<const P: u8> Axes for C16<P> {
    #[inline(always)]
    fn policy(self) -> EnPassantPolicy {
        policy(P)
    }

    #[inline(always)]
    fn castling(self, words: &Words, old: CastlingRights, new: CastlingRights) -> u64 {
        words.castling[old.index()] ^ words.castling[new.index()]
    }
}

impl<const P: u8> Axes for C4<P> {
    #[inline(always)]
    fn policy(self) -> EnPassantPolicy {
        policy(P)
    }

    /// A right that changes toggles its own word: the entry of the set that holds it alone.
    #[inline(always)]
    fn castling(self, words: &Words, old: CastlingRights, new: CastlingRights) -> u64 {
        let changed = old.index() ^ new.index();
        (0..4).filter(|bit| changed >> bit & 1 != 0).fold(0, |word, bit| word ^ words.castling[1 << bit])
    }
}

/// Axes chosen at run time: one tracker for every scheme, where speed does not matter.
#[derive(Clone, Copy, Debug)]
pub struct Dynamic {
    /// One castling word per right, instead of one per set of rights.
    pub per_right: bool,
    /// When the en-passant square counts.
    pub policy: EnPassantPolicy,
}

impl Axes for Dynamic {
    #[inline(always)]
    fn policy(self) -> EnPassantPolicy {
        self.policy
    }

    #[inline(always)]
    fn castling(self, words: &Words, old: CastlingRights, new: CastlingRights) -> u64 {
        match self.per_right {
            true => C4::<0>.castling(words, old, new),
            false => C16::<0>.castling(words, old, new),
        }
    }
}

/// The incremental key of a scheme.
#[derive(Clone, Copy, Debug)]
pub struct Zobrist<'w, A> {
    words: &'w Words,
    key: u64,
    axes: A,
}

impl<'w, A: Axes> Zobrist<'w, A> {
    /// A tracker over these words.
    pub fn new(words: &'w Words, axes: A) -> Zobrist<'w, A> {
        Zobrist { words, key: 0, axes }
    }
}

#[allow(private_interfaces)]
impl<A: Axes> Tracker for Zobrist<'_, A> {
    type Mark = u64;

    fn batch(&self) -> Option<Batch<'_>> {
        Some(Batch::new(self.words, self.axes.policy()))
    }
    #[inline(always)]
    fn policy(&self) -> EnPassantPolicy {
        self.axes.policy()
    }
    fn restart(&mut self, board: &Board) {
        self.key = self.words.key(board, self.axes.policy()).0;
    }
    #[inline(always)]
    fn relocate(&mut self, code: Code, from: Square, to: Square) {
        let row = &self.words.pieces[code.index()];
        self.key ^= row[from.index()] ^ row[to.index()];
    }
    #[inline(always)]
    fn remove(&mut self, code: Code, square: Square) {
        self.key ^= self.words.pieces[code.index()][square.index()];
    }
    #[inline(always)]
    fn place(&mut self, code: Code, square: Square) {
        self.key ^= self.words.pieces[code.index()][square.index()];
    }
    #[inline(always)]
    fn castling(&mut self, old: CastlingRights, new: CastlingRights) {
        self.key ^= self.axes.castling(self.words, old, new);
    }
    #[inline(always)]
    fn en_passant(&mut self, old: EnPassant, new: EnPassant) {
        let word = |square: EnPassant| self.words.en_passant[square.index(self.axes.policy())];
        self.key ^= word(old) ^ word(new);
    }
    #[inline(always)]
    fn side(&mut self, _: Color) {
        self.key ^= self.words.side[0] ^ self.words.side[1];
    }
    #[inline(always)]
    fn mark(&self) -> u64 {
        self.key
    }
    #[inline(always)]
    fn restore(&mut self, mark: u64) {
        self.key = mark;
    }
    #[inline(always)]
    fn key(&self) -> Option<Key> {
        Some(Key(self.key))
    }
    #[inline(always)]
    fn recompute(&self, board: &Board) -> Option<Key> {
        Some(self.words.key(board, self.axes.policy()))
    }
}
