//! Judge of other people's engines, over UCI.
//!
//! A [`Session`] gives the rows of a suite to a running engine and compares the set of root moves and each subtotal
//! with our own counter; a difference is followed down to the position where the moves themselves are wrong
//! ([`WrongMove`]). Positions are given by FEN, because engines silently ignore illegal `moves`. An engine may hang,
//! die or print anything: each of these is a verdict on the engine, and never stops our own program.
#![forbid(unsafe_code)]

mod answer;
mod comparison;
mod descent;
mod dialect;
mod display;
mod encoding;
mod expected;
mod failure;
mod family;
mod group;
mod judge;
mod keys;
mod learned;
mod outcome;
mod pasted;
mod perft_output;
mod place;
mod process;
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

pub use comparison::Difference;
pub use descent::{Fault, WrongMove};
pub use display::KeyBase;
pub use encoding::decoded;
pub use expected::{Expectation, ExpectedFailures, ExpectedFailuresError};
pub use failure::{Failure, FailureKind};
pub use keys::{Habits, KeyFault, KeyFinding, KeyReport, one_constant};
pub use learned::Learned;
pub use outcome::Outcome;
pub use pasted::{NoListing, PastedListing};
pub use perft_gate_chess::ExplainedMove;
pub use place::Place;
pub use request::{Request, TemplateError};
pub use run::{EngineRunOutcome, EngineTask, Session, Summary};
pub use settings::{EngineSettings, KeySource, Patterns};
pub use trace::Trace;
pub use verdict::{Compared, EngineVerdict, WrongListed};
pub use walk_cause::{DrawRule, GameEnd, WalkCause};
