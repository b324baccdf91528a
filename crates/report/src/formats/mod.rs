//! Formats that several verbs write.

pub mod case;
pub mod decimal;
pub mod file;
pub mod github;
pub mod junit;
pub mod move_statistics;
pub mod rows;
