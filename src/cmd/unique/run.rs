//! What `perft unique` does, step by step.

use super::args::{ByArg, UniqueArgs};
use super::checks::compared;
use super::document::document;
use super::export::{verify_export, write_export};
use super::resources::{PliesAndFrontier, Resources};
use super::spill;
use crate::failure::{CommandFailure, Usage};
use crate::out::console;
use crate::out::file::Output;
use crate::out::progress::with_task_bar;
use perft_gate_unique::{By, Frontier, UniqueOptions};
use std::process::ExitCode;

pub fn run(args: &UniqueArgs) -> Result<ExitCode, CommandFailure> {
    if let Some(path) = &args.verify_export {
        return verify_export(args, path);
    }
    let board = args.position.board()?;
    let scheme = args.scheme()?;
    let policy = args.ep.unwrap_or(scheme.policy());
    let by = match args.by {
        ByArg::Position => By::Position,
        ByArg::Key | ByArg::Key128 if args.export.is_some() => {
            return Err(Usage("--export: found --by key, expected --by position: a key is not a position".into()));
        }
        ByArg::Key | ByArg::Key128 => By::Key { scheme: &scheme, seed: args.seed },
    };
    let json = Output::open_if("--json", args.json.as_deref())?;
    let export = Output::open_if("--export", args.export.as_deref())?;
    let run = Resources::new(args.memory, &args.run)?;
    let options = UniqueOptions { policy, by, diagrams: args.board_only, keep: export.is_some(), ..run.options };
    let depth = args.depth();
    let count = |options: &UniqueOptions<'_>| -> Result<Option<PliesAndFrontier>, CommandFailure> {
        Ok(match &args.spill {
            None => run.counted(&board, depth, options)?.map(|unique| (unique.plies, unique.frontier)),
            Some(folder) => spill::counted(&run, folder, args.disk, &board, depth, options)?.map(|plies| (plies, None)),
        })
    };
    #[cfg(feature = "cluster")]
    let counted = args.cluster.counted(&board, depth, &options, &run, args.spill.is_some(), count)?;
    #[cfg(not(feature = "cluster"))]
    let counted = count(&options)?;
    let Some((plies, frontier)) = counted else { return Ok(ExitCode::from(130)) };
    if console::is_silent() {
        return Ok(ExitCode::SUCCESS);
    }
    // Beside the positions that are kept.
    let beside = UniqueOptions {
        memory: options.memory.saturating_sub(frontier.as_ref().map_or(0, Frontier::bytes)),
        ..options
    };
    let comparing = || run.pool.install(|| compared(&board, &plies, args, &beside, &run.control));
    let (wrong, failure) = match with_task_bar(&run.control, "comparing with counts of the tree", comparing) {
        Ok(wrong) => (wrong, None),
        Err(failure) => (false, Some(failure)),
    };
    // Before anything else may fail or be interrupted: a count that is complete is not lost.
    if let (Some(json), false) = (&json, wrong) {
        json.write(document(&board, &plies, &options).text().as_bytes())?;
    }
    if let Some(failure) = failure {
        return Err(failure);
    }
    if run.control.is_stopped() {
        note!("interrupted: the plies above are complete, but were not compared");
        return Ok(ExitCode::from(130));
    }
    if let (Some(export), Some(frontier), false) = (&export, &frontier, wrong)
        && !write_export(export, frontier, &board, &options, plies.len() as u32 - 1, &run.control)?
    {
        return Ok(ExitCode::from(130));
    }
    say!("{}", run.budget.cost(run.start));
    Ok(if wrong { ExitCode::from(1) } else { ExitCode::SUCCESS })
}
