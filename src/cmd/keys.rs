//! `perft keys`: audit or generate key tables.

use crate::args::run::{ThreadsArgs, control};
use crate::args::scheme::SchemeArgs;
use crate::failure::{Result, Usage, exit_broken_keys};
use crate::out::file::Output;
use crate::out::progress::with_task_bar;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use perft_gate_lab::quality::export::{self, Format};
use perft_gate_lab::quality::{Audit, AuditVerdict, TableEntries};
use perft_gate_report::keys::{document, text};
use perft_gate_walk::Control;
use perft_gate_zobrist::{Layout, Pieces, Scheme};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Subcommand, Debug)]
pub enum KeysCommand {
    /// Audit a scheme's key table without a position: rank, dependencies, windows, regularities.
    ///
    /// Exit code 4 if the key table is broken: positions of games collide more often than with a random one.
    #[command(after_help = "Example: perft keys audit --keys-from mykeys.txt --deep")]
    Audit(AuditArgs),
    /// Generate a key table without small dependent subsets, audit it, and write it for engines and `--keys-from`.
    #[command(after_help = "Example: perft keys make --independent 7 --format c --output keys.h")]
    Make(MakeArgs),
}

#[derive(Args, Debug)]
pub struct AuditArgs {
    #[command(flatten)]
    scheme: SchemeArgs,
    /// Seed of the key table.
    #[arg(long)]
    seed: Option<u64>,
    /// Search for dependencies of up to eight entries instead of six; a full table takes a few seconds more.
    #[arg(long)]
    deep: bool,
    /// Write the audit as JSON (`perft.keys/1`); `-` for standard output.
    #[arg(long, value_name = "FILE|-")]
    json: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadsArgs,
}

#[derive(Args, Debug)]
pub struct MakeArgs {
    /// Scheme that a layout can hold: `cpw781`, `cpw793`, `bch`, or axes.
    #[arg(long, default_value = "cpw781", value_name = "NAME|AXES")]
    scheme: String,
    /// First seed; the next ones are tried until one fits.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Make every subset of up to K entries used in keys independent (no such subset xors to zero): K up to 8, or up to
    /// 13 with `--scheme bch`.
    #[arg(long, value_name = "K", default_value_t = 6, value_parser = clap::value_parser!(u8).range(1..=13))]
    independent: u8,
    /// Write the key table to this file; `-` for standard output.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Format of the file.
    #[arg(long, default_value = "hex", value_parser = format_name())]
    format: Format,
    #[command(flatten)]
    threads: ThreadsArgs,
}

fn format_name() -> impl TypedValueParser<Value = Format> {
    let abouts = ["One entry per line", "Rust arrays", "A C header"];
    let names = Format::ALL.into_iter().zip(abouts);
    let names = names.map(|(format, about)| PossibleValue::new(format.name()).help(about));
    PossibleValuesParser::new(names).try_map(|name| Format::of_name(&name, &name))
}

pub fn run(command: &KeysCommand) -> Result<ExitCode> {
    match command {
        KeysCommand::Audit(args) => audit(args),
        KeysCommand::Make(args) => make(args),
    }
}

/// Maximum `n` for which trying seeds finds a key table in which any `n` entries are independent.
const MAX_BY_SELECTION: u8 = 8;
/// Maximum number of seeds tried. One in six random tables of 781 entries has eight entries that xor to zero.
const MAX_SEEDS: u64 = 50;

fn make(args: &MakeArgs) -> Result<ExitCode> {
    let scheme = Scheme::parse(&args.scheme, false).map_err(|error| Usage(format!("--scheme: {error}")))?;
    let refused = |expected: &str| Usage(format!("--scheme: found '{}', expected {expected}", scheme.name));
    if scheme.is_fixed() {
        return Err(refused("a scheme whose key table is drawn from a seed, such as cpw793"));
    }
    let axes = scheme.axes.ok_or_else(|| refused("one with keys"))?;
    let layout = Layout::from_axes(&axes)
        .ok_or_else(|| refused("a 64-bit xor key with the layout of cpw781, cpw793, polyglot or rustic851"))?;
    let by_code = axes.pieces == Pieces::Bch;
    if args.independent > MAX_BY_SELECTION && !by_code {
        let (found, max) = (args.independent, MAX_BY_SELECTION);
        return Err(Usage(format!(
            "--independent: found {found}, expected up to {max}, or up to 13 with --scheme bch"
        )));
    }
    let out = Output::open("--output", &args.output)?;
    let searched = args.independent.min(MAX_BY_SELECTION);
    let by_design = if by_code { ", by the design of the code" } else { "" };
    let independent = format!("no set of up to {} used entries xors to zero{by_design}", args.independent);
    let control = control()?;
    for seed in (args.seed..).take(MAX_SEEDS as usize) {
        let audited = run_audit(table_entries(&scheme, Some(seed))?, searched.into(), args.threads, &control)?;
        if audited.dependencies.interrupted {
            note!("interrupted: {} was not written", out.place_name());
            return Ok(ExitCode::from(130));
        }
        if let Some(reason) = reason_to_reject(&audited, searched.into()) {
            say!("seed {seed}: rejected: {reason}");
            continue;
        }
        let about = [format!("scheme {}, seed {seed}; {independent}", scheme.name)];
        out.write(export::text(args.format, layout, &audited.list, &about).as_bytes())?;
        say!("seed {seed}: {independent}");
        say!("{}: {} entries in the layout {}", out.place_name(), audited.list.entries.len(), layout.name());
        return Ok(ExitCode::SUCCESS);
    }
    Err(Usage(format!(
        "--independent: none of {MAX_SEEDS} seeds has {} independent entries: ask for fewer, or try another --seed",
        args.independent
    )))
}

/// Returns the reason why a table is rejected (it is broken, or up to `max` of its entries xor to zero), or `None`.
fn reason_to_reject(audited: &Audit, max: usize) -> Option<String> {
    if let Some(finding) = audited.findings().into_iter().find(|finding| finding.verdict == AuditVerdict::Broken) {
        return Some(finding.text);
    }
    let is_in_play = |entry: &usize| audited.list.entries[*entry].term.is_in_play();
    let subsets = &audited.dependencies.subsets;
    let dependent = subsets.iter().find(|subset| subset.len() <= max && subset.iter().all(is_in_play))?;
    Some(format!("{} of its entries xor to zero", dependent.len()))
}

fn audit(args: &AuditArgs) -> Result<ExitCode> {
    let scheme = args.scheme.scheme()?;
    let list = table_entries(&scheme, args.seed)?;
    let json = Output::open_if("--json", args.json.as_deref())?;
    let control = control()?;
    let audited = run_audit(list, if args.deep { 8 } else { 6 }, args.threads, &control)?;
    let seed = (!scheme.is_fixed()).then(|| args.seed.unwrap_or(0));
    let name = seed.map_or(scheme.name.to_string(), |seed| format!("{}, seed {seed}", scheme.name));
    say!("{}", text(&name, &audited).trim_end());
    Output::write_if(json.as_ref(), || document(&scheme.name, seed, &audited))?;
    Ok(match audited.verdict() {
        AuditVerdict::Broken => exit_broken_keys(),
        _ if audited.dependencies.interrupted => ExitCode::from(130),
        _ => ExitCode::SUCCESS,
    })
}

fn table_entries(scheme: &Scheme, seed: Option<u64>) -> Result<TableEntries> {
    if scheme.is_fixed() && scheme.number_of_keys() > 0 && seed.is_some() {
        return Err(Usage(format!("--seed: the key table of '{}' is fixed, expected no seed", scheme.name)));
    }
    TableEntries::from_scheme(scheme, seed.unwrap_or(0)).map_err(|error| Usage(format!("--scheme: {error}")))
}

/// Runs an audit on the requested number of threads while showing a progress bar.
fn run_audit(list: TableEntries, max: usize, threads: ThreadsArgs, control: &Control) -> Result<Audit> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.number()).build()?;
    Ok(with_task_bar(control, "dependencies", || pool.install(|| Audit::run(list, max, control))))
}
