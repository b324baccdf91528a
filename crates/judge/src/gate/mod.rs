//! The judge: positions in, verdicts out.
//!
//! The walks ([`verify`](perft_gate_walk::verify), [`count`](perft_gate_count::count)) yield a
//! [`RowReport`](perft_gate_walk::RowReport); [`judge()`] compares it with what a suite or a second counter expects, and
//! explains what is wrong.

mod descent;
mod diagnosis;
mod due;
pub mod ep_policy_probe;
pub mod explain_move;
mod judge;
mod playouts;
mod run;
pub mod term_probe;
pub mod text;
mod uci_names;

pub use descent::{Descent, End, FirstWrong, MoveDifference, Suspect, descend};
pub use diagnosis::{Diagnosis, Named, Term};
pub use due::Missed;
pub use judge::{
    Candidate, CheckFinding, Expectation, Identities, Mode, Options, Outcome, RowPlan, RowVerdict, WrongCount, explain,
    judge, judge_candidate, plan, wrong_counts,
};
pub use playouts::{PlayoutsVerdict, judge_played, judge_playouts};
pub use run::{Run, RunTotals};
pub use uci_names::{ExplainedMove, Names, after, extras, legal, passed};
