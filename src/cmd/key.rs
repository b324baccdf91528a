//! `perft key`: prints a position's key and the table entries that contribute to it.

use crate::args::position::{PositionArgs, diagram};
use crate::args::scheme::SchemeArgs;
use crate::failure::Result;
use crate::out::file::Output;
use clap::Args;
use perft_gate_chess::{Board, EnPassantPolicy};
use perft_gate_report::key::{EnPassantSquares, KeyDocument, KeyTerm, SCHEMA, SchemeKey};
use perft_gate_report::text;
use perft_gate_zobrist::{KeyTable, PRESETS, Scheme, Term};
use std::path::PathBuf;
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
    /// Write the keys and their terms as JSON (`perft.key/1`); `-` for standard output.
    #[arg(long, value_name = "FILE|-")]
    json: Option<PathBuf>,
}

pub fn run(args: &KeyArgs) -> Result<ExitCode> {
    let board = args.position.board()?;
    let scheme = args.scheme.scheme()?;
    let json = Output::open_if("--json", args.json.as_deref())?;
    let schemes = if scheme.is_all() { PRESETS.to_vec() } else { vec![scheme] };
    let document = document(&board, &schemes, args.seed);
    say!("{}", diagram(&board));
    say!("FEN       {}", document.fen);
    say!("castling  {}", document.castling);
    for policy in EnPassantPolicy::ALL {
        say!("e.p.      {:<7} {}", policy.name(), square(&board, policy).unwrap_or("-".into()));
    }
    for SchemeKey { scheme, key, parts } in &document.keys {
        say!("{scheme:<13} {}", key.as_deref().unwrap_or("no key"));
        for (number, terms) in parts.iter().enumerate().filter(|_| schemes.len() == 1) {
            if number > 0 {
                say!("  the upper part");
            }
            terms.iter().for_each(|KeyTerm { entry, term }| say!("  {entry}  {term}"));
        }
    }
    Output::write_if(json.as_ref(), || text::json(SCHEMA, &document))?;
    Ok(ExitCode::SUCCESS)
}

fn document(board: &Board, schemes: &[Scheme], seed: u64) -> KeyDocument {
    let [always, pseudo, legal] =
        [EnPassantPolicy::Always, EnPassantPolicy::Pseudo, EnPassantPolicy::Legal].map(|policy| square(board, policy));
    let key = |scheme: &Scheme| {
        let tables = scheme.key_tables(seed);
        let parts = tables.as_ref().map_or(&[][..], |tables| &tables.parts);
        SchemeKey {
            scheme: scheme.name.to_string(),
            key: tables.as_ref().map(|tables| scheme.text(tables.key(board))),
            parts: parts.iter().map(|table| terms(board, table)).collect(),
        }
    };
    KeyDocument {
        fen: board.to_string(),
        castling: board.castling_rights().to_string(),
        en_passant: EnPassantSquares { always, pseudo, legal },
        keys: schemes.iter().map(key).collect(),
    }
}

fn square(board: &Board, policy: EnPassantPolicy) -> Option<String> {
    board.en_passant(policy).map(|square| square.to_string())
}

/// Returns every table entry that contributes to the position's key.
fn terms(board: &Board, table: &KeyTable) -> Vec<KeyTerm> {
    let rest = [
        Term::Castling(board.castling_rights()),
        Term::EnPassant(board.en_passant(table.policy)),
        Term::Side(Some(board.turn())),
    ];
    let clock = table.clock.is_some().then(|| Term::Clock(board.state.halfmove()));
    let terms = Term::pieces_of(board).chain(rest).chain(clock);
    terms.map(|term| KeyTerm { entry: format!("{:016x}", table.entry(term)), term }).collect()
}
