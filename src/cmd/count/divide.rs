//! Counts by root move, and their comparison with another engine's listing.

use super::way::{WayArgs, finish, say_stopped, speed_of_run};
use crate::args::depth::DepthArgs;
use crate::args::position::PositionArgs;
use crate::args::text::{MAX_TEXT, text};
use crate::failure::{CommandFailure, Usage};
use crate::out::file::Output;
use crate::out::progress::with_task_bar;
use clap::Args;
use perft_gate_chess::{Board, Move, excerpt};
use perft_gate_engine::{NoListing, PastedListing};
use perft_gate_report::divide::{DivideDocument, RootCount, SCHEMA, comparison};
use perft_gate_report::text::json as json_text;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

#[derive(Args, Debug)]
pub struct DivideArgs {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    depth: DepthArgs<1>,
    /// Compare with another engine's listing in a file, in any usual format; `-` for standard input.
    #[arg(long, value_name = "FILE|-")]
    compare: Option<PathBuf>,
    /// Write the counts, and the comparison, as JSON (`perft.divide/1`); `-` for standard output.
    #[arg(long, value_name = "FILE|-")]
    json: Option<PathBuf>,
    #[command(flatten)]
    way: WayArgs,
}

pub fn run(args: &DivideArgs) -> Result<ExitCode, CommandFailure> {
    let is_standard = |path: &PathBuf| path == Path::new("-");
    if args.position.fen == "-" && args.compare.as_ref().is_some_and(is_standard) {
        return Err(Usage("--compare -: standard input is taken by --fen -, expected a file for one of them".into()));
    }
    let board = args.position.board()?;
    let listing = args.compare.as_deref().map(ListingText::read).transpose()?;
    print_divide(&board, args.depth.plies(), &args.way, listing, args.json.as_deref())
}

/// Text of a listing.
pub struct ListingText {
    /// Option and file, for messages.
    named: String,
    text: String,
}

impl ListingText {
    fn read(path: &Path) -> Result<ListingText, CommandFailure> {
        let named = format!("--compare {}", path.display());
        let text = text(path, MAX_TEXT, &named, "a file with a listing of root moves")?;
        // UTF-16 without its mark: what is compared in a listing is ASCII.
        Ok(ListingText { named, text: text.replace('\0', "") })
    }

    fn compare(&self, board: &Board, depth: u32, expected: &[(Move, u128)]) -> Result<PastedListing, CommandFailure> {
        PastedListing::compare(&self.text, board, depth, expected).map_err(|NoListing(lines)| {
            let found = lines.first().map_or("nothing".into(), |line| format!("'{}'", excerpt(line, 40)));
            Usage(format!("{}: found {found}, expected root moves such as 'e2e4: 20' or 'Nf3: 20'", self.named))
        })
    }
}

/// Counts by root move, and prints the counts or their differences from a listing.
pub fn print_divide(
    board: &Board,
    depth: u32,
    way: &WayArgs,
    listing: Option<ListingText>,
    json: Option<&Path>,
) -> Result<ExitCode, CommandFailure> {
    let json = Output::open_if("--json", json)?;
    let session = way.table.session(&[(*board, depth)])?;
    let checkpoint = way.checkpoint(&session, (board, depth))?;
    let start = Instant::now();
    let counter = session.counter(checkpoint.as_ref());
    let rows = with_task_bar(session.control(), "divide", || session.divide(counter, board, depth));
    let time = start.elapsed();
    let total = rows.iter().map(|(_, nodes)| nodes).sum();
    let stopped = session.was_stopped();
    let compared = match &listing {
        Some(listing) if !stopped => Some(listing.compare(board, depth, &rows)?),
        _ => None,
    };
    match &compared {
        Some(compared) => comparison(compared, board, depth, rows.len()).lines().for_each(|line| say!("{line}")),
        None => {
            for (mv, nodes) in &rows {
                say!("{}: {nodes}", mv.uci());
            }
            say!("\nmoves {}\ntotal {total}", rows.len());
        }
    }
    // Not among the counts, so that those can be compared with another program's output.
    note!("{}", speed_of_run(&session, total, time, checkpoint.as_ref()));
    if stopped {
        return say_stopped("the moves above are complete, others are missing", checkpoint.as_ref());
    }
    if let Some(json) = json {
        json.write(json_text(SCHEMA, document(board, depth, &rows, time, compared.clone())).as_bytes())?;
    }
    finish(&session, checkpoint.as_ref())?;
    Ok(if compared.is_none_or(|compared| compared.is_same) { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn document(
    board: &Board,
    depth: u32,
    rows: &[(Move, u128)],
    time: Duration,
    comparison: Option<PastedListing>,
) -> DivideDocument {
    DivideDocument {
        fen: board.to_string(),
        depth,
        moves: rows.iter().map(|(mv, nodes)| RootCount { mv: mv.uci().to_string(), nodes: *nodes }).collect(),
        nodes: rows.iter().map(|(_, nodes)| nodes).sum(),
        seconds: time.as_secs_f64(),
        comparison,
    }
}
