//! Output: lines, files, progress.

#[macro_use]
pub mod console;
pub mod diagram;
mod draft;
pub mod file;
pub mod hints;
pub mod journal;
pub mod progress;
