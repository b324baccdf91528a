//! A board and the keys that are kept up to date with it, with make and unmake.
//!
//! `make` is the only writer. Wherever it adds an edit to the board's [`Delta`], it also passes that edit to the
//! [`Tracker`], so board and key can diverge only because of a fault. Finding such faults is the purpose of the walk.
//! Consecutive nodes are mostly siblings, so shared work is done once: [`prepare`](Game::prepare) does it for all moves
//! of a position, [`lift`](ByPiece::lift) for all moves of a piece. A single plain move is made by one lift and one
//! [`put_down`](ByPiece::put_down), without a branch on whether it captures.

mod child_keys;

pub use child_keys::{ChildKeys, KeySink};

use crate::by_piece::{ByPiece, each_child_by_piece};
use crate::game::{Game, MAX_PLAYOUT_PLIES, Siblings, each_child_listed};
use arrayvec::ArrayString;
use perft_gate_chess::{
    Bitboard, Board, CastlingRights, Clock, Code, Color, Delta, Differences, EnPassant, EnPassantPolicy, Fen, Field,
    Kind, LiftedSquares, MAX_FEN_LENGTH, Move, MoveList, MoveSets, Role, Square, State, Wing, movegen, write_fen,
};
use perft_gate_simd::{Token, inline_all};
use perft_gate_zobrist::{Key, KeyBatch, Tracker, WrongKey};

/// A board with its tracker.
#[derive(Copy, Debug)]
pub struct Position<T: Tracker> {
    pub board: Board,
    pub tracker: T,
}

// Written by hand, because a derived `clone` would copy field by field, in code that is not compiled for the level.
impl<T: Tracker> Clone for Position<T> {
    #[inline(always)]
    fn clone(&self) -> Position<T> {
        *self
    }
}

/// The data that `unmake` needs to take a move back.
#[must_use = "a move that is made must be unmade"]
#[derive(Clone, Copy, Debug)]
pub struct Undo<M> {
    delta: Delta,
    /// The state before the move.
    pub state: State,
    mark: M,
}

/// The common starting point of all moves of a position: a copy of the position, and its state and key as they would be
/// after a pass.
///
/// A move is made from this copy, not from the board on which the last move was taken back. The two are equal (V3
/// compares them every time), but the copy is available at once, whereas the unmade board depends on the whole chain of
/// reads and writes of the preceding moves. Starting from the copy lets the processor overlap the work of siblings.
#[derive(Clone, Copy, Debug)]
pub struct Prepared<T: Tracker> {
    board: Board,
    /// A second copy of the state and key. It is separate from the board so that it can stay in registers while
    /// siblings are made.
    state: State,
    mark: T::Mark,
    /// The state after a move that advances the halfmove clock.
    counts: State,
    /// The state after a move that resets the halfmove clock.
    resets: State,
    pub tracker: T,
}

impl<T: Tracker> Position<T> {
    /// Creates a position from a board. The tracker computes the key from scratch.
    pub fn new(board: Board, mut tracker: T) -> Position<T> {
        tracker.restart(&board);
        Position { board, tracker }
    }

    /// Returns the board.
    pub fn board(&self) -> &Board {
        &self.board
    }
}

/// The result of the work shared by all moves of a piece: the piece has been lifted off its square, on the board and in
/// the key.
#[derive(Clone, Copy, Debug)]
pub struct Lifted<T> {
    squares: LiftedSquares,
    moved: Code,
    /// The state after a move to an empty square.
    quiet: State,
    /// The state after a capture.
    resets: State,
    tracker: T,
}

impl<T> Lifted<T> {
    /// Makes the move vacate the square of `other` instead of `self`'s, on the board but not in the key. Used to plant
    /// faults.
    pub fn leaving_as(self, other: &Lifted<T>) -> Lifted<T> {
        Lifted { squares: self.squares.leaving_as(&other.squares), ..self }
    }

    /// Replaces the key with the key of `other`. Used to plant faults.
    pub fn with_key_of(self, other: &Lifted<T>) -> Lifted<T>
    where
        T: Copy,
    {
        Lifted { tracker: other.tracker, ..self }
    }
}

/// Returns the castling rights that are lost with the castling piece on `square`, and the castling pieces that remain.
/// Removing a king also removes its rooks, and removing the last rook also removes the king.
#[inline(always)]
fn lost_rights(board: &Board, color: Color, square: Square, pieces: Bitboard) -> (CastlingRights, Bitboard) {
    let (king, back_rank) = (board.king(color), Bitboard::rank(color.back_rank()));
    if square == king {
        return (CastlingRights::both(color), pieces & !back_rank);
    }
    let mut remaining = pieces & !Bitboard::from(square);
    if remaining & back_rank == king.into() {
        remaining &= !back_rank;
    }
    (CastlingRights::one(color, Wing::of_rook(king, square)), remaining)
}

/// Removes the castling rights lost when a castling piece of `color` leaves `square` or is captured there. `board` is
/// the board before the move.
#[inline(always)]
fn lose_rights<T: Tracker>(board: &Board, color: Color, square: Square, state: &mut State, tracker: &mut T) {
    if state.castling_pieces.has(square) {
        let old = state.rights();
        let (lost, remaining) = lost_rights(board, color, square, state.castling_pieces);
        let new = old.without(lost);
        state.castling_pieces = remaining;
        state.set_rights(new);
        tracker.castling(old, new);
    }
}

/// Passes the edits of a special move to the tracker. Returns the move's delta and the piece captured on its target
/// square.
#[inline(always)]
fn special<L: Token, T: Tracker>(
    level: L,
    board: &Board,
    mv: Move,
    (moved, target): (Code, Code),
    tracker: &mut T,
) -> (Delta, Code) {
    let (from, to, us) = (mv.from(), mv.to(), board.turn());
    match mv.kind() {
        Kind::EnPassant => {
            let (victim, square) = (Code::new(!us, Role::Pawn), to.en_passant_partner());
            let mut delta = Delta::new(level, moved, from, to, Code::EMPTY);
            delta.toggle(victim, square);
            tracker.remove(victim, square);
            tracker.relocate(moved, from, to);
            (delta, Code::EMPTY)
        }
        // In Chess960, the king and rook may swap squares. That is harmless, because the edits can be made in any
        // order.
        Kind::Castle => {
            let (king_to, rook_to) = Wing::of_rook(from, to).destinations(us);
            let mut delta = Delta::NONE;
            for (role, from, to) in [(Role::King, from, king_to), (Role::Rook, to, rook_to)] {
                delta.toggle(Code::new(us, role), from);
                delta.toggle(Code::new(us, role), to);
                tracker.remove(Code::new(us, role), from);
                tracker.place(Code::new(us, role), to);
            }
            (delta, Code::EMPTY)
        }
        Kind::Promotion(role) => {
            let promoted = Code::new(us, role);
            let mut delta = Delta::NONE;
            delta.toggle(moved, from);
            delta.toggle(target, to);
            delta.toggle(promoted, to);
            tracker.remove(target, to);
            tracker.remove(moved, from);
            tracker.place(promoted, to);
            (delta, target)
        }
        Kind::Normal | Kind::DoublePush => (Delta::new(level, moved, from, to, target), target),
    }
}

#[inline_all]
impl<T: Tracker> ByPiece for Position<T> {
    type Lifted = Lifted<T>;

    fn move_sets<L: Token>(&self, level: L, prepared: &Prepared<T>, sets: &mut MoveSets) {
        // The sets are computed from the prepared copy and not from `self`. Listing moves reads the board from memory,
        // and `self` should stay in registers while moves are made.
        sets.fill(level, &prepared.board);
    }

    fn lift<L: Token, const PAWN: bool>(&self, level: L, prepared: &Prepared<T>, from: Square) -> Lifted<T> {
        let before = &prepared.board;
        let moved = if PAWN { Code::new(before.turn(), Role::Pawn) } else { before.code(from) };
        // A local copy of the tracker keeps its key in a register until the move is made.
        let mut tracker = prepared.tracker;
        tracker.remove(moved, from);
        let mut resets = prepared.resets;
        // A pawn never castles.
        if !PAWN {
            lose_rights(before, before.turn(), from, &mut resets, &mut tracker);
        }
        let mut quiet = resets;
        if !PAWN && !moved.is(Role::Pawn) {
            quiet.take_clocks(&prepared.counts);
        }
        Lifted { squares: LiftedSquares::new(level, moved, from), moved, quiet, resets, tracker }
    }

    fn put_down<L: Token, const MAY_CAPTURE: bool>(
        &mut self,
        level: L,
        prepared: &Prepared<T>,
        lifted: &Lifted<T>,
        mv: Move,
    ) -> Undo<T::Mark> {
        let (before, to) = (&prepared.board, mv.to());
        let (mut tracker, mut state) = (lifted.tracker, lifted.quiet);
        let delta = if MAY_CAPTURE {
            let captured = before.code(to);
            tracker.remove(captured, to);
            state = if captured.is_empty() { lifted.quiet } else { lifted.resets };
            // An empty square never holds a castling piece.
            lose_rights(before, !before.turn(), to, &mut state, &mut tracker);
            Delta::landing(level, &lifted.squares, to, captured)
        } else {
            Delta::landing_on_empty(level, &lifted.squares, to)
        };
        tracker.place(lifted.moved, to);
        tracker.clock(prepared.state.halfmove(), state.halfmove());
        let undo = self.become_child(level, prepared, (delta, state), &tracker);
        if mv.is_double_push() {
            // A copy, so that the board itself can stay in registers: access by index needs memory.
            let child = self.board;
            let square = child.en_passant_behind(level, to.en_passant_partner());
            self.board.state.set_en_passant(square);
            tracker.en_passant(EnPassant::NONE, square);
            self.tracker.restore(tracker.mark());
        }
        undo
    }
}

impl<T: Tracker> Position<T> {
    #[inline(always)]
    fn become_child<L: Token>(
        &mut self,
        level: L,
        prepared: &Prepared<T>,
        (delta, state): (Delta, State),
        tracker: &T,
    ) -> Undo<T::Mark> {
        self.board.become_changed(level, &prepared.board, &delta);
        self.board.state = state;
        self.tracker.restore(tracker.mark());
        Undo { delta, state: prepared.state, mark: prepared.mark }
    }
}

#[inline_all]
impl<T: Tracker> Game for Position<T> {
    type Move = Move;
    type Moves = MoveList;
    type Prepared = Prepared<T>;
    type Undo = Undo<T::Mark>;
    const COMMON_ONLY: bool = T::COMMON_ONLY;

    fn moves<L: Token>(&self, level: L, list: &mut MoveList) {
        if L::COMMON && !T::IS_LIST {
            movegen::generate(level, &self.board, list)
        } else {
            movegen::list(level, &self.board, list)
        }
    }
    fn moves_apart<L: Token>(&self, level: L, list: &mut MoveList) {
        movegen::list(level, &self.board, list);
    }

    fn count_moves<L: Token>(&self, level: L) -> u64 {
        movegen::count(level, &self.board)
    }

    fn prepare(&self) -> Prepared<T> {
        let (mut counts, mut resets) = (self.board.state, self.board.state);
        counts.pass(Clock::Counts);
        resets.pass(Clock::Reset);
        let mut tracker = self.tracker;
        tracker.en_passant(self.board.state.en_passant(), EnPassant::NONE);
        tracker.side(counts.turn());
        Prepared { board: self.board, state: self.board.state, mark: self.tracker.mark(), counts, resets, tracker }
    }

    fn make<L: Token>(&mut self, level: L, prepared: &Prepared<T>, mv: Move) -> Undo<T::Mark> {
        let (from, to) = (mv.from(), mv.to());
        if mv.is_plain() {
            let lifted = self.lift::<L, false>(level, prepared, from);
            return self.put_down::<L, true>(level, prepared, &lifted, mv);
        }
        let before = &prepared.board;
        let (moved, target) = (before.code(from), before.code(to));
        let mut tracker = prepared.tracker;
        let (delta, captured) = special(level, before, mv, (moved, target), &mut tracker);
        let resets = moved.is(Role::Pawn) | !captured.is_empty();
        let mut state = if resets { prepared.resets } else { prepared.counts };
        lose_rights(before, before.turn(), from, &mut state, &mut tracker);
        if !captured.is_empty() {
            lose_rights(before, !before.turn(), to, &mut state, &mut tracker);
        }
        tracker.clock(prepared.state.halfmove(), state.halfmove());
        self.become_child(level, prepared, (delta, state), &tracker)
    }

    fn each_child<L: Token, S: Siblings<Self, L>>(&mut self, level: L, prepared: &Prepared<T>, siblings: &mut S) {
        // `each_child_by_piece` makes moves in six places. For trackers with long edits and for the portable level,
        // that much code is not worthwhile.
        if L::FAST_VECTORS && !T::IS_LIST {
            each_child_by_piece(level, self, prepared, siblings);
        } else {
            let mut moves = MoveList::default();
            self.moves(level, &mut moves);
            each_child_listed(level, self, prepared, &moves, siblings);
        }
    }

    fn opaque<L: Token>(&mut self, level: L) {
        if L::FAST_VECTORS {
            self.board.opaque(level);
            self.tracker.opaque();
        } else {
            std::hint::black_box(self);
        }
    }

    fn unmake<L: Token>(&mut self, level: L, _: Move, undo: Undo<T::Mark>) {
        self.board.apply(level, &undo.delta);
        self.board.state = undo.state;
        self.tracker.restore(undo.mark);
    }

    fn make_null<L: Token>(&mut self, level: L) -> Option<Undo<T::Mark>> {
        if self.board.in_check(level) {
            return None;
        }
        let undo = Undo { delta: Delta::NONE, state: self.board.state, mark: self.tracker.mark() };
        let mut prepared = self.prepare();
        prepared.tracker.clock(undo.state.halfmove(), prepared.counts.halfmove());
        self.board.state = prepared.counts;
        self.tracker.restore(prepared.tracker.mark());
        Some(undo)
    }

    fn unmake_null(&mut self, undo: Undo<T::Mark>) {
        self.board.state = undo.state;
        self.tracker.restore(undo.mark);
    }

    fn key(&self) -> Option<Key> {
        self.tracker.key()
    }

    fn recompute(&self) -> Option<Key> {
        self.tracker.recompute(&self.board)
    }

    fn wrong_key(&self, compared: &mut u64) -> Option<WrongKey> {
        *compared += 1;
        self.tracker.wrong(&self.board)
    }

    fn batch(&self) -> Option<KeyBatch<'_>> {
        let mut batch = KeyBatch::default();
        self.tracker.join(&mut batch);
        (self.tracker.parts() > 0).then_some(batch)
    }

    fn set_reference<L: Token>(&self, level: L, batch: &mut KeyBatch<'_>) {
        batch.set_reference(level.load(self.board.mailbox()));
    }

    fn append<L: Token>(&self, level: L, batch: &mut KeyBatch<'_>, at: usize) -> usize {
        // The board is read before the batch is written, because the compiler cannot know that the two do not overlap.
        let squares = level.load(self.board.mailbox());
        self.tracker.expect(&self.board.state, at, &mut batch.targets);
        batch.store(at, squares);
        at + 1
    }

    fn same<L: Token>(&self, level: L, other: &Self, compared: &mut u64) -> bool {
        let mut differences = Differences::none(level);
        self.compare_later(level, other, &mut differences, compared);
        !differences.any()
    }

    fn compare_later<L: Token>(&self, level: L, other: &Self, differences: &mut Differences<L>, compared: &mut u64) {
        *compared += 1;
        differences.add(self.tracker.differing(&other.tracker));
        self.board.compare_later(level, &other.board, differences);
    }

    #[inline(never)]
    fn difference(&self, expected: &Self) -> (String, String) {
        let (mut texts, fields) = ([expected.describe(), self.describe()], self.board.differing(&expected.board));
        let keys = (!self.tracker.same(&expected.tracker)).then(|| {
            let text = |key: Option<Key>| key.map_or("another tracked key".into(), |key| key.to_string());
            (Field::Key, [text(expected.key()), text(self.key())])
        });
        for (field, values) in fields.into_iter().chain(keys) {
            for (text, value) in texts.iter_mut().zip(values) {
                text.push_str(&format!("; {field} {value}"));
            }
        }
        texts.into()
    }

    fn is_consistent<L: Token>(&self, level: L, compared: &mut u64) -> bool {
        *compared += 1;
        self.board.is_consistent(level)
    }

    fn sample(&self) -> u64 {
        let [a, b, c, d] = self.board.mailbox().0;
        let mixed = a ^ b.rotate_left(23) ^ c.rotate_left(41) ^ d.rotate_left(11);
        mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32
    }

    #[inline(never)]
    fn round_trip(&self, compared: &mut u64) -> Result<(), String> {
        *compared += 1;
        let policy = self.tracker.policy();
        // The text is kept on the stack, because the walk must not allocate.
        let mut fen = ArrayString::<MAX_FEN_LENGTH>::new();
        write_fen(&mut fen, &self.board, policy, false).map_err(|_| "the FEN is too long".to_string())?;
        let board = Fen::parse_later(&fen, MAX_PLAYOUT_PLIES)
            .map_err(|error| format!("'{fen}' does not read back: {error}"))?;
        let again = Position::new(board, self.tracker);
        // The FEN omits an e.p. square that does not count under the policy, so the square is missing after the FEN is
        // read.
        let mut expected = self.board;
        if expected.en_passant(policy).is_none() {
            expected.state.set_en_passant(EnPassant::NONE);
        }
        if again.board != expected {
            return Err(format!("'{fen}' reads back as another board: '{}'", again.board));
        }
        // If the key was already wrong before the round trip, V2 reports it.
        if again.tracker.same(&self.tracker) || self.wrong_key(&mut 0).is_some() {
            return Ok(());
        }
        let text = |key: Option<Key>| key.map_or("no key".into(), |key| key.to_string());
        Err(format!("key after the moves {}, from '{fen}' {}", text(self.key()), text(again.key())))
    }

    #[inline(never)]
    fn describe(&self) -> String {
        Fen::write(&self.board, EnPassantPolicy::Always)
    }
}
