//! The gate: `perft --depth 6 --suite standard`.

use super::args::GateArgs;
use super::outputs::Outputs;
use crate::args::run::control;
use crate::args::suite::SuitePositions;
use crate::cmd::estimate::{self, Probe};
use crate::cmd::passed::PassedRows;
use crate::failure::{CommandFailure, Usage};
use crate::out::progress::{with_bar, with_task_bar};
use perft_gate_judge::faults::{judge_planted_playouts, judge_planted_walk};
use perft_gate_judge::gate::{
    self, Mode, Options, Outcome, PlannedWalk, PlayoutsVerdict, RowPlan, Run, RunOutcome, RunTotals,
};
use perft_gate_machine::pinning::describe_unpinned;
use perft_gate_report::gate as report;
use perft_gate_suite::Row;
use perft_gate_walk::{Control, Playouts, Settings};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

pub fn run(args: &GateArgs) -> Result<ExitCode, CommandFailure> {
    let positions = args.suite.positions()?;
    let scheme = args.scheme.scheme()?;
    let secondary = args.secondary();
    let options = args.options(&scheme, &secondary)?;
    // Ctrl-C ends the wait for a pipe's reader.
    let mut outputs = Outputs::open(args, &positions)?;
    let control = control()?;
    let (pool, pinned) = args.run.pool()?;
    let (threads, hides_passes) = (pool.current_num_threads(), args.list.hides_passes(positions.number));
    let took = args.run.pin.then(|| pool.broadcast(|_| pinned.load(Relaxed)).into_iter().max().unwrap_or(0));
    let pinning = took.map(|pinned| match pinned {
        0 => describe_unpinned(std::env::consts::OS).to_string(),
        pinned => format!("pinned {pinned}"),
    });
    let hidden = hides_passes.then(|| format!("{} rows, those that pass are not shown", positions.number));
    say!("{}", report::head(&options, threads, pinning.iter().chain(&hidden)));
    let mut passed = PassedRows::open(args.list.checkpoint.as_deref(), &positions, &args.judged())?;
    announce(&positions, options, &pool, &control);
    let start = Instant::now();
    say!("{}", outputs.table.head());

    let mut run = start_run(&positions, options, threads, passed.before());
    let mut batches = gate::batches(passed.remaining(&positions), options);
    let judge_row = |walk: PlannedWalk<'_>| match args.plant {
        None => gate::judge_walk(walk, options, &control),
        Some(plant) => judge_planted_walk(plant, walk, options, &control),
    };
    let done = AtomicUsize::new(run.before);
    let mut judge_all = |is_long: bool| -> Result<(), CommandFailure> {
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

/// Returns a run with no row done yet, but those of `before`, which passed in an earlier run.
fn start_run<'a>(positions: &SuitePositions, options: Options<'a>, threads: usize, before: usize) -> Run<'a> {
    Run {
        suite: positions.name.clone(),
        options,
        threads,
        rows: positions.number,
        before,
        tally: RunTotals::default(),
        verdicts: Vec::new(),
        playouts: None,
        has_listed_counts: positions.has_counts_up_to(options.depth),
        finished: false,
    }
}

/// Prints the last lines, writes the documents, and returns the exit code.
fn conclude(run: &Run<'_>, outputs: &mut Outputs<'_>) -> Result<ExitCode, CommandFailure> {
    if run.options.mode == Mode::Verify {
        say!("{}", format!("checks: {}", report::checks(run)));
    }
    if let Some(line) = report::schemes(run) {
        say!("{}", line);
    }
    say!("{}", report::summary(run));
    outputs.finish(run)?;
    if run.outcome() == RunOutcome::NothingCompared {
        let next = "raise --depth or --max-nodes, or take another suite";
        return Err(Usage(format!("nothing was compared: every row was skipped: {next}")));
    }
    if run.outcome() == RunOutcome::NoCounts {
        let (suite, depth) = (&run.suite, run.options.depth);
        return Err(Usage(format!(
            "{suite}: no row lists a count up to depth {depth}, so no count was compared with the list: `perft suite fill` writes counts"
        )));
    }
    Ok(ExitCode::from(run.outcome().exit_code()))
}

/// Judges random games, with a planted fault if requested.
fn judge_playouts(
    args: &GateArgs,
    positions: &SuitePositions,
    settings: Settings<'_>,
    control: &Control,
) -> PlayoutsVerdict {
    let playouts = Playouts { games: args.playouts, first: 0, plies: args.plies, seed: args.seed.unwrap_or(0) };
    let rows = (positions.boards(), positions.held as u64);
    match args.plant {
        None => gate::judge_playouts(rows, playouts, settings, control),
        Some(plant) => judge_planted_playouts(plant, rows, playouts, settings, control),
    }
}

/// Prints the estimate for the rows that will be walked.
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
        // Without its counts, so that an estimate never judges.
        let row = Row::unknown(&row.id, *row.board());
        let verdict = pool.install(|| gate::judge(&row, Options { depth, max_nodes: None, ..options }, control));
        let (walked, time) = verdict.report.map_or((0, Duration::ZERO), |report| (report.total(), report.time));
        Probe { walked, time: time + verdict.counter_time, identity_time: verdict.identity_time }
    });
}
