//! `perft unique --export` and `--verify-export`: the positions of the last ply in a file.

use super::args::UniqueArgs;
use super::resources::Resources;
use crate::failure::{CommandFailure, Usage};
use crate::out::file::Output;
use perft_gate_chess::{Board, Fen};
use perft_gate_unique::export::{self, Contents};
use perft_gate_unique::{Frontier, Unique, UniqueOptions};
use perft_gate_walk::{Control, MAX_DEPTH};
use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::Path;
use std::process::ExitCode;

/// Writes the positions of a ply; returns false if interrupted, and says so.
pub fn write_export(
    output: &Output,
    frontier: &Frontier,
    board: &Board,
    options: &UniqueOptions<'_>,
    ply: u32,
    control: &Control,
) -> Result<bool, CommandFailure> {
    let root = Fen::write(board, options.policy);
    let stopped = || control.is_stopped();
    let mut out = BufWriter::new(output.draft().map_err(|error| output.failed(error))?);
    match export::write(&mut out, frontier, &root, options.policy, ply, stopped) {
        Err(_) if stopped() => {
            note!("interrupted: {} is not written", output.shown());
            return Ok(false);
        }
        written => written.map_err(|error| output.failed(error))?,
    };
    let draft = out.into_inner().map_err(|error| output.failed(error.into_error()))?;
    draft.finish().map_err(|error| output.failed(error))?;
    say!("wrote {} positions to {}", frontier.positions(), output.shown());
    Ok(true)
}

/// Reads an export back, and compares it with a count from its root.
pub fn verify_export(args: &UniqueArgs, path: &Path) -> Result<ExitCode, CommandFailure> {
    let shown = path.display();
    let file = File::open(path).map_err(|error| Usage(format!("{shown}: {error}, expected an export")))?;
    let (header, found) = export::read(BufReader::new(file)).map_err(|error| Usage(format!("{shown}: {error}")))?;
    let board = Fen::parse(&header.root).map_err(|error| Usage(format!("{shown}: the root: {error}")))?;
    if header.ply > MAX_DEPTH {
        return Err(Usage(format!("{shown}: found ply {}, expected at most {MAX_DEPTH}", header.ply)));
    }
    say!("{shown}: {} positions at ply {} of {}, checksum ok", header.positions, header.ply, header.root);
    let run = Resources::new(args.memory, &args.run)?;
    let options = UniqueOptions { policy: header.policy, keep: true, ..run.options };
    let Some(Unique { frontier: Some(frontier), .. }) = run.counted(&board, header.ply, &options)? else {
        return Ok(ExitCode::from(130));
    };
    let expected = Contents::of(&frontier);
    let same = found == expected;
    say!(
        "positions and multiplicities counted again: {}",
        if same { "the same: ok" } else { "WRONG, the file has others" }
    );
    say!("{}", run.budget.cost(run.start));
    Ok(if same { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
