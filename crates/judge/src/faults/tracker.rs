//! Tracker that does not apply some edits of the board to its keys.

use super::fault::Fault;
use perft_gate_chess::{Board, CastlingRights, Code, Color, EnPassant, EnPassantPolicy, Kind, Role, Square, State};
use perft_gate_zobrist::{Key, KeyBatch, ListTracker, MAX_PARTS, Targets, TrackedKeys, Tracker, WrongKey};

/// Context of the move being made, for a tracker with a fault.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context {
    pub(super) turn: Color,
    /// Kind of the move; `None` for a null move.
    pub(super) making: Option<Kind>,
    pub(super) fault: Fault,
}

/// A tracker that fails to apply some edits to some of its keys.
#[derive(Clone, Copy, Debug)]
pub(super) struct Planted<'k> {
    keys: ListTracker<'k>,
    pub(super) context: Context,
    /// Index of the first key part that has the fault: the first part of the secondary keys, or 0.
    from: usize,
}

impl<'k> Planted<'k> {
    /// Makes a tracker of these keys. The fault is in the secondary keys if `in_secondary`, otherwise in all keys.
    pub(super) fn new(keys: &'k TrackedKeys<'k>, turn: Color, in_secondary: bool) -> Planted<'k> {
        let context = Context { turn, making: None, fault: Fault::None };
        Planted { keys: ListTracker::new(keys), context, from: if in_secondary { keys.own() } else { 0 } }
    }

    /// Applies `wrong` to the key parts from `self.from` on, and `right` to the parts before them.
    fn edit(&mut self, right: impl FnOnce(&mut ListTracker<'k>), wrong: impl FnOnce(&mut ListTracker<'k>)) {
        let mut sound = self.keys;
        right(&mut sound);
        wrong(&mut self.keys);
        let mut keys = self.keys.mark();
        keys[..self.from].copy_from_slice(&sound.mark()[..self.from]);
        self.keys.restore(keys);
    }

    /// Applies an edit. If `is_missed` is true, the key parts from `self.from` on stay as they were.
    fn edit_unless(&mut self, is_missed: bool, edit: impl Fn(&mut ListTracker<'k>)) {
        self.edit(&edit, |keys| {
            if !is_missed {
                edit(keys)
            }
        });
    }
}

impl Tracker for Planted<'_> {
    type Mark = ([u64; MAX_PARTS], Color);

    fn parts(&self) -> usize {
        self.keys.parts()
    }
    fn policy(&self) -> EnPassantPolicy {
        self.keys.policy()
    }
    fn restart(&mut self, board: &Board) {
        self.context.turn = board.turn();
        self.keys.restart(board);
    }
    fn relocate(&mut self, code: Code, from: Square, to: Square) {
        self.keys.relocate(code, from, to);
    }
    fn remove(&mut self, code: Code, square: Square) {
        let captured = code.piece().is_some_and(|piece| piece.color != self.context.turn);
        let kept = match self.context.fault {
            Fault::CapturedPieceKept => captured,
            Fault::EnPassantVictimKept => captured && self.context.making == Some(Kind::EnPassant),
            _ => false,
        };
        self.edit_unless(kept, |keys| keys.remove(code, square));
    }
    fn place(&mut self, code: Code, square: Square) {
        let promotes = matches!(self.context.making, Some(Kind::Promotion(_)));
        let Context { turn, fault, .. } = self.context;
        let wrong = match fault {
            Fault::PromotionMissing if promotes => None,
            Fault::PromotionHashedAsPawn if promotes => Some(Code::new(turn, Role::Pawn)),
            _ => Some(code),
        };
        self.edit(|keys| keys.place(code, square), |keys| wrong.into_iter().for_each(|code| keys.place(code, square)));
    }
    fn castling(&mut self, old: CastlingRights, new: CastlingRights) {
        let (changed, fault) = (old.index() ^ new.index(), self.context.fault);
        self.edit(
            |keys| keys.castling(old, new),
            |keys| match fault {
                Fault::CastlingTermKept => {}
                Fault::FirstRightOnly => {
                    let first = CastlingRights::new(changed & changed.wrapping_neg());
                    keys.castling(old, old.without(first));
                }
                Fault::RightsShareAKey => {
                    for bit in (0..4).filter(|bit| changed >> bit & 1 != 0) {
                        let shared = if bit == 2 { 0 } else { bit };
                        keys.castling(CastlingRights::NONE, CastlingRights::new(1 << shared));
                    }
                }
                _ => keys.castling(old, new),
            },
        );
    }
    fn en_passant(&mut self, old: EnPassant, new: EnPassant) {
        let Context { making, fault, .. } = self.context;
        let kept = match fault {
            Fault::EnPassantTermKept => making.is_some(),
            Fault::NullMoveKeepsEnPassant => making.is_none(),
            _ => false,
        };
        let from = if kept { EnPassant::NONE } else { old };
        self.edit(
            |keys| keys.en_passant(old, new),
            |keys| match fault {
                Fault::EnPassantAlwaysKeyed => keys.en_passant(from.widen(), new.widen()),
                _ => keys.en_passant(from, new),
            },
        );
    }
    fn side(&mut self, now: Color) {
        self.context.turn = now;
        self.edit_unless(self.context.fault == Fault::SideNotFlipped, |keys| keys.side(now));
    }
    fn clock(&mut self, old: u16, new: u16) {
        self.edit_unless(self.context.fault == Fault::ClockTermKept, |keys| keys.clock(old, new));
    }
    fn mark(&self) -> Self::Mark {
        (self.keys.mark(), self.context.turn)
    }
    fn restore(&mut self, (mark, turn): Self::Mark) {
        self.keys.restore(mark);
        self.context.turn = turn;
    }
    fn key(&self) -> Option<Key> {
        self.keys.key()
    }
    fn recompute(&self, board: &Board) -> Option<Key> {
        self.keys.recompute(board)
    }
    fn differing(&self, other: &Self) -> u64 {
        self.keys.differing(&other.keys)
    }
    fn wrong(&self, board: &Board) -> Option<WrongKey> {
        self.keys.wrong(board)
    }
    fn expect(&self, state: &State, at: usize, targets: &mut [Targets]) {
        self.keys.expect(state, at, targets);
    }
    fn join<'a>(&'a self, batch: &mut KeyBatch<'a>) {
        self.keys.join(batch);
    }
}
