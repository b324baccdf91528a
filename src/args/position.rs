//! One position: a FEN, and moves from there.

use crate::failure::{Failure, Usage};
use clap::Args;
use perft_gate_walk::chess::{Board, Fen, Kind, Move, legal_moves};

pub const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Arguments for one position.
#[derive(Args, Debug)]
pub struct PositionArgs {
    /// Position: FEN, `startpos` or `kiwipete`.
    #[arg(long, default_value = "startpos")]
    pub fen: String,
    /// Moves from there, in UCI notation.
    #[arg(long, num_args = 1..)]
    pub moves: Vec<String>,
}

impl PositionArgs {
    pub fn board(&self) -> Result<Board, Failure> {
        let moves: Vec<&str> = self.moves.iter().flat_map(|moves| moves.split_whitespace()).collect();
        board_of(&self.fen, &moves)
    }
}

/// Returns the board of `--fen`, after `--moves`.
pub fn board_of(fen: &str, moves: &[&str]) -> Result<Board, Failure> {
    let fen = match fen {
        "startpos" => Fen::START,
        "kiwipete" => KIWIPETE,
        other => other,
    };
    let mut position = perft_gate_walk::Position::new(Fen::parse(fen)?, ());
    for &text in moves {
        let legal = legal_moves(position.board());
        let Some(&mv) = legal.iter().find(|mv| is_written(**mv, text)) else {
            return Err(Usage(format!("--moves: found '{text}', expected a legal move of '{}'", position.board())));
        };
        let _ = perft_gate_walk::walk::Game::play(&mut position, perft_gate_simd::V1::token(), mv);
    }
    Ok(*position.board())
}

/// Returns true if a text is this move; castling may also be written king-takes-rook.
pub fn is_written(mv: Move, text: &str) -> bool {
    mv.uci().to_string() == text || mv.kind() == Kind::Castle && format!("{}{}", mv.from(), mv.to()) == text
}
