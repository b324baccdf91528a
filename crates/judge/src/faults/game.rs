//! A position with a fault in its tracker, board, generator or comparisons.

use super::fault::{Fault, Plant};
use super::tracker::Planted;
use perft_gate_chess::{
    Bitboard, Board, CastlingRights, Code, Color, Delta, Differences, Field, Kind, Move, MoveList, MoveSets, Role,
    Square, State, Wing,
};
use perft_gate_simd::Token;
use perft_gate_walk::{ByPiece, Check, Game, Lifted, Position, Prepared, Siblings, Undo, each_child_by_piece};
use perft_gate_zobrist::{Key, KeyBatch, Spoilt, Tracker, WrongKey};

/// Last operation, whose result the next comparisons check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Last {
    Made,
    Unmade,
    NullMade,
    NullUnmade,
}

/// A position with a planted fault.
///
/// Only the comparison that must notice a damaged field sees the damage. The walk continues on a correct board, so no
/// other check can notice it instead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Faulty<'k> {
    position: Position<Planted<'k>>,
    pub(super) plant: Plant,
    ply: u32,
    last: Last,
    /// The last piece that captured.
    captor: Option<Lifted<Planted<'k>>>,
}

impl<'k> Faulty<'k> {
    pub(super) fn new(position: Position<Planted<'k>>, plant: Plant) -> Faulty<'k> {
        Faulty { position, plant, ply: 0, last: Last::Made, captor: None }
    }

    /// Returns the pawn that a double push to `ply` leaves behind in only the mailbox or only the bitboards.
    fn leftover(&self, mv: Move, us: Color, ply: u32) -> Option<Delta> {
        let mut delta = Delta::NONE;
        delta.toggle(Code::new(us, Role::Pawn), mv.from());
        let (mailbox, bitboards) = delta.split();
        match self.plant.fault_at(ply) {
            Fault::MailboxOnlyWrite if mv.is_double_push() => Some(mailbox),
            Fault::BitboardOnlyWrite if mv.is_double_push() => Some(bitboards),
            _ => None,
        }
    }

    /// Restores the castling rights that the opponent's capture took from the side to move.
    fn keep_rights(&mut self, before: &State) {
        let victim = self.position.board.turn();
        let state = self.position.board.state;
        let kept = before.rights().without(CastlingRights::both(!victim)).with(state.rights());
        if kept != state.rights() {
            self.position.tracker.castling(state.rights(), kept);
            let own = Bitboard::rank(victim.back_rank());
            self.position.board.state.set_rights(kept);
            self.position.board.state.castling_pieces |= before.castling_pieces & own;
        }
    }

    /// Makes a move by calling `make`, and applies the board's faults.
    fn make_with_faults(
        &mut self,
        level: impl Token,
        mv: Move,
        make: impl FnOnce(&mut Position<Planted<'k>>) -> PlantedUndo<'k>,
    ) -> PlantedUndo<'k> {
        self.ply += 1;
        self.last = Last::Made;
        let leftover = self.leftover(mv, self.position.board.turn(), self.ply);
        let undo = make(&mut self.position);
        self.position.tracker.context.turn = self.position.board.turn();
        if self.plant.fault_at(self.ply) == Fault::RightOfCapturedRookKept {
            self.keep_rights(&undo.state);
        }
        if let Some(leftover) = leftover {
            self.position.board.apply(level, &leftover);
        }
        undo
    }

    /// Removes or replaces moves as a wrong generator would.
    fn spoil_moves(&self, level: impl Token, list: &mut MoveList) {
        let board = &self.position.board;
        match self.plant.fault_at(self.ply + 1) {
            Fault::EvasionMissing if board.in_check(level) => list.retain(|mv| mv.kind() != Kind::EnPassant),
            Fault::DoublePushMissing => list.retain(|mv| !mv.is_double_push()),
            Fault::WrongChess960Rook => {
                let castles = list.iter_mut().filter(|mv| mv.kind() == Kind::Castle);
                castles.for_each(|mv| *mv = with_outermost_rook(board, *mv));
            }
            _ => {}
        }
    }

    /// Returns the field that the next comparison finds damaged.
    fn damaged_field(&self) -> Option<Field> {
        match (self.last, self.plant.fault_at(self.ply + 1), self.plant.fault_at(self.ply)) {
            (Last::Unmade, Fault::NotRestored(field), _) => Some(field),
            (Last::NullUnmade, _, Fault::NullMoveNotRestored(field)) => Some(field),
            _ => None,
        }
    }

    fn damage(&self, field: Field) -> Position<Planted<'k>> {
        let mut position = self.position;
        position.board = position.board.damage(field);
        if field == Field::Key {
            position.tracker.side(!position.board.turn());
        }
        position
    }

    /// Returns true if the fault skips the next comparison.
    fn is_skipped(&self) -> bool {
        match (self.last, self.plant.fault_at(self.ply + 1), self.plant.fault_at(self.ply)) {
            (Last::Unmade, Fault::NotCompared(Check::Unmake), _)
            | (Last::NullUnmade, _, Fault::NotCompared(Check::NullMove)) => true,
            (Last::NullMade, _, fault) => fault == Fault::NullMoveKeyNotCompared,
            (Last::Made, _, fault) => fault == Fault::NotCompared(Check::Keys),
            _ => false,
        }
    }
}

type PlantedUndo<'k> = Undo<<Planted<'k> as Tracker>::Mark>;

impl<'k> ByPiece for Faulty<'k> {
    type Lifted = Lifted<Planted<'k>>;

    fn move_sets<L: Token>(&self, level: L, prepared: &Self::Prepared, sets: &mut MoveSets) {
        self.position.move_sets(level, prepared, sets);
        self.spoil_moves(level, &mut sets.others);
        if self.plant.fault_at(self.ply + 1) == Fault::DoublePushMissing {
            sets.double_pushes.targets = Bitboard::EMPTY;
        }
    }
    fn lift<L: Token, const PAWN: bool>(&self, level: L, prepared: &Self::Prepared, from: Square) -> Self::Lifted {
        let mut prepared = *prepared;
        prepared.tracker.context.turn = self.position.board.turn();
        let lifted = self.position.lift::<L, PAWN>(level, &prepared, from);
        match (self.plant.fault_at(self.ply + 1), &self.captor) {
            (Fault::LiftedSquaresKept, Some(captor)) => lifted.leaving_as(captor),
            (Fault::LiftedKeyKept, Some(captor)) => lifted.with_key_of(captor),
            _ => lifted,
        }
    }
    fn put_down<L: Token, const MAY_CAPTURE: bool>(
        &mut self,
        level: L,
        prepared: &Self::Prepared,
        lifted: &Self::Lifted,
        mv: Move,
    ) -> Self::Undo {
        if MAY_CAPTURE && self.position.board.piece_on(mv.to()).is_some() {
            self.captor = Some(*lifted);
        }
        self.make_with_faults(level, mv, |position| position.put_down::<L, MAY_CAPTURE>(level, prepared, lifted, mv))
    }
}

impl<'k> Game for Faulty<'k> {
    type Move = Move;
    type Moves = MoveList;
    type Prepared = Prepared<Planted<'k>>;
    type Undo = PlantedUndo<'k>;

    fn moves<L: Token>(&self, level: L, list: &mut MoveList) {
        self.position.moves(level, list);
        self.spoil_moves(level, list);
    }
    fn prepare(&self) -> Self::Prepared {
        let mut position = self.position;
        position.tracker.context.making = Some(Kind::Normal);
        position.tracker.context.fault = self.plant.fault_at(self.ply + 1);
        position.prepare()
    }
    fn make<L: Token>(&mut self, level: L, prepared: &Self::Prepared, mv: Move) -> Self::Undo {
        let mut prepared = *prepared;
        prepared.tracker.context.making = Some(mv.kind());
        // The faulty tracker recognises a captured piece by its colour, so it needs to know which side moves.
        prepared.tracker.context.turn = self.position.board.turn();
        self.make_with_faults(level, mv, |position| position.make(level, &prepared, mv))
    }
    fn each_child<L: Token, S: Siblings<Self, L>>(&mut self, level: L, prepared: &Self::Prepared, siblings: &mut S) {
        each_child_by_piece(level, self, prepared, siblings);
    }
    fn unmake<L: Token>(&mut self, level: L, mv: Move, undo: Self::Undo) {
        let clock = self.position.board.state.halfmove();
        let fault = self.plant.fault_at(self.ply);
        if let Some(leftover) = self.leftover(mv, undo.state.turn(), self.ply) {
            self.position.board.apply(level, &leftover);
        }
        self.position.unmake(level, mv, undo);
        let by_king = self.position.board.king(self.position.board.turn()) == mv.from();
        if fault == Fault::ClockNotRestored || fault == Fault::KingMoveNotRestored && by_king {
            self.position.board.state.set_halfmove(clock);
        }
        self.ply -= 1;
        self.last = Last::Unmade;
    }
    fn make_null<L: Token>(&mut self, level: L) -> Option<Self::Undo> {
        self.last = Last::NullMade;
        self.position.tracker.context.making = None;
        self.position.tracker.context.fault = self.plant.fault_at(self.ply);
        self.position.make_null(level)
    }
    fn unmake_null(&mut self, undo: Self::Undo) {
        self.position.unmake_null(undo);
        self.last = Last::NullUnmade;
    }
    fn key(&self) -> Option<Key> {
        self.position.key()
    }
    fn recompute(&self) -> Option<Key> {
        self.position.recompute()
    }
    fn wrong_key(&self, compared: &mut u64) -> Option<WrongKey> {
        if self.is_skipped() { None } else { self.position.wrong_key(compared) }
    }
    fn batch(&self) -> Option<KeyBatch<'_>> {
        self.position.batch()
    }
    fn set_reference<L: Token>(&self, level: L, batch: &mut KeyBatch<'_>) {
        self.position.set_reference(level, batch);
    }
    fn append<L: Token>(&self, level: L, batch: &mut KeyBatch<'_>, at: usize) -> usize {
        if self.is_skipped() {
            return at;
        }
        let fault = self.plant.fault_at(self.ply);
        if fault == Fault::RestKept {
            batch.targets.iter_mut().for_each(|targets| targets.keep_rest(&self.position.board.state));
        }
        let next = self.position.append(level, batch, at);
        if fault == Fault::KeyFlippedOnce {
            batch.spoil(at, Spoilt::Key { part: 0, bit: 0 });
        }
        next
    }
    fn same<L: Token>(&self, level: L, other: &Self, compared: &mut u64) -> bool {
        match self.damaged_field() {
            _ if self.is_skipped() => true,
            Some(field) => self.damage(field).same(level, &other.position, compared),
            None => self.position.same(level, &other.position, compared),
        }
    }
    fn compare_later<L: Token>(&self, level: L, other: &Self, differences: &mut Differences<L>, compared: &mut u64) {
        match self.damaged_field() {
            _ if self.is_skipped() => {}
            Some(field) => self.damage(field).compare_later(level, &other.position, differences, compared),
            None if self.plant.fault_at(self.ply + 1) == Fault::BoardFlippedOnce => {
                self.damage(Field::Pawns).compare_later(level, &other.position, differences, compared);
            }
            None => self.position.compare_later(level, &other.position, differences, compared),
        }
    }
    fn difference(&self, expected: &Self) -> (String, String) {
        self.damaged_field().map_or(self.position, |field| self.damage(field)).difference(&expected.position)
    }
    fn is_consistent<L: Token>(&self, level: L, compared: &mut u64) -> bool {
        match self.plant.fault_at(self.ply) {
            Fault::NotCompared(Check::Boards) => true,
            Fault::Inconsistent(field) => self.damage(field).is_consistent(level, compared),
            _ => self.position.is_consistent(level, compared),
        }
    }
    fn sample(&self) -> u64 {
        self.position.sample()
    }
    fn round_trip(&self, compared: &mut u64) -> Result<(), String> {
        match self.plant.fault_at(self.ply) {
            Fault::NotCompared(Check::RoundTrip) => Ok(()),
            _ => self.position.round_trip(compared),
        }
    }
    fn describe(&self) -> String {
        self.position.describe()
    }
}

/// Returns the same castling move, but with the outermost rook of its wing.
fn with_outermost_rook(board: &Board, mv: Move) -> Move {
    let wing = Wing::of_rook(mv.from(), mv.to());
    let rank = Bitboard::rank(board.turn().back_rank());
    let rooks = board.pieces(board.turn(), Role::Rook) & rank;
    let rooks = rooks.into_iter().filter(|&rook| Wing::of_rook(mv.from(), rook) == wing);
    let rook = if wing == Wing::King { rooks.last() } else { rooks.min_by_key(|rook| rook.index()) };
    Move::new(mv.from(), rook.unwrap_or(mv.to()), Move::CASTLE)
}
