//! Planted faults: bugs that engines really had, put into a correct position on purpose, so that each check is seen to
//! fail when it must.

use crate::chess::{
    Bitboard, Board, CastlingRights, Code, Color, Delta, EnPassant, EnPassantPolicy, Kind, Move, MoveList, Role,
    Square, State, Wing,
};
use crate::cpu::Token;
use crate::gate::{self, Options, Verdict};
use crate::keys::{Batch, Key, SchemeVisitor, Tracker, WrongEntry};
use crate::position::{Position, Prepared, Undo};
use crate::suite::Row;
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
    /// Tracker: the e.p. square is keyed after every double push, though no capture is legal.
    EnPassantAlwaysKeyed,
    /// Board: a rook is captured on its square and the right stays, in the board and in both keys.
    RightOfCapturedRookKept,
    /// Tracker: a promoted man enters the key as a pawn.
    PromotionHashedAsPawn,
    /// Tracker: the pawn captured en passant stays in the key.
    EnPassantVictimKept,
    /// Tracker: the side to move is not hashed.
    SideNotFlipped,
    /// Tracker: of two rights that go at once, only the first leaves the key.
    FirstRightOnly,
    /// Tracker: Black's king-side right goes by White's word.
    RightsShareAWord,
    /// Walk: boards are not appended to the batch, so that no key is compared.
    BatchLost,
    /// Generator: castling takes the outermost rook of the wing, not the one with the right.
    WrongChess960Rook,
}

impl Fault {
    /// Every fault.
    pub const ALL: [Fault; 17] = [
        Fault::EnPassantTermKept,
        Fault::CastlingTermKept,
        Fault::CapturedManKept,
        Fault::NullMoveKeepsEnPassant,
        Fault::ClockNotRestored,
        Fault::MailboxOnlyWrite,
        Fault::BitboardOnlyWrite,
        Fault::EvasionMissing,
        Fault::EnPassantAlwaysKeyed,
        Fault::RightOfCapturedRookKept,
        Fault::PromotionHashedAsPawn,
        Fault::EnPassantVictimKept,
        Fault::SideNotFlipped,
        Fault::FirstRightOnly,
        Fault::RightsShareAWord,
        Fault::BatchLost,
        Fault::WrongChess960Rook,
    ];
}

/// A tracker that misses some edits.
#[derive(Clone, Copy, Debug)]
struct Planted<T> {
    inner: T,
    fault: Fault,
    turn: Color,
    /// What is being made: the kind of a move, or nothing for a null move.
    making: Option<Kind>,
}

#[allow(private_interfaces)]
impl<T: Tracker> Tracker for Planted<T> {
    type Mark = (T::Mark, Color);

    fn policy(&self) -> EnPassantPolicy {
        self.inner.policy()
    }
    fn restart(&mut self, board: &Board) {
        self.turn = board.turn();
        self.inner.restart(board);
    }
    fn relocate(&mut self, code: Code, from: Square, to: Square) {
        self.inner.relocate(code, from, to);
    }
    fn remove(&mut self, code: Code, square: Square) {
        let captured = code.piece().is_some_and(|piece| piece.color != self.turn);
        let kept = match self.fault {
            Fault::CapturedManKept => captured,
            Fault::EnPassantVictimKept => captured && self.making == Some(Kind::EnPassant),
            _ => false,
        };
        if !kept {
            self.inner.remove(code, square);
        }
    }
    fn place(&mut self, code: Code, square: Square) {
        let promotes = matches!(self.making, Some(Kind::Promotion(_)));
        let as_pawn = promotes && self.fault == Fault::PromotionHashedAsPawn;
        self.inner.place(if as_pawn { Code::new(self.turn, Role::Pawn) } else { code }, square);
    }
    fn castling(&mut self, old: CastlingRights, new: CastlingRights) {
        let changed = old.index() ^ new.index();
        match self.fault {
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
        let kept = match self.fault {
            Fault::EnPassantTermKept => self.making.is_some(),
            Fault::NullMoveKeepsEnPassant => self.making.is_none(),
            _ => false,
        };
        let old = if kept { EnPassant::NONE } else { old };
        match self.fault {
            Fault::EnPassantAlwaysKeyed => self.inner.en_passant(old.widened(), new.widened()),
            _ => self.inner.en_passant(old, new),
        }
    }
    fn side(&mut self, now: Color) {
        self.turn = now;
        if self.fault != Fault::SideNotFlipped {
            self.inner.side(now);
        }
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
    fn batch(&self) -> Option<Batch<'_>> {
        self.inner.batch()
    }
}

/// A position with a fault in its tracker, board or generator.
#[derive(Clone, Copy, Debug)]
struct Faulty<T: Tracker> {
    position: Position<Planted<T>>,
    fault: Fault,
}

impl<T: Tracker> Faulty<T> {
    /// The pawn that a double push leaves behind in one of the two pictures, if the fault is about it.
    fn leftover(&self, mv: Move, us: Color) -> Option<Delta> {
        let mut delta = Delta::NONE;
        delta.toggle(Code::new(us, Role::Pawn), mv.from());
        let (mailbox, bitboards) = delta.torn();
        match self.fault {
            Fault::MailboxOnlyWrite if mv.is_double_push() => Some(mailbox),
            Fault::BitboardOnlyWrite if mv.is_double_push() => Some(bitboards),
            _ => None,
        }
    }
}

impl<T: Tracker> Faulty<T> {
    /// Gives the side to move back the rights that its opponent's capture took.
    fn keep_rights(&mut self, before: &State) {
        let victim = self.position.board.turn();
        let state = self.position.board.state;
        let kept = before.rights().without(CastlingRights::both(!victim)).with(state.rights());
        if kept != state.rights() {
            self.position.tracker.castling(state.rights(), kept);
            let own = Bitboard::rank(victim.back_rank());
            self.position.board.state.set_rights(kept);
            self.position.board.state.castling_men |= before.castling_men & own;
        }
    }
}

impl<T: Tracker> Game for Faulty<T> {
    type Move = Move;
    type Moves = MoveList;
    type Prepared = Prepared<Planted<T>>;
    type Undo = Undo<<Planted<T> as Tracker>::Mark>;

    fn moves<L: Token>(&self, level: L, list: &mut MoveList) {
        self.position.moves(level, list);
        if self.fault == Fault::EvasionMissing && self.position.board.in_check(level) {
            list.retain(|mv| mv.kind() != Kind::EnPassant);
        }
        if self.fault == Fault::WrongChess960Rook {
            let board = &self.position.board;
            list.replace(|mv| if mv.kind() == Kind::Castle { outermost(board, mv) } else { mv });
        }
    }
    fn count_moves<L: Token>(&self, level: L) -> u64 {
        let mut list = MoveList::default();
        self.moves(level, &mut list);
        list.len() as u64
    }
    fn prepare(&self) -> Self::Prepared {
        let mut position = self.position;
        position.tracker.making = Some(Kind::Normal);
        position.prepare()
    }
    fn make<L: Token>(&mut self, level: L, prepared: &Self::Prepared, mv: Move) -> Self::Undo {
        let leftover = self.leftover(mv, self.position.board.turn());
        let mut prepared = *prepared;
        prepared.tracker.making = Some(mv.kind());
        // The rules ask whose man is captured: until the move is made, it is still its maker's turn.
        prepared.tracker.turn = self.position.board.turn();
        let undo = self.position.make(level, &prepared, mv);
        self.position.tracker.turn = self.position.board.turn();
        if self.fault == Fault::RightOfCapturedRookKept {
            self.keep_rights(undo.state());
        }
        if let Some(leftover) = leftover {
            self.position.board.apply(level, &leftover);
        }
        undo
    }
    fn unmake<L: Token>(&mut self, level: L, mv: Move, undo: Self::Undo) {
        let clock = self.position.board.state.halfmove();
        if let Some(leftover) = self.leftover(mv, undo.state().turn()) {
            self.position.board.apply(level, &leftover);
        }
        self.position.unmake(level, mv, undo);
        if self.fault == Fault::ClockNotRestored {
            self.position.board.state.set_halfmove(clock);
        }
    }
    fn make_null<L: Token>(&mut self, level: L) -> Option<Self::Undo> {
        self.position.tracker.making = None;
        self.position.make_null(level)
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
    fn batch(&self) -> Option<Batch<'_>> {
        self.position.batch()
    }
    fn append<L: Token>(&self, level: L, batch: &mut Batch<'_>) -> Option<WrongEntry> {
        if self.fault == Fault::BatchLost { None } else { self.position.append(level, batch) }
    }
    fn same<L: Token>(&self, level: L, other: &Self) -> bool {
        self.position.same(level, &other.position)
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

/// The outermost rook of the wing that a castling move goes to.
fn outermost(board: &Board, mv: Move) -> Move {
    let wing = Wing::of(mv.from(), mv.to());
    let rank = Bitboard::rank(board.turn().back_rank());
    let rooks = board.men(board.turn(), Role::Rook) & rank;
    let rooks = rooks.into_iter().filter(|&rook| Wing::of(mv.from(), rook) == wing);
    let rook = match wing {
        Wing::King => rooks.last(),
        Wing::Queen => rooks.min_by_key(|rook| rook.index()),
    };
    Move::new(mv.from(), rook.unwrap_or(mv.to()), Move::CASTLE)
}

/// Judges a row with a fault planted in the position that plays it.
pub fn judge_planted(fault: Fault, row: &Row, options: Options<'_>) -> Verdict {
    struct Judge<'a>(Fault, &'a Row, Options<'a>);
    impl SchemeVisitor for Judge<'_> {
        type Output = Verdict;
        fn visit<T: Tracker>(self, inner: T) -> Verdict {
            let Judge(fault, row, options) = self;
            let tracker = Planted { inner, fault, turn: row.board.turn(), making: None };
            let root = Faulty { position: Position::new(row.board, tracker), fault };
            gate::judge_game(row, root, root, options, &Control::default())
        }
    }
    options.settings.scheme.visit_dynamic(options.settings.seed, Judge(fault, row, options))
}
