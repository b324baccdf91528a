//! `perft unique --hosts`: several processes count together, on one or more machines.

use super::resources::{PliesAndFrontier, Resources, describe_count};
use crate::args::run::{build, time};
use crate::args::size;
use crate::args::text::{MAX_TEXT, text};
use crate::failure::{Outside, Result, Usage};
use crate::out::console;
use clap::Args;
use perft_gate_chess::Board;
use perft_gate_cluster::{ConnectError, Hello, Hosts, Link, LossHandler, connect};
use perft_gate_unique::{UniqueOptions, exchange};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

#[derive(Args, Debug)]
pub struct ClusterArgs {
    /// Count with other processes, on this machine or on others: a file with the `host:port` of each process, one per
    /// line. Process 0 prints. The network must be trusted: nothing is encrypted.
    #[arg(long, value_name = "FILE", requires = "process", conflicts_with_all = ["export", "verify_export", "board_only", "leaves"])]
    hosts: Option<PathBuf>,
    /// Number of this process, from 0: its line in that file.
    #[arg(long, value_name = "I", requires = "hosts")]
    process: Option<usize>,
    /// How long to wait for the other processes.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = time, requires = "hosts")]
    wait: Duration,
}

impl ClusterArgs {
    /// Runs `count` with `options`. With `--hosts`, all processes count together, and the options also hold the link
    /// between them.
    pub fn count_together(
        &self,
        board: &Board,
        depth: u32,
        options: &UniqueOptions<'_>,
        run: &Resources,
        is_kept: bool,
        count: impl FnOnce(&UniqueOptions<'_>) -> Result<Option<PliesAndFrontier>>,
    ) -> Result<Option<PliesAndFrontier>> {
        let (Some(path), Some(process)) = (&self.hosts, self.process) else { return count(options) };
        let name = format!("--hosts {}", path.display());
        let text = text(path, MAX_TEXT, &name, "the hosts, one per line")?;
        let hosts = Hosts::parse(&text).map_err(|error| Usage(format!("{name}: {error}")))?;
        let processes = hosts.addresses().len();
        if process >= processes {
            let most = processes - 1;
            return Err(Usage(format!("--process: found {process}, expected 0 to {most}: {name} lists {processes}")));
        }
        let memory = tables(processes, run)?;
        let hello = Hello { process, run: agreement(&hosts, board, depth, options, is_kept) };
        let sockets = match connect(&hosts, &hello, self.wait, &run.control.stop) {
            Ok(sockets) => sockets,
            Err(ConnectError::Stopped) => {
                note!("interrupted: nothing was counted");
                return Ok(None);
            }
            Err(ConnectError::Refused(error)) => return Err(Usage(format!("{name}: {error}"))),
            Err(ConnectError::Lost(error)) => return Err(Outside(format!("{name}: {error}"))),
        };
        end_on_panic();
        let (control, is_ending) = (Arc::clone(&run.control), Arc::new(AtomicBool::new(false)));
        let stopped = Arc::new(move || control.is_stopped());
        let link = Link::start(sockets, process, loss_handler(&hosts, is_kept, Arc::clone(&is_ending)), stopped);
        let link = link.map_err(|error| Outside(format!("{name}: {error}")))?;
        if process > 0 {
            console::silence();
        }
        let counted = count(&UniqueOptions { exchange: Some(&link), memory, ..*options }).inspect_err(|_| {
            // If all processes fail in the same way, each should report that failure, not that the others have ended.
            is_ending.store(true, Ordering::SeqCst);
            std::thread::sleep(CASCADE);
        })?;
        let sent = link.all_sent();
        link.close();
        // Report how much data was sent in completed passes.
        if sent.children > 0 {
            let (children, bytes) = (sent.children, size::text(sent.bytes));
            let each = sent.bytes as f64 / children as f64;
            note!("process {process} sent {children} children in {bytes}: {each:.2} bytes per child");
        }
        Ok(counted)
    }
}

/// Returns how much memory is left for the tables after reserving room for messages.
fn tables(processes: usize, run: &Resources) -> Result<usize> {
    let messages = Link::memory(processes) + run.pool.current_num_threads() * exchange::worker_memory(processes);
    match run.budget.tables.checked_sub(messages) {
        Some(left) if left > size::MIN_TABLE_BYTES => Ok(left),
        _ => Err(Usage(format!(
            "--memory: found {}, expected more than {}: messages between {processes} processes need room too",
            size::text(run.budget.all as u64),
            size::text((run.budget.all - run.budget.tables + messages + size::MIN_TABLE_BYTES) as u64)
        ))),
    }
}

/// Returns all values that must be the same in every process.
fn agreement(
    hosts: &Hosts,
    board: &Board,
    depth: u32,
    options: &UniqueOptions<'_>,
    is_kept: bool,
) -> serde_json::Map<String, Value> {
    let build = build();
    let revision =
        format!("{}{}", build.revision.unwrap_or_default(), if build.dirty == Some(true) { "+" } else { "" });
    let mut run = serde_json::Map::new();
    run.insert("version".into(), build.version.into());
    run.insert("revision".into(), revision.into());
    run.insert("hosts".into(), hosts.addresses().into());
    run.insert("spill".into(), is_kept.into());
    if let Value::Object(description) = describe_count(board, depth, options) {
        run.extend(description);
    }
    run
}

/// Ends the program with a one-line error if a network thread panics. The `timely` crate panics when it reads garbage.
fn end_on_panic() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let thread = std::thread::current();
        if thread.name().is_some_and(|name| name == "network" || name.starts_with("timely:")) {
            let text = panic.payload_as_str().unwrap_or("unknown").replace('\n', " ");
            note!("error: the exchange with the other processes failed: {text}");
            std::process::exit(3);
        }
        usual(panic);
    }));
}

/// Time within which every process notices that one of them is lost.
const CASCADE: Duration = Duration::from_millis(500);

/// Returns the handler that ends this process when another process is lost.
fn loss_handler(hosts: &Hosts, is_kept: bool, is_ending: Arc<AtomicBool>) -> LossHandler {
    let (addresses, is_told) = (hosts.addresses().to_vec(), AtomicBool::new(false));
    Arc::new(move |process, what| {
        std::thread::sleep(CASCADE / 5);
        if !is_ending.load(Ordering::SeqCst) && !is_told.swap(true, Ordering::SeqCst) {
            let address = addresses.get(process).map_or("", String::as_str);
            let next = match is_kept {
                true => "the same commands resume from the last pass",
                false => "the count is lost, --spill would have kept it",
            };
            note!("error: process {process} ({address}): {what}; {next}");
            // Wait, so that the other processes report the same lost process and not this one.
            std::thread::sleep(CASCADE);
            std::process::exit(3);
        }
        // Wait for the exit: the process is already ending with another error, or another thread reported the loss.
        loop {
            std::thread::park();
        }
    })
}
