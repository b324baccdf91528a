//! `perft key`.

use crate::args::position::PositionArgs;
use crate::args::scheme::SchemeArgs;
use crate::failure::Failure;
use crate::out::diagram::diagram;
use clap::Args;
use perft_gate_walk::chess::{Board, Code, EnPassantPolicy, Square};
use perft_gate_walk::zobrist::{KeyTable, PRESETS};
use std::process::ExitCode;

#[derive(Args, Debug)]
pub struct KeyArgs {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    scheme: SchemeArgs,
    /// Seed of the key table.
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

pub fn run(args: &KeyArgs) -> Result<ExitCode, Failure> {
    let board = args.position.board()?;
    let scheme = args.scheme.scheme()?;
    let schemes = if scheme.is_all() { PRESETS.to_vec() } else { vec![scheme] };
    say!("{}", diagram(&board));
    say!("FEN       {board}");
    say!("castling  {}", board.castling_rights());
    for policy in EnPassantPolicy::ALL {
        let square = board.en_passant(policy).map_or("-".into(), |square| square.to_string());
        say!("e.p.      {:<7} {square}", policy.name());
    }
    for scheme in &schemes {
        let Some(key_tables) = scheme.key_tables(args.seed) else {
            say!("{:<13} no key", scheme.name);
            continue;
        };
        say!("{:<13} {}", scheme.name, scheme.text(key_tables.key(&board)));
        if schemes.len() == 1 {
            for (part, table) in key_tables.parts.iter().enumerate() {
                if part > 0 {
                    say!("  the upper part");
                }
                print_terms(&board, table);
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints every entry that is in the key.
fn print_terms(board: &Board, table: &KeyTable) {
    for square in board.occupied() {
        let piece = board.piece_on(square).expect("an occupied square");
        let entry = table.pieces[Code::from(piece).index()][square.index()];
        say!("  {entry:016x}  {piece} {square}");
    }
    let rights = board.castling_rights();
    say!("  {:016x}  castling {rights}", table.castling[rights.index()]);
    let square = board.en_passant(table.policy);
    let entry = table.en_passant[square.map_or(64, Square::index)];
    say!("  {entry:016x}  e.p. {}", square.map_or("-".into(), |square| square.to_string()));
    say!("  {:016x}  {} to move", table.side[board.turn().index()], board.turn().name());
}
