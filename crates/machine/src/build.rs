//! Build of a program, as it reports it itself.

use serde::{Deserialize, Serialize};

/// Build of a program.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Build {
    /// Version of the package.
    pub version: String,
    /// Commit of its sources, if they were under version control.
    pub revision: Option<String>,
    /// True if the sources had been changed since that commit.
    pub dirty: Option<bool>,
    /// Compiler, as `rustc --version` prints it.
    pub compiler: String,
    /// Target triple.
    pub target: String,
    /// Optimisation level of the measured code: 0 to 3, s or z; if its crates differ, that of each.
    pub opt_level: String,
    /// RUSTFLAGS of the build.
    pub flags: String,
    /// True if assertions are compiled in.
    pub debug_assertions: bool,
}

impl Build {
    /// Returns `f685870a12`, with `-dirty` if the sources had been changed; `unknown` without version control.
    pub fn name(&self) -> String {
        let dirty = if self.dirty == Some(true) { "-dirty" } else { "" };
        self.revision.as_ref().map_or("unknown".into(), |revision| format!("{revision}{dirty}"))
    }
}
