//! Planted faults: bugs that engines really had, put into a correct position on purpose, so that each check is seen to
//! fail when it must.

use crate::chess::{
    Bitboard, Board, CastlingRights, Code, Color, Delta, EnPassant, EnPassantPolicy, Fen, Kind, Move, MoveList, Role,
    Square, State, Wing,
};
use crate::cpu::{Level, Token};
use crate::gate::{self, Mode, Options, Settings, Verdict};
use crate::keys::{
    Batch, Key, SchemeVisitor, Secondary, Targets, Tracker, Words, WrongEntry, WrongKey, preset, secondary_trackers,
};
use crate::position::{Position, Prepared, Undo};
use crate::suite::Row;
use crate::walk::{Check, Control, Game};

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
    /// Tracker: a promoted man does not enter the key; planted in a secondary key, as in Stockfish 6492.
    PromotionMissing,
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
    pub const ALL: [Fault; 18] = [
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
        Fault::PromotionMissing,
        Fault::EnPassantVictimKept,
        Fault::SideNotFlipped,
        Fault::FirstRightOnly,
        Fault::RightsShareAWord,
        Fault::BatchLost,
        Fault::WrongChess960Rook,
    ];
}

/// What a tracker with a fault needs to know of the move that is made.
#[derive(Clone, Copy, Debug)]
struct Context {
    turn: Color,
    /// The kind of a move, or nothing for a null move.
    making: Option<Kind>,
}

/// A tracker that misses some edits.
#[derive(Clone, Copy, Debug)]
struct Planted<T> {
    inner: T,
    fault: Fault,
    context: Context,
}

/// A tracker with a fault somewhere in it.
trait Sabotaged: Tracker {
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
    const LANES: usize = T::LANES;
    const SETS: bool = T::SETS;

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
        let kept = match self.fault {
            Fault::CapturedManKept => captured,
            Fault::EnPassantVictimKept => captured && self.context.making == Some(Kind::EnPassant),
            _ => false,
        };
        if !kept {
            self.inner.remove(code, square);
        }
    }
    fn place(&mut self, code: Code, square: Square) {
        let promotes = matches!(self.context.making, Some(Kind::Promotion(_)));
        if promotes && self.fault == Fault::PromotionMissing {
            return;
        }
        let as_pawn = promotes && self.fault == Fault::PromotionHashedAsPawn;
        self.inner.place(if as_pawn { Code::new(self.context.turn, Role::Pawn) } else { code }, square);
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
            Fault::EnPassantTermKept => self.context.making.is_some(),
            Fault::NullMoveKeepsEnPassant => self.context.making.is_none(),
            _ => false,
        };
        let old = if kept { EnPassant::NONE } else { old };
        match self.fault {
            Fault::EnPassantAlwaysKeyed => self.inner.en_passant(old.widened(), new.widened()),
            _ => self.inner.en_passant(old, new),
        }
    }
    fn side(&mut self, now: Color) {
        self.context.turn = now;
        if self.fault != Fault::SideNotFlipped {
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
    fn join<'a>(&'a self, batch: &mut Batch<'a>) {
        self.inner.join(batch);
    }
}

/// A position with a fault in its tracker, board or generator.
#[derive(Clone, Copy, Debug)]
struct Faulty<T: Sabotaged> {
    position: Position<T>,
    fault: Fault,
}

impl<T: Sabotaged> Faulty<T> {
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

impl<T: Sabotaged> Faulty<T> {
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

impl<T: Sabotaged> Game for Faulty<T> {
    type Move = Move;
    type Moves = MoveList;
    type Prepared = Prepared<T>;
    type Undo = Undo<T::Mark>;

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
        position.tracker.context().making = Some(Kind::Normal);
        position.prepare()
    }
    fn make<L: Token>(&mut self, level: L, prepared: &Self::Prepared, mv: Move) -> Self::Undo {
        let leftover = self.leftover(mv, self.position.board.turn());
        let mut prepared = *prepared;
        prepared.tracker.context().making = Some(mv.kind());
        // The rules ask whose man is captured: until the move is made, it is still its maker's turn.
        prepared.tracker.context().turn = self.position.board.turn();
        let undo = self.position.make(level, &prepared, mv);
        self.position.tracker.context().turn = self.position.board.turn();
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
        self.position.tracker.context().making = None;
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
    fn wrong_key(&self) -> Option<WrongKey> {
        self.position.wrong_key()
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

/// Judges a row with a fault planted in the position that plays it: in its key, or in the secondary ones if there are any.
pub fn judge_planted(fault: Fault, row: &Row, options: Options<'_>) -> Verdict {
    let Settings { scheme, seed, secondary, .. } = options.settings;
    let lanes = scheme.flattened(seed).map(|words| Secondary::lanes(secondary, &words)).unwrap_or_default();
    scheme.visit_dynamic(seed, Judge { fault, row, options, lanes: &lanes })
}

struct Judge<'a> {
    fault: Fault,
    row: &'a Row,
    options: Options<'a>,
    lanes: &'a [Option<Words>; Secondary::LANES],
}

impl Judge<'_> {
    fn judge<T: Sabotaged>(self, tracker: T) -> Verdict {
        let Judge { fault, row, options, .. } = self;
        let root = Faulty { position: Position::new(row.board, tracker), fault };
        let control = Control::default();
        let walk = |depth| gate::verify_game(root, depth, options.settings, &control);
        gate::judge_game(row, walk, root, options, &control)
    }
}

impl SchemeVisitor for Judge<'_> {
    type Output = Verdict;
    fn visit<T: Tracker>(self, tracker: T) -> Verdict {
        let (fault, context) = (self.fault, Context { turn: self.row.board.turn(), making: None });
        match self.options.settings.secondary {
            [] => self.judge(Planted { inner: tracker, fault, context }),
            _ => {
                let inner = secondary_trackers(self.lanes);
                self.judge((tracker, Planted { inner, fault, context }))
            }
        }
    }
}

/// A fault, where it sits, the scheme and position that show it, what must catch it, and what the report must say.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// What is planted.
    pub fault: Fault,
    /// The scheme.
    pub scheme: &'static str,
    /// The secondary keys; the fault is then in them.
    pub secondary: &'static [Secondary],
    /// The root, walked to depth 3.
    pub fen: &'static str,
    /// The check.
    pub check: Check,
    /// Part of the report.
    pub named: &'static str,
}

const fn case(fault: Fault, scheme: &'static str, fen: &'static str, check: Check, named: &'static str) -> Case {
    Case { fault, scheme, secondary: &[], fen, check, named }
}

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const DOUBLE_PUSH: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
const PROMOTES: &str = "8/P1k5/K7/8/8/8/8/8 w - - 0 1";
const ROOK_TAKEN: &str = "r3k2r/8/8/3B4/4b3/8/8/R3K2R w KQkq - 0 1";
const EN_PASSANT: &str = "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1";

/// The faults of trackers and boards; those of the generator show as wrong counts.
#[rustfmt::skip]
pub const CASES: [Case; 20] = [
    case(Fault::EnPassantTermKept, "cpw793", KIWIPETE, Check::Keys, "e.p. c6→- missing"),
    case(Fault::CastlingTermKept, "cpw793", KIWIPETE, Check::Keys, "castling KQkq→kq missing"),
    case(Fault::CapturedManKept, "cpw793", KIWIPETE, Check::Keys, "black pawn on g6 left in"),
    case(Fault::NullMoveKeepsEnPassant, "cpw793", KIWIPETE, Check::NullMove, "e.p. c6→- missing"),
    case(Fault::ClockNotRestored, "cpw793", KIWIPETE, Check::Unmake, "V3 unmake"),
    // The recompute reads the mailbox, so with keys a write to the mailbox alone is caught before V0 sees it.
    case(Fault::MailboxOnlyWrite, "cpw793", KIWIPETE, Check::Keys, "white pawn on a2 left in"),
    case(Fault::MailboxOnlyWrite, "none", KIWIPETE, Check::RoundTrip, "V6 round trip"),
    case(Fault::BitboardOnlyWrite, "cpw793", KIWIPETE, Check::RoundTrip, "V6 round trip"),
    case(Fault::EnPassantAlwaysKeyed, "cpw793", DOUBLE_PUSH, Check::Keys, "e.p. -→e3 left in"),
    case(Fault::RightOfCapturedRookKept, "cpw793", ROOK_TAKEN, Check::RoundTrip, "a rook of Black to castle with"),
    case(Fault::PromotionHashedAsPawn, "cpw793", PROMOTES, Check::Keys, "white pawn on a8 left in"),
    case(Fault::EnPassantVictimKept, "cpw793", EN_PASSANT, Check::Keys, "black pawn on d5 left in"),
    case(Fault::SideNotFlipped, "cpw793", KIWIPETE, Check::Keys, "side to move missing"),
    case(Fault::FirstRightOnly, "cpw781", KIWIPETE, Check::Keys, "castling"),
    case(Fault::RightsShareAWord, "cpw781", KIWIPETE, Check::Keys, "castling"),
    case(Fault::SideNotFlipped, "polyglot", KIWIPETE, Check::Keys, "side to move missing"),
    Case { secondary: &[Secondary::NonPawn], named: "(cpw793, white nonpawn): white", ..case(Fault::PromotionMissing, "cpw793", PROMOTES, Check::Keys, "") },
    Case { secondary: &[Secondary::Material], named: "(cpw793, material): white", ..case(Fault::PromotionMissing, "cpw793", PROMOTES, Check::Keys, "") },
    Case { secondary: &[Secondary::Pawn], named: "(cpw793, pawn): black pawn on d5 left in", ..case(Fault::EnPassantVictimKept, "cpw793", EN_PASSANT, Check::Keys, "") },
    Case { secondary: &Secondary::ALL, named: "(cpw793, minor): black", ..case(Fault::CapturedManKept, "cpw793", "4k3/8/8/3n4/4P3/8/8/4K3 w - - 0 1", Check::Keys, "") },
];

impl Case {
    /// Plants it on a level. Every node makes the round trip.
    pub fn judge(&self, level: Level) -> Verdict {
        let scheme = preset(self.scheme).expect("a preset");
        let settings = Settings { scheme, secondary: self.secondary, seed: 0, level, sample_mask: 0 };
        let row = Row::unknown("planted", Fen::parse(self.fen).expect("a legal position"));
        judge_planted(
            self.fault,
            &row,
            Options {
                depth: 3,
                mode: Mode::Verify,
                settings,
                max_nodes: None,
                identities: crate::gate::Identities::Off,
            },
        )
    }
}
