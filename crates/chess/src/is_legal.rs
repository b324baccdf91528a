//! Tests the legality of a single move whose bits may be arbitrary, for example because it comes from a transposition
//! table entry that another thread overwrote.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::castling::Wing;
use crate::explain_move::{CastlingFault, castling_fault};
use crate::moves::{Kind, Move};
use crate::piece::Role;
use crate::square::Square;
use crate::state::EnPassantPolicy;
use perft_gate_simd::V1;

impl Board {
    /// Returns true if a move is legal. The move need not come from this position. Any squares and kind are allowed.
    pub fn is_legal(&self, mv: Move) -> bool {
        let (us, from, to) = (self.turn(), mv.from(), mv.to());
        if !self.is_pseudo_legal(mv) {
            return false;
        }
        if mv.kind() == Kind::Castle {
            return castling_fault(self, Wing::of_rook(from, to)).is_none();
        }
        let victim = if mv.kind() == Kind::EnPassant { to.en_passant_partner() } else { to };
        let king = if self.king(us) == from { to } else { self.king(us) };
        let after = self.occupied() & !Bitboard::from(from) & !Bitboard::from(victim) | to.into();
        (self.attackers(V1::token(), !us, king, after) & !Bitboard::from(victim)).is_empty()
    }

    /// Returns true if a move is legal, except that it may leave the king in check. Like `is_legal`, accepts any move.
    pub fn is_pseudo_legal(&self, mv: Move) -> bool {
        let (us, from, to) = (self.turn(), mv.from(), mv.to());
        let Some(piece) = self.piece_on(from).filter(|piece| piece.color == us) else { return false };
        if mv.kind() == Kind::Castle {
            let own_rooks = self.castling_rooks() & Bitboard::rank(us.back_rank());
            return piece.role == Role::King
                && own_rooks.has(to)
                && matches!(castling_fault(self, Wing::of_rook(from, to)), None | Some(CastlingFault::IntoCheck));
        }
        self.can_move(piece.role, from, to, mv.kind())
    }

    /// Returns true if a piece of the side to move can make this kind of move, ignoring castling, checks and pins.
    pub(crate) fn can_move(&self, role: Role, from: Square, to: Square, kind: Kind) -> bool {
        let (level, occupied) = (V1::token(), self.occupied());
        let targets = match role {
            Role::Pawn => return self.pawn_can_move(from, to, kind),
            _ if kind != Kind::Normal => return false,
            Role::Knight => attacks::knight(from),
            Role::Bishop => attacks::bishop(level, from, occupied),
            Role::Rook => attacks::rook(level, from, occupied),
            Role::Queen => attacks::bishop(level, from, occupied) | attacks::rook(level, from, occupied),
            Role::King => attacks::king(from),
        };
        (targets & !self.color(self.turn())).has(to)
    }

    /// Returns true if a pawn of the side to move can make this kind of move, ignoring checks and pins.
    fn pawn_can_move(&self, from: Square, to: Square, kind: Kind) -> bool {
        let (us, occupied) = (self.turn(), self.occupied());
        let ranks = to.rank() as i32 - from.rank() as i32;
        let forward = if us.back_rank() == 0 { 1 } else { -1 };
        let attacks = self.en_passant_capturers(us, to).has(from);
        let ahead = from.file() == to.file() && !occupied.has(to);
        let one_step = attacks && self.color(!us).has(to) || ahead && ranks == forward;
        let is_last = to.rank() == (!us).back_rank();
        match kind {
            Kind::Normal => one_step && !is_last,
            Kind::Promotion(_) => one_step && is_last,
            Kind::DoublePush => {
                let second_rank = us.back_rank() as i32 + forward;
                let between = Square::from_coords(from.file(), (from.rank() + to.rank()) / 2);
                ahead && ranks == 2 * forward && from.rank() as i32 == second_rank && !occupied.has(between)
            }
            Kind::EnPassant => attacks && self.en_passant(EnPassantPolicy::Always) == Some(to),
            Kind::Castle => false,
        }
    }
}
