//! Judge of other people's engines, over UCI.
//!
//! An [`EngineSession`] gives the rows of a suite to a running engine and compares the set of root moves and each subtotal
//! with our own counter; a difference is followed down to the position where the moves themselves are wrong
//! ([`WrongPosition`]). Positions are given by FEN, because engines silently ignore illegal `moves`. An engine may hang,
//! die or print anything: each of these is a verdict on the engine, and never stops our own program.
#![forbid(unsafe_code)]

mod advice;
mod answer;
mod comparison;
mod descent;
mod dialect;
mod display;
mod encoding;
mod expected;
mod failure;
mod game_end;
mod judge;
mod keys;
mod learned;
mod marked_processes;
mod outcome;
mod pairs;
mod pasted;
mod perft_output;
mod position_command;
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

pub use comparison::SubtotalDifference;
pub use descent::{CountFault, WrongPosition};
pub use display::KeyBase;
pub use expected::{ExpectedFailures, ExpectedFailuresError, ExpectedFault, FailureExpectation};
pub use failure::{EngineFailure, FailureKind};
pub use game_end::GameEnd;
pub use keys::{
    BackRankPawns, CastlingForm, EnPassantForm, EnPassantHabit, EngineTable, KeptClocks, KeyAudit, KeyComposition,
    KeyConventions, KeyFacts, KeyFault, KeyFinding, KeyReport, SchemeMatch, TableCheck, TableMismatch, one_constant,
};
pub use learned::{KeyLine, Learned};
pub use outcome::RowOutcome;
pub use pasted::{NoListing, PastedListing, WrongSubtotal};
pub use perft_gate_chess::ExplainedMove;
pub use position_command::PositionCommand;
pub use request::{Request, TemplateError};
pub use run::{EngineRunOutcome, EngineRunSummary, EngineSession, EngineTask};
pub use settings::{EngineSettings, KeySource, Patterns};
pub use trace::Trace;
pub use verdict::{ComparedPart, EngineVerdict, LeafCounts, WrongListed};
pub use walk_cause::{DrawRule, WalkCause};
