//! Adapts a [`Subject`] to the [`Game`] trait, so that the walks and checks of the gate can run on it.

use super::board::Subject;
use perft_gate_simd::Token;
use perft_gate_walk::Game;
use perft_gate_zobrist::{Key, WrongKey};

#[derive(Clone)]
pub(super) struct Adapted<S> {
    pub(super) board: S,
    /// True if the board supplies both the incremental and the recomputed key.
    pub(super) has_both_keys: bool,
}

/// A move with its number in the move list. The default, which fills unused places of a path, has no move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct NumberedMove<M> {
    pub(super) mv: Option<M>,
    number: u32,
}

impl<M> Default for NumberedMove<M> {
    fn default() -> NumberedMove<M> {
        NumberedMove { mv: None, number: 0 }
    }
}

impl<M> From<NumberedMove<M>> for u64 {
    fn from(numbered: NumberedMove<M>) -> u64 {
        numbered.number.into()
    }
}

/// Data needed to unmake a move: the subject's undo, or a copy of the previous position.
pub(super) struct UndoOrCopy<S: Subject> {
    undo: Option<S::Undo>,
    before: Option<S>,
}

impl<S: Subject> Adapted<S> {
    pub(super) fn new(board: S) -> Adapted<S> {
        let has_both_keys = board.key().is_some() && board.recomputed_key().is_some();
        Adapted { board, has_both_keys }
    }
}

impl<S: Subject> Game for Adapted<S> {
    type Move = NumberedMove<S::Move>;
    type Moves = Vec<NumberedMove<S::Move>>;
    type Prepared = ();
    type Undo = UndoOrCopy<S>;

    fn moves<L: Token>(&self, _: L, list: &mut Self::Moves) {
        list.extend((0..).zip(self.board.moves()).map(|(number, mv)| NumberedMove { mv: Some(mv), number }));
    }
    fn count_moves<L: Token>(&self, _: L) -> u64 {
        self.board.moves().len() as u64
    }
    fn prepare(&self) {}
    fn make<L: Token>(&mut self, _: L, (): &(), numbered: Self::Move) -> UndoOrCopy<S> {
        let before = S::UNMAKE.is_none().then(|| self.board.clone());
        UndoOrCopy { undo: numbered.mv.map(|mv| self.board.make(mv)), before }
    }
    fn unmake<L: Token>(&mut self, _: L, numbered: Self::Move, UndoOrCopy { undo, before }: UndoOrCopy<S>) {
        match (before, S::UNMAKE, numbered.mv, undo) {
            (Some(before), ..) => self.board = before,
            (None, Some(unmake), Some(mv), Some(undo)) => unmake(&mut self.board, mv, undo),
            _ => {}
        }
    }
    fn make_null<L: Token>(&mut self, _: L) -> Option<UndoOrCopy<S>> {
        let before = S::UNMAKE_NULL.is_none().then(|| self.board.clone());
        Some(UndoOrCopy { undo: Some(self.board.make_null()?), before })
    }
    fn unmake_null(&mut self, undo: UndoOrCopy<S>) {
        match (S::UNMAKE_NULL, undo) {
            (Some(unmake), UndoOrCopy { undo: Some(undo), .. }) => unmake(&mut self.board, undo),
            (_, UndoOrCopy { before: Some(before), .. }) => self.board = before,
            _ => {}
        }
    }
    /// `None` unless the board supplies both keys, because they are compared with each other.
    fn key(&self) -> Option<Key> {
        self.recompute().and(self.board.key())
    }
    fn recompute(&self) -> Option<Key> {
        self.board.recomputed_key().filter(|_| self.has_both_keys)
    }
    fn wrong_key(&self, compared: &mut u64) -> Option<WrongKey> {
        *compared += 1;
        let (found, expected) = (self.board.key()?, self.recompute()?);
        (found != expected).then_some(WrongKey { part: 0, expected, found })
    }
    fn same<L: Token>(&self, _: L, other: &Self, compared: &mut u64) -> bool {
        // Without unmake methods, positions are restored from copies, so there is nothing to compare.
        if S::UNMAKE.is_none() && S::UNMAKE_NULL.is_none() {
            return true;
        }
        *compared += 1;
        self.board.same(&other.board)
    }
    fn is_consistent<L: Token>(&self, _: L, _: &mut u64) -> bool {
        true
    }
    fn sample(&self) -> u64 {
        self.board.key().map_or(0, |key| key.0 as u64)
    }
    fn round_trip(&self, compared: &mut u64) -> Result<(), String> {
        let Some(fen) = self.board.fen() else { return Ok(()) };
        *compared += 1;
        let again = S::from_fen(&fen).map_err(|error| format!("its own FEN {fen} is refused: {error}"))?;
        if let Some(other) = again.fen().filter(|other| *other != fen) {
            return Err(format!("'{fen}' reads back as '{other}'"));
        }
        let (by_moves, by_fen) = (self.board.key(), again.key());
        // If the incremental key is wrong, V2 reports it.
        if by_moves == by_fen || self.wrong_key(&mut 0).is_some() {
            return Ok(());
        }
        let text = |key: Option<Key>| key.map_or("no key".into(), |key| key.to_string());
        Err(format!("key after the moves {}, from '{fen}' {}", text(by_moves), text(by_fen)))
    }
    fn describe(&self) -> String {
        let board = &self.board;
        let parts = [
            board.fen(),
            board.key().map(|key| format!("key {key}")),
            board.recomputed_key().map(|key| format!("recomputed {key}")),
            Some(format!("moves {}", board.moves().iter().map(|&mv| board.uci(mv)).collect::<Vec<_>>().join(" "))),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
    }
}
