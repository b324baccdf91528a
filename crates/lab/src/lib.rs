//! Measurement: speed, quality of key tables and collisions.
#![forbid(unsafe_code)]

pub mod collisions;
pub mod measure;
mod opt_level;
pub mod quality;
pub mod timed;

pub use opt_level::measured_opt_level;
