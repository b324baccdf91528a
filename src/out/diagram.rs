//! Diagram of a position.

use perft_gate_chess::{Board, Square};

/// Returns the pieces by rank, with the names of ranks and files.
pub fn diagram(board: &Board) -> String {
    let letter = |square| board.piece_on(square).map_or('.', |piece| piece.letter());
    let rank = |rank| {
        let pieces: Vec<String> = (0..8).map(|file| letter(Square::at(file, rank)).to_string()).collect();
        format!("{} {}\n", rank + 1, pieces.join(" "))
    };
    (0..8).rev().map(rank).collect::<String>() + "  a b c d e f g h"
}
