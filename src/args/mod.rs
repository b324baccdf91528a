//! Arguments that several commands share.

pub mod output;
pub mod position;
pub mod run;
mod san;
pub mod scheme;
pub mod size;
pub mod suite;
