//! Measurement: speed, quality of key tables, collisions, and the machine benchmark.
#![forbid(unsafe_code)]

pub mod bench;
pub mod collisions;
pub mod measure;
mod opt_level;
pub mod pinning;
pub mod quality;

pub use opt_level::measured_opt_level;
