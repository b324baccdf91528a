//! One position: a FEN, and moves from there.

use super::san;
use crate::failure::{Failure, Usage};
use clap::Args;
use perft_gate_judge::gate::after;
use perft_gate_walk::chess::{Board, Fen, Move, excerpt, legal_moves};
use std::borrow::Cow;

pub const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Arguments for one position.
#[derive(Args, Debug)]
pub struct PositionArgs {
    /// Position: FEN, with or without quotes, `startpos` or `kiwipete`; `-` reads it from standard input.
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

/// Returns the value of `--fen`, or for `-` the first line of standard input that is not empty.
pub fn fen_of(fen: &str) -> Result<Cow<'_, str>, Failure> {
    if fen != "-" {
        return Ok(fen.into());
    }
    for line in std::io::stdin().lines() {
        let line = line.map_err(|error| Usage(format!("--fen -: {error}, expected a FEN on standard input")))?;
        if !line.trim().is_empty() {
            return Ok(line.trim().to_string().into());
        }
    }
    Err(Usage("--fen -: found nothing on standard input, expected a FEN".into()))
}

/// Returns the board of `--fen`, after `--moves`.
pub fn board_of(fen: &str, moves: &[&str]) -> Result<Board, Failure> {
    let fen = fen_of(fen)?;
    let fen = match &*fen {
        "startpos" => Fen::START,
        "kiwipete" => KIWIPETE,
        other => other,
    };
    played(Fen::parse(fen)?, moves).map_err(|error| Usage(format!("--moves: {error}")))
}

/// Returns the board after moves in UCI notation. **Errors**: names the first one that is not legal.
pub fn played(board: Board, moves: &[&str]) -> Result<Board, String> {
    moves.iter().try_fold(board, |board, text| {
        let legal = legal_moves(&board);
        match legal.iter().find(|mv| is_written(**mv, text)) {
            Some(&mv) => Ok(after(&board, mv)),
            None => {
                let hint = san::hint(&board, text).unwrap_or_default();
                Err(format!("found '{}', expected a legal move of '{board}'{hint}", excerpt(text, 20)))
            }
        }
    })
}

/// Returns true if a text is this move; castling may also be written king-takes-rook.
fn is_written(mv: Move, text: &str) -> bool {
    mv.uci().to_string() == text || mv.uci_chess960().to_string() == text
}
