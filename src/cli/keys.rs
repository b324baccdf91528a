//! `perft keys`: which words are good, and new ones.

use super::scheme::SchemeArgs;
use super::{Usage, output, with_bar};
use crate::keys::Scheme;
use crate::keys::quality::{Audit, Verdict, Watch, WordList};
use crate::report::audit;
use clap::{Args, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

#[derive(Args, Debug)]
#[command(arg_required_else_help = false)]
pub(super) struct KeysArgs {
    #[command(subcommand)]
    command: KeysCommand,
}

#[derive(Subcommand, Debug)]
enum KeysCommand {
    /// What can be known of a scheme's words without a position: rank, dependencies, windows, regularities.
    ///
    /// Exit code 1 if the words are broken: positions of games collide more than those of random words.
    Audit(AuditArgs),
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
    /// Write the audit as JSON (`perft.keys/1`).
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Worker threads (default: all cores).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,
}

pub(super) fn run(args: &KeysArgs) -> Result<ExitCode, Usage> {
    match &args.command {
        KeysCommand::Audit(args) => audit(args),
    }
}

fn audit(args: &AuditArgs) -> Result<ExitCode, Usage> {
    let scheme = args.scheme.scheme()?;
    let list = listed(&scheme, args.seed)?;
    if let Some(path) = &args.json {
        output::writable("--json", path)?;
    }
    let audited = audited(list, if args.deep { 8 } else { 6 }, args.threads)?;
    let seed = (!scheme.is_fixed()).then(|| args.seed.unwrap_or(0));
    let name = match seed {
        Some(seed) => format!("{}, seed {seed}", scheme.name),
        None => scheme.name.to_string(),
    };
    say!("{}", audit::text(&name, &audited).trim_end());
    if let Some(path) = &args.json {
        let document = audit::document(&scheme.name, seed, &audited);
        output::replace(path, document.as_bytes()).map_err(|error| Usage(format!("{}: {error}", path.display())))?;
    }
    Ok(match audited.verdict() {
        Verdict::Broken => ExitCode::from(1),
        _ if audited.dependencies.interrupted => ExitCode::from(130),
        _ => ExitCode::SUCCESS,
    })
}

/// The words of a scheme, by name.
fn listed(scheme: &Scheme, seed: Option<u64>) -> Result<WordList, Usage> {
    if scheme.is_fixed() && scheme.words() > 0 && seed.is_some() {
        return Err(Usage(format!("--seed: the words of '{}' are published, expected no seed", scheme.name)));
    }
    let words = scheme.axes.zip(scheme.flattened(seed.unwrap_or(0)));
    let Some((axes, flattened)) = words else {
        return Err(Usage(format!("--scheme: found '{}', expected a single scheme with words", scheme.name)));
    };
    WordList::new(&axes, &flattened).map_err(|error| Usage(format!("--scheme: {error}")))
}

/// Audits on all cores, with a progress bar, until Ctrl-C.
fn audited(list: WordList, most: usize, threads: Option<u16>) -> Result<Audit, Usage> {
    let watch = Arc::new(Watch::default());
    let stopped = Arc::clone(&watch);
    ctrlc::set_handler(move || stopped.stop.store(true, Relaxed))?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0).into()).build()?;
    let progress = || (watch.done.load(Relaxed) as u64, watch.total.load(Relaxed) as u64);
    Ok(with_bar("dependencies", progress, || pool.install(|| Audit::of(list, most, &watch))))
}
