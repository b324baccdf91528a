//! `perft key`.

use super::{Usage, board_of, find_scheme};
use crate::chess::{Board, Code, EnPassantPolicy, Square};
use crate::keys::{PRESETS, Preset};
use clap::Args;
use std::process::ExitCode;

#[derive(Args, Debug)]
pub(super) struct KeyArgs {
    /// FEN, `startpos` or `kiwipete`.
    #[arg(long, default_value = "startpos")]
    fen: String,
    /// Moves from there, in UCI notation.
    #[arg(long, num_args = 1..)]
    moves: Vec<String>,
    /// A scheme, or `all`.
    #[arg(long, default_value = "cpw793")]
    scheme: String,
    /// Seed of the words.
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

pub(super) fn run(args: &KeyArgs) -> Result<ExitCode, Usage> {
    let board = board_of(&args.fen, &args.moves)?;
    let schemes: Vec<&Preset> = match args.scheme.as_str() {
        "all" => PRESETS.iter().collect(),
        name => vec![find_scheme(name)?],
    };
    print_board(&board);
    say!("FEN       {board}");
    say!("castling  {}", board.castling_rights());
    for policy in EnPassantPolicy::ALL {
        let square = board.en_passant(policy).map_or("-".into(), |square| square.to_string());
        say!("e.p.      {:<7} {square}", policy.name());
    }
    for scheme in &schemes {
        let Some(words) = scheme.flattened(args.seed) else {
            say!("{:<10} no key", scheme.name);
            continue;
        };
        say!("{:<10} {}", scheme.name, words.key(&board, scheme.policy));
        if schemes.len() == 1 {
            for square in board.occupied() {
                let piece = board.piece_on(square).expect("an occupied square");
                let word = words.pieces[Code::from(piece).index()][square.index()];
                say!("  {word:016x}  {piece} {square}");
            }
            let en_passant = board.en_passant(scheme.policy);
            say!("  {:016x}  castling {}", words.castling[board.castling_rights().index()], board.castling_rights());
            say!(
                "  {:016x}  e.p. {}",
                words.en_passant[en_passant.map_or(64, Square::index)],
                en_passant.map_or("-".into(), |square| square.to_string())
            );
            say!("  {:016x}  {} to move", words.side[board.turn().index()], board.turn().name());
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn print_board(board: &Board) {
    for rank in (0..8).rev() {
        let row = (0..8).map(|file| board.piece_on(Square::at(file, rank)).map_or('.', |piece| piece.letter()));
        say!("{} {}", rank + 1, row.map(String::from).reduce(|a, b| format!("{a} {b}")).unwrap_or_default());
    }
    say!("  a b c d e f g h");
}
