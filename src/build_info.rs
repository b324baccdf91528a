//! Build of this program, as the build script found it.

use perft_gate_lab::measured_opt_level;
use perft_gate_machine::record::Build;

/// Returns the build of this program.
pub fn build() -> Build {
    let revision = Some(env!("PERFT_BUILD_REVISION")).filter(|revision| !revision.is_empty()).map(String::from);
    Build {
        version: env!("CARGO_PKG_VERSION").into(),
        dirty: revision.is_some().then_some(!env!("PERFT_BUILD_CHANGES").is_empty()),
        revision,
        compiler: env!("PERFT_BUILD_COMPILER").into(),
        target: env!("PERFT_BUILD_TARGET").into(),
        opt_level: measured_opt_level(),
        flags: env!("PERFT_BUILD_FLAGS").into(),
        debug_assertions: cfg!(debug_assertions),
    }
}
