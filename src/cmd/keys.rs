//! `perft keys`: which words are good, and new ones.

use crate::args::scheme::SchemeArgs;
use crate::failure::{Failure, Usage};
use crate::out::file::Output;
use crate::out::progress::with_bar;
use clap::{Args, Subcommand, ValueEnum};
use perft_gate_lab::quality::export::{Format, file};
use perft_gate_lab::quality::{Audit, AuditVerdict, Watch, WordList};
use perft_gate_report::audit;
use perft_gate_walk::zobrist::{Layout, Pieces, Scheme};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

#[derive(Args, Debug)]
#[command(arg_required_else_help = false)]
pub struct KeysArgs {
    #[command(subcommand)]
    command: KeysCommand,
}

#[derive(Subcommand, Debug)]
enum KeysCommand {
    /// What can be known of a scheme's words without a position: rank, dependencies, windows, regularities.
    ///
    /// Exit code 1 if the words are broken: positions of games collide more than those of random words.
    Audit(AuditArgs),
    /// Draws words of which no few xor to zero, audits them, and writes a file that engines and `--keys-from` can read.
    Make(MakeArgs),
}

#[derive(Args, Debug)]
struct AuditArgs {
    #[command(flatten)]
    scheme: SchemeArgs,
    /// Seed of the words.
    #[arg(long)]
    seed: Option<u64>,
    /// Seek dependencies of up to eight words, not six: seconds more for a full set.
    #[arg(long)]
    deep: bool,
    /// Write the audit as JSON (`perft.keys/1`); `-` for standard output.
    #[arg(long, value_name = "FILE|-")]
    json: Option<PathBuf>,
    /// Worker threads (default: all cores).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,
}

#[derive(Args, Debug)]
struct MakeArgs {
    /// A scheme that a layout can hold: `cpw781`, `cpw793`, `bch`, or axes.
    #[arg(long, default_value = "cpw781", value_name = "NAME|AXES")]
    scheme: String,
    /// The first seed; the next ones are tried until one will do.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// So many words of those in keys, and fewer, never xor to zero: up to 8 by selection, up to 13 with `bch`.
    #[arg(long, value_name = "K", default_value_t = 6, value_parser = clap::value_parser!(u8).range(1..=13))]
    independent: u8,
    /// Where to; `-` for standard output.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How the file is written.
    #[arg(long, value_enum, default_value_t = FormatName::Hex)]
    format: FormatName,
    /// Worker threads (default: all cores).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum FormatName {
    /// A word a line, for `--keys-from`.
    Hex,
    /// Arrays of Rust.
    Rust,
    /// A header of C.
    C,
}

pub fn run(args: &KeysArgs) -> Result<ExitCode, Failure> {
    match &args.command {
        KeysCommand::Audit(args) => audit(args),
        KeysCommand::Make(args) => make(args),
    }
}

/// By selection, no more words than this are made independent.
const BY_SELECTION: u8 = 8;
/// How many seeds are tried. Of 781 words, eight xor to zero in one set of six.
const TRIES: u64 = 50;

fn make(args: &MakeArgs) -> Result<ExitCode, Failure> {
    let scheme = Scheme::parse(&args.scheme, false).map_err(|error| Usage(format!("--scheme: {error}")))?;
    let refused = |expected: &str| Usage(format!("--scheme: found '{}', expected {expected}", scheme.name));
    if scheme.is_fixed() {
        return Err(refused("one whose words are drawn, not published"));
    }
    let axes = scheme.axes.ok_or_else(|| refused("one with words"))?;
    let layout = Layout::of(&axes).ok_or_else(|| {
        refused(
            "one that a layout can hold: castling=c4 or c16 with ep=e8,side=s1, c4 with side=s1w, ep=e65 with side=s2",
        )
    })?;
    let by_code = axes.pieces == Pieces::Bch;
    if args.independent > BY_SELECTION && !by_code {
        let (found, most) = (args.independent, BY_SELECTION);
        return Err(Usage(format!(
            "--independent: found {found}, expected up to {most}, or up to 13 with --scheme bch"
        )));
    }
    let out = Output::open("--out", &args.out)?;
    let searched = args.independent.min(BY_SELECTION);
    let watch = stopped_by_interrupt()?;
    for seed in (args.seed..).take(TRIES as usize) {
        let audited = audited(listed(&scheme, Some(seed))?, searched.into(), args.threads, &watch)?;
        if audited.dependencies.interrupted {
            note!("interrupted: {} is not written", out.shown());
            return Ok(ExitCode::from(130));
        }
        let is_in_play = |subset: &&Vec<usize>| subset.iter().all(|&word| audited.list.words[word].term.is_in_play());
        let few = |subset: &&Vec<usize>| subset.len() <= usize::from(searched);
        let dependent = audited.dependencies.subsets.iter().filter(few).find(is_in_play);
        if let Some(finding) = audited.findings().iter().find(|finding| finding.verdict == AuditVerdict::Broken) {
            say!("seed {seed}: rejected: {}", finding.text);
        } else if let Some(subset) = dependent {
            say!("seed {seed}: rejected: {} of its words xor to zero", subset.len());
        } else {
            let independent = match by_code {
                true => {
                    format!("no {} or fewer of the words in keys xor to zero, by the code's design", args.independent)
                }
                false => format!("no {searched} or fewer of the words in keys xor to zero"),
            };
            let about = [format!("scheme {}, seed {seed}; {independent}", scheme.name)];
            let format = match args.format {
                FormatName::Hex => Format::Hex,
                FormatName::Rust => Format::Rust,
                FormatName::C => Format::C,
            };
            let text = file(format, layout, &audited.list, &about);
            out.write(text.as_bytes())?;
            say!("seed {seed}: {independent}");
            say!("{}: {} words in the layout {}", out.shown(), audited.list.words.len(), layout.name());
            return Ok(ExitCode::SUCCESS);
        }
    }
    Err(Usage(format!("--independent: none of {TRIES} seeds has {} independent words", args.independent)))
}

fn audit(args: &AuditArgs) -> Result<ExitCode, Failure> {
    let scheme = args.scheme.scheme()?;
    let list = listed(&scheme, args.seed)?;
    let json = Output::open_if("--json", args.json.as_deref())?;
    let watch = stopped_by_interrupt()?;
    let audited = audited(list, if args.deep { 8 } else { 6 }, args.threads, &watch)?;
    let seed = (!scheme.is_fixed()).then(|| args.seed.unwrap_or(0));
    let name = match seed {
        Some(seed) => format!("{}, seed {seed}", scheme.name),
        None => scheme.name.to_string(),
    };
    say!("{}", audit::text(&name, &audited).trim_end());
    if let Some(json) = &json {
        json.write(audit::document(&scheme.name, seed, &audited).as_bytes())?;
    }
    Ok(match audited.verdict() {
        AuditVerdict::Broken => ExitCode::from(1),
        _ if audited.dependencies.interrupted => ExitCode::from(130),
        _ => ExitCode::SUCCESS,
    })
}

/// The words of a scheme, by name.
fn listed(scheme: &Scheme, seed: Option<u64>) -> Result<WordList, Failure> {
    if scheme.is_fixed() && scheme.words() > 0 && seed.is_some() {
        return Err(Usage(format!("--seed: the words of '{}' are published, expected no seed", scheme.name)));
    }
    let words = scheme.axes.zip(scheme.key_tables(seed.unwrap_or(0)));
    let Some((axes, key_tables)) = words else {
        return Err(Usage(format!("--scheme: found '{}', expected a single scheme with words", scheme.name)));
    };
    WordList::new(&axes, &key_tables).map_err(|error| Usage(format!("--scheme: {error}")))
}

/// A watch that Ctrl-C stops.
fn stopped_by_interrupt() -> Result<Arc<Watch>, Failure> {
    let watch = Arc::new(Watch::default());
    let stopped = Arc::clone(&watch);
    ctrlc::set_handler(move || stopped.stop.store(true, Relaxed))?;
    Ok(watch)
}

/// Audits on all cores, with a progress bar.
fn audited(list: WordList, most: usize, threads: Option<u16>, watch: &Watch) -> Result<Audit, Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0).into()).build()?;
    let progress = || (watch.done.load(Relaxed) as u64, watch.total.load(Relaxed) as u64);
    Ok(with_bar("dependencies", progress, || pool.install(|| Audit::of(list, most, watch))))
}
