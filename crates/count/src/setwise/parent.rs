//! The position whose moves are counted, as every part of the counter sees it.

use super::castling::Castle;
use perft_gate_simd::Token;
use perft_gate_walk::chess::{Bitboard, Black, Board, Color, Side, SidePieces, White, attacks};

/// The position whose moves are counted, turned so that its mover plays up the board.
pub(super) struct Parent<'b> {
    pub(super) board: &'b Board,
    pub(super) mover: SidePieces,
    pub(super) replier: SidePieces,
    pub(super) occupied: Bitboard,
    /// The rooks of both sides that may castle.
    pub(super) rooks: Bitboard,
    /// The rooks with which the replier may castle, as far as its own pieces go.
    castling_rooks: Bitboard,
    /// Squares from which a pawn, a knight, a bishop, a rook gives check.
    pub(super) pawns_check: Bitboard,
    pub(super) knights_check: Bitboard,
    pub(super) bishops_check: Bitboard,
    pub(super) rooks_check: Bitboard,
    /// The mover's pieces that uncover a check when they leave their line.
    pub(super) uncovering: Bitboard,
}

impl<'b> Parent<'b> {
    /// Makes the parent of a board; `uncovering` is left empty.
    #[inline(always)]
    pub(super) fn new<L: Token>(level: L, board: &'b Board) -> Parent<'b> {
        let us = board.turn();
        let (mover, replier) = (SidePieces::of(board, us), SidePieces::of(board, !us));
        let (mover, replier, rooks) = match us {
            Color::White => (mover, replier, board.castling_rooks()),
            Color::Black => (mover.turned_over(), replier.turned_over(), board.castling_rooks().turned_over()),
        };
        let (king, occupied) = (replier.king_square(), mover.all | replier.all);
        let mut castling_rooks = rooks & White::rank(7);
        for rook in castling_rooks {
            if (Castle::of_replier(king, rook).path & replier.all).any() {
                castling_rooks &= !Bitboard::from(rook);
            }
        }
        Parent {
            board,
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

    /// Returns the replier's castling moves that no own piece blocks.
    #[inline(always)]
    pub(super) fn castles(&self) -> impl Iterator<Item = Castle> {
        let king = self.replier.king_square();
        self.castling_rooks.into_iter().map(move |rook| Castle::of_replier(king, rook))
    }
}
