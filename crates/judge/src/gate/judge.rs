//! Verdict on one row: walk, compare, explain.

use super::descent::{FirstWrong, first_wrong};
use super::diagnosis::{Diagnosis, diagnose};
use super::due::{Missed, WalkKind, find_missed};
use crate::suite::Row;
use perft_gate_chess::{Board, Fen, Move, MoveList};
use perft_gate_count::count;
use perft_gate_unique::identity::{Identity, IdentityCheck};
use perft_gate_walk::{
    Check, Control, Game, Mismatch, Position, RowReport, Settings, Statistics, board_after, board_after_null_move,
    count_game, statistics, verify,
};
use perft_gate_zobrist::{KeyTable, KeyTables, PRESETS, Scheme, Secondary, WrongKey};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Task for each position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Check every node.
    Verify,
    /// Bulk counting: check the counts only.
    Count,
    /// Count, and classify the moves that lead to the last ply.
    Stats,
}

impl Mode {
    /// Returns `verify`, `count` or `stats`.
    pub const fn name(self) -> &'static str {
        match self {
            Mode::Verify => "verify",
            Mode::Count => "count",
            Mode::Stats => "stats",
        }
    }
}

/// Options of a verdict.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Number of plies to walk; a suite's row may list less.
    pub depth: u32,
    /// Task for each position.
    pub mode: Mode,
    /// Settings of the walk.
    pub settings: Settings<'a>,
    /// Maximum number of leaf nodes; rows with more are skipped.
    pub max_nodes: Option<u128>,
    /// The identity check (V5).
    pub identities: Identities,
}

/// Extent of the comparison of positions with keys (V5) when every node is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Identities {
    /// No identity check.
    Off,
    /// Check the deepest ply with at most [`Identities::MAX_LEAVES`] leaves.
    All,
}

impl Identities {
    /// Maximum number of leaves of the ply that is checked.
    pub const MAX_LEAVES: u128 = 20_000_000;
}

/// Source of the expected counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expectation {
    /// Counts listed in the suite.
    Suite,
    /// No count is known: another counter's result.
    CrossChecked,
}

/// Plan for a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RowPlan {
    /// Walk it to this depth.
    Walk(u32, Expectation),
    /// Skip it, for this reason.
    Skip(String),
}

/// Chooses the depth: the deepest listed one up to `depth`. A position without any count is walked to `depth`, whatever
/// `max_nodes` says, because its number of nodes is not known in advance. A position that no board holds is skipped.
pub fn plan(row: &Row, depth: u32, max_nodes: Option<u128>) -> RowPlan {
    if row.position.is_err() {
        let (class, reason) = row.class();
        return RowPlan::Skip(format!("{class} position: {}", reason.unwrap_or_default()));
    }
    let (chosen, expectation) = match row.deepest(depth) {
        Some(listed) => (listed, Expectation::Suite),
        None if depth == 0 => (0, Expectation::Suite),
        None if row.counts.is_empty() => (depth, Expectation::CrossChecked),
        None => return RowPlan::Skip(format!("no count is listed up to depth {depth}")),
    };
    match (row.count(chosen), max_nodes) {
        (Some(nodes), Some(most)) if nodes > most => RowPlan::Skip(format!("{nodes} leaf nodes, more than {most}")),
        _ => RowPlan::Walk(chosen, expectation),
    }
}

/// Result of a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// All comparisons are equal.
    Passed,
    /// A count, a key or another check is wrong.
    Failed,
    /// Not walked, for this reason.
    Skipped(String),
    /// Stopped before its end.
    Interrupted,
}

/// A count that differs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrongCount {
    /// Number of plies from the root.
    pub depth: usize,
    /// Source of the expected count.
    pub expectation: Expectation,
    /// Expected count.
    pub expected: u128,
    /// Count found.
    pub found: u128,
}

/// A failed check with its explanation.
#[derive(Clone, Debug)]
pub struct CheckFinding {
    /// The check, path and values.
    pub mismatch: Mismatch<Move>,
    /// Position before the last move of the path, as FEN.
    pub before: String,
    /// Name of the scheme that was checked.
    pub scheme: String,
    /// Name of the secondary key that is wrong; `None` for the position's key.
    pub which: Option<&'static str>,
    /// Wrong terms, if a key is wrong.
    pub diagnosis: Option<Diagnosis>,
}

/// Verdict on one row.
#[derive(Clone, Debug)]
pub struct RowVerdict {
    /// The row.
    pub row: Row,
    /// Depth asked for.
    pub requested: u32,
    /// Depth walked.
    pub depth: u32,
    /// Source of the expected counts.
    pub expectation: Expectation,
    /// Result.
    pub outcome: Outcome,
    /// Report of the walk; `None` if skipped.
    pub report: Option<RowReport>,
    /// Counts that differ from the suite's or the other counter's.
    pub wrong_counts: Vec<WrongCount>,
    /// Number of counts compared (V1).
    pub counts_compared: u64,
    /// Checks that made more or fewer comparisons than were due.
    pub missed: Vec<Missed>,
    /// Failed checks.
    pub findings: Vec<CheckFinding>,
    /// Identity check (V5) of each scheme.
    pub identities: Vec<Identity>,
    /// Schemes whose identity check (V5) could not be made, with the reason.
    pub identities_missed: Vec<(String, String)>,
    /// Position of the wrong move, if the two counters differ.
    pub first_wrong: Option<FirstWrong>,
    /// Statistics, in [`Mode::Stats`].
    pub statistics: Option<Statistics>,
}

impl RowVerdict {
    fn new(row: &Row, requested: u32, depth: u32, expectation: Expectation, outcome: Outcome) -> RowVerdict {
        RowVerdict {
            row: row.clone(),
            requested,
            depth,
            expectation,
            outcome,
            report: None,
            wrong_counts: Vec::new(),
            counts_compared: 0,
            missed: Vec::new(),
            findings: Vec::new(),
            identities: Vec::new(),
            identities_missed: Vec::new(),
            first_wrong: None,
            statistics: None,
        }
    }

    /// Returns the verdict on a row that has no plan.
    pub(crate) fn skip(row: &Row, options: Options<'_>) -> RowVerdict {
        let reason = match plan(row, options.depth, options.max_nodes) {
            RowPlan::Skip(reason) => reason,
            RowPlan::Walk(..) => unreachable!("a row with a plan is walked"),
        };
        RowVerdict::new(row, options.depth, options.depth, Expectation::Suite, Outcome::Skipped(reason))
    }

    /// Returns true if something is wrong or was not compared.
    fn is_wrong(&self) -> bool {
        !self.wrong_counts.is_empty()
            || !self.findings.is_empty()
            || !self.missed.is_empty()
            || !self.identities_missed.is_empty()
            || self.identities.iter().any(Identity::is_wrong)
    }

    /// Returns the expected count at the walked depth: the suite's, or the other counter's.
    pub fn expected(&self) -> Option<u128> {
        let other = || self.wrong_counts.iter().find(|wrong| wrong.depth == self.depth as usize);
        match (self.row.count(self.depth), &self.report) {
            (Some(count), _) => Some(count),
            (None, Some(report)) if self.outcome != Outcome::Interrupted => {
                other().map(|wrong| wrong.expected).or(report.nodes.last().copied())
            }
            _ => None,
        }
    }
}

/// Position to judge, with the key tables of its schemes: a board, or one with a planted fault.
pub trait Candidate {
    /// The position without keys, for checks that need none.
    type Keyless: Game<Move = Move, Moves = MoveList>;

    /// Returns the position without keys.
    fn keyless(&self) -> Self::Keyless;
    /// Walks and verifies its tree.
    fn verify(&self, depth: u32, settings: Settings<'_>, control: &Control) -> RowReport;
    /// Returns the key tables of a scheme, if it has any.
    fn key_tables(&self, scheme: &Scheme, seed: u64) -> Option<Arc<KeyTables>>;
}

impl Candidate for Board {
    type Keyless = Position<()>;

    fn keyless(&self) -> Position<()> {
        Position::new(*self, ())
    }
    fn verify(&self, depth: u32, settings: Settings<'_>, control: &Control) -> RowReport {
        verify(self, depth, settings, control)
    }
    fn key_tables(&self, scheme: &Scheme, seed: u64) -> Option<Arc<KeyTables>> {
        scheme.shared_tables(seed)
    }
}

/// Judges a row.
pub fn judge(row: &Row, options: Options<'_>, control: &Control) -> RowVerdict {
    match &row.position {
        Ok(board) => judge_candidate(row, board, options, control),
        Err(_) => RowVerdict::skip(row, options),
    }
}

/// Judges a row by a candidate that holds its position.
pub fn judge_candidate<C: Candidate>(row: &Row, candidate: &C, options: Options<'_>, control: &Control) -> RowVerdict {
    let RowPlan::Walk(depth, expectation) = plan(row, options.depth, options.max_nodes) else {
        return RowVerdict::skip(row, options);
    };
    let settings = options.settings;
    let mut verdict = RowVerdict::new(row, options.depth, depth, expectation, Outcome::Passed);
    let mut report = match options.mode {
        Mode::Verify => candidate.verify(depth, settings, control),
        Mode::Count => count_game::<_, 1>(candidate.keyless(), depth, settings.level, control),
        Mode::Stats => {
            let (report, statistics) = statistics(row.board(), depth, settings.level, control);
            verdict.statistics = Some(statistics);
            report
        }
    };
    // The other counter uses another algorithm: set-wise for the full walks; a plain walk for bulk counting, if no
    // count is listed.
    let other = match (options.mode, expectation) {
        (Mode::Verify | Mode::Stats, _) => Some(count(row.board(), depth, settings.level, control)),
        (Mode::Count, Expectation::CrossChecked) => {
            Some(count_game::<_, 0>(Position::new(*row.board(), ()), depth, settings.level, control))
        }
        (Mode::Count, Expectation::Suite) => None,
    };
    report.interrupted |= control.stop.load(Ordering::Relaxed);
    if !report.interrupted {
        let other = other.as_ref().map(|other| &other.nodes[..]);
        verdict.wrong_counts = wrong_counts(row, &report.nodes, other, &mut verdict.counts_compared);
        let listed = (0..=depth).filter(|&depth| row.count(depth).is_some()).count();
        let counted = other.map_or(0, |_| depth as usize + 1);
        let counts = Missed::of("V1 counts", (listed + counted) as u128, verdict.counts_compared.into());
        verdict.missed.extend(counts);
        if options.mode == Mode::Verify {
            verdict.missed.extend(find_missed(&report, WalkKind::Tree, settings));
        }
        if verdict.wrong_counts.iter().any(|wrong| wrong.expectation == Expectation::CrossChecked) {
            verdict.first_wrong = first_wrong(settings.level, candidate.keyless(), row.board(), depth);
        }
    }
    verdict.findings = explain_mismatches(&report.mismatches, row, depth, settings, control);
    if options.mode == Mode::Verify && options.identities == Identities::All && !report.interrupted {
        check_identities(candidate, &report, settings, control, &mut verdict);
        report.interrupted |= control.stop.load(Ordering::Relaxed);
    }
    verdict.outcome = match (verdict.is_wrong(), report.interrupted) {
        (true, _) => Outcome::Failed,
        (false, true) => Outcome::Interrupted,
        (false, false) => Outcome::Passed,
    };
    verdict.report = Some(report);
    verdict
}

/// Makes the identity check (V5) of the scheme, or of every preset that has a key.
fn check_identities<C: Candidate>(
    candidate: &C,
    report: &RowReport,
    settings: Settings<'_>,
    control: &Control,
    verdict: &mut RowVerdict,
) {
    let board = &{ *verdict.row.board() };
    let small = |leaves: &u128| *leaves <= Identities::MAX_LEAVES;
    let Some(ply) = report.nodes.iter().rposition(small) else { return };
    let schemes = if settings.scheme.is_all() { &PRESETS[..] } else { std::slice::from_ref(settings.scheme) };
    let mut leaves = IdentityCheck::new(board, ply as u32, settings.level);
    for scheme in schemes {
        let Some(key_tables) = candidate.key_tables(scheme, settings.seed) else { continue };
        match leaves.identity(scheme, &key_tables, control) {
            Ok(Some(found)) => {
                let check = format!("V5 identity ({})", scheme.name);
                verdict.missed.extend(Missed::of(
                    &check,
                    found.positions.into(),
                    found.compared.min(found.positions).into(),
                ));
                verdict.identities.push(found);
            }
            Ok(None) => {}
            Err(error) => verdict.identities_missed.push((scheme.name.to_string(), error.to_string())),
        }
    }
}

/// Explains failed checks. With all schemes together, each one is walked alone to find out what is wrong with it; a
/// mismatch that does not repeat stays as it was seen.
fn explain_mismatches(
    mismatches: &[Mismatch<Move>],
    row: &Row,
    depth: u32,
    settings: Settings<'_>,
    control: &Control,
) -> Vec<CheckFinding> {
    let by = |settings: Settings<'_>, mismatches: &[Mismatch<Move>]| -> Vec<CheckFinding> {
        mismatches.iter().map(|mismatch| explain_mismatch(mismatch, row.board(), settings)).collect()
    };
    if !settings.scheme.is_all() || mismatches.is_empty() {
        return by(settings, mismatches);
    }
    let alone = PRESETS.iter().filter(|scheme| scheme.number_of_keys() > 0).flat_map(|scheme| {
        let settings = Settings { scheme, ..settings };
        by(settings, &verify(row.board(), depth, settings, control).mismatches)
    });
    let findings: Vec<CheckFinding> = alone.collect();
    if findings.is_empty() { by(settings, mismatches) } else { findings }
}

/// Compares every listed depth with the suite, and every ply with the other counter.
pub fn wrong_counts(row: &Row, nodes: &[u128], other: Option<&[u128]>, compared: &mut u64) -> Vec<WrongCount> {
    let mut wrong = Vec::new();
    for (depth, &found) in nodes.iter().enumerate() {
        let listed = row.count(depth as u32).map(|count| (Expectation::Suite, count));
        let counted = other.map(|other| (Expectation::CrossChecked, other[depth]));
        for (expectation, expected) in listed.into_iter().chain(counted) {
            *compared += 1;
            if expected != found {
                wrong.push(WrongCount { depth, expectation, expected, found });
            }
        }
    }
    wrong
}

/// Adds the position before the move, and the terms of a wrong key.
pub fn explain_mismatch(mismatch: &Mismatch<Move>, root: &Board, settings: Settings<'_>) -> CheckFinding {
    let (last, before) = match mismatch.path.split_last() {
        // A null move is not part of the path: the position before it is the path's end.
        Some((&last, above)) if mismatch.check != Check::NullMove => (Some(last), above),
        _ => (None, &mismatch.path[..]),
    };
    let before = before.iter().fold(*root, |board, &mv| board_after(&board, mv));
    let after = match last {
        Some(mv) => board_after(&before, mv),
        None => board_after_null_move(&before).unwrap_or(before),
    };
    let wrong = mismatch.wrong_key.zip(settings.scheme.key_tables(settings.seed));
    let (which, diagnosis) = match wrong {
        None => (None, None),
        Some((wrong, key_tables)) => {
            let (which, key_table, difference) = wrong_part(&wrong, key_tables, settings);
            (which, Some(diagnose(&key_table, &before, &after, difference)))
        }
    };
    let before = Fen::write(&before, settings.scheme.policy());
    CheckFinding { mismatch: mismatch.clone(), scheme: settings.scheme.name.to_string(), before, which, diagnosis }
}

/// Returns the secondary key that is wrong, if it is one; the key table of the wrong part; and the difference.
fn wrong_part(
    wrong: &WrongKey,
    key_tables: KeyTables,
    settings: Settings<'_>,
) -> (Option<&'static str>, KeyTable, u64) {
    let off = |table: &KeyTable, found: u64, expected: u64| table.combine.remove(found, expected) & table.mask;
    let own = key_tables.parts.len();
    if let Some(secondary) = wrong.part.checked_sub(own) {
        let table = Secondary::tables(settings.secondary, &key_tables)[secondary].take().expect("a key that is kept");
        let difference = off(&table, wrong.found.0 as u64, wrong.expected.0 as u64);
        return (Some(Secondary::PART_NAMES[secondary]), table, difference);
    }
    let parts = |key| (0..own).map(|part| key_tables.part_of(key, part)).collect::<Vec<_>>();
    let (found, expected) = (parts(wrong.found), parts(wrong.expected));
    let first = (0..own).find(|&part| found[part] != expected[part]).unwrap_or(0);
    let table = key_tables.parts.into_iter().nth(first).expect("a part");
    let difference = off(&table, found[first], expected[first]);
    (None, table, difference)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_compared_is_no_pass() {
        let row = Row::unknown("start", Fen::parse(Fen::START).expect("a position"));
        let verdict = || RowVerdict::new(&row, 1, 1, Expectation::Suite, Outcome::Passed);
        assert!(!verdict().is_wrong());
        let mut without_keys = verdict();
        without_keys.missed.push(Missed { check: "V2 keys".into(), due: 1, made: 0 });
        let mut without_identity = verdict();
        without_identity.identities_missed.push(("cpw793".into(), "no memory".into()));
        assert!(without_keys.is_wrong() && without_identity.is_wrong());
    }
}
