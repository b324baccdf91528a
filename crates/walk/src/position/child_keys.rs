//! The keys of a position's children, computed from the position and its moves without building their boards.
//!
//! To look up a child in a table, only its key is needed. The edits are the same as in `make` and are split into the
//! same two steps: a piece is lifted once, and put down on each of its targets. One part of a key depends on more than
//! the move: after a double push, some policies count the en-passant square only if the child allows the capture. If a
//! pawn attacks that square, the child's squares are built to see whether the capture is legal. That is rare.
//!
//! A test checks that every key equals the key of the child after the move is actually made. An assertion checks the
//! same for listed moves.

use super::{Position, Prepared, lose_rights, special};
use crate::game::Game;
use arrayvec::ArrayVec;
use perft_gate_chess::{
    Bitboard, Code, Delta, EnPassant, Kind, MAX_MOVES, Move, MoveList, MoveSets, Role, Square, State,
};
use perft_gate_simd::{Token, inline_all};
use perft_gate_zobrist::{Key, Tracker};

/// The keys of a position's children.
pub type ChildKeys = ArrayVec<Key, MAX_MOVES>;

/// Receives the keys of a position's children.
pub trait KeySink {
    /// Receives the key of a child that is reached by a move that captures nothing.
    fn quiet(&mut self, key: Key);
    /// Receives the key of a child that is reached by capturing the piece on the square `captured`.
    fn capture(&mut self, key: Key, captured: Square);
    /// Receives the key of a child that is reached by any move. `enemy` holds the pieces of the side not to move.
    #[inline(always)]
    fn child(&mut self, key: Key, mv: Move, enemy: Bitboard) {
        match mv.kind() {
            Kind::EnPassant => self.capture(key, mv.to().en_passant_partner()),
            // Castling is encoded as the king's move to its own rook.
            _ if enemy.has(mv.to()) => self.capture(key, mv.to()),
            _ => self.quiet(key),
        }
    }
}

#[inline_all]
impl KeySink for ChildKeys {
    fn quiet(&mut self, key: Key) {
        self.push(key);
    }
    fn capture(&mut self, key: Key, _: Square) {
        self.push(key);
    }
}

/// A child's key while the piece is lifted off its square. This part of the key is the same for all moves of the piece.
#[derive(Clone, Copy)]
struct LiftedKey<T> {
    from: Square,
    moved: Code,
    state: State,
    tracker: T,
}

#[inline_all]
impl<T: Tracker> LiftedKey<T> {
    fn new(prepared: &Prepared<T>, from: Square) -> LiftedKey<T> {
        let before = &prepared.board;
        let (moved, mut state, mut tracker) = (before.code(from), prepared.resets, prepared.tracker);
        tracker.remove(moved, from);
        lose_rights(before, before.turn(), from, &mut state, &mut tracker);
        LiftedKey { from, moved, state, tracker }
    }

    /// Returns the tracker with the key after a move to an empty square.
    fn on_empty(&self, prepared: &Prepared<T>, to: Square) -> T {
        let mut tracker = self.tracker;
        tracker.place(self.moved, to);
        prepared.advance_clock(&mut tracker, self.moved.is(Role::Pawn));
        tracker
    }

    /// Returns the tracker with the key after a move to a square that may hold an enemy piece.
    fn on_any(&self, prepared: &Prepared<T>, to: Square) -> T {
        let (before, mut state, mut tracker) = (&prepared.board, self.state, self.tracker);
        let captured = before.code(to);
        tracker.remove(captured, to);
        lose_rights(before, !before.turn(), to, &mut state, &mut tracker);
        tracker.place(self.moved, to);
        prepared.advance_clock(&mut tracker, self.moved.is(Role::Pawn) | !captured.is_empty());
        tracker
    }
}

impl<T: Tracker> Prepared<T> {
    /// Applies the move's effect on the halfmove clock to the tracker of a child.
    #[inline(always)]
    fn advance_clock(&self, tracker: &mut T, resets: bool) {
        let after = if resets { &self.resets } else { &self.counts };
        tracker.clock(self.state.halfmove(), after.halfmove());
    }
}

/// Returns the en-passant square behind a double push, for each policy under which the square counts.
#[inline(always)]
fn en_passant_behind<L: Token, T: Tracker>(level: L, prepared: &Prepared<T>, mv: Move) -> EnPassant {
    let (before, square) = (&prepared.board, mv.to().en_passant_partner());
    let us = before.turn();
    if before.en_passant_capturers(!us, square).is_empty() {
        return EnPassant::new([Some(square), None, None]);
    }
    let mut child = *before;
    child.apply(level, &Delta::new(level, Code::new(us, Role::Pawn), mv.from(), mv.to(), Code::EMPTY));
    child.state = prepared.resets;
    child.en_passant_behind(level, square)
}

/// Returns the tracker with the key after a promotion, an en-passant capture or castling.
#[inline(always)]
fn tracker_after_special<L: Token, T: Tracker>(level: L, prepared: &Prepared<T>, mv: Move) -> T {
    let (before, from, to) = (&prepared.board, mv.from(), mv.to());
    let (mut state, mut tracker) = (prepared.resets, prepared.tracker);
    let moved = before.code(from);
    let (_, captured) = special(level, before, mv, (moved, before.code(to)), &mut tracker);
    lose_rights(before, before.turn(), from, &mut state, &mut tracker);
    if !captured.is_empty() {
        lose_rights(before, !before.turn(), to, &mut state, &mut tracker);
    }
    prepared.advance_clock(&mut tracker, moved.is(Role::Pawn) | !captured.is_empty());
    tracker
}

/// Returns the tracker after any legal move. `lifted` caches the lifted piece of the previous move, and is replaced if
/// a different piece moves.
#[inline(always)]
fn tracker_after<L: Token, T: Tracker>(level: L, prepared: &Prepared<T>, lifted: &mut LiftedKey<T>, mv: Move) -> T {
    if !mv.is_plain() {
        return tracker_after_special(level, prepared, mv);
    }
    if mv.from() != lifted.from {
        *lifted = LiftedKey::new(prepared, mv.from());
    }
    let mut tracker = lifted.on_any(prepared, mv.to());
    if mv.is_double_push() {
        tracker.en_passant(EnPassant::NONE, en_passant_behind(level, prepared, mv));
    }
    tracker
}

#[inline(always)]
fn key_of<T: Tracker>(tracker: &T) -> Key {
    tracker.key().expect("a tracker with a key")
}

#[inline_all]
impl<T: Tracker> Position<T> {
    /// Passes the keys of all children to a sink, in no particular order.
    pub fn child_keys<L: Token>(&self, level: L, keys: &mut impl KeySink) {
        if L::FAST_VECTORS && !T::IS_LIST {
            self.child_keys_by_piece(level, keys);
        } else {
            self.child_keys_listed(level, keys);
        }
    }

    /// Computes the keys from the list of moves. The code that edits the key is then compiled only once, which suits
    /// trackers with long edits and levels where speed matters less.
    fn child_keys_listed<L: Token>(&self, level: L, keys: &mut impl KeySink) {
        let (mut moves, prepared) = (MoveList::default(), self.prepare());
        self.moves_apart(level, &mut moves);
        let enemy = self.board.color(!self.board.turn());
        let Some(first) = moves.first() else { return };
        let mut lifted = LiftedKey::new(&prepared, first.from());
        for &mv in moves.iter() {
            let key = key_of(&tracker_after(level, &prepared, &mut lifted, mv));
            keys.child(key, mv, enemy);
        }
    }

    fn child_keys_by_piece<L: Token>(&self, level: L, keys: &mut impl KeySink) {
        let (mut sets, prepared) = (MoveSets::default(), self.prepare());
        sets.fill(level, &self.board);
        for &(from, targets) in &sets.pieces {
            let lifted = LiftedKey::new(&prepared, from);
            for to in targets & !sets.enemy {
                keys.quiet(key_of(&lifted.on_empty(&prepared, to)));
            }
            for to in targets & sets.enemy {
                keys.capture(key_of(&lifted.on_any(&prepared, to)), to);
            }
        }
        // A pawn has no castling right to lose.
        let pawn = Code::new(self.board.turn(), Role::Pawn);
        for to in sets.pushes.targets {
            let mut tracker = prepared.tracker;
            tracker.relocate(pawn, sets.pushes.origin(to), to);
            prepared.advance_clock(&mut tracker, true);
            keys.quiet(key_of(&tracker));
        }
        for to in sets.double_pushes.targets {
            let mv = Move::new(sets.double_pushes.origin(to), to, Move::DOUBLE_PUSH);
            let mut tracker = prepared.tracker;
            tracker.relocate(pawn, mv.from(), to);
            prepared.advance_clock(&mut tracker, true);
            tracker.en_passant(EnPassant::NONE, en_passant_behind(level, &prepared, mv));
            keys.quiet(key_of(&tracker));
        }
        for pawns in &sets.pawn_captures {
            for to in pawns.targets {
                keys.capture(key_of(&LiftedKey::new(&prepared, pawns.origin(to)).on_any(&prepared, to)), to);
            }
        }
        for &mv in sets.others.iter() {
            keys.child(key_of(&tracker_after_special(level, &prepared, mv)), mv, sets.enemy);
        }
    }

    /// Appends to `keys` the keys of the children reached by `moves` from the prepared position, in the order of the
    /// moves.
    pub fn child_keys_after<L: Token>(level: L, prepared: &Prepared<T>, moves: &[Move], keys: &mut ChildKeys) {
        let Some(first) = moves.first() else { return };
        // The list groups the moves by piece.
        let mut lifted = LiftedKey::new(prepared, first.from());
        for &mv in moves {
            let key = key_of(&tracker_after(level, prepared, &mut lifted, mv));
            debug_assert!(is_of_child(level, prepared, mv, key), "{mv:?}");
            keys.push(key);
        }
    }

    /// Returns the key of the child after a legal move of the prepared position, or `None` if the tracker keeps no key.
    pub fn key_after<L: Token>(level: L, prepared: &Prepared<T>, mv: Move) -> Option<Key> {
        tracker_after(level, prepared, &mut LiftedKey::new(prepared, mv.from()), mv).key()
    }

    /// Returns an approximate key of the child, as engines compute it to prefetch a table entry: the moved piece leaves
    /// one square and enters another, any piece there is captured, and the side changes. It ignores changes of castling
    /// rights, a new e.p. square, and the second piece involved in castling, a promotion or an e.p. capture. Returns
    /// `None` if the tracker keeps no key.
    pub fn rough_key_after(prepared: &Prepared<T>, mv: Move) -> Option<Key> {
        let (before, from, to) = (&prepared.board, mv.from(), mv.to());
        let (moved, mut tracker) = (before.code(from), prepared.tracker);
        // Castling is encoded as the king's move to its rook, which it does not capture.
        let captured = if mv.kind() == Kind::Castle { Code::EMPTY } else { before.code(to) };
        tracker.remove(captured, to);
        tracker.relocate(moved, from, to);
        prepared.advance_clock(&mut tracker, moved.is(Role::Pawn) | !captured.is_empty());
        tracker.key()
    }
}

fn is_of_child<L: Token, T: Tracker>(level: L, prepared: &Prepared<T>, mv: Move, key: Key) -> bool {
    let mut child = Position { board: prepared.board, tracker: prepared.tracker };
    let _ = child.make(level, prepared, mv);
    child.key() == Some(key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::STARTS;
    use perft_gate_chess::{Bitboard, Board, CastlingRights, EnPassantPolicy, Fen, MoveList};
    use perft_gate_simd::{Level, kernel};
    use perft_gate_zobrist::{ClockKeys, PRESETS, Scheme, SchemeVisitor, visit_fingerprint};
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};
    use std::collections::BTreeMap;

    /// Number of children that covered each special case, by the name of the case.
    type Seen = BTreeMap<&'static str, u64>;

    fn note(seen: &mut Seen, before: &Board, mv: Move, after: &Board) {
        let mut add = |path, is_taken: bool| *seen.entry(path).or_default() += u64::from(is_taken);
        // Moves that change or remove the key of the halfmove clock in a scheme with `clock=14by8`.
        let [was, is] = [before, after].map(|board| ClockKeys::From14By8.index(board.state.halfmove().into()));
        add("clock keyed", is.is_some() && is != was);
        add("clock reset", was.is_some() && is.is_none());
        match mv.kind() {
            Kind::Castle => add("castling", true),
            Kind::Promotion(_) => add("promotion", true),
            Kind::EnPassant => add("en passant", true),
            Kind::DoublePush => {
                let [counts, legal] =
                    [EnPassantPolicy::Pseudo, EnPassantPolicy::Legal].map(|policy| after.en_passant(policy).is_some());
                add("a legal capture en passant follows", legal);
                add("a pinned pawn cannot capture en passant", counts && !legal);
            }
            Kind::Normal => {
                let them = |board: &Board| board.castling_rooks() & before.color(!before.turn());
                add("rights lost by capture", them(before) != them(after));
            }
        }
    }

    /// Plays random games from all start positions. At each ply, compares the keys of all children with keys recomputed
    /// from the boards after the moves.
    struct Games<'s> {
        games: u64,
        level: Level,
        seen: &'s mut Seen,
    }

    impl SchemeVisitor for Games<'_> {
        type Output = ();
        fn visit<T: Tracker>(self, tracker: T) {
            let Games { games, level, seen } = self;
            for (number, fen) in (0..).zip(STARTS) {
                for game in 0..games {
                    let mut random = ChaCha8Rng::seed_from_u64(1000 * number + game);
                    let mut position = Position::new(Fen::parse(fen).unwrap(), tracker);
                    for _ in 0..60 {
                        let moves = compare_children(level, &position, seen);
                        let Some(&mv) = moves.get(random.next_u64() as usize % moves.len().max(1)) else { break };
                        let _ = position.play(perft_gate_simd::V1::token(), mv);
                    }
                }
            }
        }
    }

    /// Collects the keys of children, both alone and paired with the opponent's remaining pieces. One sink does both,
    /// because every sink is compiled separately for each tracker.
    struct Taken {
        pieces: Bitboard,
        keys: ChildKeys,
        left: Vec<(Key, Bitboard)>,
    }

    impl KeySink for Taken {
        fn quiet(&mut self, key: Key) {
            self.keys.quiet(key);
            self.left.push((key, self.pieces));
        }
        fn capture(&mut self, key: Key, captured: Square) {
            assert!(self.pieces.has(captured), "{captured:?}");
            self.keys.capture(key, captured);
            self.left.push((key, self.pieces & !Bitboard::from(captured)));
        }
    }

    /// Returns the keys in ascending order. This is a separate function, so that it is not compiled for each tracker.
    fn sort_keys(keys: &[Key]) -> Vec<u128> {
        let mut sorted: Vec<_> = keys.iter().map(|key| key.0).collect();
        sorted.sort_unstable();
        sorted
    }

    #[kernel(common_only = T::COMMON_ONLY)]
    fn compare_children<L: Token, T: Tracker>(level: L, position: &Position<T>, seen: &mut Seen) -> MoveList {
        let pieces = |board: &Board| board.color(!position.board.turn());
        let (mut moves, mut expected, mut expected_left) = (MoveList::default(), Vec::new(), Vec::new());
        position.moves_apart(level, &mut moves);
        let prepared = position.prepare();
        for &mv in moves.iter() {
            let mut child = *position;
            let _ = child.make(level, &prepared, mv);
            note(seen, &position.board, mv, &child.board);
            let recomputed = child.recompute();
            assert_eq!(child.key(), recomputed, "{mv:?} of {}", position.describe());
            expected.extend(recomputed);
            expected_left.extend(recomputed.map(|key| (key, pieces(&child.board))));
        }
        let mut taken = Taken { pieces: pieces(&position.board), keys: ChildKeys::new(), left: Vec::new() };
        position.child_keys(level, &mut taken);
        assert_eq!(taken.left.len(), moves.len());
        for (mv, expected) in moves.iter().zip(&expected_left) {
            assert!(taken.left.contains(expected), "{mv:?} of {}", position.describe());
        }
        let mut listed = ChildKeys::new();
        Position::child_keys_after(level, &prepared, &moves, &mut listed);
        for ((mv, found), expected) in moves.iter().zip(&listed).zip(&expected) {
            assert_eq!(found, expected, "{mv:?} of {}", position.describe());
        }
        assert_eq!(listed.len(), expected.len());
        assert_eq!(sort_keys(&taken.keys), sort_keys(&expected), "{}", position.describe());
        for (&mv, expected) in moves.iter().zip(&expected) {
            let found = Position::key_after(level, &prepared, mv);
            assert_eq!(found, Some(*expected), "{mv:?} of {}", position.describe());
            let [quiet, is_right] = [mv.kind() == Kind::Normal, Position::rough_key_after(&prepared, mv) == found];
            *seen.entry(if is_right { "rough key right" } else { "rough key wrong" }).or_default() += 1;
            // If neither the castling rights nor the e.p. square can change, the rough key must be exact.
            let rights = position.board.castling_rights() == CastlingRights::NONE;
            assert!(is_right || !(quiet && rights), "{mv:?} of {}", position.describe());
        }
        moves
    }

    #[test]
    fn keys_are_those_of_the_made_children() {
        let mut seen = Seen::default();
        let combinations = [
            "width=128",
            "width=128,combine=add",
            "width=2x32",
            "width=2x32,combine=add",
            "width=32",
            "width=48,policy=always",
            "castling=c4,width=128,policy=pseudo",
            "castling=c5",
            "castling=c4x16,combine=add",
            "ep=e17,side=s2",
            "ep=e65,side=s1w",
            "clock=14by8",
            "clock=16by8,combine=add,width=48",
            "clock=20by10,width=128",
            "clock=14by8,width=2x32",
        ];
        let combinations = combinations.map(|text| Scheme::parse(text, false).unwrap());
        for scheme in PRESETS.iter().chain(&combinations).filter(|scheme| scheme.axes.is_some()) {
            scheme.visit_fast(Level::detect(), 1, Games { games: 2, level: Level::detect(), seen: &mut seen });
            scheme.visit_dynamic(1, Games { games: 1, level: Level::portable(), seen: &mut seen });
        }
        for level in Level::all() {
            visit_fingerprint(level, 0, Games { games: 3, level, seen: &mut seen });
        }
        assert!(seen.len() == 10 && seen.values().all(|&number| number > 100), "{seen:?}");
    }
}
