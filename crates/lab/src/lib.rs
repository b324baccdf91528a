//! Measures speed, the quality of key tables, and collisions.
#![forbid(unsafe_code)]

pub mod collisions;
pub mod measure;
pub mod quality;
pub mod timed;

pub use timed::measured_opt_level;
