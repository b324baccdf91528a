//! The board of the crate `cozy-chess` under the gate: counts, its key, its null moves.
//!
//!     cargo run --release --example cozy_chess [DEPTH]

use cozy_chess::{Board, BoardBuilder, Move};
use perft_gate::{Depth, Key, Subject, Suite};

#[derive(Clone, PartialEq, Eq, Debug)]
struct Cozy(Board);

impl Subject for Cozy {
    type Move = Move;
    /// It plays on copies.
    type Undo = ();

    fn from_fen(fen: &str) -> Result<Cozy, String> {
        Board::from_fen(fen, false).map(Cozy).map_err(|error| error.to_string())
    }
    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.0.generate_moves(|of_a_man| {
            moves.extend(of_a_man);
            false
        });
        moves
    }
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
    /// The builder places every piece anew.
    fn recomputed_key(&self) -> Option<Key> {
        BoardBuilder::from_board(&self.0).build().ok().map(|board| board.hash().into())
    }
    fn fen(&self) -> Option<String> {
        Some(self.0.to_string())
    }
    fn same(&self, other: &Cozy) -> bool {
        self == other
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let depth = std::env::args().nth(1).map_or(Ok(4), |depth| depth.parse())?;
    println!("{}", perft_gate::gate::<Cozy>(Suite::standard(), Depth(depth))?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_passes() -> Result<(), Box<dyn std::error::Error>> {
        let report = perft_gate::gate::<Cozy>(Suite::standard(), Depth(2))?;
        assert!(report.checks.keys > 0 && report.checks.null_moves > 0 && report.identities > 0, "{report}");
        Ok(())
    }
}
