//! `perft collisions`: counts the positions of a ply whose keys agree in a window of bits.

use crate::args::position::PositionArgs;
use crate::args::run::{DepthArgs, RunArgs, control};
use crate::args::scheme::SchemesArgs;
use crate::args::size::{self, Budget};
use crate::failure::{Result, Usage, exit_broken_keys};
use crate::out::console;
use crate::out::file::Output;
use crate::out::progress::with_bar;
use clap::Args;
use perft_gate_chess::{EnPassantPolicy, Fen};
use perft_gate_lab::collisions::{CollisionOptions, MAX_KEY_BITS, collisions, key_bits};
use perft_gate_lab::quality::{AuditVerdict, Window};
use perft_gate_report::collisions::{CollisionsDocument, SCHEMA, text};
use perft_gate_report::text::json as json_text;
use perft_gate_walk::Progress;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

#[derive(Args, Debug)]
pub struct CollisionsArgs {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    depth: DepthArgs<1>,
    #[command(flatten)]
    schemes: SchemesArgs,
    /// Widths of the windows, in bits (see --window).
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "16,24,32,48,64",
          value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_KEY_BITS)))]
    bits: Vec<u32>,
    /// Windows of the key to compare: the lowest bits, the highest, or the lowest xored with the highest.
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', default_value = "low,high,fold",
          value_parser = |text: &str| Window::of_name(text, format_args!("'{text}'")))]
    window: Vec<Window>,
    /// Number of key tables per scheme. Fewer than a dozen show only gross faults.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    seeds: u64,
    /// Seed of the first key table.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=1_u64 << 63))]
    seed: u64,
    /// Maximum memory, such as 512M or 8G, or `auto`: three quarters of the free memory.
    #[arg(long, value_name = "SIZE", default_value = "auto")]
    memory: size::MemorySize,
    /// Write all counts as JSON (`perft.collisions/1`); `-` for standard output.
    #[arg(long, value_name = "FILE|-")]
    json: Option<PathBuf>,
    #[command(flatten)]
    run: RunArgs,
}

pub fn run(args: &CollisionsArgs) -> Result<ExitCode> {
    let board = args.position.board()?;
    let schemes = args.schemes.schemes()?;
    if let Some(wide) = schemes.iter().find(|scheme| key_bits(scheme) > MAX_KEY_BITS) {
        let (name, bits) = (&wide.name, key_bits(wide));
        return Err(Usage(format!("--scheme: found {name} with keys of {bits} bits, expected at most {MAX_KEY_BITS}")));
    }
    let widths = dedup(&args.bits);
    let narrowest = widths.iter().copied().min().unwrap_or(MAX_KEY_BITS);
    if let Some(narrow) = schemes.iter().find(|scheme| key_bits(scheme) < narrowest) {
        let (name, bits) = (&narrow.name, key_bits(narrow));
        return Err(Usage(format!("--bits: found {narrowest}, expected at most the {bits} bits of {name}")));
    }
    let json = Output::open_if("--json", args.json.as_deref())?;
    let (level, control, (pool, _)) = (args.run.level()?, control()?, args.run.pool()?);
    let budget = Budget::new(args.memory, pool.current_num_threads())?;
    let windows = dedup(&args.window);
    let (seeds, first_seed) = (args.seeds, args.seed);
    let options = CollisionOptions { windows, widths, seeds, first_seed, memory: budget.tables, level };
    let start = Instant::now();
    let (done, total) = (AtomicU64::new(0), AtomicU64::new(0));
    let counted = |progress: Progress| {
        done.store(progress.done, Relaxed);
        total.store(progress.total, Relaxed);
    };
    let result = with_bar(
        ("key tables", "tables"),
        || (done.load(Relaxed), total.load(Relaxed)),
        || pool.install(|| collisions(&board, args.depth.plies(), &schemes, &options, &control, counted)),
    );
    let Some(schemes) = result.map_err(|error| Usage(error.to_string()))? else {
        note!("interrupted: {} of {} key tables were counted, no verdict", done.load(Relaxed), total.load(Relaxed));
        return Ok(ExitCode::from(130));
    };
    if schemes.iter().any(|scheme| scheme.positions == 0) {
        let ply = args.depth.plies();
        return Err(Usage(format!(
            "--depth: found no position at ply {ply}, expected one: all games end earlier, so lower --depth"
        )));
    }
    let fen = Fen::write(&board, EnPassantPolicy::Always);
    let report = CollisionsDocument::new(fen, args.depth.plies(), schemes, start.elapsed());
    say!("{}", text(&report, &options, console::width()).trim_end());
    say!("{}", budget.cost(start));
    Output::write_if(json.as_ref(), || json_text(SCHEMA, &report))?;
    Ok(if report.verdict == AuditVerdict::Broken { exit_broken_keys() } else { ExitCode::SUCCESS })
}

fn dedup<T: Copy + PartialEq>(list: &[T]) -> Vec<T> {
    list.iter().enumerate().filter(|(at, item)| !list[..*at].contains(item)).map(|(_, item)| *item).collect()
}
