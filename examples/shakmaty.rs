//! Runs `perft-gate` on the position type of the `shakmaty` crate: checks its counts, and compares its incremental
//! Zobrist hash with the full one.
//!
//!     cargo run --release --example shakmaty [DEPTH [chess960]]

use perft_gate::{Depth, Details, Key, Subject, Suite};
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position, fen::Fen};
use std::sync::atomic::{AtomicU64, Ordering};

/// In `shakmaty` the caller chooses when an e.p. square counts.
const MODE: EnPassantMode = EnPassantMode::Legal;

/// Number of moves made, and number of moves for which the hash was updated incrementally. For moves that `shakmaty`
/// cannot update incrementally, the full hash is computed, and the key check compares it with itself.
static MADE: AtomicU64 = AtomicU64::new(0);
static UPDATED: AtomicU64 = AtomicU64::new(0);

/// A position together with its hash.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hashed {
    position: Chess,
    key: Zobrist64,
}

impl Hashed {
    fn new(position: Chess) -> Hashed {
        Hashed { key: position.zobrist_hash(MODE), position }
    }
}

impl Subject for Hashed {
    type Move = Move;
    /// Moves are made on copies, so none is undone.
    type Undo = ();

    fn from_fen(fen: &str) -> Result<Hashed, String> {
        let fen: Fen = fen.parse().map_err(|error| format!("{error}"))?;
        fen.into_position(CastlingMode::Chess960).map(Hashed::new).map_err(|error| error.to_string())
    }
    fn moves(&self) -> Vec<Move> {
        self.position.legal_moves().to_vec()
    }
    /// Castling is written as king takes rook.
    fn uci(&self, mv: Move) -> String {
        mv.to_uci(CastlingMode::Chess960).to_string()
    }
    fn make(&mut self, mv: Move) {
        let updated = self.position.update_zobrist_hash(self.key, mv, MODE);
        MADE.fetch_add(1, Ordering::Relaxed);
        UPDATED.fetch_add(updated.is_some().into(), Ordering::Relaxed);
        self.position.play_unchecked(mv);
        self.key = updated.unwrap_or_else(|| self.position.zobrist_hash(MODE));
    }
    fn key(&self) -> Option<Key> {
        Some(self.key.0.into())
    }
    fn recomputed_key(&self) -> Option<Key> {
        Some(self.position.zobrist_hash::<Zobrist64>(MODE).0.into())
    }
    fn fen(&self) -> Option<String> {
        Some(Fen::from_position(&self.position, MODE).to_string())
    }
    fn details(&self, mv: Move) -> Details {
        let mut after = self.position.clone();
        after.play_unchecked(mv);
        Details {
            capture: Some(mv.is_capture()),
            en_passant: Some(mv.is_en_passant()),
            castling: Some(mv.is_castle()),
            promotion: Some(mv.is_promotion()),
            check: Some(after.is_check()),
            double_check: Some(after.checkers().count() > 1),
            checkmate: Some(after.is_checkmate()),
            ..Details::default()
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let depth = args.next().map_or(Ok(4), |depth| depth.parse())?;
    let suite = if args.next().as_deref() == Some("chess960") { Suite::chess960() } else { Suite::standard() };
    println!("{}", perft_gate::gate::<Hashed>(suite, Depth(depth))?);
    let [made, updated] = [&MADE, &UPDATED].map(|number| number.load(Ordering::Relaxed));
    println!("{updated} of {made} moves updated the hash, the others took the full one");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate::{CastlingLetters, EnPassantPolicy, Supply};

    #[test]
    fn it_passes() -> Result<(), Box<dyn std::error::Error>> {
        let report = perft_gate::gate::<Hashed>(Suite::standard(), Depth(2))?;
        assert!(
            include_str!("../docs/engines.md").contains(&report.to_string()),
            "docs/engines.md shows another report than {report}"
        );
        assert!(report.checks.keys > 0 && report.identities > 0, "{report}");
        let report = perft_gate::gate::<Hashed>(Suite::chess960(), Depth(3))?;
        assert_eq!(u128::from(report.details.moves), report.nodes - u128::from(report.rows), "{report}");
        assert!(report.skipped == 0 && report.fens.compared > 10_000, "{report}");
        assert_eq!(
            (&report.fens.castling[..], report.fens.clocks),
            (&[CastlingLetters::Kqkq][..], [Supply::Supplied; 2])
        );
        assert!(report.fens.en_passant[0].contains(&EnPassantPolicy::Legal), "{report}");
        Ok(())
    }
}
