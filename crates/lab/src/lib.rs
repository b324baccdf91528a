//! Measurement: speed, quality of key tables, collisions, and the machine benchmark.
#![forbid(unsafe_code)]

pub mod bench;
pub mod collisions;
pub mod conditions;
pub mod measure;
pub mod pinning;
pub mod quality;

pub use perft_gate_record as record;
