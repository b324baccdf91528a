//! The machine resources that a count uses, and what the user can do if they are not enough.

use crate::args::run::{RunArgs, impatient_control};
use crate::args::size::{self, Budget, MemorySize};
use crate::failure::{CommandFailure, Outside, Result, Usage};
use crate::out::console;
use crate::out::progress::with_task_bar;
use perft_gate_chess::{Board, EnPassantPolicy, Fen};
use perft_gate_report::text::TextTable;
use perft_gate_report::unique::{head, ply_line, ply_table};
use perft_gate_unique::{By, Frontier, Ply, Unique, UniqueError, UniqueOptions, unique};
use perft_gate_walk::Control;
use serde_json::json;
use std::sync::Arc;
use std::time::Instant;

/// Turns an error into a command failure that also says what the user can do next.
pub fn with_next_step(error: UniqueError) -> CommandFailure {
    let hint = match error {
        UniqueError::Memory { .. } => ": raise --memory, or lower --depth",
        UniqueError::Scheme { .. } => ": leave --ep out, or count --by position",
        UniqueError::DiskSpace { .. } => ": free some, raise --disk, or lower --depth",
        UniqueError::Disk(error) => return Outside(format!("--spill {error}")),
        UniqueError::Apart => return Usage(format!("--spill: {error}")),
        UniqueError::Exchange { .. } => return Outside(error.to_string()),
        _ => "",
    };
    Usage(format!("{error}{hint}"))
}

/// The counts of all plies, and the positions of the last ply if they are kept.
pub type PliesAndFrontier = (Vec<Ply>, Option<Frontier>);

pub struct Resources {
    pub options: UniqueOptions<'static>,
    pub budget: Budget,
    pub pool: rayon::ThreadPool,
    pub control: Arc<Control>,
    pub start: Instant,
}

impl Resources {
    pub fn new(memory: MemorySize, run: &RunArgs) -> Result<Resources> {
        let (level, control, (pool, _)) = (run.level()?, impatient_control()?, run.pool()?);
        let budget = Budget::new(memory, pool.current_num_threads())?;
        let options = UniqueOptions::new(EnPassantPolicy::Legal, level, budget.tables);
        Ok(Resources { options, budget, pool, control, start: Instant::now() })
    }

    /// Counts the positions of all plies, and prints each ply when it is complete. Returns `None` if interrupted.
    pub fn count(&self, board: &Board, depth: u32, options: &UniqueOptions<'_>) -> Result<Option<Unique>> {
        let mut table = None;
        let mut print = |ply: &Ply| {
            let table = table.get_or_insert_with(|| begin_table(options, self.budget.all));
            say!("{}", ply_line(table, ply, size::text, false));
        };
        // The plies are printed inside the pool, where they are counted.
        let counting =
            || self.pool.install(|| unique(board, depth, options, &self.control, &mut print).map_err(with_next_step));
        let result = with_task_bar(&self.control, "positions of a ply", counting)?;
        if result.interrupted {
            note!("interrupted: the plies above are complete, ply {} is not counted", result.plies.len());
            return Ok(None);
        }
        Ok(Some(result))
    }
}

/// Prints the description of the count and the table header.
pub fn begin_table(options: &UniqueOptions<'_>, memory: usize) -> TextTable {
    let table = ply_table(console::width(), options.diagrams);
    say!("{}\n{}", head(options, &size::text(memory as u64)), table.head());
    table
}

/// Describes a count. A folder or process whose count has a different description is rejected.
pub fn describe_count(board: &Board, depth: u32, options: &UniqueOptions<'_>) -> serde_json::Value {
    // The key of the root differs if the seed or the key file differs.
    let (by, key) = match options.by {
        By::Position => ("position".into(), "none".into()),
        By::Key { scheme, seed } => {
            let key = scheme.key_tables(seed).map_or("none".into(), |tables| scheme.text(tables.key(board)));
            (scheme.name.to_string(), key)
        }
    };
    let (processes, process) = options.exchange.map_or((1, 0), |link| (link.processes(), link.index()));
    let (fen, ep, diagrams) = (Fen::write(board, options.policy), options.policy.name(), options.diagrams);
    json!({
        "schema": "perft.unique-spill/2", "fen": fen, "depth": depth, "ep": ep, "by": by, "key": key,
        "diagrams": diagrams, "processes": processes, "process": process
    })
}
