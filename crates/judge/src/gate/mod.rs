//! The judge: positions in, verdicts out.
//!
//! The walks ([`verify`](perft_gate_walk::verify), [`count`](perft_gate_count::count)) yield a
//! [`RowReport`](perft_gate_walk::RowReport); [`judge()`] compares it with what a suite or a second counter expects, and
//! explains what is wrong.

mod descent;
mod diagnosis;
mod due;
mod judge;
mod names;
mod playouts;
pub mod pushes;
pub mod rule;
mod run;
pub mod terms;
pub mod text;

pub use descent::FirstWrong;
pub use diagnosis::{Diagnosis, Named, Term};
pub use due::Missed;
pub use judge::{
    Candidate, Expectation, Finding, Identities, Mode, Options, Outcome, Plan, Verdict, WrongCount, explain, judge,
    judge_candidate, plan, wrong_counts,
};
pub use names::{Names, WrongText, after, extras, legal, passed};
pub use playouts::{PlayoutsVerdict, judge_played, judge_playouts};
pub use run::{Run, Tally};
