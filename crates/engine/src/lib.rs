//! Judges third-party engines over UCI.
//!
//! An [`EngineSession`] gives the rows of a suite to a running engine and compares the set of root moves and each
//! subtotal with those of our counter. It follows a wrong subtotal down to the position where the moves themselves are
//! wrong ([`WrongPosition`]). Positions are given by FEN, because engines silently ignore illegal `moves`. An engine
//! may hang, die or print anything. Any such behaviour becomes a verdict on the engine and never stops our program.
#![forbid(unsafe_code)]

mod descent;
mod dialect;
mod expected;
mod judge;
mod keys;
mod learned;
mod outcome;
mod process;
mod process_group;
mod program;
mod reference;
mod request;
mod run;
mod settings;
mod trace;
mod trial;
mod uci;
mod verdict;
mod walk_cause;

pub use descent::{CountFault, WrongPosition, WronglyMade};
pub use expected::{ExpectedFailures, ExpectedFailuresError, ExpectedFault, FailureExpectation};
pub use keys::{
    BackRankPawns, CastlingForm, EnPassantForm, EnPassantHabit, EngineTable, KeyAudit, KeyComposition, KeyConventions,
    KeyFacts, KeyFault, KeyFinding, KeyReport, NoTable, SchemeMatch, TableCheck, TableMismatch, one_constant,
};
pub use learned::{KeyLine, Learned};
pub use outcome::{EngineFailure, FailureKind, RowOutcome};
pub use perft_gate_chess::ExplainedMove;
pub use request::{PositionCommand, Request, TemplateError};
pub use run::{EngineRunOutcome, EngineRunSummary, EngineSession, EngineTask};
pub use settings::{Activity, EngineSettings};
pub use trace::Trace;
pub use verdict::{EngineVerdict, WrongListed};
