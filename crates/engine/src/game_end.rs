//! How games end, as far as a walk that stops there shows it.

use perft_gate_chess::{Bitboard, Board, Color, EnPassantPolicy, Packed, Role, legal_moves};
use perft_gate_simd::V1;
use perft_gate_walk::board_after;

/// Position without a legal move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameEnd {
    /// The side to move is in check.
    Checkmate,
    /// It is not.
    Stalemate,
}

/// Returns the number of walks of length `plies` from `at` to `goal`.
pub(super) fn returns(at: &Board, goal: &Board, plies: u32) -> u128 {
    let packed = |board: &Board| Packed::of(board, EnPassantPolicy::Legal);
    match plies {
        0 => u128::from(packed(at) == packed(goal)),
        plies => legal_moves(at).iter().map(|&mv| returns(&board_after(at, mv), goal, plies - 1)).sum(),
    }
}

/// Returns how the game has ended, if there is no legal move.
pub(super) fn game_end(board: &Board) -> Option<GameEnd> {
    let end = if board.in_check(V1::token()) { GameEnd::Checkmate } else { GameEnd::Stalemate };
    legal_moves(board).is_empty().then_some(end)
}

/// Returns true if some program may call the material insufficient: no pawns, rooks or queens, and at most two minor
/// pieces a side.
pub(super) fn may_be_insufficient(board: &Board) -> bool {
    let heavy = board.role(Role::Pawn) | board.role(Role::Rook) | board.role(Role::Queen);
    let minor = board.role(Role::Knight) | board.role(Role::Bishop);
    heavy == Bitboard::EMPTY && Color::ALL.into_iter().all(|color| (minor & board.color(color)).count() <= 2)
}

/// Returns a FEN with the halfmove clock at 0.
pub(super) fn with_clock_at_zero(fen: &str) -> String {
    let mut fields: Vec<&str> = fen.split(' ').collect();
    if let Some(clock) = fields.get_mut(4) {
        *clock = "0";
    }
    fields.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_chess::Fen;

    #[test]
    fn mates_and_stalemates_are_distinguished() {
        for (fen, expected) in [
            ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", Some(GameEnd::Checkmate)),
            ("7k/5Q2/8/8/8/8/8/K7 b - - 0 1", Some(GameEnd::Stalemate)),
            (Fen::START, None),
        ] {
            assert_eq!(game_end(&Fen::parse(fen).expect("a position")), expected, "{fen}");
        }
    }

    #[test]
    fn little_material_may_be_insufficient() {
        for (fen, expected) in [
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", true),
            ("4k3/8/8/2n5/8/8/8/2B1K3 w - - 0 1", true),
            ("4k3/8/8/2r5/8/8/8/4K3 w - - 0 1", false),
            ("4k3/8/8/2p5/8/8/8/4K3 w - - 0 1", false),
            ("4k3/8/8/8/8/8/8/1NN1KN2 w - - 0 1", false),
        ] {
            assert_eq!(may_be_insufficient(&Fen::parse(fen).expect("a position")), expected, "{fen}");
        }
    }
}
