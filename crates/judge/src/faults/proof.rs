//! Proof that a planted fault makes a run fail. A run must fail on one thread and on several, with the same report.

use super::cases::{Case, Caught, cases};
use super::fault::{Fault, Plant};
use super::judge::{judge_planted, judge_planted_playouts};
use crate::gate::{Identities, Mode, Options, PlayoutsVerdict, RowVerdict, Run, RunOutcome, RunTotals};
use perft_gate_chess::{Fen, Field};
use perft_gate_simd::Level;
use perft_gate_suite::Row;
use perft_gate_walk::{Check, Control, Playouts, Settings};
use perft_gate_zobrist::preset;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// A pool with one thread and a pool with several. A verdict must not depend on which of them is used.
#[derive(Debug)]
pub struct Pools {
    one: ThreadPool,
    many: ThreadPool,
}

impl Pools {
    /// Runs `judge` on both pools.
    ///
    /// **Errors**: the two reports differ.
    fn judge<V: Send + ToString>(&self, judge: impl Fn() -> V + Sync) -> Result<V, String> {
        let [one, many] = [&self.one, &self.many].map(|pool| pool.install(&judge));
        let [alone, shared] = [&one, &many].map(V::to_string);
        if alone == shared { Ok(one) } else { Err(format!("one thread reports\n{alone}several report\n{shared}")) }
    }
}

impl Default for Pools {
    /// **Panics**: the system cannot start threads.
    fn default() -> Pools {
        let pool = |threads| ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        Pools { one: pool(1), many: pool(3) }
    }
}

/// Proves that the right check catches a fault at the given level. Returns the line of the report about the fault.
///
/// **Errors**: a text that says what was not noticed.
pub fn prove_case(case: &Case, level: Level, pools: &Pools) -> Result<String, String> {
    let verdict = pools.judge(|| case.judge(level))?;
    let report = verdict.to_string();
    if !case.is_caught(&verdict) {
        return Err(format!("not caught by {:?}: {:?}\n{report}", case.caught, verdict.outcome));
    }
    let Some(line) = report.lines().find(|line| line.contains(&case.named)) else {
        return Err(format!("the report does not say '{}':\n{report}", case.named));
    };
    let line = line.trim().to_string();
    expect_failure(vec![verdict], None)?;
    Ok(line)
}

/// Checks that a run with these verdicts fails. **Errors**: if it does not.
fn expect_failure(verdicts: Vec<RowVerdict>, playouts: Option<PlayoutsVerdict>) -> Result<(), String> {
    let options = options(Level::portable(), 1);
    let (rows, mut tally) = (verdicts.len(), RunTotals::default());
    verdicts.iter().for_each(|verdict| tally.add(verdict));
    let run = Run {
        suite: "planted".into(),
        options,
        threads: 1,
        rows,
        before: 0,
        tally,
        verdicts,
        playouts,
        has_listed_counts: true,
        finished: true,
    };
    match run.outcome() {
        RunOutcome::Failed => Ok(()),
        other => Err(format!("the run's outcome is '{}', expected 'failed'", other.name())),
    }
}

fn options(level: Level, depth: u32) -> Options<'static> {
    let scheme = preset("cpw793").expect("a preset");
    let settings = Settings { scheme, secondary: &[], seed: 0, level, sample_mask: 0xfff };
    Options { depth, mode: Mode::Verify, settings, max_nodes: None, identities: Identities::Off }
}

/// Faults planted in random games, the ply from which each acts, and the check that must notice it. With `None`, no
/// check notices the fault, and a wrong number of comparisons must reveal it.
const PLAYED: [(Fault, u32, Option<Check>); 8] = [
    (Fault::CapturedPieceKept, 0, Some(Check::Keys)),
    (Fault::CapturedPieceKept, 30, Some(Check::Keys)),
    (Fault::ClockNotRestored, 30, Some(Check::Unmake)),
    (Fault::Inconsistent(Field::Kings), 30, Some(Check::Boards)),
    (Fault::NullMoveNotRestored(Field::Fullmove), 30, Some(Check::NullMove)),
    (Fault::NotCompared(Check::Keys), 30, None),
    (Fault::NotCompared(Check::Unmake), 30, None),
    (Fault::NotCompared(Check::Boards), 30, None),
];

/// Proves that faults planted in random games make a run fail. Returns one line per fault.
///
/// **Errors**: a text that says what was not noticed.
pub fn prove_playouts(level: Level, pools: &Pools) -> Vec<(Plant, Result<String, String>)> {
    let prove = |(fault, from_ply, check)| {
        let plant = Plant { fault, from_ply };
        (plant, prove_playout(plant, check, level, pools))
    };
    PLAYED.into_iter().map(prove).collect()
}

fn prove_playout(plant: Plant, check: Option<Check>, level: Level, pools: &Pools) -> Result<String, String> {
    let row = Row::unknown("start", Fen::parse(Fen::START).expect("a legal position"));
    let settings = options(level, 0).settings;
    let playouts = Playouts { games: 4, first: 0, plies: 60, seed: 0 };
    let judge = || judge_planted_playouts(plant, ([row.clone()], 1), playouts, settings, &Control::default());
    let verdict = pools.judge(judge)?;
    let report = verdict.to_string();
    let caught = match check {
        Some(check) => verdict.findings.iter().any(|found| found.finding.mismatch.check == check),
        None => !verdict.missed.is_empty() && verdict.findings.is_empty(),
    };
    let named = check.map_or(" comparisons, found ".into(), |check| check.to_string());
    let line = report.lines().find(|line| line.contains(&named)).map(|line| line.trim().to_string());
    expect_failure(Vec::new(), Some(verdict))?;
    line.filter(|_| caught).ok_or_else(|| format!("not caught by {named}:\n{report}"))
}

/// Proves that faults below the trunk are caught in a tree that splits as in a normal run.
///
/// The tree must be deeper than the `least_depth` of [`Split::RULE`](perft_gate_walk::Split::RULE). A shallower tree is
/// not split into a trunk and tasks.
pub fn prove_real_split(row: &Row, depth: u32, level: Level) -> Vec<(Plant, Result<String, String>)> {
    let from_ply = depth - 1;
    let prove = |(fault, check)| {
        let plant = Plant { fault, from_ply };
        let verdict = judge_planted(plant, row, options(level, depth), &Control::default());
        let found = verdict.findings.iter().find(|finding| finding.mismatch.check == check);
        let deep = verdict.findings.iter().all(|finding| finding.mismatch.path.len() as u32 >= from_ply);
        let result = match found.filter(|_| deep) {
            Some(finding) => Ok(finding.to_string().lines().next().unwrap_or_default().into()),
            None => Err(format!("not caught by {check}:\n{}", verdict)),
        };
        (plant, result.and_then(|line| expect_failure(vec![verdict], None).map(|()| line)))
    };
    [(Fault::EnPassantVictimKept, Check::Keys), (Fault::ClockNotRestored, Check::Unmake)].map(prove).into()
}

/// Returns a position and a depth whose tree is just large enough to be split into a trunk and tasks as in a normal
/// run. To depth 7, the tree has 1.4 million nodes and a trunk of four plies. Its last ply has en passant captures.
pub fn small_split_tree() -> (Row, u32) {
    let fen = "4k3/2p5/8/1P6/8/8/8/4K3 w - - 0 1";
    (Row::unknown("two pawns", Fen::parse(fen).expect("a legal position")), 7)
}

/// Names the checks that must catch a fault, for the list of faults.
pub fn catching_checks(fault: Fault) -> String {
    let mut names: Vec<String> = Vec::new();
    for case in cases().into_iter().filter(|case| case.plant.fault == fault) {
        let name = match case.caught {
            Caught::By(check) => check.to_string(),
            Caught::Counts => "V1 counts".into(),
            Caught::Identity => "V5 identity".into(),
            Caught::Missing => "the number of comparisons".into(),
            Caught::NotReproduced(check) => format!("{check} (did not recur)"),
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.join(", ")
}
