//! `perft gate`, or `perft` without a subcommand: checks counts and keys, as in `perft --depth 6 --suite standard`.

use crate::args::run::{BareDepth, RunArgs, control, plies};
use crate::args::scheme::SchemeArgs;
use crate::args::suite::{LongListArgs, MAX_SHOWN, SuiteArgs, SuitePositions};
use crate::cmd::estimate::{self, Probe};
use crate::cmd::passed::PassedRows;
use crate::failure::{Result, Usage};
use crate::out::console;
use crate::out::file::{Output, OutputArgs, RunStage};
use crate::out::progress::{with_bar, with_task_bar};
use anstyle::AnsiColor;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use perft_gate_judge::faults::{Plant, judge_planted_playouts, judge_planted_walk};
use perft_gate_judge::gate::{
    self, Identities, Mode, Options, Outcome, PlannedWalk, PlayoutsVerdict, RowPlan, RowVerdict, Run, RunOutcome,
    RunTotals,
};
use perft_gate_machine::pinning::describe_unpinned;
use perft_gate_report::gate as report;
use perft_gate_report::text::TextTable;
use perft_gate_suite::Row;
use perft_gate_walk::{Control, MAX_PLAYOUT_PLIES, Playouts, Settings, playouts};
use perft_gate_zobrist::{Scheme, Secondary};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

#[derive(Args, Debug)]
pub struct GateArgs {
    /// Number of plies. A row without a count at that depth is walked to its deepest listed depth below it (default:
    /// 5).
    #[arg(help_heading = "Positions", long, short, value_parser = plies(0))]
    depth: Option<u32>,
    #[command(flatten, next_help_heading = "Positions")]
    suite: SuiteArgs,
    /// Skip rows whose list gives more than N leaf nodes.
    #[arg(help_heading = "Positions", long, value_name = "N")]
    max_nodes: Option<u128>,
    #[command(flatten, next_help_heading = "Checks")]
    scheme: SchemeArgs,
    /// Also keep and check these secondary keys: pawn, minor, nonpawn, material.
    #[arg(help_heading = "Checks", long, value_delimiter = ',', value_name = "KEYS", value_parser = key_name())]
    secondary_keys: Vec<Option<Secondary>>,
    /// Seed of the scheme's key table and of the random games.
    #[arg(help_heading = "Checks", long)]
    seed: Option<u64>,
    /// Work to do at each position.
    #[arg(help_heading = "Checks", long, value_enum, default_value_t = Mode::Verify)]
    mode: Mode,
    /// Positions whose FEN is written and read back.
    #[arg(help_heading = "Checks", long, value_enum, default_value_t = RoundTrip::Sampled)]
    roundtrip: RoundTrip,
    /// Check that equal positions have equal keys and different positions different keys (V5), on each row's deepest
    /// ply with at most 20 million leaves.
    #[arg(help_heading = "Checks", long, value_enum, default_value_t = Identities::All)]
    identity: Identities,
    /// Also verify this many random games from the rows' positions.
    #[arg(help_heading = "Positions", long, value_name = "N", default_value_t = 0)]
    playouts: u64,
    /// Maximum length of a random game, in plies.
    #[arg(help_heading = "Positions", long, value_name = "N", default_value_t = 200, requires = "playouts",
          value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_PLAYOUT_PLIES)))]
    plies: u32,
    #[command(flatten, next_help_heading = "Output")]
    list: LongListArgs,
    #[command(flatten, next_help_heading = "Output")]
    output: OutputArgs,
    /// Plant a fault from this ply on, to see the gate fail (`perft list faults`).
    #[arg(help_heading = "Checks", long, value_name = "FAULT[@PLY]")]
    plant: Option<Plant>,
    #[command(flatten, next_help_heading = "Speed")]
    run: RunArgs,
}

/// Arguments of `perft gate`. The depth may be given as a bare number.
#[derive(Args, Debug)]
pub struct GateVerbArgs {
    #[command(flatten)]
    gate: GateArgs,
    #[command(flatten)]
    depth_alone: BareDepth<0>,
}

/// Default number of plies.
const DEFAULT_DEPTH: u32 = 5;

impl GateVerbArgs {
    /// Returns the arguments of the gate, with the depth taken from the bare number if one was given.
    pub fn gate(self) -> GateArgs {
        GateArgs { depth: self.depth_alone.bare_depth.or(self.gate.depth), ..self.gate }
    }
}

/// Returns a parser for the name of a secondary key. The name `position` is accepted and gives `None`.
fn key_name() -> impl TypedValueParser<Value = Option<Secondary>> {
    let position = PossibleValue::new("position").help("The position's key, which is always kept");
    let names = Secondary::ALL.map(|key| PossibleValue::new(key.name()));
    let parser = PossibleValuesParser::new(std::iter::once(position).chain(names));
    parser.map(|name| Secondary::of_name(&name, &name).ok())
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum RoundTrip {
    /// One position in 4096.
    Sampled,
    /// Every position.
    All,
}

impl GateArgs {
    fn options<'a>(&self, scheme: &'a Scheme, secondary: &'a [Secondary]) -> Result<Options<'a>> {
        if !secondary.is_empty() && scheme.number_of_keys() == 0 {
            return Err(Usage(format!(
                "--secondary-keys: found scheme '{}', expected one scheme with keys",
                scheme.name
            )));
        }
        if self.seed.is_some() && scheme.is_fixed() && self.playouts == 0 {
            return Err(Usage(format!("--seed: the key table of '{}' is fixed, expected no seed", scheme.name)));
        }
        if self.plant.is_some() && scheme.is_all() {
            return Err(Usage("--plant: found scheme 'all', expected a single one".into()));
        }
        let sample_mask = if self.roundtrip == RoundTrip::All { 0 } else { 0xfff };
        let settings =
            Settings { scheme, secondary, seed: self.seed.unwrap_or(0), level: self.run.level()?, sample_mask };
        let (mode, identities, depth) = (self.mode, self.identity, self.depth.unwrap_or(DEFAULT_DEPTH));
        if depth == 0 && self.playouts == 0 {
            return Err(Usage(
                "--depth: found 0, which compares nothing; expected 1 or more, or add --playouts".into(),
            ));
        }
        Ok(Options { depth, mode, settings, max_nodes: self.max_nodes, identities })
    }

    /// Returns everything that affects whether a row passes.
    fn pass_conditions(&self) -> String {
        let GateArgs { depth, max_nodes, scheme, secondary_keys, seed, mode, roundtrip, identity, plant, run, .. } =
            self;
        let (depth, checks) = (depth.unwrap_or(DEFAULT_DEPTH), (mode, roundtrip, identity, plant));
        format!("{:?}", (depth, max_nodes, scheme, secondary_keys, seed, checks, run.level().ok()))
    }
}

pub fn run(args: &GateArgs) -> Result<ExitCode> {
    let positions = args.suite.positions()?;
    let scheme = args.scheme.scheme()?;
    let secondary: Vec<Secondary> = args.secondary_keys.iter().copied().flatten().collect();
    let options = args.options(&scheme, &secondary)?;
    // Open these before Ctrl-C is handled, so that Ctrl-C can still end the program while it waits for a pipe's reader.
    let mut outputs = Outputs {
        args: &args.output,
        files: args.output.open::<GateRunFormat>(report::document, report::junit)?,
        table: report::table(console::width(), positions.longest_name),
        tells_depth: args.depth.is_some(),
    };
    let control = control()?;
    let (pool, pinned) = args.run.pool()?;
    let (threads, hides_passes) = (pool.current_num_threads(), args.list.hides_passes(positions.number, MAX_SHOWN));
    let took = args.run.pin.then(|| pool.broadcast(|_| pinned.load(Relaxed)).into_iter().max().unwrap_or(0));
    let pinning = took.map(|pinned| match pinned {
        0 => describe_unpinned(std::env::consts::OS).to_string(),
        pinned => format!("pinned {pinned}"),
    });
    let hidden = hides_passes.then(|| format!("{} rows; passes are not shown", positions.number));
    let mut passed = PassedRows::open(args.list.checkpoint.as_deref(), &positions, || args.pass_conditions())?;
    say!("{}", report::head(&options, threads, pinning.iter().chain(&hidden)));
    announce(&positions, options, &pool, &control);
    let start = Instant::now();
    say!("{}", outputs.table.head());

    let mut run = Run {
        suite: positions.name.clone(),
        options,
        threads,
        rows: positions.number,
        before: passed.before,
        tally: RunTotals::default(),
        verdicts: Vec::new(),
        playouts: None,
        has_listed_counts: positions.has_counts_up_to(options.depth),
        finished: false,
    };
    let mut batches = gate::batches(passed.remaining(&positions), options);
    let judge_row = |walk: PlannedWalk<'_>| match args.plant {
        None => gate::judge_candidate(walk, walk.row.board(), options, &control),
        Some(plant) => judge_planted_walk(plant, walk, options, &control),
    };
    let done = AtomicUsize::new(run.before);
    let mut judge_all = |is_long: bool| -> Result<()> {
        let verdicts = std::iter::from_fn(|| {
            let batch = batches.next()?;
            let judge = || batch.judge(options, &pool, judge_row);
            Some(if is_long { judge() } else { with_task_bar(&control, batch.name(), judge) })
        });
        for verdict in verdicts.flatten() {
            let (interrupted, has_passed) =
                (verdict.outcome == Outcome::Interrupted, verdict.outcome == Outcome::Passed);
            outputs.add(&mut run, verdict, hides_passes && has_passed)?;
            passed.add(has_passed)?;
            done.fetch_add(1, Relaxed);
            if interrupted {
                break;
            }
        }
        Ok(())
    };
    if hides_passes {
        let progress = || (done.load(Relaxed) as u64, positions.number as u64);
        with_bar(("rows", "rows"), progress, || judge_all(true))?;
    } else {
        judge_all(false)?;
    }
    passed.close()?;
    if args.playouts > 0 && positions.held > 0 && !run.is_interrupted() {
        control.begin(args.playouts);
        let verdict = with_task_bar(&control, "random games", || {
            pool.install(|| judge_playouts(args, &positions, options.settings, &control))
        });
        report::playouts(&verdict).lines().for_each(|line| say!("{}", line));
        run.playouts = Some(verdict);
    }
    run.finished = true;
    say!("{}", report::times(&run, start.elapsed()));
    conclude(&run, &mut outputs)
}

/// Prints the final lines of the run, writes the result files, and returns the exit code.
fn conclude(run: &Run<'_>, outputs: &mut Outputs<'_>) -> Result<ExitCode> {
    if run.options.mode == Mode::Verify {
        say!("checks: {}", report::checks(run));
    }
    if let Some(line) = report::schemes(run) {
        say!("{}", line);
    }
    console::say_finding(&report::summary(run));
    outputs.finish(run)?;
    if run.outcome() == RunOutcome::NothingCompared {
        let next = "raise --depth or --max-nodes, or take another suite";
        return Err(Usage(format!("nothing was compared: every row was skipped; {next}")));
    }
    if run.outcome() == RunOutcome::NoCounts {
        let (suite, depth) = (&run.suite, run.options.depth);
        return Err(Usage(format!(
            "{suite}: no row lists a count up to depth {depth}, so no count was compared with the list: `perft suite fill` writes counts"
        )));
    }
    Ok(ExitCode::from(run.outcome().exit_code()))
}

/// Checks random games from the rows' positions, with a planted fault if requested.
fn judge_playouts(
    args: &GateArgs,
    positions: &SuitePositions,
    settings: Settings<'_>,
    control: &Control,
) -> PlayoutsVerdict {
    let games = Playouts { games: args.playouts, first: 0, plies: args.plies, seed: args.seed.unwrap_or(0) };
    let rows = (positions.boards(), positions.held as u64);
    match args.plant {
        None => gate::judge_games(rows, games, settings, |board, games| playouts(board, games, settings, control)),
        Some(plant) => judge_planted_playouts(plant, rows, games, settings, control),
    }
}

/// Prints the estimated time for the rows that will be walked.
fn announce(positions: &SuitePositions, options: Options<'_>, pool: &rayon::ThreadPool, control: &Control) {
    let planned = |row| match gate::plan(row, options.depth, options.max_nodes) {
        RowPlan::Walk(depth, _) => Some((row, depth)),
        RowPlan::Skip(_) => None,
    };
    let step = positions.held.div_ceil(estimate::SAMPLE).max(1);
    let sample: Vec<Row> = positions.boards().step_by(step).collect();
    let times = positions.held as f64 / sample.len().max(1) as f64;
    let walks: Vec<(&Row, u32)> = sample.iter().filter_map(planned).collect();
    estimate::announce(&walks, times, |row, depth| {
        // Leave out the row's listed counts, so that the probe compares no counts.
        let row = Row::unknown(&row.id, *row.board());
        let verdict = pool.install(|| gate::judge(&row, Options { depth, max_nodes: None, ..options }, control));
        let (walked, time) = verdict.report.map_or((0, Duration::ZERO), |report| (report.total(), report.time));
        Probe { walked, time: time + verdict.counter_time, identity_time: verdict.identity_time }
    });
}

type GateRunFormat = fn(&Run<'_>) -> String;

struct Outputs<'a> {
    args: &'a OutputArgs,
    files: Vec<(Output, GateRunFormat)>,
    table: TextTable,
    /// True if the user specified a depth. The output then reports each row that is walked to a smaller depth.
    tells_depth: bool,
}

impl Outputs<'_> {
    fn print(&self, verdict: &RowVerdict) {
        let color = match verdict.outcome {
            Outcome::Passed => AnsiColor::Green,
            Outcome::Failed => AnsiColor::Red,
            Outcome::Skipped(_) | Outcome::Interrupted => AnsiColor::Yellow,
        };
        console::say_row(&self.table.line(&report::row(verdict)), report::outcome(verdict), color);
    }

    /// Adds a verdict to the run and the documents, and prints it unless it is hidden.
    pub fn add(&mut self, run: &mut Run<'_>, verdict: RowVerdict, is_hidden: bool) -> Result<()> {
        if !is_hidden {
            self.print(&verdict);
            console::say_finding(&report::details(&verdict, self.tells_depth));
        }
        if let Some(error) = report::error(&verdict).filter(|_| self.args.github) {
            say!("{}", error);
        }
        run.tally.add(&verdict);
        // Only `--github` and result files need every verdict.
        if self.args.github || !self.files.is_empty() {
            run.verdicts.push(verdict);
        }
        self.update(run)
    }

    fn update(&mut self, run: &Run<'_>) -> Result<()> {
        let stage = if run.finished { RunStage::Finished } else { RunStage::Running };
        self.files.iter_mut().try_for_each(|(file, format)| file.update(stage, || format(run)))
    }

    pub fn finish(&mut self, run: &Run<'_>) -> Result<()> {
        self.update(run)?;
        self.args.summarize(|| report::markdown(run))
    }
}
