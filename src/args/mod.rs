//! Arguments that several commands share.

pub mod position;
pub mod run;
pub mod scheme;
pub mod size;
pub mod suite;
pub mod text;
