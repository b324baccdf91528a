//! A tracker that misses some edits.

use super::Fault;
use perft_gate_walk::chess::{Board, CastlingRights, Code, Color, EnPassant, EnPassantPolicy, Kind, Role, Square};
use perft_gate_walk::zobrist::{Key, KeyBatch, Targets, Tracker, WrongKey};

/// What a tracker with a fault needs to know of the move that is made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context {
    pub(super) turn: Color,
    /// The kind of a move, or nothing for a null move.
    pub(super) making: Option<Kind>,
    /// What is wrong with it.
    pub(super) fault: Fault,
}

/// A tracker that misses some edits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Planted<T> {
    pub(super) inner: T,
    pub(super) context: Context,
}

/// A tracker with a fault somewhere in it.
pub(super) trait Sabotaged: Tracker {
    fn context(&mut self) -> &mut Context;
}

impl<T: Tracker> Sabotaged for Planted<T> {
    fn context(&mut self) -> &mut Context {
        &mut self.context
    }
}

/// The position's key is right, the fault is in a secondary one.
impl<A: Tracker, B: Tracker> Sabotaged for (A, Planted<B>) {
    fn context(&mut self) -> &mut Context {
        &mut self.1.context
    }
}

#[allow(private_interfaces)]
impl<T: Tracker> Tracker for Planted<T> {
    type Mark = (T::Mark, Color);

    fn lanes(&self) -> usize {
        self.inner.lanes()
    }
    fn reads_sets(&self) -> bool {
        self.inner.reads_sets()
    }
    fn policy(&self) -> EnPassantPolicy {
        self.inner.policy()
    }
    fn restart(&mut self, board: &Board) {
        self.context.turn = board.turn();
        self.inner.restart(board);
    }
    fn relocate(&mut self, code: Code, from: Square, to: Square) {
        self.inner.relocate(code, from, to);
    }
    fn remove(&mut self, code: Code, square: Square) {
        let captured = code.piece().is_some_and(|piece| piece.color != self.context.turn);
        let kept = match self.context.fault {
            Fault::CapturedPieceKept => captured,
            Fault::EnPassantVictimKept => captured && self.context.making == Some(Kind::EnPassant),
            _ => false,
        };
        if !kept {
            self.inner.remove(code, square);
        }
    }
    fn place(&mut self, code: Code, square: Square) {
        let promotes = matches!(self.context.making, Some(Kind::Promotion(_)));
        if promotes && self.context.fault == Fault::PromotionMissing {
            return;
        }
        let as_pawn = promotes && self.context.fault == Fault::PromotionHashedAsPawn;
        self.inner.place(if as_pawn { Code::new(self.context.turn, Role::Pawn) } else { code }, square);
    }
    fn castling(&mut self, old: CastlingRights, new: CastlingRights) {
        let changed = old.index() ^ new.index();
        match self.context.fault {
            Fault::CastlingTermKept => {}
            Fault::FirstRightOnly => {
                let first = CastlingRights::new(changed & changed.wrapping_neg());
                self.inner.castling(old, old.without(first));
            }
            Fault::RightsShareAWord => {
                for bit in (0..4).filter(|bit| changed >> bit & 1 != 0) {
                    let shared = if bit == 2 { 0 } else { bit };
                    self.inner.castling(CastlingRights::NONE, CastlingRights::new(1 << shared));
                }
            }
            _ => self.inner.castling(old, new),
        }
    }
    fn en_passant(&mut self, old: EnPassant, new: EnPassant) {
        let kept = match self.context.fault {
            Fault::EnPassantTermKept => self.context.making.is_some(),
            Fault::NullMoveKeepsEnPassant => self.context.making.is_none(),
            _ => false,
        };
        let old = if kept { EnPassant::NONE } else { old };
        match self.context.fault {
            Fault::EnPassantAlwaysKeyed => self.inner.en_passant(old.widened(), new.widened()),
            _ => self.inner.en_passant(old, new),
        }
    }
    fn side(&mut self, now: Color) {
        self.context.turn = now;
        if self.context.fault != Fault::SideNotFlipped {
            self.inner.side(now);
        }
    }
    fn mark(&self) -> Self::Mark {
        (self.inner.mark(), self.context.turn)
    }
    fn restore(&mut self, (mark, turn): Self::Mark) {
        self.inner.restore(mark);
        self.context.turn = turn;
    }
    fn key(&self) -> Option<Key> {
        self.inner.key()
    }
    fn recompute(&self, board: &Board) -> Option<Key> {
        self.inner.recompute(board)
    }
    fn same(&self, other: &Self) -> bool {
        self.inner.same(&other.inner)
    }
    fn wrong(&self, board: &Board) -> Option<WrongKey> {
        self.inner.wrong(board)
    }
    fn expect(&self, board: &Board, at: usize, targets: &mut [Targets]) {
        self.inner.expect(board, at, targets);
    }
    fn join<'a>(&'a self, batch: &mut KeyBatch<'a>) {
        self.inner.join(batch);
    }
}
