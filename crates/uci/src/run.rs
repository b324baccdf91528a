//! A suite, and one or several processes of an engine that count its rows.
//!
//! Rows are handed out one by one and reported in their order. An engine that failed is started anew for the next row;
//! if it fails several times on end, or often in all, the rest is left out.

use super::descent::Reference;
use super::judge::{EngineVerdict, Outcome, judge};
use super::keys::Habits;
use super::trial::Ways;
use super::uci::Engine;
use super::{EngineSettings, Failure, KeySource};
use perft_gate_judge::gate::{self, RowPlan};
use perft_gate_judge::suite::Row;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

/// After so many failures on end nothing more is asked.
const MOST_ON_END: usize = 3;
/// After so many failures in all nothing more is asked.
const MOST_IN_ALL: usize = 8;

/// What came of a suite.
#[derive(Clone, Debug)]
pub struct Summary {
    /// What the engine calls itself.
    pub name: String,
    /// The rows, in order.
    pub verdicts: Vec<EngineVerdict>,
    /// Wall time.
    pub time: Duration,
    /// Time spent waiting for the engine, all processes together.
    pub waited: Duration,
    /// Time spent counting, all processes together.
    pub counting: Duration,
    /// What the keys depend on, if the engine prints them and they were to be checked.
    pub habits: Option<Habits>,
    /// Why there are no rows, if the engine could not be asked for any.
    pub failure: Option<Failure>,
}

impl Summary {
    /// What is known of an engine that could not be asked for a row.
    pub fn failed(settings: &EngineSettings, failure: Failure) -> Summary {
        Summary { failure: Some(failure), ..Summary::empty(settings.command_line(), None) }
    }

    fn empty(name: String, habits: Option<Habits>) -> Summary {
        let [time, waited, counting] = [Duration::ZERO; 3];
        Summary { name, verdicts: Vec::new(), time, waited, counting, habits, failure: None }
    }
}

/// What is to be counted.
#[derive(Clone, Copy, Debug)]
pub struct EngineTask<'a> {
    /// The rows.
    pub rows: &'a [Row],
    /// Plies; a row that lists no count so deep is counted to its deepest below.
    pub depth: u32,
    /// Rows with more leaves are left out.
    pub max_nodes: Option<u128>,
    /// Processes.
    pub jobs: usize,
}

/// An engine that was started and answers.
#[derive(Debug)]
pub struct Session<'a> {
    settings: &'a EngineSettings,
    engine: Engine<'a>,
    habits: Option<Habits>,
}

impl<'a> Session<'a> {
    /// Starts the first process. **Errors**: it does not start, or does not understand.
    pub fn start(settings: &'a EngineSettings) -> Result<Session<'a>, Failure> {
        let mut engine = Engine::start(settings, None)?;
        let habits = match settings.keys {
            KeySource::Checked => Habits::of(&mut engine, settings.required_policy)?,
            KeySource::Off => None,
        };
        Ok(Session { settings, engine, habits })
    }

    /// What the engine calls itself.
    pub fn name(&self) -> &str {
        &self.engine.name
    }

    /// What its keys depend on, if they are checked.
    pub fn habits(&self) -> Option<&Habits> {
        self.habits.as_ref()
    }

    /// How it is asked for perft.
    pub fn verb(&self) -> &str {
        &self.engine.ways.verb
    }

    /// What is known before the first row.
    pub fn summary(&self) -> Summary {
        Summary::empty(self.name().into(), self.habits.clone())
    }

    /// Judges all rows; `each` is told of them in order, with those before.
    pub fn run(self, task: EngineTask<'_>, each: impl FnMut(&Summary)) -> Summary {
        run(self, task, each)
    }
}

fn run(session: Session<'_>, task: EngineTask<'_>, mut each: impl FnMut(&Summary)) -> Summary {
    let start = Instant::now();
    let mut summary = session.summary();
    let Session { settings, engine: first, habits } = session;
    let ways = first.ways.clone();
    let (next, failures, (sender, judged)) = (AtomicUsize::new(0), Failures::default(), channel());
    let mut early: Vec<Option<EngineVerdict>> = vec![None; task.rows.len()];
    let (waited, counting) = thread::scope(|scope| {
        let mut first = Some(first);
        let workers: Vec<_> = (0..task.jobs.clamp(1, task.rows.len().max(1)))
            .map(|_| {
                let (engine, sender) = (first.take(), sender.clone());
                let (next, failures, habits, ways) = (&next, &failures, habits.as_ref(), &ways);
                scope.spawn(move || {
                    let (reference, waited) = (Reference::new(settings), Duration::ZERO);
                    let mut worker = Worker { settings, engine, ways, habits, reference, waited };
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let Some(row) = task.rows.get(number) else { break };
                        let verdict = worker.judge(row, task, failures);
                        if sender.send((number, verdict)).is_err() {
                            break;
                        }
                    }
                    worker.finish()
                })
            })
            .collect();
        drop(sender);
        for (number, verdict) in judged {
            early[number] = Some(verdict);
            while let Some(verdict) = early.get_mut(summary.verdicts.len()).and_then(Option::take) {
                summary.waited += verdict.waited;
                summary.time = start.elapsed();
                summary.verdicts.push(verdict);
                each(&summary);
            }
        }
        let times = workers.into_iter().map(|worker| worker.join().expect("a worker does not panic"));
        times.fold((Duration::ZERO, Duration::ZERO), |(a, b), (waited, counting)| (a + waited, b + counting))
    });
    Summary { time: start.elapsed(), waited, counting, ..summary }
}

/// How often the engine failed, all its processes together.
#[derive(Default)]
struct Failures {
    on_end: AtomicUsize,
    in_all: AtomicUsize,
}

impl Failures {
    fn count(&self) {
        self.on_end.fetch_add(1, Ordering::Relaxed);
        self.in_all.fetch_add(1, Ordering::Relaxed);
    }

    fn interrupt(&self) {
        self.on_end.store(0, Ordering::Relaxed);
    }

    /// Why nothing more is asked, if that is so.
    fn too_many(&self) -> Option<String> {
        match (self.on_end.load(Ordering::Relaxed), self.in_all.load(Ordering::Relaxed)) {
            (MOST_ON_END.., _) => Some(format!("the engine failed {MOST_ON_END} times on end")),
            (_, MOST_IN_ALL..) => Some(format!("the engine failed {MOST_IN_ALL} times in all")),
            _ => None,
        }
    }
}

/// An engine and what it is compared with.
struct Worker<'a> {
    settings: &'a EngineSettings,
    engine: Option<Engine<'a>>,
    ways: &'a Ways,
    habits: Option<&'a Habits>,
    reference: Reference<'a>,
    waited: Duration,
}

impl Worker<'_> {
    fn judge(&mut self, row: &Row, task: EngineTask<'_>, failures: &Failures) -> EngineVerdict {
        let skipped = |reason: String| EngineVerdict::new(row, 0, Outcome::Skipped(reason));
        if self.settings.control.stop.load(Ordering::Relaxed) {
            return EngineVerdict::new(row, 0, Outcome::Interrupted);
        }
        if let Some(reason) = failures.too_many() {
            return skipped(reason);
        }
        let depth = match gate::plan(row, task.depth, task.max_nodes) {
            RowPlan::Walk(depth, _) => depth.max(1),
            RowPlan::Skip(reason) => return skipped(reason),
        };
        if self.engine.is_none() {
            match Engine::start(self.settings, Some(self.ways)) {
                Ok(engine) => self.engine = Some(engine),
                Err(failure) => {
                    failures.count();
                    return EngineVerdict::failed(row, depth, failure);
                }
            }
        }
        let engine = self.engine.as_mut().expect("it was started");
        let verdict = judge(engine, &mut self.reference, (row, depth), self.habits);
        match verdict.failure {
            None => failures.interrupt(),
            Some(_) => {
                failures.count();
                self.stop();
            }
        }
        verdict
    }

    fn stop(&mut self) {
        if let Some(engine) = self.engine.take() {
            self.waited += engine.waited;
            engine.quit();
        }
    }

    fn finish(mut self) -> (Duration, Duration) {
        self.stop();
        (self.waited, self.reference.time)
    }
}
