//! Formats that several verbs write.

pub mod case;
pub mod file;
pub mod github;
pub mod junit;
