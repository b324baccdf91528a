//! Judges one row: walks its tree, compares the results and explains the errors.

use super::descent::{Keyless, first_wrong};
use super::finding::{Missed, explain_mismatches, find_missed};
use super::verdict::{Expectation, Identities, MissedIdentity, Mode, Options, Outcome, PlannedWalk};
use super::verdict::{RowVerdict, WrongCount, plan};
use perft_gate_chess::Board;
use perft_gate_count::{CountHint, count};
use perft_gate_suite::Row;
use perft_gate_unique::identity::IdentityCheck;
use perft_gate_walk::{Control, Position, RowReport, Settings, count_each, statistics, verify};
use perft_gate_zobrist::{KeyTables, PRESETS, Scheme};
use std::sync::Arc;
use std::time::Instant;

/// Position to judge, with the key tables of its schemes: a board, possibly with a planted fault.
pub trait Candidate {
    /// The position without keys, for checks that need none.
    type Keyless: Keyless;

    fn keyless(&self) -> Self::Keyless;
    /// Walks and verifies the tree below the position.
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

pub fn judge(row: &Row, options: Options<'_>, control: &Control) -> RowVerdict {
    let plan = plan(row, options.depth, options.max_nodes);
    RowVerdict::by_plan(&plan, row, options, |walk| judge_candidate(walk, row.board(), options, control))
}

/// Judges a planned walk on `candidate`, which must hold the row's position.
pub fn judge_candidate<C: Candidate>(
    walk: PlannedWalk<'_>,
    candidate: &C,
    options: Options<'_>,
    control: &Control,
) -> RowVerdict {
    let PlannedWalk { row, depth, expectation } = walk;
    let settings = options.settings;
    let mut verdict = RowVerdict::new(row, options.depth, depth, expectation, Outcome::Passed);
    let mut report = match options.mode {
        Mode::Verify => candidate.verify(depth, settings, control),
        Mode::Count => candidate.keyless().count_in_bulk(depth, settings.level, control),
        Mode::Stats => {
            let (report, statistics) = statistics(row.board(), depth, settings.level, control);
            verdict.statistics = Some(statistics);
            report
        }
    };
    // The second counter uses a different algorithm. Walks that visit every node are compared with set-wise counting.
    // Bulk counting is compared with a plain walk, but only if the suite lists no count.
    let start = Instant::now();
    let other = match (options.mode, expectation) {
        (Mode::Verify | Mode::Stats, _) => Some(count(row.board(), depth, settings.level, control)),
        (Mode::Count, Expectation::CrossChecked) => Some(count_each(row.board(), depth, settings.level, control)),
        (Mode::Count, Expectation::Suite) => None,
    };
    verdict.counter_time = start.elapsed();
    report.interrupted |= control.is_stopped();
    if !report.interrupted {
        let other = other.as_ref().map(|other| &other.nodes[..]);
        compare_counts(&mut verdict, &report.nodes, other);
        verdict.expected = verdict.expected.or(other.and_then(|other| other.last().copied()));
        if options.mode == Mode::Verify {
            verdict.missed.extend(find_missed(&report, None, settings));
        }
    }
    let disagrees = verdict.wrong_counts.iter().any(|wrong| wrong.expectation == Expectation::CrossChecked);
    if disagrees {
        verdict.first_wrong = first_wrong(settings.level, candidate.keyless(), row.board(), depth);
    }
    verdict.findings = explain_mismatches(&report.mismatches, row, depth, settings, control);
    let is_checked = options.mode == Mode::Verify && options.identities == Identities::All;
    // If the counters disagree, the walked tree may differ from the tree of the identity check.
    if is_checked && !report.interrupted && !disagrees {
        let start = Instant::now();
        check_identities(candidate, &report, settings, control, &mut verdict);
        verdict.identity_time = start.elapsed();
        report.interrupted |= control.is_stopped();
    }
    verdict.outcome = match (verdict.is_wrong(), report.interrupted) {
        (true, _) => Outcome::Failed,
        (false, true) => Outcome::Interrupted,
        (false, false) => Outcome::Passed,
    };
    verdict.report = Some(report);
    verdict
}

/// Compares the counts of a walk with the expected ones, and checks that no comparison is missing.
fn compare_counts(verdict: &mut RowVerdict, nodes: &[u128], other: Option<&[u128]>) {
    verdict.wrong_counts = wrong_counts(&verdict.row, nodes, other, &mut verdict.counts_compared);
    let listed_wrong = verdict.wrong_counts.iter().find(|wrong| wrong.expectation == Expectation::Suite);
    verdict.count_hint =
        listed_wrong.and_then(|wrong| CountHint::find(verdict.row.board(), &nodes[..=wrong.depth], wrong.expected));
    let listed = (0..=verdict.depth).filter(|&depth| verdict.row.count(depth).is_some()).count();
    let counted = other.map_or(0, |_| verdict.depth as usize + 1);
    let counts = Missed::find("V1 counts", (listed + counted) as u128, verdict.counts_compared.into());
    verdict.missed.extend(counts);
}

/// Runs the identity check (V5) for the scheme, or for every preset that has a key.
fn check_identities<C: Candidate>(
    candidate: &C,
    report: &RowReport,
    settings: Settings<'_>,
    control: &Control,
    verdict: &mut RowVerdict,
) {
    let board = &{ *verdict.row.board() };
    let small = |leaves: &u128| *leaves <= Identities::MAX_LEAVES;
    let Some(ply) = report.nodes.iter().rposition(small).filter(|ply| *ply > 0) else { return };
    let schemes = if settings.scheme.is_all() { &PRESETS[..] } else { std::slice::from_ref(settings.scheme) };
    let mut check = IdentityCheck::new(board, ply as u32, settings.level);
    for scheme in schemes {
        let Some(key_tables) = candidate.key_tables(scheme, settings.seed) else { continue };
        match check.identity(scheme, &key_tables, control) {
            Ok(Some(found)) => {
                let check = format!("V5 identity ({})", scheme.name);
                verdict.missed.extend(Missed::find(&check, report.nodes[ply], found.leaves.into()));
                verdict.identities.push(found);
            }
            Ok(None) => {}
            Err(error) => {
                let (scheme, reason) = (scheme.name.to_string(), error.to_string());
                verdict.identities_missed.push(MissedIdentity { scheme, reason });
            }
        }
    }
}

/// Compares the count at every listed depth with the suite's, and the count at every ply with the other counter's.
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

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_chess::Fen;
    use perft_gate_simd::Level;
    use perft_gate_zobrist::preset;

    #[test]
    fn leaves_that_the_identity_check_misses_are_noticed() {
        let (board, control) = (Fen::parse(Fen::START).expect("a position"), Control::default());
        let (scheme, level) = (preset("cpw793").expect("a preset"), Level::detect());
        let settings = Settings { scheme, secondary: &[], seed: 0, level, sample_mask: 0 };
        let mut report = count(&board, 3, level, &control);
        for missing in [0, 1] {
            report.nodes[3] += missing;
            let mut verdict = RowVerdict::new(&Row::unknown("start", board), 3, 3, Expectation::Suite, Outcome::Passed);
            check_identities(&board, &report, settings, &control, &mut verdict);
            let missed: Vec<_> = verdict.missed.iter().map(|missed| missed.due - missed.made).collect();
            assert_eq!((&missed[..], verdict.identities.len()), (&[1][..missing as usize], 1));
        }
    }
}
