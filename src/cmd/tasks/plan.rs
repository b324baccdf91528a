//! `perft tasks plan`, and the file that it writes.
//!
//! The file is text: a line of JSON that describes the count; one line per task with its number, multiplicity and FEN,
//! separated by tabs; and the CRC-32 of all lines before. The tasks are sorted by FEN, so one count has the same plan
//! everywhere.

use crate::args::position::PositionArgs;
use crate::args::run::{DepthArgs, RunArgs, control};
use crate::args::text::{MAX_LIST, text};
use crate::failure::{CommandFailure, Usage};
use crate::out::file::{Output, make_folder};
use clap::Args;
use perft_gate_chess::{Board, EnPassantPolicy, Fen};
use perft_gate_unique::{Unique, UniqueOptions, unique};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const SCHEMA: &str = "perft.tasks/1";
const NAME: &str = "plan";
/// Memory for the positions of the shallow ply.
const MEMORY: usize = 1 << 30;
/// Maximum value of `--tasks`; a million tasks take minutes to read.
const MAX_TASKS: i64 = 1_000_000;
/// Minimum number of plies below a task.
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
    #[command(flatten)]
    run: RunArgs,
}

/// First line of a plan.
#[derive(Serialize, Deserialize, Debug)]
struct PlanHeader {
    schema: String,
    fen: String,
    depth: u32,
    /// Ply of the tasks.
    ply: u32,
    tasks: usize,
}

/// A position to count.
#[derive(Debug)]
pub struct Task {
    /// Number of move sequences that lead to it.
    pub multiplicity: u128,
    pub fen: String,
    pub board: Board,
}

#[derive(Debug)]
pub struct PlannedCount {
    pub root: Board,
    pub depth: u32,
    /// Number of plies below a task.
    pub below: u32,
    pub tasks: Vec<Task>,
    /// Checksum of the file. It distinguishes plans.
    pub checksum: u32,
}

pub fn run(args: &PlanArgs) -> Result<ExitCode, CommandFailure> {
    let board = args.position.board()?;
    let (level, control, (pool, _)) = (args.run.level()?, control()?, args.run.pool()?);
    let options = UniqueOptions { keep: true, ..UniqueOptions::new(EnPassantPolicy::Legal, level, MEMORY) };
    let mut ply = 0;
    let frontier = loop {
        let counted = pool.install(|| unique(&board, ply, &options, &control, &mut |_| ()))?;
        let Unique { frontier: Some(frontier), interrupted: false, .. } = counted else {
            note!("interrupted: no plan was written");
            return Ok(ExitCode::from(130));
        };
        if frontier.positions() >= args.tasks.into() || ply + MIN_BELOW >= args.depth.plies() {
            break frontier;
        }
        ply += 1;
    };
    let mut tasks: Vec<_> =
        frontier.iter().map(|(packed, count)| (Fen::write(&packed.board(), options.policy), count)).collect();
    tasks.sort();
    let fen = Fen::write(&board, EnPassantPolicy::Always);
    let header = PlanHeader { schema: SCHEMA.into(), fen, depth: args.depth.plies(), ply, tasks: tasks.len() };
    let mut text = serde_json::to_string(&header)? + "\n";
    text.extend(tasks.iter().enumerate().map(|(number, (fen, count))| format!("{number}\t{count}\t{fen}\n")));
    text += &format!("crc32 {:08x}\n", crc32fast::hash(text.as_bytes()));

    let shown = args.output.display();
    make_folder(&format!("--output {shown}"), &args.output)?;
    let path = args.output.join(NAME);
    if !path.exists() {
        Output::open("--output", &path)?.write(text.as_bytes())?;
    } else if read_text(&path)? == text {
        say!("'{shown}' already contains this plan");
    } else {
        return Err(Usage(format!("--output {shown}: found another plan, expected a new folder, or the same plan")));
    }
    say!("{} tasks: the distinct positions of ply {ply}, with {} plies below", tasks.len(), args.depth.plies() - ply);
    say!("run them: perft tasks run {shown} --share 1/N, 2/N, … N/N; then: perft tasks merge {shown}");
    Ok(ExitCode::SUCCESS)
}

fn read_text(path: &Path) -> Result<String, CommandFailure> {
    text(path, MAX_LIST, &path.display().to_string(), "the plan that `perft tasks plan` wrote")
}

impl PlannedCount {
    pub fn read(folder: &Path) -> Result<PlannedCount, CommandFailure> {
        let path = folder.join(NAME);
        PlannedCount::parse(&read_text(&path)?).map_err(|reason| Usage(format!("{}: {reason}", path.display())))
    }

    /// Returns the reason why a number is not that of a task, if it is none.
    pub fn refuse(&self, task: usize) -> Option<String> {
        let last = self.tasks.len().saturating_sub(1);
        (task >= self.tasks.len()).then(|| format!("found {task}, expected a task from 0 to {last}"))
    }

    fn parse(text: &str) -> Result<PlannedCount, String> {
        let end = text.trim_end_matches('\n').rfind('\n').map_or(0, |at| at + 1);
        let (content, last) = text.split_at(end);
        let checksum = crc32fast::hash(content.as_bytes());
        let expected = format!("crc32 {checksum:08x}\n");
        if last != expected {
            let (line, found) =
                (content.lines().count() + 1, last.trim_end().escape_default().take(40).collect::<String>());
            let expected = expected.trim_end();
            return Err(format!(
                "line {line}: found '{found}', expected '{expected}' of the lines before: the file is damaged"
            ));
        }
        let mut lines = (1..).zip(content.lines());
        let (_, first) = lines.next().ok_or("found no line, expected a plan")?;
        let header: PlanHeader = serde_json::from_str(first).map_err(|error| format!("line 1: {error}"))?;
        if header.schema != SCHEMA {
            return Err(format!("line 1, schema: found '{}', expected '{SCHEMA}'", header.schema));
        }
        let board = |line: usize, fen: &str| Fen::parse(fen).map_err(|error| format!("line {line}, FEN: {error}"));
        let task = |(line, text): (usize, &str)| {
            let fields: Vec<_> = text.split('\t').collect();
            let [number, multiplicity, fen] = fields[..] else {
                return Err(format!(
                    "line {line}: found {} fields, expected number, multiplicity and FEN",
                    fields.len()
                ));
            };
            if number != (line - 2).to_string() {
                return Err(format!("line {line}, number: found '{number}', expected {}", line - 2));
            }
            let multiplicity = multiplicity
                .parse()
                .map_err(|_| format!("line {line}, multiplicity: found '{multiplicity}', expected a number"))?;
            Ok(Task { multiplicity, fen: fen.into(), board: board(line, fen)? })
        };
        let tasks = lines.map(task).collect::<Result<Vec<_>, _>>()?;
        if tasks.len() != header.tasks {
            return Err(format!("line 1, tasks: found {}, expected {} as listed", header.tasks, tasks.len()));
        }
        let below = header.depth.checked_sub(header.ply).ok_or("line 1, ply: found more than the depth")?;
        Ok(PlannedCount { root: board(1, &header.fen)?, depth: header.depth, below, tasks, checksum })
    }
}
