//! Judges a board under test, row by row.

use super::adapted::{Adapted, NumberedMove};
use super::beside::{self, Sampling};
use super::board::{Depth, Subject};
use super::codes::{self, CodeFault, Layout};
use super::descent::{find_wrong_move, readable_fen};
use super::finding::{Difference, Failure, Finding, Report, SubjectCheck};
use super::identity::{KnownKeys, MAX_NODES, probe_en_passant};
use super::panics::{call, find_panic, panic_difference};
use crate::gate::{Expectation, RowPlan, WrongCount, ep_policy_probe, plan, term_probe, wrong_counts};
use perft_gate_chess::{Board, EnPassantPolicy, MoveNames, explain_legal_move, quantity};
use perft_gate_simd::Level;
use perft_gate_suite::{Row, Suite};
use perft_gate_walk::{Check, Checks, Control, Mismatch, Settings, board_after, board_after_null_move, verify_game};
use perft_gate_zobrist::{Key, preset};
use std::collections::HashSet;
use std::convert::Infallible;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Mask that selects one node in 16 for the round trip through the board's own FEN. On large plies, only one FEN in 16
/// is compared with ours.
const SAMPLE_MASK: u64 = 15;

/// Approximate number of positions per ply and row at which all move codes are tested.
const MAX_CODES_ASKED: u128 = 8;

/// Time between two lines of progress on a terminal.
const PROGRESS_PERIOD: Duration = Duration::from_secs(5);

/// Judges a board on a suite. Each row is walked to its deepest listed depth that does not exceed `depth`.
///
/// | check | what is compared |
/// |---|---|
/// | V1 counts | the count of each ply with the suite's and ours; each move list and [`Subject::details`] with ours |
/// | V2 keys | [`Subject::key`] with [`Subject::recomputed_key`], at every node |
/// | V3 unmake | the position after [`Subject::UNMAKE`] with the one before the move, by [`Subject::same`] |
/// | V4 null moves | the key after [`Subject::make_null`] with the recomputed one, and the position after [`Subject::UNMAKE_NULL`] with the one before |
/// | V5 identity | keys of equal positions, which must be equal, and of different ones, which must differ |
/// | V6 round trip | [`Subject::fen`] with ours, and the board and key read from it with the original |
/// | V7 key before the move | [`Subject::key_after`] with the key after the move |
/// | V8 move codes | [`Subject::is_legal`] and [`Subject::is_pseudo_legal`] of all 65,536 codes with the codes of the legal moves, at about 8 nodes per ply and row |
///
/// V0 compares the two representations of our own board, so it has no counterpart here. A panic in any method is a
/// finding, too. A long check prints its progress on standard error if that is a terminal.
///
/// **Errors**: the findings, each with the position and move that show it. Comparing nothing is also a finding.
pub fn gate<S: Subject>(suite: Suite, depth: Depth) -> Result<Report, Failure> {
    let probed = call(probe_en_passant::<S>);
    let counted = probed.as_ref().map_or(None, |counted| *counted);
    let en_passant = counted.map(|ways| ways.map(|counts| counts.and_then(ep_policy_probe::policy_of)));
    let report = Report { depth, en_passant, ..Report::default() };
    let layout = call(Layout::learn::<S>).unwrap_or_default();
    let (findings, code_faults, code_findings) = (Vec::new(), Vec::new(), Vec::new());
    let mut judge = Judge { report, findings, layout, code_faults, code_findings };
    let probe_finding = |check, expected: &str, found| Finding {
        row: "e.p. squares in the key".into(),
        check,
        before: ep_policy_probe::PUSHES.map(|(_, _, before)| before).join(", "),
        expected: expected.into(),
        found,
        ..Finding::default()
    };
    if let (Some([counts, _]), Some([None, _])) = (&counted, en_passant) {
        let expected = "one of the policies legal, pseudo, always after e2e4";
        let found = counts.as_ref().map_or("not known: the positions are refused".into(), ep_policy_probe::describe);
        judge.findings.push(probe_finding(SubjectCheck::Identity, expected, found));
    }
    let mut last_line = Instant::now();
    for (number, row) in suite.rows.iter().enumerate() {
        // Do not use `eprintln`, whose output the test harness captures until the test ends.
        if last_line.elapsed() >= PROGRESS_PERIOD && io::stderr().is_terminal() {
            let _ = writeln!(io::stderr(), "perft: {number} of {} rows done, next {}", suite.rows.len(), row.id);
            last_line = Instant::now();
        }
        match plan(row, depth.0, None) {
            RowPlan::Walk(..) if !S::CHESS960 && row.board().is_chess960() => judge.report.skipped += 1,
            RowPlan::Walk(depth, _) => judge.judge_row::<S>(row, Depth(depth)),
            _ => {}
        }
    }
    // Report this panic only if there are no other findings. Usually a row panics too, and that finding says more.
    if let (Err(message), true) = (&probed, judge.findings.is_empty()) {
        let found = format!("panic: {message}");
        judge.findings.push(probe_finding(SubjectCheck::Panic, "every method returns", found));
    }
    let Judge { report, mut findings, code_faults, code_findings, .. } = judge;
    let of_codes = code_findings.into_iter().zip(code_faults);
    findings.extend(of_codes.map(|(finding, fault)| Finding { diagnosis: Some(fault.extent()), ..finding }));
    if report.rows == 0 || report.nodes == 0 && findings.is_empty() {
        let found = match report.skipped {
            0 if report.rows > 0 => "depth 0, which compares nothing".into(),
            0 => format!("{}, none with a count up to depth {}", quantity(suite.rows.len() as u64, "row"), depth.0),
            skipped => format!("{} of Chess960, which the board does not play", quantity(skipped, "row")),
        };
        findings.push(Finding { expected: "a row that can be walked".into(), found, ..Finding::default() });
    }
    if findings.is_empty() { Ok(report) } else { Err(Failure { findings }) }
}

impl Finding {
    fn of_row(row: &Row, check: SubjectCheck) -> Finding {
        Finding { row: row.id.clone(), check, before: row.fen.clone(), ..Finding::default() }
    }
}

struct Judge {
    report: Report,
    findings: Vec<Finding>,
    layout: Layout,
    /// Wrong answers about codes, grouped by cause, and the first finding of each cause.
    code_faults: Vec<CodeFault>,
    code_findings: Vec<Finding>,
}

impl Judge {
    /// Judges a row. A panic of the board is a finding, and does not stop the run.
    fn judge_row<S: Subject>(&mut self, row: &Row, depth: Depth) {
        let Err(message) = call(|| self.judge_unguarded_row::<S>(row, depth)) else { return };
        let not_again =
            || panic_difference(Vec::new(), "every method", &format!("{message} (not when each is called again)"));
        let difference = match call(|| S::from_fen(&row.fen)) {
            Err(message) => panic_difference(Vec::new(), "`from_fen`", &message),
            Ok(Err(_)) => not_again(),
            Ok(Ok(root)) => call(|| find_panic(&root, row.board(), depth)).ok().flatten().unwrap_or_else(not_again),
        };
        self.findings.push(difference_finding::<S>(row, difference, EnPassantPolicy::Legal));
    }

    /// Judges a row. Panics if the board does.
    fn judge_unguarded_row<S: Subject>(&mut self, row: &Row, depth: Depth) {
        self.report.rows += 1;
        let subject = match S::from_fen(&row.fen) {
            Ok(subject) => subject,
            Err(error) => {
                let (expected, found) = ("a position".into(), format!("refused: {error}"));
                return self.findings.push(Finding { expected, found, ..Finding::of_row(row, SubjectCheck::Fen) });
            }
        };
        let by_moves = self.report.en_passant.and_then(|[by_moves, _]| by_moves);
        let before = self.findings.len();
        let control = Control::default();
        let scheme = preset("none").expect("a scheme");
        // The SIMD level applies only to our walk. The board's code is compiled by its owner.
        let level = Level::portable();
        let settings = Settings { scheme, secondary: &[], seed: 0, level, sample_mask: SAMPLE_MASK };
        let expected = perft_gate_count::count(row.board(), depth.0, Level::detect(), &control);
        let (mut small, mut wrong_codes) = (0, false);
        // Walk to depth 1 first, then deeper, so that nothing below a wrong move is walked.
        for ply in 1..=depth.0 {
            let fens = if expected.nodes[ply as usize] <= MAX_NODES { 1 } else { SAMPLE_MASK as usize + 1 };
            let codes =
                if S::ALL_CODES { 1 } else { expected.nodes[ply as usize - 1].div_ceil(MAX_CODES_ASKED) as usize };
            let (mut differences, code_faults) = beside::compare(
                &mut self.report,
                &subject,
                row.board(),
                Depth(ply),
                Sampling { fens, codes: if wrong_codes { usize::MAX } else { codes } },
                &self.layout,
            );
            wrong_codes |= !code_faults.is_empty();
            self.add_code_faults::<S>(row, code_faults);
            if let Some(same_text) = take(&mut differences, SubjectCheck::UciTexts) {
                return self.findings.push(difference_finding::<S>(row, same_text, EnPassantPolicy::Legal));
            }
            let walked = verify_game(Adapted::new(subject.clone()), ply, settings, &control);
            let wrong = wrong_counts(row, &walked.nodes, Some(&expected.nodes), &mut 0);
            // Prefer a difference from our counter to one from the suite: ours can be traced to the wrong move.
            let counted = wrong.iter().find(|wrong| wrong.expectation == Expectation::CrossChecked);
            let others = take(&mut differences, SubjectCheck::Counts);
            let miscounted = |wrong: &WrongCount| count_finding(row, &subject, wrong);
            let policy = by_moves.unwrap_or(EnPassantPolicy::Legal);
            let differing = |difference| difference_finding::<S>(row, difference, policy);
            self.findings.extend(counted.map(miscounted).or(others.map(differing)).or(wrong.first().map(miscounted)));
            self.findings.extend(differences.into_iter().map(differing));
            let mut seen = HashSet::new();
            for mismatch in walked.mismatches.iter().filter(|mismatch| seen.insert(mismatch.check.to_string())) {
                self.findings.push(mismatch_finding(row, &subject, mismatch, policy));
            }
            if self.findings.len() > before {
                return;
            }
            if walked.nodes[ply as usize] <= MAX_NODES {
                small = ply;
            }
            if ply == depth.0 {
                self.report.nodes += walked.total();
                self.add_checks(&subject, walked.checks);
            }
        }
        if let Some(policy) = by_moves {
            let mut known = KnownKeys::new(policy);
            let wrong = known.walk(&subject, row.board(), Depth(small)).err();
            self.report.identities += known.compared;
            self.findings.extend(wrong.map(|wrong| difference_finding::<S>(row, *wrong, policy)));
        }
    }

    /// Adds wrong answers about codes, and a finding for each new cause.
    fn add_code_faults<S: Subject>(&mut self, row: &Row, faults: Vec<CodeFault>) {
        let known = self.code_faults.len();
        codes::join(&mut self.code_faults, &faults);
        for CodeFault { path, expected, found, .. } in self.code_faults[known..].iter().cloned() {
            let difference = Difference { check: SubjectCheck::Codes, path, expected, found, ..Difference::default() };
            self.code_findings.push(difference_finding::<S>(row, difference, EnPassantPolicy::Legal));
        }
    }

    /// Adds the numbers of comparisons made by the checks that the board supports.
    fn add_checks<S: Subject>(&mut self, subject: &S, checks: Checks) {
        let keyed = Adapted::new(subject.clone()).has_both_keys;
        let supplied = |has: bool, made: u64| if has { made } else { 0 };
        self.report.checks.add(&Checks {
            boards: 0,
            keys: supplied(keyed, checks.keys),
            unmakes: supplied(S::UNMAKE.is_some(), checks.unmakes),
            // If a copy replaces the board after a null move, only its key is compared.
            null_moves: supplied(keyed || S::UNMAKE_NULL.is_some(), checks.null_moves.max(checks.null_keys)),
            null_keys: supplied(keyed, checks.null_keys),
            round_trips: supplied(subject.fen().is_some(), checks.round_trips),
        });
    }
}

/// Removes and returns the difference found by this check.
fn take(differences: &mut Vec<Difference>, check: SubjectCheck) -> Option<Difference> {
    let at = differences.iter().position(|difference| difference.check == check)?;
    Some(differences.remove(at))
}

fn difference_finding<S: Subject>(row: &Row, difference: Difference, policy: EnPassantPolicy) -> Finding {
    let Difference { check, path, expected, found, wrong_move, keys } = difference;
    let read = |board: &Board, text: &str| MoveNames::new(board).read(text);
    // A null move is not part of the path, but is made at its end. Move codes are tested at the end of the path, too.
    let is_null_move = check == SubjectCheck::Node(Check::NullMove);
    let (above, last) = match path.split_last() {
        Some((last, above)) if !is_null_move && check != SubjectCheck::Codes => (above, Some(last)),
        _ => (&path[..], None),
    };
    let before = above.iter().try_fold(*row.board(), |board, text| Some(board_after(&board, read(&board, text)?)));
    let before = before.unwrap_or(*row.board());
    let last = last.and_then(|text| read(&before, text));
    let after = if is_null_move { board_after_null_move(&before) } else { last.map(|mv| board_after(&before, mv)) };
    let diagnosis = keys.zip(after).map(|(keys, after)| explain_keys::<S>(keys, (&before, &after), policy));
    let (before, last) =
        (readable_fen(&before, EnPassantPolicy::Always), last.map(|mv| explain_legal_move(&before, mv)));
    Finding { path, before, last, expected, found, diagnosis, wrong_move, ..Finding::of_row(row, check) }
}

/// Returns the terms by which two keys of one position differ. `boards` are the boards before and after the last move.
fn explain_keys<S: Subject>([one, other]: [Key; 2], boards: (&Board, &Board), policy: EnPassantPolicy) -> String {
    let key = |board: &Board| {
        let subject = S::from_fen(&readable_fen(board, policy)).ok();
        Ok::<_, Infallible>(subject.and_then(|subject| subject.key()).map(|key| key.0))
    };
    let Ok(terms) = term_probe::explain_difference(key, boards, one.0 ^ other.0, policy);
    terms.unwrap_or_else(|| "not explained by any term that a FEN can show".into())
}

fn count_finding<S: Subject>(row: &Row, subject: &S, wrong: &WrongCount) -> Finding {
    let WrongCount { depth, expected, found, expectation } = *wrong;
    let wrong_move = match expectation {
        Expectation::CrossChecked => find_wrong_move(subject.clone(), row.board(), Depth(depth as u32)),
        Expectation::Suite => None,
    };
    let remark = match (expectation, &wrong_move) {
        (Expectation::Suite, _) => ", the same as our counter: the suite's count is wrong",
        (_, None) => ", though the moves of each position alone are right: check that unmake restores everything",
        (_, Some(_)) => "",
    };
    let expected = format!("{expected} at depth {depth}");
    Finding { expected, found: format!("{found}{remark}"), wrong_move, ..Finding::of_row(row, SubjectCheck::Counts) }
}

fn mismatch_finding<S: Subject>(
    row: &Row,
    root: &S,
    mismatch: &Mismatch<NumberedMove<S::Move>>,
    policy: EnPassantPolicy,
) -> Finding {
    let (mut subject, mut path) = (root.clone(), Vec::new());
    for mv in mismatch.path.iter().filter_map(|step| step.mv) {
        path.push(subject.uci(mv));
        subject.make(mv);
    }
    let check = SubjectCheck::Node(mismatch.check);
    let (expected, found) = differing_parts(&mismatch.expected, &mismatch.found);
    let keys = mismatch.wrong_key.map(|wrong| [wrong.found, wrong.expected]);
    difference_finding::<S>(row, Difference { check, path, expected, found, keys, ..Difference::default() }, policy)
}

fn differing_parts(expected: &str, found: &str) -> (String, String) {
    let pairs: Vec<(&str, &str)> = expected.split("; ").zip(found.split("; ")).filter(|(a, b)| a != b).collect();
    if expected == found {
        return (
            format!("as before: {expected}"),
            "a different position, in a field that the FEN does not show".into(),
        );
    }
    if pairs.is_empty() || expected.split("; ").count() != found.split("; ").count() {
        return (expected.into(), found.into());
    }
    let (expected, found): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
    (expected.join("; "), found.join("; "))
}
