//! Measuring: how fast, how well keys are spread, how often they collide, and what a machine can do.
#![forbid(unsafe_code)]

pub mod bench;
pub mod collisions;
pub mod measure;
pub mod quality;
pub mod record;
