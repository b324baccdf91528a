//! The position whose moves are counted, in the form that all parts of the counter use.

use super::castling::Castle;
use super::pawns::neighbours_on_rank;
use super::pieces::PieceKind;
use super::queue::LastMove;
use perft_gate_chess::{
    Bitboard, Black, Board, Color, EnPassantPolicy, Legality, Move, Side, SidePieces, Square, White, attacks,
};
use perft_gate_simd::{Token, inline_all};
use perft_gate_walk::{Game, Position};

/// The pieces that siblings (children of one position) share, flipped so that their side to move plays up the board.
#[derive(Clone, Copy, Default)]
pub(super) struct CommonSets {
    pub(super) mover: SidePieces,
    pub(super) replier: SidePieces,
    /// The rooks with which the replier may castle.
    pub(super) rooks: Bitboard,
    /// True if each sibling results from these sets by one move of the replier.
    pub(super) after_last_move: bool,
}

/// The position whose moves are counted, flipped so that its mover plays up the board.
pub(super) struct ParentSets<'b> {
    /// The position as a board. If there is a `played` move, this is the board before that move.
    board: &'b Board,
    played: Option<Move>,
    /// The `played` move on the flipped board. It has no meaning if there is no `played` move.
    pub(super) last_move: LastMove,
    turn: Color,
    pub(super) mover: SidePieces,
    pub(super) replier: SidePieces,
    pub(super) occupied: Bitboard,
    /// The rooks of both sides that may castle, except some with a blocked path: see [`BothSides`].
    pub(super) rooks: Bitboard,
    /// The replier's rooks that may castle and are not blocked by its own pieces.
    castling_rooks: Bitboard,
    /// Squares from which a pawn, knight, bishop or rook of the mover gives check.
    pub(super) pawns_check: Bitboard,
    pub(super) knights_check: Bitboard,
    pub(super) bishops_check: Bitboard,
    pub(super) rooks_check: Bitboard,
    /// The mover's pieces that uncover a check when they leave their line.
    pub(super) uncovering: Bitboard,
}

#[inline_all]
impl<'b> ParentSets<'b> {
    /// Makes the parent from a board, with `uncovering` empty.
    pub(super) fn new<L: Token>(level: L, board: &'b Board) -> ParentSets<'b> {
        let turn = board.turn();
        let BothSides { own, other, rooks } = BothSides::new(board, turn);
        let last_move = LastMove { from: Square::A1, to: Square::A1, weight: 1 };
        ParentSets::from_board(level, (board, None), (turn, last_move), own, other, rooks)
    }

    fn from_board<L: Token>(
        level: L,
        (board, played): (&'b Board, Option<Move>),
        (turn, last_move): (Color, LastMove),
        mover: SidePieces,
        replier: SidePieces,
        rooks: Bitboard,
    ) -> ParentSets<'b> {
        let (king, occupied) = (replier.king_square(), mover.all | replier.all);
        let mut castling_rooks = rooks & White::rank(7);
        for rook in castling_rooks {
            if (Castle::of_replier(king, rook).path & replier.all).any() {
                castling_rooks &= !Bitboard::from(rook);
            }
        }
        ParentSets {
            board,
            played,
            last_move,
            turn,
            mover,
            replier,
            occupied,
            rooks,
            castling_rooks,
            pawns_check: Black::pawn_attacks(replier.king),
            knights_check: attacks::knight(king),
            bishops_check: attacks::bishop(level, king, occupied),
            rooks_check: attacks::rook(level, king, occupied),
            uncovering: Bitboard::EMPTY,
        }
    }

    /// Returns true if the replier's last move, which led here, was a king move.
    pub(super) fn has_king_moved(&self) -> bool {
        self.replier.king.has(self.last_move.to)
    }

    /// Returns the squares from which a piece of this type gives check.
    pub(super) fn checks_by(&self, kind: PieceKind) -> Bitboard {
        kind.select(self.knights_check, self.bishops_check, self.rooks_check)
    }

    /// Returns the sets of this position only, for use without siblings.
    pub(super) fn common(&self) -> CommonSets {
        let ParentSets { mover, replier, castling_rooks, .. } = *self;
        CommonSets { mover, replier, rooks: castling_rooks, after_last_move: false }
    }

    /// Converts a square to the unflipped board.
    pub(super) fn board_square(&self, square: Square) -> Square {
        match self.turn {
            Color::White => square,
            Color::Black => square.flip(),
        }
    }

    /// Returns the position, after the `played` move if there is one.
    pub(super) fn position<L: Token>(&self, level: L) -> Position<()> {
        let mut position = Position::new(*self.board, ());
        if let Some(mv) = self.played {
            let _ = position.play(level, mv);
        }
        position
    }

    /// If the mover may capture en passant, returns the board and the en-passant square.
    pub(super) fn en_passant_square(&self) -> Option<(&'b Board, Square)> {
        match self.played {
            None => self.board.en_passant(EnPassantPolicy::Legal).map(|square| (self.board, square)),
            Some(_) => None,
        }
    }

    /// Returns the legality analysis of the mover, given the squares that the replier attacks. Unless the mover is in
    /// check, no slider attacks through its king, so the king need not be lifted off the board.
    pub(super) fn legality<L: Token>(&self, level: L, attacked: Bitboard) -> Legality {
        let ParentSets { mover, replier, .. } = self;
        match (attacked & mover.king).is_empty() {
            true => Legality::out_of_check(mover, replier, attacked),
            false => Legality::new::<White, L>(level, mover, replier),
        }
    }

    /// Returns the replier's castling moves that its own pieces do not block.
    pub(super) fn castles(&self) -> impl Iterator<Item = Castle> {
        let king = self.replier.king_square();
        self.castling_rooks.into_iter().map(move |rook| Castle::of_replier(king, rook))
    }
}

/// The pieces of a board, flipped so that `own` plays up the board.
struct BothSides {
    own: SidePieces,
    other: SidePieces,
    /// The rooks of both sides that may castle, except those whose path stays blocked after any next move of `other`. A
    /// rook of `own` is left out if a piece of `own` is on its path, because an enemy piece that captures that piece
    /// blocks the path too. A rook of `other` is left out if two or more pieces of `other` are on its path.
    rooks: Bitboard,
}

impl BothSides {
    #[inline(always)]
    fn new(board: &Board, side: Color) -> BothSides {
        let (own, other, rooks) = (SidePieces::new(board, side), SidePieces::new(board, !side), board.castling_rooks());
        let mut sides = match side {
            Color::White => BothSides { own, other, rooks },
            Color::Black => BothSides { own: own.flip_ranks(), other: other.flip_ranks(), rooks: rooks.flip_ranks() },
        };
        let (own, other) = (&sides.own, &sides.other);
        for rook in sides.rooks {
            let blocked = match own.all.has(rook) {
                true => (Castle::of_mover(own.king_square(), rook).path & own.all).any(),
                false => (Castle::of_replier(other.king_square(), rook).path & other.all).several(),
            };
            if blocked {
                sides.rooks ^= rook.into();
            }
        }
        sides
    }
}

/// The children of a board, made from bitboards alone and used as parents of their own children.
pub(super) struct Family<'b> {
    board: &'b Board,
    /// The pieces of the board, flipped for the children's side to move.
    sides: BothSides,
    /// Mask to xor with a square's number in order to flip the square.
    flip: u32,
}

#[inline_all]
impl<'b> Family<'b> {
    pub(super) fn new(board: &'b Board) -> Family<'b> {
        let flip = if board.turn() == Color::White { Square::A8.index() as u32 } else { 0 };
        Family { board, sides: BothSides::new(board, !board.turn()), flip }
    }

    pub(super) fn common(&self) -> CommonSets {
        let BothSides { own, other, rooks } = self.sides;
        CommonSets { mover: own, replier: other, rooks: rooks & White::rank(7), after_last_move: true }
    }

    /// Returns the squares that a move leaves and enters, flipped like the board. Returns `None` if the move castles,
    /// promotes, captures en passant, or is a double push next to an enemy pawn.
    pub(super) fn plain_move(&self, mv: Move, weight: u32) -> Option<LastMove> {
        let flip = |square: Square| Square::new(square.index() as u32 ^ self.flip);
        let last_move = LastMove { from: flip(mv.from()), to: flip(mv.to()), weight };
        if mv.is_double_push() {
            return (neighbours_on_rank(last_move.to.into()) & self.sides.own.pawns).is_empty().then_some(last_move);
        }
        mv.is_plain().then_some(last_move)
    }

    /// Returns the position after a plain move.
    pub(super) fn child<L: Token>(&self, level: L, mv: Move, last_move: LastMove) -> ParentSets<'b> {
        let BothSides { own: mover, other: replier, rooks } = &self.sides;
        let (from, to) = (Bitboard::from(last_move.from), Bitboard::from(last_move.to));
        let both = from | to;
        let moved = |set: Bitboard| if (set & from).any() { set ^ both } else { set };
        let replier = SidePieces {
            pawns: moved(replier.pawns),
            knights: moved(replier.knights),
            diagonal: moved(replier.diagonal),
            orthogonal: moved(replier.orthogonal),
            king: moved(replier.king),
            all: replier.all ^ both,
        };
        let remaining = !to;
        let mover = SidePieces {
            pawns: mover.pawns & remaining,
            knights: mover.knights & remaining,
            diagonal: mover.diagonal & remaining,
            orthogonal: mover.orthogonal & remaining,
            king: mover.king,
            all: mover.all & remaining,
        };
        let mut rooks = *rooks & !both;
        if (replier.king & to).any() {
            rooks &= !White::rank(7);
        }
        ParentSets::from_board(level, (self.board, Some(mv)), (!self.board.turn(), last_move), mover, replier, rooks)
    }
}
