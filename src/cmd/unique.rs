//! `perft unique`: counts the distinct positions of each ply.

#[cfg(feature = "cluster")]
mod cluster;
mod resources;
mod spill;

use crate::args::position::PositionArgs;
use crate::args::run::{BareDepth, RunArgs, plies};
use crate::args::scheme::{SchemeArgs, policy};
use crate::args::size;
use crate::cmd::estimate::check_lifetime;
use crate::cmd::session::{MAX_RATE, MAX_SHORT, stored_positions};
use crate::failure::{Result, Usage};
use crate::out::console;
use crate::out::file::Output;
use crate::out::progress::with_task_bar;
use clap::{Args, ValueEnum};
use perft_gate_chess::{Board, EnPassantPolicy, Fen};
use perft_gate_count::LeafCount;
use perft_gate_report::text::json;
use perft_gate_report::unique::{PlyCounts, SCHEMA, UniqueDocument};
use perft_gate_unique::export::{self, Contents};
use perft_gate_unique::published::{self, Published};
use perft_gate_unique::{BruteForce, By, Frontier, Ply, Unique, UniqueOptions, leaves};
use perft_gate_walk::{Control, MAX_DEPTH};
use perft_gate_zobrist::{Scheme, Width};
pub use resources::with_next_step;
use resources::{PliesAndFrontier, Resources};
use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Args, Debug)]
pub struct UniqueArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Number of plies.
    #[arg(long, short, value_parser = plies(0), required_unless_present_any = ["verify_export", "bare_depth"])]
    depth: Option<u32>,
    #[command(flatten)]
    alone: BareDepth<0>,
    /// How to compare positions of the last ply. Those of earlier plies are always compared in full.
    #[arg(long, value_enum, default_value = "position")]
    by: ByArg,
    /// When an e.p. square makes a position different: if an e.p. capture is legal, if an enemy pawn attacks the square,
    /// or always (default: the scheme's policy).
    #[arg(long, value_name = "POLICY", value_parser = policy)]
    ep: Option<EnPassantPolicy>,
    /// Also count diagrams: positions by the placement of their pieces alone.
    #[arg(long)]
    board_only: bool,
    /// Count the last ply again by putting every leaf of the tree into a set. Both counts must agree.
    #[arg(long)]
    leaves: bool,
    /// Maximum memory, such as 512M or 8G, or `auto`: three quarters of the free memory.
    #[arg(long, value_name = "SIZE", default_value = "auto")]
    memory: size::MemorySize,
    /// Keep the positions in this folder instead of in memory. The same command resumes an interrupted run.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["export", "verify_export"])]
    spill: Option<PathBuf>,
    /// Maximum size of that folder, or `auto`: nine tenths of the free space.
    #[arg(long, value_name = "SIZE", default_value = "auto", requires = "spill")]
    disk: size::MemorySize,
    /// Write the counts as JSON (`perft.unique/1`); `-` for standard output.
    #[arg(long, value_name = "FILE|-", conflicts_with = "verify_export")]
    json: Option<PathBuf>,
    /// Write the last ply's positions with their multiplicities (`docs/read_export.py` reads them); `-` for standard
    /// output.
    #[arg(long, value_name = "FILE|-", conflicts_with = "verify_export")]
    export: Option<PathBuf>,
    /// Read an exported file, check it, and count its positions again from its root.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "moves", "depth", "bare_depth", "by", "ep", "board_only", "leaves"])]
    verify_export: Option<PathBuf>,
    /// Start on a terminal even if the count would take longer than a lifetime.
    #[arg(long)]
    yes: bool,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    cluster: cluster::ClusterArgs,
    #[command(flatten)]
    scheme: SchemeArgs,
    /// Seed of the scheme's key table.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    run: RunArgs,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum ByArg {
    /// The scheme's keys; positions that share a key count as one.
    Key,
    /// Keys of 128 bits made like the scheme's; 96 of the bits are kept.
    Key128,
    /// The complete position: exact.
    Position,
}

impl UniqueArgs {
    fn depth(&self) -> u32 {
        self.alone.bare_depth.or(self.depth).unwrap_or_default()
    }

    /// Returns the scheme whose keys or e.p. policy are used.
    fn scheme(&self) -> Result<Scheme> {
        let scheme = self.scheme.scheme()?;
        if scheme.is_all() || self.by != ByArg::Position && scheme.number_of_keys() == 0 {
            return Err(Usage(format!("--scheme: found '{}', expected one scheme with keys", scheme.name)));
        }
        if self.by != ByArg::Position && scheme.has_clock() {
            let expected = "one without the halfmove clock, which gives a position several keys";
            return Err(Usage(format!("--scheme: found '{}', expected {expected}", scheme.name)));
        }
        if self.seed != 0 && scheme.is_fixed() {
            return Err(Usage(format!(
                "--seed: found a seed, expected none: the key table of {} is published",
                scheme.name
            )));
        }
        if self.by == ByArg::Key128 {
            return scheme.with_width(Width::W128).map_err(|error| Usage(format!("--by key128: {error}")));
        }
        Ok(scheme)
    }
}

pub fn run(args: &UniqueArgs) -> Result<ExitCode> {
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
    if args.depth() > MAX_SHORT {
        check_lifetime(stored_positions(&board, args.depth() + 2) / MAX_RATE, args.yes)?;
    }
    let json = Output::open_if("--json", args.json.as_deref())?;
    let export = Output::open_if("--export", args.export.as_deref())?;
    let run = Resources::new(args.memory, &args.run)?;
    let options = UniqueOptions { policy, by, diagrams: args.board_only, keep: export.is_some(), ..run.options };
    let depth = args.depth();
    let count = |options: &UniqueOptions<'_>| -> Result<Option<PliesAndFrontier>> {
        Ok(match &args.spill {
            None => run.count(&board, depth, options)?.map(|unique| (unique.plies, unique.frontier)),
            Some(folder) => {
                spill::count_on_disk(&run, folder, args.disk, &board, depth, options)?.map(|plies| (plies, None))
            }
        })
    };
    #[cfg(feature = "cluster")]
    let counted = args.cluster.count_together(&board, depth, &options, &run, args.spill.is_some(), count)?;
    #[cfg(not(feature = "cluster"))]
    let counted = count(&options)?;
    let Some((plies, frontier)) = counted else { return Ok(ExitCode::from(130)) };
    if console::is_silent() {
        return Ok(ExitCode::SUCCESS);
    }
    // The comparison may use only the memory that the positions kept for `--export` leave free.
    let beside = UniqueOptions {
        memory: options.memory.saturating_sub(frontier.as_ref().map_or(0, Frontier::bytes)),
        ..options
    };
    let comparing = || run.pool.install(|| compare_last_ply(&board, &plies, args, &beside, &run.control));
    let compared = with_task_bar(&run.control, "comparing with counts of the tree", comparing);
    // Write the JSON file now, so that the complete count is not lost if a later step fails or is interrupted.
    if !matches!(compared, Ok(true)) {
        Output::write_if(json.as_ref(), || document(&board, &plies, &options))?;
    }
    let wrong = compared?;
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

/// Maximum perft number that is compared with a count of the tree. Up to this limit, such a count takes only seconds.
const MAX_COMPARED: u128 = 10_000_000_000;

/// Compares all plies with published numbers, and reports the result. Returns false if they disagree.
fn are_published(board: &Board, plies: &[Ply], options: &UniqueOptions<'_>) -> bool {
    // Skip plies at which positions are expected to be lost because they share a key.
    let exact: fn(&Ply) -> Option<u128> =
        |ply| ply.expected_lost.is_none_or(|lost| lost < 1e-3).then_some(ply.positions.distinct.into());
    let sequences = [
        ("distinct positions", published::row(board, options.policy.name()), exact),
        ("diagrams", published::row(board, "diagrams"), |ply| ply.diagrams.map(|diagrams| diagrams.distinct.into())),
        ("leaves", published::row(board, "leaves"), |ply| Some(ply.positions.total)),
    ];
    let mut are_same = true;
    for (what, published, number) in sequences {
        let Some(Published { source, numbers }) = published else { continue };
        let compared = plies.iter().skip(1).zip(numbers);
        let compared: Vec<_> = compared.filter_map(|(ply, n)| Some((ply.ply, number(ply)?, n))).collect();
        let wrong: Vec<_> = compared.iter().filter(|(_, found, expected)| found != expected).collect();
        for (ply, found, expected) in &wrong {
            say!("ply {ply}: WRONG, found {found} {what}, published: {expected} ({source})");
        }
        if let (Some((last, ..)), true) = (compared.last(), wrong.is_empty()) {
            say!("published {what} ({source}), plies 1 to {last}: ok");
        }
        are_same &= wrong.is_empty();
    }
    are_same
}

/// Compares the counts of the last ply with those of other methods. Returns true if they disagree.
///
/// **Errors**: a comparison could not be run, and the comparisons before it found no difference.
fn compare_last_ply(
    board: &Board,
    plies: &[Ply],
    args: &UniqueArgs,
    options: &UniqueOptions<'_>,
    control: &Control,
) -> Result<bool> {
    let last = plies.last().expect("the root's ply");
    let perft = last.positions.total;
    let mut wrong = !are_published(board, plies, options);
    if perft <= MAX_COMPARED {
        let LeafCount { nodes, interrupted, .. } = perft_gate_count::leaves(board, last.ply, options.level, control);
        if interrupted {
            return Ok(wrong);
        }
        let verdict = if nodes == perft { "ok" } else { "WRONG" };
        say!("perft {perft}, tree count {nodes}: {verdict}");
        wrong |= nodes != perft;
    } else {
        say!("perft {perft}: not compared with the tree, which is large; to compare: perft count --depth {}", last.ply);
    }
    if args.leaves {
        let expected = (last.positions.distinct, perft);
        let literal = match leaves(board, last.ply, expected, options, control) {
            Ok(literal) => literal,
            Err(error) if wrong => {
                note!("error: every leaf counted in a set: {}", with_next_step(error));
                return Ok(true);
            }
            Err(error) => return Err(with_next_step(error)),
        };
        let verdict = match literal {
            BruteForce::Interrupted => return Ok(wrong),
            BruteForce::Counted(summary) if summary == last.positions => "ok".into(),
            BruteForce::Counted(summary) => format!("WRONG, found {summary:?}, expected {:?}", last.positions),
            BruteForce::MoreThanRoom => format!("WRONG, found more than the {} distinct ones", last.positions.distinct),
        };
        say!("every leaf counted in a set: {verdict}");
        wrong |= literal != BruteForce::Counted(last.positions);
    }
    Ok(wrong)
}

/// Exports the positions of a ply. If interrupted, reports the interruption and returns false.
fn write_export(
    output: &Output,
    frontier: &Frontier,
    board: &Board,
    options: &UniqueOptions<'_>,
    ply: u32,
    control: &Control,
) -> Result<bool> {
    let root = Fen::write(board, options.policy);
    let stopped = || control.is_stopped();
    let mut out = BufWriter::new(output.draft().map_err(|error| output.write_failure(error))?);
    match export::write(&mut out, frontier, &root, options.policy, ply, stopped) {
        Err(_) if stopped() => {
            note!("interrupted: {} was not written", output.place_name());
            return Ok(false);
        }
        written => written.map_err(|error| output.write_failure(error))?,
    };
    let draft = out.into_inner().map_err(|error| output.write_failure(error.into_error()))?;
    draft.finish().map_err(|error| output.write_failure(error))?;
    say!("wrote {} positions to {}", frontier.positions(), output.place_name());
    Ok(true)
}

/// Reads an export back, and compares it with a new count from the export's root.
fn verify_export(args: &UniqueArgs, path: &Path) -> Result<ExitCode> {
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
    let Some(Unique { frontier: Some(frontier), .. }) = run.count(&board, header.ply, &options)? else {
        return Ok(ExitCode::from(130));
    };
    let expected = Contents::new(&frontier);
    let same = found == expected;
    say!("positions and multiplicities counted again: {}", if same { "ok" } else { "WRONG, the file differs" });
    say!("{}", run.budget.cost(run.start));
    Ok(if same { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn document(board: &Board, plies: &[Ply], options: &UniqueOptions<'_>) -> String {
    let by = if let By::Key { scheme, .. } = options.by { scheme.name.to_string() } else { "position".into() };
    let ply = |ply: &Ply| PlyCounts {
        ply: ply.ply,
        distinct: ply.positions.distinct.into(),
        perft: ply.positions.total,
        once: ply.positions.once.into(),
        highest: ply.positions.highest,
        with_highest: ply.positions.with_highest.into(),
        diagrams: ply.diagrams.map(|diagrams| diagrams.distinct.into()),
        expected_lost: ply.expected_lost,
        seconds: ply.time.as_secs_f64(),
    };
    let (fen, ep_policy) = (Fen::write(board, options.policy), options.policy.name().into());
    json(SCHEMA, UniqueDocument { fen, by, ep_policy, plies: plies.iter().map(ply).collect() })
}
