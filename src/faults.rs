//! Planted faults: bugs that engines really had, put into a correct position on purpose, so that each check is seen to
//! fail when it must.

use crate::chess::{
    Board, CastlingRights, Code, Color, EnPassant, EnPassantPolicy, Kind, Move, MoveList, Role, Square,
};
use crate::cpu::{Level, Token};
use crate::gate::{self, RowReport, Settings};
use crate::keys::{Key, SchemeVisitor, Tracker};
use crate::position::{Position, Undo};
use crate::walk::{Control, Game};

/// A fault, and where it sits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Fault {
    /// None: the control experiment.
    None,
    /// Tracker: the e.p. term is xored on but not off.
    EnPassantTermKept,
    /// Tracker: a right is lost but the key keeps its term.
    CastlingTermKept,
    /// Tracker: a captured man stays in the key.
    CapturedManKept,
    /// Tracker: a null move leaves the e.p. term.
    NullMoveKeepsEnPassant,
    /// Board: `unmake` forgets the halfmove clock.
    ClockNotRestored,
    /// Board: a double push leaves the pawn in the mailbox.
    MailboxOnlyWrite,
    /// Board: a double push leaves the pawn in the bitboards.
    BitboardOnlyWrite,
    /// Generator: an e.p. capture that evades check is missing.
    EvasionMissing,
}

/// A tracker that misses some edits.
#[derive(Clone, Copy, Debug)]
struct Planted<T> {
    inner: T,
    fault: Fault,
    turn: Color,
    in_null_move: bool,
}

#[allow(private_interfaces)]
impl<T: Tracker> Tracker for Planted<T> {
    const POLICY: EnPassantPolicy = T::POLICY;
    type Mark = (T::Mark, Color);

    fn restart(&mut self, board: &Board) {
        self.turn = board.turn();
        self.inner.restart(board);
    }
    fn relocate(&mut self, code: Code, from: Square, to: Square) {
        self.inner.relocate(code, from, to);
    }
    fn remove(&mut self, code: Code, square: Square) {
        let captured = code.piece().is_some_and(|piece| piece.color != self.turn);
        if !(captured && self.fault == Fault::CapturedManKept) {
            self.inner.remove(code, square);
        }
    }
    fn place(&mut self, code: Code, square: Square) {
        self.inner.place(code, square);
    }
    fn castling(&mut self, old: CastlingRights, new: CastlingRights) {
        if self.fault != Fault::CastlingTermKept {
            self.inner.castling(old, new);
        }
    }
    fn en_passant(&mut self, old: EnPassant, new: EnPassant) {
        let kept = match self.fault {
            Fault::EnPassantTermKept => !self.in_null_move,
            Fault::NullMoveKeepsEnPassant => self.in_null_move,
            _ => false,
        };
        self.inner.en_passant(if kept { EnPassant::NONE } else { old }, new);
    }
    fn side(&mut self, now: Color) {
        self.turn = now;
        self.inner.side(now);
    }
    fn mark(&self) -> Self::Mark {
        (self.inner.mark(), self.turn)
    }
    fn restore(&mut self, (mark, turn): Self::Mark) {
        self.inner.restore(mark);
        self.turn = turn;
    }
    fn key(&self) -> Option<Key> {
        self.inner.key()
    }
    fn recompute(&self, board: &Board) -> Option<Key> {
        self.inner.recompute(board)
    }
}

/// A position with a fault in its tracker, board or generator.
#[derive(Clone, Copy, Debug)]
struct Faulty<T: Tracker> {
    position: Position<Planted<T>>,
    fault: Fault,
}

impl<T: Tracker> Faulty<T> {
    /// The pawn that a double push leaves behind, if the fault is about it.
    fn leftover(&self, mv: Move) -> Option<(Code, Square)> {
        let code = Code::new(self.position.board.turn(), Role::Pawn);
        (mv.kind() == Kind::DoublePush).then_some((code, mv.from()))
    }
}

impl<T: Tracker> Game for Faulty<T> {
    type Move = Move;
    type Moves = MoveList;
    type Undo = Undo<<Planted<T> as Tracker>::Mark>;

    fn moves<L: Token>(&self, level: L, list: &mut MoveList) {
        self.position.moves(level, list);
        if self.fault == Fault::EvasionMissing && self.position.board.in_check(level) {
            list.retain(|mv| mv.kind() != Kind::EnPassant);
        }
    }
    fn count_moves<L: Token>(&self, level: L) -> u64 {
        let mut list = MoveList::default();
        self.moves(level, &mut list);
        list.len() as u64
    }
    fn make<L: Token>(&mut self, level: L, mv: Move) -> Self::Undo {
        let leftover = self.leftover(mv);
        let undo = self.position.make(level, mv);
        match (self.fault, leftover) {
            (Fault::MailboxOnlyWrite, Some((code, square))) => {
                self.position.board.toggle_mailbox(square, code.bits());
            }
            (Fault::BitboardOnlyWrite, Some((code, square))) => self.position.board.toggle(code, square.into()),
            _ => {}
        }
        undo
    }
    fn unmake(&mut self, mv: Move, undo: Self::Undo) {
        let clock = self.position.board.state.halfmove;
        if mv.kind() == Kind::DoublePush {
            let code = Code::new(!self.position.board.turn(), Role::Pawn);
            match self.fault {
                Fault::MailboxOnlyWrite => self.position.board.toggle_mailbox(mv.from(), code.bits()),
                Fault::BitboardOnlyWrite => self.position.board.toggle(code, mv.from().into()),
                _ => {}
            }
        }
        self.position.unmake(mv, undo);
        if self.fault == Fault::ClockNotRestored {
            self.position.board.state.halfmove = clock;
        }
    }
    fn make_null<L: Token>(&mut self, level: L) -> Option<Self::Undo> {
        self.position.tracker.in_null_move = true;
        let undo = self.position.make_null(level);
        self.position.tracker.in_null_move = false;
        undo
    }
    fn unmake_null(&mut self, undo: Self::Undo) {
        self.position.unmake_null(undo);
    }
    fn key(&self) -> Option<Key> {
        self.position.key()
    }
    fn recompute(&self) -> Option<Key> {
        self.position.recompute()
    }
    fn same(&self, other: &Self) -> bool {
        self.position.same(&other.position)
    }
    fn is_consistent<L: Token>(&self, level: L) -> bool {
        self.position.is_consistent(level)
    }
    fn sample(&self) -> u64 {
        self.position.sample()
    }
    fn round_trip(&self) -> Result<(), String> {
        self.position.round_trip()
    }
    fn describe(&self) -> String {
        self.position.describe()
    }
}

/// Verifies a tree with a fault planted in it.
pub fn verify_planted(fault: Fault, board: &Board, depth: u32, settings: Settings<'_>) -> RowReport {
    struct Walk<'a>(Fault, &'a Board, u32, Settings<'a>);
    impl SchemeVisitor for Walk<'_> {
        type Output = RowReport;
        fn visit<T: Tracker>(self, inner: T) -> RowReport {
            let Walk(fault, board, depth, settings) = self;
            let tracker = Planted { inner, fault, turn: board.turn(), in_null_move: false };
            let root = Faulty { position: Position::new(*board, tracker), fault };
            gate::verify_game(root, depth, settings, &Control::default())
        }
    }
    settings.scheme.visit(settings.seed, Walk(fault, board, depth, settings))
}

/// The settings that the planted faults are tried with.
pub fn settings(scheme: &'static crate::keys::Preset, level: Level) -> Settings<'static> {
    Settings { scheme, seed: 0, level, sample_mask: 0xfff }
}
