//! The position of the crate `shakmaty` under the gate: counts, and its incremental Zobrist hash against the full one.
//!
//!     cargo run --release --example shakmaty [DEPTH]

use perft_gate::{Depth, Key, Subject, Suite};
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position, fen::Fen};
use std::sync::atomic::{AtomicU64, Ordering};

/// There the caller chooses the rule by which an e.p. square counts.
const MODE: EnPassantMode = EnPassantMode::Legal;

/// Moves that were made, and those whose hash it updated. Where it gives no update it wants the full hash, and V2 then
/// compares that with itself.
static MADE: AtomicU64 = AtomicU64::new(0);
static UPDATED: AtomicU64 = AtomicU64::new(0);

/// A position with its hash beside it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Hashed {
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
    /// It plays on copies.
    type Undo = ();

    fn from_fen(fen: &str) -> Result<Hashed, String> {
        let fen: Fen = fen.parse().map_err(|error| format!("{error}"))?;
        fen.into_position(CastlingMode::Standard).map(Hashed::new).map_err(|error| error.to_string())
    }
    fn moves(&self) -> Vec<Move> {
        self.position.legal_moves().to_vec()
    }
    fn uci(&self, mv: Move) -> String {
        mv.to_uci(CastlingMode::Standard).to_string()
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
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let depth = std::env::args().nth(1).map_or(Ok(4), |depth| depth.parse())?;
    println!("{}", perft_gate::gate::<Hashed>(Suite::standard(), Depth(depth))?);
    let [made, updated] = [&MADE, &UPDATED].map(|number| number.load(Ordering::Relaxed));
    println!("{updated} of {made} moves updated the hash, the others took the full one");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_passes() -> Result<(), Box<dyn std::error::Error>> {
        let report = perft_gate::gate::<Hashed>(Suite::standard(), Depth(2))?;
        assert!(report.checks.keys > 0 && report.identities > 0, "{report}");
        Ok(())
    }
}
