//! Measurement: speed, quality of key tables, collisions, and the machine benchmark.
#![forbid(unsafe_code)]

pub mod bench;
pub mod collisions;
pub mod measure;
pub mod pinning;
pub mod quality;
pub mod record;
