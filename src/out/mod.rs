//! Output: lines, files, progress.

#[macro_use]
pub mod console;
mod draft;
pub mod file;
pub mod journal;
pub mod progress;
