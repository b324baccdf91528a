//! Counts the moves that lead to the last ply by kind, as in the columns of the Chess Programming Wiki's "Perft
//! Results".

use crate::count::Count;
use crate::game::Game;
use crate::position::Position;
use crate::tasks::Control;
use crate::visitor::{Children, Visitor};
use perft_gate_chess::{Board, Kind, Move, MoveList, Square, Wing};
use perft_gate_simd::{Token, V1, inline_all};

/// Counts of the moves that lead to the last ply, by kind.
#[perft_gate_chess::document(decimal, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Statistics {
    /// All moves.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub nodes: u64,
    /// Captures, en passant included.
    pub captures: u64,
    /// En-passant captures.
    pub en_passant: u64,
    /// Castling moves.
    pub castles: u64,
    /// Promotions.
    pub promotions: u64,
    /// Checks of any kind, including mates.
    pub checks: u64,
    /// Checks by a single piece other than the piece that moved, the promoted piece or the rook of a castling move.
    pub discovered: u64,
    /// Checks by two pieces.
    pub double: u64,
    /// Checkmates.
    pub mates: u64,
}

/// Number of kinds of moves in [`Statistics`].
pub const KINDS: usize = 8;

impl Statistics {
    /// Returns the counts of all kinds, in the order of the wiki's columns.
    pub fn kinds(&self) -> [u64; KINDS] {
        let &Statistics { captures, en_passant, castles, promotions, checks, discovered, double, mates, .. } = self;
        [captures, en_passant, castles, promotions, checks, discovered, double, mates]
    }

    /// Returns the statistics of one legal move.
    pub fn of_move(board: &Board, mv: Move) -> Statistics {
        let control = Control::default();
        let (mut classify, mut position) = (Classify::new(1, &control), Position::new(*board, ()));
        classify.descend(V1::token(), &position, (&(), mv), 1);
        let _ = position.play(V1::token(), mv);
        classify.enter(V1::token(), &mut position, 0, Some((&(), mv)));
        classify.statistics
    }
}

perft_gate_chess::add_by_field!(Statistics {
    nodes,
    captures,
    en_passant,
    castles,
    promotions,
    checks,
    discovered,
    double,
    mates
});

/// A visitor that gathers [`Statistics`] at the last ply.
#[derive(Clone)]
pub struct Classify<'c> {
    pub(crate) count: Count<'c, 0>,
    pub statistics: Statistics,
    /// The square of the piece that has just moved. After castling, this is the square of the rook, because the king
    /// cannot give check.
    moved_to: Option<Square>,
}

impl<'c> Classify<'c> {
    /// Makes a classifier for a tree of `depth` plies.
    pub fn new(depth: u32, control: &'c Control) -> Classify<'c> {
        Classify { count: Count::new(depth, control), statistics: Statistics::default(), moved_to: None }
    }
}

#[inline_all]
impl Visitor<Position<()>> for Classify<'_> {
    const OWN_LAST_PLY: bool = false;
    type Frame = ();

    fn enter<L: Token>(&mut self, level: L, position: &mut Position<()>, depth: u32, from: Option<(&(), Move)>) {
        self.count.enter(level, position, depth, from);
        let (0, Some(moved_to)) = (depth, self.moved_to) else { return };
        let checkers = position.board().checkers(level);
        if checkers.any() {
            let statistics = &mut self.statistics;
            statistics.checks += 1;
            if checkers.several() {
                statistics.double += 1;
            } else if !checkers.has(moved_to) {
                statistics.discovered += 1;
            }
            let mut moves = MoveList::default();
            position.moves_apart(level, &mut moves);
            statistics.mates += u64::from(moves.is_empty());
        }
    }
    fn open(&mut self, _: &Position<()>) {}
    fn descend<L: Token>(&mut self, _: L, position: &Position<()>, ((), mv): (&(), Move), depth: u32) {
        if depth != 1 {
            return;
        }
        let statistics = &mut self.statistics;
        statistics.nodes += 1;
        let mut to = mv.to();
        match mv.kind() {
            Kind::Castle => {
                statistics.castles += 1;
                to = Wing::of_rook(mv.from(), mv.to()).destinations(position.board().turn()).1;
            }
            Kind::EnPassant => {
                statistics.captures += 1;
                statistics.en_passant += 1;
            }
            kind => {
                statistics.captures += u64::from(!position.board().code(to).is_empty());
                statistics.promotions += u64::from(matches!(kind, Kind::Promotion(_)));
            }
        }
        self.moved_to = Some(to);
    }
    fn close<L: Token>(&mut self, level: L, position: &Position<()>, (): &(), depth: u32, children: Children) {
        self.count.close(level, position, &(), depth, children);
    }
    fn is_stopped(&self) -> bool {
        Visitor::<Position<()>>::is_stopped(&self.count)
    }
}
