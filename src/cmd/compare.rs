//! `perft compare`: compares the time that hashing schemes cost when moves are made and unmade.

use crate::args::position::board_of;
use crate::args::run::{LevelArgs, build, control, now, time};
use crate::args::scheme::{import_scheme, split_schemes};
use crate::args::size::MemorySize;
use crate::failure::{Outside, Result, Usage};
use crate::out::console;
use crate::out::file::Output;
use crate::out::progress::{Amount, WaitProgress, with_bar, with_progress};
use clap::Args;
use perft_gate_chess::Fen;
use perft_gate_lab::measure::{
    Contestant, Contestants, Counters, HardwareEvent, MakeUnmake, NoCounters, RoundPlan, Samples, Scattered,
    TablePrefetch, TableTally, TimedWork, TranspositionTable, sample, time_recomputes,
};
use perft_gate_machine::pinning::pin_to_last;
use perft_gate_report::compare::json::CompareDocument;
use perft_gate_report::compare::text::text;
use perft_gate_simd::Level;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

#[derive(Args, Debug)]
pub struct CompareArgs {
    /// Schemes to compare with `none` and with the first of them. `axis=value` changes the scheme before it, or
    /// `cpw793`; setting the same axis again starts a new scheme. With --table, `prefetch=` (none, after-make,
    /// key-after or rough-key-after) is an axis, too. May be repeated (default: all presets, and every axis on its own)
    #[arg(long, value_name = "A,B,…")]
    scheme: Vec<String>,
    /// Allow combinations of axes that make weak keys, for experiments.
    #[arg(long)]
    allow_weak: bool,
    /// Read a scheme's key table from a file, as `perft collisions` does. May be repeated; these schemes come last.
    #[arg(long, value_name = "FILE")]
    keys_from: Vec<PathBuf>,
    /// Walk this position (a FEN, `startpos` or `kiwipete`) instead of the classic ones.
    #[arg(long)]
    fen: Option<String>,
    /// Number of plies to walk.
    #[arg(long, short, default_value_t = 4, requires = "fen", value_parser = clap::value_parser!(u32).range(2..=6))]
    depth: u32,
    /// Number of plies, in place of --depth.
    #[arg(value_name = "DEPTH", requires = "fen", conflicts_with = "depth", value_parser = clap::value_parser!(u32).range(2..=6))]
    plies: Option<u32>,
    /// Add a transposition table of this size (64M). Every move that is made probes it, and stores the position if it
    /// is missing.
    #[arg(long, value_name = "SIZE")]
    table: Option<MemorySize>,
    /// Measure for about this long, but at least one round. The run ends early once the intervals are narrower than the
    /// noise.
    #[arg(long, value_name = "TIME", default_value = "2m", value_parser = time)]
    budget: Duration,
    #[command(flatten)]
    level: LevelArgs,
    /// Seed of the randomised slice order.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Write every slice and every verdict as JSON (`perft.compare/1`); `-` for standard output.
    #[arg(long, value_name = "FILE|-")]
    json: Option<PathBuf>,
}

fn schemes(lists: &[String], allow_weak: bool) -> Result<Vec<Contestant>> {
    let parse =
        |name: String| Contestant::parse(&name, allow_weak).map_err(|error| Usage(format!("--scheme: {error}")));
    lists.iter().flat_map(|list| split_schemes(list)).map(parse).collect()
}

/// Returns the options that compare the axes of a scheme one by one, or `None` if the scheme sets fewer than two axes.
fn one_scheme_per_axis(scheme: &str) -> Option<String> {
    let (axes, base): (Vec<&str>, Vec<&str>) = scheme.split(',').partition(|part| part.contains('='));
    let with = |axis: &&str| [&base[..], &[axis]].concat().join(",");
    let schemes = base.iter().map(ToString::to_string).chain(axes.iter().map(with));
    (axes.len() > 1).then(|| schemes.map(|scheme| format!("--scheme {scheme}")).collect::<Vec<_>>().join(" "))
}

fn transposition_table(size: MemorySize) -> Result<TranspositionTable> {
    let MemorySize::Bytes(wanted) = size else {
        return Err(Usage("--table: found auto, expected a size such as 64M".into()));
    };
    if wanted < MIN_TABLE_BYTES {
        return Err(Usage(format!("--table: found {wanted} bytes, expected at least 64K")));
    }
    let bytes = size.bytes("--table", || f64::MAX)?;
    TranspositionTable::new(bytes).map_err(|error| Outside(format!("--table: {error}")))
}

const MIN_TABLE_BYTES: u64 = 64 << 10;

/// Returns a message if any keys that were computed before a move differ from the child's key.
fn wrong_key_after(lineup: &Contestants, path: &MakeUnmake) -> Option<String> {
    let exact = |contestant: &Contestant| contestant.prefetch == TablePrefetch::KeyAfter;
    lineup.contestants.iter().enumerate().filter(|(_, contestant)| exact(contestant)).find_map(
        |(number, contestant)| {
            let TableTally { foreseen, wrongly_foreseen, .. } = path.table.as_ref()?.tally(number);
            let found = format!("{}: expected {foreseen} keys computed before the move to be right", contestant.name);
            (wrongly_foreseen > 0).then(|| format!("{found}, found {wrongly_foreseen} wrong"))
        },
    )
}

/// Returns the number of hardware events of each kind per node, for each of `works`.
fn count_events(works: &mut [TimedWork<'_>]) -> Result<Vec<Vec<(HardwareEvent, f64)>>, NoCounters> {
    let mut counters = Counters::open()?;
    let counted = works.iter_mut().map(|work| {
        let events = counters.count(|| (0..COUNTED_PASSES).map(|_| (work.pass)()).sum::<u64>())?;
        let nodes = (work.nodes * COUNTED_PASSES) as f64;
        Ok(events.into_iter().map(|(event, number)| (event, number as f64 / nodes)).collect())
    });
    counted.collect()
}

/// Number of walks in which hardware events are counted. A few are enough, because the counts hardly differ.
const COUNTED_PASSES: u64 = 5;

/// Runs `work` as a single task with a progress bar.
fn run_alone<T>(what: &str, work: impl FnOnce() -> T) -> T {
    with_bar((what, "tasks"), || (0, 1), work)
}

impl CompareArgs {
    fn lineup(&self) -> Result<Contestants> {
        let mut contestants = schemes(&self.scheme, self.allow_weak)?;
        for path in &self.keys_from {
            contestants.push(Contestant::new(import_scheme(path)?));
        }
        let lineup = match &contestants[..] {
            [] => Contestants::everything(self.table.is_some()),
            _ => Contestants::new(contestants),
        };
        let is_needless = |one: &&Contestant| self.table.is_none() && one.prefetch != TablePrefetch::None;
        match lineup.contestants.iter().find(is_needless) {
            Some(Contestant { name, .. }) => {
                let expected = "--table SIZE too: there is nothing to prefetch";
                Err(Usage(format!("--scheme: found {name}, expected {expected}")))
            }
            None => Ok(lineup),
        }
    }

    /// Describes the comparison: the schemes, the reference scheme, and how to compare the axes of a scheme one by one.
    fn describe(&self, lineup: &Contestants) -> String {
        let name = |&number: &usize| lineup.contestants[number].name.clone();
        let table = &lineup.tables[0];
        let others: Vec<String> = table.others.iter().map(name).collect();
        let rest = match lineup.tables.len() {
            1 => "",
            2 => ", and each with none",
            _ => ", and one axis at a time",
        };
        let texts = self.scheme.iter().flat_map(|list| split_schemes(list));
        let several = texts.filter_map(|text| Some((one_scheme_per_axis(&text)?, text))).next().map(|(options, text)| {
            format!("; {text} is one scheme: to compare its axes, give {options}, or repeat an axis to begin another scheme")
        });
        let reference = name(&table.reference);
        format!("{} with the reference {reference}{rest}{}", others.join(", "), several.unwrap_or_default())
    }

    /// Returns the walk to be timed, with a transposition table if `--table` is given.
    fn path(&self, level: Level) -> Result<MakeUnmake> {
        let path = match &self.fen {
            Some(fen) => MakeUnmake::new(board_of(fen, &[])?, self.plies.unwrap_or(self.depth), level),
            None => MakeUnmake::classic(level),
        };
        Ok(if let Some(size) = self.table { path.beside(transposition_table(size)?) } else { path })
    }
}

pub fn run(args: &CompareArgs) -> Result<ExitCode> {
    let lineup = args.lineup()?;
    let json = Output::open_if("--json", args.json.as_deref())?;
    let (level, control) = (args.level.level()?, control()?);
    let started = now();
    let pinned_to = pin_to_last();
    let path = args.path(level)?;
    note!("comparing: {}", args.describe(&lineup));
    let plan = RoundPlan::within(args.budget, args.seed);
    let (begun, contestants) = (Instant::now(), &lineup.contestants[..]);
    let progress = || WaitProgress {
        what: format!("{} schemes, interleaved", contestants.len()),
        // The total is the time budget, although the run may end sooner.
        amount: Amount::Time(begun.elapsed().min(plan.budget), plan.budget),
    };
    let mut works = Scattered(&path, contestants);
    let is_enough = |samples: &Samples| lineup.is_settled(samples);
    let timed = || sample(&mut works, plan, &Instant::now, &control.stop, is_enough);
    let samples = match with_progress(progress, timed) {
        Ok(samples) => samples,
        Err(wrong) => {
            say!("{}: {wrong}", lineup.contestants[wrong.work].name);
            return Ok(ExitCode::from(1));
        }
    };
    if let Some(wrong) = wrong_key_after(&lineup, &path) {
        say!("{wrong}");
        return Ok(ExitCode::from(1));
    }
    if samples.rounds.is_empty() {
        note!("interrupted before the first round: nothing was compared");
        return Ok(ExitCode::from(130));
    }
    let board = Fen::parse(Fen::KIWIPETE)?;
    let mut compared = CompareDocument::new(&lineup, &samples, &path, plan, build());
    (compared.pinned_to, compared.started) = (pinned_to, started);
    if !samples.interrupted {
        let recomputes = || time_recomputes(contestants, board, &Level::all(), &Instant::now);
        compared.add_recomputes(&run_alone("full recomputes", recomputes));
        compared.add_counters(run_alone("hardware counters", || path.with_works(contestants, count_events)));
    }
    say!("{}", text(&compared, console::width()).trim_end());
    Output::write_if(json.as_ref(), || compared.text())?;
    if json.is_none() {
        note!("next step: add --json compare.json to keep the samples, then: perft report compare.json -o report.html");
    }
    Ok(ExitCode::from(if samples.interrupted { 130 } else { 0 }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rough keys are wrong after a lost castling right or a promotion. The test passes them off as exact.
    #[test]
    fn a_key_after_a_move_that_is_not_the_childs_is_described() {
        let lineup = |prefetch| {
            let names = [format!("cpw793,prefetch={prefetch}"), "gf64".into()];
            schemes(&names, false).map(Contestants::new).expect("schemes")
        };
        let path = || {
            let board = board_of("r3k2r/8/8/8/8/8/P6p/R3K2R w KQkq - 0 1", &[]).expect("a position");
            MakeUnmake::new(board, 2, Level::portable()).beside(TranspositionTable::new(MIN_TABLE_BYTES).unwrap())
        };
        for (walked, is_wrong) in [("key-after", false), ("rough-key-after", true)] {
            let path = path();
            path.with_works(&lineup(walked).contestants, |works| {
                works.iter_mut().map(|work| (work.pass)()).sum::<u64>()
            });
            let wrong = wrong_key_after(&lineup("key-after"), &path);
            assert_eq!(wrong.is_some(), is_wrong, "{walked}: {wrong:?}");
            assert!(wrong.is_none_or(|text| text.starts_with("cpw793,prefetch=key-after: expected ")));
            assert_eq!(wrong_key_after(&lineup("rough-key-after"), &path), None, "rough keys may be wrong");
        }
    }

    /// The suggested options can be typed as shown.
    #[test]
    fn the_axes_of_a_scheme_can_be_compared_one_by_one() {
        for (scheme, expected) in [
            ("rotate,side=s2,width=128", &["rotate", "rotate,side=s2", "rotate,width=128"][..]),
            ("castling=c4,ep=e65,policy=always", &["castling=c4", "ep=e65", "policy=always"]),
            ("gf64,ep=e17", &[]),
        ] {
            let options = one_scheme_per_axis(scheme).unwrap_or_default();
            let words: Vec<String> =
                options.split_terminator("--scheme ").skip(1).map(|word| word.trim().into()).collect();
            let found: Vec<String> = schemes(&words, false).unwrap().into_iter().map(|one| one.name).collect();
            assert_eq!(found, expected, "{options}");
        }
    }
}
