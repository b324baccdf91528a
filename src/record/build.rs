//! By what this program was built, as `build.rs` found it.

use serde::{Deserialize, Serialize};

/// The build of a program.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Build {
    /// The package's version.
    pub version: String,
    /// The commit of its sources, where they were under version control.
    pub revision: Option<String>,
    /// Had the sources been changed since that commit?
    pub dirty: Option<bool>,
    /// As `rustc --version` tells it.
    pub compiler: String,
    /// The target triple.
    pub target: String,
    /// 0 to 3, s or z.
    pub opt_level: String,
    /// RUSTFLAGS.
    pub flags: String,
    /// Are assertions compiled in?
    pub debug_assertions: bool,
}

impl Build {
    /// That of this program.
    pub fn this() -> Build {
        let revision = Some(env!("PERFT_BUILD_REVISION")).filter(|revision| !revision.is_empty()).map(String::from);
        Build {
            version: env!("CARGO_PKG_VERSION").into(),
            dirty: revision.is_some().then_some(!env!("PERFT_BUILD_CHANGES").is_empty()),
            revision,
            compiler: env!("PERFT_BUILD_COMPILER").into(),
            target: env!("PERFT_BUILD_TARGET").into(),
            opt_level: env!("PERFT_BUILD_OPT_LEVEL").into(),
            flags: env!("PERFT_BUILD_FLAGS").into(),
            debug_assertions: cfg!(debug_assertions),
        }
    }

    /// `f685870a12`, with `-dirty` if the sources had been changed; `unknown` without version control.
    pub fn name(&self) -> String {
        let dirty = if self.dirty == Some(true) { "-dirty" } else { "" };
        self.revision.as_ref().map_or("unknown".into(), |revision| format!("{revision}{dirty}"))
    }
}
