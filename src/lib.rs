//! Perft with every Zobrist key verified: a correctness gate and a benchmark for chess move generators.
//!
//! [`gate::verify`] walks a position's tree with make and unmake and checks every node; [`gate::count`] counts it in
//! bulk. The command line is the binary `perft`.
#![deny(unsafe_code)]

mod batch;
pub mod chess;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
pub mod collisions;
pub mod cpu;
#[cfg(feature = "engine")]
pub mod engine;
pub mod faults;
pub mod gate;
pub mod keys;
pub mod measure;
mod position;
#[cfg(feature = "report")]
pub mod report;
pub mod selftest;
pub mod suite;
pub mod table;
pub mod unique;
pub mod walk;

pub use position::{Position, Undo};
