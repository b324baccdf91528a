//! Four squares with one-bit keys: shows how the key changes as stones are placed and removed.
//!
//!     cargo run --release --example four_squares

use perft_gate_simd::{Level, Token, V1};
use perft_gate_walk::{Control, Game, Verify, walk};
use perft_gate_zobrist::Key;

/// The square where a move places or takes a stone: 1 to 4.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Square(u32);

impl From<Square> for u64 {
    fn from(square: Square) -> u64 {
        square.0.into()
    }
}

/// The squares that have a stone, and the key.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Board {
    stones: [bool; 4],
    key: u64,
}

/// Returns the key of a square: 0001 for square 1, 1000 for square 4.
fn square_key(square: usize) -> u64 {
    1 << square
}

impl Game for Board {
    type Move = Square;
    type Moves = Vec<Square>;
    type Prepared = ();
    type Undo = ();

    fn moves<L: Token>(&self, _: L, list: &mut Vec<Square>) {
        list.extend((1..=4).map(Square));
    }
    fn count_moves<L: Token>(&self, _: L) -> u64 {
        4
    }
    fn prepare(&self) {}
    fn make<L: Token>(&mut self, _: L, (): &(), square: Square) {
        let index = square.0 as usize - 1;
        self.stones[index] = !self.stones[index];
        self.key ^= square_key(index);
    }
    fn unmake<L: Token>(&mut self, level: L, square: Square, (): ()) {
        let () = self.play(level, square);
    }
    fn make_null<L: Token>(&mut self, _: L) -> Option<()> {
        None
    }
    fn unmake_null(&mut self, (): ()) {}
    fn key(&self) -> Option<Key> {
        Some(self.key.into())
    }
    fn recompute(&self) -> Option<Key> {
        let stones = (0..4).filter(|&square| self.stones[square]);
        Some(stones.fold(0, |key, square| key ^ square_key(square)).into())
    }
    fn same<L: Token>(&self, _: L, other: &Board, compared: &mut u64) -> bool {
        *compared += 1;
        self == other
    }
    fn is_consistent<L: Token>(&self, _: L, _: &mut u64) -> bool {
        true
    }
    fn sample(&self) -> u64 {
        self.key
    }
    fn round_trip(&self, compared: &mut u64) -> Result<(), String> {
        *compared += 1;
        let key = u64::from_str_radix(&self.describe(), 2).map_err(|error| error.to_string())?;
        if key == self.key { Ok(()) } else { Err(format!("{key:04b}")) }
    }
    fn describe(&self) -> String {
        format!("{:04b}", self.key)
    }
}

/// Returns the printed sequence: each square played, and the key after it.
fn sequence() -> Vec<(u32, String)> {
    let mut board = Board::default();
    let played = [4, 3, 1, 3, 3].map(|square| {
        let () = board.play(V1::token(), Square(square));
        (square, board.describe())
    });
    played.to_vec()
}

fn main() {
    let mut stones = [false; 5];
    for (square, key) in sequence() {
        let verb = if stones[square as usize] { "take" } else { "place" };
        stones[square as usize] ^= true;
        println!("{verb:<5} {square}  {key}");
    }
    let control = Control::default();
    let mut verify = Verify::new(&[], 8, 0, None, &control);
    walk(Level::detect(), &mut Board::default(), &mut verify, 8);
    println!("keys compared {}, mismatches {}", verify.found.checks.keys, verify.found.mismatches.len());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printed_sequence() {
        let keys: Vec<_> = sequence().into_iter().map(|(_, key)| key).collect();
        assert_eq!(keys, ["1000", "1100", "1101", "1001", "1101"]);
    }

    #[test]
    fn every_node_is_verified() {
        let control = Control::default();
        let mut verify = Verify::new(&[], 6, 0, None, &control);
        walk(Level::detect(), &mut Board::default(), &mut verify, 6);
        assert_eq!((verify.found.mismatches.len(), verify.found.checks.keys), (0, (4_u64.pow(7) - 1) / 3));
    }
}
