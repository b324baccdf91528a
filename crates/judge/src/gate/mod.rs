//! Judge of positions: compares every walk with its expected counts, and explains the errors.
//!
//! The walks ([`verify`](perft_gate_walk::verify), [`count`](perft_gate_count::count)) return a
//! [`RowReport`](perft_gate_walk::RowReport); [`judge()`] compares it with the counts of a suite or of a second
//! counter.

mod descent;
mod diagnosis;
pub mod ep_policy_probe;
mod evidence;
mod finding;
mod judge;
mod playouts;
mod run;
pub mod term_probe;
mod verdict;

pub use descent::{Descent, End, FirstWrong, Keyless, MoveDifference, Suspect, descend};
pub use diagnosis::{Diagnosis, WrongTerm, diagnose};
pub use evidence::{clash, path};
pub use finding::{CheckFinding, Missed, explain_mismatch};
pub use judge::{Candidate, judge, judge_candidate, wrong_counts};
pub use playouts::{PlayoutFinding, PlayoutsVerdict, judge_games};
pub use run::{Batch, Run, RunOutcome, RunTotals, batches};
pub use verdict::{Expectation, Identities, MissedIdentity, Mode, Options, Outcome, PlannedWalk};
pub use verdict::{RowPlan, RowVerdict, WrongCount, plan};
