//! `perft tasks plan`, and the file that it writes.
//!
//! The file is text: a line of JSON that describes the count; one line per task with its number, multiplicity and FEN,
//! separated by tabs; and the CRC-32 of all preceding lines. The tasks are sorted by FEN, so the plan for a given count
//! is the same on every machine.

use crate::args::position::PositionArgs;
use crate::args::run::{DepthArgs, RunArgs, control};
use crate::args::size::{Budget, MemorySize};
use crate::args::text::{MAX_TEXT, text};
use crate::cmd::unique::with_next_step;
use crate::failure::{Result, Usage};
use crate::out::file::{Output, make_folder};
use crate::out::progress::with_task_bar;
use clap::Args;
use crc32fast::Hasher;
use perft_gate_chess::{Board, EnPassantPolicy, Fen, excerpt};
use perft_gate_unique::{Frontier, Unique, UniqueOptions, unique};
use perft_gate_walk::Control;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering::Relaxed;

const SCHEMA: &str = "perft.tasks/1";
const NAME: &str = "plan";
pub const POLICY: EnPassantPolicy = EnPassantPolicy::Legal;
/// Maximum value of `--tasks`: enough for ply 7 of the start position.
const MAX_TASKS: i64 = 100_000_000;
/// Maximum number of tasks that are sorted at a time. As text they take about 100 bytes each.
const MAX_SORTED: usize = 8_000_000;
/// Minimum number of plies that remain to be counted below each task.
const MIN_BELOW: u32 = 2;

#[derive(Args, Debug)]
pub struct PlanArgs {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    depth: DepthArgs<1>,
    /// Minimum number of tasks. Each is a distinct position of the first ply that has at least this many, or of the
    /// second-to-last ply.
    #[arg(long, default_value_t = 4096, value_parser = clap::value_parser!(u32).range(1..=MAX_TASKS))]
    tasks: u32,
    /// Folder for the tasks and their counts.
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,
    /// Maximum memory for the positions, such as 512M or 8G, or `auto`: three quarters of the free memory.
    #[arg(long, value_name = "SIZE", default_value = "auto")]
    memory: MemorySize,
    #[command(flatten)]
    run: RunArgs,
}

/// First line of a plan.
#[derive(Serialize, Deserialize, Debug)]
struct PlanHeader {
    schema: String,
    fen: String,
    depth: u32,
    /// Ply of the positions that are the tasks.
    ply: u32,
    tasks: usize,
}

#[derive(Debug)]
pub struct PlannedCount {
    pub root: Board,
    pub depth: u32,
    /// Number of plies to count below the position of a task.
    pub below: u32,
    /// Number of move sequences that lead to each task.
    pub multiplicities: Vec<u128>,
    /// Positions of the selected tasks, keyed by task number.
    pub boards: BTreeMap<usize, Board>,
    /// Checksum of the file, used to distinguish plans.
    pub checksum: u32,
}

pub fn run(args: &PlanArgs) -> Result<ExitCode> {
    let board = args.position.board()?;
    let (level, control, (pool, _)) = (args.run.level()?, control()?, args.run.pool()?);
    let memory = Budget::new(args.memory, pool.current_num_threads())?.tables;
    let options = UniqueOptions { keep: true, ..UniqueOptions::new(POLICY, level, memory) };
    let mut ply = 0;
    let frontier = loop {
        let count = || pool.install(|| unique(&board, ply, &options, &control, &mut |_| ()));
        let counted = with_task_bar(&control, "positions of a ply", count).map_err(with_next_step)?;
        let Unique { frontier: Some(frontier), interrupted: false, .. } = counted else {
            return Ok(say_interrupted());
        };
        if frontier.positions() >= args.tasks.into() || ply + MIN_BELOW >= args.depth.plies() {
            break frontier;
        }
        ply += 1;
    };
    let fen = Fen::write(&board, EnPassantPolicy::Always);
    let tasks = frontier.positions() as usize;
    let header = PlanHeader { schema: SCHEMA.into(), fen, depth: args.depth.plies(), ply, tasks };

    let shown = args.output.display();
    make_folder(&format!("--output {shown}"), &args.output)?;
    let path = args.output.join(NAME);
    let output = Output::open("--output", &path)?;
    let mut file = Checked { file: BufWriter::new(output.draft()?), sum: Hasher::new() };
    let checksum = match pool.install(|| file.write_plan(&header, &frontier, MAX_SORTED, &control)) {
        Ok(checksum) => checksum,
        Err(error) if error.kind() == ErrorKind::Interrupted => return Ok(say_interrupted()),
        Err(error) => return Err(output.write_failure(error)),
    };
    if !path.exists() {
        let finish = || file.file.into_inner()?.finish();
        finish().map_err(|error| output.write_failure(error))?;
    } else if PlannedCount::read(&args.output, |_| false)?.checksum == checksum {
        say!("'{shown}' already contains this plan");
    } else {
        return Err(Usage(format!("--output {shown}: found another plan, expected a new folder, or the same plan")));
    }
    say!("{tasks} tasks: the distinct positions of ply {ply}, with {} plies below", args.depth.plies() - ply);
    say!("run them: perft tasks run {shown} --share 1/N, 2/N, … N/N; then: perft tasks merge {shown}");
    Ok(ExitCode::SUCCESS)
}

fn say_interrupted() -> ExitCode {
    note!("interrupted: no plan was written");
    ExitCode::from(130)
}

/// A file that is being written, and the checksum of its content so far.
struct Checked<W> {
    file: W,
    sum: Hasher,
}

impl<W: Write> Checked<W> {
    fn line(&mut self, text: &str) -> io::Result<()> {
        let line = format!("{text}\n");
        self.sum.update(line.as_bytes());
        self.file.write_all(line.as_bytes())
    }

    /// Writes a plan and returns its checksum. **Errors**: a write fails, or `control` stops the run.
    fn write_plan(
        &mut self,
        header: &PlanHeader,
        frontier: &Frontier,
        max_sorted: usize,
        control: &Control,
    ) -> io::Result<u32> {
        self.line(&serde_json::to_string(header)?)?;
        let mut number = 0;
        frontier.each_fen(POLICY, max_sorted, &mut |fen, count| {
            if control.stop.load(Relaxed) {
                return Err(ErrorKind::Interrupted.into());
            }
            self.line(&format!("{number}\t{count}\t{fen}"))?;
            number += 1;
            Ok(())
        })?;
        let checksum = self.sum.clone().finalize();
        self.line(&sum_line(checksum))?;
        Ok(checksum)
    }
}

fn sum_line(checksum: u32) -> String {
    format!("crc32 {checksum:08x}")
}

impl PlannedCount {
    /// Reads a plan line by line. Keeps the positions of those tasks that `is_wanted` selects by number.
    pub fn read(folder: &Path, is_wanted: impl Fn(usize) -> bool) -> Result<PlannedCount> {
        let path = folder.join(NAME);
        let refused = |reason: String| Usage(format!("{}: {reason}", path.display()));
        let expected = "the plan that `perft tasks plan` wrote";
        let file = File::open(&path).map_err(|error| refused(format!("{error}, expected {expected}")))?;
        // If a plan is small, an editor may have saved it in another encoding.
        if file.metadata().is_ok_and(|file| file.len() <= MAX_TEXT) {
            let text = text(&path, MAX_TEXT, &path.display().to_string(), expected)?;
            return PlannedCount::parse(text.as_bytes(), is_wanted).map_err(refused);
        }
        PlannedCount::parse(BufReader::new(file), is_wanted).map_err(refused)
    }

    /// Returns the reason why `task` is not a valid task number, or `None` if it is valid.
    pub fn refuse(&self, task: usize) -> Option<String> {
        let last = self.multiplicities.len().saturating_sub(1);
        (task >= self.multiplicities.len()).then(|| format!("found {task}, expected a task from 0 to {last}"))
    }

    fn parse(file: impl BufRead, is_wanted: impl Fn(usize) -> bool) -> Result<PlannedCount, String> {
        let (mut plan, mut sum) = (Err("line 1: found no line, expected a plan".to_string()), Hasher::new());
        let mut lines = (1..).zip(file.lines()).peekable();
        while let Some((line, text)) = lines.next() {
            let text = text.map_err(|error| format!("line {line}: {error}"))?;
            if lines.peek().is_none() {
                // In a damaged file, report the damage rather than a wrong field.
                let expected = sum_line(sum.clone().finalize());
                if text != expected {
                    let found = excerpt(&text, 40);
                    return Err(format!(
                        "line {line}: found '{found}', expected '{expected}' of the lines before: the file is damaged"
                    ));
                }
                break;
            }
            sum.update(text.as_bytes());
            sum.update(b"\n");
            plan = match plan {
                _ if line == 1 => PlannedCount::begin(&text),
                Ok((mut plan, tasks)) => plan.read_task(line, &text, &is_wanted).map(|()| (plan, tasks)),
                Err(problem) => Err(problem),
            };
        }
        let (plan, tasks) = plan?;
        if plan.multiplicities.len() != tasks {
            return Err(format!("line 1, tasks: found {tasks}, expected {} as listed", plan.multiplicities.len()));
        }
        Ok(PlannedCount { checksum: sum.finalize(), ..plan })
    }

    /// Reads the first line. Returns a plan without tasks, and the number of tasks that must follow.
    fn begin(text: &str) -> Result<(PlannedCount, usize), String> {
        let header: PlanHeader = serde_json::from_str(text).map_err(|error| format!("line 1: {error}"))?;
        if header.schema != SCHEMA {
            return Err(format!("line 1, schema: found '{}', expected '{SCHEMA}'", header.schema));
        }
        let below = header.depth.checked_sub(header.ply).ok_or("line 1, ply: found more than the depth")?;
        let (root, depth) = (read_board(1, &header.fen)?, header.depth);
        let plan =
            PlannedCount { root, depth, below, multiplicities: Vec::new(), boards: BTreeMap::new(), checksum: 0 };
        Ok((plan, header.tasks))
    }

    fn read_task(&mut self, line: usize, text: &str, is_wanted: &impl Fn(usize) -> bool) -> Result<(), String> {
        let fields: Vec<_> = text.split('\t').collect();
        let [number, multiplicity, fen] = fields[..] else {
            return Err(format!("line {line}: found {} fields, expected number, multiplicity and FEN", fields.len()));
        };
        let task = self.multiplicities.len();
        if number != task.to_string() {
            return Err(format!("line {line}, number: found '{number}', expected {task}"));
        }
        let wrong = |_| format!("line {line}, multiplicity: found '{multiplicity}', expected a number");
        self.multiplicities.push(multiplicity.parse().map_err(wrong)?);
        if is_wanted(task) {
            self.boards.insert(task, read_board(line, fen)?);
        }
        Ok(())
    }
}

fn read_board(line: usize, fen: &str) -> Result<Board, String> {
    Fen::parse(fen).map_err(|error| format!("line {line}, FEN: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_simd::Level;

    #[test]
    fn a_plan_that_is_sorted_in_passes_is_the_same() {
        let root = Fen::parse(Fen::START).unwrap();
        let options = UniqueOptions { keep: true, ..UniqueOptions::new(POLICY, Level::detect(), 64 << 20) };
        let frontier = unique(&root, 3, &options, &Control::default(), &mut |_| ()).unwrap().frontier.unwrap();
        let tasks = frontier.positions() as usize;
        let header = PlanHeader { schema: SCHEMA.into(), fen: Fen::START.into(), depth: 5, ply: 3, tasks };
        let [whole, parts] = [tasks, tasks / 10].map(|max_sorted| {
            let mut file = Checked { file: Vec::new(), sum: Hasher::new() };
            file.write_plan(&header, &frontier, max_sorted, &Control::default()).unwrap();
            file.file
        });
        assert!(whole == parts && whole.split(|byte| *byte == b'\n').count() == tasks + 3);
        let plan = PlannedCount::parse(&parts[..], |task| task % 1000 == 7).unwrap();
        let stopped = Control::default();
        stopped.stop.store(true, Relaxed);
        let mut file = Checked { file: Vec::new(), sum: Hasher::new() };
        let refused = file.write_plan(&header, &frontier, tasks, &stopped);
        assert_eq!(refused.map_err(|error| error.kind()), Err(ErrorKind::Interrupted));
        assert_eq!((tasks, plan.multiplicities.iter().sum::<u128>(), plan.boards.len()), (5362, 8902, 6));
    }
}
