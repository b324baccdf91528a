//! Runs `perft-gate` on the board type of the `cozy-chess` crate: checks counts, keys and null moves.
//!
//!     cargo run --release --example cozy_chess [DEPTH [chess960]]

use cozy_chess::{Board, BoardBuilder, Move, Piece, Square};
use perft_gate::{Depth, Details, Key, Subject, Suite};

/// Promotions in the order of their numbers in a packed move.
const PROMOTIONS: [Option<Piece>; 5] =
    [None, Some(Piece::Knight), Some(Piece::Bishop), Some(Piece::Rook), Some(Piece::Queen)];

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cozy(Board);

impl Subject for Cozy {
    type Move = Move;
    /// Moves are made on copies, so none is undone.
    type Undo = ();

    fn from_fen(fen: &str) -> Result<Cozy, String> {
        // Castling rights in the FEN may be written as KQkq or as rook files.
        fen.parse().map(Cozy).map_err(|error: cozy_chess::FenParseError| error.to_string())
    }
    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.0.generate_moves(|of_a_man| {
            moves.extend(of_a_man);
            false
        });
        moves
    }
    /// Castling is written as king takes rook.
    fn uci(&self, mv: Move) -> String {
        mv.to_string()
    }
    fn make(&mut self, mv: Move) {
        self.0.play_unchecked(mv);
    }
    fn make_null(&mut self) -> Option<()> {
        self.0 = self.0.null_move()?;
        Some(())
    }
    fn key(&self) -> Option<Key> {
        Some(self.0.hash().into())
    }
    /// The builder places every piece again, so the hash is computed from scratch.
    fn recomputed_key(&self) -> Option<Key> {
        BoardBuilder::from_board(&self.0).build().ok().map(|board| board.hash().into())
    }
    /// Castling rights are written as rook files, because only these identify the rook in every Chess960 position.
    fn fen(&self) -> Option<String> {
        Some(format!("{:#}", self.0))
    }
    /// Packs a move as an engine does: two squares and the promotion.
    fn code(&self, mv: Move) -> Option<u16> {
        let promotion = mv.promotion.and_then(|to| PROMOTIONS.iter().position(|piece| *piece == Some(to)));
        Some(mv.from as u16 | (mv.to as u16) << 6 | (promotion.unwrap_or(0) as u16) << 12)
    }
    fn is_legal(&self, code: u16) -> Option<bool> {
        let square = |bits: u16| Square::index(usize::from(bits & 63));
        let promotion = PROMOTIONS.get(usize::from(code >> 12));
        Some(
            promotion.is_some_and(|&promotion| {
                self.0.is_legal(Move { from: square(code), to: square(code >> 6), promotion })
            }),
        )
    }
    fn details(&self, mv: Move) -> Details {
        let board = &self.0;
        let castling = board.color_on(mv.to) == Some(board.side_to_move());
        let is_pawn = board.piece_on(mv.from) == Some(Piece::Pawn);
        let en_passant = is_pawn && mv.from.file() != mv.to.file() && !board.occupied().has(mv.to);
        let mut after = board.clone();
        after.play_unchecked(mv);
        Details {
            capture: Some(!castling && board.occupied().has(mv.to) || en_passant),
            en_passant: Some(en_passant),
            castling: Some(castling),
            promotion: Some(mv.promotion.is_some()),
            check: Some(!after.checkers().is_empty()),
            double_check: Some(after.checkers().len() > 1),
            ..Details::default()
        }
    }
    fn same(&self, other: &Cozy) -> bool {
        self == other
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let depth = args.next().map_or(Ok(4), |depth| depth.parse())?;
    let suite = if args.next().as_deref() == Some("chess960") { Suite::chess960() } else { Suite::standard() };
    println!("{}", perft_gate::gate::<Cozy>(suite, Depth(depth))?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate::{CastlingLetters, EnPassantPolicy, Supply};

    #[test]
    fn it_passes() -> Result<(), Box<dyn std::error::Error>> {
        let report = perft_gate::gate::<Cozy>(Suite::standard(), Depth(2))?;
        assert!(
            include_str!("../docs/engines.md").contains(&report.to_string()),
            "docs/engines.md shows another report than {report}"
        );
        assert!(report.checks.keys > 0 && report.checks.null_moves > 0 && report.identities > 0, "{report}");
        let report = perft_gate::gate::<Cozy>(Suite::chess960(), Depth(3))?;
        assert_eq!(u128::from(report.details.moves), report.nodes - u128::from(report.rows), "{report}");
        assert!(report.skipped == 0 && report.fens.compared > 10_000, "{report}");
        assert_eq!(
            (&report.fens.castling[..], report.fens.clocks),
            (&[CastlingLetters::RookFiles][..], [Supply::Supplied; 2])
        );
        assert!(report.fens.en_passant[0].contains(&EnPassantPolicy::Always), "{report}");
        Ok(())
    }
}
